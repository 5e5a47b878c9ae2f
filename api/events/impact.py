"""Impact: whose deck is legal on one day and not on another, because the lists, the rules or the rotation change."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from api.events.entrant import Entrant
from validator.findings import ERROR, Finding
from validator.judge import Judge
from validator.language import Language


def impact(entrants: Iterable[Entrant], before: Judge, after: Judge, say: Language) -> dict[str, Any]:
    """Return whose decks become illegal from the terms of one Judge to those of another, and why, and whose legal."""
    changed: dict[bool, list[dict[str, Any]]] = {True: [], False: []}
    judged = 0
    for one in entrants:
        if (deck := one.revision.deck) is not None:
            judged += 1
            then = after(deck)
            if before(deck).legal != then.legal:
                findings = [_because(each, say) for each in then.findings if each.severity == ERROR]
                changed[then.legal].append({"id": one.id, "player": one.player, "because": findings})
    return {
        "before": _day(before),
        "after": _day(after),
        "lists": judged,
        "illegal": changed[False],
        "legal": changed[True],
    }


def _day(judge: Judge) -> dict[str, Any]:
    return {key: judge.made_with[key] for key in ("on", "ruleset", "limits", "catalogue")}


def _because(finding: Finding, say: Language) -> dict[str, Any]:
    cards = [{"number": card.number, "name": card.name} for card in finding.cards]
    return {"code": finding.code, "message": finding.as_dict(say=say)["message"], "cards": cards}
