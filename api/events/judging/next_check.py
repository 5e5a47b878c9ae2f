"""The next check: whose deck to check when a judge has time, and why; the same for all who ask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from api.events.judging import draws
from api.events.judging.draws import Drawable
from validator.language import Language

DRAWN, FEWEST, NOBODY = "drawn", "fewest", "nobody"  # why


class NextCheck(NamedTuple):
    """Whose deck to check next, "" for nobody's: why, of how many, how often it has been, how many decks are owed."""

    registration: str
    why: str
    of: int
    checks: int
    owed: int
    seed: str
    among: str

    def as_json(self, say: Language) -> dict[str, Any]:
        """Return why, with the reason in a sentence."""
        said = {"why": self.why, "because": self.because(say), "of": self.of, "owed": self.owed}
        return said | {"seed": self.seed, "among": self.among}

    def because(self, say: Language) -> str:
        """Return the reason as a sentence."""
        if self.why == NOBODY:
            return say("There is nobody whose deck is to be checked.")
        if self.why == DRAWN:
            return say("Drawn before, and not checked yet.")
        if not self.checks:
            return say("Not checked yet: of {of} players the first by the seed {seed}.", of=self.of, seed=self.seed)
        return say.plural(
            "Checked once, as no other has been less often: of {of} players the first by the seed {seed}.",
            "Checked {count} times, as no other has been less often: of {of} players the first by the seed {seed}.",
            self.checks,
            of=self.of,
            seed=self.seed,
        )


def next_one(players: Sequence[Drawable], drawn: Sequence[str], seed: str, among: str) -> NextCheck:
    """Return whose deck to check next, of a group of AMONG: first who was `drawn` and waits, in that order.

    Then, of those checked least often, the first by the seed. Invalid says so where nobody's place is known.
    """
    owed = draws.owed(players)
    group = {one.registration: one for one in draws.of_group(players, among)}
    if waiting := next((id for id in drawn if id in group), None):
        return NextCheck(waiting, DRAWN, len(group), group[waiting].checks, owed, seed, among)
    fewest = min((one.checks for one in group.values()), default=0)
    least = [one for one in group.values() if one.checks == fewest]
    if not least:
        return NextCheck("", NOBODY, 0, 0, owed, seed, among)
    return NextCheck(draws.ordered(least, seed)[0], FEWEST, len(least), fewest, owed, seed, among)
