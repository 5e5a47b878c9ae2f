"""The server: gunicorn, started and ended as whoever runs it does."""

from __future__ import annotations

import http.client
import json
import os
import re
import shlex
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
import requests

from carddb.temporary_folders import shared_memory
from tests.api.processes import COMMAND, START, Running, has_group, wait_for
from tests.api.web.test_problems import assert_guarded

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
_HEAD = b"POST /v1/validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
_CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
_REQUEST = b'{"game": "optcg", "decklist": "4 OP01-016"}'


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = Running(tmp_path_factory.mktemp("server"), command=COMMAND)
    yield running
    assert running.end() == 0
    assert "Traceback" not in running.log.read_text()


def test_it_answers(server):
    answer = requests.get(f"{server.url}/readyz", timeout=30)
    assert answer.json()["status"] == "ready"


def test_it_judges(server, zoro):
    request = {"game": "optcg", "on": "2026-11-01", "deck": zoro}
    assert requests.post(f"{server.url}/v1/validate", json=request, timeout=30).json()["legal"]


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"DECK ME", b"400"),
        (b"GET /%b HTTP/1.1\r\nHost: x" % (b"a" * 9000), b"414"),
        (b"GET / HTTP/1.1\r\nHost: x" + b"\r\nX: x" * 200, b"431"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nHost: y", b"400"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz", b"400"),
    ],
)
def test_the_server_refuses_malformed_http_as_plain_text(server, head, status):
    """The server itself answers these: nothing of them reaches the application."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as client:
        client.sendall(head + b"\r\n\r\n")
        answer = client.makefile("rb").read()
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.split()[1] == status
    assert b"text/plain" in head.lower()
    assert b"<" not in body


@pytest.mark.parametrize("host", [b"", b"Host:\r\n", b"Host: a/b\r\n", b"Host: a b\r\n", b"Host: [::1\r\n"])
def test_a_request_without_a_host_is_400(server, host):
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as client:
        client.sendall(b"GET /healthz HTTP/1.1\r\n%bConnection: close\r\n\r\n" % host)
        head, _, body = client.makefile("rb").read().partition(b"\r\n\r\n")
    assert json.loads(body)["type"] == "urn:deckproof:problem:malformed"
    headers = dict(line.split(": ", 1) for line in head.decode().splitlines()[1:])
    assert_guarded({name.title(): value for name, value in headers.items()})


def test_the_first_sheets_of_a_server_may_be_asked_for_at_once(server, zoro):
    """Nobody else here asks for one."""
    names = ["José", "山田 太郎", "김 철수", "محمد", "יוסי", "สมชาย", "សុខ", "Иван"]

    def drawn(name):
        request = {"game": "optcg", "deck": zoro, "player": name}
        return requests.post(f"{server.url}/v1/sheets?as=pdf", json=request, timeout=60).status_code

    with ThreadPoolExecutor(8) as clients:
        assert list(clients.map(drawn, names * 2)) == [200] * 16


def test_a_body_that_is_too_large_is_413_though_the_client_sends_it_all(server):
    answer = requests.post(
        f"{server.url}/v1/validate",
        data=b" " * 6_000_000,
        headers={"Content-Type": "application/json"},
        timeout=30,
    )
    assert (answer.status_code, answer.headers["Content-Type"]) == (413, "application/problem+json")


def test_who_sends_everything_before_reading_gets_everything(server, zoro):
    line = json.dumps({"game": "optcg", "on": "2026-11-01", "deck": zoro}).encode() + b"\n"
    answer = requests.post(
        f"{server.url}/v1/validate/batch",
        data=line * 3000,
        headers={"Content-Type": "application/x-ndjson"},
        timeout=60,
    )
    assert answer.status_code == 200
    assert answer.text.count('"legal":true') == 3000


def test_answers_come_while_the_request_is_still_being_sent(server, zoro):
    line = json.dumps({"game": "optcg", "on": "2026-11-01", "deck": zoro, "explain": True}).encode() + b"\n"
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    client.putrequest("POST", "/v1/validate/batch")
    client.putheader("Content-Type", "application/x-ndjson")
    client.putheader("Transfer-Encoding", "chunked")
    client.endheaders()

    def send(piece):
        client.send(b"%x\r\n%b\r\n" % (len(piece), piece))

    send(line * 5)
    answer = client.getresponse()
    assert answer.status == 200
    assert json.loads(answer.readline())["legal"]
    send(line)
    send(b"")
    assert len(answer.read().splitlines()) == 5
    client.close()


def test_large_requests_on_one_connection_are_all_answered(server, zoro):
    """The next one is sent as soon as the last byte of an answer is there."""
    lines = (json.dumps({"game": "optcg", "on": "2026-11-01", "deck": zoro}).encode() + b"\n") * 200

    def ask_again(times):
        with requests.Session() as session:
            for _ in range(times):
                answer = session.post(
                    f"{server.url}/v1/validate/batch",
                    data=lines,
                    headers={"Content-Type": "application/x-ndjson"},
                    timeout=30,
                )
                assert answer.text.count('"legal":true') == 200

    with ThreadPoolExecutor(4) as clients:
        list(clients.map(ask_again, [20] * 4))


@pytest.mark.parametrize("half", [_HEAD, _HEAD + b"Content-Length: 9\r\n\r\n{", _HEAD + _CHUNKED + b"9"])
def test_many_who_send_half_a_request_keep_nobody_waiting(server, half):
    with ExitStack() as stack:
        for _ in range(40):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            client.sendall(half)
        assert requests.get(f"{server.url}/healthz", timeout=30).ok


@pytest.mark.parametrize("pieces", [[b"%b%b%b"], [b"%b%b", b"%b"], [b"%b", b"%b", b"%b"]])
def test_requests_that_come_in_one_go_are_all_answered(server, pieces):
    request = _HEAD + b"Content-Length: %d\r\n\r\n" % len(_REQUEST) + _REQUEST
    last = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    requests = [request, request, last]
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as client:
        for piece in pieces:
            client.sendall(piece % tuple(requests.pop(0) for _ in range(piece.count(b"%b"))))
            time.sleep(0.1)
        assert client.makefile("rb").read().count(b"HTTP/1.1 200 ") == 3


def test_a_request_may_come_byte_by_byte(server):
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as client:
        for byte in _HEAD + b"Content-Length: %d\r\n\r\n" % len(_REQUEST) + _REQUEST:
            client.sendall(bytes([byte]))
        assert client.makefile("rb").readline() == b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    "rest",
    [
        b"Content-Length: 1000\r\n\r\n" + _REQUEST,
        _CHUNKED + b"2b\r\n" + _REQUEST,
        _CHUNKED + b"zz\r\n" + _REQUEST,
        _CHUNKED + b"2b\r\n" + _REQUEST + b"0\r\n\r\n",
        _CHUNKED + b"9" * 10_000,
    ],
)
def test_a_body_that_is_cut_off_is_not_judged(server, rest):
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as client:
        client.sendall(_HEAD + rest)
        client.shutdown(socket.SHUT_WR)
        assert b"legal" not in client.makefile("rb").read()


def test_a_line_that_is_cut_off_is_not_judged(server):
    head = _HEAD.replace(b"validate", b"validate/batch").replace(b"json", b"x-ndjson")
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as client:
        client.sendall(head + b"Content-Length: 1000\r\n\r\n" + _REQUEST + b"\n" + _REQUEST)
        said = client.makefile("rb").read()  # until the server waits no longer for the rest
    assert said.count(b'"legal":') == 1
    assert b'{"line":2,"error":{"type":"urn:deckproof:problem:too-slow"' in said


def test_only_a_proxy_that_is_known_says_where_the_application_is(server):
    answer = requests.get(f"{server.url}/v1/rulesets", headers={"SCRIPT_NAME": "/elsewhere"}, timeout=30)
    assert answer.status_code == 200


def test_workers_count_together(server):
    for _ in range(10):
        requests.get(f"{server.url}/v1/rulesets/optcg-1.1.9", timeout=30)
    text = requests.get(f"{server.url}/metrics", timeout=30).text
    counted = re.search(r'request_seconds_count\{method="GET",path="/v1/rulesets/<id>",status="200"\} ([0-9.]+)', text)
    assert float(counted[1]) == 10


def test_a_port_that_is_taken_is_said_in_a_sentence(server):
    done = subprocess.run(
        [COMMAND, "serve", "--port", str(server.port)], capture_output=True, timeout=START, check=False
    )
    assert done.returncode == 2
    assert done.stderr.decode() == f"deckproof: 127.0.0.1:{server.port}: Address already in use.\n"


def folders(place):
    return set(place.glob("deckproof-*"))


def held(pid):
    """The folders that a process says are in use: other servers have theirs in the same places."""
    opened = {path.readlink() for path in Path(f"/proc/{pid}/fd").iterdir()}
    return {path for path in opened if path.name.startswith("deckproof-")}


def test_a_server_that_is_killed_leaves_its_port_and_what_else_it_leaves_the_next_removes(tmp_path):
    first = Running(tmp_path, DECKPROOF_WORKER="on")
    wait_for(lambda: len(folders(tmp_path)) == 1 + (not shared_memory()))
    before = folders(tmp_path)
    second = Running(tmp_path)
    left = folders(tmp_path)
    assert left >= before  # of one that is at work nothing is removed
    with requests.Session() as kept, socket.create_connection(("127.0.0.1", first.port)) as slow:
        kept.get(f"{first.url}/healthz", timeout=30)
        slow.sendall(_HEAD)
        first.kill()
        wait_for(lambda: is_free(first.port), seconds=10)  # though clients stay, for whom an end in good order waits
    wait_for(lambda: not has_group(first.process.pid), seconds=20)  # its worker misses it, and ends
    assert folders(tmp_path) == left
    third = Running(tmp_path)
    assert len(folders(tmp_path) & left) == (not shared_memory())
    assert (second.end(), third.end()) == (0, 0)
    wait_for(lambda: not has_group(third.process.pid), seconds=10)  # though it was told to end while its workers began


def test_a_server_ends_in_good_order_while_a_client_keeps_its_connection(tmp_path):
    server = Running(tmp_path)
    with requests.Session() as session:
        assert session.get(f"{server.url}/healthz", timeout=30).status_code == 200
        assert server.end() == 0


def is_free(port):
    """Tell whether a server could have a port."""
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


def test_what_is_being_asked_when_it_is_to_end_is_answered_and_nothing_is_left_behind(tmp_path):
    running = Running(tmp_path)
    (made,) = held(running.process.pid)
    large = _REQUEST.ljust(60_000)
    asked = [
        _HEAD + b"Content-Length: %d\r\n\r\n" % len(_REQUEST) + _REQUEST,
        _HEAD + b"Content-Length: %d\r\n\r\n" % len(large) + large,
        _HEAD + _CHUNKED + b"%x\r\n%b\r\n0\r\n\r\n" % (len(_REQUEST), _REQUEST),
        _HEAD.replace(b"validate", b"validate/batch").replace(b"json", b"x-ndjson")
        + b"Content-Length: %d\r\n\r\n" % (len(_REQUEST) + 1)
        + _REQUEST
        + b"\n",
    ]
    with ExitStack() as stack:
        clients = [stack.enter_context(socket.create_connection(("127.0.0.1", running.port))) for _ in asked]
        for client, request in zip(clients, asked, strict=True):
            client.sendall(request[:-5])
        requests.get(f"{running.url}/healthz", timeout=30)  # those who came before are taken when this one is
        time.sleep(0.5)
        running.process.terminate()
        time.sleep(1.5)
        for client, request in zip(clients, asked, strict=True):
            client.sendall(request[-5:])
            answer = b""
            while b'"legal":false' not in answer:
                piece = client.recv(65536)
                assert piece
                answer += piece
    assert running.process.wait(START) == 0
    assert not made.exists()
    assert {path.name for path in tmp_path.iterdir()} == {"log-0", "secret_key"}


def test_the_procfile_starts_it_where_the_platform_says(tmp_path):
    processes = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = {"PORT": str(port), "DECKPROOF_DATA_DIR": str(tmp_path), "DECKPROOF_WORKERS": "1"}
    for name in ("release", "web"):
        assert processes[name].startswith("deckproof ")
    release = shlex.split(processes["release"])[1:]
    assert subprocess.run([COMMAND, *release], env=os.environ | settings, timeout=START, check=False).returncode == 0
    web = shlex.split(processes["web"].replace("$PORT", str(port)))[1:]
    running = Running(tmp_path, web, COMMAND, **settings)
    assert running.port == port
    assert requests.get(f"{running.url}/healthz", timeout=30).status_code == 200
    assert running.end() == 0
