"""Lists of players as text, a file each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from api.events.exports.event_record import Participant
from api.sheets.person_names import PersonName
from api.sheets.sheet import TITLES
from validator.cards import Card
from validator.deck import DeckLine
from validator.judge import Verdict

_UNSAFE = re.compile(r"[^\w ,'-]+")  # in the name of a file, on some system
_LONGEST = 80  # characters of a name in a file's name


def _filed(players: Iterable[Participant]) -> list[Participant]:
    """Return those who have a list, by last name."""
    return sorted((one for one in players if one.verdict), key=lambda one: PersonName.of(one.name).order)


def list_text(verdict: Verdict | None) -> str:
    """Return a list as plain text that is read again: each section with its cards, and nothing else."""
    return "\n\n".join(_blocks(verdict)) if verdict else ""


def _blocks(verdict: Verdict) -> Iterator[str]:
    for section, lines in verdict.facts.understood.items():
        if lines:
            yield "\n".join((TITLES[section], *(f"{line.count} {_called(line, card)}" for line, card in lines)))


def _called(line: DeckLine, card: Card | None) -> str:
    return f"{card.number} {card.name}".strip() if card else f"{line.number or ''} {line.name or ''}".strip()


def archive(players: Iterable[Participant]) -> bytes:
    """Return a zip with a text for each player who has a list, named after the player; the same for the same lists."""
    written, names = BytesIO(), _FileNames()
    with ZipFile(written, "w") as packed:
        for one in _filed(players):
            about = ZipInfo(f"{names.new(one.name)}.txt")
            about.compress_type = ZIP_DEFLATED
            packed.writestr(about, _file(one).encode("utf-8", "replace"))
    return written.getvalue()


def _file(one: Participant) -> str:
    head = [f"Player: {PersonName.of(one.name).filed}", *([f"Player ID: {one.player_id}"] if one.player_id else [])]
    # For judges alone: what could not be read may be a card, or a player's address.
    unread = [line.text for line in one.verdict.facts.deck.unread] if one.verdict else []
    return "\n".join((*head, "", list_text(one.verdict), "", *unread, ""))


class _FileNames:
    """The names of files, each once on systems to which case does not matter."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def new(self, player: str) -> str:
        """Return a name like the player's, last name first, that no file has yet."""
        name = " ".join(_UNSAFE.sub(" ", PersonName.of(player).filed).split())[:_LONGEST].strip() or "Player"
        found, number = name, 1
        while found.casefold() in self._taken:
            number += 1
            found = f"{name} ({number})"
        self._taken.add(found.casefold())
        return found
