"""Data days: the day on which the cards of a source were collected, and the basis of that day.

`deckproof cards import` and syncs determine the day, and snapshots keep it. If there is no basis for a day, the day is
unknown, and the catalogue has none.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from carddb.errors import CardDataError
from validator.cards import Card
from validator.language import phrase
from validator.limits import shipped_lists

GIVEN, FETCHED, NAME, PAGE, RELEASE, IMPORTED = "given", "fetched", "name", "page", "release", "imported"
# The precision of each basis of the day, the best first. Snapshots of older versions only have the day of their import.
_BASES = (GIVEN, FETCHED, NAME, PAGE, RELEASE, IMPORTED)
_PREVIEWED = timedelta(days=183)  # for which the official lists have cards before their release, at the very most
_ISO_DAY = re.compile(
    r"(?<![0-9])(20[0-9]{2})([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12][0-9]|3[01])(?![0-9])"  # 2026-08-21, 20260821
)


class DataDay(NamedTuple):
    """The day on which cards were collected, and the basis of that day.

    `basis` is a constant: GIVEN (by the user), FETCHED (by a sync), NAME or PAGE (a date in a file's name or page),
    RELEASE (the newest release day of the cards) or IMPORTED (the day of the import). `where` is the name of the file
    that has the date. It is "" for other bases than NAME and PAGE, and for every day from a database.
    """

    day: date
    basis: str
    where: str = ""

    @property
    def reason(self) -> str:
        """The reason for this day, as a part of a sentence: "the date in the name cards-2026-08-21.csv"."""
        place = self.where or phrase("the source")
        if self.basis == NAME:
            return phrase("the date in the name {place}", place=place)
        if self.basis == PAGE:
            return phrase("the date in the page {place}", place=place)
        return _REASONS[self.basis]

    def replaces(self, current: DataDay | None) -> bool:
        """Return True if this day is better than the `current` day of the same cards. None is always replaced.

        The bases from best to worst: GIVEN, FETCHED, NAME, PAGE, RELEASE, IMPORTED. A day replaces days of a worse
        basis. A GIVEN day replaces every day, and a FETCHED day also an earlier FETCHED day.
        """
        if current is None or self.basis == GIVEN:
            return True
        if self.basis == FETCHED:  # the same cards are on the list on a later day, too
            return current.basis not in (GIVEN, FETCHED) or self.day > current.day
        return _BASES.index(self.basis) < _BASES.index(current.basis)


_REASONS = {
    GIVEN: phrase("the day that was given with --as-of"),
    FETCHED: phrase("the day on which the cards were fetched"),
    RELEASE: phrase("the newest release day of its cards, as the source has no date"),
    IMPORTED: phrase("the day of the import"),
}


def day_in_name(name: str) -> date | None:
    """Return the earliest day in the name of a file or folder, None if there is none.

    `cards-2026-08-21.csv` and `cards20260821` have one. The separator may also be "_" or ".". Only the years 2000 to
    2099 count.
    """
    return min(_parse_days(name), default=None)


def _parse_days(name: str) -> Iterator[date]:
    """Yield the days of the years 2000 to 2099 in a name, in order. Dates that do not exist (31 June) are skipped."""
    for year, _, month, day in _ISO_DAY.findall(name):
        try:
            yield date(int(year), int(month), int(day))
        except ValueError:
            continue  # the 31st of June


def determine_data_day(
    cards: Collection[Card], days: Sequence[DataDay], today: date, option: date | None = None
) -> tuple[DataDay | None, list[str]]:
    """Return `(day, notices)`: the day on which the cards of a source were collected, None if unknown, and messages.

    The order of preference is: the `option` day, the earliest of `days` with the best basis, the newest release day up
    to `today`. `days` were found in names and pages of the source. A day is impossible if it is after `today`, or more
    than half a year before the first release. An impossible one of `days` is ignored, with a notice. Raises
    CardDataError if the `option` day is impossible. A notice also warns of cards that were released after the day.
    """
    releases = sorted({day for card in cards if (day := _release_day(card))})
    first = releases[0] if releases else date.min
    if option:
        if wrong := _reason_against(option, first, today):
            raise CardDataError(phrase("The cards cannot be of {day}: {problem}.", day=option, problem=wrong))
        return DataDay(option, GIVEN), _notices_of_later_releases(releases, option, today)
    notices: list[str] = [
        phrase(
            "{day}, {reason}, is not taken for the day of the data: {problem}.",
            day=data_day.day,
            reason=data_day.reason,
            problem=wrong,
        )
        for data_day in days
        if (wrong := _reason_against(data_day.day, first, today))
    ]
    known = _earliest(data_day for data_day in days if not _reason_against(data_day.day, first, today))
    if known:
        return known, notices + _notices_of_later_releases(releases, known.day, today)
    past = [day for day in releases if day <= today]
    return (DataDay(past[-1], RELEASE) if past else None), notices


def _earliest(days: Iterable[DataDay]) -> DataDay | None:
    """Return the earliest of the days that have the best basis, None without days.

    A list is as old as its oldest page.
    """
    return min(days, key=lambda data_day: (_BASES.index(data_day.basis), data_day.day), default=None)


def _release_day(card: Card) -> date | None:
    """Return the release day of a card, else the first English release day of its set.

    None if neither is known, or if the day that counts is no ISO date.
    """
    written = card.released or shipped_lists(card.game).sets.first_english_day(card.number)
    try:
        return date.fromisoformat(written) if written else None
    except ValueError:
        return None


def _reason_against(day: date, first: date, today: date) -> str:
    """Return the reason why cards cannot have been collected on a day, as a part of a sentence. "" if they can.

    The day may not be after `today`, nor more than _PREVIEWED (half a year) before `first`, the first release day.
    """
    if day > today:
        return phrase("that day is in the future")
    if day < first and first - day > _PREVIEWED:
        return phrase("the first of them was released on {day}", day=first)
    return ""


def _notices_of_later_releases(releases: Sequence[date], day: date, today: date) -> list[str]:
    """Return one notice if a release day is after `day` and not after `today`. Otherwise the list is empty."""
    newest = max((release for release in releases if release <= today), default=day)
    if newest <= day:
        return []
    notice = phrase(
        "Cards that were released later, up to {day}, are in it: card lists show cards before their release.",
        day=newest,
    )
    return [notice]
