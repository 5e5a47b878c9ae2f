"""Proposed changes: the differences between an official page and a limits list, in the form of the list's file.

A person reviews the proposed changes, and imports them with `deckproof limits sync GAME --accept`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from carddb.errors import PlacedText
from carddb.sources.restrictions import OfficialPage, Restriction
from validator.findings import ListEntry
from validator.language import ENGLISH, Language, Phrase, phrase
from validator.limits import LimitsList
from validator.words import join_with_and

_UNDATED = phrase("to be checked: the page has no first day")


class _Dating(NamedTuple):
    """The first day of changes, and the TOML lines (`written`) with that day or, if it is not known, its bounds.

    `day` is the day of reading if the page has none. `stated` is the page's words for the day, "" for none. `comment`
    is what a person must check, written behind the first line, "" for nothing.
    """

    day: date
    written: str
    stated: str = ""
    comment: str = ""


class _ChangeLine(NamedTuple):
    """One entry of a change: its keyword in the file, and its cards, each as number and name.

    `word` is such as "ban", "restrict" or "lift_pairs". `limit` is the number of copies, 0 for bans and lifts.
    """

    word: str
    cards: tuple[tuple[str, str], ...]
    limit: int = 0


@dataclass(frozen=True, slots=True)
class ProposedChanges:
    """The changes that would make a list equal to a page, and remarks on other differences. False if there are neither.

    `source` is the address of the page. `on` is the day on which it was read. `known_to` is the last day whose
    announcements the list has, `updated` the publication day of the page, each None if unknown. `changes` has the
    entries by their dating, in no order of days. `remarks` are sentences for people.
    """

    game: str
    source: str
    region: str
    on: date
    known_to: date | None
    updated: date | None
    changes: dict[_Dating, list[_ChangeLine]] = field(default_factory=lambda: defaultdict(list))
    remarks: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Return True if there are changes or remarks."""
        return bool(self.changes or self.remarks)

    def toml(self, translate: Language = ENGLISH) -> str:
        """Return a list file that can be imported: the remarks as comments, then the changes, the oldest first.

        Its `known_to` is the day of the page's publication, else the day on which the page was read. `translate` is the
        language of the comments. Values are the same in every language.
        """
        title = translate(
            "The limits list and {source}, read on {day}, differ.", source=self.source, day=self.on.isoformat()
        )
        head = [f"# {title}", *(f"# {translate.text(remark)}" for remark in self.remarks)]
        head += [f"game = {_toml_string(self.game)}", f"known_to = {self.updated or self.on}"]
        blocks = ["\n".join(self._change_lines(dating, translate)) for dating in sorted(self.changes)]
        return "\n\n".join(["\n".join(head), *blocks]) + "\n"

    def _change_lines(self, dating: _Dating, translate: Language) -> Iterator[str]:
        """Yield the TOML lines of the change with this dating: its head, and then its entries."""
        yield "[[change]]"
        first, *others = dating.written.splitlines()
        yield f"{first}  # {translate.text(dating.comment)}" if dating.comment else first
        yield from others
        # What a page of this day has, and a list known to an earlier one has not, came with the page's update.
        if self.updated and self.known_to and self.known_to < self.updated <= dating.day:
            yield f"announced = {self.updated}"
        if dating.stated:
            yield f"stated = {_toml_string(dating.stated)}"
        yield f"region = {_toml_string(self.region)}"
        yield f"source = {_toml_string(self.source)}"
        yield from _entry_lines(sorted(self.changes[dating]))


def proposed_changes(official: OfficialPage, limits_list: LimitsList, day: date) -> ProposedChanges:
    """Return the changes that would make a list equal to the page `official`, which was read on `day`.

    The list is not changed. The list in force on that day is compared. Later entries of the page are compared on their
    own first day. Entries that only the list has are lifted. So are those whose end the page announces for a day after
    `day`. The notices of the page become remarks.
    """
    proposed = ProposedChanges(
        limits_list.game, official.source, official.region, day, limits_list.known_to, official.updated
    )
    proposed.remarks.extend(official.notices)
    for entry in official.entries:
        _compare_entry(entry, limits_list, proposed)
    listed = {entry.numbers for entry in official.entries}
    for numbers, current in limits_list.in_force_on(day, official.region).entries.items():
        end = official.ended.get(numbers)
        if numbers not in listed or (end and end > day):
            lift = _ChangeLine(_keyword("lift", numbers), _numbers_and_names(numbers, current.names))
            proposed.changes[_date_of_lift(end, proposed)].append(lift)
    return proposed


