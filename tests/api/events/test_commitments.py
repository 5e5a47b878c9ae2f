"""Commitments: hashes published before an event, opened after it, and checked by the command."""

import hashlib
import json

import pytest
from click.testing import CliRunner

from api.cli import cli
from api.events import commitments
from api.service.errors import Unusable

SALTS = {"r1": "0123456789abcdef0123456789abcdef", "r2": "fedcba9876543210fedcba9876543210"}
LIST = "leader\t1\tST21-001\t\nmain\t4\tOP01-016\t\n"


def answer(opened=("r1", "r2"), r1=LIST, event="e1", registrations=("r1", "r2")):
    """What an event publishes; `r1` is the first player's list."""
    return {
        "event": event,
        "hash": "sha-256",
        "commitments": [
            {
                "registration": name,
                "revision": 1,
                "commitment": commitments.commitment(SALTS[name], text),
                "opened": {"salt": SALTS[name], "list": text} if name in opened else None,
            }
            for name, text in {"r1": r1, "r2": LIST}.items()
            if name in registrations
        ],
    }


def as_file(content):
    return json.dumps(content).encode()


def read(**how):
    return commitments.read(as_file(answer(**how)))


BEFORE = read(opened=())
CHANGED = LIST.replace("4", "3")


def test_a_commitment_is_what_sha256sum_says_of_salt_and_list():
    assert commitments.commitment("abc", LIST) == hashlib.sha256(b"abc\n" + LIST.encode()).hexdigest()


def test_the_same_list_has_another_commitment_for_each_player():
    assert len(set(BEFORE.hashes.values())) == 2


def test_opened_lists_are_those_that_were_committed_to():
    found = read().verified(BEFORE)
    assert (found.holds, found.matching) == (True, ("r1", "r2"))


def test_a_list_that_was_changed_is_named():
    found = read(r1=CHANGED).verified(BEFORE)
    assert (found.holds, found.differing, found.matching) == (False, ("r1",), ("r2",))
    # The file agrees with itself: only who kept the commitments sees it.
    assert read(r1=CHANGED).verified().holds


def test_a_list_that_stays_closed_is_told():
    found = read(opened=("r1",)).verified(BEFORE)
    assert (found.holds, found.unopened) == (True, ("r2",))


def test_a_list_never_committed_to_does_not_hold():
    found = read().verified(read(registrations=("r1",)))
    assert (found.holds, found.unannounced) == (False, ("r2",))


def test_lists_of_another_event_are_refused():
    with pytest.raises(Unusable, match="e2"):
        read().verified(read(event="e2"))


def entry(**changed):
    return as_file({**answer(), "commitments": [{**answer()["commitments"][0], **changed}]})


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[" * 100_000,
        b"\xff\xfe\xfd",
        b"[]",
        as_file({**answer(), "hash": "md5"}),
        as_file({**answer(), "event": 1}),
        as_file({**answer(), "commitments": {}}),
        as_file({**answer(), "commitments": ["r1"]}),
        as_file({**answer(), "commitments": answer()["commitments"] * 2}),
        entry(registration=None),
        entry(registration="r\ud800"),
        as_file({**answer(), "event": "e\n1"}),
        entry(commitment="ff"),
        entry(opened={"salt": "1", "list": LIST}),
        entry(opened={"salt": SALTS["r1"]}),
        entry(opened=[]),
    ],
)
def test_a_file_that_cannot_be_used_says_why(content):
    with pytest.raises(Unusable):
        commitments.read(content)


def test_a_file_is_bounded():
    with pytest.raises(Unusable, match="more than"):
        commitments.read(b" " * (commitments.LARGEST + 1))


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {"before": answer(opened=()), "after": answer(), "changed": answer(r1=CHANGED), "other": answer(event="e2")}
    for name, content in files.items():
        (tmp_path / f"{name}.json").write_bytes(as_file(content))

    def invoke(*arguments):
        return CliRunner().invoke(cli, ["verify", *arguments], prog_name="deckproof")

    return invoke


def test_the_command_says_whether_the_lists_hold(run):
    done = run("after.json", "before.json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["HOLDS  event e1", "  2 as committed to"]


def test_the_command_names_the_list_that_was_changed(run):
    done = run("changed.json", "before.json")
    assert done.exit_code == 1
    assert "  1 not the list committed to: r1" in done.stdout.splitlines()
    told = json.loads(run("changed.json", "before.json", "--json").stdout)
    assert (told["holds"], told["differing"]) == (False, ["r1"])


def test_the_command_says_when_nothing_was_kept_from_before(run):
    done = run("changed.json")
    assert done.exit_code == 0
    assert "kept from before" in done.stdout


@pytest.mark.parametrize(
    "arguments", [("before.json",), ("nowhere.json",), ("after.json", "nowhere.json"), ("after.json", "other.json")]
)
def test_the_command_ends_with_2_where_a_file_cannot_be_used(run, arguments):
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith("deckproof: ")
    assert len(done.stderr.splitlines()) == 1
