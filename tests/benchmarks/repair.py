"""The speed of a repair, compared with one judgement in the same run: `python -m tests.benchmarks.repair`.

The decks are real lists of the shared data, broken at random. Without that data they are made of invented cards.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date
from random import Random
from statistics import median

from tests.benchmarks.judge import SHARED, invented_decks, real_decks
from tests.validator.repair.breaking import break_deck
from validator import Judge, Terms, rulesets
from validator.repair import repair

DECKS = 500


def main() -> None:
    """Print the median and the 99th percentile of a repair in ms, the median of a judgement, and their ratio."""
    catalogue, decks = real_decks() if SHARED.exists() else invented_decks()
    judge = Judge(Terms(rulesets()["optcg-1.1.9"], date(2026, 11, 1)), catalogue)
    random = Random(1)
    led = [deck for deck in decks if not any(one.section == "leader" for one in judge(deck).findings)]
    wrong = [
        deck for deck in (break_deck(random.choice(led), judge, random) for _ in range(DECKS)) if not judge(deck).legal
    ]
    for deck in wrong[: DECKS // 10]:
        repair(judge, deck)  # what a Judge learns of its cards it learns once
    judged = [_milliseconds(lambda deck=deck: judge(deck)) for deck in wrong]
    repaired = sorted(_milliseconds(lambda deck=deck: repair(judge, deck)) for deck in wrong)
    print(f"{len(wrong)} broken decks, {len(catalogue)} cards")
    print(f"judgement: {median(judged):8.3f} ms at the median")
    print(f"repair:    {median(repaired):8.3f} ms at the median (wanted: under 5)")
    print(f"           {repaired[len(repaired) * 99 // 100]:8.3f} ms at the 99th percentile (wanted: under 50)")
    print(f"ratio:     {median(repaired) / median(judged):8.1f}")


def _milliseconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return 1000 * (time.process_time() - start)


if __name__ == "__main__":
    main()
