"""Decklists as JSON: parsed decks, unread lines, formats. Also the lines of a list with their cards, for a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Annotated, NamedTuple, TypedDict

from api.service.bounds import MOST_SUGGESTED
from validator import names, unresolved
from validator.cards import Card, Catalogue
from validator.comparison import compare_decks
from validator.deck import SECTIONS, Deck, DeckFacts, DeckJSON, DeckLine, LineJSON, Unread, resolve
from validator.decklists.format import Format
from validator.field_docs import doc
from validator.findings import ERROR, Finding, FindingJSON, NamedCard, limit_findings
from validator.language import ENGLISH, Language

_LONGEST_SHOWN = 300  # characters of a line


class UnreadJSON(FindingJSON):
    """A finding about a line that could not be read, or that has the name of another card, as JSON.

    For the second kind, `text` is the card as written and `reason` is the message of the finding. `reason` is for
    people.
    """

    text: Annotated[str, doc("The line as it was written.")]
    reason: Annotated[str, doc("Why it could not be read.")]


class ParsedJSON(TypedDict):
    """A deck parsed from a text, as JSON. `game` is null if it is not known.

    `findings` has lines with the name of another card, too. After 60 unread lines, the further ones with errors share
    one.
    """

    format: Annotated[str, doc("The format that was recognised.")]
    game: str | None
    deck: DeckJSON
    findings: Annotated[list[UnreadJSON], doc("A finding per line not read.")]


class WrittenJSON(TypedDict):
    """A deck written as text in a format, as JSON. `format` is the name of that format.

    `game` is null if it is not known. The lines of `findings` are missing in `decklist` if they could not be read.
    """

    format: str
    game: str | None
    decklist: Annotated[str, doc("The deck as text.", example="1xST21-001\n4xOP01-016")]
    findings: Annotated[list[UnreadJSON], doc("A finding per line that was not read.")]


class FormatJSON(TypedDict):
    """A format of decklists as JSON. Each can be read, some (`written`) can be written too."""

    name: Annotated[str, doc(example="optcgsim")]
    title: Annotated[str, doc("A description of the format.")]
    sections: Annotated[Sequence[str], doc("The sections that it can carry.")]
    written: Annotated[bool, doc("True if decks can be written in the format, too.")]


class FormatsJSON(TypedDict):
    """The known formats of decklists as JSON."""

    formats: list[FormatJSON]


def deck_json(deck: Deck) -> DeckJSON:
    """Return a deck as JSON in the form of a request, with the numbers and names as the player wrote them.

    All sections are present, also empty ones. Lines that could not be read are left out.
    """
    return {
        "leader": _lines_json(deck.leader),
        "main": _lines_json(deck.main),
        "side": _lines_json(deck.side),
        "z": _lines_json(deck.z),
        "don": _lines_json(deck.don),
        "resource": _lines_json(deck.resource),
    }


def _lines_json(lines: Iterable[DeckLine]) -> list[LineJSON]:
    """Return the lines of a section as JSON: number, name (None if not written) and count, in the same order.

    No card is looked up.
    """
    return [{"number": line.number, "name": line.name, "count": line.count} for line in lines]


def format_json(format: Format) -> FormatJSON:
    """Return a format of decklists as JSON. `written` is True if decks can also be written in the format."""
    return {
        "name": format.name,
        "title": format.title,
        "sections": format.carries,
        "written": format.write is not None,
    }


def unread_lines_json(deck: Deck, catalogue: Catalogue | None, translate: Language = ENGLISH) -> list[UnreadJSON]:
    """Return findings for the lines of a deck that could not be read, then for those with the name of another card.

    Only the first 20 (MOST_SUGGESTED) unread lines have suggestions. After 60 unread lines, the further ones with
    errors share one finding. Without a catalogue (None) there are no suggestions and no findings on names.
    """
    shown: list[UnreadJSON] = []
    findings = [
        _unread_line(line, catalogue if index < MOST_SUGGESTED else None) for index, line in enumerate(deck.unread)
    ]
    lines = {id(finding): line for finding, line in zip(findings, deck.unread, strict=True)}
    for finding in limit_findings(findings):
        line = lines.get(id(finding))
        text, reason = (line.text, line.reason) if line else (finding.details["text"], finding.details["reason"])
        shown.append({**finding.as_dict(translate=translate), "text": text, "reason": translate.text(reason)})
    for finding in names.name_index(catalogue).mismatches(deck.used()) if catalogue is not None else ():
        mismatch = finding.as_dict(translate=translate)
        shown.append({**mismatch, "text": finding.details["written"], "reason": mismatch["message"]})
    return shown


def _unread_line(line: Unread, catalogue: Catalogue | None) -> Finding:
    """Return the finding of an unread line or a remark, with up to five similar cards as suggestions.

    It is an error if the line may be a card, else a warning. The suggestions are cards of the catalogue. Without one
    there are none.
    """
    near = catalogue.suggest(line.text) if catalogue is not None else ()
    return replace(unresolved.unread_finding(line), suggestions=tuple(map(NamedCard.from_card, near)))


class Mark(NamedTuple):
    """A reference from a card to a finding: the finding's place in the list of findings, from 1, and its severity.

    `severity` is a key, such as "error".
    """

    place: int
    severity: str


class HeldCard(NamedTuple):
    """A card that a part of a written line was read as, with its section. `line` has the count and the written card.

    `card` is None if the catalogue does not have it, or has several cards of its name (`is_ambiguous`). `marks` refer
    to the findings about the card, in their order. () if there are none, and without a card.
    """

    section: str
    line: DeckLine
    card: Card | None
    marks: tuple[Mark, ...]
    is_ambiguous: bool


class ListedLine(NamedTuple):
    """A line of a written list: its text (cut after 300 characters), its cards, and its parts that could not be read.

    Both may be empty, as for a heading. `at` is the number of the line, from 1. It is 0, and `text` is "", for cards
    and parts whose line is not known.
    """

    at: int
    text: str
    held: list[HeldCard]
    unread: list[Unread]


def side_by_side(text: str, facts: DeckFacts, findings: Sequence[Finding] = ()) -> list[ListedLine]:
    """Return the lines of a written list, each with the cards that it was read as and their findings, in order.

    `text` is the list, `facts` is its parsed deck. Marks refer to `findings` by place. Only cards that the catalogue
    has get marks. Lines of only blanks, commas and JSON brackets are left out. Cards and unread parts without a known
    line number are in one last ListedLine.
    """
    marks = _marks_by_card(findings)
    raw_lines = text.removeprefix("\ufeff").splitlines()
    held: dict[int, list[HeldCard]] = {}
    for section in facts.used:
        for line, card in facts.resolved_lines[section]:
            card_marks = marks.get((card.number, card.name), ()) if marks and card else ()
            is_ambiguous = card is None and bool(resolve(line, facts.catalogue))
            held_card = HeldCard(section, line, card, card_marks, is_ambiguous)
            held.setdefault(_line_number(line.at, len(raw_lines)), []).append(held_card)
    unread: dict[int, list[Unread]] = {}
    for lost in facts.deck.unread:
        unread.setdefault(_line_number(lost.at, len(raw_lines)), []).append(lost)
    listed = [
        ListedLine(line_number, raw[:_LONGEST_SHOWN], held.get(line_number, []), unread.get(line_number, []))
        for line_number, raw in enumerate(raw_lines, 1)
        if line_number in held or line_number in unread or _has_content(raw)
    ]
    if 0 in held or 0 in unread:
        listed.append(ListedLine(0, "", held.get(0, []), unread.get(0, [])))
    return listed


def _marks_by_card(findings: Sequence[Finding]) -> dict[tuple[str, str], tuple[Mark, ...]]:
    """Return the marks of findings by `(number, name)` of their cards. A mark has the place of its finding, from 1."""
    found: dict[tuple[str, str], tuple[Mark, ...]] = {}
    for place, finding in enumerate(findings, 1):
        for card in dict.fromkeys((named.number, named.name) for named in finding.cards):
            found[card] = (*found.get(card, ()), Mark(place, finding.severity))
    return found


def _line_number(number: int | None, line_count: int) -> int:
    """Return `number`, the number of a line from 1, or 0 if it is None or greater than `line_count`."""
    return number if number and number <= line_count else 0


def _has_content(raw: str) -> bool:
    """Return True if a line has more than spaces, tabs, carriage returns, commas, and the brackets []{} of JSON."""
    return bool(raw.strip(" \t\r[]{},"))


class CardChangeJSON(TypedDict):
    """A card with different numbers of copies in a section of two decks, as JSON. 0 copies: the card is not there.

    A card that moved between sections has one for each. `name` is empty for an unknown card that was written without
    it.
    """

    section: Annotated[str, doc(enum=SECTIONS)]
    number: Annotated[str, doc("The card number, empty if only the name is known.", example="OP01-016")]
    name: str
    before: Annotated[int, doc("The copies in the first deck.", example=4)]
    after: Annotated[int, doc("The copies in the second deck.", example=2)]


class DeckComparisonJSON(TypedDict):
    """The comparison of two decks of a game as JSON.

    Lines with the name of another card also have findings in `unread_before` and `unread_after`.
    """

    game: str
    same: Annotated[bool, doc("True if all lines were read and both decks have the same cards in the same sections.")]
    changes: Annotated[list[CardChangeJSON], doc("The cards whose copies differ, by section.")]
    unread_before: Annotated[list[UnreadJSON], doc("A finding for each line of the first deck that was not read.")]
    unread_after: Annotated[list[UnreadJSON], doc("A finding for each line of the second deck that was not read.")]


def comparison_json(
    before: Deck, after: Deck, catalogue: Catalogue, translate: Language = ENGLISH
) -> DeckComparisonJSON:
    """Return the comparison of two decks of the catalogue's game as JSON, with sentences in a language.

    `same` is True if no section differs, and if neither deck has an error (a warning is allowed) on a line that could
    not be read, or whose name is that of another card. The two lists of unread lines are as in `unread_lines_json`.
    """
    changes = compare_decks(before, after, catalogue)
    unread = [unread_lines_json(deck, catalogue, translate) for deck in (before, after)]
    has_unread_cards = any(finding["severity"] == ERROR for findings in unread for finding in findings)
    return {
        "game": catalogue.game,
        "same": not changes and not has_unread_cards,
        "changes": [
            {
                "section": change.section,
                "number": change.card.number,
                "name": change.card.name,
                "before": change.before,
                "after": change.after,
            }
            for change in changes
        ],
        "unread_before": unread[0],
        "unread_after": unread[1],
    }
