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
from validator.repair.stock import Cell, Counts, Piece, Stock, Stranger, card_sort_key, cell_sort_key
from validator.unresolved import Suggestions

LEADER_SWAP = 2  # changes to play another Leader: one goes, one comes


def own_leaders(stock: Stock) -> list[Card]:
    """Return a list of only the deck's legal Leader, else all Leaders in the deck.

    Those in the leader section come first. Empty if the deck contains no Leader.
    """
    return [stock.facts.leader] if stock.facts.leader else _leaders_in_deck(stock)


def _leaders_in_deck(stock: Stock) -> list[Card]:
    """Return the cards of a deck that are Leaders by type, each once: first those in the leader section.

    Cards that are not in the catalogue are left out.
    """
    cells = sorted(stock.counts, key=cell_sort_key)
    return list(
        dict.fromkeys(piece for piece, _ in cells if isinstance(piece, Card) and _has_leader_type(piece, stock))
    )


def other_leader_groups(judge: Judge, stock: Stock) -> list[Sequence[Card]]:
    """Return groups of Leaders that could replace the deck's Leader.

    First comes each other Leader of the deck, in a group of its own. Then come those of the catalogue by number, in one
    group if they surely allow the same cards in this deck. Leaders of the catalogue that no deck may have are left out.
    The deck's own are not checked.
    """
    groups: dict[object, list[Card]] = {}
    is_each_alone = has_leader_condition(stock)
    for card in sorted((card for card in judge.catalogue if _has_leader_type(card, stock)), key=card_sort_key):
        if card not in stock.pieces and may_lead(judge, card):
            groups.setdefault(card if is_each_alone else _leader_group(judge, card), []).append(card)
    return [*([card] for card in _leaders_in_deck(stock) if card is not stock.facts.leader), *groups.values()]


def _leader_group(judge: Judge, card: Card) -> object:
    """Return a key that is equal for Leaders that surely allow the same cards.

    It is the card itself if there is no other.
    """
    return card if card.unknown or _has_restrictions(judge, card) else judge.leader_group_key(card)


def has_leader_condition(stock: Stock) -> bool:
    """Return True if the text of a card of the deck has a construction clause with a condition on the Leader."""
    cards = (piece for piece in stock.pieces if isinstance(piece, Card))
    return any(clause.when for card in cards for clause in card.construction)


def _has_leader_type(card: Card, stock: Stock) -> bool:
    """Return True if a card is a Leader by its type. False for every card if the ruleset has no leader section."""
    return card.type in stock.types.get("leader", ())


def _has_restrictions(judge: Judge, card: Card) -> bool:
    """Return True if some rule may forbid a card as a Leader, e.g. because of a banned pair. No deck is judged."""
    return not judge.lets_in(card, "leader", card)


def may_lead(judge: Judge, card: Card) -> bool:
    """Return True if a card can be the Leader of some deck. May judge a deck of only this card.

    The card is refused if an error on a deck of only this card names a card.
    """
    if not _has_restrictions(judge, card) and not judge.asks_always:
        return True
    verdict = judge(Deck(leader=(Line(card.number or None, 1, card.name),)), Suggestions(0))
    return not any(finding.severity == ERROR and finding.cards for finding in verdict.found)


class Trials:
    """The errors that name cards in changed decks of one stock, cached by the copies of the cards.

    Errors without cards, such as those on the size of a deck, are left out.
    """

    def __init__(self, judge: Judge, stock: Stock) -> None:
        """Prepare to judge changed decks of a stock. Nothing is judged yet."""
        self.judge = judge
        self.stock = stock
        self._found: dict[frozenset[tuple[Cell, int]], Sequence[Finding]] = {}

    def find_errors(self, counts: Counts) -> Sequence[Finding]:
        """Return the errors that name cards in a deck with these copies by `(card, section)`. The result is cached."""
        key = frozenset(item for item in counts.items() if item[1])
        if key not in self._found:
            found = self.judge(self.stock.deck(counts), Suggestions(0)).found
            self._found[key] = [finding for finding in found if finding.severity == ERROR and finding.cards]
        return self._found[key]

    def count_barred(self, leader: Card) -> int:
        """Return the number of illegal copies in the deck with `leader` in the place of its own Leader.

        May judge that deck. An error without a count is one copy. A card with several errors is counted for each.
        """
        counts = {**without_leader(self.stock, self.stock.counts), (leader, "leader"): 1}
        return sum(finding.count or 1 for finding in self.find_errors(counts))


class LeaderChoice(NamedTuple):
    """A Leader for a deck. `barred` is the number of illegal copies in the deck under it, once for each error.

    It is 0, without judging, for the only possible Leader of the deck. `alternatives` are equally good Leaders of the
    catalogue, `leader` among them, at most MOST_LEADERS_NAMED. Empty for a Leader of the deck itself.
    """

    leader: Card
    alternatives: tuple[Card, ...]
    barred: int


def choose_own(trials: Trials, barred: Card | None) -> LeaderChoice | None:
    """Return the Leader of the deck under which the fewest copies are illegal.

    None if the deck contains no possible Leader. `barred` is a Leader that is never chosen, None for no such Leader. If
    there is only one Leader, the deck is not judged under it, and 0 illegal copies are returned. At most
    MOST_LEADERS_TRIED are tried.
    """
    cards = [card for card in _leaders_in_deck(trials.stock) if card is not barred and may_lead(trials.judge, card)]
    if len(cards) == 1:
        return LeaderChoice(cards[0], (), 0)
    found = [LeaderChoice(card, (), trials.count_barred(card)) for card in cards[:MOST_LEADERS_TRIED]]
    return min(found, key=lambda choice: choice.barred, default=None)


def choose_from_catalogue(trials: Trials) -> LeaderChoice | None:
    """Return a Leader of the catalogue under which few cards of the deck are illegal. None if there is none.

    The MOST_LEADERS_TRIED combinations of colours that fit most main deck cards are tried, with one Leader each.
    Leaders in the deck are left out.
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
                best = LeaderChoice(leader, _leaders_of_same_group(judge, stock, leader), barred)
    return best


def _count_foreign(judge: Judge, stock: Stock) -> Mapping[tuple[str, ...], int]:
    """Return the number of main deck copies with a colour that a Leader lacks, by the colours of the legal Leaders.

    Leaders and cards that are not in the catalogue are not counted.
    """
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


def _leaders_of_same_group(judge: Judge, stock: Stock, leader: Card) -> tuple[Card, ...]:
    """Return Leaders of the catalogue that allow the same cards as `leader`, which is one of them. No deck is judged.

    At most MOST_LEADERS_NAMED are returned. Only `leader` if a card of the deck has a condition on the Leader. Leaders
    in the deck are left out.
    """
    if has_leader_condition(stock):
        return (leader,)
    key = judge.leader_group_key(leader)
    same = (card for card in judge.leaders[tuple(sorted(leader.colors))] if judge.leader_group_key(card) == key)
    return tuple(islice((card for card in same if card not in stock.pieces), MOST_LEADERS_NAMED))


def without_leader(stock: Stock, counts: Counts) -> Counts:
    """Return the copies of a deck by `(card, section)` without possible Leaders in the leader section.

    Misplaced cards in the leader section are kept.
    """
    return {cell: copies for cell, copies in counts.items() if cell[1] != "leader" or not can_be_leader(stock, cell[0])}


def can_be_leader(stock: Stock, piece: Piece) -> bool:
    """Return True if a card may be a Leader by its type. Cards that are not in the catalogue may."""
    return isinstance(piece, Stranger) or stock.facts.fits(piece, "leader")
