"""Reports: the tables that say what came of the decks of a spreadsheet."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import NamedTuple

from api.sheets.person_names import PersonName
from api.sheets.sheet import AMBIGUOUS, TITLES, UNKNOWN, untold
from api.workbooks.intake.players import PlayerEntry
from api.workbooks.reporting.mending import Mending
from api.workbooks.reporting.results import ILLEGAL, LEGAL, NO_DECK, JudgedEntry, Results
from validator.cards import Card
from validator.deck import UNLISTED, Lost
from validator.findings import ADVICE, ERROR, WARNING, Finding
from validator.judge import Verdict
from validator.matching import folded

CHECKED = "Deck check: "  # begins the summary
NAMES = frozenset(
    ("Summary", "Findings", "Messages", "Problems", "Leaders", "Cards", "Columns", "Missing", "Checks", "Penalties")
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
    columns = [
        Column("Player", LONG, 18),
        Column("Last name", LONG, 12),
        Column("Player ID", ID, 13),
        Column("Legal", WORD, 8),
        *([Column("Leader", LONG, 18)] if "leader" in sections else []),
        *(Column(TITLES[section], NUMBER, 6) for section in sections if section != "leader"),
        Column("Findings", NUMBER, 8),
        Column("Fewest changes", NUMBER, 8),
        Column("First finding", LONG, 20),
        *(Column(title, LONG, _PRINTED[folded(title)]) for title in on_paper),
        *(Column(title, TEXT, 14) for title in aside[len(on_paper) :]),
        Column("Event", TEXT, 20, hidden=not any(entry.who.event for entry in results.book.entries)),
        Column("Deck hash", TEXT, 36),
        _sheet_column(results),
        _row_column(results, 7),
    ]
    rows = [_summary_row(one, sections, aside, results.mending) for one in results.judged]
    above = [f"{CHECKED}{results.book.name}", _terms(results), _totals(results), *left_out(results.mending)]
    return Report("Summary", columns, rows, above, printed=on_paper[-1] if on_paper else "First finding")


def left_out(mending: Mending) -> Iterator[str]:
    """Yield the sentence that says of how many decks the fewest changes are not told, and why."""
    if mending.left_out:
        yield (
            f"There was no time to look for the fewest changes of {counted(mending.left_out, 'deck')}; "
            "check such a deck by itself to know them."
        )


def further_rows(results: Results, summary: Report) -> Iterator[Sequence[Value]]:
    """Yield a row as wide as the summary for all else there is to say, for where there is no other table.

    That is each thing that was not read, and what was left out.
    """
    problems = [(PROBLEM, fault.message, fault.sheet, fault.row) for fault in results.book.problems]
    for said in (*problems, *((NOTE, note, None, None) for note in left_out(results.mending))):
        row = dict(zip(("Legal", "First finding", "Sheet", "Row"), said, strict=True))
        yield [row.get(column.title) for column in summary.columns]


def _sections(results: Results) -> list[str]:
    """Return the sections that the ruleset has; an UNLISTED one is left out unless somebody wrote it out."""
    written = {section for verdict in results.verdicts for section in UNLISTED if verdict.facts.sizes[section]}
    return [one for one in results.judge.terms.ruleset.sections if one not in UNLISTED or one in written]


def _sheet_column(results: Results) -> Column:
    return Column("Sheet", TEXT, 14, hidden=not any(entry.sheet for entry in results.book.entries))


def _row_column(results: Results, width: int) -> Column:
    return Column("Row", NUMBER, width, hidden=not any(entry.row for entry in results.book.entries))


def _summary_row(judged: JudgedEntry, sections: Sequence[str], aside: Sequence[str], mending: Mending) -> list[Value]:
    entry, verdict = judged
    last = PersonName.of(entry.who.name).last
    row: list[Value] = [entry.who.name or _NAMELESS, last, entry.who.id, judged.legal]
    if verdict is None:
        row += [*[None] * (len(sections) + 2), _NO_LIST]
    else:
        if "leader" in sections:
            row.append(_leader(verdict))
        sizes = verdict.facts.sizes
        row += [sizes[section] for section in sections if section != "leader"]
        found = verdict.account.findings if verdict.found else ()
        first = _message(min(found, key=_gravity), entry, verdict) if found else None
        row += [len(found), 0 if verdict.legal else mending.changes(verdict), first]
    row += [entry.aside.get(title) for title in aside]
    return [*row, entry.who.event, verdict.deck_hash if verdict else None, entry.sheet, entry.row]


def _message(finding: Finding, entry: PlayerEntry, verdict: Verdict) -> str:
    """Return what a finding says, with the line counted in the cell that it stands in."""
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
    decks = f"{counted(len(results.judged), 'player')}: {counts[LEGAL]:,} legal, {counts[ILLEGAL]:,} not legal"
    without = f", {counts[NO_DECK]:,} without a deck" if counts[NO_DECK] else ""
    if not rows.filled:
        return f"{decks}{without}."
    read = f"{rows.in_decks:,} in decks, {rows.headings:,} of headings, {rows.unread:,} not read"
    return f"{decks}{without}. {counted(rows.filled, 'row')}: {read}."


def counted(count: int, noun: str) -> str:
    """Return "1 row", "1,000 rows"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def findings(results: Results) -> Report:
    """Return the table with a row for each finding: whose, where and what stands there, what is wrong, and by what."""
    columns = [
        Column("Player", LONG, 18),
        Column("Player ID", ID, 13),
        Column("Severity", WORD, 9),
        Column("Value", LONG, 18),
        _row_column(results, 6),
        Column("Line", NUMBER, 6),
        Column("Message", LONG, 42),
        Column("Fix", LONG, 30),
        _sheet_column(results),
        Column("Column", TEXT, 14),
        Column("Code", TEXT, 18),
        Column("Section", TEXT, 11),
        Column("Card", LONG, 32),
        Column("Rule document", LONG, 66),
        Column("Rule section", LONG, 44),
        Column("Count", NUMBER, 8),
        Column("Limit", NUMBER, 8),
    ]
    rows = list(islice(_finding_rows(results.judged), _MOST_FINDINGS))
    more = results.findings - len(rows)
    above = [f"And {more:,} more; the summary says whose."] if more else []
    return Report("Findings", columns, rows, above, printed="Fix")


