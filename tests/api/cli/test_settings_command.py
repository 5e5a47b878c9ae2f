"""`deckproof settings`: values with their sources, nothing secret, and variables that are no settings."""

from __future__ import annotations

import json
import os

import pytest
from click.testing import CliRunner

from api.cli import cli
from api.service.effective_settings import effective_settings, unknown_variables
from api.service.settings import Settings
from tests.api.processes import Process, Running
from tests.interface import documented_settings

SECRET = "an-invented-secret-of-this-test"


@pytest.fixture
def run(monkeypatch, tmp_path):
    for name in [name for name in os.environ if name.startswith("DECKPROOF_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path))

    def invoke(*arguments, **variables):
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        return CliRunner().invoke(cli, ["settings", *arguments], prog_name="deckproof")

    return invoke


def parse_settings_output(result):
    return {one["variable"]: (one["value"], one["source"]) for one in json.loads(result.stdout)["settings"]}


def test_each_setting_is_shown_with_its_source(run, tmp_path):
    result = run("--json", DECKPROOF_WORKERS=" 3 ", DECKPROOF_TRUSTED_PROXIES="10.0.0.0/8, ::1", DECKPROOF_MAX_JOBS="")
    assert result.exit_code == 0
    assert list(parse_settings_output(result)) == [setting.env for setting in documented_settings()]
    for name, value, source in (
        ("WORKERS", "3", "environment"),
        ("TRUSTED_PROXIES", "10.0.0.0/8, ::1", "environment"),
        ("MAX_JOBS", "100", "default"),
        ("DATA_DIR", str(tmp_path), "environment"),
        ("DATABASE_URL", f"sqlite:///{tmp_path}/deckproof.db", "default"),
        ("SYNC_GAMES", "optcg,dbs", "default"),
        ("ADMIN_KEY", "", "default"),
        ("OPERATIONS_ADDRESS", "", "default"),
    ):
        assert parse_settings_output(result)[f"DECKPROOF_{name}"] == (value, source)


def test_the_table_has_the_same(run):
    rows = [line.split("\t") for line in run(DECKPROOF_WORKERS="3").stdout.splitlines()]
    assert rows[0] == ["setting", "value", "source"]
    assert ["DECKPROOF_WORKERS", "3", "environment"] in rows
    assert len(rows) == 1 + len(documented_settings())


@pytest.mark.parametrize(
    ("name", "value", "masked"),
    [
        (
            "DATABASE_URL",
            f"postgresql://judge:{SECRET}@db.example/decks",
            "postgresql://judge:********@db.example/decks",
        ),
        (
            "DATABASE_URL",
            f"postgresql://judge:a@{SECRET}/@db.example/decks",
            "postgresql://judge:********@db.example/decks",
        ),
        (
            "DATABASE_URL",
            f"postgresql:///decks?user=judge&password={SECRET}",
            "postgresql:///decks?user=judge&password=********",
        ),
        ("DATABASE_URL", f"postgresql://h/d?sslpassword={SECRET}&x=1", "postgresql://h/d?sslpassword=********&x=1"),
        ("DATABASE_URL", "postgresql://judge@db.example:5432/decks", "postgresql://judge@db.example:5432/decks"),
        ("DATABASE_URL", "sqlite:////srv/decks.db", "sqlite:////srv/decks.db"),
        ("REDIS_URL", f"redis://:{SECRET}@127.0.0.1:6379/0", "redis://:********@127.0.0.1:6379/0"),
        ("ADMIN_KEY", SECRET, "********"),
        ("SECRET_KEY", f"{SECRET}://", "********"),
    ],
)
def test_keys_and_passwords_are_masked(run, name, value, masked):
    variable = f"DECKPROOF_{name}"
    for arguments in ((), ("--json",)):
        result = run(*arguments, **{variable: value})
        assert result.exit_code == 0
        assert SECRET not in result.output
    assert parse_settings_output(result)[variable] == (masked, "environment")


@pytest.mark.parametrize("arguments", [(), ("--json",)])
@pytest.mark.parametrize(
    ("name", "value"),
    [("WORKERS", "two"), ("DATABASE_URL", f"judge:{SECRET}"), ("PROXIES", "1"), ("LOG_LEVEL", "loud")],
)
def test_an_unusable_value_or_a_removed_setting_ends_with_2_and_all_are_shown(run, arguments, name, value):
    variable = f"DECKPROOF_{name}"
    result = run(*arguments, **{variable: value, "DECKPROOF_MAX_BODY": "9"})
    assert result.exit_code == 2
    assert SECRET not in result.output
    for unusable in (variable, "DECKPROOF_MAX_BODY"):
        assert unusable in result.stderr
        assert unusable in result.stdout
    assert "DECKPROOF_JOB_HOURS" in result.stdout


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("DECKPROOF_WORKER_S", "DECKPROOF_WORKERS"),
        ("DECKPROOF_TRUSTED_PROXY", "DECKPROOF_TRUSTED_PROXIES"),
        ("DECKPROF_DATA_DIR", "DECKPROOF_DATA_DIR"),
        ("deckproof_max_body", "DECKPROOF_MAX_BODY"),
        ("DECKPROOF_COLOUR_OF_THE_DOOR", None),
    ],
)
def test_a_misspelt_variable_is_named_with_the_setting_that_is_similar(run, name, suggestion):
    result = run("--json", **{name: "1"})
    assert result.exit_code == 0
    assert json.loads(result.stdout)["unknown"] == [{"variable": name, "suggestion": suggestion}]
    assert name in result.stderr
    assert (suggestion or "deckproof settings") in result.stderr


def test_variables_of_other_programs_and_of_options_are_not_named():
    others = {"DECK_OF_CARDS": "1", "PATH": "/bin", "DECKPROOF_LANG": "de", "DECKPROOF_TEST_POSTGRES": "x"}
    assert list(unknown_variables(others)) == []


def test_the_defaults_are_usable_values():
    for setting in effective_settings({"HOME": "/srv"}):
        if setting.value and setting.variable != "DECKPROOF_ORIGINS":
            Settings.from_environment({setting.variable: setting.value})


@pytest.mark.slow
def test_a_server_and_a_worker_warn_of_a_misspelt_variable_once(tmp_path):
    misspelt = {"DECKPROOF_TRUSTED_PROXY": "127.0.0.1"}
    server = Running(tmp_path / "web", ("serve", "--port", "0", "--workers", "2"), DECKPROOF_WORKER="on", **misspelt)
    worker = Process(tmp_path / "worker", ("worker",), **misspelt)
    with server.ended(), worker.ended():
        server.says("is at work")
        worker.says("is at work")
    for log in (server.log, worker.log):
        assert log.read_text().count("DECKPROOF_TRUSTED_PROXIES") == 1
