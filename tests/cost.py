"""Cost: the time that a call takes, converted to that of a quiet machine.

A machine that is busy with other work is slower, twice and more if two threads share a core. So a yardstick is timed at
the same moment as the call, and measures how much slower the machine is. It reads texts, as most calls do: beside five
such processes, texts are read 10 % more slowly on two cores, while a loop that only adds numbers is 10 % faster.
"""

from __future__ import annotations

import gc
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MOST = 1.0  # seconds, whatever is read
_A_MEGABYTE = 3.0  # seconds, and a little for whatever is small
_SMALL = 0.25  # no growth hides in it: that is measured from _FLOOR on
_GROWTH = 2.5  # times the time that a text of twice the length may take
_FLOOR = 0.05  # seconds that say nothing of growth
_RUNS = 20  # the best of which counts: a machine may be busy for a while, and one that is not needs one
_TEXTS = [f"{at}x OP{at % 20:02}-{at:03} Name {at} of the Sea (Special) /[[;" for at in range(500)]  # of the yardstick
_PATTERN = re.compile(r"(?<![0-9])([0-9]{1,3}) ?(?:x|times) ?[\[(]?[A-Z]+[0-9]{2}-[0-9]{3}$|[a-z]+;$")
_TURNS = 20
_EVERY = 1.0  # seconds between two times that a machine is watched
_QUIET = 0.0019  # seconds that they take on a quiet machine: the best of 1,500 on a core with nothing else to do

Clock = Callable[[], float]


def slowness(clock: Clock = time.process_time) -> float:
    """Return the factor by which this machine is slower than a quiet one now. It is 1 if the machine is not slower.

    A wait is interrupted by turns of other processes of some milliseconds, so the yardstick of a wait is longer.
    """
    times = 1 if clock is time.process_time else _TURNS
    start = clock()
    for _ in range(times):
        _read_texts()
    return max(1.0, (clock() - start) / (times * _QUIET))


def _read_texts() -> None:
    """Read the texts of the yardstick: split them into words, search them with a pattern, and keep what was found."""
    found: dict[object, object] = {}
    for text in _TEXTS:
        words = text.split()
        found[text] = " ".join(words).casefold()
        found[words[1], text] = _PATTERN.search(text)
        for word in words:
            found[word] = len(word), word.strip("()[]").isdigit()


@contextmanager
def slowness_meanwhile() -> Iterator[Callable[[], float]]:
    """Yield a function that returns the greatest slowness of this machine since the block began.

    A machine that is quiet before and after a call may be busy in between.
    """
    found, is_over = [slowness(time.monotonic)], threading.Event()

    def watch() -> None:
        while not is_over.wait(_EVERY):
            found.append(slowness(time.monotonic))

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield lambda: max(*found, slowness(time.monotonic))
    finally:
        is_over.set()
        watching.join()


@contextmanager
def time_limit(seconds: float, clock: Clock = time.process_time) -> Iterator[None]:
    """Assert that the block takes at most this time: of a processor, unless `clock` is another clock.

    A slow machine gets more.
    """
    if clock is time.monotonic:
        with slowness_meanwhile() as slowest:
            start = clock()
            yield
            took = clock() - start
            slower = slowest()
    else:
        before, start = slowness(clock), clock()
        yield
        took = clock() - start
        slower = max(before, slowness(clock))
    assert took <= seconds * slower, f"{took:.2f} s on a machine {slower:.1f} times slower than a quiet one"


def seconds(call: Callable[[], object], limit: float) -> float:
    """Return the processor time of a call. A call that exceeds `limit` is repeated, and the best time is returned."""
    best = float("inf")
    for _ in range(_RUNS):
        took = _processor_seconds(call)
        best = min(best, took if took <= limit else took / slowness())
        if best <= limit:
            break
    return best


def assert_cheap(read: Callable[[str], object], make: Callable[[int], str], length: int) -> None:
    """Assert that texts of this length, and twice as long, are read in time, the longer in about twice the time."""
    once, twice = make(length), make(2 * length)
    wanted = min(MOST, _SMALL + _A_MEGABYTE * len(twice.encode("utf-8", "replace")) / 1e6)
    short = long = quiet = float("inf")
    for _ in range(_RUNS):
        long = min(long, took := _processor_seconds(lambda: read(twice)))
        quiet = min(quiet, took if took <= _FLOOR else took / slowness())
        if quiet <= _FLOOR:
            return
        short = min(short, _processor_seconds(lambda: read(once)))
        if quiet <= wanted and long <= _GROWTH * short:  # of two times of one machine nothing is taken off
            return
    raise AssertionError(f"{short:.2f} s, and {long:.2f} s for {len(twice):,} characters of {once[:60]!r}")


def _processor_seconds(call: Callable[[], object]) -> float:
    """Return the processor time that a call takes, without garbage collection."""
    gc.disable()  # what it takes hangs on all that the process holds, not on the text
    try:
        start = time.process_time()
        call()
        return time.process_time() - start
    finally:
        gc.enable()
