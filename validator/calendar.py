"""Calendars: the terms by which decks are judged over the years, the days on which they change, and the changes.

A Breakpoint is such a day with its source. A Change is an error of one deck that starts or ends on such a day.
`validator.timeline` compares the verdicts of two days by their changes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, NamedTuple, TypedDict

from validator import limits, words
from validator.bounds import MOST_CALENDARS, MOST_CHANGED_CARDS
from validator.field_docs import DayText, doc
from validator.findings import WARNING, Citation, CitationJSON, Finding, NamedCard, NamedJSON
from validator.judge import Terms
from validator.language import ENGLISH, Language, Translatable, phrase
from validator.limits import GameLists, InForce
from validator.rules import Policy
from validator.rules.official_list import BANNED, NOT_IN_POOL, PAIR_BANNED, RESTRICTED
from validator.rules.release import UNRELEASED
from validator.rules.rotation import ROTATED
from validator.rulesets import Ruleset, of_game, rulesets, successive
from validator.rulesets.ruleset import statement_values

EDITION, LIMITS, ROTATION, RELEASE = CAUSES = ("edition", "limits", "rotation", "release")
LAST_DAY = date(2049, 12, 31)  # rotation has no end, but later rules are unknown
_DAY = timedelta(days=1)


class Breakpoint(NamedTuple):
    """A day on which the terms change, with its cause (one of CAUSES) and its citation.

    `source` is the address of the announcement, "" if it has none. `announced` is the day of the announcement, None if
    unknown. `numbers` are the numbers of the cards that may be affected, None if all may be.
    """

    day: date
    cause: str
    cite: Citation
    source: str = ""
    announced: date | None = None
    numbers: frozenset[str] | None = None


@dataclass(frozen=True)
class Calendar:
    """All terms by which decks of a game are judged in one region, format and length of match under one policy.

    `edition` is the id of a ruleset that is used on every day. If it is None, each ruleset is used on its own days.
    `lists` are the official lists, None for those that ship. The release of cards is no event of a calendar, because
    it depends on the cards of a deck.
    """

    game: str
    region: str = "en"
    format: str = "standard"
    policy: Policy = field(default_factory=Policy)
    edition: str | None = None
    best_of: int | None = None
    lists: GameLists | None = None

    @property
    def official(self) -> GameLists:
        """The official lists of the calendar: `lists`, by default those that ship."""
        return self.lists or limits.shipped_lists(self.game)

    def terms(self, day: date) -> Terms:
        """Return the terms of a day, by the fixed edition or else by the edition in force on that day.

        Raises ValueError if the format or the game does not exist, or the policy does not fit. Raises KeyError if the
        fixed edition does not exist. The region is not checked.
        """
        ruleset = rulesets()[self.edition] if self.edition else of_game(self.game, day)
        return Terms(ruleset, day, self.region, self.format, self.policy, self.best_of, lists=self.official)

    @property
    def of_lists(self) -> Calendar:
        """The same calendar without the release of cards, so that nothing changes between its events."""
        return replace(self, policy=replace(self.policy, release=False, release_delay_days=0))

    def since(self, day: date) -> date:
        """Return the day of the last event up to a day, `date.min` before the first event."""
        days = _event_days(self)
        found = bisect_right(days, day)
        return days[found - 1] if found else date.min

    def events(self, first: date, last: date) -> list[Breakpoint]:
        """Return the events after the first day up to the last day, in order."""
        return [event for event in _find_events(self) if first < event.day <= last]

    @property
    def first_day(self) -> date | None:
        """The first known day of the game's editions, its list's changes in the region, and its releases there.

        All editions count, even if one is fixed. None if there is none.
        """
        days = [edition.in_force_from for edition in successive(self.game) if edition.in_force_from]
        listed, sets = self.official.listed, self.official.sets
        days += listed.dates(self.region)
        region = listed.region_of_days(self.region)
        released = (card_set.released.get(region) for card_set in sets.by_code.values())
        days += (date.fromisoformat(release.day) for release in released if release)
        return min(days, default=None)


@lru_cache(MOST_CALENDARS)
def _find_events(calendar: Calendar) -> list[Breakpoint]:
    """Return all events of a calendar, sorted by day, then by the order of CAUSES. The result is cached and shared."""
    found = [
        *_edition_events(calendar),
        *_side_deck_events(calendar),
        *_limits_events(calendar),
        *_rotation_events(calendar),
    ]
    return sorted(found, key=lambda event: (event.day, CAUSES.index(event.cause)))


@lru_cache(MOST_CALENDARS)
def _event_days(calendar: Calendar) -> list[date]:
    """Return the different days of a calendar's events, sorted. The result is cached and shared."""
    return sorted({event.day for event in _find_events(calendar)})


