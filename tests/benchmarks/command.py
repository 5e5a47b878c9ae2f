"""The command from outside: start-up, batches, memory: `python -m tests.benchmarks.command`.

Times are CPU seconds of whole processes, as the operating system counts them.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import orjson

from carddb import construction, sources
from carddb.library import Library
from tests.benchmarks import judge
from validator import SECTIONS, Deck

_ROOT = Path(__file__).resolve().parents[2]
_SHARED = _ROOT.parent / "shared"
_LISTS = {"optcg": "pages/optcg/cardlist-en-all-60-2026-08-21.tar.gz", "dbs": "data/dbs/catalogue.csv"}
_COMMAND = [sys.executable, "-c", "from api.cli import main; main()"]
DECKS = 40_000


def main() -> None:
    """Print what start-up, a batch and both full catalogues cost."""
    with tempfile.TemporaryDirectory() as folder:
        print(f"check on what ships: {_startup(folder):6.2f} s CPU (wanted: under 0.7)")
        if _SHARED.exists():
            url = f"sqlite:///{folder}/deckproof.db"
            for game, path in _LISTS.items():
                Library(url).store().import_cards(
                    game, map(construction.read, sources.read(_SHARED / path, game).cards), path
                )
            print(f"both full catalogues: {_memory(url):6.0f} MB RSS (wanted: under 150)")
            rate, bare = _batch(Path(folder))
            print(f"batch: {rate:,.0f} decks/s (wanted: 20,000), {rate / bare:.2f} of only reading the same JSON")


def _startup(folder: str) -> float:
    deck = str(_ROOT / "examples/optcg-red-zoro.txt")
    return min(_cpu([*_COMMAND, "check", deck], folder) for _ in range(5))


def _cpu(command: list[str], folder: str) -> float:
    """Run a command with a data folder of its own, and return the CPU seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "DECKPROOF_DATA_DIR": folder}
    subprocess.run(command, env=environment, cwd=_ROOT, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _memory(url: str) -> float:
    """Return the peak memory, in MB, of a process that holds the application and both full catalogues."""
    program = (
        "import resource; from api.web.app import create_app; from carddb.library import Library; create_app()\n"
        f"library = Library({url!r}); print(len(library.catalogue('optcg')), len(library.catalogue('dbs')))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=_ROOT, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def _batch(folder: Path) -> tuple[float, float]:
    """Return decks a second, start-up aside, of a batch and of a program that only reads the same JSON."""
    _, decks = judge.real_decks()
    lines = [_line(deck) for deck in decks]
    many, one = folder / "many.ndjson", folder / "one.ndjson"
    many.write_bytes(b"".join((lines * (DECKS // len(lines) + 1))[:DECKS]))
    one.write_bytes(lines[0])
    read = "import sys, orjson\nfor line in open(sys.argv[1], 'rb'): orjson.loads(line)"
    times = []
    for command in ([*_COMMAND, "batch"], [sys.executable, "-c", read]):
        tail = ["-o", str(folder / "out.ndjson")] if "batch" in command else []
        pairs = [[_cpu([*command, str(name), *tail], str(folder)) for name in (many, one)] for _ in range(3)]
        times.append(min(many_took - one_took for many_took, one_took in pairs))
    return DECKS / times[0], DECKS / times[1]


def _line(deck: Deck) -> bytes:
    lists = {name: [{"number": x.number, "count": x.count} for x in deck.section(name)] for name in SECTIONS}
    wanted = {"game": "optcg", "on": "2026-11-01", "format": "extra", "deck": lists}
    return orjson.dumps(wanted) + b"\n"


if __name__ == "__main__":
    main()
