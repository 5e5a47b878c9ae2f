"""What a game must have before decks of it can be judged."""

import dataclasses

import pytest

from carddb import completeness
from carddb.completeness import check_games, find_editions_without_game, find_missing_parts
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
        "carddb/data/facts/fw.csv",
        "carddb/sources/official_sites.py",
    ],
)
def test_an_invented_game_is_told_where_to_write_what_it_lacks(place):
    invented = Game("fw", "Invented Lanterns", ("Keeper",), site="https://example.org")
    assert place in "\n".join(find_missing_parts(invented))
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
    assert word in "\n".join(find_missing_parts(dataclasses.replace(GAMES[game], **changes)))


def test_an_edition_of_a_game_that_there_is_not_is_named():
    stray = dataclasses.replace(rulesets()["optcg-1.2.1"], id="optgc-1.3", game="optgc")
    (sentence,) = find_editions_without_game([stray])
    assert sentence.startswith("optgc-1.3 is of 'optgc', none of the GAMES of validator/games.py, optcg")


@pytest.fixture
def editions(monkeypatch):
    """The editions of ONE PIECE, of which a test may put another in the place of the newest."""
    known = dict(rulesets())
    monkeypatch.setattr(completeness, "rulesets", lambda: known)
    return known


def test_a_keyword_that_no_reader_of_card_texts_knows_is_named(editions):
    old = editions["dbs-4.00"]
    rules = {**old.rules, "hyper": dataclasses.replace(old.rules["ultimate"], keyword="Hyper")}
    editions["dbs-4.00"] = dataclasses.replace(old, rules=rules)
    (sentence,) = find_missing_parts(GAMES["dbs"])
    assert "'Hyper'" in sentence
    assert "validator/clauses/wording.py, which has Ultimate, Super Combo, Dragon Ball" in sentence


def test_a_keyword_without_a_limit_of_copies_is_read_too(editions):
    old = editions["optcg-1.2.1"]
    rules = {**old.rules, "copies": dataclasses.replace(old.rules["copies"], exempt=("Crew",))}
    editions["optcg-1.2.1"] = dataclasses.replace(old, rules=rules)
    (sentence,) = find_missing_parts(GAMES["optcg"])
    assert "'Crew'" in sentence


def test_a_format_that_a_list_of_the_game_does_not_know_is_named(editions):
    old = editions["optcg-1.2.1"]
    editions["optcg-1.2.1"] = dataclasses.replace(old, formats=(*old.formats, "pioneer"))
    of_list, of_rotation = find_missing_parts(GAMES["optcg"])
    assert "'pioneer'" in of_list
    assert "validator/limits/optcg.toml has standard, extra" in of_list
    assert "validator/limits/optcg-rotation.toml has standard, extra" in of_rotation


def test_numbers_or_names_must_tell_cards_apart():
    by_number = dataclasses.replace(GAMES["bos"], told_by_name=False, series={"BE": Series(2, 3)})
    assert not list(find_missing_parts(by_number))
