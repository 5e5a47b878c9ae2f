"""Impact: whose deck becomes illegal or legal because limits lists, rules or the rotation change."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from api.events.base_desk import BaseDesk, EventAccess, PartDesk, limited_concurrency, reply
from api.events.event_json import AffectedJSON, ImpactDayJSON, ImpactJSON, ProposalImpactJSON, ReasonJSON
from api.events.own_list import compare_limits
from api.events.players.entrant import Entrant
from api.events.storage.idempotency import Reply
from api.service.errors import Invalid, Wrong
from api.service.judges import Judges
from validator.documents import Document
from validator.errors import DocumentError, error_sentence
from validator.findings import ERROR, Finding, NamedJSON
from validator.judge import Judge
from validator.language import Language, phrase
from validator.limits import proposals


class Proposal(NamedTuple):
    """A limits list that is not in force yet, to try: typed lines, or the text of a TOML file.

    If `file` is not "", `lines` and `first_day` are ignored: a file has days of its own. `lines` take effect on
    `first_day`, by default on the day that is checked.
    """

    lines: str = ""
    file: str = ""
    first_day: date | None = None


class ImpactDesk(PartDesk):
    """Compares the legality of the registered lists of an event by two sets of limits and rules. Nothing is written."""

    def __init__(self, desk: BaseDesk, judges: Judges) -> None:
        super().__init__(desk)
        self._judges = judges

    @limited_concurrency
    def compare_days(self, access: EventAccess, before: date | None, after: date | None) -> Reply:
        """Answer with the decks that are legal on only one of two days, in two groups, and the rules of both days.

        `before` None is the current day in the event's time zone, `after` None is the event's day. Only lists that the
        caller sees now are judged, of duplicate registrations only the one that counts. Raises Busy if too many
        requests wait.
        """
        asked = access.event.terms
        days = before or self._judges.today(timezone=access.event.timezone).day, after or access.event.on
        first, then = (self._judges.judge(asked._replace(on=day)) for day in days)
        return reply(200, impact(self._visible_entrants(access), first, then, access.translate))

    @limited_concurrency
    def try_proposal(self, access: EventAccess, proposal: Proposal, day: date | None) -> Reply:
        """Answer with the decks that a proposed limits list makes illegal or legal on a day, None for the event's day.

        The answer also has `changes`: each card whose allowed copies differ from the current lists of the event. Only
        lists that the caller sees now are judged, of duplicate registrations only the one that counts. Raises Invalid
        if the proposal is wrong, Busy if too many requests wait.
        """
        asked = access.event.terms._replace(on=day or access.event.on)
        official = self._judges.judge(asked)
        pointer = "/file" if proposal.file else "/lines"
        try:
            document = self._document(official, proposal)
            proposed = self._judges.proposed_judge(asked, document)
        except DocumentError as error:
            raise Invalid([Wrong(pointer, error_sentence(error))]) from None
        found = impact(self._visible_entrants(access), official, proposed, access.translate)
        shown: ProposalImpactJSON = {
            **found,
            "changes": compare_limits(official.terms.in_force, proposed.terms.in_force),
        }
        return reply(200, shown)

    def _document(self, official: Judge, proposal: Proposal) -> Document:
        """Return a proposal as the parsed content of a limits file. Raises DocumentError if its text is wrong.

        Typed lines become one change, for the region of the terms of `official`. `official` is the Judge without the
        proposal. It also gives the names of the cards. Raises Invalid if lines take effect after the day to judge for.
        """
        if proposal.file:
            return proposals.parse_file(proposal.file)
        terms = official.terms
        first_day = proposal.first_day or terms.on
        if first_day > terms.on:
            wrong = phrase(
                "The list begins after {day}, the day to judge for. Write an earlier first day.", day=terms.on
            )
            raise Invalid([Wrong("/first_day", wrong)])
        listed = terms.lists.listed
        region = listed.region_of_days(terms.region)
        return {"change": [proposals.parse_lines(proposal.lines, first_day, region, _name_finder(official))]}

    def _visible_entrants(self, access: EventAccess) -> list[Entrant]:
        """Return the registrations whose lists the caller sees now, also those without a list.

        Of duplicates only the one that counts is returned.
        """
        now = self._desk.now()
        with self._desk.store.reading() as reader:
            counted = self._desk.duplicates(reader, access.event).counted_registrations
            return [entrant for entrant in counted if access.sees_list(entrant, now)]


def _name_finder(judge: Judge) -> proposals.Names:
    """Return a function from a card number to the card's name in the official list, else in the catalogue.

    The function returns None if neither has the number.
    """
    rulings = judge.terms.lists.listed.rulings(judge.terms.region)
    listed = {number: name for ruling in rulings for number, name in zip(ruling.numbers, ruling.names, strict=True)}

    def name(number: str) -> str | None:
        """Return the name of a card by number: the official list's, else the catalogue's. None if neither has it."""
        card = judge.catalogue.by_number(number)
        return listed.get(number) or (card.name if card else None)

    return name


def impact(entrants: Iterable[Entrant], before: Judge, after: Judge, translate: Language) -> ImpactJSON:
    """Return the decks that are legal under only one of two Judges, with the terms of both and the number of lists.

    `before` and `after` are the Judges. Each affected player has the errors of the deck under `after`. So a deck that
    becomes legal has none. Registrations without a list are left out.
    """
    changed: dict[bool, list[AffectedJSON]] = {True: [], False: []}
    judged = 0
    for one in entrants:
        if (deck := one.revision.deck) is not None:
            judged += 1
            then = after(deck)
            if before(deck).legal != then.legal:
                findings = [_reason_json(each, translate) for each in then.findings if each.severity == ERROR]
                changed[then.legal].append({"id": one.id, "player": one.player, "because": findings})
    return {
        "before": _day_json(before),
        "after": _day_json(after),
        "lists": judged,
        "illegal": changed[False],
        "legal": changed[True],
    }


def _day_json(judge: Judge) -> ImpactDayJSON:
    """Return the terms that a Judge judges by as JSON: the day, the ruleset, the limits list and the card data."""
    made_with = judge.made_with
    return {
        "on": made_with["on"],
        "ruleset": made_with["ruleset"],
        "limits": made_with["limits"],
        "catalogue": made_with["catalogue"],
    }


def _reason_json(finding: Finding, translate: Language) -> ReasonJSON:
    """Return a finding as JSON: its code, its message in a language, and the cards that it is about."""
    cards: list[NamedJSON] = [{"number": card.number, "name": card.name} for card in finding.cards]
    return {"code": finding.code, "message": finding.kind.message(finding, translate), "cards": cards}
