"""The ASGI application: its own answers are those that Flask gives, and everything else goes to Flask."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

from api.service.settings import Settings
from api.web.app import create_app
from api.web.asgi import Application
from api.web.fast_answers import LONGEST
from tests.api.web.asgi_client import ask, request_scope

JSON = (b"content-type", b"application/json")
NDJSON = (b"content-type", b"application/x-ndjson")
ON = {"on": "2026-11-01"}
WRONG = {"main": [{"number": "OP01-016", "count": 5}, {"number": "OP01-017", "count": 1}]}
# What proxies and browsers add; none of it changes an answer.
ADDED_HEADERS = {
    "nginx": {"x-real-ip": "192.0.2.7", "x-forwarded-for": "192.0.2.7", "connection": "close"},
    "heroku": {"x-request-start": "1", "connect-time": "0", "via": "1.1 vegur", "x-request-id": "a-1"},
    "cloudflare": {"cf-ray": "8-FRA", "cf-connecting-ip": "192.0.2.7", "x-amzn-trace-id": "Root=1-2-3"},
    "chrome": {"sec-fetch-mode": "cors", "sec-ch-ua": '"Chromium";v="156"', "user-agent": "Mozilla/5.0"},
    "opentelemetry": {"traceparent": "00-1-2-01", "tracestate": "a=b", "baggage": "c=d"},
    "key": {"authorization": "Bearer x", "cookie": "a=b", "expect": "100-continue"},
}


def application(folder, **settings):
    """Return the Flask application and the ASGI application in front of it, with a judge of the day `ON`."""
    flask = create_app(Settings(data_dir=folder, **settings))
    flask.test_client().post("/v1/validate", json={"game": "optcg", **ON, "deck": {}})
    flask.test_client().post("/v1/validate", json={"game": "optcg", **ON, "format": "extra", "deck": {}})
    flask.test_client().post("/v1/validate", json={"game": "optcg", **ON, "policy": {"limits": False}, "deck": {}})
    return flask, Application(flask)


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    return application(tmp_path_factory.mktemp("data"))


def fast_answers(flask, path="/v1/validate"):
    """Return how many requests for a path were answered without Flask."""
    text = flask.test_client().get("/metrics").get_data(as_text=True)
    found = re.search(rf'deckproof_fast_path_total{{path="{path}"}} ([0-9.]+)', text)
    return float(found[1]) if found else 0.0


def by_flask(flask, body, headers=(), query="", path="/v1/validate"):
    """Return status, headers and body of Flask's own answer, with the names of headers in lower case."""
    given = {name.decode(): value.decode() for name, value in headers}
    answer = flask.test_client().post(f"{path}{query}", data=body, headers=given)
    said = sorted((name.lower(), value) for name, value in answer.headers.to_wsgi_list())
    return answer.status_code, said, answer.get_data()


def assert_same(flask, app, body, headers=(JSON,), query=b""):
    """Check that the application answers as Flask alone does, but for the id of the request; return the answer."""
    answer = ask(app, "POST", "/v1/validate", body, headers, query)
    status, expected, content = by_flask(flask, body, headers, f"?{query.decode()}" if query else "")
    said, told = json.loads(answer.body), json.loads(content)
    if status != 200:
        del said["request_id"]
    differ = ("x-request-id",) if status == 200 else ("x-request-id", "content-length")
    assert [pair for pair in answer.headers if pair[0] not in differ] == [p for p in expected if p[0] not in differ]
    assert (answer.status, said) == (status, told)
    assert status != 200 or answer.body == content
    return answer


@pytest.mark.slow
@pytest.mark.parametrize("origins", [("*",), (), ("https://decks.example",)])
@pytest.mark.parametrize(
    "more", [{}, {"explain": True}, {"summary": True}, {"format": "extra"}, {"policy": {"limits": False}}]
)
def test_a_fast_answer_is_that_of_flask(tmp_path, zoro, origins, more):
    flask, app = application(tmp_path, origins=origins)
    for number, deck in enumerate((zoro, {}, WRONG), 1):
        body = json.dumps({"game": "optcg", **ON, **more, "deck": deck}).encode()
        assert assert_same(flask, app, body).status == 200
        assert fast_answers(flask) == number


