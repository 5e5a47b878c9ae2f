"""The official lists as data: limits by day and region, block rotation, sets and their release days.

The files of each game that ship are in this folder. They are checked when they are first used. `GameLists` is the value
that Terms and calendars take, so that other lists than those that ship can be used. Each kind of list is a document,
which is the parsed TOML of a file. A document can be added to another one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from validator.documents import Document, Parsed, check_game, load_game_document
from validator.errors import DocumentError, error_text
from validator.language import phrase
from validator.limits import cardsets, list_parser, release_bounds, rotations
from validator.limits.cardsets import ENGLISH, CardSet, Release, Sets
from validator.limits.lists import Binding, InForce, LimitsList, ListChange, Ruling
from validator.limits.release_bounds import BoundsFile, BoundsTable, DayLimit, ReleaseBounds
from validator.limits.rotations import BlockException, LastLegal, Rotation

__all__ = [
    "BOUNDS",
    "KINDS",
    "LIMITS",
    "ROTATION",
    "SETS",
    "SHIPPED",
    "Binding",
    "BlockException",
    "BoundsFile",
    "BoundsTable",
    "CardSet",
    "DayLimit",
    "GameLists",
    "InForce",
    "LastLegal",
    "LimitsList",
    "ListChange",
    "Release",
    "ReleaseBounds",
    "Rotation",
    "Ruling",
    "Sets",
    "file_name",
    "parse_documents",
    "shipped_lists",
]

KINDS = LIMITS, ROTATION, SETS, BOUNDS = "limits", "rotation", "sets", "bounds"
SHIPPED = "shipped"
_HERE = Path(__file__).parent
_ID_DIGITS = 8


@dataclass(frozen=True, eq=False)
class GameLists:
    """All official lists of a game in one state, for all days and regions.

    `id` is the name of the state in verdicts. `source` is SHIPPED, or the names of the files that were added.
    `documents` has the parsed TOML of each kind of list that the game has. `listed` is the limits list. `rotation` is
    None if blocks do not rotate. `own` is the name of an organiser's own list that `listed` has on top of the official
    list, "" without one.
    """

    game: str
    id: str
    source: str
    documents: Mapping[str, Document]
    listed: LimitsList
    rotation: Rotation | None
    sets: Sets
    bounds_file: BoundsFile
    own: str = ""
    _bounds: dict[str, BoundsTable] = field(default_factory=dict, repr=False)

    @property
    def default_format(self) -> str:
        """The format of decks whose terms have none: that of the rotation, "standard" if blocks do not rotate."""
        return self.rotation.default_format if self.rotation else "standard"

    def bounds(self, region: str = ENGLISH) -> BoundsTable:
        """Return the limits of unknown release days of the game's cards in a region.

        The result is cached for each region.
        """
        if region not in self._bounds:
            self._bounds[region] = BoundsTable(self.bounds_file, self.sets, self.listed, region)
        return self._bounds[region]

    def with_list(self, limits_list: LimitsList, id: str, source: str, own: str = "") -> GameLists:
        """Return a copy with another limits list, id, source and name of an organiser's own list.

        `documents` stays the same. The cache of `bounds` is empty in the copy.
        """
        return replace(self, listed=limits_list, id=id, source=source, own=own, _bounds={})


@lru_cache(maxsize=16)
def shipped_lists(game: str) -> GameLists:
    """Return the lists of a game that ship with this package. They are empty for a game without files.

    The files are read and checked at the first call for a game, and cached. Raises DocumentError for an invalid file.
    """
    found = {kind: load_game_document(_HERE / file_name(game, kind), game, dict) for kind in KINDS}
    return parse_documents(game, {kind: document for kind, document in found.items() if document is not None})


def parse_documents(
    game: str,
    documents: Mapping[str, Document],
    id: str = "",
    source: str = SHIPPED,
    files: Mapping[str, str] = MappingProxyType({}),
) -> GameLists:
    """Return the lists of a game from documents by kind. Kinds without a document have an empty list, or no rotation.

    The default `id` has the game, the source and the first digits of the hash of all documents. `files` has the names
    of files by kind for error messages. The default is the names of the files that ship. Raises DocumentError with the
    file, the place of the mistake and its correction.
    """
    names = {kind: files.get(kind, file_name(game, kind)) for kind in KINDS}
    if not id:
        content = json.dumps(documents, sort_keys=True, default=str)
        id = f"{game}-{source}-{hashlib.sha256(content.encode()).hexdigest()[:_ID_DIGITS]}"

    def parse_document(kind: str, parse: Callable[[Document], Parsed]) -> Parsed | None:
        """Return the result of `parse` for the document of a kind. None if there is none. Errors name the file."""
        with _errors_in_file(names[kind]):
            return parse(check_game(documents[kind], game)) if kind in documents else None

    sets = parse_document(SETS, cardsets.parse) or Sets(game)
    return GameLists(
        game=game,
        id=id,
        source=source,
        documents=MappingProxyType(dict(documents)),
        listed=parse_document(LIMITS, _parse_official) or LimitsList(game),
        rotation=parse_document(ROTATION, lambda document: rotations.parse(document, sets)),
        sets=sets,
        bounds_file=parse_document(BOUNDS, release_bounds.parse) or BoundsFile(),
    )


def _parse_official(document: Document) -> LimitsList:
    """Return the official list of a document. Raises DocumentError if it is invalid or has a card pool.

    A card pool is the list of the only cards that are allowed. Only an organiser's own list may have one.
    """
    listed = list_parser.parse(document)
    if listed.pools:
        raise DocumentError(
            phrase(
                "{place} has a card pool, which only an organiser's own list may have; take "
                "allowed_sets and allowed_cards out",
                place=listed.pools[0].change.place,
            )
        )
    return listed


def file_name(game: str, kind: str) -> str:
    """Return the file name of a list of a kind: `optcg.toml` for the limits, `optcg-sets.toml` for the sets."""
    return f"{game}.toml" if kind == LIMITS else f"{game}-{kind}.toml"


@contextmanager
def _errors_in_file(name: str) -> Iterator[None]:
    """Raise errors of the block as DocumentError that begins with the file name.

    AttributeError, KeyError, TypeError and ValueError are raised as a DocumentError about a wrong kind of value.
    """
    try:
        yield
    except DocumentError as error:
        raise DocumentError(phrase("{place}: {problem}", place=name, problem=error_text(error))) from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:  # an imported file may have any value anywhere
        raise DocumentError(
            phrase("{file}: a value in the file is of the wrong kind; compare it with a list that ships", file=name)
        ) from error
