"""What 1,000 registration sheets as one PDF cost, as a ratio measured in one run: `python -m tests.benchmarks.sheets`.

The measure is the same cards in plain typst tables: no layout, no verdict, no code, the same fonts. typst remembers
what it drew, so each drawing has a process of its own.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from datetime import date
from multiprocessing import get_context

import typst

from api.sheets import fonts
from api.sheets import sheet_pdf as pdf
from api.sheets.registration import Registration
from api.sheets.sheet import Sheet, sheet
from carddb.catalogue import Catalogue
from tests.benchmarks import judge as decks_of_judge
from validator import Judge, Terms, rulesets

SHEETS = 1_000
ROUNDS = 5
_PLAIN = b"""#let data = json(bytes(sys.inputs.data))
#set text(font: data.fonts, size: 10pt)
#for rows in data.decks { pagebreak(weak: true); table(columns: 4, ..rows) }
"""


def main() -> None:
    """Print seconds for the plain tables and for the sheets, and their ratio."""
    seconds: dict[Callable[[], float], list[float]] = {_plain: [], _sheets: []}
    for _ in range(ROUNDS):
        for call, times in seconds.items():
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
                times.append(process.submit(call).result())
    plain, sheets = map(min, seconds.values())
    print(f"{SHEETS:,} decks, CPU seconds, best of {ROUNDS} rounds in turn")
    print(f"plain tables: {plain:6.2f} s")
    print(f"sheets:       {sheets:6.2f} s")
    print(f"ratio:        {sheets / plain:6.2f} (wanted: at most 1.5)")


def _plain() -> float:
    """Return the seconds that plain tables take."""
    rows = [_rows(one) for one in _make_sheets()]
    files = fonts.fonts()
    return _processor_seconds(lambda: typst.compile(_PLAIN, font_paths=files, sys_inputs={"data": _data(rows)}))


def _sheets() -> float:
    """Return the seconds that sheets take."""
    sheets = _make_sheets()
    fonts.fonts()
    return _processor_seconds(lambda: pdf.draw_sheets(sheets))


def _make_sheets() -> list[Sheet]:
    """Return SHEETS registration sheets of judged decks, whose cards have invented costs."""
    cards, decks = decks_of_judge.real_decks() if decks_of_judge.SHARED.exists() else decks_of_judge.invented_decks()
    priced = [replace(card, cost=at % 10) for at, card in enumerate(cards)]  # the cards there have no costs
    judge = Judge(Terms(rulesets()["optcg-1.1.9"], date(2026, 11, 1), format="extra"), Catalogue("optcg", "", priced))
    return [sheet(_person(at), judge(decks[at % len(decks)])) for at in range(SHEETS)]


def _person(player_number: int) -> Registration:
    """Return the registration of an invented player."""
    return Registration.read(
        {
            "player": f"Player {player_number}",
            "player_id": f"{player_number:010}",
            "event": "Benchmark",
            "table": str(player_number),
        }
    )


def _rows(sheet: Sheet) -> list[str]:
    """Return the cells of all cards on a sheet."""
    entries = (entry for section in sheet.sections for entry in section.entries)
    return [cell for entry in entries for cell in (str(entry.count), entry.number, entry.name, entry.cost)]


def _data(decks: Sequence[Sequence[str]]) -> str:
    return json.dumps({"fonts": fonts.FAMILIES, "decks": decks}, ensure_ascii=False)


def _processor_seconds(call: Callable[[], object]) -> float:
    """Return the processor time that a call takes."""
    start = time.process_time()
    call()
    return time.process_time() - start


if __name__ == "__main__":
    main()
