"""The pages that bring players to an event: the import of a spreadsheet, expected players, and personal links."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from flask import Response, request

from api.events.base_desk import EventAccess
from api.events.bounds import MOST_ENTRANTS
from api.events.exports.event_reports import LINK_FILES, LINKS
from api.events.player_json import ExpectedJSON, KeptImportJSON
from api.events.players import player_import
from api.events.players.entrant import ExpectedPlayer, match_names
from api.events.players.import_desk import ImportDesk
from api.events.players.player_desk import ALL, GROUPS, MISSING, LinkDesk, PersonalLink, PlayerDesk
from api.events.players.player_import import ImportedBook
from api.events.rights import Permission
from api.service.errors import Changed, Declined, Invalid, Wrong
from api.sheets.person_names import clean_text
from api.sheets.registration import LONGEST
from api.web import event_downloads
from api.web.bodies import Upload
from api.web.pages.events.event_forms import read_reason
from api.web.pages.events.event_pages import render_event_page
from api.web.pages.events.event_visitor import blueprint, data_of, form_request, redirect_to, require_visitor_permission
from api.web.pages.rendering import current_visit, is_unsubmitted
from api.web.pages.workbook_pages import MOST_CARRIED, read_spreadsheet
from api.web.public_address import event_address
from api.web.services import services
from api.workbooks.readings import CHOICES, ROLES, TakenColumn
from validator.language import Language, phrase

_LONGEST_PASTE = 400_000  # characters


def pasted_text() -> str:
    """Return the text pasted in the form, at most its first 400,000 characters. "" if there is none."""
    return request.form.get("players", "")[:_LONGEST_PASTE]


def pasted_names(pasted: str) -> list[str]:
    """Return the cleaned names in a text, one per line. Blank lines are skipped, duplicates are kept."""
    return [name for line in pasted.splitlines() if (name := clean_text(line))]


def read_form_players(access: EventAccess) -> ImportedBook:
    """Return the players of the form's spreadsheet. Raises Invalid if there is none or it cannot be read."""
    return read_players(access, read_form_file())


def read_form_file() -> Upload:
    """Return the spreadsheet of the form, else the one that the page carried along.

    Its `fields` are the chosen columns. Raises Invalid if there is none, RequestEntityTooLarge if it is too large.
    """
    choices = {choice: text for choice in CHOICES if (text := request.form.get(choice, "").strip())}
    return read_spreadsheet(choices, "file_name", "players")


def read_players(access: EventAccess, upload: Upload) -> ImportedBook:
    """Return the players of an uploaded spreadsheet. Raises Invalid with the reason if it cannot be read."""
    return player_import.read(upload.data, upload.name, services().library.catalogue(access.event.game), upload.fields)


@blueprint.route("/events/<id>/import", methods=["GET", "POST"])
@require_visitor_permission(Permission.IMPORT_PLAYERS)
def import_players(access: EventAccess) -> Response:
    """Return the preview of the form's spreadsheet of players. With the field `plan` of a preview import it.

    GET, and a form that was sent only to change the language, return the empty form. The import is refused with a new
    preview if it would do something else than its preview. The page after the import shows the new players' links once.
    Errors are shown in the form.
    """
    desk = ImportDesk(services().desk)
    if request.method == "GET" or is_unsubmitted():
        return _import_page(access)
    upload = None
    try:
        upload = read_form_file()
        book = read_players(access, upload)
        if not (plan := request.form.get("plan", "")):
            return _preview_page(access, upload, book)
        try:
            return _import_page(
                access, done=data_of(desk.import_players(access, book, read_reason(), form_request(), plan))
            )
        except Changed as error:
            return _preview_page(access, upload, book, error)
    except (Invalid, Declined) as error:
        return _import_page(access, upload, error)


@blueprint.post("/events/<id>/imports/<iid>/undo")
@require_visitor_permission(Permission.UNDO_IMPORT)
def undo_import(access: EventAccess, iid: str) -> Response:
    """Undo an import, and return the page with the registrations that were left because they changed since.

    If undoing is refused, the page shows the reason.
    """
    desk = ImportDesk(services().desk)
    try:
        return _import_page(access, undone=data_of(desk.undo_import(access, iid, read_reason(), form_request())))
    except (Invalid, Declined) as error:
        return _import_page(access, error=error)


