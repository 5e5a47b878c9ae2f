"""Warnings on facts of a card that a rule needs and the catalogue does not contain."""

from __future__ import annotations

from collections.abc import Iterable

from validator import words
from validator.cards import Card
from validator.findings import WARNING, Citation, Code, Finding, NamedCard

_CALLED = {"colors": "colours"}

UNKNOWN = Code(
    "card.facts_unknown",
    "A rule asks for a fact of the card that the catalogue does not know.",
    lambda f, translate: translate(
        "{card}: the catalogue lacks its {facts}, which this rule needs.",
        card=words.card_text(f, translate),
        facts=words.join_with_and(
            words.fact_names([_CALLED.get(fact, fact) for fact in f.details["facts"]], translate), translate
        ),
    ),
    lambda f, translate: translate("Check the card itself, or ask a judge."),
    {"facts": (list, "The facts that are not known: colors, cost, type, text.")},
)


def unknown_facts_finding(card: Card, section: str, cite: Citation, facts: Iterable[str] | None = None) -> Finding:
    """Return the warning that a rule cannot be checked, because facts of a card are unknown.

    `facts` are names such as "colors", None for all unknown facts of the card. `cite` is the citation of the rule.
    """
    missing = card.unknown if facts is None else tuple(facts)
    return Finding(UNKNOWN, cite, section, WARNING, cards=(NamedCard.from_card(card),), details={"facts": missing})


def drop_repeated_warnings(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings in order, with only the first warning on unknown facts for each card. Others are all kept."""
    kept: dict[object, Finding] = {}
    for finding in findings:
        kept.setdefault(finding.cards if finding.kind is UNKNOWN else id(finding), finding)
    return list(kept.values())
