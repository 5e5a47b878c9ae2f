"""Cost: the processor time of reading a text, as it grows with the text."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

MOST = 1.0  # seconds, whatever is read
_A_MEGABYTE = 3.0  # seconds, and a little for whatever is small
_SMALL = 0.1
_GROWTH = 2.5  # times the time that a text of twice the length may take
_FLOOR = 0.05  # seconds that say nothing of growth
_RUNS = 10  # the best of which counts, for others use the machine too


def seconds(call: Callable[[], object], wanted: float) -> float:
    """Return what a call costs, measured again while that is more than is wanted."""
    best = _timed(call)
    for _ in range(_RUNS - 1):
        if best <= wanted:
            break
        best = min(best, _timed(call))
    return best


def assert_cheap(read: Callable[[str], object], make: Callable[[int], str], length: int) -> None:
    """Assert that texts of this length and of twice as much are read in time, the longer in about twice of it."""
    once, twice = make(length), make(2 * length)
    wanted = min(MOST, _SMALL + _A_MEGABYTE * len(twice.encode("utf-8", "replace")) / 1e6)
    short = long = float("inf")
    for _ in range(_RUNS):
        long = min(long, _timed(lambda: read(twice)))
        if long <= _FLOOR:
            return
        short = min(short, _timed(lambda: read(once)))
        if long <= min(wanted, _GROWTH * short):
            return
    raise AssertionError(f"{short:.2f} s, and {long:.2f} s for {len(twice):,} characters of {once[:60]!r}")


def _timed(call: Callable[[], object]) -> float:
    gc.disable()  # what it takes hangs on all that the process holds, not on the text
    try:
        start = time.process_time()
        call()
        return time.process_time() - start
    finally:
        gc.enable()
