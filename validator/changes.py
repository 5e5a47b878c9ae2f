"""Changes: findings that begin or end on a day, with the reason and its source."""

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
        """Return the change as a sentence of a language, without its full stop."""
        made = _BEGINS if self.begins else _ENDS
        return made[self.event.cause](self, say)

    def as_dict(self, say: Language = ENGLISH) -> dict[str, Any]:
        """Return the JSON form."""
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
    """Return the key of a finding. Equal keys on different days are the same finding of a deck."""
    numbers = finding.count, finding.limit, finding.minimum
    return finding.code, finding.severity, finding.section, finding.cards, finding.keyword, finding.line, numbers


def changes(
    day: date, before: Sequence[Finding], after: Sequence[Finding], events: Sequence[Breakpoint]
) -> list[Change]:
    """Return the findings of a deck that begin on a day, and those that end on it.

    `events` are the events of that day without releases. A finding on a release contains its day itself.
    """
    old, new = _findings_by_key(before, after), _findings_by_key(after, before)
    begun = [finding for key, finding in new.items() if key not in old]
    replaced = {(finding.code, finding.cards) for finding in begun}
    ended = [
        finding for key, finding in old.items() if key not in new and (finding.code, finding.cards) not in replaced
    ]
    return [*_group_changes(day, begun, True, events), *_group_changes(day, ended, False, events)]


def _findings_by_key(findings: Iterable[Finding], others: Iterable[Finding]) -> dict[object, Finding]:
    """Return the findings by key, without those that are also in `others`."""
    other_ids = set(map(id, others))
    return {same(finding): finding for finding in findings if id(finding) not in other_ids}


def _group_changes(
    day: date, findings: Iterable[Finding], begins: bool, events: Sequence[Breakpoint]
) -> Iterator[Change]:
    """Yield one change for all findings of the same code, severity and limit."""
    groups: dict[tuple[str, str, object], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.code, finding.severity, finding.limit), []).append(finding)
    for group in groups.values():
        yield Change(_find_event(day, group[0], begins, events), tuple(group), begins)


def _find_event(day: date, finding: Finding, begins: bool, events: Sequence[Breakpoint]) -> Breakpoint:
    """Return the event of the day that causes a finding: the event of its kind, else the first."""
    cause = _CAUSE_OF.get(finding.code, EDITION)
    if cause == RELEASE:
        return Breakpoint(day, RELEASE, finding.rule)
    event = next((candidate for candidate in events if candidate.cause == cause), events[0])
    entry = finding.limits
    if begins and entry and cause == LIMITS:
        announced = date.fromisoformat(entry.announced) if entry.announced else None
        return event._replace(cite=finding.rule, source=entry.source, announced=announced)
    return event


def _name_cards(change: Change, say: Language) -> str:
    """Return the cards of a change in words. At most MOST_CHANGED_CARDS are named if there are many more."""
    named = [card.label for card in change.cards]
    if len(named) > MOST_CHANGED_CARDS + 1:
        more = len(named) - MOST_CHANGED_CARDS
        named = [*named[:MOST_CHANGED_CARDS], say.plural("{count} more card", "{count} more cards", more)]
    return words.joined(named, say)


def _cards_sentence(singular: str, plural: str, change: Change, say: Language, /, **values: object) -> str:
    """Return the sentence of a change of one card, or of several."""
    return say.plural(singular, plural, len(change.cards), cards=_name_cards(change, say), **values)


def _limits_begin_message(change: Change, say: Language) -> str:
    """Return the sentence on an entry of the official list that begins."""
    made = _MAY_BEGIN_MESSAGES if change.findings[0].severity == WARNING else _BEGIN_MESSAGES
    return made[change.code](change, say) if change.code in made else _message_without_stop(change.findings[0], say)


def _limits_end_message(change: Change, say: Language) -> str:
    """Return the sentence on an entry of the official list that ends."""
    return (
        _END_MESSAGES[change.code](change, say) if change.code in _END_MESSAGES else _edition_ends_message(change, say)
    )


