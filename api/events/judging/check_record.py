"""Check records: a deck check as it is kept; what differs, the penalty and what is suggested are made anew on read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Self

from api.events.judging import penalties
from api.events.judging.deck_checks import GRACE, BoxDifference, CheckClock, DeckCheck, difference
from api.events.judging.penalties import Penalty, SuggestedPenalty
from validator.deck import SECTIONS, Deck, DeckFacts
from validator.judge import Judge

_DIFFERS = "list-mismatch"  # the infraction that is suggested where box and list differ and nobody has said another
_MOMENTS = ("started", "ended", "given")


class CheckNotes(NamedTuple):
    """What a judge writes of a check; `given` is when a penalty was, `looked_at` the sections that were counted.

    `between_games` tells that cards may have changed places between deck, side deck and Z-Deck.
    """

    judge: str = ""
    table: str = ""
    round: str = ""
    started: datetime | None = None
    ended: datetime | None = None
    outcome: str = ""
    infraction: str = ""
    penalty: str = ""
    reason: str = ""
    note: str = ""
    given: datetime | None = None
    grace: int = GRACE
    looked_at: tuple[str, ...] = SECTIONS
    between_games: bool = False

    def details(self) -> dict[str, Any]:
        """Return it as JSON."""
        values = self._asdict()
        return values | {key: values[key].isoformat() for key in _MOMENTS if values[key]}

    @classmethod
    def of(cls, details: Mapping[str, Any]) -> Self:
        """Return what `details` was written of."""
        moments = {key: datetime.fromisoformat(details[key]) for key in _MOMENTS if details[key]}
        return cls(**{**details, **moments, "looked_at": tuple(details["looked_at"])})


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """A check of a registration's deck, against the revision that counted then; `box` is what lay there."""

    id: str
    version: int
    registration: str
    player: str
    revision: int
    created: datetime
    registered: Deck | None
    box: Deck | None
    notes: CheckNotes

    def difference(self, judge: Judge) -> BoxDifference | None:
        """Return how box and list differ, None where one of them is not there yet."""
        if self.registered is None or self.box is None:
            return None
        return difference(_facts(self.registered, judge), _facts(self.box, judge), self.notes.looked_at)

    def facts(self, judge: Judge) -> DeckFacts | None:
        """Return the registered deck with its cards."""
        return None if self.registered is None else _facts(self.registered, judge)

    def found(self, judge: Judge) -> DeckFacts | None:
        """Return what lay in the box with its cards."""
        return None if self.box is None else _facts(self.box, judge)

    def agrees(self, found: BoxDifference) -> bool:
        """Tell whether box and list are the same; between games, whether they hold the same cards."""
        return found.same_cards and not found.unread if self.notes.between_games else found.agrees

    def check(self, judge: Judge) -> DeckCheck:
        """Return it with what differs; one that has not begun counts from when it was drawn."""
        notes = self.notes
        clock = CheckClock(notes.started or self.created, notes.ended)
        said = notes.table, notes.round, notes.outcome, notes.penalty
        found = self.difference(judge)
        return DeckCheck(self.id, self.registration, notes.judge, clock, *said, found, notes.note, notes.grace)

    def as_dict(self, judge: Judge) -> dict[str, Any]:
        """Return all that is known of it."""
        given = {"given": self.penalty.as_dict() if self.penalty else None, "reason": self.notes.reason}
        return self.check(judge).as_dict() | given

    @property
    def penalty(self) -> Penalty | None:
        """The penalty that was given."""
        notes = self.notes
        if not (notes.penalty and notes.infraction):
            return None
        said = notes.infraction, notes.penalty, notes.reason, notes.judge
        return Penalty(self.registration, self.player, *said, notes.given or self.created, notes.round, notes.table)

    def suggested(self, found: BoxDifference | None, earlier: Iterable[Penalty]) -> SuggestedPenalty | None:
        """Return what the policy says of the infraction after the player's earlier penalties."""
        differs = found and (not found.same_cards if self.notes.between_games else found.sections)
        infraction = self.notes.infraction or (_DIFFERS if differs else "")
        return penalties.suggested(infraction, earlier) if infraction else None

    def earlier(self, all_records: Iterable[CheckRecord]) -> list[Penalty]:
        """Return the penalties that the player had before this check's."""
        mine = (self.notes.given or _LATEST, self.created, self.id)
        others = (one for one in all_records if one.registration == self.registration and one.id != self.id)
        given = [(one.penalty.at, one.created, one.id, one.penalty) for one in others if one.penalty]
        return [penalty for *place, penalty in sorted(given, key=lambda one: one[:3]) if tuple(place) < mine]


_LATEST = datetime.fromisoformat("9999-12-31T00:00+00:00")


def _facts(deck: Deck, judge: Judge) -> DeckFacts:
    return DeckFacts(deck, judge.catalogue, judge.terms.ruleset.types)
