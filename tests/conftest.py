"""What holds for every test: properties are checked without a clock, for the machines that check them are slow.

A run says the same twice; `pytest --hypothesis-profile=search` draws examples that no run has drawn before, and
`long` draws fifty times as many.
"""

from hypothesis import HealthCheck
from hypothesis import settings

settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", settings.get_profile("search"), max_examples=5_000)
settings.register_profile("same", settings.get_profile("search"), derandomize=True)
settings.load_profile("same")
