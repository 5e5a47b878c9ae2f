"""Commitments: published before an event, opened after it, and compared by the command."""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from api.cli import cli
from api.events import commitments
from api.events.bounds import LARGEST_COMMITMENTS, MOST_ENTRANTS
from api.events.commitments import EventTerms, OpenedList
from api.service.errors import Unusable
from tests.api.events.conftest import ILLEGAL, LEGAL, Hall

TERMS = EventTerms("e1", "optcg", "standard")
LIST = "leader\t1\tST21-001\t\nmain\t4\tOP01-016\t\n"
CHANGED = LIST.replace("4", "3")
SALTS = {"r1": "0123456789abcdef0123456789abcdef", "r2": "fedcba9876543210fedcba9876543210"}
PLAYERS = {"r1": "Nami Cat", "r2": "Zoro Dog"}


def file_of(kind, *lists, terms=TERMS):
    """A file of version 2 with these lists."""
    rows = []
    for one in lists or (opened_list("r1"), opened_list("r2")):
        made = commitments.commit(terms, one)
        row = {"registration": one.registration, "commitment": made.list_hash, "player_commitment": made.player_hash}
        if kind == commitments.OPENED_LISTS:
            row |= {"salt": one.salt, "player": one.player, "list": one.text}
        rows.append(row)
    name = "lists" if kind == commitments.OPENED_LISTS else "commitments"
    return {"kind": kind, "version": 2, "hash": "sha-256", **terms._asdict(), name: rows}


def opened_list(id, text=LIST, player=None):
    return OpenedList(id, SALTS[id], text, player or PLAYERS[id])


def commitment_file(*lists, **terms):
    return file_of(commitments.COMMITMENTS, *lists, **terms)


def opened_file(*lists, **terms):
    return file_of(commitments.OPENED_LISTS, *lists, **terms)


def version_1(opens=("r1", "r2"), r1=LIST, event="e1"):
    """A file as the version before wrote it; `r1` is the first player's list."""
    return {
        "event": event,
        "hash": "sha-256",
        "commitments": [
            {
                "registration": id,
                "revision": 1,
                "commitment": hashlib.sha256(f"{SALTS[id]}\n{text}".encode()).hexdigest(),
                "opened": {"salt": SALTS[id], "list": text} if id in opens else None,
            }
            for id, text in {"r1": r1, "r2": LIST}.items()
        ],
    }


def as_file(content):
    return json.dumps(content).encode()


def verify(file, published=None):
    files = (commitments.read(as_file(content)) for content in (file, published) if content)
    return commitments.verify(*files)


def test_opened_lists_hold_if_they_are_those_committed_to():
    found = verify(opened_file(), commitment_file())
    assert (found.holds, found.matching, found.renamed) == (True, ("r1", "r2"), ())


def test_a_changed_list_does_not_hold():
    found = verify(opened_file(opened_list("r1", CHANGED), opened_list("r2")), commitment_file())
    assert (found.holds, found.differing, found.matching) == (False, ("r1",), ("r2",))


def test_a_corrected_name_holds_and_is_named():
    found = verify(opened_file(opened_list("r1", player="Nami Catt"), opened_list("r2")), commitment_file())
    assert (found.holds, found.renamed, found.swapped, len(found.matching)) == (True, ("r1",), (), 2)


def test_swapped_names_do_not_hold():
    found = verify(
        opened_file(opened_list("r1", player="Zoro Dog"), opened_list("r2", player="Nami Cat")), commitment_file()
    )
    assert (found.holds, found.swapped, found.renamed) == (False, ("r1", "r2"), ())


def test_a_correction_to_a_name_that_another_player_has_too_is_no_swap():
    namesake = opened_list("r2", player="Nami Cat")
    found = verify(
        opened_file(opened_list("r1", player="Nami Catt"), namesake), commitment_file(opened_list("r1"), namesake)
    )
    assert (found.holds, found.renamed, found.swapped) == (True, ("r1",), ())


@pytest.mark.parametrize(("name", "value"), [("game", "fusion-world"), ("format", "extra")])
def test_lists_of_another_game_or_format_do_not_hold(name, value):
    found = verify(opened_file(terms=TERMS._replace(**{name: value})), commitment_file())
    assert (found.holds, found.changed_terms, len(found.differing)) == (False, (name,), 2)
    # The head of a file alone changes nothing: each hash binds the game and the format.
    assert len(verify(opened_file() | {name: value}, commitment_file() | {name: value}).differing) == 2
    found = verify(opened_file(), commitment_file() | {name: value})
    assert (found.holds, found.changed_terms, len(found.matching)) == (False, (name,), 2)


