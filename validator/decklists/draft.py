"""Drafts: the cards parsed from a list, before cards without a section are put into one."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from validator.cards import Card, Catalogue
from validator.deck import MOST_COPIES, SECTIONS, Deck, Line, Total, Unread
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
CONTRADICTED = phrase("the number of cards is different")
BLANK_LINE = phrase("a blank line is above them, and the parts have the sizes of a deck and a side deck")
_FACES = re.compile(r"//?")
_COPIES_BY_DIGITS = {str(count): count for count in range(1, MOST_COPIES + 1)}


def marks_ignored(mark: str) -> str:
    """Return the message about marks such as `mark` in a column without a heading."""
    return phrase("a column without a heading has “{mark}”, and such marks are ignored", mark=mark)


@dataclass(slots=True)
class Draft:
    """The cards of a list, nearly always of one deck, as a format's reader finds them.

    `cards` are pairs `(section, line)` in the order of the list. The section is None if the list names none, and
    "aside" for cards outside the deck. `format` is the format's name in FORMATS. `unread` are lines that were not
    parsed, and remarks. `parted` are the numbers of the lines directly below blank lines, only for a list that was
    parsed line by line. `name` is the deck's own name, "" if it has none. `others` are the further decks of a text that
    holds several. `compared_totals` is the number of rows with a total that were compared with the cards.
    """

    format: str
    cards: list[tuple[str | None, Line]] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    parted: Sequence[int] = ()
    name: str = ""
    others: list[Draft] = field(default_factory=list)
    compared_totals: int = 0

    @property
    def copies(self) -> int:
        """The number of cards in all sections, each copy counted, also of cards that are no part of the deck.

        Unread lines and the other decks of the text are not counted.
        """
        return sum([line.count for _, line in self.cards])

    def find_leaders(self, catalogue: Catalogue | None) -> Sequence[Line]:
        """Return the lines of the Leader section, and the Leaders by type without a section or in the main deck."""
        return [line for section, line in self.cards if is_leader(section, line, catalogue)]

    def add(
        self, section: str | None, digits: str, number: str | None, name: str | None, line_number: int, raw: str
    ) -> None:
        """Add a card to `cards`, with the count of its digits. `raw` is the whole line in the text.

        A count must be 1 to MOST_COPIES, and leading zeros are ignored. A line with an impossible count, or a number or
        name that is too long, is added to `unread` instead.
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
        """Add a line to `unread`, with the reason.

        `is_aside` is True if the line is no part of the deck, such as a comment.
        """
        self.unread.append(Unread(line_number, text, reason, is_aside))

    def note_wrong_total(self, line_number: int, text: str, total: Total) -> None:
        """Add a remark to `unread`: a line states a number of cards that the cards contradict."""
        self.unread.append(Unread(line_number, text[:LONGEST_LINE], CONTRADICTED, aside=True, total=total))

    def note_no_counts(self, line_number: int, text: str) -> None:
        """Add a remark to `unread`: a table has no count column, so that each of its lines is one copy.

        `line_number` and `text` are those of the line that the remark quotes.
        """
        reason = phrase("no count column was found, so each line counts as one copy")
        self.unread.append(Unread(line_number, text[:LONGEST_LINE], reason, aside=True, code="table.no_counts"))

    def note_marks(self, line_number: int, text: str, mark: str) -> None:
        """Add a remark to `unread`: a column of a table without a heading has marks, such as "x", which are ignored.

        `line_number` and `text` are those of the line that the remark quotes.
        """
        reason = marks_ignored(mark)
        self.unread.append(Unread(line_number, text[:LONGEST_LINE], reason, aside=True, code="table.marks"))

    def note_possible_player(self, line_number: int, text: str, name: str) -> None:
        """Add a remark to `unread`: a column of a table may have players, although all its rows were read as one deck.

        `name` is the first of these players. `line_number` and `text` are those of the line that the remark quotes.
        """
        reason = phrase("“{name}” may be a player, but all rows were read as one deck", name=name)
        self.unread.append(Unread(line_number, text[:LONGEST_LINE], reason, aside=True, code="table.possible_players"))

    def deck(self, catalogue: Catalogue | None) -> Deck:
        """Return the deck with each card in a section, and its unread lines sorted by line number.

        Without a section in the list, the catalogue's type of the card decides, else the card is in the main deck. A
        Leader in the main deck becomes the Leader if the list names no Leader. Cards outside the deck, such as tokens,
        are added to `unread` of this draft, and so is a remark on a side deck assumed below a blank line.
        """
        placed = self._cards_by_section(catalogue)
        if catalogue is not None and not any(section for section, _ in self.cards):
            self._move_side_deck(placed, GAMES.get(catalogue.game))
        unread = sorted(self.unread, key=attrgetter("at"))
        return Deck(**{name: tuple(lines) for name, lines in placed.items()}, unread=tuple(unread))

    def _cards_by_section(self, catalogue: Catalogue | None) -> dict[str, list[Line]]:
        """Return the cards by section, with a key for each section, in the order of the list.

        Cards outside the deck, by their heading or their type, are left out and added to `unread`.
        """
        placed: dict[str, list[Line]] = {name: [] for name in SECTIONS}
        types = [card_type(line, catalogue) if catalogue else "" for _, line in self.cards]
        own_sections = {"Leader": "leader", **GAMES[catalogue.game].apart} if catalogue else {}
        # A token under the heading of the resources leaves the resources to their type.
        named_sections = {
            section for (section, _), type in zip(self.cards, types, strict=True) if own_sections.get(type) != ASIDE
        }
        for (section, line), type in zip(self.cards, types, strict=True):
            place = _choose_section(section, type, own_sections.get(type), named_sections)
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
        """Move the cards below a blank line from the main to the side deck, by changing `placed`, the cards by section.

        The main deck must be too large for the game, but not for both decks together. Exactly one blank line must
        divide the cards into a deck and a side deck of legal sizes. A remark on the assumed side deck is added to
        `unread`. Nothing changes otherwise, nor if the side deck has cards or `game` is None.
        """
        if game is None or not game.parted or placed["side"]:
            return
        most = game.parted["main"].stop - 1
        has_both_sizes = most < sum(line.count for line in placed["main"]) < most + game.parted["side"].stop
        starts = (
            [start for start in self.parted if _has_deck_sizes(placed["main"], start, game)] if has_both_sizes else []
        )
        if len(starts) == 1:
            above, below = _split_at_line(placed["main"], starts[0])
            placed["main"], placed["side"] = above, below
            text = below[0].raw or below[0].written
            self.unread.append(Unread(starts[0], text, BLANK_LINE, aside=True, section="side"))


