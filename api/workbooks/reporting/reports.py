"""Reports: the tables that say what came of the decks of a spreadsheet."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, Self, TypeVar

from api.sheets.person_names import PersonName
from api.sheets.sheet import AMBIGUOUS, TITLES, UNKNOWN, untold
from api.workbooks.column_roles.roles import SheetReading, TakenColumn
from api.workbooks.intake.book import Place, PlayerEntry
from api.workbooks.intake.faults import SheetFault
from api.workbooks.reporting.results import ILLEGAL, LEGAL, NO_DECK, JudgedEntry, RepairCounts, Results
from validator.account import group_findings
from validator.cards import Card
from validator.deck import UNLISTED, Lost
from validator.findings import ADVICE, ERROR, WARNING, Finding
from validator.judge import Verdict
from validator.matching import folded

CHECKED = "Deck check: "  # begins the summary
NAMES = frozenset(
    (
        *("Summary", "Findings", "Messages", "Problems", "Leaders", "Cards", "Columns", "Missing"),
        *("Checks", "Infractions", "Penalties"),
    )
)
_MOST_ASIDE = 10  # columns of no known meaning that the summary repeats
_MOST_FINDINGS = 100_000  # rows of all decks together, and
_MOST_OF_A_DECK = 100  # of one: no honest deck has as many
_MOST_READINGS = 2_000  # rows of all sheets together
_CHARTED = 15  # leaders in the chart
_LONGEST_VALUE = 200  # characters
_PRINTED = {"table": 7, "notes": 12}  # columns of the spreadsheet that judges go by, and how wide they are
_NAMELESS = "(no name)"
_NO_LIST = "There is no deck list, or none that could be read."
_EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+")
PROBLEM = "problem"
NOTE = "note"
# What XML cannot hold: control characters, halves of characters, and the two that are none.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

# What a column holds: free text, an id or card number (always text), a number, one of a few words, or a
# text that may need several lines.
TEXT, ID, NUMBER, WORD, LONG = "text", "id", "number", "word", "long"
Value = str | int | None


def writable(text: str) -> str:
    """Return a text without what a workbook cannot hold."""
    return text if text.isprintable() else _UNWRITABLE.sub("", text)


class Column(NamedTuple):
    """A column of a table: its heading, what it holds, how wide it is drawn (in characters), and whether at all."""

    title: str
    kind: str = TEXT
    width: int = 12
    hidden: bool = False


Item = TypeVar("Item")
Field = tuple[Column, Callable[[Item], Value]]  # a column and its value for an item


class Chart(NamedTuple):
    """A bar chart of the first rows of a table: which columns (from 0) name the bars and say how long they are."""

    title: str
    labels: int
    values: int
    rows: int


@dataclass
class Report:
    """A table of the results: a title, lines over the headings, and rows as wide as the columns.

    `printed` is the last column that goes on paper, "" for all. A table that is wider than any paper says how many
    columns go `across` a page; 0 fits all of them on one.
    """

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Value]]
    above: Sequence[str] = ()
    printed: str = ""
    across: int = 0
    chart: Chart | None = None

    @classmethod
    def of(cls, title: str, fields: Iterable[Field[Item]], items: Iterable[Item], **more: Any) -> Self:
        """Return a report with a row for each item. `more` are the other attributes of a report."""
        columns, values = zip(*fields, strict=True)
        return cls(title, columns, [[value(item) for value in values] for item in items], **more)


def reports(results: Results) -> Iterator[Report]:
    """Yield every table of the results, in the order in which a judge wants them."""
    yield summary(results)
    yield findings(results)
    yield messages(results)
    if results.book.faults:
        yield problems(results)
    yield leaders(results)
    yield cards(results)
    yield readings(results)


def summary(results: Results) -> Report:
    """Return the table with a row for each player."""
    sections = _sections(results)
    # What judges go by is printed, so it stands beside what is: their columns first.
    aside = sorted(results.book.aside, key=lambda title: folded(title) not in _PRINTED)[:_MOST_ASIDE]
    on_paper = [title for title in aside if folded(title) in _PRINTED]
    kinds = [(LONG, _PRINTED[folded(title)]) if title in on_paper else (TEXT, 14) for title in aside]
    has_event = any(entry.who.event for entry in results.book.entries)
    fields: list[Field[JudgedEntry]] = [
        (Column("Player", LONG, 18), lambda one: one.entry.who.name or _NAMELESS),
        (Column("Last name", LONG, 12), lambda one: PersonName.of(one.entry.who.name).last),
        (Column("Player ID", ID, 13), lambda one: one.entry.who.id),
        (Column("Legal", WORD, 8), lambda one: one.legal),
        *([(Column("Leader", LONG, 18), _of_verdict(_leader))] if "leader" in sections else []),
        *(
            (Column(TITLES[section], NUMBER, 6), _of_verdict(partial(_size, section)))
            for section in sections
            if section != "leader"
        ),
        (Column("Findings", NUMBER, 8), _of_verdict(lambda verdict: len(_account(verdict)))),
        (
            Column("Fewest changes", NUMBER, 8),
            _of_verdict(lambda verdict: 0 if verdict.legal else results.repair_counts.changes(verdict)),
        ),
        (Column("First finding", LONG, 20), _first_finding),
        *(
            (Column(title, kind, width), partial(_aside, title))
            for title, (kind, width) in zip(aside, kinds, strict=True)
        ),
        (Column("Event", TEXT, 20, hidden=not has_event), lambda one: one.entry.who.event),
        (Column("Deck hash", TEXT, 36), _of_verdict(lambda verdict: verdict.deck_hash)),
        (_sheet_column(results), lambda one: one.entry.sheet),
        (_row_column(results, 7), lambda one: one.entry.row),
    ]
    printed = on_paper[-1] if on_paper else "First finding"
    report = Report.of("Summary", fields, results.judged, printed=printed)
    # What was left out is known only after the rows are made.
    report.above = [
        f"{CHECKED}{results.book.name}",
        _terms(results),
        _totals(results),
        *left_out(results.repair_counts),
    ]
    return report


def _of_verdict(value: Callable[[Verdict], Value]) -> Callable[[JudgedEntry], Value]:
    """Return the value of a field that only decks have: None for a player without a deck."""
    return lambda one: None if one.verdict is None else value(one.verdict)


def _size(section: str, verdict: Verdict) -> int:
    return verdict.facts.sizes[section]


def _aside(title: str, judged: JudgedEntry) -> str | None:
    return judged.entry.aside.get(title)


def _account(verdict: Verdict) -> Sequence[Finding]:
    """Return the findings that people read. They are costly to make, and a legal deck mostly has none."""
    return group_findings(verdict).findings if verdict.found else ()


def _first_finding(judged: JudgedEntry) -> str | None:
    if judged.verdict is None:
        return _NO_LIST
    found = _account(judged.verdict)
    return _message(min(found, key=_gravity), judged.entry, judged.verdict) if found else None


def left_out(repair_counts: RepairCounts) -> Iterator[str]:
    """Yield the sentence that says of how many decks the fewest changes are not told, and why."""
    if repair_counts.left_out:
        yield (
            f"There was no time to look for the fewest changes of {count_phrase(repair_counts.left_out, 'deck')}; "
            "check such a deck by itself to know them."
        )


def further_rows(results: Results, summary: Report) -> Iterator[Sequence[Value]]:
    """Yield a row as wide as the summary for all else there is to say, for where there is no other table.

    That is each thing that was not read, and what was left out.
    """
    problems = [(PROBLEM, fault.message, fault.sheet, fault.row) for fault in results.book.problems]
    for said in (*problems, *((NOTE, note, None, None) for note in left_out(results.repair_counts))):
        row = dict(zip(("Legal", "First finding", "Sheet", "Row"), said, strict=True))
        yield [row.get(column.title) for column in summary.columns]


def _sections(results: Results) -> list[str]:
    """Return the sections of the ruleset. An UNLISTED section is only included if a deck has cards in it."""
    written = {section for verdict in results.verdicts for section in UNLISTED if verdict.facts.sizes[section]}
    return [one for one in results.judge.terms.ruleset.sections if one not in UNLISTED or one in written]


def _sheet_column(results: Results) -> Column:
    return Column("Sheet", TEXT, 14, hidden=not any(entry.sheet for entry in results.book.entries))


def _row_column(results: Results, width: int) -> Column:
    return Column("Row", NUMBER, width, hidden=not any(entry.row for entry in results.book.entries))


def _message(finding: Finding, entry: PlayerEntry, verdict: Verdict) -> str:
    """Return the message of a finding, with the line counted within its cell."""
    if finding.line is not None and entry.parts:
        finding = replace(finding, line=entry.place(finding, verdict).line)
    return finding.message


def _gravity(finding: Finding) -> int:
    return (ERROR, WARNING, ADVICE).index(finding.severity)


def _leader(verdict: Verdict) -> str:
    """Return the Leader, or the cards that stand in its place."""
    if verdict.facts.leader is not None:
        return verdict.facts.leader.label
    lines = verdict.facts.understood["leader"]
    return ", ".join(card.label if card else line.written for line, card in lines[:3])


def _terms(results: Results) -> str:
    terms, catalogue = results.judge.terms, results.judge.catalogue
    by = f"{terms.ruleset.title}, format {terms.format}, region {terms.region}, on {terms.on.isoformat()}"
    return f"Judged by {by}; card catalogue {catalogue.snapshot} ({len(catalogue):,} cards)."


def _totals(results: Results) -> str:
    counts, rows = results.counts, results.book.rows
    decks = f"{count_phrase(len(results.judged), 'player')}: {counts[LEGAL]:,} legal, {counts[ILLEGAL]:,} not legal"
    without = f", {counts[NO_DECK]:,} without a deck" if counts[NO_DECK] else ""
    if not rows.filled:
        return f"{decks}{without}."
    read = f"{rows.in_decks:,} in decks, {rows.headings:,} of headings, {rows.unread:,} not read"
    return f"{decks}{without}. {count_phrase(rows.filled, 'row')}: {read}."


def count_phrase(count: int, noun: str) -> str:
    """Return "1 row", "1,000 rows"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


