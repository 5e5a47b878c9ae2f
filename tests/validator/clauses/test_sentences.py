"""The beginnings and ends of skills and sentences, in the spellings of all sources."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.validator.clauses.readings import UNREAD, alias_clause, forbid_clause, read_clauses, read_dbs
from validator.bounds import LONGEST_SENTENCE
from validator.clauses import VERSION, read
from validator.clauses.reader import CardTextReader
from validator.clauses.wording import DBS

SUPER_COMBO = [{"kind": "keyword", "keyword": "Super Combo"}]
ULTIMATE = [{"kind": "keyword", "keyword": "Ultimate"}]
DRAGON_BALL = [{"kind": "keyword", "keyword": "Dragon Ball"}]
GOD = alias_clause(traits=["God"])
NO_RED = forbid_clause(color=["Red"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[Super Combo]", SUPER_COMBO),
        ("[Super Combo] (You can only include up to 4 cards with [Super Combo] in your deck.)", SUPER_COMBO),
        ("[Super Combo]（You can only include up to 4 cards with [Super Combo] in your deck）", SUPER_COMBO),
        ("[Super Combo] （You can only include up to 4 cards with [Super Combo] in your deck", SUPER_COMBO),
        ("[Super Combo] You can only include up to 4 cards with [Super Combo] in your deck.", SUPER_COMBO),
        ("[Super Combo (You can only include up to 4 cards with [Super Combo] in your deck)", SUPER_COMBO),
        ("[super combo]", SUPER_COMBO),
        ("[Super-Combo]", SUPER_COMBO),
        ("［Ｓｕｐｅｒ　Ｃｏｍｂｏ］", SUPER_COMBO),
        ('<img src="/Super-Combo.png" alt="Super Combo" class="skillText">', SUPER_COMBO),
        ("**[Super Combo]**  (You can only include up to 4 cards with **[Super Combo]**  in your deck.)", SUPER_COMBO),
        ("[Ultimate][Super Combo][Blocker]", ULTIMATE + SUPER_COMBO),
        ("[Blocker] [Ultimate]", ULTIMATE),
        ("[Critical]\n[Ultimate][Double Strike]\n[Auto] When this card attacks, draw 1 card.", ULTIMATE),
        ("[Auto] Draw 1 card. [Ultimate]", ULTIMATE),
        ("[Super Combo] (Only 4.) [Ultimate] (Only 1.) [Auto] Draw 1 card.", SUPER_COMBO + ULTIMATE),
        ("[Dragon Ball] (As many as you like, up to 7.)\n[Activate Main] Draw 1 card.", DRAGON_BALL),
    ],
)
def test_printed_keyword(text: str, expected: object) -> None:
    assert read_clauses("dbs", text) == expected


@pytest.mark.parametrize("text", ["[Rare Find]", "[Rare-Find] (Invented.)", "[Auto] Draw 1 card.\n[rare find]"])
def test_keyword_that_a_later_manual_limits_is_read_once_it_is_a_word_of_the_game(text: str) -> None:
    later = CardTextReader(replace(DBS, keywords={**DBS.keywords, "rare find": "Rare Find"}))
    assert [(clause.kind, clause.keyword) for clause in later.read(text)] == [("keyword", "Rare Find")]
    assert read_clauses("dbs", text) == []


@pytest.mark.parametrize(
    "text",
    [
        "[Blocker]",
        "[Dragon Ball] cards in your Drop can't be removed.",
        "[Auto] Choose a card with [Ultimate] in your deck and add it to your hand.",
        "[Auto] When you play this card, choose up to 1 [Dragon Ball] card from your deck.",
        "[Wish] When there are 7 [Dragon Ball] cards in your Drop Area : Flip this card over.",
        "・[Dragon Ball] cards in your hand get nothing.",
        "[Activate Main] Use up to 1 white non-[Super Combo] Battle Card from your Drop in a combo.",
    ],
)
def test_keyword_spoken_of(text: str) -> None:
    assert read_clauses("dbs", text) == []


@pytest.mark.parametrize(
    "text",
    [
        "[Blocker]\n[Permanent] This card gains 《God》 in all areas.\n[Auto] Draw 1 card.",
        "[Blocker][Permanent]This card gains《God》in all areas.[Auto]When this card attacks, draw 1 card.",
        "[Auto] Draw 1 card.[Permanent] This card gains 《God》 in all areas.",
        "[Blocker] (When a card is attacked, you may rest this.) [Permanent] This card gains 《God》 in all areas.",
        "[Blocker] (When a card is attacked [Permanent] This card gains 《God》 in all areas.",
        "[Permanent This card gains 《God》 in all areas.",
        "[Permanent] This card gains 《God》 in all areas (not only in play).",
        "[Permanent] This card gains 《God》 in all areas | [Auto] Draw 1 card.",
        "[Auto] Draw 1 card. // [Permanent] This card gains 《God》 in all areas.",
        "[Permanent] This card gains &#12298;God&#12299; in all&nbsp;areas.<br />[Auto] Draw 1 card.",
        "<p>[Permanent] This card gains <b>《God》</b> in all areas.</p>",
        "<img alt='Permanent' src='x'> This card gains 《God》 in all areas.<br>",
        "［Ｐｅｒｍａｎｅｎｔ］Ｔｈｉｓ　ｃａｒｄ　ｇａｉｎｓ　《Ｇｏｄ》　ｉｎ　ａｌｌ　ａｒｅａｓ．",
        "**[Permanent]** This card gains 《God》 in all areas.",
        "[Permanent]   This  card gains   《God》  in all areas  .",
        "[Permanent] This card gains 《God》 in all areas!",
        "This card gains 《God》 in all areas.",
        "\r\n[Permanent] This card gains ≪God≫ in all areas.\r\n",
    ],
)
def test_one_skill_among_others(text: str) -> None:
    assert read_clauses("dbs", text) == GOD


def test_characters_in_escaped_or_mangled_brackets() -> None:
    expected = alias_clause(characters=["Son Goku"])
    for printed in ("＜Son Goku＞", "〈Son Goku〉", "&lt;Son Goku&gt;", "<Son Goku>"):
        assert read_clauses("dbs", f"[Permanent] This card gains {printed} in all areas.") == expected
    mangled = '[Permanent] This card gains <son goku=""> in all areas.</son>'
    assert read_clauses("dbs", mangled) == alias_clause(characters=["son goku"])


def test_two_sentences_and_two_faces() -> None:
    text = "[Permanent] You can't include red cards in your deck. This card gains 《God》 in all areas."
    assert read_clauses("dbs", text) == NO_RED + GOD
    assert (
        read_clauses("dbs", "[Permanent] You can't include red cards.", "[Permanent] This card gains 《God》.")
        == NO_RED + GOD
    )
    assert read_clauses("dbs", text, text) == NO_RED + GOD
    assert read_clauses("dbs", "", text) == NO_RED + GOD


@pytest.mark.parametrize(
    "text",
    [
        "[Auto] This card gains 《God》 in all areas.",
        "[Activate Main][Once per turn] This card gains 《God》 in all areas until the end of the game.",
        "[Permanent][Bond 3] This card gains 《God》 in all areas.",
        "[Permanent][Sparking 20] (This skill takes effect at 20.) This card gains 《God》 in all areas.",
        "[Permanent] This card gains 《God》 in all areas for the turn.",
        "・[Permanent] This card gains 《God》 in all areas.",
        '"[Permanent] This card gains 《God》 in all areas."',
        '[Permanent] Your Tokens gain "[Permanent] This card gains 《God》 in all areas."',
        "[Permanent] Your Tokens gain the following skill: ・[Permanent] This card gains 《God》 in all areas.",
    ],
)
def test_skill_used_in_play_or_given_away(text: str) -> None:
    assert read_clauses("dbs", text) == []


def test_bar_in_a_list_of_skills_is_not_understood() -> None:
    assert read_clauses("dbs", "・[Permanent] You can't include red cards in your deck.") == UNREAD


def test_bar_under_any_head_is_read() -> None:
    assert read_clauses("dbs", "[Blocker] You can't include red cards in your deck.") == NO_RED
    assert read_clauses("dbs", "You can't include red cards in your deck.") == NO_RED
    assert read_clauses("dbs", "[Auto] Draw 1 card. You can't include red cards in your deck.") == NO_RED


@pytest.mark.parametrize(
    "sentence",
    [
        "You can include no red cards in your deck.",
        "No red cards can be included in your deck.",
        "Your deck can contain no red cards.",
        "Decks can't contain red cards.",
    ],
)
def test_no_cards_are_cards_that_are_forbidden(sentence: str) -> None:
    assert read_dbs(sentence) == NO_RED


@pytest.mark.parametrize(
    "sentence",
    [
        "Negate this card's [Energy-Exhaust] in all areas.",
        "If your Leader is red, negate this card's [Energy-Exhaust] skill in all areas.",
        "Reduce the energy cost of this card in all areas by 2.",
        "Treat 《Universe 7》 cards in all areas as if they had no specified cost.",
        "Ignore this card's specified cost in all areas.",
        "You can't play copies of this card for the turn.",
        "You can't activate the [Activate Main] skill on copies of this card.",
        "This card gets -9000 combo power in all areas.",
        "This card in all areas can't be played by skills.",
        "This card gains [Deflect] in all areas.",
        "This card's skills can't be negated in any area.",
        "Your Red/Green multicolor ＜Broly＞ cards in all areas get -1 combo cost.",
        "You can only have up to 1 {Babidi} in play in your Battle Area.",
        "You can't play non-《Heroine》 Battle Cards.",
        "When your deck is reduced to 0, you win the game instead of losing.",
        "Reduce the energy cost of this card in your Z-Deck by 2.",
        "Play up to 1 Battle Card whose character name includes ＜Son Gohan＞ from your deck.",
        "When a skill that includes a marker skill cost is activated, draw 1 card from your deck.",
    ],
)
def test_text_of_play(sentence: str) -> None:
    assert read_dbs(sentence) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "All of your {Navy} type Character cards without a Counter have a +1000 Counter, according to the rules.",
        "When your deck is reduced to 0, you win the game instead of losing, according to the rules.",
        "Under the rules of this game, you do not lose when your deck has 0 cards.",
        "Your face-up Life cards are placed at the bottom of your deck, according to the rules.",
        "[On Play] Look at 5 cards from the top of your deck; reveal up to 1 card with a type including “CP”.",
        "If your DON!! deck has 0 cards, draw 1 card.",
    ],
)
def test_optcg_text_of_play(sentence: str) -> None:
    assert read_clauses("optcg", sentence) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Your deck must have exactly 60 cards.",
        "You must include 4 copies of this card in your deck.",
        "You can include up to 10 copies of {Saibaiman} in your deck.",
        "You can include up to 5 copies of cards with 《God》 in your deck.",
        "You can't include this card in your deck if your Leader is red.",
        "Your opponent can't include red cards in their deck.",
        "You can't include red cards in your deck during the second game.",
        "You can't include red cards in your deck or side deck.",
        "If you have 3 or more energy, you can't include red cards in your deck.",
        "When constructing your deck, think.",
        "You can't include cards in your deck.",
        "You can include no cards in your deck.",
        "You can't include cards or red Battle Cards in your deck.",
        "You can't include red Battle Cards or cards in your deck.",
        "You can't include cards or Battle Cards with energy costs of 3 in your deck.",
        "You can't include Battle Cards with energy costs of 4, 6 or more in your deck.",
        "You can't include Battle Cards in your deck with energy costs of 4 or 6 or less.",
        "You can't include Battle Cards with energy costs of 4, 6+ in your deck.",
    ],
)
def test_looks_like_construction_and_is_not_understood(sentence: str) -> None:
    assert read_dbs(sentence) == UNREAD


def test_unknown_rule_of_optcg() -> None:
    bar = "Under the rules of this game, you cannot include red cards in your deck"
    assert read_clauses("optcg", f"{bar} and you win at 0 cards.") == NO_RED
    assert read_clauses("optcg", f"{bar} and you may bring a parrot.") == NO_RED + UNREAD
    assert read_clauses("optcg", "Under the rules of this game, shiny things happen.") == UNREAD
    assert read_clauses("optcg", "Under the rules of this game, your deck consists of 60 cards.") == UNREAD


def test_cards_without_texts() -> None:
    assert read("dbs", "Battle", "") == read("optcg", "Leader", "", "") == ()
    assert VERSION >= 1


@pytest.mark.parametrize(("length", "expected"), [(LONGEST_SENTENCE, NO_RED), (LONGEST_SENTENCE + 1, UNREAD)])
def test_a_sentence_that_is_too_long_is_not_understood(length: int, expected: list[dict[str, Any]]) -> None:
    bar, end = "You can't include", "red cards in your deck"
    assert read_dbs(bar + end.rjust(length - len(bar))) == expected
