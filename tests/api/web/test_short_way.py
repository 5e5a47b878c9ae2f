"""The short way: what it answers is what the application would have, and it answers nothing else."""

from __future__ import annotations

import json
import re
import socket

import pytest
import requests

from api.service.settings import Settings
from api.web.app import create_app
from api.web.edge.short_way import LONGEST, ShortWay
from api.web.services import services
from tests.api.processes import Running

FAIR = {"Host": "x", "Content-Type": "application/json"}
ON = {"on": "2026-11-01"}
WRONG = {"main": [{"number": "OP01-016", "count": 5}, {"number": "OP99-999", "count": 1}]}


def sent(body, headers=FAIR, line="POST /v1/validate HTTP/1.1"):
    """A request as it comes over the wire; what is no bytes is JSON."""
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    fields = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{line}\r\n{fields}Content-Length: {len(body)}\r\n\r\n".encode() + body


def made(folder, **settings):
    return create_app(Settings(data_dir=folder, **settings))


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    return made(tmp_path_factory.mktemp("data"))


@pytest.fixture
def answered(app):
    with app.app_context():
        yield ShortWay(services()).answered


def parts(answer):
    """Return the status, the headers that an application says, and the body of an answer."""
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *fields = head.decode().split("\r\n")
    headers = sorted(tuple(field.split(": ", 1)) for field in fields)
    return status, [pair for pair in headers if pair[0] not in ("Server", "Date", "Connection")], body


@pytest.fixture(scope="module", params=[("*",), (), ("https://decks.example",)])
def allowing(request, tmp_path_factory):
    """An application that lets pages of some origins read its answers."""
    return made(tmp_path_factory.mktemp("data"), origins=request.param)


@pytest.mark.slow
@pytest.mark.parametrize(
    "more", [{}, {"explain": True}, {"summary": True}, {"format": "extra"}, {"policy": {"limits": False}}]
)
def test_its_answer_is_that_of_the_application(allowing, zoro, more):
    for deck in (zoro, {}, WRONG):
        request = {"game": "optcg", **ON, **more, "deck": deck}
        with allowing.app_context():
            short = ShortWay(services()).answered(sent(request))
        long = allowing.test_client().post("/v1/validate", json=request)
        assert parts(short.answer) == (
            "HTTP/1.1 200 OK",
            sorted(long.headers.to_wsgi_list()),
            long.get_data(),
        )


def test_the_cards_tell_the_game(answered, zoro):
    assert parts(answered(sent({**ON, "deck": zoro})).answer)[0].endswith("200 OK")


def test_it_takes_one_request_and_no_more(answered, zoro):
    one, other = sent({**ON, "deck": zoro}), sent({**ON, "deck": {}})
    assert answered(one + other).taken == len(one)
    assert answered(one + other[:-1]).taken == len(one)
    assert answered(one[:-1]) is None


def test_what_it_answers_is_counted(tmp_path, zoro):
    app = made(tmp_path)
    with app.app_context():
        ShortWay(services()).answered(sent({**ON, "deck": zoro}))
    text = app.test_client().get("/metrics").get_data(as_text=True)
    assert 'deckproof_request_seconds_count{method="POST",path="/v1/validate",status="200"} 1.0' in text
    assert re.search(r'deckproof_verdicts_total\{[^}]*legal="[Tt]rue"[^}]*\} 1\.0', text)


