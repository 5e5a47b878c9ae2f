"""Sanity: what looks wrong with cards that a sync found, against those that a game has.

An official list grows and is corrected. One that shrinks, or whose cards lose what they had, has more
likely changed its pages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import fields

from carddb.errors import some
from carddb.sources.printed_facts import strangers
from validator import limits
from validator.cards import Card
from validator.games import GAMES
from validator.limits.rotations import ANY_BLOCK

MOST_LOST = 0.02  # of all cards
MOST_LOST_OF_A_SET = 0.1
MOST_EMPTIED = 0.1  # of the cards that had a fact,
MOST_CORRECTED = 3  # or as few as an erratum may take it from
MOST_ODD = 0.1  # of the cards of one type
_ALIKE = 12  # words with which sisters begin
_DIGIT = re.compile(r"[0-9]")

# What every card has, what a list may leave out again, and what is told of a card that lacks something.
_APART = frozenset({"game", "number", "name", "type", "cost", "unknown"})
_CALLED = {"construction": "clauses on deck construction"}
_FACTS = tuple(field.name for field in fields(Card) if field.name not in _APART)


def doubts(game: str, cards: Sequence[Card], before: Sequence[Card] = ()) -> list[str]:
    """Return what looks wrong, a sentence each; nothing if the cards are fit to judge with.

    `before` are the cards that the game has now, none before its first import.
    """
    return [*_nameless(cards), *_strange(game, cards), *_one_faced(game, cards), *_losses(cards, before)]


def warnings(game: str, cards: Sequence[Card]) -> list[str]:
    """Return what is doubtful about single cards, a sentence each; no reason to do without the others."""
    return [*_untold(cards), *_miscolored(cards), *_powerless(cards), *_of_another_type(game, cards)]


def _untold(cards: Iterable[Card]) -> Iterator[str]:
    for fact, called in (("colors", "colours are"), ("cost", "cost is")):
        without = [card.number for card in cards if fact in card.unknown]
        if without:
            yield f"Of {_cards(len(without))} the {called} not known: {some(without)}."


def _miscolored(cards: Iterable[Card]) -> Iterator[str]:
    for card in cards:
        paid = GAMES[card.game].cost_colors(card.cost_text or "")
        if card.colors and not set(paid) <= set(card.colors):
            yield f"{card.label} is {'/'.join(card.colors)} and costs {card.cost_text}, which is {'/'.join(paid)}."


def _powerless(cards: Iterable[Card]) -> Iterator[str]:
    """Yield cards without the power that all others of their type have: they may be of another one."""
    for kind, group in _grouped(cards, lambda card: card.type).items():
        without = [card.number for card in group if card.power is None]
        if 0 < len(without) <= MOST_ODD * len(group):
            yield f"Other {kind} cards have power, {_cards(len(without))} {_has(without)} none: {some(without)}."


def _of_another_type(game: str, cards: Iterable[Card]) -> Iterator[str]:
    """Yield a card that is the only one of its type among its sisters."""
    sisters = _grouped(cards, lambda card: _form(game, card))
    sisters.pop(None, None)
    for group in sisters.values():
        by_type = sorted(_grouped(group, lambda card: card.type).values(), key=len)
        if len(group) > 2 and [len(same) for same in by_type] == [1, len(group) - 1]:
            [odd], others = by_type
            numbers = some([card.number for card in others])
            yield f"{odd.label} is of type {odd.type}, its sisters {numbers} are of type {others[0].type}."


def _grouped(cards: Iterable[Card], key: Callable[[Card], Hashable]) -> dict[Hashable, list[Card]]:
    groups: dict[Hashable, list[Card]] = {}
    for card in cards:
        groups.setdefault(key(card), []).append(card)
    return groups


def _form(game: str, card: Card) -> Hashable:
    """Return what sisters have in common: set, cost, power, and how their texts begin but for colours and numbers."""
    words = [word for word in card.text.split() if word.title() not in GAMES[game].colors and not _DIGIT.search(word)]
    return (card.set, card.cost, card.power, *words[:_ALIKE]) if len(words) >= _ALIKE else None


def _nameless(cards: Iterable[Card]) -> Iterator[str]:
    for what in ("name", "type"):
        without = [card.number for card in cards if not getattr(card, what)]
        if without:
            yield f"{_cards(len(without))} {_has(without)} no {what}: {some(without)}."


def _strange(game: str, cards: Sequence[Card]) -> Iterator[str]:
    yield from strangers(game, cards)
    if limits.rotation(game):
        yield from _strange_blocks(game, cards)


def _strange_blocks(game: str, cards: Iterable[Card]) -> Iterator[str]:
    known = {ANY_BLOCK, *(one.block for one in limits.sets(game).by_code.values())}
    strange = (card for card in cards if card.block and card.block not in known)
    for block, group in _grouped(strange, lambda card: card.block).items():
        yield f"Block {str(block)[:20]!r} is not known: {some([card.number for card in group])}."


def _one_faced(game: str, cards: Sequence[Card]) -> Iterator[str]:
    for kind in sorted(GAMES[game].two_faced):
        two_faced = [card for card in cards if card.type == kind]
        one_faced = [card.number for card in two_faced if not card.back_name]
        if len(one_faced) > MOST_EMPTIED * len(two_faced):
            yield f"{len(one_faced)} of {len(two_faced)} {kind}s have no back: {some(one_faced)}."


def _losses(cards: Sequence[Card], before: Sequence[Card]) -> Iterator[str]:
    if len(cards) < len(before) * (1 - MOST_LOST):
        now = {card.number for card in cards}
        gone = [card.number for card in before if card.number not in now]
        yield f"There are {len(cards):,} cards where there were {len(before):,}; missing are {some(gone)}."
    yield from _lost_printings(cards, before)
    yield from _lost_sets(cards, before)
    yield from _emptied(cards, before)


def _lost_printings(cards: Iterable[Card], before: Iterable[Card]) -> Iterator[str]:
    # A pack of reprints shrinks in printings alone.
    now, then = ({one for card in some for one in card.printings} for some in (cards, before))
    if now and len(now) < len(then) * (1 - MOST_LOST):
        gone = some(sorted(then - now))
        yield f"There are {len(now):,} printings where there were {len(then):,}; missing are {gone}."


def _lost_sets(cards: Iterable[Card], before: Iterable[Card]) -> Iterator[str]:
    now, then = (Counter(card.number.partition("-")[0] for card in some) for some in (cards, before))
    for code, count in sorted(then.items()):
        if not now[code]:
            yield f"Set {code} has vanished; it had {_cards(count)}."
        elif now[code] < count * (1 - MOST_LOST_OF_A_SET):
            yield f"Set {code} has {_cards(now[code])} where it had {count}."


def _emptied(cards: Iterable[Card], before: Iterable[Card]) -> Iterator[str]:
    now = {card.number: card for card in cards}
    both = [(card, now[card.number]) for card in before if card.number in now]
    for fact in _FACTS:
        had = [new for old, new in both if getattr(old, fact)]
        without = [card.number for card in had if not getattr(card, fact)]
        if len(without) > max(MOST_CORRECTED, MOST_EMPTIED * len(had)):
            lost = _CALLED.get(fact, fact.replace("_", " "))
            yield f"{len(without)} of {len(had)} cards have lost their {lost}: {some(without)}."


def _cards(count: int) -> str:
    return f"{count} card" if count == 1 else f"{count} cards"


def _has(numbers: Sequence[str]) -> str:
    return "has" if len(numbers) == 1 else "have"
