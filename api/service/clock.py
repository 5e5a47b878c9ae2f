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

from validator import limits
from validator.games import GAMES

# The zone of a region with several zones, such as America and Europe together. It lies between them.
DEFAULT_TIMEZONE = "UTC"
_arrival: ContextVar[datetime | None] = ContextVar("arrival", default=None)


class DayInZone(NamedTuple):
    """A day, and the name of the time zone in which it is the current day.

    `timezone` is None if a user or the machine chose the day.
    """

    day: date
    timezone: str | None = None

    def as_json(self) -> dict[str, object]:
        """Return `on`, and `timezone` if there is one, as JSON."""
        return {"on": self.day, **({"timezone": self.timezone} if self.timezone else {})}


@cache
def timezones() -> frozenset[str]:
    """Return the names of all time zones except `localtime`, which differs from machine to machine."""
    return frozenset(available_timezones()) - {"localtime"}


@cache
def region_timezones() -> Mapping[str, str]:
    """Return the time zone by region, for the regions of all games that lie in one zone."""
    return MappingProxyType({region: zone for game in GAMES for region, zone in limits.load(game).timezones.items()})


def region_timezone(region: str | None) -> str:
    """Return the time zone of a region (None: the default region), DEFAULT_TIMEZONE if it has no zone of its own."""
    return region_timezones().get(region or "", DEFAULT_TIMEZONE)


def current_time() -> datetime:
    """Return the current time, in UTC."""
    return datetime.now(UTC)


def day_in_timezone(moment: datetime, timezone: str | None) -> date:
    """Return the day of a moment in a time zone. `timezone` None is the zone of this machine."""
    return moment.astimezone(_zone(timezone) if timezone else None).date()


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    """Return the time zone with a name."""
    return ZoneInfo(name)


@contextmanager
def request_arrived_at(moment: datetime) -> Iterator[None]:
    """Set the moment at which the request was received that the `with` block answers.

    The request may have waited for a thread since that moment.
    """
    token = _arrival.set(moment)
    try:
        yield
    finally:
        _arrival.reset(token)


def moment_of_request() -> datetime:
    """Return the moment at which the current request was received. Outside requests return the current time."""
    return _arrival.get() or datetime.now(UTC)
