"""Teams over HTTP and on the command line."""

from __future__ import annotations

import json

import pytest

from tests.api.cli.test_check import run
from tests.api.conftest import EXAMPLES

__all__ = ["run"]
DAY = "2026-11-01"
ZORO = EXAMPLES / "optcg-red-zoro.txt"
FIVE = EXAMPLES / "optcg-five-copies.txt"


def team(client, *decks, **request):
    named = [{"name": name, "decklist": path.read_text("utf-8")} for name, path in zip("ABC", decks, strict=False)]
    return client.post("/v1/validate/team", json={"on": DAY, "decks": named, **request})


def test_each_deck_has_its_own_verdict(client):
    answer = team(client, ZORO, FIVE, team={"copies": 200})
    assert answer.status_code == 200
    assert (answer.json["legal"], answer.json["findings"]) == (False, [])
    assert [(one["name"], one["verdict"]["legal"]) for one in answer.json["decks"]] == [("A", True), ("B", False)]
    alone = client.post("/v1/validate", json={"on": DAY, "decklist": ZORO.read_text("utf-8")}).json
    assert answer.json["decks"][0]["verdict"] == alone


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ({"unique_leaders": True}, "team.shared_leader"),
        ({"unique_cards": True}, "team.shared_card"),
        ({"copies": 4}, "team.shared_card"),
        ({"unique_colors": True}, "team.shared_color"),
    ],
)
def test_what_is_shared_makes_a_team_of_legal_decks_illegal(client, rule, code):
    answer = team(client, ZORO, ZORO, team=rule)
    assert not answer.json["legal"]
    assert {one["code"] for one in answer.json["findings"]} == {code}
    assert all(one["verdict"]["legal"] for one in answer.json["decks"])


def test_without_a_rule_what_is_shared_is_advice(client):
    answer = team(client, ZORO, ZORO)
    assert answer.json["legal"]
    assert {one["severity"] for one in answer.json["findings"]} == {"advice"}


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"decks": []}, "/decks"),
        ({"decks": [{"name": "A", "decklist": "1 X"}]}, "/decks"),
        ({"decks": [{"name": str(n), "decklist": "1 X"} for n in range(11)]}, "/decks"),
        ({"decks": [{"name": "A", "decklist": "1 X"}] * 2}, "/decks/1/name"),
        ({"decks": [{"name": "A", "decklist": "1 X"}, {"name": "B"}]}, "/decks/1/deck"),
        ({"decks": [{"name": "A", "decklist": "1 X"}, {"decklist": "1 X"}]}, "/decks/1/name"),
        ({"team": {"unique": True}}, "/team/unique"),
        ({"team": {"copies": -1}}, "/team/copies"),
        ({"game": "chess"}, "/game"),
    ],
)
def test_what_is_wrong_with_a_team_is_pointed_at(client, change, pointer):
    answer = team(client, ZORO, ZORO, **change)
    assert answer.status_code == 422
    assert [one["pointer"] for one in answer.json["errors"]] == [pointer]


def test_the_command_says_what_a_team_shares(run, tmp_path):
    copy = tmp_path / "copy.txt"
    copy.write_text(ZORO.read_text("utf-8"), "utf-8")
    done = run("check", "--team", ZORO, copy, "--on", DAY, "--not-shared", "leaders", "--json")
    assert done.exit_code == 1
    said = json.loads(done.stdout)
    assert [one["code"] for one in said["findings"]] == ["team.shared_leader"]
    assert [one["name"] for one in said["decks"]] == [str(ZORO), str(copy)]
    assert run("check", "--team", ZORO, copy, "--on", DAY).exit_code == 0
    shown = run("check", "--team", ZORO, copy, "--on", DAY, "--team-copies", "4")
    assert shown.exit_code == 1
    assert "at most 4" in shown.stdout


@pytest.mark.parametrize(
    "words",
    [
        ["--team", ZORO],
        ["--team", ZORO, ZORO],
        ["--team", ZORO, EXAMPLES / "bos-lanterns.txt"],
        ["--not-shared", "cards", ZORO],
        ["--team-copies", "4", ZORO],
        ["--team", ZORO, "missing.txt"],
    ],
)
def test_a_team_that_cannot_be_judged_is_refused(run, words):
    assert run("check", *words).exit_code == 2
