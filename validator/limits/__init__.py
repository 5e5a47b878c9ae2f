"""The official lists as data: limits by day and region, block rotation, sets and their release.

Each game has its files beside this one; they are checked when first asked for.
"""

from __future__ import annotations

from functools import lru_cache

from validator.limits import cardsets
from validator.limits import documents
from validator.limits import lists
from validator.limits import rotations
from validator.limits.cardsets import CardSet
from validator.limits.cardsets import Sets
from validator.limits.documents import DocumentError
from validator.limits.lists import Change
from validator.limits.lists import InForce
from validator.limits.lists import Limit
from validator.limits.lists import LimitsList
from validator.limits.lists import PairBan
from validator.limits.rotations import BlockException
from validator.limits.rotations import Rotation

__all__ = [
    "BlockException",
    "CardSet",
    "Change",
    "DocumentError",
    "InForce",
    "Limit",
    "LimitsList",
    "PairBan",
    "Rotation",
    "Sets",
    "load",
    "rotation",
    "sets",
]


@lru_cache(maxsize=16)
def load(game: str) -> LimitsList:
    """Return a game's limits list, an empty one where there is no file; DocumentError on a bad file."""
    return documents.load(game, "", lists.parse) or LimitsList(game)


@lru_cache(maxsize=16)
def rotation(game: str) -> Rotation | None:
    """Return a game's block rotation, None where blocks do not rotate; DocumentError on a bad file."""
    return documents.load(game, "-rotation", lambda document: rotations.parse(document, sets(game)))


@lru_cache(maxsize=16)
def sets(game: str) -> Sets:
    """Return a game's sets, none where there is no file; DocumentError on a bad file."""
    return documents.load(game, "-sets", cardsets.parse) or Sets(game)