def _preview_page(access: EventAccess, upload: Upload, book: ImportedBook, error: Changed | None = None) -> Response:
    """Return the page with the preview of an import: its changes, the columns of the file, and their roles.

    `error` is shown if the import was refused because the preview was out of date. Nothing is stored.
    """
    preview = data_of(ImportDesk(services().desk).preview(access, book, read_reason()))
    columns = next((reading.columns for reading in book.readings if reading.columns), ())
    translate = current_visit().translate
    named = {column.column: column.label(translate) for column in columns}
    return _import_page(
        access,
        upload,
        error,
        preview=preview,
        columns=[*named.items(), *((heading, heading) for heading in book.aside)],
        choices=[(name, _find_columns(columns, ROLES[role], translate)) for name, role in CHOICES.items()],
    )


def _find_columns(columns: Iterable[TakenColumn], role: str, translate: Language) -> list[str]:
    """Return the labels of the columns with a role, in a language."""
    return [column.label(translate) for column in columns if column.role == role]


def _list_imports(access: EventAccess) -> list[KeptImportJSON]:
    """Return the imports of an event, the newest first."""
    kept: list[KeptImportJSON] = data_of(ImportDesk(services().desk).imports(access))["imports"]
    return kept


def _import_page(
    access: EventAccess, upload: Upload | None = None, error: Invalid | Declined | None = None, **known: Any
) -> Response:
    """Return the import page with the history of imports. `known` are further template values.

    An `upload` of at most 300,000 bytes is carried along in the form for the next step. `error` is shown at its fields.
    Raises `error` if it is NoAccess.
    """
    carried = upload.data if upload and len(upload.data) <= MOST_CARRIED else b""
    words: dict[str, Any] = {
        "start": event_address(access.event.id),
        "reason": request.form.get("reason", ""),
        "fields": {name: request.form.get(name, "") for name in CHOICES},
        "carried": b64encode(carried).decode(),
        "file": upload.name if upload else "",
        "imports": [{**one, "at": datetime.fromisoformat(one["at"])} for one in _list_imports(access)],
        "is_open": access.event.is_open(services().desk.now()),
    }
    return render_event_page("events/import.html", access, error, **(words | known))


_MOST = LONGEST["player"]


@blueprint.get("/events/<id>/expected")
@require_visitor_permission(Permission.LIST_EXPECTED)
def expected(access: EventAccess) -> Response:
    """Return the page with the expected players, whether each has registered, and the forms to change the list."""
    return _expected_page(access)


@blueprint.post("/events/<id>/expected")
@require_visitor_permission(Permission.CHANGE_EXPECTED)
def expect(access: EventAccess) -> Response:
    """Replace the expected players by pasted names, one per line, and redirect to their page.

    A name that was expected before keeps its ID and e-mail address. Errors return the page with the pasted names. So
    does a form that was sent only to change the language.
    """
    pasted, desk = pasted_text(), PlayerDesk(services().desk)
    if is_unsubmitted():
        return _expected_page(access, pasted)
    before = [
        ExpectedPlayer(one["player"], one["player_id"], one["email"]) for one in _expected_players(access)["players"]
    ]
    try:
        desk.expect(access, match_names(_parse_names(pasted), before), form_request())
    except (Invalid, Declined) as error:
        return _expected_page(access, pasted, error)
    return redirect_to(f"/events/{access.event.id}/expected")


@blueprint.post("/events/<id>/expected/import")
@require_visitor_permission(Permission.CHANGE_EXPECTED)
def expect_book(access: EventAccess) -> Response:
    """Replace the expected players by those of a spreadsheet, with IDs and e-mail addresses. No player is registered.

    Return the page with the rows that could not be read, or with the error. A form that was sent only to change the
    language replaces nothing.
    """
    desk = ImportDesk(services().desk)
    if is_unsubmitted():
        return _expected_page(access)
    try:
        book = read_form_players(access)
        desk.expect_book(access, book, form_request())
    except (Invalid, Declined) as error:
        return _expected_page(access, error=error)
    return _expected_page(access, unread_lines=[one.message for one in book.faults])


