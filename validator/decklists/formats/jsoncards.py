"""JSON cards: cards in JSON, under any keys for their number, their count and their section.

Called by the formats of `json`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import Any

from validator import sections
from validator.decklists import cardline, headlines
from validator.decklists.card_cells import parse_card_cells
from validator.decklists.draft import Draft
from validator.decklists.formats import jsondecks, jsonkeys
from validator.decklists.listing import Listing
from validator.decklists.placing import Misplaced, parse_section
from validator.decklists.source import Source, row, sound
from validator.language import phrase
from validator.numbers import NUMBER_SHAPE
from validator.tables.section_counts import (
    TWO_SECTIONS,
    choose_section,
    contradicts,
    counted_section,
    find_section_counts,
    read_copies,
    zero_copies,
)

# Keys that hold a whole deck, which may include the Leader.
_WHOLE_DECK_KEYS = ("deck", "decklist", "cards")
# Keys under which programs wrap their answers.
_WRAPPER_KEYS = ("data", "result", "response", "list")

_DEEPEST = 6
_MOST_COPIES = 96  # of a deck with its side deck and Z-Deck
_NO_CARD = phrase("no card found")
_UNCLEAR_COUNT = phrase("the count is not clear (write the count as {key!r})", key="count")
_FEW = 3  # least number of entries for finding counts under unknown keys
_UNREAD = phrase("the entry was already unreadable in an earlier step")


def read(source: Source, format: str) -> Draft:
    """Return the draft of the first deck in a source's JSON, of any shape.

    Its `others` are the drafts of further decks. `format` is the name of the drafts' format. A value without cards
    becomes an unread line.
    """
    value = source.json.value
    decks = jsondecks.find_decks(value)
    start, drafts = 0, []
    if not decks:
        start = max(0, source.text.rfind('"deck"')) if is_answer(value) else 0
        return _parse_deck_value(source, value, Draft(format), start)[0]
    for name, deck in decks:
        draft, start = _parse_deck_value(source, deck, Draft(format, name=name), start)
        drafts.append(draft)
    first, *first.others = drafts
    return first


def _parse_deck_value(source: Source, value: Any, draft: Draft, start: int) -> tuple[Draft, int]:
    """Add the cards of a JSON value to `draft`.

    Return the draft, and the position in the source at which the deck ends. `start` is the position from which its
    texts are searched, to find their line numbers. A value without cards becomes an unread line.
    """
    if is_answer(value):
        return _read_answer(source, value, draft, start)
    cards = _JsonCards(source, draft, start)
    cards.add(None, value, 0)
    cards.count_by_contents()
    if not cards.count:
        cards.skip(value, _NO_CARD)
    return draft, cards.end


def is_answer(value: Any) -> bool:
    """Return True if a value is an answer of this program about a deck.

    Such an answer is a mapping with a mapping under "deck" and a list under "findings".
    """
    return isinstance(value, dict) and isinstance(value.get("deck"), dict) and isinstance(value.get("findings"), list)


def _read_answer(source: Source, answer: Mapping[str, Any], draft: Draft, start: int) -> tuple[Draft, int]:
    """Add the cards of an answer's deck to `draft`.

    Return the draft, and the position in the source at which the deck ends. Lines that the answer's findings report as
    unread become unread lines of the draft, as of line 1. `start` is the position to search from.
    """
    cards = _JsonCards(source, draft, max(start, source.text.find('"deck"', start)))
    cards.add(None, answer["deck"], 0)
    for finding in answer["findings"]:
        if text := _unread_line(finding):
            draft.skip(1, text, _UNREAD)
    return draft, cards.end


def _unread_line(finding: Any) -> str:
    """Return at most 200 characters of the line that a finding "line.unread" quotes, if its severity is "error".

    "" for any other finding.
    """
    if not (isinstance(finding, dict) and (finding.get("code"), finding.get("severity")) == ("line.unread", "error")):
        return ""
    details = finding.get("details")
    return sound(str(details.get("text", "")))[: jsonkeys.LONGEST] if isinstance(details, dict) else ""


class _JsonCards:
    """Collects the cards of one JSON deck in a draft, and finds their line numbers in the source."""

    def __init__(self, source: Source, draft: Draft, start: int = 0) -> None:
        """Prepare to add cards to `draft`. `start` is the position in the source at which the JSON value begins."""
        self.draft = draft
        self._source = source
        self._line_number = 1 + source.text.count("\n", 0, start)
        self._position = start
        self._uncounted: dict[int, Mapping[str, Any]] = {}  # entries without a count, by their place in the draft
        self._keys_with_count: set[str] = set()  # keys of entries with a count
        self._has_counts = False
        self._counts: dict[str, str | None] = {}  # keys that count copies, with their section

    @property
    def end(self) -> int:
        """The position in the source behind the last text that was found.

        The length of the source if a text was not found.
        """
        return self._position

    @property
    def count(self) -> int:
        """The number of cards and unread entries in the draft."""
        return len(self.draft.cards) + len(self.draft.unread)

    def add(self, section: str | None, value: Any, depth: int) -> None:
        """Add the cards of a value to the draft: an entry, a list, a mapping or a text. None is ignored.

        `section` is the section of the cards, None if it is unknown. `depth` is the depth of nesting. A value that is
        too deep, a number or a boolean becomes unread.
        """
        if depth > _DEEPEST:
            self.skip(value, phrase("the JSON is nested too deeply"))
        elif isinstance(value, str):
            self._add_text(section, value, 1)
        elif isinstance(value, list):
            self._add_list(section, value, depth)
        elif isinstance(value, dict):
            self._add_mapping(section, value, depth)
        elif value is not None:
            self.skip(value, phrase("not a card"))

    def _add_list(self, section: str | None, values: Sequence[Any], depth: int) -> None:
        """Add the cards of a list. A list of one card number and one count is a single card: `["OP01-016", 4]`.

        Equal texts are copies of one card, because Tabletop Simulator has a text for each copy. Mappings may count
        their copies by section: `{"number": "OP01-016", "main": 4, "side": 1}`.
        """
        if pair := _find_pair(values):
            self._has_counts = True
            self._add_card(section, str(pair[1]), sound(pair[0]), None, {pair[0]: pair[1]})
            return
        values = [jsonkeys.spread_counts(value) if isinstance(value, dict) else value for value in values]
        # Tabletop Simulator has one text for each copy.
        counted = self._find_counts([value for value in values if isinstance(value, dict)])
        for value, copies in _count_runs(values):
            if isinstance(value, str):
                self._add_text(section, value, copies)
            elif isinstance(value, dict) and not counted.isdisjoint(value):
                self._add_entry(section, value)
            else:
                self.add(section, value, depth + 1)

    def _add_mapping(self, section: str | None, value: Mapping[str, Any], depth: int) -> None:
        """Add the cards of a mapping: a card, cards by number, a deck with sections as keys, or objects.

        The objects are those of Tabletop Simulator. A nested mapping without any card becomes unread, unless it has a
        section as a key.
        """
        if within := jsonkeys.find_objects(value):
            self.add(section, within, depth + 1)
            return
        if card := jsonkeys.card_of_object(value):
            self._add_entry(section, card)
            self._has_counts = True  # each object is one copy
            return
        is_deck = _has_section_key(value)
        if not is_deck and self._add_cards_of(section, value, depth):
            return
        before = self.count
        for key, cards in value.items():
            self._add_section(section, key, cards, depth)
        if depth and not is_deck and self.count == before:
            self.skip(value, _NO_CARD)

    def _add_cards_of(self, section: str | None, value: Mapping[str, Any], depth: int) -> bool:
        """Add a mapping that is a card, or that maps cards to counts or numbers to cards, and return True.

        Return False for any other mapping, of which nothing is added. `section` and `depth` are those of `add`.
        """
        if _is_entry(value, is_in_list=depth > 0):
            self._add_entry(section, value)
        elif _is_count_map(value, section):
            self._has_counts = True
            for key, count in value.items():
                number, name = parse_card_cells(sound(key), "", self._source)
                self._add_card(section, _count_digits(count), number, name, {key: count})
        elif _is_entry_map(value):
            entries = {number: {"number": number, **jsonkeys.spread_counts(entry)} for number, entry in value.items()}
            self._find_counts(list(entries.values()))
            for entry in entries.values():
                self._add_entry(section, entry)
        else:
            return False
        return True

    def _add_section(self, whole: str | None, key: str, cards: Any, depth: int) -> None:
        """Add the cards under a key of a deck, in the section that the key names.

        `whole` is the section of the deck itself. Keys such as "deck" and "data" keep that section. A value under
        another key becomes unread if it contains a card number, else it is ignored. So is a value without a card number
        under a key such as "maybeboard", which is a program's option.
        """
        section = sections.section(jsonkeys.split_key(key))
        if section == sections.ASIDE and not jsonkeys.has_number(cards):
            return  # the options of a program
        if section is None and jsonkeys.normalise_key(key) in _WRAPPER_KEYS and isinstance(cards, list | dict | str):
            self.add(whole, cards, depth + 1)
        elif section and isinstance(cards, list | dict | str):
            self.add(whole if jsonkeys.normalise_key(key) in _WHOLE_DECK_KEYS else section, cards, depth + 1)
        elif jsonkeys.has_number(cards):
            self.skip({key: cards}, phrase("{key!r} is not a section of a deck", key=key))

    def _find_counts(self, entries: Sequence[Mapping[str, Any]]) -> frozenset[str]:
        """Return the keys of entries that count the copies in one section, such as "main" and "side".

        Empty if there are none. They are kept in `_counts` for later entries. Empty also if an entry holds lists or
        mappings of cards.
        """
        titles = list(dict.fromkeys(chain.from_iterable(entries)))
        if any(map(jsonkeys.has_nested_values, entries)) or not any(
            map(counted_section, map(jsonkeys.split_key, titles))
        ):
            return frozenset()
        roles = list(map(jsonkeys.key_role, titles))
        found = find_section_counts(
            list(map(jsonkeys.split_key, titles)),
            [at for at, role in enumerate(roles) if role is None],
            [at for at, role in enumerate(roles) if role == "count"],
            lambda at: [jsonkeys.to_cell(entry[titles[at]]) for entry in entries if titles[at] in entry],
        )
        is_whole = set(found.values()) == {"main"}  # one key that counts, whatever the section of its list
        self._counts |= {jsonkeys.normalise_key(titles[at]): None if is_whole else named for at, named in found.items()}
        return frozenset(titles[at] for at in found)

    def _add_counted(self, section: str | None, keys: Mapping[str, Any], entry: Mapping[str, Any]) -> None:
        """Add the card of an entry that counts its copies by section, once for each section with copies.

        `keys` are the flattened `entry`. Unclear counts make the entry unread. So do copies of another section if
        `section` is "side". An entry with 0 copies becomes an unread line that is no part of the deck.
        """
        self._has_counts = True
        columns = dict(enumerate(self._counts))
        cells = [jsonkeys.to_cell(keys.get(key)) for key in columns.values()]
        total = jsonkeys.entry_counts(keys)
        copies = read_copies(
            {at: self._counts[key] for at, key in columns.items()},
            cells.__getitem__,
            jsonkeys.to_cell(total[0] if len(total) == 1 else list(total)) if total else None,
        )
        if isinstance(copies, str) or any(contradicts(counted, section) for counted, _ in copies):
            self.skip(entry, copies if isinstance(copies, str) else TWO_SECTIONS)
            return
        if not copies:
            self.draft.skip(self._line_number, _shorten(entry), zero_copies(1), is_aside=True)
        for counted, count in copies:
            place = choose_section(counted, section)
            self._add_card(
                place, str(count), jsonkeys.entry_number(keys) or None, jsonkeys.entry_name(keys) or None, entry
            )

    def _add_entry(self, section: str | None, entry: Mapping[str, Any]) -> None:
        """Add the card of an entry, in the entry's own section if it names one.

        Add an unclear entry to the unread lines. An entry is unclear if the value for its section or for its side deck
        is not understood, or if it has several counts. An entry without a count is one copy, and its count may be found
        later by `count_by_contents`.
        """
        keys = jsonkeys.flatten_entry(entry)
        if place := jsonkeys.section_value(keys):
            section = sections.section(str(place)[: jsonkeys.LONGEST])
            if section is None:
                self.skip(entry, phrase("{key!r} is not a section of a deck", key=place))
                return
        side = jsonkeys.side_answer({key: each for key, each in keys.items() if key not in self._counts})
        if side and not place:
            beside = parse_section("", side)
            if isinstance(beside, Misplaced):
                self.skip(entry, phrase("{cell!r} {wrong}", cell=side, wrong=beside.detail))
                return
            section = beside or section
        if not self._counts.keys().isdisjoint(keys):
            self._add_counted(section, keys, entry)
            return
        counts = jsonkeys.entry_counts(keys)
        if len(counts) > 1:
            self.skip(entry, _UNCLEAR_COUNT)
            return
        index = len(self.draft.cards)
        number, name = jsonkeys.entry_number(keys), jsonkeys.entry_name(keys)
        self._add_card(section, _count_digits(*(counts or (1,))), number or None, name or None, entry)
        if counts:
            self._keys_with_count |= keys.keys()
            self._has_counts = True
        elif len(self.draft.cards) > index:
            self._uncounted[index] = keys

    def _add_card(
        self, section: str | None, digits: str, number: str | None, name: str | None, entry: Mapping[str, Any]
    ) -> None:
        """Add a card, or its entry to the unread lines if it has neither a number nor a name.

        `digits` are the count. A card with an impossible count becomes unread, too.
        """
        if written := number or name:
            self.draft.add(section, digits, number, name, self._line_of(written), _shorten(entry))
        else:
            self.skip(entry, _NO_CARD)

    def _add_text(self, section: str | None, text: str, copies: int) -> None:
        """Add the cards of a text, each count multiplied by `copies`. A text without a card becomes unread.

        Facts about the list are ignored. In the section "leader", a count may be missing. A text of several lines is
        parsed as a list, whose own sections have priority over `section`, and `copies` is ignored.
        """
        if "\n" in text:
            inner = Listing(Source(sound(text), self._source.catalogue)).draft(self.draft.format)
            self.draft.cards += [(place or section, line) for place, line in inner.cards]
            self.draft.unread += inner.unread
            return
        line = row(self._line_of(text), sound(text))
        cards = cardline.parse_cards(line, self._source, is_count_optional=section == "leader")
        if not isinstance(cards, str):
            for digits, number, name, _ in cards:
                count = str(int(digits[:9]) * copies)
                self.draft.add(section, count, number, name, line.at, line.raw)
        elif not headlines.is_metadata(line.plain):
            self.draft.skip(line.at, line.raw, cards)

    def count_by_contents(self) -> None:
        """Find the counts of entries without a known key for the count, and change their copies in the draft.

        The count is the only key with a possible count in all of them, or in all but one. It is used only for three or
        more entries of different cards. Other entries with a possible count then become unread, except Leaders, if the
        cards are different or the deck has known counts. If two or more entries have no count at all, each is one copy,
        and a remark is added.
        """
        entries = self._uncounted
        possible = {at: self._possible_counts(keys) for at, keys in entries.items()}
        named = {jsonkeys.entry_number(keys) or jsonkeys.entry_name(keys) for keys in entries.values()}
        times_by_key = Counter(chain.from_iterable(possible.values()))
        counted = [key for key, times in times_by_key.items() if times >= len(possible) - 1]  # the Leader may have none
        is_each_once = len(named) == len(entries)
        if len(entries) >= _FEW and is_each_once and len(counted) == 1:
            for at, each in possible.items():
                section, line = self.draft.cards[at]
                self.draft.cards[at] = (section, line._replace(count=each.get(counted[0], line.count)))
            possible = {at: each for at, each in possible.items() if counted[0] not in each}
        elif len(entries) > 1 and not (self._has_counts or (is_each_once and times_by_key)):
            first = self.draft.cards[min(entries)][1]
            self.draft.note_no_counts(first.at or 1, first.raw or first.written)
        if is_each_once or self._has_counts:
            self._skip_unclear_counts(
                [at for at, each in possible.items() if each and self.draft.cards[at][0] != "leader"]
            )

    def _possible_counts(self, keys: Mapping[str, Any]) -> dict[str, int]:
        """Return the possible counts of a flattened entry by key, without keys that entries with a known count have."""
        return {key: each for key, each in jsonkeys.possible_counts(keys).items() if key not in self._keys_with_count}

    def _skip_unclear_counts(self, entries: Collection[int]) -> None:
        """Remove cards with unclear counts from the draft, and add them to its unread lines.

        `entries` are their indexes.
        """
        for at in entries:
            _, line = self.draft.cards[at]
            self.draft.skip(line.at or 1, line.raw or line.written, _UNCLEAR_COUNT)
        self.draft.cards = [card for at, card in enumerate(self.draft.cards) if at not in entries]

    def skip(self, value: Any, reason: str) -> None:
        """Add a value to the unread lines of the draft as short JSON, with the reason."""
        self.draft.skip(self._line_number, _shorten(value), reason)

    def _line_of(self, text: str) -> int:
        """Return the line number of the next occurrence of a text in the source, and move the position behind it.

        Cards come in the order of the source. A text with escapes in the JSON is not found. It, and all texts after it,
        get the line number of the last text that was found.
        """
        whole = self._source.text
        found = whole.find(text, self._position)
        self._line_number += whole.count("\n", self._position, max(found, self._position))
        # A text with escapes in the JSON is not found. Then the position of the next text is unknown.
        self._position = len(whole) if found < 0 else found + len(text)
        return self._line_number


def _count_runs(values: Sequence[Any]) -> Iterator[tuple[Any, int]]:
    """Yield `(value, copies)` in the order of first occurrence. Only equal texts are counted together.

    Any other value is yielded each time, with 1. In a list of over 96 values, only equal neighbours are counted
    together.
    """
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


def _find_pair(values: Sequence[Any]) -> tuple[str, int] | None:
    """Return `(number, count)` for a list of a text that begins like a card number and a whole number, in either order.

    None for any other list.
    """
    if len(values) == 2:
        for number, count in (values, reversed(values)):
            if isinstance(number, str) and type(count) is int and NUMBER_SHAPE.match(number):
                return number, count
    return None


def _has_section_key(value: Mapping[str, Any]) -> bool:
    """Return True if some key of a mapping names a section, and its value is a list or mapping.

    For a Leader, a text is enough. The keys "card" and "carddata" with a mapping are no sections.
    """
    for key, cards in value.items():
        if isinstance(cards, list | dict | str) and not (
            isinstance(cards, dict) and jsonkeys.normalise_key(key) in jsonkeys.NESTED
        ):
            section = sections.section(jsonkeys.split_key(key))
            if section == "leader" or (section and not isinstance(cards, str)):
                return True
    return False


def _is_entry(value: Mapping[str, Any], *, is_in_list: bool) -> bool:
    """Return True if a mapping is a card: it has a key for a count, or its number begins like a card number.

    If `is_in_list`, a name is enough, unless a text of several lines is under a key such as "deck": then the name is
    that of a deck. The keys of a mapping under "card" or "carddata" count as well.
    """
    keys = jsonkeys.flatten_entry(value)
    has_deck_text = any(
        isinstance(held, str) and "\n" in held and key in (*_WHOLE_DECK_KEYS, *_WRAPPER_KEYS)
        for key, held in keys.items()
    )
    return (
        bool(jsonkeys.entry_counts(keys))
        or bool(NUMBER_SHAPE.match(jsonkeys.entry_number(keys)))
        or (is_in_list and jsonkeys.has_name(keys) and not has_deck_text)
    )


def _is_entry_map(value: Mapping[str, Any]) -> bool:
    """Return True if all keys of a mapping begin like card numbers, and all values are mappings. False if empty."""
    return bool(value) and all(isinstance(entry, dict) and NUMBER_SHAPE.match(key) for key, entry in value.items())


def _is_count_map(value: Mapping[str, Any], section: str | None) -> bool:
    """Return True if all values of a mapping are ints. A bool, or a float such as 4.0, is none.

    If `section` is None, some key must also begin like a card number. With a section, True also for an empty mapping.
    """
    counted = all(type(count) is int for count in value.values())
    return counted and (section is not None or any(map(NUMBER_SHAPE.match, value)))


def _count_digits(count: Any) -> str:
    """Return the digits of a count. "0", which is never a valid count, for a value that is no whole number.

    A float such as 4.0, and a text of digits, are whole numbers. A negative number keeps its sign.
    """
    if isinstance(count, float) and count.is_integer():
        count = int(count)
    if isinstance(count, str):
        return count if count.isascii() and count.isdigit() else "0"
    return str(count) if type(count) is int else "0"


def _shorten(value: Any) -> str:
    """Return a value as JSON text, cut to 200 characters, to show it."""
    return sound(jsonkeys.dump(value)[: jsonkeys.LONGEST])
