"""What a game must have before decks of it can be judged."""

import dataclasses

import pytest

from carddb.completeness import check_games, lacks
from validator import rulesets
from validator.errors import DocumentError
from validator.games import GAMES, Game, Series


def test_the_games_that_ship_lack_nothing_and_every_ruleset_is_of_one():
    check_games()
    assert {one.game for one in rulesets().values()} == set(GAMES)


@pytest.mark.parametrize(
    "place",
    [
        "validator/games.py",
        "validator/rulesets",
        "validator/clauses",
        "carddb/facts/fw.csv",
        "carddb/sources/official_sites.py",
    ],
)
def test_an_invented_game_is_told_where_to_write_what_it_lacks(place):
    invented = Game("fw", "Invented Lanterns", ("Keeper",), site="https://example.org")
    assert place in "\n".join(lacks(invented))
    with pytest.raises(DocumentError, match=place):
        check_games([invented])


@pytest.mark.parametrize(
    ("game", "changes", "word"),
    [
        ("dbs", {"two_faced": frozenset({"Leadr"})}, "Leadr"),
        ("dbs", {"always": {"colors": frozenset({"Keeper"})}}, "Keeper"),
        ("dbs", {"cost_letters": {"P": "Pink"}}, "Pink"),
        ("optcg", {"costless": frozenset({"Keeper"})}, "Keeper"),
        ("optcg", {"types": ("Leader", "Character", "Event", "DON!!")}, "Stage"),
        ("bos", {"types": ("Equipment", "Tactic", "Battlefield")}, "Warlord"),
        ("bos", {"told_by_name": False}, "series of card numbers"),
    ],
)
def test_words_that_a_game_does_not_have_are_named(game, changes, word):
    assert word in "\n".join(lacks(dataclasses.replace(GAMES[game], **changes)))


def test_numbers_or_names_must_tell_cards_apart():
    by_number = dataclasses.replace(GAMES["bos"], told_by_name=False, series={"BE": Series(2, 3)})
    assert not list(lacks(by_number))
