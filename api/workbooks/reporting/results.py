"""Results: the decks of a spreadsheet with their verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from api.sheets.person_names import PersonName
from api.workbooks.intake.book import Book
from api.workbooks.intake.players import PlayerEntry
from api.workbooks.reporting.mending import Mending
from validator.judge import Judge, Verdict
from validator.unresolved import Suggestions

LEGAL = "yes"
ILLEGAL = "no"
NO_DECK = "no deck"
_MOST_SUGGESTED = 500  # different cards that the catalogue has not, over all decks
# What is told how many players' of how many are done; whatever it raises stops the work.
Progress = Callable[[int, int], None]


def unheard(done: int, of: int) -> None:
    """Be the progress that nobody waits for."""


def halves(done: Progress) -> tuple[Progress, Progress]:
    """Return what the two halves of some work tell how far they are, where `done` is told of the whole."""
    return lambda count, of: done(count, 2 * of), lambda count, of: done(of + count, 2 * of)


class JudgedEntry(NamedTuple):
    """A player's entry with its verdict, None where there is no deck."""

    entry: PlayerEntry
    verdict: Verdict | None

    @property
    def legal(self) -> str:
        """What the summary says of the deck."""
        if self.verdict is None:
            return NO_DECK
        return LEGAL if self.verdict.legal else ILLEGAL


@dataclass
class Results:
    """A book and what the judge said of each of its decks, in the book's order."""

    book: Book
    judge: Judge
    judged: list[JudgedEntry] = field(default_factory=list)
    mending: Mending = field(default_factory=Mending)

    @property
    def counts(self) -> Counter[str]:
        """How many decks are legal, how many are not, and how many players have none."""
        return Counter(one.legal for one in self.judged)

    @property
    def findings(self) -> int:
        """How many findings the verdicts have."""
        return sum(len(verdict.findings) for verdict in self.verdicts)

    @property
    def filed(self) -> Results:
        """The same with the players as lists are filed: by last name."""
        return replace(self, judged=sorted(self.judged, key=lambda one: PersonName.of(one.entry.who.name).order))

    @property
    def verdicts(self) -> Iterator[Verdict]:
        """The verdicts, in the book's order."""
        return (one.verdict for one in self.judged if one.verdict is not None)


def judge(book: Book, judge: Judge, done: Progress = unheard) -> Results:
    """Judge every deck of a book, those that stand in equal cells once."""
    results = Results(book, judge)
    suggestions = Suggestions(_MOST_SUGGESTED)
    verdicts: dict[int, Verdict] = {}
    for count, entry in enumerate(book.entries, 1):
        verdict = None
        if (deck := entry.deck) is not None:
            verdict = verdicts.get(id(deck)) or judge(deck, suggestions)
            verdicts[id(deck)] = verdict
        results.judged.append(JudgedEntry(entry, verdict))
        done(count, len(book.entries))
    return results