def _parse_names(pasted: str) -> list[str]:
    """Return the names in a pasted list, one per line. Raises Invalid with the line's number if a name is too long."""
    names = pasted_names(pasted)
    for number, name in enumerate(names, 1):
        if len(name) > _MOST:
            says = phrase("Name {number} has more than {most} characters.", number=number, most=_MOST)
            raise Invalid([Wrong("/players", says)])
    return names


def _expected_players(access: EventAccess) -> ExpectedJSON:
    """Return the JSON of the expected players of an event, each with `registered`."""
    kept: ExpectedJSON = data_of(PlayerDesk(services().desk).list_expected(access))
    return kept


def _expected_page(
    access: EventAccess,
    pasted: str | None = None,
    error: Invalid | Declined | None = None,
    unread_lines: Sequence[str] = (),
) -> Response:
    """Return the page of the expected players. `pasted` is the text to show again, None for the names of the list.

    `error` is shown at the form's fields. `unread_lines` are messages about rows of a spreadsheet that could not be
    read.
    """
    players = _expected_players(access)["players"]
    return render_event_page(
        "events/expected.html",
        access,
        error,
        pasted="\n".join(one["player"] for one in players) if pasted is None else pasted,
        away=[one for one in players if not one["registered"]],
        there=[one for one in players if one["registered"]],
        unread=unread_lines,
    )


_NOT_SURE = phrase("Nothing was changed. Tick the box to end the old links.")


@blueprint.post("/events/<id>/links/file")
@require_visitor_permission(Permission.RENEW_LINKS)
def link_file(access: EventAccess) -> Response:
    """Return personal links as a CSV download, for the keys that the page sends back in the form.

    The server stores no keys that it could list. Keys that open no registration of the event are ignored. `as` of the
    form is the kind of file, one of LINK_FILES, by default the links without letters.
    """
    keys = request.form.get("keys", "").split()[:MOST_ENTRANTS]
    kind = request.form.get("as", "")
    found = LinkDesk(services().desk).find_links(access, keys)
    return event_downloads.links_response(
        access, kind if kind in LINK_FILES else LINKS, found, event_address(access.event.id)
    )


@blueprint.get("/events/<id>/links")
@require_visitor_permission(Permission.RENEW_LINKS)
def new_links(access: EventAccess) -> Response:
    """Return the page with the form that makes new personal links for many players."""
    return _links_page(access)


@blueprint.post("/events/<id>/links")
@require_visitor_permission(Permission.RENEW_LINKS)
def renew_links(access: EventAccess) -> Response:
    """Make new links for the players without a list, or for all players, and return the page that shows them once.

    Their old links end. Unless the box `sure` is ticked, the page only shows an error.
    """
    group = request.form.get("for", "")
    try:
        if request.form.get("sure") != "true":
            raise Invalid([Wrong("/sure", _NOT_SURE)])
        made = data_of(
            LinkDesk(services().desk).renew_links(access, group if group in GROUPS else MISSING, form_request())
        )
    except (Invalid, Declined) as error:
        return _links_page(access, error=error)
    return _links_page(access, [PersonalLink(**one) for one in made["links"]])


def _links_page(
    access: EventAccess, links: list[PersonalLink] | None = None, error: Invalid | Declined | None = None
) -> Response:
    """Return the page for new personal links. `links` are those just made, None if none were made.

    `error` is shown at the form's fields. Raises `error` if it is NoAccess.
    """
    return render_event_page(
        "events/new_links.html",
        access,
        error,
        made=[{"player": one.player, "key": one.key, "id": one.registration} for one in links or ()],
        was_made=links is not None,
        start=event_address(access.event.id),
        group=request.form.get("for", MISSING),
        groups=(MISSING, ALL),
    )
