"""Changes: what begins or ends to be wrong with a deck on a day, why, and where that is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from validator import words
from validator.bounds import MOST_CHANGED_CARDS
from validator.calendar import EDITION, LIMITS, RELEASE, ROTATION, Breakpoint
from validator.findings import WARNING, Finding, NamedCard
from validator.language import ENGLISH, Language, Sayable
from validator.rules.official_list import BANNED, PAIR_BANNED, RESTRICTED
from validator.rules.release import UNRELEASED
from validator.rules.rotation import ROTATED

_CAUSE_OF = {
    BANNED.name: LIMITS,
    RESTRICTED.name: LIMITS,
    PAIR_BANNED.name: LIMITS,
    ROTATED.name: ROTATION,
    UNRELEASED.name: RELEASE,
}


@dataclass(frozen=True, slots=True)
class Change(Sayable):
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

    def said(self, say: Language) -> str:
        """Return the change in a sentence of a language, without its full stop."""
        made = _BEGINS if self.begins else _ENDS
        return made[self.event.cause](self, say)

    def as_dict(self, say: Language = ENGLISH) -> dict[str, Any]:
        """Return the public form."""
        event = self.event
        return {
            "on": event.day.isoformat(),
            "cause": event.cause,
            "code": self.code,
            "begins": self.begins,
            "says": say("{text}.", text=self.said(say)),
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


def _cards(of: Change, say: Language) -> str:
    """Return the cards in words, as many as can be taken in."""
    named = [card.label for card in of.cards]
    if len(named) > MOST_CHANGED_CARDS + 1:
        more = len(named) - MOST_CHANGED_CARDS
        named = [*named[:MOST_CHANGED_CARDS], say.plural("{count} more card", "{count} more cards", more)]
    return words.joined(named, say)


def _of_cards(one: str, many: str, of: Change, say: Language, /, **values: object) -> str:
    """Return the sentence of a change of one card, or of several."""
    return say.plural(one, many, len(of.cards), cards=_cards(of, say), **values)


def _limits_begin(of: Change, say: Language) -> str:
    made = _MAY_BEGIN if of.findings[0].severity == WARNING else _LISTED
    return made[of.code](of, say) if of.code in made else _without_stop(of.findings[0], say)


def _limits_end(of: Change, say: Language) -> str:
    return _UNLISTED[of.code](of, say) if of.code in _UNLISTED else _no_longer(of, say)


_Telling = Mapping[str, Callable[[Change, Language], str]]
_LISTED: _Telling = {
    BANNED.name: lambda of, say: _of_cards("{cards} is banned", "{cards} are banned", of, say),
    RESTRICTED.name: lambda of, say: _of_cards(
        "{cards} is restricted to {limit}", "{cards} are restricted to {limit}", of, say, limit=of.findings[0].limit
    ),
    PAIR_BANNED.name: lambda of, say: say("{cards} are banned from one deck", cards=_cards(of, say)),
}
_MAY_BEGIN: _Telling = {
    BANNED.name: lambda of, say: say("{cards} may already be banned", cards=_cards(of, say)),
    RESTRICTED.name: lambda of, say: say(
        "{cards} may already be restricted to {limit}", cards=_cards(of, say), limit=of.findings[0].limit
    ),
    PAIR_BANNED.name: lambda of, say: say("{cards} may already be banned from one deck", cards=_cards(of, say)),
}
_UNLISTED: _Telling = {
    BANNED.name: lambda of, say: _of_cards("{cards} is no longer banned", "{cards} are no longer banned", of, say),
    RESTRICTED.name: lambda of, say: _of_cards(
        "{cards} is no longer restricted", "{cards} are no longer restricted", of, say
    ),
    PAIR_BANNED.name: lambda of, say: say("{cards} are no longer banned from one deck", cards=_cards(of, say)),
}


def _rotation_begins(of: Change, say: Language) -> str:
    blocks = sorted({str(finding.details["block"]) for finding in of.findings if "block" in finding.details})
    called = say.plural("block {blocks}", "blocks {blocks}", len(blocks), blocks=words.joined(blocks, say))
    return _of_cards("{cards} rotates ({blocks})", "{cards} rotate ({blocks})", of, say, blocks=called)


def _rotation_ends(of: Change, say: Language) -> str:
    return _of_cards("{cards} is of a block that is taken again", "{cards} are of a block that is taken again", of, say)


def _released(of: Change, say: Language) -> str:
    if of.findings[0].severity == WARNING:
        return _of_cards("{cards} counts as released", "{cards} count as released", of, say)
    if any(finding.details.get("delay_days") for finding in of.findings):
        return _of_cards("{cards} becomes legal", "{cards} become legal", of, say)
    return _of_cards("{cards} is released", "{cards} are released", of, say)


def _unreleased(of: Change, say: Language) -> str:
    if of.findings[0].severity == WARNING:
        return _of_cards(
            "{cards} may be released from this day on", "{cards} may be released from this day on", of, say
        )
    return _of_cards("{cards} is not released yet", "{cards} are not released yet", of, say)


def _edition_begins(of: Change, say: Language) -> str:
    return say("{document} comes into force: {first}", document=of.event.cite.document, first=_first(of, say))


def _no_longer(of: Change, say: Language) -> str:
    return say(
        "{document} comes into force, by which this no longer holds: {first}",
        document=of.event.cite.document,
        first=_first(of, say),
    )


def _first(of: Change, say: Language) -> str:
    more, first = len(of.findings) - 1, _without_stop(of.findings[0], say)
    return say("{first}, and {more} more like it", first=first, more=more) if more else first


def _without_stop(finding: Finding, say: Language) -> str:
    return finding.kind.message(finding, say).rstrip(".。")


_BEGINS = {EDITION: _edition_begins, LIMITS: _limits_begin, ROTATION: _rotation_begins, RELEASE: _unreleased}
_ENDS = {EDITION: _no_longer, LIMITS: _limits_end, ROTATION: _rotation_ends, RELEASE: _released}
