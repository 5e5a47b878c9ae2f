"""Headings: what the columns of a table hold, told by what they are called, in any order and wording."""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field

from api.workbooks.cells import Cell
from api.workbooks.cells import is_blank
from api.workbooks.cells import text
from validator.decklists.headings import ASIDE
from validator.decklists.headings import is_kind
from validator.decklists.headings import section as section_meant
from validator.numbers import SHAPE
from validator.texts import nfc
from validator.texts import unmarked

PLAYER = "player"
FIRST = "first name"
LAST = "last name"
PLAYER_ID = "player id"
EVENT = "event"
SECTION = "section"
SIDE = "sideboard"
NUMBER = "number"
CARD = "card"
COUNT = "count"
DECKLIST = "decklist"

WHO = (PLAYER, FIRST, LAST, PLAYER_ID, EVENT)
_SEARCHED = 40  # rows in which the headings are looked for
_SAMPLE = 50  # rows that tell what an ambiguous column holds
_LONGEST = 200  # characters of a heading; form exports have whole questions

# What columns are called, small and without marks; where several columns could be meant, the first
# wordings that are there win, so that "Player" leaves "User name" aside.
_WORDS: Mapping[str, Sequence[Sequence[str]]] = {
    PLAYER: (
        ("player", "playername", "playersname", "nameofplayer"),
        ("username", "gamertag", "fullname", "yourname", "participant", "participantname", "competitor", "attendee"),
        ("jogador", "jugador", "joueur", "spieler", "spielername", "giocatore", "プレイヤー", "プレイヤー名", "氏名"),
    ),
    FIRST: (("firstname", "givenname", "vorname", "prenom"),),
    LAST: (("lastname", "surname", "familyname", "nachname"),),
    PLAYER_ID: (
        ("playerid", "memberid", "membershipnumber", "membershipno", "membershipid", "membernumber", "playernumber"),
        ("bandaiid", "bandainumber", "bandaitcgid", "bandaitcgplusid", "tcgid", "tcgplusid", "bandaitcg", "tcgplus"),
        ("bandaitcgplus", "bandaitcgplusnumber", "bandaitcgplusmembershipnumber", "userid"),
    ),
    EVENT: (
        ("event", "eventname", "tournament", "tournamentname", "evento", "torneio", "torneo", "turnier", "tournoi"),
    ),
    SECTION: (
        ("section", "board", "zone", "decksection", "sectionofdeck"),
        ("seccion", "secao", "sezione", "bereich", "abschnitt", "zona", "区分"),
    ),
    SIDE: (("sideboard", "issideboard", "sideboarded", "sidedeck", "side", "insideboard"),),
    NUMBER: (
        ("number", "cardnumber", "cardnum", "cardno", "cardid", "cardcode", "collectornumber", "kartennummer"),
        ("カード番号", "code", "no", "numero"),
    ),
    CARD: (("card", "cardname", "cardtitle", "carte", "carta", "karte", "kartenname", "カード名"),),
    COUNT: (
        ("count", "qty", "quantity", "copies", "amount", "numberofcopies", "howmany"),
        ("anzahl", "stuck", "menge", "cantidad", "quantidade", "quantite", "quantita", "nb", "枚数"),
        ("copy", "pcs", "pieces", "cards", "numberofcards", "noofcards", "times", "x"),
    ),
    DECKLIST: (("decklist", "list", "yourdecklist", "deckliste", "listadedeck", "listadecartas"),),
}
# Words that mean one thing or another, as the other columns and what is in this one tell.
_NAME = frozenset({"name", "nome", "nom", "nombre"})
_ID = frozenset({"id"})
_DECK = frozenset({"deck"})
# What labels beside the player's name on a sheet of one player say.
MORE = "more"
_LABELS = {
    **dict.fromkeys(_NAME, PLAYER),
    **dict.fromkeys(_ID, PLAYER_ID),
    **dict.fromkeys(("date", "day", "datum", "fecha", "data", "table", "tablenumber", "tisch", "mesa"), MORE),
    **dict.fromkeys(("place", "venue", "location", "store", "shop", "city", "country", "region", "ort", "lieu"), MORE),
    **dict.fromkeys(
        ("note", "notes", "remarks", "comment", "comments", "team", "email", "phone", "seat", "seed"), MORE
    ),
    **dict.fromkeys(("deckname", "archetype", "decktype", "format", "round", "judge"), MORE),
}
# Questions of forms: "Please paste your deck list (one card a line)".
_ASKS: Sequence[tuple[str, re.Pattern[str]]] = (
    (DECKLIST, re.compile(r"\bdeck ?list\b")),
    (PLAYER_ID, re.compile(r"\A(?>.*?\b(?:bandai|tcg|member(?:ship)?|player)\b).*\b(?:id|number|no)\b")),
    (PLAYER, re.compile(r"\b(?:your|player|full) (?:\w+ )?name\b|\bname of (?:the )?player\b")),
)
_SHAPE = re.compile(SHAPE, re.IGNORECASE | re.ASCII)
# Words of headings that say nothing of the section: "Your side deck list".
_ANY_PART = frozenset(
    (
        *("deck", "list", "decklist", "card", "cards", "name", "number", "your", "the", "of", "only", "optional"),
        *("count", "qty", "quantity", "copies"),
    )
)
_ASIDE = re.compile(r"\([^()]*\)")

