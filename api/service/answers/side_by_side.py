"""Side by side: each line of a list as it was pasted, with the cards that it was taken for or why it was not read.

What is wrong with a card is marked there, by the place of its finding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from validator.cards import Card
from validator.deck import DeckFacts, DeckLine, Unread
from validator.findings import Finding

MOST_SHOWN = 400  # lines; the longest honest list seen has under 100
_LONGEST_SHOWN = 300  # characters of a line


class Mark(NamedTuple):
    """A finding about a card: its place among the findings as they are shown, from 1, and how grave it is."""

    place: int
    severity: str


class HeldCard(NamedTuple):
    """Cards that a line was taken for: so many of one, in a section; `card` is None where the catalogue tells none."""

    section: str
    line: DeckLine
    card: Card | None
    marks: tuple[Mark, ...]


class ListedLine(NamedTuple):
    """A line of a list: its place (0 where no line of the text is told), its text, and what became of it."""

    at: int
    text: str
    held: list[HeldCard]
    unread: list[Unread]


def side_by_side(text: str, facts: DeckFacts, findings: Sequence[Finding] = ()) -> list[ListedLine]:
    """Return the lines of a list that are not blank, with those at the end whose place in it nobody knows."""
    marks = _marks(findings)
    every = text.removeprefix("\ufeff").splitlines()
    held: dict[int, list[HeldCard]] = {}
    for section in facts.used:
        for line, card in facts.understood[section]:
            said = marks.get((card.number, card.name), ()) if marks and card else ()
            held.setdefault(_place(line.at, len(every)), []).append(HeldCard(section, line, card, said))
    unread: dict[int, list[Unread]] = {}
    for lost in facts.deck.unread:
        unread.setdefault(_place(lost.at, len(every)), []).append(lost)
    listed = [
        ListedLine(at, raw[:_LONGEST_SHOWN], held.get(at, []), unread.get(at, []))
        for at, raw in enumerate(every, 1)
        if at in held or at in unread or _says_something(raw)
    ]
    if 0 in held or 0 in unread:
        listed.append(ListedLine(0, "", held.get(0, []), unread.get(0, [])))
    return listed


def _marks(findings: Sequence[Finding]) -> dict[tuple[str, str], tuple[Mark, ...]]:
    """Return by number and name of a card which findings are about it."""
    found: dict[tuple[str, str], tuple[Mark, ...]] = {}
    for place, finding in enumerate(findings, 1):
        for card in dict.fromkeys((named.number, named.name) for named in finding.cards):
            found[card] = (*found.get(card, ()), Mark(place, finding.severity))
    return found


def _place(at: int | None, lines: int) -> int:
    return at if at and at <= lines else 0


def _says_something(raw: str) -> bool:
    """Tell whether a line is more than the signs that JSON is laid out with."""
    return bool(raw.strip(" \t\r[]{},"))
