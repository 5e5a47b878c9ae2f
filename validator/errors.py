"""Errors: what a caller of the validator may have to catch; each message is a sentence for a person.

Exception
├── DocumentError         a data file that ships says what it may not
└── ValueError
    ├── PolicyError       an organiser's policy does not fit the ruleset
    └── UnknownGame       no such game is described
"""

from __future__ import annotations

from collections.abc import Iterable


class DocumentError(Exception):
    """A data file says what it may not; the sentence says where and how to mend it."""


class PolicyError(ValueError):
    """A policy says something that a ruleset cannot apply; `key` is the policy's word for it."""

    def __init__(self, key: str, says: str) -> None:
        super().__init__(says)
        self.key = key


class UnknownGame(ValueError):
    """A game that is not described."""

    def __init__(self, game: str, known: Iterable[str]) -> None:
        super().__init__(f"There is no game {game[:100]!r}; the games are {', '.join(known)}.")
