"""Decklists: read lists as JSON, the lines that could not be read, the formats; and a list line by line, for a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Annotated, NamedTuple, TypedDict

from api.service.answers.json_schema import doc
from api.service.answers.verdict_answers import DeckJSON, FindingJSON, LineJSON, finding_json
from api.service.bounds import MOST_SUGGESTED
from validator import names, unresolved
from validator.cards import Card, Catalogue
from validator.deck import Deck, DeckFacts, DeckLine, Unread
from validator.decklists.format import Format
from validator.finding_lists import bounded
from validator.findings import Finding, NamedCard
from validator.language import ENGLISH, Language

_LONGEST_SHOWN = 300  # characters of a line


class UnreadJSON(FindingJSON):
    text: Annotated[str, doc("The line as it was written.")]
    reason: Annotated[str, doc("Why it could not be read.")]


class ParsedJSON(TypedDict):
    format: Annotated[str, doc("The format that was recognised.")]
    game: str | None
    deck: DeckJSON
    findings: Annotated[list[UnreadJSON], doc("A finding per line not read.")]


class WrittenJSON(TypedDict):
    format: str
    game: str | None
    decklist: Annotated[str, doc("The deck as text.", example="1xST21-001\n4xOP01-016")]
    findings: Annotated[list[UnreadJSON], doc("A finding per line that was not read.")]


class FormatJSON(TypedDict):
    name: Annotated[str, doc(example="optcgsim")]
    title: Annotated[str, doc("What it looks like.")]
    sections: Annotated[Sequence[str], doc("The sections that it can carry.")]
    written: Annotated[bool, doc("Whether decks are written in it, too.")]


class FormatsJSON(TypedDict):
    formats: list[FormatJSON]


def deck_json(deck: Deck) -> DeckJSON:
    """Return a deck as it was written, in the form in which requests carry it."""
    return {
        "leader": _lines_json(deck.leader),
        "main": _lines_json(deck.main),
        "side": _lines_json(deck.side),
        "z": _lines_json(deck.z),
        "don": _lines_json(deck.don),
        "resource": _lines_json(deck.resource),
    }


def _lines_json(lines: Iterable[DeckLine]) -> list[LineJSON]:
    return [{"number": line.number, "name": line.name, "count": line.count} for line in lines]


def format_json(format: Format) -> FormatJSON:
    """Return a format of decklists as JSON."""
    return {
        "name": format.name,
        "title": format.title,
        "sections": format.carries,
        "written": format.write is not None,
    }


def unread_lines_json(deck: Deck, catalogue: Catalogue | None, say: Language = ENGLISH) -> list[UnreadJSON]:
    """Return the findings of the lines that could not be read and of those that name another card.

    The first have suggestions. Very many lines that could not be read are merged into one finding at the end.
    """
    shown: list[UnreadJSON] = []
    findings = [_unread_line(line, catalogue if at < MOST_SUGGESTED else None) for at, line in enumerate(deck.unread)]
    lines = {id(finding): line for finding, line in zip(findings, deck.unread, strict=True)}
    for finding in bounded(findings):
        line = lines.get(id(finding))
        text, reason = (line.text, line.reason) if line else (finding.details["text"], finding.details["reason"])
        shown.append({**finding_json(finding, say), "text": text, "reason": say.of(reason)})
    for finding in names.of(catalogue).mismatches(deck.used()) if catalogue is not None else ():
        told = finding_json(finding, say)
        shown.append({**told, "text": finding.details["written"], "reason": told["message"]})
    return shown


def _unread_line(line: Unread, catalogue: Catalogue | None) -> Finding:
    near = catalogue.suggest(line.text) if catalogue is not None else ()
    return replace(unresolved.unread(line), suggestions=tuple(map(NamedCard.of, near)))


class Mark(NamedTuple):
    """A finding about a card: its number among the shown findings, from 1, and its severity."""

    place: int
    severity: str


class HeldCard(NamedTuple):
    """A card that a line was read as, with its count and section. `card` is None if the catalogue does not have it."""

    section: str
    line: DeckLine
    card: Card | None
    marks: tuple[Mark, ...]


class ListedLine(NamedTuple):
    """A line of a list: its number (0 if it is not known), its text, its cards, and its parts that were not read."""

    at: int
    text: str
    held: list[HeldCard]
    unread: list[Unread]


def side_by_side(text: str, facts: DeckFacts, findings: Sequence[Finding] = ()) -> list[ListedLine]:
    """Return the lines of a list that are not blank. Cards and texts without a known line are in one at the end."""
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
    """Return the marks of the findings about a card, by its number and name."""
    found: dict[tuple[str, str], tuple[Mark, ...]] = {}
    for place, finding in enumerate(findings, 1):
        for card in dict.fromkeys((named.number, named.name) for named in finding.cards):
            found[card] = (*found.get(card, ()), Mark(place, finding.severity))
    return found


def _place(at: int | None, lines: int) -> int:
    return at if at and at <= lines else 0


def _says_something(raw: str) -> bool:
    """Return True if a line has more than spaces and the brackets and commas of JSON."""
    return bool(raw.strip(" \t\r[]{},"))
