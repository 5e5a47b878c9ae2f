"""Many clients that send slowly, or nothing, delay nobody else."""

from __future__ import annotations

import json
import resource
import time
from contextlib import ExitStack, suppress

import pytest

from tests.api.processes import COMMAND, Running
from tests.hostile.clients import (
    HEALTH,
    TICK,
    VALIDATE,
    Attack,
    Client,
    ask,
    assert_honest_requests_are_answered,
    make_request,
    upload_head,
)

pytestmark = pytest.mark.slow

CLIENTS = 300
LARGE_UPLOAD = upload_head(4_900_000)
CHUNKED = upload_head(0).replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
HALF_A_HEAD = b"POST /v1/validate HTTP/1.1\r\nHost: x\r\nX-X: "
DRIP = b" " * int(5_500 * TICK)

STALLED = {
    "nothing": b"",
    "half a head": HALF_A_HEAD,
    "half a body": upload_head(1_000) + b"{",
    "half a large body": upload_head(100_000) + b" " * 50_000,
    "half a chunk": CHUNKED + b"9",
    "half a batch": CHUNKED.replace(b"/json", b"/x-ndjson").replace(b"validate", b"validate/batch") + b"9",
    "an answer, but no end": b"GET /nowhere HTTP/1.0\r\n\r\n",
}
UPLOADS = {
    "5.5 kB a second": Attack(64, LARGE_UPLOAD + b" " * 33_000, DRIP),
    "5 bytes a second": Attack(64, LARGE_UPLOAD + b" " * 33_000, b" "),
    "a small chunk at a time": Attack(64, CHUNKED + b"8000\r\n" + b" " * 0x8000 + b"\r\n", b"1\r\n \r\n"),
    "stalled after the head": Attack(64, LARGE_UPLOAD),
    "stalled at half": Attack(64, upload_head(66_000) + b" " * 33_000),
    "200 at 5.5 kB a second": Attack(200, LARGE_UPLOAD + b" " * 33_000, DRIP),
    "batches": Attack(64, upload_head(4_900_000, "/v1/validate/batch", "application/x-ndjson") + b" " * 33_000, DRIP),
    "workbooks": Attack(64, upload_head(4_900_000, "/v1/workbooks?game=optcg", "text/csv") + b"a," * 16_500, DRIP),
}


@pytest.mark.parametrize("sent", STALLED.values(), ids=STALLED)
def test_clients_that_stop_sending_delay_nobody(server, sent):
    assert_honest_requests_are_answered(server.port, Attack(CLIENTS, sent), seconds=1.5)


@pytest.mark.parametrize("attack", UPLOADS.values(), ids=UPLOADS)
def test_slow_uploads_delay_no_other_upload(server, attack):
    assert_honest_requests_are_answered(server.port, attack, seconds=2)


CROWDS = {
    "half-sent heads": [Attack(300, HALF_A_HEAD)],
    "idle": [Attack(1_000, b"")],
    "both": [Attack(300, HALF_A_HEAD), Attack(1_000, b"")],
    "idle after an answer": [Attack(500, VALIDATE)],
}


@pytest.fixture
def descriptors():
    """Let this process have a descriptor for each client."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("descriptors")
@pytest.mark.parametrize("attacks", CROWDS.values(), ids=CROWDS)
def test_one_more_client_than_a_crowd_is_answered(server, attacks):
    assert_honest_requests_are_answered(server.port, *attacks, seconds=1.5)


def batch(number):
    """Return a batch of 300 illegal decks that no other batch has."""
    cards = [{"number": f"OP{card % 9 + 1:02}-{card:03}", "count": card % 9 + 1} for card in range(1, 21)]
    decks = [{"main": [*cards, {"number": f"OP01-{line % 119 + 1:03}", "count": number + 1}]} for line in range(300)]
    lines = [json.dumps({"game": "optcg", "on": "2026-11-01", "deck": deck}).encode() for deck in decks]
    return make_request("/v1/validate/batch", b"\n".join(lines), media_type="application/x-ndjson")


def test_verdicts_do_not_wait_for_batches(server):
    attacks = [Attack(1, batch(number), taken=1_000_000) for number in range(60)]
    assert_honest_requests_are_answered(server.port, *attacks, seconds=4)


def test_silent_clients_that_take_every_descriptor_are_closed(tmp_path):
    few = f"ulimit -n 150; exec {COMMAND} serve --port 0 --workers 1"
    server = Running(tmp_path, ("-c", few), command="/bin/sh")
    with server.ended(), ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(Client(server.port))
        until = time.monotonic() + 60
        statuses = []
        while statuses[-2:] != [200, 200] and time.monotonic() < until:
            with suppress(OSError):  # none is answered before the silent ones are closed
                statuses.append(ask(server.port, HEALTH).status)
        assert statuses[-2:] == [200, 200]
    log = server.log.read_text()
    assert log.count("Too many open files") == 1
    assert "Traceback" not in log
