"""Leaders: the cards that can be the Leader of a repaired deck."""

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


def own_leaders(stock: Stock) -> list[Card]:
    """Return the legal Leader of a deck, else all Leaders that the deck contains, in the order of `place`."""
    return [stock.facts.leader] if stock.facts.leader else _leaders_in_deck(stock)


def _leaders_in_deck(stock: Stock) -> list[Card]:
    """Return the cards of a deck that are Leaders by type, each once: first those in the leader section."""
    cells = sorted(stock.counts, key=place)
    return list(
        dict.fromkeys(piece for piece, _ in cells if isinstance(piece, Card) and _has_leader_type(piece, stock))
    )


def other_leader_groups(judge: Judge, stock: Stock) -> list[Sequence[Card]]:
    """Return the other possible Leaders: each other Leader of the deck in a group of its own, then the catalogue's.

    Leaders of the catalogue are in one group if they allow the same cards in this deck. Leaders that no deck may have
    are left out.
    """
    groups: dict[object, list[Card]] = {}
    is_each_alone = has_leader_condition(stock)
    for card in sorted((card for card in judge.catalogue if _has_leader_type(card, stock)), key=by_number):
        if card not in stock.pieces and may_lead(judge, card):
            groups.setdefault(card if is_each_alone else _leader_group(judge, card), []).append(card)
    return [*([card] for card in _leaders_in_deck(stock) if card is not stock.facts.leader), *groups.values()]


def _leader_group(judge: Judge, card: Card) -> object:
    """Return the group key of a Leader. It is the card itself if no other Leader is sure to allow the same cards."""
    return card if card.unknown or _has_restrictions(judge, card) else judge.leader_group_key(card)


def has_leader_condition(stock: Stock) -> bool:
    """Return True if the text of a card of the deck has a condition on the Leader."""
    cards = (piece for piece in stock.pieces if isinstance(piece, Card))
    return any(clause.when for card in cards for clause in card.construction)


def _has_leader_type(card: Card, stock: Stock) -> bool:
    """Return True if a card is a Leader by its type."""
    return card.type in stock.types.get("leader", ())


def _has_restrictions(judge: Judge, card: Card) -> bool:
    """Return True if a rule may be against a card as a Leader, e.g. because of a banned pair."""
    return not judge.lets_in(card, "leader", card)


def may_lead(judge: Judge, card: Card) -> bool:
    """Return True if no rule forbids a card as the Leader of every deck."""
    if not _has_restrictions(judge, card) and not judge.asks_always:
        return True
    verdict = judge(Deck(leader=(Line(card.number or None, 1, card.name),)), Suggestions(0))
    return not any(finding.severity == ERROR and finding.cards for finding in verdict.found)


class Trials:
    """The verdicts on changed decks of one stock, cached by the counts of the cards."""

    def __init__(self, judge: Judge, stock: Stock) -> None:
        """Prepare to judge changed decks of a stock."""
        self.judge = judge
        self.stock = stock
        self._found: dict[frozenset[tuple[Cell, int]], Sequence[Finding]] = {}

    def find_errors(self, counts: Counts) -> Sequence[Finding]:
        """Return the errors that name cards of a deck. The result is cached."""
        key = frozenset(item for item in counts.items() if item[1])
        if key not in self._found:
            found = self.judge(self.stock.deck(counts), Suggestions(0)).found
            self._found[key] = [finding for finding in found if finding.severity == ERROR and finding.cards]
        return self._found[key]

    def count_barred(self, leader: Card) -> int:
        """Return the number of copies of the deck's cards that are illegal under a Leader."""
        counts = {**without_leader(self.stock, self.stock.counts), (leader, "leader"): 1}
        return sum(finding.count or 1 for finding in self.find_errors(counts))


class LeaderChoice(NamedTuple):
    """A Leader for a deck, equally good Leaders of the catalogue, and the number of illegal cards under it."""

    leader: Card
    alternatives: tuple[Card, ...]
    barred: int


def choose_own(trials: Trials, barred: Card | None) -> LeaderChoice | None:
    """Return the Leader of the deck under which the fewest of its cards are illegal. None if there is no Leader.

    `barred` is never chosen. The illegal cards are counted only if there are several Leaders.
    """
    cards = [card for card in _leaders_in_deck(trials.stock) if card is not barred and may_lead(trials.judge, card)]
    if len(cards) == 1:
        return LeaderChoice(cards[0], (), 0)
    found = [LeaderChoice(card, (), trials.count_barred(card)) for card in cards[:MOST_LEADERS_TRIED]]
    return min(found, key=lambda choice: choice.barred, default=None)


def choose_from_catalogue(trials: Trials) -> LeaderChoice | None:
    """Return a Leader of the catalogue under which few cards of the deck are illegal, None if there is none.

    Only the MOST_LEADERS_TRIED best colour combinations are tried, with one Leader each.
    """
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
                best = LeaderChoice(leader, _equal_leaders(judge, stock, leader), barred)
    return best


def _count_foreign(judge: Judge, stock: Stock) -> Mapping[tuple[str, ...], int]:
    """Return the number of main deck cards of other colours, by the colours of the Leaders that may lead."""
    copies_by_colors: dict[tuple[str, ...], int] = {}
    for (piece, section), copies in stock.counts.items():
        if section == "main" and isinstance(piece, Card) and not can_be_leader(stock, piece):
            copies_by_colors[piece.colors] = copies_by_colors.get(piece.colors, 0) + copies
    foreign = dict.fromkeys(judge.leaders, 0)
    for card_colors, copies in copies_by_colors.items():
        for colors in foreign:
            if not set(card_colors).issubset(colors):
                foreign[colors] += copies
    return foreign


def _equal_leaders(judge: Judge, stock: Stock, leader: Card) -> tuple[Card, ...]:
    """Return at most MOST_LEADERS_NAMED Leaders under which the deck is as legal, this one first."""
    if has_leader_condition(stock):
        return (leader,)
    key = judge.leader_group_key(leader)
    same = (card for card in judge.leaders[tuple(sorted(leader.colors))] if judge.leader_group_key(card) == key)
    return tuple(islice((card for card in same if card not in stock.pieces), MOST_LEADERS_NAMED))


def without_leader(stock: Stock, counts: Counts) -> Counts:
    """Return the cards of a deck without the possible Leaders of the leader section."""
    return {cell: copies for cell, copies in counts.items() if cell[1] != "leader" or not can_be_leader(stock, cell[0])}


def can_be_leader(stock: Stock, piece: Piece) -> bool:
    """Return True if a card may be a Leader by its type. Unknown cards may."""
    return isinstance(piece, Stranger) or stock.facts.fits(piece, "leader")
