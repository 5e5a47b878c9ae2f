"""Several decks in one text: their first lines and their names.

Called by `decklists` for a text in which headings are repeated or that has the cards of two decks.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from validator.deck import Deck, DeckSize, Line, Unread
from validator.decklists import headlines
from validator.decklists.draft import SEVERAL, Draft, card_type
from validator.decklists.listing import Listing
from validator.decklists.source import Source, TextRow
from validator.sections import ASIDE, LONGEST, split_words, word

if TYPE_CHECKING:
    from validator.decklists import Parsed

_FEWEST = 35  # least cards of a deck that has no title or heading: more than half of any legal deck
_MOST_NAMES = 2  # lines that name one deck: the player and the deck
_LONGEST_NAME = 100
_LONGEST_TITLE = 200
_NUMBERED = re.compile(
    r"[\W_]*(deck ?list|deck|list[ae]?|player|seat|spieler|joueur|jugador|giocatore|jogador|mazo|mazzo|baralho"
    r"|プレイヤー|デッキ|玩家|牌組|牌组|卡組|卡组|덱)(?: ?(?:no\.?|nr\.?|number))?[ #.:№-]*([1-9][0-9]?|[A-H])"
    r"(?![\w(\[/])(?![ x]*[0-9])[\W_]*"
    r"(.{0,100})",
    re.IGNORECASE,
)
_FACT = re.compile(r"[\W_]*([^\W\d_](?:[^\W\d]|-){0,20}(?: [^\W\d_]{1,12}){0,2}) ?[:=]\s*(.+)")
# Facts that name a deck, and facts that decks and cards have.
_DECK_FACTS = frozenset(
    map(
        word,
        split_words("""
        deck, deck name, deckname, deck title, decklist, deck list, list, player, player name, spieler, joueur, jugador,
        giocatore, jogador, participant, プレイヤー, プレイヤー名, デッキ, デッキ名, 玩家, 牌組, 卡组, 선수, 덱
        """),
    )
)
_DECK_OR_CARD_FACTS = frozenset(map(word, split_words("name, title, nombre, nom, nome, 名前")))


class DeckPart(NamedTuple):
    """The lines of one deck in a text that holds several.

    `start` is the first line, and `end` the line after the last, both from 1. `name` is the deck's name for people,
    made of at most two titles, or a short line above its cards, "" if there is none. `titles` are the numbers of the
    lines with the name. They are left out when the list is parsed.
    """

    start: int
    end: int
    name: str
    titles: Sequence[int]


class _DeckTitle(NamedTuple):
    """A line that may name a deck.

    `kind` is the normalised word before the name, such as "player", "" for a line that is only a name. For numbered
    titles it ends in " 1", as in "deck 1". `order` is the title's number or letter, "" if it has none. `name` is the
    name of the deck, the whole title if it has only an order. `row` is the line.
    """

    kind: str
    order: str
    name: str
    row: TextRow


def first_of(first: Parsed, rest: Sequence[Parsed]) -> Deck:
    """Return the first of several decks.

    Its `unread` gets an entry with the name and the number of cards of every deck. `rest` are the other decks, at least
    one. The entry is at the second deck's first line. The deck of `first` is changed.
    """
    deck, (second, *_) = first.deck, rest
    decks = tuple(
        DeckSize(parsed.name, sum(line.count for _, line in parsed.deck.lines())) for parsed in (first, *rest)
    )
    begins = min((line.at for _, line in second.deck.lines() if line.at), default=1)
    beginning = next((line.raw or line.written for _, line in second.deck.lines()), "")
    deck.unread = (*deck.unread, Unread(begins, second.name or beginning, SEVERAL, decks=decks))
    return deck


def find_order(title: str) -> str:
    """Return the number (1 to 99) or letter (A to H) of a title: "2" for "Deck 2". "" if a text is no such title."""
    found = _NUMBERED.fullmatch(title) if len(title) <= _LONGEST_TITLE else None
    return found[2].upper() if found else ""


def read_parts(parts: Sequence[DeckPart], source: Source, read: Callable[[Source], Draft]) -> Draft:
    """Return the draft of the first part of a text. Its `others` are the drafts of the other parts.

    `read` parses each part. It gets the text with the other lines blank, so that the line numbers are those of the
    whole text.
    """
    drafts = [_read_deck_part(part, source, read) for part in parts]
    first, *first.others = [deck for draft in drafts for deck in (draft, *draft.others)]
    return first


def _read_deck_part(part: DeckPart, source: Source, read: Callable[[Source], Draft]) -> Draft:
    """Return the draft of one part, with the part's name. The lines outside and the titles are blanked for `read`."""
    lines = source.text.splitlines()[: part.end - 1]
    lines[: part.start - 1] = [""] * (part.start - 1)
    for line in part.titles:
        lines[line - 1] = ""
    draft = read(Source("\n".join(lines), source.catalogue))
    draft.name = part.name
    return draft


