"""Column samples: what the heading of one column can mean, and how many of its cells are of a kind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from validator.sections import ASIDE, is_kind, split_words
from validator.sections import section as section_meant
from validator.tables import cell_kinds, headings, section_counts
from validator.tables.cell_kinds import is_card_number
from validator.tables.headings import DECK, DECKLIST, ID, NAME_KEYS, key, words

Sample = Callable[[int], Sequence[str]]
IsCard = Callable[[str], bool]

# Points of headings.
CALLED = 6.0  # a known wording
RANK = 0.3  # less for each rank further down in the vocabulary
ASKED = 4.0  # a question of a form

# Words of headings that do not help to find the section: "Your side deck list".
_ANY_PART = frozenset(
    split_words("""
    deck, list, decklist, card, cards, name, number, your, the, of, only, optional, count, qty, quantity, copies
    """)
)
_ASIDE = re.compile(r"\([^()]*\)")
_MISSPELT_ONE_IN = 5  # fewer than one in five cells of a column of sections may be misspelt


class Heading(NamedTuple):
    """The possible meanings of one heading. Roles are constants of `headings`, such as PLAYER. None: no such meaning.

    `title` is the heading as written, `key` its normalised spelling. `called` is the role of a known wording. `rank` is
    the rank of that wording, 0 for the best and for other headings. `asked` is the role that a form's question is
    about. `half` is FIRST or LAST. `part` is the section of the deck that the heading names. `is_name` is True for
    "Name" in any language, `is_half` if the heading may be for half of a name. `counts_copies` is True if one of its
    words is a count, as in "Deck Qty".
    """

    title: str
    key: str
    called: str | None
    rank: int
    asked: str | None
    half: str | None
    part: str | None
    is_name: bool
    is_half: bool
    is_nickname: bool
    counts_copies: bool

    @property
    def role(self) -> str | None:
        """The role of a known wording, else the role that a form's question is about. None if there is neither."""
        return self.called or self.asked

    @property
    def is_main(self) -> bool:
        """True if the heading names the main deck or no section."""
        return self.part in (None, "main")

    @property
    def has_meaning(self) -> bool:
        """True if the heading has a role, or names a person, an ID, a deck, a section, or a count of copies."""
        is_known = self.role or self.is_name or self.is_nickname or self.counts_copies or self.key in (ID, DECK)
        return bool(is_known or self.part or section_counts.counted_section(self.title))

    @property
    def points(self) -> float:
        """The points for `role`: 6 less 0.3 for each rank of a known wording, 4 for a question, 0 without a role."""
        return CALLED - RANK * self.rank if self.called else ASKED if self.asked else 0.0


@lru_cache(maxsize=512)
def parse_heading(title: str) -> Heading:
    """Return the possible meanings of a heading. The last 512 headings are cached.

    A deck list of another section ("Side deck list") does not have the role DECKLIST. "" has no meanings.
    """
    part = find_heading_section(title) if title else None
    called, rank = headings.find_wording(title) or (None, 0)
    is_nickname = headings.is_nickname(title)
    is_name = key(title) in NAME_KEYS or key(headings.outside_brackets(title)) in NAME_KEYS
    is_plain = called or is_nickname or key(title) in NAME_KEYS
    asked = None if is_plain else headings.find_question_role(title)
    of_other_part = part not in (None, "main")
    return Heading(
        title=title,
        key=key(title),
        called=None if called == DECKLIST and of_other_part else called,
        rank=rank,
        asked=None if asked == DECKLIST and of_other_part else asked,
        half=headings.find_name_half(title),
        part=part,
        is_name=is_name,
        is_half=headings.may_be_half(title),
        is_nickname=is_nickname,
        counts_copies=headings.has_count_word(words(title)),
    )


class RowSample(NamedTuple):
    """Sampled rows of a table, which show what belongs to the card or to the player of the same row.

    `rows` are the texts of the cells. A row may be shorter than the headings. `is_of_card` gets the number of a card
    and another text of the row. It returns True if the text is a name or a printed fact of the card, None if the number
    is unknown.
    """

    rows: Sequence[Sequence[str]] = ()
    is_of_card: Callable[[str, str], bool | None] = lambda number, text: None

    def share_of_card(self, column: int) -> float | None:
        """Return the share, from 0 to 1, of the filled cells of a column that are of the card in their row.

        Rows without the number of a known card in another column are ignored. None if there are no others.
        """
        found = []
        for cells in self.rows:
            numbers = [cell for at, cell in enumerate(cells) if at != column and is_card_number(cell)]
            if numbers and column < len(cells) and cells[column]:
                each = [self.is_of_card(number, cells[column]) for number in numbers]
                found += [any(each)] if each != [None] * len(each) else []
        return sum(found) / len(found) if found else None

    def are_pairs(self, column: int, ids: int) -> bool:
        """Return True if most texts of a column have one ID in the column `ids`, and that ID has no other text.

        A row without an ID is of the ID above. True if the column is blank in all rows.
        """
        pairs: set[tuple[str, str]] = set()
        id = ""
        for cells in self.rows:
            text, id = (cells[at] if at < len(cells) and cells[at] else last for at, last in ((column, ""), (ids, id)))
            if text:
                pairs.add((text, id))
        times = Counter(chain.from_iterable(enumerate(pair) for pair in pairs))
        sole = [pair for pair in pairs if all(times[each] == 1 for each in enumerate(pair))]
        return 2 * len(sole) > len(pairs) or not pairs