def _edition_events(calendar: Calendar) -> Iterator[Breakpoint]:
    """Yield an event for each new edition with other rules than the one before it, on its first day.

    Sentences and citations of rules are not compared. The first edition is no event, and neither is one without a known
    first day. There is no event if the calendar has a fixed edition.
    """
    for before, after in pairwise(successive(calendar.game) if calendar.edition is None else ()):
        if after.in_force_from and _comparable_rules(before) != _comparable_rules(after):
            cite = Citation(after.document, phrase("in force from {day}", day=after.in_force_from))
            yield Breakpoint(after.in_force_from, EDITION, cite)


def _side_deck_events(calendar: Calendar) -> Iterator[Breakpoint]:
    """Yield an event for each edition's rule on side decks by length of match, on the first day of that rule.

    The rule must allow a side deck for the calendar's `best_of`. Its first day must be a day of that edition, unless
    the calendar has a fixed edition.
    """
    editions = [rulesets()[calendar.edition]] if calendar.edition else successive(calendar.game)
    for index, ruleset in enumerate(editions):
        rule = ruleset.match_side_deck
        later = next((edition.in_force_from for edition in editions[index + 1 :]), None)
        is_within = rule and (ruleset.in_force_from or date.min) <= rule.since < (later or date.max)
        if rule and (is_within or calendar.edition) and rule.allows(rule.since, calendar.best_of):
            yield Breakpoint(rule.since, EDITION, rule.cite)


def _comparable_rules(ruleset: Ruleset) -> list[object]:
    """Return the `(class, values)` of each rule of an edition, those for a side deck included, to compare editions.

    Sentences are "" and citations are left out.
    """
    rules = (*ruleset.rules.values(), *ruleset.with_side_deck.values())
    return [(kind, values | {"says": ""}) for kind, values in map(statement_values, rules)]


def _limits_events(calendar: Calendar) -> Iterator[Breakpoint]:
    """Yield the events of the official list in the calendar's region and length of match.

    A change without a known first day is two events: the first possible day and the first certain one. An unknown day
    is no event. There is none at all if the policy ignores the list.
    """
    listed = calendar.official.listed
    for change in listed.changes_of(calendar.region) if calendar.policy.limits else ():
        if change.binds_in(calendar.best_of):
            for day in sorted({change.possible, change.day} - {date.max}):
                cite = Citation(listed.title, change.stated or phrase("from {day}", day=day))
                numbers = _changed_numbers(
                    *(listed.in_force_on(list_day, calendar.region, calendar.best_of) for list_day in (day - _DAY, day))
                )
                yield Breakpoint(day, LIMITS, cite, change.source, change.announced, numbers)


def _changed_numbers(before: InForce, after: InForce) -> frozenset[str] | None:
    """Return the numbers of the cards whose entries differ between two lists. None if the card pools differ."""
    if before.pool != after.pool:
        return None
    changed = before.entries.items() ^ after.entries.items()
    return frozenset(number for numbers, _ in changed for number in numbers)


def _rotation_events(calendar: Calendar) -> Iterator[Breakpoint]:
    """Yield an event for each day up to LAST_DAY on which a block leaves the calendar's format.

    There is no event if the game has no rotation, or if the format allows all blocks.
    """
    rotation = calendar.official.rotation
    for day in rotation.dates(LAST_DAY) if rotation else ():
        if rotation and rotation.legal_blocks(calendar.format, day) is not None:
            yield Breakpoint(day, ROTATION, rotation.citation(day), rotation.source, rotation.announced)