Sample = Callable[[int], Sequence[Cell]]
IsCard = Callable[[str], bool]


@dataclass
class Columns:
    """Which columns hold what: positions from 0 by role, those of no known meaning, and all headings.

    `parts` are the columns that hold the list of one section beside the deck list, with their sections.
    """

    titles: Sequence[str]
    roles: dict[str, list[int]] = field(default_factory=dict)
    parts: dict[int, str] = field(default_factory=dict)
    unknown: list[int] = field(default_factory=list)
    certain: int = 0

    def has(self, *roles: str) -> bool:
        """Tell whether there is a column for one of these."""
        return any(role in self.roles for role in roles)

    def first(self, role: str) -> int | None:
        """Return the position of the column for something, None where there is none."""
        return self.roles[role][0] if role in self.roles else None

    def places(self, *roles: str) -> list[int]:
        """Return the positions of all columns for any of these."""
        return [at for role in roles for at in self.roles.get(role, ())]

    @property
    def is_list(self) -> bool:
        """Tell whether each row is a deck."""
        return DECKLIST in self.roles and not (self.has(NUMBER, CARD) and self.has(COUNT))

    @property
    def are_headings(self) -> bool:
        """Tell whether these can be the headings of a table of decks at all."""
        if DECKLIST in self.roles:
            return self.has(PLAYER, PLAYER_ID, LAST)
        return self.has(NUMBER, CARD) and self.has(COUNT, PLAYER, PLAYER_ID, LAST, SECTION)


@dataclass(frozen=True)
class Header:
    """The headings of a table: its columns and the rows that they stand in, from 0."""

    columns: Columns
    start: int
    end: int


def find(rows: Sequence[Sequence[Cell]], is_card: IsCard = lambda name: False) -> Header | None:
    """Return the headings of a table, with or without rows of title above them, in one row or in two.

    `is_card` tells whether a text is the name of a card: it decides what a column "Name" holds.
    """
    best: Header | None = None
    # Two rows are taken as one heading only where they say more than any one row does.
    for candidates in (_single, _double):
        for start in range(min(len(rows), _SEARCHED)):
            titles, end = candidates(rows, start)
            header = Header(columns(titles, _sample(rows, end), is_card), start, end)
            if header.columns.are_headings and (best is None or header.columns.certain > best.columns.certain):
                best = header
    return best


def _single(rows: Sequence[Sequence[Cell]], start: int) -> tuple[list[str], int]:
    return [_title(cell) for cell in rows[start]], start + 1


def _double(rows: Sequence[Sequence[Cell]], start: int) -> tuple[list[str], int]:
    """Read headings under group headings: "Card" over "Number", "Name" and "Count"."""
    upper, end = _single(rows, start)
    if end >= len(rows):
        return [], end
    lower, end = _single(rows, end)
    width = max(len(upper), len(lower))
    upper += [""] * (width - len(upper))
    lower += [""] * (width - len(lower))
    pairs = zip(_spread(upper), upper, lower, strict=True)
    return [_joined(group, title) if title else alone for group, alone, title in pairs], end


def _title(cell: Cell) -> str:
    return " ".join(text(cell).split()) if type(cell) is str and len(cell) <= _LONGEST else ""


def _spread(titles: Sequence[str]) -> list[str]:
    """Return group headings, each over all the columns up to the next."""
    found: list[str] = []
    for title in titles:
        found.append(title or (found[-1] if found else ""))
    return found


