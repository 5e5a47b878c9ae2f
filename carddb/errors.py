"""Errors: what can go wrong with card data, each message for the person who asked.

ValueError
├── CardDataError         a whole sentence: what is wrong, where, what to do
│   ├── NoDatabase        nothing was ever imported
│   ├── DatabaseBusy      the database is held, or too many wait for it
│   ├── DamagedDatabase   a part of the database file cannot be read
│   ├── NoSnapshot        no snapshot has this id
│   ├── DamagedSnapshot   the stored cards of a snapshot are not those that were imported
│   ├── FetchError        a page could not be had
│   ├── SyncBusy          another program fetches from the same site
│   ├── NoCards           what was read shows no card
│   └── PageError         a page is not the page it should be
│       ├── NoResults     a search that found no cards
│       └── Truncated     a page stops before its end
├── WorkbookError         no workbook that may be read    ┐
├── RecordError           a record that is no card        ├ a part of a sentence, which whoever knows the file ends
└── RowError              a row that is no card           ┘
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

SHOWN = 8  # problems of one file that a message names,
NAMED = 5  # and cards


class CardDataError(ValueError):
    """Card data could not be read, stored or found; the message says why and what to do."""


class NoDatabase(CardDataError):
    """There is no database yet: nothing was ever imported."""


class DatabaseBusy(CardDataError):
    """Another program holds the database, or too many wait for it. The same call may work a moment later."""


class DamagedDatabase(CardDataError):
    """A part of the database file cannot be read; other parts may be sound."""


class NoSnapshot(CardDataError):
    """No snapshot has this id."""


class DamagedSnapshot(CardDataError):
    """The stored cards of a snapshot are not those that were imported; the message names the snapshot."""


class FetchError(CardDataError):
    """A page could not be had; the message says which, why, and what to do."""


class SyncBusy(CardDataError):
    """Another program works with the same cache, that is: fetches from the same site."""


class NoCards(CardDataError):
    """What was read shows no card."""


class PageError(CardDataError):
    """A page is not the page it should be; the message names it and the selector that found nothing."""


class NoResults(PageError):
    """A page of a search that found no cards."""


class Truncated(PageError):
    """A page stops before its end."""


class WorkbookError(ValueError):
    """The file is no workbook that may be read; the message says why, as a part of a sentence."""


class RecordError(ValueError):
    """A record that is no card; the message says why, as a part of a sentence."""


class RowError(ValueError):
    """A row with cells that cannot be read: a line for each, its column and why."""

    def __init__(self, reasons: Mapping[str, str]) -> None:
        super().__init__("\n  ".join(f"column {column}: {why}" for column, why in reasons.items()))


def problems_in(what: str, problems: Sequence[str]) -> CardDataError:
    """Return the error of what cannot be imported: the first problems, and how many more."""
    more = len(problems) - SHOWN
    lines = [f"{what} cannot be imported:", *problems[:SHOWN]]
    return CardDataError("\n".join([*lines, f"and {more} more"] if more > 0 else lines))


def some(numbers: Sequence[str]) -> str:
    """Return the first of these numbers for a sentence, and how many more there are."""
    more = len(numbers) - NAMED
    named = ", ".join(numbers[:NAMED])
    return f"{named} and {more} more" if more > 0 else named
