"""Odds over HTTP: exact, with their rules, and what cannot be asked."""

from fractions import Fraction
from math import comb

import pytest

from validator.games import GAMES

ON = "2026-11-22"


def asked(client, deck, **more):
    return client.post("/v1/odds", json={"game": "optcg", "deck": deck, "on": ON} | more)


def test_every_card_has_its_odds_exactly(client, zoro):
    found = asked(client, zoro, turn=3).json
    nami = next(one for one in found["cards"] if one["number"] == "OP01-016")
    none = Fraction(comb(46, 5), comb(50, 5))
    assert Fraction(nami["first_hand"]["exact"]) == 1 - none**2
    assert nami["first_hand"]["chance"] == float(1 - none**2)
    assert Fraction(nami["as_dealt"]["exact"]) == 1 - none
    assert nami["by_turn"]["turn"] == 3
    assert sum(one["copies"] for one in found["cards"]) == found["deck"] == 50


def test_the_statements_that_all_rests_on_are_cited(client, zoro):
    rules = {one["fact"]: one["section"] for one in asked(client, zoro).json["rules"]}
    assert rules == {
        "hand": "5-2-1-6",
        "redraw": "5-2-1-6-1",
        "life": "5-2-1-7",
        "draw": "6-3-1",
        "energy": "6-4-1",
    }


def test_life_is_told_where_it_is_known_or_said(client, zoro):
    assert asked(client, zoro).json["life"] == 5
    assert asked(client, zoro, life=4).json["life"] == 4
    found = asked(client, zoro | {"leader": []}).json
    assert (found["life"], found["cards"][0]["life"]) == (None, None)
    found = asked(client, zoro | {"leader": []}, life=5).json
    life = found["cards"][0]["life"]
    assert sum(Fraction(one["exact"]) for one in life["each"]) == 1
    assert Fraction(life["some"]["exact"]) == 1 - Fraction(life["each"][0]["exact"])


def test_wishes_are_fulfilled_together(client, zoro):
    wishes = [{"cards": ["OP01-016"]}, {"cards": ["OP11-016", "Roronoa Zoro"], "least": 2}]
    found = asked(client, zoro, wishes=wishes, turn=2).json["wishes"]
    assert [one["copies"] for one in found["of"]] == [4, 12]
    chances = [found["as_dealt"], found["first_hand"], found["by_turn"]["first"], found["by_turn"]["second"]]
    assert [one["chance"] for one in chances] == sorted(one["chance"] for one in chances)


def test_a_search_looks_for_cards_or_for_so_many(client, zoro):
    cards = asked(client, zoro, look=5, targets=["OP10-011", "OP11-016"], searcher="OP01-016").json["search"]
    count = asked(client, zoro, look=5, targets=8, searcher="OP01-016").json["search"]
    assert cards == count
    assert (cards["of"], cards["targets"]) == (49, 8)


def test_every_part_says_what_it_leaves_out(client, zoro):
    found = asked(client, zoro, life=5, look=5, targets=8, wishes=[{"cards": ["OP01-016"]}]).json
    parts = [*found["cards"], found["wishes"], found["search"], found["curve"], found["cards"][0]["life"]]
    assert all(part["leaves_out"] for part in parts)


def test_a_game_without_costs_has_no_curve(client):
    deck = {"main": [{"name": "Lantern Levy", "count": 4}, {"name": "Anything", "count": 36}]}
    found = client.post("/v1/odds", json={"game": "bos", "deck": deck}).json
    assert found["curve"] is None
    assert found["life"] is None
    assert [one["copies"] for one in found["cards"]] == [4, 36]


@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"wishes": []}, "/wishes"),
        ({"wishes": [{"cards": []}]}, "/wishes/0/cards"),
        ({"wishes": [{"cards": ["OP99-999"]}]}, "/wishes"),
        ({"wishes": [{"cards": ["OP01-016"], "least": 0}]}, "/wishes/0/least"),
        ({"wishes": [{"cards": ["OP01-016"]}] * 3}, "/wishes"),
        ({"turn": 0}, "/turn"),
        ({"turn": 10**30}, "/turn"),
        ({"look": 5}, "/targets"),
        ({"look": -5, "targets": 4}, "/look"),
        ({"look": 51, "targets": 4}, "/look"),
        ({"look": 5, "targets": 51}, "/targets"),
        ({"look": 5, "targets": -1}, "/targets"),
        ({"look": 5, "targets": {}}, "/targets"),
        ({"look": 5, "targets": 4, "searcher": "OP99-999"}, "/searcher"),
        ({"life": 0}, "/life"),
        ({"life": 21}, "/life"),
    ],
)
def test_what_cannot_be_had_is_pointed_at(client, zoro, more, pointer):
    answer = asked(client, zoro, **more)
    assert answer.status_code == 422
    assert [wrong["pointer"] for wrong in answer.json["errors"]] == [pointer]


@pytest.mark.parametrize(("pointer", "deck"), [("deck", {}), ("decklist", "4 OP01-016"), ("decklist", "")])
def test_a_deck_without_a_first_hand_has_no_odds(client, pointer, deck):
    answer = client.post("/v1/odds", json={"game": "optcg", pointer: deck})
    assert answer.status_code == 422
    assert [wrong["pointer"] for wrong in answer.json["errors"]] == [f"/{pointer}"]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_thousand_unknown_cards_have_odds(client, game):
    lines = [{"number": f"QQ-{n}", "count": n % 255 + 1} for n in range(1000)]
    answer = client.post("/v1/odds", json={"game": game, "deck": {"main": lines}})
    assert answer.status_code == 200
    assert len(answer.json["cards"]) == 1000
