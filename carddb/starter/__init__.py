"""The starter: a few cards of each game, facts without texts, so that the first command works."""

from __future__ import annotations

from pathlib import Path

from carddb.catalogue import Catalogue
from carddb.facts import settled
from carddb.sources import rows
from carddb.sources import spreadsheets
from validator.games import game_of


def snapshot(game: str) -> str:
    """Return what the starter catalogue of a game is called where a snapshot is named."""
    return f"{game}-starter"


def file(game: str) -> Path:
    """Return where the starter cards of a game are."""
    return Path(__file__).with_name(f"{game}.csv")


def catalogue(game: str) -> Catalogue:
    """Return the starter catalogue of a game; a CardDataError says which line of its file is wrong."""
    found_in = file(game_of(game).id)
    found = spreadsheets.read(found_in.read_bytes(), found_in.name, game, rows.COLUMNS)
    return Catalogue(game, snapshot(game), settled(found.cards))
