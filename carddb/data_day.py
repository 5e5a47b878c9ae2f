"""Data days: the day on which the cards of a source were collected, and what that day is known from.

`deckproof cards import` and syncs determine the day; snapshots keep it. A day that nothing tells is not known, and then
no catalogue is said to be of a day.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from carddb.errors import CardDataError
from validator import limits
from validator.cards import Card

GIVEN, FETCHED, NAME, PAGE, RELEASE, IMPORTED = "given", "fetched", "name", "page", "release", "imported"
# How well each basis tells the day, the best first. Snapshots of older versions only have the day of their import.
_BASES = (GIVEN, FETCHED, NAME, PAGE, RELEASE, IMPORTED)
_PREVIEWED = timedelta(days=183)  # for which the official lists have cards before their release, at the very most
_ISO_DAY = re.compile(
    r"(?<![0-9])(20[0-9]{2})([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12][0-9]|3[01])(?![0-9])"  # 2026-08-21, 20260821
)


class DataDay(NamedTuple):
    """A day of which card data is, what that is known from (GIVEN to IMPORTED), and where it is written."""

    day: date
    basis: str
    where: str = ""

    @property
    def reason(self) -> str:
        """Why it is this day, as the end of a sentence."""
        return _REASONS[self.basis].format(where=self.where or "the source")

    def replaces(self, known: DataDay | None) -> bool:
        """Return True if this day is the better one for cards of which another day is `known`."""
        if known is None or self.basis == GIVEN:
            return True
        if self.basis == FETCHED:  # the same cards are on the list on a later day, too
            return known.basis not in (GIVEN, FETCHED) or self.day > known.day
        return _BASES.index(self.basis) < _BASES.index(known.basis)


_REASONS = {
    GIVEN: "the day that was given with --as-of",
    FETCHED: "the day on which the cards were fetched",
    NAME: "the date in the name {where}",
    PAGE: "the date in the page {where}",
    RELEASE: "the newest release day of its cards, as the source has no date",
    IMPORTED: "the day of the import",
}


def day_in_name(name: str) -> date | None:
    """Return the earliest day that the name of a file or folder has (`cards-2026-08-21.csv`), if any."""
    return min(_days_in(name), default=None)


def _days_in(name: str) -> Iterator[date]:
    for year, _, month, day in _ISO_DAY.findall(name):
        try:
            yield date(int(year), int(month), int(day))
        except ValueError:
            continue  # the 31st of June


def determine(
    cards: Collection[Card], found: Sequence[DataDay], today: date, given: date | None = None
) -> tuple[DataDay | None, list[str]]:
    """Return the day of which the cards of a source are, and notices about it; None if nothing tells the day.

    The `given` day goes before the days `found` in the source, the earliest of which counts, and these before the
    newest release day. Days that cannot be right are left out of those found. Raises CardDataError if the given one
    cannot be.
    """
    releases = sorted({day for card in cards if (day := _released(card))})
    first = releases[0] if releases else date.min
    if given:
        if wrong := _impossible(given, first, today):
            raise CardDataError(f"The cards cannot be of {given}: {wrong}.")
        return DataDay(given, GIVEN), _newer(releases, given, today)
    notices = [
        f"{one.day}, {one.reason}, is not taken for the day of the data: {wrong}."
        for one in found
        if (wrong := _impossible(one.day, first, today))
    ]
    known = _earliest(one for one in found if not _impossible(one.day, first, today))
    if known:
        return known, notices + _newer(releases, known.day, today)
    past = [day for day in releases if day <= today]
    return (DataDay(past[-1], RELEASE) if past else None), notices


def _earliest(days: Iterable[DataDay]) -> DataDay | None:
    """Return the earliest of the days with the best basis: of pages that were saved on several days none is newer."""
    return min(days, key=lambda one: (_BASES.index(one.basis), one.day), default=None)


def _released(card: Card) -> date | None:
    written = card.released or limits.sets(card.game).released(card.number)
    try:
        return date.fromisoformat(written) if written else None
    except ValueError:
        return None


def _impossible(day: date, first: date, today: date) -> str:
    """Return why cards cannot have been collected on a day, "" if they can."""
    if day > today:
        return "that day is in the future"
    if day < first and first - day > _PREVIEWED:
        return f"the first of them was released on {first}"
    return ""


def _newer(releases: Sequence[date], day: date, today: date) -> list[str]:
    newest = max((one for one in releases if one <= today), default=day)
    if newest <= day:
        return []
    return [f"Cards that were released later, up to {newest}, are in it: card lists show cards before their release."]
