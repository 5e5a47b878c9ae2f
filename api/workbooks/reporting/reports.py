"""Reports: the tables that say what came of the decks of a spreadsheet, in any language.

Codes, card numbers, deck hashes and what the spreadsheet contains are the same in every language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, islice
from operator import attrgetter, itemgetter
from typing import NamedTuple

from api.sheets.person_names import PersonName
from api.sheets.sheet import AMBIGUOUS, UNKNOWN, missing_card_reason
from api.workbooks.intake.book import Place, PlayerEntry
from api.workbooks.intake.cells import SheetFault
from api.workbooks.readings import SheetReading, TakenColumn
from api.workbooks.reporting.report_table import ID, LONG, NUMBER, TEXT, WORD, Chart, Column, Field, Report
from api.workbooks.reporting.report_texts import (
    NO_LIST,
    finding_message,
    join_sentences,
    legality_column,
    player_name,
    row_column,
    section_title,
    sheet_column,
    word,
)
from api.workbooks.reporting.results import ILLEGAL, LEGAL, NO_DECK, JudgedEntry, Results
from api.workbooks.reporting.summary import summary, summary_title
from validator import words
from validator.account import group_findings
from validator.cards import Card
from validator.deck import Lost
from validator.findings import ADVICE, Finding
from validator.judge import Verdict
from validator.language import ENGLISH, Language

_MOST_FINDINGS = 100_000  # rows of all decks together, and
_MOST_OF_A_DECK = 100  # of one: no honest deck has as many
_MOST_READINGS = 2_000  # rows of all sheets together
_CHARTED = 15  # leaders in the chart
_LONGEST_VALUE = 200  # characters
_EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+")


def reports(results: Results, translate: Language = ENGLISH) -> Iterator[Report]:
    """Yield every table of the results: summary, findings, messages, problems, leaders, cards and column roles.

    The table of problems is left out if there are no faults. Yielding the summary uses up the limits of
    `results.repair_counts`.
    """
    yield summary(results, translate)
    yield findings(results, translate)
    yield messages(results, translate)
    if results.book.faults:
        yield problems(results, translate)
    yield leaders(results, translate)
    yield cards(results, translate)
    yield readings(results, translate)


# The titles of further sheets in the workbook of an event, which is in English.
_EVENT_TITLES = frozenset(("Missing", "Checks", "Infractions", "Penalties"))


def deck_headings(translate: Language) -> tuple[str, ...]:
    """Return the headings of the table of one deck in a language."""
    return (
        *(translate("Section"), translate("Count"), translate("Number")),
        *(translate("Name"), translate("Type")),
    )


def result_titles(translate: Language) -> frozenset[str]:
    """Return the titles that sheets in a workbook of results may have in a language, without those of single decks.

    Titles of sheets that only the workbook of an event has are included, in English.
    """
    own = (
        *(summary_title(translate), translate("Findings"), translate("Messages"), translate("Problems")),
        *(translate("Leaders"), translate("Cards"), translate("Columns")),
    )
    return _EVENT_TITLES.union(own)


class _PlacedFinding(NamedTuple):
    """A finding of a player's deck, its verdict, and the cell or line of the spreadsheet that the finding is about."""

    judged: JudgedEntry
    verdict: Verdict
    finding: Finding
    place: Place


