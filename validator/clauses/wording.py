"""How the texts of a game are worded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field


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
    types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    colors: Mapping[str, str] = field(default_factory=dict)
    keywords: Mapping[str, str] = field(default_factory=dict)
    skills: frozenset[str] = frozenset()
    in_play: re.Pattern[str] = re.compile(r"(?!)")
    marks_permanent: bool = False
