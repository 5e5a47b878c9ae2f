"""`deckproof events delete`, `restore` and `purge`: what they change and what they refuse. All players are invented."""

import json
import os
import pty
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from click.testing import CliRunner

from api.cli import cli
from api.events.registration_desk import RegistrationDesk
from api.events.storage.retention import RetentionClock
from tests.api.events.conftest import Clock, Hall, in_shared_memory, made
from tests.api.events.test_check_desk import write


@pytest.fixture
def folder():
    with in_shared_memory() as made_folder:
        yield made_folder


@pytest.fixture
def app(folder, monkeypatch):
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(folder))
    return made(Clock("2026-10-20T12:00+02:00"), data_dir=folder)


@pytest.fixture
def halls(app):
    """Two events without registrations, and one with a player."""
    halls = [Hall(app.test_client(), name=f"Cup {number}") for number in (1, 2, 3)]
    halls[2].register("Nami Cat")
    return halls


def delete(*arguments):
    return CliRunner().invoke(cli, ["events", "delete", *arguments], prog_name="deckproof")


def are_there(halls):
    return [hall.stranger.get().status_code == 200 for hall in halls]


def test_events_are_deleted_by_their_ids(halls):
    done = delete(halls[0].id, halls[2].id, "--yes")
    assert (done.exit_code, are_there(halls)) == (0, [False, True, False])
    assert all(hall.id in done.output for hall in (halls[0], halls[2]))


def test_nothing_is_deleted_without_a_terminal_to_ask_at(halls):
    assert delete(halls[0].id).exit_code == 2
    assert are_there(halls) == [True, True, True]


def test_an_unknown_id_deletes_nothing(halls):
    assert delete(halls[0].id, "0" * 30, "--yes").exit_code == 2
    assert are_there(halls) == [True, True, True]


@pytest.mark.parametrize("arguments", [(), ("0" * 30, "--without-registrations"), ("0" * 30, "--older-than", "3")])
def test_what_is_to_be_deleted_is_said_in_one_way(halls, arguments):
    assert delete(*arguments, "--yes").exit_code == 2
    assert are_there(halls) == [True, True, True]


def test_events_without_registrations_are_deleted(halls):
    assert delete("--without-registrations", "--yes").exit_code == 0
    assert are_there(halls) == [False, False, True]


def test_events_younger_than_wanted_are_left(app, halls):
    desk: RegistrationDesk = app.extensions["deckproof"].desk
    desk.now = RegistrationDesk(desk.store, None, desk.bounds).now  # the real clock
    young = Hall(app.test_client(), on=desk.now().date().isoformat(), closes=None)
    assert delete("--without-registrations", "--older-than", "3", "--yes").exit_code == 0
    assert are_there([*halls, young]) == [False, False, True, True]
    assert delete("--without-registrations", "--older-than", "0", "--yes").exit_code == 0
    assert are_there([*halls, young]) == [False, False, True, False]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "code", "is_left"),
    [(b"n\n", 2, True), (b"y\n", 0, False), (b"\x04", 130, True)],  # the last is Ctrl-D
)
def test_a_person_is_asked(halls, answer, code, is_left):
    own, terminal = pty.openpty()
    with os.fdopen(own, "wb", buffering=0) as keyboard, os.fdopen(terminal, "rb", buffering=0) as screen:
        keyboard.write(answer)
        command = [sys.executable, "-m", "api.cli", "events", "delete", halls[0].id]
        done = subprocess.run(command, stdin=screen, capture_output=True, timeout=60, check=False)
    assert (done.returncode, are_there(halls)) == (code, [is_left, True, True])
    assert halls[0].id.encode() in done.stdout
    assert b"mistake" not in done.stderr


class Keyboard(StringIO):
    """Standard input that says that it is a terminal."""

    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("answer", "code", "is_left"), [("n\n", 2, True), ("\n", 2, True), ("y\n", 0, False), ("", 130, True)]
)
def test_events_are_deleted_after_a_yes_only(halls, monkeypatch, answer, code, is_left):
    monkeypatch.setattr(sys, "stdin", Keyboard(answer))
    with pytest.raises(SystemExit) as ended:
        cli.main(["events", "delete", halls[0].id], "deckproof")
    assert (ended.value.code, are_there(halls)) == (code, [is_left, True, True])


def history(player_id, *options):
    return CliRunner().invoke(cli, ["events", "player", player_id, *options], prog_name="deckproof")


