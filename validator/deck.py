"""Decks: as written, and resolved against a catalogue and counted."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import starmap
from operator import attrgetter
from typing import Any, NamedTuple, Protocol, TypedDict

from validator.bounds import MOST_COPIES as MOST_COPIES
from validator.bounds import MOST_LINES as MOST_LINES
from validator.cards import Card, Catalogue
from validator.matching import fold_text
from validator.numbers import normal
from validator.rule_index import CardRuleIndex, LeaderIndex, RuleIndex

SECTIONS = ("leader", "main", "side", "z", "don", "resource")
SECTION_ORDER: Mapping[str | None, int] = {section: place for place, section in enumerate(SECTIONS)}
# Decks that nobody writes out: one that a list leaves out is taken to be right.
UNLISTED = frozenset({"don", "resource"})
_NAME = attrgetter("name")


class LineJSON(TypedDict):
    """A line of a deck as JSON: the card by number, by name (the other is null) or by both, and its copies."""

    number: str | None
    name: str | None
    count: int


class DeckJSON(TypedDict, total=False):
    """A deck as JSON, in the form of requests: the lines of each section. A missing section is empty.

    The OpenAPI document describes it by the marshmallow schema of requests instead of this type.
    """

    leader: list[LineJSON]
    main: list[LineJSON]
    side: list[LineJSON]
    z: list[LineJSON]
    don: list[LineJSON]
    resource: list[LineJSON]


class SizesJSON(TypedDict):
    """The number of cards in each section of a deck, unknown cards included, 0 for an empty section, as JSON.

    Lines that could not be read are not counted.
    """

    leader: int
    main: int
    side: int
    z: int
    don: int
    resource: int


class DeckLine(Protocol):
    """The interface of a line in a section of a deck, for example of a Line."""

    @property
    def number(self) -> str | None:
        """The card number as written, None if the line has none."""

    @property
    def count(self) -> int:
        """The number of copies of the card."""

    @property
    def name(self) -> str | None:
        """The card name as written, None if the line has none."""

    @property
    def at(self) -> int | None:
        """The line number in the source text (from 1), None without a text."""

    @property
    def raw(self) -> str | None:
        """The whole line as written, None without a text."""

    @property
    def written(self) -> str:
        """The text that the player wrote for the card: its number, else its name, else the whole line, else ""."""


class Line(NamedTuple):
    """One line of a deck: a card by number, by name or both, and its number of copies.

    `at` is the line in the source text (from 1), None without one. `raw` is that line as written.
    """

    number: str | None
    count: int  # type: ignore[assignment]  # the field's own word; it hides tuple.count, which no line needs
    name: str | None = None
    at: int | None = None
    raw: str | None = None

    @property
    def written(self) -> str:
        """The number that the player wrote for the card, else the name, else the whole line, else ""."""
        return self.number or self.name or self.raw or ""

    @classmethod
    def placed(cls, line: DeckLine, line_number: int) -> Line:
        """Return a copy of a line with another line number."""
        return cls(line.number, line.count, line.name, line_number, line.raw)


# Digits that are no count: of a set, a version, a year, a place, a player's id; a match's games, a round, how many
# there were of something else, a day, a time, a price.
_NO_COUNT = re.compile(
    r"(?<![\w-])(?:(?!x)[A-Z]{1,3}-?[0-9]{1,2}|(?:19|20)[0-9]{2}|[0-9]{1,3}(?:st|nd|rd|th)|[0-9]{7,}"
    r"|[0-9]{1,2}-[0-9]{1,2}(?:-[0-9]{1,2})?(?= (?:vs|against|win|loss|lost|in|at|record|locals?|regionals?)\b)"
    r"|(?:record|went|won|lost|score|finished|top|round|match|game|table|week|season|rank|turn)[ :#]{1,2}[0-9]{1,3}"
    r"(?:-[0-9]{1,2}){0,2}"
    r"|[0-9]{1,4} (?:players?|rounds?|wins?|loss(?:es)?|people|games?|match(?:es)?|points?|hours?|days?|weeks?)"
    r"|(?<=[a-z] )(?:[0-3]-0|0-[1-3]|2-1|1-1|3-[12])(?=[.,;!)]*$)"
    r"|\([0-9]{1,2}-[0-9]{1,2}(?:-[0-9]{1,2})?\)|\+[0-9]{1,3}(?:[ /-]?[0-9]){6,14}"
    r"|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?|[0-9]{1,2}([./-])[0-9]{1,2}\1(?:[0-9]{2}){0,2}|[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"|[$€£][0-9]{1,5}(?:[.,][0-9]{2})?|[0-9]{1,5}(?:[.,][0-9]{2})? ?[€$%])(?![\w-])",
    re.IGNORECASE,
)


class DeckSize(NamedTuple):
    """One of several decks in a text: its name ("" if it has none) and the number of copies of all its cards."""

    name: str
    cards: int


class Total(NamedTuple):
    """A number of cards that a text states, and the number of copies that it most likely counts."""

    stated: int
    counted: int


class Unread(NamedTuple):
    """A line that no parser understood, or a remark on the list. `at` is its line number, `text` the line.

    `reason`: why the line is no card, as a part of a sentence for people. `aside`: the deck is complete without the
    line, as for comments, cards outside the deck, and most remarks. `section`: the line is the first of cards that are
    assumed to be that section, or the heading of that section with a `total`. `code`: a remark on the whole list, with
    the code of its finding. `decks`: all decks of the text, of which only the first is used. The second begins here,
    and `text` may be its name. `total`: the line states a number of cards that the parsed cards contradict.
    """

    at: int
    text: str
    reason: str = ""
    aside: bool = False
    section: str | None = None
    code: str | None = None
    decks: tuple[DeckSize, ...] = ()
    total: Total | None = None

    @property
    def may_be_card(self) -> bool:
        """True if the line may be a card with its count, so that the deck is not complete without it.

        It has a digit that is not part of a date, a price, a score, a set code or the like, and is not aside. The line
        with `decks` also counts.
        """
        return bool(self.decks) or (not self.aside and any(map(str.isdigit, _NO_COUNT.sub("", self.text))))


@dataclass(slots=True, repr=False)
class Deck:
    """A deck as written: lines in sections, in the written order.

    `unread` has the lines that no parser understood, and remarks on the list.
    """

    leader: tuple[DeckLine, ...] = ()
    main: tuple[DeckLine, ...] = ()
    side: tuple[DeckLine, ...] = ()
    z: tuple[DeckLine, ...] = ()
    don: tuple[DeckLine, ...] = ()
    resource: tuple[DeckLine, ...] = ()
    unread: tuple[Unread, ...] = ()

    @classmethod
    def from_sections(cls, sections: Mapping[str, Iterable[DeckLine]]) -> Deck:
        """Return a deck of these lines by section. Other sections are empty, and no line is unread.

        Raises AttributeError for a name that is no section.
        """
        deck = cls()
        for section, lines in sections.items():
            setattr(deck, section, tuple(lines))
        return deck

    def __repr__(self) -> str:
        """Return the number of cards in each section, and of lines that were not read."""
        sizes = [f"{section}={sum(line.count for line in lines)}" for section, lines in self.used()]
        return f"Deck({', '.join([*sizes, *([f'unread={len(self.unread)}'] if self.unread else [])])})"

    def section(self, name: str) -> tuple[DeckLine, ...]:
        """Return the lines of one of SECTIONS, () if it is empty."""
        lines: tuple[DeckLine, ...] = getattr(self, name)
        return lines

    def used(self) -> list[tuple[str, tuple[DeckLine, ...]]]:
        """Return the sections that have lines, with these lines, in the order of SECTIONS."""
        every = self.leader, self.main, self.side, self.z, self.don, self.resource
        return [(section, lines) for section, lines in zip(SECTIONS, every, strict=True) if lines]

    def lines(self) -> Iterator[tuple[str, DeckLine]]:
        """Yield `(section, line)` for every line, in the order of SECTIONS. Unread lines are left out."""
        for name, lines in self.used():
            for line in lines:
                yield name, line


def has_several(deck: Deck) -> bool:
    """Return True if the text of a deck contains several decks, of which this is the first."""
    return any(line.decks for line in deck.unread)


def sum_without_side(copies: Mapping[str, int]) -> int:
    """Return the sum of copies over all sections except the side deck. `copies` has the copies by section."""
    return sum(count for section, count in copies.items() if section != "side")


class Lost(NamedTuple):
    """A line without one certain card: the catalogue has no such card, or several cards have the name.

    `candidates` are the cards of an ambiguous name, () for an unknown card.
    """

    section: str
    line: DeckLine
    candidates: tuple[Card, ...]


def resolve(line: DeckLine, catalogue: Catalogue) -> Card | tuple[Card, ...]:
    """Return the card of a line by its number, or by its name only if it has no number.

    If several cards have the name, return all of them as a tuple. () if the catalogue has no such card.
    """
    if line.number:
        return catalogue.by_number(line.number) or ()
    found = tuple(catalogue.by_name(line.name or ""))
    return found[0] if len(found) == 1 else found


def unknown_card_key(line: DeckLine, game: str) -> tuple[str, str]:
    """Return `(number, "")` or, without a number, `("", name)` as key of a card that is not in the catalogue.

    Both are normalised. Without a name it is the whole line as written.
    """
    return (normal(line.number, game)[0], "") if line.number else ("", fold_text(line.name or line.written))


def card_fingerprint(card: Card, copies: int) -> str:
    """Return "NUMBER<tab>COPIES" for the fingerprint of a deck. A card without a number has its folded name instead."""
    return f"{card.number or fold_text(card.name)}\t{copies}"


def hash_sections(game: str, sections: Iterable[tuple[str, Iterable[str]]]) -> str:
    """Return the fingerprint of a deck, 32 hexadecimal digits.

    `sections` has each used section with the texts of `card_fingerprint`. The order of the texts does not matter, that
    of the sections does.
    """
    lines = [game]
    for section, cards in sections:
        lines.append(section)
        lines += sorted(cards)
    return hashlib.blake2b("\n".join(lines).encode("utf-8", "replace"), digest_size=16).hexdigest()


_LED = tuple(section for section in SECTIONS if section != "leader")
_ONE_LEADER = "leader", 1, 1
_EMPTY = dict.fromkeys(SECTIONS, 0)


class DeckFacts:
    """A deck resolved against a catalogue and counted once. Every rule reads it.

    `counts`: section -> card -> copies, for each section with lines that the ruleset has, and for "main". `sizes`: the
    copies in each of SECTIONS, with unknown cards. `lost`: lines of the ruleset's sections without one certain card,
    except DON!! cards. `leader` is the only card that can be the Leader. If that is not certain, it is None, and rules
    that need it are not checked. `shape` repeats for each section with lines: section, size, most copies of one card.
    `rules`: those that the cards can violate, as bits of the `index`. `has_other_names`: a line may have another name
    than its card.
    """

    leader: Card | None = None
    shape: tuple[Any, ...] = ()
    has_other_names = False
    _repeating: Collection[str] = ()  # the sections in which some line is no known card of its own

    def __init__(
        self, deck: Deck, catalogue: Catalogue, types: Mapping[str, Collection[str]], index: RuleIndex | None = None
    ) -> None:
        """Resolve and count a deck.

        `types` are the card types of each section of the ruleset. `index` has the rules of each card, None for no
        rules.
        """
        self.deck = deck
        self.catalogue = catalogue
        self.types = types
        self.lost: list[Lost] = []
        self.sizes = _EMPTY.copy()
        self.counts: dict[str, dict[Card, int]] = {"main": {}}
        self.rules = 0
        led = self._count_leader(RuleIndex(SECTIONS) if index is None else index)
        self.rules |= led.rules
        for section in _LED:
            if lines := getattr(deck, section):
                self._count(section, lines, led.sections[section])
        if not self.leader and not self.sizes["leader"] and "leader" in types:
            self._find_misplaced_leader(index)

    def _count_leader(self, index: RuleIndex) -> LeaderIndex:
        """Count the leader section and return the rule index of the deck's Leader, or that of decks without one.

        Sets `leader`, and the counts, size, shape and rules of the section. A single Leader that is in
        `index.by_number` is not resolved again. A new one is added to it if its number is spelled as in the catalogue.
        """
        lines = self.deck.leader
        if len(lines) == 1 and lines[0].count == 1 and (met := index.by_number.get(lines[0].number)):
            leader, leader_index = met
            self.leader = leader
            self.counts["leader"] = {leader: 1}
            self.sizes["leader"] = 1
            self.shape = _ONE_LEADER
            self.has_other_names = lines[0].name not in (None, "", leader.name)
            return leader_index
        if lines:
            self._count_each("leader", lines, index[None].sections["leader"])
            self._find_leader()
        leader_index = index[self.leader]
        if self.leader and len(lines) == 1 and (number := lines[0].number) in self.catalogue.index:
            index.by_number[number] = self.leader, leader_index
        return leader_index

    def _find_leader(self) -> None:
        """Set `leader` if exactly one card of the leader section has a Leader type, and no line there is unknown.

        If it is the section's only card, `rules` is reset to 0, because the caller adds the rules of the Leader.
        """
        cards = self.counts.get("leader", {})
        able = [card for card in cards if card.type in self.types["leader"]]
        if len(able) == 1 and sum(cards.values()) == self.sizes["leader"]:
            self.leader = able[0]
            if len(cards) == 1:
                self.rules = 0  # the index has its Leader's own bits

    def _find_misplaced_leader(self, index: RuleIndex | None) -> None:
        """Set `leader` to the only card of a Leader type in any section, for decks with an empty leader section.

        Nothing is set if there is no such card, if there are several, or if any line is lost. With an index, the rules
        that all cards can violate under this Leader are added to `rules`.
        """
        able = {card for cards in self.counts.values() for card in cards if card.type in self.types["leader"]}
        if len(able) != 1 or self.lost:
            return
        (self.leader,) = able
        if index is not None:
            led = index[self.leader]
            self.rules |= led.rules
            for section, cards in self.counts.items():
                for card in cards:
                    self.rules |= led.sections[section][card]

    def _count(self, section: str, lines: tuple[DeckLine, ...], index: CardRuleIndex) -> None:
        """Count a section of different cards that are all in the index, in one pass. Calls `_count_each` for any other.

        Sets the counts and the size of the section, extends `shape`, and adds its rules. Sets `has_other_names` if a
        line has another name than its card.
        """
        by_number: Any = index.by_number  # a line without a number is a KeyError too
        counts: dict[Card, int] = {}
        rules = most = 0
        try:
            for line in lines:
                card, bits = by_number[line.number]
                counts[card] = copies = line.count
                if copies > most:
                    most = copies
                if bits:
                    rules |= bits
                if line.name and line.name != card.name:
                    self.has_other_names = True
        except KeyError:
            counts.clear()
        if len(counts) < len(lines):
            self._count_each(section, lines, index)
            return
        self.rules |= rules
        self.counts[section] = counts
        self.sizes[section] = size = sum(counts.values())
        self.shape += section, size, most

    def _count_each(self, section: str, lines: tuple[DeckLine, ...], index: CardRuleIndex) -> None:
        """Count a section line by line: sets its counts, size and shape, and adds its rules and lost lines.

        The lines may repeat a card, have no known card, or a card that is not in the index yet. Cards of a section that
        the ruleset does not have are not resolved.
        """
        self.has_other_names = self.has_other_names or any(map(_NAME, lines))
        counts: dict[Card, int] = {}
        if section in self.types:  # of another the cards are not judged
            self.counts[section] = counts
            for line in lines:
                if card := self._find_known(line, index) or self._resolve_or_lose(section, line):
                    counts[card] = counts.get(card, 0) + line.count
                    self.rules |= index[card]
        if len(counts) < len(lines):
            self._repeating = {*self._repeating, section}
        self.sizes[section] = size = sum([line.count for line in lines])
        self.shape += section, size, max(counts.values(), default=0)

    def _find_known(self, line: DeckLine, index: CardRuleIndex) -> Card | None:
        """Return the card of a line whose number is spelled as in the catalogue, and add it to `index`.

        None for other lines.
        """
        number = line.number or ""
        if card := self.catalogue.index.get(number):
            index.by_number[number] = card, index[card]
        return card

    def _resolve_or_lose(self, section: str, line: DeckLine) -> Card | None:
        """Return the card of a line, else None.

        A line without a card is added to `lost`, unless it is in the DON!! deck. If several cards have the name, the
        DON!! deck and the resource deck use the first one. In other sections it is lost.
        """
        found = resolve(line, self.catalogue)
        if isinstance(found, Card):
            return found
        if section in UNLISTED and found:
            return found[0]  # of which picture they are nobody needs to say
        if section == "don":
            return None  # DON!! cards have no number of their own and need not be in the catalogue
        self.lost.append(Lost(section, line, found))
        return None

    @property
    def used(self) -> Sequence[str]:
        """The sections that have lines, the leader section first, in the order of SECTIONS."""
        return self.shape[::3]

    def known_cards(self, section: str) -> Mapping[Card, int] | None:
        """Return the copies by card of a section, in the written order.

        None if a line repeats a card or has no known card, or if the ruleset lacks the section. An empty section has
        None or an empty mapping.
        """
        return None if section in self._repeating else self.counts.get(section)

    @property
    def main(self) -> Mapping[Card, int]:
        """The cards of the main deck with their copies."""
        return self.counts["main"]

    def fits(self, card: Card, section: str) -> bool:
        """Return True if the ruleset allows the card's type in a section. A card of unknown type fits everywhere.

        Raises KeyError if the ruleset does not have the section.
        """
        return card.type in self.types[section] or "type" in card.unknown

    def fitting_cards(self, section: str) -> Iterator[tuple[Card, int]]:
        """Yield `(card, copies)` for each known card of a section whose type is allowed there."""
        for card, copies in self.counts.get(section, {}).items():
            if self.fits(card, section):
                yield card, copies

    def count_over(self, sections: Iterable[str]) -> Mapping[Card, int]:
        """Return the copies of each known card, summed over these sections. The result must not be changed."""
        parts = [self.counts[section] for section in sections if self.counts.get(section)]
        if len(parts) == 1:
            return parts[0]
        total: dict[Card, int] = {}
        for part in parts:
            total |= part
        if len(total) < sum(map(len, parts)):  # a card is in several sections
            for card in total:
                total[card] = sum([part.get(card, 0) for part in parts])
        return total

    def copies_by_section(self, card: Card, sections: Iterable[str]) -> dict[str, int]:
        """Return the copies of a card by section, for those of `sections` that contain the card."""
        found = {}
        for section in sections:
            if (cards := self.counts.get(section)) and (copies := cards.get(card)):
                found[section] = copies
        return found

    def first_section(self, card: Card) -> str:
        """Return the first section, in the order of SECTIONS, that contains a card.

        Raises StopIteration if none does.
        """
        return next(section for section in SECTIONS if card in self.counts.get(section, ()))

    @cached_property
    def resolved_lines(self) -> dict[str, list[tuple[DeckLine, Card | None]]]:
        """The lines of every section, each with its card, in the written order.

        None for an unknown card and for a name of several cards.
        """
        known = self.catalogue.index
        resolved: dict[str, list[tuple[DeckLine, Card | None]]] = {}
        for section in SECTIONS:
            lines = self.deck.section(section)
            if cards := self.known_cards(section):
                resolved[section] = list(zip(lines, cards, strict=True))
                continue
            found = ((line, known.get(line.number or "") or resolve(line, self.catalogue)) for line in lines)
            resolved[section] = [(line, card if isinstance(card, Card) else None) for line, card in found]
        return resolved

    @property
    def hash(self) -> str:
        """The fingerprint of the cards by section. Order, spelling and printing do not change it."""
        return hash_sections(self.catalogue.game, ((section, self.fingerprints(section)) for section in self.used))

    def fingerprints(self, section: str) -> Iterable[str]:
        """Return the text of each card of a section for the fingerprint: its number or name, a tab, its copies.

        Lines of the same card are added up. Texts of unknown cards begin with "?".
        """
        if cards := self.known_cards(section):
            return starmap(card_fingerprint, cards.items())
        named: dict[str, int] = {}
        for line, card in self.resolved_lines[section]:
            name = (card.number or fold_text(card.name)) if card else "?" + self._unknown_fingerprint(section, line)
            named[name] = named.get(name, 0) + line.count
        return [f"{name}\t{copies}" for name, copies in named.items()]

    def _unknown_fingerprint(self, section: str, line: DeckLine) -> str:
        """Return the normalised number or name of an unknown card for the fingerprint. "" in the DON!! deck."""
        # DON!! cards are all the same card, whatever they are called.
        return "" if section == "don" else "".join(unknown_card_key(line, self.catalogue.game))
