"""Several decks in one text: where each begins, and what it is called.

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
from validator.decklists.sections import ASIDE, LONGEST, listed, word
from validator.decklists.source import Source, TextRow

if TYPE_CHECKING:
    from validator.decklists import Parsed

_FEWEST = 35  # cards of a deck that nothing but its Leader or its size tells from the deck before it: over half of any
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
# Facts by which texts name each deck, and those that cards have too.
_OF_DECKS = frozenset(
    map(
        word,
        listed("""
        deck, deck name, deckname, deck title, decklist, deck list, list, player, player name, spieler, joueur, jugador,
        giocatore, jogador, participant, プレイヤー, プレイヤー名, デッキ, デッキ名, 玩家, 牌組, 卡组, 선수, 덱
        """),
    )
)
_OF_CARDS_TOO = frozenset(map(word, listed("name, title, nombre, nom, nome, 名前")))


class DeckPart(NamedTuple):
    """The lines of one deck: its first line, the line after its last, its name and the lines that only name it."""

    start: int
    end: int
    name: str
    titles: Sequence[int]


class _Titled(NamedTuple):
    """A line that may name a deck: what kind of title it is, its place in an order ("" if it has none), the name."""

    kind: str
    order: str
    name: str
    row: TextRow


def first_of(first: Parsed, others: Sequence[Parsed]) -> Deck:
    """Return the first of several decks, with an entry that names all of them in `unread`."""
    deck, (second, *_) = first.deck, others
    decks = tuple(DeckSize(one.name, sum(line.count for _, line in one.deck.lines())) for one in (first, *others))
    begins = min((line.at for _, line in second.deck.lines() if line.at), default=1)
    beginning = next((line.raw or line.written for _, line in second.deck.lines()), "")
    deck.unread = (*deck.unread, Unread(begins, second.name or beginning, SEVERAL, decks=decks))
    return deck


def find_order(title: str) -> str:
    """Return the number or letter of a title such as "Deck 2". "" if a text is no such title."""
    found = _NUMBERED.fullmatch(title) if len(title) <= _LONGEST_TITLE else None
    return found[2].upper() if found else ""


def read_parts(parts: Sequence[DeckPart], source: Source, read: Callable[[Source], Draft]) -> Draft:
    """Return the draft of the first part of a text, and in it those of the others; each has the text's own lines."""
    drafts = [_read_part(part, source, read) for part in parts]
    first, *first.others = [deck for draft in drafts for deck in (draft, *draft.others)]
    return first


def _read_part(part: DeckPart, source: Source, read: Callable[[Source], Draft]) -> Draft:
    lines = source.text.splitlines()[: part.end - 1]
    lines[: part.start - 1] = [""] * (part.start - 1)
    for at in part.titles:
        lines[at - 1] = ""
    draft = read(Source("\n".join(lines), source.catalogue))
    draft.name = part.name
    return draft


def by_headings(listing: Listing) -> Sequence[DeckPart]:
    """Return the parts of a text in which titles or headings begin a deck again; nothing if it is one deck."""
    text = _Text(listing)
    return text.parted(text.by_titles() or text.by_leader_headings() or text.by_main_headings())


def by_leaders(draft: Draft, source: Source, read: Callable[[Source], Draft] | None) -> Sequence[Draft]:
    """Return the decks of a draft in which each of several Leaders has enough cards for a deck, else only the draft.

    `read` reads the lines of each deck by themselves, None if the format is not one of lines.
    """
    if source.catalogue is None or draft.copies < 2 * _FEWEST:
        return [draft]
    starts = _starts(draft.cards, source)
    parts = [draft.cards[start:end] for start, end in pairwise((*starts, len(draft.cards)))]
    if len(parts) < 2 or any(_copies(part) - 1 < _FEWEST for part in parts):
        return [draft]
    text = _Text(Listing(source)) if read else None
    if read and text and text.can_part(begins := [part[0][1].at or 0 for part in parts]):
        first = read_parts(text.parted(begins), source, read)
        return [first, *first.others]
    return [_slice(draft, part) for part in parts]


