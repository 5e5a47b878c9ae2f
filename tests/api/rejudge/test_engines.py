"""Runs of `deckproof rejudge` that are killed: what is there in the end is what is there without."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.api.processes import COMMAND, START, wait_for
from tests.api.rejudge import stock

pytestmark = pytest.mark.slow
DAYS = ("--on", str(stock.ON), "--before", str(stock.BEFORE))


@pytest.fixture(scope="module")
def decks(tmp_path_factory):
    """Two files of decks, in Parquet and as lines, and one that cannot be read."""
    folder = tmp_path_factory.mktemp("decks")
    found = list(stock.decks(200))
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


def begun(decks, folder, *more):
    """The command, running."""
    call = [COMMAND, "rejudge", decks, "-o", folder, "--game", "optcg", *DAYS, *map(str, more)]
    return subprocess.Popen(call, stderr=subprocess.PIPE, text=True, start_new_session=True)


def ended(process):
    _, said = process.communicate(timeout=4 * START)
    return process.returncode, said


@pytest.fixture(scope="module")
def undisturbed(decks, tmp_path_factory):
    """A run that nobody disturbs: its folder, and what it says."""
    folder = tmp_path_factory.mktemp("whole") / "results"
    code, said = ended(begun(decks, folder, "--jobs", 2))
    assert code == 0
    return folder, said


def parts(folder):
    """The parts that the manifest has, with their bytes."""
    said = [json.loads(line) for line in (folder / "manifest.ndjson").read_text().splitlines()]
    return {one["part"]: (folder / one["part"]).read_bytes() for one in said if "aside" not in one}


@pytest.fixture(scope="module")
def whole(undisturbed):
    """What comes of a run that nobody disturbs."""
    found = parts(undisturbed[0])
    assert len(found) == 9
    return found


def hands(process):
    """The processes that another has started and that do shards."""
    found = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    own = found.read_text().split() if found.exists() else []
    return [int(pid) for pid in own if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def test_a_run_that_is_killed_goes_on(decks, whole, tmp_path):
    folder = tmp_path / "results"
    process = begun(decks, folder, "--jobs", 2)
    wait_for(lambda: list(folder.glob("part-*")))
    kill(process.pid)
    process.communicate()
    code, _ = ended(begun(decks, folder, "--jobs", 2))
    assert code == 0
    assert parts(folder) == whole
    assert sorted(path.name for path in folder.glob("part-*")) == sorted(whole)
    assert not list(folder.glob(".begun-*"))


def test_a_process_that_is_killed_is_replaced(decks, whole, tmp_path):
    folder = tmp_path / "results"
    process = begun(decks, folder, "--jobs", 2)
    kill(wait_for(lambda: hands(process))[0])
    wait_for(lambda: list(folder.glob("part-*")))
    for one in hands(process):
        kill(one)
    (folder / ".begun-by-one-who-died").touch()
    assert ended(process)[0] == 0
    assert parts(folder) == whole
    assert not list(folder.glob(".begun-*"))


def test_it_finishes_what_is_begun_when_it_is_told_to_stop(decks, whole, tmp_path):
    folder = tmp_path / "results"
    process = begun(decks, folder, "--jobs", 1)
    wait_for(lambda: list(folder.glob("part-*")))
    process.send_signal(signal.SIGTERM)
    code, said = ended(process)
    assert code == 128 + signal.SIGTERM
    assert "the same command goes on" in said
    assert 0 < len(parts(folder)) < len(whole)
    assert parts(folder).items() <= whole.items()
    assert not list(folder.glob(".begun-*"))
    assert ended(begun(decks, folder, "--jobs", 2))[0] == 0
    assert parts(folder) == whole


def test_each_row_has_its_row(decks, whole, tmp_path):
    for name, content in whole.items():
        (tmp_path / name).write_bytes(content)
    ids = [pq.read_table(tmp_path / name).column("id").to_pylist() for name in whole]
    assert sorted(map(len, ids)) == [200] * 9
    assert sum(len(set(own) - {None}) for own in ids) == sum(len([id for id in own if id]) for own in ids)


def test_a_folder_is_of_one_run(decks, tmp_path):
    folder = tmp_path / "results"
    assert ended(begun(decks / "1.parquet", folder))[0] == 0
    code, said = ended(begun(decks / "2.parquet", folder))
    assert (code, "inputs" in said) == (2, True)
    code, said = ended(begun(decks / "1.parquet", folder, "--full"))
    assert (code, "question" in said) == (2, True)


def test_a_dry_run_writes_nothing_and_says_the_same(decks, undisturbed, tmp_path):
    call = [COMMAND, "rejudge", decks, "--dry-run", "--game", "optcg", *DAYS]
    dry = subprocess.run(call, capture_output=True, text=True, cwd=tmp_path)
    assert dry.returncode == 0
    assert dry.stderr.replace("would be", "are") == undisturbed[1]
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_read_is_set_aside(decks, tmp_path):
    """One that is spoilt in its middle, and one of eight thousand million bytes in some thousand."""
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
    code, said = ended(begun(odd, tmp_path / "results", "--jobs", 1))
    assert code == 2
    assert "spoilt.parquet" in said
    assert "bomb.parquet" in said
    assert len(parts(tmp_path / "results")) == 1


@pytest.fixture
def dask(tmp_path):
    """A scheduler and two workers: its address, and the workers."""
    pytest.importorskip("distributed")
    address = tmp_path / "scheduler.json"
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    ours = [
        subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", address]
        )
    ]
    try:
        wait_for(address.exists)
        found = json.loads(address.read_text())["address"]
        more = [
            sys.executable,
            "-m",
            "distributed.cli.dask_worker",
            found,
            "--nthreads",
            "1",
            "--no-dashboard",
            "--no-nanny",
        ]
        ours += [subprocess.Popen(more, cwd=tmp_path) for _ in range(2)]
        yield found, ours[1:]
    finally:
        for one in ours:
            one.kill()
            one.wait()


def test_a_worker_of_dask_that_is_killed_is_done_without(decks, whole, dask, tmp_path):
    address, workers = dask
    process = begun(decks, tmp_path / "results", "--dask", address)
    wait_for(lambda: list((tmp_path / "results").glob("part-*")) or process.poll() is not None)
    workers[0].kill()
    code, said = ended(process)
    assert code == 0, said
    assert parts(tmp_path / "results") == whole


def of_ray(begun_before):
    """The processes in which Ray does shards."""
    found = subprocess.run(["pgrep", "-f", "^ray::tried"], capture_output=True, text=True).stdout.split()
    return [int(pid) for pid in found if pid not in begun_before]


def test_a_process_of_ray_that_is_killed_is_done_without(decks, whole, tmp_path):
    pytest.importorskip("ray")
    others = set(map(str, of_ray(())))
    process = begun(decks, tmp_path / "results", "--ray", "local")
    wait_for(lambda: of_ray(others) or process.poll() is not None, 4 * START)
    for pid in of_ray(others)[:1]:
        kill(pid)
    code, said = ended(process)
    assert code == 0, said
    assert parts(tmp_path / "results") == whole
