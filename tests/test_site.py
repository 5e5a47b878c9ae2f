"""The documentation as a site: it is built without a network, has every command, setting and rule, and asks nobody."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from api.cli import cli
from api.service.settings import Settings
from tests.interface import commands
from validator import limits
from validator.games import GAMES
from validator.rulesets import rulesets

ROOT = Path(__file__).parents[1]

HIDDEN = ("--beside",)  # for the worker that `serve` starts

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The texts of the pages by name, as `make site` builds them; a link that leads nowhere is a mistake."""
    folder = tmp_path_factory.mktemp("site")
    mkdocs = Path(sys.executable).with_name("mkdocs")
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1", "http_proxy": "http://127.0.0.1:9"}
    call = [mkdocs, "build", "--strict", "--quiet", "--site-dir", folder]
    ran = subprocess.run(call, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return {page.name: page.read_text("utf-8") for page in folder.glob("*.html")}


def words(page):
    return html.unescape(re.sub(r"<[^>]*>", "", page))


def test_every_command_and_option_is_there(site):
    told = words(site["commands.html"])
    rows = [re.findall(r"`([^`]*)`", row) for row in commands()]
    assert len(rows) > 20
    for command, *options in rows:
        name = " ".join(word for word in command.split() if word.islower())
        assert name in told
        assert all(option in told for option in options if option not in HIDDEN)
    assert all(f"deckproof {name}" in told for name in cli.list_commands(click.Context(cli)))


def test_every_setting_is_there_as_it_is(site):
    told = words(site["settings.html"])
    assert all(one.env in told and one.description in told for one in Settings.documented())


def test_every_rule_is_there_with_its_place(site):
    told = words(site["rules.html"])
    for ruleset in rulesets().values():
        assert f'id="{ruleset.id}"' in site["rules.html"]
        for rule in ruleset.rules.values():
            assert rule.says in told
            assert f"{rule.cite.document}, {rule.cite.section}" in told


def test_every_ruling_is_there_with_its_source(site):
    told = words(site["lists.html"])
    for game in GAMES:
        for region in limits.load(game).regions:
            for ruling in limits.load(game).rulings(region):
                assert f"{ruling.numbers[0]} {ruling.names[0]}" in told
                assert ruling.change.source in told


def test_the_library_is_told_from_its_docstrings(site):
    told = words(site["library.html"])
    assert "validator.judge.Judge" in told
    assert "Return the catalogue of a game: the current one, or that of a snapshot." in told


def test_no_page_asks_another_host_for_anything(site):
    asked = re.compile(r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=[\"']?(?:https?:)?//[^\"'> ]*")
    assert {found for page in site.values() for found in asked.findall(page)} == set()
