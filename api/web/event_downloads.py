"""Event downloads: the files of an event as answers, for whoever may have them, with a bearer's key or a cookie's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Response

from api.events.base_desk import EventAccess
from api.events.exports import event_reports
from api.events.exports import flyer as flyers
from api.events.exports.flyer import FLYERS
from api.events.judging.check_desk import CheckDesk
from api.events.players.list_desk import ListDesk, ListFile
from api.events.players.player_desk import PersonalLink
from api.sheets.sheet_files import KINDS
from api.web.public_address import public_root
from api.web.responses import file_headers
from api.web.services import services


def export(at: EventAccess, asked: Mapping[str, Any]) -> Response:
    """Return the file of an event that an ExportQuery asks for."""
    here, kind = services(), asked["kind"]
    with here.turns:
        made, data = CheckDesk(here.desk).export(at, kind, asked["paper"], asked["order"], public_root(for_staff=True))
    return _sent(at, data, made.media_type, f"{kind}.{made.suffix}")


def flyer(at: EventAccess, asked: Mapping[str, Any]) -> Response:
    """Return the flyer that a FlyerQuery asks for."""
    here, kind = services(), asked["kind"]
    with here.turns:
        data = flyers.flyer(at.event, public_root(), here.desk.now(), at.say, kind, asked["paper"])
    return _sent(at, data, FLYERS[kind], f"flyer.{kind}")


def lists(at: EventAccess, asked: Mapping[str, Any]) -> Response:
    """Return the lists that others see, as a ListsQuery asks for them."""
    here = services()
    with here.turns:
        made, data = ListDesk(here.desk).lists(at, asked["kind"])
    return _sent(at, data, made.media_type, f"lists.{made.suffix}")


def stream(at: EventAccess, asked: Mapping[str, Any]) -> Response:
    """Return the lists of a stream, as a StreamQuery asks for them."""
    made, data = streamed(at, asked, asked["kind"])
    return _sent(at, data, made.media_type, f"stream.{made.suffix}")


def streamed(at: EventAccess, asked: Mapping[str, Any], kind: str) -> ListFile:
    """Return the lists of the players, or of the table, that a StreamQuery names, as a kind of SHOWN_LISTS."""
    players = [one for one in asked.get("players", "").split(",") if one]
    return ListDesk(services().desk).stream(at, players, asked.get("table", ""), kind)


def links(at: EventAccess, kind: str, found: Sequence[PersonalLink], start: str) -> Response:
    """Return personal links as one of the files of `event_reports`. `start` is the address of the event's page."""
    data = event_reports.links_csv(kind, found, start, at.event, services().desk.now(), at.say)
    return _sent(at, data, KINDS["csv"].media_type, event_reports.LINK_FILES[kind])


def _sent(at: EventAccess, data: bytes, media_type: str, name: str) -> Response:
    """Return a file as a response, which nobody keeps but who asked for it."""
    response = Response(data, content_type=media_type)
    response.headers.update(file_headers(f"{at.event.on}-{name}"))
    return response
