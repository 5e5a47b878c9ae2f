"""How the texts of each game are worded: what they call things, and which of their effects belong to play."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from validator.games import GAMES

_Types = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Wording:
    """What a game's texts call things, and how they head their skills.

    `brackets`: kind of bracket -> the test that a card named in it is matched by. `types`: noun of one
    word or more, in lower case -> the card types it means. `colors` and `keywords` (those of construction): in lower
    case -> as the cards spell them. `skills`: bracketed words, lower case, that are no names. `in_play` tells
    the heads of skills that are activated or wait for something; `marks_permanent`, whether texts head those that
    always hold with [Permanent].
    """

    brackets: Mapping[str, str] = field(default_factory=dict)
    types: _Types = field(default_factory=dict)
    colors: Mapping[str, str] = field(default_factory=dict)
    keywords: Mapping[str, str] = field(default_factory=dict)
    skills: frozenset[str] = frozenset()
    in_play: re.Pattern[str] = re.compile(r"(?!)")
    marks_permanent: bool = False


def _types(game: str, never_named: str, more: _Types) -> _Types:
    """Return the nouns of the card types of a game, but for one that its texts do not name, in both numbers."""
    nouns = {kind.lower(): (kind,) for kind in GAMES[game].types if kind != never_named} | dict(more)
    return nouns | {f"{noun}s": kinds for noun, kinds in nouns.items() if noun != "battle"}  # a card battles


def _lowered(words: tuple[str, ...]) -> Mapping[str, str]:
    return {word.lower(): word for word in words}


# Skills that somebody activates, or that wait for something in play.
_IN_PLAY_OF_DBS = (
    r"auto|activate|counter|awaken|wish|unison|z-awaken|(?:ex-|xeno-)?evolve|union|(?:dark )?over realm|swap|"
    r"once per turn|limit|burst|sparking|bond|arrival|aegis|alliance|revive|successor|offering|spirit boost|z-stack|"
    r"overlord|rejuvenate|wormhole|invoker|heroic|villainous|field|empower"
)
# Effects that somebody activates, or that wait for something in play.
_IN_PLAY_OF_OPTCG = (
    r"on play|when attacking|activate|main|counter|trigger|don!! |your turn|opponent's turn|end of|start of|on k\.?o|"
    r"on block|on your opponent|once per turn"
)
_SKILLS_OF_OPTCG = (
    "Blocker|Rush|Rush: Character|Banish|Double Attack|Unblockable|Trigger|On Play|On K.O.|On Block|When Attacking|"
    "Main|Counter|Activate: Main|Your Turn|Opponent's Turn|End of Your Turn|Once Per Turn|On Your Opponent's Attack"
)

DBS = Wording(
    brackets={"double": "trait", "angle": "character", "curly": "name", "square": "keyword"},
    types=_types("dbs", "Token", {"z-card": tuple(kind for kind in GAMES["dbs"].types if kind.startswith("Z-"))}),
    colors=_lowered(GAMES["dbs"].colors),
    keywords=_lowered(("Ultimate", "Super Combo", "Dragon Ball")),  # 22-14, 22-17, 22-28
    in_play=re.compile(_IN_PLAY_OF_DBS, re.I),
    marks_permanent=True,
)
OPTCG = Wording(
    brackets={"square": "name", "curly": "trait", "quote": "trait_part"},
    types=_types("optcg", "DON!!", {}),  # "DON!!" in a text is what is paid with
    colors=_lowered(GAMES["optcg"].colors),
    skills=frozenset(_SKILLS_OF_OPTCG.casefold().split("|")),
    in_play=re.compile(_IN_PLAY_OF_OPTCG, re.I),
)
BOS = Wording(
    brackets={"quote": "name"},
    # Game cards, Fighter classes; Equipment, Tactic and Battlefield cards; Other rules, Fighter tokens.
    types=_types(
        "bos",
        "Token",
        {"fighter": ("Warrior", "Elite Warrior", "Warlord", "Legendary Warrior"), "fighter token": ("Token",)},
    ),
    # Game cards, Effect fighters: only a continuous effect is not activated.
    in_play=re.compile(r"ignition|quick|trigger|once per turn", re.I),
)
