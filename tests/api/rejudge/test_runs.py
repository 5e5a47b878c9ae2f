"""Runs of `deckproof rejudge`: what they print, what is in their folders, and how they go on.

Threads of this process do the shards. `test_engines.py` has the processes.
"""

from __future__ import annotations

import json
import re
import shutil
import signal
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from datetime import date

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from api.cli import cli
from api.rejudge import engines, runs
from tests.api.rejudge import stock
from tests.api.rejudge.results import parts

DAYS = ("--on", stock.ON, "--before", stock.BEFORE)
# Legal until its blocks leave Standard, between the two days.
ROTATED = [
    {"number": "OP01-001", "count": 1, "section": "leader"},
    *({"number": f"OP01-{place:03}", "count": 4, "section": "main"} for place in (6, 11, 13, 16, 17, 25, 29, 120)),
    *({"number": f"ST01-{place:03}", "count": 4, "section": "main"} for place in (4, 6, 12)),
    {"number": "OP01-026", "count": 3, "section": "main"},
    {"number": "ST01-015", "count": 3, "section": "main"},
]
BLOCKS = [line["number"] for line in ROTATED]
SHORT = [ROTATED[0], {"number": "OP01-016", "count": 4, "section": "main"}]


@pytest.fixture(autouse=True, scope="module")
def threads():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "_start_process", lambda: ThreadPoolExecutor(1))
        yield


def to_sections(lines):
    """A deck as JSON has it."""
    sections = {}
    for line in lines:
        sections.setdefault(line["section"], []).append({key: line[key] for key in ("number", "count")})
    return sections


def write_lines(path, rows):
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


@pytest.fixture
def decks(tmp_path, zoro):
    """A folder with a file of lines and a Parquet file. Some of its cards were not released on the first day."""
    folder = tmp_path / "decks"
    folder.mkdir()
    later = [
        {"number": line["number"], "count": line["count"], "section": name} for name in zoro for line in zoro[name]
    ]
    rows = [
        {"id": "later", "deck": zoro},
        {"id": 2, "deck": to_sections(ROTATED)},
        {"id": "short", "deck": to_sections(SHORT)},
        {"id": "attic", "deck": {"attic": []}},
    ]
    write_lines(folder / "some.ndjson", rows)
    columns = {"id": ["a", "b", "c"], "deck": pa.array([ROTATED, later, None], pa.list_(stock.LINE))}
    pq.write_table(pa.table(columns), folder / "others.parquet")
    return folder


def run(source, *more, days=DAYS):
    """Return the exit code of the command, and what it prints."""
    call = ["rejudge", source, "--game", "optcg", *days, "--jobs", 1, *more]
    outcome = CliRunner().invoke(cli, list(map(str, call)))
    assert outcome.stdout == ""
    return outcome.exit_code, outcome.stderr


def counts(printed):
    """The numbers of decks in the last sentence: all, concerned, legal no more, again, legal, not legal, unusable."""
    return [int(number.replace(",", "")) for number in re.findall(r"[\d,]*\d", printed.splitlines()[-1])]


@pytest.fixture
def complete_run(decks, tmp_path):
    """The folder of a run of all decks."""
    folder = tmp_path / "whole"
    code, printed = run(decks, "-o", folder)
    assert (code, counts(printed)) == (0, [7, 5, 2, 2, 2, 3, 2])
    return folder


def rows(folder):
    """The rows of all parts of a folder, by their ids."""
    return {row["id"]: row for part in folder.glob("part-*") for row in pq.read_table(part).to_pylist()}


def receipts(folder):
    """The receipts of a folder, by the names of the files of decks."""
    found = (json.loads(path.read_bytes()) for path in (folder / "_receipts").iterdir())
    return {receipt["input"]: receipt for receipt in found}


