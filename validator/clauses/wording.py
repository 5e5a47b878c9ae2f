"""The vocabulary of each game's card texts, and the heads of skills that belong to play."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from validator.games import GAMES

_Types = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Wording:
    """The vocabulary of a game's card texts, and the bracketed heads of its skills.

    `brackets` has the test of a match ("trait", "name") by the kind of bracket around the text. `types` has the card
    types by noun in lower case. `colors` and `keywords` (for construction) have the spelling of the cards by lower
    case. `skills` are bracketed words in lower case that are no names. `in_play` matches the heads of skills that are
    activated or wait for an event in play. `marks_permanent` is True if permanent skills have the head [Permanent].
    """

    brackets: Mapping[str, str] = field(default_factory=dict)
    types: _Types = field(default_factory=dict)
    colors: Mapping[str, str] = field(default_factory=dict)
    keywords: Mapping[str, str] = field(default_factory=dict)
    skills: frozenset[str] = frozenset()
    in_play: re.Pattern[str] = re.compile(r"(?!)")
    marks_permanent: bool = False


def _types_by_noun(game: str, never_named: str, more: _Types) -> _Types:
    """Return the card types of a game by noun in lower case, singular and plural. The type `never_named` is left out.

    `more` has additional nouns with their types. "battles" is not included, because it is a verb in texts.
    """
    nouns = {kind.lower(): (kind,) for kind in GAMES[game].types if kind != never_named} | dict(more)
    return nouns | {f"{noun}s": kinds for noun, kinds in nouns.items() if noun != "battle"}  # a card battles


def _by_lower_case(words: tuple[str, ...]) -> Mapping[str, str]:
    """Return words by their lower case."""
    return {word.lower(): word for word in words}


# Heads of skills that are activated or wait for an event in play.
_IN_PLAY_OF_DBS = (
    r"auto|activate|counter|awaken|wish|unison|z-awaken|(?:ex-|xeno-)?evolve|union|(?:dark )?over realm|swap|"
    r"once per turn|limit|burst|sparking|bond|arrival|aegis|alliance|revive|successor|offering|spirit boost|z-stack|"
    r"overlord|rejuvenate|wormhole|invoker|heroic|villainous|field|empower"
)
# Heads of skills that are activated or wait for an event in play.
_IN_PLAY_OF_FUSION = r"activate|on play|when |auto|awaken|once per turn|your turn|opponent's turn|end of"
# Heads of effects that are activated or wait for an event in play.
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
    types=_types_by_noun(
        "dbs", "Token", {"z-card": tuple(kind for kind in GAMES["dbs"].types if kind.startswith("Z-"))}
    ),
    colors=_by_lower_case(GAMES["dbs"].colors),
    keywords=_by_lower_case(("Ultimate", "Super Combo", "Dragon Ball")),  # 22-14, 22-17, 22-28
    in_play=re.compile(_IN_PLAY_OF_DBS, re.I),
    marks_permanent=True,
)
FUSION = Wording(
    brackets={"double": "trait", "angle": "name", "square": "keyword"},
    types=_types_by_noun("fusion", "Energy Marker", {}),
    colors=_by_lower_case(GAMES["fusion"].colors),
    keywords=_by_lower_case(("Super Combo", "Dragon Ball")),
    in_play=re.compile(_IN_PLAY_OF_FUSION, re.I),
    marks_permanent=True,
)
OPTCG = Wording(
    brackets={"square": "name", "curly": "trait", "quote": "trait_part"},
    types=_types_by_noun("optcg", "DON!!", {}),  # "DON!!" in a text is what is paid with
    colors=_by_lower_case(GAMES["optcg"].colors),
    skills=frozenset(_SKILLS_OF_OPTCG.casefold().split("|")),
    in_play=re.compile(_IN_PLAY_OF_OPTCG, re.I),
)
BOS = Wording(
    brackets={"quote": "name"},
    # Game cards, Fighter classes; Equipment, Tactic and Battlefield cards; Other rules, Fighter tokens.
    types=_types_by_noun(
        "bos",
        "Token",
        {"fighter": ("Warrior", "Elite Warrior", "Warlord", "Legendary Warrior"), "fighter token": ("Token",)},
    ),
    # Game cards, Effect fighters: only a continuous effect is not activated.
    in_play=re.compile(r"ignition|quick|trigger|once per turn", re.I),
)
