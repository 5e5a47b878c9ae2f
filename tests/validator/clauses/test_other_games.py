"""Battle of Souls texts, which no source has in print here, and games that have no words of their own."""

from __future__ import annotations

from typing import Any

import pytest

from tests.validator.clauses.readings import UNREAD, copies_clause, forbid_clause, pool_clause, read_bos, read_clauses

FIGHTERS = ["Warrior", "Elite Warrior", "Warlord", "Legendary Warrior"]


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("You can include any number of copies of this card in your deck.", None),
        ("Your deck can have as many copies of this card as you like.", None),
        ("You may only have 1 copy of this card in your deck.", 1),
        ("A deck can contain only one copy of this card.", 1),
        ("Only 1 copy of this card can be included in your deck.", 1),
        ("You can have no more than 2 copies of this card in your deck.", 2),
        ("There can be no more than 2 copies of this card in your deck.", 2),
        ("You can have up to ten copies of this card in your deck.", 10),
    ],
)
@pytest.mark.parametrize("game", ["bos", "a game of its own"])
def test_copies_of_the_card_itself_in_any_game(game: str, text: str, limit: int | None) -> None:
    assert read_clauses(game, text) == copies_clause(limit)
    assert read_clauses(game, f"[Ignition] Pay 500 SP: draw 1 card.\n{text}") == copies_clause(limit)


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("Your deck cannot contain Legendary Warriors.", forbid_clause(type=["Legendary Warrior"])),
        ("You cannot have Warriors in your deck.", forbid_clause(type=["Warrior"])),
        ("You can't include equipment cards in your deck.", forbid_clause(type=["Equipment"])),
        ("You can't include fighters in your deck.", forbid_clause(type=FIGHTERS)),
        ('You can\'t include "Invented Guard" in your deck.', forbid_clause(name=["Invented Guard"])),
        ("You can only have 2 Warlords in your deck.", pool_clause(2, type=["Warlord"])),
        ("There can be no more than 1 Elite Warrior in your deck.", pool_clause(1, type=["Elite Warrior"])),
        ("Your deck can only consist of Warriors.", forbid_clause(not_={"type": ["Warrior"]})),
    ],
)
def test_classes_and_names_of_battle_of_souls(text: str, clauses: list[dict[str, Any]]) -> None:
    assert read_bos(text) == clauses
    assert read_clauses("a game of its own", text) == UNREAD


@pytest.mark.parametrize(
    "text",
    [
        "No more than 2 copies of this card can be in your deck.",
        "Only 1 copy of this card is allowed in your deck.",
        "You are limited to 2 copies of this card in your deck.",
        "You may have more than 4 copies of this card in your deck.",
        "When building your deck, you may use 6 of this card.",
        "This card can be used in a deck with up to 6 copies.",
        "This card does not count towards the 4 copy limit.",
        "This card is not limited to 4 copies.",
        "Limit 1 per deck.",
        "Max. 2 per deck.",
        "You must have at least 10 Warriors in your deck.",
        'You can\'t have both this card and "Invented Guard" in your deck.',
        "Your deck must contain 60 cards.",
    ],
)
@pytest.mark.parametrize("game", ["bos", "a game of its own"])
def test_what_speaks_of_the_deck_and_is_not_understood_is_told(game: str, text: str) -> None:
    assert read_clauses(game, text) == UNREAD


@pytest.mark.parametrize(
    "text",
    [
        "Add 1 Warrior from your deck to your hand.",
        "Search your deck for an Elite Warrior and deploy it. Shuffle your deck.",
        "Once per turn, you may return 1 copy of this card from your discard pile to your deck.",
        "If you have 10 or more cards in your deck, gain 500 SP.",
        "You can only have 1 copy of this card on the field.",
        "There can only be 1 battlefield on the field at a time.",
        "You may put 1 Equipment card from your discard pile on top of your deck.",
        "Reveal the top card of your deck; if it is a Tactic card, you may put it in your hand.",
        "When this card is destroyed, you may put it in your deck instead of the discard pile.",
        "Each player may put up to 2 cards from their hand in their deck.",
        "[Trigger] When destroyed, deploy 1 copy of this card from your deck.",
        "Destroy all copies of 1 fighter on the field.",
    ],
)
@pytest.mark.parametrize("game", ["bos", "a game of its own"])
def test_play_is_no_construction(game: str, text: str) -> None:
    assert read_clauses(game, text) == []