_CAUSE_OF = {
    BANNED.name: LIMITS,
    RESTRICTED.name: LIMITS,
    PAIR_BANNED.name: LIMITS,
    NOT_IN_POOL.name: LIMITS,
    ROTATED.name: ROTATION,
    UNRELEASED.name: RELEASE,
}


class ChangeJSON(TypedDict):
    """A day and cause on which findings of one code begin or end, as JSON.

    `source` and `announced` are null if the cause has no announcement with an address or a day.
    """

    on: DayText
    cause: Annotated[str, doc(enum=CAUSES)]
    code: Annotated[str, doc("The code of the findings that begin or end.")]
    begins: Annotated[bool, doc("True if findings begin, false if they end.")]
    says: Annotated[str, doc("The change, in a sentence.")]
    cards: list[NamedJSON]
    rule: CitationJSON
    source: Annotated[str | None, doc("The address of the announcement.")]
    announced: Annotated[DayText | None, doc("The day of the announcement.")]


@dataclass(frozen=True, slots=True)
class Change(Translatable):
    """Findings on a deck of one code, severity and limit that all begin on a day, or all end on it, with the event.

    `event` is the cause of the change, with the day and the source. `begins` is False if the findings end. There is at
    least one finding.
    """

    event: Breakpoint
    findings: tuple[Finding, ...]
    begins: bool

    @property
    def code(self) -> str:
        """The code of the findings. They all have the same code."""
        return self.findings[0].code

    @property
    def cards(self) -> tuple[NamedCard, ...]:
        """The cards that the findings are about, without duplicates, in the order of the findings."""
        return tuple(dict.fromkeys(card for finding in self.findings for card in finding.cards))

    def render(self, translate: Language) -> str:
        """Return the change as a sentence of a language, without its full stop: "OP01-001 Zoro is banned".

        The sentence depends on the cause of the event and on `begins`.
        """
        made = _BEGINS if self.begins else _ENDS
        return made[self.event.cause](self, translate)

    def as_dict(self, translate: Language = ENGLISH) -> ChangeJSON:
        """Return the change as JSON, with its sentence in a language."""
        event = self.event
        return {
            "on": event.day.isoformat(),
            "cause": event.cause,
            "code": self.code,
            "begins": self.begins,
            "says": translate("{text}.", text=self.render(translate)),
            "cards": [{"number": card.number, "name": card.name} for card in self.cards],
            "rule": event.cite.as_dict(),
            "source": event.source or None,
            "announced": event.announced.isoformat() if event.announced else None,
        }


def finding_key(finding: Finding) -> tuple[object, ...]:
    """Return a key that is equal for the same finding of a deck on different days.

    It has the code, the severity, the section, the cards, the keyword, the line and the numbers, but no citation and no
    details.
    """
    numbers = finding.count, finding.limit, finding.minimum
    return finding.code, finding.severity, finding.section, finding.cards, finding.keyword, finding.line, numbers


def compare_findings(
    day: date, before: Sequence[Finding], after: Sequence[Finding], events: Sequence[Breakpoint]
) -> list[Change]:
    """Return the changes of a deck's findings on a day: those that begin, then those that end.

    Each has the findings of one code, severity and limit. `before` and `after` are the findings of the day before and
    of the day, compared by `finding_key`. A finding that is replaced by one of the same code on the same cards does not
    end. `events` are the events of that day. A finding on a release needs no event. For any other one IndexError is
    raised if there is none.
    """
    old, new = _findings_by_key(before, after), _findings_by_key(after, before)
    begun = [finding for key, finding in new.items() if key not in old]
    replaced = {(finding.code, finding.cards) for finding in begun}
    ended = [
        finding for key, finding in old.items() if key not in new and (finding.code, finding.cards) not in replaced
    ]
    return [*_group_changes(day, begun, True, events), *_group_changes(day, ended, False, events)]


def _findings_by_key(findings: Iterable[Finding], other_findings: Iterable[Finding]) -> dict[object, Finding]:
    """Return the findings by `finding_key`, without those that are the same objects in `other_findings`."""
    other_ids = set(map(id, other_findings))
    return {finding_key(finding): finding for finding in findings if id(finding) not in other_ids}


