"""Repairs over HTTP and on the command line, on the example decks."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.cli import cli
from api.service.settings import Settings
from api.web.app import create_app

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
FIVE = (EXAMPLES / "optcg-five-copies.txt").read_text("utf-8")
LEGAL = (EXAMPLES / "optcg-red-zoro.txt").read_text("utf-8")
ON = "2026-11-21"


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    return create_app(Settings(data_dir=tmp_path_factory.mktemp("data"))).test_client()


def test_a_deck_that_is_mended_is_legal(client):
    answer = client.post("/v1/repair", json={"game": "optcg", "on": ON, "decklist": FIVE}).json
    assert (answer["legal"], answer["possible"], answer["changes"], answer["minimal"]) == (False, True, 5, True)
    (first, *_) = answer["repairs"]
    assert [(out["number"], out["count"], out["because"]) for out in first["remove"]] == [
        ("EB01-028", 2, "color.mismatch"),
        ("OP01-016", 1, "copies.exceeded"),
    ]
    assert [(put_in["section"], put_in["count"]) for put_in in first["add"]] == [("main", 2)]
    for repair in answer["repairs"]:
        judged = client.post("/v1/validate", json={"game": "optcg", "on": ON, "deck": repair["deck"]}).json
        assert judged["legal"]


def test_a_legal_deck_has_no_changes(client):
    answer = client.post("/v1/repair", json={"game": "optcg", "on": ON, "format": "extra", "decklist": LEGAL}).json
    assert (answer["legal"], answer["changes"], answer["repairs"]) == (True, 0, [])


def test_pins_that_cannot_be_are_said(client):
    request = {"game": "optcg", "on": ON, "decklist": FIVE, "pinned": ["op01-016_p1"]}
    answer = client.post("/v1/repair", json=request).json
    assert (answer["possible"], answer["changes"], answer["repairs"]) == (False, None, [])
    assert [card["number"] for card in answer["pinned"]] == ["OP01-016"]


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"pinned": "OP01-016"}, "/pinned"),
        ({"pinned": [1]}, "/pinned/0"),
        ({"pinned": ["OP01-016"] * 101}, "/pinned"),
        ({"explain": True}, "/explain"),
        ({"deck": {}}, "/decklist"),
        ({"region": "mars"}, "/region"),
    ],
)
def test_what_is_wrong_with_a_request_is_pointed_at(client, wrong, pointer):
    answer = client.post("/v1/repair", json={"game": "optcg", "decklist": FIVE, **wrong})
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.json["errors"]] == [pointer]


@pytest.fixture
def run(monkeypatch, tmp_path):
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path))
    return lambda *words: CliRunner().invoke(cli, [*words, "--on", ON])


def test_the_command_says_the_changes(run):
    result = run("repair", str(EXAMPLES / "optcg-five-copies.txt"), "--json")
    assert (result.exit_code, json.loads(result.stdout)["changes"]) == (1, 5)
    assert "EB01-028" in run("repair", str(EXAMPLES / "optcg-five-copies.txt")).stdout
    assert run("repair", str(EXAMPLES / "optcg-five-copies.txt"), "--pin", "EB01-028").exit_code == 1
    assert run("repair", str(EXAMPLES / "bos-lanterns.txt")).exit_code == 0
    assert run("repair", str(EXAMPLES / "missing.txt")).exit_code == 2


def test_a_verdict_says_how_many_changes_and_which_where_it_is_asked(run):
    five = str(EXAMPLES / "optcg-five-copies.txt")
    assert "Make the deck legal with 5 changes" in run("check", five).stdout
    assert "Remove 2 copies of EB01-028" in run("check", "--fix", five).stdout
    assert json.loads(run("check", "--fix", "--json", five).stdout)["repair"]["changes"] == 5
    assert "repair" not in json.loads(run("check", "--json", five).stdout)
    assert "hanges" not in run("check", str(EXAMPLES / "bos-lanterns.txt")).stdout


def test_a_verdict_and_a_repair_show_the_same_fewest_changes_under_another_leader(run, tmp_path):
    zoro = (EXAMPLES / "optcg-red-zoro.txt").read_text("utf-8")
    wrong = tmp_path / "wrong-leader.txt"
    wrong.write_text(zoro.replace("1 ST21-001 Monkey.D.Luffy", "1 OP15-022"), "utf-8")
    found = json.loads(run("check", "--fix", "--json", str(wrong)).stdout)
    assert {finding["code"] for finding in found["findings"]} == {"color.mismatch"}
    assert (found["repair"]["fewest"], found["repair"]["changes"]) == (2, 100)
    heading = "Changes to make the deck legal: 2 with another Leader, 100 with this Leader"
    assert heading in run("check", str(wrong)).stdout
    assert heading in run("repair", str(wrong)).stdout
