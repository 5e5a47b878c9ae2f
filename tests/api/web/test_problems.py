"""Problems: every error is a problem document, wherever it comes from; never HTML, never a stack trace."""

from __future__ import annotations

import json
import logging

import pytest

from api.service.answers import problem_details
from api.service.answers.problem_details import PROBLEM_TYPES, error_problem, problem
from api.service.errors import Invalid, Wrong
from api.service.logs import EntryFormatter, request_id
from api.service.settings import Settings
from api.web.app import create_app
from api.web.services import services
from carddb.errors import CardDataError

PROBLEM = "application/problem+json"


def assert_problem(answer, status):
    assert answer.status_code == status
    assert answer.content_type == PROBLEM
    said = answer.json
    assert said["status"] == status
    assert said["type"] == PROBLEM_TYPES[status].uri
    assert said["title"] == PROBLEM_TYPES[status].title
    assert said["detail"]
    text = answer.get_data(as_text=True)
    assert "<html" not in text.lower()
    assert "Traceback" not in text


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("GET", "/nope", 404),
        ("GET", "/v1", 404),
        ("GET", "/v1/nope", 404),
        ("GET", "/v1//validate", 404),
        ("GET", "/v1/rulesets/nope", 404),
        ("GET", "/v1/rulesets/%00%ff", 404),
        ("GET", "/v1/limits/chess", 404),
        ("GET", "/v1/cards/chess/K-001", 404),
        ("GET", "/v1/cards/optcg/OP99-999", 404),
        ("POST", "/v1/cards/chess/collection", 415),
        ("GET", "/v1/validate", 405),
        ("DELETE", "/v1/validate", 405),
        ("POST", "/v1/rulesets", 405),
        ("PUT", "/healthz", 405),
        ("BREW", "/v1/validate", 405),
        ("POST", "/v1/validate", 415),
        ("GET", "/v1/cards", 422),
        ("GET", "/v1/cards?game=chess", 422),
        ("GET", "/v1/limits/optcg?on=never", 422),
        ("GET", "/v1/limits/optcg?on=2026-01-01&on=2026-02-01", 422),
        ("GET", "/v1/cards?game=optcg&game=dbs", 422),
    ],
)
def test_every_refusal_is_a_problem(client, method, path, status):
    assert_problem(client.open(path, method=method), status)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/rulesets", 200),
        ("GET", "/docs", 200),
        ("POST", "/v1/decklists/parse", 415),
        ("GET", "/v1/jobs/nobody", 404),
        ("OPTIONS", "/v1/sheets", 200),
        ("PUT", "/nowhere", 404),
    ],
)
def test_every_answer_forbids_browsers_what_nobody_needs(client, method, path, status):
    answer = client.open(path, method=method)
    assert answer.status_code == status
    assert_guarded(answer.headers)


def assert_guarded(headers):
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    policy = headers["Content-Security-Policy"].split("; ")
    assert {"default-src 'none'", "frame-ancestors 'none'"} <= set(policy)


def test_what_is_said_to_one_person_or_for_one_moment_is_not_kept(client, zoro):
    sheet = {"game": "optcg", "deck": zoro, "player": "Last, First"}
    for answer in (
        client.post("/v1/sheets?as=csv", json=sheet),
        client.post("/v1/decklists/parse", json={"decklist": "4 OP01-016"}),
        client.post("/v1/validate", json={}),
        client.get("/v1/jobs/nobody/result"),
    ):
        assert "no-store" in answer.headers["Cache-Control"]
    assert "no-store" not in client.get("/v1/rulesets").headers["Cache-Control"]


def test_a_mistake_of_ours_is_guarded_and_documented(settings):
    app = create_app(settings)
    app.add_url_rule("/v1/mistake", view_func=lambda: 1 / 0)
    answer = app.test_client().get("/v1/mistake")
    assert_guarded(answer.headers)
    problem_shape = app.test_client().get("/openapi.json").json["components"]["schemas"]["Problem"]
    assert answer.json.keys() <= problem_shape["properties"].keys()


def test_a_wrong_method_says_which_are_right(client):
    assert set(client.get("/v1/validate").headers["Allow"].split(", ")) == {"POST", "OPTIONS"}