def _group_changes(
    day: date, findings: Iterable[Finding], begins: bool, events: Sequence[Breakpoint]
) -> Iterator[Change]:
    """Yield one change for all findings of the same code, severity and limit.

    `begins` is False for findings that end. Raises the errors of `_find_event`.
    """
    groups: dict[tuple[str, str, object], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.code, finding.severity, finding.limit), []).append(finding)
    for group in groups.values():
        yield Change(_find_event(day, group[0], begins, events), tuple(group), begins)


def _find_event(day: date, finding: Finding, begins: bool, events: Sequence[Breakpoint]) -> Breakpoint:
    """Return the event of the day that causes a finding: the first event of its kind, else the first event of the day.

    For a release an event is made from the finding's citation. If a finding on the official list begins, the event has
    the citation, source and announcement of its entry. Raises IndexError if an event is needed and `events` is empty.
    """
    cause = _CAUSE_OF.get(finding.code, EDITION)
    if cause == RELEASE:
        return Breakpoint(day, RELEASE, finding.rule)
    event = next((candidate for candidate in events if candidate.cause == cause), events[0])
    entry = finding.limits
    if begins and entry and cause == LIMITS:
        announced = date.fromisoformat(entry.announced) if entry.announced else None
        return event._replace(cite=finding.rule, source=entry.source, announced=announced)
    return event


def _name_cards(change: Change, translate: Language) -> str:
    """Return the number and name of each card of a change, joined with "and".

    Of more than MOST_CHANGED_CARDS + 1 cards only MOST_CHANGED_CARDS are named, followed by "5 more cards".
    """
    named = [card.label for card in change.cards]
    if len(named) > MOST_CHANGED_CARDS + 1:
        more = len(named) - MOST_CHANGED_CARDS
        named = [*named[:MOST_CHANGED_CARDS], translate.plural("{count} more card", "{count} more cards", more)]
    return words.join_with_and(named, translate)


def _cards_sentence(singular: str, plural: str, change: Change, translate: Language, /, **values: object) -> str:
    """Return the translated template for one card or for several, with the change's cards as `{cards}`.

    `singular` and `plural` are the templates. `values` are further values of the template.
    """
    return translate.plural(singular, plural, len(change.cards), cards=_name_cards(change, translate), **values)


def _limits_begin_message(change: Change, translate: Language) -> str:
    """Return the sentence that cards are banned, restricted or out of the card pool.

    If a finding is a warning, they may be. The first finding decides on that. For a code without such a sentence it is
    the message of the first finding.
    """
    made = _MAY_BEGIN_MESSAGES if change.findings[0].severity == WARNING else _BEGIN_MESSAGES
    return (
        made[change.code](change, translate)
        if change.code in made
        else _message_without_stop(change.findings[0], translate)
    )


def _limits_end_message(change: Change, translate: Language) -> str:
    """Return the sentence that cards are no longer banned or restricted, or are in the card pool again.

    For a code without such a sentence it is that of a new edition that ends findings.
    """
    return (
        _END_MESSAGES[change.code](change, translate)
        if change.code in _END_MESSAGES
        else _edition_ends_message(change, translate)
    )


