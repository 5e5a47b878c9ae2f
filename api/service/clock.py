"""The current time, the current day of a time zone, and the moment at which the current request was received."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime
from functools import cache, lru_cache
from types import MappingProxyType
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

from validator.games import GAMES
from validator.limits import shipped_lists

# The zone of a region with several zones, such as America and Europe together. It is between them.
DEFAULT_TIMEZONE = "UTC"
_arrival: ContextVar[datetime | None] = ContextVar("arrival", default=None)


class DayInZone(NamedTuple):
    """A calendar day, and the name of the time zone in which it is the current day.

    `timezone` is None if the user has given the day, or if it is the day of this machine's own zone.
    """

    day: date
    timezone: str | None = None


@cache
def timezones() -> frozenset[str]:
    """Return the names of all IANA time zones of this machine except `localtime`. The result is cached."""
    return frozenset(available_timezones()) - {"localtime"}


@cache
def region_timezones() -> Mapping[str, str]:
    """Return the time zone name by region id, from the shipped lists of all games. The result is cached.

    A region that spans several zones is not in the mapping. If games differ, the last one in GAMES decides.
    """
    return MappingProxyType(
        {region: zone for game in GAMES for region, zone in shipped_lists(game).listed.timezones.items()}
    )


def region_timezone(region: str | None) -> str:
    """Return the name of a region's time zone.

    Return DEFAULT_TIMEZONE ("UTC") for None, an unknown or a multi-zone region.
    """
    return region_timezones().get(region or "", DEFAULT_TIMEZONE)


def current_time() -> datetime:
    """Return the current time as an aware datetime in UTC."""
    return datetime.now(UTC)


def day_in_timezone(moment: datetime, timezone: str | None) -> date:
    """Return the calendar day of a moment in a time zone. None or "" as `timezone` is the zone of this machine.

    Raises ZoneInfoNotFoundError for an unknown name.
    """
    return moment.astimezone(_zone(timezone) if timezone else None).date()


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    """Return the ZoneInfo of a zone name. The last 64 zones are cached. Raises ZoneInfoNotFoundError if unknown."""
    return ZoneInfo(name)


@contextmanager
def request_arrived_at(moment: datetime) -> Iterator[None]:
    """Set the arrival time of the current request while the `with` block runs, then restore the value before.

    `moment_of_request` returns that time. A request may have waited for a thread since it arrived.
    """
    token = _arrival.set(moment)
    try:
        yield
    finally:
        _arrival.reset(token)


def moment_of_request() -> datetime:
    """Return the arrival time of the current request, as set by `request_arrived_at`.

    If none is set, return the current time in UTC.
    """
    return _arrival.get() or datetime.now(UTC)
