"""The forms of events: the settings of an event and a registration, as browsers send them and the desks take them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from functools import cache
from typing import NamedTuple

from flask import request

from api.events.base_desk import EventAccess
from api.events.bounds import LONGEST_FILE
from api.events.players.entrant import RegistrationContent
from api.events.registration_desk import RegistrationChange
from api.events.tournament import Tournament
from api.service.clock import timezones
from api.service.errors import Invalid, Wrong
from api.service.shapes import Loaded, Shape, load_with
from api.web.event_fields import parse_event_fields, parse_registration
from api.web.event_schemas import EventChangeShape, EventShape, RegistrationShape, UndoShape
from api.web.pages.deck_form import YES_NO, Choices, DeckForm, choices, region_choices
from validator.games import GAMES
from validator.language import Language, phrase
from validator.rulesets import rulesets
from validator.words import format_name

_TERMS = ("name", "game", "on", "timezone", "opens", "closes", "place", "region", "format", "ruleset")
_NUMBERS = ("best_of", "purge_days")
_COUNTED = ("side_max", "main_min", "main_max", "release_delay_days")
_POLICY = (*_COUNTED, "copies", "copies_across_side", "swap_one_for_one", "release", "limits")
_MOMENTS = ("opens", "closes", "public_from")
_VISIBILITY = ("lists", "public_from", "roster")
_LIST, _LIST_FILE = "limits_list", "limits_file"
FIELDS = (*_TERMS, *_NUMBERS, *_POLICY, *_VISIBILITY, "verdicts", "consent", _LIST)
# What an event is without if nothing is written.
_MAY_GO = ("opens", "closes", "region", "format", "ruleset", "best_of", _LIST)
_MOST_DIGITS = 9
_CREATED, _CHANGED = EventShape(), EventChangeShape()
_NOT_UTF8 = phrase("The file is not text. Choose a TOML file in UTF-8.")
NOTHING_DELETED = phrase("Nothing was deleted. Tick the box to confirm.")
_TOO_LARGE = phrase("The file is too large. Leave some changes out.")


def read_event_fields() -> dict[str, str]:
    """Return the stripped texts of the event form's fields, "" for missing fields. Nothing is validated.

    An uploaded limits list wins over the typed one. An unreadable file is ignored here, but refused when the form is
    parsed.
    """
    fields = {name: request.form.get(name, "").strip() for name in FIELDS}
    with suppress(Invalid):  # raised again when the fields are parsed
        fields[_LIST] = read_list_file(_LIST_FILE).strip() or fields[_LIST]
    fields[_LIST] = _unify_line_ends(fields[_LIST])
    return fields


def read_reason() -> str:
    """Return the reason in the form, on one line, "" if there is none. Raises Invalid for one over 500 characters."""
    reason: str = load_with(UndoShape(), {"reason": request.form.get("reason", "")})["reason"]
    return reason


def read_list_file(name: str) -> str:
    """Return the text of an uploaded limits list in the form field `name`, "" if no file was sent.

    Raises Invalid if the file is larger than LONGEST_FILE or no UTF-8. It can be read again.
    """
    file = request.files.get(name)
    if file is None:
        return ""
    file.seek(0)
    data: bytes = file.read(LONGEST_FILE + 1)
    if len(data) > LONGEST_FILE:
        raise Invalid([Wrong(f"/{name}", _TOO_LARGE)])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Invalid([Wrong(f"/{name}", _NOT_UTF8)]) from None


def is_past_confirmed() -> bool:
    """Return True if the box of the form that confirms a day in the past is ticked."""
    return request.form.get("confirm") == "true"


def parse_new_event(fields: Mapping[str, str]) -> Loaded:
    """Return the settings of a new event for the desk, with moments and day parsed. Empty fields are left out.

    `fields` are those of `read_event_fields`. Raises Invalid with a pointer to each wrong field.
    """
    read_list_file(_LIST_FILE)
    return parse_event_fields(
        _load(_CREATED, {name: value for name, value in _request_values(fields).items() if value is not None})
    )


def parse_event_change(fields: Mapping[str, str], event: Tournament) -> Loaded:
    """Return the settings of the form to write to an event, with moments parsed. The game is left out.

    An unchanged limits list or moment is left out. If clocks show a moment twice, the field does not say which of the
    two it is. Empty fields become None if they may be empty, else are left out. The policy is None if none of its
    fields is filled in. Raises Invalid with a pointer to each wrong field.
    """
    read_list_file(_LIST_FILE)
    requested, before = _request_values(fields), event_fields(event)
    kept = {name: value for name, value in requested.items() if value is not None or name in (*_MAY_GO, "policy")}
    visibility = _visibility_values(fields)
    kept["visibility"] = visibility
    for name in _MOMENTS:
        if fields[name] == before[name]:
            (visibility if name == "public_from" else kept).pop(name, None)
    if fields[_LIST] == before[_LIST]:
        kept.pop(_LIST, None)
    kept.pop("game", None)
    return parse_event_fields(_load(_CHANGED, kept), event)


def _load(shape: Shape, values: Mapping[str, object]) -> Loaded:
    """Return the values that a schema loads, by field. Raises Invalid with all errors."""
    data: Loaded = load_with(shape, values)
    return data


def _request_values(fields: Mapping[str, str]) -> dict[str, object]:
    """Return the fields of the event form as the entries of a JSON request, None for empty fields.

    `consent` is always a bool, and `visibility` always a dict. Text that is no number or no bool stays, for the schema
    to refuse.
    """
    terms = {name: fields[name] or None for name in (*_TERMS, _LIST)}
    numbers = {name: _number_or_none(fields[name]) for name in _NUMBERS}
    policy = _policy_values(fields) or None
    return {
        **terms,
        **numbers,
        "policy": policy,
        "visibility": _visibility_values(fields),
        "consent": fields["consent"] == "true",
    }


def _visibility_values(fields: Mapping[str, str]) -> dict[str, object]:
    """Return the entries of `visibility` in a request. Empty fields are left out, but empty `public_from` is None.

    `verdicts` is always a bool: True for "true".
    """
    texts = {name: fields[name] for name in _VISIBILITY if fields[name]}
    return {"public_from": None, **texts, "verdicts": fields["verdicts"] == "true"}


def _policy_values(fields: Mapping[str, str]) -> dict[str, object]:
    """Return the entries of the organiser's policy in a request, for the fields that are filled in."""
    values = {name: _number_or_none(fields[name]) if name in _COUNTED else _yes_no(fields[name]) for name in _POLICY}
    return {name: value for name, value in values.items() if value is not None}


