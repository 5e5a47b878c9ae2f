"""Rows: one line of a card table, cell by cell, made into a Card or refused with the column and why."""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any

import orjson

from carddb.errors import RowError
from carddb.sources.vocabulary import known
from validator import limits
from validator.cards import Card
from validator.cards import Clause
from validator.games import GAMES
from validator.matching import check_match
from validator.numbers import normal
from validator.texts import nfkc

# The columns of a card spreadsheet, for everybody.
PUBLIC = (
    "number",
    "name",
    "back_name",
    "type",
    "colors",
    "cost",
    "power",
    "back_power",
    "traits",
    "back_traits",
    "characters",
    "back_characters",
    "text",
    "back_text",
    "rarity",
    "set",
    "block",
    "released",
)
# And those of the starter catalogues, which have no texts that clauses could be read from.
COLUMNS = (*PUBLIC, "attributes", "printings", "keywords", "construction")

LONGEST_CELL = 20_000  # characters; the longest real skill text has under 1,000
# The official dbs list has a stray dash ("0-") and full-width digits among its costs.
_COST = re.compile(r"([0-9]{1,2}|X|-)(?:\([^()]{0,40}\)|-)?", re.IGNORECASE)
_POWER = re.compile(r"[0-9]{1,7}")
_NUMBER = re.compile(r"[A-Z0-9][A-Z0-9 ._/-]{0,39}", re.IGNORECASE)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_BROKEN = re.compile(r"#(?:REF!|N/A|VALUE!|NAME\?|DIV/0!|NULL!|NUM!|FORMULA!)")


class _Cells:
    """The cells of a row as clean text, "" for none; `wrong` says why some cannot be read."""

    def __init__(self, row: Mapping[str, str]) -> None:
        self.wrong: dict[str, str] = {}
        self._texts: dict[str, str] = {}
        for column in COLUMNS:
            self._texts[column] = self._tried(column, partial(_clean, column), row.get(column, "")) or ""

    def __getitem__(self, column: str) -> str:
        return self._texts[column]

    def read(self, column: str, reader: Callable[[str], Any]) -> Any:
        """Return what a cell says, None where it cannot be read."""
        return None if column in self.wrong else self._tried(column, reader, self._texts[column])

    def _tried(self, column: str, reader: Callable[[str], Any], text: str) -> Any:
        try:
            return reader(text)
        except ValueError as error:
            self.wrong[column] = str(error)
            return None


def card(game: str, row: Mapping[str, str]) -> Card:
    """Return the card of a row (column to cell, both text), or raise a RowError with all that is wrong in it.

    `cost` is read as printed: "4(RR)" costs 4, "X(R)" has no cost, nor has "-", unless the
    list of the game writes that for a zero.
    """
    cells = _Cells(row)
    kind = cells.read("type", lambda text: card_type(game, text))
    number = cells.read("number", lambda text: _number(game, text))
    found = Card(
        game,
        number,
        cells.read("name", _name),
        kind,
        back_name=cells["back_name"] or None,
        colors=cells.read("colors", lambda text: colors(game, text)),
        cost=cells.read("cost", lambda text: cost(game, kind, text)),
        cost_text=cells["cost"] or None,
        power=cells.read("power", _power),
        back_power=cells.read("back_power", _power),
        rarity=cells["rarity"] or None,
        set=cells["set"] or None,
        block=cells["block"].upper().strip("-") or None,
        released=cells.read("released", _day) or limits.sets(game).released(number or ""),
        text=cells["text"],
        back_text=cells["back_text"],
        construction=cells.read("construction", _construction),
        **{column: listed(cells[column]) for column in _LISTS},
    )
    if cells.wrong:
        raise RowError({column: cells.wrong[column] for column in COLUMNS if column in cells.wrong})
    return found


_LISTS = (
    "traits",
    "back_traits",
    "characters",
    "back_characters",
    "attributes",
    "printings",
    "keywords",
)
_LONG = ("text", "back_text")


def cost(game: str, kind: str, printed: str) -> int | None:
    """Return the number of a printed cost; None where there is none, or it is X."""
    if not printed or kind in GAMES[game].costless:
        return None
    found = _COST.fullmatch(nfkc(printed))
    if not found:
        raise ValueError(f"{printed[:60]!r} is no cost; it is written as printed: 3, 4(RR), X(R)")
    if found[1] == "-":
        return GAMES[game].dash
    return int(found[1]) if found[1].isdigit() else None


def listed(text: str) -> tuple[str, ...]:
    """Return the parts of a list written with "/"."""
    return tuple(part for part in map(str.strip, text.split("/")) if part)


def _clean(column: str, text: str) -> str:
    if not text:
        return ""
    if len(text) > LONGEST_CELL:
        raise ValueError(f"{len(text)} characters; no card says more than {LONGEST_CELL}")
    if "\0" in text:
        raise ValueError("holds a NUL character, which is no text")
    if _BROKEN.fullmatch(text):
        raise ValueError(f"is {text}, a formula that gives no value; mend it, or write the value itself")
    if column in _LONG:
        return "\n".join(text.splitlines()).strip()
    return " ".join(text.split())


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
    found = known(types, text.removesuffix(" Card").removesuffix(" CARD"))
    if found is None:
        raise ValueError(f"{text[:60]!r} is no card type of {game}; it has {', '.join(types)}")
    return found


def colors(game: str, text: str) -> tuple[str, ...]:
    """Return colours written with "/" as the game spells them; a ValueError if it has no such colour."""
    return tuple(dict.fromkeys(_color(game, word) for word in listed(text)))


def _color(game: str, word: str) -> str:
    colors = GAMES[game].colors
    found = known(colors, word)
    if found is None:
        has = ", ".join(colors) or "none"
        raise ValueError(f"{word[:60]!r} is no colour of {game}; it has {has}")
    return found


def _power(text: str) -> int | None:
    if text in ("", "-"):
        return None
    if not _POWER.fullmatch(text):
        raise ValueError(f"{text[:60]!r} is no power; it is a number")
    return int(text)


def _day(text: str) -> str | None:
    if not text:
        return None
    if not _DAY.fullmatch(text):
        raise ValueError(f"{text[:60]!r} is no date; write it as 2026-11-21")
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ValueError(f"{text} is no day of the calendar") from None


def _construction(text: str) -> tuple[Clause, ...]:
    if not text:
        return ()
    try:
        clauses = tuple(map(Clause.from_dict, orjson.loads(text)))
    except (TypeError, AttributeError):
        raise ValueError("holds a JSON list of clauses, or nothing") from None
    for clause in clauses:
        for match in filter(None, (clause.match, clause.when)):
            check_match(match)
    return clauses
