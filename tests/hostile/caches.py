"""Caches: every lru_cache of the packages, found by looking through the modules that are loaded."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_PACKAGES = ("api", "carddb", "validator")
_CACHED = type(lru_cache(len))


class Cache(NamedTuple):
    """The cache of a function: its entries, and the most that it may have (None: no bound)."""

    name: str
    entries: int
    most: int | None


def caches() -> Iterator[Cache]:
    """Yield the cache of each function of our modules."""
    for module in [module for name, module in sys.modules.copy().items() if name.partition(".")[0] in _PACKAGES]:
        for name, function in vars(module).copy().items():
            if isinstance(function, _CACHED) and function.__module__ == module.__name__:
                info = function.cache_info()
                yield Cache(f"{module.__name__}.{name}", info.currsize, info.maxsize)
