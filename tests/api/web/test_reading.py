"""Rulesets, limits lists and decklists over HTTP."""

from __future__ import annotations

import json

import pytest

from tests.api.conftest import EXAMPLES
from validator import rulesets
from validator.decklists import FORMATS


def test_every_ruleset_is_listed(client):
    listed = client.get("/v1/rulesets").json["rulesets"]
    assert [one["id"] for one in listed] == list(rulesets())
    assert len(listed) == 20
    assert set(listed[0]) == {
        "id",
        "title",
        "game",
        "in_force_from",
        "note",
        "inherits",
        "superseded_by",
        "sections",
        "formats",
        "policy",
    }


@pytest.mark.parametrize("id", list(rulesets()))
def test_a_ruleset_shows_every_rule_with_its_values_and_its_citation(client, id):
    shown = client.get(f"/v1/rulesets/{id}").json
    assert [one["name"] for one in shown["rules"]] == list(rulesets()[id].rules)
    assert [one["name"] for one in shown["with_side_deck"]] == list(rulesets()[id].with_side_deck)
    for rule in shown["rules"] + shown["with_side_deck"]:
        assert set(rule) == {"name", "kind", "says", "parameters", "rule"}
        assert rule["rule"]["document"]
        assert rule["rule"]["section"]


def test_the_values_of_a_rule_are_shown(client):
    rules = {one["name"]: one for one in client.get("/v1/rulesets/optcg-1.1.9").json["rules"]}
    assert rules["main-size"]["parameters"] == {"section": "main", "minimum": 50, "maximum": 50, "optional": False}
    assert rules["copies"]["kind"] == "copies"
    assert rules["copies"]["parameters"]["limit"] == 4


def test_what_an_organiser_may_decide_is_shown_with_what_holds_otherwise(client):
    shown = {one["id"]: one["policy"] for one in client.get("/v1/rulesets").json["rulesets"]}
    assert shown["optcg-1.1.9"] == {
        "main_min": 50,
        "main_max": 50,
        "copies": True,
        "release_delay_days": 0,
        "release": True,
        "limits": True,
    }
    assert (shown["dbs-1.073"]["side_max"], shown["dbs-1.073"]["copies_across_side"]) == (0, True)
    assert shown["dbs-4.00"] == {
        "main_min": 50,
        "main_max": 60,
        "side_max": 15,
        "copies": True,
        "copies_across_side": True,
        "release_delay_days": 0,
        "release": True,
        "limits": True,
        "swap_one_for_one": False,
    }


def test_a_list_that_is_known_in_part_says_so(client):
    assert "Only part" in client.get("/v1/limits/optcg?region=jp").json["note"]
    assert client.get("/v1/limits/optcg?region=en").json["note"] is None


def test_the_limits_of_a_day_are_listed_with_their_source_and_days(client):
    found = client.get("/v1/limits/optcg?on=2026-11-01&region=en").json
    assert set(found) == {
        "game",
        "region",
        "on",
        "title",
        "effective_from",
        "known_to",
        "note",
        "cards",
        "pairs",
        "sources",
        "rotation",
    }
    nami = next(one for one in found["cards"] if one["number"] == "OP03-040")
    assert (nami["limit"], nami["effective_from"], nami["severity"]) == (0, "2025-08-30", "error")
    assert nami["source"].startswith("https://")
    assert found["rotation"]["blocks"] == ["2", "3", "4", "5", "X"]
    assert all(len(pair["cards"]) == 2 for pair in found["pairs"])


def test_an_entry_of_unknown_first_day_has_the_two_days_it_lies_between(client):
    cards = client.get("/v1/limits/dbs?on=2023-07-08").json["cards"]
    leader = next(one for one in cards if one["number"] == "BT18-001")
    assert (leader["severity"], leader["effective_from"]) == ("warning", None)
    assert (leader["not_before"], leader["no_later_than"]) == ("2023-03-31", "2023-07-09")
    assert leader["bounds"]


def test_before_the_first_list_nothing_is_limited_for_sure(client):
    found = client.get("/v1/limits/optcg?on=2022-12-02").json
    assert [one for one in (*found["cards"], *found["pairs"]) if one["severity"] == "error"] == []
    assert found["rotation"] is None


