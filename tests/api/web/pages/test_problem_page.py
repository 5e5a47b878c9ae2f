"""Problem pages: people are told in a page what went wrong, programs as ever."""

from __future__ import annotations

import pytest
import requests
from selectolax.lexbor import LexborHTMLParser

from api.service.settings import Settings
from api.web.app import create_app
from tests.api.processes import Running

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nothing", 404), ("GET", "/rules/nothing", 404), ("DELETE", "/", 405), ("GET", "/check/when", 405)],
)
def test_a_reader_gets_a_page(client, method, path, status):
    answer = client.open(path, method=method, headers=HTML)
    assert (answer.status_code, answer.mimetype) == (status, "text/html")
    page = LexborHTMLParser(answer.get_data(as_text=True))
    assert page.css_first("h1").text()
    assert page.css_first("nav a[href='/']")
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")


@pytest.mark.parametrize(
    "path", ["/v1/nothing", "/v1/validate", "/v1/cards/optcg/OP99-999", "/docs/nothing", "/openapi.json/x"]
)
def test_a_program_gets_a_problem_document_whatever_it_accepts(client, path):
    answer = client.get(path, headers=HTML)
    assert answer.status_code in (404, 405)
    assert answer.mimetype == "application/problem+json"


def test_who_asks_for_no_page_gets_none(client):
    assert client.get("/nothing").mimetype == "application/problem+json"


def test_a_list_that_is_too_large_is_told_in_the_page(tmp_path):
    client = create_app(Settings(data_dir=tmp_path, max_body=1000)).test_client()
    answer = client.post("/", data={"decklist": "4 OP01-016\n" * 200})
    assert (answer.status_code, answer.mimetype) == (413, "text/html")
    piece = client.post("/", data={"decklist": "4 OP01-016\n" * 200}, headers={"HX-Request": "true"})
    assert piece.status_code == 413
    assert "<html" not in piece.get_data(as_text=True)


@pytest.mark.slow
def test_who_asks_too_often_is_told_in_a_page(tmp_path):
    server = Running(tmp_path, ("serve", "--port", "0", "--workers", "1"), DECKPROOF_RATE_LIMIT="1/minute")
    with server.ended():
        assert requests.get(server.url, headers=HTML, timeout=30).status_code == 200
        answer = requests.get(server.url, headers=HTML, timeout=30)
    assert (answer.status_code, answer.headers["Content-Type"]) == (429, "text/html; charset=utf-8")
    assert int(answer.headers["Retry-After"]) > 0