@pytest.mark.parametrize("added", ADDED_HEADERS.values(), ids=ADDED_HEADERS)
def test_added_headers_leave_a_fast_answer_as_it_is(both, zoro, added):
    flask, app = both
    body = json.dumps({"game": "optcg", **ON, "deck": zoro}).encode()
    plain, before = ask(app, "POST", "/v1/validate", body, [JSON]), fast_answers(flask)
    headers = [JSON, *((name.encode(), value.encode()) for name, value in added.items())]
    answer = ask(app, "POST", "/v1/validate", body, headers)
    assert (answer.status, answer.body) == (200, plain.body)
    assert [name for name, _ in answer.headers] == [name for name, _ in plain.headers]
    assert fast_answers(flask) == before + 1


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])
@pytest.mark.parametrize("wanted", ["de", "ja;q=0.5, fr", "xx", "", "a" * 5000])
@pytest.mark.parametrize("query", [b"", b"lang=it"])
def test_fast_answers_speak_each_language(both, content_type, wanted, query):
    flask, app = both
    before = fast_answers(flask)
    headers = [(b"content-type", content_type.encode()), (b"accept-language", wanted.encode())]
    assert_same(flask, app, json.dumps({"game": "optcg", **ON, "deck": WRONG}).encode(), headers, query)
    assert fast_answers(flask) == before + 1


@pytest.mark.parametrize("origin", ["https://decks.example", "null", "http://x\u00e9"])
def test_fast_answers_may_be_read_by_pages_of_other_sites(both, origin):
    assert_same(*both, json.dumps({"game": "optcg", **ON, "deck": {}}).encode(), [JSON, (b"origin", origin.encode())])


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
        {"game": "optcg", **ON, "deck": {"main": [{"number": "OP99-999", "count": 4}]}},
        b"{",
        b"",
        b'{"game": "optcg", "deck": {}, "deck": ' + b" " * LONGEST + b"{}}",
    ],
)
def test_flask_answers_a_body_that_is_not_clean(both, body):
    flask, app = both
    before = fast_answers(flask)
    assert_same(flask, app, body if isinstance(body, bytes) else json.dumps(body).encode())
    assert fast_answers(flask) == before


@pytest.mark.parametrize(
    ("headers", "query"),
    [
        ([], b""),
        ([(b"content-type", b"text/plain")], b""),
        ([(b"content-type", b"application/json; charset=latin-1")], b""),
        ([JSON, (b"content-encoding", b"gzip")], b""),
        ([JSON], b"lang=xx"),
        ([JSON], b"game=optcg"),
        ([JSON], b"lang=de&lang=fr"),
    ],
)
def test_flask_answers_a_head_that_is_not_clean(both, headers, query):
    flask, app = both
    before = fast_answers(flask)
    assert_same(flask, app, json.dumps({"game": "optcg", **ON, "deck": {}}).encode(), headers, query)
    assert fast_answers(flask) == before


def test_a_query_may_come_unquoted(both):
    _, app = both
    query = "q=ルフィ&game=optcg".encode()
    assert ask(app, "GET", "/v1/cards", query=query).status == 200


def test_fast_verdicts_and_requests_are_counted(tmp_path, zoro):
    flask, app = application(tmp_path)
    ask(app, "POST", "/v1/validate", json.dumps({"game": "optcg", **ON, "deck": zoro}).encode(), [JSON])
    ask(app, "GET", "/v1/rulesets/optcg-1.1.9")
    text = flask.test_client().get("/metrics").get_data(as_text=True)
    assert 'deckproof_request_seconds_count{method="POST",path="/v1/validate",status="200"} 1.0' in text
    assert 'deckproof_request_seconds_count{method="GET",path="/v1/rulesets/<id>",status="200"} 1.0' in text
    assert re.search(r'deckproof_verdicts_total\{[^}]*legal="[Tt]rue"[^}]*\} 1\.0', text)


def test_a_request_has_one_id(both):
    _, app = both
    assert ask(app, "GET", "/healthz", headers=[(b"x-request-id", b"order-66")]).header("x-request-id") == "order-66"
    for hostile in (b"a b", b"", b"a" * 200, b"<script>"):
        answer = ask(app, "GET", "/v1/none", headers=[(b"x-request-id", hostile)])
        assert re.fullmatch("[0-9a-f]{16}", answer.header("x-request-id"))
        assert json.loads(answer.body)["request_id"] == answer.header("x-request-id")


def test_a_limited_address_is_told_when_to_come_again(tmp_path, zoro):
    _, app = application(tmp_path, rate_limit="2/hour")
    body = json.dumps({"game": "optcg", **ON, "deck": zoro}).encode()
    answers = [ask(app, "POST", "/v1/validate", body, [JSON]) for _ in range(3)]
    assert [answer.status for answer in answers] == [200, 200, 429]
    assert [answer.header("x-ratelimit-remaining") for answer in answers] == ["1", "0", "0"]
    assert 1 <= int(answers[-1].header("retry-after")) <= 3600
    assert ask(app, "GET", "/healthz").status == 200
    page = ask(app, "GET", "/", headers=[(b"accept", b"text/html")])
    assert (page.status, page.header("content-type")) == (429, "text/html; charset=utf-8")


