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
from api.sheets.person_names import PersonName
from api.sheets.registration import Event
from api.sheets.sheet import TITLES
from api.workbooks.reporting import results_csv
from api.workbooks.reporting.report_table import ID, LONG, NUMBER, TEXT, Column, Field, Report, Value, writable
from validator.cards import Card
from validator.deck import DeckJSON, DeckLine, SizesJSON
from validator.field_docs import doc
from validator.judge import Verdict


class PublishedListJSON(TypedDict):
    """A list as everybody may see it: the player's name and the deck. `counts` are the cards in each section."""

    player: str
    leader: LeaderJSON | None
    counts: SizesJSON
    deck: DeckJSON
    text: Annotated[str, doc("The list as text that is read again.")]


class PublishedListsJSON(TypedDict):
    """The lists of an event as everybody may see them, sorted by last name."""

    event: str
    date: str
    place: str
    lists: list[PublishedListJSON]


_UNSAFE = re.compile(r"[^\w ,'-]+")  # in the name of a file, on some system
_LONGEST = 80  # characters of a name in a file's name


def _sort_lists(players: Iterable[Participant]) -> list[Participant]:
    """Return the players with a list, sorted by last name. Those without one are left out."""
    return sorted((one for one in players if one.verdict), key=lambda one: PersonName.parse(one.name).order)


def lists_json(players: Iterable[Participant], event: Event) -> PublishedListsJSON:
    """Return lists as everybody may see them, by last name: names and decks without ids, notes and verdicts.

    Players without a list are left out.
    """
    found = [_list_json(one.name, one.verdict) for one in _sort_lists(players) if one.verdict]
    return {"event": event.event, "date": event.date, "place": event.place, "lists": found}


def _list_json(player: str, verdict: Verdict) -> PublishedListJSON:
    """Return the list of a player as everybody may see it as JSON. The leader is None if the deck has none."""
    leader = verdict.facts.leader
    return {
        "player": player,
        "leader": {"number": leader.number, "name": leader.name, "colors": leader.colors} if leader else None,
        "counts": cast("SizesJSON", dict(verdict.facts.sizes)),
        "deck": verdict.resolved_deck,
        "text": list_text(verdict),
    }


def shown_text(players: Iterable[Participant]) -> str:
    """Return lists as everybody may see them as one text, by last name: each with the player's name above it.

    Players without a list are left out.
    """
    return "\n\n\n".join(f"{one.name}\n\n{list_text(one.verdict)}" for one in _sort_lists(players)) + "\n"


def shown_table(players: Iterable[Participant]) -> Report:
    """Return lists as everybody may see them as a table with a row for each line, by last name of the player.

    Players without a list, and lines that could not be parsed, are left out.
    """
    fields: list[Field[tuple[Value, ...]]] = [
        (Column("Player", LONG, 30), itemgetter(0)),
        (Column("Section", TEXT, 10), itemgetter(1)),
        (Column("Number", TEXT, 12), itemgetter(2)),
        (Column("Name", LONG, 30), itemgetter(3)),
        (Column("Count", NUMBER, 6), itemgetter(4)),
    ]
    return Report.build("Lists", fields, (row for one in _sort_lists(players) for row in _card_rows(one)))


def _card_rows(player: Participant) -> Iterator[tuple[Value, ...]]:
    """Yield a row for each line of a player's list: (player, section, number, name, copies). No row without a list.

    An unknown card has the number and the name of its line.
    """
    for section, lines in player.verdict.facts.resolved_lines.items() if player.verdict else ():
        for line, card in lines:
            number, name = (card.number, card.name) if card else (line.number, line.name)
            yield player.name, section, number or "", name or "", line.count


def list_text(verdict: Verdict | None) -> str:
    """Return a list as plain text that can be parsed again: each section with its title and its cards.

    Empty sections and lines that could not be parsed are left out. "" if `verdict` is None, because there is no list.
    """
    return "\n\n".join(_section_texts(verdict)) if verdict else ""


def _section_texts(verdict: Verdict) -> Iterator[str]:
    """Yield the text of each section of a list that has cards: its title, then a line for each card."""
    for section, lines in verdict.facts.resolved_lines.items():
        if lines:
            yield "\n".join((TITLES[section], *(f"{line.count} {_card_text(line, card)}" for line, card in lines)))


