"""Leaders: which of them a deck may be led by after a repair."""

from __future__ import annotations

from collections.abc import Sequence

from validator.cards import Card
from validator.deck import Deck, Line
from validator.findings import ERROR
from validator.judge import Judge
from validator.repair.stock import Stock, by_number, place
from validator.unresolved import Suggestions


def own(stock: Stock) -> list[Card]:
    """Return the Leader that a deck rightly has, else all Leaders that it holds: those in their section first."""
    return [stock.facts.leader] if stock.facts.leader else _held(stock)


def _held(stock: Stock) -> list[Card]:
    cells = sorted(stock.counts, key=place)
    return list(dict.fromkeys(piece for piece, _ in cells if isinstance(piece, Card) and _leads(piece, stock)))


def others(judge: Judge, stock: Stock) -> list[Sequence[Card]]:
    """Return the other Leaders of a deck, each by itself, and those of the catalogue that may lead one.

    Those are together that let the same cards into this deck.
    """
    groups: dict[object, list[Card]] = {}
    asks_for_more = _asks_for_more(stock)
    for card in sorted((card for card in judge.catalogue if _leads(card, stock)), key=by_number):
        if card not in stock.pieces and _may_lead(judge, card):
            groups.setdefault(card if asks_for_more else _alike(judge, card), []).append(card)
    return [*([card] for card in _held(stock) if card is not stock.facts.leader), *groups.values()]


def _alike(judge: Judge, card: Card) -> object:
    """Return what a Leader has in common with those that let in the same cards."""
    return card if card.unknown or _listed(judge, card) else judge.alike(card)


def _asks_for_more(stock: Stock) -> bool:
    """Tell whether a card of the deck says something that hangs on the Leader."""
    cards = (piece for piece in stock.pieces if isinstance(piece, Card))
    return any(clause.when for card in cards for clause in card.construction)


def _leads(card: Card, stock: Stock) -> bool:
    return card.type in stock.types.get("leader", ())


def _listed(judge: Judge, card: Card) -> bool:
    """Tell whether some rule has more to say of a card as a Leader, such as that it bans a pair with it."""
    return not judge.lets_in(card, "leader", card)


def _may_lead(judge: Judge, card: Card) -> bool:
    if not _listed(judge, card):
        return True
    alone = judge(Deck(leader=(Line(card.number or None, 1, card.name),)), Suggestions(0))
    return not any(finding.severity == ERROR and finding.cards for finding in alone.findings)
