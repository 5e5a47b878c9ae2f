"""List files: limits lists, rotations, sets, release bounds and corrections that are added to those that ship.

A file has the form of the files that ship (`validator/limits`, `carddb/data/corrections`), and adds to them or replaces
them. The library, the store of lists and `deckproof limits` use this module.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from carddb import corrections
from carddb.bounds import LARGEST_LIST_FILE, MOST_LIST_FILES
from carddb.corrections import Corrections
from carddb.errors import CardDataError, InvalidLists
from carddb.system_messages import system_reason
from validator import documents, limits
from validator.documents import Document
from validator.errors import DocumentError, error_sentence, error_text
from validator.games import GAMES
from validator.language import phrase
from validator.limits import BOUNDS, LIMITS, ROTATION, SETS, GameLists, additions, proposals, shipped_lists

CORRECTIONS = "corrections"
FOLDER = "folder"
_ORDER = (SETS, ROTATION, LIMITS, BOUNDS, CORRECTIONS)  # a rotation refers to sets
# Keys that show the kind of a file if its name does not.
_KEYS = {
    CORRECTIONS: {"correction"},
    ROTATION: {"rotates", "blocks", "exceptions"},
    SETS: {"sets"},
    BOUNDS: {"bound", "series"},
}


class ListFile(NamedTuple):
    """A file of lists that a user adds to those that ship: game id, kind, file name (no folder) and TOML text.

    `kind` is one of SETS, ROTATION, LIMITS, BOUNDS and CORRECTIONS. Its entries are not checked before they are added.
    """

    game: str
    kind: str
    name: str
    text: str

    def document(self) -> Document:
        """Return the parsed TOML text. Raises DocumentError if it is no TOML."""
        return documents.parse_toml(self.name, self.text)


def read_path(path: Path) -> list[ListFile]:
    """Return the list file of this path, or those of a folder (its `.toml` files), sorted by name.

    Raises InvalidLists if the folder has none or more than MOST_LIST_FILES, or for the reasons of `parse_file`. Raises
    CardDataError if a file cannot be read.
    """
    try:
        paths = sorted(path.glob("*.toml")) if path.is_dir() else [path]
        if not paths:
            raise InvalidLists(
                phrase("There is no .toml file in {folder}; put the files of your lists there.", folder=path)
            )
        if len(paths) > MOST_LIST_FILES:
            raise InvalidLists(
                phrase(
                    "{folder} has more than {most} files; import a folder with fewer.",
                    folder=path,
                    most=MOST_LIST_FILES,
                )
            )
        return [parse_file(file.name, _read_bytes(file)) for file in paths]
    except OSError as error:
        raise CardDataError(
            phrase(
                "{file} cannot be read: {problem}.",
                file=error.filename or path,
                problem=system_reason(error.strerror or str(error)),
            )
        ) from None


def _read_bytes(file: Path) -> bytes:
    """Return the content of a file, cut to LARGEST_LIST_FILE bytes and one more.

    So a file that is too large is recognised.
    """
    with file.open("rb") as opened:
        return opened.read(LARGEST_LIST_FILE + 1)


def parse_file(name: str, content: bytes) -> ListFile:
    """Return the list file with this name and content. Its kind follows from its name and its keys.

    Raises InvalidLists if it is too large, no UTF-8, no TOML, or of no known game. Its entries are not checked.
    """
    if len(content) > LARGEST_LIST_FILE:
        raise InvalidLists(
            phrase(
                "{file}: the file has more than {most:,} bytes; import a smaller one.",
                file=name,
                most=LARGEST_LIST_FILE,
            )
        )
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
        document = documents.parse_toml(name, text)
    except UnicodeDecodeError:
        raise InvalidLists(phrase("{file}: the file is not UTF-8; save it as UTF-8.", file=name)) from None
    except DocumentError as error:
        raise as_sentence(error) from None
    game = document.get("game")
    if not isinstance(game, str) or game not in GAMES:
        games = ", ".join(GAMES)
        if game is None:
            raise InvalidLists(
                phrase('{file}: the file has no game; write game = "…", one of {games}.', file=name, games=games)
            )
        raise InvalidLists(
            phrase(
                '{file}: the file has the game {game!r}; write game = "…", one of {games}.',
                file=name,
                game=str(game)[:40],
                games=games,
            )
        )
    return ListFile(game, _find_kind(name, document), name, text)


def _find_kind(name: str, document: Document) -> str:
    """Return the kind of a file by its name or by the keys of its document, LIMITS for any other file.

    `optcg-rotation.toml` and a file with the key `rotates` are rotations.
    """
    ending = name.removesuffix(".toml").rpartition("-")[2]
    return next(
        (kind for kind, keys in _KEYS.items() if kind == ending or not keys.isdisjoint(document)),
        LIMITS,
    )


def add_files(lists: GameLists, files: Iterable[ListFile], id: str, source: str) -> GameLists:
    """Return the lists with these files added or replaced, which must be of the same game. `lists` is not changed.

    `id` and `source` are those of the result. Without files `lists` itself is returned. Files are added in the order of
    their kinds, because a rotation refers to sets. Raises InvalidLists with the file, the place and the correction.
    """
    try:
        for file in sorted(files, key=lambda file: _ORDER.index(file.kind)):
            lists = _add_file(lists, file, id, source)
    except DocumentError as error:
        raise as_sentence(error) from None
    return lists


def _add_file(lists: GameLists, file: ListFile, id: str, source: str) -> GameLists:
    """Return the lists with a file added to those of its kind. With `replaces = true` it takes their place.

    Corrections cannot replace others. `lists` is not changed. `id` and `source` are those of the result. Raises
    DocumentError with the file, the place and the correction.
    """
    document = file.document()
    try:
        if file.kind == CORRECTIONS and document.get("replaces"):
            raise DocumentError(phrase("head: corrections are always added; take replaces out"))
        if file.kind == LIMITS:
            proposals.check_size(document.get("change"))
        base = lists.documents.get(file.kind) or (
            _shipped_corrections(lists.game) if file.kind == CORRECTIONS else None
        )
        added = {**lists.documents, file.kind: additions.add_document(base, document)}
        if file.kind == CORRECTIONS:
            corrections.parse_document(added[CORRECTIONS])
    except DocumentError as error:
        raise DocumentError(phrase("{place}: {problem}", place=file.name, problem=error_text(error))) from None
    except (AttributeError, KeyError, TypeError, ValueError):  # a file may have any value anywhere
        raise DocumentError(
            phrase(
                "{file}: a value in the file is of the wrong kind; compare it with a list that ships", file=file.name
            )
        ) from None
    names = dict.fromkeys(limits.KINDS, file.name)
    return limits.parse_documents(lists.game, added, id, source, names)


def _shipped_corrections(game: str) -> Document | None:
    """Return the parsed TOML of the corrections of a game that ship, None if there are none."""
    return documents.load_game_document(corrections.FOLDER / f"{game}.toml", game, dict)


class ListFolder:
    """The lists that ship with the files of a folder added. The folder is read again when a file changes.

    Without a folder these are only the lists that ship.
    """

    def __init__(self, path: Path | None) -> None:
        """Store the path of the folder, None for no folder. It is read when lists are first needed."""
        self._path = path
        self._state: tuple[tuple[str, int, int], ...] = ()
        self._files: Mapping[str, Sequence[ListFile]] = {}
        self._lists: dict[str, GameLists] = {}

    def lists(self, game: str) -> GameLists:
        """Return the lists of a game. They are cached until a file of the folder is new, changed or deleted.

        Raises CardDataError with the file and the correction if a file is invalid, or if the folder is missing.
        """
        shipped = shipped_lists(game)
        if self._path is None:
            return shipped
        state = _folder_state(self._path)
        if state != self._state:
            self._files = dict(files_by_game(read_path(self._path))) if state else {}
            self._lists, self._state = {}, state
        if files := self._files.get(game):
            if game not in self._lists:
                names = ", ".join(file.name for file in files)
                self._lists[game] = add_files(shipped, files, _folder_id(game, files), names)
            return self._lists[game]
        return shipped


def _folder_state(path: Path) -> tuple[tuple[str, int, int], ...]:
    """Return `(name, time of change in nanoseconds, size)` of the `.toml` files in a folder, sorted by name.

    Raises CardDataError if the folder is missing or cannot be read.
    """
    try:
        found = [(file, file.stat()) for file in sorted(path.glob("*.toml"))] if path.is_dir() else None
    except OSError as error:
        raise CardDataError(
            phrase("{file} cannot be read: {problem}.", file=path, problem=system_reason(error.strerror or str(error)))
        ) from None
    if found is None:
        raise CardDataError(phrase("There is no folder {folder}; make it, or unset DECKPROOF_LIMITS_DIR.", folder=path))
    return tuple((file.name, stat.st_mtime_ns, stat.st_size) for file, stat in found)


def _folder_id(game: str, files: Sequence[ListFile]) -> str:
    """Return the id of the lists of a game with files of a folder: `optcg-folder-1a2b3c4d`.

    Its end are the first 8 hexadecimal digits of the hash of their texts.
    """
    content = "\n".join(file.text for file in files).encode()
    return f"{game}-{FOLDER}-{hashlib.sha256(content).hexdigest()[:8]}"


def as_sentence(error: DocumentError) -> InvalidLists:
    """Return the error of a list file as an InvalidLists with the same text and a full stop."""
    return InvalidLists(error_sentence(error))


def added_corrections(lists: GameLists) -> Corrections:
    """Return the corrections of lists by card number, including those that ship.

    Empty if no correction was added to the lists. Raises DocumentError if they are invalid.
    """
    document = lists.documents.get(CORRECTIONS)
    return corrections.parse_document(document) if document else {}


def files_by_game(files: Iterable[ListFile]) -> Iterator[tuple[str, Sequence[ListFile]]]:
    """Yield `(game, files)` for each game that has files, in the order given."""
    found: dict[str, list[ListFile]] = {}
    for file in files:
        found.setdefault(file.game, []).append(file)
    yield from found.items()
