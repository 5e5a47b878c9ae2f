"""Imported official lists are compared with those that ship."""

import json

import pytest
from click.testing import CliRunner

from api.cli import cli

LIST = """game = "optcg"
known_to = 2026-11-20

[[change]]
effective_from = 2026-12-01
region = "en"
source = "https://example.com/an-invented-example"
ban.OP01-016 = "Nami"
restrict.OP02-001 = {limit = 1, name = "Edward.Newgate"}
ban_pairs = [{OP01-001 = "Roronoa Zoro", OP01-025 = "Roronoa Zoro"}]
"""


@pytest.fixture
def run(tmp_path):
    return lambda *words: CliRunner(env={"DECKPROOF_DATA_DIR": str(tmp_path / "data")}).invoke(cli, list(words))


@pytest.fixture
def imported(run, tmp_path):
    """The id of lists with three more entries than those that ship."""
    file = tmp_path / "ban-list.toml"
    file.write_text(LIST)
    assert run("limits", "import", str(file)).exit_code == 0
    return json.loads(run("limits", "list", "--game", "optcg", "--json").stdout)[0]["id"]


def test_diff_writes_json(run, imported):
    done = run("limits", "diff", "optcg-shipped", imported, "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, found["game"], found["removed"], found["changed"]) == (0, "optcg", [], [])
    assert (found["old"]["source"], found["new"]["source"]) == ("shipped", "ban-list.toml")
    assert (found["new"]["id"], found["new"]["known_to"]) == (imported, "2026-11-20")
    assert {(entry["on"], entry["region"]) for entry in found["added"]} == {("2026-12-01", "en")}
    assert [([card["number"] for card in entry["cards"]], entry["limit"]) for entry in found["added"]] == [
        (["OP01-001", "OP01-025"], 0),
        (["OP01-016"], 0),
        (["OP02-001"], 1),
    ]


def test_the_other_way_round_the_entries_are_removed(run, imported):
    found = json.loads(run("limits", "diff", imported, "optcg-shipped", "--json").stdout)
    assert ([len(found[key]) for key in ("added", "removed")], found["new"]["source"]) == ([0, 3], "shipped")


def test_the_same_lists_have_no_difference(run):
    found = json.loads(run("limits", "diff", "gundam-shipped", "gundam-shipped", "--json").stdout)
    assert (found["added"], found["removed"], found["changed"]) == ([], [], [])


@pytest.mark.parametrize("sign", ["+", "-"])
def test_the_text_has_a_line_for_each_entry(run, imported, sign):
    pair = ("optcg-shipped", imported)
    lines = run("limits", "diff", *(pair if sign == "+" else reversed(pair))).stdout.splitlines()
    assert lines[0] == ("3 entries added, 0 removed" if sign == "+" else "0 entries added, 3 removed")
    assert sorted(lines[1:4]) == [
        f"  {sign} 2026-12-01 en: OP01-001 Roronoa Zoro + OP01-025 Roronoa Zoro: banned",
        f"  {sign} 2026-12-01 en: OP01-016 Nami: banned",
        f"  {sign} 2026-12-01 en: OP02-001 Edward.Newgate: at most 1",
    ]
    assert (lines[4].count("2026-11-20"), lines[4].startswith("  announcements")) == (1, True)


@pytest.mark.parametrize("pair", [("optcg-shipped", "dbs-shipped"), ("optcg-shipped", "optcg-no"), ("no", "no")])
def test_what_cannot_be_compared_writes_no_json(run, pair):
    done = run("limits", "diff", *pair, "--json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr
