"""Report texts: words, headings and sentences that several tables of results have, in any language."""

from __future__ import annotations

from dataclasses import replace

from api.workbooks.intake.book import PlayerEntry
from api.workbooks.intake.cells import NOTICE
from api.workbooks.reporting.report_table import NUMBER, TEXT, WORD, Column
from api.workbooks.reporting.results import ILLEGAL, LEGAL, NO_DECK, NO_REPAIR, JudgedEntry, Results
from validator import words
from validator.findings import ADVICE, ERROR, WARNING, Finding
from validator.judge import Verdict
from validator.language import Language, phrase

_NAMELESS = phrase("(no name)")
NO_LIST = phrase("There is no deck list, or none that could be read.")
PROBLEM = "problem"
NOTE = "note"
_WORDS = {
    LEGAL: phrase("yes"),
    ILLEGAL: phrase("no"),
    NO_DECK: phrase("no deck"),
    NO_REPAIR: phrase("no way"),
    ERROR: phrase("error"),
    WARNING: phrase("warning"),
    ADVICE: phrase("advice"),
    NOTICE: phrase("notice"),
    PROBLEM: phrase("problem"),
    NOTE: phrase("note"),
}
_SECTION_TITLES = words.SECTION_TITLES | {"main": phrase("Main deck")}


def word(code: str, translate: Language) -> str:
    """Return the word in a language for a code: a legality, NO_REPAIR, a severity, PROBLEM or NOTE.

    Raises KeyError for another code.
    """
    return translate.text(_WORDS[code])


def player_name(translate: Language, judged: JudgedEntry) -> str:
    """Return the name of a player, "(no name)" if there is none."""
    return judged.entry.who.name or translate.text(_NAMELESS)


def section_title(section: str | None, translate: Language) -> str:
    """Return the title of a section of decks in a language, "" for None."""
    return translate.text(_SECTION_TITLES[section]) if section else ""


def sheet_column(results: Results, translate: Language) -> Column:
    """Return the column "Sheet". It is hidden if no player has a sheet name, as in CSV files."""
    return Column(translate("Sheet"), TEXT, 14, hidden=not any(entry.sheet for entry in results.book.entries))


def legality_column(translate: Language) -> Column:
    """Return the column "Legal", as wide as the longest of its words in a language, and at least 8 characters."""
    words_of_legality = (word(code, translate) for code in (LEGAL, ILLEGAL, NO_DECK))
    return Column(translate("Legal"), WORD, max(8, *map(len, words_of_legality)))


def row_column(results: Results, width: int, translate: Language) -> Column:
    """Return the column "Row" of this width. It is hidden if no player has a row, as with a sheet for each player."""
    return Column(translate("Row"), NUMBER, width, hidden=not any(entry.row for entry in results.book.entries))


def finding_message(finding: Finding, entry: PlayerEntry, verdict: Verdict, translate: Language) -> str:
    """Return the message of a finding in a language.

    If the deck is in cells of one row (`entry.parts`), the line number in the message counts within its cell.
    """
    if finding.line is not None and entry.parts:
        finding = replace(finding, line=entry.place(finding, verdict).line)
    return finding.kind.message(finding, translate)


def join_sentences(first: str, second: str, translate: Language) -> str:
    """Return two sentences with the blank between them that the language requires."""
    return translate("{first} {second}", first=first, second=second)
