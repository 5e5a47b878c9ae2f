"""Archives: the zip files and XML parts of spreadsheets from strangers, proven harmless before they are read.

python-calamine reads XLSX files fast but trusts the file. One cell in the last column of the last row makes it allocate
550 GB, which ends the process, and a long text that many cells share is copied for each cell. So every part is checked
first, and calamine gets a new archive of exactly the checked parts. A part written as spreadsheet programs write it is
checked by regular expressions. Only other parts are parsed by expat, which takes several times as long as reading them.
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
from carddb.system_messages import system_reason
from validator.language import phrase

StartHandler = Callable[[str, dict[str, str]], object]
TextHandler = Callable[[str], object]


def _ignore(text: str) -> None:
    """Do nothing. The default handler of ends of elements and of characters."""


def parse_xml(
    part: bytes, start: StartHandler, end: TextHandler = _ignore, characters: TextHandler = _ignore, name: str = ""
) -> None:
    """Parse an XML part (UTF-8), and call the handlers for each element and its text, in document order.

    `start` gets the name without its namespace and the attributes, `end` the name, `characters` a text. `name` is the
    name of the part in errors. Raises WorkbookError if the part is malformed, has a DOCTYPE, or nests elements deeper
    than MOST_DEPTH.
    """
    depth = 0

    def open_element(tag: str, attributes: dict[str, str]) -> None:
        """Add 1 to the depth, and call `start` with the tag without its namespace and the attributes.

        Raises WorkbookError if the depth exceeds MOST_DEPTH.
        """
        nonlocal depth
        depth += 1
        if depth > MOST_DEPTH:
            raise WorkbookError(
                phrase("has more than {most} elements within each other, as no spreadsheet has", most=MOST_DEPTH)
            )
        start(tag.rpartition("}")[2], attributes)

    def close_element(tag: str) -> None:
        """Subtract 1 from the depth, and call `end` with the tag without its namespace."""
        nonlocal depth
        depth -= 1
        end(tag.rpartition("}")[2])

    # The encoding is fixed: what expat and calamine would read differently is refused.
    parser = expat.ParserCreate("utf-8", "}")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.StartElementHandler, parser.EndElementHandler = open_element, close_element
    parser.CharacterDataHandler = characters
    try:
        parser.Parse(part, True)
    except expat.ExpatError as error:
        reason = system_reason(str(error))
        problem = phrase("{place}: {problem}", place=name[:60], problem=reason) if name else reason
        raise WorkbookError(phrase("is a damaged workbook ({problem})", problem=problem)) from None


def _refuse_doctype(*_: object) -> None:
    """Raise a WorkbookError, as the handler of a DOCTYPE. A DOCTYPE could expand to any size."""
    raise WorkbookError(phrase("declares a DOCTYPE, which no spreadsheet program writes"))


OLD_EXCEL = b"\xd0\xcf\x11\xe0"  # OLE: .xls, and .xlsx with a password
ZIP = b"PK\x03\x04"

_OPENING = 4096  # bytes of a sheet, in which it says how large it is
_CLAIM = re.compile(rb'<dimension ref="[A-Z]{1,3}[0-9]{1,7}:[A-Z]{1,3}([0-9]{1,7})"')
_CELL = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")


class Odd(NamedTuple):
    """A cell that calamine reads as blank although it is not: an error value, or a formula that was never computed.

    `row` and `column` count from 1. `value` is the error ("#REF!"), cut after 20 characters, "" for a formula.
    """

    row: int
    column: int
    value: str


class Archive(NamedTuple):
    """An XLSX workbook whose parts were checked: its bytes, packed again with only the XML parts, and its odd cells.

    `odd` has the odd cells (`Odd`) by sheet name, in the order of the sheet. Sheets without odd cells have no entry.
    """

    data: bytes
    odd: Mapping[str, Sequence[Odd]]


def check_archive(data: bytes) -> Archive:
    """Return an XLSX workbook packed again from its XML parts, all of which are checked, and its odd cells.

    Raises WorkbookError if it is no XLSX file or damaged, or has a password, macros, or too many rows, columns, cells
    or texts.
    """
    if data.startswith(OLD_EXCEL):
        raise WorkbookError(
            phrase("is an old .xls or a password-protected workbook; save it as .xlsx without a password")
        )
    with open_archive(data) as archive:
        parts = _read_parts(archive)
    odd = _check_parts(parts)
    return Archive(_pack_parts(parts), _odd_by_sheet(odd, parts) if odd else {})


@contextmanager
def open_archive(data: bytes, is_workbook: bool = True) -> Iterator[zipfile.ZipFile]:
    """Yield the zip archive of a file. `is_workbook` only changes the word for the file in the message.

    Raises WorkbookError if the file is no zip. Errors of zipfile, and other OSErrors, RuntimeErrors and ValueErrors in
    the block, become a WorkbookError about a damaged file.
    """
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            yield archive
    except WorkbookError:
        raise
    # All that zipfile raises for bytes that were changed.
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError) as error:
        reason = system_reason(str(error))
        if is_workbook:
            raise WorkbookError(phrase("is a damaged workbook ({problem})", problem=reason)) from None
        raise WorkbookError(phrase("is a damaged zip ({problem})", problem=reason)) from None


def _pack_parts(parts: Mapping[str, bytes]) -> bytes:
    """Return the bytes of an uncompressed zip archive of these parts, given by name."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return packed.getvalue()


