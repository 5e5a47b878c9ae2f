"""Restrictions: parses the official pages of banned cards, restricted cards and banned pairs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from carddb.errors import PageError, PlacedText
from carddb.sources import days
from carddb.sources.pages import check_page_end, find_required, missing_element_error, parse_html, text_of
from validator.language import phrase
from validator.numbers import normal


@dataclass(frozen=True, slots=True)
class Restriction:
    """The restriction of one card, or of a pair: at most `limit` copies (0: banned).

    `numbers` and `names` have one card, or the two cards of a pair that may not be in one deck, by number. Its limit is
    0. `effective_from` is the first day, also a future one. None if the page gives no day. `stated` is the period in
    the page's words, "" if it has none, as every page of ONE PIECE.
    """

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    limit: int
    effective_from: date | None = None
    stated: str = ""


@dataclass(frozen=True, slots=True)
class OfficialPage:
    """An official page of restrictions, for the `region` of the limits list. `source` is its address.

    `entries` has banned cards, then restricted cards, then pairs, then those of ONE PIECE that are only announced for
    later days. `updated` is the publication date on the page, None if it has none. `ended` has the day, past or future,
    from which a card is unrestricted again, by a tuple of its one number. Cards of a pair are in it one by one. It is
    empty for Dragon Ball Super. `notices` are about the parts of the page that are in no entry.
    """

    game: str
    source: str
    entries: tuple[Restriction, ...]
    region: str = "en"
    updated: date | None = None
    ended: Mapping[tuple[str, ...], date] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


_NO_CARDS = re.compile(r"\bno cards\b", re.IGNORECASE)
_COPIES = re.compile(r"\b(?:total|only)(?: a total)? ([1-3]) cop(?:y|ies)\b", re.IGNORECASE)
_NUMBER = re.compile(r"[A-Z]{1,4}[0-9]{0,2}-[0-9]{2,3}")

_CARD = ".limitedCardList-inner"
_BANNED = "bannedCardList"
_BEST_OF_ONE = "bannedCardListBest-of-1Format"
_LIMITED = "limitedCardList"
_PERIOD = ".limitedCardCol dl.notesCol dd"
_REGION = "North America"


class _Section(NamedTuple):
    """A list of the Dragon Ball Super page: the texts of its paragraphs, and the elements of its cards."""

    sentences: list[str]
    cards: list[LexborNode]


def parse_dragonball_page(html: str, source: str) -> OfficialPage:
    """Return the banned and limited cards of a page of dbs-cardgame.com. `source` is its address.

    Their days are those for North America, and the day of the page is in its title. Cards of other lists, such as that
    of Best-of-1, become notices. Raises PageError if a list or a value is missing, or if a card is listed with two
    limits.
    """
    check_page_end(html, source)
    tree = parse_html(html)
    title = text_of(find_required(tree, "h4.subTitle", source))
    sections = _read_sections(tree)
    for name in (_BANNED, _LIMITED):
        _check_section(sections.get(name), name, source)
    entries = [*_read_entries(sections[_BANNED], 0, source)]
    if (limited := sections[_LIMITED]).cards:
        entries += _read_entries(limited, _parse_copies(limited.sentences, source), source)
    return OfficialPage(
        "dbs",
        source,
        tuple(_entries_by_numbers(entries, source).values()),
        updated=days.find_first_day(title),
        notices=(*_notices_of_best_of_one(sections, source), *_notices_of_unknown_sections(sections, source)),
    )


def _read_sections(tree: LexborHTMLParser) -> dict[str, _Section]:
    """Return the sections of the Dragon Ball Super page by the id of their element, in order.

    A card or paragraph belongs to the last section before it. Those before the first section are left out.
    """
    sections: dict[str, _Section] = {}
    last = _Section([], [])
    for node in tree.css(f"[id*=List], p, {_CARD}"):
        if name := node.attributes.get("id"):
            last = sections[name] = _Section([], [])
        elif node.tag == "p":
            last.sentences.append(text_of(node))
        else:
            last.cards.append(node)
    return sections


def _check_section(section: _Section | None, name: str, source: str) -> None:
    """Raise PageError if a section is missing (None), or if it has neither cards nor a sentence that there are none."""
    if section is None:
        raise missing_element_error(f"#{name}", source)
    if not section.cards and not any(map(_NO_CARDS.search, section.sentences)):
        raise missing_element_error(f"#{name} {_CARD}", source)


def _parse_copies(sentences: Iterable[str], source: str) -> int:
    """Return the number of copies (1 to 3) that the sentences of the section of limited cards allow of each card.

    Raises PageError if no sentence has the number.
    """
    copies = _COPIES.search(" ".join(sentences))
    if not copies:
        problem = phrase(
            "`{selector}` has no number of copies ({example}).",
            selector=f"#{_LIMITED}",
            example='"only … a total 1 copy"',
        )
        raise PageError(PlacedText(source, problem))
    return int(copies[1])


def _read_entries(section: _Section, limit: int, source: str) -> Iterator[Restriction]:
    """Yield a restriction of `limit` copies for each card of a section, with its period and the first day in it.

    Raises PageError if a card has no name or no card number.
    """
    for card in section.cards:
        contents = _card_texts(card)
        if len(contents) < 2:
            raise missing_element_error(f"{_CARD} dl.cardInfo dd.contents", source)
        period = _read_period(card)
        yield Restriction(
            (_parse_card_number(contents[0], "dbs", source),),
            (contents[1],),
            limit,
            days.find_first_day(period),
            period,
        )


def _card_texts(card: LexborNode) -> list[str]:
    """Return the texts beside a card: its number, its name, and any others."""
    return [text_of(part) for part in card.css("dl.cardInfo dd.contents")]


def _read_period(card: LexborNode) -> str:
    """Return the period of a card for North America in the page's words, "" if there is none."""
    for part in card.css(_PERIOD):
        place, _, period = part.text(separator="\n").strip().partition("\n")
        if _REGION in place:
            return " ".join(period.split())
    return ""


