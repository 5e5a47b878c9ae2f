"""The other commands: cards, limits, rules, db; and what all commands have in common."""

from __future__ import annotations

import json
import os
import pty
import re
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from api.cli import cli
from tests.api.processes import COMMAND
from validator import rulesets

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path / "data"))

    def invoke(*arguments):
        return CliRunner().invoke(cli, list(map(str, arguments)), prog_name="deckproof")

    return invoke


def every_command(group=cli, path=()):
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        yield (*path, name)
        if isinstance(found, click.Group):
            yield from every_command(found, (*path, name))


@pytest.mark.parametrize("path", list(every_command()), ids=" ".join)
def test_every_command_says_what_it_is_for(run, path):
    done = run(*path, "--help")
    assert done.exit_code == 0
    assert done.stdout.startswith("Usage: deckproof")
    assert "Options:" in done.stdout


def test_help_names_every_command(run):
    shown = run("--help").stdout
    for name in cli.list_commands(click.Context(cli)):
        assert f"  {name} " in shown


def test_every_ruleset_is_listed_and_shown(run):
    listed = run("rules")
    assert listed.exit_code == 0
    for id, ruleset in rulesets().items():
        assert f"{id}\t{ruleset.game}\t" in listed.stdout
        shown = run("rules", id).stdout
        assert all(rule.says in shown and rule.cite.section in shown for rule in ruleset.rules.values())
        assert all(rule.says in shown for rule in ruleset.with_side_deck.values())
        assert ("side_max" in shown) >= bool(ruleset.with_side_deck)
        assert json.loads(run("rules", id, "--json").stdout)["id"] == id


def test_the_limits_of_a_day_are_shown(run):
    done = run("limits", "optcg", "--on", "2026-11-01")
    assert done.exit_code == 0
    assert "OP03-040\tNami\tbanned\t2025-08-30" in done.stdout
    assert "EB04-058 + OP07-115" in done.stdout
    assert json.loads(run("limits", "optcg", "--on", "2026-11-01", "--json").stdout)["on"] == "2026-11-01"
    assert "No limits list" in run("limits", "bos").stdout
    assert "2023-03-31 to 2023-07-09" in run("limits", "dbs", "--on", "2023-07-08").stdout
    rows = run("limits", "gundam", "--on", "2026-11-22").stdout.splitlines()
    group = next(row for row in rows if "one number" in row)
    assert ("GD01-035" in group, group.split("\t")[3]) == (True, "2026-07-24")


def test_a_day_after_the_last_known_announcement_is_told_apart(run):
    known_to = json.loads(run("limits", "optcg", "--json").stdout)["known_to"]
    assert "`deckproof limits sync optcg`" not in run("limits", "optcg", "--on", known_to).stdout
    assert f"known up to {known_to}" in run("limits", "optcg", "--on", "2999-01-01").stdout


@pytest.mark.slow
@pytest.mark.parametrize("columns", [40, 80])
def test_nothing_is_cut_on_a_terminal(columns, tmp_path):
    ours, theirs = pty.openpty()
    settings = {"DECKPROOF_DATA_DIR": str(tmp_path), "COLUMNS": str(columns)}
    subprocess.run([COMMAND, "check", EXAMPLES / "optcg-banned-pair.txt"], stdout=theirs, env=os.environ | settings)
    shown = re.sub("\x1b\\[[0-9;]*m", "", os.read(ours, 100_000).decode())
    assert max(map(len, shown.splitlines())) <= columns
    assert "https://en.onepiece-cardgame.com/topics/029.php" in re.sub(r"\s", "", shown)


def test_findings_stand_in_line_however_many_there_are(run, tmp_path):
    deck = tmp_path / "fives.txt"
    deck.write_text((EXAMPLES / "optcg-red-zoro.txt").read_text("utf-8").replace("\n4 ", "\n5 "), "utf-8")
    lines = run("check", deck).stdout.splitlines()
    heads = [line for line in lines if line.strip().split(".")[0].isdecimal()]
    assert len(heads) > 9
    assert {line.index(". ") for line in heads} == {3}


@pytest.mark.parametrize(
    "arguments",
    [
        ("rules", "optcg-9"),
        ("limits", "chess"),
        ("limits", "optcg", "--region", "moon"),
        ("limits", "optcg", "--on", "never"),
        ("cards", "show", "nothing like it at all"),
        ("cards", "show", "OP01-016", "--game", "chess"),
        ("cards", "stats", "--game", "chess"),
        ("cards", "import", "missing.csv", "--game", "dbs"),
        ("cards", "import", "missing.csv"),
        ("serve", "--port", "99999"),
        ("nonsense",),
        ("check",),
    ],
)
def test_what_cannot_be_done_is_said_with_exit_code_2(run, arguments):
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_a_card_is_shown_by_number_or_name(run):
    for word in ("OP01-016_p1", "op01-016"):
        shown = run("cards", "show", word)
        assert shown.exit_code == 0
        assert shown.stdout.startswith("OP01-016 Nami\n")
    assert "Mill Guard" in run("cards", "show", "mill guard").stdout
    assert json.loads(run("cards", "show", "OP01-016", "--json").stdout)["name"] == "Nami"