_Messages = Mapping[str, Callable[[Change, Language], str]]
_BEGIN_MESSAGES: _Messages = {
    BANNED.name: lambda change, say: _cards_sentence("{cards} is banned", "{cards} are banned", change, say),
    RESTRICTED.name: lambda change, say: _cards_sentence(
        "{cards} is restricted to {limit}",
        "{cards} are restricted to {limit}",
        change,
        say,
        limit=change.findings[0].limit,
    ),
    PAIR_BANNED.name: lambda change, say: say("{cards} are banned from one deck", cards=_name_cards(change, say)),
}
_MAY_BEGIN_MESSAGES: _Messages = {
    BANNED.name: lambda change, say: say("{cards} may already be banned", cards=_name_cards(change, say)),
    RESTRICTED.name: lambda change, say: say(
        "{cards} may already be restricted to {limit}", cards=_name_cards(change, say), limit=change.findings[0].limit
    ),
    PAIR_BANNED.name: lambda change, say: say(
        "{cards} may already be banned from one deck", cards=_name_cards(change, say)
    ),
}
_END_MESSAGES: _Messages = {
    BANNED.name: lambda change, say: _cards_sentence(
        "{cards} is no longer banned", "{cards} are no longer banned", change, say
    ),
    RESTRICTED.name: lambda change, say: _cards_sentence(
        "{cards} is no longer restricted", "{cards} are no longer restricted", change, say
    ),
    PAIR_BANNED.name: lambda change, say: say(
        "{cards} are no longer banned from one deck", cards=_name_cards(change, say)
    ),
}


def _rotation_begins_message(change: Change, say: Language) -> str:
    """Return the sentence on cards whose block leaves the format."""
    blocks = sorted({str(finding.details["block"]) for finding in change.findings if "block" in finding.details})
    called = say.plural("block {blocks}", "blocks {blocks}", len(blocks), blocks=words.joined(blocks, say))
    return _cards_sentence("{cards} rotates ({blocks})", "{cards} rotate ({blocks})", change, say, blocks=called)


def _rotation_ends_message(change: Change, say: Language) -> str:
    """Return the sentence on cards whose block is legal again."""
    return _cards_sentence(
        "{cards} is of a block that is taken again", "{cards} are of a block that is taken again", change, say
    )


def _release_message(change: Change, say: Language) -> str:
    """Return the sentence on cards that become legal by their release."""
    if change.findings[0].severity == WARNING:
        return _cards_sentence("{cards} counts as released", "{cards} count as released", change, say)
    if any(finding.details.get("delay_days") for finding in change.findings):
        return _cards_sentence("{cards} becomes legal", "{cards} become legal", change, say)
    return _cards_sentence("{cards} is released", "{cards} are released", change, say)


def _unreleased_message(change: Change, say: Language) -> str:
    """Return the sentence on cards that are not legal before their release."""
    if change.findings[0].severity == WARNING:
        return _cards_sentence(
            "{cards} may be released from this day on", "{cards} may be released from this day on", change, say
        )
    return _cards_sentence("{cards} is not released yet", "{cards} are not released yet", change, say)


def _edition_begins_message(change: Change, say: Language) -> str:
    """Return the sentence on a new edition that causes findings."""
    return say(
        "{document} comes into force: {first}", document=change.event.cite.document, first=_first_message(change, say)
    )


def _edition_ends_message(change: Change, say: Language) -> str:
    """Return the sentence on a new edition that ends findings."""
    return say(
        "{document} comes into force, by which this no longer holds: {first}",
        document=change.event.cite.document,
        first=_first_message(change, say),
    )


def _first_message(change: Change, say: Language) -> str:
    """Return the message of the first finding and the number of further ones."""
    more, first = len(change.findings) - 1, _message_without_stop(change.findings[0], say)
    return say("{first}, and {more} more like it", first=first, more=more) if more else first


def _message_without_stop(finding: Finding, say: Language) -> str:
    """Return the message of a finding without its full stop."""
    return finding.kind.message(finding, say).rstrip(".。")


_BEGINS = {
    EDITION: _edition_begins_message,
    LIMITS: _limits_begin_message,
    ROTATION: _rotation_begins_message,
    RELEASE: _unreleased_message,
}
_ENDS = {
    EDITION: _edition_ends_message,
    LIMITS: _limits_end_message,
    ROTATION: _rotation_ends_message,
    RELEASE: _release_message,
}
