"""Drafts: the cards parsed from a list, before cards without a section are put into one."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from validator.cards import Card, Catalogue
from validator.deck import MOST_COPIES, SECTIONS, Deck, Line, Unread
from validator.games import GAMES, Game
from validator.language import phrase
from validator.numbers import normal
from validator.sections import ASIDE
from validator.texts import LONGEST_LINE, LONGEST_NAME, doubt

NO_PART = phrase("the line is under a heading for cards outside the deck")
COMMENTED = phrase("the line begins with a comment mark")
BESIDE = phrase("cards of this type are not part of the deck")
OF_NOBODY = phrase("the row has no player name, but other rows of the player above have the name")
ABOVE_TABLE = phrase("text above the table")
OF_A_ROW = phrase("the row has a whole deck, but the table has one row for each card")
SEVERAL = phrase("another deck begins here, and only the first deck is read")
BLANK_LINE = phrase("a blank line is above them, and the parts have the sizes of a deck and a side deck")
_FACES = re.compile(r"//?")
_COPIES_BY_DIGITS = {str(count): count for count in range(1, MOST_COPIES + 1)}


@dataclass(slots=True)
class Draft:
    """The cards of a list, each with the section in which the list puts it. The section is None if the list has none.

    `format` is the format's name in FORMATS. `parted` are the lines below a blank line. `name` is the deck's own name,
    "" if it has none. `others` are the further decks of a text that holds several.
    """

    format: str
    cards: list[tuple[str | None, Line]] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    parted: Sequence[int] = ()
    name: str = ""
    others: list[Draft] = field(default_factory=list)

    @property
    def copies(self) -> int:
        """The number of cards, each copy counted, without unread lines and without other decks of the text."""
        return sum([line.count for _, line in self.cards])

    def add(
        self, section: str | None, digits: str, number: str | None, name: str | None, line_number: int, raw: str
    ) -> None:
        """Add a line with the count of its digits.

        A line with an impossible count, number or name is kept as unread.
        """
        raw = raw[:LONGEST_LINE]  # a line may hold many cards
        copies = _COPIES_BY_DIGITS.get(digits) or _COPIES_BY_DIGITS.get(digits.lstrip("0"))
        if wrong := (number and doubt(number, LONGEST_NAME)) or (name and doubt(name, LONGEST_NAME)):
            self.skip(line_number, raw, phrase("the card {wrong}", wrong=wrong))
        elif copies is None:
            self.skip(line_number, raw, phrase("the count must be 1 to {most}", most=MOST_COPIES))
        else:
            self.cards.append((section, Line(number, copies, name, line_number, raw)))

    def skip(self, line_number: int, text: str, reason: str, is_aside: bool = False) -> None:
        """Keep a line as unread, with the reason. `is_aside` is True if the line is no part of the deck."""
        self.unread.append(Unread(line_number, text, reason, is_aside))

    def note_no_counts(self, line_number: int, text: str) -> None:
        """Note that a table has no count column, so that each of its lines is one copy."""
        reason = phrase("no count column was found, so each line counts as one copy")
        self.unread.append(Unread(line_number, text[:LONGEST_LINE], reason, aside=True, code="table.no_counts"))

    def note_possible_player(self, line_number: int, text: str, name: str) -> None:
        """Note that a column of a table may have players, of whom `name` is the first, although all is one deck."""
        reason = phrase("“{name}” may be a player, but all rows were read as one deck", name=name)
        self.unread.append(Unread(line_number, text[:LONGEST_LINE], reason, aside=True, code="table.possible_players"))

    def deck(self, catalogue: Catalogue | None) -> Deck:
        """Return the deck. Cards without a section are in the main deck, or in the section of their type.

        A card of type Leader in the main deck becomes the Leader if the list names no Leader. The same holds for cards
        of other separate sections. Card types that lie beside all decks do so under any heading, and become unread.
        """
        placed = self._cards_by_section(catalogue)
        if catalogue is not None and not any(section for section, _ in self.cards):
            self._move_side_deck(placed, GAMES.get(catalogue.game))
        unread = sorted(self.unread, key=attrgetter("at"))
        return Deck(**{name: tuple(lines) for name, lines in placed.items()}, unread=tuple(unread))

    def _cards_by_section(self, catalogue: Catalogue | None) -> dict[str, list[Line]]:
        """Return the cards by section. Cards that are no part of the deck are kept as unread."""
        placed: dict[str, list[Line]] = {name: [] for name in SECTIONS}
        named_sections = {section for section, _ in self.cards}
        for section, line in self.cards:
            place = section if section == ASIDE else _choose_section(section, line, catalogue, named_sections)
            if place == ASIDE:
                self.skip(
                    _line_number(line) or 1,
                    line.raw or line.written,
                    NO_PART if section == ASIDE else BESIDE,
                    is_aside=True,
                )
            else:
                placed[place].append(line)
        return placed

    def _move_side_deck(self, placed: dict[str, list[Line]], game: Game | None) -> None:
        """Move the cards below a blank line to the side deck, if a list without headings has too many cards for a deck.

        The list is left unchanged unless exactly one blank line divides it into a deck and a side deck. The division is
        noted in `unread`.
        """
        if game is None or not game.parted or placed["side"]:
            return
        most = game.parted["main"].stop - 1
        has_both_sizes = most < sum(line.count for line in placed["main"]) < most + game.parted["side"].stop
        starts = (
            [start for start in self.parted if _is_deck_and_side(placed["main"], start, game)] if has_both_sizes else []
        )
        if len(starts) == 1:
            above, below = _split_at_line(placed["main"], starts[0])
            placed["main"], placed["side"] = above, below
            text = below[0].raw or below[0].written
            self.unread.append(Unread(starts[0], text, BLANK_LINE, aside=True, section="side"))


def _line_number(line: Line) -> int:
    """Return the line number of a card line, 0 if it has none."""
    return line.at or 0


def _split_at_line(lines: Sequence[Line], start: int) -> tuple[list[Line], list[Line]]:
    """Return the cards above a line of the text, and the cards from that line on."""
    return [line for line in lines if _line_number(line) < start], [
        line for line in lines if _line_number(line) >= start
    ]


def _is_deck_and_side(lines: Sequence[Line], start: int, game: Game) -> bool:
    """Return True if the cards above and below a line have the sizes of a deck and a side deck."""
    deck, side = (sum(line.count for line in part) for part in _split_at_line(lines, start))
    return side in game.parted["side"] and deck in game.parted["main"]


def _choose_section(
    section: str | None, line: Line, catalogue: Catalogue | None, named_sections: Collection[str | None]
) -> str:
    """Return the section for a card line. `named_sections` are the sections that the list itself names."""
    if catalogue is None:
        return section or "main"
    type = card_type(line, catalogue)
    type_section = "leader" if type == "Leader" else GAMES[catalogue.game].apart.get(type)
    if type_section == ASIDE:
        return type_section
    if section not in (None, "main"):
        return section
    if type_section and type_section not in named_sections:
        return type_section
    return "z" if section is None and type.startswith("Z-") else "main"


def card_type(line: Line, catalogue: Catalogue) -> str:
    """Return the type of a line's card. "" if cards of its name differ in type, or if the card is unknown.

    An unknown card of a series with only one type has this type.
    """
    if line.number is not None:
        card = catalogue.index.get(line.number) or catalogue.by_number(line.number)
        return card.type if card else _series_type(line.number, catalogue.game)
    types = {card.type for card in _cards_by_face_name(line.name or "", catalogue)}
    return types.pop() if len(types) == 1 else ""


def _series_type(number: str, game: str) -> str:
    """Return the type of all cards of a number's series, "" if the series has several."""
    typed_series = GAMES[game].typed_series
    return typed_series.get(normal(number, game)[0].partition("-")[0].rstrip("0123456789"), "") if typed_series else ""


def _cards_by_face_name(name: str, catalogue: Catalogue) -> Sequence[Card]:
    """Return the cards of a written name, which may hold the names of both faces. Empty if there are none."""
    # The back name of a Leader comes first: its front name is often that of many characters.
    cards = (catalogue.by_name(part) for part in (name, *reversed(faces(name))))
    return next(filter(None, cards), ())


def faces(name: str) -> list[str]:
    """Return the names of both faces of "Front // Back" or "Front/Back". For any other name, return only that name."""
    parts = _FACES.split(name) if "/" in name else (name,)
    return [part for part in map(str.strip, parts) if part]
