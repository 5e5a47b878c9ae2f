"""Tournaments: an event as its organiser describes it, and when who may register or look."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any, Self
from zoneinfo import ZoneInfo, available_timezones

from api.service.requests import Asked, day
from validator.judge import BEST_OF
from validator.rules import Policy

# Who sees the lists besides their players and the organiser; each sees what those before it see.
CLOSED, JUDGES, CUT, PUBLIC = STAGES = ("closed", "judges", "cut", "public")
PLAYERS = "players"
ROSTERS = (JUDGES, PLAYERS, PUBLIC)  # who sees the roster, which has no lists
MOST_DAYS_KEPT = 3650

_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(Z|[+-]\d{2}:\d{2})?", re.ASCII)


@cache
def timezones() -> frozenset[str]:
    """Return the names of all time zones; `localtime`, which some systems add, is another one on each machine."""
    return frozenset(available_timezones()) - {"localtime"}


def moment(written: str, timezone: str) -> datetime:
    """Return the moment that a date and time means, in a time zone where it says no offset; in UTC.

    A ValueError says what to write: clocks that are put forward skip times, and put back they strike them twice.
    """
    if not (parts := _MOMENT.fullmatch(written)):
        raise ValueError("Write a date and time as 2026-11-21T22:00, or with an offset as 2026-11-21T22:00+01:00.")
    day(parts[1])  # which bounds the years
    found = datetime.fromisoformat(written)
    return (found if parts[4] else _local(found, ZoneInfo(timezone))).astimezone(UTC)


def _local(wall: datetime, zone: ZoneInfo) -> datetime:
    earlier, later = (wall.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if earlier.utcoffset() == later.utcoffset():
        return earlier
    if earlier.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != wall:
        raise ValueError(f"There is no {wall:%H:%M} on that day in {zone.key}: clocks are put forward.")
    raise ValueError(f"{wall:%H:%M} comes twice on that day in {zone.key}: write it with its offset.")


@dataclass(frozen=True, slots=True)
class Visibility:
    """Who sees the lists: those of a stage, and from a moment everyone; and who sees the roster."""

    lists: str = JUDGES
    public_from: datetime | None = None
    roster: str = PLAYERS

    def stage(self, now: datetime) -> str:
        """Return the stage at a moment."""
        return PUBLIC if self.public_from is not None and now >= self.public_from else self.lists


@dataclass(frozen=True, slots=True)
class Tournament:
    """An event: what is played, by which rules, when, and until when whoever comes may register.

    Moments are in UTC, `timezone` is where people read them. Without `ruleset` the day picks it. `best_of` is how many
    games a match has at most, None if the organiser does not say so. `verified` is False after an import from another
    server that nothing proved to be unchanged.
    """

    id: str
    name: str
    game: str
    on: date
    timezone: str = "UTC"
    opens: datetime | None = None
    closes: datetime | None = None
    ruleset: str | None = None
    format: str | None = None
    region: str | None = None
    policy: Policy | None = None
    visibility: Visibility = field(default_factory=Visibility)
    place: str = ""
    best_of: int | None = None
    consent: bool = False
    purge_days: int = 90
    version: int = 1
    verified: bool = True

    @property
    def asked(self) -> Asked:
        """The terms that its decks are judged by."""
        best_of = self.best_of and (BEST_OF[-1] if self.best_of > 1 else 1)
        return Asked(self.ruleset, self.game, self.on, self.region, self.format, self.policy, best_of)

    @property
    def purged(self) -> date:
        """The day from which nothing of it is kept."""
        return self.on + timedelta(days=self.purge_days)

    def is_open(self, now: datetime, until: datetime | None = None) -> bool:
        """Tell whether a player may register or change a list; `until` is the player's own deadline."""
        if until is not None:
            return now < until
        return (self.opens is None or self.opens <= now) and (self.closes is None or now < self.closes)

    def local(self, at: datetime) -> datetime:
        """Return a moment as clocks show it at the event."""
        return at.astimezone(ZoneInfo(self.timezone))

    def details(self) -> dict[str, Any]:
        """Return all of it but `id` and `version` as JSON."""
        return {key: value for key, value in _plain(asdict(self)).items() if key not in ("id", "version")}

    def changed(self, values: Mapping[str, Any]) -> Self:
        """Return it with other values."""
        return replace(self, **values)

    @classmethod
    def of(cls, id: str, version: int, details: Mapping[str, Any]) -> Self:
        """Return what `details` was written of."""
        values = {key: value for key, value in details.items() if key in _NAMES}
        values |= {key: datetime.fromisoformat(values[key]) for key in ("opens", "closes") if values[key]}
        seen = dict(values["visibility"])
        if seen["public_from"]:
            seen["public_from"] = datetime.fromisoformat(seen["public_from"])
        values |= {"on": date.fromisoformat(values["on"]), "visibility": Visibility(**seen)}
        if values["policy"]:
            values["policy"] = Policy(**values["policy"])
        return cls(id=id, version=version, **values)


_NAMES = frozenset(one.name for one in fields(Tournament))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return value.isoformat() if isinstance(value, date) else value
