"""Printed facts: parses types, colours, costs and lists as sources write them, and rows of a card table into cards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from carddb.bounds import LONGEST_CARD_TEXT
from carddb.errors import PlacedText, RowError
from validator.cards import Card
from validator.errors import error_text
from validator.games import GAMES
from validator.language import phrase
from validator.limits import shipped_lists
from validator.numbers import normal
from validator.texts import INVISIBLE, nfkc

# The official dbs list has a stray dash ("0-") and full-width digits among its costs.
_COST = re.compile(r"([0-9]{1,2}|X|-)(?:\([^()]{0,40}\)|-)?", re.IGNORECASE)
_POWER = re.compile(r"[0-9]{1,7}")
_LIFE = re.compile(r"[0-9]{1,2}")


def find_word(words: tuple[str, ...], word: str) -> str | None:
    """Return the first of `words` that equals `word` but for case. None if there is none."""
    return next((own for own in words if own.casefold() == word.casefold()), None)


def spell_colors(game: str, text: str) -> tuple[str, ...]:
    """Return the colours of a text separated by "/", as the game spells them. Unknown colours stay unchanged.

    () for an empty text. Duplicates stay.
    """
    return tuple(find_word(GAMES[game].colors, word) or word for word in split_list(text))


def split_list(text: str) -> tuple[str, ...]:
    """Return the parts of a text that are separated by "/". Blanks around them and empty parts are dropped."""
    return tuple(part for part in map(str.strip, text.split("/")) if part)


def parse_cost(game: str, kind: str, printed: str) -> int | None:
    """Return the number of a printed cost: 4 for `4(RR)`. None for X and "".

    `kind` is the card type. None for any text if the type has no cost. A dash is the number that the game has for it,
    or None. Raises ValueError for other texts.
    """
    if not printed or kind in GAMES[game].costless:
        return None
    match = _COST.fullmatch(nfkc(printed))
    if not match:
        raise ValueError(phrase("{value!r} is no cost; it is written as printed: 3, 4(RR), X(R)", value=printed[:60]))
    if match[1] == "-":
        return GAMES[game].dash
    return int(match[1]) if match[1].isdigit() else None


def parse_life(game: str, kind: str, printed: str) -> int | None:
    """Return the printed Life of a Leader. None for "" and a dash, and for any text if the type has no Life.

    `kind` is the card type. Raises ValueError if the text is no number of one or two digits.
    """
    if printed in ("", "-") or kind not in GAMES[game].costless:
        return None
    if not _LIFE.fullmatch(printed):
        raise ValueError(phrase("{value!r} is no Life; it is a number", value=printed[:60]))
    return int(printed)


def parse_power(text: str) -> int | None:
    """Return a printed power. None for "" and for a dash.

    Raises ValueError if the text is no number of at most seven digits.
    """
    if text in ("", "-"):
        return None
    if not _POWER.fullmatch(text):
        raise ValueError(phrase("{value!r} is no power; it is a number", value=text[:60]))
    return int(text)


def find_unknown_words(game: str, cards: Iterable[Card]) -> Iterator[str]:
    """Yield a sentence for each card type and colour of these cards that the game does not have.

    The sentence has the first card that has it and the number of the others.
    """
    known = {"card type": GAMES[game].types, "colour": GAMES[game].colors}
    labels: dict[tuple[str, str], list[str]] = {}
    for card in cards:
        for fact, word in (("card type", card.type), *(("colour", color) for color in card.colors)):
            if word not in known[fact]:
                labels.setdefault((fact, word), []).append(card.label)
    for (fact, word), (first, *others) in labels.items():
        place = phrase("{place} and {count} more", place=first, count=len(others)) if others else first
        values = {"value": word[:60], "game": game, "known": ", ".join(known[fact])}
        is_type = fact == "card type"
        problem = (
            phrase("{value!r} is no card type of {game}; it has {known}.", **values)
            if is_type
            else phrase("{value!r} is no colour of {game}; it has {known}.", **values)
        )
        yield PlacedText(place, problem)


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
    """The cells of a row as clean text, and the errors found so far, one for each column. `check` raises them.

    An empty cell, a missing column and a cell with forbidden text are "".
    """

    def __init__(self, row: Mapping[str, str]) -> None:
        """Clean all cells of a row, given by column. A cell with forbidden text is noted as an error.

        Missing columns are empty, and columns not in COLUMNS are ignored.
        """
        self._errors: dict[str, str] = {}
        self._texts = {column: row.get(column, "") for column in COLUMNS}
        self._texts = {column: self.read(column, _clean_cell, column) or "" for column in COLUMNS}

    def __getitem__(self, column: str) -> str:
        """Return the clean text of a column's cell, "" if it is empty."""
        return self._texts[column]

    def read(self, column: str, reader: Callable[..., Any], *arguments: str) -> Any:
        """Return the result of `reader(*arguments, text)` for the cell of a column.

        On ValueError its message is noted as the error of the column, and None is returned. None also if an error is
        noted already.
        """
        if column in self._errors:
            return None
        try:
            return reader(*arguments, self._texts[column])
        except ValueError as error:
            self._errors[column] = error_text(error)
            return None

    def check(self) -> None:
        """Raise a RowError with the errors that were noted, by column. Do nothing if there are none."""
        if self._errors:
            raise RowError({column: self._errors[column] for column in COLUMNS if column in self._errors})