def test_each_deck_has_its_verdict_before_and_after(complete_run):
    found = rows(complete_run)
    assert {id: (row["before"], row["legal"]) for id, row in found.items()} == {
        "later": (False, True),
        "2": (True, False),
        "short": (False, False),
        "attic": (None, None),
        "a": (True, False),
        "b": (False, True),
        "c": (None, None),
    }
    assert [found[id]["codes"] for id in ("later", "2", "attic", "c")] == [
        [],
        ["block.rotated"],
        ["row.unreadable"],
        ["row.unreadable"],
    ]
    assert set(found["a"]["cards"]) < set(BLOCKS)
    assert set(found["short"]["codes"]) == {"size", "block.rotated"}
    made_with = {
        (row["ruleset"], row["on"], bool(row["judge"])) for row in found.values() if row["codes"] != ["row.unreadable"]
    }
    assert made_with == {("optcg-1.2.1", stock.ON, True)}
    assert (found["c"]["ruleset"], found["c"]["judge"]) == (None, None)


def test_each_part_has_a_receipt_with_its_counts(decks, complete_run):
    assert len(parts(complete_run)) == 2
    found = receipts(complete_run)
    lines, table = found["some.ndjson"], found["others.parquet"]
    assert lines["counts"] == dict(zip(runs.COUNTS, (4, 1, 2, 1, 1, 1, 3), strict=True))
    assert table["counts"] == dict(zip(runs.COUNTS, (3, 1, 1, 1, 1, 1, 2), strict=True))
    assert (lines["first"], lines["end"]) == (0, (decks / "some.ndjson").stat().st_size)
    assert (table["first"], table["end"]) == (0, 3)


def test_without_a_day_decks_are_judged_by_today_and_nothing_is_concerned(decks, tmp_path):
    code, printed = run(decks, "-o", tmp_path / "results", days=())
    assert (code, counts(printed)[:4]) == (0, [7, 5, 0, 0])
    found = rows(tmp_path / "results")
    assert {row["on"] for row in found.values()} == {date.today(), None}
    assert {row["before"] for row in found.values()} == {None}


def test_only_a_change_of_its_cards_replaces_a_stored_verdict(complete_run, tmp_path):
    """The verdicts of the first run, of which one is contradicted: only those of a full run are all new."""
    made = rows(complete_run)["2"] | {"cards": [], "codes": ["invented"]}
    stored = {key: made[key] for key in ("legal", "codes", "cards", "snapshot", "judge")} | {"on": str(stock.ON)}
    again = tmp_path / "again.ndjson"
    known, unknown = {"id": "known", "stored": stored}, {"id": "unknown", "stored": stored | {"judge": "another"}}
    write_lines(again, [row | {"deck": to_sections(ROTATED)} for row in (known, unknown)])
    assert run(again, "-o", tmp_path / "kept")[0] == 0
    found = rows(tmp_path / "kept")
    assert (found["known"]["codes"], found["unknown"]["codes"]) == (["invented"], ["block.rotated"])
    assert (found["known"]["before"], found["known"]["legal"]) == (False, False)
    code, printed = run(again, "--full", "--dry-run")
    assert (code, counts(printed)) == (0, [2, 2, 0, 0, 0, 2, 0])
    code, printed = run(again, "--dry-run")
    assert (code, counts(printed)) == (0, [2, 1, 0, 0, 0, 2, 0])


def test_a_folder_is_of_one_run(decks, complete_run):
    code, printed = run(decks / "some.ndjson", "-o", complete_run)
    assert (code, "inputs" in printed) == (2, True)
    code, printed = run(decks, "-o", complete_run, "--full")
    assert (code, "question" in printed) == (2, True)


@pytest.mark.parametrize("content", ["{", "[]", '{"split": {"rows": 1, "bytes": 1}}'])
def test_a_folder_whose_description_cannot_be_read_is_refused(decks, complete_run, content):
    (complete_run / "_run.json").write_text(content)
    code, printed = run(decks, "-o", complete_run)
    assert (code, str(complete_run) in printed) == (2, True)
    assert (complete_run / "_run.json").read_text() == content