def _line_number(line: Line) -> int:
    """Return the line number of a card in the text, 0 if it has none."""
    return line.at or 0


def _split_at_line(lines: Sequence[Line], start: int) -> tuple[list[Line], list[Line]]:
    """Return `(above, below)`: the cards above line number `start`, and the cards from that line on."""
    return [line for line in lines if _line_number(line) < start], [
        line for line in lines if _line_number(line) >= start
    ]


def _has_deck_sizes(lines: Sequence[Line], start: int, game: Game) -> bool:
    """Return True if the cards divide into a main deck and a side deck of legal sizes at line number `start`.

    The side deck begins on that line. The sizes are those in `game.parted`.
    """
    deck, side = (sum(line.count for line in part) for part in _split_at_line(lines, start))
    return side in game.parted["side"] and deck in game.parted["main"]


def _choose_section(
    section: str | None, type: str, own_section: str | None, named_sections: Collection[str | None]
) -> str:
    """Return the section for a card, or "aside" for a card outside every deck, by its heading or its type.

    `section` is the section that the list gives the card, and is kept unless it is None or "main". Then the separate
    section of the card's type decides, such as "resource": `own_section`, None if the type has none. `named_sections`
    are the sections that the list names. If that of the type is among them, a card of the main deck stays there, and so
    does a second Leader. A card of type "Z-…" without a section goes into "z". Without a catalogue `type` is "", and
    None becomes "main".
    """
    if ASIDE in (section, own_section):
        return ASIDE
    if section not in (None, "main"):
        return section
    if own_section and (own_section not in named_sections or (section is None and own_section != "leader")):
        return own_section
    return "z" if section is None and type.startswith("Z-") else "main"


def is_leader(section: str | None, line: Line, catalogue: Catalogue | None) -> bool:
    """Return True if a card is in the Leader section, or a Leader by type without a section or in the main deck.

    No type is known without a catalogue.
    """
    if section not in (None, "main"):
        return section == "leader"
    return catalogue is not None and card_type(line, catalogue) == "Leader"


def card_type(line: Line, catalogue: Catalogue) -> str:
    """Return the type of a line's card: "Leader". "" if the card is unknown, or if cards of its name differ in type.

    A number has priority over the name. An unknown number gets the only type of its series, if there is one.
    """
    if line.number is not None:
        card = catalogue.index.get(line.number) or catalogue.by_number(line.number)
        return card.type if card else _type_of_series(line.number, catalogue.game)
    types = {card.type for card in _cards_by_face_name(line.name or "", catalogue)}
    return types.pop() if len(types) == 1 else ""


def _type_of_series(number: str, game: str) -> str:
    """Return the type of all cards of a number's series: "Energy Marker" for "E-01".

    "" for a series with several types.
    """
    typed_series = GAMES[game].typed_series
    return typed_series.get(normal(number, game)[0].partition("-")[0].rstrip("0123456789"), "") if typed_series else ""


def _cards_by_face_name(name: str, catalogue: Catalogue) -> Sequence[Card]:
    """Return the cards of a written name, else those of its back name, else those of its front name.

    Only a name such as "Front // Back" has two face names. Empty if there are no such cards.
    """
    # The back name of a Leader comes first: its front name is often that of many characters.
    cards = (catalogue.by_name(part) for part in (name, *reversed(faces(name))))
    return next(filter(None, cards), ())


def faces(name: str) -> list[str]:
    """Return the names of both faces of "Front // Back" or "Front/Back", without blanks around and without empty names.

    For any other name, return a list of only that name. Empty for a blank name.
    """
    parts = _FACES.split(name) if "/" in name else (name,)
    return [part for part in map(str.strip, parts) if part]
