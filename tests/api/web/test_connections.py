"""Connections: whoever is too far behind has hung up, and costs nobody else anything."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress

import pytest

from api.web.edge import connections
from api.web.edge.connections import Connection


@pytest.fixture
def pair(monkeypatch):
    monkeypatch.setattr(connections, "PATIENCE", 0.2)
    monkeypatch.setattr(connections, "SLOWEST", 100_000_000)
    accepted, client = socket.socketpair()
    with Connection(accepted) as connection, client:
        yield connection, client


def test_what_is_sent_is_read(pair):
    connection, client = pair
    client.sendall(b"4 OP01-016")
    assert connection.recv(100) == b"4 OP01-016"


def test_who_sends_nothing_has_hung_up_for_good(pair):
    connection, client = pair
    assert connection.recv(100) == b""
    client.sendall(b"GET / HTTP/1.1\r\n\r\n")
    connection.setblocking(True)
    assert connection.recv(100) == b""


def test_a_byte_now_and_then_buys_no_time(pair):
    connection, client = pair
    bytes_now_and_then = threading.Thread(target=dribble, args=(client, 200), daemon=True)
    bytes_now_and_then.start()
    assert len(b"".join(iter(lambda: connection.recv(1), b""))) < 200
    connection.close()
    bytes_now_and_then.join()


def dribble(client, times):
    with suppress(OSError):
        for _ in range(times):
            client.sendall(b"x")
            time.sleep(0.02)


def test_an_answer_that_is_not_taken_ends_like_any_lost_connection(pair):
    connection, _ = pair
    with pytest.raises(ConnectionResetError):
        connection.sendall(bytes(2_000_000))


def test_a_head_goes_with_its_body(pair):
    """Who is killed between the two has said nothing."""
    connection, client = pair
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
    client.setblocking(False)
    connection.sendall(head)
    with pytest.raises(BlockingIOError):
        client.recv(100)
    connection.sendall(b"{}")
    assert client.recv(100) == head + b"{}"
    connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
    assert client.recv(100).startswith(b"HTTP/1.1 100")
    connection.sendall(head)
    connection.send_head()
    assert client.recv(100) == head
