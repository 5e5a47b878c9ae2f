"""Child processes: each does one large piece of work, within limits of processor time and memory.

`WorkTurns` limits the work that runs at the same time and the work that waits, also if no child does the work.

A fork server forks the children. It is forked from this process before there are threads. So it shares all cards that
are loaded, and no child inherits a lock that a thread holds.

multiprocessing's fork server, with pebble or concurrent.futures on top, starts a new interpreter instead. Two web
workers then take 500 MB instead of 200, and two to three times the processor time to start. Each child loads new card
lists again, and continues after its parent was killed. In concurrent.futures one killed child makes all other work
fail. A piece of work that needs the cards took 45 ms with these forks, 310 ms with concurrent.futures and 340 ms with
pebble (one task per child, median of 15 or more on one busy machine). A piece of work that needs no cards took 80 and
160 ms with these two.
"""

from __future__ import annotations

import json
import logging
import os
import resource
import signal
import socket
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from threading import BoundedSemaphore, Thread
from typing import Any, NoReturn, Self, TypeVar

from api.service.errors import Busy, WorkLimitExceeded
from carddb.errors import CardDataError
from carddb.library import Library

_Result = TypeVar("_Result")

_AT_A_TIME = 2
_WAITING = 90  # at most, because each takes a thread of the server that small requests need
_SLOWEST = 4  # seconds by the clock for each second of processor time, on a machine that others use too
_MEMORY = 1_500_000_000  # bytes that a child may allocate beside those of the fork server
_FORK_TIMEOUT = 20.0  # seconds, because the fork server may load new cards first
_NICENESS = 5  # so that small requests are answered first
_REQUEST_BYTES = 4096
# These may be sent to the whole process group while children still work.
_IGNORED_SIGNALS = (
    *(signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2),
    *(signal.SIGWINCH, signal.SIGTTIN, signal.SIGTTOU),
    signal.SIGCHLD,  # if it is ignored, the system removes children that have ended
)

_log = logging.getLogger(__name__)
_TIMEOUT = 20.0  # seconds to wait for a turn


class ChildProcesses:
    """Runs pieces of work in forked child processes, each with a limit of processor time and memory.

    A piece of work is a function `work(context, *args)`. The function, `args`, its result and its errors are pickled.
    `context` is not: children get it by the fork. They also have the cards and lists that `library` has loaded. Before
    `start` is called, the work is done in this process and without limits. At most two children work at a time. Safe to
    share between threads.
    """

    def __init__(self, context: object, library: Library) -> None:
        self._context = context
        self._library = library
        self._fork_server: socket.socket | None = None
        self._turns = WorkTurns(_AT_A_TIME, _WAITING)

    @property
    def is_started(self) -> bool:
        """True if children do the work, and not this process."""
        return self._fork_server is not None

    def start(self, close: Iterable[socket.socket] = ()) -> None:
        """Fork the fork server, a process that forks the children. Call this before there are threads.

        The fork server closes its copies of the sockets in `close`.
        """
        ours, requests = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if os.fork() == 0:
            for unused in (ours, *close):
                unused.close()
            _serve_forks(requests, self._context, self._library)
        requests.close()
        self._fork_server = ours

    def run(self, seconds: int, work: Callable[..., _Result], *args: object) -> _Result:
        """Return the result of `work(context, *args)`, done in a new child process, or raise its error.

        Raises WorkLimitExceeded if the work takes more than `seconds` of processor time, or four times as long by the
        clock. Raises it also for too much memory, or if the child is killed. Raises Busy if too much other work waits,
        no turn comes in 20 seconds, or no child can be forked. Before `start` the work is done in this process, without
        limits.
        """
        if self._fork_server is None:
            return work(self._context, *args)
        with self._turns, self._forked_child(self._fork_server) as child:
            try:
                child.send((seconds, work, args))
                if not child.poll(seconds * _SLOWEST):
                    raise WorkLimitExceeded
                is_result, outcome = child.recv()
            except (EOFError, ConnectionError):
                raise WorkLimitExceeded from None
        if not is_result:
            raise outcome
        return outcome  # type: ignore[no-any-return]

    def _forked_child(self, fork_server: socket.socket) -> Connection[Any, Any]:
        """Return the connection to a new child, which has the cards and lists that the library has loaded here.

        Closing the connection ends the child. Raises Busy if no child answers in 20 seconds. If the fork server is
        gone, SIGTERM is sent to this process, so that a new process takes over, and Busy is raised.
        """
        ours, childs = Pipe()
        with childs:
            try:
                socket.send_fds(fork_server, [json.dumps(self._library.loaded_ids()).encode()], [childs.fileno()])
            except ConnectionError:
                # The fork server is gone, and with threads this process cannot fork another. A new process takes over.
                os.kill(os.getpid(), signal.SIGTERM)
        with suppress(EOFError, ConnectionError):
            if ours.poll(_FORK_TIMEOUT):
                ours.recv()  # the greeting of the child
                return ours
        ours.close()
        raise Busy


