"""Filling: cards of the catalogue for the open places of a plan, as a proof that such cards exist."""

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


def fill_plan(judge: Judge, plan: Plan, leader: Card | None) -> Plan | None:
    """Return a plan with its open places filled so that the deck is legal. None if no such cards are found."""
    return _try_filling(judge, plan, leader, judged=False) or _try_filling(judge, plan, leader, judged=True)


def _try_filling(judge: Judge, plan: Plan, leader: Card | None, judged: bool) -> Plan | None:
    """Return a plan filled with cards that no rule limits, else with other cards. None if that is not legal.

    If `judged`, each card that is added is judged with the deck, also those that no rule limits.
    """
    filling = _Filling(judge, plan, leader)
    for section, missing in plan.open.items():
        missing -= filling.add(
            section, missing, islice(filling.unrestricted_cards(section), MOST_UNRESTRICTED_TRIED), judged
        )
        missing -= filling.add(
            section, missing, islice(filling.restricted_cards(section), MOST_JUDGED_TRIED), judged=True
        )
        if missing:
            return None
    filled = Plan(plan.stock, filling.counts)
    return filled if judge(filled.stock.deck(filled.counts), Suggestions(0)).legal else None


def free_copies(judge: Judge, card: Card, section: str, leader: Card | None, counts: dict[Cell, int]) -> int:
    """Return the number of copies of a card that the copy limit still allows in a section of a deck."""
    copies = next(rule for rule in judge.rules if isinstance(rule, CopyLimit))
    free = ANY
    for bound in copies.bounds(card, leader):
        if bound.limit is not None and section in bound.sections:
            free = min(free, bound.limit - sum(counts.get((card, place), 0) for place in bound.sections))
    return max(0, free)


class _Filling:
    """A deck while it is filled. `counts` are its cards, which `add` changes."""

    def __init__(self, judge: Judge, plan: Plan, leader: Card | None) -> None:
        self._judge = judge
        self._stock = plan.stock
        self._leader = leader
        self._removed = {piece for piece, _ in plan.outs}
        self.counts = dict(plan.counts)

    def unrestricted_cards(self, section: str) -> Iterator[Piece]:
        """Yield cards that no rule but the copy limit can be against: the deck's own, then the catalogue's."""
        kept = {piece for (piece, _), copies in self.counts.items() if copies} - self._removed
        own = (piece for piece in sorted(kept, key=by_number) if isinstance(piece, Card))
        catalogue_cards = (card for card in self._judge.catalogue if card not in self._stock.pieces)
        for card in chain(own, catalogue_cards):
            if self._judge.lets_in(card, section, self._leader):
                yield card
        if section == "don":  # these cards need not be in the catalogue
            yield Stranger("", next(iter(self._stock.types[section])))

    def restricted_cards(self, section: str) -> Iterator[Piece]:
        """Yield cards of the right type that some rule may be against."""
        for card in self._judge.catalogue:
            if self._stock.facts.fits(card, section) and not self._judge.lets_in(card, section, self._leader):
                yield card

    def add(self, section: str, missing: int, cards: Iterator[Piece], judged: bool = False) -> int:
        """Add up to `missing` cards to a section, and return the number of cards added.

        If `judged`, cards that cause an error in the deck are skipped.
        """
        added = 0
        for card in cards:
            if added == missing:
                break
            copies = min(missing - added, self._free_copies(card, section))
            if copies and not (judged and self._causes_error(card, section, copies)):
                self.counts[card, section] = self.counts.get((card, section), 0) + copies
                added += copies
        return added

    def _free_copies(self, card: Piece, section: str) -> int:
        """Return the number of copies that still fit. It is unlimited for cards that are not in the catalogue."""
        return free_copies(self._judge, card, section, self._leader, self.counts) if isinstance(card, Card) else ANY

    def _causes_error(self, card: Piece, section: str, copies: int) -> bool:
        """Return True if these copies cause an error on a card of the deck."""
        held = self.counts.get((card, section), 0)
        deck = self._stock.deck({**self.counts, (card, section): held + copies})
        return any(finding.severity == "error" and finding.cards for finding in self._judge(deck, Suggestions(0)).found)