def by_headings(listing: Listing) -> Sequence[DeckPart]:
    """Return the parts of a text in which repeated titles or headings begin decks. Empty if it is one deck.

    Titles such as "Deck 1" are tried first, then "Leader" headings, then headings of main decks.
    """
    text = _Text(listing)
    return text.split_at(text.by_titles() or text.by_leader_headings() or text.by_main_headings())


def by_leaders(draft: Draft, source: Source, read: Callable[[Source], Draft] | None) -> Sequence[Draft]:
    """Return the decks of a draft that has several Leaders, each with at least 35 other cards, without the side deck.

    Otherwise, and without a catalogue, return a list of only the draft. `read` parses the lines of each deck
    separately. If `read` is None, or if decks share lines, the cards of the draft are divided at the Leaders.
    """
    if source.catalogue is None or draft.copies < 2 * _FEWEST:
        return [draft]
    starts = _deck_starts(draft.cards, source)
    parts = [draft.cards[start:end] for start, end in pairwise((*starts, len(draft.cards)))]
    if len(parts) < 2 or any(_count_deck_cards(part) - 1 < _FEWEST for part in parts):
        return [draft]
    text = _Text(Listing(source)) if read else None
    if read and text and text.can_split_at(begins := [part[0][1].at or 0 for part in parts]):
        first = read_parts(text.split_at(begins), source, read)
        return [first, *first.others]
    return [_slice_draft(draft, part) for part in parts]


def _deck_starts(cards: Sequence[tuple[str | None, Line]], source: Source) -> Sequence[int]:
    """Return the indexes of the first card of each deck, if `cards` has several Leaders. Otherwise empty.

    If the first card is no Leader but the last one is, each Leader ends its deck. Otherwise each Leader begins a deck,
    and cards above the first Leader are in the first deck. `cards` are pairs of section and line. Leaders outside the
    deck are ignored.
    """
    leaders = [
        index for index, (section, line) in enumerate(cards) if section != ASIDE and _is_leader_line(line, source)
    ]
    if len(leaders) < 2:
        return ()
    is_last = leaders[0] > 0 and leaders[-1] == len(cards) - 1
    return [0, *(index + is_last for index in (leaders[:-1] if is_last else leaders[1:]))]


def _slice_draft(draft: Draft, part: Sequence[tuple[str | None, Line]]) -> Draft:
    """Return a draft of one deck, with the cards `part` of a draft of several decks.

    `part` has pairs of section and line. Unread lines and the name stay with the first deck.
    """
    is_first = draft.cards[0] is part[0]
    return Draft(draft.format, list(part), draft.unread if is_first else [], name=draft.name if is_first else "")


def _is_leader_line(line: Line, source: Source) -> bool:
    """Return True if a line is one copy of a Leader.

    If the line has only a name, every card of the name must be a Leader. False without a catalogue.
    """
    return line.count == 1 and source.catalogue is not None and card_type(line, source.catalogue) == "Leader"


def _count_deck_cards(part: Iterable[tuple[str | None, Line]]) -> int:
    """Return the copies of these cards, without those in the side deck or outside the deck. The Leader is counted."""
    return sum(line.count for section, line in part if section not in ("side", ASIDE))


