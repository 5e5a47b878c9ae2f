"""Swaps over HTTP and on the command line, on the example decks."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from api.cli import cli
from api.service.settings import Settings
from api.web.app import create_app

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
LANTERNS = (EXAMPLES / "bos-lanterns.txt").read_text("utf-8")
FORDS = (EXAMPLES / "bos-fords.json").read_text("utf-8")


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    return create_app(Settings(data_dir=tmp_path_factory.mktemp("data"))).test_client()


def test_a_deck_that_did_not_change_is_a_good_swap(client):
    swap = {"game": "bos", "before": LANTERNS, "after": LANTERNS}
    answer = client.post("/v1/swaps/validate", json=swap)
    assert answer.status_code == 200
    assert answer.json["legal"]


def test_another_deck_is_no_swap_though_it_is_legal(client):
    answer = client.post("/v1/swaps/validate", json={"game": "bos", "before": LANTERNS, "after": FORDS})
    assert not answer.json["legal"]
    assert [found["code"] for found in answer.json["findings"]] == ["swap.cards_changed", "swap.side_size"]


def test_decks_may_be_given_as_decks(client):
    deck = {"main": [{"name": "Lantern Levy", "count": 4}]}
    answer = client.post("/v1/swaps/validate", json={"ruleset": "bos-1.3", "before": deck, "after": deck})
    assert [found["code"] for found in answer.json["findings"] if found["severity"] == "error"] == ["size"]


@pytest.mark.parametrize(
    ("swap", "pointer"),
    [
        ({"game": "bos", "before": LANTERNS}, "/after"),
        ({"game": "bos", "before": 3, "after": LANTERNS}, "/before"),
        ({"game": "bos", "before": {"main": [{"name": "x", "count": 0}]}, "after": LANTERNS}, "/before/main/0/count"),
        ({"game": "bos", "before": LANTERNS, "after": LANTERNS, "deck": {}}, "/deck"),
        ({"game": "chess", "before": LANTERNS, "after": LANTERNS}, "/game"),
        ({"game": "bos", "before": LANTERNS, "after": LANTERNS, "explain": "yes"}, "/explain"),
    ],
)
def test_what_is_wrong_with_a_request_is_pointed_at(client, swap, pointer):
    answer = client.post("/v1/swaps/validate", json=swap)
    assert answer.status_code == 422
    assert answer.content_type == "application/problem+json"
    assert [error["pointer"] for error in answer.json["errors"]] == [pointer]


@pytest.mark.parametrize(
    ("after", "code"), [("bos-lanterns.txt", 0), ("bos-fords.json", 1), ("missing.txt", 2), ("optcg-red-zoro.txt", 2)]
)
def test_the_command_ends_with_what_it_found(after, code):
    arguments = ["swap", str(EXAMPLES / "bos-lanterns.txt"), str(EXAMPLES / after)]
    if after.startswith("bos"):
        arguments += ["--game", "bos"]
    assert CliRunner().invoke(cli, arguments).exit_code == code


def test_both_lists_cannot_come_from_standard_input():
    answer = CliRunner().invoke(cli, ["swap", "-", "-"], input=LANTERNS)
    assert (answer.exit_code, answer.stdout) == (2, "")


def test_the_command_names_the_file_without_a_deck(tmp_path):
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    answer = CliRunner().invoke(cli, ["swap", str(EXAMPLES / "bos-lanterns.txt"), str(empty), "--game", "bos"])
    assert answer.exit_code == 2
    assert str(empty) in answer.stderr