def _finding_rows(judged: Iterable[JudgedEntry]) -> Iterator[list[Value]]:
    for entry, verdict in judged:
        if verdict is None:
            continue
        for finding in verdict.findings[:_MOST_OF_A_DECK]:
            place = entry.place(finding, verdict)
            yield [
                entry.who.name or _NAMELESS,
                entry.who.id,
                finding.severity,
                place.value[:_LONGEST_VALUE],
                place.row,
                place.line,
                _message(finding, entry, verdict),
                "" if finding.severity == ADVICE else finding.fix,
                place.sheet,
                place.column,
                finding.code,
                TITLES.get(finding.section or ""),
                ", ".join(card.label for card in finding.cards[:3]),
                finding.rule.document,
                finding.rule.section,
                finding.count,
                finding.limit,
            ]


def messages(results: Results) -> Report:
    """Return the table of what to write to each player, all that there is to mend in one cell."""
    columns = [
        Column("Player", LONG, 20),
        Column("Player ID", ID, 13),
        Column("E-mail", LONG, 26),
        Column("Legal", WORD, 8),
        Column("What to mend", LONG, 75),
        Column("Last name", TEXT, 16),
        Column("First name", TEXT, 16),
    ]
    return Report("Messages", columns, [_message_row(one) for one in results.judged], printed="What to mend")


def _message_row(judged: JudgedEntry) -> list[Value]:
    entry, verdict = judged
    name = PersonName.of(entry.who.name)
    address = next(filter(_EMAIL.fullmatch, entry.aside.values()), None)
    text = _NO_LIST if verdict is None else "\n".join(_mendings(entry, verdict))
    return [entry.who.name or _NAMELESS, entry.who.id, address, judged.legal, text, name.last, name.first]


def _mendings(entry: PlayerEntry, verdict: Verdict) -> Iterator[str]:
    """Yield what is to be mended in a deck, or looked at, a line each."""
    found = [finding for finding in verdict.account.findings if finding.severity != ADVICE]
    for place, finding in enumerate(found[:_MOST_OF_A_DECK], 1):
        yield f"{place}. {_message(finding, entry, verdict)} {finding.fix}".rstrip()
    if len(found) > _MOST_OF_A_DECK:
        yield f"And {len(found) - _MOST_OF_A_DECK:,} more."


def problems(results: Results) -> Report:
    """Return the table of what could not be read, or was read with a doubt."""
    columns = [
        Column("Severity", WORD, 9),
        _sheet_column(results),
        Column("Column", LONG, 20),
        Column("Value", LONG, 22),
        Column("Cell", TEXT, 7),
        Column("Row", NUMBER, 6),
        Column("What is wrong", LONG, 64),
    ]
    rows = [
        (fault.severity, fault.sheet, fault.column, fault.value, fault.cell, fault.row, fault.detail)
        for fault in results.book.faults
    ]
    return Report("Problems", columns, rows)


