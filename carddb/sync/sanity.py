"""Sanity: checks of the cards of a sync against the current cards of the game.

An official list grows and is corrected. If a list shrinks, or its cards lose facts, the site has more likely changed
its pages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import fields

from carddb.errors import first_numbers
from carddb.sources.printed_facts import find_unknown_words
from validator import limits
from validator.cards import Card
from validator.games import GAMES
from validator.limits.rotations import ANY_BLOCK

MOST_LOST = 0.02  # of all cards
MOST_LOST_OF_A_SET = 0.1
MOST_EMPTIED = 0.1  # of the cards that had a fact,
MOST_CORRECTED = 3  # or as few as an erratum may take it from
MOST_ODD = 0.1  # of the cards of one type
_SISTER_WORDS = 12  # words with which sisters begin
_DIGIT = re.compile(r"[0-9]")

# Fields that every card has, and fields that a list may leave out again.
_NOT_CHECKED = frozenset({"game", "number", "name", "type", "cost", "unknown"})
_LABELS = {"construction": "clauses on deck construction"}
_FACTS = tuple(field.name for field in fields(Card) if field.name not in _NOT_CHECKED)


def find_doubts(game: str, cards: Sequence[Card], before: Sequence[Card] = ()) -> list[str]:
    """Return a sentence for each problem that keeps the cards of a sync from being used. Empty if there is none.

    `before`: the current cards of the game, empty before its first import. Problems are missing names and types,
    unknown types, colours and blocks, missing backs, and losses against `before`.
    """
    return [
        *_check_required_fields(cards),
        *_check_words(game, cards),
        *_check_backs(game, cards),
        *_check_losses(cards, before),
    ]


def find_fact_warnings(game: str, cards: Sequence[Card]) -> list[str]:
    """Return a sentence for each doubtful fact of single cards. The cards are used all the same."""
    return [
        *_check_unknown_facts(cards),
        *_check_cost_colors(cards),
        *_check_power(cards),
        *_check_type_of_sisters(game, cards),
    ]


def _check_unknown_facts(cards: Iterable[Card]) -> Iterator[str]:
    """Yield a warning for each fact (colours, cost) that is marked as unknown for some cards. It counts these cards."""
    for fact, label in (("colors", "colours are"), ("cost", "cost is")):
        without = [card.number for card in cards if fact in card.unknown]
        if without:
            yield f"Of {_cards_text(len(without))} the {label} not known: {first_numbers(without)}."


def _check_cost_colors(cards: Iterable[Card]) -> Iterator[str]:
    """Yield a warning for each card whose printed cost has a colour that the card does not have.

    Cards without known colours are left out.
    """
    for card in cards:
        paid = GAMES[card.game].cost_colors(card.cost_text or "")
        if card.colors and not set(paid) <= set(card.colors):
            yield f"{card.label} is {'/'.join(card.colors)} and costs {card.cost_text}, which is {'/'.join(paid)}."


def _check_power(cards: Iterable[Card]) -> Iterator[str]:
    """Yield a warning for each card type of which some cards, but at most a tenth (MOST_ODD), have no power.

    The type of those cards may be wrong.
    """
    for kind, group in _group_by(cards, lambda card: card.type).items():
        without = [card.number for card in group if card.power is None]
        if 0 < len(without) <= MOST_ODD * len(group):
            others = f"{_cards_text(len(without))} {_has_or_have(without)}"
            yield f"Other {kind} cards have power, {others} none: {first_numbers(without)}."


def _check_type_of_sisters(game: str, cards: Iterable[Card]) -> Iterator[str]:
    """Yield a warning for each card whose type differs from that of all its sisters, which have one type.

    Sisters have the same set, cost, power and beginning of the text (see `_sister_key`). There must be two or more
    others.
    """
    sisters = _group_by(cards, lambda card: _sister_key(game, card))
    sisters.pop(None, None)
    for group in sisters.values():
        by_type = sorted(_group_by(group, lambda card: card.type).values(), key=len)
        if len(group) > 2 and [len(same) for same in by_type] == [1, len(group) - 1]:
            [odd], others = by_type
            numbers = first_numbers([card.number for card in others])
            yield f"{odd.label} is of type {odd.type}, its sisters {numbers} are of type {others[0].type}."


def _group_by(cards: Iterable[Card], key: Callable[[Card], Hashable]) -> dict[Hashable, list[Card]]:
    """Return the cards in lists, by their result of `key`. The order stays."""
    groups: dict[Hashable, list[Card]] = {}
    for card in cards:
        groups.setdefault(key(card), []).append(card)
    return groups


def _sister_key(game: str, card: Card) -> Hashable:
    """Return the key of sisters: set, cost, power, and the first 12 words of the text.

    Words with a digit and names of colours are not counted. None if the text has fewer words.
    """
    words = [word for word in card.text.split() if word.title() not in GAMES[game].colors and not _DIGIT.search(word)]
    return (card.set, card.cost, card.power, *words[:_SISTER_WORDS]) if len(words) >= _SISTER_WORDS else None


def _check_required_fields(cards: Sequence[Card]) -> Iterator[str]:
    """Yield a sentence for each required field (name, type) that is empty in some cards.

    It has the number of these cards, and the first of their numbers.
    """
    for what in ("name", "type"):
        without = [card.number for card in cards if not getattr(card, what)]
        if without:
            yield f"{_cards_text(len(without))} {_has_or_have(without)} no {what}: {first_numbers(without)}."


def _check_words(game: str, cards: Sequence[Card]) -> Iterator[str]:
    """Yield a sentence for each type, colour and block of these cards that the game does not have.

    Blocks are checked only if the game has a rotation.
    """
    yield from find_unknown_words(game, cards)
    if limits.rotation(game):
        yield from _check_blocks(game, cards)


def _check_blocks(game: str, cards: Iterable[Card]) -> Iterator[str]:
    """Yield a sentence for each block of these cards that no set in the list of sets has.

    Cards without a block, and those with the mark of every block (ANY_BLOCK), are left out.
    """
    known = {ANY_BLOCK, *(card_set.block for card_set in limits.sets(game).by_code.values())}
    unknown = (card for card in cards if card.block and card.block not in known)
    for block, group in _group_by(unknown, lambda card: card.block).items():
        yield f"Block {str(block)[:20]!r} is not known: {first_numbers([card.number for card in group])}."


def _check_backs(game: str, cards: Sequence[Card]) -> Iterator[str]:
    """Yield a sentence for each two-faced card type if more than a tenth (MOST_EMPTIED) of its cards have no back."""
    for kind in sorted(GAMES[game].two_faced):
        two_faced = [card for card in cards if card.type == kind]
        one_faced = [card.number for card in two_faced if not card.back_name]
        if len(one_faced) > MOST_EMPTIED * len(two_faced):
            yield f"{len(one_faced)} of {len(two_faced)} {kind}s have no back: {first_numbers(one_faced)}."


def _check_losses(cards: Sequence[Card], before: Sequence[Card]) -> Iterator[str]:
    """Yield a sentence for each too large loss against `before`: of cards, printings, a set, or a fact.

    Nothing if `before` is empty. Facts with another value are no loss. The bounds are the shares MOST_LOST,
    MOST_LOST_OF_A_SET and MOST_EMPTIED. Up to MOST_CORRECTED cards may always lose a fact.
    """
    if len(cards) < len(before) * (1 - MOST_LOST):
        now = {card.number for card in cards}
        gone = [card.number for card in before if card.number not in now]
        yield f"There are {len(cards):,} cards where there were {len(before):,}; missing are {first_numbers(gone)}."
    yield from _check_lost_printings(cards, before)
    yield from _check_lost_sets(cards, before)
    yield from _check_emptied_facts(cards, before)


def _check_lost_printings(cards: Iterable[Card], before: Iterable[Card]) -> Iterator[str]:
    """Yield a sentence if there are fewer printings than before by more than MOST_LOST, but not none at all.

    A pack of reprints has only printings to lose.
    """
    printings = {printing for card in cards for printing in card.printings}
    printings_before = {printing for card in before for printing in card.printings}
    if printings and len(printings) < len(printings_before) * (1 - MOST_LOST):
        lost = first_numbers(sorted(printings_before - printings))
        yield f"There are {len(printings):,} printings where there were {len(printings_before):,}; missing are {lost}."


def _check_lost_sets(cards: Iterable[Card], before: Iterable[Card]) -> Iterator[str]:
    """Yield a sentence for each set that is missing, or that has lost more than a tenth of its cards.

    The set of a card is the part of its number before the dash.
    """
    now, then = (Counter(card.number.partition("-")[0] for card in some) for some in (cards, before))
    for code, count in sorted(then.items()):
        if not now[code]:
            yield f"Set {code} has vanished; it had {_cards_text(count)}."
        elif now[code] < count * (1 - MOST_LOST_OF_A_SET):
            yield f"Set {code} has {_cards_text(now[code])} where it had {count}."


def _check_emptied_facts(cards: Iterable[Card], before: Iterable[Card]) -> Iterator[str]:
    """Yield a sentence for each field that too many cards had before and do not have now.

    Too many are more than MOST_CORRECTED and more than a tenth of the cards that had it. Cards are matched by number.
    """
    now = {card.number: card for card in cards}
    both = [(card, now[card.number]) for card in before if card.number in now]
    for fact in _FACTS:
        had = [new for old, new in both if getattr(old, fact)]
        without = [card.number for card in had if not getattr(card, fact)]
        if len(without) > max(MOST_CORRECTED, MOST_EMPTIED * len(had)):
            lost = _LABELS.get(fact, fact.replace("_", " "))
            yield f"{len(without)} of {len(had)} cards have lost their {lost}: {first_numbers(without)}."


def _cards_text(count: int) -> str:
    """Return the count with its noun: "1 card", "2 cards", "0 cards"."""
    return f"{count} card" if count == 1 else f"{count} cards"


def _has_or_have(numbers: Sequence[str]) -> str:
    """Return "has" for one number, "have" for none or several."""
    return "has" if len(numbers) == 1 else "have"
