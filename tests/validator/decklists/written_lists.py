"""Written lists: a text, and which copies of which cards stand in which of its lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from tests.validator.decklists.drawn_decks import Entry

_FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")


class Copies(NamedTuple):
    """Copies that a text lists. `line` is 0 if the text is not made of lines, `number` "" if only the name is written.

    `is_aside` copies are commented out or under a heading such as "Maybeboard". `deck` counts the decks of the text.
    """

    section: str
    number: str
    name: str
    count: int
    line: int = 0
    is_aside: bool = False
    deck: int = 0


@dataclass(slots=True)
class WrittenList:
    """A text with its copies. `total` is "right", "wrong" or "", as the total that the text states."""

    shape: str
    game: str
    text: str
    copies: list[Copies]
    total: str = ""

    @property
    def decks(self) -> int:
        """The number of decks in the text."""
        return 1 + max((one.deck for one in self.copies), default=0)


@dataclass(slots=True)
class Paper:
    """Lines being written. `write` notes the copies of a line with its number."""

    lines: list[str] = field(default_factory=list)
    copies: list[Copies] = field(default_factory=list)
    deck: int = 0
    total: str = ""

    def write(self, text: str, entries: Iterable[Entry] = (), has_number: bool = True, is_aside: bool = False) -> None:
        """Add a line with the copies in it."""
        self.lines.append(text)
        at = len(self.lines)
        for section, number, name, _, count in entries:
            self.copies.append(Copies(section, number if has_number else "", name, count, at, is_aside, self.deck))

    def finish(self, shape: str, game: str, chance: Random) -> WrittenList:
        """Return the text of the lines, with the line ends and marks of some program."""
        end = chance.choice(("\n", "\n", "\n", "\r\n"))
        text = end.join(self.lines) + chance.choice(("", end))
        if chance.random() < 0.1:
            text = "\ufeff" + text
        return WrittenList(shape, game, text, self.copies, self.total)


def full_width(text: str) -> str:
    """Return a text with full-width digits."""
    return text.translate(_FULL_WIDTH)
