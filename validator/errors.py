"""Errors: what a caller of the validator may have to catch; each message is a sentence for a person.

Exception
├── DocumentError         a data file that ships says what it may not
└── ValueError
    ├── OddsError         odds are asked that a deck or its game does not have
    ├── PinError          a card that shall stay as it is is not in the deck
    ├── PolicyError       an organiser's policy does not fit the ruleset
    ├── UnknownGame       no such game is described
    └── UnknownRuleset    no ruleset has this id
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


class OddsError(ValueError):
    """Odds that cannot be worked out; `key` is the request's word for what is wrong."""

    def __init__(self, key: str, says: str) -> None:
        super().__init__(says)
        self.key = key


class PinError(ValueError):
    """A card that shall stay as it is is not in the deck; `pin` is what names it."""

    def __init__(self, pin: str) -> None:
        super().__init__(f"{pin[:60]!r} is not in the deck; pin its cards by number or by name")
        self.pin = pin


class UnknownGame(ValueError):
    """A game that is not described."""

    def __init__(self, game: str, known: Iterable[str]) -> None:
        super().__init__(f"There is no game {game[:100]!r}; the games are {', '.join(known)}.")


class UnknownRuleset(ValueError):
    """An id that no ruleset has."""

    def __init__(self, id: str, known: Iterable[str]) -> None:
        super().__init__(f"There is no ruleset {id[:100]!r}; there are {', '.join(known)}.")