def test_a_list_of_another_registration_does_not_hold():
    moved = opened_list("r1")._replace(registration="r2")
    assert verify(opened_file(moved), commitment_file()).differing == ("r2",)


def test_a_list_that_stays_closed_holds():
    found = verify(opened_file(opened_list("r1")), commitment_file())
    assert (found.holds, found.unopened) == (True, ("r2",))


def test_a_list_never_committed_to_does_not_hold():
    found = verify(opened_file(), commitment_file(opened_list("r1")))
    assert (found.holds, found.unannounced) == (False, ("r2",))


@pytest.mark.parametrize("file", [opened_file, version_1])
def test_commitments_of_the_version_before_are_still_compared(file):
    assert verify(file(), version_1(opens=())).matching == ("r1", "r2")


def test_a_changed_list_does_not_hold_by_commitments_of_the_version_before():
    changed = opened_file(opened_list("r1", CHANGED), opened_list("r2"))
    for file in (changed, version_1(r1=CHANGED)):
        found = verify(file, version_1(opens=()))
        assert (found.holds, found.differing) == (False, ("r1",))


UNCOMPARABLE = {
    "swapped": (commitment_file(), opened_file(), "swapped"),
    "swapped, of version 1": (version_1(opens=()), version_1(), "swapped"),
    "commitments only": (commitment_file(), commitment_file(), "no list is opened"),
    "commitments alone": (commitment_file(), None, "no list is opened"),
    "nothing opened yet": (opened_file() | {"lists": []}, commitment_file(), "no list is opened"),
    "opened lists twice": (opened_file(), opened_file(), "both"),
    "another event": (opened_file(), commitment_file(terms=TERMS._replace(event="e2")), "e2"),
    "another event, of version 1": (version_1(), version_1(event="e2"), "e2"),
    "opened by the version before": (version_1(), commitment_file(), "older"),
}


@pytest.mark.parametrize("case", UNCOMPARABLE)
def test_files_that_cannot_be_compared_are_refused(case):
    file, published, why = UNCOMPARABLE[case]
    with pytest.raises(Unusable, match=why):
        verify(file, published)


