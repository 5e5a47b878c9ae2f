"""Deck checks: the difference of a box and the registered list, the clock, and the record that is kept of a check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, Self

from api.events.check_json import BoxDifferenceJSON, DeckCheckJSON, PlayersCheckJSON, SectionDifferenceJSON
from api.events.judging import penalties
from api.events.judging.penalties import Penalty, SuggestedPenalty, loses_a_game
from api.service.answers.verdict_answers import CopiesJSON
from api.service.errors import Invalid, Wrong
from api.service.shapes import step
from validator.cards import Catalogue
from validator.deck import MOST_COPIES, MOST_LINES, SECTIONS, UNLISTED, Deck, DeckFacts, Line
from validator.findings import NamedCard
from validator.judge import Judge, Verdict
from validator.language import phrase
from validator.swap import count_copies, list_counts
from validator.tables.cell_kinds import is_card_number
from validator.texts import LONGEST_NAME, doubt

# What a judge ticks on the sheet.
OUTCOMES = ("ok", "marked cards", "deck differs", "list differs")
GRACE = 3  # minutes for shuffling and sitting down again
_MINUTE = timedelta(minutes=1)
# Between games cards change places among these; nobody writes out ten DON!! cards.
_SWAPPED = ("main", "side", "z")


class SectionDifference(NamedTuple):
    """The cards of a section that are registered and not in the box, and those in the box and not registered."""

    section: str
    missing: tuple[NamedCard, ...]
    extra: tuple[NamedCard, ...]

    def differs(self) -> bool:
        """Return True if cards are missing or extra."""
        return bool(self.missing or self.extra)

    def as_json(self) -> SectionDifferenceJSON:
        """Return the section with its cards as JSON."""
        return {
            "section": self.section,
            "missing": list(map(_copies_json, self.missing)),
            "extra": list(map(_copies_json, self.extra)),
        }


def _copies_json(card: NamedCard) -> CopiesJSON:
    """Return a card with its copies as JSON."""
    return {"number": card.number, "name": card.name, "count": card.count}


class BoxDifference(NamedTuple):
    """The difference of a box and a registered list, by section, without the sections that agree.

    `same_cards`: deck, side deck and Z-Deck together have the same cards, as they must between games. `unread` are
    lines of either that could not be read, so that their cards were not compared.
    """

    sections: tuple[SectionDifference, ...]
    same_cards: bool
    unread: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Return True if everything that was compared is the same."""
        return not self.sections and not self.unread

    def as_json(self) -> BoxDifferenceJSON:
        """Return the difference as JSON."""
        return {
            "agrees": self.agrees,
            "sections": [one.as_json() for one in self.sections],
            "same_cards": self.same_cards,
            "unread": list(self.unread),
        }


def difference(registered: DeckFacts, box: DeckFacts, looked_at: Collection[str] = SECTIONS) -> BoxDifference:
    """Return the difference of a box and a registered list, in the sections that were counted.

    Printings and spellings of a card do not matter. An UNLISTED section is compared only if both have it.
    """
    sections = [section for section in SECTIONS if section in looked_at and _is_compared(section, registered, box)]
    each = (_section_difference(section, registered, box) for section in sections)
    swapped = [section for section in _SWAPPED if section in looked_at]
    together = [swapped, *([section] for section in sections if section not in _SWAPPED)]
    return BoxDifference(
        tuple(filter(SectionDifference.differs, each)),
        all(count_copies(registered, places) == count_copies(box, places) for places in together),
        (*_uncompared_lines(registered), *_uncompared_lines(box)),
    )


def _uncompared_lines(facts: DeckFacts) -> Iterator[str]:
    """Yield the lines that may be cards and were not compared."""
    return (line.text for line in facts.deck.unread if line.may_be_card)


def _is_compared(section: str, registered: DeckFacts, box: DeckFacts) -> bool:
    """Return True if a section is compared: one of both decks has it, or both if lists usually leave it out."""
    sizes = registered.sizes[section], box.sizes[section]
    return all(sizes) if section in UNLISTED else any(sizes)


def _section_difference(section: str, registered: DeckFacts, box: DeckFacts) -> SectionDifference:
    """Return the cards of a section that are missing in the box, and those that are extra."""
    listed, found = count_copies(registered, [section]), count_copies(box, [section])
    return SectionDifference(section, tuple(list_counts(listed - found)), tuple(list_counts(found - listed)))