def _card_text(line: DeckLine, card: Card | None) -> str:
    """Return number and name of a card as text. `card` None is an unknown card, which has those of its line."""
    return f"{card.number} {card.name}".strip() if card else f"{line.number or ''} {line.name or ''}".strip()


def archive(players: Iterable[Participant], private: bool = True) -> bytes:
    """Return a zip with a text for each player with a list, by last name. Equal lists give an equal zip.

    `private`: the texts are for judges. They have player IDs and all lines that could not be parsed.
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
    """Return the text file of a player for judges: name, id, list, and the lines that could not be parsed."""
    head = [
        f"Player: {PersonName.parse(player.name).full_name}",
        *([f"Player ID: {player.player_id}"] if player.player_id else []),
    ]
    # For judges alone: what could not be read may be a card, or a player's address.
    unread = [line.text for line in player.verdict.facts.deck.unread] if player.verdict else []
    return "\n".join((*head, "", list_text(player.verdict), "", *unread, ""))


class FileNames:
    """Makes names of files from players' names. They are unique, also on systems that ignore case."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: Counter[str] = Counter()  # the last one that each name has got, which many may share

    def new(self, player: str) -> str:
        """Return a new name made of the player's name, last name first, without the suffix of a file.

        Characters that file systems do not allow become spaces. A long name is cut to 80 characters. A name that was
        returned before gets a number, such as "Doe, Jane (2)". "Player" is used if nothing is left.
        """
        name = " ".join(_UNSAFE.sub(" ", PersonName.parse(player).full_name).split())[:_LONGEST].strip() or "Player"
        found, key = name, name.casefold()
        while found.casefold() in self._taken:
            self._numbers[key] += 1
            found = f"{name} ({self._numbers[key] + 1})"
        self._taken.add(found.casefold())
        return found


_Value = Callable[[Participant], str]


def _first_name(player: Participant) -> str:
    """Return a player's first name, "" if there is only one name."""
    return PersonName.parse(player.name).first


def _last_name(player: Participant) -> str:
    """Return a player's last name."""
    return PersonName.parse(player.name).last


def _full_name(player: Participant) -> str:
    """Return a player's name with the first name first, without a comma."""
    return " ".join(filter(None, (_first_name(player), _last_name(player))))


def _list_text(player: Participant) -> str:
    """Return a player's list as text that can be parsed again, "" without a list."""
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
    """Return all players of an event as CSV, by last name, with the headings of one of CSV_LAYOUTS.

    Players without a list are included.
    """
    fields = [(Column(heading, ID if value is _PLAYER_ID else LONG), value) for heading, value in CSV_LAYOUTS[layout]]
    return results_csv.table(Report.build("Players", fields, _sort_players(record)))


def players_tdf(record: EventRecord) -> bytes:
    """Return all players of an event, by last name, as a `.tdf` file of the program TOM before its first round.

    It has names and player IDs, but neither decks nor dates of birth.
    """
    about = {"type": "2", "stage": "1", "version": "1.80", "gametype": "TRADING_CARD_GAME", "mode": "TCG1DAY"}
    root = ElementTree.Element("tournament", about)
    data = ElementTree.SubElement(root, "data")
    _add_element(data, "name", record.event.event)
    for name in ("id", *_TOM_DATA):
        _add_element(data, name, "")
    _add_element(data, "startdate", _american_date(record.event.date))
    _add_element(root, "timeelapsed", "0")
    players = ElementTree.SubElement(root, "players")
    for one in _sort_players(record):
        player = ElementTree.SubElement(players, "player", {"userid": writable(one.player_id)})
        _add_element(player, "firstname", _first_name(one))
        _add_element(player, "lastname", _last_name(one))
        _add_element(player, "birthdate", "")
    for name in ("pods", "finalsoptions"):
        ElementTree.SubElement(root, name)
    ElementTree.indent(root)
    written: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return written


def _sort_players(record: EventRecord) -> list[Participant]:
    """Return all players of an event, sorted by last name, also those without a list."""
    return sorted(record.participants, key=lambda one: PersonName.parse(one.name).order)


def _add_element(parent: ElementTree.Element, name: str, text: str) -> None:
    """Add an element with the tag `name` and a text to the XML element `parent`.

    Characters that XML does not allow are left out.
    """
    ElementTree.SubElement(parent, name).text = writable(text)


def _american_date(day: str) -> str:
    """Return an ISO date as month/day/year: "2026-11-21" becomes "11/21/2026"."""
    year, month, of_month = day.split("-")
    return f"{month}/{of_month}/{year}"
