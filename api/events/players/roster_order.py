"""The order of a roster: which players it lists, and by which column they are sorted.

Called by the registration desk; `event_schemas` and the roster's page offer its values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from api.events.player_json import RosteredJSON
from api.events.players.entrant import name_key

_Row = Mapping[str, Any]

# Whether a row of the roster has a state. Only staff get rows with `legal`.
_STATES: Mapping[str, Callable[[_Row], bool]] = {
    "all": lambda row: True,
    "received": lambda row: bool(row["received"]),
    "missing": lambda row: not row["received"],
    "legal": lambda row: row.get("legal") is True,
    "illegal": lambda row: row.get("legal") is False,
}
# Sort keys: a row without a value comes last, also if the order is descending.
_VALUES: Mapping[str, Callable[[_Row], Any]] = {
    "player": lambda row: name_key(row["player"]),
    "team": lambda row: row["team"].casefold(),
    "received": lambda row: row["at"],
    "legal": lambda row: row.get("legal"),
    "table": lambda row: _table_key(row.get("table", "")),
}
STATES = tuple(_STATES)
COLUMNS = tuple(_VALUES)
SORTS = (*COLUMNS, *(f"-{column}" for column in COLUMNS))  # "-" is descending


class RosterOrder(NamedTuple):
    """A sort of SORTS, "" for the order of registration names, and a state of STATES."""

    sort: str = ""
    state: str = "all"

    def arrange(self, rows: Sequence[RosteredJSON]) -> list[RosteredJSON]:
        """Return the rows that have the state, sorted."""
        kept = [row for row in rows if _STATES[self.state](row)]
        if not self.sort:
            return kept
        value = _VALUES[self.sort.removeprefix("-")]
        filled = [row for row in kept if value(row) not in (None, "")]
        filled.sort(key=value, reverse=self.sort.startswith("-"))
        return filled + [row for row in kept if value(row) in (None, "")]


BY_NAME = RosterOrder()


def _table_key(table: str) -> Any:
    """Return the sort key of a table: tables with a number first, by the number. "" for no table."""
    if not table:
        return ""
    is_number = table.isascii() and table.isdigit()
    return (not is_number, int(table) if is_number else 0, table.casefold())
