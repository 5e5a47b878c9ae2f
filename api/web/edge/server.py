"""The server: gunicorn, started from here so that all workers share the cards that were loaded once.

Granian answers ten times as many with nothing behind it, but its threads wait for bodies: 300 clients that send half of
one keep everybody waiting, and what is no HTTP is refused without a word. The short way leaves gunicorn little to do.
"""

from __future__ import annotations

import ctypes
import gc
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import gunicorn.util
import orjson
from gunicorn.app.base import BaseApplication

from api.jobs.supervisor import supervised
from api.service.answers.problem_details import MEDIA_TYPE, problem
from api.service.processes.temporary_folders import remove_leftover_folders, shared_memory, temporary_folder
from api.service.requests import Asked
from api.service.settings import SHARED_COUNTERS, Settings
from api.web.edge.middleware import GUARDS, UNKEPT
from validator.games import GAMES

if TYPE_CHECKING:
    from flask import Flask

MOST_WORKERS = 8  # unless somebody asks for more
_PR_SET_PDEATHSIG = 1
_DESCRIPTORS = 16_384
_ENDS = {signal.SIGTERM, signal.SIGINT, signal.SIGQUIT}
_OPTIONS: dict[str, Any] = {
    "worker_class": "api.web.edge.connections.PatientWorker",
    "threads": 64,  # of a worker: one computes, the others wait for slow clients
    "preload_app": True,
    "timeout": 60,  # seconds for which a worker may give no sign of life
    "graceful_timeout": 20,  # seconds to finish what is being answered when the server ends
    "keepalive": 5,
    "limit_request_line": 8190,
    "limit_request_fields": 100,
    "forwarded_allow_ips": "",  # what proxies say is read in one place, by the setting
    "control_socket_disable": True,
    "proc_name": "deckproof",
}


class _Server(BaseApplication):
    """gunicorn with our application in it; nothing is read from files or variables of its own."""

    def __init__(self, app: Flask, options: dict[str, Any]) -> None:
        self._app = app
        self._options = options
        super().__init__(prog="deckproof serve")

    def load_config(self) -> None:
        """Set those options that this gunicorn has."""
        for name, value in self._options.items():
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def load(self) -> Flask:
        """Return the application that was made before."""
        return self._app


def run(settings: Settings, host: str, port: int, workers: int = 0, ready: Callable[[str], object] = str) -> None:
    """Serve until SIGTERM or SIGINT; an OSError says that the port cannot be had.

    `ready` is told the address of the pages as soon as who asks there is answered, if after a moment.
    """
    workers = workers or settings.workers or min(MOST_WORKERS, _cores())
    listener = _listening(host, port)
    _take_descriptors()
    remove_leftover_folders()
    with _shared_counters(workers):
        app = _ready(settings)
        gunicorn.util.write_error = _refuse  # what never reaches the application must not be HTML either
        ready(_address(host, listener.getsockname()[1]))
        options = {"bind": f"fd://{listener.detach()}", "workers": workers}
        options |= {"post_fork": _begin, "child_exit": _count_no_more}
        if memory := shared_memory():
            options["worker_tmp_dir"] = str(memory)  # signs of life must not wait for a disk
        with supervised(settings):
            _Server(app, _OPTIONS | options).run()


def _cores() -> int:
    """Return the cores that this process may use, which in a container are not all of the machine's."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _ready(settings: Settings) -> Flask:
    """Return the application with every catalogue and font loaded and a judge for each game, ready to be forked."""
    gc.disable()  # what is made here stays: to look for cycles in it takes a fifth of the time
    from api.sheets import fonts
    from api.web.app import create_app
    from api.web.services import services
    from carddb.completeness import check_games

    check_games()
    app = create_app(settings)
    with app.app_context():
        for game in GAMES:
            services().judges.judge(Asked(game=game))
    fonts.load()
    gc.collect()
    gc.freeze()  # workers share these pages as long as no collector writes to them
    gc.enable()
    return app


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        reason, _, _ = str(error.strerror or error).partition(" (while ")  # Python adds what it was doing
        raise OSError(error.errno, reason, f"{host}:{port}") from None


def _address(host: str, port: int) -> str:
    """Return where a browser on this machine finds what is served."""
    at = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{at}]:{port}/" if ":" in at else f"http://{at}:{port}/"


def _take_descriptors() -> None:
    """Let workers have as many connections as they take: who runs out of descriptors dies of it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most if 0 < most < _DESCRIPTORS else _DESCRIPTORS, most))


@contextmanager
def _shared_counters(workers: int) -> Iterator[None]:
    """Let several workers count in one folder; prometheus_client looks for it when it is first imported."""
    if workers == 1 or SHARED_COUNTERS in os.environ:
        yield
        return
    # A disk that is full kills whoever writes to a file that is mapped into its memory.
    with temporary_folder("metrics", shared_memory()) as made:
        os.environ[SHARED_COUNTERS] = str(made)
        yield


def _begin(master: Any, worker: Any) -> None:
    """Let a worker have children, and end in good order as soon as its master is gone, however it went."""
    from api.web.edge.short_way import ShortWay
    from api.web.services import services

    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    worker.alive = worker.ppid == os.getppid()  # it may have gone before
    _heed(master, worker)
    with worker.app.wsgi().app_context():
        here = services()
        here.children.start(close=worker.sockets)
        here.library.store().database.keep_open()
        worker.short_way = None if here.settings.rate_limit else ShortWay(here)


def _heed(master: Any, worker: Any) -> None:
    """Let a worker that is told to end while it begins not begin: its master would wait for it as long as for any.

    Until here it had its master's handlers, which put by in a copy of its queue what came.
    """
    for sign in _ENDS:
        signal.signal(sign, lambda *_: setattr(worker, "alive", False))
    if {master.SIG_QUEUE.get_nowait() for _ in range(master.SIG_QUEUE.qsize())} & _ENDS:
        worker.alive = False


def _count_no_more(server: Any, worker: Any) -> None:
    if SHARED_COUNTERS in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)


def _refuse(client: socket.socket, status: int, reason: str, detail: str) -> None:
    """Answer what is no HTTP, or more of it than is taken."""
    body = orjson.dumps(problem(status, detail or f"{reason}."))
    headers = {"Connection": "close", "Content-Type": MEDIA_TYPE, "Content-Length": len(body), **GUARDS, **UNKEPT}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    gunicorn.util.write_nonblock(client, f"HTTP/1.1 {status} {reason}\r\n{head}\r\n".encode("latin-1") + body)
