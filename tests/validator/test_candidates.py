"""Candidates: of the cards that a line may mean, those come first that could stand there."""

from __future__ import annotations

import pytest

from carddb import facts
from carddb.catalogue import Catalogue
from tests.validator.table import TODAY, Table
from validator import Card, Deck, Judge, Line, Terms
from validator.deck import Unread
from validator.numbers import correct_number, games_of

RULES = "optcg-1.2.1"


def garp(number, type="Character", color="Red", **facts):
    return Card("optcg", number, "Sailor.G", type, colors=(color,), cost=2, **facts)


CARDS = [
    Card("optcg", "OP21-002", "Captain A", "Leader", colors=("Red",)),
    Card("optcg", "OP21-099", "The Empty Chair", "Stage", colors=("Red",), cost=1),
    garp("OP01-078", block="1"),
    garp("OP22-031", color="Blue"),
    garp("OP22-001", "Leader"),
    garp("OP23-004", released="2027-03-01"),
    garp("OP21-016"),
    garp("ST41-005"),
]
TABLE = Judge(Terms(RULES, TODAY), Catalogue("optcg", "named", CARDS))


def suggest_cards(number=None, name=None, section="main"):
    """Return the numbers of the cards that are suggested for one unknown or ambiguous line."""
    deck = Deck(leader=(Line("OP21-002", 1),)) if section == "main" else Deck()
    setattr(deck, section, (Line(number, 4 if section == "main" else 1, name),))
    (found,) = (one for one in TABLE(deck).findings if one.code in ("card.unknown", "card.ambiguous"))
    return [card.number for card in found.suggestions]


@pytest.mark.parametrize(
    ("number", "name"),
    [
        ("OP21-999", "Sailor.G"),
        ("OP21-999", "Sailer.G"),
        ("OP99-016", "Sailor.G"),
        (None, "Sailor.G OP21"),
        (None, "Sailor.G 016"),
        ("OP21-OI6", None),
        ("0P21-016", None),
        ("0P21-0I6", "Sailor.G"),
    ],
)
def test_what_the_line_says_of_the_number_goes_before_all_but_the_name(number, name):
    assert suggest_cards(number, name)[0] == "OP21-016"


@pytest.mark.parametrize("name", ["Sailor.G (2-cost)", "Sailor.G [alt art]", "Sailer.G"])
def test_of_cards_of_one_name_those_that_could_be_played_come_first(name):
    assert suggest_cards(name=name) == ["OP21-016", "ST41-005", "OP23-004", "OP01-078", "OP22-031"]


def test_a_name_that_several_cards_have_lists_them_all_by_what_stands_against_them():
    assert suggest_cards(name="Sailor.G")[-1] == "OP22-001"
    assert suggest_cards(name="Sailor.G", section="leader")[0] == "OP22-001"
    assert len(suggest_cards(name="Sailor.G")) == 6


def of_name(number, name, color="Red", type="Character", **facts):
    return Card("optcg", number, name, type, colors=(color,), cost=2, **facts)


MATES = [
    Card("optcg", "OP21-002", "Captain A", "Leader", colors=("Red",)),
    of_name("OP30-001", "Tobin & Salla"),
    of_name("OP30-002", "Tobin-Rou", "Blue", printings=tuple(f"OP30-002_p{at}" for at in range(9))),
    of_name("OP30-003", "Sable.D.Tobin", "Blue"),
    of_name("OP30-004", "Sable.D.Tobin", type="Leader"),
    of_name("OP30-005", "Sable.D.Tobin"),
    of_name("OP31-006", "Sable.D.Tobin"),
    of_name("OP31-007", "Sailor.G"),
]
CREW = Judge(Terms(RULES, TODAY), Catalogue("optcg", "crew", MATES))


