"""Tournaments: an event as its organiser describes it, the times of registration and visibility, and its join code.

A word of a join code is a proquint (D. S. Wilkerson): 16 bits as consonants and vowels in turn. A place in a word has
only consonants or only vowels, so letters that look alike, such as l and i or u and v, are never confused. There are no
digits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import date, datetime, timedelta
from typing import Any, Literal, Self
from zoneinfo import ZoneInfo

from api.service.requests import RequestedTerms
from validator.judge import BEST_OF
from validator.rules import Policy

CodeWords = Literal[2, 3]
SHORT_CODE: CodeWords = 2  # words: 32 bits
LONG_CODE: CodeWords = 3  # words: 48 bits

_CONSONANTS, _VOWELS = "bdfghjklmnprstvz", "aiou"
_SYLLABLES = ((12, _CONSONANTS), (10, _VOWELS), (6, _CONSONANTS), (4, _VOWELS), (0, _CONSONANTS))
_WORD = "[bdfghjklmnprstvz][aiou][bdfghjklmnprstvz][aiou][bdfghjklmnprstvz]"
_CODE = re.compile(f"({_WORD})[ -]?({_WORD})(?:[ -]?({_WORD}))?")
_DIGITS = 4  # hexadecimal digits of the id in each word

UNIQUE_DIGITS = SHORT_CODE * _DIGITS  # first digits of an id that no two events share


def join_code(event_id: str, words: CodeWords = SHORT_CODE) -> str:
    """Return the join code of an event, such as lusab-babad."""
    return "-".join(_word(int(event_id[start : start + _DIGITS], 16)) for start in range(0, words * _DIGITS, _DIGITS))


def id_prefix(code: str) -> str:
    """Return the digits with which the id of a code's event begins, or "" if the text is not a code.

    Upper case is accepted, and a space or nothing between the words.
    """
    found = _CODE.fullmatch(" ".join(code.lower().split()))
    return "".join(f"{_number(word):0{_DIGITS}x}" for word in found.groups() if word) if found else ""


def _word(number: int) -> str:
    """Return a number as a pronounceable word of a join code."""
    return "".join(letters[number >> shift & len(letters) - 1] for shift, letters in _SYLLABLES)


def _number(word: str) -> int:
    """Return the number of a word of a join code."""
    return sum(letters.index(letter) << shift for letter, (shift, letters) in zip(word, _SYLLABLES, strict=True))


# Who sees the lists besides their players and the organiser; each sees what those before it see.
CLOSED, JUDGES, CUT, PUBLIC = STAGES = ("closed", "judges", "cut", "public")
PLAYERS = "players"
ROSTERS = (JUDGES, PLAYERS, PUBLIC)  # who sees the roster, which has no lists


@dataclass(frozen=True, slots=True)
class Visibility:
    """The visibility of an event: who sees the lists in each stage, and who sees the roster.

    `public_from`: everyone sees the lists from this moment on. `verdicts`: others than staff and the list's own player
    see if a list is legal.
    """

    lists: str = JUDGES
    public_from: datetime | None = None
    roster: str = PLAYERS
    verdicts: bool = False

    def stage(self, moment: datetime) -> str:
        """Return PUBLIC if everyone sees the lists at a moment, else the stage `lists`."""
        return PUBLIC if self.public_from is not None and moment >= self.public_from else self.lists

    @property
    def publishes_names(self) -> bool:
        """Return True if everyone with the event's id sees the players' names, now or later."""
        return PUBLIC in (self.lists, self.roster) or self.public_from is not None


@dataclass(frozen=True, slots=True)
class Tournament:
    """An event: its game, its rules, its day, and when players may register.

    Moments are in UTC, `timezone` is where people read them. Without `ruleset` the day picks it. `best_of` is the
    largest number of games of a match, None if it is not known. `code_words` never changes, because flyers with the
    join code are on the walls. `check_seed` orders the deck checks, "" if no judge set a seed. `verified` is False
    after an import from another server that nothing proved to be unchanged. `created` is the day of the creation in
    UTC, None if it is not known. `unused_until` is set only if a stranger created the event: from this day on it is
    deleted if nothing was done with it since its creation. `written` is the day of the last write, None if it is not
    known. `deleted_on` is set only while the event is marked as deleted: on this day it is removed. `limits_list` is
    the text (TOML) of the organiser's own limits list, which was checked when it was set.
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
    created: date | None = None
    unused_until: date | None = None
    check_seed: str = ""
    written: date | None = None
    deleted_on: date | None = None
    limits_list: str | None = None

    @property
    def code(self) -> str:
        """The join code."""
        return join_code(self.id, self.code_words)

    @property
    def terms(self) -> RequestedTerms:
        """The terms that its decks are judged by."""
        best_of = self.best_of and (BEST_OF[-1] if self.best_of > 1 else 1)
        return RequestedTerms(
            self.ruleset,
            self.game,
            self.on,
            self.region,
            self.format,
            self.policy,
            best_of,
            limits_list=self.limits_list,
            is_stored_list=self.limits_list is not None,
        )

    @property
    def retention_end(self) -> date:
        """The day on which the retention ends: `purge_days` after the last of its day, its creation and its writes."""
        return max(self.on, self.created or self.on, self.written or self.on) + timedelta(days=self.purge_days)

    @property
    def is_strangers(self) -> bool:
        """Return True if the event was created without the admin key, on a server that has one."""
        return self.unused_until is not None

    def is_open(self, moment: datetime, until: datetime | None = None) -> bool:
        """Return True if a player may register or change a list. `until` is the player's own deadline."""
        if until is not None:
            return moment < until
        return (self.opens is None or self.opens <= moment) and (self.closes is None or moment < self.closes)

    def local(self, moment: datetime) -> datetime:
        """Return a moment as clocks show it at the event."""
        return moment.astimezone(ZoneInfo(self.timezone))

    def details(self) -> dict[str, Any]:
        """Return all settings as JSON, without those of later versions that have their defaults.

        Archives from before there were such settings do not have them, and are compared with this.
        """
        left_out = {"id", "version", "created", "written", "deleted_on"}
        left_out |= {"code_words"} if self.code_words == SHORT_CODE else set()
        left_out |= {"unused_until"} if self.unused_until is None else set()
        left_out |= {"check_seed"} if not self.check_seed else set()
        left_out |= {"limits_list"} if self.limits_list is None else set()
        details = {key: value for key, value in _plain(asdict(self)).items() if key not in left_out}
        if not self.visibility.verdicts:
            del details["visibility"]["verdicts"]
        return details

    def with_settings(self, values: Mapping[str, Any]) -> Self:
        """Return a copy of the event, with `values` in place of its settings of these names."""
        return replace(self, **values)

    @classmethod
    def from_row(
        cls, id: str, version: int, created: str, details: Mapping[str, Any], text: str = "", deleted_on: str = ""
    ) -> Self:
        """Return the event of a row. `created` is a moment, `text` and `deleted_on` are days or ""."""
        values = {key: value for key, value in details.items() if key in _NAMES}
        values |= {key: datetime.fromisoformat(values[key]) for key in ("opens", "closes") if values[key]}
        seen = dict(values["visibility"])
        if seen["public_from"]:
            seen["public_from"] = datetime.fromisoformat(seen["public_from"])
        values |= {"on": date.fromisoformat(values["on"]), "visibility": Visibility(**seen)}
        values["created"] = date.fromisoformat(created[:10])
        values["written"] = date.fromisoformat(text) if text else None
        values["deleted_on"] = date.fromisoformat(deleted_on) if deleted_on else None
        if values.get("unused_until"):
            values["unused_until"] = date.fromisoformat(values["unused_until"])
        if values["policy"]:
            values["policy"] = Policy(**values["policy"])
        return cls(id=id, version=version, **values)


_NAMES = frozenset(one.name for one in fields(Tournament))


def _plain(value: Any) -> Any:
    """Return a value with dates as ISO texts, also within mappings."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return value.isoformat() if isinstance(value, date) else value
