"""Readings: what a reader made of a list, before cards whose section is not said find their place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from operator import attrgetter

from validator.cards import Card
from validator.cards import Catalogue
from validator.deck import MOST_COPIES
from validator.deck import SECTIONS
from validator.deck import Deck
from validator.deck import Line
from validator.deck import Unread
from validator.decklists.headings import ASIDE
from validator.matching import folded
from validator.texts import LONGEST_LINE
from validator.texts import LONGEST_NAME
from validator.texts import doubt

NO_PART = "it stands under a heading for cards that are no part of the deck"
OF_ANOTHER = "another player's deck; only the first is read"
OF_A_ROW = "this row has a whole deck; a table is read with a row for each card"
OF_SEVERAL = (OF_ANOTHER, OF_A_ROW)
_WORD = re.compile(r"\w+")
_FACES = re.compile(r"//?")
_COPIES = {str(count): count for count in range(1, MOST_COPIES + 1)}


@dataclass(slots=True)
class Reading:
    """The cards of a list with the section that the list puts each in (None: it does not say).

    `format` is the format's name in FORMATS.
    """

    format: str
    cards: list[tuple[str | None, Line]] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)

    def add(self, section: str | None, digits: str, number: str | None, name: str | None, at: int, raw: str) -> None:
        """Put in a line with the count that its digits say, or keep it as unread where it is absurd."""
        raw = raw[:LONGEST_LINE]  # a line may hold many cards
        copies = _COPIES.get(digits) or _COPIES.get(digits.lstrip("0"))
        if wrong := (number and doubt(number, LONGEST_NAME)) or (name and doubt(name, LONGEST_NAME)):
            self.skip(at, raw, f"the card {wrong}")
        elif copies is None:
            self.skip(at, raw, f"a count is 1 to {MOST_COPIES}")
        else:
            self.cards.append((section, Line(number, copies, name, at, raw)))

    def skip(self, at: int, text: str, reason: str, aside: bool = False) -> None:
        """Keep what is not understood, or no part of the deck, and why."""
        self.unread.append(Unread(at, text, reason, aside))

    def deck(self, catalogue: Catalogue | None) -> Deck:
        """Return the deck: cards of unsaid section in the main deck, or where their type belongs.

        A Leader is told by its type even within a main deck, as long as nothing is said to be the Leader.
        A number with the name of another card is either of them, and so neither.
        """
        sections: dict[str, list[Line]] = {name: [] for name in SECTIONS}
        led = any(section == "leader" for section, _ in self.cards)
        for section, line in self.cards:
            if section == ASIDE:
                self.skip(line.at or 1, line.raw or line.written, NO_PART, aside=True)
                continue
            if catalogue is not None and (doubt := _doubt(line, catalogue)):
                self.skip(line.at or 1, line.raw or line.written, doubt)
                continue
            place = section or "main"
            if catalogue is not None and place == "main":
                place = _place(_type(line, catalogue), section is not None, led)
            sections[place].append(line)
        unread = sorted(self.unread, key=attrgetter("at"))
        return Deck(**{name: tuple(lines) for name, lines in sections.items()}, unread=tuple(unread))


def _doubt(line: Line, catalogue: Catalogue) -> str | None:
    """Return what is wrong with a line whose number is of one card and whose name is of another."""
    card = catalogue.by_number(line.number) if line.number and line.name else None
    if card is None or line.name == card.name or not catalogue.by_name(line.name or ""):
        return None
    said, known = _words(line.name or ""), _words(f"{card.name} {card.back_name or ''}")
    if said <= known or known <= said or _words(card.name) <= said:
        return None
    return f"{line.number} is {card.name}, and not {line.name}"


def _words(name: str) -> set[str]:
    return set(_WORD.findall(folded(name)))


def _place(kind: str, said: bool, led: bool) -> str:
    if kind == "Leader":
        return "main" if led else "leader"
    return "z" if kind.startswith("Z-") and not said else "main"


def _type(line: Line, catalogue: Catalogue) -> str:
    """Return the type of a line's card; "" where there is none, or where cards of one name differ in it."""
    if line.number is not None:
        card = catalogue.index.get(line.number) or catalogue.by_number(line.number)
        return card.type if card else ""
    types = {card.type for card in _named(line.name or "", catalogue)}
    return types.pop() if len(types) == 1 else ""


def _named(name: str, catalogue: Catalogue) -> Sequence[Card]:
    # The back of a Leader tells more than its front, which is often just a character.
    found = (catalogue.by_name(part) for part in (name, *reversed(faces(name))))
    return next(filter(None, found), ())


def faces(name: str) -> list[str]:
    """Return the names of both faces of "Front // Back" or "Front/Back"; the name alone for any other."""
    return [part for part in map(str.strip, _FACES.split(name)) if part]
