"""Saved pages: reads the files of a folder or a .tar.gz. Nothing is unpacked to disk."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from carddb.bounds import LARGEST_PAGE, LARGEST_SAVED_PAGES, MOST_FILES
from carddb.errors import CardDataError
from carddb.system_messages import system_reason
from validator.language import phrase

GZIP = b"\x1f\x8b"
_CHUNK = 1 << 20


class File(NamedTuple):
    """A file of saved pages: its name without folders, its bytes, and its folder in an archive.

    `folder` is "" for a file that is in no archive, and "." at the top of an archive.
    """

    name: str
    data: bytes
    folder: str = ""


def read_folder_files(folder: Path) -> Iterator[File]:
    """Yield the files directly in a folder, sorted by name, without hidden files.

    Raises CardDataError for more than MOST_FILES files, or for a file of more than LARGEST_PAGE bytes.
    """
    files = [file for file in _visible_paths(folder) if file.is_file()]
    _check_file_count(len(files), folder.name)
    for file in files:
        _check_page(file.stat().st_size, file.name)
        yield File(file.name, file.read_bytes())


def find_unread_containers(folder: Path) -> Iterator[Path]:
    """Yield the subfolders and .gz files in a folder, sorted by name, without hidden ones.

    Imports do not look into them.
    """
    return (path for path in _visible_paths(folder) if path.is_dir() or (path.is_file() and _begins_with(path, GZIP)))


def _visible_paths(folder: Path) -> list[Path]:
    """Return the paths directly in a folder, sorted by name, without those that begin with "."."""
    return [path for path in sorted(folder.iterdir()) if not path.name.startswith(".")]


def _begins_with(file: Path, mark: bytes) -> bool:
    """Return True if the content of a file begins with the bytes `mark`. Raises OSError if it cannot be read."""
    with file.open("rb") as opened:
        return opened.read(len(mark)) == mark


def read_tar_files(data: bytes, name: str) -> Iterator[File]:
    """Yield the regular files of a .tar.gz in its order, without links, devices and hidden files.

    Nothing is written to disk, so that the path of a member can do no harm. `name` is the name of the archive in
    messages. Raises CardDataError if it is damaged, or has too many or too large files.
    """
    import tarfile  # needed for imports only, not for every start

    unpacked = BytesIO(_unpack(data, name))
    try:
        with tarfile.open(fileobj=unpacked, mode="r:") as archive:
            for count, member in enumerate(archive, 1):
                _check_file_count(count, name)
                file_name = Path(member.name).name
                if member.isreg() and not file_name.startswith("."):
                    _check_page(member.size, file_name)
                    opened = archive.extractfile(member)
                    yield File(file_name, opened.read() if opened else b"", str(Path(member.name).parent))
    except CardDataError:
        raise
    except (tarfile.TarError, ValueError, OverflowError, EOFError) as error:  # tarfile trusts some headers
        raise CardDataError(
            phrase("{file} is a damaged archive ({problem}).", file=name, problem=system_reason(str(error)))
        ) from None


def _unpack(data: bytes, name: str) -> bytes:
    """Return the unpacked bytes of a .gz.

    Raises CardDataError if it is damaged or has more than LARGEST_SAVED_PAGES bytes. `name` is its name in the message.
    """
    # Unpacked as a whole, within a bound, before tarfile sees it: the headers of an archive may
    # announce any size, and tarfile believes them.
    unpacker = zlib.decompressobj(wbits=31)
    parts = BytesIO()
    try:
        while data and not unpacker.eof:
            parts.write(unpacker.decompress(data, _CHUNK))
            data = unpacker.unconsumed_tail
            if parts.tell() > LARGEST_SAVED_PAGES:
                raise CardDataError(
                    phrase(
                        "{file} unpacks to more than {most} MB, which is too large for a card list.",
                        file=name,
                        most=LARGEST_SAVED_PAGES >> 20,
                    )
                )
    except zlib.error as error:
        raise CardDataError(
            phrase("{file} is a damaged archive ({problem}).", file=name, problem=system_reason(str(error)))
        ) from None
    if not unpacker.eof:
        raise CardDataError(phrase("{file} is a damaged archive (it stops in the middle).", file=name))
    return parts.getvalue()


def _check_file_count(count: int, name: str) -> None:
    """Raise CardDataError if `count` is more than MOST_FILES. `name` is the folder or archive in the message."""
    if count > MOST_FILES:
        raise CardDataError(
            phrase(
                "{file} contains more than {most} files, which is too many for a card list.", file=name, most=MOST_FILES
            )
        )


def _check_page(size: int, name: str) -> None:
    """Raise CardDataError if the `size` of a file in bytes is more than LARGEST_PAGE.

    `name` is its name in the message.
    """
    if size > LARGEST_PAGE:
        raise CardDataError(
            phrase("{file} has {size} MB, which is too large for a page of a card list.", file=name, size=size >> 20)
        )