def _serve_forks(requests: socket.socket, context: object, library: Library) -> NoReturn:
    """Fork a child for each request, until the other end of `requests` is closed. Then end this process.

    A request is the ids of the current snapshots and lists by game as JSON, and the descriptor of the child's
    connection. They are loaded before the fork. Signals that end or stop a process are ignored, and its priority is
    lowered. An unexpected error is logged and ends the process, too.
    """
    try:
        for number in _IGNORED_SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        os.nice(_NICENESS)
        while True:
            snapshots, descriptors, _, _ = socket.recv_fds(requests, _REQUEST_BYTES, 1)
            if not snapshots:
                break
            _load_snapshots(library, json.loads(snapshots))
            with Connection(descriptors[0]) as parent, suppress(BlockingIOError):  # there may be too many processes
                if os.fork() == 0:
                    requests.close()  # else requests would wait for this child after the fork server was killed
                    _do_work(parent, context)
    except Exception:
        _log.exception("The fork server has failed; a new process is started.")
    finally:
        os._exit(0)


def _load_snapshots(library: Library, snapshots: dict[str, tuple[str, str]]) -> None:
    """Load the snapshots and lists by which the parent judges, so that all later children have them.

    `snapshots` has `(snapshot id, lists id)` by game. A CardDataError is only logged: children then use the older ones.
    """
    try:
        library.pin(snapshots)
    except CardDataError as error:
        _log.warning("Large requests are judged by the snapshots before these: %s", error)


def _do_work(parent: Connection[Any, Any], context: object) -> NoReturn:
    """Do the one piece of work that the parent sends, send its outcome back, and end this process. Runs in a child.

    First None is sent as a greeting. Then `(seconds, work, args)` is received, and the limits are set. The outcome is
    the result of `_run_work`, also if the work raises an error. If anything else fails, nothing is sent.
    """
    with suppress(BaseException):  # the parent finds the connection closed
        parent.send(None)
        seconds, work, args = parent.recv()
        Thread(target=_exit_when_closed, args=(parent,), daemon=True).start()
        _set_limits(seconds)
        parent.send(_run_work(work, context, *args))
    os._exit(0)


def _exit_when_closed(parent: Connection[Any, Any]) -> None:
    """Wait until the parent has closed the connection or has ended, then end this process with status 1."""
    parent.poll(None)  # the parent sends nothing more, so this is the end of the connection
    os._exit(1)


def _set_limits(seconds: int) -> None:
    """Limit the processor time of this process to `seconds`. On Linux, limit its further memory to 1.5 GB."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    with suppress(OSError):  # only Linux has this file
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + _MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _run_work(work: Callable[..., Any], *args: object) -> tuple[bool, Any]:
    """Return `(True, result)` of `work(*args)`, or `(False, error)` with the traceback of the error as a note.

    Raises MemoryError if the work does, and errors that are no Exception, such as SystemExit.
    """
    try:
        return True, work(*args)
    except MemoryError:
        raise
    except Exception as error:
        error.add_note(traceback.format_exc())  # a pickled error has no traceback
        return False, error


class WorkTurns:
    """A semaphore with a bounded queue: `with turns:` runs in at most `at_a_time` threads, and `waiting` more may wait.

    Entering raises Busy at once if the queue is full, and after 20 seconds if no turn comes.
    """

    def __init__(self, at_a_time: int, waiting: int) -> None:
        self._turns = BoundedSemaphore(at_a_time)
        self._places = BoundedSemaphore(at_a_time + waiting)

    def __enter__(self) -> Self:
        """Wait for a turn. Raises Busy at once if too many already wait, or if no turn comes in 20 seconds."""
        if not self._places.acquire(blocking=False):
            raise Busy
        if not self._turns.acquire(timeout=_TIMEOUT):
            self._places.release()
            raise Busy
        return self

    def __exit__(self, *_: object) -> None:
        """Give the turn to the next one that waits."""
        self._turns.release()
        self._places.release()
