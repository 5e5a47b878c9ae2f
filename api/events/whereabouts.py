"""Whereabouts: where a player sits and is written to, beside the registration, which they are no part of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple, Self

from api.sheets.person_names import cleaned, cut
from api.sheets.registration import LONGEST
from validator.decklists.headings import key
from validator.language import phrase

LONGEST_EMAIL = 254  # characters (RFC 5321, 4.5.3.1)

# One address and nothing that a mail program takes for a second one, or for another heading of the letter.
ADDRESS = r'[^\s@,;:<>()\[\]"\\]+@[^\s@,;:<>()\[\]"\\]+'
_EMAIL = re.compile(ADDRESS)
# What columns of spreadsheets are called that say so.
_TABLES = frozenset(("table", "tablenumber", "tableno", "tisch", "tischnummer", "mesa", "tavolo", "卓", "卓番号"))
EMAILS = frozenset(("email", "emailaddress", "mail", "mailaddress", "emailadresse", "correoelectronico", "メール"))


def email(written: str) -> str:
    """Return an address to write to as it is kept, "" for none; a ValueError says what to write."""
    text = cleaned(written)
    if text and not (len(text) <= LONGEST_EMAIL and _EMAIL.fullmatch(text)):
        raise ValueError(phrase("Write one e-mail address, such as name@example.com."))
    return text


class Whereabouts(NamedTuple):
    """The table that a player sits at, and the address to write to, which the player and those who run the event see.

    They may change at any time, and no change of them is a revision.
    """

    table: str = ""
    email: str = ""

    @classmethod
    def of_row(cls, aside: Mapping[str, str]) -> Self:
        """Return what the columns of a row of a spreadsheet say; an address that is none is left out."""
        said = {key(heading): text for heading, text in aside.items()}
        return cls(cut(_first(said, _TABLES), LONGEST["table"]), _readable(_first(said, EMAILS)))

    def over(self, before: Whereabouts) -> Whereabouts:
        """Return it with what it does not say as it was."""
        return Whereabouts(self.table or before.table, self.email or before.email)


NOWHERE = Whereabouts()


def _first(said: Mapping[str, str], headings: Iterable[str]) -> str:
    return next((said[heading] for heading in said if heading in headings), "")


def _readable(written: str) -> str:
    try:
        return email(written[: 4 * LONGEST_EMAIL])
    except ValueError:
        return ""
