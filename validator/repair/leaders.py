"""Leaders: which of them a deck may be led by after a repair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from validator.bounds import MOST_LEADERS_NAMED, MOST_LEADERS_TRIED
from validator.cards import Card
from validator.deck import Deck, Line
from validator.findings import ERROR, Finding
from validator.judge import Judge
from validator.repair.stock import Cell, Counts, Piece, Stock, Stranger, by_number, place
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
    is_each_alone = asks_for_more(stock)
    for card in sorted((card for card in judge.catalogue if _leads(card, stock)), key=by_number):
        if card not in stock.pieces and may_lead(judge, card):
            groups.setdefault(card if is_each_alone else _alike(judge, card), []).append(card)
    return [*([card] for card in _held(stock) if card is not stock.facts.leader), *groups.values()]


def _alike(judge: Judge, card: Card) -> object:
    """Return what a Leader has in common with those that let in the same cards."""
    return card if card.unknown or _listed(judge, card) else judge.leader_group_key(card)


def asks_for_more(stock: Stock) -> bool:
    """Return True if the text of a card of the deck has a condition on the Leader."""
    cards = (piece for piece in stock.pieces if isinstance(piece, Card))
    return any(clause.when for card in cards for clause in card.construction)


def _leads(card: Card, stock: Stock) -> bool:
    return card.type in stock.types.get("leader", ())


def _listed(judge: Judge, card: Card) -> bool:
    """Tell whether some rule has more to say of a card as a Leader, such as that it bans a pair with it."""
    return not judge.lets_in(card, "leader", card)


def may_lead(judge: Judge, card: Card) -> bool:
    """Return True if no rule bars a card as the Leader of every deck."""
    if not _listed(judge, card) and not judge.asks_always:
        return True
    alone = judge(Deck(leader=(Line(card.number or None, 1, card.name),)), Suggestions(0))
    return not any(finding.severity == ERROR and finding.cards for finding in alone.found)


class Trials:
    """Judgements of altered decks of one stock, each made once."""

    def __init__(self, judge: Judge, stock: Stock) -> None:
        self.judge = judge
        self.stock = stock
        self._found: dict[frozenset[tuple[Cell, int]], Sequence[Finding]] = {}

    def find_errors(self, counts: Counts) -> Sequence[Finding]:
        """Return the errors on the cards of a deck."""
        key = frozenset(held for held in counts.items() if held[1])
        if key not in self._found:
            found = self.judge(self.stock.deck(counts), Suggestions(0)).found
            self._found[key] = [finding for finding in found if finding.severity == ERROR and finding.cards]
        return self._found[key]

    def count_barred(self, leader: Card) -> int:
        """Return the copies of the deck's cards that are wrong under a Leader."""
        counts = {**without_leader(self.stock, self.stock.counts), (leader, "leader"): 1}
        return sum(finding.count or 1 for finding in self.find_errors(counts))


class LeaderChoice(NamedTuple):
    """A Leader for a deck, the Leaders of the catalogue that do as well, and how many cards are wrong under it."""

    leader: Card
    alternatives: tuple[Card, ...]
    barred: int


def choose_own(trials: Trials, barred: Card | None) -> LeaderChoice | None:
    """Return the Leader of the deck under which the fewest of its cards are wrong; `barred` may not lead.

    The wrong cards are counted only if there are several Leaders.
    """
    cards = [card for card in _held(trials.stock) if card is not barred and may_lead(trials.judge, card)]
    if len(cards) == 1:
        return LeaderChoice(cards[0], (), 0)
    found = [LeaderChoice(card, (), trials.count_barred(card)) for card in cards[:MOST_LEADERS_TRIED]]
    return min(found, key=lambda choice: choice.barred, default=None)


def choose_from_catalogue(trials: Trials) -> LeaderChoice | None:
    """Return a Leader of the catalogue under which the fewest cards of the deck are wrong, of those of few colours."""
    judge, stock = trials.judge, trials.stock
    best: LeaderChoice | None = None
    foreign = _count_foreign(judge, stock)
    for colors in sorted(foreign, key=lambda colors: (foreign[colors], len(colors), colors))[:MOST_LEADERS_TRIED]:
        if best and foreign[colors] >= best.barred:
            break
        leader = next((card for card in judge.leaders[colors] if card not in stock.pieces), None)
        if leader:
            barred = trials.count_barred(leader)
            if best is None or barred < best.barred:
                best = LeaderChoice(leader, _as_good(judge, stock, leader), barred)
    return best


def _count_foreign(judge: Judge, stock: Stock) -> Mapping[tuple[str, ...], int]:
    """Return the copies of main deck cards of other colours, by the colours of the Leaders that no rule bars."""
    held: dict[tuple[str, ...], int] = {}
    for (piece, section), copies in stock.counts.items():
        if section == "main" and isinstance(piece, Card) and not is_able(stock, piece):
            held[piece.colors] = held.get(piece.colors, 0) + copies
    foreign = dict.fromkeys(judge.leaders, 0)
    for own, copies in held.items():
        for colors in foreign:
            if not set(own).issubset(colors):
                foreign[colors] += copies
    return foreign


def _as_good(judge: Judge, stock: Stock, leader: Card) -> tuple[Card, ...]:
    """Return a few Leaders under which the deck is as legal as under this one, which is the first of them."""
    if asks_for_more(stock):
        return (leader,)
    key = judge.leader_group_key(leader)
    same = (card for card in judge.leaders[tuple(sorted(leader.colors))] if judge.leader_group_key(card) == key)
    return tuple(islice((card for card in same if card not in stock.pieces), MOST_LEADERS_NAMED))


def without_leader(stock: Stock, counts: Counts) -> Counts:
    """Return the cards of a deck without those of the leader section that may lead it."""
    return {cell: copies for cell, copies in counts.items() if cell[1] != "leader" or not is_able(stock, cell[0])}


def is_able(stock: Stock, piece: Piece) -> bool:
    """Return True if a card may be a Leader by its type; an unknown one may."""
    return isinstance(piece, Stranger) or stock.facts.fits(piece, "leader")
