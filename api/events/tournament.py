"""Tournaments: an event as its organiser describes it, and when who may register or look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any, Self
from zoneinfo import ZoneInfo, available_timezones

from api.events.join_codes import SHORT_CODE, CodeWords, join_code
from api.service.requests import Asked
from validator.judge import BEST_OF
from validator.rules import Policy

# Who sees the lists besides their players and the organiser; each sees what those before it see.
CLOSED, JUDGES, CUT, PUBLIC = STAGES = ("closed", "judges", "cut", "public")
PLAYERS = "players"
ROSTERS = (JUDGES, PLAYERS, PUBLIC)  # who sees the roster, which has no lists
MOST_DAYS_KEPT = 3650


@cache
def timezones() -> frozenset[str]:
    """Return the names of all time zones; `localtime`, which some systems add, is another one on each machine."""
    return frozenset(available_timezones()) - {"localtime"}


@dataclass(frozen=True, slots=True)
class Visibility:
    """Who sees the lists: those of a stage, and from a moment everyone; and who sees the roster."""

    lists: str = JUDGES
    public_from: datetime | None = None
    roster: str = PLAYERS

    def stage(self, now: datetime) -> str:
        """Return the stage at a moment."""
        return PUBLIC if self.public_from is not None and now >= self.public_from else self.lists

    @property
    def publishes_names(self) -> bool:
        """Return True if everyone who knows the event's id sees the players' names, now or later."""
        return PUBLIC in (self.lists, self.roster) or self.public_from is not None


@dataclass(frozen=True, slots=True)
class Tournament:
    """An event: what is played, by which rules, when, and until when whoever comes may register.

    Moments are in UTC, `timezone` is where people read them. Without `ruleset` the day picks it. `best_of` is how many
    games a match has at most, None if the organiser does not say so. `code_words` never changes, because flyers with
    the join code are on the walls. `verified` is False after an import from another server that nothing proved to be
    unchanged.
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
    code_words: CodeWords = SHORT_CODE
    verified: bool = True

    @property
    def code(self) -> str:
        """The join code."""
        return join_code(self.id, self.code_words)

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
        """Return all of it but `id` and `version` as JSON, and `code_words` only if the join code is long.

        Archives from before there were long codes have no `code_words`, and are compared with this.
        """
        left_out = {"id", "version"} | ({"code_words"} if self.code_words == SHORT_CODE else set())
        return {key: value for key, value in _plain(asdict(self)).items() if key not in left_out}

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
