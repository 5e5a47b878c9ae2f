"""HTTP as the standard has it (RFC 9110, RFC 9112): what is ambiguous is refused, and nothing is smuggled in."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest

from tests.hostile.clients import DECK, HEALTH, VALIDATE, VALIDATE_LARGE, Client, ask, make_request, upload_head

pytestmark = pytest.mark.slow

SMUGGLED = b"GET /v1/rulesets HTTP/1.1\r\nHost: x\r\n\r\n"
_POST = b"POST /v1/validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
_LENGTH = b"Content-Length: %d\r\n" % len(DECK)
_CHUNKED = b"Transfer-Encoding: chunked\r\n"


def chunked_request(*chunks):
    """Return a request whose body are these bytes, which should be chunks."""
    return _POST + _CHUNKED + b"\r\n" + b"".join(chunks)


HOSTS = {
    "none": b"",
    "two": b"Host: a\r\nHost: b\r\n",
    "the same twice": b"Host: a\r\nHost: a\r\n",
    "with a path": b"Host: a/b\r\n",
    "with a user": b"Host: me@a\r\n",
    "with a space": b"Host: a b\r\n",
    "with a port that is no number": b"Host: a:b\r\n",
    "empty": b"Host:\r\n",
}
AMBIGUOUS = {
    "length and chunks": _POST + _LENGTH + _CHUNKED + b"\r\n0\r\n\r\n",
    "chunks and length": _POST + _CHUNKED + _LENGTH + b"\r\n0\r\n\r\n",
    "two lengths": _POST + _LENGTH + b"Content-Length: 1\r\n\r\n" + DECK,
    "a list of lengths": _POST + b"Content-Length: 1, 90\r\n\r\n" + DECK,
    "a signed length": _POST + b"Content-Length: +90\r\n\r\n" + DECK,
    "a negative length": _POST + b"Content-Length: -1\r\n\r\n" + DECK,
    "a hexadecimal length": _POST + b"Content-Length: 0x5a\r\n\r\n" + DECK,
    "an empty length": _POST + b"Content-Length:\r\n\r\n" + DECK,
    "a length with underscores": _POST + b"Content-Length: 9_0\r\n\r\n" + DECK,
    "a length of 5,000 digits": _POST + b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\n" + DECK,
    "a coding that is not known": _POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "chunked twice": _POST + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    "chunked, then another coding": _POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "a space before the colon": _POST + b"Content-Length : 90\r\n\r\n" + DECK,
    "a folded header": _POST + b"X-X: a\r\n b\r\n" + _LENGTH + b"\r\n" + DECK,
    "a header without a name": _POST + b": a\r\n" + _LENGTH + b"\r\n" + DECK,
    "a header without a colon": _POST + b"X-X\r\n" + _LENGTH + b"\r\n" + DECK,
    "NUL in a header": _POST + b"X-X: a\0b\r\n" + _LENGTH + b"\r\n" + DECK,
    "NUL in a name": _POST + b"X\0X: a\r\n" + _LENGTH + b"\r\n" + DECK,
    "NUL in the path": b"GET /v1/\0rulesets HTTP/1.1\r\nHost: x\r\n\r\n",
    "a bare CR in a header": _POST + b"X-X: a\rTransfer-Encoding: chunked\r\n" + _LENGTH + b"\r\n" + DECK,
    "a bare CR after the method": b"POST\r/v1/validate HTTP/1.1\r\nHost: x\r\n\r\n",
    "a tab in the request line": b"GET\t/v1/rulesets\tHTTP/1.1\r\nHost: x\r\n\r\n",
    "no version": b"GET /v1/rulesets\r\nHost: x\r\n\r\n",
    "an unknown version": b"GET /v1/rulesets HTTP/3.7\r\nHost: x\r\n\r\n",
    "a version in small letters": b"GET /v1/rulesets http/1.1\r\nHost: x\r\n\r\n",
    "the preface of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
    "a proxy's preface": b"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n" + VALIDATE,
    "a chunk size that is no number": chunked_request(b"z\r\n"),
    "a chunk size with a sign": chunked_request(b"+2\r\n{}\r\n0\r\n\r\n"),
    "a negative chunk size": chunked_request(b"-2\r\n{}\r\n0\r\n\r\n"),
    "a chunk size with 0x": chunked_request(b"0x2\r\n{}\r\n0\r\n\r\n"),
    "a chunk size with underscores": chunked_request(b"0_2\r\n{}\r\n0\r\n\r\n"),
    "an empty chunk size": chunked_request(b"\r\n{}\r\n0\r\n\r\n"),
    "a chunk size of 40 digits": chunked_request(b"f" * 40 + b"\r\n{}"),
    "a chunk longer than its size": chunked_request(b"1\r\n{}\r\n0\r\n\r\n"),
    "a chunk that ends with LF": chunked_request(b"2\r\n{}\n0\r\n\r\n"),
}


@pytest.mark.parametrize("hosts", HOSTS.values(), ids=HOSTS)
@pytest.mark.parametrize("path", [b"/healthz", b"/v1/rulesets", b"/v1/validate"])
def test_a_request_needs_one_host(server, path, hosts):
    method, body = (b"POST", DECK) if path == b"/v1/validate" else (b"GET", b"")
    head = b"%b %b HTTP/1.1\r\n%bContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    assert ask(server.port, head % (method, path, hosts, len(body)) + body).status == 400


@pytest.mark.parametrize("host", ["a", "a.example", "a:80", "a.example:65535", "127.0.0.1:8000", "[::1]:8000", "[::1]"])
def test_every_form_of_a_host_is_taken(server, host):
    assert ask(server.port, VALIDATE.replace(b"deckproof.example", host.encode())).status == 200


@pytest.mark.parametrize("sent", AMBIGUOUS.values(), ids=AMBIGUOUS)
def test_what_is_ambiguous_is_refused_and_nothing_after_it_is_answered(server, sent):
    with Client(server.port) as client:
        client.send(sent + SMUGGLED)
        answered = client.rest()  # a TimeoutError if the server keeps the connection
    assert re.match(rb"HTTP/1\.[01] (?:4\d\d|501|505) ", answered), answered
    assert len(re.findall(rb"HTTP/1\.[01] \d{3} ", answered)) == 1
    assert b"<html" not in answered.lower()
    assert b"Traceback" not in answered


def test_a_body_is_no_request(server):
    with Client(server.port) as client:
        client.send(make_request("/v1/validate", SMUGGLED) + HEALTH)
        assert [client.answer().status for _ in range(2)] == [400, 200]


@pytest.mark.parametrize("value", ["close", "keep-alive, close", "close, keep-alive", "CLOSE", "x,close"])
def test_a_connection_that_is_to_be_closed_is_closed(server, value):
    for sent in (VALIDATE, HEALTH, make_request("/v1/rulesets", method="GET")):
        with Client(server.port) as client:
            client.send(sent.replace(b"\r\n", b"\r\nConnection: %b\r\n" % value.encode(), 1))
            answer = client.answer()
            assert (answer.status, answer.headers["Connection"].lower()) == (200, "close")
            assert client.rest() == b""


@pytest.mark.parametrize("sent", [VALIDATE, HEALTH], ids=["verdict", "health"])
def test_http_1_0_is_closed_unless_it_is_to_be_kept(server, sent):
    old = sent.replace(b"HTTP/1.1", b"HTTP/1.0")
    with Client(server.port) as client:
        client.send(old)
        assert client.answer().status == 200
        assert client.rest() == b""
    with Client(server.port) as client:
        client.send(old.replace(b"\r\n", b"\r\nConnection: keep-alive\r\n", 1))
        answer = client.answer()
        assert answer.status == 200
        # A server may keep the connection if it says so, else it has to close it.
        if answer.headers["Connection"] == "keep-alive":
            client.send(old)
            assert client.answer().status == 200
        else:
            assert client.rest() == b""


@pytest.mark.parametrize("path", ["/v1/validate", "/v1/workbooks?game=optcg", "/v1/validate/batch"])
def test_a_client_that_waits_for_100_gets_it(server, path):
    media_type = {"/v1/validate": "application/json", "/v1/validate/batch": "application/x-ndjson"}.get(
        path, "text/csv"
    )
    body = DECK + b"\n"
    head = upload_head(len(body), path, media_type).replace(b"\r\n", b"\r\nExpect: 100-continue\r\n", 1)
    with Client(server.port) as client:
        client.send(head)
        assert client.answer().status == 100
        client.send(body)
        assert client.answer().status in (200, 422)  # a deck in JSON is no workbook
        client.send(HEALTH)
        assert client.answer().status == 200


def test_a_client_that_does_not_wait_for_100_is_answered(server):
    with Client(server.port) as client:
        client.send(VALIDATE.replace(b"\r\n", b"\r\nExpect: 100-continue\r\n", 1))
        answer = client.answer()
        assert (client.answer() if answer.status == 100 else answer).status == 200


@pytest.mark.parametrize("path", ["/v1/validate", "/v1/workbooks?game=optcg"])
def test_a_body_that_is_too_large_is_refused_instead_of_100(server, path):
    head = upload_head(50_000_000, path, "application/json" if path == "/v1/validate" else "text/csv")
    with Client(server.port) as client:
        client.send(head.replace(b"\r\n", b"\r\nExpect: 100-continue\r\n", 1))
        assert client.answer().status == 413


def test_a_head_that_is_asked_for_has_no_body(server):
    with Client(server.port) as client:
        for path in ("/healthz", "/v1/rulesets", "/openapi.json", "/nowhere"):
            client.send(make_request(path, method="HEAD"))
            head = client.answer("HEAD")
            client.send(make_request(path, method="GET"))
            whole = client.answer()
            assert head.status == whole.status
            assert head.headers["Content-Length"] in (None, str(len(whole.body)))


PIPELINED = [
    (VALIDATE, 200),
    (make_request("/nowhere", method="GET"), 404),
    (HEALTH, 200),
    (VALIDATE, 200),
    (make_request("/v1/validate", b"no JSON"), 400),
    (make_request("/v1/rulesets", method="GET"), 200),
    (VALIDATE_LARGE, 200),
    (HEALTH, 200),
    (chunked_request(b"%x\r\n%b\r\n0\r\n\r\n" % (len(DECK), DECK)), 200),
    (make_request("/v1/validate/batch", DECK + b"\n", media_type="application/x-ndjson"), 200),
    (VALIDATE, 200),
]


def test_pipelined_requests_are_answered_in_their_order(server):
    bodies = [ask(server.port, sent).body for sent, _ in PIPELINED]
    with Client(server.port) as client:
        client.send(b"".join(sent for sent, _ in PIPELINED))
        for body, (sent, status) in zip(bodies, PIPELINED, strict=True):
            answer = client.answer()
            assert answer.status == status, sent
            assert status != 200 or answer.body == body, sent  # a problem may have an id of its request


def test_more_pipelined_requests_than_a_server_holds_are_answered_in_their_order_or_closed(server):
    """A server may close the connection instead of buffering 200 kB. The client then sends the rest again."""
    statuses = [status for _, status in PIPELINED] * 5
    found = []
    with Client(server.port) as client, suppress(ConnectionError):
        client.send(b"".join(sent for sent, _ in PIPELINED) * 5)
        for _ in statuses:
            found.append(client.answer().status)
    assert found
    assert found == statuses[: len(found)]


REQUESTS = {
    "verdict": VALIDATE,
    "health": HEALTH,
    "rulesets": make_request("/v1/rulesets", method="GET"),
    "batch": make_request("/v1/validate/batch", DECK + b"\n", media_type="application/x-ndjson"),
}


@pytest.mark.parametrize("sent", REQUESTS.values(), ids=REQUESTS)
def test_a_request_id_is_returned_once(server, sent):
    for wanted in ("a", "0123-ABC_def.9", "x" * 128):
        answer = ask(server.port, sent.replace(b"\r\n", b"\r\nX-Request-Id: %b\r\n" % wanted.encode(), 1))
        assert answer.headers.get_all("X-Request-Id") == [wanted]


HOSTILE_IDS = ["", "x" * 129, "a b", "a\tb", "<script>", 'a"b', "a\x01b", "a\xffb", "a;b", "%0d%0aSet-Cookie: a=b", "é"]


@pytest.mark.parametrize("sent", REQUESTS.values(), ids=REQUESTS)
@pytest.mark.parametrize("hostile", HOSTILE_IDS)
def test_a_hostile_request_id_is_not_returned(server, sent, hostile):
    line = b"\r\nX-Request-Id: %b\r\n" % hostile.encode("latin-1")
    answer = ask(server.port, sent.replace(b"\r\n", line, 1))
    if answer.status == 400:  # refused for what no header may have
        return
    assert answer.status == 200
    (made,) = answer.headers.get_all("X-Request-Id")
    assert re.fullmatch(r"[A-Za-z0-9._-]{1,128}", made)
    assert made != hostile


def test_of_two_request_ids_none_or_one_is_returned(server):
    for sent in REQUESTS.values():
        answer = ask(server.port, sent.replace(b"\r\n", b"\r\nX-Request-Id: a\r\nX-Request-Id: b\r\n", 1))
        assert len(answer.headers.get_all("X-Request-Id")) == 1


def test_requests_without_an_id_get_different_ones(server):
    made = {ask(server.port, sent).headers["X-Request-Id"] for sent in REQUESTS.values() for _ in range(3)}
    assert len(made) == 3 * len(REQUESTS)
    assert None not in made
