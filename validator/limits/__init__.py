"""The official lists as data: limits by day and region, block rotation, sets and their release days.

The files of each game are in this folder. A file is checked when it is first used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from validator import documents
from validator.documents import Parsed
from validator.errors import DocumentError
from validator.limits import cardsets, list_parser, proposals, release_bounds, rotations
from validator.limits.cardsets import CardSet, Release, Sets
from validator.limits.lists import InForce, Limit, LimitsList, ListChange, PairBan, Ruling
from validator.limits.release_bounds import BoundsFile, BoundsTable, DayLimit, ReleaseBounds
from validator.limits.rotations import BlockException, LastLegal, Rotation

__all__ = [
    "BlockException",
    "BoundsFile",
    "BoundsTable",
    "CardSet",
    "DayLimit",
    "InForce",
    "LastLegal",
    "Limit",
    "LimitsList",
    "ListChange",
    "PairBan",
    "Release",
    "ReleaseBounds",
    "Rotation",
    "Ruling",
    "Sets",
    "bounds",
    "bounds_file",
    "load",
    "proposed",
    "rotation",
    "sets",
]


_GAME = re.compile(r"[a-z]+")
_HERE = Path(__file__).parent


@lru_cache(maxsize=16)
def load(game: str) -> LimitsList:
    """Return a game's limits list. It is empty if there is no file. Raises DocumentError on an invalid file."""
    return of_game(game, "", list_parser.parse) or LimitsList(game)


def proposed(game: str, document: Mapping[str, Any]) -> LimitsList:
    """Return a game's list with a proposal, without storing it. Raises DocumentError if the proposal does not fit."""
    return proposals.proposed_list(game, of_game(game, "", dict), document)


@lru_cache(maxsize=16)
def rotation(game: str) -> Rotation | None:
    """Return a game's block rotation, None if blocks do not rotate. Raises DocumentError on an invalid file."""
    return of_game(game, "-rotation", lambda document: rotations.parse(document, sets(game)))


@lru_cache(maxsize=16)
def sets(game: str) -> Sets:
    """Return a game's sets. They are empty if there is no file. Raises DocumentError on an invalid file."""
    return of_game(game, "-sets", cardsets.parse) or Sets(game)


@lru_cache(maxsize=16)
def bounds(game: str, region: str = cardsets.ENGLISH) -> BoundsTable:
    """Return the release bounds of a game's cards in a region. Raises DocumentError if a file is wrong."""
    return BoundsTable(bounds_file(game), sets(game), load(game), region)


@lru_cache(maxsize=16)
def bounds_file(game: str) -> BoundsFile:
    """Return the content of a game's bounds file, without entries if there is none. Raises DocumentError if wrong."""
    return of_game(game, "-bounds", release_bounds.parse) or BoundsFile()


def of_game(game: str, kind: str, parse: Callable[[Mapping[str, Any]], Parsed], folder: Path = _HERE) -> Parsed | None:
    """Return the parsed content of a game's file, None if there is no file. `kind` is "" or e.g. "-sets"."""
    file = folder / f"{game}{kind}.toml"
    # The name of a game may come from a request, so only letters are used in a path.
    if not _GAME.fullmatch(game) or not file.is_file():
        return None

    def parsed(document: Mapping[str, Any]) -> Parsed:
        if document.get("game") != game:
            raise DocumentError(f'the file name says the game is {game}; write game = "{game}"')
        return parse(document)

    return documents.load(file, parsed)
