"""The facts that ship judge the example decks, and say what the whole catalogues say, without a text."""

import csv
import zlib
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from api.cli import cli
from carddb import corrections, facts
from carddb.library import Library
from carddb.sources.printed_facts import find_unknown_words
from tests.carddb import real
from tests.shared import shared_path
from validator import Card, Clause, Deck, Judge, Line, Terms, clauses, decklists, rulesets
from validator.errors import UnknownGame
from validator.games import GAMES
from validator.limits import shipped_lists
from validator.matching import check_match
from validator.texts import INVISIBLE

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TODAY = date(2026, 11, 21)
NEWEST = {
    "optcg": "optcg-1.2.1",
    "dbs": "dbs-4.00",
    "gundam": "gundam-1.9.0",
    "fusion": "fusion-launch",
    "bos": "bos-1.3",
}

CALLED_OTHERWISE = ["BT9-128"]  # the list leaves out a word of what its back is called

SHIPPED = [column for column in facts.COLUMNS if column not in ("printings", "construction")]

LEGAL = [
    "optcg-red-zoro.txt",
    "optcg-prisoners.json",
    "dbs-broly.txt",
    "dbs-dragon-balls.json",
    "gundam-white-base.txt",
    "fusion-bardock.txt",
    "bos-lanterns.txt",
    "bos-fords.json",
]
ILLEGAL = {
    "optcg-five-copies.txt": {"size", "copies.exceeded", "color.mismatch"},
    "optcg-banned-pair.txt": {"card.banned", "pair.banned"},
    "optcg-rotated-zoro.txt": {"block.rotated"},
    "dbs-too-many-wishes.txt": {"copies.exceeded", "keyword.exceeded"},
    "dbs-forbidden.txt": {"card.banned", "card.restricted", "effect.forbidden", "type.misplaced", "size"},
    "gundam-three-colours.txt": {"color.too_many", "card.banned", "card.restricted", "pair.banned"},
    "fusion-super-combo.txt": {"card.banned", "color.mismatch", "keyword.exceeded"},
    "bos-five-levies.txt": {"copies.exceeded", "class.exceeded"},
    "bos-short.txt": {"size", "type.misplaced"},
}


def listed_cards(game: str) -> dict[str, str]:
    """Every card that a list of the game names, by number."""
    listed, rotation = shipped_lists(game).listed, shipped_lists(game).rotation
    rulings = [ruling for region in listed.regions for ruling in listed.rulings(region)]
    found = {number: name for one in rulings for number, name in zip(one.numbers, one.names, strict=True)}
    excepted = (one for several in rotation.exceptions.values() for one in several) if rotation else ()
    return found | {one.number: one.name for one in excepted}


@pytest.mark.parametrize("game", ["optcg", "dbs", "gundam"])
def test_a_list_names_each_card_as_its_number_does(game):
    """A slip in a number bans nobody, or somebody else."""
    cards = listed_cards(game)
    assert len(cards) > 20
    deck = Deck(main=tuple(Line(number, 1, name) for number, name in cards.items()))
    found = Judge(Terms(NEWEST[game], TODAY), facts.catalogue(game))(deck).findings
    strange = [one.cards[0].number for one in found if one.code in ("card.unknown", "card.mismatch")]
    assert strange == [number for number in CALLED_OTHERWISE if number in cards]


def verdict(example: str, format: str = "standard"):
    game = example.partition("-")[0]
    catalogue = facts.catalogue(game)
    terms = Terms(rulesets()[NEWEST[game]], TODAY, format=format)
    written = decklists.parse((EXAMPLES / example).read_text(), game, catalogue).deck
    assert not written.unread
    return Judge(terms, catalogue)(written)


def error_codes(verdict) -> set[str]:
    """Return the codes of a verdict's errors."""
    return {finding.code for finding in verdict.findings if finding.severity == "error"}


@pytest.mark.parametrize("example", LEGAL)
def test_the_legal_examples_are_legal_today(example):
    assert error_codes(verdict(example)) == set()


@pytest.mark.parametrize("example", ILLEGAL)
def test_the_illegal_examples_show_what_they_say(example):
    assert error_codes(verdict(example)) == ILLEGAL[example]


def test_the_rotated_deck_is_legal_in_extra():
    assert error_codes(verdict("optcg-rotated-zoro.txt", "extra")) == set()


def test_every_example_is_here():
    assert {file.name for file in EXAMPLES.iterdir() if file.is_file()} == {*LEGAL, *ILLEGAL}


def test_the_examples_have_every_section_and_both_forms():
    broly = verdict("dbs-broly.txt").facts
    assert all(list(broly.fitting_cards(section)) for section in ("main", "side", "z"))
    assert {Path(name).suffix for name in LEGAL} == {".txt", ".json"}


@pytest.mark.parametrize("game", GAMES)
def test_no_text_ships(game):
    (header, *_) = facts.facts_file(game).read_text("utf-8").splitlines()
    assert tuple(header.split(",")) == facts.COLUMNS
    for card in facts.catalogue(game):
        assert (card.text, card.back_text) == ("", "")
        assert not any(clause.text for clause in card.construction)


