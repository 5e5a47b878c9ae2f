"""Gains in card texts: names, characters, traits, colours, types and keywords, with their conditions and places."""

from __future__ import annotations

from typing import Any

import pytest

from tests.validator.clauses.readings import UNREAD, alias_clause, read_clauses, read_dbs, read_optcg
from validator.cards import Clause
from validator.clauses import keywords, read

VALUES: list[tuple[str, dict[str, list[str]]]] = [
    ("《Desire》", {"traits": ["Desire"]}),
    ("＜Broly＞", {"characters": ["Broly"]}),
    ("〈Trunks : Future〉", {"characters": ["Trunks : Future"]}),
    ("{Planet M-2}", {"names": ["Planet M-2"]}),
    ("《Desire》 and ＜Broly＞", {"traits": ["Desire"], "characters": ["Broly"]}),
    ("＜Recoome＞, ＜Jeice＞, ＜Burter＞, and ＜Guldo＞", {"characters": ["Recoome", "Jeice", "Burter", "Guldo"]}),
    ("the special trait 《Desire》", {"traits": ["Desire"]}),
    ("[Barrier] and 《Desire》", {"traits": ["Desire"]}),
]
COLORS: list[tuple[str, list[str]]] = [
    ("black", ["Black"]),
    ("red and blue", ["Red", "Blue"]),
    ("red, blue, green, and yellow", ["Red", "Blue", "Green", "Yellow"]),
    ("a white card", ["White"]),
]


@pytest.mark.parametrize("verb", ["gains", "also gains", "has", "is also treated as", "is treated as"])
@pytest.mark.parametrize(("words", "added"), VALUES)
def test_this_card_in_all_areas(verb: str, words: str, added: dict[str, Any]) -> None:
    assert read_dbs(f"This card {verb} {words} in all areas.") == alias_clause(**added)


@pytest.mark.parametrize(
    "sentence",
    [
        "This card gains 《God》 in all areas.",
        "this card GAINS 《God》 In All Areas",
        "This card gains《God》in all areas.",
        "This card in all areas gains 《God》.",
        "In all areas, this card gains 《God》.",
        "This card gains in all areas 《God》.",
        "This card gains 《God》 in every area.",
        "This card gains 《God》 in all of your areas.",
        "This card gains 《God》 while in your deck and Drop Area.",
        "This card gains 《God》 in your hand, deck, and Drop.",
        "This card gains 《God》 in all areas other than the Battle Area.",
        "This card can't attack and gains 《God》 in all areas.",
        "This card gains 《God》 in all areas and can't attack.",
        "This card gains 《God》 in all areas, and cards in your hand can't be discarded.",
        "This card gains 《God》 in all areas; if your opponent has 2 or more energy, draw 1 card.",
        "Treat this card as a 《God》 card in all areas.",
        "This card's special trait is also treated as 《God》 in all areas.",
    ],
)
def test_order_and_place(sentence: str) -> None:
    assert read_dbs(sentence) == alias_clause(traits=["God"])


@pytest.mark.parametrize(("words", "colors"), COLORS)
def test_colors(words: str, colors: list[str]) -> None:
    assert read_dbs(f"This card is also treated as {words} in all areas.") == alias_clause(colors=colors)
    assert read_dbs(f"This card is {words} while in your deck and Drop Area.") == alias_clause(colors=colors)
    assert read_dbs(f"This card is also treated as {words}.") == []
    assert read_dbs(f"This card is also treated in all areas as {words}.") == alias_clause(colors=colors)


def test_one_place_for_all_that_is_gained() -> None:
    both = alias_clause(colors=["Red"]) + alias_clause(traits=["God"])
    assert read_dbs("This card is also treated as red and gains 《God》 in all areas.") == both
    assert read_dbs("This card gains 《God》 in all areas and is also treated as red in your hand.") == both[1:]


