"""How long it takes to read every card text of both catalogues: `python -m tests.benchmarks.clauses`."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Sequence
from pathlib import Path

from validator.clauses import read

_SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"


def texts(shared: Path) -> list[tuple[str, str, str, str]]:
    """Return game, type and both texts of every card in the catalogues under a folder."""
    with (shared / "dbs" / "catalogue.csv").open(encoding="utf-8", newline="") as file:
        dbs = [("dbs", row["type"], row["text"], row["back_text"]) for row in csv.DictReader(file)]
    printings = json.loads((shared / "optcg" / "cards_en_printings.json").read_text(encoding="utf-8"))
    cards = [card for card in printings if card["id"] == card["number"]]
    return dbs + [("optcg", card["category"], card["effect"] or "", card["trigger"] or "") for card in cards]


def seconds(cards: Sequence[tuple[str, str, str, str]], times: int = 5) -> float:
    """Return the seconds of the best of several readings, on one core."""
    best = float("inf")
    for _ in range(times):
        begun = time.process_time()
        for card in cards:
            read(*card)
        best = min(best, time.process_time() - begun)
    return best


def main() -> None:
    """Print seconds and cards per second."""
    if not _SHARED.exists():
        print(f"needs the shared data, and {_SHARED} is not there")
        return
    cards = texts(_SHARED)
    took = seconds(cards)
    print(f"{len(cards):,} card texts in {took:.2f} s: {len(cards) / took:,.0f} cards/s")


if __name__ == "__main__":
    main()
