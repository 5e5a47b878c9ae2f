"""Restrictions: the official pages that say what is banned, restricted, or banned as a pair."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from carddb.errors import PageError
from carddb.sources import pages
from carddb.sources.pages import check_whole, missing, needed, parsed, words
from validator.numbers import normal


@dataclass(frozen=True, slots=True)
class Restriction:
    """What a page says of one card, or of a pair: at most `limit` copies (0: banned).

    `effective_from` is None where the page gives no day; `stated` is what it says instead, or as well.
    """

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    limit: int
    effective_from: date | None = None
    stated: str = ""


@dataclass(frozen=True, slots=True)
class OfficialPage:
    """An official page: its entries, in its order, for the region that the limits list calls `region`.

    `updated` is the day the page says it is of; `ended` has the first day of freedom of cards that the
    page says are free again; `notices` say what of the page is not in the entries.
    """

    game: str
    source: str
    entries: tuple[Restriction, ...]
    region: str = "en"
    updated: date | None = None
    ended: Mapping[tuple[str, ...], date] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


_NOBODY = re.compile(r"\bno cards\b", re.IGNORECASE)
_COPIES = re.compile(r"\b(?:total|only)(?: a total)? ([1-3]) cop(?:y|ies)\b", re.IGNORECASE)
_NUMBER = re.compile(r"[A-Z]{1,4}[0-9]{0,2}-[0-9]{2,3}")

_CARD = ".limitedCardList-inner"
_BANNED = "bannedCardList"
_BEST_OF_ONE = "bannedCardListBest-of-1Format"
_LIMITED = "limitedCardList"
_PERIOD = ".limitedCardCol dl.notesCol dd"
_OUR_PLACES = "North America"


class _Section(NamedTuple):
    """A list of the Dragon Ball Super page: its sentences and its cards."""

    sentences: list[str]
    cards: list[LexborNode]


def dragonball(html: str, source: str) -> OfficialPage:
    """Return the banned and limited cards of dbs-cardgame.com; a PageError names what is not found."""
    check_whole(html, source)
    tree = parsed(html)
    title = words(needed(tree, "h4.subTitle", source))
    sections = _sections(tree)
    for name in (_BANNED, _LIMITED):
        _check_section(sections.get(name), name, source)
    entries = [
        *_cards(sections[_BANNED], 0, source),
        *_cards(sections[_LIMITED], _copies(sections, source), source),
    ]
    return OfficialPage(
        "dbs",
        source,
        tuple(_each_once(entries, source).values()),
        updated=pages.first_date(title),
        notices=(*_best_of_one(sections, source), *_unheard_of(sections, source)),
    )


def _sections(tree: LexborHTMLParser) -> dict[str, _Section]:
    """Return the sections by their names; a card belongs to the last one named before it."""
    sections: dict[str, _Section] = {}
    last = _Section([], [])
    for node in tree.css(f"[id*=List], p, {_CARD}"):
        if name := node.attributes.get("id"):
            last = sections[name] = _Section([], [])
        elif node.tag == "p":
            last.sentences.append(words(node))
        else:
            last.cards.append(node)
    return sections


def _check_section(section: _Section | None, name: str, source: str) -> None:
    if section is None:
        raise missing(f"#{name}", source)
    if not section.cards and not any(map(_NOBODY.search, section.sentences)):
        raise missing(f"#{name} {_CARD}", source)


def _copies(sections: Mapping[str, _Section], source: str) -> int:
    limited = sections[_LIMITED]
    copies = _COPIES.search(" ".join(limited.sentences))
    if limited.cards and not copies:
        raise PageError(f'{source}: `#{_LIMITED}` does not say how many copies ("only … a total 1 copy").')
    return int(copies[1]) if copies else 1


def _cards(section: _Section, limit: int, source: str) -> Iterator[Restriction]:
    for card in section.cards:
        contents = _contents(card)
        if len(contents) < 2:
            raise missing(f"{_CARD} dl.cardInfo dd.contents", source)
        period = _period(card)
        yield Restriction(
            (_number(contents[0], "dbs", source),), (contents[1],), limit, pages.first_date(period), period
        )


def _contents(card: LexborNode) -> list[str]:
    """Return what stands beside a card: its number, its name, and perhaps more."""
    return [words(part) for part in card.css("dl.cardInfo dd.contents")]


def _period(card: LexborNode) -> str:
    """Return since when a card is listed, in the page's words, for the places of our region."""
    for part in card.css(_PERIOD):
        place, _, period = part.text(separator="\n").strip().partition("\n")
        if _OUR_PLACES in place:
            return " ".join(period.split())
    return ""


