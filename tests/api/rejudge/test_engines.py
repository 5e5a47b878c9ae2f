"""Runs of `deckproof rejudge` that are killed: what is there in the end is what is there without."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from api.cli import cli
from api.rejudge import engines
from tests.api.processes import COMMAND, START, wait_for
from tests.api.rejudge import stock
from tests.api.rejudge.results import parts

pytestmark = pytest.mark.slow
DAYS = ("--on", str(stock.ON), "--before", str(stock.BEFORE))


ROWS = 100  # of a file


@pytest.fixture(scope="module")
def decks(tmp_path_factory):
    """Files of decks, in Parquet and as lines."""
    folder = tmp_path_factory.mktemp("decks")
    found = list(stock.decks(ROWS))
    for place in range(8):
        random.Random(place).shuffle(found)
        pq.write_table(pa.Table.from_batches([stock.batch(found)]), folder / f"{place}.parquet")
    lines = (json.dumps({"id": place, "deck": grouped(lines)}) for place, (_, lines) in enumerate(found))
    (folder / "9.ndjson").write_text("".join(f"{line}\n" for line in lines))
    return folder


def grouped(lines):
    """A deck as JSON has it; one that is not there is left to be unreadable."""
    sections = {}
    for line in lines or ():
        sections.setdefault(line["section"] or "main", []).append({key: line[key] for key in ("number", "count")})
    return sections if lines else None


def begun(decks, folder, *more, limit=None):
    """The command, running; with a limit, where nobody may have more bytes of memory."""
    call = [COMMAND, "rejudge", decks, "-o", folder, "--game", "optcg", *DAYS, *map(str, more)]
    limited = ["prlimit", f"--as={limit}"] if limit else []
    return subprocess.Popen([*limited, *call], stderr=subprocess.PIPE, text=True, start_new_session=True)


def ended(process):
    _, said = process.communicate(timeout=4 * START)
    return process.returncode, said


def run(decks, *more):
    """What the command ends with, by one process beside this one, and what it says."""
    call = ["rejudge", decks, "--game", "optcg", *DAYS, "--jobs", 1, *more]
    outcome = CliRunner().invoke(cli, list(map(str, call)))
    return outcome.exit_code, outcome.stderr


@pytest.fixture(scope="module")
def complete_run(decks, tmp_path_factory):
    """What comes of a run that nobody disturbs."""
    folder = tmp_path_factory.mktemp("whole") / "results"
    assert run(decks, "-o", folder)[0] == 0
    found = parts(folder)
    assert len(found) == 9
    return found


def hands(process):
    """The processes that another has started and that do shards."""
    found = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    own = found.read_text().split() if found.exists() else []
    return [int(pid) for pid in own if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def limits(process):
    """How many bytes of memory those who do shards may have, as soon as they have taken that upon themselves."""
    each = (resource.prlimit(pid, resource.RLIMIT_AS)[0] for pid in hands(process))
    return [limit for limit in each if limit != resource.RLIM_INFINITY]


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def test_a_run_that_is_told_to_stop_finishes_what_is_begun_and_it_goes_on_and_so_does_one_that_is_killed(
    decks, complete_run, tmp_path
):
    folder = tmp_path / "results"
    stopped = begun(decks, folder, "--jobs", 1)
    wait_for(lambda: limits(stopped))  # it has its first shard
    stopped.send_signal(signal.SIGTERM)
    code, said = ended(stopped)
    assert code == 128 + signal.SIGTERM
    assert "Run the same command again" in said
    left = parts(folder)
    assert 0 < len(left) < len(complete_run)
    assert left.items() <= complete_run.items()
    assert not list(folder.glob(".begun-*"))

    killed = begun(decks, folder, "--jobs", 2)
    wait_for(lambda: len(list(folder.glob("part-*"))) > len(left))
    kill(killed.pid)
    killed.communicate()
    assert ended(begun(decks, folder, "--jobs", 2))[0] == 0
    assert parts(folder) == complete_run
    assert sorted(path.name for path in folder.glob("part-*")) == sorted(complete_run)
    assert not list(folder.glob(".begun-*"))


def test_processes_that_are_killed_are_replaced(decks, complete_run, tmp_path):
    """All of them when they begin, and one that has done something."""
    folder, limit = tmp_path / "results", 6_000_000_000
    process = begun(decks, folder, "--jobs", 2, limit=limit)
    for one in wait_for(lambda: len(both := hands(process)) == 2 and both):
        kill(one)
    wait_for(lambda: list(folder.glob("part-*")))
    assert set(limits(process)) == {limit}
    kill(hands(process)[0])
    (folder / ".begun-by-one-who-died").touch()
    assert ended(process)[0] == 0
    assert parts(folder) == complete_run
    assert not list(folder.glob(".begun-*"))


def test_each_row_has_its_row(complete_run, tmp_path):
    for name, content in complete_run.items():
        (tmp_path / name).write_bytes(content)
    ids = [pq.read_table(tmp_path / name).column("id").to_pylist() for name in complete_run]
    assert sorted(map(len, ids)) == [ROWS] * 9
    assert sum(len(set(own) - {None}) for own in ids) == sum(len([id for id in own if id]) for own in ids)


def test_what_cannot_be_read_is_set_aside(decks, tmp_path, monkeypatch):
    """One that is spoilt in its middle, and one of very many more bytes than a process may have in some thousand."""
    monkeypatch.setattr(engines, "_MEMORY", 1_000_000_000)
    odd = tmp_path / "decks"
    odd.mkdir()
    good = (decks / "1.parquet").read_bytes()
    middle = len(good) // 2
    (odd / "spoilt.parquet").write_bytes(good[: middle - 2_000] + b"\x55" * 4_000 + good[middle + 2_000 :])
    (odd / "good.parquet").write_bytes(good)
    numbers = pa.DictionaryArray.from_arrays(pa.array([0] * 16_000, pa.int32()), ["OP01-016" * 60_000])
    names = ("number", "count", "section")
    lines = pa.StructArray.from_arrays([numbers, pa.array([4] * 16_000), pa.array(["main"] * 16_000)], names)
    bomb = {"id": pa.array(range(16_000)), "deck": pa.ListArray.from_arrays(pa.array(range(16_001), pa.int32()), lines)}
    pq.write_table(pa.table(bomb), odd / "bomb.parquet", store_schema=False)
    assert (odd / "bomb.parquet").stat().st_size < 2_000_000
    code, said = run(odd, "-o", tmp_path / "results")
    assert code == 2
    assert "spoilt.parquet" in said
    assert "bomb.parquet" in said
    assert len(parts(tmp_path / "results")) == 1


# A scheduler with a worker in its own process.
SCHEDULER = """
import asyncio, pathlib, sys
from distributed import Scheduler, Worker

