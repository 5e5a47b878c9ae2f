"""Event fields: the loaded fields of requests and forms as fields of an event, a deck check or a registration.

Called by v1 and by the pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from api.events.base_desk import EventAccess
from api.events.moments import parse_moment
from api.events.players.entrant import Whereabouts
from api.events.registration_desk import RegistrationChange
from api.events.tournament import Tournament, Visibility
from api.service.clock import timezones
from api.service.errors import Invalid, Wrong
from api.service.shapes import Loaded
from api.sheets.person_names import clean_text
from api.sheets.registration import Registration
from api.web.services import services
from validator.errors import error_text
from validator.language import phrase

_MOMENTS = ("opens", "closes", "until", "started", "ended")
_WHO = ("player", "last_name", "first_name", "player_id", "notes")


def parse_event_fields(data: Mapping[str, Any], before: Tournament | None = None) -> Loaded:
    """Return a copy of the fields of an event or a deck check, with its times parsed. Unknown fields are kept.

    Times without an offset are in the event's time zone: `timezone` of the fields, else that of `before`, else UTC.
    `before` is the event before a change, None for a new event. Its visibility is the default of missing details in
    `visibility`. Raises Invalid with all wrong times, or for an unknown zone.
    """
    values = dict(data)
    zone = values.get("timezone", before.timezone if before else "UTC")
    if zone not in timezones():
        raise Invalid([Wrong("/timezone", phrase("There is no such time zone; write one as Europe/Berlin, or UTC."))])
    wrong: list[Wrong] = []
    for name in _MOMENTS:
        if values.get(name) is not None:
            values[name] = _parse_moment(values[name], zone, f"/{name}", wrong)
    if "visibility" in values:
        seen = before.visibility if before else Visibility()
        values["visibility"] = replace(seen, **_parse_visibility(values["visibility"], zone, wrong))
    if wrong:
        raise Invalid(wrong)
    return values


def _parse_moment(text: str, zone: str, pointer: str, wrong: list[Wrong]) -> Any:
    """Return the moment in a text, in time zone `zone` if the text has no offset.

    If the text is no moment, return None and add an error at `pointer` to `wrong`.
    """
    try:
        return parse_moment(text, zone)
    except ValueError as error:
        wrong.append(Wrong(pointer, error_text(error)))
        return None


def _parse_visibility(fields: Mapping[str, Any], zone: str, wrong: list[Wrong]) -> Loaded:
    """Return a copy of the fields of a visibility, with `public_from` parsed.

    Adds an error to `wrong` if that is no moment.
    """
    values = dict(fields)
    if values.get("public_from") is not None:
        values["public_from"] = _parse_moment(values["public_from"], zone, "/visibility/public_from", wrong)
    return values


def parse_registration(access: EventAccess, data: Mapping[str, Any], needs_name: bool) -> RegistrationChange:
    """Return the change of a registration from the loaded fields of a request, with the deck parsed.

    Only fields in `data` are changed. With `needs_name` a name is required: for a new registration, and for a page's
    form, which always has all fields. Raises Invalid if the player's data or the deck is wrong.
    """
    fields = _person_fields(data, needs_name)
    fields |= data.get("consent", {})
    if "team" in data:
        fields["team"] = data["team"]
    deck = services().desk.read_deck(access, data.get("deck"), data.get("decklist"))
    whereabouts = {key: data[key] for key in Whereabouts._fields if key in data}
    return RegistrationChange(fields, deck, data.get("decklist"), data.get("reason", ""), whereabouts)


def _person_fields(data: Mapping[str, Any], needs_name: bool) -> Loaded:
    """Return the cleaned `player` (full name), `player_id` and `notes`, each only if it is in `data`.

    `player` is also made of `last_name` and `first_name`. With `needs_name` it is always there. Raises Invalid with all
    errors.
    """
    fields = {key: data[key] for key in _WHO if key in data}
    has_name = needs_name or any(key in fields for key in ("player", "last_name", "first_name"))
    person = Registration.read(fields if has_name else {"player": "-", **fields})
    cleaned_fields: Loaded = {key: getattr(person, key) for key in ("player_id", "notes") if key in fields}
    player = clean_text(fields.get("player") or "") or person.player.full_name
    return cleaned_fields | ({"player": player} if has_name else {})
