"""Child processes: work that may be large, each piece by a process of its own, within limits of time and memory."""

from __future__ import annotations

import json
import os
import signal
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, Pipe
from typing import Any, TypeVar

from api.service.errors import Busy, Spent
from api.service.processes import forkserver as forkserver
from api.service.processes.work_turns import WorkTurns
from carddb.library import Library

_Done = TypeVar("_Done")

_AT_A_TIME = 2
_WAITING = 30  # and no more: other threads are for those who ask for little
_DAWDLE = 4  # times its limit that a child may be silent where processors are short


class ChildProcesses:
    """The children of a process. Safe to share between threads once `start` was called; before that, it works itself.

    Work is a function `work(here, tell, *args)`; its arguments and what it returns, raises and tells are pickled.
    """

    def __init__(self, here: object, library: Library) -> None:
        self._here = here
        self._library = library
        self._forkserver: socket.socket | None = None
        self._turns = WorkTurns(_AT_A_TIME, _WAITING)

    @property
    def started(self) -> bool:
        """Whether work is done by children."""
        return self._forkserver is not None

    def start(self, not_theirs: Iterable[socket.socket] = ()) -> None:
        """Begin to have children, before there are threads; some sockets are this process's alone."""
        ours, hers = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if os.fork() == 0:
            for one in (ours, *not_theirs):
                one.close()
            forkserver.be(self._here, self._library, hers)
        hers.close()
        self._forkserver = ours

    def do(
        self, seconds: int, work: Callable[..., _Done], *args: object, heard: forkserver.Tell = forkserver.unheard
    ) -> _Done:
        """Return what work comes to, or raise what it raises; `heard` is called with what it tells, and may end it.

        Spent where it takes more than so many seconds of a processor, Busy where too much waits already.
        """
        if self._forkserver is None:
            return work(self._here, heard, *args)
        with self._turns, self._child(self._forkserver) as child:
            child.send((seconds, work, args))
            while child.poll(_DAWDLE * seconds):
                kind, outcome = child.recv()
                if kind == forkserver.DONE:
                    return outcome  # type: ignore[no-any-return]
                if kind == forkserver.RAISED:
                    raise outcome
                heard(*outcome)
        raise Spent

    @contextmanager
    def _child(self, parent: socket.socket) -> Iterator[Connection[Any, Any]]:
        """Yield the connection to a new child, which ends when that is closed."""
        near, far = Pipe()
        with near:
            with far:
                self._ask(parent, far)
            try:
                yield near
            except (EOFError, ConnectionError):
                raise Spent from None

    def _ask(self, parent: socket.socket, far: Connection[Any, Any]) -> None:
        try:
            socket.send_fds(parent, [json.dumps(self._library.held()).encode()], [far.fileno()])
        except ConnectionError:
            os.kill(os.getpid(), signal.SIGTERM)  # of no use without it: another process takes this one's place
            raise Busy from None
