"""Request bodies: received without a thread, small ones in memory and large ones in a temporary file, within limits."""

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

PATIENCE = 15.0  # seconds for which a client may send nothing
GRACE = 30.0  # seconds that any body may take
SLOWEST = 8_000  # bytes a second that a body must have on average beyond that
IN_MEMORY = 65_536  # bytes of a body; one that has more goes to a file
_MOST_HELD = 1_000_000_000  # bytes of all requests and unsent answers of a process
_MOST_HELD_FOR_ONE = 300_000_000  # bytes for one address: the largest batch and a few files
_MOST_DISCARDED = 32_000_000  # bytes
_LONGEST_DISCARDING = 5.0  # seconds

Receive = Callable[[], Awaitable[Any]]


class RequestBody:
    """The body of one request; `close` it to remove what is held of it.

    Raises BodyRefused where it receives: 408 for a client that is too slow, 413 for more than `most` bytes, 503 where
    there is no room for it, 400 for a client that leaves before the end.
    """

    def __init__(self, receive: Receive, most: int, held: HeldBytes, address: str) -> None:
        self._receive = receive
        self._most = most
        self._held = held
        self._address = address
        self._taken = 0
        self._clock = asyncio.get_running_loop().time
        self._begun = self._clock()
        self._arrived = asyncio.Event()
        self._file: BinaryIO = io.BytesIO()
        self._position = Lock()  # of the file, which one thread writes while another reads
        self.size = 0
        self.is_whole = False

    def close(self) -> None:
        """Remove what is held."""
        with self._position:
            self._file.close()
        self._held.give_back(self._address, self._taken)
        self._taken = 0

    async def receive_all(self) -> None:
        """Receive the body to its end."""
        while not self.is_whole:
            await self.receive_piece()

    async def receive_piece(self) -> None:
        """Receive what comes next of the body."""
        piece, is_last = await self._next_piece()
        size = self.size + len(piece)
        if size > self._most:
            raise BodyRefused(413, f"The body has more than {self._most:,} bytes.")
        if not self._held.take(self._address, len(piece)):
            raise BodyRefused(503, "The server has no room for another large request; try again later.")
        self._taken += len(piece)
        if size <= IN_MEMORY:
            self._write(piece)
        else:  # a disk may be slow, and nobody else must wait for it
            await asyncio.to_thread(self._write_to_disk, piece)
        self.size, self.is_whole = size, is_last
        self._arrived.set()

    async def pieces(self, most: int) -> AsyncGenerator[bytes, None]:
        """Receive the body, and meanwhile yield it in pieces of up to `most` bytes.

        It is received even while nobody takes a piece: most clients send everything before they read an answer.
        """
        receiving = asyncio.create_task(self.receive_all())
        receiving.add_done_callback(self._end)
        position = 0
        try:
            while position < self.size or not receiving.done():
                self._arrived.clear()
                if position == self.size:
                    await self._arrived.wait()
                    continue
                piece = await asyncio.to_thread(self._read, position, most)
                position += len(piece)
                yield piece
            receiving.result()
        finally:
            receiving.cancel()

    def _end(self, receiving: asyncio.Task[None]) -> None:
        """Wake who reads; take the exception of a body that nobody reads any more."""
        self._arrived.set()
        if not receiving.cancelled():
            receiving.exception()

    async def _next_piece(self) -> tuple[bytes, bool]:
        """Return the next bytes, and whether they are the last."""
        left = self._begun + GRACE + self.size / SLOWEST - self._clock()
        try:
            async with asyncio.timeout(max(0.0, min(PATIENCE, left))):
                message = await self._receive()
        except TimeoutError:
            detail = "The body came too slowly; send it again over a better connection."
            raise BodyRefused(408, detail) from None
        if message["type"] == "http.disconnect":
            raise BodyRefused(400, "The body ended before its time.")
        return message.get("body", b""), not message.get("more_body", False)

    def _write_to_disk(self, piece: bytes) -> None:
        try:
            if isinstance(self._file, io.BytesIO):
                on_disk = tempfile.TemporaryFile()  # noqa: SIM115  closed with the body
                on_disk.write(self._file.getvalue())
                with self._position:
                    self._file = on_disk
            self._write(piece)
        except OSError as error:
            reason = error.strerror or str(error)
            raise BodyRefused(503, f"The server cannot write the body to its disk: {reason}.") from None

    def _write(self, piece: bytes) -> None:
        with self._position:
            self._file.seek(0, io.SEEK_END)
            self._file.write(piece)
            self._file.flush()

    @property
    def length(self) -> int:
        """The bytes of the body; of one that is larger than is taken, one more than are."""
        return self.size if self.is_whole else self._most + 1

    def open(self) -> BinaryIO:
        """Return the received bytes as a separate file, which stays open when this body is closed."""
        if isinstance(self._file, io.BytesIO):
            return io.BytesIO(self._file.getvalue())
        file = os.fdopen(os.dup(self._file.fileno()), "rb")
        file.seek(0)
        return file

    def content(self) -> bytes:
        """Return the received bytes."""
        return self._read(0, self.size)

    def _read(self, position: int, most: int) -> bytes:
        with self._position:
            self._file.seek(position)
            return self._file.read(most)

    async def discard_rest(self) -> None:
        """Receive some of what is missing and drop it: closing on unread bytes would lose the answer on its way."""
        left, is_last = _MOST_DISCARDED, self.is_whole
        try:
            async with asyncio.timeout(_LONGEST_DISCARDING):
                while not is_last and left > 0:
                    piece, is_last = await self._next_piece()
                    left -= len(piece)
        except (TimeoutError, BodyRefused):
            return


class HeldBytes:
    """The bytes that a process holds of requests and of unsent answers, limited in all and for each address.

    Used only from the thread of the event loop.
    """

    def __init__(self, most: int = _MOST_HELD, most_for_one: int = _MOST_HELD_FOR_ONE) -> None:
        self._most = most
        self._most_for_one = most_for_one
        self._by_address: Counter[str] = Counter()
        self._total = 0

    def take(self, address: str, size: int) -> bool:
        """Count `size` more bytes for an address and return True; return False if that is too much."""
        if self._total + size > self._most or self._by_address[address] + size > self._most_for_one:
            return False
        self._total += size
        self._by_address[address] += size
        return True

    def give_back(self, address: str, size: int) -> None:
        """Count `size` bytes less for an address."""
        self._total -= size
        self._by_address[address] -= size
        if not self._by_address[address]:
            del self._by_address[address]