def test_a_part_of_a_name_with_a_typo_brings_suggestions(run):
    for arguments in (("list", "lufy"), ("show", "lufy"), ("list", "lufy", "--json")):
        done = run("cards", *arguments)
        assert "Monkey.D.Luffy" in done.stderr
        assert "Monkey.D.Luffy" not in done.stdout
    assert "Did you mean" not in run("cards", "list", "luffy", "--game", "optcg").stderr


def test_cards_are_imported_listed_and_counted(run, tmp_path):
    assert "facts of cards that ship" in run("cards", "snapshots").stdout
    table = tmp_path / "cards.csv"
    table.write_text("number,name,type,colors\nOP01-001,Zoro,Leader,Red\nOP01-002,Law,Leader,Red/Green\n", "utf-8")
    imported = run("cards", "import", table, "--game", "optcg")
    assert imported.exit_code == 0
    assert imported.stdout.startswith("Imported 2 cards of optcg as snapshot optcg-")
    assert run("cards", "import", table, "--game", "optcg").stdout.startswith("Nothing new")
    (listed,) = json.loads(run("cards", "snapshots", "--json").stdout)
    assert (listed["game"], listed["cards"], listed["current"]) == ("optcg", 2, True)
    assert listed["id"] in run("cards", "snapshots").stdout
    assert run("cards", "list", "law", "--game", "optcg").stdout.splitlines()[1:] == [
        "optcg\tOP01-002\tLaw\tLeader\tRed/Green\t"
    ]
    assert len(json.loads(run("cards", "list", "--game", "optcg", "--json").stdout)) == 2
    stats = json.loads(run("cards", "stats", "--game", "optcg", "--json").stdout)
    assert (stats["cards"], stats["types"], stats["colors"]) == (2, {"Leader": 2}, {"Red": 2, "Green": 1})
    assert "Leader\t2" in run("cards", "stats", "--game", "optcg").stdout


@pytest.mark.parametrize(
    ("name", "options", "day", "basis"),
    [
        ("cards.csv", ("--as-of", "2026-05-06"), "2026-05-06", "given"),
        ("cards-2026-08-21.csv", ("--as-of", "2026-05-06"), "2026-05-06", "given"),
        ("cards-2026-08-21.csv", (), "2026-08-21", "name"),
        ("cards.csv", (), "2022-12-02", "release"),
    ],
)
def test_an_import_tells_of_which_day_its_cards_are_and_why(run, tmp_path, name, options, day, basis):
    table = tmp_path / name
    table.write_text("number,name,type,colors\nOP01-001,Zoro,Leader,Red\n", "utf-8")
    imported = run("cards", "import", table, "--game", "optcg", *options)
    assert day in imported.stdout.splitlines()[1]
    (listed,) = json.loads(run("cards", "snapshots", "--json").stdout)
    assert (listed["as_of"], listed["as_of_basis"]) == (day, basis)
    assert f"{day} ({basis})" in run("cards", "snapshots").stdout
    for arguments in (("list", "zoro"), ("show", "OP01-001")):
        told = run("cards", *arguments, "--game", "optcg").stderr
        assert day in told
        assert listed["created"][:10] in told
    deck = tmp_path / "deck.txt"
    deck.write_text("1 OP01-001\n4 OP99-001\n", "utf-8")
    verdict = json.loads(run("check", deck, "--game", "optcg", "--json").stdout)
    assert verdict["catalogue"]["as_of"] == day
    (unknown,) = (one for one in verdict["findings"] if one["code"] == "card.unknown")
    assert unknown["details"]["catalogue_as_of"] == day
    assert day in unknown["fix"]


def test_an_import_of_which_nothing_tells_the_day_claims_none(run, tmp_path):
    table = tmp_path / "cards.csv"
    table.write_text("number,name,type,colors\nOP99-001,Zoro,Leader,Red\n", "utf-8")
    assert "--as-of" in run("cards", "import", table, "--game", "optcg").stdout
    assert json.loads(run("cards", "snapshots", "--json").stdout)[0]["as_of"] is None
    again = run("cards", "import", table, "--game", "optcg", "--as-of", "2026-05-06").stdout
    assert again.startswith("Nothing new")
    assert json.loads(run("cards", "snapshots", "--json").stdout)[0]["as_of"] == "2026-05-06"