def findings(results: Results, translate: Language = ENGLISH) -> Report:
    """Return the table with a row for each finding: the player, the cell, the message, the fix and the rule.

    It has at most 100 findings of each deck and 100,000 in all. A line above has the number of those left out. Findings
    are not grouped. Advice has no fix.
    """
    fix = Column(translate("Fix"), LONG, 30)
    fields: list[Field[_PlacedFinding]] = [
        (Column(translate("Player"), LONG, 18), lambda one: player_name(translate, one.judged)),
        (Column(translate("Player ID"), ID, 13), lambda one: one.judged.entry.who.id),
        (Column(translate("Severity"), WORD, 9), lambda one: word(one.finding.severity, translate)),
        (Column(translate("Value"), LONG, 18), lambda one: one.place.value[:_LONGEST_VALUE]),
        (row_column(results, 6, translate), lambda one: one.place.row),
        (Column(translate("Line"), NUMBER, 6), lambda one: one.place.line),
        (
            Column(translate("Message"), LONG, 42),
            lambda one: finding_message(one.finding, one.judged.entry, one.verdict, translate),
        ),
        (fix, lambda one: "" if one.finding.severity == ADVICE else one.finding.kind.fix(one.finding, translate)),
        (sheet_column(results, translate), lambda one: one.place.sheet),
        (Column(translate("Column"), TEXT, 14), lambda one: one.place.column),
        (Column(translate("Code"), TEXT, 18), lambda one: one.finding.code),
        (Column(translate("Section"), TEXT, 11), lambda one: section_title(one.finding.section, translate)),
        (Column(translate("Card"), LONG, 32), lambda one: ", ".join(card.label for card in one.finding.cards[:3])),
        (Column(translate("Rule document"), LONG, 66), lambda one: words.cite_for_people(one.finding, translate)[0]),
        (Column(translate("Rule section"), LONG, 44), lambda one: words.cite_for_people(one.finding, translate)[1]),
        (Column(translate("Count"), NUMBER, 8), lambda one: one.finding.count),
        (Column(translate("Limit"), NUMBER, 8), lambda one: one.finding.limit),
    ]
    placed = islice(_placed_findings(results.judged), _MOST_FINDINGS)
    report = Report.build(translate("Findings"), fields, placed, printed=fix.title)
    if more := results.findings - len(report.rows):
        report.above = [
            translate.plural(
                "And {count:,} more finding. The summary names the players.",
                "And {count:,} more findings. The summary names the players.",
                more,
            )
        ]
    return report


def _placed_findings(judged: Iterable[JudgedEntry]) -> Iterator[_PlacedFinding]:
    """Yield the first 100 findings of each deck with their cells. Players without a deck are skipped."""
    for one in judged:
        entry, verdict = one
        if verdict is not None:
            for finding in verdict.findings[:_MOST_OF_A_DECK]:
                yield _PlacedFinding(one, verdict, finding, entry.place(finding, verdict))


def messages(results: Results, translate: Language = ENGLISH) -> Report:
    """Return the table of messages to the players, a row for each.

    All grouped findings of a deck with their fixes are in one cell, without advice. The e-mail address is the first
    text in `aside` of the player that is one, None if there is none.
    """
    message = Column(translate("What to mend"), LONG, 75)
    fields: list[Field[JudgedEntry]] = [
        (Column(translate("Player"), LONG, 20), partial(player_name, translate)),
        (Column(translate("Player ID"), ID, 13), lambda one: one.entry.who.id),
        (
            Column(translate("E-mail"), LONG, 26),
            lambda one: next(filter(_EMAIL.fullmatch, one.entry.aside.values()), None),
        ),
        (legality_column(translate), lambda one: word(one.legal, translate)),
        (message, partial(_what_to_mend, translate)),
        (Column(translate("Last name"), TEXT, 16), lambda one: PersonName.parse(one.entry.who.name).last),
        (Column(translate("First name"), TEXT, 16), lambda one: PersonName.parse(one.entry.who.name).first),
    ]
    return Report.build(translate("Messages"), fields, results.judged, printed=message.title)


def _what_to_mend(translate: Language, judged: JudgedEntry) -> str:
    """Return the findings of a deck with their fixes, one on each line. "" for a deck without findings but advice.

    For a player without a deck it is the sentence that there is no deck list.
    """
    entry, verdict = judged
    return "\n".join(_list_repairs(entry, verdict, translate)) if verdict else translate.text(NO_LIST)


