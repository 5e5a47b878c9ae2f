"""Archives: XLSX files from strangers, proven harmless before they are read.

python-calamine reads fast but trusts the file: one cell in the last column of the last row makes it ask
for 550 GB and ends the process, and a long text that many cells share is copied for each. So every part
is looked through before, and calamine is given a new archive of exactly the parts that were looked
through. Parts written as spreadsheet programs write them are proven by searching; only others are parsed,
by expat, without entities and no deeper than programs nest. That takes several times as long as reading them.
"""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from posixpath import join, normpath
from typing import NamedTuple
from xml.parsers import expat

from carddb.bounds import (
    FREELY_UNPACKED,
    HIGHEST_RATIO,
    LARGEST_PART,
    LARGEST_WORKBOOK,
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_DEPTH,
    MOST_ODD,
    MOST_PARTS,
    MOST_ROWS,
    MOST_TEXT,
)
from carddb.errors import WorkbookError

StartHandler = Callable[[str, dict[str, str]], object]
TextHandler = Callable[[str], object]


def _ignore(text: str) -> None:
    """Do nothing, as the default handler."""


def parse_xml_part(
    part: bytes, start: StartHandler, end: TextHandler = _ignore, characters: TextHandler = _ignore, name: str = ""
) -> None:
    """Call the handlers for each element of a part, with its name without its namespace.

    `name` is the name of the part in errors. Raises WorkbookError if the part may not be read.
    """
    depth = 0

    def opened(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MOST_DEPTH:
            raise WorkbookError(f"has more than {MOST_DEPTH} elements within each other, as no spreadsheet has")
        start(tag.rpartition("}")[2], attributes)

    def closed(tag: str) -> None:
        nonlocal depth
        depth -= 1
        end(tag.rpartition("}")[2])

    # The encoding is fixed: what expat and calamine would read differently is refused.
    parser = expat.ParserCreate("utf-8", "}")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.StartElementHandler, parser.EndElementHandler = opened, closed
    parser.CharacterDataHandler = characters
    try:
        parser.Parse(part, True)
    except expat.ExpatError as error:
        where = f"{name[:60]}: " if name else ""
        raise WorkbookError(f"is a damaged workbook ({where}{error})") from None


def _refuse_doctype(*_: object) -> None:
    raise WorkbookError("declares a DOCTYPE, which no spreadsheet program writes")


OLD_EXCEL = b"\xd0\xcf\x11\xe0"  # OLE: .xls, and .xlsx with a password
ZIP = b"PK\x03\x04"

_OPENING = 4096  # bytes of a sheet, in which it says how large it is
_CLAIM = re.compile(rb'<dimension ref="[A-Z]{1,3}[0-9]{1,7}:[A-Z]{1,3}([0-9]{1,7})"')
_CELL = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")


class Odd(NamedTuple):
    """A cell that is read as blank and is not: an error value, or a formula that was never computed.

    `row` and `column` count from 1; `value` is the error, "" for a formula.
    """

    row: int
    column: int
    value: str


class Archive(NamedTuple):
    """A harmless workbook: its bytes, packed again without other parts, and the odd cells by sheet."""

    data: bytes
    odd: Mapping[str, Sequence[Odd]]


def checked(data: bytes) -> Archive:
    """Return the workbook, proven harmless. Raises WorkbookError if it is not, or is no workbook."""
    if data.startswith(OLD_EXCEL):
        raise WorkbookError("is an old .xls or a password-protected workbook; save it as .xlsx without a password")
    with opened(data) as archive:
        parts = _parts(archive)
    odd = _look_through(parts)
    return Archive(_packed(parts), _by_sheet(odd, parts) if odd else {})


@contextmanager
def opened(data: bytes, kind: str = "workbook") -> Iterator[zipfile.ZipFile]:
    """Yield the archive of a file. Raises WorkbookError if the file is none, or if a part of it is damaged."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            yield archive
    except WorkbookError:
        raise
    # All that zipfile raises for bytes that were changed.
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError) as error:
        raise WorkbookError(f"is a damaged {kind} ({error})") from None


def _packed(parts: Mapping[str, bytes]) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return packed.getvalue()


def _parts(archive: zipfile.ZipFile) -> dict[str, bytes]:
    members = archive.infolist()
    _check_members(members)
    check_sizes(archive, members)
    return {
        member.filename: archive.read(member)
        for member in members
        if member.filename.casefold().endswith((".xml", ".rels"))
    }


def _check_members(members: Sequence[zipfile.ZipInfo]) -> None:
    names = {member.filename.casefold() for member in members}
    if any(member.flag_bits & 1 for member in members):
        raise WorkbookError("is protected by a password; save it without")
    if len(members) > MOST_PARTS:
        raise WorkbookError(f"has {len(members):,} parts; at most {MOST_PARTS:,} are read")
    if "xl/workbook.xml" not in names or "xl/workbook.bin" in names:
        raise WorkbookError("is no .xlsx workbook; save it as .xlsx or as CSV")
    if len(names) < len(members):
        raise WorkbookError("is a damaged workbook (two parts have one name)")


def check_sizes(archive: zipfile.ZipFile, members: Sequence[zipfile.ZipInfo]) -> None:
    """Refuse, by a WorkbookError, what unpacks to more than a workbook may."""
    unpacked = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    largest = max(members, key=lambda member: member.file_size)
    suspicious = unpacked > FREELY_UNPACKED and unpacked > HIGHEST_RATIO * packed
    if not suspicious and unpacked <= LARGEST_WORKBOOK and largest.file_size <= LARGEST_PART:
        return
    if (rows := _claimed_rows(archive, largest)) > MOST_ROWS:
        raise WorkbookError(f"has a sheet of {rows:,} rows; at most {MOST_ROWS:,} are read")
    if suspicious:
        raise WorkbookError("unpacks to more than a hundred times its size: it looks like a zip bomb")
    most = f"at most {LARGEST_WORKBOOK >> 20} MB are read, and {LARGEST_PART >> 20} MB of one sheet"
    raise WorkbookError(f"unpacks to {unpacked >> 20} MB; {most}")


def _claimed_rows(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> int:
    """Return the number of rows that a sheet claims, 0 if it claims none. The refusal of a large sheet contains it."""
    with archive.open(member) as part:
        claim = _CLAIM.search(part.read(_OPENING))
    return int(claim[1]) if claim else 0


def _look_through(parts: Mapping[str, bytes]) -> dict[str, Sequence[Odd]]:
    """Look at every part; return the odd cells of each part that has any."""
    if b"macroEnabled" in parts.get("[Content_Types].xml", b""):
        raise WorkbookError("holds macros; save it as .xlsx")
    plain = {name: part for name, part in parts.items() if _is_plain(part)}
    looks = {name: _Look(name, part) for name, part in parts.items() if name not in plain}
    if _text_at_most(plain, looks, parts) > MOST_TEXT:
        looks |= {name: _Look(name, part) for name, part in plain.items()}
        _check_text(looks.values())
    return {name: look.odd for name, look in looks.items() if look.odd}


# An error, or a cell written in any other way than spreadsheet programs do, or outside of a rectangle of at most
# MOST_CELLS: 26 columns of 99,999 rows, or 200 of 20,000. Cells that hold nothing (a border, a colour) may be anywhere.
_LIKE = rb' r="%s"(?: s="[0-9]*+"| t="(?!e")[A-Za-z]*+")*+ ?/?>'
_UNLIKE = rb"<c(?!" + _LIKE + rb'|[a-z]| r="[A-Z]{1,3}[0-9]{1,7}"(?: s="[0-9]*")? ?/>)'
_NOT_LONG = re.compile(_UNLIKE % rb"[A-Z][1-9][0-9]{0,4}+")
_NOT_WIDE = re.compile(_UNLIKE % rb"(?:[A-Z]|[A-F][A-Z]|G[A-R])(?:[1-9][0-9]{0,3}|1[0-9]{4}|20000)")
# "<" is met all over a sheet, so what begins with it is found in a third of the time by what comes next.
_RARE = 50_000  # times that a byte is met
_DECLARED = re.compile(rb"!(?<=<!)")
_FORMULA = re.compile(rb"f(?<=<f)")
_SHARED = re.compile(rb"<si")
_PREFIXED = re.compile(rb":(?:c|si)[\s/>]")
_UNCOMPUTED = re.compile(rb"(?:</f>|<f(?: [^<>]*)?/>)(?!<v>[^<])")


def _is_plain(part: bytes) -> bool:
    """Return True if a part, as a sheet or as shared texts, is certainly within bounds and has nothing odd.

    Bytes are searched, not XML, so every doubt is decided against the part.
    """
    if b"\0" in part or _meets(part, _DECLARED, b"!") or _meets(part, _PREFIXED, b":"):
        return False
    if _meets(part, _FORMULA, b"f") and _UNCOMPUTED.search(part):
        return False
    return not _NOT_LONG.search(part) or not _NOT_WIDE.search(part)


def _meets(part: bytes, pattern: re.Pattern[bytes], first: bytes) -> bool:
    """Return True if a part matches a pattern that begins with this byte. A rare byte is faster found without it."""
    at = part.find(first)
    for _ in range(_RARE):
        if at < 0 or pattern.match(part, at):
            return at >= 0
        at = part.find(first, at + 1)
    return at >= 0 and pattern.search(part, at) is not None


def _text_at_most(plain: Mapping[str, bytes], looks: Mapping[str, _Look], parts: Mapping[str, bytes]) -> int:
    """Return an upper bound on the characters of all cells: each might show the longest shared text."""
    shared = [max(map(len, part.split(b"<si"))) for part in plain.values() if _SHARED.search(part)]
    longest = max([*shared, *(length for look in looks.values() for length in look.texts)], default=0)
    return longest and longest * sum(part.count(b"<c") + part.count(b":c") for part in parts.values())


def _check_text(looks: Iterable[_Look]) -> None:
    looks = list(looks)
    lengths = [length for look in looks for length in look.texts]
    if sum(lengths[at] for look in looks for at in look.used if at < len(lengths)) > MOST_TEXT:
        raise WorkbookError("holds more text than a table of cards can need")


class _Look:
    """One part parsed for what could hurt: the rectangle of its cells, its texts, the texts it uses, what is odd.

    `texts` are the lengths of the shared texts it defines, `used` the positions of those its cells show.
    """

    def __init__(self, name: str, part: bytes) -> None:
        self.texts: list[int] = []
        self.used: list[int] = []
        self.odd: list[Odd] = []
        self._row = self._column = self._rows = self._columns = 0
        self._kind = ""
        self._formula = self._filled = False
        self._value: list[str] | None = None
        parse_xml_part(part, self._start, self._end, self._characters, name)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "c":
            self._place(attributes.get("r"))
            self._kind = attributes.get("t", "")
            self._formula = self._filled = False
        elif tag == "row":
            self._row, self._column = _whole(attributes.get("r"), self._row + 1), 0
        elif tag in ("v", "is", "f"):
            self._content(tag)
        elif tag == "si":
            self.texts.append(0)

    def _place(self, reference: str | None) -> None:
        self._column += 1
        if reference is not None:
            place = _CELL.fullmatch(reference)
            if not place:
                raise WorkbookError(f"has a cell {reference[:20]!r}, which is no place in a sheet")
            self._column, self._row = _column(place[1]), int(place[2])

    def _content(self, tag: str) -> None:
        """Take in that the cell is not blank; blank ones may be anywhere, as calamine passes over them."""
        self._columns = max(self._columns, self._column)
        self._rows = max(self._rows, self._row)
        if self._rows > MOST_ROWS or self._columns > MOST_COLUMNS:
            raise WorkbookError(f"has a cell beyond row {MOST_ROWS:,} or column {MOST_COLUMNS}; none may be there")
        if self._rows * self._columns > MOST_CELLS:
            raise WorkbookError(f"has a sheet that spans more than {MOST_CELLS:,} cells")
        if tag == "f":
            self._formula = True
        elif tag == "v":
            self._value = []

    def _characters(self, text: str) -> None:
        if self._value is not None:
            self._value.append(text)
        elif self.texts:
            self.texts[-1] += len(text)

    def _end(self, tag: str) -> None:
        if tag == "v" and self._value is not None:
            value = "".join(self._value).strip()
            self._value = None
            self._filled = bool(value) or self._kind == "str"
            if self._kind == "s":
                self.used.append(_whole(value, 0))
            elif self._kind == "e":
                self._note(value)
        elif tag == "c" and self._formula and not self._filled:
            self._note("")

    def _note(self, value: str) -> None:
        if len(self.odd) >= MOST_ODD:
            raise WorkbookError(f"has more than {MOST_ODD:,} cells that are errors or were never computed")
        self.odd.append(Odd(self._row, self._column, value[:20]))


def _whole(text: str | None, default: int) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 8 else default


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def _by_sheet(odd: Mapping[str, Sequence[Odd]], parts: Mapping[str, bytes]) -> dict[str, Sequence[Odd]]:
    """Return the odd cells by the name of their sheet, as the workbook's list of sheets has it."""
    targets = {
        one.get("Id", ""): normpath(join("/xl", one.get("Target", ""))).lstrip("/")
        for one in _elements(parts.get("xl/_rels/workbook.xml.rels", b""), "Relationship")
    }
    names = {
        targets.get(next((value for key, value in one.items() if key.endswith("}id")), ""), ""): one.get("name", "")
        for one in _elements(parts.get("xl/workbook.xml", b""), "sheet")
    }
    return {names.get(part, part): cells for part, cells in odd.items()}


def _elements(part: bytes, wanted: str) -> list[dict[str, str]]:
    elements: list[dict[str, str]] = []
    if part:
        parse_xml_part(part, lambda tag, attributes: elements.append(attributes) if tag == wanted else None)
    return elements