class _PlacedFinding(NamedTuple):
    """A finding of a player's deck, and the cell of the spreadsheet that it is about."""

    entry: PlayerEntry
    verdict: Verdict
    finding: Finding
    place: Place


def findings(results: Results) -> Report:
    """Return the table with a row for each finding: whose, where and what stands there, what is wrong, and by what."""
    fields: list[Field[_PlacedFinding]] = [
        (Column("Player", LONG, 18), lambda one: one.entry.who.name or _NAMELESS),
        (Column("Player ID", ID, 13), lambda one: one.entry.who.id),
        (Column("Severity", WORD, 9), lambda one: one.finding.severity),
        (Column("Value", LONG, 18), lambda one: one.place.value[:_LONGEST_VALUE]),
        (_row_column(results, 6), lambda one: one.place.row),
        (Column("Line", NUMBER, 6), lambda one: one.place.line),
        (Column("Message", LONG, 42), lambda one: _message(one.finding, one.entry, one.verdict)),
        (Column("Fix", LONG, 30), lambda one: "" if one.finding.severity == ADVICE else one.finding.fix),
        (_sheet_column(results), lambda one: one.place.sheet),
        (Column("Column", TEXT, 14), lambda one: one.place.column),
        (Column("Code", TEXT, 18), lambda one: one.finding.code),
        (Column("Section", TEXT, 11), lambda one: TITLES.get(one.finding.section or "")),
        (Column("Card", LONG, 32), lambda one: ", ".join(card.label for card in one.finding.cards[:3])),
        (Column("Rule document", LONG, 66), lambda one: one.finding.rule.document),
        (Column("Rule section", LONG, 44), lambda one: one.finding.rule.section),
        (Column("Count", NUMBER, 8), lambda one: one.finding.count),
        (Column("Limit", NUMBER, 8), lambda one: one.finding.limit),
    ]
    report = Report.of("Findings", fields, islice(_placed_findings(results.judged), _MOST_FINDINGS), printed="Fix")
    if more := results.findings - len(report.rows):
        report.above = [f"And {more:,} more; the summary says whose."]
    return report