async def serve():
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        async with Worker(scheduler.address, nthreads=1, dashboard=False):
            part = pathlib.Path(sys.argv[1] + ".part")
            part.write_text(scheduler.address)
            part.rename(sys.argv[1])
            while len(scheduler.workers) < 2:
                await asyncio.sleep(0.05)
            pathlib.Path(sys.argv[2]).touch()
            await scheduler.finished()

asyncio.run(serve())
"""


@pytest.fixture
def dask(tmp_path):
    """A scheduler and two workers: its address, and the worker that has a process of its own."""
    pytest.importorskip("distributed")
    place, both = tmp_path / "address", tmp_path / "both"
    ours = [subprocess.Popen([sys.executable, "-c", SCHEDULER, place, both], cwd=tmp_path)]
    try:
        wait_for(place.exists)
        address = place.read_text()
        worker = [sys.executable, "-m", "distributed.cli.dask_worker", address]
        more = ["--nthreads", "1", "--no-dashboard", "--no-nanny"]
        ours.append(subprocess.Popen([*worker, *more], cwd=tmp_path))
        wait_for(both.exists)
        yield address, ours[1]
    finally:
        for one in ours:
            one.kill()
            one.wait()


def test_a_worker_of_dask_that_is_killed_is_done_without(decks, complete_run, dask, tmp_path):
    address, worker = dask
    process = begun(decks, tmp_path / "results", "--dask", address)
    wait_for(lambda: list((tmp_path / "results").glob("part-*")) or process.poll() is not None)
    worker.kill()
    code, said = ended(process)
    assert code == 0, said
    assert parts(tmp_path / "results") == complete_run