def rows(registered: DeckFacts) -> Iterator[tuple[str, NamedCard]]:
    """Yield the cards of a list to be counted: each card once for each section, in the order of the list."""
    for section in SECTIONS:
        copies: Counter[NamedCard] = count_copies(registered, [section])
        yield from ((section, NamedCard(card.number, card.name, count)) for card, count in copies.items())


def parse_tally(tally: Mapping[str, Mapping[str, int]], catalogue: Catalogue) -> Deck:
    """Return the deck that was counted card by card, by section. A card is a number or a name, a count of 0 none.

    Raises Invalid if a section, a card or a count is wrong.
    """
    if wrong := list(_find_tally_faults(tally)):
        raise Invalid(wrong)
    lines = {
        section: tuple(_line(card, count, catalogue) for card, count in cards.items() if count)
        for section, cards in tally.items()
    }
    return Deck(**lines, unread=())


def _find_tally_faults(tally: Mapping[str, Mapping[str, int]]) -> Iterator[Wrong]:
    """Yield each error in a judge's tally: too many cards, unknown sections, unusable cards or counts."""
    if sum(map(len, tally.values())) > MOST_LINES:
        yield Wrong("", phrase("A deck has at most {most:,} different cards.", most=MOST_LINES))
        return
    for section, cards in tally.items():
        if section not in SECTIONS:
            yield Wrong(step(section), phrase("Write one of the sections {sections}.", sections=", ".join(SECTIONS)))
        for card, count in cards.items():
            pointer = step(section) + step(card)
            if not card.strip():
                yield Wrong(pointer, phrase("Write a card's number or its name."))
            elif why := doubt(card, LONGEST_NAME):
                yield Wrong(pointer, phrase("The name of this card {wrong}.", wrong=why))
            elif not 0 <= count <= MOST_COPIES:
                yield Wrong(
                    pointer, phrase("Write a whole number from {least:,} to {most:,}.", least=0, most=MOST_COPIES)
                )


def _line(card: str, count: int, catalogue: Catalogue) -> Line:
    """Return the line of a deck for a card that a judge counted by number or name."""
    is_number = catalogue.by_number(card) is not None or is_card_number(card)
    return Line(card, count) if is_number else Line(None, count, card)