def _number_or_none(text: str) -> object:
    """Return the number of a field of at most 9 digits, None for "". Other text stays, for the schema to refuse."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else text or None


def _yes_no(text: str) -> object:
    """Return the bool of "true" or "false", None for "". Other text stays, for the schema to refuse."""
    return YES_NO.get(text, text or None)


def event_fields(event: Tournament) -> dict[str, str]:
    """Return the texts of the event form for the settings of an event, "" for settings that are None."""
    seen = event.visibility
    values: dict[str, object] = {name: getattr(event, name) for name in (*_TERMS, *_NUMBERS, "consent")}
    values[_LIST] = _unify_line_ends(event.limits_list or "").strip()
    values |= {name: getattr(event.policy, name, None) for name in _POLICY}
    values |= {"lists": seen.lists, "roster": seen.roster, "public_from": seen.public_from, "verdicts": seen.verdicts}
    for name in _MOMENTS:
        values[name] = moment_field(event, seen.public_from if name == "public_from" else getattr(event, name))
    return {name: _field_text(value) for name, value in values.items()}


def moment_field(event: Tournament, moment: datetime | None) -> str:
    """Return a moment as the text of a form field, in the event's time zone: `2026-11-20T22:00:00`. "" for None."""
    return event.local(moment).strftime("%Y-%m-%dT%H:%M:%S") if moment else ""


