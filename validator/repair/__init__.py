"""Repair: the fewest cards to take out, move or put in so that a deck is legal.

One way leads through it: deck → `stock` → `search`, which asks the Judge what a plan lacks (`demands`) and makes the
plan that keeps most (`keeping`), puts cards into its open places (`demands`) → `describing` →
`Repair`. `fixing` plans the fixes of a verdict's findings on the same stock, without a search.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from validator.bounds import MOST_KEPT_IN_TURN, MOST_REPAIRS
from validator.cards import Card
from validator.deck import Deck
from validator.findings import ERROR, Finding
from validator.judge import Judge, Verdict
from validator.language import Phrase, phrase
from validator.repair import leaders
from validator.repair.answer import Changes, In, LeastChanges, Moved, OtherLeader, Out, Repair, bounds, why_not
from validator.repair.describing import described
from validator.repair.search import Found, Search
from validator.repair.stock import Stock

__all__ = ["Changes", "Fewest", "In", "LeastChanges", "Moved", "OtherLeader", "Out", "Repair", "fewest", "repair"]

_A_LEADER = 2  # changes to play another Leader: one goes, one comes


def repair(judge: Judge, deck: Deck, pinned: Collection[str] = ()) -> Repair:
    """Return how a deck becomes legal by the fewest changes; cards `pinned` by number or name stay as they are.

    PinError if one of these is not in the deck. Of several repairs of as many changes at most MOST_REPAIRS are told, in
    an order that the order of the lines has no part in: the first, then such as leave one of its cards where it is.

    Every repair that is shown was judged legal, with cards of the catalogue in the places where any that fits may be.
    """
    verdict = judge(deck)
    if verdict.legal:
        return Repair(verdict, True, 0, True, phrase("The deck is legal."), bound=0)
    return _Repairing(verdict, pinned).answer()


class Fewest(NamedTuple):
    """How many changes make a deck legal, None if no way is found, and whether it is proved that fewer do not.

    `with_leader` are the changes while the deck's Leader stays; they are more than `changes` if another Leader needs
    at most half of them.
    """

    changes: int | None
    minimal: bool
    with_leader: int | None


def fewest(verdict: Verdict) -> Fewest:
    """Return what `repair` says of how many changes a deck takes, in less time: it does not look for which."""
    return Fewest(0, True, 0) if verdict.legal else _Repairing(verdict).fewest()


class _UnderAnother(NamedTuple):
    """A plan under another Leader, and all other Leaders in their groups."""

    found: Found
    groups: list[Sequence[Card]]


class _Repairing:
    """One deck that is being repaired."""

    def __init__(self, verdict: Verdict, pinned: Collection[str] = ()) -> None:
        self._judge = judge = verdict.judge
        self._verdict = verdict
        self._stock = Stock(verdict.facts)
        self._pins = self._stock.meant_by(pinned)
        self._unread = sum(line.may_be_card for line in verdict.facts.deck.unread)
        counts = self._stock.counts.items()
        fixed = {cell: copies for cell, copies in counts if cell[0] in self._pins}
        self._search = Search(judge, self._stock, fixed)

    def fewest(self) -> Fewest:
        """Return how many changes there are in the first of the repairs, or under another Leader if these are fewer."""
        found, groups = self._cheapest()
        if found is None:
            return Fewest(None, False, None)
        other = None if groups else self._under_another(found)
        best, with_leader = other.found if other else found, self._changes(found)
        changes = self._changes(best)
        return Fewest(changes, self._bound(best) == changes, with_leader)

    def answer(self) -> Repair:
        """Return the repairs, or why there is none."""
        first, groups = self._cheapest()
        if first is None:
            return self._impossible()
        found = [first, *islice(self._equal(first), MOST_REPAIRS - 1)]
        return self._answer(found, groups, () if groups else self._other_leaders(first))

    def _cheapest(self) -> tuple[Found | None, list[Sequence[Card]]]:
        """Return a cheapest plan under the Leader that the deck has; else under others, and these in their groups."""
        if "leader" not in self._stock.types:
            return self._under([None]), []
        if found := self._under(leaders.own(self._stock)):
            return found, []
        groups = leaders.others(self._judge, self._stock)
        return self._under([group[0] for group in groups]), groups

    def _under(self, leaders: Sequence[Card | None]) -> Found | None:
        return next(self._search.plans(leaders, {}), None)

    def _changes(self, found: Found) -> int:
        return found.plan.changes + self._unread

    def _bound(self, found: Found) -> int:
        """Return how many changes it is proved that there are at least: an illegal deck takes one in any case."""
        return max(1, min(found.bound, found.plan.changes) + self._unread)

    def _equal(self, first: Found) -> Iterator[Found]:
        """Yield plans of as many changes: for each card that the first one takes out or moves, one that leaves it.

        So they are not all that there are: of the plans that leave a card there may be others, and in a plan of very
        many changes only the first cards are left in turn.
        """
        plan = first.plan
        seen = [(plan.outs, plan.moves)]
        changed = dict.fromkeys([*plan.outs, *((move.piece, move.origin) for move in plan.moves)])
        for cell in islice(changed, MOST_KEPT_IN_TURN):
            keeping = {cell: self._stock.counts[cell]}
            other = next(self._search.plans([first.leader], keeping, plan.changes), None)
            if other and other.plan.changes == plan.changes and (other.plan.outs, other.plan.moves) not in seen:
                seen.append((other.plan.outs, other.plan.moves))
                yield other

    def _under_another(self, first: Found) -> _UnderAnother | None:
        """Return a plan of at most half the changes under another Leader, if the first one's findings are about it."""
        most = first.plan.changes // 2
        if first.leader is None or not self._may_go(first.leader, most):
            return None
        groups = leaders.others(self._judge, self._stock)
        search = Search(self._judge, self._stock, self._search.pinned)
        found = next(search.plans([group[0] for group in groups], {}, most), None)
        return _UnderAnother(found, groups) if found else None

    def _other_leaders(self, first: Found) -> tuple[OtherLeader, ...]:
        """Return the other Leaders that need at most half the changes; () if none does."""
        other = self._under_another(first)
        if other is None:
            return ()
        found, groups = other
        cards = self._as_good(found, groups)
        changes, mended = self._changes(found), self._described(found, cards)
        return (OtherLeader(cards, changes, self._bound(found) == changes, mended),)

    def _may_go(self, leader: Card, most: int) -> bool:
        """Tell whether something is wrong for a Leader's sake, and the rest may be mended under another one."""
        if (leader, "leader") in self._search.pinned:
            return False
        errors = [finding for finding in self._verdict.found if finding.severity == ERROR]
        rest = [finding for finding in errors if not _is_about(leader, finding)]
        return len(rest) < len(errors) and _A_LEADER + self._search.fewest(leader, rest) <= most

    def _as_good(self, found: Found, groups: Sequence[Sequence[Card]]) -> tuple[Card, ...]:
        """Return the Leaders that are alike to that of a plan: a few under which the same deck is legal."""
        group = next((group for group in groups if found.leader in group), ())
        return tuple(islice((card for card in group if self._leads(card, found)), MOST_REPAIRS))

    def _leads(self, card: Card, found: Found) -> bool:
        counts = {cell: copies for cell, copies in found.witness.counts.items() if cell[0] is not found.leader}
        return self._judge(self._stock.deck({**counts, (card, "leader"): 1})).legal

    def _described(self, found: Found, leaders: tuple[Card, ...] = ()) -> Changes:
        return described(self._judge, self._verdict, found, leaders)

    def _answer(self, found: list[Found], groups: list[Sequence[Card]], others: tuple[OtherLeader, ...]) -> Repair:
        first = found[0]
        changes, bound = self._changes(first), self._bound(first)
        return Repair(
            self._verdict,
            True,
            changes,
            bound == changes,
            _why(bound == changes, bound),
            tuple(self._described(one, self._as_good(one, groups)) for one in found),
            bound,
            bounds(first),
            others,
            tuple(map(self._stock.as_written, self._pins)),
        )

    def _impossible(self) -> Repair:
        search = self._search
        pins = tuple(map(self._stock.as_written, self._pins))
        return Repair(self._verdict, False, None, False, why_not(search, pins), pinned=pins)


def _why(is_minimal: bool, bound: int) -> Phrase:
    if is_minimal:
        return phrase("Fewer changes cannot mend all of it.")
    return phrase(
        "There may be a repair of fewer changes, but of {bound:,} at least: not every possibility was looked at.",
        bound=bound,
    )


def _is_about(leader: Card, finding: Finding) -> bool:
    """Tell whether something is wrong with a deck for its Leader's sake."""
    known = leader.number or leader.name
    named = any(card.number == leader.number and card.name == leader.name for card in finding.cards)
    return named or known in (finding.details.get("leader"), finding.details.get("by"))