def _read_parts(archive: zipfile.ZipFile) -> dict[str, bytes]:
    """Return the unpacked XML parts (`.xml` and `.rels`) of an archive by name. Other parts are left out.

    Raises WorkbookError if the archive is no XLSX workbook, has a password, or exceeds the bounds.
    """
    members = archive.infolist()
    _check_members(members)
    check_sizes(archive, members)
    return {
        member.filename: archive.read(member)
        for member in members
        if member.filename.casefold().endswith((".xml", ".rels"))
    }


def _check_members(members: Sequence[zipfile.ZipInfo]) -> None:
    """Raise WorkbookError if the members of an archive are not those of an XLSX workbook.

    That is: a password, more than MOST_PARTS members, two equal names, no `xl/workbook.xml`, or a binary workbook.
    """
    names = {member.filename.casefold() for member in members}
    if any(member.flag_bits & 1 for member in members):
        raise WorkbookError(phrase("is protected by a password; save it without"))
    if len(members) > MOST_PARTS:
        raise WorkbookError(
            phrase("has {count:,} parts; at most {most:,} are read", count=len(members), most=MOST_PARTS)
        )
    if "xl/workbook.xml" not in names or "xl/workbook.bin" in names:
        raise WorkbookError(phrase("is no .xlsx workbook; save it as .xlsx or as CSV"))
    if len(names) < len(members):
        raise WorkbookError(phrase("is a damaged workbook (two parts have one name)"))


def check_sizes(archive: zipfile.ZipFile, members: Sequence[zipfile.ZipInfo]) -> None:
    """Raise WorkbookError if `members` of an archive announce more unpacked bytes than a workbook may have.

    `archive` must contain them, at least one. The bounds are those of all members (LARGEST_WORKBOOK), of one
    (LARGEST_PART), and of the ratio to the packed size (HIGHEST_RATIO). The ratio counts only above FREELY_UNPACKED
    bytes. If a bound is exceeded, the beginning of the largest member is unpacked for the message. Errors of zipfile
    are then not caught.
    """
    unpacked = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    largest = max(members, key=lambda member: member.file_size)
    suspicious = unpacked > FREELY_UNPACKED and unpacked > HIGHEST_RATIO * packed
    if not suspicious and unpacked <= LARGEST_WORKBOOK and largest.file_size <= LARGEST_PART:
        return
    if (rows := _claimed_rows(archive, largest)) > MOST_ROWS:
        raise WorkbookError(
            phrase("has a sheet of {rows:,} rows; at most {most:,} are read", rows=rows, most=MOST_ROWS)
        )
    if suspicious:
        raise WorkbookError(phrase("unpacks to more than a hundred times its size: it looks like a zip bomb"))
    raise WorkbookError(
        phrase(
            "unpacks to {size} MB; at most {most} MB are read, and {most_of_sheet} MB of one sheet",
            size=unpacked >> 20,
            most=LARGEST_WORKBOOK >> 20,
            most_of_sheet=LARGEST_PART >> 20,
        )
    )


