"""The register of all kinds of finding, by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from validator import names, swap, team, unresolved
from validator.findings import Code
from validator.rules import DAILY, KINDS


@cache
def codes() -> Mapping[str, Code]:
    """Return every kind of finding by its name, sorted; a ValueError names one that stands for two things."""
    return registered(_declared())


def registered(declared: Iterable[Code]) -> dict[str, Code]:
    """Return kinds of finding by their names, sorted; a ValueError names one that stands for two things."""
    found: dict[str, Code] = {}
    for code in declared:
        if found.setdefault(code.name, code) is not code:
            raise ValueError(f"two kinds of finding are called {code.name}; rename one")
    return dict(sorted(found.items()))


def _declared() -> Iterator[Code]:
    for rule in (*KINDS.values(), *DAILY):
        yield from rule.codes
    yield from names.CODES
    yield from unresolved.CODES
    yield from swap.CODES
    yield from team.CODES