@pytest.mark.parametrize(
    "body",
    [
        {"game": "optcg", "decklist": "4 OP01-016"},
        {"game": "optcg", "deck": {"main": [{"name": "Nami", "count": 4}]}},
        {"deck": {}},
        {"game": "optcg", "deck": {}, "ruleset": "dbs-2.0"},
        {"game": "optcg", "deck": {}, "on": "2026-11-31"},
        {"game": "chess", "deck": {}},
        {"game": "optcg", "deck": {"main": [{"number": "OP01-016"}]}},
        {"game": "optcg", "deck": {}, "format": "nothing"},
        b"{",
        b"",
        b'{"game": "optcg", "deck": {}, "deck": ' + b" " * LONGEST + b"{}}",
    ],
)
def test_a_body_that_is_not_clean_takes_the_long_way(answered, body):
    assert answered(sent(body)) is None


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "application/json"},
        {"Host": "x"},
        {**FAIR, "Host": "x..y"},
        {**FAIR, "Host": "."},
        {**FAIR, "Host": "x,y"},
        {**FAIR, "Host": "x" * 64},
        {**FAIR, "Content-Type": "text/plain"},
        {**FAIR, "Accept-Language": "de"},
        {**FAIR, "Connection": "close"},
        {**FAIR, "Content-Encoding": "gzip"},
        {**FAIR, "Transfer-Encoding": "chunked"},
        {**FAIR, "Expect": "100-continue"},
        {**FAIR, "Upgrade": "h2c"},
        {**FAIR, "Content-Length": "2"},
        {**FAIR, "content-length": "1"},
        {**FAIR, "host": "y"},
        {**FAIR, "SCRIPT_NAME": "/elsewhere"},
        {**FAIR, "Accept ": "*/*"},
        {**FAIR, "Accept": "a\r\n b"},
        {**FAIR, "Accept": "a\nTransfer-Encoding: chunked"},
        {**FAIR, "Accept": "a\x00"},
        {**FAIR, "User-Agent": "a" * 4000},
    ],
)
def test_a_head_that_is_not_clean_takes_the_long_way(answered, headers):
    assert answered(sent({"game": "optcg", "deck": {}}, headers)) is None


@pytest.mark.parametrize(
    "line",
    [
        "POST /v1/validate?lang=de HTTP/1.1",
        "POST /v1/validate HTTP/1.0",
        "GET /v1/validate HTTP/1.1",
        "POST  /v1/validate HTTP/1.1",
        "POST http://x/v1/validate HTTP/1.1",
        "POST /v1/repair HTTP/1.1",
    ],
)
def test_another_request_takes_the_long_way(answered, line):
    assert answered(sent({"game": "optcg", "deck": {}}, line=line)) is None


def test_of_two_lengths_neither_is_taken(answered):
    twice = sent({"game": "optcg", "deck": {}}).replace(b"Host: x\r\n", b"Host: x\r\nContent-Length: 2\r\n")
    assert answered(twice) is None


def test_both_headers_that_are_idle_and_clean_ones_take_it(answered):
    headers = {**FAIR, "Accept": "*/*", "User-Agent": "deck/1.0 (x; y)", "X-Forwarded-For": "192.0.2.1"}
    assert answered(sent({"game": "optcg", "deck": {}}, {**headers, "Connection": "Keep-Alive"}))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = Running(tmp_path_factory.mktemp("server"))
    with running.ended():
        yield running
    assert "Traceback" not in running.log.read_text()


@pytest.mark.slow
def test_both_ways_answer_on_one_connection_in_turn(server, zoro):
    clean, text = {**ON, "deck": zoro}, {**ON, "game": "optcg", "decklist": "4 OP01-016"}
    with requests.Session() as session:
        for request, is_legal in ((clean, True), (text, False), (clean, True), (clean, True), (text, False)):
            assert session.post(f"{server.url}/v1/validate", json=request, timeout=30).json()["legal"] is is_legal


@pytest.mark.slow
def test_who_takes_no_answers_for_a_while_gets_all_of_them(server, zoro):
    request = sent({**ON, "deck": zoro, "explain": True})
    with socket.socket() as client:
        for way in (socket.SO_RCVBUF, socket.SO_SNDBUF):  # what the machine keeps for it would hold thousands
            client.setsockopt(socket.SOL_SOCKET, way, 65536)
        client.settimeout(2)
        client.connect(("127.0.0.1", server.port))
        whole, begun = 0, memoryview(request)
        while True:
            try:
                begun = begun[client.send(begun) :]
            except TimeoutError:  # neither takes any more
                break
            if not begun:
                whole, begun = whole + 1, memoryview(request)
        assert requests.get(f"{server.url}/healthz", timeout=30).ok
        client.settimeout(30)
        answers = b""
        while answers.count(b"HTTP/1.1 200 OK") < whole:
            piece = client.recv(1_000_000)
            assert piece
            answers += piece
    assert whole > 100


@pytest.mark.slow
def test_where_requests_are_limited_all_take_the_long_way(tmp_path, zoro):
    running = Running(tmp_path, ("serve", "--port", "0", "--workers", "1"), DECKPROOF_RATE_LIMIT="2/minute")
    with running.ended(), requests.Session() as session:
        asked = [session.post(f"{running.url}/v1/validate", json={"deck": zoro}, timeout=30) for _ in range(3)]
    assert [answer.status_code for answer in asked] == [200, 200, 429]
