"""Battle of Souls: what its card texts call things, and which of their effects belong to play."""

from __future__ import annotations

import re

from validator.clauses.wording import Wording
from validator.games import GAMES

# Game cards, Fighter classes; Equipment, Tactic and Battlefield cards; Other rules, Fighter tokens.
_TYPES = {
    **{kind.lower(): (kind,) for kind in GAMES["bos"].types if kind != "Token"},
    "fighter": ("Warrior", "Elite Warrior", "Warlord", "Legendary Warrior"),
    "fighter token": ("Token",),
}

WORDING = Wording(
    brackets={"quote": "name"},
    types={**_TYPES, **{f"{noun}s": types for noun, types in _TYPES.items()}},
    # Game cards, Effect fighters: only a continuous effect is not activated.
    in_play=re.compile(r"ignition|quick|trigger|once per turn", re.I),
)
