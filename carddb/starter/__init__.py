"""The starter: a few cards of each game, facts without texts, so that the first command works."""

from __future__ import annotations

from pathlib import Path

from carddb.catalogue import Catalogue
from carddb.facts import settled
from carddb.sources import rows
from carddb.sources import spreadsheets
from carddb.sources.vocabulary import check_game


def snapshot(game: str) -> str:
    """Return what the starter catalogue of a game is called where a snapshot is named."""
    return f"{game}-starter"


def catalogue(game: str) -> Catalogue:
    """Return the starter catalogue of a game; a CardDataError says which line of its file is wrong."""
    check_game(game)
    file = Path(__file__).with_name(f"{game}.csv")
    found = spreadsheets.read(file.read_bytes(), file.name, game, rows.COLUMNS)
    return Catalogue(game, snapshot(game), settled(found.cards))