@pytest.mark.parametrize(
    ("method", "path"), [("OPTIONS", "/v1/validate"), ("GET", "/v1/rulesets"), ("GET", "/v1/nope")]
)
def test_no_answer_is_a_page_or_may_be_taken_for_one(client, method, path):
    answer = client.open(path, method=method)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "html" not in answer.headers.get("Content-Type", "")
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_a_mistake_of_ours_is_500_and_names_what_the_log_has(settings):
    app = create_app(settings)
    app.add_url_rule("/v1/mistake", view_func=lambda: 1 / 0)
    answer = app.test_client().get("/v1/mistake")
    assert_problem(answer, 500)
    assert answer.json["instance"].startswith("urn:uuid:")
    assert "division" not in answer.get_data(as_text=True)


@pytest.mark.parametrize(("path", "status"), [("/nowhere", 404), ("/v1/mistake", 500)])
def test_a_problem_has_the_id_of_its_request_and_so_has_the_log(settings, caplog, path, status):
    app = create_app(settings)
    app.add_url_rule("/v1/mistake", view_func=lambda: 1 / 0)
    caplog.handler.setFormatter(EntryFormatter("text"))
    token = request_id.set("order-66")
    answer = app.test_client().get(path)
    request_id.reset(token)
    assert_problem(answer, status)
    assert answer.json["request_id"] == "order-66"
    assert len(caplog.records) == (2 if status == 500 else 0)  # the traceback, and the name that the client got
    assert caplog.text.count("[order-66]") == len(caplog.records)
    assert "request_id" not in app.test_client().get(path).json


def test_the_problem_of_a_line_of_a_batch_has_no_id_of_its_own(client):
    token = request_id.set("order-66")
    answer = client.post("/v1/validate/batch", data=b"no JSON\n", content_type="application/x-ndjson").get_data()
    request_id.reset(token)
    assert "request_id" not in json.loads(answer)["error"]


def test_card_data_that_cannot_be_had_is_503_and_the_log_has_where_they_should_be(tmp_path, caplog, monkeypatch):
    # Another test may have had the same said within this minute, and then it is not said again.
    monkeypatch.setattr(logging.getLogger(problem_details.__name__), "filters", [])
    broken = tmp_path / "cards.db"
    broken.write_bytes(b"this is no database" * 100)
    client = create_app(Settings(database_url=f"sqlite:///{broken}")).test_client()
    for answer in (client.get("/readyz"), client.post("/v1/validate", json={"game": "optcg", "deck": {}})):
        assert_problem(answer, 503)
        assert str(tmp_path) not in answer.get_data(as_text=True)
    assert str(broken) in caplog.text
    assert client.get("/healthz").status_code == 200


def test_card_data_may_fail_on_one_line_of_a_batch(tmp_path):
    app = create_app(Settings(data_dir=tmp_path))
    with app.app_context():
        here = services()

    def fails(game):
        raise CardDataError("The database is away.")

    here.judges.cards = type("Away", (), {"catalogue": staticmethod(fails)})()
    answer = app.test_client().post(
        "/v1/validate/batch", data=b'{"game": "optcg", "deck": {}}\n', content_type="application/x-ndjson"
    )
    assert json.loads(answer.get_data())["error"]["status"] == 503


def test_a_status_of_no_kind_of_ours_is_about_blank():
    assert problem(418, "No coffee.") == {
        "type": "about:blank",
        "title": "I'm a Teapot",
        "status": 418,
        "detail": "No coffee.",
    }
    assert problem(799, "What?")["type"] == "about:blank"


def test_one_thing_wrong_is_the_detail_and_several_are_counted():
    one = error_problem(Invalid([Wrong("/on", "No day.")]))
    assert one["detail"] == "No day."
    assert one["errors"] == [{"pointer": "/on", "detail": "No day."}]
    assert error_problem(Invalid([Wrong("/a", "A."), Wrong("/b", "B.")]))["detail"].startswith("2 things")


def test_the_names_of_the_kinds_are_stable():
    assert {status: kind.name for status, kind in PROBLEM_TYPES.items()} == {
        400: "malformed",
        403: "event/closed",
        404: "not-found",
        405: "method-not-allowed",
        408: "too-slow",
        409: "conflict",
        412: "changed",
        413: "too-large",
        415: "media-type",
        422: "invalid",
        428: "unconditional",
        429: "too-many-requests",
        500: "internal",
        503: "unavailable",
    }
