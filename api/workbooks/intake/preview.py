"""Previews: how a spreadsheet is read, shown by its columns and first players, before anything is judged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from api.workbooks.column_roles.readings import lines
from api.workbooks.intake.book import Book
from api.workbooks.intake.players import PlayerEntry

_MOST_PLAYERS = 5
_MOST_SHEETS = 50
_MOST_PROBLEMS = 20


def as_json(book: Book) -> dict[str, Any]:
    """Return the reading of a book: its sheets with their columns, the first players, how many there are, problems."""
    return {
        "file": book.name,
        "sheets": [
            {
                "sheet": reading.sheet,
                "read_as": reading.shape,
                "columns": [column._asdict() | {"message": column.message} for column in reading.columns],
            }
            for reading in book.readings[:_MOST_SHEETS]
        ],
        "decks": len(book.entries),
        "players": list(map(_player, book.entries[:_MOST_PLAYERS])),
        "problems": [fault.message for fault in book.problems[:_MOST_PROBLEMS]],
    }


def as_text(book: Book) -> Iterator[str]:
    """Yield the same as lines for a terminal."""
    yield from lines(book.readings)
    for entry in book.entries[:_MOST_PLAYERS]:
        player = _player(entry)
        yield f"{player['player'] or '(no name)'}, {player['player_id'] or 'no id'}: {player['cards']} cards"
    if len(book.entries) > _MOST_PLAYERS:
        yield f"{len(book.entries) - _MOST_PLAYERS:,} more decks"
    yield from (fault.message for fault in book.problems[:_MOST_PROBLEMS])


def _player(entry: PlayerEntry) -> dict[str, Any]:
    count = sum(line.count for _, line in entry.deck.lines()) if entry.deck else 0
    return {"player": entry.who.name, "player_id": entry.who.id, "event": entry.who.event, "cards": count}