def _field_text(value: object) -> str:
    """Return a value as the text of a form field: "true", "false", "" for None, else its `str`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def game_choices(game: str, translate: Language) -> Choices:
    """Return the options of the event form, with labels in a language. Formats and regions are those of `game`.

    An unknown game, such as "", gets those of all games.
    """
    every = choices(translate)
    if game not in GAMES:
        return every
    formats = dict.fromkeys(format for one in rulesets().values() if one.game == game for format in one.formats)
    return every._replace(
        formats=tuple((format, format_name(format, translate)) for format in formats),
        regions=region_choices([game], translate),
    )


def ruleset_choices(game: str) -> tuple[tuple[str, str], ...]:
    """Return `(id, title)` of each edition of a game's rules. An unknown game, such as "", gets those of all games."""
    return tuple((one.id, one.title) for one in rulesets().values() if game == one.game or game not in GAMES)


@cache
def offered_timezones() -> tuple[str, ...]:
    """Return the names of the time zones in the form, sorted: UTC first, then those of places such as Europe/Berlin.

    Cached.
    """
    return ("UTC", *sorted(zone for zone in timezones() if "/" in zone and not zone.startswith(("Etc/", "SystemV/"))))


_REGISTRATION = RegistrationShape()
_STAYS = phrase("A registered list cannot be emptied. Write another list, or withdraw the registration.")
_PLAYER_TEXTS = ("player", "player_id", "team", "notes", "reason")
_WHERE = ("email", "table")  # no part of what is revised


class PlayerForm(NamedTuple):
    """The form of a registration as filled in. `publish` and `stream` are the player's consents.

    `etag` is the version that it changes, a number as text, "" for a new registration. `email` and `table` count only
    for a new one. `no_list` is the reason why an uploaded file is no deck list, "" without such a file.
    """

    player: str = ""
    player_id: str = ""
    team: str = ""
    notes: str = ""
    reason: str = ""
    decklist: str = ""
    publish: bool = False
    stream: bool = False
    email: str = ""
    table: str = ""
    etag: str = ""
    no_list: str = ""

    @classmethod
    def read(cls) -> PlayerForm:
        """Return the registration form in the current request. A file wins over a pasted list. Nothing is validated."""
        texts = {name: request.form.get(name, "").strip() for name in (*_PLAYER_TEXTS, *_WHERE, "etag")}
        deck = DeckForm.read()
        return cls(
            **texts,
            decklist=_unify_line_ends(deck.text),
            publish=request.form.get("publish") == "true",
            stream=request.form.get("stream") == "true",
            no_list=deck.instead.says if deck.instead else "",
        )

    @classmethod
    def from_content(cls, content: RegistrationContent, decklist: str, version: int) -> PlayerForm:
        """Return the form filled with the content of a registration and its deck as text. `version` becomes its `etag`.

        The reason and the contact fields stay empty.
        """
        fields = {
            name: getattr(content, name) for name in ("player", "player_id", "team", "notes", "publish", "stream")
        }
        return cls(**fields, decklist=_unify_line_ends(decklist), etag=str(version))

    def parse_change(self, access: EventAccess, before: PlayerForm | None = None) -> RegistrationChange:
        """Return the change of a registration for the desk. Only a list that differs from that of `before` is parsed.

        `before` is the form with the current content, None for a new registration. Only a new one has contact fields.
        Raises Invalid with a pointer to each wrong field, also if a registered list was emptied.
        """
        if self.no_list:
            raise Invalid([Wrong("/file", self.no_list)])
        if before and before.decklist and not self.decklist:
            raise Invalid([Wrong("/decklist", _STAYS)])
        data: dict[str, object] = {name: getattr(self, name) for name in _PLAYER_TEXTS}
        data["consent"] = {"publish": self.publish, "stream": self.stream}
        if before is None:
            data |= self._contact_fields(access.caller.is_staff)
        if self.decklist != (before.decklist if before else ""):
            data["decklist"] = self.decklist
        return parse_registration(access, load_with(_REGISTRATION, data), needs_name=True)

    def _contact_fields(self, is_staff: bool) -> dict[str, str]:
        """Return the player's e-mail address by its field name, for staff also the table."""
        return {"email": self.email} | ({"table": self.table} if is_staff else {})


def _unify_line_ends(text: str) -> str:
    """Return a text with plain line feeds and without spaces at its end, to compare texts of different browsers."""
    return "\n".join(text.rstrip().splitlines())


NOTHING = PlayerForm()
