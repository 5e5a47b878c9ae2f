"""What cards gain wherever they are: names, characters, traits, colours, types, keywords; and on what condition."""

from __future__ import annotations

from typing import Any

import pytest

from tests.validator.clauses.readings import UNREAD, alias, dbs, optcg, said
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
    assert dbs(f"This card {verb} {words} in all areas.") == alias(**added)


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
    assert dbs(sentence) == alias(traits=["God"])


@pytest.mark.parametrize(("words", "colors"), COLORS)
def test_colors(words: str, colors: list[str]) -> None:
    assert dbs(f"This card is also treated as {words} in all areas.") == alias(colors=colors)
    assert dbs(f"This card is {words} while in your deck and Drop Area.") == alias(colors=colors)
    assert dbs(f"This card is also treated as {words}.") == []


def test_one_place_for_all_that_is_gained() -> None:
    both = alias(colors=["Red"]) + alias(traits=["God"])
    assert dbs("This card is also treated as red and gains 《God》 in all areas.") == both
    assert dbs("This card gains 《God》 in all areas and is also treated as red in your hand.") == both[1:]


def test_types() -> None:
    extra = alias(types=["Extra"])
    assert dbs("This card is also treated as an Extra when in your deck, Drop, or Warp.") == extra
    assert dbs("This card is also treated as an Extra Card in all areas.") == extra
    assert dbs("This card is also treated as an Extra when in your Drop or Warp.") == []


def test_what_permanent_skills_add_to_the_text_needs_no_place() -> None:
    assert dbs("This card gains ＜Gogeta＞.") == alias(characters=["Gogeta"])
    assert dbs("This card is also treated as {Makyo Star}.") == alias(names=["Makyo Star"])
    assert dbs("This card gains 《God》.") == alias(traits=["God"])
    assert dbs("This card gains 《God》 and +5000 power during your turn.") == []
    for head in ("", "[Auto] ", "・ [Permanent] "):
        assert said("dbs", f"{head}This card gains 《God》.") == []


@pytest.mark.parametrize("keyword", ["Ultimate", "Super Combo", "Dragon Ball"])
def test_keyword_gained(keyword: str) -> None:
    expected = [{"kind": "keyword", "keyword": keyword}]
    assert dbs(f"This card gains [{keyword}] in all areas.") == expected
    assert dbs(f"This card gains [{keyword.lower()}] and 《God》 in all areas.") == expected + alias(traits=["God"])
    assert dbs(f"This card gains [{keyword}].") == []
    assert said("dbs", f"[Auto] When this card is played, it gains [{keyword}] for the turn.") == []


def test_keyword_gained_on_a_condition_is_no_keyword_of_the_card() -> None:
    text = "[Permanent] If your Leader is red, this card gains [Dragon Ball] in all areas."
    assert said("dbs", text) == [{"kind": "keyword", "keyword": "Dragon Ball", "when": {"color": ["Red"]}}]
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
        assert dbs(sentence) == alias(**both), sentence
    heroines = alias(match={"character": ["Pan", "Bulla"], "type": ["Battle"]}, traits=["Heroine"])
    gain = "gain 《Heroine》 and are treated as if they had no specified costs"
    assert dbs(f"All ＜Pan＞ and ＜Bulla＞ Battle Cards in all of your areas {gain}.") == heroines
    assert dbs("Your ＜Son Goku＞ cards are also treated as red.") == []
    assert dbs("All of your cards gain 《God》 in all areas.") == UNREAD


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
    expected = alias(traits=["God"], when=when)
    assert dbs(f"If {condition}, this card gains 《God》 in all areas.") == expected
    assert dbs(f"While {condition}, this card can't attack and gains 《God》 in all areas.") == expected
    assert dbs(f"This card gains 《God》 in all areas if {condition}.") == expected
    other = when["not"] if set(when) == {"not"} else {"not": when}
    assert dbs(f"Unless {condition}, this card gains 《God》 in all areas.") == alias(traits=["God"], when=other)


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
    assert dbs(f"{condition}, this card gains 《God》 in all areas.") == []
    assert dbs(f"{condition}, this card is also treated as red in all areas.") == []


@pytest.mark.parametrize("condition", ["If your deck has 60 cards", "If your Leader is ＜Broly＞-only", "If it rains"])
def test_condition_that_is_not_understood(condition: str) -> None:
    assert dbs(f"{condition}, this card gains 《God》 in all areas.") == UNREAD


def test_optcg_names_and_types() -> None:
    assert optcg("Also treat this card's name as [Usopp] according to the rules.") == alias(names=["Usopp"])
    both = alias(names=["Trafalgar Law", "Donquixote Rosinante"])
    names = "[Trafalgar Law] and [Donquixote Rosinante]"
    assert optcg(f"Under the rules of this game, also treat this card's name as {names}.") == both
    assert optcg("Also treat this card's type as {Navy} according to the rules.") == alias(traits=["Navy"])
    assert optcg("This card is also treated as a {Navy} type card in all areas.") == alias(traits=["Navy"])
    assert optcg("Under the rules of this game, this card is also treated as blue.") == alias(colors=["Blue"])
    when = alias(names=["Usopp"], when={"trait": ["Navy"]})
    assert optcg("If your Leader has the {Navy} type, also treat this card's name as [Usopp].") == when
    # No clause says what attributes a card gains.
    assert optcg("This card is also treated as having the <Slash> attribute according to the rules.") == UNREAD


@pytest.mark.parametrize(
    "sentence",
    [
        "This card gains 《God in all areas.",
        "This card gains God in all areas.",
        "This card doesn't gain 《God》 in all areas.",
        "This card loses 《God》 in all areas.",
        "This card gains 《God》 in all areas of the world.",
        "Your opponent's cards can't attack and gain 《God》 in all areas.",
    ],
)
def test_gain_that_is_not_understood(sentence: str) -> None:
    assert dbs(sentence) == UNREAD