def _placed_findings(judged: Iterable[JudgedEntry]) -> Iterator[_PlacedFinding]:
    for entry, verdict in judged:
        if verdict is not None:
            for finding in verdict.findings[:_MOST_OF_A_DECK]:
                yield _PlacedFinding(entry, verdict, finding, entry.place(finding, verdict))


def messages(results: Results) -> Report:
    """Return the table of messages to the players, with all repairs of a deck in one cell."""
    fields: list[Field[JudgedEntry]] = [
        (Column("Player", LONG, 20), lambda one: one.entry.who.name or _NAMELESS),
        (Column("Player ID", ID, 13), lambda one: one.entry.who.id),
        (Column("E-mail", LONG, 26), lambda one: next(filter(_EMAIL.fullmatch, one.entry.aside.values()), None)),
        (Column("Legal", WORD, 8), lambda one: one.legal),
        (
            Column("What to mend", LONG, 75),
            lambda one: "\n".join(_list_repairs(one.entry, one.verdict)) if one.verdict else _NO_LIST,
        ),
        (Column("Last name", TEXT, 16), lambda one: PersonName.of(one.entry.who.name).last),
        (Column("First name", TEXT, 16), lambda one: PersonName.of(one.entry.who.name).first),
    ]
    return Report.of("Messages", fields, results.judged, printed="What to mend")


