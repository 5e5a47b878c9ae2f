"""Demands: the limits that findings set for a deck, the alternatives of a finding, and cards for open places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, islice, product
from typing import NamedTuple

from validator.bounds import MOST_JUDGED_TRIED, MOST_UNRESTRICTED_TRIED
from validator.cards import Card
from validator.findings import AT_MOST, ERROR, FEW_COLORS, NOT_ALL, Finding
from validator.judge import Judge
from validator.repair.stock import Cell, Counts, Piece, Plan, Stock, Stranger, card_sort_key
from validator.rules.copies import CopyLimit
from validator.rules.size import Size
from validator.unresolved import Suggestions

ANY = 1 << 40  # more cards than any deck has


class Cap(NamedTuple):
    """A demand on a deck: at most `limit` copies in these cells together. A cell is a pair `(card, section)`.

    `finding` is the finding that requires the limit. None if the search itself sets the limit.
    """

    cells: frozenset[Cell]
    limit: int
    finding: Finding | None = None


class SectionSize(NamedTuple):
    """A demand on a deck: from `minimum` to `maximum` cards in a section, as `finding` requires."""

    section: str
    minimum: int
    maximum: int
    finding: Finding


@dataclass(frozen=True)
class Demands:
    """All limits demanded of a plan so far: caps on copies of cards, and sizes of sections.

    `caps` are by cells and limit, `sizes` by section. `proven` is False if one of the limits is a guess that no rule
    requires.
    """

    caps: Mapping[tuple[frozenset[Cell], int], Cap] = field(default_factory=dict)
    sizes: Mapping[str, SectionSize] = field(default_factory=dict)
    proven: bool = True

    def has_demand(self, demand: Cap | SectionSize) -> bool:
        """Return True if this cap, or at least as strict a size of the section, is demanded already."""
        if isinstance(demand, Cap):
            return (demand.cells, demand.limit) in self.caps
        known = self.sizes.get(demand.section)
        return known is not None and known.minimum >= demand.minimum and known.maximum <= demand.maximum

    def with_demands(self, additions: Iterable[Cap | SectionSize], proven: bool = True) -> Demands:
        """Return these demands with `additions`. Sizes of one section are merged into the stricter one.

        `proven` of the result is False if it was False before, or if the argument is False because the additions are
        guesses.
        """
        caps, sizes = dict(self.caps), dict(self.sizes)
        for demand in additions:
            if isinstance(demand, Cap):
                caps.setdefault((demand.cells, demand.limit), demand)
            else:
                sizes[demand.section] = _merge_sizes(sizes.get(demand.section, demand), demand)
        return Demands(caps, sizes, self.proven and proven)

    def replace_caps(self, dropped: Iterable[Cap], replacements: Iterable[Cap]) -> Demands:
        """Return these demands without the caps `dropped` and with the caps `replacements`.

        Missing caps in `dropped` are ignored.
        """
        caps = dict(self.caps)
        for cap in dropped:
            caps.pop((cap.cells, cap.limit), None)
        return replace(self, caps=caps).with_demands(replacements)


def _merge_sizes(first: SectionSize, second: SectionSize) -> SectionSize:
    """Return the size that satisfies both demands on one section.

    Its finding is the second one if the second size is stricter in a bound, else the first one.
    """
    finding = second.finding if second.minimum > first.minimum or second.maximum < first.maximum else first.finding
    return SectionSize(first.section, max(first.minimum, second.minimum), min(first.maximum, second.maximum), finding)


class Choice(NamedTuple):
    """The demands of one finding: `alternatives` are sets of demands, and a plan has to meet one set completely.

    `proven` is True if the rule of the finding itself requires one of the sets. No alternatives: no change can help.
    """

    alternatives: list[list[Cap | SectionSize]]
    proven: bool


def find_demands(finding: Finding, stock: Stock, fixed: frozenset[Piece]) -> Choice:
    """Return the demands of a finding on the cards of a deck.

    A finding without cards demands a size of its section. A banned pair demands the removal of either card. Too many
    colours demand a choice of colours. Other findings demand at most their limit of the cards, or 0. If a card's text
    causes the finding, the removal of that card is an alternative. The removal of a `fixed` card, such as the Leader,
    is no alternative.
    """
    at_most = finding.kind.asks == AT_MOST
    if not finding.cards:
        return Choice(list(_size_alternatives(finding)), at_most)
    pieces = stock.find_pieces(finding.cards)
    if finding.kind.asks == NOT_ALL:
        return Choice(list(_removal_alternatives(pieces, stock, finding, fixed)), True)
    if finding.kind.asks == FEW_COLORS:
        return Choice(list(_color_alternatives(finding, stock)), True)
    cells = frozenset(product(pieces, named_sections(finding)))
    alternatives: list[list[Cap | SectionSize]] = [[Cap(cells, finding.limit or 0, finding)]]
    if "by" in finding.details:
        alternatives += _removal_alternatives(_find_causing_cards(finding, stock), stock, finding, fixed)
        return Choice(alternatives, at_most and len(alternatives) == 1 and not _has_naming_cards(stock))
    return Choice(alternatives, at_most)


def _color_alternatives(finding: Finding, stock: Stock) -> Iterator[list[Cap | SectionSize]]:
    """Yield a list of one demand for each choice of the colours that stay, as many as the finding allows.

    The demand removes all known cards with other colours from the sections of the finding. Its finding has the detail
    "kept", the colours that stay.
    """
    for kept in combinations(finding.details["colors"], finding.limit or 0):
        others = [piece for piece in stock.pieces if isinstance(piece, Card) and not set(piece.colors) <= {*kept}]
        because = replace(finding, details={**finding.details, "kept": kept})
        yield [Cap(frozenset(product(others, named_sections(finding))), 0, because)]


def named_sections(finding: Finding) -> list[str]:
    """Return the sections that a finding on cards is about: those in its details, else its own.

    Empty if it has neither.
    """
    return [*(finding.details.get("sections") or filter(None, [finding.section]))]


def size_demands(judge: Judge, stock: Stock) -> Demands:
    """Return the sizes that the ruleset requires of every deck's sections, without the DON!! deck.

    A section that is empty and optional has no demand, nor has one that may have a size of 0 or another size.
    """
    sizes = stock.facts.sizes
    rules = (rule for rule in judge.size_rules if isinstance(rule, Size) and (sizes[rule.section] or not rule.optional))
    alternatives = [list(_size_alternatives(rule.finding(sizes[rule.section]))) for rule in rules]
    return Demands().with_demands(demand for ways in alternatives if len(ways) == 1 for demand in ways[0])


def _size_alternatives(finding: Finding) -> Iterator[list[Cap | SectionSize]]:
    """Yield a list of one demand: the size that a finding requires of its section.

    Nothing for a finding without a limit. An optional section with a least size has the size 0 as a second alternative.
    """
    section = finding.section
    if section is None or finding.limit is None:
        return
    yield [SectionSize(section, finding.minimum or 0, finding.limit, finding)]
    if finding.minimum and finding.details.get("optional"):
        yield [SectionSize(section, 0, 0, finding)]


def _removal_alternatives(
    pieces: Iterable[Piece], stock: Stock, finding: Finding, fixed: frozenset[Piece]
) -> Iterator[list[Cap | SectionSize]]:
    """Yield for each card that is not `fixed` a list of one demand: that no section contains the card."""
    for piece in pieces:
        if piece not in fixed:
            yield [Cap(frozenset((piece, section) for section in stock.places(piece)), 0, finding)]


def _find_causing_cards(finding: Finding, stock: Stock) -> Iterator[Piece]:
    """Yield the cards of the deck whose text causes a finding.

    The detail "by" of the finding is their number or name.
    """
    by = finding.details["by"]
    return (piece for piece in stock.pieces if by == (piece.number or piece.name))


def _has_naming_cards(stock: Stock) -> bool:
    """Return True if a card of the catalogue, other than the Leader, gives further names to certain cards.

    Construction clauses on a name may then apply to cards that do not have this name.
    """
    cards = (card for card in stock.facts.catalogue if card.construction and card is not stock.facts.leader)
    return any(clause.kind == "alias" and clause.match for card in cards for clause in card.construction)


def guess_demands(
    finding: Finding, stock: Stock, counts: Counts, fixed: frozenset[Piece]
) -> list[list[Cap | SectionSize]]:
    """Return alternative sets of demands, as guesses for a finding that remains although its demands are met.

    Each set removes one copy of one of the finding's cards from one section. `counts` are the copies of the plan by
    card and section. Cards in `fixed` are left out.
    """
    cells = [(piece, section) for piece in stock.find_pieces(finding.cards) for section in stock.places(piece)]
    return [
        [Cap(frozenset([cell]), counts[cell] - 1, finding)]
        for cell in cells
        if counts.get(cell) and cell[0] not in fixed
    ]


def fill_plan(judge: Judge, plan: Plan, leader: Card | None) -> Plan | None:
    """Return a legal plan, which is `plan` with cards in its open places. None if no such cards are found.

    The cards are further copies of cards in the deck, and cards of the catalogue. Judges the filled deck. If it is
    illegal, or if places stay open, fills the plan again and judges the deck with each added card.
    """
    return _try_filling(judge, plan, leader, judged=False) or _try_filling(judge, plan, leader, judged=True)


def _try_filling(judge: Judge, plan: Plan, leader: Card | None, judged: bool) -> Plan | None:
    """Return a plan filled with cards that only the copy limit limits, then with others, each judged with the deck.

    None if places stay open or the filled deck is illegal. If `judged`, all cards that are added are judged with the
    deck. Only a limited number of cards is tried for each section.
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
    """Return the number of copies of a card that the copy limit still allows in a section of a deck.

    ANY, which is more than any deck has, if there is no limit or no rule of copies. `counts` are the copies of the deck
    by card and section. Copies in other sections count if the limit covers them.
    """
    limits = [rule for rule in judge.rules if isinstance(rule, CopyLimit)]
    free = ANY
    for bound in chain.from_iterable(rule.bounds(card, leader) for rule in limits):
        if bound.limit is not None and section in bound.sections:
            free = min(free, bound.limit - sum(counts.get((card, place), 0) for place in bound.sections))
    return max(0, free)


