"""Records: what of an event its exports are made of, as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Self

from api.events.judging import penalties
from api.events.judging.deck_checks import DeckCheck
from api.events.judging.penalties import FoundInfraction, Penalty
from api.events.players.entrant import Entrant, ExpectedPlayer
from api.events.tournament import Tournament
from api.sheets.registration import Event
from api.workbooks.intake.book import Book, Part, PlayerEntry, Who
from api.workbooks.reporting.results import JudgedEntry, RepairCounts, Results
from validator.judge import Judge, Verdict

_MENDED, _SECONDS = 20, 1.0  # decks whose fewest changes are looked for, and how long all of that may take


@dataclass(frozen=True, slots=True)
class Participant:
    """A player of an event with the verdict on the registered list, None if there is none.

    `received` is the local time at which the list came. `address` is that of the deck check, which the code of the
    printed sheet contains.
    """

    registration: str
    name: str
    player_id: str = ""
    team: str = ""
    table: str = ""
    notes: str = ""
    email: str = ""
    received: datetime | None = None
    revision: int = 0
    verdict: Verdict | None = None
    address: str = ""

    @classmethod
    def from_registration(cls, event: Tournament, entrant: Entrant, verdict: Verdict | None, address: str = "") -> Self:
        """Return the participant of a registration."""
        written, where = entrant.revision.written, entrant.where
        received = event.local(entrant.revision.at) if entrant.has_list else None
        details = written.player_id, written.team, where.table, written.notes, where.email, received
        return cls(entrant.id, entrant.player, *details, entrant.revision.number, verdict, address)

    @property
    def received_text(self) -> str:
        """The time at which the list came, to the minute, "" without a list."""
        return f"{self.received:%Y-%m-%d %H:%M}" if self.received else ""

    @property
    def other_columns(self) -> Mapping[str, str]:
        """The values of a participant besides the name, the id and the deck, by column. Empty columns are left out."""
        columns = {
            "Table": self.table,
            "Notes": self.notes,
            "Team": self.team,
            "E-mail": self.email,
            "Received": self.received_text,
            "Revision": str(self.revision or ""),
            "Registration": self.registration,
        }
        return {heading: text for heading, text in columns.items() if text}


@dataclass(frozen=True)
class EventRecord:
    """An event as values for its exports: its judge, its players, the missing players, checks and penalties.

    `expected` are the expected players who have not registered. `letter` is the subject and the text of a letter to the
    players without a list.
    """

    event: Event
    judge: Judge
    participants: Sequence[Participant]
    expected: Sequence[ExpectedPlayer] = ()
    checks: Sequence[DeckCheck] = ()
    penalties: Sequence[Penalty] = ()
    letter: tuple[str, str] = ("", "")

    @cached_property
    def results(self) -> Results:
        """The players with their verdicts, as those of a spreadsheet are."""
        judged = [JudgedEntry(_entry(one), one.verdict) for one in self.participants]
        book = Book(self.event.event or "Event", [one.entry for one in judged])
        return Results(book, self.judge, judged, RepairCounts(_MENDED, _SECONDS))

    def player(self, registration: str) -> Participant:
        """Return the player of a registration, or one without a name if the registration was removed."""
        return self._by_registration.get(registration) or Participant(registration, registration)

    def find_infractions(self, player: Participant) -> list[FoundInfraction]:
        """Return the infractions of a player's list, with the penalties that the game's guide suggests."""
        earlier = [one for one in self.penalties if one.registration == player.registration]
        return penalties.find_infractions(player.verdict, self.judge.terms.ruleset.game, earlier)

    @cached_property
    def _by_registration(self) -> Mapping[str, Participant]:
        """The players by the id of their registration."""
        return {one.registration: one for one in self.participants}


def _entry(player: Participant) -> PlayerEntry:
    """Return a player as a row of a spreadsheet of decks, for the reports."""
    deck = player.verdict.facts.deck if player.verdict else None
    return PlayerEntry(
        Who(player.name, player.player_id),
        "",
        None,
        deck,
        parts=(Part(0, "Decklist"),),
        aside=player.other_columns,
        address=player.address,
    )
