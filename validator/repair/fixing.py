"""Fixing: one plan for all findings of a verdict, made from the findings themselves.

`Verdict.findings` calls this module. Each change belongs to one finding. A deck is legal after all changes of all
findings are made once: named cards are removed and moved first, then any cards are removed, then cards are added.
Unlike `search` it does not minimise the changes, so it is fast enough for every illegal deck of a large file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple

from validator.bounds import MOST_FIX_CHECKS
from validator.cards import Card
from validator.diagnoses import barred_by_leader
from validator.findings import AT_MOST, ERROR, FEW_COLORS, NOT_ALL, Finding, FixChange, NamedCard
from validator.repair.demands import free_copies, named_sections
from validator.repair.leaders import (
    LEADER_SWAP,
    Trials,
    can_be_leader,
    choose_from_catalogue,
    choose_own,
    may_lead,
    without_leader,
)
from validator.repair.stock import Cell, Piece, Stock, card_sort_key, cell_sort_key
from validator.rules.size import NOT_ALLOWED, SIZE, Size
from validator.rules.types import MISPLACED
from validator.unresolved import AMBIGUOUS, LINE_UNREAD, UNKNOWN

if TYPE_CHECKING:
    from validator.judge import Verdict


def plan_fixes(verdict: Verdict) -> list[Finding]:
    """Return the findings of a verdict in their order, each error with its changes. Judges changed decks if necessary.

    All changes together are to make the deck legal. Findings without a planned change, such as warnings and ambiguous
    cards, are returned unchanged.
    """
    return _Fixing(verdict).findings()


class _Error(NamedTuple):
    """A finding on the deck under its future Leader, and the finding of the verdict that shows the changes for it."""

    finding: Finding
    verdict_finding: Finding


class _Fixing:
    """One deck while its fixes are planned: how many copies of each card remain, and the changes by finding.

    A change is recorded for a `verdict_finding`, the finding of the verdict that shows the change to people.
    """

    def __init__(self, verdict: Verdict) -> None:
        """Prepare an empty plan for the errors of a verdict."""
        self._verdict = verdict
        self._judge = verdict.judge
        self._stock = Stock(verdict.facts)
        self._trials = Trials(self._judge, self._stock)
        self._counts: dict[Cell, int] = dict(self._stock.counts)
        self._sizes = dict(verdict.facts.sizes)
        self._errors = [finding for finding in verdict.found if finding.severity == ERROR]
        self._changes: dict[int, list[FixChange]] = {}
        self._lost: dict[str, list[tuple[Finding, int]]] = {}  # by section: the findings that remove cards from it
        self._leader: Card | None = verdict.facts.leader
        self._needs_check = False

    def findings(self) -> list[Finding]:
        """Plan all changes, and return the verdict's findings with them. Must be called only once.

        After the first changes, the deck is judged again at most MOST_FIX_CHECKS times, to fix what the changes have
        caused.
        """
        self._fix_errors(self._settle_leader())
        for _ in range(MOST_FIX_CHECKS):
            if not self._needs_check:
                break
            self._needs_check = False
            self._fix_errors(self._remaining_errors())
        self._resize()
        return [
            finding.with_changes(changes) if (changes := self._changes.get(id(finding))) else finding
            for finding in self._verdict.found
        ]

    def _record(self, verdict_finding: Finding, change: FixChange) -> None:
        """Add a change to those that a finding of the verdict shows."""
        self._changes.setdefault(id(verdict_finding), []).append(change)

    # The Leader

    def _settle_leader(self) -> list[_Error]:
        """Choose the Leader of the fixed deck, and plan the changes for it.

        Return the errors of the deck under that Leader. A legal Leader stays, unless its colours bar cards and a Leader
        of the catalogue needs at most half as many changes, the two of the swap included. Without a finding that can
        show the change, the errors of the verdict are returned.
        """
        same = [_Error(finding, finding) for finding in self._errors]
        if "leader" not in self._stock.types:
            return same
        count_finding = next(
            (finding for finding in self._errors if finding.section == "leader" and not finding.cards), None
        )
        own = self._leader
        if own and may_lead(self._judge, own):
            foreign = barred_by_leader(self._verdict.facts, self._errors)
            choice = choose_from_catalogue(self._trials) if foreign else None
            if choice is None or 2 * (choice.barred + LEADER_SWAP) > sum(finding.count or 0 for finding in foreign):
                if count_finding:
                    self._place_leader(own, (), count_finding)
                return same
            verdict_finding = foreign[0]
        else:
            choice = choose_own(self._trials, own)
            first = self._first_about_leader(own, choice is not None)
            if first is None:
                return same
            verdict_finding = first
            choice = choice or choose_from_catalogue(self._trials)
        self._leader = choice.leader if choice else None
        self._place_leader(self._leader, choice.alternatives if choice else (), verdict_finding)
        return self._errors_under(self._leader, verdict_finding) if self._leader else same

    def _first_about_leader(self, own: Card | None, has_other: bool) -> Finding | None:
        """Return the finding that shows the change of the Leader, None if there is none.

        `own` is the deck's Leader, which cannot lead. The finding is one that forbids it. Else it is on an unknown card
        in the leader section, then on the number of Leaders, then on any card there. If `has_other`, another card of
        the deck can lead, and unknown cards have no priority. Otherwise None is also returned if a card there is
        ambiguous.
        """
        barred = [finding for finding in self._errors if own and _forbids_leader(finding, own)]
        about = [finding for finding in self._errors if finding.section == "leader"]
        unknown = [finding for finding in about if finding.kind is UNKNOWN]
        count = [finding for finding in about if not finding.cards]
        if not has_other and any(finding.kind is AMBIGUOUS for finding in about):
            return None
        ranked = (barred, count, about) if has_other else (barred, unknown, count, about)
        return next((finding for findings in ranked for finding in findings), None)

    def _errors_under(self, leader: Card, verdict_finding: Finding) -> list[_Error]:
        """Return the errors of the deck under another Leader. May judge that deck.

        An error that the verdict does not have is shown at `verdict_finding`. Errors of the verdict that name no cards
        are kept.
        """
        counts = {**without_leader(self._stock, self._counts), (leader, "leader"): 1}
        known = {_finding_key(finding): finding for finding in self._errors}
        sized = [_Error(finding, finding) for finding in self._errors if not finding.cards]
        wrong = self._trials.find_errors(counts)
        return sized + [_Error(finding, known.get(_finding_key(finding), verdict_finding)) for finding in wrong]

    def _place_leader(self, leader: Card | None, alternatives: Sequence[Card], verdict_finding: Finding) -> None:
        """Plan the changes after which the leader section has one copy of `leader` and no other possible Leader.

        The Leader is moved there from another section. If the deck has no copy, the change is to add the Leader or one
        of `alternatives`. If `leader` is None, the change is to add any legal Leader. Misplaced cards are not removed
        here.
        """
        for cell in [cell for cell in self._counts if cell[1] == "leader" and can_be_leader(self._stock, cell[0])]:
            self._remove(cell, self._counts[cell] - (cell[0] is leader), verdict_finding)
        if leader and self._counts.get((leader, "leader")):
            return
        self._needs_check = True
        self._sizes["leader"] += 1
        if leader is None:
            self._record(verdict_finding, FixChange(1, target="leader"))
            return
        sections = (cell[1] for cell, copies in self._counts.items() if cell[0] is leader and copies)
        if origin := next((section for section in sections if section != "leader"), None):
            self._counts[leader, origin] -= 1
            self._record_removal(origin, 1, verdict_finding)
            self._record(verdict_finding, FixChange(1, (NamedCard.from_card(leader),), origin, "leader"))
        else:
            self._record(
                verdict_finding,
                FixChange(1, tuple(map(NamedCard.from_card, alternatives or (leader,))), target="leader"),
            )
        self._counts[leader, "leader"] = 1

    # The cards

    def _fix_errors(self, errors: Iterable[_Error]) -> None:
        """Plan the changes for errors on cards, in the order of `_work_order`. Other errors are ignored.

        Ambiguous cards, and wrong sizes of sections, are such other errors.
        """
        for finding, verdict_finding in sorted(errors, key=lambda error: _work_order(error.finding)):
            if finding.kind is NOT_ALLOWED:
                self._empty_section(finding, verdict_finding)
            elif finding.kind is LINE_UNREAD:
                self._record(verdict_finding, FixChange(1, (NamedCard("", finding.details["text"]),)))
            elif finding.kind is MISPLACED:
                self._fix_misplaced(finding, verdict_finding)
            elif finding.kind.asks == NOT_ALL:
                self._split_pair(finding, verdict_finding)
            elif finding.kind.asks == FEW_COLORS:
                self._keep_colors(finding, verdict_finding)
            elif finding.kind is UNKNOWN:
                self._replace_unknown(finding, verdict_finding)
            elif finding.kind.asks == AT_MOST and finding.cards and finding.kind is not AMBIGUOUS:
                self._remove_surplus(finding, verdict_finding)

    def _finding_cells(self, finding: Finding, sections: Iterable[str]) -> list[Cell]:
        """Return `(card, section)` for a finding's cards in these sections, if there are copies.

        The Leader is left out there.
        """
        pieces = self._stock.find_pieces(finding.cards)
        cells = [(piece, section) for piece in pieces for section in sections if self._counts.get((piece, section))]
        return [cell for cell in cells if cell != (self._leader, "leader")]

    def _remove(self, cell: Cell, copies: int, verdict_finding: Finding) -> int:
        """Plan to remove up to `copies` of a card from a section, and return the number removed.

        `cell` is `(card, section)`. Copies that a planned move brings into the section are removed first, by changing
        that move into a removal.
        """
        copies = min(copies, self._counts.get(cell, 0))
        undone = self._undo_moves(cell, copies) if copies > 0 else 0
        if (left := copies - undone) > 0:
            self._counts[cell] -= left
            self._record_removal(cell[1], left, verdict_finding)
            self._record(verdict_finding, FixChange(left, (self._stock.as_written(cell[0]),), cell[1]))
        return max(0, copies)

    def _undo_moves(self, cell: Cell, copies: int) -> int:
        """Change planned moves of a card into this section to removals from their origin, up to `copies` copies.

        `cell` is `(card, section)`. Return the number of copies changed.
        """
        card, undone = (self._stock.as_written(cell[0]),), 0
        for changes in self._changes.values():
            for change in [move for move in changes if move.origin and move.target == cell[1] and move.cards == card]:
                if not (part := min(change.count, copies - undone)):
                    continue  # other moves were enough
                changes.remove(change)
                changes.append(replace(change, count=part, target=None))
                if part < change.count:
                    changes.append(replace(change, count=change.count - part))
                undone += part
        self._counts[cell] -= undone
        self._sizes[cell[1]] -= undone
        return undone

    def _record_removal(self, section: str, copies: int, verdict_finding: Finding) -> None:
        """Subtract removed copies from the size of their section, and record the finding that shows their removal."""
        self._sizes[section] -= copies
        self._lost.setdefault(section, []).append((verdict_finding, copies))

    def _empty_section(self, finding: Finding, verdict_finding: Finding) -> None:
        """Plan to remove all cards of the finding's section."""
        for cell in [cell for cell in self._counts if cell[1] == finding.section]:
            self._remove(cell, self._counts[cell], verdict_finding)

    def _replace_unknown(self, finding: Finding, verdict_finding: Finding) -> None:
        """Plan to remove an unknown card, and to add as many copies of any cards to the same section.

        Unknown cards in the leader section are left to the choice of the Leader.
        """
        for cell in self._finding_cells(
            finding, [section for section in self._stock.facts.used if section != "leader"]
        ):
            copies = self._remove(cell, self._counts[cell], verdict_finding)
            self._add_any(cell[1], copies, verdict_finding)

    def _add_any(self, section: str, copies: int, verdict_finding: Finding) -> None:
        """Plan to add `copies` of any legal cards to a section."""
        self._sizes[section] += copies
        self._record(verdict_finding, FixChange(copies, target=section))

    def _remove_surplus(self, finding: Finding, verdict_finding: Finding) -> None:
        """Plan to remove the finding's cards over its limit.

        They leave sections that are too large first, and the main deck last. The Leader in the leader section is
        counted, but is not removed. A finding without a limit allows no copy.
        """
        cells = self._finding_cells(finding, named_sections(finding))
        counted = product(self._stock.find_pieces(finding.cards), named_sections(finding))
        surplus = sum(self._counts.get(cell, 0) for cell in counted) - (finding.limit or 0)
        large = {size.section for size in self._size_limits() if self._sizes[size.section] > size.most}

        def preference(cell: Cell) -> tuple[object, ...]:
            """Return the sort key of a cell. The cell to remove copies from first has the smallest key.

            Sections that are too large come first, then other sections than the main deck, then the fewest copies.
            """
            piece, section = cell
            return section not in large, section == "main", self._counts[cell], card_sort_key(piece)

        for cell in sorted(cells, key=preference):
            if surplus <= 0:
                break
            surplus -= self._remove(cell, surplus, verdict_finding)

    def _split_pair(self, finding: Finding, verdict_finding: Finding) -> None:
        """Plan to remove all copies of one card of a banned pair: never the Leader, else the card with fewer copies.

        Nothing is planned if the changes so far have removed one of the cards, because that one has the fewest copies.
        """
        able = [piece for piece in self._stock.find_pieces(finding.cards) if piece is not self._leader]
        piece = min(able, key=lambda piece: (self._count_copies(piece), card_sort_key(piece)))
        for cell in [cell for cell in self._counts if cell[0] is piece]:
            self._remove(cell, self._counts[cell], verdict_finding)

    def _count_copies(self, piece: Piece) -> int:
        """Return the copies of a card over all sections after the planned changes."""
        return sum(copies for cell, copies in self._counts.items() if cell[0] is piece)

    def _keep_colors(self, finding: Finding, verdict_finding: Finding) -> None:
        """Plan to remove the known cards with other colours than those that are kept from the finding's sections.

        As many colours are kept as the finding allows: those for which the fewest copies are removed.
        """
        sections = named_sections(finding)
        counts = {
            cell: n for cell, n in self._counts.items() if n and cell[1] in sections and isinstance(cell[0], Card)
        }

        def find_foreign_cells(colors: tuple[str, ...]) -> list[Cell]:
            """Return `(card, section)` for the known cards there that have a colour which is not among `colors`."""
            return [cell for cell in counts if isinstance(cell[0], Card) and not set(cell[0].colors) <= set(colors)]

        ways = map(find_foreign_cells, combinations(finding.details["colors"], finding.limit or 0))
        for cell in sorted(min(ways, key=lambda cells: sum(counts[cell] for cell in cells)), key=cell_sort_key):
            self._remove(cell, counts[cell], verdict_finding)

    def _fix_misplaced(self, finding: Finding, verdict_finding: Finding) -> None:
        """Plan to move the finding's cards out of sections that do not take their type.

        Copies for which no other section has room are removed.
        """
        facts = self._stock.facts
        for piece in self._stock.find_pieces(finding.cards):
            if not isinstance(piece, Card):
                continue
            for section in facts.used:
                if section in facts.types and not facts.fits(piece, section):
                    self._move(piece, section, verdict_finding)

    def _move(self, card: Card, origin: str, verdict_finding: Finding) -> None:
        """Plan to move the copies of a card out of the section `origin`, to the first sections with room for them.

        Removes the rest.
        """
        cell = card, origin
        for target in self._stock.types:
            copies = min(self._counts.get(cell, 0), self._free_places(card, target))
            if copies > 0:
                self._counts[cell] -= copies
                self._counts[card, target] = self._counts.get((card, target), 0) + copies
                self._record_removal(origin, copies, verdict_finding)
                self._sizes[target] += copies
                self._record(verdict_finding, FixChange(copies, (self._stock.as_written(card),), origin, target))
                self._needs_check = True
        self._remove(cell, self._counts.get(cell, 0), verdict_finding)

    def _free_places(self, card: Card, section: str) -> int:
        """Return the number of copies of a card that may be moved to a section.

        It is 0 for the leader section, and if some rule may forbid the card there. It is also 0 if the card would open
        an empty optional section, which would then be too small.
        """
        if section == "leader" or not self._judge.lets_in(card, section, self._leader):
            return 0
        limit = next((size for size in self._size_limits() if size.section == section), None)
        if limit is None or (limit.is_optional and limit.least and not self._sizes[section]):
            return 0
        held = {cell: copies for cell, copies in self._counts.items() if cell[1] == section or cell[0] is not card}
        return max(
            0, min(limit.most - self._sizes[section], free_copies(self._judge, card, section, self._leader, held))
        )

    def _remaining_errors(self) -> Iterator[_Error]:
        """Yield the errors that name cards after the planned changes. Judges the deck."""
        for finding in self._trials.find_errors(self._counts):
            yield _Error(finding, self._find_verdict_finding(finding))

    def _find_verdict_finding(self, finding: Finding) -> Finding:
        """Return the error of the verdict that shows the changes for an error found later.

        It is the first one on one of the same cards, else the first on the leader section, else the first of all.
        """
        names = {(card.number, card.name) for card in finding.cards}
        about = (error for error in self._errors if names & {(card.number, card.name) for card in error.cards})
        leading = (error for error in self._errors if error.section == "leader")
        return next(about, next(leading, self._errors[0]))

    # The sizes

    def _size_limits(self) -> Iterator[_SizeLimit]:
        """Yield the limits of the sections' sizes under the new Leader."""
        for rule in self._judge.size_rules:
            if isinstance(rule, Size):
                yield _SizeLimit(rule.section, rule.minimum, rule.maximum, rule.optional)
            else:
                size = rule.required_size(self._leader).size
                yield _SizeLimit("don", size, size, True)

    def _resize(self) -> None:
        """Plan to add or remove any cards so that every section has a legal size after all other changes.

        Only sections with a wrong size in the verdict, or with removed cards, are changed. An optional section is
        emptied if that takes fewer changes.
        """
        wrong = {finding.section: finding for finding in self._errors if finding.kind is SIZE}
        for section, least, most, is_optional in self._size_limits():
            size, finding = self._sizes[section], wrong.get(section)
            if least <= size <= most or (is_optional and not size) or not (finding or section in self._lost):
                continue
            lost = self._lost.get(section, [])
            if size > most:
                self._record(finding or lost[0][0], FixChange(size - most, origin=section))
            elif is_optional and size < least - size:
                if size := size - self._drop_additions(section):
                    self._record(finding or lost[0][0], FixChange(size, origin=section))
            elif finding:
                self._record(finding, FixChange(least - size, target=section))
            else:
                self._refill(section, least - size)

    def _drop_additions(self, section: str) -> int:
        """Drop the planned additions to a section from the changes. Return the number of copies dropped.

        Moves are kept.
        """
        dropped = 0
        for changes in self._changes.values():
            for change in [change for change in changes if change.target == section and not change.origin]:
                changes.remove(change)
                dropped += change.count
        return dropped

    def _refill(self, section: str, missing: int) -> None:
        """Plan for each finding that removes cards from a section to add as many, until `missing` copies are added."""
        for verdict_finding, copies in self._lost[section]:
            if added := min(copies, missing):
                self._record(verdict_finding, FixChange(added, target=section))
                missing -= added


class _SizeLimit(NamedTuple):
    """The legal sizes of a section: from `least` to `most` cards, and also 0 if it is optional."""

    section: str
    least: int
    most: int
    is_optional: bool


def _forbids_leader(finding: Finding, leader: Card) -> bool:
    """Return True if a finding allows no copy of a card that is the Leader."""
    is_named = finding.has_card(leader.number, leader.name)
    return is_named and finding.limit == 0 and finding.kind.asks == AT_MOST


def _finding_key(finding: Finding) -> object:
    """Return the code and the cards of a finding.

    Findings with the same key are the same error under different Leaders.
    """
    return finding.code, tuple((card.number, card.name) for card in finding.cards)


def _work_order(finding: Finding) -> tuple[int, int]:
    """Return the sort key of the order of work. Sections that are not allowed come first, and moves last.

    Between them are cards that are not allowed at all, banned pairs, colours, then limits of copies.
    """
    if finding.kind is NOT_ALLOWED:
        return 0, 0
    if finding.kind is MISPLACED:
        return 6, 0
    if finding.kind.asks == AT_MOST:
        return (1 if not finding.limit else 5), len(finding.cards)
    return (3 if finding.kind.asks == NOT_ALL else 4), 0
