"""XML parts: the parts of spreadsheets from strangers, parsed without entities, and no deeper than programs nest."""

from __future__ import annotations

from collections.abc import Callable
from xml.parsers import expat

from carddb.bounds import MOST_DEPTH
from carddb.errors import WorkbookError

StartHandler = Callable[[str, dict[str, str]], object]
TextHandler = Callable[[str], object]


def _ignore(text: str) -> None:
    """Do nothing, as the default handler."""


def parse(
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
