"""What the texts of a game call things."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a game's texts call things.

    `brackets`: kind of bracket -> the test that a card named in it is matched by. `types`: noun of one
    word or more, in lower case -> the card types it means. `colors` and `keywords` (those of construction): in lower
    case -> as the cards spell them. `skills`: bracketed words, lower case, that are no names.
    """

    brackets: Mapping[str, str]
    types: Mapping[str, tuple[str, ...]]
    colors: Mapping[str, str]
    keywords: Mapping[str, str]
    skills: frozenset[str] = frozenset()
