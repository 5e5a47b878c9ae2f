"""The player form: who registers and with which list, as a browser sends it and as the desk takes it."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import request

from api.events.base_desk import EventAccess
from api.events.players.entrant import RegistrationContent
from api.events.registration_desk import RegistrationChange
from api.service.errors import Invalid, Wrong
from api.service.shapes import loaded
from api.web.event_schemas import RegistrationShape
from api.web.pages.deck_form import DeckForm
from api.web.v1.event_requests import wished
from validator.language import phrase

_SHAPE = RegistrationShape()
_STAYS = phrase("A list that was sent stays; write another one, or withdraw the registration.")
_TEXTS = ("player", "player_id", "team", "notes", "reason")
_WHERE = ("email", "table")  # no part of what is revised


class PlayerForm(NamedTuple):
    """The form as it was filled in; `etag` is the state that it changes, `no_list` why its file is no list."""

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
        """Return what the current request carries; a file goes before what was pasted."""
        texts: dict[str, Any] = {name: request.form.get(name, "").strip() for name in (*_TEXTS, *_WHERE, "etag")}
        texts |= {name: request.form.get(name) == "true" for name in ("publish", "stream")}
        deck = DeckForm.read()
        return cls(**texts, decklist=_lines(deck.text), no_list=deck.instead.says if deck.instead else "")

    @classmethod
    def of(cls, written: RegistrationContent, decklist: str, version: int) -> PlayerForm:
        """Return the form as it says what stands."""
        said = {name: getattr(written, name) for name in ("player", "player_id", "team", "notes", "publish", "stream")}
        return cls(**said, decklist=_lines(decklist), etag=str(version))

    def wish(self, at: EventAccess, before: PlayerForm | None = None) -> RegistrationChange:
        """Return what is asked of the desk; Invalid points at each field that cannot be meant."""
        if self.no_list:
            raise Invalid([Wrong("/file", self.no_list)])
        if before and before.decklist and not self.decklist:
            raise Invalid([Wrong("/decklist", _STAYS)])
        said: dict[str, Any] = {name: getattr(self, name) for name in _TEXTS}
        said["consent"] = {"publish": self.publish, "stream": self.stream}
        if before is None:
            said |= self._where(at.caller.is_staff)
        if self.decklist != (before.decklist if before else ""):
            said["decklist"] = self.decklist
        return wished(at, loaded(_SHAPE, said), needs_name=True)

    def _where(self, is_staff: bool) -> dict[str, str]:
        """Return where the player is written to, and sits, which is not the player's own say."""
        return {"email": self.email} | ({"table": self.table} if is_staff else {})


def _lines(text: str) -> str:
    """Return a list as it is compared: browsers end lines in a way of their own."""
    return "\n".join(text.rstrip().splitlines())


NOTHING = PlayerForm()
