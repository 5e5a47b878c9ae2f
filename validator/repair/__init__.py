"""Repair: the fewest cards to remove, move or add so that a deck is legal.

The steps are: deck → `stock` → `search`. The search asks the Judge for the findings on a plan, converts the findings
into `demands`, makes the plan that keeps most cards (`keeping`) and fills its open places (`demands`). `describing`
converts the plan found into a `Repair`. `fixing` plans the fixes of a verdict's findings on the same stock, without a
search.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from validator.arguments import check_type
from validator.bounds import MOST_KEPT_IN_TURN, MOST_REPAIRS
from validator.cards import Card
from validator.deck import Deck
from validator.findings import ERROR, Finding
from validator.judge import Judge, Verdict
from validator.language import Phrase, phrase
from validator.repair import leaders
from validator.repair.answer import (
    Addition,
    Changes,
    LeastChanges,
    Move,
    OtherLeader,
    Removal,
    Repair,
    explain_failure,
    least_changes,
)
from validator.repair.describing import describe_changes
from validator.repair.search import Found, Search
from validator.repair.stock import Stock

__all__ = [
    "Addition",
    "Changes",
    "Fewest",
    "LeastChanges",
    "Move",
    "OtherLeader",
    "Removal",
    "Repair",
    "count_fewest_changes",
    "repair",
]


def repair(judge: Judge, deck: Deck, pinned: Collection[str] = ()) -> Repair:
    """Return the repairs of a deck with the fewest changes. Cards `pinned` by number or name are not changed.

    A legal deck has 0 changes and no repairs. Raises PinError if a pinned card is not in the deck, and TypeError for a
    wrong type. At most MOST_REPAIRS repairs with the same number of changes are returned. Each repair after the first
    keeps one card that the first one changes. The order of the deck's lines has no influence. The Judge has found every
    returned deck legal, with cards of the catalogue in the places that several cards can fill.
    """
    check_type("judge", judge, Judge, "Write repair(Judge(terms, catalogue), deck)")
    check_type("pinned", pinned, (list, tuple, set, frozenset), "Write a list of card numbers or names")
    verdict = judge(deck)
    if verdict.legal:
        return Repair(verdict, True, 0, True, phrase("The deck is legal."), bound=0)
    return _Repairing(verdict, pinned).answer()


class Fewest(NamedTuple):
    """The smallest number of changes found that makes a deck legal, None if no repair was found.

    `minimal` is True if it is proved that fewer changes are not enough. `with_leader` are the changes of the first
    repair, in which the deck's Leader stays if possible. None if no repair was found. This number is larger than
    `changes` only if another Leader needs at most half of these changes.
    """

    changes: int | None
    minimal: bool
    with_leader: int | None


def count_fewest_changes(verdict: Verdict) -> Fewest:
    """Return the fewest changes for the deck of a verdict, as `repair` would find them. A legal deck has 0.

    It is faster than `repair`, because only one plan is made and nothing is described.
    """
    return Fewest(0, True, 0) if verdict.legal else _Repairing(verdict).count_fewest()


class _OtherPlan(NamedTuple):
    """A plan under another Leader, and all other Leaders in groups, of which the first of each was tried.

    The Leaders of a group allow the same cards.
    """

    found: Found
    groups: list[Sequence[Card]]


class _Repairing:
    """The computation of the repair of one illegal deck. Each object gives one answer."""

    def __init__(self, verdict: Verdict, pinned: Collection[str] = ()) -> None:
        """Prepare the search for a repair. `pinned` are numbers or names of cards that must not change.

        Raises PinError if a pinned card is not in the deck.
        """
        self._judge = judge = verdict.judge
        self._verdict = verdict
        self._stock = Stock(verdict.facts)
        self._pinned_pieces = self._stock.find_pinned(pinned)
        self._unread_lines = sum(line.may_be_card for line in verdict.facts.deck.unread)
        counts = self._stock.counts.items()
        fixed = {cell: copies for cell, copies in counts if cell[0] in self._pinned_pieces}
        self._search = Search(judge, self._stock, fixed)

    def count_fewest(self) -> Fewest:
        """Return the fewest changes: those of the first repair, or of another Leader with at most half as many.

        `changes` and `with_leader` of the result are None without a repair.
        """
        found, groups = self._find_cheapest()
        if found is None:
            return Fewest(None, False, None)
        other = None if groups else self._find_under_other_leader(found)
        best, with_leader = other.found if other else found, self._count_changes(found)
        changes = self._count_changes(best)
        return Fewest(changes, self._proven_bound(best) == changes, with_leader)

    def answer(self) -> Repair:
        """Return the repairs, at most MOST_REPAIRS with the same number of changes, or the reason why there is none."""
        first, groups = self._find_cheapest()
        if first is None:
            return self._build_failure()
        found = [first, *islice(self._equal_plans(first), MOST_REPAIRS - 1)]
        return self._build_repair(found, groups, () if groups else self._other_leaders(first))

    def _find_cheapest(self) -> tuple[Found | None, list[Sequence[Card]]]:
        """Return `(plan, groups)`: the cheapest legal plan, None if there is none, and groups of other Leaders.

        There are no groups if the plan is under a Leader of the deck, or if the ruleset has no Leaders. Otherwise the
        first Leader of each group is tried, and the plan is under one of them.
        """
        if "leader" not in self._stock.types:
            return self._find_under([None]), []
        if found := self._find_under(leaders.own_leaders(self._stock)):
            return found, []
        groups = leaders.other_leader_groups(self._judge, self._stock)
        return self._find_under([group[0] for group in groups]), groups

    def _find_under(self, leaders: Sequence[Card | None]) -> Found | None:
        """Return the cheapest legal plan under one of these Leaders, None if there is none.

        The Leader None is a deck without one.
        """
        return next(self._search.plans(leaders, {}), None)

    def _count_changes(self, solution: Found) -> int:
        """Return the copies that a plan removes, moves or adds, plus one for each unread line that may be a card.

        Replacing a card is two changes: one goes, one comes.
        """
        return solution.plan.changes + self._unread_lines

    def _proven_bound(self, solution: Found) -> int:
        """Return the proved lower bound on the changes. It is at least 1, because the deck is illegal.

        Each unread line that may be a card is one change of it.
        """
        return max(1, min(solution.bound, solution.plan.changes) + self._unread_lines)

    def _equal_plans(self, first: Found) -> Iterator[Found]:
        """Yield other plans with as many changes as `first`.

        For each card that `first` changes, a plan that keeps it is tried. These are not all plans of that cost. Only
        one plan is tried for each card, and only MOST_KEPT_IN_TURN cards are tried. Each try is a search and spends its
        limit of work.
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

    def _find_under_other_leader(self, first: Found) -> _OtherPlan | None:
        """Return a plan under another Leader with at most half the changes of `first`, not counting unread lines.

        None if there is none, if `first` has no Leader or a pinned one, or if no finding is about the Leader.
        """
        most = first.plan.changes // 2
        if first.leader is None or not self._can_replace_leader(first.leader, most):
            return None
        groups = leaders.other_leader_groups(self._judge, self._stock)
        search = Search(self._judge, self._stock, self._search.pinned)
        found = next(search.plans([group[0] for group in groups], {}, most), None)
        return _OtherPlan(found, groups) if found else None

    def _other_leaders(self, first: Found) -> tuple[OtherLeader, ...]:
        """Return a tuple of one repair under other Leaders, which need at most half the changes of `first`.

        Empty if none does.
        """
        other = self._find_under_other_leader(first)
        if other is None:
            return ()
        found, groups = other
        cards = self._equal_leaders(found, groups)
        changes, described = self._count_changes(found), self._describe(found, cards)
        return (OtherLeader(cards, changes, self._proven_bound(found) == changes, described),)

    def _can_replace_leader(self, leader: Card, most: int) -> bool:
        """Return True if another Leader might need at most `most` changes. False if the Leader is pinned.

        A finding must be about the Leader. Two changes for the swap, and those that the other findings require, must
        not be more than `most`.
        """
        if (leader, "leader") in self._search.pinned:
            return False
        errors = [finding for finding in self._verdict.found if finding.severity == ERROR]
        rest = [finding for finding in errors if not _is_about(leader, finding)]
        return len(rest) < len(errors) and leaders.LEADER_SWAP + self._search.lower_bound(leader, rest) <= most

    def _equal_leaders(self, solution: Found, groups: Sequence[Sequence[Card]]) -> tuple[Card, ...]:
        """Return at most MOST_REPAIRS Leaders in the group of the plan's Leader under which the repaired deck is legal.

        The plan's own is one of them. Judges the deck under each. Empty if the plan's Leader is in no group.
        """
        group = next((group for group in groups if solution.leader in group), ())
        return tuple(islice((card for card in group if self._can_lead(card, solution)), MOST_REPAIRS))

    def _can_lead(self, card: Card, solution: Found) -> bool:
        """Return True if the repaired deck of a plan is also legal with this card as its Leader. Judges that deck."""
        counts = {cell: copies for cell, copies in solution.witness.counts.items() if cell[0] is not solution.leader}
        return self._judge(self._stock.deck({**counts, (card, "leader"): 1})).legal

    def _describe(self, solution: Found, leaders: tuple[Card, ...] = ()) -> Changes:
        """Return the changes of a plan, each with the finding that requires it, and the repaired deck.

        `leaders` are the possible Leaders, empty for only the plan's own.
        """
        return describe_changes(self._judge, self._verdict, solution, leaders)

    def _build_repair(
        self, solutions: list[Found], groups: list[Sequence[Card]], alternatives: tuple[OtherLeader, ...]
    ) -> Repair:
        """Return the Repair with these plans, which all have the fewest changes.

        `groups` are those of other Leaders, if tried. `alternatives` are repairs under another Leader with fewer
        changes.
        """
        first = solutions[0]
        changes, bound = self._count_changes(first), self._proven_bound(first)
        return Repair(
            self._verdict,
            True,
            changes,
            bound == changes,
            _explain_minimal(bound == changes, bound),
            tuple(self._describe(plan, self._equal_leaders(plan, groups)) for plan in solutions),
            bound,
            least_changes(first),
            alternatives,
            tuple(map(self._stock.as_written, self._pinned_pieces)),
        )

    def _build_failure(self) -> Repair:
        """Return the Repair of a deck that cannot be repaired, with the reason."""
        search = self._search
        pins = tuple(map(self._stock.as_written, self._pinned_pieces))
        return Repair(self._verdict, False, None, False, explain_failure(search, pins), pinned=pins)


def _explain_minimal(is_minimal: bool, lower_bound: int) -> Phrase:
    """Return the sentence that the number of changes is the minimum.

    If that is not proved, return the sentence that fewer changes may be enough, but at least `lower_bound`.
    """
    if is_minimal:
        return phrase("This is the minimum.")
    return phrase(
        "Fewer changes may be enough, but at least {bound:,}. Not every possibility was checked.",
        bound=lower_bound,
    )


def _is_about(leader: Card, finding: Finding) -> bool:
    """Return True if a finding is about the Leader: it names the card, or its details have the Leader as the cause."""
    known = leader.number or leader.name
    is_named = finding.has_card(leader.number, leader.name)
    return is_named or known in (finding.details.get("leader"), finding.details.get("by"))
