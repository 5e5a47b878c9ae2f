"""`deckproof when` and `deckproof odds`, on the example decks."""

import json

import pytest
from click.testing import CliRunner

from api.cli import cli
from tests.api.conftest import EXAMPLES

ZORO = str(EXAMPLES / "optcg-red-zoro.txt")
ON = ("--on", "2026-11-22")


@pytest.fixture
def run(monkeypatch, tmp_path):
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path))
    return lambda *words, **how: CliRunner().invoke(cli, list(words), **how)


class TestWhen:
    def test_what_is_to_come_is_said_first(self, run):
        shown = run("when", ZORO, *ON)
        assert shown.exit_code == 0
        first, headline, ahead, *_ = shown.stdout.splitlines()
        assert first.startswith("LEGAL ")
        assert "Legal until 2028-03-31, never again" in headline
        assert "2028-04-01" in ahead
        assert "announcements known up to" in shown.stdout

    def test_it_ends_as_a_verdict_of_the_day_does(self, run):
        for day in ("2026-07-30", "2026-07-31", "2028-04-01"):
            assert run("when", ZORO, "--on", day).exit_code == run("check", ZORO, "--on", day).exit_code

    def test_terms_and_range_are_options(self, run):
        shown = run("when", ZORO, *ON, "--format", "extra", "--from", "2026-07-31", "--until", "2027-01-01", "--json")
        (only,) = json.loads(shown.stdout)["intervals"]
        assert (only["from"], only["until"], only["legal"]) == ("2026-07-31", "2027-01-01", True)

    @pytest.mark.parametrize(
        "words",
        [
            ("nowhere.txt",),
            (ZORO, "--from", "2027-01-01", "--until", "2026-01-01"),
            (ZORO, "--until", "soon"),
            (ZORO, "--region", "nowhere"),
            ("-",),
        ],
    )
    def test_what_cannot_be_used_is_said_in_a_sentence(self, run, words):
        shown = run("when", *words, input="")
        assert shown.exit_code == 2
        assert "Traceback" not in shown.stderr


class TestOdds:
    def test_every_card_is_a_row(self, run):
        shown = run("odds", ZORO, *ON)
        assert shown.exit_code == 0
        rows = [line.split("\t") for line in shown.stdout.splitlines() if "\t" in line]
        assert len(rows) == 1 + 13
        assert rows[1][:3] == ["OP01-016 Nami", "4", "58.1%"]

    def test_wishes_and_searches_are_options(self, run):
        words = (
            "--want",
            "OP01-016",
            "--want",
            "OP11-016/Usopp",
            "--look",
            "5",
            "--targets",
            "OP10-011",
            "--life",
            "5",
        )
        found = json.loads(run("odds", ZORO, *ON, *words, "--searcher", "OP01-016", "--turn", "2", "--json").stdout)
        assert [one["copies"] for one in found["wishes"]["of"]] == [4, 8]
        assert (found["search"]["of"], found["search"]["targets"], found["life"]) == (49, 4, 5)
        shown = run("odds", ZORO, *ON, *words).stdout
        assert "Looking at 5 of 50" in shown
        assert "not modelled" in shown

    def test_targets_may_be_a_number(self, run):
        found = json.loads(run("odds", ZORO, *ON, "--look", "5", "--targets", "12", "--json").stdout)
        assert found["search"]["targets"] == 12

    @pytest.mark.parametrize(
        "words",
        [
            ("nowhere.txt",),
            (ZORO, "--want", "OP99-999"),
            (ZORO, "--want", ""),
            (ZORO, "--look", "-1", "--targets", "4"),
            (ZORO, "--look", "5", "--targets", "9" * 30),
            (ZORO, "--turn", "21"),
            (ZORO, "--life", "99999999999999999999"),
            (str(EXAMPLES / "bos-lanterns.txt"), "--life", "5"),
        ],
    )
    def test_what_cannot_be_used_is_said_in_a_sentence(self, run, words):
        shown = run("odds", *words)
        assert shown.exit_code == 2
        assert shown.stderr.startswith("deckproof: ")

    @pytest.mark.parametrize(
        ("words", "option"),
        [
            (("odds", ZORO, "--turn", "21"), "--turn"),
            (("odds", ZORO, "--look", "99"), "--look"),
            (("when", ZORO, "--from", "2030-01-01", "--until", "2020-01-01"), "--until"),
        ],
    )
    def test_the_option_is_named_that_says_what_cannot_be(self, run, words, option):
        shown = run(*words)
        assert (shown.exit_code, shown.stderr.partition(": W")[0].partition(": T")[0]) == (2, f"deckproof: {option}")
