"""Accounts: a verdict as people read it, what explains it first, findings of one reason as one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from validator.deck import DeckFacts, Lost
from validator.diagnoses import Diagnosis, barred_by_leader, diagnoses, is_unjudgeable
from validator.findings import ERROR, Finding, grouped, merged
from validator.language import ENGLISH, Language

if TYPE_CHECKING:
    from validator.judge import Verdict

# Until these are mended, what else is said of the deck may be wrong: they come first.
_DOUBTS = frozenset({"card.unknown", "card.ambiguous", "card.mismatch", "line.unread", "list.several"})


class Account(NamedTuple):
    """What people read of a verdict: likely diagnoses, findings, and those that an unknown card may alone explain."""

    diagnoses: tuple[Diagnosis, ...]
    findings: tuple[Finding, ...]
    hanging: tuple[Finding, ...]


def account(of: Verdict, say: Language = ENGLISH) -> Account:
    """Return what people read of a verdict, its diagnoses in a language.

    That a deck is legal or not never hangs on what is left out.
    """
    hanging = tuple(_hanging(of))
    told = [finding for finding in of.findings if finding not in hanging]
    told.sort(key=lambda finding: finding.severity != ERROR or finding.code not in _DOUBTS)
    told = told if of.legal else _merge_barred(of, told)
    return Account(tuple(diagnoses(of, say)) if of.found else (), tuple(grouped(told)), hanging)


def _merge_barred(of: Verdict, findings: list[Finding]) -> list[Finding]:
    """Return the findings; if the Leader's colours bar most of the deck, all cards of other colours are one finding."""
    barred = [finding for finding in barred_by_leader(of, findings) if "leader_colors" in finding.details]
    if not barred:
        return findings
    colors = tuple(dict.fromkeys(color for finding in barred for color in finding.details["colors"]))
    first = replace(barred[0], details={**barred[0].details, "colors": colors})
    ids = set(map(id, barred))
    at = next(index for index, finding in enumerate(findings) if id(finding) in ids)
    others = [finding for finding in findings if id(finding) not in ids]
    return [*others[:at], merged(first, barred[1:]), *others[at:]]


def headline(of: Verdict, say: Language = ENGLISH) -> str:
    """Return in a word or two whether a deck is legal."""
    if of.legal:
        return say("LEGAL")
    return say("CANNOT BE JUDGED") if is_unjudgeable(of) else say("NOT LEGAL")


def _hanging(of: Verdict) -> Iterator[Finding]:
    """Yield the findings that are true only if no unknown card of the deck belongs in another section."""
    if not (facts := of.facts).lost:
        return
    leads = not facts.sizes["leader"] and any(_may_lead(lost, facts) for lost in facts.lost)
    spare = leads + _may_be_z(facts)
    for finding in of.findings:
        if finding.code == "leader.count":
            hangs = leads
        else:
            hangs = (finding.code, finding.section) == ("size", "main") and 0 < finding.over <= spare
        if hangs:
            yield finding


def _may_be_z(facts: DeckFacts) -> int:
    """Return how many cards of the main deck that nobody knows may be Z-Cards."""
    lost = (lost for lost in facts.lost if lost.section == "main" and not lost.candidates)
    return sum(one.line.count for one in lost) if "z" in facts.types else 0


def _may_lead(lost: Lost, facts: DeckFacts) -> bool:
    """Tell whether a card that the catalogue does not tell may be the Leader, though it stands in the deck."""
    if lost.section != "main" or lost.line.count != 1 or "leader" not in facts.types:
        return False
    return not lost.candidates or any(facts.fits(card, "leader") for card in lost.candidates)
