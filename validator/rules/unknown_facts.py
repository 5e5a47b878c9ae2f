"""Facts that a rule asks for and the catalogue does not know: told, never passed over."""

from __future__ import annotations

from collections.abc import Iterable

from validator import words
from validator.cards import Card
from validator.findings import WARNING, Citation, Code, Finding, NamedCard

_CALLED = {"colors": "colours"}

UNKNOWN = Code(
    "card.facts_unknown",
    "A rule asks for a fact of the card that the catalogue does not know.",
    lambda f, say: say(
        "{card}: the catalogue does not know its {facts}, and this rule asks for it.",
        card=words.card(f, say),
        facts=words.joined(words.terms([_CALLED.get(fact, fact) for fact in f.details["facts"]], say), say),
    ),
    lambda f, say: say("Look at the card itself, or ask a judge."),
    {"facts": (list, "The facts that are not known: colors, cost, type.")},
)


def finding(card: Card, section: str, cite: Citation, facts: Iterable[str] | None = None) -> Finding:
    """Return the finding that a rule cannot be checked of a card, for some of its unknown facts or all."""
    missing = card.unknown if facts is None else tuple(facts)
    return Finding(UNKNOWN, cite, section, WARNING, cards=(NamedCard.of(card),), details={"facts": missing})


def once(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings with the first alone of those that say of one card that its facts are unknown."""
    kept: dict[object, Finding] = {}
    for one in findings:
        kept.setdefault(one.cards if one.kind is UNKNOWN else id(one), one)
    return list(kept.values())
