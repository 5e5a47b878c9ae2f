"""Spools: a request's body kept on disk as it comes, while its answer is already being written."""

from __future__ import annotations

import io
import os
import tempfile
import threading
from typing import BinaryIO, Self

from api.service.errors import Broken
from api.web.edge.middleware import CutBody

_PIECE = 65_536  # bytes
_LIVE_PIECE = 1024  # of what is still being made: a server waits until it has as many, and answers are due meanwhile
_SHORT = 262_144  # bytes that are waited for


class Spool:
    """A body read to disk by a thread of its own, and from there piece by piece.

    Most clients send everything before they read anything. A server that reads only between its answers
    then waits for the client while the client waits for it; this one always reads. Memory holds no more
    than a piece.
    """

    def __init__(self, body: BinaryIO | io.RawIOBase, most: int, length: int | None = None) -> None:
        """Take at most `most` bytes of `body`, which says its length if it was made before it was sent.

        Reading begins on entering; a body that says that it is short is kept before anything is read.
        """
        self._body = body
        self._most = most
        self._piece = _LIVE_PIECE if length is None else _PIECE
        self._is_short = length is not None and length <= _SHORT
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  closed on leaving
        self._come = self._taken = 0
        self._over = False
        self._failed: Exception | None = None
        self._news = threading.Condition()

    def __enter__(self) -> Self:
        if self._is_short:
            self._fill()
        else:
            threading.Thread(target=self._fill, name="spool", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._news:
            self._file.close()

    def read(self, most: int) -> bytes:
        """Return what has come, `most` bytes of it at most, waiting until there is any; b"" at the end.

        Raises Broken where the body ends before its time or is larger than is taken.
        """
        with self._news:
            self._news.wait_for(lambda: self._come > self._taken or self._over)
            ready = self._come - self._taken
        if not ready and self._failed:
            raise self._failed
        piece = os.pread(self._file.fileno(), min(ready, most), self._taken)
        self._taken += len(piece)
        return piece

    def _fill(self) -> None:
        try:
            while piece := self._body.read(self._piece):
                self._keep(piece)
        except Broken as error:
            self._failed = error
        except Exception:  # each server has errors of its own for a client that goes away
            self._failed = Broken(400, CutBody.description)
        with self._news:
            self._over = True
            self._news.notify()

    def _keep(self, piece: bytes) -> None:
        room = self._most - self._come
        with self._news:
            try:
                self._file.write(piece[:room])  # a ValueError once nobody reads any more
            except OSError as error:
                raise Broken(503, f"The body cannot be kept: {error.strerror or error}.") from None
            self._come += len(piece[:room])
            self._news.notify()
        if len(piece) > room:
            raise Broken(413, f"The body has more than {self._most} bytes.")