def _list_repairs(entry: PlayerEntry, verdict: Verdict) -> Iterator[str]:
    """Yield a line for each finding of a deck, with its fix."""
    found = [finding for finding in group_findings(verdict).findings if finding.severity != ADVICE]
    for place, finding in enumerate(found[:_MOST_OF_A_DECK], 1):
        yield f"{place}. {_message(finding, entry, verdict)} {finding.fix}".rstrip()
    if len(found) > _MOST_OF_A_DECK:
        yield f"And {len(found) - _MOST_OF_A_DECK:,} more."


def problems(results: Results) -> Report:
    """Return the table of what could not be read, or was read with a doubt."""
    fields: list[Field[SheetFault]] = [
        (Column("Severity", WORD, 9), attrgetter("severity")),
        (_sheet_column(results), attrgetter("sheet")),
        (Column("Column", LONG, 20), attrgetter("column")),
        (Column("Value", LONG, 22), attrgetter("value")),
        (Column("Cell", TEXT, 7), attrgetter("cell")),
        (Column("Row", NUMBER, 6), attrgetter("row")),
        (Column("What is wrong", LONG, 64), attrgetter("detail")),
    ]
    return Report.of("Problems", fields, results.book.faults)


def leaders(results: Results) -> Report:
    """Return the table of Leaders, the most played first, with a chart."""
    decks: Counter[Card] = Counter()
    legal: Counter[Card] = Counter()
    for verdict in results.verdicts:
        if leader := verdict.facts.leader:
            decks[leader] += 1
            legal[leader] += verdict.legal
    fields: list[Field[Card]] = [
        (Column("Leader", LONG, 36), lambda card: card.label),
        (Column("Colours", TEXT, 14), lambda card: "/".join(card.colors)),
        (Column("Decks", NUMBER, 8), decks.__getitem__),
        (Column("Legal", NUMBER, 8), legal.__getitem__),
    ]
    ordered = sorted(decks, key=lambda card: (-decks[card], card.number, card.name))
    chart = Chart("Decks by Leader", 0, 2, min(len(ordered), _CHARTED)) if ordered else None
    return Report.of("Leaders", fields, ordered, chart=chart)


_CardCount = tuple[str, str, str, int, int]  # number, name, type, decks, copies


