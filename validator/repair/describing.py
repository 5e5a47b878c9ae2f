"""Describing: the changes of a legal plan, each with the finding that requires it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

from validator.bounds import MOST_OFFERED_CARDS
from validator.cards import Card
from validator.findings import ERROR, Finding, NamedCard
from validator.judge import Judge, Verdict
from validator.repair.answer import Addition, Changes, Move, Removal
from validator.repair.demands import Cap, Demands, free_copies, named_sections
from validator.repair.search import Found
from validator.repair.stock import Cell, Piece, Plan, card_sort_key
from validator.rules.base import Fit

_UNREAD_CODES = ("line.unread", "list.several")
_LONGEST_LINE = 200  # characters of an unread line that a removal shows


def describe_changes(judge: Judge, verdict: Verdict, solution: Found, leaders: tuple[Card, ...] = ()) -> Changes:
    """Return the changes of a plan, and the repaired deck, whose open places are filled.

    `solution` has the plan and its filled form. `leaders` are Leaders that fit as well as the plan's own. Empty means
    only that one. Unread lines that may be cards are removals. Other unread lines stay in the deck.
    """
    plan, reasons = solution.plan, _Reasons(solution.plan, solution.demands, verdict)
    out = (*_describe_outs(plan, reasons), *_describe_unread(verdict))
    leader = [_describe_leader(judge, card, leaders, verdict) for card, _ in plan.ins]
    added = [_describe_addition(judge, solution, section, many, reasons) for section, many in plan.open.items()]
    remarks = tuple(line for line in verdict.facts.deck.unread if not line.may_be_card)
    deck = replace(plan.stock.deck(solution.witness.counts), unread=remarks)
    return Changes(out, tuple(_describe_moves(plan, reasons)), (*leader, *added), deck)


def _describe_outs(plan: Plan, reasons: _Reasons) -> Iterator[Removal]:
    """Yield the removals of a plan. Copies of a card with different reasons are separate removals."""
    for (piece, section), copies in plan.outs.items():
        for n, why in reasons.split_copies((piece, section), copies):
            yield Removal(section, plan.stock.as_written(piece, n), why)


def _describe_moves(plan: Plan, reasons: _Reasons) -> Iterator[Move]:
    """Yield the moves of a plan. Copies of a card with different reasons are separate moves.

    A move without a reason of its own has the finding on the size of the section to which it goes, or None.
    """
    for piece, origin, target, copies in plan.moves:
        for n, why in reasons.split_copies((piece, origin), copies):
            yield Move(origin, target, plan.stock.as_written(piece, n), why or reasons.size_finding(target))


def _describe_unread(verdict: Verdict) -> Iterator[Removal]:
    """Yield the removals of the unread lines that may be cards, each with its finding, None if the verdict has none."""
    findings = {finding.line: finding for finding in verdict.found if finding.code in _UNREAD_CODES}
    for line in verdict.facts.deck.unread:
        if line.may_be_card:
            yield Removal(None, NamedCard("", line.text[:_LONGEST_LINE]), findings.get(line.at))


class _Reasons:
    """The findings that require the changes of a plan.

    Each finding with a limit is the reason for as many removed copies as the deck has over that limit.
    """

    def __init__(self, plan: Plan, demands: Demands, verdict: Verdict) -> None:
        """Compute the copies over the limit of each cap, and find the caps on each card in a section.

        Caps with the limit 0 come first.
        """
        self._demands = demands
        self._errors = [finding for finding in verdict.found if finding.severity == ERROR]
        caps = sorted(demands.caps.values(), key=lambda cap: cap.limit > 0)
        self._over = {id(cap): sum(plan.stock.counts.get(cell, 0) for cell in cap.cells) - cap.limit for cap in caps}
        self._caps_by_cell: dict[Cell, list[Cap]] = {}
        for cap in caps:
            for cell in cap.cells if cap.finding else ():
                self._caps_by_cell.setdefault(cell, []).append(cap)

    def split_copies(self, cell: Cell, copies: int) -> Iterator[tuple[int, Finding | None]]:
        """Yield `(copies, finding)` for the copies that leave a cell, in parts with different reasons.

        None is no finding. A cell is a pair of card and section. The excess of each cap on it is reduced by the yielded
        copies. Copies beyond all caps have the finding on the section's size. Without one, they have that of the first
        cap, else an error on the card or its section.
        """
        about = self._caps_by_cell.get(cell, [])
        for cap in about:
            if part := min(copies, max(0, self._over[id(cap)])):
                for same in about:
                    self._over[id(same)] -= part
                copies -= part
                yield part, cap.finding
        if copies:
            yield copies, self.size_finding(cell[1]) or (about[0].finding if about else self._first_finding(cell))

    def _first_finding(self, cell: Cell) -> Finding | None:
        """Return the first error on the card of a cell, else the first on its section, else None."""
        piece, section = cell
        about = (finding for finding in self._errors if finding.has_card(piece.number, piece.name))
        return next(about, next((finding for finding in self._errors if finding.section == section), None))

    def size_finding(self, section: str) -> Finding | None:
        """Return the finding that requires a size of a section, None if there is none."""
        size = self._demands.sizes.get(section)
        return size.finding if size else None


def _describe_leader(judge: Judge, card: Piece, leaders: tuple[Card, ...], verdict: Verdict) -> Addition:
    """Return the addition of one Leader, any of `leaders`. `card` is the only one if these are empty.

    At most MOST_OFFERED_CARDS Leaders are named. The finding is the first on the leader section, None if there is none.
    """
    because = next((finding for finding in verdict.found if finding.section == "leader"), None)
    named = leaders or (card,)
    cards = tuple(NamedCard(leader_card.number, leader_card.name, 1) for leader_card in named[:MOST_OFFERED_CARDS])
    return Addition("leader", 1, required_properties(judge, "leader", None), cards, (), (), because)


def _describe_addition(judge: Judge, solution: Found, section: str, count: int, reasons: _Reasons) -> Addition:
    """Return the addition of `count` cards to a section, with the cards that the repaired deck adds there.

    It also suggests cards of the deck that may have more copies, and other printings of removed cards.
    """
    plan, witness = solution.plan, solution.witness
    gained = [
        NamedCard(piece.number, piece.name, copies - plan.counts.get((piece, here), 0))
        for (piece, here), copies in sorted(witness.counts.items(), key=lambda item: card_sort_key(item[0][0]))
        if here == section and copies > plan.counts.get((piece, here), 0)
    ]
    own = _cards_with_room(judge, solution, section, (piece for piece, _ in plan.stock.counts))
    gone = [piece for piece, _ in plan.outs if isinstance(piece, Card)]
    alike = chain.from_iterable(judge.catalogue.by_name(card.name) for card in gone)
    again = _cards_with_room(judge, solution, section, (card for card in alike if card not in plan.stock.pieces))
    fits = {**required_properties(judge, section, solution.leader), **_kept_colors(solution.demands, section)}
    return Addition(section, count, fits, tuple(gained), own, again, reasons.size_finding(section))


def _kept_colors(demands: Demands, section: str) -> Fit:
    """Return `{"colors": …}` with the colours that a section keeps if it had too many.

    Otherwise the result is empty.
    """
    for cap in demands.caps.values():
        if cap.finding and "kept" in cap.finding.details and section in named_sections(cap.finding):
            return {"colors": cap.finding.details["kept"]}
    return {}


def _cards_with_room(judge: Judge, solution: Found, section: str, pieces: Iterator[Piece]) -> tuple[NamedCard, ...]:
    """Return those of `pieces` that may be added to a section, each with the number of further copies, at most 255.

    At most MOST_OFFERED_CARDS cards are returned, in the order of `pieces`. Cards that the plan removes, cards that
    some rule may forbid there, and cards that are not in the catalogue are left out.
    """
    counts = dict(solution.plan.counts)
    gone = {piece for piece, _ in solution.plan.outs}
    cards = (piece for piece in dict.fromkeys(pieces) if isinstance(piece, Card) and piece not in gone)
    fit = (card for card in cards if judge.lets_in(card, section, solution.leader))
    roomy = ((card, free_copies(judge, card, section, solution.leader, counts)) for card in fit)
    return tuple(
        islice((NamedCard.from_card(card, min(most, 255)) for card, most in roomy if most), MOST_OFFERED_CARDS)
    )


def required_properties(judge: Judge, section: str, leader: Card | None) -> Fit:
    """Return the values that the rules allow for a card in a section under a Leader, by property.

    Properties are "types", "colors", "blocks" and "pool". Later rules replace the values of earlier ones. Empty if no
    rule requires a property.
    """
    found: dict[str, tuple[str, ...]] = {}
    for scope in (rule.scope() for rule in judge.rules):
        if scope.fit and scope.has_section(section):
            found |= scope.fit(leader)
    return found
