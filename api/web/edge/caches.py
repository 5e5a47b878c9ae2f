"""Caches: what a process remembers from one request for the next, each within a bound."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

_PACKAGES = ("api", "carddb", "validator")
_Remembering = type(lru_cache(len))


class Cache(NamedTuple):
    """What a function remembers: how many of its results now, and at most (None: it takes no arguments)."""

    name: str
    entries: int
    most: int | None


def caches(*owners: object) -> Iterator[Cache]:
    """Yield the caches of the functions of all modules that are loaded, and of some objects."""
    ours = [module for name, module in sys.modules.copy().items() if name.partition(".")[0] in _PACKAGES]
    for owner in (*ours, *owners):
        of = getattr(owner, "__name__", type(owner).__name__)
        for name, function in vars(owner).copy().items():
            if isinstance(function, _Remembering) and _belongs(function, owner):
                info = function.cache_info()
                yield Cache(f"{of}.{name}", info.currsize, info.maxsize)


def _belongs(function: Any, owner: object) -> bool:
    """Tell whether a function is the owner's own, and not one that a module has imported."""
    return bool(function.__module__ == getattr(owner, "__name__", function.__module__))
