"""Children: they do what they are given, or end at their limits, and cost nobody else anything."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest

from tests.cost import slowness

pytestmark = pytest.mark.slow


def toil(*works):
    """What comes of works in a process that has children."""
    command = [sys.executable, "-m", "tests.api.toil", *works]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return json.loads(done.stdout)


def test_what_comes_of_work_is_told_and_costs_the_next_nothing():
    works = {"add": 6, "spin": "Spent", "hold": "Spent", "crash": "Spent", "refuse": ["/deck", "/on"]}
    assert toil(*works, "add") == [*works.values(), 6]


def test_work_beside_what_takes_too_much_goes_on():
    ((comes, seconds, other),) = toil("beside")
    assert (comes, other) == (6, "Spent")
    assert seconds < 3 * slowness(time.monotonic)


def test_a_child_that_nobody_listens_to_any_more_is_left():
    assert toil("left") == [[[0, 1, 2, 3], 6]]


def test_of_too_much_at_a_time_some_is_refused_at_once():
    assert toil("crowd") == [["Busy", "rested"]]


def test_children_judge_by_the_cards_that_their_parent_has():
    assert toil("newer") == [["optcg-facts-2026-08-21", True]]