def cards(results: Results) -> Report:
    """Return the table of cards over all decks, those in most decks first."""
    counts = [verdict.facts.counts.values() for verdict in results.verdicts]
    decks = Counter(chain.from_iterable(set[Card]().union(*sections) for sections in counts))
    copies = dict.fromkeys(decks, 0)
    for card, count in chain.from_iterable(section.items() for sections in counts for section in sections):
        copies[card] += count
    known = [(card.number, card.name, card.type, decks[card], copies[card]) for card in decks]
    fields: list[Field[_CardCount]] = [
        (Column("Number", ID, 14), itemgetter(0)),
        (Column("Name", LONG, 44), itemgetter(1)),
        (Column("Type", TEXT, 20), itemgetter(2)),
        (Column("Decks", NUMBER, 8), itemgetter(3)),
        (Column("Copies", NUMBER, 8), itemgetter(4)),
    ]
    return Report.of("Cards", fields, sorted([*known, *_lost(results)], key=lambda row: (-row[3], -row[4], *row[:3])))


def _lost(results: Results) -> Iterator[_CardCount]:
    """Yield the counts of the cards that the catalogue does not have."""
    decks: Counter[tuple[str, str, str]] = Counter()
    copies: Counter[tuple[str, str, str]] = Counter()
    for verdict in results.verdicts:
        held = [(_card_key(lost), lost.line.count) for lost in verdict.facts.lost]
        decks.update({card for card, _ in held})
        for card, count in held:
            copies[card] += count
    return ((*card, decks[card], copies[card]) for card in decks)


def _card_key(lost: Lost) -> tuple[str, str, str]:
    return lost.line.number or "", lost.line.name or "", AMBIGUOUS if lost.candidates else UNKNOWN


def readings(results: Results) -> Report:
    """Return the table of the roles of the columns of the spreadsheet."""
    fields: list[Field[tuple[SheetReading, TakenColumn]]] = [
        (_sheet_column(results), lambda one: one[0].sheet),
        (Column("Read as", TEXT, 24), lambda one: one[0].shape),
        (Column("Taken for", TEXT, 16), lambda one: one[1].role),
        (Column("Column", TEXT, 8), lambda one: one[1].column),
        (Column("Heading", LONG, 40), lambda one: one[1].heading),
        (Column("Why", LONG, 40), lambda one: one[1].why),
    ]
    taken = ((reading, column) for reading in results.book.readings for column in reading.columns)
    return Report.of("Columns", fields, islice(taken, _MOST_READINGS))


def deck(judged: JudgedEntry) -> Report:
    """Return a table of one deck as it was understood, with its findings over it."""
    entry, verdict = judged
    fields: list[Field[_DeckRow]] = [
        (Column("Section", TEXT, 12), itemgetter(0)),
        (Column("Count", NUMBER, 8), itemgetter(1)),
        (Column("Number", ID, 14), itemgetter(2)),
        (Column("Name", LONG, 44), itemgetter(3)),
        (Column("Type", TEXT, 20), itemgetter(4)),
    ]
    legal = {LEGAL: "legal", ILLEGAL: "not legal", NO_DECK: "no deck"}[judged.legal]
    above = [f"{entry.who.label}: {legal}"]
    above += [finding.message for finding in verdict.findings] if verdict else []
    return Report.of(entry.who.label or f"Row {entry.row}", fields, _deck_rows(verdict), above=above)


_DeckRow = tuple[str, int, str, str, str]  # section, count, number, name, type


def _deck_rows(verdict: Verdict | None) -> Iterator[_DeckRow]:
    if verdict is None:
        return
    for section, lines in verdict.facts.understood.items():
        for line, card in lines:
            if card:
                yield TITLES[section], line.count, card.number, card.name, card.type
            else:
                # DON!! cards need not be in the catalogue.
                why = "" if section == "don" else untold(line, verdict.judge.catalogue)
                yield TITLES[section], line.count, line.number or "", line.name or "", why
