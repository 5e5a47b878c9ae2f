"""The starter: a few cards of each game, facts without texts, so that the first command works."""

from __future__ import annotations

from pathlib import Path

from carddb.catalogue import Catalogue
from carddb.errors import CardDataError
from carddb.sources import spreadsheets
from carddb.sources.vocabulary import GAMES


def snapshot(game: str) -> str:
    """Return what the starter catalogue of a game is called where a snapshot is named."""
    return f"{game}-starter"


def catalogue(game: str) -> Catalogue:
    """Return the starter catalogue of a game; a CardDataError says which line of its file is wrong."""
    file = Path(__file__).with_name(f"{game}.csv")
    if game not in GAMES:
        raise CardDataError(f"There is no game {game!r}; the games are {', '.join(GAMES)}.")
    return Catalogue(game, snapshot(game), spreadsheets.read(file.read_bytes(), file.name, game).cards)
