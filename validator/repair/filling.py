"""Filling: cards of the catalogue for the places that a plan leaves open, as a proof that there are such cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from validator.bounds import MOST_JUDGED_TRIED, MOST_UNRESTRICTED_TRIED
from validator.cards import Card
from validator.judge import Judge
from validator.repair.demands import ANY
from validator.repair.plan import Plan
from validator.repair.stock import Cell, Piece, Stranger, by_number
from validator.rules.copies import CopyLimit
from validator.unresolved import Suggestions


def filled(judge: Judge, plan: Plan, leader: Card | None) -> Plan | None:
    """Return a plan with its open places filled so that the deck is legal, None where no cards are found that do it."""
    return _filled(judge, plan, leader, judged=False) or _filled(judge, plan, leader, judged=True)


def _filled(judge: Judge, plan: Plan, leader: Card | None, judged: bool) -> Plan | None:
    """Return a plan with cards that the rules say nothing of, else with others; or with each `judged` by itself."""
    filling = _Filling(judge, plan, leader)
    for section, missing in plan.open.items():
        missing -= filling.add(section, missing, islice(filling.easy(section), MOST_UNRESTRICTED_TRIED), judged)
        missing -= filling.add(section, missing, islice(filling.others(section), MOST_JUDGED_TRIED), judged=True)
        if missing:
            return None
    made = Plan(plan.stock, filling.counts)
    return made if judge(made.stock.deck(made.counts), Suggestions(0)).legal else None


def room(judge: Judge, card: Card, section: str, leader: Card | None, counts: dict[Cell, int]) -> int:
    """Return how many more copies of a card a section of a deck may hold by the rule on copies."""
    copies = next(rule for rule in judge.rules if isinstance(rule, CopyLimit))
    found = ANY
    for bound in copies.bounds(card, leader):
        if bound.limit is not None and section in bound.sections:
            found = min(found, bound.limit - sum(counts.get((card, one), 0) for one in bound.sections))
    return max(0, found)


class _Filling:
    """A deck that is being filled."""

    def __init__(self, judge: Judge, plan: Plan, leader: Card | None) -> None:
        self._judge = judge
        self._stock = plan.stock
        self._leader = leader
        self._gone = {piece for piece, _ in plan.outs}
        self.counts = dict(plan.counts)

    def easy(self, section: str) -> Iterator[Piece]:
        """Yield cards that no rule but that on copies has anything to say of: the deck's own, then the catalogue's."""
        kept = {piece for (piece, _), copies in self.counts.items() if copies} - self._gone
        own = (piece for piece in sorted(kept, key=by_number) if isinstance(piece, Card))
        others = (card for card in self._judge.catalogue if card not in self._stock.pieces)
        for card in chain(own, others):
            if self._judge.lets_in(card, section, self._leader):
                yield card
        if section == "don":  # these cards need not be in the catalogue
            yield Stranger("", next(iter(self._stock.types[section])))

    def others(self, section: str) -> Iterator[Piece]:
        """Yield cards of the right type that some rule may have more to say of."""
        for card in self._judge.catalogue:
            if self._stock.facts.fits(card, section) and not self._judge.lets_in(card, section, self._leader):
                yield card

    def add(self, section: str, missing: int, cards: Iterator[Piece], judged: bool = False) -> int:
        """Add so many of these cards, where `judged` only those with which nothing new is wrong; return how many."""
        added = 0
        for card in cards:
            if added == missing:
                break
            copies = min(missing - added, self._room(card, section))
            if copies and not (judged and self._breaks(card, section, copies)):
                self.counts[card, section] = self.counts.get((card, section), 0) + copies
                added += copies
        return added

    def _room(self, card: Piece, section: str) -> int:
        return room(self._judge, card, section, self._leader, self.counts) if isinstance(card, Card) else ANY

    def _breaks(self, card: Piece, section: str, copies: int) -> bool:
        held = self.counts.get((card, section), 0)
        deck = self._stock.deck({**self.counts, (card, section): held + copies})
        return any(one.severity == "error" and one.cards for one in self._judge(deck, Suggestions(0)).found)
