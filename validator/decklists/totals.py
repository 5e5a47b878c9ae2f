"""Totals: the numbers of cards that a list states, compared with the parsed cards.

Called by `listing` for lists in which a heading or a separate line states a number, and by the readers of tables with
a card in each row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import TYPE_CHECKING, NamedTuple

from validator.deck import Total, Unread
from validator.decklists import headlines
from validator.decklists.draft import CONTRADICTED, is_leader
from validator.decklists.headlines import Heading
from validator.sections import split_words, word

if TYPE_CHECKING:
    from validator.cards import Catalogue
    from validator.decklists.draft import Draft
    from validator.decklists.listing import ListedCard
    from validator.decklists.source import Source, TextRow

_NUMBER = rf"([0-9]{{1,3}})(?: ?/ ?[0-9]{{1,3}})?{headlines.CARD_WORD}(?: total)?"
# The number of a heading: in brackets, behind a mark, before a word for cards, or of two digits at either end.
_OF_HEADING = re.compile(
    rf"[(\[{{] ?(?:total|count|qty|x)?[ :=-]*{_NUMBER} ?[)\]}}][\W_]*"
    rf"|[^\W\d].*?[^\W\d][\W_]*?[ )\]]?[:=] ?{_NUMBER}[\W_]*"
    r"|.*[^\W\d] [^\w\s:=]?[ ]?([0-9]{1,3}) ?(?:cards?|karten|cartes|cartas|carte|[枚張张장])[\W_]*"
    r"|.*[^\W\d][\W_]* [x*]?([0-9]{2,3})[\W_]*",
    re.IGNORECASE,
)
_BRACKETED = re.compile(rf".*[(\[{{] ?(?:total|count|qty|x)?[ :=-]*{_NUMBER} ?[)\]}}][\W_]*", re.IGNORECASE)
_BEFORE_HEADING = re.compile(
    rf"[\W_]*([0-9]{{2,3}}|[0-9](?= ?(?:cards?|[枚張张장]))){headlines.CARD_WORD}[ :x-]+[^\W\d].*", re.IGNORECASE
)
_UP_TO = re.compile(r"(?:up to|max\.?|min\.?|at most|bis|[≤<~])[ :]*[0-9]|[0-9] ?[-–+] ?[0-9]", re.IGNORECASE)
_LINE = re.compile(
    rf"([^\W\d](?:[^:=\d]*[^\W\d])?)[\W_]+{_NUMBER}[)\]]?|[(\[]?([0-9]{{1,3}})(?: ?/ ?[0-9]{{1,3}})?"
    r" ?(?:cards|karten|cartes|cartas|carte|[枚張张장])(?:(?: in)? total)?[)\]]?",
    re.IGNORECASE,
)
_TOTAL_WORDS = frozenset(
    map(
        word,
        split_words("""
        total, total card, total cards, card total, card count, deck size, size, number of cards, number of card, count,
        total number of, total number of cards, cards in deck, total cards in deck, total cards in main deck,
        main deck total, deck total, sum, summe, gesamt, insgesamt, anzahl karten, nombre de cartes, número de cartas,
        nombre total, totale, total de cartas, total de carta, total cartes, 合計, 計, 合计, 总计, 總計, 计, 합계, 총, Σ
        """),
    )
)
_MOST_TOTAL_ROWS = 20  # of a deck in a table
_LEAST_TOTAL = 2  # a total of fewer cards is more often a version, a rank or a page
_OPTIONAL = ("leader", "side", "z", "don", "resource", "aside")  # sections that a total may leave out


def compare_table_totals(
    draft: Draft,
    totals: Iterable[tuple[str | None, int]],
    table_copies: int,
    catalogue: Catalogue | None,
    *,
    has_leader_outside: bool = False,
) -> Iterator[Total]:
    """Yield each total in a row of a table that the cards of the draft so far contradict.

    `totals` are pairs of section and number. The section is None for a total of all sections. It may also be that of
    one section, or of all decks of the table: `table_copies`. A total may count the Leader or leave the Leader out.
    `has_leader_outside` is True if the Leader is named outside the rows of cards. Only the first 20 rows of a deck are
    compared: each takes time for all its cards.
    """
    draft.compared_totals += 1
    if draft.compared_totals > _MOST_TOTAL_ROWS:
        return
    copies = dict.fromkeys(("main", "leader"), 0)
    for place, card in draft.cards:
        own_section = "leader" if is_leader(place, card, catalogue) else place or "main"
        copies[own_section] = copies.get(own_section, 0) + card.count
    every, leaders = sum(copies.values()), copies["leader"] or int(has_leader_outside)
    agreed = {copies["main"] + leaders, table_copies}
    agreed_of_all = {every, every - copies["leader"], every + int(has_leader_outside), *copies.values()}
    for section, stated in totals:
        counted = copies.get(section, 0) if section else every
        if stated not in agreed | ({counted, counted + leaders, counted - leaders} if section else agreed_of_all):
            yield Total(stated, counted)


class Stated(NamedTuple):
    """A line that has a digit and may state a number of cards.

    `place` is the number of entries of `Listing.parts` above the line, cards without their copies and headings. A
    heading includes itself. `heading` is the line as a heading, None if it is none.
    """

    place: int
    row: TextRow
    heading: Heading | None = None


class _SectionCard(NamedTuple):
    """The section of one listed card ("main" if it has none), and its number of copies. The card itself is not held."""

    section: str
    copies: int


def find_contradicted(
    stated: Sequence[Stated], parts: Sequence[ListedCard | Heading], sections: Iterable[str | None], source: Source
) -> Iterator[Unread]:
    """Yield an Unread for each line that states a number of cards which no reading of the list has.

    A reading is the cards above, below or in the section of the line, with or without optional sections. `stated` are
    the lines that may state a number. `parts` are the cards and headings of a list in order. `sections` has one section
    for each card, None for no section. Each Unread is a remark (`aside`) with the stated number and the likeliest one.
    """
    counted = _CountedCards(parts, sections, source)
    for line in stated:
        if (number := _stated_number(line)) is not None and not counted.agrees(number, line):
            total = Total(number, counted.likeliest_size(number, line))
            section = line.heading.section if line.heading else None
            yield Unread(line.row.at, line.row.raw, CONTRADICTED, aside=True, section=section, total=total)


def _stated_number(line: Stated) -> int | None:
    """Return the number of cards that a line states, None if it states none.

    None also for bounds such as "up to 15", and for a number under 2 in a line that is no heading.
    """
    plain = line.row.plain
    if _UP_TO.search(plain):
        return None
    number = _number_of_heading(plain, line.heading) if line.heading else _number_of_line(plain)
    return number if number is not None and (line.heading or number >= _LEAST_TOTAL) else None


def _number_of_heading(plain: str, heading: Heading) -> int | None:
    """Return the number of cards in a heading, None if it has none: 15 for "Side Deck (15)".

    The number of "Cost 3" is a cost. Such a heading needs another number in brackets: 8 for "Cost 3 (8)".
    """
    if heading.kind and headlines.names_printed_value(heading.kind):
        found = _BRACKETED.fullmatch(plain)
        return int(found[1]) if found and sum(map(str.isdigit, plain[: found.start(1)])) else None
    found = _BRACKETED.fullmatch(plain) or _OF_HEADING.fullmatch(plain) or _BEFORE_HEADING.fullmatch(plain)
    return int(next(filter(None, found.groups()))) if found else None


def _number_of_line(plain: str) -> int | None:
    """Return the number of cards in a line that is no heading, such as "Total: 50" or "50 cards".

    None if it states none.
    """
    found = _LINE.fullmatch(plain)
    if found is None or (found[1] and word(found[1]) not in _TOTAL_WORDS):
        return None
    return int(found[2] or found[3])


class _CountedCards:
    """The copies of the cards of a list in order, with the headings between them."""

    def __init__(self, parts: Sequence[ListedCard | Heading], sections: Iterable[str | None], source: Source) -> None:
        """Pair the cards of a list with their sections. None becomes the main deck.

        A single copy of a Leader in the main deck counts as Leader. `sections` has one section for each card in
        `parts`.
        """
        each = iter(sections)
        self._cards: list[_SectionCard | None] = []  # None for a heading
        for part in parts:
            if isinstance(part, Heading):
                self._cards.append(None)
            else:
                section = next(each) or "main"
                copies = int(part.card.digits[:3])
                leads = section == "main" and copies == 1 and _is_listed_leader(part, source)
                self._cards.append(_SectionCard("leader" if leads else section, copies))
        self._parts = parts
        self._headings = [at for at, part in enumerate(parts) if isinstance(part, Heading)]
        self._leaders = sum(card.copies for card in self._cards if card and card.section == "leader")

    def agrees(self, number: int, line: Stated) -> bool:
        """Return True if some reading of the list has `number` cards at the line that states the number.

        A reading is a group of the list's cards. For a heading, the cards below it or in its section are read. For
        another line, the cards above or below it, each section, and all cards are read.
        """
        spans = (
            self._readings_below(line.place)
            if line.heading
            else chain(self._readings_above(line.place), self._readings_below(line.place))
        )
        return any(self._has_size(number, cards) for cards in (*spans, *self._readings_by_section(line.heading)))

    def likeliest_size(self, number: int, line: Stated) -> int:
        """Return the number of cards that the line most likely counts: those below a heading, or those above a total.

        Above a total, the main deck or all cards are counted, depending on which number is nearer to `number`. If no
        card is above it, the cards of the whole list are used.
        """
        if line.heading:
            cards = next(self._cards_below_heading(line.place, line.heading))
            return sum(card.copies for card in cards)
        cards = next(iter(self._readings_above(line.place)), [])
        cards = cards or [card for card in self._cards if card]
        every = sum(card.copies for card in cards)
        main = sum(card.copies for card in cards if card.section == "main")
        return min((every, main), key=lambda counted: abs(counted - number))

    def _cards_below_heading(self, place: int, heading: Heading) -> Iterator[Sequence[_SectionCard]]:
        """Yield once the cards from index `place` to the next heading.

        Headings that only sort cards by type or cost are skipped, unless `heading` is one too.
        """
        end = place
        for end in (*(at for at in self._headings if at >= place), len(self._parts)):
            following = self._parts[end] if end < len(self._parts) else None
            if not (isinstance(following, Heading) and following.kind and not heading.kind):
                break
        yield [card for card in self._cards[place:end] if card]

    def _readings_above(self, place: int) -> Iterator[Sequence[_SectionCard]]:
        """Yield the cards above index `place`: all of them, then those below each heading above the index."""
        for start in (0, *(at for at in self._headings if at < place)):
            yield [card for card in self._cards[start:place] if card]

    def _readings_below(self, place: int) -> Iterator[Sequence[_SectionCard]]:
        """Yield the possible cards below index `place`: to each heading that follows, and to the end."""
        for end in (*(at for at in self._headings if at >= place), len(self._parts)):
            yield [card for card in self._cards[place:end] if card]

    def _readings_by_section(self, heading: Heading | None) -> Iterator[Sequence[_SectionCard]]:
        """Yield all cards in the heading's section. Nothing for a heading that only sorts cards by type or cost.

        Without a heading, yield all cards, and then those of each section.
        """
        every = [card for card in self._cards if card]
        if heading is None:
            yield every
        for section in dict.fromkeys(card.section for card in every):
            if heading is None or (section == heading.section and not heading.kind):
                yield [card for card in every if card.section == section]

    def _has_size(self, number: int, cards: Sequence[_SectionCard]) -> bool:
        """Return True if `number` is the number of copies of these cards, or the number of entries in `cards`.

        Cards of optional sections, such as the side deck, may be counted or not. The Leaders may be added if `cards`
        has none.
        """
        sizes: dict[str, int] = {}
        for card in cards:
            sizes[card.section] = sizes.get(card.section, 0) + card.copies
        every = sum(sizes.values())
        optional = [sizes[section] for section in _OPTIONAL if section in sizes]
        left_out = {sum(some) for many in range(len(optional) + 1) for some in combinations(optional, many)}
        led = 0 if "leader" in sizes else self._leaders
        return number in {every - less + more for less in left_out for more in (0, led)} | {len(cards)}


def _is_listed_leader(part: ListedCard, source: Source) -> bool:
    """Return True if a card's type is Leader. A card without a known number is one if any card of its name is a Leader.

    False without a catalogue.
    """
    card = source.card(part.card.number)
    same_name = source.catalogue.by_name(part.card.name) if not card and source.catalogue and part.card.name else ()
    return any(candidate.type == "Leader" for candidate in ((card,) if card else same_name))