def test_types() -> None:
    extra = alias_clause(types=["Extra"])
    assert read_dbs("This card is also treated as an Extra when in your deck, Drop, or Warp.") == extra
    assert read_dbs("This card is also treated as an Extra Card in all areas.") == extra
    assert read_dbs("This card is also treated as an Extra when in your Drop or Warp.") == []


def test_what_permanent_skills_add_to_the_text_needs_no_place() -> None:
    assert read_dbs("This card gains ＜Gogeta＞.") == alias_clause(characters=["Gogeta"])
    assert read_dbs("This card is also treated as {Makyo Star}.") == alias_clause(names=["Makyo Star"])
    assert read_dbs("This card gains 《God》.") == alias_clause(traits=["God"])
    assert read_dbs("This card gains 《God》 and +5000 power during your turn.") == []
    for head in ("", "[Auto] ", "・ [Permanent] "):
        assert read_clauses("dbs", f"{head}This card gains 《God》.") == []


@pytest.mark.parametrize("keyword", ["Ultimate", "Super Combo", "Dragon Ball"])
def test_keyword_gained(keyword: str) -> None:
    expected = [{"kind": "keyword", "keyword": keyword}]
    assert read_dbs(f"This card gains [{keyword}] in all areas.") == expected
    assert read_dbs(f"This card gains [{keyword.lower()}] and 《God》 in all areas.") == expected + alias_clause(
        traits=["God"]
    )
    assert read_dbs(f"This card gains [{keyword}].") == []
    assert read_clauses("dbs", f"[Auto] When this card is played, it gains [{keyword}] for the turn.") == []


def test_keyword_gained_on_a_condition_is_no_keyword_of_the_card() -> None:
    text = "[Permanent] If your Leader is red, this card gains [Dragon Ball] in all areas."
    assert read_clauses("dbs", text) == [{"kind": "keyword", "keyword": "Dragon Ball", "when": {"color": ["Red"]}}]
    assert keywords(read("dbs", "Extra", text)) == ()
    assert keywords((Clause("keyword", keyword="Ultimate"), Clause("keyword", keyword="Ultimate"))) == ("Ultimate",)


def test_other_cards() -> None:
    both = {"match": {"character": ["Son Goku", "Vegeta"]}, "colors": ["Red", "Blue"]}
    for sentence in (
        "Your ＜Son Goku＞ and ＜Vegeta＞ cards are also treated as red and blue in all areas.",
        "Each ＜Son Goku＞ and ＜Vegeta＞ in all of your areas gain red and blue colors.",
        "All ＜Son Goku＞ and ＜Vegeta＞ cards in all areas gain the colors red and blue.",
        "Treat your ＜Son Goku＞ and ＜Vegeta＞ cards in all areas as red and blue cards.",
    ):
        assert read_dbs(sentence) == alias_clause(**both), sentence
    heroines = alias_clause(match={"character": ["Pan", "Bulla"], "type": ["Battle"]}, traits=["Heroine"])
    gain = "gain 《Heroine》 and are treated as if they had no specified costs"
    assert read_dbs(f"All ＜Pan＞ and ＜Bulla＞ Battle Cards in all of your areas {gain}.") == heroines
    assert read_dbs("Your ＜Son Goku＞ cards are also treated as red.") == []
    assert read_dbs("All of your cards gain 《God》 in all areas.") == UNREAD


CONDITIONS: list[tuple[str, dict[str, Any]]] = [
    ("your Leader is red", {"color": ["Red"]}),
    ("your Leader Card is an ＜Aeos＞ card", {"character": ["Aeos"]}),
    ("your Leader is a green ＜Majin Buu＞ card", {"color": ["Green"], "character": ["Majin Buu"]}),
    ("your Leader is a ＜Zamasu＞ or ＜Goku Black＞ card", {"character": ["Zamasu", "Goku Black"]}),
    (
        "your Leader is an ＜Android 16＞ or blue 《Android》",
        {"any": [{"character": ["Android 16"]}, {"color": ["Blue"], "trait": ["Android"]}]},
    ),
    ("your Leader isn't a 《God》 card", {"not": {"trait": ["God"]}}),
    ("your Leader's back side is {Piccolo, Brotherhood Bonds}", {"name": ["Piccolo, Brotherhood Bonds"]}),
    ("your Leader's character name includes ＜Gotenks＞", {"character_part": ["Gotenks"]}),
    ("your Leader has ＜Gotenks＞ in its character name", {"character_part": ["Gotenks"]}),
    ("your Leader is yellow and has ＜Goku＞ in its character name", {"color": ["Yellow"], "character_part": ["Goku"]}),
]


