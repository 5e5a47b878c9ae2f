"""Impact: whose deck becomes illegal or legal because limits lists, rules or the rotation change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple

from api.events.event_json import (
    AffectedJSON,
    ImpactDayJSON,
    ImpactJSON,
    ProposalImpactJSON,
    ProposedChangeJSON,
    ReasonJSON,
)
from api.events.look_turns import limited_concurrency
from api.events.players.entrant import Entrant
from api.events.registration_desk import EventAccess, RegistrationDesk, reply
from api.events.storage.idempotency import Reply
from api.service.answers.verdict_answers import NamedJSON
from api.service.errors import Invalid, Wrong
from api.service.judges import Judges
from validator import limits
from validator.errors import DocumentError
from validator.findings import ERROR, Finding
from validator.judge import Judge
from validator.language import Language, phrase
from validator.limits import proposals
from validator.limits.lists import compared


class Proposal(NamedTuple):
    """A limits list that does not ship yet: typed lines, or the text of a file.

    `lines` take effect on `first_day`, by default the day that is checked. A file has days of its own.
    """

    lines: str = ""
    file: str = ""
    first_day: date | None = None


class ImpactDesk:
    """What changes of lists and rules do to the registrations of a registration desk. Nothing is written."""

    def __init__(self, desk: RegistrationDesk, judges: Judges) -> None:
        self._desk = desk
        self._judges = judges
        self.looks = desk.looks

    @limited_concurrency
    def compare_days(self, at: EventAccess, before: date | None, after: date | None) -> Reply:
        """Return the decks that are legal on only one of two days, by default today and the event's day."""
        asked = at.event.asked
        days = before or self._judges.today(timezone=at.event.timezone).day, after or at.event.on
        first, then = (self._judges.judge(asked._replace(on=day)) for day in days)
        return reply(200, impact(self._seen(at), first, then, at.say))

    @limited_concurrency
    def try_proposal(self, at: EventAccess, proposal: Proposal, on: date | None) -> Reply:
        """Return the decks that a proposed limits list makes illegal or legal on a day, by default the event's day.

        The answer also has each difference to the list that ships. Raises Invalid if the proposal is wrong.
        """
        asked = at.event.asked._replace(on=on or at.event.on)
        official = self._judges.judge(asked)
        pointer = "/file" if proposal.file else "/lines"
        try:
            document = self._document(official, proposal)
            proposed = self._judges.proposed_judge(asked, document)
        except DocumentError as error:
            raise Invalid([Wrong(pointer, f"{str(error).rstrip('.')}.")]) from None
        found = impact(self._seen(at), official, proposed, at.say)
        shown: ProposalImpactJSON = {**found, "changes": _differences(official, proposed)}
        return reply(200, shown)

    def _document(self, official: Judge, proposal: Proposal) -> Mapping[str, Any]:
        """Return a proposal as the document of a limits file."""
        if proposal.file:
            return proposals.parse_file(proposal.file)
        terms = official.terms
        first_day = proposal.first_day or terms.on
        if first_day > terms.on:
            wrong = phrase(
                "The list begins after {day}, the day to judge for. Write an earlier first day.", day=terms.on
            )
            raise Invalid([Wrong("/first_day", wrong)])
        listed = limits.load(terms.ruleset.game)
        region = listed.region_of_days(terms.region)
        return {"change": [proposals.parse_lines(proposal.lines, first_day, region, _names(official))]}

    def _seen(self, at: EventAccess) -> list[Entrant]:
        """Return the registrations that count and that the caller sees."""
        now = self._desk.now()
        with self._desk.store.reading() as reader:
            counted = self._desk.duplicates(reader, at.event).counted
            return [entrant for entrant in counted if at.sees(entrant, now)]


def _names(judge: Judge) -> proposals.Names:
    """Return the function that finds a card's name: that of the official list, else that of the catalogue."""
    rulings = limits.load(judge.terms.ruleset.game).rulings(judge.terms.region)
    listed = {number: name for ruling in rulings for number, name in zip(ruling.numbers, ruling.names, strict=True)}

    def name(number: str) -> str | None:
        card = judge.catalogue.by_number(number)
        return listed.get(number) or (card.name if card else None)

    return name


def _differences(official: Judge, proposed: Judge) -> list[ProposedChangeJSON]:
    """Return the differences of a proposed list; none if the event leaves the limits list out."""
    before, after = official.terms.in_force, proposed.terms.in_force
    if before is None or after is None:
        return []
    return [
        {
            "cards": [{"number": number, "name": name} for number, name in zip(one.numbers, one.names, strict=True)],
            "before": one.before.limit if one.before else None,
            "limit": one.after.limit if one.after else None,
        }
        for one in compared(before, after)
    ]


def impact(entrants: Iterable[Entrant], before: Judge, after: Judge, say: Language) -> ImpactJSON:
    """Return whose decks become illegal from the terms of one Judge to those of another, and why, and whose legal."""
    changed: dict[bool, list[AffectedJSON]] = {True: [], False: []}
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


def _day(judge: Judge) -> ImpactDayJSON:
    made_with = judge.made_with
    return {
        "on": made_with["on"],
        "ruleset": made_with["ruleset"],
        "limits": made_with["limits"],
        "catalogue": made_with["catalogue"],
    }


def _because(finding: Finding, say: Language) -> ReasonJSON:
    cards: list[NamedJSON] = [{"number": card.number, "name": card.name} for card in finding.cards]
    return {"code": finding.code, "message": finding.kind.message(finding, say), "cards": cards}
