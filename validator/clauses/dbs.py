"""Dragon Ball Super: what its card texts call things, and which of their skills belong to play."""

from __future__ import annotations

import re

from validator.clauses.wording import Wording
from validator.games import GAMES

_GAME = GAMES["dbs"]
_TYPES = {
    "z-card": tuple(kind for kind in _GAME.types if kind.startswith("Z-")),
    **{kind.lower(): (kind,) for kind in _GAME.types if kind != "Token"},
}
_KEYWORDS = ("Ultimate", "Super Combo", "Dragon Ball")  # 22-14, 22-17, 22-28

# Skills that somebody activates, or that wait for something in play.
_IN_PLAY = (
    r"auto|activate|counter|awaken|wish|unison|z-awaken|(?:ex-|xeno-)?evolve|union|(?:dark )?over realm|swap|"
    r"once per turn|limit|burst|sparking|bond|arrival|aegis|alliance|revive|successor|offering|spirit boost|z-stack|"
    r"overlord|rejuvenate|wormhole|invoker|heroic|villainous|field|empower"
)

WORDING = Wording(
    brackets={"double": "trait", "angle": "character", "curly": "name", "square": "keyword"},
    types={**_TYPES, **{f"{noun}s": types for noun, types in _TYPES.items() if noun != "battle"}},
    colors={color.lower(): color for color in _GAME.colors},
    keywords={keyword.lower(): keyword for keyword in _KEYWORDS},
    in_play=re.compile(_IN_PLAY, re.I),
    marks_permanent=True,
)
