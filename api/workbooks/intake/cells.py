"""Cells: the value of one cell as text, count, name, id, card or empty answer, and the faults of cells and rows."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from api.sheets.person_names import clean_text
from carddb.files.spreadsheets import cell_text
from validator import decklists, texts
from validator.cards import Card, Catalogue
from validator.deck import MOST_COPIES, MOST_LINES, Deck, DeckLine
from validator.decklists.card_cells import CardCells, CellDoubt, WrittenCard, parse_card_cells
from validator.decklists.source import Source
from validator.errors import error_text
from validator.formulas import unguard_formula
from validator.language import ENGLISH, Language, phrase
from validator.sections import section as section_meant
from validator.sections import split_words
from validator.tables.headings import words
from validator.tables.section_counts import parse_copies
from validator.texts import LONGEST_CELL, LONGEST_NAME, shorten_value
from validator.words import join_with_commas

Cell: TypeAlias = str | int | float | datetime.date | datetime.time | datetime.timedelta

ERROR = "error"
NOTICE = "notice"


class SheetFault(NamedTuple):
    """A fault of a spreadsheet: its place, the value of the cell, and the problem.

    `sheet` is "" in a CSV file. `row` counts from 1 as spreadsheet programs do, None for a whole sheet. `column` is the
    written heading, else its letters, None for a whole row. `value` is the text of the cell or line (cut to 100
    characters) or the player, "" for none. `cell` is the address ("D17"), "" if there is no single cell. `detail` is
    the problem as a part of a sentence. `severity` is "error" if something was not read, "notice" for a doubt.
    """

    sheet: str
    row: int | None
    column: str | None
    value: str
    detail: str
    severity: str = ERROR
    cell: str = ""

    @property
    def message(self) -> str:
        """The whole sentence in English: row 17, column count: “four” is not a number from 1 to 255."""
        return self.render(ENGLISH)

    def render(self, translate: Language) -> str:
        """Return the whole sentence in a language: the sheet, row and column that are known, then the problem.

        The cell's address and value are left out.
        """
        places = (
            translate("sheet {sheet}", sheet=self.sheet) if self.sheet else "",
            translate("row {row}", row=self.row) if self.row else "",
            translate("column {column}", column=self.column) if self.column else "",
        )
        detail = translate.text(self.detail)
        if not any(places):
            return detail
        place = join_with_commas([*filter(None, places)], translate)
        return translate("{place}: {problem}", place=place, problem=detail)


def letters(column: int) -> str:
    """Return the letters of a column, counted from 0: A, B, …, Z, AA."""
    name = ""
    while column >= 0:
        column, place = divmod(column, 26)
        name = chr(ord("A") + place) + name
        column -= 1
    return name


def address(row: int, column: int) -> str:
    """Return the address of a cell in a row from 1 and a column from 0: D17."""
    return f"{letters(column)}{row}"


_MOST_DIGITS = 15  # of a number; further ones a spreadsheet program has made noughts of
_TRUTHS = ("TRUE", "FALSE")


class Text(NamedTuple):
    """The text of a player's cell. `doubt` is the problem with it, "" for none.

    If `usable` is False, `text` is "" and the problem is an error. If `usable` is True, the problem is only a notice.
    """

    text: str
    doubt: str = ""
    usable: bool = True


def cell_in(row: Sequence[Cell], column: int) -> Cell:
    """Return the cell of a row in a column, "" if the row is shorter."""
    return row[column] if column < len(row) else ""


def is_blank(cell: Cell) -> bool:
    """Return True if a cell is a text of white space only, or "". A number, also 0, is not blank."""
    return cell == "" or (type(cell) is str and not cell.strip())


def text(cell: Cell) -> str:
    """Return the text of a cell without blanks at its ends.

    Numbers and dates are written as a person would type them.
    """
    return cell.strip() if type(cell) is str else cell_text(cell)


def count(cell: Cell) -> int | None:
    """Return the number of copies in a cell, None if it is no number from 1 to 255.

    4, 4.0, "4,0", "04", " 4 ", "4x", "×4", "4枚", "4 pcs" and full-width digits are four. TRUE, 4.5 and dates are no
    counts.
    """
    copies = parse_copies(text(cell)) or 0
    return copies if 1 <= copies <= MOST_COPIES else None


def name(cell: Cell) -> Text:
    """Return the name of a player or an event, without invisible characters and the `'` that guards a formula.

    A name of more than 200 characters, or a cell of more than 10,000, is not usable. Other texts have no doubt, also
    "".
    """
    written = unguard_formula(text(cell))
    if len(written) > LONGEST_CELL:
        return Text("", doubt(written), usable=False)
    read = clean_text(written)
    if len(read) > LONGEST_NAME:
        doubted = phrase(
            "“{value}” has {length:,} characters; a name has at most {most}",
            value=shorten_value(read),
            length=len(read),
            most=LONGEST_NAME,
        )
        return Text("", doubted, usable=False)
    return Text(read)


def identity(cell: Cell) -> Text:
    """Return a player's id as text. A doubt is added if a spreadsheet program may have changed the value.

    Dates, times, TRUE, FALSE and numbers of more than 15 digits are not usable. Other numbers are used with a doubt,
    because zeros at their beginning may be lost. A text is parsed like a name.
    """
    if isinstance(cell, datetime.date | datetime.time | datetime.timedelta) or cell in _TRUTHS:
        value = shorten_value(text(cell))
        if cell in _TRUTHS:
            doubted = phrase("“{value}” is true or false, not an id; format the column as text", value=value)
        else:
            doubted = phrase("“{value}” is a date or time, not an id; format the column as text", value=value)
        return Text("", doubted, usable=False)
    if isinstance(cell, float) and abs(cell) >= 10**_MOST_DIGITS:
        lost = phrase(
            "“{value}”: a number keeps {most} digits, so this id has lost some; format the column as text",
            value=f"{cell:.15g}",
            most=_MOST_DIGITS,
        )
        return Text("", lost, usable=False)
    if isinstance(cell, int | float):
        zeros = phrase(
            "“{value}” is a number: zeros at its beginning are lost; format the column as text",
            value=shorten_value(text(cell)),
        )
        return Text(text(cell), zeros)
    return name(cell)


def note(cell: Cell) -> str:
    """Return the text of a cell without a known role, on one line and cut to LONGEST_CELL characters."""
    return clean_text(unguard_formula(text(cell))[:LONGEST_CELL])


def doubt(content: str) -> str:
    """Return the reason why a cell's text must not be parsed: more than 10,000 characters, or forbidden ones.

    Return "" if the text may be parsed.
    """
    wrong = texts.doubt(content, LONGEST_CELL)
    return wrong and phrase("this {wrong}", wrong=wrong)


_LONGEST = 40
_MARKS = re.compile(r"[-–—―/.\s_]*")
_ALONE = split_words("""
    none, no, nope, nothing, nil, null, n a, na, not applicable, empty, false, 0, 0 cards, none at all,
    keine, keiner, keines, keins, kein, nein, nichts, entfällt, ohne, leer,
    aucun, aucune, non, rien, néant, vide, sans, sans objet,
    ninguno, ninguna, ningún, nada, vacío, sin, no tengo, no aplica,
    nessuno, nessuna, niente, vuoto, senza,
    nenhum, nenhuma, não, não tenho, vazio, sem, brak, nie,
    なし, 無し, 無, ナシ, 特になし, ありません, いいえ, 无, 沒有, 没有, 無い, 없음, 없습니다, 없어요, 아니요, 무
    """)
_BEFORE = split_words(
    "no, without, kein, keinen, keine, ohne, pas de, aucun, sans, sin, ningún, nessun, senza, sem, nenhum, brak"
)
_BEHIND = split_words("なし, 無し, ナシ, 无, 無, 沒有, 没有, 없음")


def _normalise_answer(text: str) -> str:
    """Return the words of an answer for comparisons, joined by blanks, without letter case and punctuation."""
    return " ".join(words(text))


_KEYS = frozenset(map(_normalise_answer, _ALONE))
_PARTED = re.compile(
    rf"(?:{'|'.join(map(_normalise_answer, _BEFORE))}) (.+)|(.+?) ?(?:{'|'.join(map(_normalise_answer, _BEHIND))})"
)


def is_empty_answer(answer: str) -> bool:
    """Return True if a text in a cell for cards only states that there are none: "", "-", "none", "no side deck".

    Several languages are known. Texts of more than 40 characters are no such answers.
    """
    if len(answer) > _LONGEST:
        return False
    if _MARKS.fullmatch(answer) or _normalise_answer(answer) in _KEYS:
        return True
    parted = _PARTED.fullmatch(_normalise_answer(answer))
    return parted is not None and section_meant(parted[1] or parted[2]) is not None


class BookCards:
    """The cards of a workbook's game: known cards, and the parsers of cells with a card or a whole deck.

    Results are cached, so equal cells are parsed once. `game` None means that the game is not known yet. `catalogue`
    None means that no card is known.
    """

    def __init__(self, game: str | None, catalogue: Catalogue | None) -> None:
        self.set_game(game, catalogue)

    def set_game(self, game: str | None, catalogue: Catalogue | None) -> None:
        """Use the cards of this game from now on, and clear the caches.

        Creates the attributes `cells`, the parser of cells with a card, and the cached functions `parse_deck(text)` and
        `is_card(text)`. The latter tests whether a text is the name of a card.
        """
        self.game = game
        self.catalogue = catalogue
        self.lookup = Source("", catalogue)
        self.cells = CardCells(self.lookup)
        self.parse_deck: Callable[[str], Deck | str] = cache(self._parse_deck)
        self.is_card: Callable[[str], bool] = cache(self._is_card)

    def _is_card(self, name: str) -> bool:
        """Return True if a text has the name of a known card, also with its number or printing: "Nami (Parallel)".

        Always False without a catalogue. Only the first 200 characters count.
        """
        _, card_name = parse_card_cells("", name[:LONGEST_NAME], self.lookup)
        return card_name is not None and self.lookup.is_name(card_name)

    def card_names(self, card: WrittenCard | CellDoubt | DeckLine) -> set[str]:
        """Return the names in the catalogue of a written card. Empty for an unknown card and a CellDoubt."""
        return set() if isinstance(card, CellDoubt) else {one.name for one in self._find_cards(card)}

    def count_copies(self, deck: Deck, by_number: bool) -> Counter[str]:
        """Return the copies of each known card in a deck, by card number if `by_number`, else by card name.

        A name of several cards counts as the first of them. Unknown cards and DON!! cards are not counted.
        """
        copies: Counter[str] = Counter()
        for section, line in deck.lines():
            for card in self._find_cards(line)[:1] if section != "don" else ():
                copies[card.number if by_number else card.name] += line.count
        return copies

    def _find_cards(self, card: WrittenCard | DeckLine) -> Sequence[Card]:
        """Return the catalogue's cards of a number, or of a name if there is no number.

        () if there is none, or no catalogue.
        """
        if self.catalogue is None:
            return ()
        if card.number:
            known = self.catalogue.by_number(card.number)
            return (known,) if known else ()
        return self.catalogue.by_name(card.name or "")

    def _parse_deck(self, content: str) -> Deck | str:
        """Return the deck of a text with a list. Return the reason as text if it is none.

        The reasons are: no card was found, the deck has more than MOST_LINES lines, or the format cannot be read.
        """
        try:
            deck = decklists.parse(content, self.game, self.catalogue).deck
        except ValueError as error:
            return error_text(error)
        if any(deck.lines()):
            return check_line_count(deck)
        return phrase("there is no card in “{value}”", value=shorten_value(content))


def check_line_count(deck: Deck) -> Deck | str:
    """Return the deck itself, or the reason as text if it has more than MOST_LINES lines, without the unread ones."""
    lines = sum(1 for _ in deck.lines())
    if lines <= MOST_LINES:
        return deck
    return phrase("a deck has at most {most:,} lines, and this deck has {lines:,}", most=MOST_LINES, lines=lines)
