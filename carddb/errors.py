"""Errors of card data. The messages are for users.

ValueError
├── CardDataError         a whole sentence: what is wrong, where, what to do
│   ├── NoDatabase        nothing was ever imported
│   ├── DatabaseBusy      the database is held, or too many wait for it
│   ├── DamagedDatabase   a part of the database file cannot be read
│   ├── NoSnapshot        no snapshot has this id
│   ├── DamagedSnapshot   the stored content of a snapshot is not what was imported
│   ├── InvalidLists      a list file is invalid, or contradicts the lists to which it is added
│   ├── FetchError        a page could not be fetched
│   ├── SyncBusy          another program fetches from the same site
│   ├── NoCards           the source contains no card
│   └── PageError         a page is not the page it should be
│       ├── NoResults     a search that found no cards
│       └── Truncated     a page stops before its end
├── WorkbookError         no workbook that may be read    ┐
├── RecordError           a record that is no card        ├ a part of a sentence, to which the caller adds the file
└── RowError              a row that is no card           ┘
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from validator.language import Language, Phrase, phrase

SHOWN = 8  # problems of one file that a message names,
NAMED = 5  # and cards


class CardDataError(ValueError):
    """Card data could not be read, stored or found. The message is a sentence with the reason and what to do."""


class NoDatabase(CardDataError):
    """There is no database yet, or it has no tables: nothing was ever imported."""


class DatabaseBusy(CardDataError):
    """Another program holds the database, or too many wait for it. The same call may work a moment later."""


class DamagedDatabase(CardDataError):
    """A part of the database file cannot be read. Other parts may be sound."""


class NoSnapshot(CardDataError):
    """No snapshot has this id, or it is of another game."""


class DamagedSnapshot(CardDataError):
    """The stored content of a snapshot differs from what was imported. The message names the snapshot."""


class InvalidLists(CardDataError):
    """A list file is invalid, or contradicts the lists to which it is added. The message has the file and the place."""


class FetchError(CardDataError):
    """A page could not be fetched. The message has the page, the reason and what to do."""


class SyncBusy(CardDataError):
    """Another program uses the same page cache, so it fetches from the same site at this time."""


class NoCards(CardDataError):
    """The source was read and contains no card."""


class PageError(CardDataError):
    """A page is another page than expected, or its structure changed. The message has its name and the difference."""


class NoResults(PageError):
    """The page of a search that found no cards."""


class Truncated(PageError):
    """A page is incomplete: it stops before its end."""


class WorkbookError(ValueError):
    """A file is no workbook, or may not be read. The message is a part of a sentence."""


class RecordError(ValueError):
    """A record is no card. The message is a part of a sentence."""


class RowError(ValueError):
    """A row has cells that cannot be read. The message has a line for each column: its name and the reason."""

    def __init__(self, reasons: Mapping[str, str]) -> None:
        """Build the message from the reasons by the names of the columns."""
        super().__init__(Phrase(_column_lines, dict(reasons)))


def _column_lines(reasons: Mapping[str, str], translate: Language) -> str:
    """Return the message of a RowError in a language: a line for each column, with the reason of the failure.

    `translate` is the language. Lines after the first are indented.
    """
    return "\n  ".join(
        translate("column {column}: {problem}", column=column, problem=translate.text(reason))
        for column, reason in reasons.items()
    )


def source_problems_error(subject: str, problems: Sequence[str]) -> CardDataError:
    """Return the CardDataError for a source that cannot be imported: its first problems and the number of others.

    `subject` is the name of the source. At most SHOWN problems are in the message, one on each line.
    """
    return CardDataError(Phrase(_problem_lines, subject, tuple(problems[:SHOWN]), len(problems) - SHOWN))


def _problem_lines(subject: str, problems: Sequence[str], more: int, translate: Language) -> str:
    """Return the text of `source_problems_error` in a language: a heading, the problems, and the number of others.

    `subject` is the name of the source, `translate` the language. `more` is the number of problems that are not shown.
    If it is 0 or negative, it is not mentioned.
    """
    lines = [
        translate("{file} cannot be imported:", file=translate.text(subject)),
        *map(translate.text, problems),
    ]
    return "\n".join([*lines, translate("and {count} more", count=more)] if more > 0 else lines)


class PlacedText(Phrase):
    """A sentence with its `place` in a source and a colon before it, such as `page.html, card 3: the power is empty.`

    `place` and `text` are for people. Either may be a Phrase (a translatable text).
    """

    place: str
    text: str

    def __new__(cls, place: str, text: str) -> Self:
        """Return the text with its place before it."""
        made = super().__new__(cls, _join_place, place, text)
        made.place, made.text = place, text
        return made


def _join_place(place: str, text: str, translate: Language) -> str:
    """Return a PlacedText in a language."""
    return translate("{place}: {problem}", place=translate.text(place), problem=translate.text(text))


def first_numbers(numbers: Sequence[str]) -> str:
    """Return card numbers as a text, at most the first NAMED (5): `A, B, C, D, E and 3 more`."""
    more = len(numbers) - NAMED
    named = ", ".join(numbers[:NAMED])
    return phrase("{numbers} and {count} more", numbers=named, count=more) if more > 0 else named