class CheckClock(NamedTuple):
    """The start and the end of a check, None while it goes on. Both have a time zone."""

    started: datetime
    ended: datetime | None = None

    @property
    def duration(self) -> timedelta | None:
        """The time that a check took, None while it goes on. Never negative, because phones' clocks differ."""
        # In UTC: within one zone Python subtracts what clocks on the wall show, whatever the season did to them.
        return max(self.ended.astimezone(UTC) - self.started.astimezone(UTC), timedelta()) if self.ended else None

    def extension(self, penalty: str = "", grace: int = GRACE) -> int | None:
        """Return the extra minutes for the table: the minutes of the check, rounded up, and `grace`.

        0 if the penalty is a lost game, None while the check goes on.
        """
        if self.duration is None:
            return None
        return 0 if loses_a_game(penalty) else -(-self.duration // _MINUTE) + grace


@dataclass(frozen=True, slots=True)
class DeckCheck:
    """A check of a player's deck with its result.

    `outcome` is one of OUTCOMES, "" while it is open. `penalty` is one of the ladder, "" if none was given.
    """

    id: str
    registration: str
    judge: str
    clock: CheckClock
    table: str = ""
    round: str = ""
    outcome: str = ""
    penalty: str = ""
    difference: BoxDifference | None = None
    note: str = ""
    grace: int = GRACE

    def __post_init__(self) -> None:
        """Raise ValueError if the outcome is unknown."""
        if self.outcome not in ("", *OUTCOMES):
            raise ValueError(f"An outcome is {', '.join(OUTCOMES)}, not {self.outcome!r}.")

    @property
    def extension(self) -> int | None:
        """The extra minutes for the table, None while the check goes on."""
        return self.clock.extension(self.penalty, self.grace)

    def as_json(self) -> DeckCheckJSON:
        """Return the check as JSON."""
        started, ended = self.clock
        return {
            "id": self.id,
            "registration": self.registration,
            "judge": self.judge,
            "table": self.table,
            "round": self.round,
            "started": started.isoformat(),
            "ended": ended.isoformat() if ended else None,
            "extension": self.extension,
            "outcome": self.outcome or None,
            "penalty": self.penalty or None,
            "difference": self.difference.as_json() if self.difference else None,
            "note": self.note,
        }


_DIFFERS = "list-mismatch"  # the infraction that is suggested if box and list differ and the judge chose none
_MOMENTS = ("started", "ended", "given")


class CheckNotes(NamedTuple):
    """The fields of a check that a judge writes. `given` is the moment of the penalty.

    `looked_at` are the sections that were counted. `between_games`: cards may have moved between deck, side deck and
    Z-Deck.
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
        """Return the notes as JSON, as they are stored."""
        values = self._asdict()
        return values | {key: values[key].isoformat() for key in _MOMENTS if values[key]}

    @classmethod
    def from_json(cls, details: Mapping[str, Any]) -> Self:
        """Return the notes of stored JSON."""
        moments = {key: datetime.fromisoformat(details[key]) for key in _MOMENTS if details[key]}
        return cls(**{**details, **moments, "looked_at": tuple(details["looked_at"])})


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """A stored check of a registration, against the revision that counted then. `box` is the counted deck."""

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
        """Return the difference of a box and a registered list, in the sections that were counted.

        Printings and spellings of a card do not matter. An UNLISTED section is compared only if both have it.
        """
        if self.registered is None or self.box is None:
            return None
        return difference(_facts(self.registered, judge), _facts(self.box, judge), self.notes.looked_at)

    def verdict(self, judge: Judge) -> Verdict | None:
        """Return the verdict on the registered deck, None without a deck."""
        return None if self.registered is None else judge(self.registered)

    def facts(self, judge: Judge) -> DeckFacts | None:
        """Return the registered deck with its cards, None without a deck."""
        return None if self.registered is None else _facts(self.registered, judge)

    def box_facts(self, judge: Judge) -> DeckFacts | None:
        """Return the counted box with its cards, None if no box was counted."""
        return None if self.box is None else _facts(self.box, judge)

    def agrees(self, difference: BoxDifference) -> bool:
        """Return True if everything that was compared is the same."""
        return difference.same_cards and not difference.unread if self.notes.between_games else difference.agrees

    def check(self, judge: Judge) -> DeckCheck:
        """Return the check with its difference. If it has not begun, its start is the moment of the draw."""
        notes = self.notes
        clock = CheckClock(notes.started or self.created, notes.ended)
        details = notes.table, notes.round, notes.outcome, notes.penalty
        found = self.difference(judge)
        return DeckCheck(self.id, self.registration, notes.judge, clock, *details, found, notes.note, notes.grace)

    def as_json(self, judge: Judge) -> PlayersCheckJSON:
        """Return the check with its penalty as JSON."""
        given = self.penalty.as_json() if self.penalty else None
        return {**self.check(judge).as_json(), "given": given, "reason": self.notes.reason}

    @property
    def penalty(self) -> Penalty | None:
        """The penalty that was given, None without one."""
        notes = self.notes
        if not (notes.penalty and notes.infraction):
            return None
        details = notes.infraction, notes.penalty, notes.reason, notes.judge
        return Penalty(self.registration, self.player, *details, notes.given or self.created, notes.round, notes.table)

    def suggest_penalty(self, difference: BoxDifference | None, earlier: Iterable[Penalty]) -> SuggestedPenalty | None:
        """Return the policy's penalty for the infraction after the player's earlier penalties."""
        differs = difference and (not difference.same_cards if self.notes.between_games else difference.sections)
        infraction = self.notes.infraction or (_DIFFERS if differs else "")
        return penalties.suggest_penalty(infraction, earlier) if infraction else None

    def earlier(self, all_records: Iterable[CheckRecord]) -> list[Penalty]:
        """Return the player's penalties before this check's."""
        mine = (self.penalty.at if self.penalty else _LATEST, self.created, self.id)
        others = (one for one in all_records if one.registration == self.registration)
        given = [(one.penalty.at, one.created, one.id, one.penalty) for one in others if one.penalty]
        return [penalty for *place, penalty in sorted(given, key=lambda one: one[:3]) if tuple(place) < mine]


_LATEST = datetime.fromisoformat("9999-12-31T00:00+00:00")


def _facts(deck: Deck, judge: Judge) -> DeckFacts:
    """Return a deck resolved and counted for a Judge."""
    return DeckFacts(deck, judge.catalogue, judge.terms.ruleset.types)
