"""Connections: clients have to get on, so that who does not keeps nobody else waiting.

A thread of gunicorn waits for its client as long as that one stays connected; a few that send half a request, or
never take their answers, would hold all of them. So requests are waited for without a thread until they have come,
few threads are for those that are too large for that, and no client may be too far behind. What takes the short way
needs no thread at all.
"""

from __future__ import annotations

import errno
import re
import select
import selectors
import socket
import time
from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from gunicorn.util import close_graceful
from gunicorn.workers.gthread import ThreadWorker

from api.web.edge.short_way import ShortWay

PATIENCE = 30.0  # seconds that a client may be behind
SLOWEST = 5_000  # bytes a second; who is slower than that falls behind
PROMPT = 10.0  # seconds in which a request comes whole, or as much of it as is waited for without a thread
MOST_HELD = 32_768  # bytes of a request that are waited for so
MOST_STREAMED = 24  # requests that threads of one process read from their clients at a time

_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,18})[ \t]*\r\n", re.IGNORECASE)
# What comes while its answer is awaited: chunks may end at any time, and who expects word sends nothing before it.
_STREAMED = re.compile(rb"\r\n(?:transfer-encoding|expect):", re.IGNORECASE)


class Connection(socket.socket):
    """The socket of a client. One that is too far behind has hung up, for all that anyone here can tell."""

    def __init__(self, accepted: socket.socket) -> None:
        super().__init__(accepted.family, accepted.type, accepted.proto, accepted.detach())
        self._hung_up = False
        self._until = time.monotonic() + PATIENCE
        self._held = bytearray()
        self._ended = False
        self._unsent = b""  # of answers
        self._head = b""  # of an answer, as long as nothing of its body is there
        self.is_whole = False  # whether what is held has a whole request
        self.is_ready = False  # whether there is enough for a thread to go on with

    def setblocking(self, flag: bool, /) -> None:
        """Make reading wait, which begins a request, or not."""
        if self.fileno() != -1:
            super().setblocking(flag)
        self._be_patient()

    def take(self) -> None:
        """Hold what the client has sent, without waiting.

        A thread can go on if a request is whole, too large to be held or one that is streamed, and if the client sends
        no more.
        """
        if self.gettimeout() != 0:
            self.setblocking(False)
        try:
            data = super().recv(MOST_HELD)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self._held += data
        self._ended = not data
        self._look()

    def answer(self, way: ShortWay) -> None:
        """Answer those requests held that take the short way, as far as that is without waiting."""
        said = bytearray()
        while self._held and (answered := way.answered(bytes(self._held))):
            del self._held[: answered.taken]
            said += answered.answer
        try:
            sent = super().send(said) if said else 0
        except OSError:  # a thread waits for who takes nothing now, and finds out who is gone
            sent = 0
        self._unsent = bytes(said[sent:])
        self._look()

    def catch_up(self) -> None:
        """Send what of the answers the client has not taken at once."""
        unsent, self._unsent = self._unsent, b""
        self.sendall(unsent)

    @property
    def is_clear(self) -> bool:
        """Whether all that has come is answered, and all the answers are sent."""
        return not self._held and not self._unsent

    @property
    def is_behind(self) -> bool:
        """Whether the client has not taken its answers at once."""
        return bool(self._unsent)

    def _look(self) -> None:
        self.is_whole, is_streamed = _come(bytes(self._held)) if self._held else (False, False)
        is_full = len(self._held) >= MOST_HELD
        self.is_ready = self.is_whole or is_streamed or is_full or self._ended or self.is_behind

    def left(self) -> bytes:
        """Return, and hold no longer, what came beyond what was read."""
        beyond = bytes(self._held)
        self._held.clear()
        return beyond

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """Return what the client sends, b"" from when it sends no more or is too far behind."""
        if self._held:
            data = bytes(self._held[:size])
            del self._held[:size]
            return data
        if (limit := self.gettimeout()) is not None and limit < self._left:
            return super().recv(size, flags)  # gunicorn waits for less, such as for a client to close
        self._hung_up = self._hung_up or not self._ready()
        if self._hung_up:
            return b""
        data = super().recv(size, flags)
        self._until = min(self._until + len(data) / SLOWEST, time.monotonic() + PATIENCE)
        return data

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        """Send everything; a ConnectionResetError where the client does not take it.

        The head of an answer waits for its body: were this process killed between the two, a proxy had passed on the
        one already and could ask nobody else.
        """
        data, self._head = self._head + data, b""
        if _is_head(data):
            self._head = data
            return
        self.settimeout(PATIENCE + len(data) / SLOWEST)
        try:
            super().sendall(data, flags)
        except TimeoutError:
            raise ConnectionResetError(errno.ECONNRESET, "the client does not take its answer") from None
        finally:
            self.settimeout(None)
        self._be_patient()

    def sendfile(self, file: Any, offset: int = 0, count: int | None = None) -> int:
        """Send a file, after the head that says what it is."""
        self.send_head()
        return super().sendfile(file, offset, count)

    def send_head(self) -> None:
        """Send the head of an answer that has no body."""
        head, self._head = self._head, b""
        if head:
            super().sendall(head)

    def _be_patient(self) -> None:
        self._until = time.monotonic() + PATIENCE

    @property
    def _left(self) -> float:
        """The seconds until the client is too far behind."""
        return max(0.0, self._until - time.monotonic())

    def _ready(self) -> bool:
        """Wait until there is something to read; tell whether there is."""
        poll = select.poll()
        poll.register(self, select.POLLIN)
        return bool(poll.poll(self._left * 1000))


