"""The README, and the tables that it links to: what they list, print and call is what exists."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from api.cli import cli
from api.service.settings import Settings
from api.web.app import create_app
from tests.docs.guides import read_blocks
from tests.interface import documented_settings
from validator.games import GAMES
from validator.rulesets import rulesets

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = [block.text for block in read_blocks(ROOT / "README.md")]
REFERENCE = ROOT / "docs/reference"
SHOWN = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
CALLS = {
    line
    for page in SHOWN
    for block in read_blocks(page)
    for line in block.text.replace("\\\n", "").splitlines()
    if line.startswith("deckproof ") and block.is_shell
} | {call for call in re.findall(r"`(deckproof [a-z][^`]*)`", README) if not call.endswith("…")}


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 160


def test_every_link_leads_to_a_file():
    targets = re.findall(r"\]\(([^)#]+)", README)
    assert len(targets) > 10
    assert [target for target in targets if not (ROOT / target).is_file()] == []


@pytest.mark.parametrize(("mark", "part"), [("first command", "deckproof check examples/"), ("test command", "pytest")])
def test_each_command_is_one_line_in_a_plain_fence(mark, part):
    """`.ci/run` finds them by the comment, which no renderer of Markdown shows."""
    (command,) = [block for block in read_blocks(ROOT / "README.md") if mark in block.marks]
    assert command.language == "sh"
    assert command.text.count("\n") == 1
    assert part in command.text
    reader = re.search(r"command_of\(\) \{\n.*?\n\}\n", (ROOT / ".ci/run").read_text("utf-8"), re.DOTALL)[0]
    read = subprocess.run(["bash", "-c", f"{reader}command_of '{mark}'"], cwd=ROOT, capture_output=True, text=True)
    assert read.stdout == command.text


def test_every_setting_is_listed():
    names = re.findall(r"`(DECKPROOF_[A-Z_]+)`", README)
    assert sorted(names) == sorted(setting.env for setting in documented_settings())


def test_every_game_is_listed():
    rows = [line for line in README.splitlines() if re.search(r"\| `[a-z]+` \|", line)]
    assert [re.search(r"`([a-z]+)`", row)[1] for row in rows] == list(GAMES)
    for ruleset in rulesets().values():
        version = ruleset.id.partition("-")[2]
        (row,) = [row for row in rows if f"`{ruleset.game}`" in row]
        if ruleset.game in ("optcg", "gundam"):
            assert version in row


def first_column(page, paths=r"/[^\s`,]*"):
    rows = [line for line in (REFERENCE / page).read_text("utf-8").splitlines() if line.startswith("| `")]
    return {re.sub(r"\?.*", "", path) for row in rows for path in re.findall(paths, row.split("|")[1])}


def test_every_route_is_listed(tmp_path):
    routes = {
        re.sub("<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule.rule)
        for rule in create_app(Settings(data_dir=tmp_path)).url_map.iter_rules()
    }
    assert first_column("pages.md") | first_column("interface.md") == routes - {"/static/{name}"}
    assert len(first_column("pages.md")) > 30


@pytest.mark.parametrize("call", sorted(CALLS))
def test_every_call_has_options_that_exist(call):
    command, words = cli, shlex.split(call, comments=True)[1:]
    while isinstance(command, click.Group) and words[0] in command.list_commands(click.Context(command)):
        command = command.get_command(click.Context(command), words.pop(0))
    if isinstance(command, click.Group):  # `limits GAME` is `limits show GAME`
        command = command.get_command(click.Context(command), "show") or command
    options = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words if re.match(r"--?[a-z]", word)} <= options


def test_the_verdict_that_is_shown_is_what_is_printed(monkeypatch, tmp_path):
    (shown,) = [block for block in BLOCKS if block.startswith("$ .venv/bin/deckproof check ")]
    call, _, verdict = shown.partition("\n")
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path))
    assert CliRunner().invoke(cli, shlex.split(call)[2:]).stdout.rstrip() == verdict.rstrip()


def test_the_procfile_is_shown_as_it_is():
    shown = [block.text for block in read_blocks(ROOT / "docs/how-to/deploy.md")]
    assert (ROOT / "Procfile").read_text("utf-8") in shown


def test_the_library_example_runs(monkeypatch, tmp_path, capsys):
    (example,) = [block for block in BLOCKS if "from deckproof import" in block]
    monkeypatch.chdir(tmp_path)
    exec(example, {})
    printed = capsys.readouterr().out
    assert printed.startswith("False ")
    assert "needs exactly 50" in printed
    assert not list(tmp_path.iterdir())
