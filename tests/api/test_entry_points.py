"""One list is one deck: the commands, the interface, the page, spreadsheets and events understand the same cards."""

from __future__ import annotations

import itertools

import pytest

from tests.api.events.conftest import Clock, Hall, in_shared_memory, made
from tests.api.one_deck import EVERY, REFUSED, Asked, card_rows, differs
from tests.shared import shared_path
from tests.validator.decklists.deck_writer import SHAPES, write_list
from tests.validator.decklists.drawn_decks import GAMES

pytestmark = pytest.mark.slow

OPENS = "2026-10-20T12:00+02:00"
SEVERAL = {"optcg-optcgsim-deckpack-json"}  # real files with several decks
TABLES = ("table", "count-columns")


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    """Ask every entry point about a text of a game; return the hashes of the decks by entry point."""
    folder, players = tmp_path_factory.mktemp("lists"), itertools.count(1)
    with in_shared_memory() as data_dir:
        client = made(Clock(OPENS), data_dir=data_dir).test_client()
        halls = {game: Hall(client, game=game) for game in GAMES}

        def answers(text, game, points=EVERY):
            player = f"Player {next(players)}"
            path = folder / f"{player}.txt"
            path.write_bytes(text.encode())
            asked = Asked(path, text, game, halls[game], player)
            return {name: point(asked) for name, point in points.items()}

        yield answers


def game_of(path):
    return next((game for game in GAMES if game in path.stem), "optcg" if "messy" in path.parts else None)


@pytest.mark.parametrize("folder", ["decks/messy", "decks/messy/odd", "decks/formats"])
def test_a_real_list_is_one_deck_everywhere(folder, ask):
    differing = {}
    for path in sorted(shared_path(folder).glob("*.*")):
        if (game := game_of(path)) and path.suffix != ".md":
            found = ask(path.read_text("utf-8"), game)
            if differs(found, path.stem in SEVERAL):
                differing[path.name] = found
    assert differing == {}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_written_list_is_one_deck_everywhere(shape, game, ask):
    written = write_list(1, shape, game)
    found = ask(written.text, game)
    assert not differs(found, written.decks > 1), (found, written.text)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("shape", TABLES)
def test_a_table_is_one_deck_as_a_list_and_as_a_spreadsheet(shape, game, ask):
    for seed in range(10):
        written = write_list(seed, shape, game)
        found = ask(written.text, game, {"check": EVERY["check"], "batch": card_rows})
        assert found["batch"] in (found["check"], REFUSED), written.text