class _Filling:
    """A deck while cards are added to it. `counts` are its copies by `(card, section)`, which `add` changes."""

    def __init__(self, judge: Judge, plan: Plan, leader: Card | None) -> None:
        """Copy the cards of a plan, for a deck under this Leader. The plan itself is not changed."""
        self._judge = judge
        self._stock = plan.stock
        self._leader = leader
        self._removed = {piece for piece, _ in plan.outs}
        self.counts = dict(plan.counts)

    def unrestricted_cards(self, section: str) -> Iterator[Piece]:
        """Yield cards that only the copy limit, or a rule on the whole deck, can forbid in a section.

        The deck's own cards come first, without those that the plan removes, then the catalogue's others. In the DON!!
        deck, a card that need not be in the catalogue comes last.
        """
        kept = {piece for (piece, _), copies in self.counts.items() if copies} - self._removed
        own = (piece for piece in sorted(kept, key=card_sort_key) if isinstance(piece, Card))
        catalogue_cards = (card for card in self._judge.catalogue if card not in self._stock.pieces)
        for card in chain(own, catalogue_cards):
            if self._judge.lets_in(card, section, self._leader):
                yield card
        if section == "don":  # these cards need not be in the catalogue
            yield Stranger("", next(iter(self._stock.types[section])))

    def restricted_cards(self, section: str) -> Iterator[Piece]:
        """Yield cards of the catalogue that have the right type for a section, but that some rule may forbid there."""
        for card in self._judge.catalogue:
            if self._stock.facts.fits(card, section) and not self._judge.lets_in(card, section, self._leader):
                yield card

    def add(self, section: str, missing: int, cards: Iterator[Piece], judged: bool = False) -> int:
        """Add up to `missing` copies of cards to a section, and return the number of copies added.

        `cards` are tried in order, each with as many copies as the copy limit allows. If `judged`, the deck is judged
        with each card, and it is skipped if there is an error that names cards.
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
        """Return the number of copies of a card that the copy limit still allows.

        ANY for cards that are not in the catalogue.
        """
        return free_copies(self._judge, card, section, self._leader, self.counts) if isinstance(card, Card) else ANY

    def _causes_error(self, card: Piece, section: str, copies: int) -> bool:
        """Return True if the deck with these further copies of a card has an error that names cards.

        Judges the deck.
        """
        present = self.counts.get((card, section), 0)
        deck = self._stock.deck({**self.counts, (card, section): present + copies})
        return any(finding.severity == ERROR and finding.cards for finding in self._judge(deck, Suggestions(0)).found)
