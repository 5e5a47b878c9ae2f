"""Verdicts for people: the diagnoses first, then the findings, with findings of one reason merged.

Pages, commands, sheets and workbooks call this module. The JSON has all findings separately.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from validator.deck import DeckFacts, Lost
from validator.diagnoses import INCOMPLETE, OTHER_GAME, Diagnosis, barred_by_leader, find_diagnoses
from validator.findings import ERROR, Finding, combine_findings, merge_findings
from validator.judge import Verdict
from validator.language import ENGLISH, Language

# While a deck has one of these findings, its other findings may be wrong. So these come first.
_DOUBTS = frozenset({"card.unknown", "card.ambiguous", "card.mismatch", "line.unread", "list.several"})
# With one of these diagnoses the rest of a verdict means little.
_UNJUDGEABLE = frozenset({OTHER_GAME, INCOMPLETE})


class GroupedFindings(NamedTuple):
    """The findings of a verdict, grouped for people.

    `diagnoses` are likely causes of most findings. `hanging` are the findings that may vanish once an unknown card is
    known. `findings` are all others, with those of one reason merged.
    """

    diagnoses: tuple[Diagnosis, ...]
    findings: tuple[Finding, ...]
    hanging: tuple[Finding, ...]


def group_findings(verdict: Verdict, translate: Language = ENGLISH) -> GroupedFindings:
    """Return the findings of a verdict for people. `translate` is the language of the diagnoses.

    Errors that make the rest doubtful come first, such as unknown cards and unread lines. The `hanging` findings never
    decide by themselves whether a deck is legal. The fixes of the verdict are planned at first use.
    """
    hanging = tuple(_conditional_findings(verdict))
    shown = [finding for finding in verdict.findings if finding not in hanging]
    shown.sort(key=lambda finding: finding.severity != ERROR or finding.code not in _DOUBTS)
    shown = shown if verdict.legal else _merge_barred(verdict.facts, shown)
    diagnoses = find_diagnoses(verdict.facts, verdict.found, verdict.judge.terms.on, translate)
    return GroupedFindings(tuple(diagnoses), tuple(merge_findings(shown)), hanging)


def _merge_barred(facts: DeckFacts, findings: list[Finding]) -> list[Finding]:
    """Return the findings, with those on colours that the Leader lacks merged into one if the Leader bars most cards.

    The merged finding has the place of the first one, and all foreign colours as its detail `colors`. Otherwise the
    findings are returned unchanged. `barred_by_leader` decides if the Leader bars most cards.
    """
    barred = [finding for finding in barred_by_leader(facts, findings) if "leader_colors" in finding.details]
    if not barred:
        return findings
    colors = tuple(dict.fromkeys(color for finding in barred for color in finding.details["colors"]))
    first = replace(barred[0], details={**barred[0].details, "colors": colors})
    ids = set(map(id, barred))
    position = next(index for index, finding in enumerate(findings) if id(finding) in ids)
    others = [finding for finding in findings if id(finding) not in ids]
    return [*others[:position], combine_findings(first, barred[1:]), *others[position:]]


def headline(verdict: Verdict, translate: Language = ENGLISH) -> str:
    """Return the result of a verdict as a headline in the language: LEGAL, NOT LEGAL or CANNOT BE JUDGED.

    A deck that is not legal cannot be judged if `is_unjudgeable` is True.
    """
    if verdict.legal:
        return translate("LEGAL")
    return translate("CANNOT BE JUDGED") if is_unjudgeable(verdict) else translate("NOT LEGAL")


def is_unjudgeable(verdict: Verdict) -> bool:
    """Return True if most cards of a deck are missing from the catalogue, or most numbers are of another game.

    Its diagnoses decide that.
    """
    return any(diagnosis.code in _UNJUDGEABLE for diagnosis in verdict.diagnoses)


def _conditional_findings(verdict: Verdict) -> Iterator[Finding]:
    """Yield the findings that vanish if unknown cards of the main section belong in another section.

    These are the number of Leaders, if the leader section is empty and an unknown card may be the Leader. They are also
    a main deck that is too large by at most the number of unknown cards that may be the Leader or Z-Cards.
    """
    if not (facts := verdict.facts).lost:
        return
    leads = not facts.sizes["leader"] and any(_may_lead(lost, facts) for lost in facts.lost)
    spare = leads + _may_be_z(facts)
    for finding in verdict.findings:
        if finding.code == "leader.count":
            hangs = leads
        else:
            hangs = (finding.code, finding.section) == ("size", "main") and 0 < finding.over <= spare
        if hangs:
            yield finding


def _may_be_z(facts: DeckFacts) -> int:
    """Return the copies of unknown cards of the main section, which may be Z-Cards. 0 if the ruleset has no Z-Deck.

    Lines with a name of several cards are not counted.
    """
    lost = (lost for lost in facts.lost if lost.section == "main" and not lost.candidates)
    return sum(card.line.count for card in lost) if "z" in facts.types else 0


def _may_lead(line: Lost, facts: DeckFacts) -> bool:
    """Return True if a line without a known card could be the deck's Leader.

    It is in the main section with one copy. It has no candidates, or one of them is a Leader or of an unknown type.
    False in a ruleset without Leaders.
    """
    if line.section != "main" or line.line.count != 1 or "leader" not in facts.types:
        return False
    return not line.candidates or any(facts.fits(card, "leader") for card in line.candidates)
