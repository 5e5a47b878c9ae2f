"""Silent connections: those on which no request has come are closed after a while.

gunicorn's ASGI worker waits for the head of a first request without a limit (27.0.1), and each connection costs a
descriptor. It limits the wait for further requests itself.
"""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress

LONGEST = 10.0  # seconds in which a connection has its first request
_LOOK_EVERY = 5.0  # seconds

_FAMILIES = (socket.AF_INET, socket.AF_INET6)

Peer = tuple[str, int]


class SilentConnections:
    """Closes the connections to some ports of this process on which no request has come.

    The application tells by `heard` of each request. The sockets are looked for among the descriptors of the process,
    as an event loop does not tell its connections.
    """

    def __init__(self, ports: Iterable[int], longest: float = LONGEST) -> None:
        self._ports = frozenset(ports)
        self._longest = longest
        self._heard: set[Peer] = set()
        self._absent: set[Peer] = set()
        self._first_seen: dict[tuple[int, Peer], float] = {}  # a system may use the number of an inode again

    def heard(self, peer: Peer) -> None:
        """Remember that a request has come from a peer."""
        self._heard.add(peer)

    async def watch(self) -> None:
        """Look for silent connections every few seconds."""
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            await asyncio.to_thread(self.look)

    def look(self) -> None:
        """Close the connections that have been silent for too long."""
        now, peers = time.monotonic(), set[Peer]()
        first_seen: dict[tuple[int, Peer], float] = {}
        for inode, peer, connection in self._connections():
            peers.add(peer)
            since = first_seen[inode, peer] = self._first_seen.get((inode, peer), now)
            if peer not in self._heard and now - since >= self._longest:
                with suppress(OSError):  # the client has left meanwhile
                    connection.shutdown(socket.SHUT_RDWR)
        self._first_seen = first_seen
        # A peer that connected during this look is absent from it: only who is absent twice has left.
        absent = self._heard - peers
        self._heard -= absent & self._absent
        self._absent = absent

    def _connections(self) -> Iterator[tuple[int, Peer, socket.socket]]:
        """Yield the inode, the peer and a duplicate of each socket that is connected to one of the ports."""
        for name in os.listdir("/dev/fd"):
            with suppress(OSError):  # it was closed meanwhile, or is not connected
                found = os.fstat(int(name))
                if stat.S_ISSOCK(found.st_mode):
                    with socket.socket(fileno=os.dup(int(name))) as connection:
                        if connection.family in _FAMILIES and connection.getsockname()[1] in self._ports:
                            yield found.st_ino, connection.getpeername()[:2], connection
