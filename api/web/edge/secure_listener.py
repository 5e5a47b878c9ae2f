"""The secure listener: https beside the plain listeners of the server. Used by the server and the ASGI application.

gunicorn serves TLS at all of its listeners or at none. In a hall the players' phones use http and the judges' https.
"""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any

from gunicorn.asgi.protocol import ASGIProtocol

if TYPE_CHECKING:
    from api.service.hall_network.certificates import TlsFiles

_HANDSHAKE = 10.0  # seconds that a client has for it
_GOODBYE = 5.0  # seconds until a connection is closed whose client does not end TLS


class SecureListener:
    """Serves https at a socket with gunicorn's protocol, so that every bound of the plain listeners holds here too."""

    def __init__(self, listener: socket.socket, files: TlsFiles) -> None:
        """Read the certificate. Raises OSError if the files cannot be used."""
        self.listener = listener
        self._context = files.context()
        self._worker: Any = None

    def join(self, worker: Any) -> None:
        """Serve the requests of this process by a worker of gunicorn."""
        self._worker = worker

    async def start(self) -> None:
        """Accept connections until the worker closes its servers."""
        server = await asyncio.get_running_loop().create_server(
            lambda: ASGIProtocol(self._worker),
            sock=self.listener,
            ssl=self._context,
            ssl_handshake_timeout=_HANDSHAKE,
            ssl_shutdown_timeout=_GOODBYE,
        )
        self._worker.servers.append(server)
