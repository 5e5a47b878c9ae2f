"""Locations: files and folders on local disks and in object stores (`s3://`, `gs://`).

Used by the shards for the stored decks and by the runs for the results.
"""

from __future__ import annotations

import os
import posixpath
import re
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
from pyarrow.fs import FileSelector, FileSystem, FileType, LocalFileSystem

from api.service.errors import Unusable
from validator.errors import error_text
from validator.language import Phrase, phrase

UNFINISHED = ".begun-"
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/")
_SCHEMES = ("s3", "gs")
_LOCAL = LocalFileSystem()


class Location(NamedTuple):
    """A file or folder. `uri` opens its file system: the user's address of an object store, "" for local disks.

    `uri` may contain credentials. `path` is an absolute path, or "bucket/path" in an object store.
    """

    uri: str
    path: str

    @classmethod
    def parse(cls, text: str) -> Location:
        """Return the location that a user named: a local path, `s3://BUCKET/…` or `gs://BUCKET/…`.

        Raises Unusable if the scheme or the bucket cannot be used. Nothing is read yet.
        """
        scheme = _SCHEME.match(text)
        if not scheme:
            return cls("", os.path.abspath(text))
        name = scheme[1].lower()
        if name not in _SCHEMES:
            raise Unusable(
                phrase(
                    "{scheme}: is no place for decks; name a local path, s3://BUCKET/… or gs://BUCKET/…",
                    scheme=scheme[1],
                )
            )
        uri = name + text[scheme.end(1) :]
        try:
            path = FileSystem.from_uri(uri)[1].rstrip("/")
        except (pa.ArrowException, OSError) as error:
            # pyarrow quotes the URI, which may contain credentials.
            problem = describe_error(OSError(str(error).replace(uri, f"{name}://…")))
            raise Unusable(phrase("{scheme}://… cannot be used: {problem}", scheme=name, problem=problem)) from None
        if not path:
            raise Unusable(phrase("{scheme}:// names no bucket; name {scheme}://BUCKET/…", scheme=name))
        return cls(uri, path)

    def __str__(self) -> str:
        # The URI itself may contain credentials.
        return f"{self.uri.partition(':')[0]}://{self.path}" if self.uri else self.path

    @property
    def name(self) -> str:
        """The last part of the path."""
        return posixpath.basename(self.path)

    def child(self, name: str) -> Location:
        """Return the location of a file or folder in this folder."""
        return Location(self.uri, posixpath.join(self.path, name))

    def list_files(self) -> list[Location] | None:
        """Return the files in this folder, sorted by path, without those in subfolders. None if it is a file.

        Raises Unusable if there is neither.
        """
        found = self._file_system.get_file_info(self.path)
        if found.type == FileType.NotFound:
            raise Unusable(phrase("{location}: there is no such file or folder", location=str(self)))
        if found.is_file:
            return None
        files = self._file_system.get_file_info(FileSelector(self.path))
        return sorted(Location(self.uri, file.path) for file in files if file.is_file)

    def open(self) -> pa.NativeFile:
        """Open the file for reading at any place. Raises OSError if that fails, FileNotFoundError if there is none."""
        return self._file_system.open_input_file(self.path)

    def read(self) -> bytes | None:
        """Return the content of the file, None if there is no such file. Raises OSError if it cannot be read."""
        try:
            with self.open() as file:
                content: bytes = file.read()
        except (FileNotFoundError, NotADirectoryError):
            return None
        return content

    def write(self, content: bytes) -> None:
        """Write the whole file: readers find all of the content or the file that was there before.

        The folders of a local file are made. Its content and name are synced to the disk. Raises OSError if the file
        cannot be written, and then leaves no unfinished file.
        """
        if self.uri:
            with self._file_system.open_output_stream(self.path) as file:  # appears when its upload is complete
                file.write(content)
            return
        folder = Path(self.path).parent
        folder.mkdir(parents=True, exist_ok=True)
        handle, unfinished = tempfile.mkstemp(prefix=UNFINISHED, dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(unfinished, 0o644)
            os.rename(unfinished, self.path)
        except BaseException:
            Path(unfinished).unlink(missing_ok=True)
            raise
        _sync_folder(folder)

    def remove_unfinished(self) -> None:
        """Remove the files in this local folder and its subfolders that killed processes left unfinished.

        Does nothing in an object store, which has no such files.
        """
        for left in Path(self.path).rglob(f"{UNFINISHED}*") if not self.uri else ():
            left.unlink(missing_ok=True)

    @property
    def _file_system(self) -> FileSystem:
        """The file system of the location. That of an object store is opened once for each address."""
        return _open_file_system(self.uri) if self.uri else _LOCAL


def describe_error(error: BaseException) -> str:
    """Return the message of an error on one line of at most 300 characters, or its type if the message is empty.

    A Phrase stays one, so that it can be translated, and is not shortened.
    """
    text = error_text(error)
    return text if isinstance(text, Phrase) else " ".join(text.split())[:300] or type(error).__name__


@lru_cache
def _open_file_system(uri: str) -> FileSystem:
    """Return the file system of an object store's address. The result is cached."""
    return FileSystem.from_uri(uri)[0]


def _sync_folder(folder: Path) -> None:
    """Sync a local folder to the disk, so that the names of new files in it are kept."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
