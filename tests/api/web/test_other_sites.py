"""Other sites: their pages may ask what keeps nothing, as far as the setting lets them, and read the answers."""

from __future__ import annotations

import pytest

from api.service.errors import SettingError
from api.service.settings import Settings
from api.web.app import create_app

SITE = "https://decks.example"
ALLOWED = "Access-Control-Allow-Origin"
STATELESS = [
    "/v1/validate",
    "/v1/validate/batch",
    "/v1/swaps/validate",
    "/v1/decklists/parse",
    "/v1/timeline",
    "/v1/odds",
    "/v1/repair",
]
KEEPING = ["/v1/workbooks", "/v1/jobs/nobody", "/readyz", "/metrics", "/v1/validated"]


@pytest.fixture
def of(tmp_path):
    return lambda *origins: create_app(Settings(data_dir=tmp_path, origins=origins)).test_client()


def preflight(client, path, site=SITE):
    wanted = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    return client.options(path, headers={"Origin": site} | wanted).headers


@pytest.mark.parametrize("path", STATELESS)
def test_any_page_may_ask_what_keeps_nothing(client, path):
    headers = preflight(client, path)
    assert headers[ALLOWED] == "*"
    assert "POST" in headers["Access-Control-Allow-Methods"]
    assert headers["Access-Control-Allow-Headers"] == "*"
    assert "Access-Control-Allow-Credentials" not in headers


@pytest.mark.parametrize("path", KEEPING)
def test_no_page_may_ask_what_keeps_something(client, path):
    assert ALLOWED not in preflight(client, path)
    assert ALLOWED not in client.get(path, headers={"Origin": SITE}).headers


def test_errors_are_read_by_pages_too(client):
    for answer in (
        client.post("/v1/validate", data=b"{", content_type="application/json", headers={"Origin": SITE}),
        client.get("/v1/cards/optcg/nobody", headers={"Origin": SITE}),
        client.get("/v1/cards?gmae=optcg", headers={"Origin": SITE}),
    ):
        assert answer.status_code >= 400
        assert answer.headers[ALLOWED] == "*"


def test_a_sheet_is_named_to_pages(client):
    exposed = client.get("/v1/rulesets", headers={"Origin": SITE}).headers["Access-Control-Expose-Headers"]
    assert {"Content-Disposition", "Deckproof-Legal"} <= set(exposed.split(", "))


def test_the_setting_names_the_sites(of):
    client = of(SITE, "https://other.example:8443")
    assert preflight(client, "/v1/validate")[ALLOWED] == SITE
    answer = client.get("/v1/rulesets", headers={"Origin": "https://other.example:8443"})
    assert (answer.headers[ALLOWED], "Origin" in answer.headers.getlist("Vary")) == ("https://other.example:8443", True)
    for site in ("https://decks.example.evil.example", "http://decks.example", "https://decksXexample", "null"):
        assert ALLOWED not in preflight(client, "/v1/validate", site)


def test_the_setting_may_close_the_door(of):
    assert ALLOWED not in preflight(of(), "/v1/validate")


@pytest.mark.parametrize(
    ("written", "origins"),
    [
        ("*", ("*",)),
        ("none", ()),
        ("https://a.example, http://localhost:8080 https://a.example", ("https://a.example", "http://localhost:8080")),
    ],
)
def test_sites_are_read(written, origins):
    assert Settings.from_environment({"DECKPROOF_ORIGINS": written}).origins == origins


@pytest.mark.parametrize("written", ["decks.example", "https://decks.example/", "https://.*", "*, https://a.example"])
def test_what_is_no_site_is_refused(written):
    with pytest.raises(SettingError, match="DECKPROOF_ORIGINS"):
        Settings.from_environment({"DECKPROOF_ORIGINS": written})
