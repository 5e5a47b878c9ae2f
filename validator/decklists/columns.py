"""Columns: what the columns of a table hold, told by what they are called, in any order and wording."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from validator.decklists import headings, section_counts
from validator.decklists.headings import (
    CARD,
    COUNT,
    DECK,
    DECKLIST,
    EVENT,
    FIRST,
    ID,
    LAST,
    NAME_KEYS,
    NOMBRE,
    NUMBER,
    PLAYER,
    PLAYER_ID,
    SECTION,
    SIDE,
    TYPE,
    key,
    words,
)
from validator.decklists.sections import ASIDE, is_kind, listed
from validator.decklists.sections import section as section_meant
from validator.numbers import NUMBER_SHAPE

SOMEBODY = (PLAYER, FIRST, LAST)
WHO = (*SOMEBODY, PLAYER_ID, EVENT)
_LONGEST = 200  # characters of a cell that may be a card's number; form exports have whole questions as headings

# Words of headings that say nothing of the section: "Your side deck list".
_ANY_PART = frozenset(
    listed("""
    deck, list, decklist, card, cards, name, number, your, the, of, only, optional, count, qty, quantity, copies
    """)
)
_ASIDE = re.compile(r"\([^()]*\)")
_OF_DECK = frozenset(("deck", "main", "played"))

Sample = Callable[[int], Sequence[str]]
IsCard = Callable[[str], bool]


@dataclass
class Columns:
    """Which columns hold what: positions from 0 by role, those of no known meaning, and all headings.

    `parts` are the columns that hold the list of one section beside the deck list, with their sections, `counts` those
    that count the copies of each card in one section. A count column beside them is their sum.
    """

    titles: Sequence[str]
    roles: dict[str, list[int]] = field(default_factory=dict)
    parts: dict[int, str] = field(default_factory=dict)
    counts: dict[int, str] = field(default_factory=dict)
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
        return [at for at in range(len(self.titles)) if at not in taken | self.parts.keys() | self.counts.keys()]

    def places(self, *roles: str) -> list[int]:
        """Return the positions of all columns for any of these."""
        return [at for role in roles for at in self.roles.get(role, ())]

    @property
    def has_counts(self) -> bool:
        """Return True if a column counts copies, in all sections or in one."""
        return COUNT in self.roles or bool(self.counts)

    @property
    def is_list(self) -> bool:
        """Tell whether each row is a deck."""
        return DECKLIST in self.roles and not (self.has(NUMBER, CARD) and self.has_counts)

    @property
    def are_headings(self) -> bool:
        """Tell whether these can be the headings of a table of decks at all."""
        if DECKLIST in self.roles:
            return self.has(PLAYER, PLAYER_ID, LAST)
        return self.has(NUMBER, CARD) and (self.has_counts or self.has(PLAYER, PLAYER_ID, LAST, SECTION, SIDE))


def columns(titles: Sequence[str], sample: Sample = lambda column: (), is_card: IsCard = lambda name: False) -> Columns:
    """Return what columns with these headings hold; `sample` gives some of the cells of a column."""
    keys = list(map(key, titles))
    layout = Columns(titles, _called(titles))
    _count_sections(layout, sample)
    layout.certain = len(layout.roles) + bool(layout.counts)
    _ask(layout, sample, is_card)
    _settle(layout, keys, sample, is_card)
    _halve(layout, sample, is_card)
    if layout.certain > 1 and (layout.has(NUMBER, CARD) or layout.has_counts) and not layout.is_list:
        _tell_numbers(layout, sample)
    if len(layout.counts) > 1 and not layout.has(NUMBER, CARD):  # "Leader" alone is a heading over the cards below
        _find_cards(layout, sample, is_card)
    if layout.has(NUMBER, CARD) and not layout.is_list:
        if not layout.has_counts:
            _tell_counts(layout)
        _tell_sections(layout, sample)
        _tell_leaders(layout, sample, is_card)
    else:
        _divide(layout, sample)
    layout.unknown = [at for at in layout.free() if titles[at]]
    return layout


def _called(titles: Sequence[str]) -> dict[str, list[int]]:
    """Return the columns that are called by words of one meaning, those of the first wordings that are there."""
    ranked: dict[str, dict[int, list[int]]] = {}
    for at, title in enumerate(titles):
        meant = headings.called(title)
        if meant and not _is_of_part(meant[0], title):
            role, rank = meant
            ranked.setdefault(role, {}).setdefault(rank, []).append(at)
    return {role: ranks[min(ranks)] for role, ranks in ranked.items()}


def _count_sections(layout: Columns, sample: Sample) -> None:
    """Find the columns that count copies of one section each; a main deck counted alone is the count of all rows."""
    free = layout.free(SIDE, DECKLIST)
    counted = layout.places(COUNT) or [at for at in free if _is_count_of_all(layout.titles[at])]
    found = section_counts.find_section_counts(layout.titles, free, counted, sample)
    if not found:
        return
    for role in (SIDE, DECKLIST, COUNT):
        if not found.keys().isdisjoint(layout.roles.get(role, ())):
            del layout.roles[role]
    if set(found.values()) == {"main"} and not layout.has(COUNT):
        layout.roles[COUNT] = list(found)
        return
    layout.counts = found
    if "main" in found.values():
        counted = [at for at in layout.free() if section_counts.is_total(layout.titles[at])]
    if counted and not layout.has(COUNT):
        layout.roles[COUNT] = [at for at in counted if at not in found]


def _is_count_of_all(title: str) -> bool:
    """Return True if a heading is that of a count, among other words, and names no section: "Deck Qty"."""
    return headings.says_count(words(title)) and section_counts.counted_section(title) is None


def _find_cards(layout: Columns, sample: Sample, is_card: IsCard) -> None:
    """Take the first column with card numbers or names for the cards beside counts of several sections."""
    for at in layout.free():
        cells = sample(at)
        if _are_card_numbers(cells):
            layout.roles[NUMBER] = [at]
            return
        if cells and 2 * sum(names_number(cell) or is_card(cell) for cell in cells) > len(cells):
            layout.roles[CARD] = [at]
            return


def _ask(layout: Columns, sample: Sample, is_card: IsCard) -> None:
    """Take questions of forms for what no plain heading says; "English Name" over numbered cards is theirs."""
    for at, title in enumerate(layout.titles):
        role = None if _is_plain(title) else headings.asked(title)
        if role == PLAYER and layout.has(NUMBER) and 2 * sum(map(is_card, sample(at))) > len(sample(at)):
            role = CARD
        if role is None or layout.has(*(SOMEBODY if role == PLAYER else (role,))) or _is_of_part(role, title):
            continue
        layout.roles[role] = [at]
        layout.certain += 1


def _is_plain(title: str) -> bool:
    """Tell whether a heading has a meaning without being asked as a question."""
    return bool(headings.called(title)) or headings.is_nickname(title) or key(title) in NAME_KEYS


def _is_of_part(role: str, title: str) -> bool:
    """Tell whether a heading of lists speaks of another section than the main deck."""
    return role == DECKLIST and part_of(title) not in (None, "main")


def _settle(layout: Columns, keys: Sequence[str], sample: Sample, is_card: IsCard) -> None:
    """Decide what "Deck", "ID", "Nombre" and "Name" mean here."""
    if DECK in keys and keys.index(DECK) in layout.free() and not layout.has(DECKLIST, NUMBER, CARD):
        layout.roles[DECKLIST] = [keys.index(DECK)]
    for at in _places(keys, {ID}):
        is_number = _are_card_numbers(sample(at)) and not layout.has(NUMBER)
        layout.roles.setdefault(NUMBER if is_number else PLAYER_ID, [at])
    _settle_names(layout, keys, sample, is_card)
    if not layout.has(*SOMEBODY):
        nicknames = [at for at, title in enumerate(layout.titles) if headings.is_nickname(title)]
        layout.roles |= {PLAYER: nicknames[:1]} if nicknames else {}


def _settle_names(layout: Columns, keys: Sequence[str], sample: Sample, is_card: IsCard) -> None:
    for at in _places(keys, NAME_KEYS) or _places(list(map(_key_outside, layout.titles)), NAME_KEYS):
        if keys[at] == NOMBRE and _is_counted(layout, keys, sample(at)):
            layout.roles.setdefault(COUNT, []).append(at)
            continue
        role = _named(layout, sample(at), is_card)
        if role != PLAYER or not layout.has(*SOMEBODY):
            layout.roles.setdefault(role, [at])


def _halve(layout: Columns, sample: Sample, is_card: IsCard) -> None:
    """Find the two columns of a name in halves: "Name" beside "Vorname", "Your first name" beside "Your last name"."""
    player = layout.first(PLAYER)
    if player is not None and headings.called(layout.titles[player]):
        return
    halves = _halves(layout)
    if len(halves) == 1:
        others = {*layout.free(PLAYER, CARD)} - {*halves.values()}
        other = [at for at in sorted(others) if _is_half(layout, at, sample, is_card)]
        halves |= dict(zip({FIRST, LAST} - {*halves}, other, strict=False))
    if len(halves) == 2:
        taken = halves.values()
        cards = [at for at in layout.roles.pop(CARD, ()) if at not in taken]
        layout.roles.pop(PLAYER, None)
        layout.roles |= {role: [at] for role, at in halves.items()} | ({CARD: cards} if cards else {})


def _halves(layout: Columns) -> dict[str, int]:
    """Return the columns that are called halves of a name, the first of each."""
    halves = {role: layout.roles[role][0] for role in (FIRST, LAST) if layout.has(role)}
    for at in layout.free(PLAYER):
        if half := headings.half(layout.titles[at]):
            halves.setdefault(half, at)
    return halves


def _is_half(layout: Columns, at: int, sample: Sample, is_card: IsCard) -> bool:
    """Tell whether a column "Name" beside half a name has the other half, and not names of cards."""
    cells = sample(at)
    is_of_rows = DECKLIST in layout.roles or (layout.has(CARD) and at not in layout.roles[CARD])
    is_varied = not is_of_rows and 2 * len(set(cells)) > len(cells)
    return headings.is_name(layout.titles[at]) and not is_varied and 2 * sum(map(is_card, cells)) <= len(cells)


def _is_counted(layout: Columns, keys: Sequence[str], cells: Sequence[str]) -> bool:
    """Tell whether a column called "Nombre" has counts: most of it are numbers, and no other column says them."""
    other = layout.first(COUNT)
    return 2 * sum(map(str.isdigit, cells)) > len(cells) and (other is None or keys[other] == NOMBRE)


def _key_outside(title: str) -> str:
    return key(headings.outside_brackets(title))


def _places(keys: Sequence[str], words: Collection[str]) -> list[int]:
    return [at for at, word in enumerate(keys) if word in words]


def _named(layout: Columns, cells: Sequence[str], is_card: IsCard) -> str:
    """Return whether the names in a column are those of players or of cards."""
    names = set(cells)
    if layout.has(CARD) or (layout.has(DECKLIST) and not layout.has(NUMBER)):
        return PLAYER
    if layout.has(*SOMEBODY) or 2 * sum(map(is_card, names)) > len(names):
        return CARD
    if layout.has(PLAYER_ID, EVENT) or not cells:
        return PLAYER
    # A player's name stands in many rows, each with another card; a card's name in one of a deck.
    return PLAYER if 2 * len(names) <= len(cells) else CARD


def _divide(layout: Columns, sample: Sample) -> None:
    """Find what each column has of a deck whose list stands in several: "Leader", "Main deck", "Deck list (side)"."""
    free = (at for at in layout.free(SIDE, DECKLIST) if not _are_numbers(sample(at)))
    parts = {at: part for at in free if (part := part_of(layout.titles[at]))}
    if DECKLIST not in layout.roles and "main" in parts.values():
        layout.roles[DECKLIST] = [list(parts)[list(parts.values()).index("main")]]
        layout.certain += 1
    if DECKLIST in layout.roles:
        layout.roles.pop(SIDE, None)
        layout.parts = {at: part for at, part in parts.items() if at not in layout.roles[DECKLIST]}


def _are_numbers(cells: Sequence[str]) -> bool:
    return bool(cells) and all(cell.isdigit() for cell in cells)


def part_of(title: str) -> str | None:
    """Return the section that a heading such as "Deck list (side)" or "Main deck (50 cards)" names, None for none."""
    return _part(title) or _part(_ASIDE.sub(" ", title))


def _part(title: str) -> str | None:
    said = words(title)
    telling = " ".join(word for word in said if word not in _ANY_PART)
    section = None if is_kind(telling) else section_meant(telling) or section_meant(" ".join(said))
    return None if section == ASIDE else section


def _tell_numbers(layout: Columns, sample: Sample) -> None:
    """Take for the card numbers a column of any other name in which they stand, where the one called so only counts."""
    called = layout.first(NUMBER)
    if called is not None and sample(called) and not _are_numbers(sample(called)):
        return
    for at in layout.free(CARD):
        title = layout.titles[at]
        of_cards = title and not is_card_number(title) and part_of(title) in (None, "main")
        if of_cards and _are_card_numbers(sample(at)):
            layout.roles.pop(NUMBER, None)
            if at not in layout.roles.get(CARD, ()):
                layout.roles[NUMBER] = [at]
            return


def _tell_counts(layout: Columns) -> None:
    """Take for the counts the columns whose headings say so among other words: of several nobody knows which."""
    said = {at: words(layout.titles[at]) for at in layout.free()}
    if counted := [at for at, each in said.items() if headings.says_count(each)]:
        of_deck = [at for at in counted if not _OF_DECK.isdisjoint(said[at])]
        layout.roles[COUNT] = of_deck if len(of_deck) == 1 else counted


def _tell_sections(layout: Columns, sample: Sample) -> None:
    """Take for the sections a column of any other name in which nothing but sections stands, and not kinds alone."""
    if layout.has(SECTION, SIDE):
        return
    for at in layout.free():
        cells = sample(at)
        meanings = {section_meant(cell) for cell in cells if not is_kind(cell)}
        if meanings & {"main", "side"} and all(section_meant(cell) for cell in cells):
            layout.roles[SECTION] = [at]
            return


def _tell_leaders(layout: Columns, sample: Sample, is_card: IsCard) -> None:
    """Find the column that has each player's Leader beside the cards."""
    for at in layout.free():
        cells = sample(at) if part_of(layout.titles[at]) == "leader" else ()
        if 2 * sum(names_number(cell) or is_card(cell) for cell in cells) > len(cells):
            layout.parts[at] = "leader"
            return


def is_card_number(cell: str) -> bool:
    """Tell whether a cell has the number of a card and nothing else."""
    return NUMBER_SHAPE.fullmatch(cell.strip()[:_LONGEST]) is not None


def names_number(cell: str) -> bool:
    """Tell whether the number of a card stands somewhere in a cell."""
    return NUMBER_SHAPE.search(cell[:_LONGEST]) is not None


def _are_card_numbers(cells: Sequence[str]) -> bool:
    return bool(cells) and 2 * sum(map(is_card_number, cells)) >= len(cells)
