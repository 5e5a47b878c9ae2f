"""Proposed changes: what an official page says that a limits list does not, written as changes for the list's file.

Nothing here edits the file: somebody reviews the changes and puts them in.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from carddb.sources.restrictions import OfficialPage, Restriction
from validator.findings import ListEntry
from validator.limits import LimitsList


class _Dating(NamedTuple):
    """Since when a change holds: the day, how the file writes it, and the page's words for it."""

    day: date
    written: str
    stated: str = ""


class _ChangeLine(NamedTuple):
    """One entry of a change: the file's word for it, and its cards by number."""

    word: str
    cards: tuple[tuple[str, str], ...]
    limit: int = 0


@dataclass(frozen=True, slots=True)
class ProposedChanges:
    """The changes by which a list would say what a page says, and remarks on what no change can say.

    False when page and list agree.
    """

    source: str
    region: str
    on: date
    known_to: date | None
    updated: date | None
    changes: dict[_Dating, list[_ChangeLine]] = field(default_factory=lambda: defaultdict(list))
    remarks: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.changes or self.remarks)

    def toml(self) -> str:
        """Return the changes as the list's file takes them, the oldest first, under the remarks as comments."""
        head = [f"# The limits list and {self.source}, read on {self.on}, differ."]
        head += [f"# {remark}" for remark in self.remarks]
        if self.changes:
            head.append(f"# Sort these changes into the file by day, and write known_to = {self.updated or self.on}")
        blocks = ["\n".join(self._block(dating)) for dating in sorted(self.changes)]
        return "\n\n".join(["\n".join(head), *blocks]) + "\n"

    def _block(self, dating: _Dating) -> Iterator[str]:
        yield "[[change]]"
        yield dating.written
        # What a page of this day has, and a list known to an earlier one has not, came with the page's update.
        if self.updated and self.known_to and self.known_to < self.updated <= dating.day:
            yield f"announced = {self.updated}"
        if dating.stated:
            yield f"stated = {_text(dating.stated)}"
        yield f"region = {_text(self.region)}"
        yield f"source = {_text(self.source)}"
        yield from _written(sorted(self.changes[dating]))


def proposed_changes(official: OfficialPage, ours: LimitsList, on: date) -> ProposedChanges:
    """Compare a page with the list as it is in force on a day; what the page has for later, on that later day."""
    proposed = ProposedChanges(official.source, official.region, on, ours.known_to, official.updated)
    proposed.remarks.extend(official.notices)
    for entry in official.entries:
        _compare(entry, ours, proposed)
    listed = {entry.numbers for entry in official.entries}
    for numbers, standing in ours.on(on, official.region).entries.items():
        end = official.ended.get(numbers)
        if numbers not in listed or (end and end > on):
            lift = _ChangeLine(_word("lift", numbers), _cards(numbers, standing.names))
            proposed.changes[_ended(end, proposed)].append(lift)
    return proposed


def _compare(entry: Restriction, ours: LimitsList, proposed: ProposedChanges) -> None:
    day = max(proposed.on, entry.effective_from or proposed.on)
    standing = ours.on(day, proposed.region).entries.get(entry.numbers)
    if standing is None or standing.limit != entry.limit:
        word = "restrict" if entry.limit else _word("ban", entry.numbers)
        # The file calls a card the same from change to change.
        cards = _cards(entry.numbers, standing.names if standing else entry.names)
        proposed.changes[_begun(entry, proposed)].append(_ChangeLine(word, cards, entry.limit))
    elif entry.effective_from and standing.entry.effective_from != entry.effective_from.isoformat():
        card, since = " and ".join(entry.numbers), _since(standing.entry)
        proposed.remarks.append(f"{card}: the list has it from {since}, the page from {entry.effective_from}.")


def _since(entry: ListEntry) -> str:
    return entry.effective_from or f"a day between {entry.not_before} and {entry.no_later_than}"


def _begun(entry: Restriction, proposed: ProposedChanges) -> _Dating:
    if entry.effective_from:
        return _Dating(entry.effective_from, f"effective_from = {entry.effective_from}", entry.stated)
    # What came with the page's update cannot hold before it; whether it holds when the page is read, its words tell.
    first = min(proposed.updated or proposed.known_to or proposed.on, proposed.on)
    written = (
        f"not_before = {first}  # to be checked: the page does not say since when\n"
        f"no_later_than = {proposed.on}\n"
        f'bounds = "Not on the list known to {proposed.known_to}; on the page read on {proposed.on}."'
    )
    return _Dating(proposed.on, written, entry.stated)


def _ended(end: date | None, proposed: ProposedChanges) -> _Dating:
    if end:
        return _Dating(end, f"effective_from = {end}")
    # The file has no lift without its first day; on this one the card is certainly free.
    return _Dating(proposed.on, f"effective_from = {proposed.on}  # to be checked: the page does not say since when")


def _word(word: str, numbers: Sequence[str]) -> str:
    return f"{word}_pairs" if len(numbers) == 2 else word


def _cards(numbers: Iterable[str], names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    return tuple(zip(numbers, names, strict=True))


def _written(steps: Iterable[_ChangeLine]) -> Iterator[str]:
    """Yield the entries of a change as its lines; pairs of a kind are one list."""
    pairs: dict[str, list[str]] = {}
    for step in steps:
        if len(step.cards) == 2:
            cards = ", ".join(f"{number} = {_text(name)}" for number, name in step.cards)
            pairs.setdefault(step.word, []).append(f"{{{cards}}}")
            continue
        number, name = step.cards[0]
        value = f"{{limit = {step.limit}, name = {_text(name)}}}" if step.limit else _text(name)
        yield f"{step.word}.{number} = {value}"
    for word, written in pairs.items():
        yield f"{word} = [{', '.join(written)}]"


def _text(text: str) -> str:
    return json.dumps(text.replace("\x7f", ""), ensure_ascii=False)