def _compare_entry(entry: Restriction, limits_list: LimitsList, proposed: ProposedChanges) -> None:
    """Add a change to `proposed` if the list lacks an entry of the page or has another limit.

    The list on the first day of the entry is compared, not before the day of reading. Add a remark if only that first
    day differs. `limits_list` is not changed.
    """
    day = max(proposed.on, entry.effective_from or proposed.on)
    current = limits_list.in_force_on(day, proposed.region).entries.get(entry.numbers)
    if current is None or current.limit != entry.limit:
        word = "restrict" if entry.limit else _keyword("ban", entry.numbers)
        # The file calls a card the same from change to change.
        cards = _numbers_and_names(entry.numbers, current.names if current else entry.names)
        proposed.changes[_date_of_entry(entry, proposed)].append(_ChangeLine(word, cards, entry.limit))
    elif entry.effective_from and current.entry.effective_from != entry.effective_from.isoformat():
        card, since = _card_names(entry.numbers), _first_day(current.entry)
        remark = phrase(
            "the list has it from {listed}, the page from {official}.", listed=since, official=entry.effective_from
        )
        proposed.remarks.append(PlacedText(card, remark))


def _first_day(entry: ListEntry) -> str:
    """Return the first day of an entry in ISO 8601, or a text with its earliest and latest possible day."""
    if entry.effective_from:
        return entry.effective_from
    return phrase("a day between {first} and {last}", first=entry.not_before, last=entry.no_later_than)


def _card_names(numbers: Sequence[str]) -> str:
    """Return the number of a card, or the numbers of a pair."""
    return Phrase(join_with_and, numbers)


def _date_of_entry(entry: Restriction, proposed: ProposedChanges) -> _Dating:
    """Return the dating of an entry that the list lacks, by the first day on the page.

    If the page has no day, the dating has the day of reading, and bounds in its line that a person must check.
    `proposed` has the days of the page and the list, and is not changed.
    """
    if entry.effective_from:
        return _Dating(entry.effective_from, f"effective_from = {entry.effective_from}", entry.stated)
    # A change that came with an update of the page is not in force before that day. The text of the page shows whether
    # the change is in force on the day of reading.
    first = min(proposed.updated or proposed.known_to or proposed.on, proposed.on)
    written = (
        f"not_before = {first}\n"
        f"no_later_than = {proposed.on}\n"
        f'bounds = "Not on the list known to {proposed.known_to}; on the page read on {proposed.on}."'
    )
    return _Dating(proposed.on, written, entry.stated, _UNDATED)


def _date_of_lift(end: date | None, proposed: ProposedChanges) -> _Dating:
    """Return the dating of a lift. `end` is the first day without the restriction, None if the page has no such day.

    For None the dating has the day of reading (`proposed.on`), with a comment in its line that a person must check it.
    """
    if end:
        return _Dating(end, f"effective_from = {end}")
    # The file has no lift without its first day; on this one the card is certainly free.
    return _Dating(proposed.on, f"effective_from = {proposed.on}", comment=_UNDATED)


def _keyword(word: str, numbers: Sequence[str]) -> str:
    """Return a keyword of the file: the word for one card number, and the word with "_pairs" for two."""
    return f"{word}_pairs" if len(numbers) == 2 else word


def _numbers_and_names(numbers: Iterable[str], names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return pairs of a card number and its name, in order. Raises ValueError if one of both has more entries."""
    return tuple(zip(numbers, names, strict=True))


def _entry_lines(steps: Iterable[_ChangeLine]) -> Iterator[str]:
    """Yield the TOML lines of the entries of a change. All pairs with the same keyword become one list, at the end."""
    pairs: dict[str, list[str]] = {}
    for step in steps:
        if len(step.cards) == 2:
            cards = ", ".join(f"{number} = {_toml_string(name)}" for number, name in step.cards)
            pairs.setdefault(step.word, []).append(f"{{{cards}}}")
            continue
        number, name = step.cards[0]
        value = f"{{limit = {step.limit}, name = {_toml_string(name)}}}" if step.limit else _toml_string(name)
        yield f"{step.word}.{number} = {value}"
    for word, written in pairs.items():
        yield f"{word} = [{', '.join(written)}]"


def _toml_string(text: str) -> str:
    """Return a text as a quoted TOML string. DEL characters are dropped."""
    return json.dumps(text.replace("\x7f", ""), ensure_ascii=False)
