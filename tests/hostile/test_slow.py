"""Many clients that send slowly, or nothing, delay nobody else."""

from __future__ import annotations

import resource

import pytest

from tests.hostile.clients import TICK, VALIDATE, Attack, assert_honest_requests_are_answered, upload_head

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