def leaders(results: Results) -> Report:
    """Return the table of Leaders, the most played first, with a chart."""
    decks: Counter[Card] = Counter()
    legal: Counter[Card] = Counter()
    for verdict in results.verdicts:
        if leader := verdict.facts.leader:
            decks[leader] += 1
            legal[leader] += verdict.legal
    columns = [
        Column("Leader", LONG, 36),
        Column("Colours", TEXT, 14),
        Column("Decks", NUMBER, 8),
        Column("Legal", NUMBER, 8),
    ]
    ordered = sorted(decks, key=lambda card: (-decks[card], card.number, card.name))
    rows: list[Sequence[Value]] = [[card.label, "/".join(card.colors), decks[card], legal[card]] for card in ordered]
    chart = Chart("Decks by Leader", 0, 2, min(len(rows), _CHARTED)) if rows else None
    return Report("Leaders", columns, rows, chart=chart)


def cards(results: Results) -> Report:
    """Return the table of cards over all decks, those in most decks first."""
    counts = [verdict.facts.counts.values() for verdict in results.verdicts]
    decks = Counter(chain.from_iterable(set[Card]().union(*sections) for sections in counts))
    copies = dict.fromkeys(decks, 0)
    for card, count in chain.from_iterable(section.items() for sections in counts for section in sections):
        copies[card] += count
    known = [(card.number, card.name, card.type, decks[card], copies[card]) for card in decks]
    columns = [
        Column("Number", ID, 14),
        Column("Name", LONG, 44),
        Column("Type", TEXT, 20),
        Column("Decks", NUMBER, 8),
        Column("Copies", NUMBER, 8),
    ]
    rows = sorted([*known, *_lost(results)], key=lambda row: (-row[3], -row[4], *row[:3]))
    return Report("Cards", columns, rows)


def _lost(results: Results) -> Iterator[tuple[str, str, str, int, int]]:
    """Yield what the decks have that the catalogue does not."""
    decks: Counter[tuple[str, str, str]] = Counter()
    copies: Counter[tuple[str, str, str]] = Counter()
    for verdict in results.verdicts:
        held = [(_written(lost), lost.line.count) for lost in verdict.facts.lost]
        decks.update({card for card, _ in held})
        for card, count in held:
            copies[card] += count
    return ((*card, decks[card], copies[card]) for card in decks)


def _written(lost: Lost) -> tuple[str, str, str]:
    return lost.line.number or "", lost.line.name or "", AMBIGUOUS if lost.candidates else UNKNOWN


def readings(results: Results) -> Report:
    """Return the table of what each column of the spreadsheet was taken for."""
    columns = [
        _sheet_column(results),
        Column("Read as", TEXT, 24),
        Column("Taken for", TEXT, 16),
        Column("Column", TEXT, 8),
        Column("Heading", LONG, 40),
        Column("Why", LONG, 40),
    ]
    rows: list[Sequence[Value]] = []
    for reading in results.book.readings:
        rows += ([reading.sheet, reading.shape, *column] for column in reading.columns)
    return Report("Columns", columns, rows[:_MOST_READINGS])


def deck(judged: JudgedEntry) -> Report:
    """Return a table of one deck as it was understood, with its findings over it."""
    entry, verdict = judged
    columns = [
        Column("Section", TEXT, 12),
        Column("Count", NUMBER, 8),
        Column("Number", ID, 14),
        Column("Name", LONG, 44),
        Column("Type", TEXT, 20),
    ]
    legal = {LEGAL: "legal", ILLEGAL: "not legal", NO_DECK: "no deck"}[judged.legal]
    above = [f"{entry.who.label}: {legal}"]
    above += [finding.message for finding in verdict.findings] if verdict else []
    return Report(entry.who.label or f"Row {entry.row}", columns, list(_deck_rows(verdict)), above)


def _deck_rows(verdict: Verdict | None) -> Iterator[list[Value]]:
    if verdict is None:
        return
    for section, lines in verdict.facts.understood.items():
        for line, card in lines:
            if card:
                yield [TITLES[section], line.count, card.number, card.name, card.type]
            else:
                # DON!! cards need not be in the catalogue.
                why = "" if section == "don" else untold(line, verdict.judge.catalogue)
                yield [TITLES[section], line.count, line.number or "", line.name or "", why]
