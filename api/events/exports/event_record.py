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
from api.sheets.sheet_files import ORDERS, PAPERS
from api.workbooks.intake.book import Book, Part, PlayerEntry, Who
from api.workbooks.reporting.results import JudgedEntry, RepairCounts, Results
from validator.judge import Judge, Verdict

_MENDED, _SECONDS = 20, 1.0  # decks whose fewest changes are looked for, and how long all of that may take


@dataclass(frozen=True, slots=True)
class Participant:
    """A registered player with the verdict on the registered list, None if there is none.

    `registration` is an id. `received` is the local time of the newest revision, None without a list. `revision` is its
    number, 0 if it is not known. Other texts are "" if not known. `address` is that of the deck check, which the code
    of the printed sheet contains, "" for none.
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
        """Return the participant of a registration. `address` is that of the deck check, "" for none."""
        written, where = entrant.revision.written, entrant.where
        received = event.local(entrant.revision.at) if entrant.has_list else None
        details = written.player_id, written.team, where.table, written.notes, where.email, received
        return cls(entrant.id, entrant.player, *details, entrant.revision.number, verdict, address)

    @property
    def received_text(self) -> str:
        """The local time at which the list came, such as "2026-11-21 09:30". "" without a list."""
        return f"{self.received:%Y-%m-%d %H:%M}" if self.received else ""

    @property
    def other_columns(self) -> Mapping[str, str]:
        """The values of a participant besides the name, the player ID and the deck, by heading of a spreadsheet.

        The headings are Table, Notes, Team, E-mail, Received, Revision and Registration. Those without a value are left
        out.
        """
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
    """All values of an event that its exports are made of.

    `participants` are the registrations, of duplicates only the one that counts. `expected` are the expected players
    who have not registered. `checks` are those that have begun. `penalties` are those of all checks. A record for files
    of published or streamed lists has none of these three, and no letter. `letter` is (subject, text) of a letter to
    each player without a list. `paper` is that of workbooks and sheets, one of PAPERS. `order` is that of sheets,
    one of ORDERS.
    """

    event: Event
    judge: Judge
    participants: Sequence[Participant]
    expected: Sequence[ExpectedPlayer] = ()
    checks: Sequence[DeckCheck] = ()
    penalties: Sequence[Penalty] = ()
    letter: tuple[str, str] = ("", "")
    paper: str = PAPERS[0]
    order: str = ORDERS[0]

    @cached_property
    def results(self) -> Results:
        """The players with their verdicts, in the form in which the results of a spreadsheet are reported.

        Repairs are searched later for at most 20 decks, in one second together.
        """
        judged = [JudgedEntry(_entry(one), one.verdict) for one in self.participants]
        book = Book(self.event.event or "Event", [one.entry for one in judged])
        return Results(book, self.judge, judged, RepairCounts(_MENDED, _SECONDS))

    def player(self, registration: str) -> Participant:
        """Return the player of a registration by its id. If it is missing, the player is named by the id."""
        return self._by_registration.get(registration) or Participant(registration, registration)

    def find_infractions(self, player: Participant) -> list[FoundInfraction]:
        """Return the infractions of a player's list, with the penalties that the game's guide suggests.

        The player's given penalties count as earlier ones. Empty without a list.
        """
        earlier = [one for one in self.penalties if one.registration == player.registration]
        return penalties.find_infractions(player.verdict, self.judge.terms.ruleset.game, earlier)

    @cached_property
    def _by_registration(self) -> Mapping[str, Participant]:
        """The players by the id of their registration."""
        return {one.registration: one for one in self.participants}


def _entry(player: Participant) -> PlayerEntry:
    """Return a player as one of a spreadsheet of decks, for the reports."""
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