def _notices_of_best_of_one(sections: Mapping[str, _Section], source: str) -> Iterator[str]:
    """Yield a notice for each card that is banned only in the Best-of-1 format. The limits list has no such format."""
    section = sections.get(_BEST_OF_ONE)
    for card in section.cards if section else ():
        card_name = " ".join(_card_texts(card))
        yield PlacedText(
            source,
            phrase("{card} is banned in the Best-of-1 format, which the limits list does not know.", card=card_name),
        )


def _notices_of_unknown_sections(sections: Mapping[str, _Section], source: str) -> Iterator[str]:
    """Yield a notice with the number of cards for each section that has cards and a name not known to this module."""
    for name, section in sections.items():
        if section.cards and name not in (_BANNED, _BEST_OF_ONE, _LIMITED):
            problem = phrase(
                "the {count} cards of the section {section!r} are not compared.",
                count=len(section.cards),
                section=name[:60],
            )
            yield PlacedText(source, problem)


class _Item(NamedTuple):
    """A card in a list of the ONE PIECE page: its number and its name."""

    number: str
    name: str


class _Part(NamedTuple):
    """The content under one heading of the ONE PIECE page: its paragraphs (`sentences`) and its lists of cards.

    `chapter` is the `h3` above it, "" before the first. `heading` is its `h4`, "" for the content directly under an
    `h3`. A list may be empty. `others` are the texts of list lines without a card number.
    """

    chapter: str
    heading: str
    sentences: list[str]
    lists: list[list[_Item]]
    others: list[str]

    @property
    def cards(self) -> list[_Item]:
        """The cards of all lists of the part in one list, in order."""
        return [card for cards in self.lists for card in cards]


_ACTIVE = re.compile(r"\bactive restrictions\b", re.IGNORECASE)
_HEADINGS = {"Banned Cards": 0, "Restricted Cards": 1, "Banned Pair Cards": 0}
_PAIRS = "Banned Pair Cards"
_FREED = re.compile(r"remove|lift|unban|unrestrict|no longer", re.IGNORECASE)
_IN_LINK = re.compile(r"freewords=([A-Za-z0-9_-]{3,20})")
_IN_TEXT = re.compile(r"\b(?:[A-Z]{2,4}[0-9]{2}|P)-[0-9]{3}\b")
_LABEL = re.compile(r"\A[\s・·:：]*+(?:Card [A-Z]\s*[:：])?[\s・·:：]*")


def parse_onepiece_page(html: str, source: str, today: date) -> OfficialPage:
    """Return the banned and restricted cards and pairs of a page of onepiece-cardgame.com. `source` is its address.

    Entries that are announced for a day after `today` are included. Raises PageError with the heading that is missing,
    or that has neither cards nor a sentence that there are none. Raises PageError also for a line of two cards, a pair
    that is not two cards, and cards with two limits.
    """
    check_page_end(html, source)
    parts = list(_read_parts(parse_html(html), source))
    active = {part.heading: part for part in parts if _ACTIVE.search(part.chapter)}
    if not active:
        raise missing_element_error('h3 "Cards with Active Restrictions"', source)
    announcements = _Announcements(part for part in parts if not _ACTIVE.search(part.chapter))
    entries = [entry for heading in _HEADINGS for entry in _entries_under_heading(active.get(heading), heading, source)]
    known = _entries_by_numbers(entries, source)
    return OfficialPage(
        "optcg",
        source,
        (*map(announcements.with_day, known.values()), *announcements.upcoming_entries(today, known, source)),
        ended=announcements.ended,
        notices=tuple(
            PlacedText(source, notice)
            for notice in (*_notices_of_ignored_lines(active), *announcements.ignored_notices())
        ),
    )


