"""The server: gunicorn with its ASGI worker. The cards are loaded once, before the workers are forked.

Called by `deckproof serve`.
"""

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
from gunicorn.glogging import Logger

from api.jobs.heartbeats import supervise_worker
from api.service.local_network import HallAddresses
from api.service.requests import RequestedTerms
from api.service.secret_key import secret_key
from api.service.settings import SHARED_COUNTERS, Settings
from api.web.edge.connections import SecureListener
from carddb.temporary_folders import remove_leftover_folders, shared_memory, temporary_folder
from validator.games import GAMES
from validator.language import CODES

if TYPE_CHECKING:
    from api.service.certificates import HallCertificate, TlsFiles
    from api.web.asgi import Application

_log = logging.getLogger(__name__)

MOST_WORKERS = 8  # by default
_DESCRIPTORS = 16_384
_BACKLOG = 512  # connections that wait to be accepted
_SOCKET_BUFFER = 262_144  # bytes of a connection that the system holds each way
_UNACKNOWLEDGED = 20_000  # milliseconds until a connection is ended if its client receives nothing
_MMAP_THRESHOLD = -3, 131_072  # M_MMAP_THRESHOLD of mallopt(3): larger memory is returned when it is freed


class ServerLog(Logger):
    """Passes gunicorn's messages to the root logger of Python, whose handler `configure_logs` sets.

    gunicorn needs the option `errorlog` None beside it, else it writes every message twice.
    """

    def setup(self, cfg: Any) -> None:
        """Set up gunicorn's loggers from its configuration `cfg`, and let their errors reach the root logger."""
        super().setup(cfg)
        self.error_log.propagate = True


_OPTIONS: dict[str, Any] = {
    "worker_class": "asgi",
    # uvloop may read the next request of a client before gunicorn is ready for it. gunicorn_h1c then drops the bytes of
    # that request beyond 64 kB, and the connection is closed without an answer.
    "asgi_loop": "asyncio",
    "preload_app": True,
    "timeout": 60,  # seconds without a heartbeat of a worker
    "graceful_timeout": 20,  # seconds to finish the current answers when the server ends
    "keepalive": 5,
    "backlog": _BACKLOG,
    "asgi_disconnect_grace_period": 0,  # seconds: the bytes of a client that left are freed at once
    "limit_request_line": 8190,
    "limit_request_fields": 100,
    "forwarded_allow_ips": "",  # client_address.py reads the headers of proxies
    "errorlog": None,
    "loglevel": "warning",  # an organiser does not need its messages at the start
    "logger_class": ServerLog,
    "control_socket_disable": True,
    "proc_name": "deckproof",
}


class _Server(BaseApplication):
    """A gunicorn server for an application that already exists.

    It reads no configuration files or variables of its own. `options` are gunicorn's settings.
    """

    def __init__(self, app: Application, options: dict[str, Any]) -> None:
        """Remember the application and the options, then let gunicorn load both."""
        self._app = app
        self._options = options
        super().__init__(prog="deckproof serve")

    def load_config(self) -> None:
        """Set the options in gunicorn's configuration. Options that this version of gunicorn lacks are ignored."""
        for name, value in self._options.items():
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def load(self) -> Application:
        """Return the application that was passed to this object. gunicorn calls it before the fork."""
        return self._app


