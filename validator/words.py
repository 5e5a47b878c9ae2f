"""Sentences for findings: made here and nowhere else, from code and details."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from typing import Any

from validator.findings import WARNING
from validator.findings import Copies
from validator.findings import Finding

_SECTION_NAMES = {
    "leader": "leader section",
    "main": "deck",
    "side": "side deck",
    "z": "Z-Deck",
    "don": "DON!! deck",
}
_SHOWN = 8  # cards named in one sentence; the finding itself has them all
_SUGGESTED = 5  # cards that one of the list may be


def section_name(section: str | None) -> str:
    """Return what a sentence calls a section."""
    return _SECTION_NAMES.get(section or "", "deck")


def message(finding: Finding) -> str:
    """Return the sentence that says what is wrong."""
    return _WORDS[finding.code][0](finding)


def fix(finding: Finding) -> str:
    """Return the sentence that says what to do."""
    return _WORDS[finding.code][1](finding)


def as_dict(finding: Finding) -> dict[str, Any]:
    """Return the public form of a finding (CONTRACT `POST /v1/validate`)."""
    found: dict[str, Any] = {
        "code": finding.code,
        "severity": finding.severity,
        "section": finding.section,
        "message": message(finding),
        "cards": [card.as_dict() for card in finding.cards],
        "count": finding.count,
        "limit": finding.limit,
        "minimum": finding.minimum,
        "rule": finding.rule.as_dict(),
        "fix": fix(finding),
    }
    if finding.keyword:
        found["keyword"] = finding.keyword
    if finding.limits:
        found["limits"] = finding.limits.as_dict()
    if finding.code in ("card.unknown", "card.ambiguous", "line.unread"):
        found["suggestions"] = [{"number": one.number, "name": one.name} for one in finding.suggestions]
    if finding.line is not None:
        found["line"] = finding.line
    return found


def _cards(count: int | None) -> str:
    return f"{count} card" if count == 1 else f"{count} cards"


def _copies(count: int | None) -> str:
    return f"{count} copy" if count == 1 else f"{count} copies"


def _one(noun: str) -> str:
    return f"an {noun}" if noun[:1] in "AEIOU" else f"a {noun}"


def _card(finding: Finding) -> str:
    return finding.cards[0].label if finding.cards else "a card"


def _list(cards: tuple[Copies, ...], most: int = _SHOWN) -> str:
    shown = [f"{card.count}x {card.label}" if card.count else card.label for card in cards[:most]]
    rest = len(cards) - len(shown)
    return ", ".join(shown) + (f" and {rest} more" if rest else "")


def _detail(finding: Finding, place: int) -> str:
    return finding.detail[place] if place < len(finding.detail) else ""


def _over(finding: Finding) -> int:
    return (finding.count or 0) - (finding.limit or 0)


def _where(finding: Finding) -> str:
    return f"Line {finding.line}: " if finding.line else ""


def _range(finding: Finding) -> str:
    if finding.minimum == finding.limit:
        return f"exactly {finding.limit}"
    return f"{finding.minimum} to {finding.limit}"


def _size_fix(finding: Finding) -> str:
    count, section = finding.count or 0, section_name(finding.section)
    if count < (finding.minimum or 0):
        return f"Add {_cards((finding.minimum or 0) - count)} to the {section}."
    return f"Remove {_cards(_over(finding))} from the {section}."


def _leader(finding: Finding) -> str:
    count = "no Leader" if not finding.count else f"{finding.count} cards in the leader section"
    return f"The deck has {count}; it needs exactly {finding.limit} Leader."


def _leader_fix(finding: Finding) -> str:
    if not finding.count:
        return f"Add {finding.limit} Leader card to the leader section."
    return f"Keep {finding.limit} Leader card and remove {_cards(_over(finding))}."


def _listed_since(finding: Finding) -> str:
    entry = finding.limits
    if entry is None:
        return ""
    since = f" since {entry.effective_from}" if entry.effective_from else ""
    doubt = ""
    if finding.severity == WARNING:
        doubt = " (the first day of this entry is not known: it may not have been in force yet)"
    return since + doubt


def _suggested(finding: Finding) -> str:
    if not finding.suggestions:
        return ""
    return " Did you mean " + ", ".join(card.label for card in finding.suggestions[:_SUGGESTED]) + "?"


def _remove_all(finding: Finding) -> str:
    return f"Remove {_card(finding)}."


def _replace(finding: Finding) -> str:
    """A deck without its Leader would be no better."""
    return f"Play another Leader than {_card(finding)}." if finding.section == "leader" else _remove_all(finding)


def _surplus(finding: Finding) -> str:
    return f"Remove {_copies(_over(finding))} of {_card(finding)}."


def _sacrifice(finding: Finding) -> str:
    return f"{_cards(finding.count)} of the class {_detail(finding, 0)}, and no {_detail(finding, 1)} to sacrifice."


def _needs(finding: Finding) -> str:
    return f"Add {_one(_detail(finding, 1))}, or leave the {_detail(finding, 0)} out."


_Sentence = Callable[[Finding], str]

_WORDS: Mapping[str, tuple[_Sentence, _Sentence]] = {
    "leader.count": (_leader, _leader_fix),
    "size": (
        lambda f: f"The {section_name(f.section)} has {_cards(f.count)}; it needs {_range(f)}.",
        _size_fix,
    ),
    "section.not_allowed": (
        lambda f: f"This ruleset has no {section_name(f.section)}, and the list has {_cards(f.count)} in one.",
        lambda f: f"Leave the {section_name(f.section)} out.",
    ),
    "type.misplaced": (
        lambda f: (
            f"{_card(f)} is a card of the type {_detail(f, 0)}; the {section_name(f.section)} takes {_detail(f, 1)}."
        ),
        lambda f: f"Move {_card(f)} out of the {section_name(f.section)}.",
    ),
    "copies.exceeded": (
        lambda f: f"{_copies(f.count)} of {_card(f)}; at most {f.limit} {'is' if f.limit == 1 else 'are'} allowed.",
        _surplus,
    ),
    "keyword.exceeded": (
        lambda f: f"{_cards(f.count)} with [{f.keyword}]; at most {f.limit} in total: {_list(f.cards)}.",
        lambda f: f"Remove {_cards(_over(f))} with [{f.keyword}].",
    ),
    "class.exceeded": (
        lambda f: f"{_cards(f.count)} of the class {_detail(f, 0)}; at most {f.limit}: {_list(f.cards)}.",
        lambda f: f"Remove {_cards(_over(f))} of the class {_detail(f, 0)}.",
    ),
    "color.mismatch": (
        lambda f: f"{_card(f)} is {_detail(f, 0)}, and the Leader {_detail(f, 1)} is {_detail(f, 2)}.",
        _remove_all,
    ),
    "effect.forbidden": (
        lambda f: f"{_card(f)} may not be in this deck: {f.rule.document} says “{f.rule.section}”",
        _remove_all,
    ),
    "effect.exceeded": (
        lambda f: (
            f"{_cards(f.count)} where {f.rule.document} allows {f.limit}: {_list(f.cards)}. It says “{f.rule.section}”"
        ),
        lambda f: f"Remove {_cards(_over(f))} of this group.",
    ),
    "card.unknown": (
        lambda f: f"{_where(f)}No card “{_card(f)}” in {_detail(f, 0)}.{_suggested(f)}",
        lambda f: (
            "Check the number or name against the card; if it is right, this catalogue lacks the card: "
            "import the full card list with `deckproof cards import`."
        ),
    ),
    "card.ambiguous": (
        lambda f: f"{_where(f)}Several cards are called “{_card(f)}”: {_list(f.suggestions, _SUGGESTED)}.",
        lambda f: "Write the card's number.",
    ),
    "card.banned": (
        lambda f: f"{_card(f)} is banned{_listed_since(f)}.",
        _replace,
    ),
    "card.restricted": (
        lambda f: f"{_copies(f.count)} of {_card(f)}; it is restricted to {f.limit}{_listed_since(f)}.",
        _surplus,
    ),
    "pair.banned": (
        lambda f: f"{' and '.join(card.label for card in f.cards)} may not be in one deck{_listed_since(f)}.",
        lambda f: f"Remove {' or '.join(card.label for card in f.cards)}.",
    ),
    "card.unreleased": (
        lambda f: f"{_card(f)} is not legal before {_detail(f, 0)}.",
        _replace,
    ),
    "block.rotated": (
        lambda f: f"{_card(f)} is of block {_detail(f, 0)}; the {_detail(f, 1)} format takes {_detail(f, 2)}.",
        _replace,
    ),
    "clause.unread": (
        lambda f: f"{_card(f)} says something of deck construction that could not be read: “{f.rule.section}”",
        lambda f: "Ask a judge whether the deck obeys this text.",
    ),
    "line.aside": (
        lambda f: f"Line {f.line} is left out, “{_detail(f, 0)}”: {_detail(f, 1)}.",
        lambda f: "Take it out, or write it with the deck if it is a part of it.",
    ),
    "line.unread": (
        lambda f: f"Line {f.line} could not be read, “{_detail(f, 0)}”: {_detail(f, 1)}.{_suggested(f)}",
        lambda f: "Write it as a count and a card, such as “4 NUMBER Name”, or take it out.",
    ),
    "swap.cards_changed": (
        lambda f: f"After swapping the deck is not made of the same cards: {'; '.join(f.detail)}.",
        lambda f: "Only change the places of cards between deck and side deck.",
    ),
    "swap.side_size": (
        lambda f: f"The side deck has {_cards(f.count)} after swapping; it had {f.limit}.",
        lambda f: f"Swap so that the side deck has {_cards(f.limit)} again.",
    ),
    "advice.elite_without_warrior": (_sacrifice, _needs),
    "advice.warlord_without_elite": (_sacrifice, _needs),
    "advice.legendary_without_warlord": (_sacrifice, _needs),
    "advice.mulligan": (
        lambda f: (
            f"With {f.count} {_detail(f, 1)} cards a first hand of {_detail(f, 3)} has fewer than "
            f"{_detail(f, 0)} of them in {_detail(f, 2)} of games."
        ),
        lambda f: f"Add {_detail(f, 1)} cards.",
    ),
}
