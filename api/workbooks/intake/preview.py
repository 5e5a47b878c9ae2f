"""Previews: how a spreadsheet is read, shown by its columns and first players, before anything is judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, TypedDict

from api.workbooks.intake.book import Book, PlayerEntry
from api.workbooks.readings import SheetReading, TakenColumn, reading_lines
from validator.field_docs import doc
from validator.language import Language

_MOST_PLAYERS = 5
_MOST_SHEETS = 50
_MOST_PROBLEMS = 20


class TakenColumnJSON(TypedDict):
    """A column with a role. `heading` and `why` are "" if there is none. All texts are for people."""

    role: Annotated[str, doc("What the column was taken for.")]
    column: Annotated[str, doc("Its letters.")]
    heading: Annotated[str, doc("What it is called.")]
    why: Annotated[str, doc("Why, where its cells told it or it was chosen.")]
    message: Annotated[str, doc("All of it as a sentence.")]


class SheetReadingJSON(TypedDict):
    """The interpretation of a sheet. `sheet` is "" for a CSV file, and `columns` empty for a deck list."""

    sheet: Annotated[str, doc("What the sheet is called.")]
    read_as: Annotated[str, doc("Its shape.")]
    columns: list[TakenColumnJSON]


class PreviewedPlayerJSON(TypedDict):
    """A player of a spreadsheet. Texts that are not given are "", and `cards` is 0 without a deck."""

    player: Annotated[str, doc("The name.")]
    player_id: Annotated[str, doc("The ID.")]
    event: Annotated[str, doc("The event.")]
    cards: Annotated[int, doc("How many cards the deck has.")]


class PreviewJSON(TypedDict):
    """The preview of a spreadsheet: at most 50 sheets, 5 players and 20 problems.

    `decks` counts players. `problems` are errors as sentences, no notices.
    """

    file: Annotated[str, doc("What the file is called.")]
    sheets: list[SheetReadingJSON]
    decks: Annotated[int, doc("How many players there are, also those without a deck that can be read.")]
    players: list[PreviewedPlayerJSON]
    problems: Annotated[list[str], doc("What was not read, the first of it.")]


def as_json(book: Book, translate: Language) -> PreviewJSON:
    """Return the preview of a book as JSON, with texts in the language of `translate`.

    It has the roles of the columns of at most 50 sheets, the first 5 players, the number of players as `decks`, and at
    most 20 errors. Notices are left out.
    """
    return {
        "file": book.name,
        "sheets": sheets(book.readings, translate),
        "decks": len(book.entries),
        "players": list(map(_player, book.entries[:_MOST_PLAYERS])),
        "problems": [fault.render(translate) for fault in book.problems[:_MOST_PROBLEMS]],
    }


def sheets(readings: Sequence[SheetReading], translate: Language) -> list[SheetReadingJSON]:
    """Return the roles of the columns of each sheet as JSON, for at most 50 sheets."""
    return [
        {
            "sheet": reading.sheet,
            "read_as": translate.text(reading.shape),
            "columns": [_column_json(column, translate) for column in reading.columns],
        }
        for reading in readings[:_MOST_SHEETS]
    ]


def _column_json(column: TakenColumn, translate: Language) -> TakenColumnJSON:
    """Return a column as JSON, with its role and the reason for it in the language of `translate`."""
    return {
        "role": translate.text(column.role),
        "column": column.column,
        "heading": column.heading,
        "why": translate.text(column.why),
        "message": column.describe(translate),
    }


def as_text(book: Book, translate: Language) -> Iterator[str]:
    """Yield the preview of a book as lines for a terminal, in the language of `translate`.

    It has at most 10 different readings of sheets with their column roles, the first 5 players, the number of further
    players, and at most 20 errors.
    """
    yield from reading_lines(book.readings, translate)
    for entry in book.entries[:_MOST_PLAYERS]:
        player = _player(entry)
        yield translate.plural(
            "{player}, {id}: {count} card",
            "{player}, {id}: {count} cards",
            player["cards"],
            player=player["player"] or translate("(no name)"),
            id=player["player_id"] or translate("no id"),
        )
    if more := len(book.entries[_MOST_PLAYERS:]):
        yield translate.plural("{count:,} more deck", "{count:,} more decks", more)
    yield from (fault.render(translate) for fault in book.problems[:_MOST_PROBLEMS])


def _player(entry: PlayerEntry) -> PreviewedPlayerJSON:
    """Return a player as JSON, with the number of copies of all cards in the deck. 0 without a deck."""
    count = sum(line.count for _, line in entry.deck.lines()) if entry.deck else 0
    return {"player": entry.who.name, "player_id": entry.who.id, "event": entry.who.event, "cards": count}