def _read_parts(tree: LexborHTMLParser, source: str) -> Iterator[_Part]:
    """Yield the parts of the ONE PIECE page in order: the content before the first heading, then one per heading.

    A heading `h3` begins a chapter, and its part has the heading "". A heading `h4` begins a part of that chapter. A
    page without headings is one part. Raises PageError for a line with the numbers of several cards.
    """
    part = _Part("", "", [], [], [])
    for node in tree.css("h3, h4, h5, p, ul, li"):
        if node.tag in ("h3", "h4"):
            yield part
            chapter, heading = (text_of(node), "") if node.tag == "h3" else (part.chapter, text_of(node))
            part = _Part(chapter, heading, [], [], [])
        elif node.tag == "p":
            part.sentences.append(text_of(node))
        elif node.tag == "ul" or not part.lists:
            part.lists.append([])
        if node.tag in ("h5", "li"):
            _add_line(node, part, source)
    yield part


def _add_line(node: LexborNode, part: _Part, source: str) -> None:
    """Add a line to its part: to its last list of cards if its link or its text has a card number, else to `others`.

    Raises PageError if the line has numbers of several cards.
    """
    text = text_of(node)
    link = node.css_first("a[href]")
    linked = _IN_LINK.findall(link.attributes.get("href") or "") if link else []
    printed = _IN_TEXT.findall(text)
    numbers = {normal(number, "optcg")[0] for number in (*linked, *printed)}
    if len(numbers) > 1:
        problem = phrase(
            "{line!r} is not one card; it names {numbers}.", line=text[:100], numbers=", ".join(sorted(numbers))
        )
        raise PageError(PlacedText(source, problem))
    if not numbers:
        part.others.append(text)
        return
    name = text.replace(printed[0], "", 1) if printed else text
    part.lists[-1].append(_Item(numbers.pop(), _LABEL.sub("", _LABEL.sub("", name).strip()).strip()))


def _entries_by_numbers(entries: Iterable[Restriction], source: str) -> dict[tuple[str, ...], Restriction]:
    """Return the entries by the tuple of their card numbers (one, or two of a pair), in order, the first of equal ones.

    Raises PageError if equal cards have two limits. `source` is the page in the message.
    """
    known: dict[tuple[str, ...], Restriction] = {}
    for entry in entries:
        if known.setdefault(entry.numbers, entry).limit != entry.limit:
            raise PageError(PlacedText(source, _two_limits_problem(entry.numbers)))
    return known


def _two_limits_problem(numbers: tuple[str, ...]) -> str:
    """Return the sentence about a card or a pair that is listed with two limits."""
    if len(numbers) == 2:
        first, second = numbers
        return phrase("{first} and {second} is listed twice, with two limits.", first=first, second=second)
    return phrase("{card} is listed twice, with two limits.", card=numbers[0])


def _notices_of_ignored_lines(active: Mapping[str, _Part]) -> Iterator[str]:
    """Yield a notice for each unknown heading with cards, and for each line without a card number under a known one.

    `active` has the parts of the lists in force by heading.
    """
    for heading, part in active.items():
        if part.cards and heading not in _HEADINGS:
            yield phrase(
                "the {count} cards under {heading!r} are not compared.", count=len(part.cards), heading=heading[:60]
            )
        for line in part.others if heading in _HEADINGS else ():
            yield phrase(
                "under {heading!r}, {line!r} names no card number and is not compared.",
                heading=heading,
                line=line[:100],
            )


def _entries_under_heading(part: _Part | None, heading: str, source: str) -> list[Restriction]:
    """Return the entries of the part under a heading.

    Raises PageError if the part is None, has neither cards nor a sentence that there are none, or has a malformed pair.
    """
    if part is None:
        raise missing_element_error(f'h4 "{heading}"', source)
    if not part.cards and not any(map(_NO_CARDS.search, part.sentences)):
        raise missing_element_error(f'h4 "{heading}" ~ ul li a', source)
    return _make_entries(part, source)


