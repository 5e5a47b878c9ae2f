"""Verdicts as JSON: what is said of a card is written once, and set in wherever a deck has it."""

from __future__ import annotations

from functools import lru_cache
from itertools import starmap

import orjson

from validator.cards import Card
from validator.deck import SECTIONS
from validator.judge import Verdict

_MOST_KNOWN = 1 << 16  # cards with a count; some 10 MB


def written(verdict: Verdict, explain: bool = False) -> bytes:
    """Return a verdict as the JSON of its public form (`Verdict.as_dict`), quicker than by way of it."""
    shown = verdict.as_dict(explain, deck=False)
    shown["deck"] = {section: _section(verdict, section) for section in SECTIONS}
    return orjson.dumps(shown)


def _section(verdict: Verdict, section: str) -> orjson.Fragment | list[dict[str, object]]:
    cards = verdict.facts.alone(section)
    if not cards:
        return verdict.section(section)
    return orjson.Fragment(b"[%b]" % b",".join(starmap(_line, cards.items())))


@lru_cache(_MOST_KNOWN)
def _line(card: Card, copies: int) -> bytes:
    return orjson.dumps({"number": card.number, "name": card.name, "count": copies})