class HallNetwork(NamedTuple):
    """A local network (such as in a tournament hall) with phones that use the server: its hosts there and TLS files.

    `hosts` is empty if there is no such network. `files` is None if there is no TLS. `certificate` is None unless the
    server made its own certificate, which phones have to trust first. `secure_port` is the port for https (0: a free
    one), and ignored without `files`.
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
    """Serve http (and https if `network` has TLS files) until SIGTERM or SIGINT.

    `ready(address, hall)` is called when the server accepts requests: with the address of the pages for a browser on
    this machine, and with the addresses in the local network (None if `network` has no hosts). `workers` 0 is the
    number in the settings, else one for each core, at most 8. Port 0 is a free port.

    A worker for jobs runs beside the server, unless the settings switch it off. Also sets limits of this process and
    removes leftover temporary folders. Raises OSError if an address is not free or the certificate cannot be used,
    DocumentError if a game is incomplete.
    """
    workers = workers or settings.workers or min(MOST_WORKERS, _count_cores())
    addresses = [(host, port), *filter(None, [settings.operations_address])]
    listeners = [_bind_listener(*address) for address in addresses]
    secure = SecureListener(_bind_listener(host, network.secure_port), network.files) if network.files else None
    ports = [listener.getsockname()[1] for listener in (*listeners, *([secure.listener] if secure else []))]
    hall = _hall_addresses(network, ports[0], ports[-1] if secure else None)
    _raise_descriptor_limit()
    _return_freed_memory()
    remove_leftover_folders()
    with _shared_counters(workers):
        app = _create_ready_app(settings, ports, hall, secure)
        if secure:
            secure.listener.listen(_BACKLOG)  # gunicorn lets the others listen
        options = {"bind": [f"fd://{listener.detach()}" for listener in listeners], "workers": workers}
        options |= {"post_fork": _prepare_worker, "child_exit": _drop_worker_counters}
        options["when_ready"] = lambda _: ready(_browser_address(host, ports[0]), hall)
        if memory := shared_memory():
            options["worker_tmp_dir"] = str(memory)  # heartbeats must not wait for a disk
        with supervise_worker(settings):
            _Server(app, _OPTIONS | options).run()


def _hall_addresses(network: HallNetwork, port: int, secure_port: int | None) -> HallAddresses | None:
    """Return the addresses of the server in the local network, None if the network has no hosts.

    `secure_port` is None without https.
    """
    return HallAddresses(tuple(network.hosts), port, secure_port, network.certificate) if network.hosts else None


def _count_cores() -> int:
    """Return the number of processor cores that this process may use. It may be less than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _create_ready_app(
    settings: Settings, ports: Iterable[int], hall: HallAddresses | None, secure: SecureListener | None
) -> Application:
    """Return the application, ready to be forked: catalogues, languages, fonts and a Judge for each game are loaded.

    `ports` are those of all listeners. `hall` and `secure` are None without local network or https. Also makes the
    secret key, and freezes the garbage collector. So forked workers share the memory. Raises DocumentError if a game is
    incomplete.
    """
    gc.disable()  # these objects stay, and looking for cycles in them takes a fifth of the time
    from api.service.languages import language
    from api.sheets import fonts
    from api.web.app import create_app
    from api.web.asgi import Application
    from carddb.completeness import check_games

    check_games()
    _make_secret_key(settings)
    app = Application(create_app(settings, hall), ports, secure)
    for game in GAMES:
        app.services.judges.judge(RequestedTerms(game=game))
    for code in CODES:
        language(code)
    fonts.load()
    gc.collect()
    gc.freeze()  # so that the garbage collector does not write to pages that workers share
    gc.collect()  # resets the counts; else the next full collection waits for equally many new objects
    gc.enable()
    return app


def _make_secret_key(settings: Settings) -> None:
    """Make the key that signs forms and store it, unless it exists, so that no request has to make it.

    Only logs a warning if it cannot be stored. Then pages with forms are answered with 503. Raises SettingError if the
    stored key is too short.
    """
    try:
        secret_key(settings)
    except OSError as error:
        _log.warning("The secret key cannot be kept, so pages with forms will not work: %s", error)


def _bind_listener(host: str, port: int) -> socket.socket:
    """Return a TCP socket bound to an address, which does not listen yet. `host` with a ":" is IPv6.

    Until it listens, connections are refused, so that a proxy tries another server. Connections inherit its buffers and
    time limits. Raises OSError with the address as its file name.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.socket(family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind((host, port))
        # Connections inherit the options of their listener.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _SOCKET_BUFFER)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SOCKET_BUFFER)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNACKNOWLEDGED)
        return listener
    except OSError as error:
        reason, _, _ = str(error.strerror or error).partition(" (while ")  # Python adds what it was doing
        raise OSError(error.errno, reason, f"{host}:{port}") from None


def _browser_address(host: str, port: int) -> str:
    """Return the http address of the pages for a browser on this machine. Host 0.0.0.0 is 127.0.0.1 and :: is ::1."""
    local_host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{local_host}]:{port}/" if ":" in local_host else f"http://{local_host}:{port}/"


def _raise_descriptor_limit() -> None:
    """Set the limit of open file descriptors of this process to 16,384, or to the most that the system allows.

    A worker without free descriptors would end.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most if 0 < most < _DESCRIPTORS else _DESCRIPTORS, most))


def _return_freed_memory() -> None:
    """Set glibc to return freed memory blocks over 128 kB to the system at once. No effect with other C libraries.

    By default glibc raises this threshold as soon as such a block is freed, for example the 256 kB that asyncio reads
    of an upload.
    """
    if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):
        mallopt(*_MMAP_THRESHOLD)


@contextmanager
def _shared_counters(workers: int) -> Iterator[None]:
    """Return a context in which several workers share metrics in a temporary folder, named in the environment.

    No effect for one worker, or if the environment already names a folder. Enter it before prometheus_client is
    imported, which then reads the path.
    """
    if workers == 1 or SHARED_COUNTERS in os.environ:
        yield
        return
    # A process that writes to a memory-mapped file is killed if the disk is full.
    with temporary_folder("metrics", shared_memory()) as folder:
        os.environ[SHARED_COUNTERS] = str(folder)
        yield


def _prepare_worker(_: Any, worker: Any) -> None:
    """Prepare a worker of gunicorn right after its fork: start its child processes and open its database.

    Also hands the worker to the https listener. The worker has no threads and no event loop yet.
    """
    app = worker.app.wsgi()
    app_services, sockets = app.services, list(worker.sockets)
    if app.secure:
        app.secure.join(worker)
        sockets.append(app.secure.listener)
    app_services.children.start(close=sockets)
    app_services.library.store().database.keep_open()


def _drop_worker_counters(server: Any, worker: Any) -> None:
    """Remove the gauges of an ended worker from the shared metrics. No effect if workers share none."""
    if SHARED_COUNTERS in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)
