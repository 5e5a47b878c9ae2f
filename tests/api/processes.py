"""Processes of our own: started, and ended, as whoever runs deckproof does."""

from __future__ import annotations

import atexit
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from tests.api.forks import Fork

COMMAND = Path(sys.executable).with_name("deckproof")
START = 120  # seconds, on a machine that is busy


# A worker whose signs of life follow each other quickly, so that it is missed soon, and that waits for nothing.
HASTY = """
from api.jobs import executor, heartbeats, worker
executor._PROGRESS_INTERVAL, heartbeats.HEARTBEAT_INTERVAL, heartbeats.MISSED_AFTER = 0.05, {every}, {missed_after}
worker._TIDY_BEATS, worker._GRACE = 1, 0.1
"""


class Process:
    """The command, running in a folder, and what it writes.

    Without another `command` it is a fork, which runs a `program` before.
    """

    def __init__(self, folder, arguments, command=None, program="", **settings):
        folder.mkdir(exist_ok=True)
        self.log = folder / f"log-{len(list(folder.glob('log-*')))}"
        environment = os.environ | {"DECKPROOF_DATA_DIR": str(folder), "TMPDIR": str(folder)} | settings
        with self.log.open("wb") as log:
            self.process = (
                subprocess.Popen([command, *arguments], stdout=log, stderr=log, env=environment, start_new_session=True)
                if command
                else Fork(arguments, self.log, environment, program)
            )
        atexit.register(self.process.kill)  # a test that fails leaves it running

    def says(self, pattern):
        """Return what it writes that is like this, once it does."""
        return wait_for(lambda: re.search(pattern, self.log.read_text()) or self._alive())

    def _alive(self):
        assert self.process.poll() is None, self.log.read_text()

    def end(self, signum=signal.SIGTERM):
        """End it as a machine that shuts down does; return its exit code."""
        self.process.send_signal(signum)
        return self.process.wait(timeout=START)

    @contextmanager
    def ended(self):
        """End it in good order after what is done meanwhile, and kill it if that fails."""
        try:
            yield
            assert self.end() == 0
        finally:
            self.kill()

    def kill(self):
        """End it as a machine that runs out of memory does."""
        self.process.kill()
        self.process.wait(timeout=START)

    def kill_all(self):
        """End it with all its processes, as a machine does that loses its power."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.kill()
        wait_for(lambda: not has_group(self.process.pid))  # with the last process its port is free


class Running(Process):
    """A server, and where it answers; without a worker, unless a test wants one."""

    def __init__(self, folder, arguments=("serve", "--port", "0", "--workers", "2"), command=None, **settings):
        super().__init__(folder, arguments, command, **{"DECKPROOF_WORKER": "off", **settings})
        self.port = int(self.says(r"Check decks at http://[^:]+:(\d+)")[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def workers(self):
        """Return the ids of the processes that answer."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(pid) for pid in listed.split()]


def start_program(folder, program):
    """Fork a process that runs a program, and return the process once the program has printed "begins"."""
    pipe = folder / "begins"
    os.mkfifo(pipe)
    process = Fork((), pipe, dict(os.environ), f"{program}\nraise SystemExit")
    with pipe.open() as output:
        assert output.readline() == "begins\n"
    pipe.unlink()
    return process


def hasty(folder, every=0.1, missed_after=1.5, **settings):
    """Start a worker that is in a hurry."""
    return Process(folder, ["worker"], program=HASTY.format(every=every, missed_after=missed_after), **settings)


def has_group(leader):
    """Return True if a process of a group exists."""
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return False
    return True


def wait_for(condition, seconds=START):
    """Return what a condition gives once it gives something."""
    until = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < until, "this takes too long"
        time.sleep(0.05)
    return found