def test_the_body_of_a_refused_request_is_received(tmp_path):
    """A connection that is closed on unread bytes is reset, and its client never reads why it was refused."""
    _, app = application(tmp_path, rate_limit="1/hour")
    messages, sent = [], []
    for _ in range(2):
        messages[:] = [{"type": "http.request", "body": b"x" * 50_000, "more_body": at < 9} for at in range(10)]
        sent.clear()
        asyncio.run(app(request_scope("POST", "/v1/validate", [JSON]), receive_from(messages), send_to(sent)))
    assert (sent[0]["status"], messages) == (429, [])


def receive_from(messages):
    async def receive():
        return messages.pop(0)

    return receive


def send_to(sent):
    async def send(message):
        sent.append(message)

    return send


BATCH = "/v1/validate/batch"


@pytest.mark.parametrize("cut", [1, 7, 100, 10_000])
def test_a_batch_is_answered_line_by_line_however_it_comes(both, zoro, cut):
    flask, app = both
    lines = [{"game": "optcg", **ON, "deck": deck} for deck in (zoro, WRONG, {})]
    body = b"\xef\xbb\xbf" + b"\n".join(json.dumps(line).encode() for line in [*lines, {}]) + b"\n\n[]"
    pieces = [body[at : at + cut] for at in range(0, len(body), cut)]
    answer = ask(app, "POST", BATCH, headers=[NDJSON], pieces=pieces)
    status, headers, content = by_flask(flask, body, [NDJSON], path=BATCH)
    assert (answer.status, answer.body) == (status, content)
    assert [pair for pair in answer.headers if pair[0] != "x-request-id"] == headers
    assert content.count(b"\n") == 5


def test_a_batch_that_is_cut_off_says_at_which_line(both):
    _, app = both
    line = json.dumps({"game": "optcg", **ON, "deck": {}}).encode() + b"\n"

    answer = ask(app, "POST", BATCH, headers=[NDJSON, (b"content-length", b"9000")], pieces=[line, line[:20], None])
    first, second = map(json.loads, answer.body.splitlines())
    assert first["legal"] is False
    assert (second["line"], second["error"]["status"]) == (2, 400)


@pytest.mark.parametrize("path", ["/v1/validate", BATCH])
def test_a_body_that_says_it_is_too_large_is_413(both, path):
    _, app = both
    headers = [NDJSON if path == BATCH else JSON, (b"content-length", b"300000000")]
    answer = ask(app, "POST", path, b"{}", headers)
    assert (answer.status, answer.header("content-type")) == (413, "application/problem+json")


def test_a_body_that_turns_out_too_large_is_413(tmp_path):
    app = Application(create_app(Settings(data_dir=tmp_path, max_body=10_000, max_batch=20_000)))
    assert ask(app, "POST", "/v1/validate", b" " * 10_001, [JSON]).status == 413
    answer = ask(app, "POST", BATCH, headers=[NDJSON], pieces=[b"{}\n" * 3000] * 3)
    assert json.loads(answer.body.splitlines()[-1])["error"]["status"] == 413


@pytest.mark.parametrize("url", ["http://decks.example", "HTTPS://decks.example:8000"])
@pytest.mark.parametrize(("path", "status"), [("/healthz", 200), ("/v1/rulesets", 200), ("/nope", 404), ("", 200)])
def test_the_target_of_a_request_may_be_a_whole_url(both, url, path, status):
    _, app = both
    assert ask(app, "GET", url + path).status == status


@pytest.mark.parametrize(
    "headers",
    [
        [(b"accept-language", b"de"), (b"accept-language", b"fr")],
        [(b"accept-language", b"ja"), (b"accept-language", b"zz")],
        [(b"content-encoding", b"gzip"), (b"content-encoding", b"identity")],
    ],
)
def test_a_header_that_comes_twice_counts_as_a_list(both, headers):
    flask, app = both
    body = json.dumps({"game": "optcg", **ON, "deck": WRONG}).encode()
    answer = ask(app, "POST", "/v1/validate", body, [JSON, *headers])
    joined = [JSON, (headers[0][0], b",".join(value for _, value in headers))]
    status, expected, _ = by_flask(flask, body, joined)
    assert (answer.status, answer.header("content-language")) == (status, dict(expected).get("content-language"))


@pytest.mark.parametrize(("path", "headers"), [("/healthz", ()), ("/v1/rulesets", [(b"host", b"a/b")])])
def test_the_answer_to_a_head_request_has_no_body(both, path, headers):
    _, app = both
    answer, whole = ask(app, "HEAD", path, headers=headers), ask(app, "GET", path, headers=headers)
    assert (answer.status, answer.body) == (whole.status, b"")
    assert answer.header("content-type") == whole.header("content-type")


@pytest.mark.parametrize("host", [b"[::1]:8000", b"decks.example.", b"a_b", b"127.0.0.1:99999", b"127.0.0.1:"])
def test_a_host_may_have_any_form_of_the_standard(both, host):
    _, app = both
    assert ask(app, "GET", "/v1/rulesets", headers=[(b"host", host)]).status == 200