_Messages = Mapping[str, Callable[[Change, Language], str]]
_BEGIN_MESSAGES: _Messages = {
    BANNED.name: lambda change, translate: _cards_sentence(
        "{cards} is banned", "{cards} are banned", change, translate
    ),
    RESTRICTED.name: lambda change, translate: _cards_sentence(
        "{cards} is restricted to {limit}",
        "{cards} are restricted to {limit}",
        change,
        translate,
        limit=change.findings[0].limit,
    ),
    PAIR_BANNED.name: lambda change, translate: translate(
        "{cards} are banned from one deck", cards=_name_cards(change, translate)
    ),
    NOT_IN_POOL.name: lambda change, translate: _cards_sentence(
        "{cards} is not in the card pool", "{cards} are not in the card pool", change, translate
    ),
}
_MAY_BEGIN_MESSAGES: _Messages = {
    BANNED.name: lambda change, translate: translate(
        "{cards} may already be banned", cards=_name_cards(change, translate)
    ),
    RESTRICTED.name: lambda change, translate: translate(
        "{cards} may already be restricted to {limit}",
        cards=_name_cards(change, translate),
        limit=change.findings[0].limit,
    ),
    PAIR_BANNED.name: lambda change, translate: translate(
        "{cards} may already be banned from one deck", cards=_name_cards(change, translate)
    ),
}
_END_MESSAGES: _Messages = {
    BANNED.name: lambda change, translate: _cards_sentence(
        "{cards} is no longer banned", "{cards} are no longer banned", change, translate
    ),
    RESTRICTED.name: lambda change, translate: _cards_sentence(
        "{cards} is no longer restricted", "{cards} are no longer restricted", change, translate
    ),
    PAIR_BANNED.name: lambda change, translate: translate(
        "{cards} are no longer banned from one deck", cards=_name_cards(change, translate)
    ),
    NOT_IN_POOL.name: lambda change, translate: _cards_sentence(
        "{cards} is in the card pool again", "{cards} are in the card pool again", change, translate
    ),
}


def _rotation_begins_message(change: Change, translate: Language) -> str:
    """Return the sentence that named cards rotate out of the format: "Nami rotates (block 1)"."""
    blocks = sorted({str(finding.details["block"]) for finding in change.findings if "block" in finding.details})
    called = translate.plural(
        "block {blocks}", "blocks {blocks}", len(blocks), blocks=words.join_with_and(blocks, translate)
    )
    return _cards_sentence("{cards} rotates ({blocks})", "{cards} rotate ({blocks})", change, translate, blocks=called)


def _rotation_ends_message(change: Change, translate: Language) -> str:
    """Return the sentence that cards are in a block that is legal again in the format."""
    return _cards_sentence(
        "{cards} is in a block that is legal again", "{cards} are in a block that is legal again", change, translate
    )


def _release_message(change: Change, translate: Language) -> str:
    """Return the sentence on cards whose finding on the release ends.

    They are released, or legal after the policy's delay. If the findings are warnings, the release was uncertain and
    the cards "count as released".
    """
    if change.findings[0].severity == WARNING:
        return _cards_sentence("{cards} counts as released", "{cards} count as released", change, translate)
    if any(finding.details.get("delay_days") for finding in change.findings):
        return _cards_sentence("{cards} becomes legal", "{cards} become legal", change, translate)
    return _cards_sentence("{cards} is released", "{cards} are released", change, translate)


def _unreleased_message(change: Change, translate: Language) -> str:
    """Return the sentence on cards whose finding on the release begins: they are not released yet.

    If the findings are warnings, the cards may be released from this day on.
    """
    if change.findings[0].severity == WARNING:
        return _cards_sentence(
            "{cards} may be released from this day on", "{cards} may be released from this day on", change, translate
        )
    return _cards_sentence("{cards} is not released yet", "{cards} are not released yet", change, translate)


def _edition_begins_message(change: Change, translate: Language) -> str:
    """Return the sentence that an edition comes into force, with the message of the first finding that it causes."""
    return translate(
        "{document} comes into force: {first}",
        document=change.event.cite.document,
        first=_first_message(change, translate),
    )


def _edition_ends_message(change: Change, translate: Language) -> str:
    """Return the sentence that an edition comes into force and ends a rule, with the message of the first finding."""
    return translate(
        "{document} comes into force and ends this rule: {first}",
        document=change.event.cite.document,
        first=_first_message(change, translate),
    )


def _first_message(change: Change, translate: Language) -> str:
    """Return the message of the first finding without full stop.

    If there are more, it ends in "and N similar changes".
    """
    more, first = len(change.findings) - 1, _message_without_stop(change.findings[0], translate)
    return translate("{first}, and {more} similar changes", first=first, more=more) if more else first


def _message_without_stop(finding: Finding, translate: Language) -> str:
    """Return the message of a finding in a language, without its full stop."""
    return finding.kind.message(finding, translate).rstrip(".。")


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
