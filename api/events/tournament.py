"""Tournaments: an event as its organiser describes it, the times of registration and visibility, and its join code.

A word of a join code is a proquint (D. S. Wilkerson): 16 bits as consonants and vowels in turn. A place in a word has
only consonants or only vowels, so letters that look alike, such as l and i or u and v, are never confused. There are no
digits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any, Literal, Self
from zoneinfo import ZoneInfo

import msgspec
from msgspec.json import Decoder

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
    """Return the join code of an event, such as `lusab-babad`, which people type to find the event.

    Each of its `words` stands for the next four hexadecimal digits of the event's id.
    """
    return "-".join(_word(int(event_id[start : start + _DIGITS], 16)) for start in range(0, words * _DIGITS, _DIGITS))


def id_prefix(code: str) -> str:
    """Return the first 8 or 12 hexadecimal digits of the event id that a join code stands for. "" if it is no code.

    Upper case is accepted. The words may be separated by a hyphen, a space or nothing.
    """
    found = _CODE.fullmatch(" ".join(code.lower().split()))
    return "".join(f"{_number(word):0{_DIGITS}x}" for word in found.groups() if word) if found else ""


def _word(number: int) -> str:
    """Return a number below 65,536 as a pronounceable word of five letters for a join code, such as `lusab`."""
    return "".join(letters[number >> shift & len(letters) - 1] for shift, letters in _SYLLABLES)


def _number(word: str) -> int:
    """Return the number that a five-letter word of a join code stands for. It is the inverse of `_word`."""
    return sum(letters.index(letter) << shift for letter, (shift, letters) in zip(word, _SYLLABLES, strict=True))


# Who sees the lists besides their players and the organiser; each sees what those before it see.
CLOSED, JUDGES, CUT, PUBLIC = STAGES = ("closed", "judges", "cut", "public")
PLAYERS = "players"
ROSTERS = (JUDGES, PLAYERS, PUBLIC)  # who sees the roster, which has no lists


@dataclass(frozen=True, slots=True)
class Visibility:
    """The visibility of an event: who sees the deck lists, and who sees the roster (the players without their lists).

    `lists` is one of STAGES: who sees the lists until `public_from`. Everyone sees them from `public_from` on, None for
    never. `roster` is one of ROSTERS. `verdicts`: others than staff and the list's own player also see if a list is
    legal.
    """

    lists: str = JUDGES
    public_from: datetime | None = None
    roster: str = PLAYERS
    verdicts: bool = False

    def stage(self, moment: datetime) -> str:
        """Return PUBLIC from the moment `public_from` on, else the stage `lists`. Both are of STAGES."""
        return PUBLIC if self.public_from is not None and moment >= self.public_from else self.lists

    @property
    def publishes_names(self) -> bool:
        """Return True if everyone with the event's id sees players' names, now or later, in public lists or roster."""
        return PUBLIC in (self.lists, self.roster) or self.public_from is not None


@dataclass(frozen=True, slots=True)
class Tournament:
    """An event: its game, its rules, its day, and when players may register.

    Moments are in UTC, `timezone` is the IANA zone in which people read them. `opens` and `closes` limit registration,
    None for no limit. Without `ruleset` the one in force on the day `on` is used. Without `format` or `region` the
    game's default is used.

    `best_of` is the largest number of games of a match, None if it is not known. `consent`: a list is shown to others
    only with its player's consent. `purge_days` are the days after which all data is deleted, see `retention_end`.
    `version` counts the changes of the settings. `code_words` never changes, because flyers with the join code are on
    the walls. `check_seed` orders the deck checks, "" if no judge set a seed. `verified` is False after an import from
    another server that nothing proved to be unchanged.

    `created` is the day of the creation in UTC, None if it is not known. `unused_until` is set only if a stranger
    created the event. From this day on it is deleted if nothing was done with it since its creation. `written` is the
    day of the last write, None if it is not known. Exports and the event's own deletion do not count for it.
    `deleted_on` is set only while the event is marked as deleted. On this day it is removed. `limits_list` is the text
    (TOML) of the organiser's own limits list, which was checked when it was set. None if there is none.
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
        """The join code of the event, such as `lusab-babad`, with `code_words` words."""
        return join_code(self.id, self.code_words)

    @property
    def terms(self) -> RequestedTerms:
        """The terms for judging the decks of the event: game, ruleset, day, region, format, policy, own limits list.

        A match is best of one, or best of the largest number in BEST_OF if `best_of` is above 1. It stays unknown if
        `best_of` is None. An own list is marked as stored, so that entries that do not fit any more are no error.
        """
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
        """The day on which all data is due for deletion.

        It is `purge_days` after the latest of its day, creation and last write.
        """
        return max(self.on, self.created or self.on, self.written or self.on) + timedelta(days=self.purge_days)

    @property
    def is_strangers(self) -> bool:
        """Return True if the event was created without the admin key, on a server that has one."""
        return self.unused_until is not None

    def is_open(self, moment: datetime, until: datetime | None = None) -> bool:
        """Return True if a player may register or change a list at a moment: from `opens` on, and before `closes`.

        `until` is the player's own deadline, None if there is none. If it is given, `opens` and `closes` are ignored.
        """
        if until is not None:
            return moment < until
        return (self.opens is None or self.opens <= moment) and (self.closes is None or moment < self.closes)

    def local(self, moment: datetime) -> datetime:
        """Return the same moment in the time zone of the event."""
        return moment.astimezone(ZoneInfo(self.timezone))

    def details(self) -> dict[str, Any]:
        """Return the settings as JSON values for the database, the audit and archives. Dates and moments are ISO texts.

        Left out are the id, the version, and the days of creation, last write and deletion. These settings are left out
        if they have their defaults: `code_words`, `unused_until`, `check_seed`, `limits_list` and the `verdicts` of the
        visibility. Archives from before there were such settings do not have them, and are compared with this.
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
        """Return a copy of the event with new values for some fields, by the names of the fields, without any check."""
        return replace(self, **values)

    @classmethod
    def from_row(
        cls, id: str, version: int, created: str, details: Mapping[str, Any], last_write: str = "", deleted_on: str = ""
    ) -> Self:
        """Return the event of a database row. `details` are the stored settings as JSON. Unknown settings are ignored.

        `version` is the number of the settings' version. `created` is an ISO moment, of which only the day is kept.
        `last_write` is the day of the last write, "" if it is not known. `deleted_on` is the day on which a deleted
        event is removed, "" if it is not deleted. Raises msgspec.ValidationError if a setting has the wrong type.
        """
        columns = {
            "id": id,
            "version": version,
            "created": created[:10],
            "written": last_write or None,
            "deleted_on": deleted_on or None,
        }
        return msgspec.convert({**details, **columns}, cls)


# msgspec describes a class when it first meets it. If several threads do that at once, it crashes (0.22.0). So the
# class is described here, before there are requests.
Decoder(Tournament)


def _plain(value: Any) -> Any:
    """Return a value with each date and moment in it as an ISO text, also within nested dicts, but not within lists."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return value.isoformat() if isinstance(value, date) else value
