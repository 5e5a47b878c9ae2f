"""`deckproof convert`: a list in one format becomes one in another, and what is left out is told."""

import pytest
from click.testing import CliRunner

from api.cli import cli
from tests.api.conftest import EXAMPLES

ZORO = str(EXAMPLES / "optcg-red-zoro.txt")


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path))

    def invoke(*arguments, stdin=None):
        return CliRunner().invoke(cli, ["convert", *arguments], input=stdin, prog_name="deckproof")

    return invoke


def test_a_list_is_written_in_the_format_asked_for(run):
    done = run(ZORO, "--to", "optcgsim")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[:2] == ["1xST21-001", "4xOP01-016"]


def test_what_is_left_out_is_told_with_its_line(run):
    done = run("-", "--to", "optcgsim", stdin="4 OP01-016\n300 OP01-017\n")
    assert (done.exit_code, done.stdout) == (1, "4xOP01-016\n")
    assert "line 2" in done.stderr
    assert "300 OP01-017" in done.stderr


@pytest.mark.parametrize("format", ["papyrus", "names"])
def test_a_format_that_there_is_not_or_that_cannot_carry_the_deck_is_named(run, format):
    done = run(ZORO, "--to", format)
    assert (done.exit_code, done.stdout) == (2, "")
    assert format in done.stderr


def test_the_formats_are_listed(run):
    done = run("--formats")
    assert done.exit_code == 0
    assert "limitless\t" in done.stdout
    assert "deckplanet-ids" not in done.stdout


def test_a_conversion_needs_a_format(run):
    done = run(ZORO)
    assert (done.exit_code, done.stdout, "--to" in done.stderr) == (2, "", True)
