"""The register of all kinds of finding, by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from validator.findings import Code
from validator.rules import DAILY, KINDS


@cache
def finding_codes() -> Mapping[str, Code]:
    """Return every kind of finding by its name, sorted by name. The result is cached.

    Raises ValueError if two kinds have one name.
    """
    return index_codes(_declared_codes())


def index_codes(declared: Iterable[Code]) -> dict[str, Code]:
    """Return kinds of finding by their names, sorted by name. A kind may be declared more than once.

    Raises ValueError if two different kinds have one name.
    """
    found: dict[str, Code] = {}
    for code in declared:
        if found.setdefault(code.name, code) is not code:
            raise ValueError(f"two kinds of finding are called {code.name}; rename one")
    return dict(sorted(found.items()))


def _declared_codes() -> Iterator[Code]:
    """Yield the kinds of finding of all rules and of the modules that make findings without a rule.

    Some are repeated.
    """
    # Imported here: they read deck lists, which takes most of the time to import the package.
    from validator import names, swap, team, unresolved

    for rule in (*KINDS.values(), *DAILY):
        yield from rule.codes
    yield from names.CODES
    yield from unresolved.CODES
    yield from swap.CODES
    yield from team.CODES