def _best_of_one(sections: Mapping[str, _Section], source: str) -> Iterator[str]:
    section = sections.get(_BEST_OF_ONE)
    for card in section.cards if section else ():
        what = " ".join(_contents(card))
        yield f"{source}: {what} is banned in the Best-of-1 format, which the limits list does not know."


def _unheard_of(sections: Mapping[str, _Section], source: str) -> Iterator[str]:
    for name, section in sections.items():
        if section.cards and name not in (_BANNED, _BEST_OF_ONE, _LIMITED):
            yield f"{source}: the {len(section.cards)} cards of the section {name[:60]!r} are not compared."


class _Item(NamedTuple):
    """A card in a list of a page."""

    number: str
    name: str


class _Part(NamedTuple):
    """What stands under a small heading: the heading above it, its own, its sentences, its lists of cards.

    `others` are the lines of its lists that name no card.
    """

    chapter: str
    heading: str
    sentences: list[str]
    lists: list[list[_Item]]
    others: list[str]

    @property
    def cards(self) -> list[_Item]:
        return [card for one in self.lists for card in one]


_ACTIVE = re.compile(r"\bactive restrictions\b", re.IGNORECASE)
_HEADINGS = {"Banned Cards": 0, "Restricted Cards": 1, "Banned Pair Cards": 0}
_PAIRS = "Banned Pair Cards"
_FREED = re.compile(r"remove|lift|unban|unrestrict|no longer", re.IGNORECASE)
_IN_LINK = re.compile(r"freewords=([A-Za-z0-9_-]{3,20})")
_IN_TEXT = re.compile(r"\b(?:[A-Z]{2,4}[0-9]{2}|P)-[0-9]{3}\b")
_LABEL = re.compile(r"\A[\s・·:：]*+(?:Card [A-Z]\s*[:：])?[\s・·:：]*")


def onepiece(html: str, source: str, on: date) -> OfficialPage:
    """Return the banned and restricted cards and pairs of onepiece-cardgame.com.

    What is announced for a day after `on` is an entry too. A PageError names the heading that is not
    found, or under which there are neither cards nor the words that there are none.
    """
    check_whole(html, source)
    parts = list(_parts(parsed(html), source))
    active = {part.heading: part for part in parts if _ACTIVE.search(part.chapter)}
    if not active:
        raise missing('h3 "Cards with Active Restrictions"', source)
    notices = _Notices(part for part in parts if not _ACTIVE.search(part.chapter))
    entries = [entry for heading in _HEADINGS for entry in _listed(active.get(heading), heading, source)]
    known = _each_once(entries, source)
    return OfficialPage(
        "optcg",
        source,
        (*map(notices.dated, known.values()), *notices.after(on, known, source)),
        ended=notices.ended,
        notices=tuple(f"{source}: {what}" for what in (*_passed_over(active), *notices.passed_over())),
    )


def _parts(tree: LexborHTMLParser, source: str) -> Iterator[_Part]:
    part = _Part("", "", [], [], [])
    for node in tree.css("h3, h4, h5, p, ul, li"):
        if node.tag in ("h3", "h4"):
            yield part
            chapter, heading = (words(node), "") if node.tag == "h3" else (part.chapter, words(node))
            part = _Part(chapter, heading, [], [], [])
        elif node.tag == "p":
            part.sentences.append(words(node))
        elif node.tag == "ul" or not part.lists:
            part.lists.append([])
        if node.tag in ("h5", "li"):
            _put(node, part, source)
    yield part


def _put(node: LexborNode, part: _Part, source: str) -> None:
    """Put a line into its part: as a card, by the number in its link and in its text, or as another line."""
    text = words(node)
    link = node.css_first("a[href]")
    linked = _IN_LINK.findall(link.attributes.get("href") or "") if link else []
    printed = _IN_TEXT.findall(text)
    numbers = {normal(number, "optcg")[0] for number in (*linked, *printed)}
    if len(numbers) > 1:
        raise PageError(f"{source}: {text[:100]!r} is not one card; it names {', '.join(sorted(numbers))}.")
    if not numbers:
        part.others.append(text)
        return
    name = text.replace(printed[0], "", 1) if printed else text
    part.lists[-1].append(_Item(numbers.pop(), _LABEL.sub("", _LABEL.sub("", name).strip()).strip()))