def _joined(group: str, title: str) -> str:
    both = f"{group} {title}".strip()
    return both if _key(both) in _ROLES else title


def _sample(rows: Sequence[Sequence[Cell]], start: int) -> Sample:
    below = rows[start : start + _SAMPLE]
    return lambda column: [row[column] for row in below if column < len(row) and row[column] != ""]


def columns(titles: Sequence[str], sample: Sample = lambda column: (), is_card: IsCard = lambda name: False) -> Columns:
    """Return what columns with these headings hold; `sample` gives some of the cells of a column."""
    keys = [_key(title) for title in titles]
    found = Columns(titles)
    ranks: dict[str, int] = {}
    for key in keys:
        if key in _ROLES:
            role, rank = _ROLES[key]
            ranks[role] = min(rank, ranks.get(role, rank))
    for at, key in enumerate(keys):
        if key in _ROLES and ranks[_ROLES[key][0]] == _ROLES[key][1]:
            found.roles.setdefault(_ROLES[key][0], []).append(at)
    found.certain = len(found.roles)
    _ask(found, keys)
    _settle(found, keys, sample, is_card)
    if found.certain > 1 and found.has(NUMBER, CARD, COUNT) and not found.is_list:
        _tell_numbers(found, sample)
    if found.has(NUMBER, CARD):
        _tell_sections(found, sample)
    else:
        _divide(found, sample)
    meant = {at for places in found.roles.values() for at in places} | found.parts.keys()
    found.unknown = [at for at, title in enumerate(titles) if title and at not in meant]
    return found


def _ask(found: Columns, keys: Sequence[str]) -> None:
    """Take questions of forms for what no plain heading says."""
    for at, key in enumerate(keys):
        words = _words(found.titles[at])
        if key in _ROLES or len(words) < 2:
            continue
        said = " ".join(words)
        role = next((role for role, asks in _ASKS if asks.search(said)), None)
        if role == DECKLIST and part_of(found.titles[at]) not in (None, "main"):
            continue
        if role is not None and role not in found.roles:
            found.roles[role] = [at]
            found.certain += 1


def _settle(found: Columns, keys: Sequence[str], sample: Sample, is_card: IsCard) -> None:
    """Decide what "Deck", "ID" and "Name" mean here."""
    for at, key in enumerate(keys):
        if key in _DECK and not found.has(DECKLIST, NUMBER, CARD):
            found.roles[DECKLIST] = [at]
    for at, key in enumerate(keys):
        if key in _ID:
            _settle_id(found, at, sample(at))
    for at, key in enumerate(keys):
        if key in _NAME:
            _settle_name(found, at, sample(at), is_card)


def _divide(found: Columns, sample: Sample) -> None:
    """Find what each column has of a deck whose list stands in several: "Leader", "Main deck", "Deck list (side)"."""
    taken = {at for role, places in found.roles.items() if role not in (SIDE, DECKLIST) for at in places}
    free = (at for at in range(len(found.titles)) if at not in taken and not _are_numbers(sample(at)))
    parts = {at: part for at in free if (part := part_of(found.titles[at]))}
    main = [at for at, part in parts.items() if part == "main"]
    if DECKLIST not in found.roles and main:
        found.roles[DECKLIST] = main[:1]
        found.certain += 1
    if DECKLIST in found.roles:
        found.roles.pop(SIDE, None)
        found.parts = {at: part for at, part in parts.items() if at not in found.roles[DECKLIST]}


def _are_numbers(cells: Sequence[Cell]) -> bool:
    return bool(cells) and all(text(cell).isdigit() for cell in cells)


def part_of(title: str) -> str | None:
    """Return the section that a heading such as "Deck list (side)" or "Main deck (50 cards)" names, None for none."""
    return _part(title) or _part(_ASIDE.sub(" ", title))


def _part(title: str) -> str | None:
    words = _words(title)
    telling = " ".join(word for word in words if word not in _ANY_PART)
    found = None if is_kind(telling) else section_meant(telling) or section_meant(" ".join(words))
    return None if found == ASIDE else found