@pytest.mark.parametrize("name", ["manifest.ndjson", "run.json"])
def test_a_folder_of_an_earlier_version_is_refused(decks, tmp_path, name):
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / name).touch()
    code, printed = run(decks, "-o", folder)
    assert (code, "earlier version" in printed) == (2, True)
    assert [path.name for path in folder.iterdir()] == [name]


def test_the_next_run_replaces_a_damaged_part(decks, complete_run):
    before = parts(complete_run)
    name, content = min(before.items())
    middle = len(content) // 2
    (complete_run / name).write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    assert run(decks, "-o", complete_run)[0] == 0
    assert parts(complete_run) == before


def test_the_next_run_replaces_a_damaged_receipt(decks, complete_run):
    before = parts(complete_run)
    first, second = sorted((complete_run / "_receipts").iterdir())
    content = first.read_bytes()
    first.write_bytes(content[:-5])
    second.unlink()
    assert run(decks, "-o", complete_run)[0] == 0
    assert first.read_bytes() == content
    assert parts(complete_run) == before


def test_copies_of_the_files_with_other_times_are_the_same_run(decks, complete_run, tmp_path):
    written = {path: path.stat().st_mtime_ns for path in complete_run.glob("part-*")}
    shutil.copytree(decks, tmp_path / "copies", copy_function=shutil.copyfile)
    (complete_run / ".begun-by-one-that-was-killed").touch()
    code, printed = run(tmp_path / "copies", "-o", complete_run)
    assert (code, counts(printed)) == (0, [7, 5, 2, 2, 2, 3, 2])
    assert {path: path.stat().st_mtime_ns for path in complete_run.glob("part-*")} == written
    assert not list(complete_run.glob(".begun-*"))


def test_a_terminal_has_a_bar_of_the_shards_and_their_decks(decks, tmp_path, monkeypatch):
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True)
    for _ in range(2):  # the second time all shards are done already
        code, printed = run(decks, "-o", tmp_path / "results")
        assert (code, "2/2" in printed, "7 decks, " in printed) == (0, True, True)


def test_all_processes_are_ended(decks, monkeypatch):
    processes = []
    monkeypatch.setattr(engines, "_start_process", lambda: processes.append(ThreadPoolExecutor(1)) or processes[-1])
    assert run(decks, "--dry-run", "--jobs", 9)[0] == 0
    assert len(processes) == 2
    for process in processes:
        with pytest.raises(RuntimeError, match="shutdown"):
            process.submit(print)


