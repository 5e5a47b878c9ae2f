"""What no rule can be asked of: cards that the catalogue does not tell, and lines that nobody could read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from validator import candidates, words
from validator.candidates import Candidate, Objections
from validator.cards import Catalogue
from validator.deck import DeckFacts, DeckLine, Lost, Unread, meant
from validator.findings import AT_MOST, ERROR, WARNING, Citation, Code, Finding, NamedCard
from validator.language import Language

_SUGGESTIONS = 5  # for one card
_LONGEST_SHOWN = 200  # characters of a line


def _suggested(finding: Finding, say: Language) -> str:
    if not finding.suggestions:
        return ""
    near = [card.label for card in finding.suggestions[:_SUGGESTIONS]]
    return say(" Did you mean {cards}?", cards=words.row(near, say))


def _called(finding: Finding, say: Language) -> str:
    day = finding.details["catalogue_as_of"]
    return say("of {day}", day=day) if day else str(finding.details["catalogue"])


def _unknown(finding: Finding, say: Language) -> str:
    if finding.details["games"]:
        return words.being(
            "{line}{cards} is numbered as cards of {games} are.",
            "{line}{count} cards are numbered as cards of {games} are: {cards}.",
            finding,
            say,
            line=words.line(finding, say),
            games=words.either(finding.details["games"], say),
        )
    return words.being(
        "{line}{cards} is not in the catalogue {catalogue} ({size:,} cards).{suggested}",
        "{line}{count} cards are not in the catalogue {catalogue} ({size:,} cards): {cards}.{suggested}",
        finding,
        say,
        line=words.line(finding, say),
        catalogue=_called(finding, say),
        size=finding.details["catalogue_cards"],
        suggested=_suggested(finding, say),
    )


def _unknown_fix(finding: Finding, say: Language) -> str:
    check = _check_number(finding, say)
    return say("{check} Otherwise: {fix}", check=check, fix=words.fix(finding, say)) if finding.changes else check


def _check_number(finding: Finding, say: Language) -> str:
    if finding.details["games"]:
        return say("Judge the deck as one of that game, or write the number of the card that is meant.")
    if day := finding.details["catalogue_as_of"]:
        return say(
            "Check the number or name against the card; a right one may be newer than the catalogue of {day}.", day=day
        )
    return say("Check the number or name against the card; this catalogue lacks a right one.")


_CATALOGUE: dict[str, tuple[type, str]] = {
    "catalogue": (str, "The snapshot of cards that was asked."),
    "catalogue_cards": (int, "How many cards it has."),
    "catalogue_as_of": (str, "The day that its cards are known of, as 2026-01-15; null where nobody knows."),
}
_WRITTEN: dict[str, tuple[type, str]] = {
    "text": (str, "The line as it was written, cut where it is very long."),
    "reason": (str, "Why it is not a line of the deck."),
}


def _more(finding: Finding, say: Language) -> str:
    """Return what else stands around a list and is no card."""
    lines = [str(line["line"]) for line in finding.details["more"]]
    shown, rest = words.joined(lines[:_SUGGESTIONS], say), len(lines) - _SUGGESTIONS
    if rest > 0:
        shown = say("{shown} and {rest} more", shown=shown, rest=rest)
    return say.plural(" Nor could line {lines}.", " Nor could lines {lines}.", len(lines), lines=shown) if lines else ""


def _ambiguous(finding: Finding, say: Language) -> str:
    return say(
        "{line}Several cards are called “{card}”: {cards}.",
        line=words.line(finding, say),
        card=words.card(finding, say),
        cards=words.listed(finding.suggestions or (), say, _SUGGESTIONS, counted=False),
    )


def _aside(finding: Finding, say: Language) -> str:
    return say(
        "Line {line} is left out, “{text}”: {reason}.",
        line=finding.line,
        text=finding.details["text"],
        reason=say.of(finding.details["reason"]),
    )


def _line_unread(finding: Finding, say: Language) -> str:
    return say(
        "Line {line} could not be read, “{text}”: {reason}.{more}{suggested}",
        line=finding.line,
        text=finding.details["text"],
        reason=say.of(finding.details["reason"]),
        more=_more(finding, say),
        suggested=_suggested(finding, say),
    )


def _supposed(finding: Finding, say: Language) -> str:
    return say(
        "The cards from line {line} on are taken for the {section}: {reason}.",
        line=finding.line,
        section=words.section_name(finding.section, say),
        reason=say.of(finding.details["reason"]),
    )


def _supposed_fix(finding: Finding, say: Language) -> str:
    section = words.section_name(finding.section, say)
    heading = section[:1].upper() + section[1:]
    return say("Write “{section}” over them, or “Deck” if they are part of the deck.", section=heading)


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
    _ambiguous,
    lambda f, say: say("Write the card's number."),
    _CATALOGUE,
    asks=AT_MOST,
)
LINE_ASIDE = Code(
    "line.aside",
    "A line of the list is no part of the deck.",
    _aside,
    lambda f, say: say("Take it out, or write it with the deck if it is a part of it."),
    _WRITTEN,
)
LINE_UNREAD = Code(
    "line.unread",
    "A line of the list could not be read.",
    _line_unread,
    lambda f, say: say("Write it as a count and a card, such as “4 NUMBER Name”, or take it out."),
    {**_WRITTEN, "more": (list, "The other lines around the list that are no card, with their texts; [] for none.")},
)
SUPPOSED = Code(
    "section.supposed",
    "Cards are taken for those of a section that the list does not name.",
    _supposed,
    _supposed_fix,
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
    beside: list[Finding] = []
    for line in lines:
        found = unread(line)
        if line.aside or found.severity == ERROR:
            yield found
        else:
            beside.append(found)
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


def _beside(found: Sequence[Finding]) -> Finding:
    """Return the one finding of all that stands around a list and is no card of it."""
    first = found[0]
    more = tuple({"line": one.line, "text": one.details["text"]} for one in found[1:])
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