@pytest.mark.parametrize("game", GAMES)
def test_what_ships_is_well_made(game):
    cards = list(facts.catalogue(game))
    assert not [card.name for card in cards if card.name.translate(INVISIBLE) != card.name]
    assert not list(find_unknown_words(game, cards))
    assert len({card.number for card in cards}) == len(cards)
    assert facts.write_table(cards) == facts.facts_file(game).read_bytes()
    for match in (match for card in cards for clause in card.construction for match in (clause.match, clause.when)):
        assert match is None or check_match(match) is None


@pytest.mark.parametrize("game", ["optcg", "dbs", "gundam", "fusion"])
def test_they_are_dated_and_say_where_they_are_from(game):
    known = facts.provenance(game)
    assert facts.catalogue(game).as_of == known.day < TODAY
    assert facts.snapshot(game) == f"{game}-facts-{known.day}"
    assert "https://" in known.source
    assert known.licence
    assert known.reader == clauses.VERSION, "write the facts anew: their clauses are an older reader's"


def test_invented_cards_are_of_no_day():
    assert facts.provenance("bos") is None
    assert (facts.snapshot("bos"), facts.catalogue("bos").as_of) == ("bos-facts", None)


def test_all_of_them_are_small():
    files = [file for game in GAMES for file in facts.facts_file(game).parent.glob(f"{game}.*")]
    assert len(files) == 9
    assert sum(len(zlib.compress(file.read_bytes())) for file in files) < 400_000  # bytes, as a wheel packs them


def test_the_invented_game_covers_every_type_and_says_it_is_invented():
    catalogue = facts.catalogue("bos")
    assert {card.type for card in catalogue} == set(GAMES["bos"].types)
    assert all("invented" in card.set for card in catalogue)
    levy = catalogue.by_number("BE02-001")
    assert levy is catalogue.by_number("BE01-001")


@pytest.mark.parametrize("game", ["", "mtg", "../optcg"])
def test_an_unknown_game_is_said_to_be_unknown(game):
    with pytest.raises(UnknownGame, match="There is no game"):
        facts.catalogue(game)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["dbs", "optcg", "gundam"])
def test_the_command_writes_what_ships_and_that_is_what_the_whole_catalogue_says(game, tmp_path, monkeypatch):
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path))
    written = tmp_path / "facts.csv"
    run = CliRunner()
    assert run.invoke(cli, ["cards", "import", str(shared_path(real.SOURCES[game])), "--game", game]).exit_code == 0
    assert run.invoke(cli, ["cards", "export", game, "--facts", "-o", str(written)]).exit_code == 0
    assert written.read_bytes() == facts.facts_file(game).read_bytes()
    whole = Library(f"sqlite:///{tmp_path / 'deckproof.db'}").catalogue(game)
    for card, own in zip(facts.catalogue(game), whole, strict=True):
        assert [getattr(card, fact) for fact in SHIPPED] == [getattr(own, fact) for fact in SHIPPED]
        assert [_meaning(clause) for clause in card.construction] == [_meaning(clause) for clause in own.construction]


def _meaning(clause) -> dict:
    return {key: value for key, value in clause.as_dict().items() if key != "text"}


names = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), min_size=1)


@given(name=names, traits=st.lists(st.sampled_from(["=Saiyan", "God", "@x", "'-", "''"]), unique=True).map(tuple))
def test_every_card_comes_back(name, traits):
    one = Card("dbs", "BT1-001", name, "Battle", traits=traits, cost=4, cost_text="4(RR)", printings=("BT1-001",))
    (again,) = facts.read_table(facts.write_table([one]).decode(), "dbs")
    assert asdict(again) == asdict(one)


def test_a_table_holds_no_formula():
    written = facts.write_table([Card("optcg", "OP01-016", "=1+1", "Character", traits=("+1",), cost_text="-(BX)")])
    (row,) = csv.DictReader(written.decode().splitlines())
    assert (row["name"], row["traits"], row["cost"]) == ("'=1+1", "'+1", "'-(BX)")


@pytest.mark.slow
def test_what_is_known_to_be_wrong_is_corrected_in_facts_too():
    for number, ones in corrections.load_corrections("dbs").items():
        card = facts.catalogue("dbs").by_number(number)
        assert [getattr(card, one.fact) for one in ones] == [one.right for one in ones]
        assert corrections.correct_card(card) is card


def test_a_clause_loses_its_text_and_nothing_else():
    clauses_of = (Clause("unread", "an odd sentence"), Clause("forbid", "No blue.", match={"color": ["Blue"]}))
    one = Card("dbs", "BT1-001", "Odd", "Leader", construction=clauses_of)
    (again,) = facts.read_table(facts.write_table([one]).decode(), "dbs")
    assert again.construction == tuple(replace(clause, text="") for clause in clauses_of)
