"""`deckproof limits import`: cards of a file that the card list does not have under their names are named."""

import pytest
from click.testing import CliRunner

from api.cli import cli

HEAD = """game = "optcg"
known_to = 2026-11-20

[[change]]
effective_from = 2026-12-01
region = "en"
source = "https://example.com/list"
"""


@pytest.fixture
def import_list(tmp_path):
    def run(entry, *options):
        (tmp_path / "list.toml").write_text(HEAD + entry, "utf-8-sig")  # as editors of Windows save it
        words = ["limits", "import", str(tmp_path / "list.toml"), *options]
        return CliRunner(env={"DECKPROOF_DATA_DIR": str(tmp_path / "data")}).invoke(cli, words)

    return run


@pytest.mark.parametrize("options", [(), ("--dry-run",)], ids=["imported", "checked"])
@pytest.mark.parametrize(
    ("entry", "warned"),
    [
        ('ban.OP01-017 = "Nico Robin"', []),
        ('ban.OP01-016 = "Roronoa Zoro"', ["OP01-016", "Roronoa Zoro", "OP01-025"]),
        ('ban.OP01-160 = "Nami"', ["OP01-160"]),
        ('restrict.OP01-160 = {limit = 1, name = "Nami"}', ["OP01-160"]),
        ('ban_pairs = [{OP01-160 = "Nami", OP01-017 = "Nico Robin"}]', ["OP01-160"]),
    ],
)
def test_a_number_of_another_card_or_of_none_is_warned_of(import_list, entry, warned, options):
    done = import_list(entry, *options)
    assert done.exit_code == 0
    assert done.stderr.count("Warning") == bool(warned)
    assert [word for word in warned if word not in done.stderr] == []


def test_official_names_are_not_warned_of(import_list):
    assert import_list('ban.ST01-013 = "RORONOA ZORO"').stderr == ""