@pytest.mark.parametrize(("condition", "when"), CONDITIONS)
def test_condition_on_the_leader(condition: str, when: dict[str, Any]) -> None:
    expected = alias_clause(traits=["God"], condition=when)
    assert read_dbs(f"If {condition}, this card gains 《God》 in all areas.") == expected
    assert read_dbs(f"While {condition}, this card can't attack and gains 《God》 in all areas.") == expected
    assert read_dbs(f"This card gains 《God》 in all areas if {condition}.") == expected
    other = when["not"] if set(when) == {"not"} else {"not": when}
    assert read_dbs(f"Unless {condition}, this card gains 《God》 in all areas.") == alias_clause(
        traits=["God"], condition=other
    )


@pytest.mark.parametrize(
    "condition",
    [
        "If your life is at 4 or less",
        "If you have a ＜Cell＞ card in play",
        "If you have 3 or more energy",
        "If there are 4 {King Kai's Training} under {King Kai's Planet} in your Battle Area",
        "While there are 4 or more colors in your energy",
        "If your Leader is a ＜Broly＞ card and you have 3 or more energy",
        "If your Leader is red and it's flipped to its back",
        "During your opponent's turn",
        "If there are 7 cards in your Drop",
    ],
)
def test_condition_of_play_makes_no_clause(condition: str) -> None:
    assert read_dbs(f"{condition}, this card gains 《God》 in all areas.") == []
    assert read_dbs(f"{condition}, this card is also treated as red in all areas.") == []


@pytest.mark.parametrize("condition", ["If your deck has 60 cards", "If your Leader is ＜Broly＞-only", "If it rains"])
def test_condition_that_is_not_understood(condition: str) -> None:
    assert read_dbs(f"{condition}, this card gains 《God》 in all areas.") == UNREAD


def test_optcg_names_and_types() -> None:
    assert read_optcg("Also treat this card's name as [Usopp] according to the rules.") == alias_clause(names=["Usopp"])
    both = alias_clause(names=["Trafalgar Law", "Donquixote Rosinante"])
    names = "[Trafalgar Law] and [Donquixote Rosinante]"
    assert read_optcg(f"Under the rules of this game, also treat this card's name as {names}.") == both
    assert read_optcg("Also treat this card's type as {Navy} according to the rules.") == alias_clause(traits=["Navy"])
    assert read_optcg("This card is also treated as a {Navy} type card in all areas.") == alias_clause(traits=["Navy"])
    assert read_optcg("Under the rules of this game, this card is also treated as blue.") == alias_clause(
        colors=["Blue"]
    )
    when = alias_clause(names=["Usopp"], condition={"trait": ["Navy"]})
    assert read_optcg("If your Leader has the {Navy} type, also treat this card's name as [Usopp].") == when
    # No clause says what attributes a card gains.
    assert read_optcg("This card is also treated as having the <Slash> attribute according to the rules.") == UNREAD


@pytest.mark.parametrize(
    "sentence",
    [
        "This card gains 《God in all areas.",
        "This card gains God in all areas.",
        "This card doesn't gain 《God》 in all areas.",
        "This card loses 《God》 in all areas.",
        "This card gains 《God》 in all areas of the world.",
        "This card is in your deck gains 《God》.",
        "Your opponent's cards can't attack and gain 《God》 in all areas.",
    ],
)
def test_gain_that_is_not_understood(sentence: str) -> None:
    assert read_dbs(sentence) == UNREAD
