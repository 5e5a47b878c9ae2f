"""Facts: what is known of every card of a game on a day, without texts, so that the first command judges real decks.

A game has a table of its cards, `GAME.csv`, which `deckproof cards export GAME --facts` writes and a test compares
with the whole catalogue; beside it `GAME.toml` says of which day it is, and from where. Invented cards have none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from carddb.catalogue import Catalogue
from carddb.corrections import settled
from carddb.errors import CardDataError
from carddb.facts import facts_table
from validator import documents, limits
from validator.games import game_of

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Provenance:
    """Of which day the facts of a game are, from where, and what may be done with them.

    `reader` is the version of the reader that read what the cards say of construction.
    """

    game: str
    day: date
    source: str
    licence: str
    reader: int


@lru_cache(maxsize=16)
def provenance(game: str) -> Provenance | None:
    """Return where the facts of a game are from, None where they are invented; DocumentError on a bad file."""
    return limits.of_game(game, "", _parsed, _HERE)


def _parsed(document: Mapping[str, Any]) -> Provenance:
    documents.check_keys(document, "the file", {"game": str, "day": date, "source": str, "licence": str, "reader": int})
    return Provenance(**document)


def snapshot(game: str) -> str:
    """Return what the facts of a game are called where a snapshot is named."""
    known = provenance(game)
    return f"{game}-facts-{known.day}" if known else f"{game}-facts"


def file(game: str) -> Path:
    """Return where the table of a game is."""
    return _HERE / f"{game}.csv"


@lru_cache(maxsize=16)
def catalogue(game: str) -> Catalogue:
    """Return the catalogue of the facts of a game; a CardDataError if none ship."""
    written = file(game_of(game).id)
    if not written.is_file():
        raise CardDataError(f"No facts of {game} cards ship; `deckproof cards import` brings its cards in.")
    known = provenance(game)
    cards = settled(facts_table.read(written.read_text("utf-8"), game))
    return Catalogue(game, snapshot(game), cards, known.day if known else None)
