"""What a deck may hold: bars, limits and copies, in the words of texts and in words like them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.validator.clauses.readings import UNREAD, copies_clause, forbid_clause, pool_clause, read_dbs, read_optcg
from validator.clauses import read


@pytest.mark.parametrize("verb", ["can't", "can’t", "cannot", "can not", "may not", "must not", "are not allowed to"])
@pytest.mark.parametrize("noun", ["Battle Cards", "Battle cards", "BATTLE CARDS", "battle card", "Battle"])
def test_bar_in_any_negation_and_case(verb: str, noun: str) -> None:
    assert read_dbs(f"You {verb} include black {noun} in your deck.") == forbid_clause(type=["Battle"], color=["Black"])


@pytest.mark.parametrize("color", ["red", "blue", "green", "yellow", "black", "white"])
def test_bar_of_other_colors(color: str) -> None:
    expected = forbid_clause(type=["Battle"], not_={"color": [color.title()]})
    assert read_dbs(f"You can't include non-{color} Battle Cards in your deck.") == expected
    assert read_dbs(f"You can’t include non {color} Battle Cards in your deck") == expected


@pytest.mark.parametrize("cost", [0, 1, 3, 7, 12])
@pytest.mark.parametrize(
    ("words", "bounds"),
    [
        ("of {} or more", ("min", 0)),
        ("of {} or greater", ("min", 0)),
        ("of {} or less", ("max", 0)),
        ("of {} or fewer", ("max", 0)),
        ("of more than {}", ("min", 1)),
        ("of less than {}", ("max", -1)),
        ("of at least {}", ("min", 0)),
    ],
)
def test_bar_by_cost(cost: int, words: str, bounds: tuple[str, int]) -> None:
    bound, step = bounds
    expected = forbid_clause(type=["Extra"], cost={bound: cost + step})
    assert read_dbs(f"You can't include Extra Cards with energy costs {words.format(cost)} in your deck.") == expected
    assert read_dbs(f"You can't include Extras in your deck with an energy cost {words.format(cost)}.") == expected


def test_bar_by_exact_costs() -> None:
    exact = [{"cost": {"min": cost, "max": cost}} for cost in (4, 6, 7)]
    assert read_dbs("You can't include cards with energy costs of 4, 6 or 7 in your deck.") == forbid_clause(any=exact)
    assert read_dbs("You can't include cards with an energy cost of 4 in your deck.") == forbid_clause(**exact[0])
    between = forbid_clause(cost={"min": 2, "max": 4})
    assert read_dbs("You can't include cards with energy costs between 2 and 4 in your deck.") == between
    assert read_dbs("You can't include cards with energy costs of 2 to 4 in your deck.") == between
    assert read_dbs("You can't include cards with energy costs of five or more in your deck.") == forbid_clause(
        cost={"min": 5}
    )


# Object phrases of Dragon Ball Super -> the match of the cards they name.
PHRASES: list[tuple[str, dict[str, Any]]] = [
    ("《Saiyan》 cards", {"trait": ["Saiyan"]}),
    ("≪Saiyan≫ cards", {"trait": ["Saiyan"]}),
    ("＜＜Goku's Lineage＞＞ cards", {"trait": ["Goku's Lineage"]}),
    ("＜Broly＞ Battle Cards", {"character": ["Broly"], "type": ["Battle"]}),
    ("〈Son Gohan : Youth〉 cards", {"character": ["Son Gohan : Youth"]}),
    ("{Senzu Bean}", {"name": ["Senzu Bean"]}),
    ("[Super Combo] cards", {"keyword": ["Super Combo"]}),
    ("cards with [Dragon Ball]", {"keyword": ["Dragon Ball"]}),
    ("cards without [Ultimate]", {"not": {"keyword": ["Ultimate"]}}),
    ("red or blue Battle Cards", {"color": ["Red", "Blue"], "type": ["Battle"]}),
    ("yellow ＜Baby＞ or ＜Bulla＞ cards", {"color": ["Yellow"], "character": ["Baby", "Bulla"]}),
    ("red, blue, and green cards", {"color": ["Red", "Blue", "Green"]}),
    ("Red/Blue multicolor cards", {"all": [{"color": ["Red"]}, {"color": ["Blue"]}], "multicolor": True}),
    ("cards that are both red and blue", {"all": [{"color": ["Red"]}, {"color": ["Blue"]}]}),
    ("mono-red cards", {"color": ["Red"], "multicolor": False}),
    ("multicolor Extra Cards", {"multicolor": True, "type": ["Extra"]}),
    ("Battle and Extra Cards", {"type": ["Battle", "Extra"]}),
    ("Battle Cards or Unisons", {"type": ["Battle", "Unison"]}),
    (
        "Battle Cards or Extra Cards with energy costs of 5 or more",
        {"type": ["Battle", "Extra"], "cost": {"min": 5}},
    ),
    (
        "black Battle Cards or Extra Cards with energy costs of 4 or more",
        {"any": [{"color": ["Black"], "type": ["Battle"]}, {"type": ["Extra"], "cost": {"min": 4}}]},
    ),
    (
        "non-《Universe 7》 Battle Cards or multicolor cards",
        {"any": [{"type": ["Battle"], "not": {"trait": ["Universe 7"]}}, {"multicolor": True}]},
    ),
    ("non-Battle Cards", {"not": {"type": ["Battle"]}}),
    ("non-red and non-blue Battle Cards", {"type": ["Battle"], "not": {"color": ["Red", "Blue"]}}),
    ("non-red 《God》 cards", {"trait": ["God"], "not": {"color": ["Red"]}}),
    (
        "red 《God》 or blue 《Saiyan》 cards",
        {"any": [{"color": ["Red"], "trait": ["God"]}, {"color": ["Blue"], "trait": ["Saiyan"]}]},
    ),
    ("cards other than 《Saiyan》 cards", {"not": {"trait": ["Saiyan"]}}),
    ("cards that aren't red", {"not": {"color": ["Red"]}}),
    ("cards that are not 《Saiyan》 cards", {"not": {"trait": ["Saiyan"]}}),
    (
        "non-《Universe 6》 Battle Cards, except for 〈Vegeta〉 cards",
        {"type": ["Battle"], "not": {"any": [{"trait": ["Universe 6"]}, {"character": ["Vegeta"]}]}},
    ),
    ("cards that don't have 《Universe》 as part of their special trait", {"not": {"trait_part": ["Universe"]}}),
    ("cards that include 《Universe》 in their special traits", {"trait_part": ["Universe"]}),
    ("cards with ＜Goku＞ in their character names", {"character_part": ["Goku"]}),
    ("cards with {Goku} in their card names", {"name_part": ["Goku"]}),
    ("cards whose character name includes ＜Goku＞", {"character_part": ["Goku"]}),
    ("cards with both 《Android》 and 《Scientist》", {"all": [{"trait": ["Android"]}, {"trait": ["Scientist"]}]}),
    ("cards named {Senzu Bean}", {"name": ["Senzu Bean"]}),
    (
        "＜Son Goku＞ cards, 《God》 cards, or {Senzu Bean}",
        {"any": [{"character": ["Son Goku"]}, {"trait": ["God"]}, {"name": ["Senzu Bean"]}]},
    ),
]
IN_DECK = [
    "You can't include {} in your deck.",
    "You cannot include {}.",
    "Your deck can't include {}.",
    "Your deck may not contain {}.",
    "In your deck, you can't include {}.",
    "You can't have {} in your deck.",
    "{} can't be included in your deck.",
    "This card can't attack, and you can't include {} in your deck.",
    "You can't include {} in your deck, and this card can't attack.",
    "You can't include {} in your deck and when your deck is reduced to 0, you win the game.",
]
ONLY_IN_DECK = [
    "You can only include {} in your deck.",
    "You may only include {}.",
    "You can include only {} in your deck.",
    "Your deck can only include {}.",
    "Your deck can only consist of {}.",
    "Only {} can be included in your deck.",
]


@pytest.mark.parametrize("sentence", IN_DECK)
@pytest.mark.parametrize(("phrase", "match"), PHRASES)
def test_bar_of_phrase(sentence: str, phrase: str, match: dict[str, Any]) -> None:
    assert read_dbs(sentence.format(phrase)) == [{"kind": "forbid", "match": match}]


@pytest.mark.parametrize("sentence", ONLY_IN_DECK)
@pytest.mark.parametrize(("phrase", "match"), PHRASES)
def test_all_but_phrase_barred(sentence: str, phrase: str, match: dict[str, Any]) -> None:
    allowed = match["not"] if set(match) == {"not"} else {"not": match}
    assert read_dbs(sentence.format(phrase)) == [{"kind": "forbid", "match": allowed}]


@pytest.mark.parametrize(
    ("sentence", "match"),
    [
        ("You can't include cards in your deck that don't have 《Universe》 as part of their special trait.", None),
        ("You can't include Battle Cards in your deck with energy costs of 3 or less.", {"max": 3}),
    ],
)
def test_what_follows_in_your_deck_belongs_to_the_cards(sentence: str, match: Any) -> None:
    expected = forbid_clause(type=["Battle"], cost=match) if match else forbid_clause(not_={"trait_part": ["Universe"]})
    assert read_dbs(sentence) == expected


def test_exception_after_in_your_deck() -> None:
    expected = forbid_clause(type=["Battle"], not_={"any": [{"trait": ["Universe 6"]}, {"character": ["Vegeta"]}]})
    assert (
        read_dbs("You can't include non-《Universe 6》 Battle Cards in your deck, except for 〈Vegeta〉 cards.")
        == expected
    )


def test_all_cards_of_a_kind_must_be_of_another() -> None:
    expected = forbid_clause(type=["Battle"], not_={"color": ["Red"]})
    assert read_dbs("All Battle Cards in your deck must be red.") == expected


@pytest.mark.parametrize("count", [1, 2, 7, 10, 50])
def test_limit_of_a_group(count: int) -> None:
    expected = pool_clause(count, trait=["Dark Dragon Ball"])
    for sentence in (
        "You can only include up to {} 《Dark Dragon Ball》 cards in your deck.",
        "You can include up to {} 《Dark Dragon Ball》 cards in your deck.",
        "You can include no more than {} 《Dark Dragon Ball》 cards in your deck.",
        "You can't include more than {} 《Dark Dragon Ball》 cards in your deck.",
        "You can only include {} 《Dark Dragon Ball》 cards in your deck.",
        "You can include only up to {} 《Dark Dragon Ball》 cards in your deck.",
        "Your deck can only include up to a total of {} 《Dark Dragon Ball》 cards.",
        "Up to {} 《Dark Dragon Ball》 cards can be included in your deck.",
    ):
        assert read_dbs(sentence.format(count)) == expected, sentence
    assert read_dbs(f"You can't include {count + 1} or more 《Dark Dragon Ball》 cards in your deck.") == expected


def test_limit_in_words() -> None:
    assert read_dbs("You can only include up to seven 《God》 cards in your deck.") == pool_clause(7, trait=["God"])


def test_limit_and_bar_in_one_sentence() -> None:
    expected = pool_clause(6, keyword=["Dragon Ball"]) + forbid_clause(type=["Battle"], not_={"color": ["Red"]})
    limit = "can only include up to 6 [Dragon Ball] cards"
    assert read_dbs(f"Your deck {limit}, and can't include non-red Battle Cards.") == expected
    assert read_dbs(f"Your deck can't include non-red Battle Cards, and {limit}.") == expected[::-1]
    assert read_dbs(f"You {limit}, and you can't include non-red Battle Cards in your deck.") == expected


@pytest.mark.parametrize("count", [1, 3, 7, 30])
def test_copies_up_to(count: int) -> None:
    for sentence in (
        "You can include up to {} copies of this card in your deck.",
        "You can only include {} copies of this card in your deck.",
        "You may include {} copies of this card in your deck.",
        "You can't include more than {} copies of this card in your deck.",
        "You can have up to {} copies of this card in your deck.",
        "Your deck can include up to {} copies of this card.",
        "Up to {} copies of this card can be included in your deck.",
        "No more than {} copies of this card may be included in your deck.",
    ):
        assert read_dbs(sentence.format(count)) == copies_clause(count), sentence


@pytest.mark.parametrize("words", ["1 copy", "one copy", "a single copy", "up to 1 copy"])
def test_one_copy(words: str) -> None:
    assert read_dbs(f"You can only include {words} of this card in your deck.") == copies_clause(1)


@pytest.mark.parametrize(
    "sentence",
    [
        "You can include as many copies of this card in your deck as you like.",
        "You may include as many copies of this card as you want in your deck.",
        "You can include any number of copies of this card in your deck.",
        "You may have any number of this card in your deck.",
        "Your deck can include any number of copies of this card.",
        "Any number of copies of this card can be included in your deck.",
    ],
)
def test_any_number_of_copies(sentence: str) -> None:
    assert read_dbs(sentence) == copies_clause(None)


def test_z_deck() -> None:
    assert read_dbs("You can only include 1 copy of this card in your Z-Deck.") == copies_clause(1, "z")
    assert read_dbs("You can include as many copies of this card in your Z-Deck as you like.") == copies_clause(
        None, "z"
    )
    assert read_dbs("You can only include Z-Unisons in your Z-Deck.") == forbid_clause("z", not_={"type": ["Z-Unison"]})
    assert read_dbs("Your Z-Deck can't include red Z-Battle Cards.") == forbid_clause(
        "z", color=["Red"], type=["Z-Battle"]
    )
    both = forbid_clause(color=["Red"]) + forbid_clause("z", color=["Red"])
    assert read_dbs("You can't include red cards in your deck or Z-Deck.") == both


def test_condition_on_the_leader() -> None:
    when = {"color": ["Blue"], "character": ["Beerus"]}
    for sentence in (
        "If your Leader is a blue ＜Beerus＞ card, you can't include red cards in your deck.",
        "While your Leader Card is a blue ＜Beerus＞, you can't include red cards in your deck.",
        "You can't include red cards in your deck if your Leader is a blue ＜Beerus＞ card.",
    ):
        assert read_dbs(sentence) == forbid_clause(color=["Red"], condition=when), sentence
    unless = forbid_clause(trait=["God"], condition={"not": {"color": ["Red"]}})
    assert read_dbs("Unless your Leader is red, you can't include 《God》 cards in your deck.") == unless


OPTCG_PHRASES: list[tuple[str, dict[str, Any]]] = [
    ("Events", {"type": ["Event"]}),
    ("Event cards with a cost of 2 or more", {"type": ["Event"], "cost": {"min": 2}}),
    ("cards with a base cost of 5 or more", {"cost": {"min": 5}}),
    ("{East Blue} type cards", {"trait": ["East Blue"]}),
    ("{East Blue} or {Navy} type cards", {"trait": ["East Blue", "Navy"]}),
    ("red {Navy} type Characters", {"color": ["Red"], "trait": ["Navy"], "type": ["Character"]}),
    ("cards without the {Navy} type", {"not": {"trait": ["Navy"]}}),
    ('cards with a type including "CP"', {"trait_part": ["CP"]}),
    ("[Nami] cards", {"name": ["Nami"]}),
    ("purple cards", {"color": ["Purple"]}),
    ("multicolored cards", {"multicolor": True}),
    (
        "Events with a cost of 2 or more or Stages",
        {"any": [{"type": ["Event"], "cost": {"min": 2}}, {"type": ["Stage"]}]},
    ),
]


@pytest.mark.parametrize(("phrase", "match"), OPTCG_PHRASES)
def test_optcg_bars(phrase: str, match: dict[str, Any]) -> None:
    allowed = match["not"] if set(match) == {"not"} else {"not": match}
    for verb, barred in (("cannot", match), ("can't", match), ("can only", allowed)):
        expected = [{"kind": "forbid", "match": barred}]
        assert read_optcg(f"Under the rules of this game, you {verb} include {phrase} in your deck.") == expected
        assert read_optcg(f"You {verb} include {phrase} in your deck, according to the rules.") == expected


def test_optcg_copies() -> None:
    assert read_optcg(
        "Under the rules of this game, you may have any number of this card in your deck."
    ) == copies_clause(None)
    assert read_optcg(
        "Under the rules of this game, you may have up to 8 copies of this card in your deck."
    ) == copies_clause(8)
    assert read_optcg("Under the rules of this game, you may have up to 8 of this card in your deck.") == copies_clause(
        8
    )
    assert read_optcg("Under the rules of this game, you can only have 1 of this card in your deck.") == copies_clause(
        1
    )


@pytest.mark.parametrize("size", [0, 5, 6, 12])
def test_don_deck(size: int) -> None:
    expected = [{"kind": "don_size", "size": size}]
    assert read_optcg(f"Under the rules of this game, your DON!! deck consists of {size} cards.") == expected
    assert read_optcg(f"Your DON!! deck contains {size} DON!! cards instead of 10.") == expected


@pytest.mark.parametrize(
    "phrase",
    [
        "shiny cards",
        "red and shiny cards",
        "red cards and shiny cards",
        "cards with 15000 power or more",
        "cards with [Barrier]",
        "non-red or non-blue cards",
        "non-red or blue cards",
        "《Saiyan cards",
        "red 《God》 or blue cards",
        "Battle Cards or red Extra Cards with energy costs of 5 or more",
    ],
)
def test_cards_that_are_not_understood(phrase: str) -> None:
    assert read_dbs(f"You can't include {phrase} in your deck.") == UNREAD
    assert read_dbs(f"You can only include {phrase} in your deck.") == UNREAD


@pytest.mark.parametrize("phrase", ["cards with a [Trigger]", "[Blocker] Characters", "＜Slash＞ attribute Characters"])
def test_optcg_cards_that_are_not_understood(phrase: str) -> None:
    assert read_optcg(f"Under the rules of this game, you cannot include {phrase} in your deck.") == UNREAD


def test_text_is_the_sentence_as_printed() -> None:
    text = "[Permanent] You can’t include ＜Broly＞ cards in your deck. (Not even one.)\n[Auto] When you play it, draw."
    (clause,) = read("dbs", "Leader", text)
    assert clause.text == "You can’t include ＜Broly＞ cards in your deck."
