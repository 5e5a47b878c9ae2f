"""Lists of players: JSON, tables and text of lists that others see, a zip, and the files of other tournament tools.

`docs/how-to/exchange.md` lists which files of tools the layouts were compared with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from operator import attrgetter, itemgetter
from typing import Annotated, TypedDict, cast
from xml.etree import ElementTree
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from api.events.exports.event_record import EventRecord, Participant
from api.events.player_json import LeaderJSON
from api.service.answers.json_schema import doc
from api.service.answers.verdict_answers import DeckJSON, SizesJSON, understood_deck_json
from api.sheets.person_names import PersonName
from api.sheets.registration import Event
from api.sheets.sheet import TITLES
from api.workbooks.reporting import results_csv
from api.workbooks.reporting.report_table import ID, LONG, NUMBER, TEXT, Column, Field, Report, Value, writable
from validator.cards import Card
from validator.deck import DeckLine
from validator.judge import Verdict


class PublishedListJSON(TypedDict):
    player: str
    leader: LeaderJSON | None
    counts: SizesJSON
    deck: DeckJSON
    text: Annotated[str, doc("The list as text that is read again.")]


class PublishedListsJSON(TypedDict):
    event: str
    date: str
    place: str
    lists: list[PublishedListJSON]


_UNSAFE = re.compile(r"[^\w ,'-]+")  # in the name of a file, on some system
_LONGEST = 80  # characters of a name in a file's name


def _sort_lists(players: Iterable[Participant]) -> list[Participant]:
    """Return the players with a list, sorted by last name."""
    return sorted((one for one in players if one.verdict), key=lambda one: PersonName.parse(one.name).order)


def lists_json(players: Iterable[Participant], event: Event) -> PublishedListsJSON:
    """Return lists as everybody may see them, by last name: names and decks without ids, notes and verdicts."""
    found = [_list_json(one.name, one.verdict) for one in _sort_lists(players) if one.verdict]
    return {"event": event.event, "date": event.date, "place": event.place, "lists": found}


def _list_json(player: str, verdict: Verdict) -> PublishedListJSON:
    """Return a published list as JSON."""
    leader = verdict.facts.leader
    return {
        "player": player,
        "leader": {"number": leader.number, "name": leader.name, "colors": leader.colors} if leader else None,
        "counts": cast("SizesJSON", dict(verdict.facts.sizes)),
        "deck": understood_deck_json(verdict),
        "text": list_text(verdict),
    }


def shown_text(players: Iterable[Participant]) -> str:
    """Return lists as everybody may see them as text, one under the other."""
    return "\n\n\n".join(f"{one.name}\n\n{list_text(one.verdict)}" for one in _sort_lists(players)) + "\n"


def shown_table(players: Iterable[Participant]) -> Report:
    """Return lists as everybody may see them as a table with a row for each card."""
    fields: list[Field[tuple[Value, ...]]] = [
        (Column("Player", LONG, 30), itemgetter(0)),
        (Column("Section", TEXT, 10), itemgetter(1)),
        (Column("Number", TEXT, 12), itemgetter(2)),
        (Column("Name", LONG, 30), itemgetter(3)),
        (Column("Count", NUMBER, 6), itemgetter(4)),
    ]
    return Report.build("Lists", fields, (row for one in _sort_lists(players) for row in _rows(one)))


def _rows(player: Participant) -> Iterator[tuple[Value, ...]]:
    """Yield a row for each line of a player's list: player, section, number, name, copies."""
    for section, lines in player.verdict.facts.resolved_lines.items() if player.verdict else ():
        for line, card in lines:
            number, name = (card.number, card.name) if card else (line.number, line.name)
            yield player.name, section, number or "", name or "", line.count


def list_text(verdict: Verdict | None) -> str:
    """Return a list as plain text that can be parsed again: each section with its cards. "" without a list."""
    return "\n\n".join(_blocks(verdict)) if verdict else ""


def _blocks(verdict: Verdict) -> Iterator[str]:
    """Yield the text of each section of a list."""
    for section, lines in verdict.facts.resolved_lines.items():
        if lines:
            yield "\n".join((TITLES[section], *(f"{line.count} {_card_text(line, card)}" for line, card in lines)))


