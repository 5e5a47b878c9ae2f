"""Results: the decks of a spreadsheet with their verdicts, and the number of changes that would make each legal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from time import process_time
from typing import NamedTuple

from api.sheets.person_names import PersonName
from api.workbooks.intake.book import Book, PlayerEntry
from validator.account import is_unjudgeable
from validator.judge import Judge, Verdict
from validator.repair import count_fewest_changes
from validator.unresolved import Suggestions

NO_REPAIR = "no way"


class RepairCounts:
    """The fewest changes that make each deck legal. They are searched on demand, and cached for equal decks.

    At most `most` different decks are searched, and none is begun after `seconds` of processor time in these searches.
    """

    def __init__(self, most: int = 100, seconds: float = 5.0) -> None:
        self._left, self._seconds = most, seconds
        self._found: dict[tuple[str, int], int | str] = {}
        self._beyond: set[tuple[str, int]] = set()

    @property
    def left_out(self) -> int:
        """The number of different decks that were asked for, but not searched because the limits were reached."""
        return len(self._beyond)

    def changes(self, verdict: Verdict) -> int | str | None:
        """Return the fewest changes that make an illegal deck legal.

        NO_REPAIR if none can, "≤ n" if fewer may be enough. None if most cards of the deck are unknown or of another
        game, or if the deck was not searched because the limits were reached. The second kind is counted in `left_out`.
        A search uses up the limits.
        """
        if is_unjudgeable(verdict):
            return None
        deck = verdict.deck_hash, sum(line.may_be_card for line in verdict.facts.deck.unread)
        if deck not in self._found:
            if self._left <= 0 or self._seconds <= 0:
                self._beyond.add(deck)
                return None
            self._found[deck] = self._count_changes(verdict)
        return self._found[deck]

    def _count_changes(self, verdict: Verdict) -> int | str:
        """Search and return the fewest changes that make a deck legal, without the cache.

        NO_REPAIR if none can, "≤ n" if fewer may be enough. Uses up the limits of time and decks.
        """
        begun = process_time()
        answer = count_fewest_changes(verdict)
        self._left -= 1
        self._seconds -= process_time() - begun
        if answer.changes is None:
            return NO_REPAIR
        return answer.changes if answer.minimal else f"≤ {answer.changes:,}"


LEGAL = "yes"
ILLEGAL = "no"
NO_DECK = "no deck"
_MOST_SUGGESTED = 500  # different cards that the catalogue has not, over all decks
# Called with the numbers of players that are done and of all players. An exception of it stops the work.
Progress = Callable[[int, int], None]


def ignore_progress(done_count: int, total: int) -> None:
    """Do nothing: the default for `progress`."""


def split_progress(progress: Progress) -> tuple[Progress, Progress]:
    """Return the progress callbacks for the first and the second half of some work.

    Each is called with the steps done of its half and all steps of its half. `progress` then gets the sum of the steps
    of both halves, which must have the same number.
    """
    return lambda count, of: progress(count, 2 * of), lambda count, of: progress(of + count, 2 * of)


class JudgedEntry(NamedTuple):
    """A player of a spreadsheet with the verdict on the deck. `verdict` is None if there is no readable deck."""

    entry: PlayerEntry
    verdict: Verdict | None

    @property
    def legal(self) -> str:
        """The code of the deck's legality in the summary: LEGAL ("yes"), ILLEGAL ("no") or NO_DECK ("no deck")."""
        if self.verdict is None:
            return NO_DECK
        return LEGAL if self.verdict.legal else ILLEGAL


@dataclass
class Results:
    """A spreadsheet with the verdicts on its decks. `judge` made the verdicts.

    `judged` has all players, in the order of the book unless they were sorted, also those without a deck.
    `repair_counts` searches the fewest changes on demand.
    """

    book: Book
    judge: Judge
    judged: list[JudgedEntry] = field(default_factory=list)
    repair_counts: RepairCounts = field(default_factory=RepairCounts)

    @property
    def counts(self) -> Counter[str]:
        """The number of players by LEGAL, ILLEGAL and NO_DECK. Codes without a player are missing."""
        return Counter(one.legal for one in self.judged)

    @property
    def findings(self) -> int:
        """The number of findings of all verdicts, before they are grouped for people."""
        return sum(len(verdict.findings) for verdict in self.verdicts)

    @property
    def sorted_by_name(self) -> Results:
        """A copy of the results with `judged` sorted by the players' last names. The book keeps its order."""
        return replace(self, judged=sorted(self.judged, key=lambda one: PersonName.parse(one.entry.who.name).order))

    @property
    def verdicts(self) -> Iterator[Verdict]:
        """An iterator over the verdicts in the order of `judged`, without the players that have no deck."""
        return (one.verdict for one in self.judged if one.verdict is not None)


def judge(book: Book, judge: Judge, progress: Progress = ignore_progress) -> Results:
    """Judge every deck of a book, and return the results. Decks that were read from equal cells are judged once.

    Suggestions are searched for at most 500 different unknown cards. `progress` is called after each player with the
    numbers of done and of all players.
    """
    results = Results(book, judge)
    suggestions = Suggestions(_MOST_SUGGESTED)
    verdicts: dict[int, Verdict] = {}
    for count, entry in enumerate(book.entries, 1):
        verdict = None
        if (deck := entry.deck) is not None:
            verdict = verdicts.get(id(deck)) or judge(deck, suggestions)
            verdicts[id(deck)] = verdict
        results.judged.append(JudgedEntry(entry, verdict))
        progress(count, len(book.entries))
    return results
