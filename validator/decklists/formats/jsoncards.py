"""JSON cards: cards in JSON, whatever a program calls their number, their count and their section."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import Any

from validator.decklists import cardline, headlines, sections
from validator.decklists.draft import Draft
from validator.decklists.formats import jsondecks, jsonkeys
from validator.decklists.listing import Listing
from validator.decklists.placing import Misplaced, placed
from validator.decklists.section_counts import (
    TWO_SECTIONS,
    choose_section,
    contradicts,
    counted_section,
    find_section_counts,
    read_copies,
    zero_copies,
)
from validator.decklists.source import Source, row, sound
from validator.language import phrase
from validator.numbers import NUMBER_SHAPE

# Keys that hold a whole deck, and so do not say that a card is no Leader.
_WHOLE = ("deck", "decklist", "cards")
# Keys under which answers of programs have all that they say.
_AROUND = ("data", "result", "response", "list")

_DEEPEST = 6
_MOST_COPIES = 96  # of a deck with its side deck and Z-Deck
_NOTHING = phrase("there is no card here")
_UNCLEAR = phrase("the count is not clear; write it as {key!r}", key="count")
_FEW = 3  # entries from which on a key without a known name tells what it holds
_UNREAD = phrase("it could not be read before, and what was made of the list lacks it")


def read(source: Source, format: str) -> Draft:
    """Read the JSON of a source, of whatever shape, as a draft in this format."""
    value = source.json.value
    decks = jsondecks.find_decks(value)
    start, drafts = 0, []
    if not decks:
        start = max(0, source.text.rfind('"deck"')) if is_answer(value) else 0
        return _read_deck(source, value, Draft(format), start)[0]
    for name, deck in decks:
        draft, start = _read_deck(source, deck, Draft(format, name=name), start)
        drafts.append(draft)
    first, *first.others = drafts
    return first


def _read_deck(source: Source, value: Any, draft: Draft, start: int) -> tuple[Draft, int]:
    """Read a JSON value into a draft, and return the draft and where in the source the deck ends."""
    if is_answer(value):
        return _answered(source, value, draft, start)
    cards = _JsonCards(source, draft, start)
    cards.add(None, value, 0)
    cards.count_by_contents()
    if not cards.count:
        cards.skip(value, _NOTHING)
    return draft, cards.end


def is_answer(value: Any) -> bool:
    """Tell whether this is what this house has said of a deck: a verdict, or how a text was read."""
    return isinstance(value, dict) and isinstance(value.get("deck"), dict) and isinstance(value.get("findings"), list)


def _answered(source: Source, answer: Mapping[str, Any], draft: Draft, start: int) -> tuple[Draft, int]:
    """Read the deck of an answer, and keep what could be a card of it and was not read then."""
    cards = _JsonCards(source, draft, max(start, source.text.find('"deck"', start)))
    cards.add(None, answer["deck"], 0)
    for finding in answer["findings"]:
        if text := _unread(finding):
            draft.skip(1, text, _UNREAD)
    return draft, cards.end


def _unread(finding: Any) -> str:
    """Return the line that a finding says could not be read and may be a card, "" for any other finding."""
    if not (isinstance(finding, dict) and (finding.get("code"), finding.get("severity")) == ("line.unread", "error")):
        return ""
    details = finding.get("details")
    return sound(str(details.get("text", "")))[: jsonkeys.LONGEST] if isinstance(details, dict) else ""


class _JsonCards:
    def __init__(self, source: Source, draft: Draft, start: int = 0) -> None:
        self.draft = draft
        self._source = source
        self._at = 1 + source.text.count("\n", 0, start)
        self._from = start
        self._uncounted: dict[int, Mapping[str, Any]] = {}  # entries without a count, by their place in the draft
        self._explained: set[str] = set()  # keys of entries with a count
        self._has_counts = False
        self._counts: dict[str, str | None] = {}  # keys that count copies, with their section

    @property
    def end(self) -> int:
        """The place in the source up to which it has been read."""
        return self._from

    @property
    def count(self) -> int:
        """How many things, cards or not, have been read."""
        return len(self.draft.cards) + len(self.draft.unread)

    def add(self, section: str | None, value: Any, depth: int) -> None:
        """Read a value that stands for cards of a section: an entry, a list, a mapping, a text."""
        if depth > _DEEPEST:
            self.skip(value, phrase("this is nested too deeply for a deck"))
        elif isinstance(value, str):
            self._add_text(section, value, 1)
        elif isinstance(value, list):
            self._add_list(section, value, depth)
        elif isinstance(value, dict):
            self._add_mapping(section, value, depth)
        elif value is not None:
            self.skip(value, phrase("this is no card"))

    def _add_list(self, section: str | None, values: Sequence[Any], depth: int) -> None:
        if pair := _pair(values):
            self._has_counts = True
            self._add_card(section, str(pair[1]), sound(pair[0]), None, {pair[0]: pair[1]})
            return
        values = [jsonkeys.spread(value) if isinstance(value, dict) else value for value in values]
        # Tabletop Simulator has one text for each copy.
        counted = self._find_counts([value for value in values if isinstance(value, dict)])
        for value, copies in _runs(values):
            if isinstance(value, str):
                self._add_text(section, value, copies)
            elif isinstance(value, dict) and not counted.isdisjoint(value):
                self._add_entry(section, value)
            else:
                self.add(section, value, depth + 1)

    def _add_mapping(self, section: str | None, value: Mapping[str, Any], depth: int) -> None:
        if within := jsonkeys.objects(value):
            self.add(section, within, depth + 1)
            return
        if card := jsonkeys.of_object(value):
            self._add_entry(section, card)
            self._has_counts = True  # each object is one copy
            return
        is_deck = _is_deck(value)
        if not is_deck and self._add_cards_of(section, value, depth):
            return
        before = self.count
        for key, cards in value.items():
            self._add_section(section, key, cards, depth)
        if depth and not is_deck and self.count == before:
            self.skip(value, _NOTHING)

    def _add_cards_of(self, section: str | None, value: Mapping[str, Any], depth: int) -> bool:
        """Read a mapping that is a card, or of cards by their numbers; tell whether it is."""
        if _is_entry(value, listed=depth > 0):
            self._add_entry(section, value)
        elif _is_map(value, section):
            self._has_counts = True
            for number, count in value.items():
                self._add_card(section, _digits(count), sound(number), None, {number: count})
        elif _is_map_of_entries(value):
            entries = {number: {"number": number, **jsonkeys.spread(entry)} for number, entry in value.items()}
            self._find_counts(list(entries.values()))
            for entry in entries.values():
                self._add_entry(section, entry)
        else:
            return False
        return True

    def _add_section(self, whole: str | None, key: str, cards: Any, depth: int) -> None:
        """Read what a deck has under a key; `whole` is the section that the deck itself is of."""
        section = sections.section(jsonkeys.words(key))
        if section == sections.ASIDE and not _has_number(cards):
            return  # the options of a program
        if section is None and jsonkeys.folded(key) in _AROUND and isinstance(cards, list | dict | str):
            self.add(whole, cards, depth + 1)
        elif section and isinstance(cards, list | dict | str):
            self.add(whole if jsonkeys.folded(key) in _WHOLE else section, cards, depth + 1)
        elif _has_number(cards):
            self.skip({key: cards}, phrase("{key!r} is no section of a deck", key=key))

    def _find_counts(self, entries: Sequence[Mapping[str, Any]]) -> frozenset[str]:
        """Find the keys of entries that count the copies in one section, and return them."""
        titles = list(dict.fromkeys(chain.from_iterable(entries)))
        if any(map(jsonkeys.has_cards, entries)) or not any(map(counted_section, map(jsonkeys.words, titles))):
            return frozenset()
        roles = list(map(jsonkeys.role, titles))
        found = find_section_counts(
            list(map(jsonkeys.words, titles)),
            [at for at, role in enumerate(roles) if role is None],
            [at for at, role in enumerate(roles) if role == "count"],
            lambda at: [jsonkeys.cell(entry[titles[at]]) for entry in entries if titles[at] in entry],
        )
        is_whole = set(found.values()) == {"main"}  # one key that counts, whatever the section of its list
        self._counts |= {jsonkeys.folded(titles[at]): None if is_whole else named for at, named in found.items()}
        return frozenset(titles[at] for at in found)

    def _add_counted(self, section: str | None, keys: Mapping[str, Any], entry: Mapping[str, Any]) -> None:
        """Add the card of an entry that counts its copies by section."""
        self._has_counts = True
        columns = dict(enumerate(self._counts))
        cells = [jsonkeys.cell(keys.get(key)) for key in columns.values()]
        total = jsonkeys.counts(keys)
        copies = read_copies(
            {at: self._counts[key] for at, key in columns.items()},
            cells.__getitem__,
            jsonkeys.cell(total[0] if len(total) == 1 else list(total)) if total else None,
        )
        if isinstance(copies, str) or any(contradicts(counted, section) for counted, _ in copies):
            self.skip(entry, copies if isinstance(copies, str) else TWO_SECTIONS)
            return
        if not copies:
            self.draft.skip(self._at, _shown(entry), zero_copies(1), aside=True)
        for counted, count in copies:
            place = choose_section(counted, section)
            self._add_card(place, str(count), jsonkeys.number(keys) or None, jsonkeys.name(keys) or None, entry)

    def _add_entry(self, section: str | None, entry: Mapping[str, Any]) -> None:
        keys = jsonkeys.flat(entry)
        if place := jsonkeys.place(keys):
            section = sections.section(str(place)[: jsonkeys.LONGEST])
            if section is None:
                self.skip(entry, phrase("{key!r} is no section of a deck", key=place))
                return
        side = jsonkeys.side({key: each for key, each in keys.items() if key not in self._counts})
        if side and not place:
            beside = placed("", side)
            if isinstance(beside, Misplaced):
                self.skip(entry, phrase("{cell!r} {wrong}", cell=side, wrong=beside.detail))
                return
            section = beside or section
        if not self._counts.keys().isdisjoint(keys):
            self._add_counted(section, keys, entry)
            return
        counts = jsonkeys.counts(keys)
        if len(counts) > 1:
            self.skip(entry, _UNCLEAR)
            return
        at = len(self.draft.cards)
        number, name = jsonkeys.number(keys), jsonkeys.name(keys)
        self._add_card(section, _digits(*(counts or (1,))), number or None, name or None, entry)
        if counts:
            self._explained |= keys.keys()
            self._has_counts = True
        elif len(self.draft.cards) > at:
            self._uncounted[at] = keys

    def _add_card(
        self, section: str | None, digits: str, number: str | None, name: str | None, entry: Mapping[str, Any]
    ) -> None:
        if written := number or name:
            self.draft.add(section, digits, number, name, self._line_of(written), _shown(entry))
        else:
            self.skip(entry, _NOTHING)

    def _add_text(self, section: str | None, text: str, copies: int) -> None:
        if "\n" in text:
            inner = Listing(Source(sound(text), self._source.catalogue)).draft(self.draft.format)
            self.draft.cards += [(place or section, line) for place, line in inner.cards]
            self.draft.unread += inner.unread
            return
        line = row(self._line_of(text), sound(text))
        cards = cardline.read(line, self._source, bare=section == "leader")
        if not isinstance(cards, str):
            for digits, number, name, _ in cards:
                count = str(int(digits[:9]) * copies)
                self.draft.add(section, count, number, name, line.at, line.raw)
        elif not headlines.is_metadata(line.plain):
            self.draft.skip(line.at, line.raw, cards)

    def count_by_contents(self) -> None:
        """Find the counts of entries that have none under a known key.

        They are the one whole number that all entries have, if no card is in two of them. Other entries with such a
        number are not clear. If there is no count at all, each entry is one copy, which is noted.
        """
        entries = self._uncounted
        held = {at: self._unexplained(keys) for at, keys in entries.items()}
        named = {jsonkeys.number(keys) or jsonkeys.name(keys) for keys in entries.values()}
        said = Counter(chain.from_iterable(held.values()))
        counted = [key for key, times in said.items() if times >= len(held) - 1]  # the Leader may have none
        is_each_once = len(named) == len(entries)
        if len(entries) >= _FEW and is_each_once and len(counted) == 1:
            for at, each in held.items():
                section, line = self.draft.cards[at]
                self.draft.cards[at] = (section, line._replace(count=each.get(counted[0], line.count)))
            held = {at: each for at, each in held.items() if counted[0] not in each}
        elif len(entries) > 1 and not (self._has_counts or (is_each_once and said)):
            first = self.draft.cards[min(entries)][1]
            self.draft.note_no_counts(first.at or 1, first.raw or first.written)
        if is_each_once or self._has_counts:
            self._ask_for_counts([at for at, each in held.items() if each and self.draft.cards[at][0] != "leader"])

    def _unexplained(self, keys: Mapping[str, Any]) -> dict[str, int]:
        """Return the whole numbers of an entry without a count that entries with one do not have, too."""
        return {key: each for key, each in jsonkeys.unexplained(keys).items() if key not in self._explained}

    def _ask_for_counts(self, entries: Collection[int]) -> None:
        """Take entries whose count is not clear out of the draft, and keep them as unread."""
        for at in entries:
            _, line = self.draft.cards[at]
            self.draft.skip(line.at or 1, line.raw or line.written, _UNCLEAR)
        self.draft.cards = [card for at, card in enumerate(self.draft.cards) if at not in entries]

    def skip(self, value: Any, reason: str) -> None:
        """Keep a value that is not understood, and why."""
        self.draft.skip(self._at, _shown(value), reason)

    def _line_of(self, text: str) -> int:
        """Return the line of the source in which this text stands next: cards come in their order."""
        whole = self._source.text
        found = whole.find(text, self._from)
        self._at += whole.count("\n", self._from, max(found, self._from))
        # A text that the JSON spells with escapes is not found, and there is no knowing where to go on.
        self._from = len(whole) if found < 0 else found + len(text)
        return self._at


def _runs(values: Sequence[Any]) -> Iterator[tuple[Any, int]]:
    """Yield each value with the number of its copies; a list too long for one deck keeps its order."""
    if len(values) > _MOST_COPIES:
        for value, same in groupby(values):
            many = len([*same])
            yield from [(value, many)] if isinstance(value, str) else [(value, 1)] * many
        return
    copies = Counter(value for value in values if isinstance(value, str))
    for value in values:
        if not isinstance(value, str):
            yield value, 1
        elif value in copies:
            yield value, copies.pop(value)


def _pair(values: Sequence[Any]) -> tuple[str, int] | None:
    """Return the number and the count that a list of two is, in either order."""
    if len(values) == 2:
        for number, count in (values, reversed(values)):
            if isinstance(number, str) and type(count) is int and NUMBER_SHAPE.match(number):
                return number, count
    return None


def _has_number(value: Any) -> bool:
    """Tell whether the number of a card stands anywhere in a value."""
    return NUMBER_SHAPE.search(_dumped(value)) is not None


def _is_deck(value: Mapping[str, Any]) -> bool:
    """Tell whether some key of a mapping is a section with cards in it."""
    for key, cards in value.items():
        if isinstance(cards, list | dict | str) and not (
            isinstance(cards, dict) and jsonkeys.folded(key) in jsonkeys.NESTED
        ):
            section = sections.section(jsonkeys.words(key))
            if section == "leader" or (section and not isinstance(cards, str)):
                return True
    return False


def _is_entry(value: Mapping[str, Any], *, listed: bool) -> bool:
    """Tell whether a mapping is a card: it has a count or a number; in a list, a name will do."""
    keys = jsonkeys.flat(value)
    return (
        bool(jsonkeys.counts(keys))
        or bool(NUMBER_SHAPE.match(jsonkeys.number(keys)))
        or (listed and jsonkeys.says_name(keys))
    )


def _is_map_of_entries(value: Mapping[str, Any]) -> bool:
    """Tell whether a mapping is one of numbers to what is said of each card."""
    return bool(value) and all(isinstance(entry, dict) and NUMBER_SHAPE.match(key) for key, entry in value.items())


def _is_map(value: Mapping[str, Any], section: str | None) -> bool:
    """Tell whether a mapping is one of numbers to counts: of a section it is, alone it must look like one."""
    counted = all(type(count) is int for count in value.values())
    return counted and (section is not None or any(map(NUMBER_SHAPE.match, value)))


def _digits(count: Any) -> str:
    """Return the digits of a count; "0", which no card line may have, for what is no whole number."""
    if isinstance(count, float) and count.is_integer():
        count = int(count)
    if isinstance(count, str):
        return count if count.isascii() and count.isdigit() else "0"
    return str(count) if type(count) is int else "0"


def _shown(value: Any) -> str:
    return sound(_dumped(value)[: jsonkeys.LONGEST])


def _dumped(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "…"
