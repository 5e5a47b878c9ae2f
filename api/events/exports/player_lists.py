"""Lists of players as JSON, tables and text: for two players' overlay in a stream, for everybody, a file each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from io import BytesIO
from operator import itemgetter
from typing import cast
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from api.events.exports.event_record import Participant
from api.events.player_json import PublishedListJSON, PublishedListsJSON
from api.service.answers.verdict_answers import SizesJSON, understood_deck_json
from api.sheets.person_names import PersonName
from api.sheets.registration import Event
from api.sheets.sheet import TITLES
from api.workbooks.reporting.reports import LONG, NUMBER, TEXT, Column, Field, Report, Value
from validator.cards import Card
from validator.deck import DeckLine
from validator.judge import Verdict

_UNSAFE = re.compile(r"[^\w ,'-]+")  # in the name of a file, on some system
_LONGEST = 80  # characters of a name in a file's name


def _filed(players: Iterable[Participant]) -> list[Participant]:
    """Return those who have a list, by last name."""
    return sorted((one for one in players if one.verdict), key=lambda one: PersonName.of(one.name).order)


def shown(players: Iterable[Participant], event: Event) -> PublishedListsJSON:
    """Return lists as everybody may see them, by last name: names and decks, no ids, no notes, no verdict."""
    found = [_shown(one.name, one.verdict) for one in _filed(players) if one.verdict]
    return {"event": event.event, "date": event.date, "place": event.place, "lists": found}


def _shown(player: str, verdict: Verdict) -> PublishedListJSON:
    leader = verdict.facts.leader
    return {
        "player": player,
        "leader": {"number": leader.number, "name": leader.name, "colors": leader.colors} if leader else None,
        "counts": cast("SizesJSON", dict(verdict.facts.sizes)),
        "deck": understood_deck_json(verdict),
        "text": list_text(verdict),
    }


def shown_text(players: Iterable[Participant]) -> str:
    """Return such lists as text, one under the other."""
    return "\n\n\n".join(f"{one.name}\n\n{list_text(one.verdict)}" for one in _filed(players)) + "\n"


def shown_table(players: Iterable[Participant]) -> Report:
    """Return such lists as a table with a row a card."""
    fields: list[Field[tuple[Value, ...]]] = [
        (Column("Player", LONG, 30), itemgetter(0)),
        (Column("Section", TEXT, 10), itemgetter(1)),
        (Column("Number", TEXT, 12), itemgetter(2)),
        (Column("Name", LONG, 30), itemgetter(3)),
        (Column("Count", NUMBER, 6), itemgetter(4)),
    ]
    return Report.of("Lists", fields, (row for one in _filed(players) for row in _rows(one)))


def _rows(one: Participant) -> Iterator[tuple[Value, ...]]:
    for section, lines in one.verdict.facts.understood.items() if one.verdict else ():
        for line, card in lines:
            number, name = (card.number, card.name) if card else (line.number, line.name)
            yield one.name, section, number or "", name or "", line.count


def list_text(verdict: Verdict | None) -> str:
    """Return a list as plain text that is read again: each section with its cards, and nothing else."""
    return "\n\n".join(_blocks(verdict)) if verdict else ""


def _blocks(verdict: Verdict) -> Iterator[str]:
    for section, lines in verdict.facts.understood.items():
        if lines:
            yield "\n".join((TITLES[section], *(f"{line.count} {_called(line, card)}" for line, card in lines)))


def _called(line: DeckLine, card: Card | None) -> str:
    return f"{card.number} {card.name}".strip() if card else f"{line.number or ''} {line.name or ''}".strip()


def archive(players: Iterable[Participant], private: bool = True) -> bytes:
    """Return a zip with a text for each player who has a list, named after the player; the same for the same lists.

    Ids, and what could not be read, are `private`.
    """
    written, names = BytesIO(), FileNames()
    with ZipFile(written, "w") as packed:
        for one in _filed(players):
            about = ZipInfo(f"{names.new(one.name)}.txt")
            about.compress_type = ZIP_DEFLATED
            text = _file(one) if private else f"Player: {PersonName.of(one.name).filed}\n\n{list_text(one.verdict)}\n"
            packed.writestr(about, text.encode("utf-8", "replace"))
    return written.getvalue()


def _file(one: Participant) -> str:
    head = [f"Player: {PersonName.of(one.name).filed}", *([f"Player ID: {one.player_id}"] if one.player_id else [])]
    # For judges alone: what could not be read may be a card, or a player's address.
    unread = [line.text for line in one.verdict.facts.deck.unread] if one.verdict else []
    return "\n".join((*head, "", list_text(one.verdict), "", *unread, ""))


class FileNames:
    """The names of files, each once on systems to which case does not matter."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: Counter[str] = Counter()  # the last one that each name has got, which many may share

    def new(self, player: str) -> str:
        """Return a name like the player's, last name first, that no file has yet."""
        name = " ".join(_UNSAFE.sub(" ", PersonName.of(player).filed).split())[:_LONGEST].strip() or "Player"
        found, key = name, name.casefold()
        while found.casefold() in self._taken:
            self._numbers[key] += 1
            found = f"{name} ({self._numbers[key] + 1})"
        self._taken.add(found.casefold())
        return found
