"""The server: gunicorn with its ASGI worker, started from here so that all workers share the cards loaded once."""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import resource
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from gunicorn.app.base import BaseApplication

from api.jobs.supervisor import supervised
from api.service.hall_network.local_network import HallAddresses
from api.service.requests import Asked
from api.service.secret_key import secret_key
from api.service.settings import SHARED_COUNTERS, Settings
from api.web.edge.secure_listener import SecureListener
from api.web.edge.server_log import ServerLog
from carddb.temporary_folders import remove_leftover_folders, shared_memory, temporary_folder
from validator.games import GAMES
from validator.language import CODES

if TYPE_CHECKING:
    from api.service.hall_network.certificates import HallCertificate, TlsFiles
    from api.web.asgi import Application

_log = logging.getLogger(__name__)

MOST_WORKERS = 8  # unless somebody asks for more
_DESCRIPTORS = 16_384
_SOCKET_BUFFER = 262_144  # bytes of a connection that the system holds each way
_UNACKNOWLEDGED = 20_000  # milliseconds until a connection is ended whose client takes nothing
_MMAP_THRESHOLD = -3, 131_072  # of mallopt(3): its number, and the bytes from which memory is returned when it is freed
_OPTIONS: dict[str, Any] = {
    "worker_class": "asgi",
    # uvloop may read a client's next request before gunicorn has got ready for it; of one that is larger than 64 kB
    # gunicorn_h1c drops the rest then, and the connection is closed without an answer.
    "asgi_loop": "asyncio",
    "preload_app": True,
    "timeout": 60,  # seconds for which a worker may give no sign of life
    "graceful_timeout": 20,  # seconds to finish what is being answered when the server ends
    "keepalive": 5,
    "asgi_disconnect_grace_period": 0,  # seconds: what a client that left has sent is freed at once
    "limit_request_line": 8190,
    "limit_request_fields": 100,
    "forwarded_allow_ips": "",  # client_address.py reads what proxies forward
    "errorlog": None,
    "loglevel": "warning",  # what it does at the start is of no use to an organiser
    "logger_class": ServerLog,
    "control_socket_disable": True,
    "proc_name": "deckproof",
}


class _Server(BaseApplication):
    """gunicorn with our application in it; nothing is read from files or variables of its own."""

    def __init__(self, app: Application, options: dict[str, Any]) -> None:
        self._app = app
        self._options = options
        super().__init__(prog="deckproof serve")

    def load_config(self) -> None:
        """Set those options that this gunicorn has."""
        for name, value in self._options.items():
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def load(self) -> Application:
        """Return the application that was made before."""
        return self._app


class HallNetwork(NamedTuple):
    """The hosts of this machine in the local network, and the TLS that is served to them.

    `files` is None if there is no TLS. `certificate` is None unless the server made its own.
    """

    hosts: Sequence[str] = ()
    files: TlsFiles | None = None
    secure_port: int = 0
    certificate: HallCertificate | None = None


Ready = Callable[[str, HallAddresses | None], object]
_NO_HALL = HallNetwork()


def run(
    settings: Settings,
    host: str,
    port: int,
    workers: int = 0,
    ready: Ready = lambda address, hall: None,
    network: HallNetwork = _NO_HALL,
) -> None:
    """Serve until SIGTERM or SIGINT. Raises OSError for an address that is not free or a certificate that is unusable.

    `ready` is called with the address of the pages as soon as requests for them are taken, and with those of the hall.
    These are None if `network` has no hosts.
    """
    workers = workers or settings.workers or min(MOST_WORKERS, _cores())
    addresses = [(host, port), *filter(None, [settings.operations_address])]
    listeners = [_listening(*address) for address in addresses]
    secure = SecureListener(_listening(host, network.secure_port), network.files) if network.files else None
    ports = [listener.getsockname()[1] for listener in (*listeners, *([secure.listener] if secure else []))]
    hall = _hall_addresses(network, ports[0], ports[-1] if secure else None)
    _take_descriptors()
    _return_freed_memory()
    remove_leftover_folders()
    with _shared_counters(workers):
        app = _ready(settings, ports, hall, secure)
        options = {"bind": [f"fd://{listener.detach()}" for listener in listeners], "workers": workers}
        options |= {"post_fork": _begin, "child_exit": _count_no_more}
        options["when_ready"] = lambda _: ready(_address(host, ports[0]), hall)
        if memory := shared_memory():
            options["worker_tmp_dir"] = str(memory)  # signs of life must not wait for a disk
        with supervised(settings):
            _Server(app, _OPTIONS | options).run()


def _hall_addresses(network: HallNetwork, port: int, secure_port: int | None) -> HallAddresses | None:
    return HallAddresses(tuple(network.hosts), port, secure_port, network.certificate) if network.hosts else None


def _cores() -> int:
    """Return the cores that this process may use, which in a container are not all of the machine's."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _ready(
    settings: Settings, ports: Iterable[int], hall: HallAddresses | None, secure: SecureListener | None
) -> Application:
    """Return the application with every catalogue and font loaded and a judge for each game, ready to be forked."""
    gc.disable()  # what is made here stays: to look for cycles in it takes a fifth of the time
    from api.service.languages import language
    from api.sheets import fonts
    from api.web.app import create_app
    from api.web.asgi import Application
    from carddb.completeness import check_games

    check_games()
    _make_secret(settings)
    app = Application(create_app(settings, hall), ports, secure)
    for game in GAMES:
        app.services.judges.judge(Asked(game=game))
    for code in CODES:
        language(code)
    fonts.load()
    gc.collect()
    gc.freeze()  # workers share these pages as long as no collector writes to them
    gc.collect()  # and count what is frozen no more: else the next full collection waits for as many new objects
    gc.enable()
    return app


def _make_secret(settings: Settings) -> None:
    """Make the key that forms are signed with, so that no request has to; without it, only pages with forms are 503."""
    try:
        secret_key(settings)
    except OSError as error:
        _log.warning("The secret key cannot be kept, so pages with forms will not work: %s", error)


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=512)
        # Connections have what their listener has.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _SOCKET_BUFFER)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SOCKET_BUFFER)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNACKNOWLEDGED)
        return listener
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


def _return_freed_memory() -> None:
    """Let glibc return what requests held, such as 256 kB that asyncio reads at once of an upload.

    By itself it raises the threshold as soon as such memory is freed; another C library has no mallopt.
    """
    if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):
        mallopt(*_MMAP_THRESHOLD)


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


def _begin(_: Any, worker: Any) -> None:
    """Prepare a worker that was forked, before it has threads and an event loop."""
    app = worker.app.wsgi()
    here, sockets = app.services, list(worker.sockets)
    if app.secure:
        app.secure.join(worker)
        sockets.append(app.secure.listener)
    here.children.start(close=sockets)
    here.library.store().database.keep_open()


def _count_no_more(server: Any, worker: Any) -> None:
    if SHARED_COUNTERS in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)
