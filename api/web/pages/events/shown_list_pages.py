"""The pages of lists that are shown to others: as files once they may be seen, and of a table in a stream."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Response, request

from api.events.list_desk import ListDesk
from api.service.errors import Invalid
from api.service.shapes import loaded
from api.web import event_downloads
from api.web.event_schemas import ListsQuery, StreamQuery
from api.web.pages.events.event_pages import refusal, standing_words
from api.web.pages.events.event_visitor import blueprint, shown, visiting
from api.web.services import services

_LISTS, _STREAM = ListsQuery(), StreamQuery()


@blueprint.get("/events/<id>/lists")
def lists(id: str) -> Response:
    """Get the lists that are shown to others, as a file."""
    return event_downloads.lists(visiting("lists", id), loaded(_LISTS, _asked("as")))


@blueprint.get("/events/<id>/stream")
def stream(id: str) -> Response:
    """Show the lists of some players, or of those at a table, side by side, and the form that asks for them."""
    at, asked = visiting("stream", id), _asked("players", "table")
    words = standing_words(at, services().desk.now()) | {
        "players": ListDesk(services().desk).consenting(at),
        "chosen": request.args.getlist("players"),
        "table": asked.get("table", ""),
        "asked": asked,
        "lists": None,
    }
    try:
        if asked:
            _, data = event_downloads.streamed(at, loaded(_STREAM, asked), "json")
            words["lists"] = orjson.loads(data)["lists"]
    except Invalid as error:
        status, faults = refusal(error)
        return shown("events/stream.html", status, **(words | {"faults": faults}))
    return shown("events/stream.html", **words)


@blueprint.get("/events/<id>/stream/file")
def stream_file(id: str) -> Response:
    """Get the lists of a stream as a file."""
    at = visiting("stream", id)
    return event_downloads.stream(at, loaded(_STREAM, _asked("players", "table", "as")))


def _asked(*names: str) -> dict[str, Any]:
    """Return what the address asks for; fields of one name are one text, with commas between."""
    asked = {name: ",".join(filter(None, request.args.getlist(name))) for name in names}
    return {name: text for name, text in asked.items() if text}
