"""Child processes: they do their work, or end at their limits, and other work goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.api.processes import wait_for
from tests.cost import slowness_meanwhile

pytestmark = pytest.mark.slow


def command(*works):
    return [sys.executable, "-m", "tests.api.toil", *works]


def outcomes(*works):
    """The outcomes of works in a process that has children."""
    done = subprocess.run(command(*works), capture_output=True, text=True, timeout=120, check=True)
    return json.loads(done.stdout)


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_work_that_fails_does_not_change_the_outcome_of_the_next():
    works = {
        "add": 6,
        "spin": "WorkLimitExceeded",
        "fill_memory": "WorkLimitExceeded",
        "crash": "WorkLimitExceeded",
        "refuse": ["/deck", "/on"],
    }
    assert outcomes(*works, "add") == [*works.values(), 6]


def test_work_goes_on_beside_endless_work():
    with slowness_meanwhile() as slowest:
        ((result, seconds, endless),) = outcomes("beside")
        assert (result, endless) == (6, "WorkLimitExceeded")
        assert seconds < 3 * slowest()


def test_a_child_ends_if_its_parent_is_killed():
    parent = subprocess.Popen(command("report_and_sleep"), stdout=subprocess.PIPE)
    child = int(parent.stdout.readline())
    assert is_running(child)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    wait_for(lambda: not is_running(child), seconds=60)


def test_without_the_fork_server_children_go_on_and_the_process_is_replaced():
    assert outcomes("without_fork_server") == [["slept", "Busy", [signal.SIGTERM]]]


def test_too_much_work_at_once_is_refused_in_part():
    assert outcomes("crowd") == [["Busy", "slept"]]


def test_children_judge_by_the_cards_of_their_parent():
    assert outcomes("newer") == [["optcg-facts-2026-08-21", True]]
