"""Uploads that are cut off, that are too many for the disk, or whose sender closes its half leave nothing behind."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from contextlib import ExitStack, suppress

import pytest

from tests.api.processes import Running, wait_for
from tests.hostile.clients import (
    HEALTH,
    VALIDATE,
    VALIDATE_LARGE,
    Client,
    ask,
    assert_honest_requests_are_answered,
    honest_times,
    make_request,
    upload_head,
)
from tests.hostile.footprint import Footprint

pytestmark = pytest.mark.slow

UPLOAD = 4_900_000  # bytes, a little less than a body may have
CHUNK = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
KINDS = {
    "verdicts": upload_head(UPLOAD),
    "batches": upload_head(UPLOAD, "/v1/validate/batch", "application/x-ndjson"),
    "workbooks": upload_head(UPLOAD, "/v1/workbooks?game=optcg", "text/csv"),
    "chunked": upload_head(0).replace(b"Content-Length: 0", b"Transfer-Encoding: chunked"),
}


@pytest.fixture(scope="module")
def footprint(server, server_folder):
    """Return the footprint of a server that has answered each kind of request before."""
    honest_times(server.port, 0.5)
    for _ in range(4):
        ask(server.port, make_request("/v1/validate/batch", b'{"game": "optcg"}\n', media_type="application/x-ndjson"))
        ask(server.port, make_request("/v1/workbooks?game=optcg", b"Player,Deck\n", media_type="text/csv"))
    time.sleep(0.5)
    return Footprint(server, server_folder)


@pytest.mark.parametrize("kind", KINDS)
def test_uploads_that_are_cut_off_leave_nothing_behind(server, footprint, kind):
    files, descriptors = footprint.temporary_files(), footprint.descriptors()
    for reset in (False, True):
        with ExitStack() as stack:
            for _ in range(50):
                client = stack.enter_context(Client(server.port))
                with suppress(OSError):  # the server may refuse an upload before it has all of it
                    client.send(KINDS[kind] + (CHUNK * 8 if kind == "chunked" else b"1,2\n" * 125_000))
                if reset:
                    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    footprint.assert_returns_to(files, descriptors)
    assert_honest_requests_are_answered(server.port, seconds=0.5)


def test_uploads_that_are_cut_off_do_not_add_to_the_memory(server, footprint):
    _cut_off(server, 200)
    before = footprint.memory()
    for _ in range(3):
        _cut_off(server, 100)
    footprint.assert_returns_to(footprint.temporary_files(), footprint.descriptors())
    wait_for(lambda: footprint.memory() - before < 60_000_000, 15)  # 150 MB were sent; an allocator keeps some of it


def _cut_off(server, times):
    for _ in range(times):
        with Client(server.port) as client, suppress(OSError):
            client.send(KINDS["verdicts"] + b" " * 500_000)


@pytest.fixture
def small_disk(tmp_path):
    """A folder with room for three uploads; the test is skipped if none may be made."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", place]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a file system")
    yield place
    subprocess.run(["umount", "-l", place], capture_output=True, check=False)


MOST_MEMORY = 120_000_000  # bytes; the uploads together have 196 million


def test_uploads_that_are_more_than_the_disk_holds_are_refused_with_a_time(tmp_path, small_disk):
    server = Running(tmp_path / "data", TMPDIR=str(small_disk))
    with server.ended(), ExitStack() as stack:
        footprint = Footprint(server, small_disk)
        honest_times(server.port, 0.5)
        memory, files = footprint.memory(), footprint.temporary_files()
        clients = [stack.enter_context(Client(server.port, timeout=60)) for _ in range(40)]
        for client in clients:
            with suppress(OSError):  # it is refused already, and closed
                client.send(KINDS["verdicts"] + b" " * (UPLOAD - 1))
        assert_honest_requests_are_answered(server.port, seconds=2)
        assert footprint.memory() - memory < MOST_MEMORY
        answers = [_finish(client) for client in clients]
        assert {answer.status for answer in answers} <= {400, 413, 503}  # spaces are no JSON: 400
        refused = [answer for answer in answers if answer.status != 400]
        assert refused
        assert all(int(answer.headers["Retry-After"]) > 0 for answer in refused)
        stack.close()
        footprint.assert_returns_to(files, footprint.descriptors())
        assert ask(server.port, VALIDATE_LARGE).status == 200
    assert "Traceback" not in server.log.read_text()


def _finish(client):
    with suppress(OSError):
        client.send(b" ")
    return client.answer()


CLOSED_HALF = {
    "a small request": VALIDATE,
    "a large request": VALIDATE_LARGE,
    "health": HEALTH,
    "several requests": VALIDATE * 5,
    "a document": make_request("/openapi.json", method="GET"),
    "a batch": make_request(
        "/v1/validate/batch", b'{"game": "optcg", "deck": {}}\n' * 9, media_type="application/x-ndjson"
    ),
    "nothing": b"",
    "half a head": VALIDATE[:20],
    "half a body": VALIDATE[:-20],
    "half a large body": VALIDATE_LARGE[:20_000],
    "half a chunk": KINDS["chunked"] + CHUNK + b"9\r\n",
    "a request and a half": VALIDATE + VALIDATE[:60],
}


@pytest.mark.parametrize("sent", CLOSED_HALF.values(), ids=CLOSED_HALF)
def test_a_client_that_closes_its_half_is_answered_or_closed(server, footprint, sent):
    files, descriptors = footprint.temporary_files(), footprint.descriptors()
    for _ in range(20):
        with Client(server.port) as client:
            client.send(sent)
            client.socket.shutdown(socket.SHUT_WR)
            answered = client.rest()  # a TimeoutError if the server leaves it open
            assert not answered or answered.startswith((b"HTTP/1.1 200", b"HTTP/1.1 400", b"HTTP/1.1 408")), answered
            assert answered.count(b"HTTP/1.1 200") <= sent.count(b" HTTP/1.1\r\n")
    footprint.assert_returns_to(files, descriptors)
