"""The speed of a Judge, as ratios measured in one run: `python -m tests.benchmarks.judge`.

The decks are real lists of the shared data. Without that data they are invented.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from carddb.catalogue import Catalogue
from validator import Card, Deck, Judge, Line, Terms, rulesets

SHARED = Path(__file__).resolve().parents[3] / "shared"
ROUNDS = 30


def main() -> None:
    """Print decks a second for the bare loop and for the Judge, and their ratio."""
    catalogue, decks = real_decks() if SHARED.exists() else invented_decks()
    judge = Judge(Terms(rulesets()["optcg-1.1.9"], date(2026, 11, 1), format="extra"), catalogue)
    legal = [deck for deck in decks if judge(deck).legal]
    loop, judged = best_times(lambda: bare(catalogue, legal), lambda: _judge(judge, legal))
    print(f"{len(legal)} legal decks of {len(catalogue)} cards, best of {ROUNDS} rounds in turn")
    print(f"bare loop: {len(legal) / loop:10,.0f} decks/s")
    print(f"Judge:     {len(legal) / judged:10,.0f} decks/s (wanted: 100,000)")
    print(f"ratio:     {judged / loop:10.2f} (wanted: at most 2.5)")


def bare(catalogue: Catalogue, decks: Sequence[Deck]) -> None:
    """Do what no judge can do without: look up each line in a dict and add counts."""
    index = catalogue.index
    for deck in decks:
        counts: dict[Card, int] = {}
        for line in deck.main:
            card = index[line.number]
            counts[card] = counts.get(card, 0) + line.count


def _judge(judge: Judge, decks: Sequence[Deck]) -> None:
    """Judge all decks. The verdicts are dropped."""
    for deck in decks:
        assert judge(deck).legal


def best_times(first: Callable[[], object], second: Callable[[], object]) -> tuple[float, float]:
    """Return the best processor time of each function.

    They are run in turn, so that both meet the same machine state.
    """
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for timed, call in zip(times, (first, second), strict=True):
            start = time.process_time()
            call()
            timed.append(time.process_time() - start)
    return min(times[0]), min(times[1])


def real_decks() -> tuple[Catalogue, list[Deck]]:
    """Return a catalogue and the decks of the shared data."""
    printings = json.loads((SHARED / "data/optcg/cards_en_printings.json").read_text("utf-8"))
    cards = [_card(one) for one in printings if one["id"] == one["number"]]
    catalogue = Catalogue("optcg", "benchmark", cards)
    lists = (SHARED / "decks/optcg_decks.jsonl").read_text("utf-8").splitlines()
    return catalogue, [_deck(json.loads(one)["lines"], catalogue) for one in lists]


def _card(printing: dict[str, str]) -> Card:
    """Return the card of a row of the shared data."""
    colors = tuple(printing["color"].split("/"))
    return Card("optcg", printing["number"], printing["name"], printing["category"].capitalize(), colors=colors)


def _deck(lines: Sequence[dict[str, object]], catalogue: Catalogue) -> Deck:
    """Return a deck of the lines of a real list. Its Leader is one of the lines."""
    leader, main = [], []
    for line in lines:
        number, count = str(line["number"]), int(str(line["count"]))
        card = catalogue.by_number(number)
        (leader if card and card.type == "Leader" else main).append(Line(number, count))
    return Deck(leader=tuple(leader), main=tuple(main))


def invented_decks() -> tuple[Catalogue, list[Deck]]:
    """Return a catalogue and decks of invented cards, for a checkout without the shared data."""
    cards = [Card("optcg", f"OP01-{n:03}", f"Pirate {n}", "Character", colors=("Red",)) for n in range(2, 1000)]
    leader = replace(cards[0], number="OP01-001", type="Leader")
    numbers = [card.number for card in cards]
    mains = (numbers[start : start + 13] for start in range(0, 900, 13))
    decks = [
        Deck(
            (Line(leader.number, 1),), tuple(Line(number, 4 if place < 12 else 2) for place, number in enumerate(main))
        )
        for main in mains
    ]
    return Catalogue("optcg", "benchmark", [leader, *cards]), decks


if __name__ == "__main__":
    main()
