"""Connections: https beside the plain listeners, and a time limit for connections without a request.

gunicorn serves TLS at all of its listeners or at none. In a hall the phones of players use http, those of judges https.
The ASGI worker of gunicorn 27.0.1 waits for the head of a first request without a limit, and each connection needs a
descriptor. It limits the wait for further requests itself.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from gunicorn.asgi.protocol import ASGIProtocol

from api.service.logs import LogThrottle

if TYPE_CHECKING:
    from api.service.certificates import TlsFiles

_HANDSHAKE = 10.0  # seconds for the TLS handshake
_GOODBYE = 5.0  # seconds until a connection is closed if the client does not end TLS
LONGEST = 10.0  # seconds in which a connection has its first request
_LONGEST_WHEN_FULL = 1.0  # the same if no descriptor is left for further connections
_LOOK_EVERY = 5.0  # seconds
_NO_DESCRIPTOR = (errno.EMFILE, errno.ENFILE)

_FAMILIES = (socket.AF_INET, socket.AF_INET6)

Peer = tuple[str, int]

_log = logging.getLogger(__name__)
_log.addFilter(LogThrottle())


class SecureListener:
    """Serves https at a socket with gunicorn's ASGI protocol, so that its limits apply here too.

    gunicorn itself cannot serve https beside http. Call `join` and then `start` in each worker.
    """

    def __init__(self, listener: socket.socket, files: TlsFiles) -> None:
        """Read the certificate and its key. Raises OSError if the files cannot be used. `listener` is bound already."""
        self.listener = listener
        self._context = files.context()
        self._worker: Any = None

    def join(self, worker: Any) -> None:
        """Set the gunicorn worker of this process, which will serve the requests.

        Call this after the fork, before `start`.
        """
        self._worker = worker

    async def start(self) -> None:
        """Begin to accept https connections, until the worker closes its servers."""
        server = await asyncio.get_running_loop().create_server(
            lambda: ASGIProtocol(self._worker),
            sock=self.listener,
            ssl=self._context,
            ssl_handshake_timeout=_HANDSHAKE,
            ssl_shutdown_timeout=_GOODBYE,
        )
        self._worker.servers.append(server)


class SilentConnections:
    """Closes connections to `ports` of this process that have sent no request for `longest` seconds.

    The application calls `add_peer` for each request, and runs `watch` as a task. The sockets are found among the file
    descriptors of the process, because an event loop has no list of its connections.
    """

    def __init__(self, ports: Iterable[int], longest: float = LONGEST) -> None:
        """Remember the ports to look at. Nothing is watched before `watch` runs."""
        self._ports = frozenset(ports)
        self._longest = longest
        self._peers_with_request: set[Peer] = set()
        self._absent: set[Peer] = set()
        self._spare: int | None = None  # a descriptor to look with if there is no other
        self._first_seen: dict[tuple[int, Peer], float] = {}  # a system may use the number of an inode again

    def add_peer(self, peer: Peer) -> None:
        """Remember that a client (address and port) has sent a request, so that its connection is not closed."""
        self._peers_with_request.add(peer)

    async def watch(self) -> None:
        """Close connections without a first request every 5 seconds, until the task is cancelled. Never returns.

        It also sets the exception handler of the event loop to `_report_exhaustion`, and opens a spare descriptor. If
        the process has no descriptor left, the spare one is closed to find the connections.
        """
        asyncio.get_running_loop().set_exception_handler(_report_exhaustion)
        self._spare = os.open(os.devnull, os.O_RDONLY)
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            try:
                await asyncio.to_thread(self.look)
            except OSError:
                self._look_with_spare()

    def _look_with_spare(self) -> None:
        """Close silent connections although no file descriptor is left, by first closing the spare one.

        Connections are then closed after 1 second of silence. This runs in the thread of the event loop, so that no new
        connection takes the descriptor meanwhile. A failure is only logged.
        """
        try:
            if self._spare is not None:
                os.close(self._spare)
                self._spare = None
            self.look(min(self._longest, _LONGEST_WHEN_FULL))
            self._spare = os.open(os.devnull, os.O_RDONLY)
        except OSError as error:
            _log.warning("Silent connections cannot be closed: %s", error.strerror)

    def look(self, longest: float | None = None) -> None:
        """Close the connections that were first seen `longest` seconds ago or more and have sent no request.

        `longest` None is the limit of this object. Also forgets the peers of requests that have left. Raises OSError if
        no descriptor is left.
        """
        longest = self._longest if longest is None else longest
        now, peers = time.monotonic(), set[Peer]()
        first_seen: dict[tuple[int, Peer], float] = {}
        for inode, peer, connection in self._connections():
            peers.add(peer)
            since = first_seen[inode, peer] = self._first_seen.get((inode, peer), now)
            if peer not in self._peers_with_request and now - since >= longest:
                with suppress(OSError):  # the client has left meanwhile
                    connection.shutdown(socket.SHUT_RDWR)
        self._first_seen = first_seen
        # A peer that connected during this look is absent from it. Only a peer that is absent twice has left.
        absent = self._peers_with_request - peers
        self._peers_with_request -= absent & self._absent
        self._absent = absent

    def _connections(self) -> Iterator[tuple[int, Peer, socket.socket]]:
        """Yield `(inode, peer, socket)` for each TCP connection of this process to one of the ports.

        The socket is a duplicate, which is closed when the next one is requested. Raises OSError if no descriptor is
        left.
        """
        for name in os.listdir("/dev/fd"):
            try:
                found = os.fstat(int(name))
                if stat.S_ISSOCK(found.st_mode):
                    with socket.socket(fileno=os.dup(int(name))) as connection:
                        if connection.family in _FAMILIES and connection.getsockname()[1] in self._ports:
                            yield found.st_ino, connection.getpeername()[:2], connection
            except OSError as error:
                if error.errno in _NO_DESCRIPTOR:
                    raise
                continue  # it was closed meanwhile, or is not connected


def _report_exhaustion(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error of the event loop. That no descriptor is left is logged at most once a minute, without a traceback.

    The event loop would log this many times a second. All other errors go to its default handler.
    """
    error = context.get("exception")
    if isinstance(error, OSError) and error.errno in _NO_DESCRIPTOR:
        _log.warning("No further connections can be accepted: %s", error.strerror)
    else:
        loop.default_exception_handler(context)
