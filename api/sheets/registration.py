"""Registrations: who brings a deck to which event."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple, Self

from api.service import requests
from api.service.errors import Invalid, Wrong
from api.sheets.person_names import PersonName, cleaned
from validator.language import phrase

# The longest each field may be, in characters, once cleaned.
LONGEST: Mapping[str, int] = {
    "player": 100,
    "last_name": 60,
    "first_name": 60,
    "player_id": 20,
    "event": 120,
    "place": 100,
    "table": 10,
    "notes": 300,
    "format_name": 60,
}
_PRINTED = ("player_id", "event", "place", "table", "notes", "format_name")
_RAW = 4  # times the longest: what is read at all, so that cleaning is bounded
# An id is what an organiser's system made: letters, digits, and the signs that part them.
_ID = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z ._#/-]*[0-9A-Za-z])?")


_Day = date  # where a field has that name


class Event(NamedTuple):
    """An event of many decks: what is printed where a player's own row does not say otherwise; `date` is ISO."""

    event: str = ""
    date: str = ""
    place: str = ""
    format_name: str = ""

    @property
    def day(self) -> _Day | None:
        """The date."""
        return date.fromisoformat(self.date) if self.date else None

    @property
    def headline(self) -> str:
        """All of it in a line."""
        return " · ".join(filter(None, (self.format_name, self.event, self.date, self.place)))

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Self:
        """Read FIELDS of these names as a person typed them; Invalid has all that is wrong with them."""
        wrong: list[Wrong] = []
        texts = {key: _text(key, fields.get(key), wrong) for key in ("event", "place", "format_name")}
        day = _day(fields.get("date"), wrong)
        if wrong:
            raise Invalid(wrong)
        return cls(date=day.isoformat() if day else "", **texts)


NO_EVENT = Event()


@dataclass(frozen=True, slots=True)
class Registration:
    """A player and an event, fit to be printed; empty is what is to be filled in by hand.

    `address` is where a telephone goes that scans the sheet; without one it reads the deck's hash.
    """

    player: PersonName
    player_id: str = ""
    event: str = ""
    date: date | None = None
    place: str = ""
    table: str = ""
    notes: str = ""
    format_name: str = ""
    address: str = ""

    @property
    def day(self) -> str:
        """The date as it is printed."""
        return self.date.isoformat() if self.date else ""

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Registration:
        """Read FIELDS as a person typed them; Invalid has all that is wrong with them.

        The player is `player`, a name in one, or `last_name` and, if there is one, `first_name`.
        """
        wrong: list[Wrong] = []
        texts = {key: _text(key, fields.get(key), wrong) for key in LONGEST}
        player = _player(texts, wrong)
        day = _day(fields.get("date"), wrong)
        if texts["player_id"] and not _ID.fullmatch(texts["player_id"]):
            wrong.append(Wrong("/player_id", phrase("Write letters, digits and . _ # / - between them.")))
        if wrong:
            raise Invalid(wrong)
        return cls(player, date=day, **{key: texts[key] for key in _PRINTED})


def _text(field: str, value: Any, wrong: list[Wrong]) -> str:
    longest = LONGEST[field]
    if value is None:
        return ""
    if not isinstance(value, str):
        wrong.append(Wrong(f"/{field}", "Write a text, in quotes even where it is all digits."))
        return ""
    text = cleaned(value) if len(value) <= _RAW * longest else value
    if len(text) <= longest:
        return text
    wrong.append(
        Wrong(
            f"/{field}",
            phrase("This has {count} characters; at most {most} fit on a sheet.", count=len(text), most=longest),
        )
    )
    return ""


def _player(texts: Mapping[str, str], wrong: list[Wrong]) -> PersonName:
    if texts["player"]:
        if texts["last_name"] or texts["first_name"]:
            wrong.append(Wrong("/player", "Give player, or last_name and first_name, not both."))
        return PersonName.of(texts["player"])
    if not texts["last_name"] and not any(one.pointer in ("/player", "/last_name") for one in wrong):
        wrong.append(Wrong("/player", phrase("Write the player's name.")))
    return PersonName(texts["last_name"], texts["first_name"])


def _day(value: Any, wrong: list[Wrong]) -> date | None:
    if value is None or value == "" or isinstance(value, date):
        return value or None
    try:
        return requests.day(value)
    except TypeError:
        wrong.append(Wrong("/date", "Write a date as 2026-01-15, in quotes."))
    except ValueError as error:
        wrong.append(Wrong("/date", str(error)))
    return None
