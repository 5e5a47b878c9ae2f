"""Battle of Souls: what its card texts call things, and which of their effects belong to play."""

from __future__ import annotations

import re

from validator.clauses.reader import Reader
from validator.clauses.vocabulary import Vocabulary
from validator.games import GAMES

# Game cards, Fighter classes; Equipment, Tactic and Battlefield cards; Other rules, Fighter tokens.
_FIGHTERS = ("Warrior", "Elite Warrior", "Warlord", "Legendary Warrior")
_TYPES = {
    **{kind.lower(): (kind,) for kind in GAMES["bos"].types if kind != "Token"},
    "fighter": _FIGHTERS,
    "fighter token": ("Token",),
}

# Game cards, Effect fighters: only a continuous effect is not activated.
_IN_PLAY = re.compile(r"ignition|quick|trigger|once per turn", re.I)

VOCABULARY = Vocabulary(
    brackets={"quote": "name"},
    types={**_TYPES, **{f"{noun}s": types for noun, types in _TYPES.items()}},
    colors={},
    keywords={},
)

READER = Reader(VOCABULARY, _IN_PLAY, marks_permanent=False)