def _list_repairs(entry: PlayerEntry, verdict: Verdict, translate: Language) -> Iterator[str]:
    """Yield a numbered line for each grouped finding of a deck, with its fix if it has one.

    At most 100, then a line with the number of the others. Advice is left out. So are findings that may vanish once an
    unknown card is known.
    """
    found = [finding for finding in group_findings(verdict).findings if finding.severity != ADVICE]
    for place, finding in enumerate(found[:_MOST_OF_A_DECK], 1):
        message = finding_message(finding, entry, verdict, translate)
        fix = finding.kind.fix(finding, translate)
        yield f"{place}. {join_sentences(message, fix, translate) if fix else message}"
    if more := len(found[_MOST_OF_A_DECK:]):
        yield translate.plural("And {count:,} more.", "And {count:,} more.", more)


def problems(results: Results, translate: Language = ENGLISH) -> Report:
    """Return the table with a row for each fault: what could not be read, or was read with a doubt."""
    fields: list[Field[SheetFault]] = [
        (Column(translate("Severity"), WORD, 9), lambda fault: word(fault.severity, translate)),
        (sheet_column(results, translate), attrgetter("sheet")),
        (Column(translate("Column"), LONG, 20), attrgetter("column")),
        (Column(translate("Value"), LONG, 22), attrgetter("value")),
        (Column(translate("Cell"), TEXT, 7), attrgetter("cell")),
        (Column(translate("Row"), NUMBER, 6), attrgetter("row")),
        (Column(translate("What is wrong"), LONG, 64), lambda fault: translate.text(fault.detail)),
    ]
    return Report.build(translate("Problems"), fields, results.book.faults)


def leaders(results: Results, translate: Language = ENGLISH) -> Report:
    """Return the table of Leaders with their numbers of decks and legal decks, the most played first.

    It has a chart of the first 15. Decks without a known Leader are not counted.
    """
    decks: Counter[Card] = Counter()
    legal: Counter[Card] = Counter()
    for verdict in results.verdicts:
        if leader := verdict.facts.leader:
            decks[leader] += 1
            legal[leader] += verdict.legal
    fields: list[Field[Card]] = [
        (Column(translate("Leader"), LONG, 36), lambda card: card.label),
        (Column(translate("Colours"), TEXT, 14), lambda card: "/".join(words.fact_names(card.colors, translate))),
        (Column(translate("Decks"), NUMBER, 8), decks.__getitem__),
        (Column(translate("Legal"), NUMBER, 8), legal.__getitem__),
    ]
    ordered = sorted(decks, key=lambda card: (-decks[card], card.number, card.name))
    title = translate("Decks by Leader")
    chart = Chart(title, 0, 2, min(len(ordered), _CHARTED)) if ordered else None
    return Report.build(translate("Leaders"), fields, ordered, chart=chart)


_CardCount = tuple[str, str, str, int, int]  # number, name, type, decks, copies


def cards(results: Results, translate: Language = ENGLISH) -> Report:
    """Return the table of cards with their numbers of decks and copies, those in most decks first, then in most copies.

    All sections count. Cards that the catalogue does not have are included, as written.
    """
    counts = [verdict.facts.counts.values() for verdict in results.verdicts]
    decks = Counter(chain.from_iterable(set[Card]().union(*sections) for sections in counts))
    copies = dict.fromkeys(decks, 0)
    for card, count in chain.from_iterable(section.items() for sections in counts for section in sections):
        copies[card] += count
    known = [(card.number, card.name, card.type, decks[card], copies[card]) for card in decks]
    fields: list[Field[_CardCount]] = [
        (Column(translate("Number"), ID, 14), itemgetter(0)),
        (Column(translate("Name"), LONG, 44), itemgetter(1)),
        (Column(translate("Type"), TEXT, 20), lambda row: _type_name(row[2], translate)),
        (Column(translate("Decks"), NUMBER, 8), itemgetter(3)),
        (Column(translate("Copies"), NUMBER, 8), itemgetter(4)),
    ]
    ordered = sorted([*known, *_unknown_card_counts(results)], key=lambda row: (-row[3], -row[4], *row[:3]))
    return Report.build(translate("Cards"), fields, ordered)


def _type_name(type: str, translate: Language) -> str:
    """Return a card type in a language. `type` may also be the reason why a card has none."""
    return translate.template(type)


