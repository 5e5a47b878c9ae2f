"""An organiser's own list: its entries count beside those of the official list, and are cited under its name."""

import json

import pytest
from click.testing import CliRunner

from api.cli import cli
from tests.api.conftest import EXAMPLES

DECK = EXAMPLES / "optcg-red-zoro.txt"
ENTRY = """
[[change]]
effective_from = 2026-01-01
region = "en"
source = "https://example.com/house-list"
restrict.OP01-016 = {limit = 2, name = "Nami"}
"""


@pytest.fixture
def check(tmp_path):
    def run(text, *options):
        (tmp_path / "own.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
        words = ["check", str(DECK), "--on", "2026-11-01", "--list", str(tmp_path / "own.toml"), *options]
        return CliRunner(env={"DECKPROOF_DATA_DIR": str(tmp_path / "data")}).invoke(cli, words)

    return run


def test_an_entry_is_cited_under_the_name_of_the_list(check):
    done = check(f'document = "House list"\n{ENTRY}', "--json")
    assert done.exit_code == 1
    verdict = json.loads(done.stdout)
    (finding,) = verdict["findings"]
    assert (finding["code"], finding["limit"], finding["rule"]["document"]) == ("card.restricted", 2, "House list")
    assert verdict["limits"]["source"] == "House list"
    assert verdict["limits"]["list"].startswith("optcg-own-")


def test_official_entries_are_still_cited_under_the_official_list(check, tmp_path):
    deck = tmp_path / "banned.txt"
    deck.write_text(DECK.read_text().replace("4 OP01-016", "4 OP06-086"))
    (tmp_path / "own.toml").write_text(ENTRY)
    words = ["check", str(deck), "--on", "2026-11-01", "--list", str(tmp_path / "own.toml"), "--json"]
    done = CliRunner(env={"DECKPROOF_DATA_DIR": str(tmp_path / "data")}).invoke(cli, words)
    documents = {one["code"]: one["rule"]["document"] for one in json.loads(done.stdout)["findings"]}
    assert documents["card.banned"].startswith("ONE PIECE CARD GAME official limits list")


@pytest.mark.parametrize("game", [(), ("--game", "optcg")])
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 1", "no changes"),
        ("x =", "no TOML"),
        (b"\xff", "not UTF-8"),
        (b"#" * (2 << 20), "more than"),
        (f'game = "dbs"\n{ENTRY}', "of the game"),
        (f"document = 3\n{ENTRY}", "should be a text"),
        (ENTRY.replace("2026-01-01", '"soon"'), "should be a day"),
        ("change = [3]", "should be a table"),
        (f"a = {'[' * 5000}", "nested too deeply"),
    ],
)
def test_a_wrong_list_is_refused_in_words(check, text, says, game):
    done = check(text, *game)
    assert done.exit_code == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
