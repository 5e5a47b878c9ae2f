"""Plain lists: what people type, from `4 Nami` to a mixture of everything under headings of any wording."""

from __future__ import annotations

from validator.cards import Catalogue
from validator.deck import DeckLine
from validator.decklists.format import BY_TYPE
from validator.decklists.format import Format
from validator.decklists.format import headed
from validator.decklists.format import joined
from validator.decklists.format import name
from validator.decklists.format import named
from validator.decklists.format import numbered
from validator.decklists.format import written_as


def _name(line: DeckLine, catalogue: Catalogue | None) -> str:
    if line.number is not None:
        raise ValueError(f"this format names cards by name alone, and {line.number!r} is a number")
    return f"{line.count} {name(line, catalogue)}"


FORMATS = (
    Format(
        "names",
        "names alone: 4 Nami, a side deck under Sideboard",
        carries=("main", "side"),
        fits=written_as("4 NAME", "4xNAME", "4x NAME", headed=True),
        write=headed(_name, {"main": "Deck", "side": "Sideboard"}),
    ),
    Format(
        "name-number",
        "name before number: 4 Nami OP01-016",
        carries=BY_TYPE,
        fits=written_as("4 NAME NUM", "4x NAME NUM"),
        write=joined(named("{count} {name} {number}")),
    ),
    Format(
        "number-count",
        "count last: OP01-016 x4",
        carries=BY_TYPE,
        fits=written_as("NUM x4"),
        write=joined(numbered("{number} x{count}")),
    ),
    Format(
        "text",
        "any other list of lines: counts, numbers and names in any order, under headings of any common wording",
        fits=lambda listing: True,
        write=headed(
            named("{count} {number} {name}"),
            {
                "leader": "Leader",
                "main": "Main Deck",
                "side": "Side Deck",
                "z": "Z-Deck",
                "don": "DON!! Deck",
            },
        ),
    ),
)
