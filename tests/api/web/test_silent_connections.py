"""Silent connections: who sends no request in time is disconnected, and nobody else."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack

from api.web.edge.connections import SilentConnections


def test_only_connections_without_a_request_are_closed():
    with ExitStack() as stack:
        listener, other = (stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2))
        port = listener.getsockname()[1]
        silent, heard, elsewhere = (
            stack.enter_context(socket.create_connection(server.getsockname()))
            for server in (listener, listener, other)
        )
        for server in (listener, listener, other):
            stack.enter_context(server.accept()[0])
        connections = SilentConnections([port], longest=0.5)
        connections.look()
        time.sleep(0.6)
        late = stack.enter_context(socket.create_connection(listener.getsockname()))
        stack.enter_context(listener.accept()[0])
        connections.add_peer(heard.getsockname())
        for _ in range(3):
            connections.look()
        for client in (silent, heard, elsewhere, late):
            client.setblocking(False)
        assert silent.recv(1) == b""
        assert [is_open(client) for client in (heard, elsewhere, late)] == [True] * 3


def is_open(client):
    try:
        return client.recv(1) != b""
    except BlockingIOError:
        return True
