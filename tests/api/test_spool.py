"""Spools: nothing is lost, nothing waits for ever, nothing grows without bound."""

from __future__ import annotations

import io
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.batches import Broken
from api.spool import Spool


def all_lines(body, most=1 << 20, longest=1 << 16):
    with Spool(body, most) as spool:
        return list(iter(lambda: spool.readline(longest), b""))


@given(st.lists(st.binary(max_size=300)), st.integers(1, 200))
def test_lines_come_out_as_they_went_in(pieces, longest):
    body = b"\n".join(pieces)
    expected = []
    reader = io.BytesIO(body)
    while line := reader.readline(longest):
        expected.append(line)
    assert all_lines(io.BytesIO(body), longest=longest) == expected


def test_a_body_over_the_bound_breaks_off_after_what_was_taken():
    with Spool(io.BytesIO(b"0123456\n" * 4), 20) as spool:
        assert spool.readline(100) == b"0123456\n"
        assert spool.readline(100) == b"0123456\n"
        with pytest.raises(Broken) as broken:
            spool.readline(100)
    assert broken.value.status == 413


class Gone(io.RawIOBase):
    """A body whose sender goes away."""

    def readable(self):
        return True

    def readinto(self, buffer):
        raise ConnectionResetError("gone")


def test_a_sender_that_goes_away_breaks_the_body_off():
    with pytest.raises(Broken) as broken:
        all_lines(Gone())
    assert broken.value.status == 400


class Slow(io.RawIOBase):
    """A body whose every line waits until the one before it was read."""

    def __init__(self):
        self.go = threading.Semaphore(1)
        self._lines = iter([b"first\n", b"second\n", b""])

    def readable(self):
        return True

    def readinto(self, buffer):
        assert self.go.acquire(timeout=10)
        line = next(self._lines)
        buffer[: len(line)] = line
        return len(line)


def test_a_line_can_be_read_while_the_next_is_still_to_come():
    body = Slow()
    with Spool(body, 1000) as spool:
        assert spool.readline(100) == b"first\n"
        body.go.release()
        assert spool.readline(100) == b"second\n"
        body.go.release()
        assert spool.readline(100) == b""


def test_nobody_need_read_to_the_end():
    with Spool(io.BytesIO(b"line\n" * 100_000), 1 << 20) as spool:
        assert spool.readline(100) == b"line\n"