NO_ROWS = RowSample()  # of a table whose rows are not known


class Column:
    """One column of a table, with its position from 0, its parsed heading, and statistics of sampled cells.

    The cells are read at first use. They and the shares are cached.
    """

    def __init__(self, position: int, title: str, sample: Sample) -> None:
        """Parse the heading `title`. `sample` returns the cells of a position without blank ones.

        It is called later.
        """
        self.position = position
        self.heading = parse_heading(title)
        self._sample = sample
        self._counter: Counter[str] | None = None
        self._shares: dict[IsCard, float] = {}

    @property
    def _times(self) -> Counter[str]:
        """The number of occurrences of each sampled cell text. Calls `sample` at first use and caches the result."""
        if self._counter is None:
            self._counter = Counter(self._sample(self.position))
        return self._counter

    def share(self, is_kind: IsCard) -> float:
        """Return the share, from 0 to 1, of the sampled cells that pass the test `is_kind`. 0 if there are no cells.

        The result is cached for each test.
        """
        if is_kind not in self._shares:
            held = sum(times for cell, times in self._times.items() if is_kind(cell))
            self._shares[is_kind] = held / self.size if self.size else 0.0
        return self._shares[is_kind]

    @property
    def size(self) -> int:
        """The number of sampled cells, which are not blank. Repeated texts are counted each time."""
        return self._times.total()

    @property
    def is_varied(self) -> bool:
        """True if the number of different cell texts is more than half of the number of cells."""
        return 2 * len(self._times) > self.size

    @property
    def value_count(self) -> int:
        """The number of different cell texts."""
        return len(self._times)

    @property
    def sections(self) -> set[str]:
        """The sections that the cells name, such as {"main", "side"}. Empty if they name none in a fifth of the rows.

        Cells that name a type of card ("Event") add no section. A repeated heading is ignored.
        """
        named = {cell: section_meant(cell) for cell in self._times if key(cell) != self.heading.key}
        times = sum(self._times[cell] for cell in named)
        unnamed = sum(self._times[cell] for cell, section in named.items() if section is None)
        if _MISSPELT_ONE_IN * unnamed >= times:
            return set()
        return {section for cell, section in named.items() if section and not is_kind(cell)}

    @property
    def holds_numbers(self) -> bool:
        """True if at least half of the cells are card numbers, below a heading that can be theirs.

        The heading is not blank, is not a card number itself, and names no section except the main deck.
        """
        heading = self.heading
        is_of_cards = bool(heading.title) and heading.is_main and not is_card_number(heading.title)
        return is_of_cards and self.share(is_card_number) >= 0.5

    @property
    def holds_lists(self) -> bool:
        """True if at least half of the cells can be whole deck lists. False without cells."""
        return self.share(cell_kinds.is_list) >= 0.5


def count_meanings(titles: Sequence[str]) -> int:
    """Return the number of headings that have a meaning in a table of decks (`Heading.has_meaning`). "" has none."""
    return sum(parse_heading(title).has_meaning for title in titles if title)


def may_be_heading(title: str) -> bool:
    """Return True for a heading with a meaning in a table of decks, or for another number beside a card: "Cost".

    The latter must not begin with a digit. False for "".
    """
    is_fact = headings.is_fact(title) and not title[:1].isdigit()
    return bool(title) and (parse_heading(title).has_meaning or is_fact)


def is_card_row(cells: Sequence[str], is_card: IsCard) -> bool:
    """Return True if a row is of a card, though its words may be headings: "OP01-003, Leader, Leader, 1".

    A row with a card's number is. A row with a card's name is, if it also has a count or fewer than two different words
    that can be headings. `is_card` tests the name of a card.
    """
    if any(map(is_card_number, cells)):
        return True
    words = {key(cell) for cell in cells if cell and parse_heading(cell).has_meaning}
    is_named = any(is_card(cell) for cell in cells if cell and key(cell) not in words)
    return is_named and (len(words) < 2 or any(map(section_counts.is_count, cells)))


def find_heading_section(title: str) -> str | None:
    """Return the section that a heading names: "Deck list (side)", "Main deck (50 cards)". None if it names none.

    Text in round brackets is left out only if the whole heading names no section. Words for cards outside the deck
    ("Maybeboard") and for types of card ("Event") are no sections.
    """
    return _find_section_in_words(title) or _find_section_in_words(_ASIDE.sub(" ", title))


def _find_section_in_words(title: str) -> str | None:
    """Return the section that the words of a heading name, first without fillers such as "your", "deck" and "qty".

    None if the words name no section, cards outside the deck, or a type of card.
    """
    every = words(title)
    telling = " ".join(word for word in every if word not in _ANY_PART)
    section = None if is_kind(telling) else section_meant(telling) or section_meant(" ".join(every))
    return None if section == ASIDE else section
