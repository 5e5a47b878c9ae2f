"""The fork server: a process that does nothing but fork others, each of which does one piece of work.

She has no threads, whose locks a child would inherit for ever, and whatever the process had loaded that she was forked
from. ChildProcesses end when their work is done, when nobody waits for it any more, or at their limits.
"""

from __future__ import annotations

import json
import logging
import os
import resource
import select
import signal
import socket
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import Any, NoReturn

from carddb.errors import CardDataError
from carddb.library import Library

DONE, RAISED, TOLD = "done", "raised", "told"
Tell = Callable[..., None]

_MEMORY = 1_500_000_000  # bytes that a child may have beside those that it begins with
_NICE = 5  # whoever asks for little is answered first
_LONGEST = 4096  # bytes that name the snapshots

_log = logging.getLogger(__name__)


def unheard(*_: object) -> None:
    """Hear what work tells, and do nothing."""


def be(here: object, library: Library, asked: socket.socket) -> NoReturn:
    """Fork a child for everyone who asks, until nobody can any more; the process ends here."""
    try:
        _forget_signals()
        os.nice(_NICE)
        while True:
            snapshots, descriptors, _, _ = socket.recv_fds(asked, _LONGEST, 1)
            if not snapshots:
                break
            _keep_up(library, json.loads(snapshots))
            with Connection(descriptors[0]) as connection, suppress(BlockingIOError):  # no more processes, for now
                if os.fork() == 0:
                    _work(here, connection)
    finally:
        os._exit(0)


def _forget_signals() -> None:
    """End by nothing but the end of who asks; let the system bury children."""
    signal.set_wakeup_fd(-1)
    for one in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        if signal.getsignal(one) not in (signal.SIG_DFL, signal.SIG_IGN, None):
            signal.signal(one, signal.SIG_IGN)
    for one in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD):
        signal.signal(one, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _keep_up(library: Library, snapshots: dict[str, str]) -> None:
    try:
        library.pin(snapshots)
    except CardDataError as error:
        _log.warning("Large requests are judged by snapshots as before: %s", error)


def _work(here: object, connection: Connection[Any, Any]) -> NoReturn:
    """Do a piece of work, as a child; say what comes of it."""
    with suppress(BaseException):
        seconds, work, args = connection.recv()
        Thread(target=_end_when_left, args=(connection,), daemon=True).start()
        _limit(seconds)
        connection.send(_done(lambda: work(here, lambda *words: connection.send((TOLD, words)), *args)))
    os._exit(0)


def _done(work: Callable[[], Any]) -> tuple[str, Any]:
    try:
        return DONE, work()
    except MemoryError:
        raise
    except Exception as error:
        error.add_note(traceback.format_exc())
        return RAISED, error


def _limit(seconds: int) -> None:
    """Let this process be killed when it takes more of a processor, and have no more memory."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    with suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + _MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _end_when_left(connection: Connection[Any, Any]) -> None:
    poll = select.poll()
    poll.register(connection, 0)  # that the other end is closed is said in any case
    poll.poll()
    os._exit(1)
