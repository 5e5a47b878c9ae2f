"""Window counts: nothing that comes is lost, in threads or in processes, and no stranger makes them grow."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from api.service.processes.window_counts import Counted, WindowCounts


class Seconds:
    """A clock that a test sets."""

    now = 1000.0

    def __call__(self):
        return self.now


def test_a_window_begins_with_the_first_time_and_ends_after_its_seconds():
    clock = Seconds()
    counts = WindowCounts(clock=clock)
    assert [counts.add("a", 60), counts.add("a", 60), counts.add("b", 9)] == [(1, 1060), (2, 1060), (1, 1009)]
    clock.now += 59.9
    assert counts.add("a", 60, 0) == (2, 1060)
    clock.now += 0.1
    assert counts.add("a", 60, 0).times == 0
    assert counts.add("a", 60) == Counted(1, 1120)


@pytest.mark.slow
def test_threads_of_several_processes_count_together():
    counts = WindowCounts(rows=4)

    def many(_):
        for at in range(500):
            counts.add(f"address {at % 5}", 3600)

    children = []
    for _ in range(4):
        if (child := os.fork()) == 0:
            with suppress(BaseException), ThreadPoolExecutor(4) as pool:
                list(pool.map(many, range(4)))
                os._exit(0)
            os._exit(1)
        children.append(child)
    assert {os.waitpid(child, 0)[1] for child in children} == {0}
    assert [counts.add(f"address {at}", 3600, 0).times for at in range(5)] == [1600] * 5


@pytest.mark.slow
def test_a_process_that_is_killed_leaves_no_row_locked():
    counts = WindowCounts(rows=1)
    for _ in range(5):
        if (child := os.fork()) == 0:
            with suppress(BaseException):
                while True:
                    counts.add("a", 3600)
            os._exit(1)
        time.sleep(0.02)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert counts.add("a", 3600).times > 0


def test_strangers_take_the_places_of_those_who_came_least():
    counts = WindowCounts(rows=1)
    for _ in range(9):
        counts.add("who comes often", 3600)
    for at in range(100):
        counts.add(f"stranger {at}", 3600)
    assert counts.add("who comes often", 3600, 0).times == 9