def _card_text(line: DeckLine, card: Card | None) -> str:
    """Return number and name of a card. An unknown card has those of its line."""
    return f"{card.number} {card.name}".strip() if card else f"{line.number or ''} {line.name or ''}".strip()


def archive(players: Iterable[Participant], private: bool = True) -> bytes:
    """Return a zip with a text for each player with a list. Equal lists give an equal zip.

    `private`: the texts have ids and the lines that could not be read.
    """
    written, names = BytesIO(), FileNames()
    with ZipFile(written, "w") as packed:
        for one in _sort_lists(players):
            about = ZipInfo(f"{names.new(one.name)}.txt")
            about.compress_type = ZIP_DEFLATED
            text = (
                _player_file(one)
                if private
                else f"Player: {PersonName.parse(one.name).full_name}\n\n{list_text(one.verdict)}\n"
            )
            packed.writestr(about, text.encode("utf-8", "replace"))
    return written.getvalue()


def _player_file(player: Participant) -> str:
    """Return the text file of a player for judges: name, id, list, and the lines that could not be read."""
    head = [
        f"Player: {PersonName.parse(player.name).full_name}",
        *([f"Player ID: {player.player_id}"] if player.player_id else []),
    ]
    # For judges alone: what could not be read may be a card, or a player's address.
    unread = [line.text for line in player.verdict.facts.deck.unread] if player.verdict else []
    return "\n".join((*head, "", list_text(player.verdict), "", *unread, ""))


class FileNames:
    """Names of files, unique also on systems that ignore case."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: Counter[str] = Counter()  # the last one that each name has got, which many may share

    def new(self, player: str) -> str:
        """Return a new name made of the player's, last name first."""
        name = " ".join(_UNSAFE.sub(" ", PersonName.parse(player).full_name).split())[:_LONGEST].strip() or "Player"
        found, key = name, name.casefold()
        while found.casefold() in self._taken:
            self._numbers[key] += 1
            found = f"{name} ({self._numbers[key] + 1})"
        self._taken.add(found.casefold())
        return found


_Value = Callable[[Participant], str]


def _first_name(player: Participant) -> str:
    """Return a player's first name."""
    return PersonName.parse(player.name).first


def _last_name(player: Participant) -> str:
    """Return a player's last name."""
    return PersonName.parse(player.name).last


def _full_name(player: Participant) -> str:
    """Return a player's name, first name first."""
    return " ".join(filter(None, (_first_name(player), _last_name(player))))


def _list_text(player: Participant) -> str:
    """Return a player's list as text."""
    return list_text(player.verdict)


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
    "limitless": (("Name", _full_name), ("Player ID", _PLAYER_ID), ("Email", _EMAIL), ("Decklist", _list_text)),
    "sharly": (("Last name", _last_name), ("First name", _first_name), ("Player ID", _PLAYER_ID), ("E-mail", _EMAIL)),
}
TOM = "tom"
LAYOUTS = (*CSV_LAYOUTS, TOM)
_TOM_DATA = ("city", "state", "country")  # that an event does not have


def players_csv(record: EventRecord, layout: str) -> bytes:
    """Return the players of an event as a CSV with the headings of one of CSV_LAYOUTS, by last name."""
    fields = [(Column(heading, ID if value is _PLAYER_ID else LONG), value) for heading, value in CSV_LAYOUTS[layout]]
    return results_csv.table(Report.build("Players", fields, _sort_players(record)))


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
    for one in _sort_players(record):
        player = ElementTree.SubElement(players, "player", {"userid": writable(one.player_id)})
        _add(player, "firstname", _first_name(one))
        _add(player, "lastname", _last_name(one))
        _add(player, "birthdate", "")
    for name in ("pods", "finalsoptions"):
        ElementTree.SubElement(root, name)
    ElementTree.indent(root)
    written: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return written


def _sort_players(record: EventRecord) -> list[Participant]:
    """Return the players of an event, by last name."""
    return sorted(record.participants, key=lambda one: PersonName.parse(one.name).order)


def _add(parent: ElementTree.Element, name: str, text: str) -> None:
    """Add an XML element with a text. Characters that XML does not allow are left out."""
    ElementTree.SubElement(parent, name).text = writable(text)


def _american(day: str) -> str:
    """Return an ISO date as month/day/year."""
    year, month, of_month = day.split("-")
    return f"{month}/{of_month}/{year}"
