"""The language of an answer: what is asked for, what is said then, and what never changes."""

import orjson
import pytest

from api.service.languages import LANGUAGES
from api.web.components import parameters_of
from api.web.language_choice import PARAMETER

DECK = {"leader": [{"number": "OP01-001", "count": 1}], "main": [{"number": "OP01-016", "count": 51}]}
ASKED = {"game": "optcg", "on": "2026-01-15", "deck": DECK}
SWAP = {
    "game": "optcg",
    "on": "2026-01-15",
    "before": DECK,
    "after": DECK | {"main": [{"number": "OP01-016", "count": 7}]},
}
SAYING = {
    "/v1/validate": ASKED,
    "/v1/swaps/validate": SWAP,
    "/v1/repair": ASKED,
    "/v1/timeline": ASKED,
    "/v1/odds": ASKED,
    "/v1/decklists/parse": {"game": "optcg", "decklist": "1 OP01-001\n4x ???"},
    "/v1/decklists/write": {"game": "optcg", "deck": DECK, "format": "optcgsim"},
}


READ = ("message", "fix", "says", "why", "headline", "reason")


def sentences(found):
    """The texts of an answer that people read, wherever they stand in it."""
    if isinstance(found, dict):
        for key, value in found.items():
            if isinstance(value, str):
                # What a change is owed to is a code in a repair and a sentence in a timeline.
                is_read = " " in value if key == "because" else key in READ
                yield from [value] if is_read else []
            elif key != "details":
                yield from value if key == "leaves_out" else sentences(value)
    elif isinstance(found, list):
        for one in found:
            yield from sentences(one)


def unsaid(found):
    """An answer without those texts and those that are made of them."""
    if isinstance(found, dict):
        kept = {key: value for key, value in found.items() if key not in (*READ, "leaves_out", "of")}
        return {key: unsaid(value) for key, value in kept.items() if not isinstance(value, str) or key != "because"}
    return [unsaid(one) for one in found] if isinstance(found, list) else found


@pytest.mark.parametrize("path", SAYING)
@pytest.mark.parametrize("lang", [code for code in LANGUAGES if code != "en"])
def test_sentences_are_said_in_the_language_asked_for_and_nothing_else_changes(client, path, lang):
    english = client.post(path, json=SAYING[path])
    said = client.post(f"{path}?lang={lang}", json=SAYING[path])
    assert said.status_code == english.status_code == 200
    assert unsaid(said.json) == unsaid(english.json)
    pairs = list(zip(sentences(said.json), sentences(english.json), strict=True))
    assert path.endswith("write") or pairs
    assert all(one != other for one, other in pairs if other)
    assert said.headers["Content-Language"] == lang
    assert english.headers["Content-Language"] == "en"
    assert "Accept-Language" in said.vary
    assert "Accept-Language" in english.vary


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("pt-BR, fr;q=0.5, en;q=0.4", "fr"),
        ("ja-JP", "ja"),
        ("de-AT, en", "de"),
        ("en;q=0.5, de-CH", "de"),
        ("de-AT;q=0.4, fr-CA;q=0.6", "fr"),
        ("de-AT;q=0, en;q=0.1", "en"),
        ("zh-Hant-TW, it-IT;q=0.9, en;q=0.8", "it"),
        ("tlh", "en"),
        ("*", "en"),
        ("", "en"),
        ("en;q=broken, \x7f,,;=", "en"),
        ("x" * 100_000, "en"),
    ],
)
def test_the_browser_says_which_language_is_wanted(client, header, lang):
    found = client.post("/v1/validate", json=ASKED, headers={"Accept-Language": header})
    assert found.headers["Content-Language"] == lang
    asked = client.post("/v1/validate?lang=it", json=ASKED, headers={"Accept-Language": header})
    assert asked.headers["Content-Language"] == "it"


def test_pages_and_problems_take_a_regional_language_for_its_language(client):
    headers = {"Accept-Language": "de-AT, en"}
    assert '<html lang="de"' in client.get("/", headers=headers).text
    assert client.get("/v1/nope", headers=headers).headers["Content-Language"] == "de"


@pytest.mark.parametrize("path", SAYING)
@pytest.mark.parametrize("lang", ["tlh", "", "DE ", "../de"])
def test_a_language_that_is_not_spoken_is_refused_with_those_that_are(client, path, lang):
    found = client.post(path, json=SAYING[path], query_string={"lang": lang})
    assert found.status_code == 422
    assert found.json["errors"][0]["pointer"] == "/lang"
    assert all(code in found.json["errors"][0]["detail"] for code in LANGUAGES)


def test_plain_text_takes_the_language_beside_its_terms(client):
    text = "1 OP01-001\n51 OP01-016"
    found = client.post("/v1/validate?game=optcg&on=2026-01-15&lang=de", data=text, content_type="text/plain")
    assert found.headers["Content-Language"] == "de"
    assert [one["code"] for one in found.json["findings"]] == ["copies.exceeded", "size"]
    assert "Exemplare" in found.json["findings"][0]["message"]
    parsed = client.post("/v1/decklists/parse?game=optcg&lang=fr", data="4x ???", content_type="text/plain")
    assert parsed.headers["Content-Language"] == "fr"


def test_other_parameters_beside_json_are_still_refused(client):
    assert client.post("/v1/validate?lang=de&game=optcg", json=ASKED).status_code == 422


@pytest.mark.parametrize("how", [{"query_string": {"lang": "ja"}}, {"headers": {"Accept-Language": "ja"}}])
def test_a_batch_is_answered_in_one_language(client, how):
    line = orjson.dumps(ASKED) + b"\n"
    found = client.post("/v1/validate/batch", data=line * 2, content_type="application/x-ndjson", **how)
    assert found.headers["Content-Language"] == "ja"
    assert "Accept-Language" in found.vary
    verdicts = [orjson.loads(one) for one in found.data.splitlines()]
    assert all("枚" in finding["message"] for verdict in verdicts for finding in verdict["findings"])


def test_explained_rules_are_said_in_the_language(client):
    found = client.post("/v1/validate?lang=es", json=ASKED | {"explain": True}).json
    english = client.post("/v1/validate", json=ASKED | {"explain": True}).json
    assert [one["rule"] for one in found["checked"]] == [one["rule"] for one in english["checked"]]
    assert "Un mazo tiene exactamente 50 cartas." in [one["says"] for one in found["checked"]]


def test_the_document_has_the_language_wherever_sentences_are_said(client):
    document = client.get("/openapi.json").json
    for path in (*SAYING, "/v1/validate/batch"):
        named = {one["name"]: one for one in parameters_of(document, document["paths"][path]["post"])}
        assert named["lang"]["schema"]["enum"] == list(LANGUAGES)
        assert named["lang"]["description"] == PARAMETER.document["description"]
