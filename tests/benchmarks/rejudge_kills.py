"""Rejudging millions while processes die: `python -m tests.benchmarks.rejudge_kills [DECKS] [SEED] [ENGINE...]`.

The same decks are rejudged once undisturbed, and once by each engine (processes, dask: a cluster of two processes of
this machine) while random ones of all processes that take part are killed by SIGKILL at random moments, the command
too, which is then given again. Fails unless the results are the same bytes, with a row for each deck and no deck twice.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow.parquet as pq

from tests.api.processes import COMMAND, wait_for
from tests.benchmarks.rejudge import ON, write

DECKS, KILLS, EVERY = 2_000_000, 12, 2.0  # seconds between two deaths, on the average
COMMANDS = 0.2  # of those who die
_TWO = ["--nthreads", "1", "--no-dashboard", "--no-nanny"]

Kinds = dict[str, Callable[[str], bool]]


def main(count: int = DECKS, seed: int = 1, engines: tuple[str, ...] = ()) -> None:
    """Print how each engine fared."""
    with TemporaryDirectory() as folder:
        decks = split(Path(folder), count)
        begun = time.monotonic()
        assert start_rejudging(decks, Path(folder, "whole"), "--jobs", "2").wait() == 0
        whole = read_parts(Path(folder, "whole"))
        print(f"undisturbed: {count:,} decks in {time.monotonic() - begun:.0f} s, {len(whole)} files", flush=True)
        for name in engines or tuple(ENGINES):
            if name == "dask" and not find_spec("distributed"):
                print("distributed is not installed")
                continue
            with ENGINES[name](Path(folder)) as (words, kinds):
                run_with_kills(decks, Path(folder, name), words, kinds, random.Random(f"{name} {seed}"))
            assert read_parts(Path(folder, name)) == whole, f"{name} wrote other bytes"
            check_rows(Path(folder, name), count)
            print(f"{name}: the same bytes; {count:,} rows in, {count:,} out, none double", flush=True)


def split(folder: Path, count: int) -> Path:
    """Write stored decks, a file for each row group, so that there are many shards."""
    whole, decks = folder / "whole.parquet", folder / "decks"
    write(whole, count)
    decks.mkdir()
    with pq.ParquetFile(whole) as file:
        for group in range(file.num_row_groups):
            pq.write_table(file.read_row_group(group), decks / f"{group:04}.parquet")
    return decks


def start_rejudging(decks: Path, folder: Path, *words: str) -> subprocess.Popen[bytes]:
    """Start the command `deckproof rejudge`, and return its process."""
    call = [COMMAND, "rejudge", decks, "-o", folder, "--on", str(ON), *words]
    return subprocess.Popen(call, stderr=subprocess.DEVNULL, start_new_session=True)


def run_with_kills(decks: Path, folder: Path, words: tuple[str, ...], kinds: Kinds, draw: random.Random) -> None:
    """Start the command again until it is done, while its processes are killed at random."""
    begun, killed, given = time.monotonic(), Counter[str](), 0
    code = 1
    while code:
        assert given <= 2 * KILLS, "what fails does so by itself"
        process, given = start_rejudging(decks, folder, *words), given + 1
        while (code := process.poll()) is None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(draw.expovariate(1 / EVERY))
            if process.poll() is None and sum(killed.values()) < KILLS:
                killed.update(kill_one(kinds, draw))
    print(f"{folder.name}: {dict(killed)} killed, the command given {given} times, {time.monotonic() - begun:.0f} s")


def kill_one(kinds: Kinds, draw: random.Random) -> list[str]:
    """Kill a random process that judges shards, seldom the command. Return its kind in a list, [] if there was none."""
    wanted = {"the command": is_command} if draw.random() < COMMANDS else kinds
    found = [(pid, name) for pid, line in own_processes() for name, is_one in wanted.items() if is_one(line)]
    if not found:
        return []
    pid, name = draw.choice(found)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    return [name]


def own_processes() -> Iterator[tuple[int, str]]:
    """Yield the ids and command lines of the processes that this one has started, and of their children."""
    parents = {}
    for each in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parents[int(each.name)] = int((each / "stat").read_text().rpartition(")")[2].split()[1])
    for pid in sorted(parents):
        above = pid
        while (above := parents.get(above, 0)) not in (0, os.getpid()):
            pass
        with suppress(OSError):
            if above and (line := Path(f"/proc/{pid}/cmdline").read_bytes()):
                yield pid, line.replace(b"\0", b" ").decode()


def is_command(line: str) -> bool:
    return f"{COMMAND} rejudge" in line


@contextmanager
def _processes(_: Path) -> Iterator[tuple[tuple[str, ...], Kinds]]:
    yield ("--jobs", "2"), {"a process": lambda line: "spawn_main" in line}


@contextmanager
def _dask(folder: Path) -> Iterator[tuple[tuple[str, ...], Kinds]]:
    """Yield the options and processes of a Dask scheduler with two workers. A worker that dies is started again."""
    told = folder / "scheduler.json"
    python = [sys.executable, "-m"]
    scheduler = ["distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    with ExitStack() as stack:
        begun = subprocess.Popen([*python, *scheduler, "--scheduler-file", told], stderr=subprocess.DEVNULL)
        stack.callback(lambda: (begun.kill(), begun.wait()))
        wait_for(told.exists)
        address = json.loads(told.read_text())["address"]
        again = "while true; do {} -m distributed.cli.dask_worker {} {}; done".format(
            sys.executable, address, " ".join(_TWO)
        )
        for _ in range(2):
            keeper = subprocess.Popen(
                ["sh", "-c", again], cwd=folder, stderr=subprocess.DEVNULL, start_new_session=True
            )
            stack.callback(keeper.wait)
            stack.callback(os.killpg, keeper.pid, signal.SIGKILL)
        yield ("--dask", address), {"a worker": lambda line: "dask_worker" in line and not line.startswith("sh")}


ENGINES = {"processes": _processes, "dask": _dask}


def read_parts(folder: Path) -> dict[str, bytes]:
    """Return the bytes of all parts and receipts by name. Asserts that each part has a receipt."""
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("part-*")}
    receipts = [json.loads(content) for name, content in found.items() if name.startswith("_receipts")]
    assert not [receipt for receipt in receipts if "aside" in receipt]
    assert sorted(receipt["part"] for receipt in receipts) == sorted(path.name for path in folder.glob("part-*"))
    assert not list(folder.rglob(".begun-*"))
    return found


def check_rows(folder: Path, count: int) -> None:
    """Assert that each deck has one row."""
    ids = sorted(id for part in folder.glob("part-*") for id in pq.read_table(part, columns=["id"])["id"].to_pylist())
    assert ids == list(range(count))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]), engines=tuple(sys.argv[3:]))
