"""The supervisor: sees to it that a worker runs beside the server, for as long as the server does."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from api.jobs.heartbeats import Heartbeats, here
from api.service.settings import Settings
from carddb.database import Database
from carddb.errors import CardDataError
from carddb.temporary_folders import temporary_folder

_COMMAND = (sys.executable, "-c", "from api.cli import main; main()", "worker", "--beside")
_LOOKS = 1.0  # seconds between two looks
_FIRST = 2.5  # seconds in which a worker that was started along with the server may say so
_LONGEST_WAIT = 60.0  # seconds before a worker that cannot work is started again
_SOUND = 30.0  # seconds after which it can
_END = 15.0  # seconds for a worker to end

_log = logging.getLogger(__name__)


class Supervisor:
    """Starts a worker process, and another when that one dies; ends it when it is told to.

    A worker also ends by itself when this process is gone, however it went.
    """

    def __init__(self, settings: Settings) -> None:
        self._always = settings.worker == "on"
        self._heartbeats = Heartbeats(Database(settings.database))
        self._process: subprocess.Popen[bytes] | None = None
        self._folder = ExitStack()
        self._wait = _LOOKS
        self._begun = 0.0
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="supervisor", daemon=True)

    def start(self) -> None:
        """Begin to look after a worker."""
        self._thread.start()

    def end(self) -> None:
        """End the worker in good order, or at once if it takes too long."""
        self._ending.set()
        self._thread.join()
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._folder.close()

    def _keep(self) -> None:
        wait = 0.0 if self._always else _FIRST
        while not self._ending.wait(wait):
            if self._process is not None and self._process.poll() is not None:
                self._bury(self._process)
            elif self._process is None and (self._always or not self._others()):
                self._begin()
            wait = _LOOKS if self._process else self._wait

    def _others(self) -> bool:
        try:
            return bool(self._heartbeats.present())
        except CardDataError as error:
            _log.warning("Whether a worker is at work cannot be told: %s", error)
            return False

    def _begin(self) -> None:
        self._begun = time.monotonic()
        command = [*_COMMAND, str(os.getpid())]
        try:
            # What a worker writes for the moment: one that is killed cannot remove it.
            settings = os.environ | {"TMPDIR": str(self._folder.enter_context(temporary_folder("worker")))}
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, env=settings)
        except OSError as error:
            _log.error("No worker could be started, and it is tried again: %s", error)

    def _bury(self, process: subprocess.Popen[bytes]) -> None:
        """Forget a worker that died, and wait the longer for the next the sooner it did."""
        lived = time.monotonic() - self._begun
        self._wait = _LOOKS if lived > _SOUND else min(2 * self._wait, _LONGEST_WAIT)
        self._process = None
        self._folder.close()
        try:
            self._heartbeats.leave(here(process.pid))
        except CardDataError as error:
            _log.warning("That it died could not be noted: %s", error)
        _log.error("The worker (pid %d) died; the next is started in %.0f seconds.", process.pid, self._wait)


@contextmanager
def supervised(settings: Settings) -> Iterator[None]:
    """Keep a worker beside this process, if the settings want one; processes forked from it have no part in it."""
    if settings.worker == "off":
        yield
        return
    server, supervisor = os.getpid(), Supervisor(settings)
    supervisor.start()
    try:
        yield
    finally:
        if os.getpid() == server:
            supervisor.end()