def test_a_game_without_a_list_has_an_empty_one(client):
    assert client.get("/v1/limits/bos").json["cards"] == []


@pytest.mark.parametrize(
    ("query", "pointer"), [("on=2026-13-01", "/on"), ("region=moon", "/region"), ("day=1", "/day")]
)
def test_a_limits_query_points_at_what_is_wrong_with_it(client, query, pointer):
    answer = client.get(f"/v1/limits/optcg?{query}")
    assert answer.status_code == 422
    assert [one["pointer"] for one in answer.json["errors"]] == [pointer]


def parse(client, **body):
    return client.post("/v1/decklists/parse", json=body)


def test_a_decklist_becomes_a_deck_that_can_be_judged(client):
    text = (EXAMPLES / "optcg-red-zoro.txt").read_text("utf-8")
    found = parse(client, decklist=text).json
    assert set(found) == {"format", "game", "deck", "findings"}
    assert found["game"] == "optcg"
    assert found["findings"] == []
    assert client.post("/v1/validate", json={"game": "optcg", "deck": found["deck"]}).json["legal"]


def test_plain_text_is_a_decklist_too(client):
    text = (EXAMPLES / "optcg-red-zoro.txt").read_bytes()
    plain = client.post("/v1/decklists/parse", data=text, content_type="text/plain; charset=utf-8")
    assert plain.json == parse(client, decklist=text.decode()).json


def test_a_list_of_names_is_known_by_its_cards(client):
    text = (EXAMPLES / "bos-lanterns.txt").read_text("utf-8")
    assert parse(client, decklist=text).json["game"] == "bos"


def test_a_line_that_cannot_be_read_is_a_finding_with_suggestions(client):
    found = parse(client, decklist="1 ST21-001\n\nNamy of the crew\n", game="optcg").json
    (finding,) = found["findings"]
    verdict = client.post("/v1/validate", json={"game": "optcg", "decklist": "1 ST21-001\n\nNamy of the crew\n"}).json
    (judged,) = (one for one in verdict["findings"] if one["code"] == "line.unread")
    assert set(finding) == {*judged, "text", "reason"}
    assert (finding["line"], finding["text"]) == (3, "Namy of the crew")
    assert finding["reason"]


def test_a_number_with_the_name_of_another_card_is_the_number_and_told(client):
    found = parse(client, decklist="4 OP01-016 Brook\n", game="optcg").json
    assert [line["number"] for line in found["deck"]["main"]] == ["OP01-016"]
    assert [(one["code"], one["line"], one["text"]) for one in found["findings"]] == [("card.mismatch", 1, "Brook")]


def test_what_tells_no_game_is_read_all_the_same(client):
    found = parse(client, decklist="4 Somebody Nobody Knows\n").json
    assert found["game"] is None
    assert found["deck"]["main"] == [{"number": None, "name": "Somebody Nobody Knows", "count": 4}]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/decklist"),
        ({"decklist": 4}, "/decklist"),
        ({"decklist": "x" * 200_001}, "/decklist"),
        ({"decklist": "4 A\n" * 10_001}, "/decklist"),
        ({"decklist": "4 A", "game": "chess"}, "/game"),
        ({"decklist": "4 A", "ruleset": "x"}, "/ruleset"),
        ("4 OP01-016", ""),
        (["4 OP01-016"], ""),
    ],
)
def test_a_parse_request_points_at_what_is_wrong_with_it(client, body, pointer):
    answer = client.post("/v1/decklists/parse", json=body)
    assert answer.status_code == 422
    assert [one["pointer"] for one in answer.json["errors"]] == [pointer]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_a_text_is_read_in_the_characters_that_files_are_written_in(client, encoding):
    answer = client.post("/v1/decklists/parse", data="4 OP01-016 Café".encode(encoding), content_type="text/plain")
    assert answer.json["deck"]["main"] == [{"number": "OP01-016", "name": "Café", "count": 4}]


