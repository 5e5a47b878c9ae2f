"""Clients that ask for much and read nothing delay nobody, and hold no memory for long."""

from __future__ import annotations

import pytest

from tests.api.processes import wait_for
from tests.hostile.clients import (
    TICK,
    VALIDATE,
    VALIDATE_LARGE,
    Attack,
    Crowd,
    assert_honest_requests_are_answered,
    honest_times,
    make_request,
)
from tests.hostile.footprint import Footprint

pytestmark = pytest.mark.slow

SMALL_BUFFER = 4_096  # bytes that a client's system takes for it
OPENAPI = make_request("/openapi.json", method="GET")
BATCH = make_request(
    "/v1/validate/batch", b'{"game": "optcg", "deck": {}}\n' * 1_000, media_type="application/x-ndjson"
)
MOST_MEMORY = 150_000_000  # bytes that 150 clients may cost the processes of a server together

UNREAD = {
    "pipelined documents": Attack(60, OPENAPI * 60),
    "pipelined documents, small buffers": Attack(60, OPENAPI * 60, receive_buffer=SMALL_BUFFER),
    "pipelined verdicts": Attack(150, VALIDATE * 60, receive_buffer=SMALL_BUFFER),
    "pipelined large requests": Attack(60, VALIDATE_LARGE * 5, receive_buffer=SMALL_BUFFER),
    "batches": Attack(60, BATCH * 3, receive_buffer=SMALL_BUFFER),
    "documents read at 1 kB a second": Attack(60, OPENAPI, taken=int(1_000 * TICK), receive_buffer=SMALL_BUFFER),
    "batches read at 1 kB a second": Attack(60, BATCH, taken=int(1_000 * TICK), receive_buffer=SMALL_BUFFER),
}


@pytest.mark.parametrize("attack", UNREAD.values(), ids=UNREAD)
def test_answers_that_nobody_reads_delay_nobody(server, attack):
    assert_honest_requests_are_answered(server.port, attack, seconds=2)


def test_answers_that_nobody_reads_take_little_memory(server, server_folder):
    footprint = Footprint(server, server_folder)
    honest_times(server.port, 0.5)
    before = footprint.memory()
    with Crowd(server.port, Attack(150, OPENAPI * 60, receive_buffer=SMALL_BUFFER)):
        honest_times(server.port, 2)
        assert footprint.memory() - before < MOST_MEMORY
    wait_for(lambda: footprint.memory() - before < MOST_MEMORY / 2, 15)
