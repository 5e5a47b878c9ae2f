"""Entrants: players registered for an event, every revision of their names and decks, and the expected players."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Self, TypedDict

from msgspec import defstruct
from msgspec.json import Decoder, encode
from msgspec.structs import asdict

from api.events.bounds import LONGEST_EMAIL
from api.service.answers.verdict_answers import NamedJSON
from api.sheets.person_names import PersonName, clean_text, cut
from api.sheets.registration import LONGEST
from validator.cards import Card, Catalogue
from validator.deck import SECTIONS, Deck, DeckLine, Line, Unread, resolve, unknown_card_key
from validator.language import phrase
from validator.tables.headings import key

# One address and nothing that a mail program takes for a second one, or for another heading of the letter.
ADDRESS = r'[^\s@,;:<>()\[\]"\\]+@[^\s@,;:<>()\[\]"\\]+'
_EMAIL = re.compile(ADDRESS)
# What columns of spreadsheets are called that say so.
_TABLES = frozenset(("table", "tablenumber", "tableno", "tisch", "tischnummer", "mesa", "tavolo", "卓", "卓番号"))
EMAILS = frozenset(("email", "emailaddress", "mail", "mailaddress", "emailadresse", "correoelectronico", "メール"))


def parse_email(address: str) -> str:
    """Return an e-mail address without spaces around it, "" for a blank text.

    Raises ValueError if another text is no valid address.
    """
    text = clean_text(address)
    if text and not (len(text) <= LONGEST_EMAIL and _EMAIL.fullmatch(text)):
        raise ValueError(phrase("Write one e-mail address, such as name@example.com."))
    return text


class Whereabouts(NamedTuple):
    """The table and the e-mail address of a player, which only the player and staff see.

    They may change at any time. A change of them is no revision.
    """

    table: str = ""
    email: str = ""

    @classmethod
    def from_columns(cls, columns: Mapping[str, str]) -> Self:
        """Return the table and the address in the cells of a row, by heading. An invalid address is left out."""
        cells = {key(heading): text for heading, text in columns.items()}
        return cls(cut(_find_column(cells, _TABLES), LONGEST["table"]), _read_email_cell(_find_column(cells, EMAILS)))

    @staticmethod
    def use_of(heading: str) -> str:
        """Return `table` or `email` if a column with this heading contains them, else ""."""
        return "table" if key(heading) in _TABLES else "email" if key(heading) in EMAILS else ""

    def fill_from(self, before: Whereabouts) -> Whereabouts:
        """Return these whereabouts, with empty fields filled from the earlier ones."""
        return Whereabouts(self.table or before.table, self.email or before.email)


NOWHERE = Whereabouts()


def _find_column(cells: Mapping[str, str], headings: Iterable[str]) -> str:
    """Return the cell of the first column with one of these headings, "" if there is none."""
    return next((cells[heading] for heading in cells if heading in headings), "")


def _read_email_cell(text: str) -> str:
    """Return the e-mail address in a cell, "" if it is no valid address."""
    try:
        return parse_email(text[: 4 * LONGEST_EMAIL])
    except ValueError:
        return ""


# A deck as written, as it is kept: its sections and what could not be read. What came later has a default.
_FIRST_SECTIONS: list[tuple[str, Any]] = [(name, tuple[Line, ...]) for name in SECTIONS[:5]]
_LATER_SECTIONS: list[tuple[str, Any, Any]] = [(name, tuple[Line, ...], ()) for name in SECTIONS[5:]]
_StoredDeck = defstruct(
    "_StoredDeck", [*_FIRST_SECTIONS, ("unread", tuple[Unread, ...]), *_LATER_SECTIONS], array_like=True
)
_DECODER = Decoder(_StoredDeck)


def decode_deck(data: bytes) -> Deck:
    """Return the deck of stored bytes."""
    read = _DECODER.decode(data)
    return Deck(**asdict(read))


def encode_deck(deck: Deck) -> bytes:
    """Return a deck as bytes for the database, with the lines that could not be parsed."""
    sections = {name: tuple(map(_storable_line, deck.section(name))) for name in SECTIONS}
    unread = (one._replace(text=_storable(one.text), reason=_storable(one.reason)) for one in deck.unread)
    return encode(_StoredDeck(**sections, unread=tuple(unread)))


def _storable_line(line: DeckLine) -> Line:
    """Return a line of a deck without characters that databases cannot store."""
    number, name, raw = (text and _storable(text) for text in (line.number, line.name, line.raw))
    return Line(number, line.count, name, line.at, raw)


def _storable(text: str) -> str:
    """Return a text that can be stored: valid Unicode, in English if it is a phrase."""
    return str(text).encode("utf-8", "replace").decode()


class RegistrationContent(NamedTuple):
    """The content of a registration, as a player or a judge wrote it. `decklist` is the text of the deck."""

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
        """The number of bytes to store."""
        return len(self.deck or b"") + len((self.decklist or "").encode("utf-8", "replace"))

    @property
    def list_text(self) -> str:
        """The deck as plain lines of section, count, number and name, which a commitment binds. "" without a deck."""
        lines = decode_deck(self.deck).lines() if self.deck is not None else ()
        return "".join(f"{section}\t{line.count}\t{line.number or ''}\t{line.name or ''}\n" for section, line in lines)


@dataclass(frozen=True, slots=True)
class Revision:
    """The content of a registration from a moment on, with its author and the reason.

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
        """The deck as it was written, None if there is none."""
        return None if self.written.deck is None else decode_deck(self.written.deck)


