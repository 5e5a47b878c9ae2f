"""A text of several decks, sent where one deck is taken: it is not legal, and the finding names each of them."""

from __future__ import annotations

import io
import json
from urllib.parse import urlencode

import pytest

from tests.api.events.conftest import LEGAL

DAY = "2026-10-25"
TWO = f"Deck: Red\n{LEGAL}\nDeck: Blue\n{LEGAL}"
NAMED = [{"name": "Red", "cards": 51}, {"name": "Blue", "cards": 51}]
TERMS = {"game": "optcg", "on": DAY}


def told(findings):
    """Return the decks that each finding of several decks names, where it is an error."""
    return [one["details"]["decks"] for one in findings if (one["code"], one["severity"]) == ("list.several", "error")]


def posted(client, path, **body):
    answer = client.post(path, json=TERMS | body)
    assert answer.status_code == 200, answer.text
    return answer


@pytest.mark.parametrize("text", [TWO, json.dumps([{"name": "Red", "text": LEGAL}, {"name": "Blue", "text": LEGAL}])])
def test_validate(client, text):
    verdict = posted(client, "/v1/validate", decklist=text).json
    assert (verdict["legal"], told(verdict["findings"])) == (False, [NAMED])
    assert verdict["counts"]["main"] == 50  # the first deck
    assert posted(client, "/v1/validate", decklist=LEGAL).json["legal"]


def test_the_lines_of_a_batch(client):
    lines = "\n".join(json.dumps(TERMS | {"decklist": text}) for text in (TWO, LEGAL))
    answer = client.post("/v1/validate/batch", data=lines, content_type="application/x-ndjson")
    several, legal = map(json.loads, answer.text.splitlines())
    assert (several["legal"], told(several["findings"])) == (False, [NAMED])
    assert legal["legal"]


def test_reading_a_list(client):
    found = client.post("/v1/decklists/parse", json={"decklist": TWO}).json
    assert told(found["findings"]) == [NAMED]
    assert sum(line["count"] for line in found["deck"]["main"]) == 50


def test_writing_a_list(client):
    found = client.post("/v1/decklists/write", json={"decklist": TWO, "format": "egman"}).json
    assert told(found["findings"]) == [NAMED]


def test_repair_takes_out_what_follows_the_first_deck(client):
    repair = posted(client, "/v1/repair", decklist=TWO).json
    assert (repair["legal"], repair["changes"]) == (False, 1)
    assert [(out["name"], out["because"]) for out in repair["repairs"][0]["remove"]] == [("Blue", "list.several")]
    assert posted(client, "/v1/repair", decklist=LEGAL).json["changes"] == 0


def test_no_day_of_a_timeline_is_legal(client):
    intervals = posted(client, "/v1/timeline", decklist=TWO).json["intervals"]
    assert not any(one["legal"] for one in intervals)
    assert all("list.several" in one["codes"] for one in intervals)


@pytest.mark.parametrize(("before", "after"), [(TWO, LEGAL), (LEGAL, TWO)])
def test_both_sides_of_a_swap(client, before, after):
    verdict = posted(client, "/v1/swaps/validate", before=before, after=after).json
    assert (verdict["legal"], told(verdict["findings"])) == (False, [NAMED])


def test_a_sheet_says_that_the_list_is_not_legal(client):
    who = {"player": "First Last", "player_id": "0012345678", "event": "Winter Regional"}
    legal = [
        client.post("/v1/sheets?as=csv", json=TERMS | who | {"decklist": text}).headers["Deckproof-Legal"]
        for text in (TWO, LEGAL)
    ]
    assert legal == ["false", "true"]


def test_the_cells_of_a_spreadsheet(client):
    rows = f'Player,Decklist\nAnn,"{TWO}"\nBob,"{LEGAL}"\n'
    file = (io.BytesIO(rows.encode()), "decks.csv")
    answer = client.post("/workbooks", data=TERMS | {"file": file}, follow_redirects=True)
    assert answer.status_code == 200
    assert "2 decks: “Red” (51 cards), “Blue” (51 cards)" in answer.text


@pytest.mark.parametrize(("path", "field"), [("/", "decklist"), ("/swap", "after")])
def test_the_pages(client, path, field):
    fields = TERMS | {"decklist": TWO} | ({"before": LEGAL, "after": TWO} if field == "after" else {})
    answer = client.post(path, data=fields)
    assert answer.status_code == 200
    assert "2 decks: “Red” (51 cards), “Blue” (51 cards)" in answer.text


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/", "decklist"),
        ("/", "game"),
        ("/sheet", "decklist"),
        ("/swap", "before"),
        ("/cards", "game"),
        ("/limits/optcg", "on"),
    ],
)
def test_a_field_that_an_address_has_twice_is_refused(client, path, field):
    value = {"game": "optcg", "on": DAY}.get(field, LEGAL)
    fields = [("before", LEGAL), ("after", LEGAL), ("decklist", LEGAL)] if path in ("/", "/sheet", "/swap") else []
    once = [(name, given) for name, given in fields if name != field] + [(field, value)]
    assert client.get(f"{path}?{urlencode(once)}").status_code == 200
    twice = client.get(f"{path}?{urlencode([*once, (field, value)])}")
    assert (twice.status_code, "more than once" in twice.text) == (422, True)


@pytest.mark.parametrize("path", ["/v1/cards?game=optcg&game=dbs", f"/v1/limits/optcg?on={DAY}&on={DAY}"])
def test_a_parameter_that_is_given_twice_is_refused(client, path):
    answer = client.get(path)
    (error,) = answer.json["errors"]
    assert (answer.status_code, error["pointer"]) == (422, "/game" if "game=" in path else "/on")


def test_odds_are_of_one_deck(client):
    refused = client.post("/v1/odds", json=TERMS | {"decklist": TWO})
    assert refused.status_code == 422
    assert refused.json["errors"][0]["pointer"] == "/decklist"
    assert client.post("/v1/odds", json=TERMS | {"decklist": LEGAL}).status_code == 200
