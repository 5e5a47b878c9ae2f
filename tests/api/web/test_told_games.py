"""The game of a request that says none: its cards tell it, wherever a deck is taken."""

from __future__ import annotations

import io
import json

import pytest

from tests.api.conftest import EXAMPLES

LISTS = {
    "optcg": (EXAMPLES / "optcg-red-zoro.txt").read_text("utf-8"),
    "dbs": (EXAMPLES / "dbs-broly.txt").read_text("utf-8"),
    "bos": (EXAMPLES / "bos-lanterns.txt").read_text("utf-8"),
}


@pytest.mark.parametrize("game", LISTS)
def test_a_text_tells_its_game(client, game):
    for path in ("/v1/validate", "/v1/timeline"):
        answer = client.post(path, json={"decklist": LISTS[game]})
        assert (answer.status_code, answer.json["catalogue"]["game"]) == (200, game)
    plain = client.post("/v1/validate", data=LISTS[game].encode(), content_type="text/plain")
    assert plain.json == client.post("/v1/validate", json={"game": game, "decklist": LISTS[game]}).json


@pytest.mark.parametrize(("game", "line"), [("optcg", {"number": "OP01-016"}), ("bos", {"name": "Lantern Levy"})])
def test_a_deck_tells_its_game_by_numbers_or_by_names(client, game, line):
    answer = client.post("/v1/validate", json={"deck": {"main": [line | {"count": 4}]}})
    assert answer.json["catalogue"]["game"] == game


def test_the_terms_that_are_said_hold_for_the_game_that_is_told(client, zoro):
    asked = {"on": "2026-01-15", "format": "extra", "policy": {"limits": False}, "deck": zoro}
    verdict = client.post("/v1/validate", json=asked).json
    assert (verdict["ruleset"]["id"], verdict["format"], verdict["limits"]) == ("optcg-1.1.9", "extra", None)
    refused = client.post("/v1/validate", json=asked | {"format": "modern"})
    assert [one["pointer"] for one in refused.json["errors"]] == ["/format"]


def test_each_line_of_a_batch_tells_its_own(client):
    lines = [json.dumps({"decklist": text}) for text in LISTS.values()] + ['{"deck": {}}']
    answer = client.post("/v1/validate/batch", data="\n".join(lines), content_type="application/x-ndjson")
    *verdicts, refused = map(json.loads, answer.data.splitlines())
    assert [one["catalogue"]["game"] for one in verdicts] == list(LISTS)
    assert refused["error"]["errors"][0]["pointer"] == "/game"


def test_swaps_sheets_odds_and_lists_tell_it(client, zoro):
    lanterns = LISTS["bos"]
    swap = client.post("/v1/swaps/validate", json={"before": lanterns, "after": lanterns}).json
    assert (swap["catalogue"]["game"], swap["legal"]) == ("bos", True)
    sheet = client.post("/v1/sheets?as=csv", json={"deck": zoro, "player": "Last, First"})
    assert (sheet.status_code, sheet.headers["Deckproof-Legal"]) == (200, "true")
    repair = client.post("/v1/repair", json={"deck": zoro}).json
    assert (repair["legal"], repair["changes"]) == (True, 0)
    odds = client.post("/v1/odds", json={"decklist": LISTS["dbs"]}).json
    assert odds["catalogue"]["game"] == "dbs"
    named = {"format": "optcgsim", "decklist": "1 ST21-001\n4 Bad Manners Kick Course\n"}
    assert client.post("/v1/decklists/write", json=named).json["decklist"] == "1xST21-001\n4xOP04-016"


@pytest.mark.parametrize("request_", [{"deck": {}}, {"decklist": "4 Nobody Knows This\n"}, {"decklist": ""}])
@pytest.mark.parametrize("path", ["/v1/validate", "/v1/repair", "/v1/timeline", "/v1/odds"])
def test_cards_that_tell_no_game_are_pointed_at(client, path, request_):
    answer = client.post(path, json=request_)
    assert (answer.status_code, [one["pointer"] for one in answer.json["errors"]]) == (422, ["/game"])


def send(client, text, **fields):
    data = fields | {"as": "csv", "file": (io.BytesIO(text.encode()), "decks.csv")}
    return client.post("/v1/workbooks", data=data)


def test_a_spreadsheet_tells_its_game(client):
    answer = send(client, 'Player,Decklist\nZoro,"1 ST21-001\n4 OP01-016"\n')
    assert (answer.status_code, answer.data.count(b"\nZoro,")) == (200, 1)
    assert b"Monkey.D.Luffy" in answer.data


@pytest.mark.parametrize("text", ["Player,Decklist\n", "Player,Decklist\nZoro,4 Nobody Knows This\n"])
def test_a_spreadsheet_that_tells_none_is_refused_in_a_sentence(client, text):
    answer = send(client, text)
    assert (answer.status_code, [one["pointer"] for one in answer.json["errors"]]) == (422, ["/file"])
    assert answer.json["detail"].startswith("decks.csv: ")
