"""The response sender: everything is sent in order, and a client that takes nothing costs little."""

from __future__ import annotations

import asyncio

import pytest

from api.web.edge import response_sender
from api.web.edge.request_body import HeldBytes
from api.web.edge.response_sender import PIECE, ResponseSender

START = {"type": "http.response.start", "status": 200, "headers": [(b"a", b"b")]}


def body(data, more=False):
    return {"type": "http.response.body", "body": data, "more_body": more}


def sent(*messages, held=None, takes=lambda message: asyncio.sleep(0)):
    """Return the sender after these messages, and what the server was given."""
    given = []

    async def send(message):
        await takes(message)
        given.append(message)

    async def run():
        sender = ResponseSender(send, held or HeldBytes(), "192.0.2.1", [(b"x-request-id", b"7")])
        for message in messages:
            await sender(message)
        return sender

    return asyncio.run(run()), given


def test_an_answer_is_sent_with_more_headers():
    sender, given = sent(START, body(b"{}"))
    assert given == [START | {"headers": [(b"a", b"b"), (b"x-request-id", b"7")]}, body(b"{}")]
    assert (sender.status, sender.size) == (200, 2)


def test_nothing_is_sent_before_there_is_a_body():
    sender, given = sent(START)
    assert (given, sender.status) == ([], 0)


@pytest.mark.parametrize("size", [0, PIECE, PIECE + 1, 5 * PIECE])
def test_a_large_body_goes_in_pieces(size):
    held = HeldBytes(most=5 * PIECE, most_for_one=5 * PIECE)
    _, given = sent(START, body(b"x" * size, more=True), body(b""), held=held)
    pieces = given[1:]
    assert b"".join(piece["body"] for piece in pieces) == b"x" * size
    assert all(len(piece["body"]) <= PIECE for piece in pieces)
    assert [piece["more_body"] for piece in pieces] == [True] * (len(pieces) - 1) + [False]
    assert held.reserve("192.0.2.1", 5 * PIECE)


def test_a_client_that_takes_nothing_is_given_up(monkeypatch):
    monkeypatch.setattr(response_sender, "PATIENCE", 0.3)
    taken = []

    async def takes(message):
        taken.append(message)
        await asyncio.sleep(0 if len(taken) < 3 else 60)

    sender, given = sent(START, body(b"x" * 10 * PIECE, more=True), body(b"y" * 10 * PIECE), takes=takes)
    assert (sender.is_lost, sender.size < 10 * PIECE, len(given)) == (True, True, 2)


def test_where_there_is_no_room_for_an_answer_it_is_503():
    sender, given = sent(START, body(b"x" * 2 * PIECE), held=HeldBytes(PIECE, PIECE))
    assert sender.status == 503
    assert (b"retry-after", b"10") in given[0]["headers"]


def test_a_second_answer_is_none():
    async def run():
        given = []

        async def send(message):
            given.append(message)

        sender = ResponseSender(send, HeldBytes(), "192.0.2.1", [])
        await sender(START)
        await sender(body(b"half", more=True))
        await sender.answer(500, [], b"")
        return sender, given

    sender, given = asyncio.run(run())
    assert (sender.is_lost, len(given)) == (True, 2)
