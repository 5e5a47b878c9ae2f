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

# The zone of a region that lies in several, such as America and Europe together: between the earliest and the latest.
DEFAULT_TIMEZONE = "UTC"
_arrived: ContextVar[datetime | None] = ContextVar("arrival", default=None)


class DayInZone(NamedTuple):
    """A day, and the name of the time zone in which it is the current one: None if a user or the machine chose it."""

    day: date
    timezone: str | None = None

    def as_json(self) -> dict[str, object]:
        """Return `on`, and `timezone` if there is one."""
        return {"on": self.day, **({"timezone": self.timezone} if self.timezone else {})}


@cache
def timezones() -> frozenset[str]:
    """Return the names of all time zones; `localtime`, which some systems add, is another one on each machine."""
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


def day_in_timezone(now: datetime, timezone: str | None) -> date:
    """Return the day of a moment in a time zone, by its name. None is the zone of this machine."""
    return now.astimezone(_zone(timezone) if timezone else None).date()


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


@contextmanager
def arrived_at(moment: datetime) -> Iterator[None]:
    """Set the moment at which the request was received that the block answers. It may have waited for a thread."""
    token = _arrived.set(moment)
    try:
        yield
    finally:
        _arrived.reset(token)


def moment_of_request() -> datetime:
    """Return the moment at which the current request was received; the current time outside requests."""
    return _arrived.get() or datetime.now(UTC)
