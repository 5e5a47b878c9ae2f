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
from api.service.errors import Invalid, Wrong
from api.service.shapes import step
from validator.cards import Catalogue
from validator.deck import MOST_COPIES, MOST_LINES, SECTIONS, UNLISTED, Deck, DeckFacts, Line
from validator.findings import CopiesJSON, NamedCard
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
    """The cards of a section of which the box has too few (`missing`) or too many (`extra`), with the difference."""

    section: str
    missing: tuple[NamedCard, ...]
    extra: tuple[NamedCard, ...]

    def differs(self) -> bool:
        """Return True if cards are missing or extra."""
        return bool(self.missing or self.extra)

    def as_json(self) -> SectionDifferenceJSON:
        """Return the section with its missing and extra cards as JSON."""
        return {
            "section": self.section,
            "missing": list(map(_copies_json, self.missing)),
            "extra": list(map(_copies_json, self.extra)),
        }


def _copies_json(card: NamedCard) -> CopiesJSON:
    """Return a card with its number of copies as JSON. A count of None stays None."""
    return {"number": card.number, "name": card.name, "count": card.count}


class BoxDifference(NamedTuple):
    """The difference of a deck box and a registered list. `sections` has only those that differ.

    `same_cards`: no card differs except for moves between deck, side deck and Z-Deck, which are allowed between games.
    `unread` are lines of either that may be cards but could not be read, so that they were not compared.
    """

    sections: tuple[SectionDifference, ...]
    same_cards: bool
    unread: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Return True if no section differs and no line was left out of the comparison."""
        return not self.sections and not self.unread

    def as_json(self) -> BoxDifferenceJSON:
        """Return the difference as JSON, with `agrees`."""
        return {
            "agrees": self.agrees,
            "sections": [one.as_json() for one in self.sections],
            "same_cards": self.same_cards,
            "unread": list(self.unread),
        }


def difference(registered: DeckFacts, box: DeckFacts, looked_at: Collection[str] = SECTIONS) -> BoxDifference:
    """Return the difference of a box and a registered list, in the sections that were counted (`looked_at`).

    Printings and spellings of a card do not matter. A section that lists usually leave out (UNLISTED) is compared only
    if both have it. `same_cards` ignores moves between main, side and Z-Deck, but not other differences.
    """
    sections = [section for section in SECTIONS if section in looked_at and _is_compared(section, registered, box)]
    differences = (_section_difference(section, registered, box) for section in sections)
    swapped = [section for section in _SWAPPED if section in looked_at]
    together = [swapped, *([section] for section in sections if section not in _SWAPPED)]
    return BoxDifference(
        tuple(filter(SectionDifference.differs, differences)),
        all(count_copies(registered, places) == count_copies(box, places) for places in together),
        (*_uncompared_lines(registered), *_uncompared_lines(box)),
    )


def _uncompared_lines(facts: DeckFacts) -> Iterator[str]:
    """Return an iterator over the lines that may be cards but could not be parsed, so that they were not compared."""
    return (line.text for line in facts.deck.unread if line.may_be_card)


def _is_compared(section: str, registered: DeckFacts, box: DeckFacts) -> bool:
    """Return True if a section is compared: at least one of both decks has cards in it.

    A section that lists usually leave out (UNLISTED) is compared only if both have cards in it.
    """
    sizes = registered.sizes[section], box.sizes[section]
    return all(sizes) if section in UNLISTED else any(sizes)


def _section_difference(section: str, registered: DeckFacts, box: DeckFacts) -> SectionDifference:
    """Return the cards of a section that are missing in the box, and those that are extra, with the differing copies.

    Both are sorted by number and name.
    """
    listed, found = count_copies(registered, [section]), count_copies(box, [section])
    return SectionDifference(section, tuple(list_counts(listed - found)), tuple(list_counts(found - listed)))


def rows(registered: DeckFacts) -> Iterator[tuple[str, NamedCard]]:
    """Yield (section, card with its copies) for the cards of a list, to be counted in the box.

    Each card is yielded once for each section, sections in the order of SECTIONS, cards in the order of the list.
    Unknown cards are included.
    """
    for section in SECTIONS:
        copies: Counter[NamedCard] = count_copies(registered, [section])
        yield from ((section, NamedCard(card.number, card.name, count)) for card, count in copies.items())


def parse_tally(tally: Mapping[str, Mapping[str, int]], catalogue: Catalogue) -> Deck:
    """Return the deck that was counted card by card. `tally` has counts by section and by a card's number or name.

    A count of 0 adds no line. Cards need not be in the catalogue. Raises Invalid with all errors: an unknown section,
    an unusable name, a count not from 0 to MOST_COPIES, or more than MOST_LINES cards together.
    """
    if wrong := list(_find_tally_faults(tally)):
        raise Invalid(wrong)
    lines = {
        section: tuple(_line(card, count, catalogue) for card, count in cards.items() if count)
        for section, cards in tally.items()
    }
    return Deck(**lines, unread=())


def _find_tally_faults(tally: Mapping[str, Mapping[str, int]]) -> Iterator[Wrong]:
    """Yield each error in a judge's tally: unknown sections, blank or unusable card names, or impossible counts.

    A count is from 0 to MOST_COPIES. A wrong name hides a wrong count. If there are more than MOST_LINES cards
    together, that is the only error.
    """
    if sum(map(len, tally.values())) > MOST_LINES:
        yield Wrong("", phrase("A deck has at most {most:,} different cards.", most=MOST_LINES))
        return
    for section, cards in tally.items():
        if section not in SECTIONS:
            yield Wrong(step(section), phrase("Write one of the sections {sections}.", sections=", ".join(SECTIONS)))
        for card, count in cards.items():
            if fault := _find_card_fault(card, count):
                yield Wrong(step(section) + step(card), fault)


def _find_card_fault(card: str, count: int) -> str | None:
    """Return the error in a card of a judge's tally, first in its number or name, then in its count.

    None if there is no error.
    """
    if not card.strip():
        return phrase("Write a card's number or its name.")
    if reason := doubt(card, LONGEST_NAME):
        return phrase("The name of this card {wrong}.", wrong=reason)
    if not 0 <= count <= MOST_COPIES:
        return phrase("Write a whole number from {least:,} to {most:,}.", least=0, most=MOST_COPIES)
    return None


def _line(card: str, count: int, catalogue: Catalogue) -> Line:
    """Return the line of a deck for a counted card, which is given by its number or its name.

    A text is a number if the catalogue has it or it looks like one.
    """
    is_number = catalogue.by_number(card) is not None or is_card_number(card)
    return Line(card, count) if is_number else Line(None, count, card)


class CheckClock(NamedTuple):
    """The start and the end of a check. `ended` is None while it goes on. Both have a time zone."""

    started: datetime
    ended: datetime | None = None

    @property
    def duration(self) -> timedelta | None:
        """The time that a check took, None while it goes on. It is never negative, because phones' clocks differ."""
        # In UTC: within one zone Python subtracts what clocks on the wall show, whatever the season did to them.
        return max(self.ended.astimezone(UTC) - self.started.astimezone(UTC), timedelta()) if self.ended else None

    def extension(self, penalty: str = "", grace: int = GRACE) -> int | None:
        """Return the extra minutes for the table: the minutes of the check, rounded up, and `grace` minutes.

        0 if the `penalty` is a Game Loss or higher, None while the check goes on. The penalty "" is none.
        """
        if self.duration is None:
            return None
        return 0 if loses_a_game(penalty) else -(-self.duration // _MINUTE) + grace


@dataclass(frozen=True, slots=True)
class DeckCheck:
    """A check of a player's deck with its result. `difference` is None before the box is counted or without a list.

    `registration` is an id, `judge` a name. `outcome` is one of OUTCOMES, "" while it is open. `penalty` is one of
    LADDER, "" if none was given. `grace` are the minutes for shuffling and sitting down again. Raises ValueError for an
    unknown outcome.
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
        """The extra minutes for the table: those of the check, rounded up, and `grace`.

        0 after a Game Loss or higher, None while the check goes on.
        """
        return self.clock.extension(self.penalty, self.grace)

    def as_json(self) -> DeckCheckJSON:
        """Return the check as JSON. An open outcome, and no penalty, are None."""
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
    """The fields of a deck check that a judge writes. "" and None are fields that are not known yet.

    `started` is None for a check that was drawn and has not begun. `outcome` is one of OUTCOMES, `infraction` a key of
    INFRACTIONS, `penalty` one of LADDER. `given` is the moment of the penalty. `grace` are minutes for shuffling and
    sitting down. `looked_at` are the counted sections, all before a box is counted. `between_games`: cards may have
    moved between deck, side deck and Z-Deck.
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
        """Return the notes as JSON values for the database. Moments are ISO texts, or None."""
        values = self._asdict()
        return values | {key: values[key].isoformat() for key in _MOMENTS if values[key]}

    @classmethod
    def from_json(cls, details: Mapping[str, Any]) -> Self:
        """Return the notes that the method `details` has made into JSON. Another missing field gets its default.

        Raises KeyError if a moment or `looked_at` is missing, TypeError for an unknown field.
        """
        moments = {key: datetime.fromisoformat(details[key]) for key in _MOMENTS if details[key]}
        return cls(**{**details, **moments, "looked_at": tuple(details["looked_at"])})


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """A stored deck check of a registration. `registered` is the deck of the revision with the number `revision`.

    That was the newest revision when the check was created, or later when its box was counted. `player` is the name
    there. `registered` is None without a list. `box` is the counted deck, None before it is counted. `version` is 1 and
    one more for each change. `registration` is an id.
    """

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
        """Return the difference of the box and the registered list, in the sections that were counted.

        None without a list or before the box is counted. Printings and spellings of a card do not matter. A section
        that lists usually leave out (UNLISTED) is compared only if both have it.
        """
        if self.registered is None or self.box is None:
            return None
        return difference(_facts(self.registered, judge), _facts(self.box, judge), self.notes.looked_at)

    def verdict(self, judge: Judge) -> Verdict | None:
        """Judge the registered deck and return the verdict. None without a deck."""
        return None if self.registered is None else judge(self.registered)

    def facts(self, judge: Judge) -> DeckFacts | None:
        """Return the registered deck with its cards found in the catalogue, None without a deck."""
        return None if self.registered is None else _facts(self.registered, judge)

    def box_facts(self, judge: Judge) -> DeckFacts | None:
        """Return the counted box with its cards found in the catalogue, None if no box was counted."""
        return None if self.box is None else _facts(self.box, judge)

    def agrees(self, difference: BoxDifference) -> bool:
        """Return True if the box agrees with the list. `difference` is that of this check.

        If the check is between games, moves between main, side and Z-Deck are allowed. False if a line could not be
        compared.
        """
        return difference.same_cards and not difference.unread if self.notes.between_games else difference.agrees

    def check(self, judge: Judge) -> DeckCheck:
        """Return the check with the difference of box and list.

        If it has not begun, its start is the moment of the draw.
        """
        notes = self.notes
        clock = CheckClock(notes.started or self.created, notes.ended)
        details = notes.table, notes.round, notes.outcome, notes.penalty
        found = self.difference(judge)
        return DeckCheck(self.id, self.registration, notes.judge, clock, *details, found, notes.note, notes.grace)

    def as_json(self, judge: Judge) -> PlayersCheckJSON:
        """Return the check with its penalty (`given`, None without one) and its reason as JSON."""
        penalty = self.penalty.as_json() if self.penalty else None
        return {**self.check(judge).as_json(), "given": penalty, "reason": self.notes.reason}

    @property
    def penalty(self) -> Penalty | None:
        """The penalty that was given in this check, None without a penalty or an infraction.

        Without a stored moment it was given when the check was created.
        """
        notes = self.notes
        if not (notes.penalty and notes.infraction):
            return None
        details = notes.infraction, notes.penalty, notes.reason, notes.judge
        return Penalty(self.registration, self.player, *details, notes.given or self.created, notes.round, notes.table)

    def suggest_penalty(self, difference: BoxDifference | None, earlier: Iterable[Penalty]) -> SuggestedPenalty | None:
        """Return the policy's penalty for the infraction of this check, after the player's `earlier` penalties.

        An earlier one for the same infraction may raise it. If the judge has chosen no infraction and cards of box and
        list differ (between games: `same_cards` is False), it is "list-mismatch". `difference` is that of this check,
        None before the box is counted. None is returned if there is no infraction. Raises ValueError if it is unknown.
        """
        differs = difference and (not difference.same_cards if self.notes.between_games else difference.sections)
        infraction = self.notes.infraction or (_DIFFERS if differs else "")
        return penalties.suggest_penalty(infraction, earlier) if infraction else None

    def earlier(self, all_records: Iterable[CheckRecord]) -> list[Penalty]:
        """Return the penalties that the player got before the one of this check, the oldest first.

        If this check has no penalty, those of all other checks of the registration. `all_records` may have checks of
        other registrations, which are ignored.
        """
        mine = (self.penalty.at if self.penalty else _LATEST, self.created, self.id)
        others = (one for one in all_records if one.registration == self.registration)
        dated = [(one.penalty.at, one.created, one.id, one.penalty) for one in others if one.penalty]
        return [penalty for *place, penalty in sorted(dated, key=lambda one: one[:3]) if tuple(place) < mine]


_LATEST = datetime.fromisoformat("9999-12-31T00:00+00:00")


def _facts(deck: Deck, judge: Judge) -> DeckFacts:
    """Return a deck with its cards found in the catalogue of a Judge, and counted."""
    return DeckFacts(deck, judge.catalogue, judge.terms.ruleset.types)
