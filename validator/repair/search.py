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
    """A plan that the Judge finds legal. In `witness` its open places are filled.

    `bound`: the proved lower bound on the changes of any legal plan of this search.
    """

    plan: Plan
    witness: Plan
    leader: Card | None
    demands: Demands
    bound: int


@dataclass(frozen=True)
class _Candidate:
    """A plan in the search queue that the Judge has not checked yet.

    `fixed`: cells that this branch must not change. `least`: lower bound on the changes of any legal plan that
    follows from this one. Unproven demands do not raise it.
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
    """The legal plans of a stock, the cheapest first.

    The cells of a list far longer than any deck are removed after the first MOST_CELLS, which limits the work.
    `conflict` is the first finding whose demand could not be met, `unfilled` the first plan without cards for its open
    places.
    """

    def __init__(self, judge: Judge, stock: Stock, pinned: Counts) -> None:
        """Prepare the search. Copies that must be removed in any case are left out of it. `pinned` are fixed cells."""
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

        The cells in `keeping` keep their copies. The search ends early if its work limit is reached.
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
            step = heappop(waiting)[2]
            if wrong := self._find_errors(step):
                self._enqueue(waiting, self._next_candidates(step, wrong), most)
            elif witness := self._fill_witness(step):
                bound = min(step.least, self._open_bound(waiting, bounds))
                yield Found(step.plan, witness, step.leader, step.demands, bound)

    def _leader_bounds(self, leaders: Sequence[Card | None]) -> list[_LeaderBound]:
        """Return the lower bounds on the changes under several Leaders with the Leaders' indexes, the lowest last."""
        least = map(self._bound_under, leaders) if len(leaders) > 1 else [0] * len(leaders)
        return sorted((-changes, -index) for index, changes in enumerate(least))

    def _is_next(self, leader_bound: _LeaderBound, waiting: list[_Queued]) -> bool:
        """Return True if the plans under a Leader may be cheaper than those in the queue."""
        return not waiting or (self._work > 0 and -leader_bound[0] * CHANGE <= waiting[0][0])

    def _open_bound(self, waiting: Iterable[_Queued], leaders: Iterable[_LeaderBound]) -> int:
        """Return the lower bound on the changes of all plans that are still queued or were abandoned."""
        return min([self._abandoned_bound, *(step.least for *_, step in waiting), *(-under for under, _ in leaders)])

    def lower_bound(self, leader: Card, wrong: list[Finding]) -> int:
        """Return the lower bound on the changes that these findings require. 0 if their demands conflict."""
        fixed = {**self.pinned, (leader, "leader"): 1}
        step = _Candidate(Plan(self.stock, self.stock.counts), self._size_demands, leader, fixed)
        found = plan_keeping_most(self.stock, self._collect_demands(step, wrong)[0], fixed)
        return found.changes if isinstance(found, Plan) else 0

    def _enqueue(self, waiting: list[_Queued], steps: Iterable[_Candidate], most: int) -> None:
        """Add plans with at most `most` changes to the queue. Others are recorded as abandoned."""
        for step in steps:
            if step.plan.changes <= most:
                heappush(waiting, (step.plan.cost, self._work, step))
            else:
                self._abandon(step.least)

    def _abandon(self, least: int) -> None:
        """Record that a branch was abandoned whose legal plans have at least `least` changes."""
        self._abandoned_bound = min(self._abandoned_bound, least)

    def _bound_under(self, leader: Card | None) -> int:
        """Return a lower bound on the changes of any plan under a Leader."""
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
        """Yield the cells of the cards that a finding forbids."""
        if finding.severity == ERROR and finding.kind.asks == AT_MOST and finding.cards and not finding.limit:
            for piece in self.stock.find_pieces(finding.cards):
                for section in named_sections(finding):
                    yield piece, section

    def _first_candidates(self, leader: Card | None, keeping: Counts) -> Iterator[_Candidate]:
        """Return the first plans under a Leader, which meet the demands on every plan under that Leader."""
        fixed = {**self.pinned, **keeping}
        if leader:
            fixed.setdefault((leader, "leader"), 1)
        if leader not in self._leader_demands:
            counts = {cell: copies for cell, copies in self._counts.items() if cell[1] != "leader" or not leader}
            plan = Plan(self.stock, {**counts, **fixed} if leader else counts)
            step = _Candidate(plan, self._size_demands, leader, fixed)
            self._leader_demands[leader] = self._collect_demands(step, self._find_errors(step))[0]
        return self._solve(leader, fixed, self._leader_demands[leader], 0)

    def _solve(self, leader: Card | None, fixed: Counts, demands: Demands, least: int) -> Iterator[_Candidate]:
        """Yield the cheapest plan that meets the demands, or one for each split between caps that overlap."""
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

        After too many of them the rest is recorded as abandoned.
        """
        first, second = split
        common = first.cells & second.cells
        for shared in range(min(first.limit, second.limit) + 1):
            if shared > MOST_SHARES or self._work < -self._work_limit:
                self._abandon(least)
                return
            parts = [Cap(common, shared, second.finding)]
            parts += [cap._replace(cells=cap.cells - common, limit=cap.limit - shared) for cap in split]
            yield demands.instead(split, parts)

    def _find_errors(self, step: _Candidate) -> list[Finding]:
        """Return the errors of the deck of a plan. Spends one unit of the search's work.

        An error without cards, such as one on a size, is left out if its section has open places.
        """
        self._work -= 1
        verdict = self.judge(self.stock.deck(step.plan.counts), Suggestions(0))
        errors = (finding for finding in verdict.found if finding.severity == ERROR)
        return [finding for finding in errors if finding.cards or not step.plan.open.get(finding.section or "")]

    def _next_candidates(self, step: _Candidate, wrong: list[Finding]) -> Iterator[_Candidate]:
        """Yield the plans that meet the demands of these findings too: one, or one for each alternative."""
        demands, choice = self._collect_demands(step, wrong)
        if demands is not step.demands:
            if step.demands is self._leader_demands[step.leader]:
                self._leader_demands[step.leader] = demands
            yield from self._solve(step.leader, step.fixed, demands, step.least)
            return
        alternatives = (
            choice.either if choice else guess_demands(wrong[0], self.stock, step.plan.counts, step.fixed_cards)
        )
        proven = choice is not None and choice.proven
        if not alternatives:
            self.conflict = self.conflict or wrong[0]
            self._abandon(ANY if proven else step.least)
        for demand_set in alternatives:
            if all(map(step.demands.has_demand, demand_set)):
                self._abandon(step.least)
            else:
                yield from self._solve(step.leader, step.fixed, demands.with_demands(demand_set, proven), step.least)

    def _collect_demands(self, step: _Candidate, wrong: list[Finding]) -> tuple[Demands, Choice | None]:
        """Return the demands with those of findings without alternatives, and the first choice, None without one.

        Demands that no rule requires are added only if there are no new ones that a rule requires.
        """
        choices = [find_demands(finding, self.stock, step.fixed_cards) for finding in wrong]
        choice = next((candidate for candidate in choices if len(candidate.either) != 1), None)
        for proven in (True, False):
            sure = (
                candidate.either[0]
                for candidate in choices
                if len(candidate.either) == 1 and candidate.proven is proven
            )
            if fresh := list(filterfalse(step.demands.has_demand, chain.from_iterable(sure))):
                return step.demands.with_demands(fresh, proven), choice
        return step.demands, choice

    def _fill_witness(self, step: _Candidate) -> Plan | None:
        """Return a legal plan made from a step by adding cards for its open places. None if no such cards are found."""
        witness = fill_plan(self.judge, step.plan, step.leader) if step.plan.open else step.plan
        if witness is None:
            self.unfilled = self.unfilled or step.plan
            self._abandon(step.least)
        return witness
