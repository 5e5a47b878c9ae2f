"""The first events that the threads of a new process read, all at the same moment."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

# Each round defines the class anew, as a process does that was just started. Threads change as often as possible.
PROGRAM = """
import importlib, sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from api.events import tournament

DETAILS = {"name": "Example Regional", "game": "optcg", "on": "2026-10-25", "visibility": {"lists": "judges"}}
THREADS, ROUNDS = 16, 20
sys.setswitchinterval(1e-6)

def read(number):
    barrier.wait()
    return tournament.Tournament.from_row("0" * 30, 1, "2026-10-01", DETAILS).visibility.lists

with ThreadPoolExecutor(THREADS) as pool:
    for _ in range(ROUNDS):
        importlib.reload(tournament)
        barrier = Barrier(THREADS)
        assert set(pool.map(read, range(THREADS))) == {"judges"}
"""


def test_threads_read_the_first_event_at_once():
    assert subprocess.run([sys.executable, "-c", PROGRAM], check=False).returncode == 0