def _starts(cards: Sequence[tuple[str | None, Line]], source: Source) -> Sequence[int]:
    """Return the places of the cards with which the decks of several Leaders begin: a Leader stands first or last."""
    leaders = [at for at, (section, line) in enumerate(cards) if section != ASIDE and _is_leader(line, source)]
    if len(leaders) < 2:
        return ()
    is_last = leaders[0] > 0 and leaders[-1] == len(cards) - 1
    return [0, *(at + is_last for at in (leaders[:-1] if is_last else leaders[1:]))]


def _slice(draft: Draft, part: Sequence[tuple[str | None, Line]]) -> Draft:
    """Return a deck of a draft whose decks lines do not part; what is unread goes with the first."""
    is_first = draft.cards[0] is part[0]
    return Draft(draft.format, list(part), draft.unread if is_first else [], name=draft.name if is_first else "")


def _is_leader(line: Line, source: Source) -> bool:
    """Return True if a line is one copy of a card that is a Leader, whichever card of its name is meant."""
    return line.count == 1 and source.catalogue is not None and card_type(line, source.catalogue) == "Leader"


def _copies(part: Iterable[tuple[str | None, Line]]) -> int:
    return sum(line.count for section, line in part if section not in ("side", ASIDE))


class _Text:
    """The lines of a listing, by what stands in each."""

    def __init__(self, listing: Listing) -> None:
        self._listing = listing
        self._rows = listing.source.rows
        self._cards: dict[int, list[tuple[str | None, int]]] = {}  # section and copies by line
        for section, listed_card in listing.placed():
            copies = int(listed_card.card.digits[:3])
            self._cards.setdefault(listed_card.row.at, []).append((section, copies))
        self._lines = sorted(self._cards)
        self._headings = {
            row.at: heading
            for row in self._rows
            if listing.kinds.get(row.at) == "heading" and (heading := headlines.heading(row.plain))
        }

    def can_part(self, begins: Sequence[int]) -> bool:
        """Return True if these cards begin lines that hold no card of the part before."""
        return len(set(begins)) == len(begins) and all(begin in self._cards for begin in begins)

    def by_titles(self) -> Sequence[int]:
        """Return the lines of titles that name one deck after another, as "Deck 1" and "Deck 2" do."""
        kinds: dict[str, list[_Titled]] = {}
        for titled in self._titles(self._rows):
            kinds.setdefault(titled.kind, []).append(titled)
        found = [begins for titles in kinds.values() if (begins := self._begins(titles))]
        return max(found, key=len, default=())

    def _begins(self, titles: Sequence[_Titled]) -> Sequence[int]:
        """Return the lines of the titles of one kind that have cards below them, if they name several decks."""
        ends = [*(title.row.at for title in titles[1:]), self._end]
        each = [(title, self._between(title.row.at, end)) for title, end in zip(titles, ends, strict=True)]
        each = [(title, cards) for title, cards in each if cards]
        fewest = _FEWEST if titles[0].kind in _OF_CARDS_TOO else 1
        if any(cards < fewest for _, cards in each):
            return ()
        begins = [title.row.at for title, _ in each]
        above = self._between(0, titles[0].row.at)
        if titles[0].order and not _is_order([title.order for title in titles], bool(above)):
            return ()
        return [0, *begins] if above >= _FEWEST or (above and titles[0].order) else begins

    def by_leader_headings(self) -> Sequence[int]:
        """Return the lines of "Leader" headings, if each has a main deck of its own under a heading of its own."""
        begins, has_leader, has_main = [], False, False
        for at, heading in self._headings.items():
            if heading.section == "leader":
                if has_main and has_leader and self._after(at, "leader"):
                    begins.append(at)
                    has_main = False
                has_leader = has_leader or self._after(at, "leader") > 0
            elif heading.section == "main" and self._after(at, "main"):
                has_main = True
        return [0, *begins] if begins and has_main else ()

    def by_main_headings(self) -> Sequence[int]:
        """Return the lines of headings of a main deck, if each has enough cards for a deck below it."""
        begins = [at for at, heading in self._headings.items() if heading.opens and not heading.kind]
        parts = [self._main_cards(start, end) for start, end in pairwise((*begins, self._end))]
        return [0, *begins[1:]] if len(parts) > 1 and min(parts) >= _FEWEST else ()

    def parted(self, begins: Sequence[int]) -> Sequence[DeckPart]:
        """Return the parts of the text that begin with these lines, each from the first line that may be its own."""
        if len(begins) < 2:
            return ()
        starts = [1, *(self._beginning(begin) for begin in begins[1:])]
        return [self._part(start, end) for start, end in pairwise((*starts, self._end))]

    def _part(self, start: int, end: int) -> DeckPart:
        cards = [at for at in self._lines if start <= at < end]
        rows = [row for row in self._rows if start <= row.at < cards[0]]
        titles = list(self._titles(rows))
        if not titles and (noted := max(filter(self._may_be_name, rows), key=self._is_unread, default=None)):
            titles = [_Titled("", "", noted.shown.strip(_AROUND), noted)]
        names = dict.fromkeys(titled.name for titled in titles if titled.name)
        name = ", ".join(list(names)[:_MOST_NAMES])[:_LONGEST_NAME]
        return DeckPart(start, end, name, [titled.row.at for titled in titles])

    def _may_be_name(self, row: TextRow) -> bool:
        """Return True if a line is neither a heading nor a card nor a fact, and has few words and no full stop."""
        is_free = self._listing.kinds.get(row.at) in ("comment", "unread")
        return is_free and len(row.plain) <= LONGEST and row.plain[-1] != "." and any(map(str.isalpha, row.plain))

    def _may_be_card(self, row: TextRow) -> bool:
        """Return True if a line is unread and may be a card of the deck above."""
        return self._is_unread(row) and Unread(row.at, row.raw).may_be_card

    def _is_unread(self, row: TextRow) -> bool:
        return self._listing.kinds.get(row.at) == "unread"

    def _titles(self, rows: Iterable[TextRow]) -> Iterator[_Titled]:
        for row in rows:
            kind = self._listing.kinds.get(row.at)
            if kind is None or kind == "cards" or len(row.plain) > _LONGEST_TITLE:
                continue
            if found := _NUMBERED.fullmatch(row.plain):
                shown = row.shown.strip(_AROUND)
                yield _Titled(f"{word(found[1])} 1", found[2].upper(), found[3].strip(_AROUND) or shown, row)
            elif (
                (found := _FACT.fullmatch(row.plain))
                and (key := word(found[1])) in _OF_DECKS | _OF_CARDS_TOO
                and not _is_section(found[2])
            ):
                yield _Titled(key, "", row.shown[found.start(2) :].strip(_AROUND), row)

    def _beginning(self, begin: int) -> int:
        """Return the first line after the last card, or possible card, above a line, but for totals below that card."""
        titles = {titled.row.at for titled in self._titles(self._rows)}
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
        return self._rows[-1].at + 1

    def _between(self, start: int, end: int) -> int:
        """Return the number of cards on the lines from `start` to before `end`."""
        return sum(copies for _, copies in self._sections(start, end))

    def _main_cards(self, start: int, end: int) -> int:
        return sum(copies for section, copies in self._sections(start, end) if section in ("main", None))

    def _sections(self, start: int, end: int) -> Iterator[tuple[str | None, int]]:
        for at in self._lines[bisect_left(self._lines, start) : bisect_left(self._lines, end)]:
            yield from self._cards[at]

    def _after(self, at: int, section: str) -> int:
        """Return the number of cards of a section between a heading and the next heading."""
        following = next((later for later in self._headings if later > at), self._end)
        return sum(copies for its, copies in self._sections(at, following) if its == section)


_AROUND = " -–—:=*_#/|\"'“”,;.[]"


def _is_section(value: str) -> bool:
    """Return True if a fact is a number of cards or names a section, not a deck: "Deck: Side Deck (15)"."""
    heading = headlines.heading(value)
    return value.isdigit() or (heading is not None and not headlines.is_sort(heading.kind))


def _is_order(orders: Sequence[str], is_behind_cards: bool) -> bool:
    """Return True if titles count up from 1 or A, or from the second one if cards stand above the first."""
    first = orders[0]
    wanted = ("2", "B") if is_behind_cards else ("1", "A")
    start = int(first) if first.isdecimal() else ord(first)
    numbers = [int(one) if one.isdecimal() else ord(one) for one in orders]
    is_counted = numbers == [*range(start, start + len(orders))]
    return first in wanted and is_counted and len(orders) + is_behind_cards > 1