def suggest_for_unknown(name, section="main", known_numbers=(), unread_lines=()):
    """Return the numbers of the cards that are suggested for an unknown name in a deck with `known_numbers`.

    With `unread_lines`, they are those that are suggested for the first unread line.
    """
    leader = (Line("OP21-002", 1),) if section == "main" else (Line(None, 1, name),)
    main = tuple(Line(number, 4) for number in known_numbers)
    deck = Deck(
        leader=leader, main=(*main, Line(None, 4, name)) if section == "main" and name else main, unread=unread_lines
    )
    codes = ("line.unread",) if unread_lines else ("card.unknown",)
    (found,) = (one for one in CREW(deck).findings if one.code in codes)
    return [card.number for card in found.suggestions]


@pytest.mark.parametrize("name", ["Tobin", "tobn", "Tobbin", "sable tobin"])
def test_a_part_of_a_name_offers_first_what_the_leader_lets_in(name):
    assert suggest_for_unknown(name)[0] == "OP30-005"


def test_a_part_of_a_name_offers_a_leader_for_the_leader_section():
    assert suggest_for_unknown("Tobin", "leader")[0] == "OP30-004"
    assert "OP30-004" not in suggest_for_unknown("Tobin")[:3]


def test_a_part_of_a_name_offers_cards_of_the_sets_that_the_deck_uses_before_others():
    assert suggest_for_unknown("sable tobin", known_numbers=["OP31-007"])[0] == "OP31-006"


def test_a_part_of_a_name_offers_other_names_beside_the_likeliest():
    assert suggest_for_unknown("tobin")[:3] == ["OP30-005", "OP30-001", "OP30-002"]
    assert len(suggest_for_unknown("tobin")) == 5


def test_a_line_that_could_not_be_read_offers_cards_too():
    assert suggest_for_unknown("", unread_lines=(Unread(3, "4 4 tobin", "unclear"),))[0] == "OP30-005"


@pytest.mark.parametrize(("written", "meant"), [("Zoro", "Roronoa Zoro"), ("lufy", "Monkey.D.Luffy")])
@pytest.mark.parametrize("leader", ["OP01-001", "ST21-001", "OP01-060", "OP12-001"])
def test_the_card_of_a_common_first_name_is_offered_first_under_any_leader(written, meant, leader):
    table = Judge(Terms(RULES, TODAY), facts.catalogue("optcg"))
    verdict = table(Deck(leader=(Line(leader, 1),), main=(Line("OP01-016", 4), Line(None, 4, written))))
    (found,) = (one for one in verdict.findings if one.code == "card.unknown")
    assert found.suggestions[0].name == meant


def test_a_number_of_another_game_is_like_no_card():
    assert suggest_cards("FB21-016") == []
    assert suggest_cards("BT21-016", "Sailor.G") == []


def test_suggestions_are_the_same_whatever_was_asked_before():
    table = Table("dbs-4.00")
    deck = Deck(main=(Line("X-0", 4), Line("X-0", 4)))
    assert [one.as_dict() for one in table.judge(deck).findings] == [
        one.as_dict() for one in table.judge(deck).findings
    ]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("OP13-OO2", "OP13-002"),
        ("op13-oo2", "OP13-002"),
        ("0P01-016", "OP01-016"),
        ("OPO1-0I6", "OP01-016"),
        ("P-OO1", "P-001"),
        ("BT1-O05", "BT1-005"),
        ("OP01-016", "OP01-016"),
        ("Oil-Lamp", "Oil-Lamp"),
        ("", ""),
    ],
)
def test_letters_that_were_typed_for_digits(typed, meant):
    assert correct_number(typed) == meant


@pytest.mark.parametrize(
    ("number", "games"),
    [
        ("OP01-016", {"ONE PIECE"}),
        ("BT1-005_SPR", {"Dragon Ball Super", "Digimon Card Game"}),
        ("FB01-001", {"Dragon Ball Super Card Game Fusion World"}),
        ("GD01-001", {"GUNDAM CARD GAME"}),
        ("ST01-001", {"ONE PIECE", "GUNDAM CARD GAME", "Dragon Ball Super Card Game Fusion World"}),
        ("Nami", set()),
        ("", set()),
    ],
)
def test_the_games_that_a_number_may_be_of(number, games):
    assert set(games_of(number)) == games