@pytest.mark.parametrize("day", ["2099-01-01", "2019-01-01", "yesterday"])
def test_a_day_that_cannot_be_changes_nothing(run, tmp_path, day):
    table = tmp_path / "cards.csv"
    table.write_text("number,name,type,colors\nOP01-001,Zoro,Leader,Red\n", "utf-8")
    refused = run("cards", "import", table, "--game", "optcg", "--as-of", day)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "facts of cards that ship" in run("cards", "snapshots").stdout


def test_a_table_that_cannot_be_read_says_where_and_changes_nothing(run, tmp_path):
    table = tmp_path / "cards.csv"
    table.write_text("number,name,type\nOP01-001,Zoro,Captain\n", "utf-8")
    done = run("cards", "import", table, "--game", "optcg")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Captain" in done.stderr
    assert "facts of cards that ship" in run("cards", "snapshots").stdout


def test_the_damaged_one_of_two_snapshots_is_listed_as_such(run, tmp_path):
    table = tmp_path / "cards.csv"
    for cost in (1, 2):
        table.write_text(f"number,name,type,colors,cost\nOP01-001,Invented,Character,Red,{cost}\n", "utf-8")
        assert run("cards", "import", table, "--game", "optcg").exit_code == 0
    bad, good = json.loads(run("cards", "snapshots", "--json").stdout)
    with closing(sqlite3.connect(tmp_path / "data" / "deckproof.db")) as connection, connection:
        connection.execute("update snapshot_cards set data = x'00' where snapshot_id = ?", [bad["id"]])
    listed = json.loads(run("cards", "snapshots", "--json").stdout)
    assert [(snapshot["id"], snapshot["damaged"]) for snapshot in listed] == [(bad["id"], True), (good["id"], False)]
    rows = [line.split("\t") for line in run("cards", "snapshots").stdout.splitlines()[1:]]
    assert [(row[1], bool(row[-1])) for row in rows] == [(bad["id"], True), (good["id"], False)]


def test_old_snapshots_are_deleted_unless_it_is_a_dry_run(run, tmp_path, monkeypatch):
    monkeypatch.setenv("DECKPROOF_SNAPSHOTS_KEPT", "2")
    table = tmp_path / "cards.csv"
    for cost in range(4):
        table.write_text(f"number,name,type,colors,cost\nOP01-001,Invented,Character,Red,{cost}\n", "utf-8")
        assert run("cards", "import", table, "--game", "optcg").exit_code == 0
    assert len(run("cards", "prune", "--dry-run").stdout.splitlines()) == 2
    assert len(json.loads(run("cards", "snapshots", "--json").stdout)) == 4
    assert len(run("cards", "prune").stdout.splitlines()) == 2
    left = json.loads(run("cards", "snapshots", "--json").stdout)
    assert [(snapshot["current"], snapshot["damaged"]) for snapshot in left] == [(True, False), (False, False)]
    assert len(run("cards", "prune").stdout.splitlines()) == 1


def test_the_database_is_made_once_and_kept(run):
    assert "brought from nothing" in run("db", "upgrade").stdout
    assert "up to date" in run("db", "upgrade").stdout


def test_clauses_of_battle_of_souls_are_listed(run, tmp_path):
    table = tmp_path / "cards.csv"
    table.write_text(
        "name,type,text\n"
        "Invented Crown,Equipment,You may only have 1 copy of this card in your deck.\n"
        "Invented Riddle,Tactic,Limit 1 per deck.\n"
        "Invented Scout,Warrior,Add 1 Warrior from your deck to your hand.\n",
        "utf-8",
    )
    assert run("cards", "import", table, "--game", "bos").exit_code == 0
    kinds = [(one["name"], one["kind"]) for one in json.loads(run("cards", "clauses", "bos", "--json").stdout)]
    assert kinds == [("Invented Riddle", "unread"), ("Invented Crown", "copies")]


def test_clauses_are_listed_and_what_was_not_read_comes_first(run, tmp_path):
    table = tmp_path / "cards.csv"
    table.write_text(
        "number,name,type,text\n"
        'BT99-001,One,Battle,"[Permanent] You can include up to 7 copies of this card in your deck."\n'
        'BT99-002,Two,Battle,"[Permanent] You can include this card in your deck as if by magic."\n',
        "utf-8",
    )
    assert run("cards", "import", table, "--game", "dbs").exit_code == 0
    kinds = [(one["number"], one["kind"]) for one in json.loads(run("cards", "clauses", "dbs", "--json").stdout)]
    assert kinds == [("BT99-002", "unread"), ("BT99-001", "copies")]
    assert "\tlimit 7\t" in run("cards", "clauses", "dbs").stdout
    assert [one["number"] for one in json.loads(run("cards", "clauses", "dbs", "--unread", "--json").stdout)] == [
        "BT99-002"
    ]