@pytest.mark.slow
def test_a_hostile_list_is_answered_in_a_bounded_time(client):
    answer = parse(client, decklist="zzzz zzzz qqqq\n" * 4_900, game="optcg")
    assert answer.status_code == 200
    assert len(answer.json["findings"]) == 4_900
    assert json.dumps(answer.json)


def test_every_format_is_listed_with_what_it_can_carry(client):
    listed = {one["name"]: one for one in client.get("/v1/decklists/formats").json["formats"]}
    assert list(listed) == list(FORMATS)
    assert listed["limitless"]["sections"] == ["leader", "main"]
    assert (listed["text"]["written"], listed["deckplanet-ids"]["written"]) == (True, False)


@pytest.mark.parametrize("format", [name for name, form in FORMATS.items() if form.write and "leader" in form.carries])
def test_a_deck_written_in_a_format_is_the_same_deck_when_it_is_read(client, format):
    text = (EXAMPLES / "optcg-red-zoro.txt").read_text("utf-8")
    written = client.post("/v1/decklists/write", json={"decklist": text, "format": format})
    assert written.status_code == 200
    found = written.json
    assert (found["format"], found["game"], found["findings"]) == (format, "optcg", [])
    hashes = {
        client.post("/v1/validate", json={"game": "optcg", "decklist": one}).json["deck_hash"]
        for one in (text, found["decklist"])
    }
    assert len(hashes) == 1


def test_a_deck_is_written_too_and_named_by_the_catalogue(client):
    asked = {"deck": {"main": [{"number": "op01-016", "count": 4}]}, "format": "limitless"}
    found = client.post("/v1/decklists/write", json=asked).json
    assert found["game"] == "optcg"
    assert found["decklist"].splitlines()[-1] == "4 Nami (op01-016)"


def test_what_could_not_be_read_is_not_written_and_told(client):
    asked = {"decklist": "4 OP01-016 Nami\n300 OP01-017", "format": "optcgsim", "game": "optcg"}
    found = client.post("/v1/decklists/write", json=asked).json
    assert found["decklist"] == "4xOP01-016"
    assert [(one["line"], one["text"]) for one in found["findings"]] == [(2, "300 OP01-017")]


@pytest.mark.parametrize(
    ("asked", "pointer"),
    [
        ({"decklist": "4 OP01-016"}, "/format"),
        ({"decklist": "4 OP01-016", "format": "papyrus"}, "/format"),
        ({"decklist": "4 OP01-016", "format": "deckplanet-ids"}, "/format"),
        ({"deck": {"side": [{"number": "BT1-001", "count": 1}]}, "format": "limitless"}, "/format"),
        ({"deck": {"main": [{"name": "Nobody", "count": 1}]}, "format": "optcgsim"}, "/format"),
        ({"format": "text"}, "/deck"),
        ({"decklist": "4 OP01-016", "deck": {}, "format": "text"}, "/decklist"),
        ({"deck": {"main": [{"number": "OP01-016", "count": 0}]}, "format": "text"}, "/deck/main/0/count"),
        ({"decklist": "4 OP01-016", "format": "text", "game": "chess"}, "/game"),
    ],
)
def test_what_cannot_be_written_is_refused_with_its_place(client, asked, pointer):
    refused = client.post("/v1/decklists/write", json=asked)
    assert refused.status_code == 422
    assert [error["pointer"] for error in refused.json["errors"]] == [pointer]


@pytest.mark.parametrize(
    ("line", "pointers"),
    [
        ({}, ["/deck/main/0", "/deck/main/0/count"]),
        ({"nmae": "Nami"}, ["/deck/main/0", "/deck/main/0/count", "/deck/main/0/nmae"]),
        ({"number": "", "count": 0, "a/b~c": 1}, ["a~1b~0c", "count", "number"]),
    ],
)
def test_all_that_is_wrong_with_a_line_that_is_to_be_written_is_said(client, line, pointers):
    refused = client.post("/v1/decklists/write", json={"deck": {"main": [line]}, "format": "text"})
    assert refused.status_code == 422
    assert [error["pointer"] for error in refused.json["errors"]] == [
        pointer if pointer.startswith("/") else f"/deck/main/0/{pointer}" for pointer in pointers
    ]
