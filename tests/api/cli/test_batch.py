"""`deckproof batch`: NDJSON in, NDJSON out, in order, whatever a line holds."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from api.cli import cli

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