def entry(content, name, **changed):
    return as_file({**content, name: [{**content[name][0], **changed}]})


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[" * 100_000,
        b"\xff\xfe\xfd",
        b"[]",
        as_file({**commitment_file(), "hash": "md5"}),
        as_file({**commitment_file(), "kind": "other"}),
        as_file({**commitment_file(), "kind": ["other"]}),
        as_file({**commitment_file(), "version": 3}),
        as_file({**commitment_file(), "event": 1}),
        as_file({**commitment_file(), "format": None}),
        as_file({**commitment_file(), "event": "e\n1"}),
        as_file({**commitment_file(), "commitments": {}}),
        as_file({**commitment_file(), "commitments": ["r1"]}),
        as_file({**commitment_file(), "commitments": commitment_file()["commitments"] * 2}),
        as_file({**commitment_file(), "commitments": [{}] * (MOST_ENTRANTS + 1)}),
        as_file({**opened_file(), "lists": None}),
        entry(commitment_file(), "commitments", registration=None),
        entry(commitment_file(), "commitments", registration="r\ud800"),
        entry(commitment_file(), "commitments", commitment="ff"),
        entry(commitment_file(), "commitments", player_commitment=None),
        entry(opened_file(), "lists", salt="1"),
        entry(opened_file(), "lists", list=None),
        entry(opened_file(), "lists", player=7),
        as_file({**version_1(), "event": 1}),
        entry(version_1(), "commitments", commitment="ff"),
        entry(version_1(), "commitments", opened={"salt": "1", "list": LIST}),
        entry(version_1(), "commitments", opened={"salt": SALTS["r1"]}),
        entry(version_1(), "commitments", opened=[]),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(content):
    with pytest.raises(Unusable):
        commitments.read(content)


def test_a_file_is_bounded():
    with pytest.raises(Unusable, match="more than"):
        commitments.read(b" " * (LARGEST_COMMITMENTS + 1))


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {
        "before": commitment_file(),
        "after": opened_file(),
        "changed": opened_file(opened_list("r1", CHANGED), opened_list("r2")),
        "corrected": opened_file(opened_list("r1", player="Nami Catt"), opened_list("r2")),
        "swapped": opened_file(opened_list("r1", player="Zoro Dog"), opened_list("r2", player="Nami Cat")),
        "extra": opened_file(terms=TERMS._replace(format="extra")),
        "other": commitment_file(terms=TERMS._replace(event="e2")),
    }
    for name, content in files.items():
        (tmp_path / f"{name}.json").write_bytes(as_file(content))

    def invoke(*arguments):
        return CliRunner().invoke(cli, ["verify", *arguments], prog_name="deckproof")

    return invoke


@pytest.mark.parametrize(
    ("file", "code", "ids", "details"),
    [
        ("after", 0, {"matching": ["r1", "r2"]}, 2),
        ("corrected", 0, {"matching": ["r1", "r2"], "renamed": ["r1"]}, 3),
        ("changed", 1, {"matching": ["r2"], "differing": ["r1"]}, 3),
        ("swapped", 1, {"matching": ["r1", "r2"], "swapped": ["r1", "r2"]}, 3),
        ("extra", 1, {"differing": ["r1", "r2"], "changed_terms": ["format"]}, 2),
    ],
)
def test_the_command_prints_the_result_and_its_details(run, file, code, ids, details):
    done = run(f"{file}.json", "before.json")
    assert (done.exit_code, done.stderr) == (code, "")
    result, *more = done.stdout.splitlines()
    assert (result.partition(":")[0], len(more)) == ("DOES NOT HOLD" if code else "HOLDS", details)
    found = json.loads(run(f"{file}.json", "before.json", "--json").stdout)
    assert (found.pop("event"), found.pop("holds")) == ("e1", code == 0)
    assert {name: listed for name, listed in found.items() if listed} == ids


def test_the_command_warns_if_there_is_no_file_from_before_the_event(run):
    done = run("changed.json")
    assert done.exit_code == 0
    assert "same file" in done.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    "arguments",
    [
        ("before.json",),
        ("nowhere.json",),
        ("after.json", "nowhere.json"),
        ("after.json", "other.json"),
        ("before.json", "after.json"),
        ("after.json", "after.json"),
    ],
)
def test_the_command_ends_with_2_if_a_file_cannot_be_used(run, arguments):
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith("deckproof: ")
    assert len(done.stderr.splitlines()) == 1


# Events


def fetch(visitor, path):
    return commitments.read(visitor.get(path).data)


@pytest.fixture
def event(hall):
    """An event with two lists and its commitments as anybody could fetch them before it."""
    hall.nami, hall.player = hall.register("Nami Muller")
    hall.zoro, _ = hall.register("Zoro Dog", decklist=ILLEGAL)
    hall.published = fetch(hall.stranger, "/commitments")
    return hall


def verify_event(event):
    return commitments.verify(fetch(event.organiser, "/opened-lists"), event.published)


def test_an_events_opened_lists_hold(event):
    found = verify_event(event)
    assert (found.holds, len(found.matching), found.renamed) == (True, 2, ())


def test_the_commitments_open_no_list_whichever_key_asks(event):
    answers = {visitor.get("/commitments").data for visitor in (event.stranger, event.judge, event.organiser)}
    (answer,) = answers
    for word in (b"salt", b"OP01-016", b"Muller"):
        assert word not in answer
    assert event.stranger.get("/opened-lists").json["lists"] == []


def test_the_two_files_have_different_names(event):
    names = [
        event.organiser.get(path).headers["Content-Disposition"].rpartition("=")[2]
        for path in ("/commitments", "/opened-lists")
    ]
    assert names == [f"commitments-{event.id}.json", f"opened-lists-SECRET-until-public-{event.id}.json"]
    event.organiser.patch("", visibility="public")
    public = event.stranger.get("/opened-lists").headers["Content-Disposition"].rpartition("=")[2]
    assert public == f"opened-lists-{event.id}.json"


def test_corrected_details_keep_the_commitment(event):
    for change in (
        {"player": "Nami Müller"},
        {"consent": {"publish": True}},
        {"team": "Reds", "notes": "late"},
        {"decklist": f"\n{LEGAL}"},  # the same list, written otherwise
    ):
        assert (
            event.judge.put(
                f"/registrations/{event.nami}", change, event.judge.get(f"/registrations/{event.nami}").headers["ETag"]
            ).status_code
            == 200
        )
    after = fetch(event.stranger, "/commitments")
    before = event.published.commitments[event.nami]
    assert after.commitments[event.nami].list_hash == before.list_hash
    found = verify_event(event)
    assert (found.holds, len(found.matching), found.renamed) == (True, 2, (event.nami,))


