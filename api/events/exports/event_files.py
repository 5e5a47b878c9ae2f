"""Files of an event: its workbook, all its sheets, tables, letters and lists, each as the kind that is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from io import BytesIO
from typing import Annotated, NamedTuple, TypedDict

from api.events.check_json import DeckCheckJSON, GivenPenaltyJSON, InfractionJSON
from api.events.exports import event_reports, player_lists
from api.events.exports.event_record import EventRecord, Participant
from api.events.player_json import AwaitedPlayerJSON, MadeWithJSON
from api.events.players.attendance import awaited_json
from api.sheets.sheet_files import KINDS
from api.workbooks.reporting import registration_sheets, results_csv, results_xlsx
from api.workbooks.reporting.results_xlsx import BookPage
from validator.deck import DeckJSON
from validator.field_docs import doc
from validator.language import ENGLISH


class OccasionJSON(TypedDict):
    """The event of an export: its name, its day and its place, "" if it has none.

    `date` is the ISO day. `format_name` is always "": the export's own `format` has the format.
    """

    event: str
    date: str
    place: str
    format_name: str


class ExportedPlayerJSON(TypedDict):
    """A registration in an export, with the verdict on its list. `received` is the local time of the newest revision.

    `registration` is an id, `revision` the number of the newest one. Texts that are not known are "". Without a list
    `received`, `legal`, `deck_hash` and `deck` are null, `codes` and `infractions` are empty. `deck` leaves out lines
    that could not be parsed.
    """

    registration: str
    player: str
    player_id: str
    team: str
    table: str
    email: str
    notes: str
    received: str | None
    revision: int
    legal: bool | None
    codes: Annotated[list[str], doc("The codes of the verdict's findings.")]
    infractions: Annotated[list[InfractionJSON], doc("The infractions that the list has.")]
    deck_hash: str | None
    deck: DeckJSON | None


class ExportedEventJSON(MadeWithJSON):
    """An event as one JSON file: players with decks and verdicts, absent players, deck checks and penalties.

    Of duplicate registrations only the one that counts is in `players`. `expected` are expected players who have not
    registered. Checks that have not begun are left out.
    """

    event: OccasionJSON
    players: list[ExportedPlayerJSON]
    expected: list[AwaitedPlayerJSON]
    checks: Annotated[list[DeckCheckJSON], doc("All deck checks that have begun.")]
    penalties: Annotated[list[GivenPenaltyJSON], doc("All penalties.")]


class ExportKind(NamedTuple):
    """A kind of file for exports: its media type, its suffix without the dot, and `write`, a function.

    `write` returns the bytes of the file. It raises Refused if the file cannot be made.
    """

    media_type: str
    suffix: str
    write: Callable[[EventRecord], bytes]


def _workbook(record: EventRecord) -> bytes:
    """Return all tables of an event as an XLSX workbook."""
    results = record.results
    page = BookPage(record.paper, results.book.name, results_xlsx.occasion(results, record.event))
    written = BytesIO()
    results_xlsx.draw(list(event_reports.build_reports(record)), written, page, len(record.participants))
    return written.getvalue()


def _sheets(record: EventRecord) -> bytes:
    """Return the registration sheets of all players with a list as one PDF.

    Raises Refused if there are none, or more than 2,000.
    """
    return registration_sheets.write(record.results, record.paper, record.event, record.order)


def _event_data(record: EventRecord) -> bytes:
    """Return all data of an event as JSON."""
    event = record.event
    made_with: MadeWithJSON = record.judge.made_with
    document: ExportedEventJSON = {
        "event": {"event": event.event, "date": event.date, "place": event.place, "format_name": event.format_name},
        **made_with,
        "players": [_player_json(one, record) for one in record.participants],
        "expected": [awaited_json(one) for one in record.expected],
        "checks": [one.as_json() for one in record.checks],
        "penalties": [one.as_json() for one in record.penalties],
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8", "replace")


def _player_json(player: Participant, record: EventRecord) -> ExportedPlayerJSON:
    """Return a player with the verdict on the list and its infractions, in English, as JSON."""
    verdict = player.verdict
    infractions = [each.as_json(ENGLISH) for each in record.find_infractions(player)]
    return {
        "registration": player.registration,
        "player": player.name,
        "player_id": player.player_id,
        "team": player.team,
        "table": player.table,
        "email": player.email,
        "notes": player.notes,
        "received": player.received.isoformat() if player.received else None,
        "revision": player.revision,
        "legal": verdict.legal if verdict else None,
        "codes": verdict.codes if verdict else [],
        "infractions": infractions,
        "deck_hash": verdict.deck_hash if verdict else None,
        "deck": verdict.resolved_deck if verdict else None,
    }


def _published_data(record: EventRecord) -> bytes:
    """Return the lists as everybody may see them, as JSON with the fields of PublishedListsJSON."""
    return json.dumps(player_lists.lists_json(record.participants, record.event), ensure_ascii=False).encode()


_CSV, _JSON, _ZIP = KINDS["csv"].media_type, "application/json", "application/zip"

# The tables have players without a list too, by last name. A letter has the repairs of the deck, or says that there is
# no list. Reminders are for players without a list and for expected players who have not registered.
EXPORTS: Mapping[str, ExportKind] = {
    "xlsx": ExportKind(KINDS["xlsx"].media_type, "xlsx", _workbook),
    "pdf": ExportKind(KINDS["pdf"].media_type, "pdf", _sheets),
    "csv": ExportKind(_CSV, "csv", lambda record: results_csv.summary(record.results.sorted_by_name)),
    "zip": ExportKind(_ZIP, "zip", lambda record: player_lists.archive(record.participants)),
    "json": ExportKind(_JSON, "json", _event_data),
    "mail-merge": ExportKind(_CSV, "csv", lambda record: results_csv.messages(record.results.sorted_by_name)),
    "reminders": ExportKind(_CSV, "csv", lambda record: results_csv.table(event_reports.reminders(record))),
    **{
        layout: ExportKind(_CSV, "csv", partial(player_lists.players_csv, layout=layout))
        for layout in player_lists.CSV_LAYOUTS
    },
    player_lists.TOM: ExportKind("application/xml", "tdf", player_lists.players_tdf),
}

# What is shown of lists to everybody, and of two in a stream.
SHOWN_LISTS: Mapping[str, ExportKind] = {
    "json": ExportKind(_JSON, "json", _published_data),
    "csv": ExportKind(_CSV, "csv", lambda record: results_csv.table(player_lists.shown_table(record.participants))),
    "text": ExportKind(
        "text/plain; charset=utf-8",
        "txt",
        lambda record: player_lists.shown_text(record.participants).encode("utf-8", "replace"),
    ),
    "zip": ExportKind(_ZIP, "zip", lambda record: player_lists.archive(record.participants, private=False)),
}
