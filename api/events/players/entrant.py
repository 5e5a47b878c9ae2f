"""Entrants: players registered for an event, every revision of their names and decks, and the expected players."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Self, TypedDict

from msgspec import DecodeError, defstruct
from msgspec.json import Decoder, encode
from msgspec.structs import asdict

from api.events.bounds import LONGEST_EMAIL
from api.events.storage.decoder_messages import decoder_reason
from api.service.errors import UnreadableRow
from api.sheets.person_names import PersonName, clean_text, cut
from api.sheets.registration import LONGEST
from validator.cards import Card, Catalogue
from validator.deck import SECTIONS, Deck, DeckLine, Line, Unread, resolve, unknown_card_key
from validator.findings import NamedJSON
from validator.language import phrase
from validator.tables.headings import key

# One address and nothing that a mail program takes for a second one, or for another heading of the letter.
ADDRESS = r'[^\s@,;:<>()\[\]"\\]+@[^\s@,;:<>()\[\]"\\]+'
_EMAIL = re.compile(ADDRESS)
# What columns of spreadsheets are called that say so.
_TABLES = frozenset(("table", "tablenumber", "tableno", "tisch", "tischnummer", "mesa", "tavolo", "卓", "卓番号"))
EMAILS = frozenset(("email", "emailaddress", "mail", "mailaddress", "emailadresse", "correoelectronico", "メール"))


def parse_email(address: str) -> str:
    """Return an e-mail address without spaces around it and invisible characters, "" for a blank text.

    Raises ValueError, with a text for people, if another text is not exactly one valid address of at most LONGEST_EMAIL
    characters.
    """
    text = clean_text(address)
    if text and not (len(text) <= LONGEST_EMAIL and _EMAIL.fullmatch(text)):
        raise ValueError(phrase("Write one e-mail address, such as name@example.com."))
    return text


class Whereabouts(NamedTuple):
    """The table and the e-mail address of a player, which only the player and staff see. "" if not known.

    They may change at any time. A change of them is no revision.
    """

    table: str = ""
    email: str = ""

    @classmethod
    def from_columns(cls, columns: Mapping[str, str]) -> Self:
        """Return the table and the address in the cells of a spreadsheet's row, which are given by heading.

        Headings of several languages are known. A missing column gives "". A long table is cut, and an invalid address
        becomes "".
        """
        cells = {key(heading): text for heading, text in columns.items()}
        return cls(cut(_find_column(cells, _TABLES), LONGEST["table"]), _read_email_cell(_find_column(cells, EMAILS)))

    @staticmethod
    def use_of(heading: str) -> str:
        """Return "table" or "email" if a spreadsheet's column with this heading contains these, else ""."""
        return "table" if key(heading) in _TABLES else "email" if key(heading) in EMAILS else ""

    def fill_from(self, before: Whereabouts) -> Whereabouts:
        """Return these whereabouts, with empty fields filled from `before`."""
        return Whereabouts(self.table or before.table, self.email or before.email)


NOWHERE = Whereabouts()


def _find_column(cells: Mapping[str, str], headings: Iterable[str]) -> str:
    """Return the text of the first cell under one of these headings, "" if there is none.

    `cells` are by normalised heading.
    """
    return next((cells[heading] for heading in cells if heading in headings), "")


def _read_email_cell(text: str) -> str:
    """Return the e-mail address in a cell, "" if it is blank or no valid address."""
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
    """Return the deck that `encode_deck` has encoded. Raises a msgspec.DecodeError for other bytes."""
    read = _DECODER.decode(data)
    return Deck(**asdict(read))


def encode_deck(deck: Deck) -> bytes:
    """Return a deck as bytes for the database: JSON with all sections, and the lines that could not be parsed.

    Texts are stored as `_storable` returns them.
    """
    sections = {name: tuple(map(_storable_line, deck.section(name))) for name in SECTIONS}
    unread = (one._replace(text=_storable(one.text), reason=_storable(one.reason)) for one in deck.unread)
    return encode(_StoredDeck(**sections, unread=tuple(unread)))


def _storable_line(line: DeckLine) -> Line:
    """Return a line of a deck with its texts as `_storable` returns them. It keeps its place in the text."""
    number, name, raw = (text and _storable(text) for text in (line.number, line.name, line.raw))
    return Line(number, line.count, name, line.at, raw)