def test_a_changed_list_has_a_new_salt_and_does_not_hold(event):
    salts = {fetch(event.organiser, "/opened-lists").lists[event.nami].salt}
    for decklist in (ILLEGAL, LEGAL):
        assert event.player.revise(event.nami, decklist=decklist).status_code == 200
        salts.add(fetch(event.organiser, "/opened-lists").lists[event.nami].salt)
    assert len(salts) == 3
    found = verify_event(event)
    assert (found.holds, found.differing, found.matching, found.renamed) == (False, (event.nami,), (event.zoro,), ())


@pytest.mark.parametrize(
    ("columns", "where"),
    [(("deck", "decklist"), "differing"), (("deck", "salt"), "differing"), (("player",), "swapped")],
)
def test_what_is_swapped_between_two_players_in_the_database_does_not_hold(app, event, columns, where):
    database = app.extensions["deckproof"].library.store().database
    chosen = ", ".join(columns)
    with database.writing("everything") as connection:
        rows = connection.exec_driver_sql(f"select registration_id, {chosen} from event_revision").all()
        (first, *one), (second, *other) = rows
        for id, values in ((first, other), (second, one)):
            for name, value in zip(columns, values, strict=True):
                text = sa.text(f"update event_revision set {name} = :value where registration_id = :id")
                connection.execute(text, {"value": value, "id": id})
    found = verify_event(event)
    assert (found.holds, set(getattr(found, where))) == (False, {event.nami, event.zoro})


def test_another_format_of_the_event_does_not_hold(event):
    assert event.organiser.patch("", format="extra").status_code == 200
    found = verify_event(event)
    assert (found.holds, found.changed_terms, len(found.differing)) == (False, ("format",), 2)


def test_another_events_lists_are_refused(app, event):
    other = Hall(app.test_client())
    other.register("Nami Muller")
    with pytest.raises(Unusable, match=other.id):
        commitments.verify(fetch(other.organiser, "/opened-lists"), event.published)


def test_a_list_opens_the_commitment_that_the_version_before_published(event):
    """An event whose commitments were published before the server was updated, and whose player was corrected since."""
    lists = fetch(event.organiser, "/opened-lists").lists.values()
    rows = [
        {"registration": one.registration, "commitment": commitments.commit_version_1(one).list_hash} for one in lists
    ]
    published = commitments.read(as_file({"event": event.id, "hash": "sha-256", "commitments": rows}))
    assert event.player.revise(event.nami, player="Nami Müller").status_code == 200
    found = commitments.verify(fetch(event.organiser, "/opened-lists"), published)
    assert (found.holds, len(found.matching)) == (True, 2)


def test_each_revision_shows_its_commitment(event):
    event.player.revise(event.nami, player="Nami Müller")
    event.player.revise(event.nami, decklist=ILLEGAL)
    shown = event.player.get(f"/registrations/{event.nami}/revisions").json["revisions"]
    first, corrected, changed = (one["commitment"] for one in shown)
    assert first == corrected == event.published.commitments[event.nami].list_hash
    assert changed == fetch(event.stranger, "/commitments").commitments[event.nami].list_hash != first


def test_the_documented_program_finds_a_changed_list(event, tmp_path):
    page = (Path(__file__).parents[3] / "docs/reference/commitments.md").read_text("utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "commitments.json").write_bytes(event.stranger.get("/commitments").data)

    def run_program():
        (tmp_path / "opened-lists.json").write_bytes(event.organiser.get("/opened-lists").data)
        done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.split()

    assert run_program() == []
    event.player.revise(event.nami, decklist=ILLEGAL)
    assert run_program() == [event.nami]


@pytest.mark.parametrize(("most", "is_refused"), [(2, False), (1, True)])
def test_a_file_has_as_many_lists_as_an_event(monkeypatch, most, is_refused):
    monkeypatch.setattr(commitments, "MOST_ENTRANTS", most)
    if is_refused:
        with pytest.raises(Unusable):
            verify(opened_file(), commitment_file())
    else:
        assert len(verify(opened_file(), commitment_file()).matching) == 2
