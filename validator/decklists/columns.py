"""Columns: what the columns of a table hold, told by what they are called, in any order and wording."""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field

from validator.decklists.headings import ASIDE
from validator.decklists.headings import folded
from validator.decklists.headings import is_kind
from validator.decklists.headings import section as section_meant
from validator.numbers import SHAPE
from validator.texts import nfc

PLAYER = "player"
FIRST = "first name"
LAST = "last name"
PLAYER_ID = "player id"
EVENT = "event"
SECTION = "section"
SIDE = "sideboard"
TYPE = "type"
NUMBER = "number"
CARD = "card"
COUNT = "count"
DECKLIST = "decklist"

WHO = (PLAYER, FIRST, LAST, PLAYER_ID, EVENT)
_LONGEST = 200  # characters of a cell that may be a card's number; form exports have whole questions as headings

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
        ("seccion", "secao", "sezione", "bereich", "abschnitt", "zona", "区分", "セクション"),
    ),
    SIDE: (("sideboard", "issideboard", "sideboarded", "sidedeck", "side", "insideboard"),),
    TYPE: (("type", "cardtype"), ("category", "typ", "tipo", "種類")),
    NUMBER: (
        ("number", "cardnumber", "cardnum", "cardno", "cardid", "cardcode", "collectornumber", "kartennummer"),
        ("カード番号", "卡号", "카드번호", "code", "no", "numero", "nummer", "codigo", "codice", "番号"),
    ),
    CARD: (
        ("card", "cardname", "cardtitle", "carte", "carta", "karte", "kartenname"),
        ("カード名", "卡名", "카드명"),
    ),
    COUNT: (
        ("count", "qty", "quantity", "copies", "amount", "numberofcopies", "howmany"),
        ("anzahl", "stuck", "menge", "cantidad", "quantidade", "quantite", "quantita", "nb", "枚数", "数量", "수량"),
        ("copy", "pcs", "pieces", "cards", "numberofcards", "noofcards", "times", "x"),
    ),
    DECKLIST: (("decklist", "list", "yourdecklist", "deckliste", "listadedeck", "listadecartas"),),
}
# Questions of forms: "Please paste your deck list (one card a line)".
_ASKS: Sequence[tuple[str, re.Pattern[str]]] = (
    (DECKLIST, re.compile(r"\bdeck ?list\b")),
    (PLAYER_ID, re.compile(r"\A(?>.*?\b(?:bandai|tcg|member(?:ship)?|player)\b).*\b(?:id|number|no)\b")),
    (PLAYER, re.compile(r"\b(?:your|player|full) (?:\w+ )?name\b|\bname of (?:the )?player\b")),
)
_SHAPE = re.compile(SHAPE, re.IGNORECASE | re.ASCII)
_WORD = re.compile(r"\w+")
# Words of headings that say nothing of the section: "Your side deck list".
_ANY_PART = frozenset(
    (
        *("deck", "list", "decklist", "card", "cards", "name", "number", "your", "the", "of", "only", "optional"),
        *("count", "qty", "quantity", "copies"),
    )
)
_ASIDE = re.compile(r"\([^()]*\)")

Sample = Callable[[int], Sequence[str]]
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

    def free(self, *roles: str) -> list[int]:
        """Return the positions of the columns that hold nothing else than perhaps one of these, or types of cards."""
        taken = {at for role, places in self.roles.items() if role not in (TYPE, *roles) for at in places}
        return [at for at in range(len(self.titles)) if at not in taken | self.parts.keys()]

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


def is_known(title: str) -> bool:
    """Tell whether columns are called so."""
    return key(title) in _KNOWN


def columns(titles: Sequence[str], sample: Sample = lambda column: (), is_card: IsCard = lambda name: False) -> Columns:
    """Return what columns with these headings hold; `sample` gives some of the cells of a column."""
    keys = list(map(key, titles))
    found = Columns(titles, _called(keys))
    found.certain = len(found.roles)
    _ask(found, keys)
    _settle(found, keys, sample, is_card)
    if found.certain > 1 and found.has(NUMBER, CARD, COUNT) and not found.is_list:
        _tell_numbers(found, sample)
    if found.has(NUMBER, CARD):
        _tell_sections(found, sample)
    else:
        _divide(found, sample)
    found.unknown = [at for at in found.free() if titles[at]]
    return found


def _called(keys: Sequence[str]) -> dict[str, list[int]]:
    """Return the columns that are called by words of one meaning, those of the first wordings that are there."""
    ranked: dict[str, dict[int, list[int]]] = {}
    for at, word in enumerate(keys):
        if word in ROLES:
            role, rank = ROLES[word]
            ranked.setdefault(role, {}).setdefault(rank, []).append(at)
    return {role: ranks[min(ranks)] for role, ranks in ranked.items()}


