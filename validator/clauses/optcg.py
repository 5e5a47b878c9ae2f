"""ONE PIECE: what its card texts call things, and which of their effects belong to play."""

from __future__ import annotations

import re

from validator.clauses.wording import Wording
from validator.games import GAMES

_GAME = GAMES["optcg"]
# "DON!!" in a text is what is paid with.
_TYPES = {kind.lower(): (kind,) for kind in _GAME.types if kind != "DON!!"}

# Effects that somebody activates, or that wait for something in play.
_IN_PLAY = (
    r"on play|when attacking|activate|main|counter|trigger|don!! |your turn|opponent's turn|end of|start of|on k\.?o|"
    r"on block|on your opponent|once per turn"
)
_SKILLS = (
    "Blocker|Rush|Rush: Character|Banish|Double Attack|Unblockable|Trigger|On Play|On K.O.|On Block|When Attacking|"
    "Main|Counter|Activate: Main|Your Turn|Opponent's Turn|End of Your Turn|Once Per Turn|On Your Opponent's Attack"
)

WORDING = Wording(
    brackets={"square": "name", "curly": "trait", "quote": "trait_part"},
    types={**_TYPES, **{f"{noun}s": types for noun, types in _TYPES.items()}},
    colors={color.lower(): color for color in _GAME.colors},
    skills=frozenset(_SKILLS.casefold().split("|")),
    in_play=re.compile(_IN_PLAY, re.I),
)
