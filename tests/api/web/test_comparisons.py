"""Comparisons of two deck lists over HTTP and on the command line, on the example decks."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.cli import cli
from api.service.settings import Settings
from api.web.app import create_app

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
ZORO, FIVE_COPIES = EXAMPLES / "optcg-red-zoro.txt", EXAMPLES / "optcg-five-copies.txt"


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    return create_app(Settings(data_dir=tmp_path_factory.mktemp("data"))).test_client()


def test_each_card_that_differs_has_its_copies_in_both_decks(client):
    compared = {"before": ZORO.read_text("utf-8"), "after": FIVE_COPIES.read_text("utf-8")}
    answer = client.post("/v1/decklists/compare", json=compared).json
    assert (answer["game"], answer["same"], answer["unread_before"], answer["unread_after"]) == ("optcg", False, [], [])
    assert [(card["section"], card["number"], card["before"], card["after"]) for card in answer["changes"]] == [
        ("main", "EB01-028", 0, 2),
        ("main", "OP01-016", 4, 5),
        ("main", "OP04-016", 2, 0),
    ]


def test_a_deck_and_its_text_are_the_same_unless_a_line_is_not_read(client):
    deck = {"main": [{"number": "OP01-016", "count": 4}]}
    answer = client.post("/v1/decklists/compare", json={"before": deck, "after": "4 OP01-016"}).json
    assert (answer["same"], answer["changes"]) == (True, [])
    answer = client.post("/v1/decklists/compare", json={"before": deck, "after": "4 OP01-016\n999 OP01-017"}).json
    assert (answer["same"], answer["changes"]) == (False, [])
    assert [found["code"] for found in answer["unread_after"]] == ["line.unread"]


def test_the_game_must_be_known(client):
    deck = {"main": [{"name": "Nobody Such", "count": 4}]}
    answer = client.post("/v1/decklists/compare", json={"before": deck, "after": deck})
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.json["errors"]] == ["/game"]
    assert client.post("/v1/decklists/compare", json={"before": deck, "after": deck, "game": "bos"}).json["same"]


@pytest.mark.parametrize(("after", "code"), [(ZORO, 0), (FIVE_COPIES, 1), (Path("missing.txt"), 2)])
def test_the_command_ends_with_1_for_other_cards(after, code):
    assert CliRunner().invoke(cli, ["compare", str(ZORO), str(after)]).exit_code == code


def test_the_command_and_the_endpoint_have_one_answer(client):
    printed = CliRunner().invoke(cli, ["compare", str(ZORO), str(FIVE_COPIES), "--json"]).stdout
    compared = {"before": ZORO.read_text("utf-8"), "after": FIVE_COPIES.read_text("utf-8")}
    assert json.loads(printed) == client.post("/v1/decklists/compare", json=compared).json