@pytest.mark.parametrize(
    ("words", "shown"),
    [(("rules",), 100), (("cards", "show", "--game", "bos"), 100), (("limits", "diff", "optcg-shipped"), 80)],
    ids=lambda words: words if isinstance(words, int) else " ".join(words),
)
def test_an_unknown_id_is_repeated_in_part(run, words, shown):
    assert f"'{'x' * shown}'" in run(*words, "x" * 150).stderr


def test_the_error_has_the_first_unknown_event(run):
    done = run("events", "delete", "first", "second", "--yes")
    assert (done.exit_code, "first" in done.stderr, "second" in done.stderr) == (2, True, False)


def test_notes_of_uncertain_entries_are_in_the_list(run):
    words = ("limits", "optcg", "--on", "2026-11-22", "--region", "jp")
    listed = json.loads(run(*words, "--json").stdout)
    entries = {card["number"]: card for card in listed["cards"]}
    entries |= {" + ".join(card["number"] for card in pair["cards"]): pair for pair in listed["pairs"]}
    uncertain = {number: entry["note"] for number, entry in entries.items() if entry["confidence"] != "high"}
    rows = [line.split("\t") for line in run(*words).stdout.splitlines() if "\t" in line][1:]
    notes = {row[0]: row[4].split("; ") for row in rows if "not certain" in row[4]}
    assert {number: note for number, (*_, note) in notes.items()} == uncertain
    assert {len(parts) for parts in notes.values()} == {2}


def test_the_help_has_no_option_that_only_the_server_uses(run):
    assert "--beside" not in run("worker", "--help").stdout


ZORO, BROLY = EXAMPLES / "optcg-red-zoro.txt", EXAMPLES / "dbs-broly.txt"


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("check", "--team", ZORO), "2 to 10"),
        (("check", "--team", ZORO, ZORO), "2 to 10"),
        (("check", "--team", ZORO, "missing.txt"), "missing.txt"),
        (("check", "--team", ZORO, BROLY), "dbs, optcg"),
        (("check", "--not-shared", "cards", ZORO), "--team"),
        (("check", "--team-copies", 0, ZORO), "--team"),
        (("swap", ZORO, BROLY), "dbs"),
        (("swap", "-", "-"), "one deck list"),
        (("compare", "-", "-"), "one deck list"),
        (("limits", "use", "optcg-no"), "optcg-no"),
    ],
)
def test_decks_that_do_not_belong_together_are_refused(run, arguments, word):
    done = run(*arguments)
    assert (done.exit_code, done.stdout, word in done.stderr, done.stderr.count("\n")) == (2, "", True, 1)


@pytest.mark.parametrize(("kind", "code"), [("cards", 1), ("leaders", 1), ("colors", 1), (None, 0)])
def test_only_one_deck_of_a_team_has_what_is_not_shared(run, tmp_path, kind, code):
    (tmp_path / "copy.txt").write_bytes(ZORO.read_bytes())
    options = ("--not-shared", kind) if kind else ()
    done = run("check", "--team", ZORO, tmp_path / "copy.txt", "--on", "2026-11-01", *options, "--json")
    assert (done.exit_code, json.loads(done.stdout)["legal"]) == (code, not code)


def test_imported_lists_are_used_until_others_are_chosen(run, tmp_path):
    (tmp_path / "ban.toml").write_text(
        'game = "optcg"\nknown_to = 2026-11-20\n\n[[change]]\neffective_from = 2026-12-01\nregion = "en"\n'
        'source = "https://example.com/list"\nban.OP01-016 = "Nami"\n'
    )

    def current():
        listed = json.loads(run("limits", "list", "--json").stdout)
        return [one["id"] for one in listed if one["game"] == "optcg" and one["current"]]

    (shipped,) = current()
    assert run("limits", "import", tmp_path / "ban.toml", "--dry-run").exit_code == 0
    assert current() == [shipped]
    assert run("limits", "import", tmp_path / "ban.toml").stdout.startswith("Imported ")
    assert run("limits", "import", tmp_path / "ban.toml").stdout.startswith("Nothing new")
    (imported,) = current()
    for id, chosen in (("optcg-shipped", shipped), (imported, imported), (shipped, shipped)):
        assert (run("limits", "use", id).exit_code, current()) == (0, [chosen])
    rows = [row.split("\t") for row in run("limits", "list", "--game", "optcg").stdout.splitlines()[1:]]
    assert [(row[1], row[2], bool(row[3])) for row in rows] == [(imported, "", True), (shipped, "yes", False)]
