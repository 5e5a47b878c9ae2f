"""Request bodies: nothing is lost, nothing waits for ever, nothing grows without bound, nothing stays behind."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import aclosing, closing
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.service.errors import BodyRefused
from api.web.edge import request_body
from api.web.edge.request_body import IN_MEMORY, HeldBytes, RequestBody

ADDRESS = "192.0.2.1"


def client(*pieces, then=None):
    """A client that sends these pieces, and then ends the body, leaves ("leaves") or sends nothing more ("waits")."""
    messages = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
    messages.append({"type": "http.disconnect"} if then == "leaves" else {"type": "http.request", "more_body": False})

    async def receive():
        if then == "waits" and len(messages) == 1:
            await asyncio.sleep(60)
        return messages.pop(0)

    return receive


def received(*pieces, then=None, most=1 << 24, held=None, use=RequestBody.content):
    """Return what a use of a body gives, once the body was received."""

    async def receive():
        with closing(RequestBody(client(*pieces, then=then), most, held or HeldBytes(), ADDRESS)) as body:
            await body.receive_all()
            return use(body)

    return asyncio.run(receive())


@given(st.lists(st.binary(max_size=3000)))
def test_a_body_in_memory_is_what_was_sent(pieces):
    assert received(*pieces) == b"".join(pieces)


@pytest.mark.parametrize("sizes", [[IN_MEMORY], [IN_MEMORY + 1], [1] * 5 + [IN_MEMORY], [300_000, 1, 300_000]])
def test_a_large_body_is_what_was_sent(sizes):
    pieces = [bytes([at]) * size for at, size in enumerate(sizes)]
    assert received(*pieces) == b"".join(pieces)


@pytest.mark.parametrize("most", [100, 1 << 20])
@pytest.mark.parametrize("pieces", [[], [b"one"], [b"x" * 1000] * 200, [b"y" * 200_000, b"z"]])
def test_a_body_is_read_in_pieces_while_it_comes(pieces, most):
    async def read():
        with closing(RequestBody(client(*pieces), 1 << 24, HeldBytes(), ADDRESS)) as body:
            async with aclosing(body.pieces(most)) as came:
                return [piece async for piece in came]

    read_pieces = asyncio.run(read())
    assert b"".join(read_pieces) == b"".join(pieces)
    assert all(0 < len(piece) <= most for piece in read_pieces)


def test_what_has_come_is_read_before_the_rest_is_sent():
    async def read():
        go_on = asyncio.Event()
        messages = [b"first", b"second"]

        async def receive():
            if len(messages) == 1:
                await go_on.wait()
            return {"type": "http.request", "body": messages.pop(0), "more_body": bool(messages)}

        with closing(RequestBody(receive, 100, HeldBytes(), ADDRESS)) as body:
            async with aclosing(body.pieces(100)) as pieces:
                first = await anext(pieces)
                go_on.set()
                return first, await anext(pieces)

    assert asyncio.run(read()) == (b"first", b"second")


@pytest.mark.parametrize(
    ("pieces", "then", "status"),
    [([b"0123456789", b"0"], None, 413), ([b"x"], "leaves", 400), ([b"x"], "waits", 408)],
)
def test_a_body_is_refused(monkeypatch, pieces, then, status):
    monkeypatch.setattr(request_body, "PATIENCE", 0.1)
    with pytest.raises(BodyRefused) as refused:
        received(*pieces, then=then, most=10)
    assert refused.value.status == status


def test_a_client_that_drips_is_refused(monkeypatch):
    monkeypatch.setattr(request_body, "GRACE", 0.3)

    async def drip():
        await asyncio.sleep(0.02)
        return {"type": "http.request", "body": b"x", "more_body": True}

    async def receive():
        with closing(RequestBody(drip, 1000, HeldBytes(), ADDRESS)) as body:
            await body.receive_all()

    with pytest.raises(BodyRefused) as refused:
        asyncio.run(receive())
    assert refused.value.status == 408


def test_a_full_disk_is_503(monkeypatch):
    monkeypatch.setattr(tempfile, "TemporaryFile", partial(Path("/dev/full").open, "w+b"))
    with pytest.raises(BodyRefused) as refused:
        received(b"x" * (IN_MEMORY + 1))
    assert refused.value.status == 503


def test_what_is_held_is_bounded_and_given_back():
    held = HeldBytes(most=1000, most_for_one=600)
    with pytest.raises(BodyRefused) as refused:
        received(b"x" * 601, held=held)
    assert refused.value.status == 503
    assert received(b"x" * 600, held=held, use=lambda _: held.reserve(ADDRESS, 1)) is False
    assert held.reserve(ADDRESS, 600)
    assert held.reserve("192.0.2.2", 400)
    assert not held.reserve("192.0.2.3", 1)
    held.release(ADDRESS, 600)
    assert held.reserve("192.0.2.3", 600)


@pytest.mark.parametrize("size", [10, 300_000])
def test_a_closed_body_leaves_no_file(tmp_path, monkeypatch, size):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with received(b"x" * size, use=RequestBody.open) as kept:  # though the body is closed
        assert kept.read() == b"x" * size
    assert list(tmp_path.iterdir()) == []


def test_the_rest_of_a_refused_body_is_received_and_dropped():
    async def receive():
        sends = client(b"0123456789", *[b"x" * 1000] * 50)
        with closing(RequestBody(sends, 10, HeldBytes(), ADDRESS)) as body:
            with pytest.raises(BodyRefused):
                await body.receive_all()
            await body.discard_rest()
            with pytest.raises(IndexError):
                await sends()
            return body.content()

    assert asyncio.run(receive()) == b"0123456789"
