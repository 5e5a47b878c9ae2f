"""Workbooks: XLSX files from strangers, looked through before they are read, then read as text.

python-calamine reads fast but trusts the file: one cell in the last column of the last row makes it ask
for 550 GB and ends the process, and a long text that many cells share is copied for each. So every part
is parsed once before, by expat, which finds DOCTYPEs, far cells and shared texts; and calamine is given
a new archive of exactly the parts that were looked through.
"""

from __future__ import annotations

import datetime
import re
import zipfile
import zlib
from collections.abc import Iterator
from collections.abc import Sequence
from io import BytesIO
from typing import Any
from typing import NamedTuple
from xml.parsers import expat

MOST_PARTS = 500
LARGEST_PART = 64 << 20  # bytes, unpacked
LARGEST_SUM = 128 << 20  # bytes, unpacked, all parts
HIGHEST_RATIO = 120  # unpacked to packed; real sheets are under 40
FREELY_UNPACKED = 8 << 20  # bytes; below this no ratio is suspicious
MOST_ROWS = 100_000
MOST_COLUMNS = 256
MOST_CELLS = 4_000_000  # of the rectangle that holds all cells
MOST_TEXT = 100_000_000  # characters, each shared text counted as often as it is used
MOST_SHEETS = 50
OLD_EXCEL = b"\xd0\xcf\x11\xe0"  # OLE: .xls, and .xlsx with a password

_CELL = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")


class WorkbookError(ValueError):
    """The file is no workbook that may be read; the message says why, as a part of a sentence."""


class Sheet(NamedTuple):
    """One sheet of a workbook: its name, and its rows of cells as text (row 1 first)."""

    name: str
    rows: Sequence[Sequence[str]]


def sheets(data: bytes) -> Iterator[Sheet]:
    """Yield the sheets of an XLSX file that have cells; a WorkbookError says why it is refused."""
    import python_calamine as calamine

    checked = _checked(data)
    try:
        with calamine.CalamineWorkbook.from_filelike(BytesIO(checked)) as book:
            for name in book.sheet_names[:MOST_SHEETS]:
                rows = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
                if rows:
                    yield Sheet(name, [list(map(cell_text, row)) for row in rows])
    except (calamine.CalamineError, calamine.XmlError, calamine.ZipError) as error:
        raise WorkbookError(f"is a damaged workbook ({error})") from None


def cell_text(value: Any) -> str:
    """Return a cell as one would have typed it: 4, not 4.0; a day, not a moment."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return str(value)


def _checked(data: bytes) -> bytes:
    """Return a new archive of the XML parts, each of which was looked through."""
    if data.startswith(OLD_EXCEL):
        raise WorkbookError("is an old .xls or a password-protected workbook; save it as .xlsx without a password")
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            parts = _parts(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise WorkbookError(f"is a damaged workbook ({error})") from None
    _look_through(parts)
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return packed.getvalue()


def _parts(archive: zipfile.ZipFile) -> dict[str, bytes]:
    members = archive.infolist()
    _check_sizes(members)
    names = {member.filename.casefold() for member in members}
    if "xl/workbook.xml" not in names or "xl/workbook.bin" in names:
        raise WorkbookError("is no .xlsx workbook; save it as .xlsx or as CSV")
    if len(names) < len(members):
        raise WorkbookError("is a damaged workbook (two parts have one name)")
    return {
        member.filename: archive.read(member)
        for member in members
        if member.filename.casefold().endswith((".xml", ".rels"))
    }


def _check_sizes(members: Sequence[zipfile.ZipInfo]) -> None:
    unpacked = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    if len(members) > MOST_PARTS:
        raise WorkbookError(f"has {len(members)} parts; at most {MOST_PARTS} are read")
    if unpacked > LARGEST_SUM or any(member.file_size > LARGEST_PART for member in members):
        raise WorkbookError("unpacks to more than a card table can need")
    if unpacked > FREELY_UNPACKED and unpacked > HIGHEST_RATIO * packed:
        raise WorkbookError("unpacks to more than a hundred times its size: it looks like a zip bomb")
    if any(member.flag_bits & 1 for member in members):
        raise WorkbookError("is protected by a password; save it without")


def _look_through(parts: dict[str, bytes]) -> None:
    looks = [_Look(name, part) for name, part in parts.items()]
    if any(b"macroEnabled" in part for name, part in parts.items() if name == "[Content_Types].xml"):
        raise WorkbookError("holds macros; save it as .xlsx")
    lengths = [length for look in looks for length in look.texts]
    text = sum(lengths[at] for look in looks for at in look.used if at < len(lengths))
    if text > MOST_TEXT:
        raise WorkbookError("holds more text than a card table can need")


class _Look:
    """One part parsed for what could hurt: the rectangle of its cells, its texts, the texts it uses.

    `texts` are the lengths of the shared texts it defines, `used` the positions of those its cells show.
    """

    def __init__(self, name: str, part: bytes) -> None:
        self.texts: list[int] = []
        self.used: list[int] = []
        self._row = self._column = self._rows = self._columns = 0
        self._shares = False
        self._value: list[str] | None = None
        # The encoding is fixed: what expat and calamine would read differently is refused.
        parser = expat.ParserCreate("utf-8", "}")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        try:
            parser.Parse(part, True)
        except expat.ExpatError as error:
            raise WorkbookError(f"is a damaged workbook ({name}: {error})") from None

    def _doctype(self, *_: Any) -> None:
        raise WorkbookError("declares a DOCTYPE, which no spreadsheet program writes")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition("}")[2]
        if tag == "c":
            self._cell(attributes.get("r"))
            self._shares = attributes.get("t") == "s"
        elif tag == "row":
            self._row, self._column = _whole(attributes.get("r"), self._row + 1), 0
        elif tag == "v" and self._shares:
            self._value = []
        elif tag == "si":
            self.texts.append(0)

    def _cell(self, reference: str | None) -> None:
        self._column += 1
        if reference is not None:
            found = _CELL.fullmatch(reference)
            if not found:
                raise WorkbookError(f"has a cell {reference[:20]!r}, which is no place in a sheet")
            self._column, self._row = _column(found[1]), int(found[2])
        self._columns = max(self._columns, self._column)
        self._rows = max(self._rows, self._row)
        self._check_extent()

    def _check_extent(self) -> None:
        if self._rows > MOST_ROWS or self._columns > MOST_COLUMNS:
            raise WorkbookError(
                f"has a cell beyond row {MOST_ROWS} or column {MOST_COLUMNS}; no card table is so large"
            )
        if self._rows * self._columns > MOST_CELLS:
            raise WorkbookError(f"spans more than {MOST_CELLS} cells")

    def _characters(self, text: str) -> None:
        if self._value is not None:
            self._value.append(text)
        elif self.texts:
            self.texts[-1] += len(text)

    def _end(self, tag: str) -> None:
        if self._value is not None and tag.endswith("v"):
            self.used.append(_whole("".join(self._value).strip(), 0))
            self._value = None


def _whole(text: str | None, default: int) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 8 else default


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
