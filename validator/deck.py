"""Decks: as somebody wrote them, and resolved against a catalogue and counted once."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from typing import Any
from typing import NamedTuple

from validator.cards import Card
from validator.cards import Catalogue

SECTIONS = ("leader", "main", "side", "z", "don")
MOST_COPIES = 255  # a line's count, CONTRACT "Deck"
MOST_LINES = 400  # lines in a deck; the longest honest list seen has under 100


class Line(NamedTuple):
    """One line of a deck: a card by number, by name or both, and how many.

    `at` is the line in the text it came from (from 1), `raw` that line as it was written.
    """

    number: str | None
    count: int
    name: str | None = None
    at: int | None = None
    raw: str | None = None

    @property
    def written(self) -> str:
        """What the player wrote for the card."""
        return self.number or self.name or self.raw or ""


class Unread(NamedTuple):
    """A line that no reader understood, kept so that nothing is lost."""

    at: int
    text: str
    reason: str = ""


@dataclass(slots=True)
class Deck:
    """A deck as it was written: lines in sections, in the writer's order."""

    leader: tuple[Line, ...] = ()
    main: tuple[Line, ...] = ()
    side: tuple[Line, ...] = ()
    z: tuple[Line, ...] = ()
    don: tuple[Line, ...] = ()
    unread: tuple[Unread, ...] = field(default=())

    def section(self, name: str) -> tuple[Line, ...]:
        """Return the lines of one of SECTIONS."""
        return getattr(self, name)  # type: ignore[no-any-return]

    def lines(self) -> Iterable[tuple[str, Line]]:
        """Yield every line with its section, in the order of SECTIONS."""
        for name in SECTIONS:
            for line in self.section(name):
                yield name, line
