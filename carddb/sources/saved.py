"""Saved pages: those in a folder or a .tar.gz, read without unpacking anything to disk."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from carddb.bounds import LARGEST_PAGE, LARGEST_SAVED_PAGES, MOST_FILES
from carddb.errors import CardDataError

GZIP = b"\x1f\x8b"
_CHUNK = 1 << 20


class File(NamedTuple):
    """A file: what messages call it, its bytes, and the folder of an archive that it lies in."""

    name: str
    data: bytes
    folder: str = ""


def in_folder(folder: Path) -> Iterator[File]:
    """Yield the files that lie directly in a folder, by name; hidden ones are passed over."""
    files = [file for file in _seen(folder) if file.is_file()]
    _check_count(len(files), folder.name)
    for file in files:
        _check_page(file.stat().st_size, file.name)
        yield File(file.name, file.read_bytes())


def closed(folder: Path) -> Iterator[Path]:
    """Yield the folders and archives in a folder, by name: `in_folder` does not look into them."""
    return (one for one in _seen(folder) if one.is_dir() or (one.is_file() and _begins(one, GZIP)))


def _seen(folder: Path) -> list[Path]:
    return [one for one in sorted(folder.iterdir()) if not one.name.startswith(".")]


def _begins(file: Path, mark: bytes) -> bool:
    with file.open("rb") as opened:
        return opened.read(len(mark)) == mark


def in_tar(data: bytes, name: str) -> Iterator[File]:
    """Yield the regular files of a .tar.gz; links, devices and hidden files are passed over.

    Nothing is written to disk, so that a member's path can do no harm.
    """
    import tarfile  # needed for imports only, not for every start

    unpacked = BytesIO(_unpacked(data, name))
    try:
        with tarfile.open(fileobj=unpacked, mode="r:") as archive:
            for count, member in enumerate(archive, 1):
                _check_count(count, name)
                own = Path(member.name).name
                if member.isreg() and not own.startswith("."):
                    _check_page(member.size, own)
                    opened = archive.extractfile(member)
                    yield File(own, opened.read() if opened else b"", str(Path(member.name).parent))
    except CardDataError:
        raise
    except (tarfile.TarError, ValueError, OverflowError, EOFError) as error:  # tarfile trusts some headers
        raise CardDataError(f"{name} is a damaged archive ({error}).") from None


def _unpacked(data: bytes, name: str) -> bytes:
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
                    f"{name} unpacks to more than {LARGEST_SAVED_PAGES >> 20} MB; no card list is so large."
                )
    except zlib.error as error:
        raise CardDataError(f"{name} is a damaged archive ({error}).") from None
    if not unpacker.eof:
        raise CardDataError(f"{name} is a damaged archive (it stops in the middle).")
    return parts.getvalue()


def _check_count(count: int, name: str) -> None:
    if count > MOST_FILES:
        raise CardDataError(f"{name} holds more than {MOST_FILES} files; no card list has so many pages.")


def _check_page(size: int, name: str) -> None:
    if size > LARGEST_PAGE:
        raise CardDataError(f"{name} has {size >> 20} MB; no card-list page is so large.")
