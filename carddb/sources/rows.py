"""Rows: one line of a card table, cell by cell, made into a Card or refused with the column and why."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from carddb.bounds import LONGEST_CARD_TEXT
from carddb.errors import RowError
from carddb.sources import printed_facts
from carddb.sources.printed_facts import cost, life, listed, power, spelled
from validator import limits
from validator.cards import Card
from validator.games import GAMES
from validator.numbers import normal
from validator.texts import INVISIBLE

# The columns of a card spreadsheet.
COLUMNS = (
    *("number", "name", "back_name", "type", "colors", "cost", "life", "power", "back_power"),
    *("traits", "back_traits", "characters", "back_characters", "text", "back_text"),
    *("rarity", "set", "block", "released"),
)

_NUMBER = re.compile(r"[A-Z0-9][A-Z0-9 ._/-]{0,39}", re.IGNORECASE)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_BROKEN = re.compile(r"#(?:REF!|N/A|VALUE!|NAME\?|DIV/0!|NULL!|NUM!|FORMULA!)")


class _RowCells:
    """The cells of a row as clean text, "" for none."""

    def __init__(self, row: Mapping[str, str]) -> None:
        self._wrong: dict[str, str] = {}
        self._texts = {column: row.get(column, "") for column in COLUMNS}
        self._texts = {column: self.read(column, _clean, column) or "" for column in COLUMNS}

    def __getitem__(self, column: str) -> str:
        return self._texts[column]

    def read(self, column: str, reader: Callable[..., Any], *of: str) -> Any:
        """Return what a cell says by `reader(*of, text)`, None where it cannot be read."""
        if column in self._wrong:
            return None
        try:
            return reader(*of, self._texts[column])
        except ValueError as error:
            self._wrong[column] = str(error)
            return None

    def check(self) -> None:
        if self._wrong:
            raise RowError({column: self._wrong[column] for column in COLUMNS if column in self._wrong})


_TEXTS = ("text", "back_text")
_WORDS = ("back_name", "rarity", "set")
_LISTS = ("traits", "back_traits", "characters", "back_characters")


def card(game: str, row: Mapping[str, str]) -> Card:
    """Return the card of a row (column to cell, both text), or raise a RowError with all that is wrong in it.

    `cost` is read as printed: "4(RR)" costs 4, "X(R)" has no cost, nor has "-", unless the
    list of the game writes that for a zero. A card that has Life may have it there too.
    """
    cells = _RowCells(row)
    kind = cells.read("type", card_type, game)
    number = cells.read("number", _number, game)
    facts: dict[str, Any] = {column: listed(cells[column]) for column in _LISTS}
    facts |= {column: cells[column] or None for column in _WORDS}
    facts |= {column: cells[column] for column in _TEXTS}
    read = Card(
        game,
        number,
        cells.read("name", _name),
        kind,
        colors=cells.read("colors", colors, game),
        cost=cells.read("cost", cost, game, kind),
        cost_text=cells["cost"] or None,
        life=cells.read("life" if cells["life"] else "cost", life, game, kind),
        power=cells.read("power", power),
        back_power=cells.read("back_power", power),
        block=cells["block"].upper().strip("-") or None,
        released=cells.read("released", _day) or limits.sets(game).released(number or ""),
        **facts,
    )
    cells.check()
    return read


def _clean(column: str, text: str) -> str:
    if not text:
        return ""
    if len(text) > LONGEST_CARD_TEXT:
        raise ValueError(f"{len(text)} characters; no card says more than {LONGEST_CARD_TEXT}")
    if "\0" in text:
        raise ValueError("holds a NUL character, which is no text")
    if _BROKEN.fullmatch(text):
        raise ValueError(f"is {text}, a formula that gives no value; mend it, or write the value itself")
    if column in _TEXTS:
        return "\n".join(text.splitlines()).strip()
    return " ".join(text.translate(INVISIBLE).split())


def _name(text: str) -> str:
    if not text:
        raise ValueError("is empty; every card has a name")
    return text


def _number(game: str, text: str) -> str:
    if not text and GAMES[game].told_by_name:
        return ""
    if not text:
        raise ValueError("is empty; cards of this game are told apart by number")
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{text[:60]!r} is no card number")
    return normal(text, game)[0]


def card_type(game: str, text: str) -> str:
    """Return a card type as the game spells it; a ValueError if it has no such type."""
    types = GAMES[game].types
    kind = spelled(types, text.removesuffix(" Card").removesuffix(" CARD"))
    if kind is None:
        raise ValueError(f"{text[:60]!r} is no card type of {game}; it has {', '.join(types)}")
    return kind


def colors(game: str, text: str) -> tuple[str, ...]:
    """Return colours written with "/" as the game spells them; a ValueError if it has no such colour."""
    known = GAMES[game].colors
    words = tuple(dict.fromkeys(printed_facts.colors(game, text)))
    for word in words:
        if word not in known:
            raise ValueError(f"{word[:60]!r} is no colour of {game}; it has {', '.join(known) or 'none'}")
    return words


def _day(text: str) -> str | None:
    if not text:
        return None
    if not _DAY.fullmatch(text):
        raise ValueError(f"{text[:60]!r} is no date; write it as 2026-11-21")
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ValueError(f"{text} is no day of the calendar") from None
