"""`deckproof cards diff`, `use` and `export`: snapshots of small tables of cards."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from api.cli import cli, snapshots

LIMIT = "[Permanent] You can include up to 7 copies of this card in your deck."


@pytest.fixture
def run(tmp_path):
    environment = {"DECKPROOF_DATA_DIR": str(tmp_path / "data")}
    return lambda *words: CliRunner(env=environment).invoke(cli, list(map(str, words)))


@pytest.fixture
def import_cards(run, tmp_path):
    """Import cards of Dragon Ball Super, each a row of number, name and text, and return the id of the snapshot."""

    def import_rows(*rows):
        table = tmp_path / "cards.csv"
        lines = (f'{number},{name},Battle,Red,"{text}"\n' for number, name, text in rows)
        table.write_text("number,name,type,colors,text\n" + "".join(lines), "utf-8")
        assert run("cards", "import", table, "--game", "dbs").exit_code == 0
        return json.loads(run("cards", "snapshots", "--json").stdout)[0]["id"]

    return import_rows


def test_two_snapshots_are_compared_card_by_card(run, import_cards):
    old = import_cards(("BT99-001", "One", ""), ("BT99-002", "Two", ""), ("BT99-003", "Three", ""))
    new = import_cards(("BT99-001", "One", LIMIT), ("BT99-002", "Second", ""), ("BT99-004", "Four", ""))
    lines = run("cards", "diff", old, new).stdout.splitlines()
    assert lines == [
        "1 added, 1 removed, 2 changed",
        "  + BT99-004 Four",
        "  - BT99-003 Three",
        "  ~ BT99-001 One",
        f"      text: nothing → {LIMIT}",
        f"      construction: nothing → kind copies, limit 7, text {LIMIT.removeprefix('[Permanent] ')}",
        "  ~ BT99-002 Second",
        "      name: Two → Second",
    ]
    found = json.loads(run("cards", "diff", new, old, "--json").stdout)
    assert [[card["number"] for card in found[kind]] for kind in ("added", "removed")] == [["BT99-003"], ["BT99-004"]]


@pytest.mark.parametrize(
    ("pair", "word"), [(("dbs-facts", "optcg-facts"), "different games"), (("dbs-facts", "dbs-none"), "dbs-none")]
)
def test_snapshots_that_cannot_be_compared_are_refused(run, pair, word):
    done = run("cards", "diff", *pair)
    assert (done.exit_code, done.stdout, word in done.stderr) == (2, "", True)


def test_the_cards_that_ship_equal_themselves(run):
    assert run("cards", "diff", "bos-facts", "bos-facts").stdout == "0 added, 0 removed, 0 changed\n"


def test_a_snapshot_with_doubts_is_used_only_by_force(run, import_cards, monkeypatch):
    rows = [(f"BT99-{place:03}", f"Card {place}", "") for place in range(1, 41)]
    many, few = import_cards(*rows), import_cards(*rows[:4])
    assert run("cards", "use", many).exit_code == 0

    def current():
        return [one["id"] for one in json.loads(run("cards", "snapshots", "--json").stdout) if one["current"]]

    refused = run("cards", "use", few)
    assert (refused.exit_code, few in refused.stderr, current()) == (2, True, [many])
    doubts = refused.stderr.splitlines()[1:]
    assert {doubt[:2] for doubt in doubts} == {"- "}
    monkeypatch.setattr(snapshots, "_SHOWN", len(doubts) - 1)
    shown = run("cards", "use", few).stderr.splitlines()[1:]
    assert (shown[:-1], "1 more" in shown[-1]) == (doubts[:-1], True)
    used = run("cards", "use", few, "--force")
    assert (used.exit_code, current(), f"{few} now, 4 cards" in used.stdout) == (0, [few], True)


def test_an_export_is_a_file_of_all_cards(run, import_cards, tmp_path):
    snapshot = import_cards(("BT99-001", "One", LIMIT), ("BT99-002", "Two", ""))
    import_cards(("BT99-001", "One", ""))
    for name, more, count in (("a.csv", (), 1), ("b.csv", ("--snapshot", snapshot), 2), ("c.CSV", ("--facts",), 1)):
        done = run("cards", "export", "dbs", "-o", tmp_path / name, *more)
        assert (done.exit_code, done.stdout, str(tmp_path / name) in done.stderr) == (0, "", True)
        content = (tmp_path / name).read_text("utf-8-sig")
        assert (content.count("BT99-"), LIMIT in content) == (count, name == "b.csv")
        assert f" {count} cards " in done.stderr
    assert not list(tmp_path.glob(".*.part"))
    lines = run("cards", "export", "--game", "dbs", "-o", "-").stdout.splitlines()
    assert [json.loads(line)["number"] for line in lines] == ["BT99-001"]


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (("export", "-o", "cards.csv"), "optcg"),
        (("export", "dbs", "-o", "cards.pdf"), "pdf"),
        (("export", "dbs", "-o", "no/cards.csv"), "no/cards.csv"),
        (("export", "dbs"), "--output"),
        (("use", "dbs-none"), "deckproof: "),
    ],
)
def test_what_cannot_be_exported_or_used_is_refused(run, tmp_path, monkeypatch, words, word):
    monkeypatch.chdir(tmp_path)
    done = run("cards", *words)
    assert (done.exit_code, done.stdout, word in done.stderr) == (2, "", True)
    assert not list(tmp_path.glob("*.*"))


@pytest.mark.parametrize(
    ("count", "shown", "others"), [(99, 99, []), (100, 100, []), (101, 100, ["1"]), (1234, 100, ["1,134"])]
)
def test_a_hundred_notices_are_printed_and_the_others_counted(capsys, count, shown, others):
    snapshots.note([f"card {number}" for number in range(count)])
    lines = capsys.readouterr().err.splitlines()
    assert [line for line in lines if "card" in line] == [f"Note: card {number}" for number in range(shown)]
    assert [line.split()[-2] for line in lines if "card" not in line] == others
