"""Words that sentences about decks are made of: counts, cards, sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from validator.findings import Finding, NamedCard

_SECTION_NAMES = {
    "leader": "leader section",
    "main": "deck",
    "side": "side deck",
    "z": "Z-Deck",
    "don": "DON!! deck",
}
_SHOWN = 8  # cards named in one sentence; the finding itself has them all
_GROUPED = 60  # and in the one sentence on as many findings: nobody else names them


def section_name(section: str | None) -> str:
    """Return what a sentence calls a section."""
    return _SECTION_NAMES.get(section or "", "deck")


def cards(count: int | None) -> str:
    """Return "1 card", "2 cards"."""
    return f"{count} card" if count == 1 else f"{count} cards"


def copies(count: int | None) -> str:
    """Return "1 copy", "2 copies"."""
    return f"{count} copy" if count == 1 else f"{count} copies"


def one(noun: str) -> str:
    """Return a noun with its article."""
    return f"an {noun}" if noun[:1] in "AEIOU" else f"a {noun}"


def joined(parts: Sequence[str], last: str = "and") -> str:
    """Return "a", "a and b", "a, b and c"."""
    return f" {last} ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def card(finding: Finding) -> str:
    """Return what the sentence calls the card, or the several cards, of a finding."""
    named = finding.cards
    return named[0].label if len(named) == 1 else listed(named, _GROUPED, counted=False) or "a card"


def being(finding: Finding, what: str) -> str:
    """Return "A is …" of a finding about one card, "2 cards are …: A, B" of one about several."""
    named = finding.cards
    if len(named) == 1:
        return f"{named[0].label} is {what}"
    return f"{cards(len(named))} are {what}: {listed(named, _GROUPED, counted=False)}"


def listed(named: Sequence[NamedCard], most: int = _SHOWN, counted: bool = True) -> str:
    """Return several cards in a row, with their counts where they have any."""
    shown = [f"{one.count}x {one.label}" if one.count and counted else one.label for one in named[:most]]
    rest = len(named) - len(shown)
    return ", ".join(shown) + (f" and {rest} more" if rest else "")


def apart(sections: Mapping[str, int]) -> str:
    """Return " (4 in the deck, 1 in the side deck)", nothing where all stand in the deck alone."""
    if set(sections) <= {"main"}:
        return ""
    held = (f"{count} in the {section_name(section)}" for section, count in sections.items())
    return f" ({', '.join(held)})"


def remove(finding: Finding) -> str:
    """Tell what to do with cards that may not be there; a deck without its Leader would be no better."""
    if finding.section == "leader":
        return f"Play another Leader than {card(finding)}."
    if len(finding.cards) > _SHOWN:
        return f"Remove these {cards(len(finding.cards))}."
    return f"Remove {card(finding)}."


def remove_surplus(finding: Finding) -> str:
    """Tell how many copies of a card are too many."""
    return f"Remove {copies(finding.over)} of {card(finding)}."
