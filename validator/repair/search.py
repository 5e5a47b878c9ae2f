"""The search for the cheapest legal plans: the Judge says of a plan what it lacks, and the next plan does that too.

A plan does with the fewest changes what is demanded so far. So the first one that the Judge finds legal has the
fewest changes of all, as long as every demand was one that a rule surely makes and every choice was followed. What
each way that is not followed to its end would ask for at least is kept, and the least of it is the bound of the answer.
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
from validator.repair.demands import ANY, Cap, Choice, Demands, asked, fewer, filled, named_sections, size_demands
from validator.repair.keeping import Conflict, Split, kept
from validator.repair.stock import CHANGE, Cell, Counts, Piece, Plan, Stock
from validator.unresolved import Suggestions


@dataclass(frozen=True)
class Found:
    """A plan that the Judge finds legal, its open places filled as in `witness`.

    `bound`: no legal plan of all that were looked for has fewer changes than that.
    """

    plan: Plan
    witness: Plan
    leader: Card | None
    demands: Demands
    bound: int


@dataclass(frozen=True)
class _Candidate:
    """A plan that is still to be judged, under a Leader and with certain cells as they are to be.

    `least`: no legal plan that comes of it has fewer changes; a plan of demands that no rule surely makes proves
    nothing, so there it is what was proved before.
    """

    plan: Plan
    demands: Demands
    leader: Card | None
    fixed: Counts
    least: int = 0

    @property
    def untouched(self) -> frozenset[Piece]:
        """The cards that no choice may take out."""
        return frozenset(piece for piece, _ in self.fixed)


_Waiting = tuple[int, int, _Candidate]  # by cost, the later one first
_LeaderBound = tuple[int, int]  # the changes at least under a Leader and his place, both below 0


class Search:
    """The legal plans of a stock, the cheapest first.

    Of a list far longer than any deck the end is left out, so that the work stays within bounds. `conflict` is the
    first thing that could not be done, and `unfilled` the first plan for whose open places no cards were found.
    """

    def __init__(self, judge: Judge, stock: Stock, pinned: Counts) -> None:
        self.judge = judge
        self.stock = stock
        self.conflict: Finding | None = None
        self.unfilled: Plan | None = None
        self.pinned = pinned
        self._passed = ANY  # the changes at least of all that was not followed
        beyond = frozenset(cell for cell in stock.beyond if cell not in pinned and cell[1] != "leader")
        none_of_it = [Cap(frozenset([cell]), 0) for cell in beyond]
        self._size_demands = size_demands(judge, stock).also(none_of_it, proven=not beyond)
        self._held = {cell: copies for cell, copies in stock.counts.items() if cell not in beyond}
        self._sure: dict[Card | None, Demands] = {}
        self._work = self._most = max(FEWEST_PLANS, MOST_PLANNED_CELLS // max(1, len(self._held)))

    def plans(self, leaders: Sequence[Card | None], keeping: Counts, most: int = ANY) -> Iterator[Found]:
        """Yield plans under one of these Leaders that keep certain cells as they are, of at most so many changes."""
        waiting: list[_Waiting] = []
        bounds = self._bounds(leaders)
        while bounds or waiting:
            while bounds and self._is_next(bounds[-1], waiting):
                self._add(waiting, self._begun(leaders[-bounds.pop()[1]], keeping), most)
            if self._work <= 0:
                self._passed = self._bound(waiting, bounds)
                del waiting[1:], bounds[:]
            if self._work < -self._most:
                return
            if not waiting:
                continue
            step = heappop(waiting)[2]
            if wrong := self._wrong(step):
                self._add(waiting, self._next(step, wrong), most)
            elif witness := self._witness(step):
                bound = min(step.least, self._bound(waiting, bounds))
                yield Found(step.plan, witness, step.leader, step.demands, bound)

    def _bounds(self, leaders: Sequence[Card | None]) -> list[_LeaderBound]:
        """Return the changes at least under each of several Leaders, the fewest last."""
        least = map(self._under, leaders) if len(leaders) > 1 else [0] * len(leaders)
        return sorted((-changes, -at) for at, changes in enumerate(least))

    def _is_next(self, bound: _LeaderBound, waiting: list[_Waiting]) -> bool:
        """Tell whether the plans under a Leader may be cheaper than those that wait."""
        return not waiting or (self._work > 0 and -bound[0] * CHANGE <= waiting[0][0])

    def _bound(self, waiting: Iterable[_Waiting], leaders: Iterable[_LeaderBound]) -> int:
        """Return the changes at least of all that is still to be followed, or never was."""
        return min([self._passed, *(step.least for *_, step in waiting), *(-under for under, _ in leaders)])

    def fewest(self, leader: Card, wrong: list[Finding]) -> int:
        """Return how many changes some findings alone ask for at least, whoever leads."""
        fixed = {**self.pinned, (leader, "leader"): 1}
        step = _Candidate(Plan(self.stock, self.stock.counts), self._size_demands, leader, fixed)
        found = kept(self.stock, self._asked(step, wrong)[0], fixed)
        return found.changes if isinstance(found, Plan) else 0

    def _add(self, waiting: list[_Waiting], steps: Iterable[_Candidate], most: int) -> None:
        for step in steps:
            if step.plan.changes <= most:
                heappush(waiting, (step.plan.cost, self._work, step))
            else:
                self._pass(step.least)

    def _pass(self, least: int) -> None:
        """Note that something was not followed whose legal plans have so many changes at least."""
        self._passed = min(self._passed, least)

    def _under(self, leader: Card | None) -> int:
        """Return how many changes a plan under a Leader has at the very least."""
        counts = {cell: copies for cell, copies in self._held.items() if cell[1] != "leader"}
        if leader:
            counts[leader, "leader"] = 1
        verdict = self.judge(self.stock.deck(counts), Suggestions(0))
        barred = {cell: counts.get(cell, 0) for finding in verdict.found for cell in self._barred(finding)}
        main = sum(copies for cell, copies in barred.items() if cell[1] == "main")
        size = self._size_demands.sizes.get("main")
        lacking = size.minimum - verdict.facts.sizes["main"] + main if size else 0
        changed = Plan(self.stock, counts).changes
        return changed + max(sum(barred.values()), main + lacking)

    def _barred(self, finding: Finding) -> Iterator[Cell]:
        if finding.severity == ERROR and finding.kind.asks == AT_MOST and finding.cards and not finding.limit:
            for piece in self.stock.named(finding.cards):
                for section in named_sections(finding):
                    yield piece, section

    def _begun(self, leader: Card | None, keeping: Counts) -> Iterator[_Candidate]:
        fixed = {**self.pinned, **keeping}
        if leader:
            fixed.setdefault((leader, "leader"), 1)
        if leader not in self._sure:
            counts = {cell: copies for cell, copies in self._held.items() if cell[1] != "leader" or not leader}
            plan = Plan(self.stock, {**counts, **fixed} if leader else counts)
            step = _Candidate(plan, self._size_demands, leader, fixed)
            self._sure[leader] = self._asked(step, self._wrong(step))[0]
        return self._solved(leader, fixed, self._sure[leader], 0)

    def _solved(self, leader: Card | None, fixed: Counts, demands: Demands, least: int) -> Iterator[_Candidate]:
        """Yield the cheapest plan that does what is demanded, or one for each way to share out what crosses."""
        self._work -= 1
        found = kept(self.stock, demands, fixed)
        if isinstance(found, Plan):
            proven = found.changes if demands.proven else 0
            yield _Candidate(found, demands, leader, fixed, max(least, proven))
        elif isinstance(found, Conflict):
            self.conflict = self.conflict or found.finding
            self._pass(ANY if demands.proven else least)
        else:
            for shared in self._shares(found, demands, least):
                yield from self._solved(leader, fixed, shared, least)

    def _shares(self, split: Split, demands: Demands, least: int) -> Iterator[Demands]:
        """Yield the demands with each number that may be kept of what two caps have in common."""
        one, other = split
        both = one.cells & other.cells
        for shared in range(min(one.limit, other.limit) + 1):
            if shared > MOST_SHARES or self._work < -self._most:
                self._pass(least)
                return
            parts = [Cap(both, shared, other.finding)]
            parts += [cap._replace(cells=cap.cells - both, limit=cap.limit - shared) for cap in split]
            yield demands.instead(split, parts)

    def _wrong(self, step: _Candidate) -> list[Finding]:
        """Return what the Judge finds wrong with a plan, but for places that are known to be open."""
        self._work -= 1
        verdict = self.judge(self.stock.deck(step.plan.counts), Suggestions(0))
        errors = (finding for finding in verdict.found if finding.severity == ERROR)
        return [finding for finding in errors if finding.cards or not step.plan.open.get(finding.section or "")]

    def _next(self, step: _Candidate, wrong: list[Finding]) -> Iterator[_Candidate]:
        """Yield the plans that do what these findings ask too: one, or one for each way to do it."""
        demands, choice = self._asked(step, wrong)
        if demands is not step.demands:
            if step.demands is self._sure[step.leader]:
                self._sure[step.leader] = demands
            yield from self._solved(step.leader, step.fixed, demands, step.least)
            return
        either = choice.either if choice else fewer(wrong[0], self.stock, step.plan.counts, step.untouched)
        proven = choice is not None and choice.proven
        if not either:
            self.conflict = self.conflict or wrong[0]
            self._pass(ANY if proven else step.least)
        for one in either:
            if all(map(step.demands.has, one)):
                self._pass(step.least)
            else:
                yield from self._solved(step.leader, step.fixed, demands.also(one, proven), step.least)

    def _asked(self, step: _Candidate, wrong: list[Finding]) -> tuple[Demands, Choice | None]:
        """Return what is demanded of a plan without a choice, what is sure before the rest, and the first choice."""
        every = [asked(finding, self.stock, step.untouched) for finding in wrong]
        choice = next((asks for asks in every if len(asks.either) != 1), None)
        for proven in (True, False):
            sure = (asks.either[0] for asks in every if len(asks.either) == 1 and asks.proven is proven)
            if fresh := list(filterfalse(step.demands.has, chain.from_iterable(sure))):
                return step.demands.also(fresh, proven), choice
        return step.demands, choice

    def _witness(self, step: _Candidate) -> Plan | None:
        """Return a plan with its open places filled so that it is legal, None where no cards are found for them."""
        witness = filled(self.judge, step.plan, step.leader) if step.plan.open else step.plan
        if witness is None:
            self.unfilled = self.unfilled or step.plan
            self._pass(step.least)
        return witness
