"""What holds for every test: properties are checked without a clock, for the machines that check them are slow."""

from hypothesis import HealthCheck
from hypothesis import settings

settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")
