"""Verdicts as JSON: what is said of a card is written once, and set in wherever a deck has it."""

from __future__ import annotations

from functools import lru_cache
from itertools import starmap

import orjson

from validator.cards import Card
from validator.deck import SECTIONS
from validator.judge import Verdict

_EMPTY: dict[str, object] = {section: [] for section in SECTIONS}


# The same cards come with every deck; some 10 MB.
@lru_cache(maxsize=1 << 16)
def _line(card: Card, copies: int) -> bytes:
    """Return a card with its copies as a line of JSON."""
    return orjson.dumps({"number": card.number, "name": card.name, "count": copies})


def written(verdict: Verdict, explain: bool = False) -> bytes:
    """Return a verdict as the JSON of its public form (`Verdict.as_dict`), quicker than by way of it."""
    shown = verdict.as_dict(explain, own=False)
    shown["deck"] = deck = _EMPTY.copy()
    for section, _ in verdict.facts.used:
        deck[section] = _section(verdict, section)
    return orjson.dumps(shown)


def _section(verdict: Verdict, section: str) -> orjson.Fragment | list[dict[str, object]]:
    cards = verdict.facts.alone.get(section)
    if cards is None:
        return verdict.section(section)
    return orjson.Fragment(b"[%b]" % b",".join(starmap(_line, cards.items())))
