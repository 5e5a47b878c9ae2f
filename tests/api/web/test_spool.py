"""Spools: nothing is lost, nothing waits for ever, nothing grows without bound."""

from __future__ import annotations

import io
import tempfile
import threading
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.service.errors import Broken
from api.web.edge.spool import Spool


def all_of(body, most=1 << 20):
    with Spool(body, most) as spool:
        return b"".join(iter(lambda: spool.read(1 << 16), b""))


@given(st.lists(st.binary(max_size=3000)), st.integers(1, 200), st.sampled_from([None, 0, 1 << 20]))
def test_what_comes_out_is_what_went_in(pieces, most, said):
    body = b"".join(pieces)
    with Spool(io.BytesIO(body), 1 << 20, said) as spool:
        read = list(iter(lambda: spool.read(most), b""))
    assert b"".join(read) == body
    assert max(map(len, read), default=0) <= most


def test_a_body_over_the_bound_breaks_off_after_what_was_taken():
    with Spool(io.BytesIO(b"0123456\n" * 4), 20) as spool:
        assert b"".join(spool.read(10) for _ in range(2)) == b"0123456\n0123456\n0123"
        with pytest.raises(Broken) as broken:
            spool.read(10)
    assert broken.value.status == 413


def test_a_body_that_cannot_be_kept_breaks_off(monkeypatch):
    monkeypatch.setattr(tempfile, "TemporaryFile", partial(Path("/dev/full").open, "w+b"))
    with pytest.raises(Broken) as broken:
        all_of(io.BytesIO(b"4 OP01-016"))
    assert broken.value.status == 503


class Gone(io.RawIOBase):
    """A body whose sender goes away."""

    def readable(self):
        return True

    def readinto(self, buffer):
        raise ConnectionResetError("gone")


def test_a_sender_that_goes_away_breaks_the_body_off():
    with pytest.raises(Broken) as broken:
        all_of(Gone())
    assert broken.value.status == 400


class Cut(io.RawIOBase):
    """A body whose sender goes away after a line."""

    def __init__(self):
        self._lines = iter([b"first\n"])

    def readable(self):
        return True

    def readinto(self, buffer):
        line = next(self._lines, None)
        if line is None:
            raise ConnectionResetError("gone")
        buffer[: len(line)] = line
        return len(line)


@pytest.mark.parametrize("said", [None, 1000, 1 << 20])
def test_what_had_come_from_a_sender_that_goes_away_can_be_read(said):
    with Spool(Cut(), 1 << 20, said) as spool:
        assert spool.read(100) == b"first\n"
        with pytest.raises(Broken):
            spool.read(100)


def test_a_short_body_is_there_before_it_is_read():
    body = io.BytesIO(b"line\n" * 1000)
    with Spool(body, 1 << 20, 5000):
        assert body.tell() == 5000


class Slow(io.RawIOBase):
    """A body whose every line waits until the one before it was read."""

    def __init__(self):
        self.go = threading.Semaphore(1)
        self._lines = iter([b"first\n", b"second\n", b""])

    def readable(self):
        return True

    def readinto(self, buffer):
        assert self.go.acquire(timeout=30)
        line = next(self._lines)
        buffer[: len(line)] = line
        return len(line)


def test_what_has_come_can_be_read_while_the_rest_is_still_to_come():
    body = Slow()
    with Spool(body, 1000) as spool:
        assert spool.read(100) == b"first\n"
        body.go.release()
        assert spool.read(100) == b"second\n"
        body.go.release()
        assert spool.read(100) == b""


def test_nobody_need_read_to_the_end():
    with Spool(io.BytesIO(b"line\n" * 100_000), 1 << 20) as spool:
        assert spool.read(5) == b"line\n"