def _claimed_rows(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> int:
    """Return the number of the last row that the beginning of a sheet announces (its `dimension`), 0 if there is none.

    `member` is the sheet in the archive. Only its first _OPENING bytes are unpacked.
    """
    with archive.open(member) as part:
        claim = _CLAIM.search(part.read(_OPENING))
    return int(claim[1]) if claim else 0


def _check_parts(parts: Mapping[str, bytes]) -> dict[str, Sequence[Odd]]:
    """Return the odd cells of each part that has any, by the part's name. Raises WorkbookError if a part is unsafe.

    Parts are unsafe if they have macros, or too many rows, columns, cells or characters. Parts of a common form are
    only searched with regular expressions. Others are parsed.
    """
    if b"macroEnabled" in parts.get("[Content_Types].xml", b""):
        raise WorkbookError(phrase("holds macros; save it as .xlsx"))
    plain = {name: part for name, part in parts.items() if _is_plain(part)}
    parsed_parts = {name: _ParsedPart(name, part) for name, part in parts.items() if name not in plain}
    if _most_text(plain, parsed_parts, parts) > MOST_TEXT:
        parsed_parts |= {name: _ParsedPart(name, part) for name, part in plain.items()}
        _check_text(parsed_parts.values())
    return {name: parsed.odd for name, parsed in parsed_parts.items() if parsed.odd}


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
    """Return True if a part is certainly within the bounds of cells and has no odd cells.

    Bytes are searched, not XML. A part that is not written as spreadsheet programs write it gives False, too.
    """
    if b"\0" in part or _has_match(part, _DECLARED, b"!") or _has_match(part, _PREFIXED, b":"):
        return False
    if _has_match(part, _FORMULA, b"f") and _UNCOMPUTED.search(part):
        return False
    return not _NOT_LONG.search(part) or not _NOT_WIDE.search(part)


def _has_match(part: bytes, pattern: re.Pattern[bytes], first: bytes) -> bool:
    """Return True if a pattern matches anywhere in a part. `first` is the byte with which each match begins.

    The byte is found by `bytes.find`, which is faster than the pattern. After _RARE finds the pattern itself searches.
    """
    position = part.find(first)
    for _ in range(_RARE):
        if position < 0 or pattern.match(part, position):
            return position >= 0
        position = part.find(first, position + 1)
    return position >= 0 and pattern.search(part, position) is not None


def _most_text(plain: Mapping[str, bytes], parsed_parts: Mapping[str, _ParsedPart], parts: Mapping[str, bytes]) -> int:
    """Return an upper bound on the characters of all cells: the longest shared text times the number of cells.

    0 without shared texts. `plain` are the parts that are not parsed, `parsed_parts` the parsed ones, and `parts` all
    parts, each by name.
    """
    shared = [max(map(len, part.split(b"<si"))) for part in plain.values() if _SHARED.search(part)]
    longest = max([*shared, *(length for parsed in parsed_parts.values() for length in parsed.texts)], default=0)
    return longest and longest * sum(part.count(b"<c") + part.count(b":c") for part in parts.values())


def _check_text(parsed_parts: Iterable[_ParsedPart]) -> None:
    """Raise WorkbookError if the cells of these parts together show more than MOST_TEXT characters of shared texts."""
    parsed_parts = list(parsed_parts)
    lengths = [length for part in parsed_parts for length in part.texts]
    if sum(lengths[position] for part in parsed_parts for position in part.used if position < len(lengths)) > MOST_TEXT:
        raise WorkbookError(phrase("holds more text than a table of cards can need"))


class _ParsedPart:
    """One XML part of a workbook, parsed to check the extent of its cells, and to find texts and odd cells.

    `texts` are the lengths (in characters) of the shared texts that the part defines, in order. `used` are the
    positions (from 0) of the shared texts that its cells show, once for each cell. `odd` are its odd cells, in order.
    Raises WorkbookError if a bound is exceeded.
    """

    def __init__(self, name: str, part: bytes) -> None:
        """Parse a part of a workbook, and collect its texts and odd cells.

        Raises WorkbookError if it is malformed or exceeds a bound.
        """
        self.texts: list[int] = []
        self.used: list[int] = []
        self.odd: list[Odd] = []
        self._row = self._column = self._rows = self._columns = 0
        self._kind = ""
        self._formula = self._filled = False
        self._value: list[str] | None = None
        parse_xml(part, self._start, self._end, self._characters, name)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an XML element. Other elements than those named are ignored.

        `row` and `c` set the place of the current cell, `v`, `is` and `f` note that the cell is not blank. `si` begins
        a shared text. Raises WorkbookError if the cell is out of bounds.
        """
        if tag == "c":
            self._set_place(attributes.get("r"))
            self._kind = attributes.get("t", "")
            self._formula = self._filled = False
        elif tag == "row":
            self._row, self._column = _parse_number(attributes.get("r"), self._row + 1), 0
        elif tag in ("v", "is", "f"):
            self._note_content(tag)
        elif tag == "si":
            self.texts.append(0)

    def _set_place(self, reference: str | None) -> None:
        """Set the current column and row from a cell reference ("B7"). For None the column is the next one of the row.

        Raises WorkbookError if the reference is no place in a sheet.
        """
        self._column += 1
        if reference is not None:
            place = _CELL.fullmatch(reference)
            if not place:
                raise WorkbookError(
                    phrase("has a cell {reference!r}, which is no place in a sheet", reference=reference[:20])
                )
            self._column, self._row = _column_number(place[1]), int(place[2])

    def _note_content(self, tag: str) -> None:
        """Note that the current cell is not blank: it has a formula (tag "f"), a value ("v") or a text ("is").

        From a "v" on its characters are collected. Raises WorkbookError if the cell is beyond MOST_ROWS or
        MOST_COLUMNS, or if the sheet spans more than MOST_CELLS. Blank cells may be anywhere, because calamine ignores
        them.
        """
        self._columns = max(self._columns, self._column)
        self._rows = max(self._rows, self._row)
        if self._rows > MOST_ROWS or self._columns > MOST_COLUMNS:
            raise WorkbookError(
                phrase(
                    "has a cell beyond row {row:,} or column {column}, where no cell is read",
                    row=MOST_ROWS,
                    column=MOST_COLUMNS,
                )
            )
        if self._rows * self._columns > MOST_CELLS:
            raise WorkbookError(phrase("has a sheet that spans more than {most:,} cells", most=MOST_CELLS))
        if tag == "f":
            self._formula = True
        elif tag == "v":
            self._value = []

    def _characters(self, text: str) -> None:
        """Add characters to the value of the open cell. Outside of values, add their number to the last shared text."""
        if self._value is not None:
            self._value.append(text)
        elif self.texts:
            self.texts[-1] += len(text)

    def _end(self, tag: str) -> None:
        """Handle the end of an XML element.

        At the end of a value (`v`) a shared text is noted as used, and an error as an odd cell. At the end of a cell
        (`c`) a formula without a value is noted as an odd cell.
        """
        if tag == "v" and self._value is not None:
            value = "".join(self._value).strip()
            self._value = None
            self._filled = bool(value) or self._kind == "str"
            if self._kind == "s":
                self.used.append(_parse_number(value, 0))
            elif self._kind == "e":
                self._note_odd(value)
        elif tag == "c" and self._formula and not self._filled:
            self._note_odd("")

    def _note_odd(self, value: str) -> None:
        """Add the current cell to the odd cells, with the first 20 characters of its error ("" for a formula).

        Raises WorkbookError if the part has MOST_ODD of them already.
        """
        if len(self.odd) >= MOST_ODD:
            raise WorkbookError(
                phrase("has more than {most:,} cells that are errors or were never computed", most=MOST_ODD)
            )
        self.odd.append(Odd(self._row, self._column, value[:20]))


def _parse_number(text: str | None, default: int) -> int:
    """Parse a whole number of at most seven digits. Return `default` for any other text and for None."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 8 else default


def _column_number(letters: str) -> int:
    """Return the number of a column from its letters: 1 for A, 27 for AA."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def _odd_by_sheet(odd: Mapping[str, Sequence[Odd]], parts: Mapping[str, bytes]) -> dict[str, Sequence[Odd]]:
    """Return the odd cells by sheet name. `odd` has them by the name of the sheet's part ("xl/worksheets/sheet1.xml").

    The workbook part and its relations give the names. A part without a known name keeps its own.
    """
    targets = {
        attributes.get("Id", ""): normpath(join("/xl", attributes.get("Target", ""))).lstrip("/")
        for attributes in _find_elements(parts.get("xl/_rels/workbook.xml.rels", b""), "Relationship")
    }
    names = {
        targets.get(next((value for key, value in attributes.items() if key.endswith("}id")), ""), ""): attributes.get(
            "name", ""
        )
        for attributes in _find_elements(parts.get("xl/workbook.xml", b""), "sheet")
    }
    return {names.get(part, part): cells for part, cells in odd.items()}


def _find_elements(part: bytes, element_name: str) -> list[dict[str, str]]:
    """Return the attributes of each element with this name in a part, by name, in order. Empty for an empty part.

    The name of an attribute with a namespace is "{namespace}name". Raises WorkbookError if the part is malformed.
    """
    elements: list[dict[str, str]] = []
    if part:
        parse_xml(part, lambda tag, attributes: elements.append(attributes) if tag == element_name else None)
    return elements
