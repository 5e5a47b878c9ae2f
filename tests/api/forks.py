"""Forks: processes that run the command and have its modules and data loaded already, for tests.api.processes.

A new interpreter needs two seconds of a processor to import what a server needs, and half a second to read the data
that ship. One process of a test run does both once, and forks for each server and each worker. A fork ends as an
interpreter ends, with all that is to be done then.

`python -m tests.api.forks` is this process. It reads requests, one JSON document in each line, and answers each with
one. It ends if its input ends.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from threading import Lock

ROOT = Path(__file__).parents[2]
LOADED = ("api.cli.serve", "api.jobs.worker", "api.web.app", "api.web.edge.server")


class Forks:
    """The process that forks. It starts with the first fork."""

    def __init__(self):
        self._lock = Lock()
        self._process = None

    def ask(self, **request):
        """Send a request and return its answer."""
        with self._lock:
            self._process = self._process or _start()
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            return json.loads(self._process.stdout.readline())


def _start():
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-m", __name__], cwd=ROOT, start_new_session=True, **pipes)


class Fork:
    """A fork that runs the command, after a program if there is one. It has the methods of Popen that tests use."""

    def __init__(self, arguments, log, environment, program=""):
        words, place = list(map(str, arguments)), {"log": str(log), "folder": os.getcwd()}
        self.pid = _forks.ask(arguments=words, environment=environment, program=program, **place)
        self._end = os.pidfd_open(self.pid)
        self._code = None

    def poll(self):
        """Return the exit code, None while the fork runs."""
        if self._code is None and self._has_ended(0):
            self._code = _forks.ask(ended=self.pid)
            os.close(self._end)
        return self._code

    def wait(self, timeout=None):
        """Return the exit code once the fork has ended. Raises subprocess.TimeoutExpired."""
        if self._code is None and not self._has_ended(timeout):
            raise subprocess.TimeoutExpired("deckproof", timeout)
        return self.poll()

    def _has_ended(self, seconds):
        """Return True if the fork ends within some seconds. None waits for the end."""
        waiting = select.poll()
        waiting.register(self._end, select.POLLIN)
        return bool(waiting.poll(None if seconds is None else 1000 * seconds))

    def send_signal(self, signum):
        """Send a signal, unless the fork has ended."""
        if self.poll() is None:
            signal.pidfd_send_signal(self._end, signum)

    def terminate(self):
        self.send_signal(signal.SIGTERM)

    def kill(self):
        self.send_signal(signal.SIGKILL)


_forks = Forks()


def _load_data():
    """Load all data that ship into their caches, as each server does: cards, texts, fonts and the OpenAPI document.

    Nothing that depends on settings is among them.
    """
    from api.service.languages import LANGUAGES, language
    from api.sheets import fonts
    from api.web.openapi import openapi_document
    from carddb import facts
    from carddb.completeness import check_games
    from validator.games import GAMES

    check_games()
    for game in GAMES:
        facts.catalogue(game)
    for code in LANGUAGES:
        language(code)
    fonts.load()
    openapi_document()
    gc.collect()
    gc.freeze()  # else each fork looks for cycles in them, and copies the memory that it shares


def _answer_requests():
    """Fork for each request, and return the request in the fork."""
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if "ended" in request:
            _, status = os.waitpid(request["ended"], 0)
            answer = os.waitstatus_to_exitcode(status)
        elif not (answer := os.fork()):
            return request
        print(answer, flush=True)
    return sys.exit()


def _run(request):
    """Run the command in a session of its own, as a new interpreter would."""
    os.setsid()
    nothing, log = os.open(os.devnull, os.O_RDONLY), os.open(request["log"], os.O_WRONLY | os.O_APPEND)
    for stream, file in enumerate((nothing, log, log)):
        os.dup2(file, stream)
    os.closerange(3, max(nothing, log) + 1)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv[:] = ["deckproof", *request["arguments"]]
    exec(request["program"], {})
    from api.cli import main

    main()


if __name__ == "__main__":
    sys.path.remove(str(ROOT))  # as for the command: the packages are those that are installed
    for name in LOADED:
        importlib.import_module(name)
    _load_data()
    _run(_answer_requests())
