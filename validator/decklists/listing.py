"""Listings: a text parsed line by line, from any program or typed by hand.

No form of list is standard, so each line is parsed on its own, and the format is named after the forms in the text. A
blank line has no meaning by itself. In Arena's lists the side deck follows a blank line. Limitless lists separate
Leader, Characters and Events by blank lines, and would be torn apart by Arena's rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from validator import sections
from validator.deck import Unread
from validator.decklists import cardline, counts, headlines, stacks, totals
from validator.decklists.cardline import CountedCard
from validator.decklists.draft import COMMENTED, Draft
from validator.decklists.headlines import Heading
from validator.decklists.source import Source, TextRow
from validator.decklists.totals import Stated
from validator.games import GAMES
from validator.language import phrase
from validator.texts import LONGEST_LINE

_DIGIT = re.compile(r"[0-9]")
_COPIES = re.compile(r"(?: ?[x*] ?[0-9]{1,3}| [0-9]{1,3} ?[枚張张])$")
_SECTION_AT_END = re.compile(r" ?[\[(]([a-z][a-z -]{1,12})[\])]$", re.IGNORECASE)
_ADORNMENTS = " -–—_*#~|·•★☆✓✔→>"
_LAST_WORD = re.compile(r" (leader)$", re.IGNORECASE)
# A single dash in place of a count before or behind a card. Elsewhere a dash is only decoration.
_DASHED = re.compile(r"^\s*[-–—]\s|\s[-–—]\s*$")
_DECK_LINES = ("cards", "heading")  # kinds of lines that do not name a deck
_COLONS_OF_SECTIONS = 2  # colons of a line that may have several sections
_MARKS_OF_SECTIONS = 2  # marks between the entries of a line that may have several sections
_MARKS = re.compile(r"[,;|]| / ")
_WIDEST = 3  # digits of a total
_LEAST_BARE_SUM = 10  # smallest sum that is accepted without a heading
_BETWEEN = " -–—:,;|/."
_BESIDE_DECK = "other"  # the heading "Other Cards" of exports; in a list typed by hand it may sort the deck
_MAY_BE_SIGNATURE = phrase("the line looks like the name of the author (write a count first if the line is a card)")
_NO_CARDS_IN_LINK = phrase("the link contains no cards (copy the list from the site as text)")


class ListedCard(NamedTuple):
    """A card of a list with its line, `row`. A line may have several cards.

    `section` is the section in the line itself, as in "2 Nami (side)" or "Leader: 1 OP01-001". It is "don" for DON!!
    cards. None if only a heading above can name one. `row` is the second line of a card whose name and number are on
    two lines.
    """

    card: CountedCard
    row: TextRow
    section: str | None = None

    @property
    def is_dashed(self) -> bool:
        """True if a single dash is before or behind the card in its line. False for a line longer than LONGEST_LINE."""
        return len(self.row.raw) <= LONGEST_LINE and _DASHED.search(self.row.raw) is not None


class Listing:
    """A text parsed line by line into cards and headings.

    `parts` are the cards and headings in order. `kinds` holds the kind by line number: "cards", "heading", "comment",
    "metadata" or "unread". A line with several sections has the kind of the last one. Blank lines have none, nor have
    further lines of a card that is written on several. `may_be_several` is True if a second deck may begin in the text.
    """

    def __init__(self, source: Source) -> None:
        """Parse every line of the source.

        Cards on several lines are joined first, and line numbers and card ids are removed. A line with only an address
        is "metadata" if the list has cards, else unread.
        """
        self.source = source
        self.parts: list[ListedCard | Heading] = []
        self.kinds: dict[int, str] = {}
        self._unread: list[Unread] = []
        self._lines_with_number: list[Stated] = []
        self._links: list[TextRow] = []
        self._is_below_leader = False
        self._is_aside = False
        self._is_below_farewell = False
        self._has_heading = self._is_side_or_aside = self._has_main = self._has_leader = False
        self._kinds: set[str] = set()
        self.may_be_several = False  # True if a heading or a title may begin a second deck
        self._copies_in_section = self._all_copies = self._summed_parts = (
            0  # copies since the last heading and in all, and parts counted
        )
        self._is_export = bool(source.rows) and headlines.names_deck(source.rows[0].plain)
        rows = stacks.join_stacks(stacks.join_records(source.rows), source.is_name)
        for row in stacks.remove_card_ids(stacks.remove_line_numbers(rows)):
            for part in _split_sections(row) if _may_have_sections(row) else (row,):
                self.kinds[row.at] = kind = self._read_line(part)
            if kind not in _DECK_LINES and self.parts and not headlines.is_total(row.plain):
                self.may_be_several = True
        self._skip_dashed_cards()
        for row in self._links:
            self.kinds[row.at] = "metadata" if self.forms else self._skip_line(row, _NO_CARDS_IN_LINK)

    @property
    def _cards(self) -> list[ListedCard]:
        """The cards of the list in order, without its headings."""
        return [part for part in self.parts if isinstance(part, ListedCard)]

    @cached_property
    def forms(self) -> set[str]:
        """The different spellings of the cards, as in `CountedCard.form`: "4xNUM", "4 NAME (NUM)", …"""
        return {part.card.form for part in self._cards}

    @cached_property
    def styles(self) -> set[str]:
        """The different decorations of the headings, as in `Heading.style`."""
        return {part.style for part in self.parts if isinstance(part, Heading)}

    @cached_property
    def is_crowded(self) -> bool:
        """True if some line has several cards."""
        lines = [part.row.at for part in self._cards]
        return len(lines) > len(set(lines))

    @cached_property
    def _has_main_heading(self) -> bool:
        """True if a heading that can begin a main deck, such as "Main Deck", has a card below it."""
        last = max((at for at, part in enumerate(self.parts) if isinstance(part, ListedCard)), default=0)
        return any(isinstance(part, Heading) and part.opens for part in self.parts[:last])

    def draft(self, format: str) -> Draft:
        """Return a Draft of the list, with each card in the section of its line, else of the heading above.

        `format` is the name of the draft's format. The unread lines also hold the lines that state a number of cards
        which the list contradicts. No such check is made if an unread line may be a card.
        """
        draft = Draft(format)
        draft.unread += self._unread
        draft.parted = [row.at for last, row in pairwise(self.source.rows) if row.at > last.at + 1]
        placed = list(self.cards_by_section())
        for section, (card, row, _) in placed:
            draft.add(section, card.digits, card.number, card.name, row.at, row.raw)
        if self._lines_with_number and not any(line.may_be_card for line in self._unread):
            sections = (section for section, _ in placed)
            draft.unread += totals.find_contradicted(self._lines_with_number, self.parts, sections, self.source)
        return draft

    def cards_by_section(self) -> Iterator[tuple[str | None, ListedCard]]:
        """Yield `(section, card)` for each card.

        The section is that of its line, else that of the heading above, else None. A "Leader" heading covers only one
        card, unless the main deck has a heading.
        """
        section: str | None = None
        for part in self.parts:
            if isinstance(part, Heading):
                section = part.section
                continue
            yield part.section or section, part
            # A Leader heading covers one card, unless the main deck has a heading of its own.
            if section == "leader" and part.section is None and not self._has_main_heading:
                section = None

    def _read_line(self, row: TextRow) -> str:
        """Parse a line, keep its content, and return its kind, such as "cards" or "heading".

        A line that begins with a digit is tried as cards first. Then a line is tried as a heading, as a comment, and as
        a heading with cards behind it. A fact about the list and a link come next, and cards last.
        """
        if row.plain[0].isdigit() and (kind := self._read_digit_line(row)):
            return kind
        if (heading := headlines.heading(row.plain)) and not self._is_card_like_heading(row, heading.kind):
            return self._open_section(heading, row)
        if self._is_export and sections.word(row.plain.rstrip(":")) == _BESIDE_DECK:
            return self._open_section(Heading(sections.ASIDE), row)
        if headlines.is_comment(row.plain):
            return self._read_comment(row)
        if (heading := headlines.inline_heading(row.plain)) and self._read_behind_heading(heading, row):
            return "cards"
        if headlines.is_metadata(row.plain) or headlines.is_header(row.plain):
            self._note_number(row)
            return "metadata"
        if headlines.is_link(row.plain):
            return self._read_link(row)
        return self._read_cards(row)

    def _read_comment(self, row: TextRow) -> str:
        """Add a comment to the unread lines, as no part of the deck, if it contains cards with counts.

        Return "comment".
        """
        if _DIGIT.search(row.plain) and cardline.commented_cards(row, self.source):
            self._unread.append(Unread(row.at, row.raw, COMMENTED, aside=True))
        return "comment"

    def _is_card_like_heading(self, row: TextRow, kind: str) -> bool:
        """Return True if a line like a heading is a card of that name: "Resource x10", "Z 4枚", "Side 7 (4)".

        The catalogue must have the name. `kind` is the word by which the heading sorts cards, such as "event", "" for
        none. A name without a digit is a card only if `kind` is no type of card in the game.
        """
        catalogue = self.source.catalogue
        is_of_game = catalogue is None or kind in map(sections.word, GAMES[catalogue.game].types)
        if kind and not is_of_game and self.source.is_name(row.shown):
            return True
        if len(row.plain) > sections.LONGEST or not _DIGIT.search(row.plain):
            return False
        found = _COPIES.search(row.plain)
        if found and self.source.is_name(row.shown[: found.start()]):
            return True
        names = (row.plain, headlines.without_count(row.plain))
        return any(name[-1:].isdigit() and self.source.is_name(name) for name in names)

    def _read_digit_line(self, row: TextRow) -> str:
        """Keep the content of a line that begins with a digit, and return its kind, such as "cards" or "unread".

        Return "" and keep nothing if the line is about the list, such as a date or a total.
        """
        if cards := cardline.parse_counted_numbers(row.plain):
            return self._add_cards(row, cards)
        return "" if headlines.is_metadata(row.plain) else self._read_cards(row)

    def _read_link(self, row: TextRow) -> str:
        """Keep the card beside a web address on the same line, and return the kind of the line.

        "OP01-016 https://… x4" has four copies. A line without a card is kept in `_links`, for which `__init__` sets
        the kind. A line with an unclear count behind the address is added to the unread lines.
        """
        start = row.plain.partition("://")[0].rfind(" ") + 1
        end = row.plain.find(" ", start) if "://" in row.plain else -1
        before = _with_texts(row, row.plain[:start], row.shown[:start])
        cards = cardline.parse_cards(before, self.source) if before.plain else ""
        behind = row.plain[end:].strip(_BETWEEN) if end > 0 and not _has_count(cards) else ""
        if stacks.is_count(behind):
            around = _with_texts(row, row.plain[:start] + row.plain[end:], row.shown[:start] + row.shown[end:])
            return self._read_cards(around if isinstance(cards, list) and cards[0].number else row)
        if isinstance(cards, list) and counts.is_doubtful(behind):
            return self._skip_line(row, cardline.UNCLEAR)
        if isinstance(cards, list):
            return self._add_cards(row, cards)
        self._links.append(row)
        return "unread"

    def _read_cards(self, row: TextRow) -> str:
        """Keep the cards of a line, or the heading that was written like a card: "50 Main Deck".

        Return the kind of the line. A number that is the sum of the cards above is "metadata". A line without a card,
        or with the name below a letter's farewell, is added to the unread lines.
        """
        cards = cardline.parse_cards(row, self.source, is_count_optional=self._is_below_leader)
        if isinstance(cards, str) and row.plain.isdecimal() and len(row.plain) <= _WIDEST:
            self._count_copies()
            if self._is_sum_of_cards(int(row.plain)):
                return "metadata"
        if isinstance(cards, str):
            self._is_below_farewell = self._is_below_farewell or headlines.is_farewell(row.plain)
            return self._skip_line(row, cards)
        if self._is_below_farewell and cards[0].form == "NAME":
            return self._skip_line(row, _MAY_BE_SIGNATURE)
        if heading := self._find_counted_heading(cards):
            return self._open_section(heading, row)
        return self._add_cards(row, cards)

    def _note_number(self, row: TextRow, heading: Heading | None = None) -> None:
        """Keep a line with a digit, since it may state a number of cards. `draft` compares the number with the cards.

        `heading` is the line as a heading, None if it is none. A line without a digit is ignored.
        """
        if _DIGIT.search(row.plain):
            self._lines_with_number.append(Stated(len(self.parts), row, heading))

    def _count_copies(self) -> None:
        """Add the cards since the last call to the numbers of copies in this listing and since its last heading."""
        for part in self.parts[self._summed_parts :]:
            if isinstance(part, Heading):
                self._copies_in_section = 0
            else:
                copies = int(part.card.digits[:_WIDEST])
                self._copies_in_section += copies
                self._all_copies += copies
        self._summed_parts = len(self.parts)

    def _is_sum_of_cards(self, number: int) -> bool:
        """Return True if a number is that of the counted copies, in all or since the last heading.

        Without any heading, a sum under 10 is not accepted.
        """
        is_sum = number in (self._copies_in_section, self._all_copies)
        return is_sum and (self._has_heading or number >= _LEAST_BARE_SUM)

    def _find_counted_heading(self, cards: Sequence[CountedCard]) -> Heading | None:
        """Return the heading that was parsed as copies of a card: "50 Main Deck", "2. Side Deck". None for a card.

        `cards` are the cards of one line. A name in the catalogue is a card, also if it looks like a heading.
        """
        name = cards[0].name
        if len(cards) > 1 or cards[0].number or name is None or cards[0].form == cardline.DON:
            return None
        names = dict.fromkeys((name, name.strip(_ADORNMENTS)))  # "Side 7 ★" is a card
        return None if any(map(self.source.is_name, names)) else headlines.heading(name)

    def _read_behind_heading(self, heading: Heading, row: TextRow) -> bool:
        """Keep the cards behind a heading on the same line, and return True. Return False if there are none.

        A line with a count but no clear card, "Deck: Luffy x4 or so", is added to the unread lines, and True is
        returned. "Deck: UG Luffy" is the name of a deck. A Leader's heading, one for cards outside the deck, and "SB:"
        cover only this line. Others open a section.
        """
        rest = row.cut(heading.rest)
        cards = cardline.parse_cards(rest, self.source, is_count_optional=heading.section == "leader")
        if isinstance(cards, str):
            has_count = counts.has_sign(rest.plain)
            if has_count:
                self._skip_line(row, cardline.UNCLEAR)
            return has_count
        if heading.style == "SB:" or heading.section in ("leader", sections.ASIDE):
            self._add_cards(row, cards, heading.section)
        else:
            self._open_section(heading, row._replace(plain=""))
            self._add_cards(row, cards)
        return True

    def _open_section(self, heading: Heading, row: TextRow) -> str:
        """Open the section of a heading by adding it to `parts`, and return "heading".

        Notes if a second deck may begin here, and a stated number. Below "Side Deck" or "Maybeboard", a heading that
        only sorts cards by type or cost may be ignored. That is so if the heading repeats one above, or if the main
        deck has a heading.
        """
        # Below "Side Deck" or "Maybeboard" a kind of card only sorts that section. It must have sorted the main deck
        # before, or the main deck must have had a heading of its own.
        if self._is_side_or_aside and heading.kind and (heading.kind in self._kinds or self._has_main):
            return "heading"
        opens_main = heading.opens and not heading.kind
        may_be_second = self._has_main or (bool(self.parts) and "2" in row.plain)  # "Deck 2"
        self.may_be_several |= (opens_main and may_be_second) or self._repeats_leader(heading)
        self._has_main = self._has_main or opens_main
        self._kinds |= {heading.kind} - {""}
        self._is_side_or_aside = heading.section in ("side", sections.ASIDE)
        self.parts.append(heading)
        self._note_number(row, heading)
        self._has_heading = True
        self._is_aside = heading.section == sections.ASIDE
        self._is_below_leader = heading.section == "leader"
        return "heading"

    def _repeats_leader(self, heading: Heading) -> bool:
        """Return True if a heading opens a second leader section, directly below cards.

        Notes that a leader section was opened.
        """
        has_leader = self._has_leader
        self._has_leader = has_leader or heading.section == "leader"
        return has_leader and heading.section == "leader" and isinstance(self.parts[-1], ListedCard)

    def _add_cards(self, row: TextRow, cards: Iterable[CountedCard], section: str | None = None) -> str:
        """Keep the cards of a line in `section`, and return "cards", the kind of the line.

        None leaves the section to the heading above. DON!! cards are always in the section "don". The next line's card
        needs a count again if this one was below a Leader's heading.
        """
        for card in cards:
            # DON!! cards have a section of their own under any heading.
            place = "don" if card.form == cardline.DON else section
            self._add_card(self._with_section_at_end(ListedCard(card, row, place)))
        self._is_below_leader = False
        return "cards"

    def _with_section_at_end(self, card: ListedCard) -> ListedCard:
        """Return a card in the section at the end of its name, and without it there: "2 Nami (side)", "1 Kaido leader".

        Only the leader and the side section are found. The card is unchanged otherwise, and if the catalogue has the
        whole name. Beside a number, the section may be the whole name: "Side 4 OP01-016". "Main" is then left out.
        """
        name = card.card.name or ""
        named = sections.section(name) if card.card.number and not sections.is_kind(name) else None
        if named in ("leader", "main", "side") and not self.source.is_name(name):
            return card._replace(card=card.card._replace(name=None), section=card.section if named == "main" else named)
        found = _SECTION_AT_END.search(name) if name[-1:] in ("]", ")") else self._match_leader_at_end(card.card, name)
        section = sections.section(found[1]) if found else None
        if found is None or section not in ("leader", "side") or self.source.is_name(name):
            return card
        return card._replace(card=card.card._replace(name=name[: found.start()] or None), section=section)

    def _match_leader_at_end(self, card: CountedCard, name: str) -> re.Match[str] | None:
        """Return the match of "leader" at the end of `name`, if the catalogue has names like the text before.

        None for several copies, for a card with a number, and without a catalogue.
        """
        found = _LAST_WORD.search(name) if card.digits == "1" and not card.number else None
        catalogue = self.source.catalogue
        return found if found and catalogue and catalogue.similar(name[: found.start()]) else None

    def _add_card(self, card: ListedCard) -> None:
        """Add a card to `parts`.

        If it is the number to the name in the last line, or the name to the number, both become one card.
        """
        last = self.parts[-1] if self.parts else None
        whole = self._join_name_and_number(last.card, card.card) if isinstance(last, ListedCard) else None
        if whole:
            self.parts[-1] = card._replace(card=whole)
        else:
            self.parts.append(card)

    def _join_name_and_number(self, first: CountedCard, second: CountedCard) -> CountedCard | None:
        """Return the card that a name and a number on two lines are together, as on web pages.

        None if they are two cards. The catalogue must have this name for the number, and at most one of the lines may
        have a count.
        """
        if bool(first.number) is bool(second.number) or (first.is_counted and second.is_counted):
            return None
        numbered, named = (first, second) if first.number else (second, first)
        if numbered.name or not named.name or not self.source.is_of(numbered.number, named.name):
            return None
        counted = first if first.is_counted else second
        return counted._replace(number=numbered.number, name=named.name)

    def _skip_dashed_cards(self) -> None:
        """Move cards to the unread lines if they have a dash in place of the count that the other lines have.

        The first card is kept. Nothing changes unless all other cards, except at most one, have counts. Otherwise all
        lines that state a number of cards are then ignored, because they count the moved cards.
        """
        cards = self._cards
        dashed = {part.row.at: part.row for part in cards[1:] if part.is_dashed and not part.card.is_counted}
        if not dashed or not _have_counts([part for part in cards if part.row.at not in dashed]):
            return
        self.parts = [part for part in self.parts if isinstance(part, Heading) or part.row.at not in dashed]
        self._lines_with_number.clear()  # the stated numbers count the cards that are removed here
        for at, row in dashed.items():
            self.kinds[at] = self._skip_line(row, cardline.UNCLEAR)

    def _skip_line(self, row: TextRow, reason: str) -> str:
        """Add a line to the unread lines, with the reason. Return "unread", the kind of the line.

        The line is no part of the deck below a heading such as "Maybeboard".
        """
        self._unread.append(Unread(row.at, row.raw, reason, self._is_aside))
        return "unread"


def _may_have_sections(row: TextRow) -> bool:
    """Return True if a line has two colons, or two marks such as commas between its entries."""
    return row.plain.count(":") >= _COLONS_OF_SECTIONS or len(_MARKS.findall(row.plain)) >= _MARKS_OF_SECTIONS


def _split_sections(row: TextRow) -> Sequence[TextRow]:
    """Return one row for each section of a line: "Leader: 1 OP01-001. Main Deck: 4 OP01-016" has two.

    All have the line number of `row`. Parts of only marks are left out. A line with one section is returned unchanged.
    """
    starts = headlines.section_starts(row.plain)
    if len(starts) < 2:
        return (row,)
    spans = zip(starts, (*starts[1:], len(row.plain)), strict=True)
    texts = ((row.shown[start:end].strip(_BETWEEN), row.plain[start:end].strip(_BETWEEN)) for start, end in spans)
    return [TextRow(row.at, shown, shown, plain) for shown, plain in texts if plain]


def _with_texts(row: TextRow, plain: str, text: str) -> TextRow:
    """Return a row with other texts, in which blanks become single. `text` becomes `shown`.

    Line number and `raw` are kept.
    """
    return row._replace(plain=" ".join(plain.split()), shown=" ".join(text.split()))


def _has_count(cards: Sequence[CountedCard] | str) -> bool:
    """Return True if the value is a list of cards, and the first has a written count. False for a reason (str)."""
    return isinstance(cards, list) and cards[0].is_counted


def _have_counts(cards: Sequence[ListedCard]) -> bool:
    """Return True if all cards except at most one, the Leader, have counts, and no line has a single dash at an end.

    False if no card has a count.
    """
    counted = sum(part.card.is_counted for part in cards)
    return counted >= max(1, len(cards) - 1) and not any(part.is_dashed for part in cards)
