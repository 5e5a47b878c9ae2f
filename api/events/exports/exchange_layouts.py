"""Exchange layouts: the players of an event as the files of other tournament tools.

`docs/how-to/exchange.md` lists which layouts were compared with files of the tool.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from xml.etree import ElementTree

from api.events.exports import player_lists
from api.events.exports.event_record import EventRecord, Participant
from api.sheets.person_names import PersonName
from api.workbooks.reporting import results_csv
from api.workbooks.reporting.reports import ID, LONG, Column, Report, writable

_Value = Callable[[Participant], str]


def _first_name(one: Participant) -> str:
    return PersonName.of(one.name).first


def _last_name(one: Participant) -> str:
    return PersonName.of(one.name).last


def _whole_name(one: Participant) -> str:
    return " ".join(filter(None, (_first_name(one), _last_name(one))))


def _list_text(one: Participant) -> str:
    return player_lists.list_text(one.verdict)


_PLAYER_ID, _EMAIL, _TEAM = (attrgetter(name) for name in ("player_id", "email", "team"))

# The headings of each tool's CSV, in their order, with the value under each.
CSV_LAYOUTS: Mapping[str, Sequence[tuple[str, _Value]]] = {
    "melee": (
        ("Email", _EMAIL),
        ("First Name", _first_name),
        ("Last Name", _last_name),
        ("Player ID", _PLAYER_ID),
        ("Team", _TEAM),
        ("Decklist", _list_text),
    ),
    "limitless": (("Name", _whole_name), ("Player ID", _PLAYER_ID), ("Email", _EMAIL), ("Decklist", _list_text)),
    "sharly": (("Last name", _last_name), ("First name", _first_name), ("Player ID", _PLAYER_ID), ("E-mail", _EMAIL)),
}
TOM = "tom"
LAYOUTS = (*CSV_LAYOUTS, TOM)
_TOM_DATA = ("city", "state", "country")  # that an event does not have


def players_csv(record: EventRecord, layout: str) -> bytes:
    """Return the players of an event as a CSV with the headings of one of CSV_LAYOUTS, by last name."""
    fields = [(Column(heading, ID if value is _PLAYER_ID else LONG), value) for heading, value in CSV_LAYOUTS[layout]]
    return results_csv.table(Report.of("Players", fields, _filed(record)))


def players_tdf(record: EventRecord) -> bytes:
    """Return the players of an event as a `.tdf` of TOM before its first round. It has no dates of birth."""
    about = {"type": "2", "stage": "1", "version": "1.80", "gametype": "TRADING_CARD_GAME", "mode": "TCG1DAY"}
    root = ElementTree.Element("tournament", about)
    data = ElementTree.SubElement(root, "data")
    _add(data, "name", record.event.event)
    for name in ("id", *_TOM_DATA):
        _add(data, name, "")
    _add(data, "startdate", _american(record.event.date))
    _add(root, "timeelapsed", "0")
    players = ElementTree.SubElement(root, "players")
    for one in _filed(record):
        player = ElementTree.SubElement(players, "player", {"userid": writable(one.player_id)})
        _add(player, "firstname", _first_name(one))
        _add(player, "lastname", _last_name(one))
        _add(player, "birthdate", "")
    for name in ("pods", "finalsoptions"):
        ElementTree.SubElement(root, name)
    ElementTree.indent(root)
    written: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return written


def _filed(record: EventRecord) -> list[Participant]:
    return sorted(record.participants, key=lambda one: PersonName.of(one.name).order)


def _add(parent: ElementTree.Element, name: str, text: str) -> None:
    ElementTree.SubElement(parent, name).text = writable(text)


def _american(day: str) -> str:
    """Return an ISO date as month/day/year."""
    year, month, of_month = day.split("-")
    return f"{month}/{of_month}/{year}"