def _storable(text: str) -> str:
    """Return a text as valid UTF-8, with "?" for lone surrogates, and in English if it is a phrase to translate."""
    return str(text).encode("utf-8", "replace").decode()


class RegistrationContent(NamedTuple):
    """The content of a registration, as a player or a judge wrote it. Fields that are not known are "".

    `publish` and `stream` are consents to show the list to others and in a stream. `deck` is an encoded deck, None
    without a list. `decklist` is the text that the deck came as, None if it did not come as text.
    """

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
        """The number of bytes of the deck and its text. The other fields do not count."""
        return len(self.deck or b"") + len((self.decklist or "").encode("utf-8", "replace"))

    @property
    def list_text(self) -> str:
        """The deck as plain text, which a commitment binds, as `deck_text` returns it."""
        return deck_text(None if self.deck is None else decode_deck(self.deck))


def deck_text(deck: Deck | None) -> str:
    """Return a deck as plain text, "" for None.

    It has a line for each card: section, count, number and name, with tabs between and as written.
    """
    lines = deck.lines() if deck is not None else ()
    return "".join(f"{section}\t{line.count}\t{line.number or ''}\t{line.name or ''}\n" for section, line in lines)


@dataclass(frozen=True, slots=True)
class Revision:
    """One version of a registration: its content from the moment `at` on, with its author `by` and the reason.

    `by` is the role and the id of a key. `number` counts from 1. `salt` is for the commitment to the list. Revisions
    that follow each other have the same salt if their lists are the same.
    """

    number: int
    at: datetime
    by: str
    reason: str
    written: RegistrationContent
    salt: str

    @property
    def deck(self) -> Deck | None:
        """The deck as it was written, decoded again at each access. None if there is none.

        Raises UnreadableRow if the stored deck has an unexpected form.
        """
        if self.written.deck is None:
            return None
        try:
            return decode_deck(self.written.deck)
        except DecodeError as error:
            row_id = f"{self.number} {self.at.isoformat()}"
            raise UnreadableRow("event_revision", row_id, decoder_reason(error)) from error


class EntrantSettings(TypedDict, total=False):
    """The stored values of a registration that are not in its revisions. A change may have only some of them.

    `until` is the player's own deadline as an ISO moment, None without one. `cut`: the player is in the top cut.
    `distinct_from` has the ids of registrations that a judge marked as those of other players, with spaces between.
    `table` and `email` are "" if not known.
    """

    until: str | None
    cut: bool
    distinct_from: str
    table: str
    email: str


