"""Demands: the numbers of copies that findings require, the choices between them, and cards that fill open places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, islice, product
from typing import NamedTuple

from validator.bounds import MOST_JUDGED_TRIED, MOST_UNRESTRICTED_TRIED
from validator.cards import Card
from validator.findings import AT_MOST, FEW_COLORS, NOT_ALL, Finding
from validator.judge import Judge
from validator.repair.stock import Cell, Counts, Piece, Plan, Stock, Stranger, by_number
from validator.rules.copies import CopyLimit
from validator.rules.size import Size
from validator.unresolved import Suggestions

ANY = 1 << 40  # more cards than any deck has


class Cap(NamedTuple):
    """At most `limit` copies in these cells together; `finding` says by which rule."""

    cells: frozenset[Cell]
    limit: int
    finding: Finding | None = None


class SectionSize(NamedTuple):
    """From `minimum` to `maximum` cards in a section."""

    section: str
    minimum: int
    maximum: int
    finding: Finding


@dataclass(frozen=True)
class Demands:
    """All that is asked so far; `proven` is false once something was asked that no rule says in so many words."""

    caps: Mapping[tuple[frozenset[Cell], int], Cap] = field(default_factory=dict)
    sizes: Mapping[str, SectionSize] = field(default_factory=dict)
    proven: bool = True

    def has(self, demand: Cap | SectionSize) -> bool:
        """Tell whether this is asked already."""
        if isinstance(demand, Cap):
            return (demand.cells, demand.limit) in self.caps
        known = self.sizes.get(demand.section)
        return known is not None and known.minimum >= demand.minimum and known.maximum <= demand.maximum

    def also(self, more: Iterable[Cap | SectionSize], proven: bool = True) -> Demands:
        """Return these demands with some more."""
        caps, sizes = dict(self.caps), dict(self.sizes)
        for demand in more:
            if isinstance(demand, Cap):
                caps.setdefault((demand.cells, demand.limit), demand)
            else:
                sizes[demand.section] = _both(sizes.get(demand.section, demand), demand)
        return Demands(caps, sizes, self.proven and proven)

    def instead(self, dropped: Iterable[Cap], more: Iterable[Cap]) -> Demands:
        """Return these demands with some in the place of others."""
        caps = dict(self.caps)
        for cap in dropped:
            caps.pop((cap.cells, cap.limit), None)
        return replace(self, caps=caps).also(more)


def _both(one: SectionSize, other: SectionSize) -> SectionSize:
    finding = other.finding if other.minimum > one.minimum or other.maximum < one.maximum else one.finding
    return SectionSize(one.section, max(one.minimum, other.minimum), min(one.maximum, other.maximum), finding)


class Choice(NamedTuple):
    """What one finding asks: one of several sets of demands; `proven` where its rule says so itself."""

    either: list[list[Cap | SectionSize]]
    proven: bool


def asked(finding: Finding, stock: Stock, fixed: frozenset[Piece]) -> Choice:
    """Return what a finding asks of a stock in which some cards, such as the Leader, are fixed."""
    at_most = finding.kind.asks == AT_MOST
    if not finding.cards:
        return Choice(list(_sized(finding)), at_most)
    pieces = stock.named(finding.cards)
    if finding.kind.asks == NOT_ALL:
        return Choice(list(_each_out(pieces, stock, finding, fixed)), True)
    if finding.kind.asks == FEW_COLORS:
        return Choice(list(_few_colors(finding, stock)), True)
    cells = frozenset(product(pieces, named_sections(finding)))
    either: list[list[Cap | SectionSize]] = [[Cap(cells, finding.limit or 0, finding)]]
    if "by" in finding.details:
        either += _each_out(_speakers(finding, stock), stock, finding, fixed)
        return Choice(either, at_most and len(either) == 1 and not _reaching(stock))
    return Choice(either, at_most)


def _few_colors(finding: Finding, stock: Stock) -> Iterator[list[Cap | SectionSize]]:
    """Yield for each choice of the colours that stay that no card of another one is where they count."""
    for kept in combinations(finding.details["colors"], finding.limit or 0):
        others = [piece for piece in stock.pieces if isinstance(piece, Card) and not set(piece.colors) <= {*kept}]
        because = replace(finding, details={**finding.details, "kept": kept})
        yield [Cap(frozenset(product(others, named_sections(finding))), 0, because)]


def named_sections(finding: Finding) -> list[str]:
    """Return the sections that a finding on cards is about."""
    return [*(finding.details.get("sections") or filter(None, [finding.section]))]


def size_demands(judge: Judge, stock: Stock) -> Demands:
    """Return the sizes that every deck must have; a section that may be left out adds none."""
    sizes = stock.facts.sizes
    rules = (rule for rule in judge.size_rules if isinstance(rule, Size) and (sizes[rule.section] or not rule.optional))
    every = [list(_sized(rule.finding(sizes[rule.section]))) for rule in rules]
    return Demands().also(one for ways in every if len(ways) == 1 for one in ways[0])


def _sized(finding: Finding) -> Iterator[list[Cap | SectionSize]]:
    """Yield the size that a section is to have, and none for one that may be left out."""
    section = finding.section
    if section is None or finding.limit is None:
        return
    yield [SectionSize(section, finding.minimum or 0, finding.limit, finding)]
    if finding.minimum and finding.details.get("optional"):
        yield [SectionSize(section, 0, 0, finding)]


def _each_out(
    pieces: Iterable[Piece], stock: Stock, finding: Finding, fixed: frozenset[Piece]
) -> Iterator[list[Cap | SectionSize]]:
    """Yield for each card that is not fixed that it is nowhere."""
    for piece in pieces:
        if piece not in fixed:
            yield [Cap(frozenset((piece, section) for section in stock.places(piece)), 0, finding)]


def _speakers(finding: Finding, stock: Stock) -> Iterator[Piece]:
    """Yield the card of the deck whose text a finding is about."""
    by = finding.details["by"]
    return (piece for piece in stock.pieces if by == (piece.number or piece.name))


def _reaching(stock: Stock) -> bool:
    """Tell whether a card may change what others are, and so whom a text means, by being in a deck."""
    cards = (card for card in stock.facts.catalogue if card.construction and card is not stock.facts.leader)
    return any(clause.kind == "alias" and clause.match for card in cards for clause in card.construction)


def fewer(finding: Finding, stock: Stock, counts: Counts, fixed: frozenset[Piece]) -> list[list[Cap | SectionSize]]:
    """Return what to try where a finding stands although what it asks is done: one copy less of one of its cards."""
    cells = [(piece, section) for piece in stock.named(finding.cards) for section in stock.places(piece)]
    return [
        [Cap(frozenset([cell]), counts[cell] - 1, finding)]
        for cell in cells
        if counts.get(cell) and cell[0] not in fixed
    ]


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