def _make_entries(part: _Part, source: str) -> list[Restriction]:
    """Return the entries of a part with a known heading, without days: pairs, or single cards.

    The limit is that of the heading, or the number of copies in the sentences of a part of restricted cards. Raises
    PageError if a pair is not two different cards.
    """
    if part.heading == _PAIRS:
        return [_make_pair_entry(pair) for pair in _split_pairs(part, source)]
    limit = _HEADINGS[part.heading]
    if limit and (copies := _COPIES.search(" ".join(part.sentences))):
        limit = int(copies[1])
    return [Restriction((card.number,), (card.name,), limit) for card in part.cards]


def _split_pairs(part: _Part, source: str) -> Iterable[Sequence[_Item]]:
    """Return the pairs of a part of banned pairs. Raises PageError if a pair is not two different cards.

    The page has a list for each pair, or a list for each card, "Card A:" and "Card B:" in turns. Empty lists are
    ignored.
    """
    lists = [pair for pair in part.lists if pair]
    if all(len(pair) == 1 for pair in lists):
        cards = part.cards
        lists = [cards[position : position + 2] for position in range(0, len(cards), 2)]
    for pair in lists:
        if len(pair) != 2 or pair[0].number == pair[1].number:
            named = ", ".join(card.number for card in pair)
            problem = phrase(
                "under `{selector}` a pair is two cards, not {cards}.", selector=f'h4 "{_PAIRS}"', cards=named
            )
            raise PageError(PlacedText(source, problem))
    return lists


def _make_pair_entry(pair: Sequence[_Item]) -> Restriction:
    """Return the ban of a pair of cards, in the order of their card numbers."""
    first, second = sorted(pair)
    return Restriction((first.number, second.number), (first.name, second.name), 0)


class _Announcements:
    """The announcements on a page, outside of its lists in force. They date the listed entries, and have those to come.

    A listed card has the day of its newest announcement, as a single card or as one of a pair. `ended` has the first
    day without restriction of each card whose lift is announced, by `(number,)`.
    """

    def __init__(self, parts: Iterable[_Part]) -> None:
        """Sort the announcements by their days, and collect these days by heading and card.

        Parts without cards are ignored. `parts` are those outside of the lists in force. The first date in the chapter
        of a part is its day.
        """
        announced = [(days.find_first_day(part.chapter), part) for part in parts if part.cards]
        self._undated = [part for day, part in announced if not day]
        self._dated_parts = sorted(
            ((day, part) for day, part in announced if day), key=lambda day_and_part: day_and_part[0]
        )
        self._days: dict[tuple[str, str], date] = {}
        self.ended: dict[tuple[str, ...], date] = {}
        for day, part in self._dated_parts:
            for card in part.cards:
                self._days[part.heading, card.number] = day
                if _FREED.search(part.heading):
                    self.ended[card.number,] = day

    def ignored_notices(self) -> Iterator[str]:
        """Yield a notice for each announcement without a day, or with a heading that is neither a list nor a lift."""
        for part in self._undated:
            yield phrase(
                "{heading!r} names no day; its {count} cards are not compared.",
                heading=part.chapter[:100],
                count=len(part.cards),
            )
        for _, part in self._dated_parts:
            if part.heading not in _HEADINGS and not _FREED.search(part.heading):
                yield phrase(
                    "{chapter!r}: the cards under {heading!r} are not compared.",
                    chapter=part.chapter[:100],
                    heading=part.heading[:60],
                )

    def with_day(self, entry: Restriction) -> Restriction:
        """Return an entry with the day from which its announcement takes effect, the latest of those of its cards.

        The entry is returned unchanged if one of its cards is in no announcement with a day.
        """
        headings = [_PAIRS] if len(entry.numbers) == 2 else [heading for heading in _HEADINGS if heading != _PAIRS]
        announced = ((heading, number) for heading in headings for number in entry.numbers)
        found = [self._days[key] for key in announced if key in self._days]
        return entry if len(found) < len(entry.numbers) else replace(entry, effective_from=max(found))

    def upcoming_entries(self, today: date, entries: Collection[tuple[str, ...]], source: str) -> Iterator[Restriction]:
        """Yield the entries that are announced for a day after `today`, with that day, oldest first.

        Cards and pairs whose numbers are in `entries` are left out. Raises PageError if a pair is not two different
        cards.
        """
        for day, part in self._dated_parts:
            if day > today and part.heading in _HEADINGS:
                to_come = (entry for entry in _make_entries(part, source) if entry.numbers not in entries)
                yield from (replace(entry, effective_from=day) for entry in to_come)


def _parse_card_number(text: str, game: str, source: str) -> str:
    """Return a normalised card number without the suffix of a printing.

    Only the shape is checked. Raises PageError if the text does not have it.
    """
    number, _ = normal(text, game)
    if not _NUMBER.fullmatch(number):
        raise PageError(PlacedText(source, phrase("{number!r} is no card number.", number=text[:60])))
    return number
