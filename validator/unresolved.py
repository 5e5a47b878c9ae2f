"""What no rule can be asked of: cards that the catalogue does not tell, and lines that nobody could read."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence

from validator import words
from validator.cards import Card
from validator.cards import Catalogue
from validator.deck import DeckFacts
from validator.deck import Lost
from validator.deck import Unread
from validator.deck import meant
from validator.findings import ERROR
from validator.findings import WARNING
from validator.findings import Citation
from validator.findings import Code
from validator.findings import Copies
from validator.findings import Finding

_SUGGESTIONS = 5  # for one card
_LONGEST_SHOWN = 200  # characters of a line


def _line(finding: Finding) -> str:
    return f"Line {finding.line}: " if finding.line else ""


def _suggested(finding: Finding) -> str:
    if not finding.suggestions:
        return ""
    return " Did you mean " + ", ".join(card.label for card in finding.suggestions[:_SUGGESTIONS]) + "?"


_CATALOGUE: dict[str, tuple[type, str]] = {
    "catalogue": (str, "The snapshot of cards that was asked."),
    "catalogue_cards": (int, "How many cards it has."),
}
_WRITTEN: dict[str, tuple[type, str]] = {
    "text": (str, "The line as it was written, cut where it is very long."),
    "reason": (str, "Why it is not a line of the deck."),
}
UNKNOWN = Code(
    "card.unknown",
    "The catalogue asked holds no such card.",
    lambda f: (
        f"{_line(f)}No card “{words.card(f)}” in the catalogue {f.details['catalogue']} "
        f"({f.details['catalogue_cards']:,} cards).{_suggested(f)}"
    ),
    lambda f: (
        "Check the number or name against the card; if it is right, this catalogue lacks the card: "
        "import the full card list with `deckproof cards import`."
    ),
    _CATALOGUE,
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
    lambda f: f"Line {f.line} could not be read, “{f.details['text']}”: {f.details['reason']}.{_suggested(f)}",
    lambda f: "Write it as a count and a card, such as “4 NUMBER Name”, or take it out.",
    _WRITTEN,
)
CODES = (UNKNOWN, AMBIGUOUS, LINE_ASIDE, LINE_UNREAD)


class Suggestions:
    """Cards that may have been meant: looked for once for each text, and for so many texts of all decks together.

    To look for a likeness takes most of a millisecond, so a request or a workbook has one of these.
    """

    def __init__(self, most: int = 20) -> None:
        self._left = most
        self._found: dict[str, Sequence[Card]] = {}

    def near(self, written: str, catalogue: Catalogue) -> Sequence[Card]:
        """Return the cards that a text may mean, none where enough texts have been looked for."""
        if written not in self._found and self._left > 0:
            self._left -= 1
            self._found[written] = catalogue.suggest(written)[:_SUGGESTIONS]
        return self._found.get(written, ())


def unresolved(facts: DeckFacts, suggestions: Suggestions) -> Iterator[Finding]:
    """Yield a finding for each card that the catalogue does not tell and each line not read."""
    merged: dict[tuple[Code, tuple[str, str]], list[Lost]] = {}
    for lost in facts.lost:
        kind = AMBIGUOUS if lost.candidates else UNKNOWN
        merged.setdefault((kind, meant(lost.line, facts.catalogue.game)), []).append(lost)
    for (kind, _), same in merged.items():
        yield _lost(kind, same, facts.catalogue, suggestions)
    yield from map(unread, facts.deck.unread)


def _lost(kind: Code, same: list[Lost], catalogue: Catalogue, suggestions: Suggestions) -> Finding:
    first = same[0]
    near = first.candidates or suggestions.near(first.line.written, catalogue)
    count = sum(lost.line.count for lost in same)
    return Finding(
        kind,
        Citation(f"Card catalogue {catalogue.snapshot}", f"{len(catalogue):,} cards"),
        first.section,
        cards=(Copies(first.line.number or "", first.line.name or "", count),),
        count=count,
        suggestions=tuple(map(Copies.of, near)),
        line=first.line.at,
        details={"catalogue": catalogue.snapshot, "catalogue_cards": len(catalogue)},
    )


def unread(line: Unread) -> Finding:
    """Return the finding of a line that is not a line of the deck; an error where it may be a card of it."""
    return Finding(
        LINE_ASIDE if line.aside else LINE_UNREAD,
        Citation("The deck list as it was given", f"line {line.at}"),
        None,
        ERROR if line.may_be_card else WARNING,
        suggestions=None if line.aside else (),
        line=line.at,
        details={"text": line.text[:_LONGEST_SHOWN], "reason": line.reason},
    )
