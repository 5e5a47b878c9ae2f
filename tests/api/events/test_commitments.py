"""Commitments: hashes published before an event, opened after it, and checked by the command."""

import hashlib
import json

import pytest
from click.testing import CliRunner

from api.cli import cli
from api.events import commitments
from api.events.commitments import OpenedList
from api.service.errors import Unusable
from tests.api.workbooks.files import catalogue, deck, example
from validator import decklists

SALT = "0123456789abcdef0123456789abcdef"
OTHER = "fedcba9876543210fedcba9876543210"


def lists(first="optcg-red-zoro.txt"):
    return [
        OpenedList("r1", SALT, commitments.lines(deck(first), "optcg"), "First Last"),
        OpenedList("r2", OTHER, commitments.lines(deck(), "optcg"), "Other Last"),
    ]


def as_file(content):
    return json.dumps(content).encode()


def before(**how):
    return commitments.read(as_file(commitments.published("e1", lists(**how))))


def after(**how):
    return commitments.read(as_file(commitments.opened("e1", lists(**how))))


def test_a_commitment_is_what_sha256sum_says_of_the_lines():
    one = OpenedList("r1", SALT, ("leader\tST21-001\t1", "main\tOP01-016\t4"))
    told = f"deckproof-commitment-1\ne1\nr1\n{SALT}\nleader\tST21-001\t1\nmain\tOP01-016\t4"
    assert one.commitment("e1") == hashlib.sha256(told.encode()).hexdigest()


def test_a_list_is_hashed_the_same_in_any_order_spelling_and_printing():
    text = "\n".join(reversed(example().replace("4 OP01-016", "2 op01-016_p1\n2 OP01-016").splitlines()))
    again = decklists.parse(text, "optcg", catalogue()).deck
    assert commitments.lines(again, "optcg") == commitments.lines(deck(), "optcg")


def test_what_is_published_before_says_nothing_of_the_lists():
    said = as_file(commitments.published("e1", lists())).decode()
    assert "OP01-016" not in said
    assert SALT not in said
    assert "Last" not in said
    hashes = json.loads(said)["commitments"]
    assert hashes["r1"] != hashes["r2"]  # though the lists are the same


def test_opened_lists_are_those_that_were_committed_to():
    found = after().verified(before())
    assert (found.holds, found.matching) == (True, ("r1", "r2"))


def test_a_list_that_was_changed_is_named():
    found = after(first="optcg-five-copies.txt").verified(before())
    assert (found.holds, found.differing, found.matching) == (False, ("r1",), ("r2",))
    # The file agrees with itself: only who kept the commitments sees it.
    assert after(first="optcg-five-copies.txt").verified().holds


def test_a_list_that_stays_closed_is_told_and_one_never_committed_to_does_not_hold():
    kept = commitments.published("e1", lists())
    one = commitments.read(as_file(commitments.opened("e1", lists()[:1])))
    assert one.verified(commitments.read(as_file(kept))).unopened == ("r2",)
    only = commitments.read(as_file(commitments.published("e1", lists()[:1])))
    assert after().verified(only).unannounced == ("r2",)
    assert not after().verified(only).holds


def test_lists_of_another_event_are_refused():
    other = commitments.read(as_file(commitments.published("e2", lists())))
    with pytest.raises(Unusable, match="e2"):
        after().verified(other)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[" * 100_000,
        b"\xff\xfe\xfd",
        b"[]",
        b'{"scheme": "other"}',
        as_file({"scheme": commitments.SCHEME}),
        as_file({"scheme": commitments.SCHEME, "event": "e\n1"}),
        as_file({"scheme": commitments.SCHEME, "event": "e1", "commitments": {"r1": "ff"}}),
        as_file({"scheme": commitments.SCHEME, "event": "e1", "opened": ["r1"]}),
        as_file({"scheme": commitments.SCHEME, "event": "e1", "opened": [{"registration": "r1", "salt": SALT}]}),
        as_file(
            {"scheme": commitments.SCHEME, "event": "e1", "opened": [{"registration": "r1", "salt": "1", "list": []}]}
        ),
        as_file({**commitments.opened("e1", lists()), "opened": [lists()[0].as_dict()] * 2}),
    ],
)
def test_a_file_that_cannot_be_used_says_why(content):
    with pytest.raises(Unusable):
        commitments.read(content)


def test_a_file_is_bounded():
    with pytest.raises(Unusable, match="at most"):
        commitments.read(b" " * (commitments.LARGEST + 1))


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "before.json").write_bytes(as_file(commitments.published("e1", lists())))
    (tmp_path / "after.json").write_bytes(as_file(commitments.opened("e1", lists())))
    changed = commitments.opened("e1", lists(first="optcg-five-copies.txt"))
    (tmp_path / "changed.json").write_bytes(as_file(changed))

    def invoke(*arguments):
        return CliRunner().invoke(cli, ["verify", *arguments], prog_name="deckproof")

    return invoke


def test_the_command_says_whether_the_lists_hold(run):
    done = run("after.json", "before.json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["HOLDS  event e1", "  2 as committed to"]


def test_the_command_names_the_player_whose_list_was_changed(run):
    done = run("changed.json", "before.json")
    assert done.exit_code == 1
    assert "  1 not the list committed to: r1 First Last" in done.stdout.splitlines()
    told = json.loads(run("changed.json", "before.json", "--json").stdout)
    assert (told["holds"], told["differing"]) == (False, ["r1"])


def test_the_command_says_when_nothing_was_kept_from_before(run):
    done = run("changed.json")
    assert done.exit_code == 0
    assert "kept from before" in done.stdout


@pytest.mark.parametrize("arguments", [("before.json",), ("nowhere.json",), ("after.json", "nowhere.json")])
def test_the_command_ends_with_2_where_a_file_cannot_be_used(run, arguments):
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith("deckproof: ")
    assert len(done.stderr.splitlines()) == 1
