"""Registrations: a player and an event, as texts for a sheet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, Self

from api.service import requests
from api.service.errors import Invalid, Wrong
from api.sheets.person_names import PersonName, clean_text
from validator.errors import error_text
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
_PRINTED_FIELDS = ("player_id", "event", "place", "table", "notes", "format_name")
_MOST_RAW = 4  # times the longest: texts that are longer are refused before they are clean_text
# Ids of organisers' systems: letters and digits with separators.
_ID = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z ._#/-]*[0-9A-Za-z])?")


_Day = date  # where a field has that name


class Event(NamedTuple):
    """An event of many decks: the defaults for players whose own row has no such field. `date` is ISO 8601 or "".

    `event` is its name, `format_name` the format as it is printed. Each is "" if it is not given.
    """

    event: str = ""
    date: str = ""
    place: str = ""
    format_name: str = ""

    @property
    def day(self) -> _Day | None:
        """The date of the event, None if it is not given."""
        return date.fromisoformat(self.date) if self.date else None

    @property
    def headline(self) -> str:
        """Format, name, date and place of the event in one line, as far as they are given."""
        return " · ".join(filter(None, (self.format_name, self.event, self.date, self.place)))

    @classmethod
    def read(cls, fields: Mapping[str, object]) -> Self:
        """Return the event of a form with the fields `event`, `date`, `place` and `format_name`, each optional.

        Texts are cleaned. Raises Invalid with all errors: no texts, texts that are too long, or an invalid date.
        """
        wrong: list[Wrong] = []
        texts = {key: _read_text(key, fields.get(key), wrong) for key in ("event", "place", "format_name")}
        day = _day(fields.get("date"), wrong)
        if wrong:
            raise Invalid(wrong)
        return cls(date=day.isoformat() if day else "", **texts)


NO_EVENT = Event()


@dataclass(frozen=True, slots=True)
class Registration:
    """A player and an event, cleaned for printing. Empty fields ("", or None for `date`) are filled in by hand.

    `event` is the name of the event. `address` is the URL in the sheet's QR code. Without it the code has the deck's
    hash.
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
        """The date as it is printed (ISO 8601), "" if there is none."""
        return self.date.isoformat() if self.date else ""

    @classmethod
    def read(cls, fields: Mapping[str, object]) -> Registration:
        """Return the registration of a form, with cleaned texts. Raises Invalid with all errors.

        The player is `player`, a full name, or `last_name` with an optional `first_name`. All other fields are
        optional.
        """
        wrong: list[Wrong] = []
        texts = {key: _read_text(key, fields.get(key), wrong) for key in LONGEST}
        player = _read_player(texts, wrong)
        day = _day(fields.get("date"), wrong)
        if texts["player_id"] and not _ID.fullmatch(texts["player_id"]):
            wrong.append(Wrong("/player_id", phrase("Write only letters and digits, with . _ # / - between them.")))
        if wrong:
            raise Invalid(wrong)
        return cls(player, date=day, **{key: texts[key] for key in _PRINTED_FIELDS})


def _read_text(field: str, value: object, wrong: list[Wrong]) -> str:
    """Return the cleaned text of a field, "" if it is missing or wrong. An error is added to `wrong`.

    It is wrong if it is no text or longer than the field's LONGEST.
    """
    longest = LONGEST[field]
    if value is None:
        return ""
    if not isinstance(value, str):
        wrong.append(Wrong(f"/{field}", phrase("Write a text, in quotes even if it is all digits.")))
        return ""
    text = clean_text(value) if len(value) <= _MOST_RAW * longest else value
    if len(text) <= longest:
        return text
    wrong.append(
        Wrong(
            f"/{field}",
            phrase("The text has {count} characters. At most {most} fit on a sheet.", count=len(text), most=longest),
        )
    )
    return ""


def _read_player(texts: Mapping[str, str], wrong: list[Wrong]) -> PersonName:
    """Return the player's name from `player`, else from `last_name` and `first_name`. An error is added to `wrong`.

    It is an error to give both forms or no last name. No error is added if one of these fields is wrong already.
    """
    if texts["player"]:
        if texts["last_name"] or texts["first_name"]:
            wrong.append(Wrong("/player", phrase("Give player, or last_name and first_name, not both.")))
        return PersonName.parse(texts["player"])
    if not texts["last_name"] and not any(error.pointer in ("/player", "/last_name") for error in wrong):
        wrong.append(Wrong("/player", phrase("Write the player's name.")))
    return PersonName(texts["last_name"], texts["first_name"])


def _day(value: object, wrong: list[Wrong]) -> date | None:
    """Return the day of the event, None if it is missing or wrong. An error is added to `wrong`.

    `value` is a date or an ISO 8601 text. None and "" are missing.
    """
    if value is None or value == "":
        return None
    if isinstance(value, date):
        return value
    if not isinstance(value, str):
        wrong.append(Wrong("/date", phrase("Write a date as 2026-01-15, in quotes.")))
        return None
    try:
        return requests.day(value)
    except ValueError as error:
        wrong.append(Wrong("/date", error_text(error)))
        return None
