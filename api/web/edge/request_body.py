"""Request bodies: received without a thread and within limits. Large bodies are in a temporary file.

Called by the ASGI application.
"""

from __future__ import annotations

import asyncio
import io
import os
import tempfile
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from threading import Lock
from typing import Any, BinaryIO

from api.service.errors import BodyRefused
from carddb.system_messages import system_reason
from validator.language import phrase

PATIENCE = 15.0  # seconds for which a client may send nothing
GRACE = 30.0  # seconds that each body may take
SLOWEST = 8_000  # bytes a second: after GRACE, a body must be faster on average
IN_MEMORY = 65_536  # bytes of a body; a larger body is written to a file
_MOST_HELD = 1_000_000_000  # bytes of all requests and unsent answers of a process
_MOST_HELD_FOR_ONE = 300_000_000  # bytes for one address: the largest batch and a few files
_MOST_DISCARDED = 32_000_000  # bytes
_LONGEST_DISCARDING = 5.0  # seconds

Receive = Callable[[], Awaitable[Any]]


class RequestBody:
    """The body of one request, received piece by piece. Up to 65,536 bytes are in memory, more in a temporary file.

    Receiving raises BodyRefused. Its status is 408 if the client is too slow, and 413 for more than `most` bytes. It is
    503 if there is no room in memory or on disk, and 400 if the client leaves before the end. `size` counts the
    received bytes. `is_whole` is True after the last one. `close` releases memory and file.
    """

    def __init__(self, receive: Receive, most: int, buffered: HeldBytes, address: str) -> None:
        """Prepare to receive a body of at most `most` bytes. `buffered` counts its bytes for the client's `address`."""
        self._receive = receive
        self._most = most
        self._held = buffered
        self._address = address
        self._reserved = 0
        self._clock = asyncio.get_running_loop().time
        self._begun = self._clock()
        self._has_news = asyncio.Event()
        self._file: BinaryIO = io.BytesIO()
        self._position = Lock()  # for the position in the file: one thread writes while another reads
        self.size = 0
        self.is_whole = False

    def close(self) -> None:
        """Drop the received bytes, and subtract them from the counts of `buffered`."""
        with self._position:
            self._file.close()
        self._held.release(self._address, self._reserved)
        self._reserved = 0

    async def receive_all(self) -> None:
        """Receive and store the body to its end. Raises BodyRefused."""
        while not self.is_whole:
            await self.receive_piece()

    async def receive_piece(self) -> None:
        """Receive the next piece of the body and append it to the stored bytes. Raises BodyRefused.

        Wakes the reader in `pieces`. A refused piece is not stored.
        """
        piece, is_last = await self._next_piece()
        size = self.size + len(piece)
        if size > self._most:
            raise BodyRefused(413, phrase("The body has more than {most:,} bytes.", most=self._most))
        if not self._held.reserve(self._address, len(piece)):
            raise BodyRefused(503, phrase("The server has no room for another large request. Try again later."))
        self._reserved += len(piece)
        if size <= IN_MEMORY:
            self._append(piece)
        else:  # in a thread, because a disk may be slow
            await asyncio.to_thread(self._write_to_disk, piece)
        self.size, self.is_whole = size, is_last
        self._has_news.set()

    async def pieces(self, most: int) -> AsyncGenerator[bytes, None]:
        """Receive and store the body in a task, and meanwhile yield all of it in pieces of at most `most` bytes.

        The body is received even if the caller takes no piece, because most clients send everything before they read an
        answer. Raises BodyRefused after the pieces received before the error. Ending the generator stops receiving.
        """
        receiving = asyncio.create_task(self.receive_all())
        receiving.add_done_callback(self._finish)
        position = 0
        try:
            while position < self.size or not receiving.done():
                self._has_news.clear()
                if position == self.size:
                    await self._has_news.wait()
                    continue
                piece = await asyncio.to_thread(self._read_file, position, most)
                position += len(piece)
                yield piece
            receiving.result()
        finally:
            receiving.cancel()

    def _finish(self, receiving: asyncio.Task[None]) -> None:
        """Wake the reader in `pieces` when the task `receiving` has ended.

        Also retrieve the task's exception, so that asyncio does not log it if the reader has gone.
        """
        self._has_news.set()
        if not receiving.cancelled():
            receiving.exception()

    async def _next_piece(self) -> tuple[bytes, bool]:
        """Wait for the next bytes from the client. Return them, and True if they are the last ones.

        Raises BodyRefused: 400 if the client has left, 408 after 15 seconds of silence. Also 408 if the body has taken
        longer than 30 seconds plus 1 second for each 8,000 bytes received.
        """
        left = self._begun + GRACE + self.size / SLOWEST - self._clock()
        try:
            async with asyncio.timeout(max(0.0, min(PATIENCE, left))):
                message = await self._receive()
        except TimeoutError:
            detail = phrase("The body came too slowly. Send it again over a better connection.")
            raise BodyRefused(408, detail) from None
        if message["type"] == "http.disconnect":
            raise BodyRefused(400, phrase("The body ended too early. Send it again."))
        return message.get("body", b""), not message.get("more_body", False)

    def _write_to_disk(self, piece: bytes) -> None:
        """Append a piece to the temporary file. If the body was in memory, first move it into a new file.

        Raises BodyRefused (503) if the disk is full or fails.
        """
        try:
            if isinstance(self._file, io.BytesIO):
                on_disk = tempfile.TemporaryFile()  # noqa: SIM115  closed with the body
                on_disk.write(self._file.getvalue())
                with self._position:
                    self._file = on_disk
            self._append(piece)
        except OSError as error:
            reason = system_reason(error.strerror or str(error))
            raise BodyRefused(
                503, phrase("The server cannot write the body to its disk: {reason}.", reason=reason)
            ) from None

    def _append(self, piece: bytes) -> None:
        """Append a piece to the stored bytes, in memory or on disk."""
        with self._position:
            self._file.seek(0, io.SEEK_END)
            self._file.write(piece)
            self._file.flush()

    @property
    def length(self) -> int:
        """The number of bytes of the body. The limit plus 1 if the body is incomplete, as if it were too large."""
        return self.size if self.is_whole else self._most + 1

    def open(self) -> BinaryIO:
        """Return a new file of the received bytes, at its start. It stays open when this body is closed."""
        if isinstance(self._file, io.BytesIO):
            return io.BytesIO(self._file.getvalue())
        file = os.fdopen(os.dup(self._file.fileno()), "rb")
        file.seek(0)
        return file

    def content(self) -> bytes:
        """Return all bytes received so far."""
        return self._read_file(0, self.size)

    def _read_file(self, position: int, most: int) -> bytes:
        """Return at most `most` of the received bytes from a position."""
        with self._position:
            self._file.seek(position)
            return self._file.read(most)

    async def discard_rest(self) -> None:
        """Receive and drop the missing bytes, at most 32,000,000 of them and for 5 seconds. Never raises BodyRefused.

        If the server closed the connection with unread bytes, the client would lose the answer.
        """
        left, is_last = _MOST_DISCARDED, self.is_whole
        try:
            async with asyncio.timeout(_LONGEST_DISCARDING):
                while not is_last and left > 0:
                    piece, is_last = await self._next_piece()
                    left -= len(piece)
        except (TimeoutError, BodyRefused):
            return


class HeldBytes:
    """Counts the bytes of request bodies and unsent answers in this process. It limits them in total and by address.

    Used only from the thread of the event loop. It stores no bytes itself.
    """

    def __init__(self, most: int = _MOST_HELD, most_for_one: int = _MOST_HELD_FOR_ONE) -> None:
        """Begin at 0. `most` is the limit of all addresses together, `most_for_one` that of each address."""
        self._most = most
        self._most_for_one = most_for_one
        self._by_address: Counter[str] = Counter()
        self._total = 0

    def reserve(self, address: str, size: int) -> bool:
        """Add `size` bytes to the count of an address, and return True.

        If a limit would be exceeded, only return False.
        """
        if self._total + size > self._most or self._by_address[address] + size > self._most_for_one:
            return False
        self._total += size
        self._by_address[address] += size
        return True

    def release(self, address: str, size: int) -> None:
        """Subtract `size` bytes, which were reserved before, from the count of an address."""
        self._total -= size
        self._by_address[address] -= size
        if not self._by_address[address]:
            del self._by_address[address]
