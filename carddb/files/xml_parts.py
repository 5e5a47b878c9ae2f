"""XML parts: the parts of spreadsheets from strangers, parsed without entities, and no deeper than programs nest."""

from __future__ import annotations

from collections.abc import Callable
from xml.parsers import expat

from carddb.errors import WorkbookError

MOST_DEPTH = 200  # elements within each other; a sheet has ten, a page of text a few more

Start = Callable[[str, dict[str, str]], object]
Heard = Callable[[str], object]


def _unheard(text: str) -> None:
    """Be who listens to nothing."""


def parse(part: bytes, start: Start, end: Heard = _unheard, characters: Heard = _unheard, name: str = "") -> None:
    """Tell of each element of a part, by its name without its namespace; a WorkbookError says why it is refused.

    `name` is what the error calls the part.
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
