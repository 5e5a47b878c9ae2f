"""Demands: the limits that findings set for a deck, the alternatives of a finding, and cards for open places."""

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
    """At most `limit` copies in these cells together. `finding` is the finding that requires it, if there is one."""

    cells: frozenset[Cell]
    limit: int
    finding: Finding | None = None


class SectionSize(NamedTuple):
    """From `minimum` to `maximum` cards in a section, as `finding` requires."""

    section: str
    minimum: int
    maximum: int
    finding: Finding


@dataclass(frozen=True)
class Demands:
    """All limits demanded so far. `proven` is False if one of them is a guess that no rule requires."""

    caps: Mapping[tuple[frozenset[Cell], int], Cap] = field(default_factory=dict)
    sizes: Mapping[str, SectionSize] = field(default_factory=dict)
    proven: bool = True

    def has_demand(self, demand: Cap | SectionSize) -> bool:
        """Return True if this demand, or a stricter size of its section, is demanded already."""
        if isinstance(demand, Cap):
            return (demand.cells, demand.limit) in self.caps
        known = self.sizes.get(demand.section)
        return known is not None and known.minimum >= demand.minimum and known.maximum <= demand.maximum

    def with_demands(self, additions: Iterable[Cap | SectionSize], proven: bool = True) -> Demands:
        """Return these demands with some more. The new ones are guesses if not `proven`."""
        caps, sizes = dict(self.caps), dict(self.sizes)
        for demand in additions:
            if isinstance(demand, Cap):
                caps.setdefault((demand.cells, demand.limit), demand)
            else:
                sizes[demand.section] = _merge_sizes(sizes.get(demand.section, demand), demand)
        return Demands(caps, sizes, self.proven and proven)

    def instead(self, dropped: Iterable[Cap], replacements: Iterable[Cap]) -> Demands:
        """Return these demands with some caps in the place of others."""
        caps = dict(self.caps)
        for cap in dropped:
            caps.pop((cap.cells, cap.limit), None)
        return replace(self, caps=caps).with_demands(replacements)


def _merge_sizes(first: SectionSize, second: SectionSize) -> SectionSize:
    """Return the size that satisfies both demands on one section, with the finding of the stricter one."""
    finding = second.finding if second.minimum > first.minimum or second.maximum < first.maximum else first.finding
    return SectionSize(first.section, max(first.minimum, second.minimum), min(first.maximum, second.maximum), finding)


class Choice(NamedTuple):
    """The demands of one finding: alternative sets of demands, of which one has to be met.

    `proven` is True if the rule of the finding itself requires one of them.
    """

    either: list[list[Cap | SectionSize]]
    proven: bool


def find_demands(finding: Finding, stock: Stock, fixed: frozenset[Piece]) -> Choice:
    """Return the demands of a finding on a stock. The `fixed` cards, such as the Leader, cannot be removed."""
    at_most = finding.kind.asks == AT_MOST
    if not finding.cards:
        return Choice(list(_size_alternatives(finding)), at_most)
    pieces = stock.find_pieces(finding.cards)
    if finding.kind.asks == NOT_ALL:
        return Choice(list(_removal_alternatives(pieces, stock, finding, fixed)), True)
    if finding.kind.asks == FEW_COLORS:
        return Choice(list(_color_alternatives(finding, stock)), True)
    cells = frozenset(product(pieces, named_sections(finding)))
    either: list[list[Cap | SectionSize]] = [[Cap(cells, finding.limit or 0, finding)]]
    if "by" in finding.details:
        either += _removal_alternatives(_find_speakers(finding, stock), stock, finding, fixed)
        return Choice(either, at_most and len(either) == 1 and not _has_naming_cards(stock))
    return Choice(either, at_most)


def _color_alternatives(finding: Finding, stock: Stock) -> Iterator[list[Cap | SectionSize]]:
    """Yield the demands for each choice of the colours that stay.

    They remove all cards of other colours from the sections of the finding.
    """
    for kept in combinations(finding.details["colors"], finding.limit or 0):
        others = [piece for piece in stock.pieces if isinstance(piece, Card) and not set(piece.colors) <= {*kept}]
        because = replace(finding, details={**finding.details, "kept": kept})
        yield [Cap(frozenset(product(others, named_sections(finding))), 0, because)]


def named_sections(finding: Finding) -> list[str]:
    """Return the sections that a finding on cards is about."""
    return [*(finding.details.get("sections") or filter(None, [finding.section]))]


def size_demands(judge: Judge, stock: Stock) -> Demands:
    """Return the sizes that every deck must have. A section that is empty and optional has no demand."""
    sizes = stock.facts.sizes
    rules = (rule for rule in judge.size_rules if isinstance(rule, Size) and (sizes[rule.section] or not rule.optional))
    alternatives = [list(_size_alternatives(rule.finding(sizes[rule.section]))) for rule in rules]
    return Demands().with_demands(demand for ways in alternatives if len(ways) == 1 for demand in ways[0])


def _size_alternatives(finding: Finding) -> Iterator[list[Cap | SectionSize]]:
    """Yield the size that a section must have. An optional section has the size 0 as a second alternative."""
    section = finding.section
    if section is None or finding.limit is None:
        return
    yield [SectionSize(section, finding.minimum or 0, finding.limit, finding)]
    if finding.minimum and finding.details.get("optional"):
        yield [SectionSize(section, 0, 0, finding)]


def _removal_alternatives(
    pieces: Iterable[Piece], stock: Stock, finding: Finding, fixed: frozenset[Piece]
) -> Iterator[list[Cap | SectionSize]]:
    """Yield for each card that is not fixed the demand that no section contains it."""
    for piece in pieces:
        if piece not in fixed:
            yield [Cap(frozenset((piece, section) for section in stock.places(piece)), 0, finding)]


def _find_speakers(finding: Finding, stock: Stock) -> Iterator[Piece]:
    """Yield the cards of the deck whose text causes a finding."""
    by = finding.details["by"]
    return (piece for piece in stock.pieces if by == (piece.number or piece.name))


def _has_naming_cards(stock: Stock) -> bool:
    """Return True if a card of the catalogue gives names to other cards, so that clauses may apply to further cards."""
    cards = (card for card in stock.facts.catalogue if card.construction and card is not stock.facts.leader)
    return any(clause.kind == "alias" and clause.match for card in cards for clause in card.construction)


def guess_demands(
    finding: Finding, stock: Stock, counts: Counts, fixed: frozenset[Piece]
) -> list[list[Cap | SectionSize]]:
    """Return the guesses for a finding that remains although its demands are met.

    Each guess removes one copy of one of its cards.
    """
    cells = [(piece, section) for piece in stock.find_pieces(finding.cards) for section in stock.places(piece)]
    return [
        [Cap(frozenset([cell]), counts[cell] - 1, finding)]
        for cell in cells
        if counts.get(cell) and cell[0] not in fixed
    ]


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
        """Prepare to fill the open places of a plan for a deck under this Leader."""
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
        present = self.counts.get((card, section), 0)
        deck = self._stock.deck({**self.counts, (card, section): present + copies})
        return any(finding.severity == "error" and finding.cards for finding in self._judge(deck, Suggestions(0)).found)
