"""ONE PIECE: what its card texts call things, and which of their effects belong to play."""

from __future__ import annotations

import re

from validator.clauses.reader import Reader
from validator.clauses.vocabulary import Vocabulary
from validator.games import GAMES

_GAME = GAMES["optcg"]
# "DON!!" in a text is what is paid with.
_TYPES = tuple(kind for kind in _GAME.types if kind != "DON!!")

# Effects that somebody activates, or that wait for something in play.
_IN_PLAY = re.compile(
    r"on play|when attacking|activate|main|counter|trigger|don!! |your turn|opponent's turn|end of|start of|on k\.?o|"
    r"on block|on your opponent|once per turn",
    re.I,
)
_SKILLS = (
    "Blocker|Rush|Rush: Character|Banish|Double Attack|Unblockable|Trigger|On Play|On K.O.|On Block|When Attacking|"
    "Main|Counter|Activate: Main|Your Turn|Opponent's Turn|End of Your Turn|Once Per Turn|On Your Opponent's Attack"
)

VOCABULARY = Vocabulary(
    brackets={"square": "name", "curly": "trait", "quote": "trait_part"},
    types={
        **{kind.lower(): (kind,) for kind in _TYPES},
        **{f"{kind.lower()}s": (kind,) for kind in _TYPES},
    },
    colors={color.lower(): color for color in _GAME.colors},
    keywords={},
    skills=frozenset(_SKILLS.casefold().split("|")),
)

READER = Reader(VOCABULARY, _IN_PLAY, marks_permanent=False)
