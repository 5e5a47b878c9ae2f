"""The starter catalogues hold enough for the example decks, and say nothing that real cards do not."""

from datetime import date
from pathlib import Path

import pytest

import carddb.starter
from tests.carddb import real
from validator import Judge
from validator import Terms
from validator import clauses
from validator import decklists
from validator import rulesets
from validator.errors import UnknownGame
from validator.games import GAMES

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TODAY = date(2026, 11, 21)
NEWEST = {"optcg": "optcg-1.2.1", "dbs": "dbs-4.00", "bos": "bos-1.3"}

LEGAL = [
    "optcg-red-zoro.txt",
    "optcg-prisoners.json",
    "dbs-broly.txt",
    "dbs-dragon-balls.json",
    "bos-lanterns.txt",
    "bos-fords.json",
]
ILLEGAL = {
    "optcg-five-copies.txt": {"size", "copies.exceeded", "color.mismatch"},
    "optcg-banned-pair.txt": {"card.banned", "pair.banned"},
    "optcg-rotated-zoro.txt": {"block.rotated"},
    "dbs-too-many-wishes.txt": {"copies.exceeded", "keyword.exceeded"},
    "dbs-forbidden.txt": {"card.banned", "card.restricted", "effect.forbidden", "type.misplaced", "size"},
    "bos-five-levies.txt": {"copies.exceeded", "class.exceeded"},
    "bos-short.txt": {"size", "type.misplaced"},
}


def verdict(example: str, format: str = "standard"):
    game = example.partition("-")[0]
    catalogue = carddb.starter.catalogue(game)
    terms = Terms(rulesets()[NEWEST[game]], TODAY, format=format)
    written = decklists.parse((EXAMPLES / example).read_text(), game, catalogue).deck
    assert not written.unread
    return Judge(terms, catalogue)(written)


def errors(found) -> set[str]:
    return {finding.code for finding in found.findings if finding.severity == "error"}


@pytest.mark.parametrize("example", LEGAL)
def test_the_legal_examples_are_legal_today(example):
    assert errors(verdict(example)) == set()


@pytest.mark.parametrize("example", ILLEGAL)
def test_the_illegal_examples_show_what_they_say(example):
    assert errors(verdict(example)) == ILLEGAL[example]


def test_the_rotated_deck_is_legal_in_extra():
    assert errors(verdict("optcg-rotated-zoro.txt", "extra")) == set()


def test_every_example_is_here():
    assert {file.name for file in EXAMPLES.iterdir()} == {*LEGAL, *ILLEGAL}


def test_the_examples_have_every_section_and_both_forms():
    broly = verdict("dbs-broly.txt").facts
    assert all(broly.placed(section) for section in ("main", "side", "z"))
    assert {Path(name).suffix for name in LEGAL} == {".txt", ".json"}


@pytest.mark.parametrize("game", GAMES)
def test_a_starter_catalogue_is_small_and_has_no_real_texts(game):
    catalogue = carddb.starter.catalogue(game)
    assert 12 <= len(catalogue) < 200
    assert catalogue.snapshot == f"{game}-starter"
    assert not any(card.text or card.back_text for card in catalogue)


def test_the_invented_game_covers_every_type_and_says_it_is_invented():
    catalogue = carddb.starter.catalogue("bos")
    assert {card.type for card in catalogue} == set(GAMES["bos"].types)
    assert all("invented" in card.set for card in catalogue)
    levy = catalogue.by_number("BE02-001")
    assert levy is catalogue.by_number("BE01-001")


@pytest.mark.parametrize("game", ["", "mtg", "../optcg"])
def test_an_unknown_game_is_said_to_be_unknown(game):
    with pytest.raises(UnknownGame, match="There is no game"):
        carddb.starter.catalogue(game)


@pytest.mark.parametrize("game", ["dbs", "optcg"])
def test_the_starter_says_what_the_real_cards_say(game):
    known = {card.number: card for card in real.cards(game)}
    for card in carddb.starter.catalogue(game):
        own = known[card.number]
        facts = ("name", "back_name", "type", "colors", "cost", "power", "traits", "characters", "released", "block")
        assert [getattr(card, fact) for fact in facts] == [getattr(own, fact) for fact in facts]
        said = clauses.read(game, own.type, own.text, own.back_text)
        assert [_meaning(clause) for clause in card.construction] == [_meaning(clause) for clause in said]
        assert card.keywords == clauses.keywords(said)


def _meaning(clause) -> dict:
    return {key: value for key, value in clause.as_dict().items() if key != "text"}
