"""The search for the cheapest legal plans: each finding of the Judge on a plan is a demand on the next plan.

A plan meets the demands so far with the fewest changes. So the first plan that the Judge finds legal has the fewest
changes of all, if a rule requires every demand and every choice was followed. Each branch that is abandoned has a
lower bound on its changes. The smallest of these bounds is the bound of the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import chain, filterfalse

from validator.bounds import FEWEST_PLANS, MOST_PLANNED_CELLS, MOST_SHARES
from validator.cards import Card
from validator.findings import AT_MOST, ERROR, Finding
from validator.judge import Judge
from validator.repair.demands import (
    ANY,
    Cap,
    Choice,
    Demands,
    fill_plan,
    find_demands,
    guess_demands,
    named_sections,
    size_demands,
)
from validator.repair.keeping import Conflict, Split, plan_keeping_most
from validator.repair.stock import CHANGE, Cell, Counts, Piece, Plan, Stock
from validator.unresolved import Suggestions


@dataclass(frozen=True)
class Found:
    """A plan that the Judge finds legal under `leader`.

    `plan` may have open places, which are filled in `witness`. `demands` are the limits that the plan meets. `bound` is
    the proved lower bound on the changes of any legal plan of this search.
    """

    plan: Plan
    witness: Plan
    leader: Card | None
    demands: Demands
    bound: int


@dataclass(frozen=True)
class _Candidate:
    """A plan in the search queue that the Judge has not checked yet.

    `fixed` are the copies by `(card, section)` that this branch must not change. `least` is a lower bound on the
    changes of any legal plan that follows from this one. Unproven demands do not raise `least`.
    """

    plan: Plan
    demands: Demands
    leader: Card | None
    fixed: Counts
    least: int = 0

    @property
    def fixed_cards(self) -> frozenset[Piece]:
        """The cards of the fixed cells. No choice may remove them."""
        return frozenset(piece for piece, _ in self.fixed)


_Queued = tuple[int, int, _Candidate]  # cost, remaining work (the newest first), plan
_LeaderBound = tuple[int, int]  # lower bound under a Leader and the Leader's index, both negated


class Search:
    """The search for legal plans of one deck, the cheapest first.

    `conflict` is the first finding whose demand could not be met. `unfilled` is the first plan for whose open places no
    cards were found. Both are None at first. Of a list far longer than any deck, only the first MOST_CELLS pairs of
    card and section, pinned cards and Leaders are kept, which limits the work.
    """

    def __init__(self, judge: Judge, stock: Stock, pinned: Counts) -> None:
        """Prepare the search for plans. Nothing is searched yet.

        `pinned` are the copies by `(card, section)` that must not change.
        """
        self.judge = judge
        self.stock = stock
        self.conflict: Finding | None = None
        self.unfilled: Plan | None = None
        self.pinned = pinned
        self._abandoned_bound = ANY  # lower bound on the changes of all abandoned branches
        excess = frozenset(cell for cell in stock.excess_cells if cell not in pinned and cell[1] != "leader")
        removed = [Cap(frozenset([cell]), 0) for cell in excess]
        self._size_demands = size_demands(judge, stock).with_demands(removed, proven=not excess)
        self._counts = {cell: copies for cell, copies in stock.counts.items() if cell not in excess}
        self._leader_demands: dict[Card | None, Demands] = {}
        self._work = self._work_limit = max(FEWEST_PLANS, MOST_PLANNED_CELLS // max(1, len(self._counts)))

    def plans(self, leaders: Sequence[Card | None], keeping: Counts, most: int = ANY) -> Iterator[Found]:
        """Yield legal plans under one of these Leaders with at most `most` changes, the cheapest first.

        `keeping` are copies by `(card, section)` that must not change, besides the pinned ones. Each plan and each
        judgement spends from a limit of work, which all calls share. If the work is spent, only the cheapest waiting
        plan is followed, for at most as much work again.
        """
        waiting: list[_Queued] = []
        bounds = self._leader_bounds(leaders)
        while bounds or waiting:
            while bounds and self._is_next(bounds[-1], waiting):
                self._enqueue(waiting, self._first_candidates(leaders[-bounds.pop()[1]], keeping), most)
            if self._work <= 0:
                self._abandoned_bound = self._open_bound(waiting, bounds)
                del waiting[1:], bounds[:]
            if self._work < -self._work_limit:
                return
            if not waiting:
                continue
            candidate = heappop(waiting)[2]
            if errors := self._find_errors(candidate):
                self._enqueue(waiting, self._next_candidates(candidate, errors), most)
            elif witness := self._fill_witness(candidate):
                bound = min(candidate.least, self._open_bound(waiting, bounds))
                yield Found(candidate.plan, witness, candidate.leader, candidate.demands, bound)

    def _leader_bounds(self, leaders: Sequence[Card | None]) -> list[_LeaderBound]:
        """Return `(-bound, -index)` for each Leader, sorted so that the Leader with the lowest bound is last.

        `bound` is the lower bound on the changes under the Leader. It is 0, without judging, for a single Leader.
        """
        least = map(self._bound_under, leaders) if len(leaders) > 1 else [0] * len(leaders)
        return sorted((-changes, -index) for index, changes in enumerate(least))

    def _is_next(self, leader_bound: _LeaderBound, waiting: list[_Queued]) -> bool:
        """Return True if the plans under a Leader may be cheaper than those in the queue.

        `leader_bound` is `(-bound, -index)`. True for an empty queue. Otherwise False if the work is spent.
        """
        return not waiting or (self._work > 0 and -leader_bound[0] * CHANGE <= waiting[0][0])

    def _open_bound(self, waiting: Iterable[_Queued], leaders: Iterable[_LeaderBound]) -> int:
        """Return the lower bound on the changes of all plans that are not yet followed, or were abandoned.

        These are the plans in `waiting`, and those under `leaders`, given as `(-bound, -index)`.
        """
        return min(
            [self._abandoned_bound, *(candidate.least for *_, candidate in waiting), *(-under for under, _ in leaders)]
        )

    def lower_bound(self, leader: Card, errors: list[Finding]) -> int:
        """Return the changes that these errors and the sizes of the sections require at least under a Leader.

        0 if their demands conflict, or if no single plan shows it because caps overlap. Only demands without
        alternatives are counted. Those that no rule requires count only if no others are new.
        """
        fixed = {**self.pinned, (leader, "leader"): 1}
        candidate = _Candidate(Plan(self.stock, self.stock.counts), self._size_demands, leader, fixed)
        found = plan_keeping_most(self.stock, self._collect_demands(candidate, errors)[0], fixed)
        return found.changes if isinstance(found, Plan) else 0

    def _enqueue(self, waiting: list[_Queued], candidates: Iterable[_Candidate], most: int) -> None:
        """Add the plans with at most `most` changes to the queue `waiting`.

        For other plans, record that they were abandoned.
        """
        for candidate in candidates:
            if candidate.plan.changes <= most:
                heappush(waiting, (candidate.plan.cost, self._work, candidate))
            else:
                self._abandon(candidate.least)

    def _abandon(self, least: int) -> None:
        """Record that a branch was abandoned, whose legal plans have at least `least` changes.

        ANY: it has no legal plan.
        """
        self._abandoned_bound = min(self._abandoned_bound, least)

    def _bound_under(self, leader: Card | None) -> int:
        """Return a lower bound on the changes of any plan under a Leader. Judges the deck with that Leader.

        The changes of the leader section are counted, and the cards that findings forbid completely. If more, the cards
        that the main deck lacks then are counted with those forbidden there instead.
        """
        counts = {cell: copies for cell, copies in self._counts.items() if cell[1] != "leader"}
        if leader:
            counts[leader, "leader"] = 1
        verdict = self.judge(self.stock.deck(counts), Suggestions(0))
        barred = {cell: counts.get(cell, 0) for finding in verdict.found for cell in self._barred_cells(finding)}
        main = sum(copies for cell, copies in barred.items() if cell[1] == "main")
        size = self._size_demands.sizes.get("main")
        lacking = size.minimum - verdict.facts.sizes["main"] + main if size else 0
        changed = Plan(self.stock, counts).changes
        return changed + max(sum(barred.values()), main + lacking)

    def _barred_cells(self, finding: Finding) -> Iterator[Cell]:
        """Yield `(card, section)` for the cards of which an error allows no copy. Nothing for other findings."""
        if finding.severity == ERROR and finding.kind.asks == AT_MOST and finding.cards and not finding.limit:
            for piece in self.stock.find_pieces(finding.cards):
                for section in named_sections(finding):
                    yield piece, section

    def _first_candidates(self, leader: Card | None, keeping: Counts) -> Iterator[_Candidate]:
        """Yield the first plans under a Leader, which meet the demands that every plan under that Leader must meet.

        These demands are found by judging the deck under the Leader once, and are kept. `keeping` are copies that must
        not change.
        """
        fixed = {**self.pinned, **keeping}
        if leader:
            fixed.setdefault((leader, "leader"), 1)
        if leader not in self._leader_demands:
            counts = {cell: copies for cell, copies in self._counts.items() if cell[1] != "leader" or not leader}
            plan = Plan(self.stock, {**counts, **fixed} if leader else counts)
            candidate = _Candidate(plan, self._size_demands, leader, fixed)
            self._leader_demands[leader] = self._collect_demands(candidate, self._find_errors(candidate))[0]
        return self._solve(leader, fixed, self._leader_demands[leader], 0)

    def _solve(self, leader: Card | None, fixed: Counts, demands: Demands, least: int) -> Iterator[_Candidate]:
        """Yield the cheapest plan that meets the demands, or one for each split between caps that overlap. Spends work.

        Nothing is yielded if the demands contradict the `fixed` copies. Then the finding is recorded as `conflict`, if
        it is the first. `least` is a lower bound that is known already.
        """
        self._work -= 1
        found = plan_keeping_most(self.stock, demands, fixed)
        if isinstance(found, Plan):
            proven = found.changes if demands.proven else 0
            yield _Candidate(found, demands, leader, fixed, max(least, proven))
        elif isinstance(found, Conflict):
            self.conflict = self.conflict or found.finding
            self._abandon(ANY if demands.proven else least)
        else:
            for shared in self._split_caps(found, demands, least):
                yield from self._solve(leader, fixed, shared, least)

    def _split_caps(self, split: Split, demands: Demands, least: int) -> Iterator[Demands]:
        """Yield demands in which two caps do not overlap: one for each number of their common cards to keep.

        After MOST_SHARES of them, or if the work is spent, the rest is recorded as abandoned with the bound `least`.
        """
        first, second = split
        common = first.cells & second.cells
        for shared in range(min(first.limit, second.limit) + 1):
            if shared > MOST_SHARES or self._work < -self._work_limit:
                self._abandon(least)
                return
            parts = [Cap(common, shared, second.finding)]
            parts += [cap._replace(cells=cap.cells - common, limit=cap.limit - shared) for cap in split]
            yield demands.replace_caps(split, parts)

    def _find_errors(self, candidate: _Candidate) -> list[Finding]:
        """Return the errors of the deck of a plan. Judges the deck, and spends one unit of the search's work.

        An error without cards, such as one on a size, is left out if its section has open places.
        """
        self._work -= 1
        verdict = self.judge(self.stock.deck(candidate.plan.counts), Suggestions(0))
        errors = (finding for finding in verdict.found if finding.severity == ERROR)
        return [finding for finding in errors if finding.cards or not candidate.plan.open.get(finding.section or "")]

    def _next_candidates(self, candidate: _Candidate, errors: list[Finding]) -> Iterator[_Candidate]:
        """Yield plans that also meet the demands of these errors, the cheapest for each set of demands.

        New demands without alternatives are added together. If there are none, each alternative of one error is a
        branch, else each guess for the first error. A branch that demands nothing new is recorded as abandoned. Without
        any branch, the first error is recorded as `conflict`, if it is the first.
        """
        demands, choice = self._collect_demands(candidate, errors)
        if demands is not candidate.demands:
            if candidate.demands is self._leader_demands[candidate.leader]:
                self._leader_demands[candidate.leader] = demands
            yield from self._solve(candidate.leader, candidate.fixed, demands, candidate.least)
            return
        alternatives = (
            choice.alternatives
            if choice
            else guess_demands(errors[0], self.stock, candidate.plan.counts, candidate.fixed_cards)
        )
        proven = choice is not None and choice.proven
        if not alternatives:
            self.conflict = self.conflict or errors[0]
            self._abandon(ANY if proven else candidate.least)
        for demand_set in alternatives:
            if all(map(candidate.demands.has_demand, demand_set)):
                self._abandon(candidate.least)
            else:
                yield from self._solve(
                    candidate.leader, candidate.fixed, demands.with_demands(demand_set, proven), candidate.least
                )

    def _collect_demands(self, candidate: _Candidate, errors: list[Finding]) -> tuple[Demands, Choice | None]:
        """Return `(demands, choice)`: the candidate's demands with those of `errors`, and a Choice.

        Only demands without alternatives are added. The Choice is the first with several alternatives or with none. It
        is None if there is no such finding. Demands that no rule requires are added only if there are no new ones that
        a rule requires.
        """
        choices = [find_demands(finding, self.stock, candidate.fixed_cards) for finding in errors]
        choice = next((option for option in choices if len(option.alternatives) != 1), None)
        for proven in (True, False):
            sure = (
                option.alternatives[0]
                for option in choices
                if len(option.alternatives) == 1 and option.proven is proven
            )
            if fresh := list(filterfalse(candidate.demands.has_demand, chain.from_iterable(sure))):
                return candidate.demands.with_demands(fresh, proven), choice
        return candidate.demands, choice

    def _fill_witness(self, candidate: _Candidate) -> Plan | None:
        """Return a candidate's plan with cards in its open places, so that the deck is legal.

        None if no such cards are found. Then the plan is kept as `unfilled`, if it is the first, and the branch is
        recorded as abandoned.
        """
        witness = fill_plan(self.judge, candidate.plan, candidate.leader) if candidate.plan.open else candidate.plan
        if witness is None:
            self.unfilled = self.unfilled or candidate.plan
            self._abandon(candidate.least)
        return witness