class _Text:
    """The lines of a listing, with the cards and the headings by line number, to find where decks begin."""

    def __init__(self, listing: Listing) -> None:
        """Collect the cards and the headings of a listing by line number."""
        self._listing = listing
        self._rows = listing.source.rows
        self._cards: dict[int, list[tuple[str | None, int]]] = {}  # section and copies by line
        for section, listed_card in listing.cards_by_section():
            copies = int(listed_card.card.digits[:3])
            self._cards.setdefault(listed_card.row.at, []).append((section, copies))
        self._lines = sorted(self._cards)
        self._headings = {
            row.at: heading
            for row in self._rows
            if listing.kinds.get(row.at) == "heading" and (heading := headlines.heading(row.plain))
        }

    def can_split_at(self, begins: Sequence[int]) -> bool:
        """Return True if each of these lines has cards, and no line is repeated."""
        return len(set(begins)) == len(begins) and all(begin in self._cards for begin in begins)

    def by_titles(self) -> Sequence[int]:
        """Return the lines of titles that name one deck after another, such as "Deck 1" and "Deck 2".

        Empty if there are none. If several kinds of titles do so, the kind with the most decks is returned. A first
        line 0 is a deck above all titles.
        """
        kinds: dict[str, list[_DeckTitle]] = {}
        for titled in self._find_titles(self._rows):
            kinds.setdefault(titled.kind, []).append(titled)
        found = [begins for titles in kinds.values() if (begins := self._title_lines_with_cards(titles))]
        return max(found, key=len, default=())

    def _title_lines_with_cards(self, titles: Sequence[_DeckTitle]) -> Sequence[int]:
        """Return the lines of the titles that have cards below them, if all `titles` can name decks. Otherwise empty.

        `titles` are of one kind, such as "player". Words that cards have too, such as "name", need 35 cards below each.
        Numbered titles must count up. A first line 0 stands for a deck above the titles.
        """
        ends = [*(title.row.at for title in titles[1:]), self._end]
        each = [(title, self._count_cards(title.row.at, end)) for title, end in zip(titles, ends, strict=True)]
        each = [(title, cards) for title, cards in each if cards]
        fewest = _FEWEST if titles[0].kind in _DECK_OR_CARD_FACTS else 1
        if any(cards < fewest for _, cards in each):
            return ()
        begins = [title.row.at for title, _ in each]
        above = self._count_cards(0, titles[0].row.at)
        if titles[0].order and not _is_ascending([title.order for title in titles], bool(above)):
            return ()
        return [0, *begins] if above >= _FEWEST or (above and titles[0].order) else begins

    def by_leader_headings(self) -> Sequence[int]:
        """Return the lines of "Leader" headings, if each has a Leader and a main deck under a heading.

        The first line is 0. Empty if fewer than two decks are found.
        """
        begins, has_leader, has_main = [], False, False
        for at, heading in self._headings.items():
            if heading.section == "leader":
                if has_main and has_leader and self._count_cards_below(at, "leader"):
                    begins.append(at)
                    has_main = False
                has_leader = has_leader or self._count_cards_below(at, "leader") > 0
            elif heading.section == "main" and self._count_cards_below(at, "main"):
                has_main = True
        return [0, *begins] if begins and has_main else ()

    def by_main_headings(self) -> Sequence[int]:
        """Return the lines of headings of a main deck, if each has at least 35 cards for it below. The first line is 0.

        Empty if there are fewer than two.
        """
        begins = [at for at, heading in self._headings.items() if heading.opens and not heading.kind]
        parts = [self._count_main_cards(start, end) for start, end in pairwise((*begins, self._end))]
        return [0, *begins[1:]] if len(parts) > 1 and min(parts) >= _FEWEST else ()

    def split_at(self, begins: Sequence[int]) -> Sequence[DeckPart]:
        """Return the parts of the text whose cards begin at the lines `begins`. Empty for fewer than two lines.

        The first part begins with the text. Each other part begins with the first line behind the cards above.
        """
        if len(begins) < 2:
            return ()
        starts = [1, *(self._first_own_line(begin) for begin in begins[1:])]
        return [self._read_deck_part(start, end) for start, end in pairwise((*starts, self._end))]

    def _read_deck_part(self, start: int, end: int) -> DeckPart:
        """Return the part from line `start` to before `end`. Its name is from the titles above its first card.

        If there is no title, the name is a short line that is neither a card nor a heading. At most two names are
        joined.
        """
        cards = [at for at in self._lines if start <= at < end]
        rows = [row for row in self._rows if start <= row.at < cards[0]]
        titles = list(self._find_titles(rows))
        if not titles and (noted := max(filter(self._may_be_name, rows), key=self._is_unread, default=None)):
            titles = [_DeckTitle("", "", noted.shown.strip(_AROUND), noted)]
        names = dict.fromkeys(titled.name for titled in titles if titled.name)
        name = ", ".join(list(names)[:_MOST_NAMES])[:_LONGEST_NAME]
        return DeckPart(start, end, name, [titled.row.at for titled in titles])

    def _may_be_name(self, row: TextRow) -> bool:
        """Return True if a line can be a deck's name: a short unread line, or a short comment.

        It has a letter, at most 40 characters and no full stop at its end.
        """
        is_free = self._listing.kinds.get(row.at) in ("comment", "unread")
        return is_free and len(row.plain) <= LONGEST and row.plain[-1] != "." and any(map(str.isalpha, row.plain))

    def _may_be_card(self, row: TextRow) -> bool:
        """Return True if a line is unread and has digits that may be a count.

        Such a line may be a card of the deck above.
        """
        return self._is_unread(row) and Unread(row.at, row.raw).may_be_card

    def _is_unread(self, row: TextRow) -> bool:
        """Return True if a line could not be parsed."""
        return self._listing.kinds.get(row.at) == "unread"

    def _find_titles(self, rows: Iterable[TextRow]) -> Iterator[_DeckTitle]:
        """Yield the lines that may name a deck: numbered titles, "Deck 2: Ann", and facts, "Player: Ann".

        Lines with cards and lines of over 200 characters are left out. So are facts whose value is a number, a section
        or a type of card: "Deck: 50".
        """
        for row in rows:
            kind = self._listing.kinds.get(row.at)
            if kind is None or kind == "cards" or len(row.plain) > _LONGEST_TITLE:
                continue
            if found := _NUMBERED.fullmatch(row.plain):
                shown = row.shown.strip(_AROUND)
                yield _DeckTitle(f"{word(found[1])} 1", found[2].upper(), found[3].strip(_AROUND) or shown, row)
            elif (
                (found := _FACT.fullmatch(row.plain))
                and (key := word(found[1])) in _DECK_FACTS | _DECK_OR_CARD_FACTS
                and not _is_section(found[2])
            ):
                yield _DeckTitle(key, "", row.shown[found.start(2) :].strip(_AROUND), row)

    def _first_own_line(self, begin: int) -> int:
        """Return the first line of the deck whose cards begin at line `begin`.

        It is the line after the last card, or possible card, above. Totals below that card are left out.
        """
        titles = {titled.row.at for titled in self._find_titles(self._rows)}
        above = (row for row in self._rows if row.at < begin and row.at not in titles)
        last = max((row.at for row in above if row.at in self._cards or self._may_be_card(row)), default=0)
        own = (
            row.at
            for row in self._rows
            if last < row.at <= begin and row.at in self._listing.kinds and not headlines.is_total(row.plain)
        )
        return next(own, begin)

    @property
    def _end(self) -> int:
        """The line number after the last line."""
        return self._rows[-1].at + 1

    def _count_cards(self, start: int, end: int) -> int:
        """Return the number of copies on the lines from `start` to before `end`."""
        return sum(copies for _, copies in self._cards_between(start, end))

    def _count_main_cards(self, start: int, end: int) -> int:
        """Return the number of copies on the lines from `start` to before `end`.

        Only cards of the main deck and cards without a section are counted.
        """
        return sum(copies for section, copies in self._cards_between(start, end) if section in ("main", None))

    def _cards_between(self, start: int, end: int) -> Iterator[tuple[str | None, int]]:
        """Yield `(section, copies)` for each card on the lines from `start` to before `end`.

        The section may be None.
        """
        for at in self._lines[bisect_left(self._lines, start) : bisect_left(self._lines, end)]:
            yield from self._cards[at]

    def _count_cards_below(self, heading_line: int, section: str) -> int:
        """Return the number of copies of a section between a heading and the next heading.

        `heading_line` is the heading's line.
        """
        following = next((later for later in self._headings if later > heading_line), self._end)
        return sum(
            copies for card_section, copies in self._cards_between(heading_line, following) if card_section == section
        )


_AROUND = " -–—:=*_#/|\"'“”,;.[]"


def _is_section(value: str) -> bool:
    """Return True if the value of a fact is a number, or names a section or a type of card: "Side Deck (15)".

    Such a value is no name of a deck.
    """
    heading = headlines.heading(value)
    return value.isdigit() or (heading is not None and not headlines.names_printed_value(heading.kind))


def _is_ascending(orders: Sequence[str], is_behind_cards: bool) -> bool:
    """Return True if at least two decks are numbered one after another, by numbers or letters: "1", "2".

    The first of `orders` must be 1 or A. With cards above the first title, it must be 2 or B, and the cards are a deck,
    too.
    """
    first = orders[0]
    wanted = ("2", "B") if is_behind_cards else ("1", "A")
    start = int(first) if first.isdecimal() else ord(first)
    numbers = [int(order) if order.isdecimal() else ord(order) for order in orders]
    is_counted = numbers == [*range(start, start + len(orders))]
    return first in wanted and is_counted and len(orders) + is_behind_cards > 1