class EntrantSettings(TypedDict, total=False):
    """The stored values of a registration beside its revisions. `distinct_from` has ids with spaces between."""

    until: str | None
    cut: bool
    distinct_from: str
    table: str
    email: str


@dataclass(frozen=True, slots=True)
class Entrant:
    """A registration with its newest revision, which counts. `until` is an own deadline, `cut`: it is in the top cut.

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
        """The name of the player."""
        return self.revision.written.player

    @property
    def sort_key(self) -> str:
        """The sort key of the player's name. Two spellings of a name have one key."""
        return name_key(self.player)

    @property
    def has_list(self) -> bool:
        """Return True if the player has registered a deck."""
        return self.revision.written.deck is not None

    @property
    def settings(self) -> EntrantSettings:
        """The stored values beside the revisions: deadline, top cut, other players, table and address."""
        distinct_from = " ".join(sorted(self.distinct_from))
        until = self.until.isoformat() if self.until else None
        table, email = self.where
        return {"until": until, "cut": self.cut, "distinct_from": distinct_from, "table": table, "email": email}


def name_key(name: str) -> str:
    """Return a name as it is compared and sorted. The order of its parts does not matter."""
    return PersonName.parse(name).order


def id_key(player_id: str) -> str:
    """Return a player's id as it is compared: a spreadsheet may have lost its leading zeros."""
    plain = player_id.replace(" ", "").lower()
    return plain.lstrip("0") if plain.isdigit() else plain


class DifferingJSON(NamedJSON):
    section: str
    count: int


class DifferencesJSON(TypedDict):
    added: list[DifferingJSON]
    removed: list[DifferingJSON]


def compare_decks(before: Deck | None, after: Deck | None, catalogue: Catalogue) -> DifferencesJSON:
    """Return the cards that were added to a deck and removed. Spellings and printings of a card are one card."""
    old, new = (count_cards(deck, catalogue) for deck in (before, after))
    return {"added": _list_cards(new - old), "removed": _list_cards(old - new)}


_Key = tuple[str, str, str]  # a section, a number, a name


def count_cards(deck: Deck | None, catalogue: Catalogue) -> Counter[_Key]:
    """Return the copies in a deck by section, number and name. Spellings and printings of a card are one card."""
    held: Counter[_Key] = Counter()
    for section, line in deck.lines() if deck else ():
        held[section, *_card_key(line, catalogue)] += line.count
    return held


def _card_key(line: DeckLine, catalogue: Catalogue) -> tuple[str, str]:
    """Return the number and the name of a line's card. An unknown card has the key of its text."""
    card = resolve(line, catalogue)
    return (card.number or "", card.name) if isinstance(card, Card) else unknown_card_key(line, catalogue.game)


def _list_cards(counts: Counter[_Key]) -> list[DifferingJSON]:
    """Return counted cards as JSON, sorted by section, number and name."""
    return [
        {"section": section, "number": number, "name": name, "count": copies}
        for (section, number, name), copies in sorted(counts.items(), key=_sort_key)
    ]


def _sort_key(item: tuple[_Key, int]) -> tuple[int, str, str]:
    """Return the sort key of a counted card: section, number, name."""
    (section, number, name), _ = item
    return SECTIONS.index(section), number, name


class ExpectedPlayer(NamedTuple):
    """A player of the organiser's list of expected players."""

    player: str
    player_id: str = ""
    email: str = ""


class RegisteredPlayers:
    """The registered players, who are found by id or by name in any spelling."""

    def __init__(self, entrants: Iterable[Entrant]) -> None:
        self._ids: set[str] = set()
        self._ids_of: dict[str, set[str]] = {}
        for one in entrants:
            id = id_key(one.revision.written.player_id)
            self._ids.add(id)
            self._ids_of.setdefault(one.sort_key, set()).add(id)

    def is_registered(self, player: ExpectedPlayer) -> bool:
        """Return True if a player has registered. Two players with one name and different ids are different."""
        id = id_key(player.player_id)
        if id and id in self._ids:
            return True
        namesakes = self._ids_of.get(name_key(player.player), ())
        return "" in namesakes or (not id and bool(namesakes))


def find_absent(expected: Iterable[ExpectedPlayer], entrants: Iterable[Entrant]) -> list[ExpectedPlayer]:
    """Return the expected players who have not registered."""
    registered = RegisteredPlayers(entrants)
    return [one for one in expected if not registered.is_registered(one)]


def match_names(names: Iterable[str], before: Iterable[ExpectedPlayer]) -> list[ExpectedPlayer]:
    """Return an expected player for each name, with the id and address of the player of that name in `before`.

    Each player of `before` is used once. A new name has neither id nor address.
    """
    known: dict[str, deque[ExpectedPlayer]] = {}
    for one in before:
        known.setdefault(name_key(one.player), deque()).append(one)
    kept = ((name, known.get(name_key(name))) for name in names)
    return [found.popleft()._replace(player=name) if found else ExpectedPlayer(name) for name, found in kept]


def drop_repeated(expected: Iterable[ExpectedPlayer]) -> Iterator[ExpectedPlayer]:
    """Yield each player of a list once. Two players are the same if name and id are the same."""
    met: set[tuple[str, str]] = set()
    for one in expected:
        mark = name_key(one.player), id_key(one.player_id)
        if mark not in met:
            met.add(mark)
            yield one
