"""Drafts: what a reader made of a list, before cards whose section is not said find their place."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from validator.cards import Card, Catalogue
from validator.deck import MOST_COPIES, SECTIONS, Deck, Line, Unread
from validator.decklists.sections import ASIDE
from validator.games import GAMES, Game
from validator.language import phrase
from validator.texts import LONGEST_LINE, LONGEST_NAME, doubt

NO_PART = phrase("it stands under a heading for cards that are no part of the deck")
COMMENTED = phrase("a comment mark stands before it")
BESIDE = phrase("cards of this type lie beside the deck, and are no part of it")
OF_NOBODY = phrase("no player is named in this row, and other rows of the player above have the name")
OF_A_ROW = phrase("this row has a whole deck; a table is read with a row for each card")
SEVERAL = phrase("another deck begins here; only the first is taken")
BLANK_LINE = phrase(
    "a blank line stands before them, and above and below it are as many as a deck and a side deck have"
)
_FACES = re.compile(r"//?")
_COPIES = {str(count): count for count in range(1, MOST_COPIES + 1)}


@dataclass(slots=True)
class Draft:
    """The cards of a list with the section that the list puts each in (None: it does not say).

    `format` is the format's name in FORMATS; `parted` are the lines before which a blank one stands. `name` is the
    deck's own name, "" if it has none; `others` are the further decks of a text that holds several.
    """

    format: str
    cards: list[tuple[str | None, Line]] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    parted: Sequence[int] = ()
    name: str = ""
    others: list[Draft] = field(default_factory=list)

    @property
    def copies(self) -> int:
        """The number of cards that were read."""
        return sum([line.count for _, line in self.cards])

    def add(self, section: str | None, digits: str, number: str | None, name: str | None, at: int, raw: str) -> None:
        """Put in a line with the count that its digits say, or keep it as unread where it is absurd."""
        raw = raw[:LONGEST_LINE]  # a line may hold many cards
        copies = _COPIES.get(digits) or _COPIES.get(digits.lstrip("0"))
        if wrong := (number and doubt(number, LONGEST_NAME)) or (name and doubt(name, LONGEST_NAME)):
            self.skip(at, raw, phrase("the card {wrong}", wrong=wrong))
        elif copies is None:
            self.skip(at, raw, phrase("a count is 1 to {most}", most=MOST_COPIES))
        else:
            self.cards.append((section, Line(number, copies, name, at, raw)))

    def skip(self, at: int, text: str, reason: str, aside: bool = False) -> None:
        """Keep what is not understood, or no part of the deck, and why."""
        self.unread.append(Unread(at, text, reason, aside))

    def note_no_counts(self, at: int, text: str) -> None:
        """Remark that a table has no count column, so that each of its lines is one copy."""
        reason = phrase("no count column was found; each line counts as one copy")
        self.unread.append(Unread(at, text[:LONGEST_LINE], reason, aside=True, code="table.no_counts"))

    def deck(self, catalogue: Catalogue | None) -> Deck:
        """Return the deck: cards of unsaid section in the main deck, or where their type belongs.

        A Leader is told by its type even within a main deck, as long as nothing is said to be the Leader, and so are
        the cards of another deck; what lies beside all decks does so under any heading.
        """
        placed = self._placed(catalogue)
        if catalogue is not None and not any(section for section, _ in self.cards):
            self._part(placed, GAMES.get(catalogue.game))
        unread = sorted(self.unread, key=attrgetter("at"))
        return Deck(**{name: tuple(lines) for name, lines in placed.items()}, unread=tuple(unread))

    def _placed(self, catalogue: Catalogue | None) -> dict[str, list[Line]]:
        """Return the cards by their sections; those that are no part of the deck are kept as unread."""
        placed: dict[str, list[Line]] = {name: [] for name in SECTIONS}
        named = {section for section, _ in self.cards}
        for section, line in self.cards:
            place = section if section == ASIDE else _place(section, line, catalogue, named)
            if place == ASIDE:
                self.skip(_at(line) or 1, line.raw or line.written, NO_PART if section == ASIDE else BESIDE, aside=True)
            else:
                placed[place].append(line)
        return placed

    def _part(self, placed: dict[str, list[Line]], game: Game | None) -> None:
        """Part the cards of a list without headings, if they are too many for a deck, where a blank line does so."""
        if game is None or not game.parted or placed["side"]:
            return
        most = game.parted["main"].stop - 1
        is_both = most < sum(line.count for line in placed["main"]) < most + game.parted["side"].stop
        starts = [start for start in self.parted if _parts(placed["main"], start, game)] if is_both else []
        if len(starts) == 1:
            above, below = _around(placed["main"], starts[0])
            placed["main"], placed["side"] = above, below
            text = below[0].raw or below[0].written
            self.unread.append(Unread(starts[0], text, BLANK_LINE, aside=True, section="side"))


def _at(line: Line) -> int:
    return line.at or 0


def _around(lines: Sequence[Line], start: int) -> tuple[list[Line], list[Line]]:
    """Return the cards above a line of the text, and those from it on."""
    return [line for line in lines if _at(line) < start], [line for line in lines if _at(line) >= start]


def _parts(lines: Sequence[Line], start: int, game: Game) -> bool:
    """Tell whether cards fall there into a deck and a side deck."""
    deck, side = (sum(line.count for line in part) for part in _around(lines, start))
    return side in game.parted["side"] and deck in game.parted["main"]


def _place(section: str | None, line: Line, catalogue: Catalogue | None, named: Collection[str | None]) -> str:
    """Return the section that a line is put in; `named` are those that the list itself speaks of."""
    if catalogue is None:
        return section or "main"
    type = card_type(line, catalogue)
    own = "leader" if type == "Leader" else GAMES[catalogue.game].apart.get(type)
    if own == ASIDE:
        return own
    if section not in (None, "main"):
        return section
    if own and own not in named:
        return own
    return "z" if section is None and type.startswith("Z-") else "main"


def card_type(line: Line, catalogue: Catalogue) -> str:
    """Return the type of a line's card; "" where there is none, or where cards of one name differ in it."""
    if line.number is not None:
        card = catalogue.index.get(line.number) or catalogue.by_number(line.number)
        return card.type if card else ""
    types = {card.type for card in _named(line.name or "", catalogue)}
    return types.pop() if len(types) == 1 else ""


def _named(name: str, catalogue: Catalogue) -> Sequence[Card]:
    # The back of a Leader tells more than its front, which is often just a character.
    cards = (catalogue.by_name(part) for part in (name, *reversed(faces(name))))
    return next(filter(None, cards), ())


def faces(name: str) -> list[str]:
    """Return the names of both faces of "Front // Back" or "Front/Back"; the name alone for any other."""
    parts = _FACES.split(name) if "/" in name else (name,)
    return [part for part in map(str.strip, parts) if part]
