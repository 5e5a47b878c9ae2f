"""`deckproof batch`: NDJSON in, NDJSON out, in order, whatever a line holds."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.cli import cli
from tests.api.processes import COMMAND, wait_for

DAY = "2026-11-01"


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path / "data"))

    def invoke(*arguments, stdin=None):
        return CliRunner().invoke(cli, ["batch", *map(str, arguments)], input=stdin, prog_name="deckproof")

    return invoke


def lines(*requests):
    return b"".join(json.dumps(one).encode() + b"\n" if isinstance(one, dict) else one for one in requests)


@pytest.fixture
def legal(zoro):
    return {"game": "optcg", "on": DAY, "deck": zoro}


@pytest.fixture
def illegal(zoro):
    return {"game": "optcg", "on": DAY, "deck": zoro | {"main": zoro["main"][1:]}}


def test_files_are_judged_into_files(run, tmp_path, legal, illegal):
    decks, verdicts = tmp_path / "decks.ndjson", tmp_path / "verdicts.ndjson"
    decks.write_bytes(lines(legal, illegal, b"\n", legal))
    done = run(decks, "-o", verdicts)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "3 judged: 2 legal, 1 not legal.\n"
    assert [json.loads(line)["legal"] for line in verdicts.read_text().splitlines()] == [True, False, True]


def test_streams_are_judged_into_streams(run, legal):
    done = run("-", "-o", "-", stdin=lines(legal, legal))
    assert done.exit_code == 0
    assert [json.loads(line)["legal"] for line in done.stdout.splitlines()] == [True, True]


def test_a_line_that_cannot_be_used_is_answered_where_it_stands(run, legal):
    done = run("-", stdin=lines(legal, b"{bad\n", b"\n", {"game": "chess", "deck": {}}, legal))
    assert done.exit_code == 2
    answers = list(map(json.loads, done.stdout.splitlines()))
    assert [answer.get("line") for answer in answers] == [None, 2, 4, None]
    assert "2 lines that could not be used" in done.stderr


def test_nothing_to_judge_is_nothing_wrong(run):
    done = run("-", stdin=b"")
    assert (done.exit_code, done.stdout) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("missing.ndjson",), "missing.ndjson"),
        (("decks.docx",), "decks.docx"),
        (("-", "-o", "verdicts.docx"), "verdicts.docx"),
        (("-", "-o", "no/such/folder/verdicts.ndjson"), "verdicts.ndjson"),
    ],
)
def test_what_cannot_be_read_or_written_is_said_in_a_sentence(run, arguments, word):
    done = run(*arguments, stdin=b"")
    assert (done.exit_code, done.stdout) == (2, "")
    assert word in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_is_never_written_over_itself(run, tmp_path, legal):
    decks = tmp_path / "decks.ndjson"
    decks.write_bytes(lines(legal))
    (tmp_path / "verdicts.ndjson").symlink_to(decks)
    assert run(decks, "-o", decks).exit_code == 2
    assert run(decks, "-o", tmp_path / "verdicts.ndjson").exit_code == 2
    assert decks.read_bytes() == lines(legal)


def test_players_without_a_deck_are_counted(run, tmp_path):
    table = tmp_path / "decks.csv"
    table.write_text("Player,Decklist\nZoro,4 OP01-016\nNami,4 OP01-013\nNobody,\n")
    done = run(table, "--game", "optcg", "-o", tmp_path / "results.csv")
    counts = "3 judged: 0 legal, 2 not legal, 1 without a deck, 1 row not read."
    assert (done.exit_code, done.stderr.splitlines()[-1]) == (2, counts)


def started(folder, source, *options, **streams):
    """A batch by processes of its own, the first of a session, so that all of them can be met."""
    command = [COMMAND, "batch", source, *map(str, options)]
    environment = os.environ | {"DECKPROOF_DATA_DIR": str(folder)}
    return subprocess.Popen(command, env=environment, start_new_session=True, **streams)


def children(process):
    return Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()


def having(process, count):
    """The children of a process, once there are so many."""
    give_up = time.monotonic() + 60
    while len(found := children(process)) < count:
        assert time.monotonic() < give_up
        time.sleep(0.01)
    return list(map(int, found))


def is_gone(session):
    """Whether nobody is left of a session, soon."""
    give_up = time.monotonic() + 60
    while time.monotonic() < give_up:
        try:
            os.killpg(session, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


@pytest.fixture
def many(tmp_path, legal, illegal):
    """Some pieces of requests, and of what is none."""
    file = tmp_path / "many.ndjson"
    file.write_bytes(lines(*[legal, illegal, b"{bad\n", b"\n"] * 300))
    return file


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [2, 5])
def test_many_processes_write_what_one_does(run, tmp_path, many, jobs):
    one = run(many, "-o", tmp_path / "one.ndjson")
    done = run(many, "-o", tmp_path / "more.ndjson", "--jobs", jobs)
    assert (done.exit_code, done.stderr) == (one.exit_code, one.stderr) == (2, done.stderr)
    assert (tmp_path / "more.ndjson").read_bytes() == (tmp_path / "one.ndjson").read_bytes()


def test_a_spreadsheet_has_one_process(run):
    done = run("decks.xlsx", "-o", "results.xlsx", "--jobs", 2)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize(("end", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_whoever_ends_a_batch_ends_all_of_it_and_finds_whole_verdicts(tmp_path, many, jobs, end, code):
    verdicts = tmp_path / "verdicts.ndjson"
    process = started(tmp_path, "-", "-o", verdicts, "--jobs", jobs, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdin.write(many.read_bytes() * 4)
    process.stdin.flush()
    having(process, jobs if jobs > 1 else 0)
    while not verdicts.exists() or not verdicts.stat().st_size:
        time.sleep(0.01)
    process.send_signal(end)
    assert process.wait(60) == code
    assert b"Traceback" not in process.stderr.read()
    assert is_gone(process.pid)
    assert [json.loads(line) for line in verdicts.read_bytes().splitlines()]


@pytest.mark.slow
def test_a_process_that_is_killed_is_told_and_leaves_whole_verdicts(tmp_path, many):
    verdicts = tmp_path / "verdicts.ndjson"
    process = started(tmp_path, "-", "-o", verdicts, "-j", 2, stdin=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
    process.stdin.write(lines(many.read_bytes()))
    os.kill(having(process, 2)[1], signal.SIGKILL)
    with suppress(BrokenPipeError):
        for _ in range(20):
            process.stdin.write(many.read_bytes())
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said.count(b"\n")) == (2, 1)
    assert b"--jobs" in said
    assert is_gone(process.pid)
    assert all(json.loads(line) for line in verdicts.read_bytes().splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("worker", [0, 1])
def test_a_process_that_is_killed_while_it_sends_an_answer_is_told(tmp_path, many, worker):
    """The batch is stopped, so that its workers wait in the middle of an answer: one writes, the other waits for it."""
    verdicts = tmp_path / "verdicts.ndjson"
    many.write_bytes(many.read_bytes() * 40)
    process = started(tmp_path, "-", "-o", verdicts, "-j", 2, stdin=many.open("rb"), stderr=subprocess.PIPE)
    workers = having(process, 2)
    wait_for(lambda: verdicts.exists() and verdicts.stat().st_size)
    process.send_signal(signal.SIGSTOP)
    wait_for(lambda: {Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] for pid in workers} == {"S"})
    os.kill(workers[worker], signal.SIGKILL)
    process.send_signal(signal.SIGCONT)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, b"--jobs" in said) == (2, True)
    assert is_gone(process.pid)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 3])
def test_a_reader_who_has_enough_ends_it_quietly(tmp_path, many, jobs):
    streams = {"stdin": many.open("rb"), "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = started(tmp_path, "-", "--jobs", jobs, **streams)
    assert json.loads(process.stdout.readline())["legal"]
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 141
    assert is_gone(process.pid)