def _tell_numbers(found: Columns, sample: Sample) -> None:
    """Take for the card numbers a column of any other name in which they stand, where the one called so only counts."""
    called = found.first(NUMBER)
    if called is not None and sample(called) and not _are_numbers(sample(called)):
        return
    meant = {at for role, places in found.roles.items() if role != CARD for at in places}
    for at, title in enumerate(found.titles):
        of_cards = title and not is_card_number(title) and part_of(title) in (None, "main")
        if of_cards and at not in meant and _are_card_numbers(sample(at)):
            found.roles.pop(NUMBER, None)
            if at not in found.roles.get(CARD, ()):
                found.roles[NUMBER] = [at]
            return


def _tell_sections(found: Columns, sample: Sample) -> None:
    """Take for the sections a column of any other name in which nothing but sections stands, and not kinds alone."""
    if found.has(SECTION, SIDE):
        return
    meant = {at for places in found.roles.values() for at in places}
    for at, title in enumerate(found.titles):
        cells = [] if at in meant or not title else sample(at)
        meanings = {type(cell) is str and section_meant(cell) for cell in cells if not is_kind(text(cell))}
        if meanings & {"main", "side"} and all(type(cell) is str and section_meant(cell) for cell in cells):
            found.roles[SECTION] = [at]
            return


def is_card_number(cell: Cell) -> bool:
    """Tell whether a cell has the number of a card and nothing else."""
    return type(cell) is str and _SHAPE.fullmatch(cell.strip()[:_LONGEST]) is not None


def names_number(cell: Cell) -> bool:
    """Tell whether the number of a card stands somewhere in a cell."""
    return type(cell) is str and _SHAPE.search(cell[:_LONGEST]) is not None


def _are_card_numbers(cells: Sequence[Cell]) -> bool:
    return bool(cells) and 2 * sum(map(is_card_number, cells)) >= len(cells)


def _settle_id(found: Columns, at: int, cells: Sequence[Cell]) -> None:
    if _are_card_numbers(cells) and NUMBER not in found.roles:
        found.roles[NUMBER] = [at]
    elif PLAYER_ID not in found.roles:
        found.roles[PLAYER_ID] = [at]


def _settle_name(found: Columns, at: int, cells: Sequence[Cell], is_card: IsCard) -> None:
    names = {text(cell) for cell in cells}
    of_cards = 2 * sum(map(is_card, names)) > len(names)
    somebody = found.has(PLAYER, FIRST, LAST)
    if found.has(CARD) or (DECKLIST in found.roles and not found.has(NUMBER)):
        role = PLAYER
    elif found.has(PLAYER, FIRST, LAST) or of_cards:
        role = CARD
    elif found.has(PLAYER_ID, EVENT) or not cells:
        role = PLAYER
    else:
        # A player's name stands in many rows, each with another card; a card's name in one of a deck.
        role = PLAYER if 2 * len(names) <= len(cells) else CARD
    if role == PLAYER and somebody:
        return
    found.roles.setdefault(role, [at])


def labelled(row: Sequence[Cell]) -> Iterator[tuple[str, str, Cell]]:
    """Yield what a row says of the player, as role, label and value; MORE is the role of what else is noted of one.

    A cell "Player" or "Player:" has the name in the next, or both stand in one.
    """
    for at, cell in enumerate(row):
        label, colon, rest = _title(cell).partition(":")
        role = _LABELS.get(_key(label)) or _ROLES.get(_key(label), ("", 0))[0]
        if role in (*WHO, MORE):
            value = rest.strip() if colon and rest.strip() else next(iter(row[at + 1 : at + 2]), "")
            if not is_blank(value):
                yield role, label.strip(), value


def leader(row: Sequence[Cell]) -> str:
    """Return what a row says after the word Leader, in one cell or in several: "Leader: OP01-001"."""
    label, *others = [text(cell) for cell in row if not is_blank(cell)] or [""]
    first, _, rest = label.partition(":")
    return " ".join(filter(None, (rest.strip(), *others))) if section_meant(first) == "leader" else ""


def _key(title: str) -> str:
    """Return a heading as _WORDS has it: small letters without accents, marks and blanks."""
    return "".join(_words(title))


def _words(title: str) -> list[str]:
    title = title.replace("#", " no ") if any(map(str.isalnum, title)) else title
    return re.findall(r"\w+", nfc(unmarked(title).casefold()).replace("_", " "))


_ROLES = {
    _key(word): (role, rank) for role, ranks in _WORDS.items() for rank, words in enumerate(ranks) for word in words
}
