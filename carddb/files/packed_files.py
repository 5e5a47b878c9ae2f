"""Packed files: a zip of lists and spreadsheets, or a folder, unpacked one by one and never beyond bounds."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from carddb.bounds import LARGEST_FOLDER, MOST_FILES
from carddb.errors import WorkbookError
from carddb.files.archives import ZIP, check_sizes, open_archive
from carddb.files.spreadsheets import is_open_document
from validator.language import phrase

_PASSED_OVER = (".", "__MACOSX")  # what systems add, by how the name begins


class PackedFile(NamedTuple):
    """One file of a zip: its name, without folders, and its unpacked bytes. Several files may have the same name."""

    name: str
    data: bytes


def is_packed(data: bytes) -> bool:
    """Return True if a file is a zip archive and no office document, such as XLSX or ODS.

    False for a damaged archive, too.
    """
    if not data.startswith(ZIP) or is_open_document(data):
        return False
    try:
        with open_archive(data, is_workbook=False) as archive:
            return not any(name.casefold() in ("[content_types].xml", "mimetype") for name in archive.namelist())
    except WorkbookError:
        return False


def members(data: bytes) -> Iterator[PackedFile]:
    """Yield the files of a zip, sorted by path, without folders, hidden files and files of the system.

    A zip within is a file, and is not opened. Raises WorkbookError if the zip is damaged, has a password, has more than
    MOST_FILES files, or unpacks to more than a workbook may have.
    """
    with open_archive(data, is_workbook=False) as archive:
        found = [
            member for member in archive.infolist() if not member.is_dir() and not _is_hidden_file(member.filename)
        ]
        if len(found) > MOST_FILES:
            raise WorkbookError(
                phrase("has {count:,} files; at most {most:,} are read", count=len(found), most=MOST_FILES)
            )
        if any(member.flag_bits & 1 for member in found):
            raise WorkbookError(phrase("is protected by a password; pack it without"))
        if found:
            check_sizes(archive, found)
        for member in sorted(found, key=lambda member: member.filename):
            yield PackedFile(PurePosixPath(member.filename).name, archive.read(member))


def pack_files(files: Iterable[Path]) -> bytes:
    """Return a zip of files under their names without folders, sorted by path. Folders and hidden files are left out.

    Raises WorkbookError if no file is left, or if there are more than MOST_FILES or LARGEST_FOLDER bytes.
    """
    found = sorted(path for path in files if path.is_file() and not _is_hidden_file(path.name))
    if not found:
        raise WorkbookError(phrase("has no files"))
    if len(found) > MOST_FILES or sum(path.stat().st_size for path in found) > LARGEST_FOLDER:
        raise WorkbookError(
            phrase("has more than {most:,} files or {size} MB", most=MOST_FILES, size=LARGEST_FOLDER >> 20)
        )
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path in found:
            archive.writestr(path.name, path.read_bytes())
    return out.getvalue()


def _is_hidden_file(name: str) -> bool:
    """Return True if a part of a path begins with "." or "__MACOSX", as hidden files and those of the system do."""
    return any(part.startswith(_PASSED_OVER) for part in PurePosixPath(name).parts)
