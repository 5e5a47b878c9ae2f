"""Entrants: players registered for an event: every revision of their names and decks, their tables and addresses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Self, TypedDict

from msgspec import defstruct
from msgspec.json import Decoder, encode
from msgspec.structs import asdict

from api.events.bounds import LONGEST_EMAIL
from api.service.answers.verdict_answers import NamedJSON
from api.sheets.person_names import PersonName, cleaned, cut
from api.sheets.registration import LONGEST
from validator.cards import Card, Catalogue
from validator.deck import SECTIONS, Deck, DeckLine, Line, Unread, meant, resolve
from validator.language import phrase
from validator.tables.headings import key

# One address and nothing that a mail program takes for a second one, or for another heading of the letter.
ADDRESS = r'[^\s@,;:<>()\[\]"\\]+@[^\s@,;:<>()\[\]"\\]+'
_EMAIL = re.compile(ADDRESS)
# What columns of spreadsheets are called that say so.
_TABLES = frozenset(("table", "tablenumber", "tableno", "tisch", "tischnummer", "mesa", "tavolo", "卓", "卓番号"))
EMAILS = frozenset(("email", "emailaddress", "mail", "mailaddress", "emailadresse", "correoelectronico", "メール"))


def email(written: str) -> str:
    """Return an address to write to as it is kept, "" for none; a ValueError says what to write."""
    text = cleaned(written)
    if text and not (len(text) <= LONGEST_EMAIL and _EMAIL.fullmatch(text)):
        raise ValueError(phrase("Write one e-mail address, such as name@example.com."))
    return text


class Whereabouts(NamedTuple):
    """The table that a player sits at, and the address to write to, which the player and those who run the event see.

    They may change at any time, and no change of them is a revision.
    """

    table: str = ""
    email: str = ""

    @classmethod
    def of_row(cls, aside: Mapping[str, str]) -> Self:
        """Return the table and address in the columns of a row. An unusable address is left out."""
        said = {key(heading): text for heading, text in aside.items()}
        return cls(cut(_first(said, _TABLES), LONGEST["table"]), _readable(_first(said, EMAILS)))

    @staticmethod
    def use_of(heading: str) -> str:
        """Return `table` or `email` if a column with this heading contains them, else ""."""
        return "table" if key(heading) in _TABLES else "email" if key(heading) in EMAILS else ""

    def over(self, before: Whereabouts) -> Whereabouts:
        """Return it with what it does not say as it was."""
        return Whereabouts(self.table or before.table, self.email or before.email)


NOWHERE = Whereabouts()


def _first(said: Mapping[str, str], headings: Iterable[str]) -> str:
    return next((said[heading] for heading in said if heading in headings), "")


def _readable(written: str) -> str:
    try:
        return email(written[: 4 * LONGEST_EMAIL])
    except ValueError:
        return ""


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


class RegistrationContent(NamedTuple):
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
    written: RegistrationContent
    salt: str

    @property
    def deck(self) -> Deck | None:
        """The deck as it was written."""
        return None if self.written.deck is None else read_kept(self.written.deck)


@dataclass(frozen=True, slots=True)
class Entrant:
    """A registration: its newest revision counts. `until` is a deadline of its own, `cut` that it is in the top cut.

    `distinct_from` has the ids of registrations that a judge marked as those of other players.
    """

    id: str
    version: int
    until: datetime | None
    cut: bool
    created: datetime
    revision: Revision
    where: Whereabouts = NOWHERE
    distinct_from: frozenset[str] = frozenset()

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
        distinct_from = " ".join(sorted(self.distinct_from))
        until = self.until and self.until.isoformat()
        return {"until": until, "cut": self.cut, "distinct_from": distinct_from, **self.where._asdict()}


def name_key(name: str) -> str:
    """Return a name as it is compared and sorted, whichever part of it comes first."""
    return PersonName.of(name).order


def id_key(player_id: str) -> str:
    """Return a player's id as it is compared: a spreadsheet may have lost the zeros that it began with."""
    plain = player_id.replace(" ", "").lower()
    return plain.lstrip("0") if plain.isdigit() else plain


class DifferingJSON(NamedJSON):
    section: str
    count: int


class DifferencesJSON(TypedDict):
    added: list[DifferingJSON]
    removed: list[DifferingJSON]


class Differing(NamedTuple):
    """Cards of which one deck has more than another, in a section."""

    section: str
    number: str
    name: str
    copies: int

    def as_json(self) -> DifferingJSON:
        """Return it as JSON."""
        return {"section": self.section, "number": self.number, "name": self.name, "count": self.copies}


class Differences(NamedTuple):
    """What came into a deck and what went out of it."""

    added: list[Differing]
    removed: list[Differing]

    @classmethod
    def between(cls, before: Deck | None, after: Deck | None, catalogue: Catalogue) -> Self:
        """Compare two decks card by card; spellings and printings of a card are one card."""
        old, new = (count_cards(deck, catalogue) for deck in (before, after))
        return cls(_listed(new - old), _listed(old - new))

    def as_json(self) -> DifferencesJSON:
        """Return the cards that came in and went out, as JSON."""
        return {
            "added": [each.as_json() for each in self.added],
            "removed": [each.as_json() for each in self.removed],
        }


_Key = tuple[str, str, str]  # a section, a number, a name


def count_cards(deck: Deck | None, catalogue: Catalogue) -> Counter[_Key]:
    """Return the copies in a deck by section, number and name; spellings and printings of a card are one card."""
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
