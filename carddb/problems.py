"""Problems: many things wrong with one file, said in one message of bearable length."""

from __future__ import annotations

from collections.abc import Sequence

SHOWN = 8


def problems_in(what: str, problems: Sequence[str]) -> str:
    """Return a message that says what cannot be imported, the first problems, and how many more."""
    more = len(problems) - SHOWN
    lines = [f"{what} cannot be imported:", *problems[:SHOWN]]
    return "\n".join([*lines, f"and {more} more"] if more > 0 else lines)
