"""Readings: what a source gave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from validator.cards import Card


class Reading(NamedTuple):
    """The cards of a source, each once; what the source is; and what should be said of its reading."""

    cards: Sequence[Card]
    source: str
    notices: tuple[str, ...] = ()