def _each_once(entries: Iterable[Restriction], source: str) -> dict[tuple[str, ...], Restriction]:
    known: dict[tuple[str, ...], Restriction] = {}
    for entry in entries:
        if known.setdefault(entry.numbers, entry).limit != entry.limit:
            raise PageError(f"{source}: {' and '.join(entry.numbers)} is listed twice, with two limits.")
    return known


def _passed_over(active: Mapping[str, _Part]) -> Iterator[str]:
    """Yield what of the lists in force is in no entry."""
    for heading, part in active.items():
        if part.cards and heading not in _HEADINGS:
            yield f"the {len(part.cards)} cards under {heading[:60]!r} are not compared."
        for line in part.others if heading in _HEADINGS else ():
            yield f"under {heading!r}, {line[:100]!r} names no card number and is not compared."


def _listed(part: _Part | None, heading: str, source: str) -> list[Restriction]:
    if part is None:
        raise missing(f'h4 "{heading}"', source)
    if not part.cards and not any(map(_NOBODY.search, part.sentences)):
        raise missing(f'h4 "{heading}" ~ ul li a', source)
    return _entries(part, source)


def _entries(part: _Part, source: str) -> list[Restriction]:
    if part.heading == _PAIRS:
        return [_pair(pair) for pair in _in_pairs(part, source)]
    limit = _HEADINGS[part.heading]
    if limit and (copies := _COPIES.search(" ".join(part.sentences))):
        limit = int(copies[1])
    return [Restriction((card.number,), (card.name,), limit) for card in part.cards]


def _in_pairs(part: _Part, source: str) -> Iterable[Sequence[_Item]]:
    """Return the pairs of a part: a list of two each, or lists of one, "Card A:" and "Card B:" by turns."""
    lists = [one for one in part.lists if one]
    if all(len(one) == 1 for one in lists):
        cards = part.cards
        lists = [cards[at : at + 2] for at in range(0, len(cards), 2)]
    for one in lists:
        if len(one) != 2 or one[0].number == one[1].number:
            named = ", ".join(card.number for card in one)
            raise PageError(f'{source}: under `h4 "{_PAIRS}"` a pair is two cards, not {named}.')
    return lists


def _pair(pair: Sequence[_Item]) -> Restriction:
    first, second = sorted(pair)
    return Restriction((first.number, second.number), (first.name, second.name), 0)


class _Notices:
    """The announcements on a page: what took effect when, the newest word on each card."""

    def __init__(self, parts: Iterable[_Part]) -> None:
        announced = [(pages.first_date(part.chapter), part) for part in parts if part.cards]
        self._undated = [part for day, part in announced if not day]
        self._parts = sorted(((day, part) for day, part in announced if day), key=lambda one: one[0])
        self._days: dict[tuple[str, str], date] = {}
        self.ended: dict[tuple[str, ...], date] = {}
        for day, part in self._parts:
            for card in part.cards:
                self._days[part.heading, card.number] = day
                if _FREED.search(part.heading):
                    self.ended[card.number,] = day

    def passed_over(self) -> Iterator[str]:
        """Yield what is announced without a day, or under a heading that is no ban, no restriction, no end of one."""
        for part in self._undated:
            yield f"{part.chapter[:100]!r} names no day; its {len(part.cards)} cards are not compared."
        for _, part in self._parts:
            if part.heading not in _HEADINGS and not _FREED.search(part.heading):
                yield f"{part.chapter[:100]!r}: the cards under {part.heading[:60]!r} are not compared."

    def dated(self, entry: Restriction) -> Restriction:
        """Return an entry with the day of its announcement, if there is one on the page."""
        headings = [_PAIRS] if len(entry.numbers) == 2 else [one for one in _HEADINGS if one != _PAIRS]
        announced = ((heading, number) for heading in headings for number in entry.numbers)
        known = [self._days[one] for one in announced if one in self._days]
        return entry if len(known) < len(entry.numbers) else replace(entry, effective_from=max(known))

    def after(self, on: date, known: Collection[tuple[str, ...]], source: str) -> Iterator[Restriction]:
        """Yield what is announced for days to come, but for the cards and pairs that are known."""
        for day, part in self._parts:
            if day > on and part.heading in _HEADINGS:
                to_come = (entry for entry in _entries(part, source) if entry.numbers not in known)
                yield from (replace(entry, effective_from=day) for entry in to_come)


def _number(text: str, game: str, source: str) -> str:
    number, _ = normal(text, game)
    if not _NUMBER.fullmatch(number):
        raise PageError(f"{source}: {text[:60]!r} is no card number.")
    return number
