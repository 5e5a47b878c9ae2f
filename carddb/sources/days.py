"""Days: parses dates on the official pages, which have many forms, and finds the days on which pages were saved."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAME = rf"(?:{'|'.join(_MONTHS)})[a-z]{{0,6}}\.?"
# dateutil would take `03/04/2026` for a day in March, and refuses `July 13,2018` and texts of two days.
_DATE = re.compile(
    rf"\b(?P<month>{_NAME})\s{{0,3}}(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?,?\s{{0,3}}(?P<year>[0-9]{{4}})\b"
    rf"|\b(?P<day2>[0-9]{{1,2}})[- ](?P<month2>{_NAME})[-, ]{{1,2}}(?P<year2>[0-9]{{4}}|[0-9]{{2}})\b"
    r"|\b(?P<year3>[0-9]{4})[-/.](?P<month3>[0-9]{1,2})[-/.](?P<day3>[0-9]{1,2})\b",
    re.IGNORECASE,
)

_COMMENT = re.compile(r"<!--(.{0,2000}?)-->", re.DOTALL)
_SAVED = re.compile(r"saved date:|mirrored from", re.IGNORECASE)  # as SingleFile and HTTrack write
# The sites write the day of their last change behind the addresses of pictures and scripts: `card.png?260806`.
_CHANGED = re.compile(r"\.[a-z0-9]{2,5}\?([0-9]{2})(0[1-9]|1[0-2])([0-2][0-9]|3[01])(?![0-9])")
_HEAD = 20_000  # characters, in which the comments of programs that save pages are


def find_saved_day(html: str) -> date | None:
    """Return the day on which a page was saved, else that of the newest picture or script on it.

    None if neither is known. Programs that save pages write a comment with the day, which must be near the beginning.
    Addresses such as `card.png?260806` have the day of a change.
    """
    for comment in _COMMENT.findall(html[:_HEAD]):
        if _SAVED.search(comment) and (day := find_first_day(comment)):
            return day
    return max(_change_days(html), default=None)


def _change_days(html: str) -> Iterator[date]:
    """Yield the days in the addresses of pictures and scripts: `card.png?260806` → 6 August 2026. In any order."""
    for year, month, day in set(_CHANGED.findall(html)):
        try:
            yield date(2000 + int(year), int(month), int(day))
        except ValueError:
            continue


def find_first_day(text: str) -> date | None:
    """Return the first date in a text (`July 28, 2017`, `21-Sep-18`, `2026-08-21`), None if there is none.

    A date that does not exist (31 June) is skipped. A date such as `03/04/2026` is not found.
    """
    for match in _DATE.finditer(text):
        year, month, day = (_first_group(match, name) for name in ("year", "month", "day"))
        try:
            return date(_parse_year(year), _parse_month(month), int(day))
        except ValueError:
            continue  # the 31st of June
    return None


def _first_group(match: re.Match[str], name: str) -> str:
    """Return the text of a part of a matched date, from the alternative of the pattern that matched.

    `name` is "year", "month" or "day".
    """
    return next(part for part in (match[name], match[f"{name}2"], match[f"{name}3"]) if part)


def _parse_year(year: str) -> int:
    """Return the year of a text with four digits. Two digits are a year from 2000 on."""
    return int(year) if len(year) == 4 else 2000 + int(year)


def _parse_month(month: str) -> int:
    """Return the number of a month, written as digits or as an English name of three letters or more.

    Raises ValueError for a name of no month. Digits are not compared with 12.
    """
    return int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1
