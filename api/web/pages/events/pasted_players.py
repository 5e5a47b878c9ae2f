"""Pasted players: names that somebody pastes, a line a name, and spreadsheets of players, as a form sends them."""

from __future__ import annotations

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge

from api.events import player_import
from api.events.player_import import ImportedBook
from api.events.registration_desk import Standing
from api.service.errors import Invalid, Wrong
from api.sheets.person_names import cleaned
from api.web.services import services
from api.web.uploads import plain_name
from validator.language import phrase

_LONGEST_PASTE = 400_000  # characters
_NO_FILE = phrase("Choose the spreadsheet.")


def pasted_text() -> str:
    """Return what was pasted, as far as it is looked at."""
    return request.form.get("players", "")[:_LONGEST_PASTE]


def pasted_names(pasted: str) -> list[str]:
    """Return the names of lines."""
    return [name for line in pasted.splitlines() if (name := cleaned(line))]


def sent_players(at: Standing) -> ImportedBook:
    """Return the players of the form's spreadsheet; Invalid says why it is not read."""
    file, here = request.files.get("file"), services()
    if not file or not (data := file.read()):
        raise Invalid([Wrong("/file", _NO_FILE)])
    if len(data) > here.settings.max_workbook:
        raise RequestEntityTooLarge(f"A file may have {here.settings.max_workbook:,} bytes.")
    return player_import.read(data, plain_name(file.filename or "players"), here.library.catalogue(at.event.game))