def test_a_player_has_one_history_over_all_events(halls):
    registrations = [
        hall.register("Nami Cat", player_id=written)[0] for hall, written in zip(halls, ("0042", "42"), strict=False)
    ]
    halls[0].register("Luffy Straw", player_id="43")
    check = halls[0].judge.post("/checks", {"registration": registrations[0]}).json["checks"][0]["id"]
    notes = {"outcome": "deck differs", "infraction": "list-mismatch", "penalty": "Game Loss", "reason": "3"}
    assert write(halls[0], check, **notes).status_code == 200
    found = json.loads(history(" 042", "--json").output)
    assert [row["registration_id"] for row in found] == registrations
    assert [[check["penalty"] for check in row["checks"]] for row in found] == [["Game Loss"], []]
    delete(halls[1].id, "--yes")
    assert len(json.loads(history("42", "--json").output)) == 1
    assert (history("99").exit_code, json.loads(history("-", "--json").output)) == (0, [])


def restore(hall):
    return CliRunner().invoke(cli, ["events", "restore", hall.id], prog_name="deckproof")


def test_a_deleted_event_is_listed_and_restored(halls):
    assert delete(halls[2].id, "--yes").exit_code == 0
    listed = CliRunner().invoke(cli, ["events", "list", "--json"], prog_name="deckproof").output
    assert [bool(event["deleted_on"]) for event in json.loads(listed)] == [False, False, True]
    assert json.loads(listed)[2]["deleted_on"] > datetime.now(UTC).date().isoformat()
    assert restore(halls[2]).exit_code == 0
    assert are_there(halls) == [True, True, True]
    assert halls[2].organiser.get("/audit").json["intact"]
    assert restore(halls[2]).exit_code == 2


def test_an_event_deleted_at_once_is_not_restored(halls):
    assert delete(halls[2].id, "--now", "--yes").exit_code == 0
    assert restore(halls[2]).exit_code == 2
    assert [hall.organiser.get().status_code for hall in halls] == [200, 200, 404]


def test_nothing_is_purged_until_the_clock_is_confirmed(app, halls):
    database = app.extensions["deckproof"].library.store().database
    RetentionClock(database).look(datetime.now(UTC) - timedelta(days=400))

    def purge(*arguments):
        return CliRunner().invoke(cli, ["events", "purge", *arguments], prog_name="deckproof").exit_code

    assert (purge(), purge("--confirm-clock"), purge()) == (2, 0, 0)


def events(*arguments):
    return CliRunner().invoke(cli, ["events", *map(str, arguments)], prog_name="deckproof")


def test_an_exported_event_is_imported_once_it_is_gone(halls, tmp_path):
    file, hall = tmp_path / "cup.zip", halls[2]
    exported = events("export", hall.id, "-o", file)
    head = exported.output.split()[-1]
    assert (exported.exit_code, f"{file.stat().st_size:,} bytes" in exported.output, len(head)) == (0, True, 64)
    assert file.stat().st_mode & 0o777 == 0o600
    assert (events("export", hall.id, "-o", file).exit_code, events("import", file).exit_code) == (2, 2)
    assert events("export", "0" * 30, "-o", tmp_path / "none.zip").exit_code == 2
    assert not (tmp_path / "none.zip").exists()
    assert delete(hall.id, "--now", "--yes").exit_code == 0
    assert events("import", file, "--head", "0" * 64).exit_code == 2
    assert are_there(halls) == [True, True, False]
    imported = events("import", file, "--head", head)
    assert (imported.exit_code, imported.output.count("unverified"), are_there(halls)) == (0, 0, [True, True, True])


def test_an_unknown_event_is_not_exported(halls, tmp_path):
    words = ["events", "export", "0" * 30, "-o", str(tmp_path / "event.json")]
    done = CliRunner().invoke(cli, words, prog_name="deckproof")
    assert (done.exit_code, "0" * 30 in done.stderr, list(tmp_path.iterdir())) == (2, True, [])
    assert "mistake" not in done.stderr


def test_each_event_is_a_line_with_its_end(halls):
    delete(halls[0].id, "--yes")
    lines = {line[: len(halls[0].id)]: line for line in events("list").output.splitlines()}
    assert list(lines) == [event["id"] for event in json.loads(events("list", "--json").output)]
    deleted, empty, full = (lines[hall.id] for hall in halls)
    assert ("removed on" in deleted, "removed on" in empty) == (True, False)
    assert ("Cup 2  0 players, " in empty, "Cup 3  1 player, " in full) == (True, True)


def test_a_player_has_a_line_for_each_registration_and_check(halls):
    registration, *_ = halls[2].register("Luffy Straw", player_id="0042")
    check = halls[2].judge.post("/checks", {"registration": registration}).json["checks"][0]["id"]
    assert history("42").output.splitlines()[1] == "  deck check, open"
    notes = {"outcome": "deck differs", "infraction": "list-mismatch", "penalty": "Game Loss", "reason": "3"}
    assert write(halls[2], check, **notes).status_code == 200
    line, checked = history("42").output.splitlines()
    assert (line.startswith(halls[2].id), "Cup 3  Luffy Straw" in line) == (True, True)
    assert checked == "  deck check, deck differs, list-mismatch, Game Loss"
    assert history("99").output.count("99") == 1