_TEXTS = ("text", "back_text")
_WORDS = ("back_name", "rarity", "set")
_LISTS = ("traits", "back_traits", "characters", "back_characters")


def read_card(game: str, row: Mapping[str, str]) -> Card:
    """Return the card of a row (column to cell, both text). Raises RowError with all that is wrong in the row.

    The column `cost` has the printed cost: "4(RR)" costs 4, "X(R)" has no cost. "-" is no cost either, unless the list
    of the game prints "-" for zero. The Life of a card may be in the column `life` or `cost`. Without a release day the
    first English day of the set is used.
    """
    cells = _RowCells(row)
    kind = cells.read("type", parse_card_type, game)
    number = cells.read("number", _normalise_number, game)
    facts: dict[str, Any] = {column: split_list(cells[column]) for column in _LISTS}
    facts |= {column: cells[column] or None for column in _WORDS}
    facts |= {column: cells[column] for column in _TEXTS}
    read = Card(
        game,
        number,
        cells.read("name", _check_name),
        kind,
        colors=cells.read("colors", parse_known_colors, game),
        cost=cells.read("cost", parse_cost, game, kind),
        cost_text=cells["cost"] or None,
        life=cells.read("life" if cells["life"] else "cost", parse_life, game, kind),
        power=cells.read("power", parse_power),
        back_power=cells.read("back_power", parse_power),
        block=cells["block"].upper().strip("-") or None,
        released=cells.read("released", _parse_day) or shipped_lists(game).sets.first_english_day(number or ""),
        **facts,
    )
    cells.check()
    return read


def _clean_cell(column: str, text: str) -> str:
    """Return the text of a cell without invisible characters and with single blanks.

    In the columns `text` and `back_text` only the ends of lines are normalised. Raises ValueError if the text is too
    long, has a NUL character, or is the error of a formula.
    """
    if not text:
        return ""
    if len(text) > LONGEST_CARD_TEXT:
        raise ValueError(
            phrase("{count} characters; the text of a card has at most {most}", count=len(text), most=LONGEST_CARD_TEXT)
        )
    if "\0" in text:
        raise ValueError(phrase("holds a NUL character, which is no text"))
    if _BROKEN.fullmatch(text):
        raise ValueError(
            phrase("is {value}, a formula that gives no value; mend it, or write the value itself", value=text)
        )
    if column in _TEXTS:
        return "\n".join(text.splitlines()).strip()
    return " ".join(text.translate(INVISIBLE).split())


def _check_name(text: str) -> str:
    """Return a name unchanged. Raises ValueError if it is empty."""
    if not text:
        raise ValueError(phrase("is empty; every card has a name"))
    return text


def _normalise_number(game: str, text: str) -> str:
    """Return a normalised card number without the suffix of a printing.

    Only its characters and length (at most 40) are checked, so "hello" becomes "HELLO". Raises ValueError if they are
    wrong. "" is allowed only in games that match cards by name.
    """
    if not text and GAMES[game].told_by_name:
        return ""
    if not text:
        raise ValueError(phrase("is empty; cards of this game are told apart by number"))
    if not _NUMBER.fullmatch(text):
        raise ValueError(phrase("{number!r} is no card number", number=text[:60]))
    return normal(text, game)[0]


def parse_card_type(game: str, text: str) -> str:
    """Return a card type as the game spells it: `LEADER` and `Leader Card` → "Leader".

    Only the endings " Card" and " CARD" are dropped. Raises ValueError if the game has no such type.
    """
    types = GAMES[game].types
    kind = find_word(types, text.removesuffix(" Card").removesuffix(" CARD"))
    if kind is None:
        raise ValueError(
            phrase(
                "{value!r} is no card type of {game}; it has {known}",
                value=text[:60],
                game=game,
                known=", ".join(types),
            )
        )
    return kind


def parse_known_colors(game: str, text: str) -> tuple[str, ...]:
    """Return the colours of a list written with "/", as the game spells them, each once.

    () for an empty text. Raises ValueError if the game does not have one of them.
    """
    known = GAMES[game].colors
    words = tuple(dict.fromkeys(spell_colors(game, text)))
    for word in words:
        if word not in known:
            raise ValueError(
                phrase(
                    "{value!r} is no colour of {game}; it has {known}",
                    value=word[:60],
                    game=game,
                    known=", ".join(known) or phrase("none"),
                )
            )
    return words


def _parse_day(text: str) -> str | None:
    """Return a date in ISO 8601 unchanged, None for "". Raises ValueError for any other text."""
    if not text:
        return None
    if not _DAY.fullmatch(text):
        raise ValueError(phrase("{value!r} is no date; write it as 2026-11-21", value=text[:60]))
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ValueError(phrase("{value!r} is no day of the calendar", value=text)) from None
