"""`deckproof check`: verdicts to read, JSON to parse, and exit codes to act on."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.cli import cli
from tests.api.conftest import EXAMPLE_DECKS, EXAMPLES

ZORO = EXAMPLES / "optcg-red-zoro.txt"
FIVE = EXAMPLES / "optcg-five-copies.txt"
DAY = "2026-11-01"
COMMAND = Path(sys.executable).with_name("deckproof")


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path / "data"))

    def invoke(*arguments, stdin=None):
        return CliRunner().invoke(cli, list(map(str, arguments)), input=stdin, prog_name="deckproof")

    return invoke


@pytest.mark.parametrize("example", EXAMPLE_DECKS, ids=lambda path: path.name)
def test_every_example_is_judged_with_nothing_but_its_name(run, example):
    done = run("check", example, "--json")
    assert done.exit_code in (0, 1)
    verdict = json.loads(done.stdout)
    assert verdict["catalogue"]["game"] == example.name.partition("-")[0]
    assert verdict["legal"] is (done.exit_code == 0)
    assert "card.unknown" not in [finding["code"] for finding in verdict["findings"]]


def test_the_verdict_comes_first_and_says_by_what_it_was_made(run):
    done = run("check", ZORO, "--on", DAY)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == f"LEGAL  {ZORO}"
    for word in ("Main 50", "Comprehensive Rules 1.2.1", DAY, "2026-08-21"):
        assert word in done.stdout
    assert "\x1b" not in done.stdout


def test_every_finding_is_shown_with_its_rule_and_its_fix(run):
    done = run("check", FIVE, "--on", DAY)
    assert done.exit_code == 1
    assert done.stdout.startswith("NOT LEGAL")
    assert "5 copies of OP01-016 Nami" in done.stdout
    assert "5-1-2-3" in done.stdout
    assert "Remove 1 copy of OP01-016 Nami." in done.stdout


def test_a_list_without_numbers_is_answered_with_cards_of_these_names(run):
    deck = "4 Zoro\n4 Luffy\n3 Nami\n1 Kaido leader\n"
    done = run("check", "-", "--game", "optcg", "--json", stdin=deck)
    verdict = json.loads(done.stdout)
    unknown = {
        one["cards"][0]["name"]: one["suggestions"] for one in verdict["findings"] if one["code"] == "card.unknown"
    }
    assert {name: found[0]["name"] for name, found in unknown.items()} == {
        "Zoro": "Roronoa Zoro",
        "Luffy": "Monkey.D.Luffy",
    }
    assert verdict["counts"]["leader"] == 1
    told = run("check", "-", "--game", "optcg", stdin=deck).stdout
    assert "8 of the deck's 12 cards" in told
    assert "Check the number" not in told


def test_that_most_of_a_deck_is_not_in_the_catalogue_is_said_before_all_that_it_lacks(run):
    done = run("check", "-", "--game", "optcg", stdin="1 ST21-001\n4 OP97-119\n4 OP98-118\n")
    assert done.exit_code == 1
    verdict, why, hint, *_ = done.stdout.splitlines()
    assert verdict.startswith("CANNOT BE JUDGED")
    assert "8 of the deck's 9 cards" in why
    assert "deckproof cards sync optcg" in hint
    assert "newer than the catalogue of 2026-08-21" in done.stdout
    assert "Did you mean" not in done.stdout
    assert "cards sync" not in run("check", FIVE).stdout
    assert "cards import" in run("check", "-", "--game", "bos", stdin="4 Nobody of Nowhere\n").stdout


def test_a_card_that_the_catalogue_lacks_may_be_newer_and_only_the_command_line_says_how_to_get_it(run):
    text = ZORO.read_text("utf-8").replace("4 OP01-016 Nami", "4 OP97-016 Nami")
    done = run("check", "-", stdin=text)
    assert done.stdout.startswith("NOT LEGAL")
    assert "`deckproof cards sync optcg`" in done.stdout
    assert "deckproof" not in run("check", "-", "--json", stdin=text).stdout


def test_a_deck_of_another_game_is_told_which_to_say(run):
    done = run("check", ZORO, "--game", "dbs")
    assert done.exit_code == 1
    verdict, whose, hint, *_ = done.stdout.splitlines()
    assert verdict.startswith("CANNOT BE JUDGED")
    assert "ONE PIECE" in whose
    assert "--game optcg" in hint
    assert "cards sync" not in done.stdout


def test_a_game_that_is_not_judged_is_named(run):
    done = run("check", "-", stdin="1 ST1-01\n4 BT5-086\n4 EX1-066\n4 LM-010\n")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Digimon" in done.stderr


def test_the_deck_is_shown_as_it_was_understood(run):
    shown = run("check", FIVE).stdout
    for line in ("Leader     1 ST21-001 Monkey.D.Luffy", "5 OP01-016 Nami", "Main 51"):
        assert line in shown
    unknown = run("check", "-", "--game", "optcg", stdin="4 OP97-016 Nobody\n4 OP01-016\n2 Nami\n").stdout
    assert "4 OP97-016 Nobody (unknown)" in unknown
    assert "2 Nami (several cards)" in unknown
    assert "4 OP01-016 Nami" in unknown


def test_an_explanation_lists_the_rules_that_passed_too(run):
    done = run("check", ZORO, "--explain")
    assert done.stdout.count("passed") > 10
    assert "checked" in json.loads(run("check", ZORO, "--explain", "--json").stdout)


def test_terms_are_options(run):
    done = run("check", ZORO, "--ruleset", "optcg-1.1.9", "--on", DAY, "--format", "extra", "--region", "en", "--json")
    verdict = json.loads(done.stdout)
    assert (verdict["format"], verdict["on"]) == ("extra", DAY)


@pytest.mark.parametrize("example", [ZORO, FIVE])
def test_a_verdict_is_read_as_the_list_that_it_is_of(run, example):
    said = run("check", example, "--json", "--on", DAY)
    again = run("check", "-", "--json", stdin=said.stdout)
    first, second = json.loads(said.stdout), json.loads(again.stdout)
    assert second["deck_hash"] == first["deck_hash"]
    assert second["deck"] == first["deck"]
    assert second["on"] != DAY  # what it was judged by is no request


def test_several_files_get_a_line_of_json_each_and_the_worst_code(run):
    done = run("check", ZORO, FIVE, "--json")
    assert done.exit_code == 1
    verdicts = list(map(json.loads, done.stdout.splitlines()))
    assert [one["file"] for one in verdicts] == [str(ZORO), str(FIVE)]
    assert [one["legal"] for one in verdicts] == [True, False]


def test_a_file_that_cannot_be_used_does_not_keep_the_others_from_being_judged(run, tmp_path):
    done = run("check", tmp_path / "missing.txt", ZORO)
    assert done.exit_code == 2
    assert "LEGAL" in done.stdout
    assert done.stderr == f"deckproof: {tmp_path / 'missing.txt'}: No such file or directory.\n"


def test_standard_input_is_a_file_called_dash(run):
    done = run("check", "-", stdin=ZORO.read_text("utf-8"))
    assert done.exit_code == 0
    assert done.stdout.startswith("LEGAL  standard input")


def test_a_validate_request_in_a_file_is_judged_as_it_asks(run, zoro):
    request = json.dumps({"ruleset": "optcg-1.1.9", "on": DAY, "format": "extra", "deck": zoro})
    verdict = json.loads(run("check", "-", "--json", stdin=request).stdout)
    assert (verdict["on"], verdict["format"]) == (DAY, "extra")
    asked = json.loads(run("check", "-", "--json", "--format", "standard", stdin=request).stdout)
    assert asked["format"] == "standard"


def test_what_is_wrong_in_a_request_is_pointed_at(run):
    done = run("check", "-", stdin='{"game": "optcg", "deck": {"main": [{"number": "OP01-016", "count": 0}]}}')
    assert done.exit_code == 2
    assert "/deck/main/0/count" in done.stderr


@pytest.mark.parametrize("options", [(), ("--json",)])
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "no card"),
        ("hello there\n", "no card"),
        ("{", "no card"),
        ("4 Somebody Nobody Knows\n", "--game"),
        ("4 OP01-016\n" * 200_000, "too long for a deck list"),
        ("%PDF-1.7 4 OP01-016\n", "a PDF"),
        ("PK\x03\x04 4 OP01-016\n", "`deckproof batch`"),
    ],
)
def test_what_holds_no_deck_is_said_in_a_sentence(run, text, word, options):
    done = run("check", "-", *options, stdin=text)
    assert (done.exit_code, done.stdout) == (2, "")
    assert word in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--ruleset", "optcg-9"), "optcg-1.1.9"),
        (("--game", "chess"), "optcg"),
        (("--game", "dbs", "--ruleset", "optcg-1.1.9"), "choose no game"),
        (("--game", "optcg", "--format", "modern"), "standard"),
        (("--game", "optcg", "--region", "moon"), "region"),
        (("--on", "tomorrow"), "2026-01-15"),
        (("--on", "2026-02-30"), "calendar"),
    ],
)
def test_terms_that_cannot_be_had_are_said_once(run, arguments, word):
    done = run("check", ZORO, ZORO, *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert word in done.stderr
    assert done.stderr.count("deckproof: ") <= 1


def test_nothing_in_a_list_steers_the_terminal(run):
    done = run("check", "-", "--game", "optcg", stdin="4 OP01-016\n3 \x1b[31mRed\x07 \u202ecard 12\n")
    assert done.exit_code == 1
    assert not set("\x1b\x07\u202e") & set(done.stdout)


def test_bad_settings_are_said_in_a_sentence(run, monkeypatch):
    monkeypatch.setenv("DECKPROOF_MAX_BODY", "much")
    done = run("check", ZORO)
    assert done.exit_code == 2
    assert done.stderr.startswith("deckproof: DECKPROOF_MAX_BODY is 'much'")


def test_a_broken_database_is_said_in_a_sentence(run, tmp_path, monkeypatch):
    (tmp_path / "broken.db").write_bytes(b"this is no database" * 100)
    monkeypatch.setenv("DECKPROOF_DATABASE_URL", f"sqlite:///{tmp_path}/broken.db")
    done = run("check", ZORO)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert "broken.db" in done.stderr


def test_a_mistake_of_ours_is_no_traceback_either(run, monkeypatch):
    monkeypatch.setattr("api.cli.options.judges", lambda: 1 / 0)
    done = run("check", ZORO)
    assert done.exit_code == 2
    assert "ZeroDivisionError" in done.stderr
    assert "Traceback" not in done.stderr


def command(*arguments, **options):
    return subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, timeout=60, check=False, **options)


@pytest.mark.slow
def test_the_installed_command_judges(tmp_path):
    environment = os.environ | {"DECKPROOF_DATA_DIR": str(tmp_path)}
    assert command("check", ZORO, env=environment).returncode == 0
    assert command("check", FIVE, env=environment).returncode == 1
    missing = command("check", tmp_path / "missing.txt", env=environment)
    assert (missing.returncode, missing.stdout) == (2, b"")


@pytest.mark.slow
def test_checking_a_deck_imports_neither_the_server_nor_the_database(tmp_path):
    script = f"""