def test_a_dry_run_writes_nothing_and_counts_the_same(decks, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("--before", "--changed-since"):
        code, printed = run(decks, "--dry-run", days=("--on", stock.ON, name, stock.BEFORE))
        assert (code, counts(printed)) == (0, [7, 5, 2, 2, 2, 3, 2])
    assert [path.name for path in tmp_path.iterdir()] == ["decks"]


@pytest.mark.parametrize("more", [(), ("-o", "results", "--dry-run"), ("--dry-run", "--dask", "127.0.0.1:1")])
def test_options_that_contradict_each_other_are_refused(decks, tmp_path, monkeypatch, more):
    monkeypatch.chdir(tmp_path)
    assert run(decks, *more)[0] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["decks"]


def test_wrong_terms_are_refused_before_any_deck_is_judged(decks, tmp_path):
    code, printed = run(decks, "-o", tmp_path / "results", "--region", "moon")
    assert (code, "--region" in printed, (tmp_path / "results").exists()) == (2, True, False)


@pytest.mark.parametrize(
    ("target", "word"),
    [
        ("hdfs://node/results", "hdfs"),
        ("s3:/", "s3"),
        ("file.txt", "file.txt"),
        ("file.txt/a", "file.txt"),
        ("/proc/a", "/proc/a"),
    ],
)
def test_an_unwritable_target_is_refused_before_the_first_deck(decks, tmp_path, monkeypatch, target, word):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(engines, "_start_process", lambda: pytest.fail("a process was begun"))
    (tmp_path / "file.txt").touch()
    code, printed = run(decks, "-o", target)
    assert (code, word in printed) == (2, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["decks", "file.txt"]


@pytest.fixture
def spoilt(decks, complete_run):
    """The folder of decks with seven more Parquet files, whose rows cannot be read."""
    good = decks / "others.parquet"
    content = good.read_bytes()
    start = pq.read_metadata(good).row_group(0).column(0).data_page_offset
    for place in range(7):
        (decks / f"spoilt-{place}.parquet").write_bytes(content[:start] + b"\x55" * 20 + content[start + 20 :])
    return decks


def test_files_that_cannot_be_read_are_set_aside_and_tried_again(spoilt, complete_run):
    code, printed = run(spoilt, "-o", complete_run.with_name("others"))
    aside = re.findall(r"(spoilt-\d\.parquet), from 0 to 3", printed)
    assert (code, len(aside), len(printed.splitlines())) == (2, 5, 7)
    assert " 7 " in f" {printed.splitlines()[-1]} "
    found = receipts(complete_run.with_name("others"))
    assert Counter("aside" in receipt for receipt in found.values()) == {True: 7, False: 2}
    assert "spoilt-3.parquet" in found["spoilt-3.parquet"]["aside"]
    assert parts(complete_run.with_name("others")) == parts(complete_run)
    assert run(spoilt, "-o", complete_run.with_name("others"))[0] == 2


def test_a_run_that_is_stopped_finishes_its_shard_and_goes_on_later(decks, complete_run, tmp_path, monkeypatch):
    handlers = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)

    def try_shard_and_stop(job, shard):
        signal.raise_signal(signal.SIGTERM)
        return runs.try_shard(job, shard)

    with monkeypatch.context() as patch:
        patch.setattr(engines, "try_shard", try_shard_and_stop)
        code, printed = run(decks, "-o", tmp_path / "results")
    assert (code, "Run the same command again" in printed) == (128 + signal.SIGTERM, True)
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == handlers
    left = parts(tmp_path / "results")
    assert len(left) == 1
    assert left.items() < parts(complete_run).items()
    code, printed = run(decks, "-o", tmp_path / "results")
    assert (code, counts(printed)[0], parts(tmp_path / "results")) == (0, 7, parts(complete_run))


def test_a_shard_of_which_processes_die_is_tried_three_times(decks, complete_run, tmp_path, monkeypatch):
    deaths = Counter()

    class Process(ThreadPoolExecutor):
        def submit(self, function, job, shard):
            if shard.location.name == "some.ndjson":
                return super().submit(function, job, shard)
            deaths[shard.location.name] += 1
            future = Future()
            future.set_exception(BrokenProcessPool())
            return future

    monkeypatch.setattr(engines, "_start_process", lambda: Process(1))
    code, printed = run(decks, "-o", tmp_path / "results", "--jobs", 2)
    assert (code, deaths) == (2, {"others.parquet": 3})
    assert "others.parquet, from 0 to 3" in printed
    assert receipts(tmp_path / "results")["others.parquet"]["aside"]
    assert parts(tmp_path / "results").items() < parts(complete_run).items()


def test_an_error_of_the_system_is_retried_twice(decks, tmp_path, monkeypatch):
    monkeypatch.setattr(runs, "_PAUSE", 0)
    errors = [OSError("busy"), MemoryError()]
    write_receipt = runs._write_receipt

    def write_receipt_at_last(*about, **result):
        if errors:
            raise errors.pop()
        write_receipt(*about, **result)

    monkeypatch.setattr(runs, "_write_receipt", write_receipt_at_last)
    assert run(decks / "some.ndjson", "-o", tmp_path / "results")[0] == 0
    errors += [OSError("no room")] * 3
    code, printed = run(decks / "others.parquet", "-o", tmp_path / "others")
    assert (code, errors, "no room" in printed) == (2, [], True)


def test_a_machine_with_another_version_judges_nothing(decks, tmp_path, monkeypatch):
    monkeypatch.setattr(runs, "version", lambda: "another")
    code, printed = run(decks, "-o", tmp_path / "results")
    assert (code, printed.count("another version"), parts(tmp_path / "results")) == (2, 2, {})
