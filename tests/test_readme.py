"""The README: what it tables, prints and calls is what there is."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from api.cli import cli
from api.service.settings import Settings
from api.web.app import create_app

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```[a-z ]*\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
CALLS = [line for block in BLOCKS for line in block.replace("\\\n", "").splitlines() if line.startswith("deckproof ")]


def table(heading):
    """The rows of the table under a heading, as cells."""
    section = README.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def test_every_setting_is_tabled_as_it_is():
    assert [tuple(row) for row in table("Settings")] == [
        (f"`{one.env}`", f"`{one.default}`" if one.default else "", one.description) for one in Settings.documented()
    ]


def test_every_route_is_tabled(tmp_path):
    rows = [*table("The interface"), *table("Pages")]
    tabled = {re.sub(r"\?.*", "", path) for row in rows for path in re.findall(r"/[^\s`,]*", row[0])}
    routes = {
        re.sub("<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule.rule)
        for rule in create_app(Settings(data_dir=tmp_path)).url_map.iter_rules()
    }
    assert tabled == routes - {"/docs", "/docs/{name}", "/openapi.json", "/static/{name}"}
    assert len(tabled) >= 15


def test_every_command_is_tabled():
    tabled = " ".join(row[0] for row in table("The command"))
    for name in cli.list_commands(click.Context(cli)):
        command = cli.get_command(click.Context(cli), name)
        assert f"`deckproof {name}" in tabled
        for inner in (
            set(command.list_commands(click.Context(command))) - {"show"} if isinstance(command, click.Group) else ()
        ):
            assert re.search(rf"\b{inner}\b", tabled), f"{name} {inner}"


@pytest.mark.parametrize("call", CALLS)
def test_every_call_has_options_that_there_are(call):
    command, words = cli, shlex.split(call)[1:]
    while isinstance(command, click.Group) and words[0] in command.list_commands(click.Context(command)):
        command = command.get_command(click.Context(command), words.pop(0))
    options = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words if word.startswith("-") and word != "-"} <= options


def test_the_verdict_that_is_shown_is_what_is_printed(monkeypatch, tmp_path):
    (shown,) = [block for block in BLOCKS if block.startswith("$ .venv/bin/deckproof check ")]
    call, _, verdict = shown.partition("\n")
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path))
    assert CliRunner().invoke(cli, shlex.split(call)[2:]).stdout.rstrip() == verdict.rstrip()


def test_the_procfile_is_shown_as_it_is():
    assert (ROOT / "Procfile").read_text("utf-8") in BLOCKS


def test_the_library_example_runs_as_it_stands(monkeypatch, tmp_path, capsys):
    (example,) = [block for block in BLOCKS if block.startswith("from carddb.library import")]
    monkeypatch.chdir(tmp_path)
    exec(example, {})
    shown = capsys.readouterr().out
    assert shown.startswith("False ")
    assert "needs exactly 50" in shown
    assert not list(tmp_path.iterdir())
