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
    """Return the title of the sheet with the summary in a language."""
    return translate("Summary")


def summary_headline(file: str, translate: Language) -> str:
    """Return the first line of the summary in a language. It contains the name of the file."""
    return translate("Deck check: {file}", file=file)


def summary(results: Results, translate: Language = ENGLISH) -> Report:
    """Return the table with a row for each player: legality, Leader, section sizes, findings and fewest changes.

    At most 10 columns without a known role are repeated, "Table" and "Notes" first. The lines above have the file, the
    terms and the totals, and the number of decks whose changes were not searched, if any. The search of the fewest
    changes uses up the limits of `results.repair_counts`.
    """
    sections = _sections(results)
    # The printed columns come first: a page is printed up to the last of them.
    aside = sorted(results.book.extra_headings, key=lambda title: fold_text(title) not in _PRINTED)[:_MOST_ASIDE]
    on_paper = [title for title in aside if fold_text(title) in _PRINTED]
    kinds = [(LONG, _PRINTED[fold_text(title)]) if title in on_paper else (TEXT, 14) for title in aside]
    has_event = any(entry.who.event for entry in results.book.entries)
    first = Column(translate("First finding"), LONG, 20)
    fields: list[Field[JudgedEntry]] = [
        (Column(translate("Player"), LONG, 18), partial(player_name, translate)),
        (Column(translate("Last name"), LONG, 12), lambda one: PersonName.parse(one.entry.who.name).last),
        (Column(translate("Player ID"), ID, 13), lambda one: one.entry.who.id),
        (legality_column(translate), lambda one: word(one.legal, translate)),
        *([(Column(translate("Leader"), LONG, 18), _deck_value(leader_text))] if "leader" in sections else []),
        *(
            (Column(section_title(section, translate), NUMBER, 6), _deck_value(partial(_section_size, section)))
            for section in sections
            if section != "leader"
        ),
        (Column(translate("Findings"), NUMBER, 8), _deck_value(count_findings)),
        (Column(translate("Fewest changes"), NUMBER, 8), _deck_value(partial(_fewest_changes, results, translate))),
        (first, partial(first_finding, translate)),
        *(
            (Column(title, kind, width), partial(_extra_text, title))
            for title, (kind, width) in zip(aside, kinds, strict=True)
        ),
        (Column(translate("Event"), TEXT, 20, hidden=not has_event), lambda one: one.entry.who.event),
        (Column(translate("Deck hash"), TEXT, 36), _deck_value(lambda verdict: verdict.deck_hash)),
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


def _deck_value(value: Callable[[Verdict], Value]) -> Callable[[JudgedEntry], Value]:
    """Return the value function of a field from that of a verdict. Its value is None for a player without a deck."""
    return lambda one: None if one.verdict is None else value(one.verdict)


def _section_size(section: str, verdict: Verdict) -> int:
    """Return the number of cards in a section of the judged deck."""
    return verdict.facts.sizes[section]


def _fewest_changes(results: Results, translate: Language, verdict: Verdict) -> Value:
    """Return the fewest changes that make a deck legal, 0 for a legal one, "no way" in the language if none can.

    "≤ n" if fewer may be enough. None if the deck was not searched or most of its cards are unknown. The search uses up
    the limits of `results.repair_counts`.
    """
    changes = 0 if verdict.legal else results.repair_counts.changes(verdict)
    return word(NO_REPAIR, translate) if changes == NO_REPAIR else changes


def _extra_text(title: str, judged: JudgedEntry) -> str | None:
    """Return the player's text in `aside` under a heading, None if it is blank or there is none."""
    return judged.entry.aside.get(title)


def _readable_findings(verdict: Verdict) -> Sequence[Finding]:
    """Return the findings of a deck as grouped for people: equal ones are merged.

    Those that may vanish once an unknown card is known are left out. Grouping is skipped for a deck without findings.
    """
    return group_findings(verdict).findings if verdict.found else ()


def count_findings(verdict: Verdict) -> int:
    """Return the number of findings of a deck as grouped for people, with warnings and advice."""
    return len(_readable_findings(verdict))


def first_finding(translate: Language, judged: JudgedEntry) -> str | None:
    """Return the message of the gravest finding of a deck in a language. None if there is no finding.

    Of several equally grave ones it is the first. For a player without a deck it is the sentence that there is no deck
    list.
    """
    if judged.verdict is None:
        return translate.text(NO_LIST)
    found = _readable_findings(judged.verdict)
    return finding_message(min(found, key=_gravity), judged.entry, judged.verdict, translate) if found else None


def left_out(repair_counts: RepairCounts, translate: Language = ENGLISH) -> Iterator[str]:
    """Yield the sentence about the number of decks whose fewest changes were not searched.

    Nothing if all were searched.
    """
    if repair_counts.left_out:
        yield translate.plural(
            "There was no time to find the fewest changes of {count:,} deck. Check the deck by itself to find them.",
            "There was no time to find the fewest changes of {count:,} decks. Check these decks by themselves to find "
            "them.",
            repair_counts.left_out,
        )


def further_rows(results: Results, summary: Report, translate: Language = ENGLISH) -> Iterator[Sequence[Value]]:
    """Yield a row, with the columns of `summary`, for each error of the spreadsheet. Notices are left out.

    Used in CSV files, which have one table. A last row has the number of decks whose fewest changes were not searched,
    if any.
    """
    headings = translate("Legal"), translate("First finding"), translate("Sheet"), translate("Row")
    problems = [(PROBLEM, fault.render(translate), fault.sheet, fault.row) for fault in results.book.problems]
    for code, *place in (*problems, *((NOTE, note, None, None) for note in left_out(results.repair_counts, translate))):
        row = dict(zip(headings, (word(code, translate), *place), strict=True))
        yield [row.get(column.title) for column in summary.columns]


def _sections(results: Results) -> list[str]:
    """Return the codes of the sections in the ruleset, in its order.

    Sections that lists leave out, such as DON!! cards, are only included if a deck has cards in them.
    """
    written = {section for verdict in results.verdicts for section in UNLISTED if verdict.facts.sizes[section]}
    return [one for one in results.judge.terms.ruleset.sections if one not in UNLISTED or one in written]


def _gravity(finding: Finding) -> int:
    """Return 0 for an error, 1 for a warning and 2 for advice: the order in which findings count."""
    return (ERROR, WARNING, ADVICE).index(finding.severity)


def leader_text(verdict: Verdict) -> str:
    """Return the number and name of the deck's Leader.

    Without a known one, return up to three cards of its Leader section, joined by commas, "" if it is empty. A card
    that is not known is returned as written.
    """
    if verdict.facts.leader is not None:
        return verdict.facts.leader.label
    lines = verdict.facts.resolved_lines["leader"]
    return ", ".join(card.label if card else line.written for line, card in lines[:3])


def _terms(results: Results, translate: Language) -> str:
    """Return the sentences with the terms of the verdicts (ruleset, day, format, region) and the card data.

    The card data are the number of cards, and their day if it is known.
    """
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
    """Return the sentence with the numbers of players, and of legal, illegal and (if any) missing decks.

    If the book has counted any rows, a second sentence has the numbers of rows in decks, of headings and unread ones.
    """
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
    if not rows.filled_count:
        return decks
    read = translate.plural(
        "{count:,} row: {decks:,} in decks, {headings:,} of headings, {unread:,} not read.",
        "{count:,} rows: {decks:,} in decks, {headings:,} of headings, {unread:,} not read.",
        rows.filled_count,
        decks=rows.in_decks,
        headings=rows.headings,
        unread=rows.unread,
    )
    return join_sentences(decks, read, translate)
