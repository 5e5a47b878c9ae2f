"""Manners of the command: names in capitals, slips of the keys, completion in shells, and files that hold no deck."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from api.cli import cli
from tests.api.conftest import EXAMPLES
from tests.api.processes import COMMAND

ZORO = EXAMPLES / "optcg-red-zoro.txt"
FIVE = EXAMPLES / "optcg-five-copies.txt"


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path / "data"))

    def invoke(*arguments, **options):
        return CliRunner().invoke(cli, list(map(str, arguments)), prog_name="deckproof", **options)

    return invoke


@pytest.mark.parametrize("game", ["OPTCG", "Optcg", "optcg"])
def test_a_game_may_be_in_capitals(run, game):
    assert json.loads(run("check", ZORO, "--game", game, "--json").stdout)["catalogue"]["game"] == "optcg"
    assert json.loads(run("limits", game, "--json").stdout)["game"] == "optcg"
    assert run("cards", "stats", "--game", game).exit_code == 0


@pytest.mark.parametrize(
    ("slip", "meant"), [("chek", "check"), ("convrt", "convert"), ("limit", "limits"), ("ods", "odds")]
)
def test_a_slip_in_a_command_is_told_with_what_is_near(run, slip, meant):
    done = run(slip)
    assert done.exit_code == 2
    assert repr(meant) in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("module", ["api", "api.cli"])
def test_python_runs_the_command_too(module, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", module, "check", ZORO],
        capture_output=True,
        env=os.environ | {"DECKPROOF_DATA_DIR": str(tmp_path)},
        check=False,
    )
    assert (done.returncode, done.stdout[:5]) == (0, b"LEGAL")


@pytest.mark.parametrize("group", [(), ("cards",), ("db",), ("events",), ("limits",)])
def test_what_a_command_does_is_said_whole_where_commands_are_listed(run, group):
    _, listed = run(*group, "--help").stdout.split("Commands:")
    assert not [line for line in listed.splitlines() if line.endswith("...")]


@pytest.mark.slow
@pytest.mark.parametrize("words", [("check", ZORO), ("check", ZORO, "--json"), ("limits", "optcg"), ("odds", ZORO)])
def test_who_reads_no_further_is_not_told_that_a_deck_is_illegal(words, tmp_path):
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [COMMAND, *words],
            stdout=write,
            stderr=subprocess.PIPE,
            env=os.environ | {"DECKPROOF_DATA_DIR": str(tmp_path)},
            check=False,
        )
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


def completed(line, tmp_path):
    """Return what a shell is told to offer for the last word of a line."""
    words = line.split(" ")
    asked = {"_DECKPROOF_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    environment = os.environ | {"DECKPROOF_DATA_DIR": str(tmp_path)} | asked
    done = subprocess.run([COMMAND], capture_output=True, env=environment, check=True, text=True)
    return [offered.partition(",")[2] for offered in done.stdout.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("deckproof sw", {"swap"}),
        ("deckproof check x --game o", {"optcg"}),
        ("deckproof check x --ruleset optcg-1.1", {"optcg-1.1.9"}),
        ("deckproof check x --format s", {"standard"}),
        ("deckproof limits optcg --region e", {"en", "europe"}),
        ("deckproof convert x --to optcgsim", {"optcgsim", "optcgsim-line", "optcgsim-deckpack"}),
        ("deckproof limits s", {"show", "sync"}),
        ("deckproof limits d", {"dbs", "diff"}),
        ("deckproof cards sync ", {"optcg", "dbs"}),
        ("deckproof rules bos-o", {"bos-original"}),
    ],
)
def test_a_shell_completes_commands_options_and_their_values(line, offered, tmp_path):
    assert set(completed(line, tmp_path)) == offered


def test_json_has_one_shape_however_many_files_there_are(run):
    one = [json.loads(run("check", file, "--json", "--on", "2026-11-01").stdout) for file in (ZORO, FIVE)]
    both = run("check", ZORO, FIVE, "--json", "--on", "2026-11-01").stdout.splitlines()
    assert list(map(json.loads, both)) == one
    assert [verdict["file"] for verdict in one] == [str(ZORO), str(FIVE)]


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"\x7fELF\x02\x01\x01\0\0\0\0\0" + bytes(range(256)) * 8, "not text"),
        (b"Player,Bandai ID\nZoro,0012345678\nNami,0012345679\n", "table of players"),
        ("氏名;BANDAI ID\nゾロ;0012345678\n".encode(), "table of players"),
        (b"Player,Bandai ID,Decklist\n", "headings"),
        (b"Section,Count,Number,Name\n", "headings"),
    ],
)
def test_a_file_that_holds_no_deck_gets_one_right_sentence(run, tmp_path, content, word):
    file = tmp_path / "file.csv"
    file.write_bytes(content)
    done = run("check", file)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert word in done.stderr


def test_utf_16_without_a_mark_is_a_text(run, tmp_path):
    file = tmp_path / "list.txt"
    file.write_bytes(ZORO.read_text("utf-8").encode("utf-16-le"))
    assert run("check", file).exit_code == 0


@pytest.mark.parametrize("options", [(), ("--game", "optcg")])
def test_a_spreadsheet_of_headings_alone_is_told(run, tmp_path, options):
    file = tmp_path / "decks.csv"
    file.write_bytes(b"Player,Decklist\n")
    done = run("batch", file, *options)
    assert done.exit_code == 2
    assert "headings" in done.stderr


def test_the_options_of_a_list_are_shown_where_its_name_is_left_out(run):
    shown = run("limits", "--help").stdout
    assert all(option in shown for option in ("--on", "--region", "--json", "sync"))
    assert run("limits", "--on", "2026-11-01", "optcg").exit_code == 0


def test_a_request_in_a_file_need_not_name_its_game(run, zoro):
    done = run("check", "-", "--json", input=json.dumps({"on": "2026-01-15", "deck": zoro}))
    assert json.loads(done.stdout)["ruleset"]["id"] == "optcg-1.1.9"


def test_names_are_looked_up_where_a_list_is_written(run):
    done = run("convert", "-", "--to", "optcgsim", input="1 ST21-001\n4 Bad Manners Kick Course\n")
    assert (done.exit_code, done.stdout) == (0, "1xST21-001\n4xOP04-016\n")


def test_an_output_without_the_characters_of_a_language_gets_escapes():
    setting = {**os.environ, "PYTHONIOENCODING": "ascii"}
    ended = subprocess.run([COMMAND, "limits", "optcg", "--lang", "ja"], capture_output=True, env=setting)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert rb"\uff08" in ended.stdout


def test_json_is_utf_8_whatever_the_output_is(tmp_path):
    (tmp_path / "list.txt").write_text(f"{ZORO.read_text('utf-8')}\n1 Näme\n", "utf-8")
    setting = {**os.environ, "PYTHONIOENCODING": "ascii"}
    ended = subprocess.run([COMMAND, "check", tmp_path / "list.txt", "--json"], capture_output=True, env=setting)
    assert "Näme" in json.dumps(json.loads(ended.stdout), ensure_ascii=False)


@pytest.mark.parametrize("redirect", [">&-", "<&-", "<&- >&-"])
def test_a_closed_stream_is_an_empty_one(redirect):
    line = f"{COMMAND} check {ZORO} {redirect}"
    ended = subprocess.run(["sh", "-c", line], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_closed_input_has_no_list():
    ended = subprocess.run(["sh", "-c", f"{COMMAND} check - <&-"], capture_output=True, text=True)
    assert ended.returncode == 2
    assert "no card could be read" in ended.stderr
