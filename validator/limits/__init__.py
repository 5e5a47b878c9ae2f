"""The official lists as data: limits by day and region, block rotation, sets and their release days.

The files of each game that ship are in this folder. They are checked when they are first used. `GameLists` is the value
that Terms and calendars take, so that other lists than those that ship can be used.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from validator import documents
from validator.documents import Document, Parsed
from validator.errors import DocumentError
from validator.language import phrase
from validator.limits import cardsets, game_lists
from validator.limits.cardsets import CardSet, Release, Sets
from validator.limits.game_lists import KINDS, GameLists
from validator.limits.lists import InForce, Limit, LimitsList, ListChange, PairBan, Ruling
from validator.limits.release_bounds import BoundsFile, BoundsTable, DayLimit, ReleaseBounds
from validator.limits.rotations import BlockException, LastLegal, Rotation

__all__ = [
    "BlockException",
    "BoundsFile",
    "BoundsTable",
    "CardSet",
    "DayLimit",
    "GameLists",
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
    "rotation",
    "sets",
    "shipped_lists",
]


_GAME = re.compile(r"[a-z]+")
_HERE = Path(__file__).parent


@lru_cache(maxsize=16)
def shipped_lists(game: str) -> GameLists:
    """Return the lists of a game that ship with this package. They are empty for a game without files.

    The files are read and checked at the first call for a game, and cached. Raises DocumentError for an invalid file.
    """
    return read_folder(game, _HERE)


def read_folder(game: str, folder: Path) -> GameLists:
    """Return the lists of a game from the files in a folder. Lists without a file are empty.

    Reads the files at each call. Raises DocumentError for an invalid file.
    """
    found = {kind: _read_document(game, kind, folder) for kind in KINDS}
    documents = {kind: document for kind, document in found.items() if document is not None}
    return game_lists.parse_documents(game, documents)


def load(game: str) -> LimitsList:
    """Return the limits list of a game (banned and restricted cards) that ships. It is empty if there is no file."""
    return shipped_lists(game).listed


def rotation(game: str) -> Rotation | None:
    """Return the block rotation of a game that ships. None if there is no file, because its blocks do not rotate."""
    return shipped_lists(game).rotation


def sets(game: str) -> Sets:
    """Return the sets of a game that ship, with their release days. They are empty if there is no file."""
    return shipped_lists(game).sets


def bounds(game: str, region: str = cardsets.ENGLISH) -> BoundsTable:
    """Return the limits of unknown release days of a game's cards in a region, from the lists that ship.

    The result is cached for each game and region.
    """
    return shipped_lists(game).bounds(region)


def bounds_file(game: str) -> BoundsFile:
    """Return the content of the bounds file of a game that ships: limits of unknown release days.

    It has no entries if there is no file.
    """
    return shipped_lists(game).bounds_file


def _read_document(game: str, kind: str, folder: Path) -> Document | None:
    """Return the parsed TOML of a game's file of a kind (one of KINDS) in a folder. Its content is not checked.

    None if there is no file, or if the game's name has other characters than a to z. Raises DocumentError if the file
    is no TOML.
    """
    file = folder / game_lists.file_name(game, kind)
    return documents.load_document(file, dict) if _GAME.fullmatch(game) and file.is_file() else None


def read_game_file(game: str, kind: str, parse: Callable[[Document], Parsed], folder: Path = _HERE) -> Parsed | None:
    """Return the result of `parse` for a game's file in a folder. None if there is no file.

    `kind` is the end of the file name before `.toml`, such as "-sets" or "". The result is also None if the game's name
    has other characters than a to z. Raises DocumentError for an invalid file, or for one of another game.
    """
    file = folder / f"{game}{kind}.toml"
    # The name of a game may come from a request, so only letters are used in a path.
    if not _GAME.fullmatch(game) or not file.is_file():
        return None

    def parse_document(document: Document) -> Parsed:
        """Parse a document. Raises DocumentError if its game is not that of the file name."""
        if document.get("game") != game:
            raise DocumentError(phrase('the file name says the game is {game}; write game = "{game}"', game=game))
        return parse(document)

    return documents.load_document(file, parse_document)
