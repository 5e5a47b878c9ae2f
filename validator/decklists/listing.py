"""Listings: a text read line by line, whatever program or hand it came from.

No form of list is standard, so each line is read on its own, and the format is named after what was met.
Blank lines mean nothing by themselves: Arena's rule that the side deck follows one would tear apart Limitless
lists, which part Leader, Characters and Events with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from validator.deck import Unread
from validator.decklists import cardline, counts, headlines, sections, stacks, totals
from validator.decklists.cardline import CountedCard
from validator.decklists.draft import COMMENTED, Draft
from validator.decklists.headlines import Heading
from validator.decklists.source import Source, TextRow
from validator.decklists.totals import Stated
from validator.language import phrase
from validator.texts import LONGEST_LINE

_DIGIT = re.compile(r"[0-9]")
_COPIES = re.compile(r"(?: ?[x*] ?[0-9]{1,3}| [0-9]{1,3} ?[枚張张])$")
_BEHIND = re.compile(r" ?[\[(]([a-z][a-z -]{1,12})[\])]$", re.IGNORECASE)
_ADORNMENTS = " -–—_*#~|·•★☆✓✔→>"
_LAST_WORD = re.compile(r" (leader)$", re.IGNORECASE)
# What stands in a count's place before or behind a card: a bare dash, which elsewhere only adorns a line.
_DASHED = re.compile(r"^\s*[-–—]\s|\s[-–—]\s*$")
_OF_A_DECK = ("cards", "heading")  # kinds of lines that name no deck
_SEVERAL = 2  # colons of a line that may have several sections
_WIDEST = 3  # digits of a total
_MANY = 10  # cards from which on their number alone is no count
_BETWEEN = " -–—:,;|/."
_SIGNED = phrase("this is taken for the name of who wrote the list; write the count before it if it is a card")
_NO_DECK = phrase("this link holds no cards; copy the list as text from the site")


class ListedCard(NamedTuple):
    """A card met in a list, the line it stands in and the section that this line alone says it is in."""

    card: CountedCard
    row: TextRow
    section: str | None = None

    @property
    def is_dashed(self) -> bool:
        """Whether a bare dash stands before or behind it."""
        return len(self.row.raw) <= LONGEST_LINE and _DASHED.search(self.row.raw) is not None


class Listing:
    """A text taken apart: its cards and headings in order, and for each line what it was.

    `kinds` holds, by line, one of "cards", "heading", "comment", "metadata", "unread".
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.parts: list[ListedCard | Heading] = []
        self.kinds: dict[int, str] = {}
        self._unread: list[Unread] = []
        self._stated: list[Stated] = []
        self._links: list[TextRow] = []
        self._awaits_leader = False
        self._is_aside = False
        self._is_signed = False
        self._is_headed = self._is_beside = self._has_main = self._has_leader = False
        self._kinds: set[str] = set()
        self.may_be_several = False  # whether a heading or a title may begin a second deck
        self._below = self._every = self._summed = 0  # copies since the last heading and in all, of so many parts
        for row in stacks.unnumbered(stacks.joined(stacks.recorded(source.rows), source.is_name)):
            for part in (row,) if row.plain.count(":") < _SEVERAL else _parted(row):
                self.kinds[row.at] = kind = self._read(part)
            if kind not in _OF_A_DECK and self.parts and not headlines.is_total(row.plain):
                self.may_be_several = True
        self._ask_about_dashes()
        for row in self._links:
            self.kinds[row.at] = "metadata" if self.forms else self._skip(row, _NO_DECK)

    @property
    def _cards(self) -> list[ListedCard]:
        return [part for part in self.parts if isinstance(part, ListedCard)]

    @cached_property
    def forms(self) -> set[str]:
        """The ways in which cards are written: "4xNUM", "4 NAME (NUM)", …"""
        return {part.card.form for part in self._cards}

    @cached_property
    def styles(self) -> set[str]:
        """The ways in which headings are decorated (`Heading.style`)."""
        return {part.style for part in self.parts if isinstance(part, Heading)}

    @cached_property
    def crowded(self) -> bool:
        """Whether some line has several cards."""
        lines = [part.row.at for part in self._cards]
        return len(lines) > len(set(lines))

    @cached_property
    def _is_divided(self) -> bool:
        """Whether the main deck has a heading of its own, over cards and no mere total below them."""
        last = max((at for at, part in enumerate(self.parts) if isinstance(part, ListedCard)), default=0)
        return any(isinstance(part, Heading) and part.opens for part in self.parts[:last])

    def draft(self, format: str) -> Draft:
        """Return the cards with the section of the heading they stand under, as a draft in this format."""
        draft = Draft(format)
        draft.unread += self._unread
        draft.parted = [row.at for last, row in pairwise(self.source.rows) if row.at > last.at + 1]
        placed = list(self.placed())
        for section, (card, row, _) in placed:
            draft.add(section, card.digits, card.number, card.name, row.at, row.raw)
        if self._stated and not any(line.may_be_card for line in self._unread):
            sections = (section for section, _ in placed)
            draft.unread += totals.contradicted(self._stated, self.parts, sections, self.source)
        return draft

    def placed(self) -> Iterator[tuple[str | None, ListedCard]]:
        """Yield the cards with the section that the line or the heading above the card says, None if neither does."""
        section: str | None = None
        for part in self.parts:
            if isinstance(part, Heading):
                section = part.section
                continue
            yield part.section or section, part
            # A Leader heading covers one card, unless the main deck has a heading of its own.
            if section == "leader" and part.section is None and not self._is_divided:
                section = None

    def _read(self, row: TextRow) -> str:
        if row.plain[0].isdigit() and (kind := self._read_counted(row)):
            return kind
        if (heading := headlines.heading(row.plain)) and not self._is_copies(row):
            return self._open(heading, row)
        if headlines.is_comment(row.plain):
            return self._read_comment(row)
        if (heading := headlines.inline_heading(row.plain)) and self._read_after(heading, row):
            return "cards"
        if headlines.is_metadata(row.plain) or headlines.is_header(row.plain):
            self._note_number(row)
            return "metadata"
        if headlines.is_link(row.plain):
            return self._read_link(row)
        return self._read_cards(row)

    def _read_comment(self, row: TextRow) -> str:
        """Keep a card behind a comment mark as one that the list leaves aside."""
        if _DIGIT.search(row.plain) and cardline.commented_cards(row, self.source):
            self._unread.append(Unread(row.at, row.raw, COMMENTED, aside=True))
        return "comment"

    def _is_copies(self, row: TextRow) -> bool:
        """Tell whether a line like a heading is of a card that is called so: "Resource x10", "Z 4枚", "Side 7 (4)"."""
        if len(row.plain) > sections.LONGEST or not _DIGIT.search(row.plain):
            return False
        found = _COPIES.search(row.plain)
        if found and self.source.is_name(row.shown[: found.start()]):
            return True
        names = (row.plain, headlines.without_count(row.plain))
        return any(name[-1:].isdigit() and self.source.is_name(name) for name in names)

    def _read_counted(self, row: TextRow) -> str:
        """Read a line that begins with a digit as cards; "" where it speaks of the list, by a day or a total."""
        if cards := cardline.items(row.plain):
            return self._note(row, cards)
        return "" if headlines.is_metadata(row.plain) else self._read_cards(row)

    def _read_link(self, row: TextRow) -> str:
        """Read the card that stands beside an address on its line, if one does: "OP01-016 https://… x4"."""
        start = row.plain.partition("://")[0].rfind(" ") + 1
        end = row.plain.find(" ", start) if "://" in row.plain else -1
        before = _cut(row, row.plain[:start], row.shown[:start])
        cards = cardline.read(before, self.source) if before.plain else ""
        behind = row.plain[end:].strip(_BETWEEN) if end > 0 and not _is_counted(cards) else ""
        if stacks.is_count(behind):
            around = _cut(row, row.plain[:start] + row.plain[end:], row.shown[:start] + row.shown[end:])
            return self._read_cards(around if isinstance(cards, list) and cards[0].number else row)
        if isinstance(cards, list) and counts.is_doubtful(behind):
            return self._skip(row, cardline.UNCLEAR)
        if isinstance(cards, list):
            return self._note(row, cards)
        self._links.append(row)
        return "unread"

    def _read_cards(self, row: TextRow) -> str:
        cards = cardline.read(row, self.source, bare=self._awaits_leader)
        if isinstance(cards, str) and self._is_sum(row.plain):
            return "metadata"
        if isinstance(cards, str):
            self._is_signed = self._is_signed or headlines.is_farewell(row.plain)
            return self._skip(row, cards)
        if self._is_signed and cards[0].form == "NAME":
            return self._skip(row, _SIGNED)
        if heading := self._counted_heading(cards):
            return self._open(heading, row)
        return self._note(row, cards)

    def _note_number(self, row: TextRow, heading: Heading | None = None) -> None:
        """Keep a line that may state a number of cards, to be compared with the cards when all are read."""
        if _DIGIT.search(row.plain):
            self._stated.append(Stated(len(self.parts), row, heading))

    def _is_sum(self, plain: str) -> bool:
        """Tell whether a line is the number of the cards above it, all of them or those below the last heading."""
        if not plain.isdecimal() or len(plain) > _WIDEST:
            return False
        for part in self.parts[self._summed :]:
            if isinstance(part, Heading):
                self._below = 0
            else:
                copies = int(part.card.digits[:_WIDEST])
                self._below, self._every = self._below + copies, self._every + copies
        self._summed = len(self.parts)
        return int(plain) in (self._below, self._every) and (self._is_headed or int(plain) >= _MANY)

    def _counted_heading(self, cards: Sequence[CountedCard]) -> Heading | None:
        """Return the heading that was read as copies of a card, if one was: "50 Main Deck", "2. Side Deck"."""
        name = cards[0].name
        if len(cards) > 1 or cards[0].number or name is None or cards[0].form == cardline.DON:
            return None
        names = dict.fromkeys((name, name.strip(_ADORNMENTS)))  # "Side 7 ★" is a card
        return None if any(map(self.source.is_name, names)) else headlines.heading(name)

    def _read_after(self, heading: Heading, row: TextRow) -> bool:
        """Read the cards behind a heading on its own line, or report them; return False if there are none.

        "Deck: UG Luffy" is the name of a deck, "Deck: Luffy x4 or so" is a card.
        """
        rest = row._replace(shown=row.shown[heading.rest :], plain=row.plain[heading.rest :])
        cards = cardline.read(rest, self.source, bare=heading.section == "leader")
        if isinstance(cards, str):
            has_count = counts.has_sign(rest.plain)
            if has_count:
                self._skip(row, cardline.UNCLEAR)
            return has_count
        if heading.style == "SB:" or heading.section in ("leader", sections.ASIDE):
            self._note(row, cards, heading.section)
        else:
            self._open(heading, row._replace(plain=""))
            self._note(row, cards)
        return True

    def _open(self, heading: Heading, row: TextRow) -> str:
        # Below "Side Deck" or "Maybeboard" a kind of card sorts that, if it has sorted the main deck before, or if
        # the main deck had a heading of its own.
        if self._is_beside and heading.kind and (heading.kind in self._kinds or self._has_main):
            return "heading"
        opens_main = heading.opens and not heading.kind
        may_be_second = self._has_main or (bool(self.parts) and "2" in row.plain)  # "Deck 2"
        self.may_be_several |= (opens_main and may_be_second) or self._repeats_leader(heading)
        self._has_main = self._has_main or opens_main
        self._kinds |= {heading.kind} - {""}
        self._is_beside = heading.section in ("side", sections.ASIDE)
        self.parts.append(heading)
        self._note_number(row, heading)
        self._is_headed = True
        self._is_aside = heading.section == sections.ASIDE
        self._awaits_leader = heading.section == "leader"
        return "heading"

    def _repeats_leader(self, heading: Heading) -> bool:
        """Return True if a heading opens a leader section below cards and there was such a heading before."""
        has_leader = self._has_leader
        self._has_leader = has_leader or heading.section == "leader"
        return has_leader and heading.section == "leader" and isinstance(self.parts[-1], ListedCard)

    def _note(self, row: TextRow, cards: Iterable[CountedCard], section: str | None = None) -> str:
        for card in cards:
            # DON!! cards are told by their name wherever they stand.
            place = "don" if card.form == cardline.DON else section
            self._keep(self._placed_behind(ListedCard(card, row, place)))
        self._awaits_leader = False
        return "cards"

    def _placed_behind(self, listed: ListedCard) -> ListedCard:
        """Return a card in the section that its line ends with, if it does: "2 Nami (side)", "1 Kaido leader"."""
        name = listed.card.name or ""
        found = _BEHIND.search(name) if name[-1:] in ("]", ")") else self._leader_behind(listed.card, name)
        section = sections.section(found[1]) if found else None
        if found is None or section not in ("leader", "side") or self.source.is_name(name):
            return listed
        return listed._replace(card=listed.card._replace(name=name[: found.start()] or None), section=section)

    def _leader_behind(self, card: CountedCard, name: str) -> re.Match[str] | None:
        """Return the last word of a single card without a number, if what stands before the word is like a name."""
        found = _LAST_WORD.search(name) if card.digits == "1" and not card.number else None
        catalogue = self.source.catalogue
        return found if found and catalogue and catalogue.similar(name[: found.start()]) else None

    def _keep(self, listed: ListedCard) -> None:
        """Keep a card; a name and a number of one card on two lines, as web pages have them, are one."""
        last = self.parts[-1] if self.parts else None
        whole = self._whole(last.card, listed.card) if isinstance(last, ListedCard) else None
        if whole:
            self.parts[-1] = listed._replace(card=whole)
        else:
            self.parts.append(listed)

    def _whole(self, one: CountedCard, other: CountedCard) -> CountedCard | None:
        if bool(one.number) is bool(other.number) or (one.is_counted and other.is_counted):
            return None
        numbered, named = (one, other) if one.number else (other, one)
        if numbered.name or not named.name or not self.source.is_of(numbered.number, named.name):
            return None
        counted = one if one.is_counted else other
        return counted._replace(number=numbered.number, name=named.name)

    def _ask_about_dashes(self) -> None:
        """Ask how many copies there are where a dash stands in place of the count that other lines have."""
        cards = self._cards
        dashed = {part.row.at: part.row for part in cards[1:] if part.is_dashed and not part.card.is_counted}
        if not dashed or not _have_counts([part for part in cards if part.row.at not in dashed]):
            return
        self.parts = [part for part in self.parts if isinstance(part, Heading) or part.row.at not in dashed]
        self._stated.clear()  # they count the cards that are taken out here
        for at, row in dashed.items():
            self.kinds[at] = self._skip(row, cardline.UNCLEAR)

    def _skip(self, row: TextRow, reason: str) -> str:
        self._unread.append(Unread(row.at, row.raw, reason, self._is_aside))
        return "unread"


def _parted(row: TextRow) -> Sequence[TextRow]:
    """Return a line as one for each section that it has."""
    starts = headlines.section_starts(row.plain)
    if len(starts) < 2:
        return (row,)
    spans = zip(starts, (*starts[1:], len(row.plain)), strict=True)
    texts = ((row.shown[start:end].strip(_BETWEEN), row.plain[start:end].strip(_BETWEEN)) for start, end in spans)
    return [TextRow(row.at, shown, shown, plain) for shown, plain in texts]


def _cut(row: TextRow, plain: str, shown: str) -> TextRow:
    return row._replace(plain=" ".join(plain.split()), shown=" ".join(shown.split()))


def _is_counted(cards: Sequence[CountedCard] | str) -> bool:
    return isinstance(cards, list) and cards[0].is_counted


def _have_counts(cards: Sequence[ListedCard]) -> bool:
    """Tell whether all cards but one, the Leader, have counts, and no dashes."""
    counted = sum(part.card.is_counted for part in cards)
    return counted >= max(1, len(cards) - 1) and not any(part.is_dashed for part in cards)
