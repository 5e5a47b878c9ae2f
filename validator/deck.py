"""Decks: as somebody wrote them, and resolved against a catalogue and counted once."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from validator.cards import Card
from validator.cards import Catalogue
from validator.matching import folded

SECTIONS = ("leader", "main", "side", "z", "don")
MOST_COPIES = 255  # in one line
MOST_LINES = 1000  # in one deck; the longest honest list seen has under 100


class Line(NamedTuple):
    """One line of a deck: a card by number, by name or both, and how many.

    `at` is the line in the text it came from (from 1), `raw` that line as it was written.
    """

    number: str | None
    count: int  # type: ignore[assignment]  # the field's own word; it hides tuple.count, which no line needs
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
    unread: tuple[Unread, ...] = ()

    def section(self, name: str) -> tuple[Line, ...]:
        """Return the lines of one of SECTIONS."""
        lines: tuple[Line, ...] = getattr(self, name)
        return lines

    def lines(self) -> Iterator[tuple[str, Line]]:
        """Yield every line with its section, in the order of SECTIONS."""
        for name in SECTIONS:
            for line in self.section(name):
                yield name, line


@lru_cache(maxsize=1 << 16)  # the same cards come with every deck
def _fingerprint(section: str, card: Card, copies: int) -> str:
    return f"{section}\t{card.number or folded(card.name)}\t{copies}"


class Lost(NamedTuple):
    """A line whose card the catalogue does not tell: no card like it, or several of its name."""

    section: str
    line: Line
    candidates: tuple[Card, ...]


def resolve(line: Line, catalogue: Catalogue) -> Card | tuple[Card, ...]:
    """Return the card a line means, or the several cards of its name, or () for none."""
    if line.number:
        return catalogue.by_number(line.number) or ()
    found = tuple(catalogue.by_name(line.name or ""))
    return found[0] if len(found) == 1 else found


_NO_CARDS: Mapping[Card, int] = {}


class DeckFacts:
    """A deck resolved and counted once: what every rule reads.

    `counts` has, for each section the rules know and the deck uses, each card once with its copies;
    `sizes` every section's cards, known or not; `lost` the lines without a card. `leader` is the one
    Leader that the deck rightly has, else None: rules that hang on the Leader then stay silent.
    """

    leader: Card | None = None
    leader_size = side_size = z_size = don_size = 0
    lost: Sequence[Lost] = ()

    def __init__(self, deck: Deck, catalogue: Catalogue, types: Mapping[str, Collection[str]]) -> None:
        """Count a deck; `types` says which card types each section of the ruleset takes."""
        self.deck = deck
        self.catalogue = catalogue
        self.types = types
        self.main, self.main_size = self._count("main", deck.main)
        self.counts = {"main": self.main}
        if deck.leader:
            self._count_leader()
        if deck.side or deck.z or deck.don:
            self._count_rest()

    def _count(self, section: str, lines: tuple[Line, ...]) -> tuple[dict[Card, int], int]:
        """Return a section's cards with their copies, and the number of all its cards, known or not."""
        known: Mapping[str | None, Card] = self.catalogue.index  # type: ignore[assignment]
        try:
            counts = {known[line.number]: line.count for line in lines}
        except KeyError:
            return self._count_each(section, lines)
        if len(counts) == len(lines):
            return counts, sum(counts.values())  # each line a card of its own, spelled as in the catalogue
        return self._count_each(section, lines)

    def _count_each(self, section: str, lines: tuple[Line, ...]) -> tuple[dict[Card, int], int]:
        """Count lines that repeat a card, or name one in another way, or none."""
        counts: dict[Card, int] = {}
        for line in lines:
            card = self.catalogue.index.get(line.number or "") or self._look(section, line)
            if card is not None:
                counts[card] = counts.get(card, 0) + line.count
        return counts, sum(line.count for line in lines)

    def _look(self, section: str, line: Line) -> Card | None:
        if section not in self.types:
            return None  # the ruleset has no such section: its cards are not judged
        found = resolve(line, self.catalogue)
        if isinstance(found, Card):
            return found
        if section == "don":
            # DON!! cards have no number of their own and need not be in the catalogue.
            return found[0] if found else None
        self.lost = [*self.lost, Lost(section, line, found)]
        return None

    def _count_leader(self) -> None:
        counts, self.leader_size = self._count("leader", self.deck.leader)
        if "leader" in self.types:
            self.counts["leader"] = counts
            if self.leader_size == 1:
                for card in counts:
                    self.leader = card if self.fits(card, "leader") else None

    def _count_rest(self) -> None:
        for section in ("side", "z", "don"):
            if lines := self.deck.section(section):
                counts, size = self._count(section, lines)
                setattr(self, f"{section}_size", size)
                if section in self.types:
                    self.counts[section] = counts

    @property
    def shape(self) -> tuple[int, int, int, int, int]:
        """The cards of each section, in the order of SECTIONS."""
        return self.leader_size, self.main_size, self.side_size, self.z_size, self.don_size

    @property
    def sizes(self) -> dict[str, int]:
        """The cards of each section, known or not."""
        return dict(zip(SECTIONS, self.shape, strict=True))

    def fits(self, card: Card, section: str) -> bool:
        """Tell whether the ruleset lets a card of this type stand in a section."""
        return card.type in self.types[section]

    def placed(self, section: str) -> Iterator[tuple[Card, int]]:
        """Yield the cards of a section that may stand there, with their copies."""
        for card, copies in self.counts.get(section, {}).items():
            if self.fits(card, section):
                yield card, copies

    def pooled(self, sections: Iterable[str]) -> Mapping[Card, int]:
        """Return the copies of each card over several sections together."""
        parts = [self.counts[section] for section in sections if self.counts.get(section)]
        if len(parts) == 1:
            return parts[0]
        total: dict[Card, int] = {}
        for part in parts:
            for card, copies in part.items():
                total[card] = total.get(card, 0) + copies
        return total

    def where(self, card: Card) -> str:
        """Return the first section that holds a card."""
        return next(section for section in SECTIONS if card in self.counts.get(section, ()))

    @cached_property
    def understood(self) -> dict[str, list[tuple[Line, Card | None]]]:
        """Every section's lines with the card each one means, in the writer's order."""
        return {section: self._understood(section) for section in SECTIONS}

    def alone(self, section: str) -> Mapping[Card, int] | None:
        """Return a section's cards with their copies, in its order, where each line is a known card of its own."""
        counts: Mapping[Card, int] = self.counts.get(section, _NO_CARDS)
        return counts if len(counts) == len(self.deck.section(section)) else None

    def _understood(self, section: str) -> list[tuple[Line, Card | None]]:
        lines = self.deck.section(section)
        cards = self.alone(section)
        if cards is not None:
            return list(zip(lines, cards, strict=True))
        known = self.catalogue.index
        found = ((line, known.get(line.number or "") or resolve(line, self.catalogue)) for line in lines)
        return [(line, card if isinstance(card, Card) else None) for line, card in found]

    @property
    def hash(self) -> str:
        """A fingerprint of the cards in their sections, whatever their order, spelling or printing."""
        used = [section for section in SECTIONS if self.deck.section(section)]
        listed = "\n".join(sorted(chain.from_iterable(map(self._fingerprints, used))))
        return hashlib.blake2b(
            f"{self.catalogue.game}\n{listed}".encode("utf-8", "replace"), digest_size=16
        ).hexdigest()

    def _fingerprints(self, section: str) -> Iterable[str]:
        """Return a text for each card of a section, known or not, with its copies."""
        cards = self.alone(section)
        if cards is not None:
            return [_fingerprint(section, card, copies) for card, copies in cards.items()]
        named: dict[str, int] = {}
        for line, card in self.understood[section]:
            name = (card.number or folded(card.name)) if card else "?" + folded(line.written)
            named[name] = named.get(name, 0) + line.count
        return [f"{section}\t{name}\t{copies}" for name, copies in named.items()]