import sys
from api.cli import cli
try:
    cli(["check", {str(ZORO)!r}])
except SystemExit:
    print(*sys.modules, file=sys.stderr)
"""
    environment = os.environ | {"DECKPROOF_DATA_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, env=environment, check=True)
    heavy = {"flask", "marshmallow", "sqlalchemy", "alembic", "gunicorn", "openpyxl", "rich", "requests", "typst"}
    assert heavy.isdisjoint(done.stderr.decode().split())


@pytest.mark.slow
def test_a_reader_that_goes_away_ends_it_quietly(tmp_path):
    environment = os.environ | {"DECKPROOF_DATA_DIR": str(tmp_path)}
    done = subprocess.run(
        f"{COMMAND} check --explain {ZORO} {ZORO} {ZORO} | head -1",
        shell=True,
        capture_output=True,
        env=environment,
        check=False,
    )
    assert done.stdout.startswith(b"LEGAL")
    assert done.stderr == b""


@pytest.mark.slow
def test_on_a_terminal_the_verdict_is_coloured_and_wrapped(tmp_path):
    master, terminal = pty.openpty()
    environment = os.environ | {"DECKPROOF_DATA_DIR": str(tmp_path), "TERM": "xterm-256color", "COLUMNS": "60"}
    environment.pop("NO_COLOR", None)
    done = subprocess.Popen([COMMAND, "check", FIVE], stdout=terminal, stderr=terminal, env=environment)
    os.close(terminal)
    shown = _all_of(master)
    assert done.wait(timeout=60) == 1
    assert "\x1b[1;31mNOT LEGAL" in shown
    assert "5-1-2-3" in shown


def _all_of(master):
    shown = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:  # what Linux says when the other end is closed
            piece = b""
        if not piece:
            os.close(master)
            return shown.decode()
        shown += piece


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Deck 1: Red\n{legal}\nDeck 2: Five\n{five}", ["Red", "Five"]),
        ("Ann Lee\n{legal}\nBob Ray\n{five}", ["Ann Lee", "Bob Ray"]),
        ("{legal}\n{five}", ["deck 1", "deck 2"]),
    ],
)
def test_each_deck_of_a_text_is_judged_under_its_own_name(run, tmp_path, text, names):
    file = tmp_path / "decks.txt"
    file.write_text(text.format(legal=ZORO.read_text("utf-8"), five=FIVE.read_text("utf-8")), "utf-8")
    done = run("check", file, "--json", "--on", DAY, "--format", "extra")
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.exit_code == 1
    assert [(one["file"], one["name"], one["legal"]) for one in verdicts] == [
        (str(file), names[0], True),
        (str(file), names[1], False),
    ]
    assert "list.several" not in {found["code"] for one in verdicts for found in one["findings"]}


def test_a_file_of_one_deck_names_the_file_alone(run):
    assert "name" not in json.loads(run("check", ZORO, "--json").stdout)


def test_several_decks_that_are_all_legal_end_with_0(run, tmp_path):
    file = tmp_path / "decks.txt"
    file.write_text(2 * (ZORO.read_text("utf-8") + "\n"), "utf-8")
    assert run("check", file, "--on", DAY, "--format", "extra").exit_code == 0


def test_a_table_of_lists_is_for_batch(run, tmp_path):
    rows = ["Player,Decklist", 'Zoro,"1 ST21-001\n4 OP01-016"', 'Nami,"1 ST21-001\n4 ST01-011"']
    table = tmp_path / "decks.csv"
    table.write_text("\n".join(rows), "utf-8")
    done = run("check", table)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "deckproof batch" in done.stderr
    table.write_text("\n".join(rows[:2]), "utf-8")
    assert "batch" not in run("check", table).stderr


def test_a_file_without_a_card_says_what_is_wrong_with_its_first_line(run):
    done = run("check", "-", stdin='{"leader": [{"number": "ST21-001", "count": 1}')
    assert done.exit_code == 2
    assert "not well-formed JSON" in done.stderr


def test_a_policy_and_the_length_of_a_match_are_options(run, tmp_path):
    sealed = tmp_path / "sealed.txt"
    sealed.write_text("40 GD01-001\n", "utf-8")
    policy = ["--policy", "main_min=40", "--policy", "main_max=40", "--policy", "copies=false"]
    assert run("check", sealed, "--on", DAY, *policy).exit_code == 0
    assert run("check", sealed, "--on", DAY).exit_code == 1
    sealed.write_text("40 GD01-001\n\nSideboard\n10 GD01-002\n", "utf-8")
    for best_of, code in (("1", 1), ("3", 0)):
        done = run("check", sealed, "--on", DAY, "--best-of", best_of, *policy, "--json")
        assert (done.exit_code, json.loads(done.stdout)["best_of"]) == (code, int(best_of))


def test_a_number_of_a_policy_may_begin_with_zero(run, tmp_path):
    sealed = tmp_path / "sealed.txt"
    sealed.write_text("40 GD01-001\n", "utf-8")
    policy = ["--policy", "main_min=040", "--policy", "main_max=040", "--policy", "copies=false"]
    assert run("check", sealed, "--on", DAY, *policy).exit_code == 0


@pytest.mark.parametrize("value", ["\u0664", "9" * 5000])
def test_a_number_of_a_policy_that_is_not_in_range_is_a_usage_error(run, value):
    done = run("check", ZORO, "--policy", f"main_min={value}")
    assert done.exit_code == 2
    assert "Write a whole number from 0 to" in done.stderr


@pytest.mark.parametrize(
    "wrong",
    [
        ["--policy", "main_min"],
        ["--policy", "main_min=x"],
        ["--policy", "sizes=40"],
        ["--policy", "side_max=0", "--policy", "side_max=1"],
        ["--best-of", "2"],
        ["--game", "optcg", "--policy", "side_max=15"],
        ["--game", "gundam", "--policy", "main_min=60"],
        ["--game", "optcg", "--region", "europe"],
    ],
)
def test_a_policy_that_cannot_be_meant_is_refused(run, wrong):
    assert run("check", ZORO, *wrong).exit_code == 2


@pytest.mark.parametrize("options", [(), ("--fix",)])
@pytest.mark.parametrize(("file", "changes"), [(ZORO, 0), (FIVE, 5)])
def test_json_has_the_repair_if_it_is_requested(run, options, file, changes):
    verdict = json.loads(run("check", file, "--on", DAY, "--json", *options).stdout)
    assert verdict.get("repair", {}).get("changes") == (changes if options else None)
