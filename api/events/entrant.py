"""Entrants: players registered for an event, with every revision of who they are and what they play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Self

from msgspec import defstruct
from msgspec.json import Decoder, encode
from msgspec.structs import asdict

from api.events.whereabouts import NOWHERE, Whereabouts
from api.sheets.person_names import PersonName
from validator.cards import Card, Catalogue
from validator.deck import SECTIONS, Deck, DeckLine, Line, Unread, meant, resolve

MOST_REVISIONS = 100  # of one registration


# A deck as written, as it is kept: its sections and what could not be read. What came later has a default.
_FIRST: list[tuple[str, Any]] = [(name, tuple[Line, ...]) for name in SECTIONS[:5]]
_LATER: list[tuple[str, Any, Any]] = [(name, tuple[Line, ...], ()) for name in SECTIONS[5:]]
_KeptDeck = defstruct("_KeptDeck", [*_FIRST, ("unread", tuple[Unread, ...]), *_LATER], array_like=True)
_DECODER = Decoder(_KeptDeck)


def read_kept(kept: bytes) -> Deck:
    """Return a deck that was kept."""
    read = _DECODER.decode(kept)
    return Deck(**asdict(read))


def kept_deck(deck: Deck) -> bytes:
    """Return a deck as bytes to keep, with the lines that could not be read."""
    sections = {name: tuple(map(_line, deck.section(name))) for name in SECTIONS}
    unread = (one._replace(text=_plain(one.text), reason=_plain(one.reason)) for one in deck.unread)
    return encode(_KeptDeck(**sections, unread=tuple(unread)))


def _line(line: DeckLine) -> Line:
    number, name, raw = (text and _plain(text) for text in (line.number, line.name, line.raw))
    return Line(number, line.count, name, line.at, raw)


def _plain(text: str) -> str:
    """Return a text as one that can be kept: of Unicode's characters alone, and in English if it is a phrase."""
    return str(text).encode("utf-8", "replace").decode()


class Written(NamedTuple):
    """What a player or a judge writes of a registration; the deck also as the text that it came as."""

    player: str
    player_id: str = ""
    team: str = ""
    notes: str = ""
    publish: bool = False
    stream: bool = False
    deck: bytes | None = None
    decklist: str | None = None

    @property
    def size(self) -> int:
        """How many bytes there are to keep."""
        return len(self.deck or b"") + len((self.decklist or "").encode("utf-8", "replace"))

    @property
    def list_text(self) -> str:
        """The deck as plain lines of section, count, number and name, which a commitment binds. "" without a deck."""
        lines = read_kept(self.deck).lines() if self.deck is not None else ()
        return "".join(f"{section}\t{line.count}\t{line.number or ''}\t{line.name or ''}\n" for section, line in lines)


@dataclass(frozen=True, slots=True)
class Revision:
    """A registration as it stood from a moment on, who wrote it and why.

    Revisions that follow each other have the same `salt` if their lists are the same.
    """

    number: int
    at: datetime
    by: str
    reason: str
    written: Written
    salt: str

    @property
    def deck(self) -> Deck | None:
        """The deck as it was written."""
        return None if self.written.deck is None else read_kept(self.written.deck)


@dataclass(frozen=True, slots=True)
class Entrant:
    """A registration: its newest revision counts. `until` is a deadline of its own, `cut` that it is in the top cut."""

    id: str
    version: int
    until: datetime | None
    cut: bool
    created: datetime
    revision: Revision
    where: Whereabouts = NOWHERE

    @property
    def player(self) -> str:
        """What the player is called."""
        return self.revision.written.player

    @property
    def filed(self) -> str:
        """What the player's name is sorted by and compared by."""
        return name_key(self.player)

    @property
    def received(self) -> bool:
        """Whether there is a list."""
        return self.revision.written.deck is not None

    @property
    def settled(self) -> dict[str, Any]:
        """What stands beside the revisions, as it is kept."""
        return {"until": self.until and self.until.isoformat(), "cut": self.cut, **self.where._asdict()}


def name_key(name: str) -> str:
    """Return a name as it is compared and sorted, whichever part of it comes first."""
    return PersonName.of(name).order


def id_key(player_id: str) -> str:
    """Return a player's id as it is compared: a spreadsheet may have lost the zeros that it began with."""
    plain = player_id.replace(" ", "").lower()
    return plain.lstrip("0") if plain.isdigit() else plain


class Differing(NamedTuple):
    """Cards of which one deck has more than another, in a section."""

    section: str
    number: str
    name: str
    copies: int

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"section": self.section, "number": self.number, "name": self.name, "count": self.copies}


class Differences(NamedTuple):
    """What came into a deck and what went out of it."""

    added: list[Differing]
    removed: list[Differing]

    @classmethod
    def between(cls, before: Deck | None, after: Deck | None, catalogue: Catalogue) -> Self:
        """Compare two decks card by card; spellings and printings of a card are one card."""
        old, new = (_counted(deck, catalogue) for deck in (before, after))
        return cls(_listed(new - old), _listed(old - new))


_Key = tuple[str, str, str]  # a section, a number, a name


def _counted(deck: Deck | None, catalogue: Catalogue) -> Counter[_Key]:
    held: Counter[_Key] = Counter()
    for section, line in deck.lines() if deck else ():
        held[section, *_card(line, catalogue)] += line.count
    return held


def _card(line: DeckLine, catalogue: Catalogue) -> tuple[str, str]:
    card = resolve(line, catalogue)
    return (card.number or "", card.name) if isinstance(card, Card) else meant(line, catalogue.game)


def _listed(held: Counter[_Key]) -> list[Differing]:
    return [Differing(*key, copies) for key, copies in sorted(held.items(), key=_place)]


def _place(item: tuple[_Key, int]) -> tuple[int, str, str]:
    (section, number, name), _ = item
    return SECTIONS.index(section), number, name


def twins(entrants: Iterable[Entrant]) -> dict[str, list[str]]:
    """Return, for registrations whose player's id others have too, which those are."""
    by_key: dict[str, list[str]] = {}
    for one in entrants:
        if key := id_key(one.revision.written.player_id):
            by_key.setdefault(key, []).append(one.id)
    return {id: [other for other in ids if other != id] for ids in by_key.values() if len(ids) > 1 for id in ids}
