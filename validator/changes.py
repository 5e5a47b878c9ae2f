"""Changes: what begins or ends to be wrong with a deck on a day, why, and where that is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from validator import words
from validator.calendar import EDITION, LIMITS, RELEASE, ROTATION, Breakpoint
from validator.findings import WARNING, Finding, NamedCard
from validator.rules.official_list import BANNED, PAIR_BANNED, RESTRICTED
from validator.rules.release import UNRELEASED
from validator.rules.rotation import ROTATED

_MOST_NAMED = 2  # cards of one sentence
_CAUSE_OF = {
    BANNED.name: LIMITS,
    RESTRICTED.name: LIMITS,
    PAIR_BANNED.name: LIMITS,
    ROTATED.name: ROTATION,
    UNRELEASED.name: RELEASE,
}


@dataclass(frozen=True, slots=True)
class Change:
    """Findings of one code that all begin on a day, or all end, for one of the calendar's CAUSES."""

    event: Breakpoint
    findings: tuple[Finding, ...]
    begins: bool

    @property
    def code(self) -> str:
        """The code of the findings."""
        return self.findings[0].code

    @property
    def cards(self) -> tuple[NamedCard, ...]:
        """The cards that the findings are about, each once."""
        return tuple(dict.fromkeys(card for finding in self.findings for card in finding.cards))

    @property
    def says(self) -> str:
        """The change in a sentence without its full stop."""
        made = _BEGINS if self.begins else _ENDS
        return made[self.event.cause](self)

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        event = self.event
        return {
            "on": event.day.isoformat(),
            "cause": event.cause,
            "code": self.code,
            "begins": self.begins,
            "says": f"{self.says}.",
            "cards": [{"number": card.number, "name": card.name} for card in self.cards],
            "rule": event.cite.as_dict(),
            "source": event.source or None,
            "announced": event.announced.isoformat() if event.announced else None,
        }


def same(finding: Finding) -> tuple[object, ...]:
    """Return what two findings of different days have in common if they say the same of a deck."""
    numbers = finding.count, finding.limit, finding.minimum
    return finding.code, finding.severity, finding.section, finding.cards, finding.keyword, finding.line, numbers


def changes(
    day: date, before: Sequence[Finding], after: Sequence[Finding], events: Sequence[Breakpoint]
) -> list[Change]:
    """Return what is said of a deck from a day on and was not before, and the other way round.

    `events` are those of the day, but for releases, which the findings themselves tell.
    """
    was, now = _apart(before, after), _apart(after, before)
    begun = [one for key, one in now.items() if key not in was]
    replaced = {(one.code, one.cards) for one in begun}
    ended = [one for key, one in was.items() if key not in now and (one.code, one.cards) not in replaced]
    return [*_grouped(day, begun, True, events), *_grouped(day, ended, False, events)]


def _apart(findings: Iterable[Finding], others: Iterable[Finding]) -> dict[object, Finding]:
    """Return the findings by what they say, without those that are the very ones of the others."""
    told = set(map(id, others))
    return {same(one): one for one in findings if id(one) not in told}


def _grouped(day: date, findings: Iterable[Finding], begins: bool, events: Sequence[Breakpoint]) -> Iterator[Change]:
    groups: dict[tuple[str, str, object], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.code, finding.severity, finding.limit), []).append(finding)
    for group in groups.values():
        yield Change(_event(day, group[0], begins, events), tuple(group), begins)


def _event(day: date, finding: Finding, begins: bool, events: Sequence[Breakpoint]) -> Breakpoint:
    """Return what of a day's events a finding is owed to: the kind it belongs to, else the first."""
    cause = _CAUSE_OF.get(finding.code, EDITION)
    if cause == RELEASE:
        return Breakpoint(day, RELEASE, finding.rule)
    event = next((one for one in events if one.cause == cause), events[0])
    entry = finding.limits
    if begins and entry and cause == LIMITS:
        announced = date.fromisoformat(entry.announced) if entry.announced else None
        return event._replace(cite=finding.rule, source=entry.source, announced=announced)
    return event


def _cards(of: Change) -> str:
    """Return the cards in words, as many as can be taken in."""
    named = [card.label for card in of.cards]
    if len(named) > _MOST_NAMED + 1:
        named = [*named[:_MOST_NAMED], f"{len(named) - _MOST_NAMED} more cards"]
    return words.joined(named)


def _several(of: Change) -> bool:
    return len(of.cards) > 1


def _limits_begin(of: Change) -> str:
    is_ = "are" if _several(of) else "is"
    may = "may already be" if of.findings[0].severity == WARNING else is_
    if of.code == PAIR_BANNED.name:
        return f"{_cards(of)} {may} banned from one deck"
    if of.code == RESTRICTED.name:
        return f"{_cards(of)} {may} restricted to {of.findings[0].limit}"
    return f"{_cards(of)} {may} banned" if of.code == BANNED.name else of.findings[0].message.rstrip(".")


def _limits_end(of: Change) -> str:
    is_ = "are" if _several(of) else "is"
    held = {BANNED.name: "banned", RESTRICTED.name: "restricted", PAIR_BANNED.name: "banned from one deck"}
    if of.code in held:
        return f"{_cards(of)} {is_} no longer {held[of.code]}"
    return _no_longer(of)


def _rotation_begins(of: Change) -> str:
    blocks = sorted({str(finding.details["block"]) for finding in of.findings if "block" in finding.details})
    called = f"block {blocks[0]}" if len(blocks) == 1 else f"blocks {words.joined(blocks)}"
    return f"{_cards(of)} {'rotate' if _several(of) else 'rotates'} ({called})"


def _rotation_ends(of: Change) -> str:
    return f"{_cards(of)} {'are' if _several(of) else 'is'} of a block that is taken again"


def _released(of: Change) -> str:
    delayed = any(finding.details.get("delay_days") for finding in of.findings)
    come = "become legal" if delayed else "are released"
    comes = "becomes legal" if delayed else "is released"
    return f"{_cards(of)} {come if _several(of) else comes}"


def _unreleased(of: Change) -> str:
    return f"{_cards(of)} {'are' if _several(of) else 'is'} not released yet"


def _edition_begins(of: Change) -> str:
    return f"{of.event.cite.document} comes into force: {_first(of)}"


def _no_longer(of: Change) -> str:
    return f"{of.event.cite.document} comes into force, by which this no longer holds: {_first(of)}"


def _first(of: Change) -> str:
    more = len(of.findings) - 1
    return of.findings[0].message.rstrip(".") + (f", and {more} more like it" if more else "")


_BEGINS = {EDITION: _edition_begins, LIMITS: _limits_begin, ROTATION: _rotation_begins, RELEASE: _unreleased}
_ENDS = {EDITION: _no_longer, LIMITS: _limits_end, ROTATION: _rotation_ends, RELEASE: _released}