def _unknown_card_counts(results: Results) -> Iterator[_CardCount]:
    """Return the rows of the card table for cards that the catalogue does not have, or that may be several cards.

    A row is `(number, name, reason, decks, copies)`.
    """
    decks: Counter[tuple[str, str, str]] = Counter()
    copies: Counter[tuple[str, str, str]] = Counter()
    for verdict in results.verdicts:
        held = [(_unknown_card_key(lost), lost.line.count) for lost in verdict.facts.lost]
        decks.update({card for card, _ in held})
        for card, count in held:
            copies[card] += count
    return ((*card, decks[card], copies[card]) for card in decks)


def _unknown_card_key(unknown_card: Lost) -> tuple[str, str, str]:
    """Return `(number, name, reason)` of a card line without a known card. Number and name are "" if not written.

    The reason is AMBIGUOUS if several cards are possible, else UNKNOWN.
    """
    return (
        unknown_card.line.number or "",
        unknown_card.line.name or "",
        AMBIGUOUS if unknown_card.candidates else UNKNOWN,
    )


def readings(results: Results, translate: Language = ENGLISH) -> Report:
    """Return the table of the column roles of the spreadsheet, a row for each column with a role.

    It has at most 2,000 rows.
    """
    fields: list[Field[tuple[SheetReading, TakenColumn]]] = [
        (sheet_column(results, translate), lambda one: one[0].sheet),
        (Column(translate("Read as"), TEXT, 24), lambda one: translate.text(one[0].shape)),
        (Column(translate("Taken for"), TEXT, 16), lambda one: translate.text(one[1].role)),
        (Column(translate("Column"), TEXT, 8), lambda one: one[1].column),
        (Column(translate("Heading"), LONG, 40), lambda one: one[1].heading),
        (Column(translate("Why"), LONG, 40), lambda one: translate.text(one[1].why)),
    ]
    taken = ((reading, column) for reading in results.book.readings for column in reading.columns)
    return Report.build(translate("Columns"), fields, islice(taken, _MOST_READINGS))


def deck(judged: JudgedEntry, translate: Language = ENGLISH) -> Report:
    """Return the table of one deck as it was read, a row for each line. The title is the player, else "Row n".

    The lines above are the legality and all findings, not grouped. For a player without a deck it has no rows. Unread
    lines have no row.
    """
    entry, verdict = judged
    kinds = ((TEXT, 12), (NUMBER, 8), (ID, 14), (LONG, 44), (TEXT, 20))
    fields: list[Field[_DeckRow]] = [
        (Column(heading, *kind), itemgetter(at))
        for at, (heading, kind) in enumerate(zip(deck_headings(translate), kinds, strict=True))
    ]
    legality = {
        LEGAL: translate("{player}: legal", player=entry.who.label),
        ILLEGAL: translate("{player}: not legal", player=entry.who.label),
        NO_DECK: translate("{player}: no deck", player=entry.who.label),
    }
    above = [legality[judged.legal]]
    above += [finding.kind.message(finding, translate) for finding in verdict.findings] if verdict else []
    title = entry.who.label or translate("Row {row}", row=entry.row)
    return Report.build(title, fields, _deck_rows(verdict, translate), above=above)


_DeckRow = tuple[str, int, str, str, str]  # section, count, number, name, type


def _deck_rows(verdict: Verdict | None, translate: Language) -> Iterator[_DeckRow]:
    """Yield `(section title, count, number, name, type)` for each line of a deck. Nothing without a verdict.

    A card that is not known is as written, with the reason as its type, "" for a DON!! card.
    """
    if verdict is None:
        return
    for section, lines in verdict.facts.resolved_lines.items():
        title = section_title(section, translate)
        for line, card in lines:
            if card:
                yield title, line.count, card.number, card.name, _type_name(card.type, translate)
            else:
                # DON!! cards need not be in the catalogue.
                why = "" if section == "don" else missing_card_reason(line, verdict.judge.catalogue)
                yield title, line.count, line.number or "", line.name or "", _type_name(why, translate)