@dataclass(frozen=True, slots=True)
class Entrant:
    """A registration with its newest revision, which counts. `version` is 1 and one more for each change of it.

    `until` is the player's own deadline, None for that of the event. `cut`: the player is in the top cut. `where` are
    the table and the e-mail address. `distinct_from` has the ids of registrations that a judge marked as those of other
    players.
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
        """The name of the player, as it was written."""
        return self.revision.written.player

    @property
    def sort_key(self) -> str:
        """The sort key of the player's name, by last name.

        Spellings of a name in another order or case, or with other accents, have one key.
        """
        return name_key(self.player)

    @property
    def has_list(self) -> bool:
        """Return True if the player has registered a deck."""
        return self.revision.written.deck is not None

    @property
    def settings(self) -> EntrantSettings:
        """The stored values that are not in the revisions: own deadline, top cut, other players, table and e-mail."""
        distinct_from = " ".join(sorted(self.distinct_from))
        until = self.until.isoformat() if self.until else None
        table, email = self.where
        return {"until": until, "cut": self.cut, "distinct_from": distinct_from, "table": table, "email": email}


def name_key(name: str) -> str:
    """Return a name as it is compared and sorted: by last name, without case and accents.

    "Last, First" and "First Last" have one key.
    """
    return PersonName.parse(name).order


def id_key(player_id: str) -> str:
    """Return a player's id as it is compared: without spaces and case.

    An id of digits only also loses its leading zeros, because a spreadsheet may have lost them. So "000" becomes "",
    which is no id.
    """
    plain = player_id.replace(" ", "").lower()
    return plain.lstrip("0") if plain.isdigit() else plain


class DifferingJSON(NamedJSON):
    """A card of a section with a number of copies. `number` is "" if it is not known."""

    section: str
    count: int


class DifferencesJSON(TypedDict):
    """The cards that were added to a deck and removed from it, with the number of copies that came or went."""

    added: list[DifferingJSON]
    removed: list[DifferingJSON]


def compare_decks(before: Deck | None, after: Deck | None, catalogue: Catalogue) -> DifferencesJSON:
    """Return the cards of which `after` has more copies than `before` (`added`) or fewer (`removed`), and how many.

    A deck None is empty. Spellings and printings of a card are one card. Sections are compared separately.
    """
    old, new = (count_cards(deck, catalogue) for deck in (before, after))
    return {"added": _list_cards(new - old), "removed": _list_cards(old - new)}


_Key = tuple[str, str, str]  # a section, a number, a name


def count_cards(deck: Deck | None, catalogue: Catalogue) -> Counter[_Key]:
    """Return the copies in a deck by (section, number, name). Spellings and printings of a card are one card.

    Empty for None. A card that is not in the catalogue is counted by its normalised number, else by its name.
    """
    held: Counter[_Key] = Counter()
    for section, line in deck.lines() if deck else ():
        held[section, *_card_key(line, catalogue)] += line.count
    return held


def _card_key(line: DeckLine, catalogue: Catalogue) -> tuple[str, str]:
    """Return (number, name) of a line's card.

    A card that the catalogue lacks has its normalised number, else its name.
    """
    card = resolve(line, catalogue)
    return (card.number or "", card.name) if isinstance(card, Card) else unknown_card_key(line, catalogue.game)


def _list_cards(counts: Counter[_Key]) -> list[DifferingJSON]:
    """Return counted cards as JSON, sorted by section (in the order of SECTIONS), number and name."""
    return [
        {"section": section, "number": number, "name": name, "count": copies}
        for (section, number, name), copies in sorted(counts.items(), key=_sort_key)
    ]


def _sort_key(item: tuple[_Key, int]) -> tuple[int, str, str]:
    """Return the sort key of a counted card: the place of the section in SECTIONS, the number, the name."""
    (section, number, name), _ = item
    return SECTIONS.index(section), number, name


class ExpectedPlayer(NamedTuple):
    """A player whom the organiser expects at an event. `player_id` and `email` are "" if they are not known."""

    player: str
    player_id: str = ""
    email: str = ""


class RegisteredPlayers:
    """The registered players of an event, to look up if an expected player is among them by id or by name.

    `_ids` has the normalised player IDs, `_ids_of` those of each normalised name. "" is a missing ID.
    """

    def __init__(self, entrants: Iterable[Entrant]) -> None:
        self._ids: set[str] = set()
        self._ids_of: dict[str, set[str]] = {}
        for one in entrants:
            id = id_key(one.revision.written.player_id)
            self._ids.add(id)
            self._ids_of.setdefault(one.sort_key, set()).add(id)

    def is_registered(self, player: ExpectedPlayer) -> bool:
        """Return True if an expected player has registered: by an equal id, or by an equal name unless the ids differ.

        An id that is missing on one side does not differ. Spellings of a name in another order or case are equal.
        """
        id = id_key(player.player_id)
        if id and id in self._ids:
            return True
        namesakes = self._ids_of.get(name_key(player.player), ())
        return "" in namesakes or (not id and bool(namesakes))


def find_absent(expected: Iterable[ExpectedPlayer], entrants: Iterable[Entrant]) -> list[ExpectedPlayer]:
    """Return the expected players who have not registered, in the given order.

    `RegisteredPlayers.is_registered` decides, by id or name.
    """
    registered = RegisteredPlayers(entrants)
    return [one for one in expected if not registered.is_registered(one)]


def match_names(names: Iterable[str], before: Iterable[ExpectedPlayer]) -> list[ExpectedPlayer]:
    """Return an expected player for each name, in order, with the id and address of a player of that name in `before`.

    Names are compared by `name_key`. Each player of `before` is used once. A name that is not there, or not as often,
    gets neither id nor address.
    """
    known: dict[str, deque[ExpectedPlayer]] = {}
    for one in before:
        known.setdefault(name_key(one.player), deque()).append(one)
    kept = ((name, known.get(name_key(name))) for name in names)
    return [found.popleft()._replace(player=name) if found else ExpectedPlayer(name) for name, found in kept]


def drop_repeated(expected: Iterable[ExpectedPlayer]) -> Iterator[ExpectedPlayer]:
    """Yield each player of a list once, in order. The first of several players with an equal name and id is kept."""
    met: set[tuple[str, str]] = set()
    for one in expected:
        mark = name_key(one.player), id_key(one.player_id)
        if mark not in met:
            met.add(mark)
            yield one
