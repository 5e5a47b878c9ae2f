"""Other files: detect files that are no deck list, such as pictures and spreadsheets.

Called by `deckproof check` and by the check page.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from validator.decklists.encoding import decode_text
from validator.language import phrase

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_CHARACTERS_PER_CONTROL = 16  # a text has at most one control character in this many


class OtherFile(NamedTuple):
    """A kind of file that is not a deck list. `says` is a translatable sentence for the user, with advice.

    `is_spreadsheet` is True for all zip files (such as .xlsx) and for old Office files (such as .xls).
    """

    says: str
    is_spreadsheet: bool = False


_PICTURE = OtherFile(phrase("The file is a picture. Type the list as text."))
_SIGNATURES = {
    b"PK\x03\x04": OtherFile(
        phrase(
            "The file is a spreadsheet or an archive, not the list of one "
            "deck. Check spreadsheets on the page “Workbooks” or with "
            "`deckproof batch`."
        ),
        True,
    ),
    b"\xd0\xcf\x11\xe0": OtherFile(phrase("The file is an old spreadsheet. Save the spreadsheet as .xlsx."), True),
    b"%PDF": OtherFile(phrase("The file is a PDF. Copy the list from the PDF into a text file.")),
    b"\x89PNG": _PICTURE,
    b"\xff\xd8\xff": _PICTURE,
}
_BINARY = OtherFile(phrase("The file is not text. Send the deck list as text, such as “4 NUMBER Name”."))


def detect_other_file(data: bytes) -> OtherFile | None:
    """Return the kind of a file that is not text: zip or .xlsx, .xls, PDF, picture (PNG, JPEG), or other binary data.

    The first bytes decide. Other data is binary if more than 1 of 16 characters is a control character other than tab,
    line break, form feed and escape. Return None for any other data, also for an empty file.
    """
    for signature, kind in _SIGNATURES.items():
        if data.startswith(signature):
            return kind
    text = decode_text(data).text
    return _BINARY if _CHARACTERS_PER_CONTROL * len(_CONTROL.findall(text)) > len(text) else None