def _ask(found: Columns, keys: Sequence[str]) -> None:
    """Take questions of forms for what no plain heading says."""
    for at, word in enumerate(keys):
        words = _words(found.titles[at])
        if word in ROLES or len(words) < 2:
            continue
        said = " ".join(words)
        role = next((role for role, asks in _ASKS if asks.search(said)), None)
        if role == DECKLIST and part_of(found.titles[at]) not in (None, "main"):
            continue
        if role is not None and role not in found.roles:
            found.roles[role] = [at]
            found.certain += 1


def _settle(found: Columns, keys: Sequence[str], sample: Sample, is_card: IsCard) -> None:
    """Decide what "Deck", "ID", "Nombre" and "Name" mean here."""
    for at, word in enumerate(keys):
        if word == _DECK and not found.has(DECKLIST, NUMBER, CARD):
            found.roles[DECKLIST] = [at]
    for at, word in enumerate(keys):
        if word == ID:
            _settle_id(found, at, sample(at))
    for at, word in enumerate(keys):
        if word == _NOMBRE and COUNT not in found.roles and _are_numbers(sample(at)):
            found.roles[COUNT] = [at]
        elif word in NAMES:
            _settle_name(found, at, sample(at), is_card)


def _divide(found: Columns, sample: Sample) -> None:
    """Find what each column has of a deck whose list stands in several: "Leader", "Main deck", "Deck list (side)"."""
    free = (at for at in found.free(SIDE, DECKLIST) if not _are_numbers(sample(at)))
    parts = {at: part for at in free if (part := part_of(found.titles[at]))}
    main = [at for at, part in parts.items() if part == "main"]
    if DECKLIST not in found.roles and main:
        found.roles[DECKLIST] = main[:1]
        found.certain += 1
    if DECKLIST in found.roles:
        found.roles.pop(SIDE, None)
        found.parts = {at: part for at, part in parts.items() if at not in found.roles[DECKLIST]}


def _are_numbers(cells: Sequence[str]) -> bool:
    return bool(cells) and all(cell.isdigit() for cell in cells)


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
    for at in found.free(CARD):
        title = found.titles[at]
        of_cards = title and not is_card_number(title) and part_of(title) in (None, "main")
        if of_cards and _are_card_numbers(sample(at)):
            found.roles.pop(NUMBER, None)
            if at not in found.roles.get(CARD, ()):
                found.roles[NUMBER] = [at]
            return


def _tell_sections(found: Columns, sample: Sample) -> None:
    """Take for the sections a column of any other name in which nothing but sections stands, and not kinds alone."""
    if found.has(SECTION, SIDE):
        return
    for at in found.free():
        cells = sample(at)
        meanings = {section_meant(cell) for cell in cells if not is_kind(cell)}
        if meanings & {"main", "side"} and all(section_meant(cell) for cell in cells):
            found.roles[SECTION] = [at]
            return


def is_card_number(cell: str) -> bool:
    """Tell whether a cell has the number of a card and nothing else."""
    return _SHAPE.fullmatch(cell.strip()[:_LONGEST]) is not None


def names_number(cell: str) -> bool:
    """Tell whether the number of a card stands somewhere in a cell."""
    return _SHAPE.search(cell[:_LONGEST]) is not None


def _are_card_numbers(cells: Sequence[str]) -> bool:
    return bool(cells) and 2 * sum(map(is_card_number, cells)) >= len(cells)


def _settle_id(found: Columns, at: int, cells: Sequence[str]) -> None:
    if _are_card_numbers(cells) and NUMBER not in found.roles:
        found.roles[NUMBER] = [at]
    elif PLAYER_ID not in found.roles:
        found.roles[PLAYER_ID] = [at]


def _settle_name(found: Columns, at: int, cells: Sequence[str], is_card: IsCard) -> None:
    names = set(cells)
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


def key(title: str) -> str:
    """Return a heading as the words above have it: small letters without accents, marks and blanks."""
    return "".join(_words(title))


def _words(title: str) -> list[str]:
    title = title.replace("#", " no ") if any(map(str.isalnum, title)) else title
    return _WORD.findall(nfc(folded(title)).replace("_", " "))


ROLES = {
    key(word): (role, rank) for role, ranks in _WORDS.items() for rank, words in enumerate(ranks) for word in words
}
# Words that mean one thing or another, as the other columns and what is in this one tell.
NAMES = frozenset(map(key, ("name", "nome", "nom", "nombre", "名前")))
ID = "id"
_DECK = "deck"
_NOMBRE = "nombre"  # a name in Spanish, a number of copies in French
_KNOWN = ROLES.keys() | NAMES | {ID}
