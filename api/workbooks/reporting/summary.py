"""Summary: the table with a row for each player of a spreadsheet, and the lines above it, in any language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from api.sheets.person_names import PersonName
from api.workbooks.reporting.report_table import ID, LONG, NUMBER, TEXT, Column, Field, Report, Value
from api.workbooks.reporting.report_texts import (
    NO_LIST,
    NOTE,
    PROBLEM,
    finding_message,
    join_sentences,
    legality_column,
    player_name,
    row_column,
    section_title,
    sheet_column,
    word,
)
from api.workbooks.reporting.results import ILLEGAL, LEGAL, NO_DECK, NO_REPAIR, JudgedEntry, RepairCounts, Results
from validator import words
from validator.account import group_findings
from validator.deck import UNLISTED
from validator.findings import ADVICE, ERROR, WARNING, Finding
from validator.judge import Verdict
from validator.language import ENGLISH, Language
from validator.matching import fold_text

_MOST_ASIDE = 10  # columns of no known meaning that the summary repeats
_PRINTED = {"table": 7, "notes": 12}  # columns of the spreadsheet that judges go by, and how wide they are


def summary_title(translate: Language) -> str:
    """Return the title of the sheet with the summary."""
    return translate("Summary")


def summary_headline(file: str, translate: Language) -> str:
    """Return the first line of the summary, which ends with the name of the file."""
    return translate("Deck check: {file}", file=file)


def summary(results: Results, translate: Language = ENGLISH) -> Report:
    """Return the table with a row for each player."""
    sections = _sections(results)
    # What judges go by is printed, so it stands beside what is: their columns first.
    aside = sorted(results.book.aside, key=lambda title: fold_text(title) not in _PRINTED)[:_MOST_ASIDE]
    on_paper = [title for title in aside if fold_text(title) in _PRINTED]
    kinds = [(LONG, _PRINTED[fold_text(title)]) if title in on_paper else (TEXT, 14) for title in aside]
    has_event = any(entry.who.event for entry in results.book.entries)
    first = Column(translate("First finding"), LONG, 20)
    fields: list[Field[JudgedEntry]] = [
        (Column(translate("Player"), LONG, 18), partial(player_name, translate)),
        (Column(translate("Last name"), LONG, 12), lambda one: PersonName.parse(one.entry.who.name).last),
        (Column(translate("Player ID"), ID, 13), lambda one: one.entry.who.id),
        (legality_column(translate), lambda one: word(one.legal, translate)),
        *([(Column(translate("Leader"), LONG, 18), _of_verdict(leader_text))] if "leader" in sections else []),
        *(
            (Column(section_title(section, translate), NUMBER, 6), _of_verdict(partial(_size, section)))
            for section in sections
            if section != "leader"
        ),
        (Column(translate("Findings"), NUMBER, 8), _of_verdict(count_findings)),
        (Column(translate("Fewest changes"), NUMBER, 8), _of_verdict(partial(_changes, results, translate))),
        (first, partial(first_finding, translate)),
        *(
            (Column(title, kind, width), partial(_other_column, title))
            for title, (kind, width) in zip(aside, kinds, strict=True)
        ),
        (Column(translate("Event"), TEXT, 20, hidden=not has_event), lambda one: one.entry.who.event),
        (Column(translate("Deck hash"), TEXT, 36), _of_verdict(lambda verdict: verdict.deck_hash)),
        (sheet_column(results, translate), lambda one: one.entry.sheet),
        (row_column(results, 7, translate), lambda one: one.entry.row),
    ]
    printed = on_paper[-1] if on_paper else first.title
    report = Report.build(summary_title(translate), fields, results.judged, printed=printed)
    # What was left out is known only after the rows are made.
    report.above = [
        summary_headline(results.book.name, translate),
        _terms(results, translate),
        _totals(results, translate),
        *left_out(results.repair_counts, translate),
    ]
    return report


def _of_verdict(value: Callable[[Verdict], Value]) -> Callable[[JudgedEntry], Value]:
    """Return the value of a field that only decks have: None for a player without a deck."""
    return lambda one: None if one.verdict is None else value(one.verdict)


def _size(section: str, verdict: Verdict) -> int:
    return verdict.facts.sizes[section]


def _changes(results: Results, translate: Language, verdict: Verdict) -> Value:
    changes = 0 if verdict.legal else results.repair_counts.changes(verdict)
    return word(NO_REPAIR, translate) if changes == NO_REPAIR else changes


def _other_column(title: str, judged: JudgedEntry) -> str | None:
    return judged.entry.aside.get(title)


def _account(verdict: Verdict) -> Sequence[Finding]:
    """Return the findings that people read. They are costly to make, and a legal deck mostly has none."""
    return group_findings(verdict).findings if verdict.found else ()


def count_findings(verdict: Verdict) -> int:
    """Return the number of findings that people read."""
    return len(_account(verdict))


def first_finding(translate: Language, judged: JudgedEntry) -> str | None:
    """Return the message of the gravest finding of a deck, or that there is no deck. None if there is no finding."""
    if judged.verdict is None:
        return translate.text(NO_LIST)
    found = _account(judged.verdict)
    return finding_message(min(found, key=_gravity), judged.entry, judged.verdict, translate) if found else None


def left_out(repair_counts: RepairCounts, translate: Language = ENGLISH) -> Iterator[str]:
    """Yield the sentence that says of how many decks the fewest changes are not told, and why."""
    if repair_counts.left_out:
        yield translate.plural(
            "There was no time to find the fewest changes of {count:,} deck. Check the deck by itself to find them.",
            "There was no time to find the fewest changes of {count:,} decks. Check these decks by themselves to find "
            "them.",
            repair_counts.left_out,
        )


def further_rows(results: Results, summary: Report, translate: Language = ENGLISH) -> Iterator[Sequence[Value]]:
    """Yield a row as wide as the summary for all else there is to say, for where there is no other table.

    That is each thing that was not read, and what was left out.
    """
    headings = translate("Legal"), translate("First finding"), translate("Sheet"), translate("Row")
    problems = [(PROBLEM, fault.render(translate), fault.sheet, fault.row) for fault in results.book.problems]
    for code, *place in (*problems, *((NOTE, note, None, None) for note in left_out(results.repair_counts, translate))):
        row = dict(zip(headings, (word(code, translate), *place), strict=True))
        yield [row.get(column.title) for column in summary.columns]


def _sections(results: Results) -> list[str]:
    """Return the sections of the ruleset. An UNLISTED section is only included if a deck has cards in it."""
    written = {section for verdict in results.verdicts for section in UNLISTED if verdict.facts.sizes[section]}
    return [one for one in results.judge.terms.ruleset.sections if one not in UNLISTED or one in written]


def _gravity(finding: Finding) -> int:
    return (ERROR, WARNING, ADVICE).index(finding.severity)


def leader_text(verdict: Verdict) -> str:
    """Return the Leader, or the cards that stand in its place."""
    if verdict.facts.leader is not None:
        return verdict.facts.leader.label
    lines = verdict.facts.resolved_lines["leader"]
    return ", ".join(card.label if card else line.written for line, card in lines[:3])


def _terms(results: Results, translate: Language) -> str:
    terms, catalogue = results.judge.terms, results.judge.catalogue
    region = words.region_name(catalogue.game, terms.region, translate)
    known = {"count": len(catalogue), "ruleset": terms.ruleset.title, "day": terms.on, "region": region}
    known["format"] = words.format_name(terms.format, translate)
    if catalogue.as_of:
        return translate(
            "Judged by {ruleset} on {day}, {format} format, {region}. Card data: {count:,} cards, as of {as_of}.",
            as_of=catalogue.as_of,
            **known,
        )
    return translate("Judged by {ruleset} on {day}, {format} format, {region}. Card data: {count:,} cards.", **known)


def _totals(results: Results, translate: Language) -> str:
    counts, rows = results.counts, results.book.rows
    legality = {"legal": counts[LEGAL], "illegal": counts[ILLEGAL], "without": counts[NO_DECK]}
    if counts[NO_DECK]:
        decks = translate.plural(
            "{count:,} player: {legal:,} legal, {illegal:,} not legal, {without:,} without a deck.",
            "{count:,} players: {legal:,} legal, {illegal:,} not legal, {without:,} without a deck.",
            len(results.judged),
            **legality,
        )
    else:
        decks = translate.plural(
            "{count:,} player: {legal:,} legal, {illegal:,} not legal.",
            "{count:,} players: {legal:,} legal, {illegal:,} not legal.",
            len(results.judged),
            **legality,
        )
    if not rows.filled:
        return decks
    read = translate.plural(
        "{count:,} row: {decks:,} in decks, {headings:,} of headings, {unread:,} not read.",
        "{count:,} rows: {decks:,} in decks, {headings:,} of headings, {unread:,} not read.",
        rows.filled,
        decks=rows.in_decks,
        headings=rows.headings,
        unread=rows.unread,
    )
    return join_sentences(decks, read, translate)
