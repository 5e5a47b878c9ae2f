"""Describing: a plan that was found legal, said as changes with the findings that ask for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

from validator.bounds import MOST_OFFERED_CARDS
from validator.cards import Card
from validator.findings import ERROR, Finding, NamedCard
from validator.judge import Judge, Verdict
from validator.repair.answer import Changes, Fit, In, Moved, Out, unread_out
from validator.repair.demands import Cap, Demands, named_sections, room
from validator.repair.search import Found
from validator.repair.stock import Cell, Piece, Plan

_LOST = ("line.unread", "list.several")


def described(judge: Judge, verdict: Verdict, found: Found, leaders: tuple[Card, ...] = ()) -> Changes:
    """Return the changes that a plan comes to; `leaders` are those that would do as well as the plan's."""
    plan, reasons = found.plan, _Reasons(found.plan, found.demands, verdict)
    out = (*_outs(plan, reasons), *_unread(verdict))
    leader = [_leader(judge, card, leaders, verdict) for card, _ in plan.ins]
    added = [_added(judge, found, section, many, reasons) for section, many in plan.open.items()]
    remarks = tuple(line for line in verdict.facts.deck.unread if not line.may_be_card)
    deck = replace(plan.stock.deck(found.witness.counts), unread=remarks)
    return Changes(out, tuple(_moves(plan, reasons)), (*leader, *added), deck)


def _outs(plan: Plan, reasons: _Reasons) -> Iterator[Out]:
    for (piece, section), copies in plan.outs.items():
        for n, why in reasons.of((piece, section), copies):
            yield Out(section, plan.stock.as_written(piece, n), why)


def _moves(plan: Plan, reasons: _Reasons) -> Iterator[Moved]:
    for piece, origin, target, copies in plan.moves:
        for n, why in reasons.of((piece, origin), copies):
            yield Moved(origin, target, plan.stock.as_written(piece, n), why or reasons.size(target))


def _unread(verdict: Verdict) -> Iterator[Out]:
    """Yield the lines that nobody could read and that may be cards."""
    findings = {finding.line: finding for finding in verdict.found if finding.code in _LOST}
    return (unread_out(line, findings.get(line.at)) for line in verdict.facts.deck.unread if line.may_be_card)


def _copies(piece: Piece, count: int | None = None) -> NamedCard:
    return NamedCard(piece.number, piece.name, count)


class _Reasons:
    """The findings that ask for changes: each for as many copies as are too many by it."""

    def __init__(self, plan: Plan, demands: Demands, verdict: Verdict) -> None:
        self._demands = demands
        self._wrong = [finding for finding in verdict.found if finding.severity == ERROR]
        caps = sorted(demands.caps.values(), key=lambda cap: cap.limit > 0)
        self._over = {id(cap): sum(plan.stock.counts.get(cell, 0) for cell in cap.cells) - cap.limit for cap in caps}
        self._about: dict[Cell, list[Cap]] = {}
        for cap in caps:
            for cell in cap.cells if cap.finding else ():
                self._about.setdefault(cell, []).append(cap)

    def of(self, cell: Cell, copies: int) -> Iterator[tuple[int, Finding | None]]:
        """Yield the copies that go from a cell in parts, each with the finding that asks for it."""
        about = self._about.get(cell, [])
        for cap in about:
            if part := min(copies, max(0, self._over[id(cap)])):
                for same in about:
                    self._over[id(same)] -= part
                copies -= part
                yield part, cap.finding
        if copies:
            yield copies, self.size(cell[1]) or (about[0].finding if about else self._first(cell))

    def _first(self, cell: Cell) -> Finding | None:
        """Return the first thing that was wrong with a card, else with its section."""
        piece, section = cell
        about = (one for one in self._wrong if any((piece.number, piece.name) == (c.number, c.name) for c in one.cards))
        return next(about, next((one for one in self._wrong if one.section == section), None))

    def size(self, section: str) -> Finding | None:
        """Return the finding that asks for a section's size."""
        size = self._demands.sizes.get(section)
        return size.finding if size else None


def _leader(judge: Judge, card: Piece, leaders: tuple[Card, ...], verdict: Verdict) -> In:
    because = next((finding for finding in verdict.found if finding.section == "leader"), None)
    named = leaders or (card,)
    cards = tuple(_copies(one, 1) for one in named[:MOST_OFFERED_CARDS])
    return In("leader", 1, fitting(judge, "leader", None), cards, (), (), because)


def _added(judge: Judge, found: Found, section: str, count: int, reasons: _Reasons) -> In:
    plan, witness = found.plan, found.witness
    gained = [
        _copies(piece, copies - plan.counts.get((piece, here), 0))
        for (piece, here), copies in sorted(witness.counts.items(), key=lambda one: (one[0][0].number, one[0][0].name))
        if here == section and copies > plan.counts.get((piece, here), 0)
    ]
    own = _roomy(judge, found, section, (piece for piece, _ in plan.stock.counts))
    gone = [piece for piece, _ in plan.outs if isinstance(piece, Card)]
    alike = chain.from_iterable(judge.catalogue.by_name(card.name) for card in gone)
    again = _roomy(judge, found, section, (card for card in alike if card not in plan.stock.pieces))
    fits = {**fitting(judge, section, found.leader), **_kept_colors(found.demands, section)}
    return In(section, count, fits, tuple(gained), own, again, reasons.size(section))


def _kept_colors(demands: Demands, section: str) -> Fit:
    """Return the colours that a section keeps, where it had too many."""
    for cap in demands.caps.values():
        if cap.finding and "kept" in cap.finding.details and section in named_sections(cap.finding):
            return {"colors": cap.finding.details["kept"]}
    return {}


def _roomy(judge: Judge, found: Found, section: str, pieces: Iterator[Piece]) -> tuple[NamedCard, ...]:
    """Return a few of some cards that may be put into a section, and how many more of them."""
    counts = dict(found.plan.counts)
    gone = {piece for piece, _ in found.plan.outs}
    cards = (piece for piece in dict.fromkeys(pieces) if isinstance(piece, Card) and piece not in gone)
    fit = (card for card in cards if judge.lets_in(card, section, found.leader))
    roomy = ((card, room(judge, card, section, found.leader, counts)) for card in fit)
    return tuple(islice((_copies(card, min(most, 255)) for card, most in roomy if most), MOST_OFFERED_CARDS))


def fitting(judge: Judge, section: str, leader: Card | None) -> Fit:
    """Return what the rules ask of a card in a section under a Leader, each in its own words."""
    found: dict[str, tuple[str, ...]] = {}
    for scope in (rule.scope() for rule in judge.rules):
        if scope.fit and scope.has(section):
            found |= scope.fit(leader)
    return found
