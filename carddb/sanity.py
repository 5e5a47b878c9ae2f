"""Sanity: what looks wrong with cards that a sync found, against those that a game has.

An official list grows and is corrected. One that shrinks, or whose cards lose what they had, has more
likely changed its pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import fields

from carddb.sources.vocabulary import strangers
from validator import limits
from validator.cards import Card
from validator.limits.rotations import ANY_BLOCK

MOST_LOST = 0.02  # of all cards
MOST_LOST_OF_A_SET = 0.1
MOST_EMPTIED = 0.1  # of the cards that had a fact,
MOST_CORRECTED = 3  # or as few as an erratum may take it from
_NAMED = 5  # cards named in one sentence

# What every card has, what a list may leave out again, and what is told of a card that lacks something.
_APART = frozenset({"game", "number", "name", "type", "cost", "unknown"})
_CALLED = {"construction": "clauses on deck construction"}
_FACTS = tuple(field.name for field in fields(Card) if field.name not in _APART)


def doubts(game: str, cards: Sequence[Card], before: Sequence[Card] = ()) -> list[str]:
    """Return what looks wrong, a sentence each; nothing if the cards are fit to judge with.

    `before` are the cards that the game has now, none before its first import.
    """
    return [*_nameless(cards), *_strange(game, cards), *_one_faced(game, cards), *_losses(cards, before)]


def _nameless(cards: Iterable[Card]) -> Iterator[str]:
    for what in ("name", "type"):
        without = [card.number for card in cards if not getattr(card, what)]
        if without:
            yield f"{_cards(len(without))} {'has' if len(without) == 1 else 'have'} no {what}: {_some(without)}."


def _strange(game: str, cards: Sequence[Card]) -> Iterator[str]:
    yield from strangers(game, cards)
    known = {ANY_BLOCK, *(one.block for one in limits.sets(game).by_code.values())}
    strange: dict[str, list[str]] = {}
    for card in cards:
        if game == "optcg" and card.block and card.block not in known:
            strange.setdefault(card.block, []).append(card.number)
    for block, numbers in strange.items():
        yield f"Block {block[:20]!r} is not known: {_some(numbers)}."


def _one_faced(game: str, cards: Iterable[Card]) -> Iterator[str]:
    leaders = [card for card in cards if game == "dbs" and card.type == "Leader"]
    one_faced = [card.number for card in leaders if not card.back_name]
    if len(one_faced) > MOST_EMPTIED * len(leaders):
        yield f"{len(one_faced)} of {len(leaders)} Leaders have no back: {_some(one_faced)}."


def _losses(cards: Sequence[Card], before: Sequence[Card]) -> Iterator[str]:
    if len(cards) < len(before) * (1 - MOST_LOST):
        now = {card.number for card in cards}
        gone = [card.number for card in before if card.number not in now]
        yield f"There are {len(cards):,} cards where there were {len(before):,}; missing are {_some(gone)}."
    yield from _lost_printings(cards, before)
    yield from _lost_sets(cards, before)
    yield from _emptied(cards, before)


def _lost_printings(cards: Iterable[Card], before: Iterable[Card]) -> Iterator[str]:
    # A pack of reprints shrinks in printings alone.
    now, then = ({one for card in some for one in card.printings} for some in (cards, before))
    if now and len(now) < len(then) * (1 - MOST_LOST):
        gone = _some(sorted(then - now))
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
            yield f"{len(without)} of {len(had)} cards have lost their {lost}: {_some(without)}."


def _cards(count: int) -> str:
    return f"{count} card" if count == 1 else f"{count} cards"


def _some(numbers: Sequence[str]) -> str:
    more = len(numbers) - _NAMED
    named = ", ".join(numbers[:_NAMED])
    return f"{named} and {more} more" if more > 0 else named
