"""What no rule can be asked of: cards that the catalogue does not tell, and lines that nobody could read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from validator import candidates, words
from validator.candidates import Candidate, Objections
from validator.cards import Catalogue
from validator.deck import DeckFacts, DeckLine, Lost, Unread, meant
from validator.findings import AT_MOST, ERROR, WARNING, Citation, Code, Finding, NamedCard

_SUGGESTIONS = 5  # for one card
_LONGEST_SHOWN = 200  # characters of a line


def _line(finding: Finding) -> str:
    return f"Line {finding.line}: " if finding.line else ""


def _suggested(finding: Finding) -> str:
    if not finding.suggestions:
        return ""
    return " Did you mean " + ", ".join(card.label for card in finding.suggestions[:_SUGGESTIONS]) + "?"


def _called(finding: Finding) -> str:
    day = finding.details["catalogue_as_of"]
    return f"of {day}" if day else str(finding.details["catalogue"])


def _unknown(finding: Finding) -> str:
    if owners := words.joined(finding.details["games"], "or"):
        return f"{_line(finding)}{words.being(finding, f'numbered as cards of {owners} are')}."
    catalogue = f"the catalogue {_called(finding)} ({finding.details['catalogue_cards']:,} cards)"
    return f"{_line(finding)}{words.being(finding, f'not in {catalogue}')}.{_suggested(finding)}"


def _unknown_fix(finding: Finding) -> str:
    if finding.details["games"]:
        return "Judge the deck as one of that game, or write the number of the card that is meant."
    day = finding.details["catalogue_as_of"]
    lacking = f"a right one may be newer than the catalogue of {day}" if day else "this catalogue lacks a right one"
    return f"Check the number or name against the card; {lacking}."


_CATALOGUE: dict[str, tuple[type, str]] = {
    "catalogue": (str, "The snapshot of cards that was asked."),
    "catalogue_cards": (int, "How many cards it has."),
    "catalogue_as_of": (str, "The day that its cards are known of, as 2026-01-15; null where nobody knows."),
}
_WRITTEN: dict[str, tuple[type, str]] = {
    "text": (str, "The line as it was written, cut where it is very long."),
    "reason": (str, "Why it is not a line of the deck."),
}


def _more(finding: Finding) -> str:
    """Return what else stands around a list and is no card."""
    lines = [line["line"] for line in finding.details["more"]]
    shown = words.joined([f"{at}" for at in lines[:_SUGGESTIONS]])
    rest = f" and {len(lines) - _SUGGESTIONS} more" if len(lines) > _SUGGESTIONS else ""
    return f" Nor could {'lines' if len(lines) > 1 else 'line'} {shown}{rest}." if lines else ""


UNKNOWN = Code(
    "card.unknown",
    "The catalogue asked holds no such card.",
    _unknown,
    _unknown_fix,
    _CATALOGUE | {"games": (list, "The games whose number it is, if it is none of this game.")},
    together=("games",),
    asks=AT_MOST,
)
AMBIGUOUS = Code(
    "card.ambiguous",
    "Several cards have this name; only a number tells which is meant.",
    lambda f: (
        f"{_line(f)}Several cards are called “{words.card(f)}”: "
        f"{words.listed(f.suggestions or (), _SUGGESTIONS, counted=False)}."
    ),
    lambda f: "Write the card's number.",
    _CATALOGUE,
    asks=AT_MOST,
)
LINE_ASIDE = Code(
    "line.aside",
    "A line of the list is no part of the deck.",
    lambda f: f"Line {f.line} is left out, “{f.details['text']}”: {f.details['reason']}.",
    lambda f: "Take it out, or write it with the deck if it is a part of it.",
    _WRITTEN,
)
LINE_UNREAD = Code(
    "line.unread",
    "A line of the list could not be read.",
    lambda f: (
        f"Line {f.line} could not be read, “{f.details['text']}”: {f.details['reason']}.{_more(f)}{_suggested(f)}"
    ),
    lambda f: "Write it as a count and a card, such as “4 NUMBER Name”, or take it out.",
    {**_WRITTEN, "more": (list, "The other lines around the list that are no card, with their texts; [] for none.")},
)
SUPPOSED = Code(
    "section.supposed",
    "Cards are taken for those of a section that the list does not name.",
    lambda f: (
        f"The cards from line {f.line} on are taken for the {words.section_name(f.section)}: {f.details['reason']}."
    ),
    lambda f: (
        f"Write “{words.section_name(f.section).capitalize()}” over them, or “Deck” if they are part of the deck."
    ),
    _WRITTEN,
)
CODES = (UNKNOWN, AMBIGUOUS, LINE_ASIDE, LINE_UNREAD, SUPPOSED)


class Suggestions:
    """Cards that may have been meant: looked for once for each text, and for so many texts of all decks together.

    To look for a likeness takes most of a millisecond, so a request or a workbook has one of these.
    """

    def __init__(self, most: int = 20) -> None:
        self._left = most
        self._found: dict[tuple[str | None, str | None], Sequence[Candidate]] = {}

    def near(self, line: DeckLine, catalogue: Catalogue) -> Sequence[Candidate]:
        """Return the cards that a line may mean, none where enough of them have been looked for."""
        written = line.number, line.name
        if written not in self._found and self._left > 0:
            self._left -= 1
            self._found[written] = candidates.near(line, catalogue)
        return self._found.get(written, ())


def unresolved(facts: DeckFacts, suggestions: Suggestions, objections: Objections) -> Iterator[Finding]:
    """Yield a finding for each card that the catalogue does not tell and each line not read.

    `objections` tells what stands against a card that is suggested, by which they are ranked.
    """
    merged: dict[tuple[Code, tuple[str, str]], list[Lost]] = {}
    for lost in facts.lost:
        kind = AMBIGUOUS if lost.candidates else UNKNOWN
        merged.setdefault((kind, meant(lost.line, facts.catalogue.game)), []).append(lost)
    for (kind, _), same in merged.items():
        yield _lost(kind, same, facts.catalogue, suggestions, objections)
    yield from _unread(facts.deck.unread)


def _unread(lines: Sequence[Unread]) -> Iterator[Finding]:
    beside: list[Unread] = []
    for line in lines:
        if line.aside or line.may_be_card:
            yield unread(line)
        else:
            beside.append(line)
    if beside:
        yield _beside(beside)


def _lost(
    kind: Code, same: list[Lost], catalogue: Catalogue, suggestions: Suggestions, objections: Objections
) -> Finding:
    (section, line, named), *_ = same
    found = [Candidate(0, card) for card in named] or suggestions.near(line, catalogue)
    likely = candidates.ranked(found, line, section, objections)
    if not named:
        likely = likely[:_SUGGESTIONS]
    details: dict[str, object] = {
        "catalogue": catalogue.snapshot,
        "catalogue_cards": len(catalogue),
        "catalogue_as_of": catalogue.as_of.isoformat() if catalogue.as_of else None,
    }
    if kind is UNKNOWN:
        details["games"] = candidates.other_games(line, catalogue.game)
    count = sum(lost.line.count for lost in same)
    return Finding(
        kind,
        Citation(f"Card catalogue {catalogue.snapshot}", f"{len(catalogue):,} cards"),
        section,
        cards=(NamedCard(line.number or "", line.name or "", count),),
        count=count,
        suggestions=tuple(map(NamedCard.of, likely)),
        line=line.at,
        details=details,
    )


def _beside(lines: Sequence[Unread]) -> Finding:
    """Return the one finding of all that stands around a list and is no card of it."""
    first = unread(lines[0])
    more = tuple({"line": line.at, "text": line.text[:_LONGEST_SHOWN]} for line in lines[1:])
    return replace(first, details={**first.details, "more": more}) if more else first


def unread(line: Unread) -> Finding:
    """Return the finding of a line that is not a line of the deck; an error where it may be a card of it."""
    return Finding(
        SUPPOSED if line.section else LINE_ASIDE if line.aside else LINE_UNREAD,
        Citation("The deck list as it was given", f"line {line.at}"),
        line.section,
        ERROR if line.may_be_card else WARNING,
        suggestions=None if line.aside else (),
        line=line.at,
        details={"text": line.text[:_LONGEST_SHOWN], "reason": line.reason} | ({} if line.aside else {"more": ()}),
    )
