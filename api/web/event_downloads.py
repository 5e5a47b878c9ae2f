"""Event downloads: the files of an event as responses.

Called by v1, with a key, and by the pages, with a cookie.
"""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response

from api.events.base_desk import EventAccess
from api.events.exports import event_reports
from api.events.exports import flyer as flyers
from api.events.exports.flyer import FLYERS, FlyerKind
from api.events.judging.check_desk import CheckDesk
from api.events.players.list_desk import ListDesk, ListFile
from api.events.players.player_desk import PersonalLink
from api.sheets.sheet_files import KINDS
from api.web.public_address import public_root
from api.web.responses import file_headers
from api.web.services import services


def export_response(access: EventAccess, kind: str, paper: str, order: str) -> Response:
    """Return a file with the data of an event as a download, named after the day of the event and `kind`.

    `kind` is one of EXPORTS, `paper` one of PAPERS. `order` is the order of printed sheets, one of ORDERS. Raises Busy
    if too many files are being made, NoAccess if the caller may not see the data, Invalid if the file cannot be made.
    """
    here = services()
    with here.turns:
        export_kind, data = CheckDesk(here.desk).export(access, kind, paper, order, public_root(for_staff=True))
    return _file_response(access, data, export_kind.media_type, f"{kind}.{export_kind.suffix}")


def flyer_response(access: EventAccess, kind: FlyerKind, paper: str) -> Response:
    """Return a flyer with the registration address of an event as a download. `kind` is one of FLYERS.

    `paper` is one of PAPERS. Raises Busy if too many files are being made.
    """
    here = services()
    with here.turns:
        data = flyers.flyer(access.event, public_root(), here.desk.now(), access.translate, kind, paper)
    return _file_response(access, data, FLYERS[kind], f"flyer.{kind}")


def lists_response(access: EventAccess, kind: str) -> Response:
    """Return the players' lists of an event that the caller may see, as a download. `kind` is one of SHOWN_LISTS.

    If the event needs consent, lists without it are left out. Of duplicates only the one that counts is included.
    Raises NoAccess if the caller may not see any list, Busy if too many files are being made.
    """
    here = services()
    with here.turns:
        file, data = ListDesk(here.desk).lists(access, kind)
    return _file_response(access, data, file.media_type, f"lists.{file.suffix}")


def stream_response(access: EventAccess, kind: str, players: str = "", table: str = "") -> Response:
    """Return the lists of some players for a stream as a download. Arguments and errors are those of `stream_lists`."""
    file, data = stream_lists(access, kind, players, table)
    return _file_response(access, data, file.media_type, f"stream.{file.suffix}")


def stream_lists(access: EventAccess, kind: str, players: str = "", table: str = "") -> ListFile:
    """Return the lists of some players for a stream, as `(file, data)`: the ExportKind of the file and its bytes.

    `kind` is one of SHOWN_LISTS. `players`: registration ids separated by commas. `table`: in place of ids, all players
    at this table. Exactly one of both is "". Raises NoAccess if the caller may not see lists yet. Raises Invalid if a
    player has no list, if there are too many players, or if one does not consent to a stream. Raises Busy if too many
    requests wait.
    """
    ids = [id for id in players.split(",") if id]
    return ListDesk(services().desk).stream(access, ids, table, kind)


def links_response(access: EventAccess, kind: str, personal_links: Sequence[PersonalLink], start: str) -> Response:
    """Return the personal links of players as a CSV download. `kind` is one of LINK_FILES: links only, or with letters.

    `start` is the address of the event page, at which each link begins.
    """
    data = event_reports.links_csv(kind, personal_links, start, access.event, services().desk.now(), access.translate)
    return _file_response(access, data, KINDS["csv"].media_type, event_reports.LINK_FILES[kind])


def _file_response(access: EventAccess, data: bytes, media_type: str, name: str) -> Response:
    """Return a file as a download that is never cached. Its name is the day of the event, a hyphen and `name`."""
    response = Response(data, content_type=media_type)
    response.headers.update(file_headers(f"{access.event.on}-{name}"))
    return response