class _Kept:
    """Connections, first the one whose time runs out first; any of them leaves at once, however many there are."""

    def __init__(self) -> None:
        self._conns: OrderedDict[Any, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._conns)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._conns)

    def __getitem__(self, _: int) -> Any:
        return next(iter(self._conns))

    def append(self, conn: Any) -> None:
        """Put a connection last, wherever it was."""
        self._conns[conn] = None
        self._conns.move_to_end(conn)

    def remove(self, conn: Any) -> None:
        """Take a connection out."""
        del self._conns[conn]

    def popleft(self) -> Any:
        """Take the first out."""
        return self._conns.popitem(last=False)[0]


class PatientWorker(ThreadWorker):
    """gunicorn's worker, with connections of ours, which wait for their requests together in its poller."""

    short_way: ShortWay | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.keepalived_conns = _Kept()
        self.pending_conns = _Kept()
        self._streamed: set[Any] = set()
        self._waiting: deque[Any] = deque()  # for one of those to end

    def set_accept_enabled(self, enabled: bool) -> None:
        """Take new connections or not; a worker that ends takes those that have come, and leaves the port at once."""
        super().set_accept_enabled(enabled)
        if not self.alive or not self.is_parent_alive():
            for listener in self.sockets:
                self._take_those_who_wait(listener)
                listener.close()

    def _take_those_who_wait(self, listener: socket.socket) -> None:
        """Take the connections that would be reset with their listener."""
        taken = -1
        while listener.fileno() != -1 and taken < self.nr_conns < self.worker_connections:
            taken = self.nr_conns
            self.accept(listener)

    def enqueue_req(self, conn: Any) -> None:
        """Answer a connection when its request has come."""
        if not isinstance(conn.sock, Connection):
            conn.sock = Connection(conn.sock)
        conn.data_ready = True
        if _begun(conn):
            self._answer(conn)
        else:
            conn.sock.take()
            self._go_on(conn)

    def on_client_socket_readable(self, conn: Any, client: Connection) -> None:
        """Go on with a connection that was kept; it stays where it is while all that it asks takes the short way."""
        client.take()
        if self._is_settled(conn):
            self._keep(conn)
            return
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        self._answer_or_wait(conn)

    def _on_more(self, conn: Any, sock: Connection) -> None:
        sock.take()
        if sock.is_ready:
            self.poller.unregister(sock)
            self.pending_conns.remove(conn)
            self._go_on(conn)

    def _go_on(self, conn: Any) -> None:
        if self._is_settled(conn):
            self._keep(conn)
            self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_client_socket_readable, conn))
        else:
            self._answer_or_wait(conn)

    def _is_settled(self, conn: Any) -> bool:
        """Answer what takes the short way; tell whether that was all."""
        has_room = len(self.keepalived_conns) < self.max_keepalived
        if self.short_way and self.alive and has_room and conn.sock.is_whole:
            conn.sock.answer(self.short_way)
            return bool(conn.sock.is_clear)
        return False

    def _keep(self, conn: Any) -> None:
        conn.set_timeout()
        self.keepalived_conns.append(conn)

    def _answer_or_wait(self, conn: Any) -> None:
        if conn.sock.is_ready:
            self._answer(conn)
            return
        conn.timeout = time.monotonic() + PROMPT
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._on_more, conn))

    def _answer(self, conn: Any) -> None:
        """Let a thread answer."""
        if conn.sock.is_whole and not conn.sock.is_behind and not _begun(conn):
            super().enqueue_req(conn)
        elif len(self._streamed) < MOST_STREAMED:
            self._streamed.add(conn)
            super().enqueue_req(conn)
        else:
            self._waiting.append(conn)

    def finish_request(self, conn: Any, fs: Any) -> None:
        """Keep a connection or not, once its request is answered; the next that waits has its turn."""
        if conn in self._streamed:
            self._streamed.remove(conn)
            if self._waiting:
                self._answer(self._waiting.popleft())
        super().finish_request(conn, fs)

    def handle(self, conn: Any) -> Any:
        """Answer a request; tell whether the connection is kept.

        One that is not is closed here: where the client may still be sending that takes up to two seconds, which cost
        one thread alone.
        """
        kept = self._catches_up(conn) or super().handle(conn)
        with suppress(OSError):  # who has hung up is told nothing more
            conn.sock.send_head()
        if kept:
            unreader = conn.parser.unreader
            unreader.unread(unreader.take_buffered() + conn.sock.left())
        elif conn.sock.is_whole:
            conn.sock.close()
        else:
            close_graceful(conn.sock)
        return kept

    @staticmethod
    def _catches_up(conn: Any) -> bool:
        """Send answers that were not taken at once, if there are any; tell whether there were."""
        if not conn.sock.is_behind:
            return False
        conn.init()
        conn.sock.catch_up()
        return True


def _come(held: bytes) -> tuple[bool, bool]:
    """Tell of the beginning of a request whether it is all of it, and whether the rest is streamed."""
    head, end, body = held.partition(b"\r\n\r\n")
    if not end or _STREAMED.search(head):
        return False, bool(end)
    length = _LENGTH.search(head + b"\r\n")
    return len(body) >= int(length[1] if length else 0), False


def _is_head(data: bytes) -> bool:
    """Tell whether this is the head of an answer that is to come, and nothing else."""
    is_begun = data.startswith(b"HTTP/1.") and data[9:10] != b"1"  # which says that one is to come later
    return is_begun and data.find(b"\r\n\r\n") == len(data) - 4


def _begun(conn: Any) -> bool:
    """Tell whether some of the next request was read along with the one before it."""
    return conn.parser is not None and bool(conn.parser.unreader.buf.getvalue())
