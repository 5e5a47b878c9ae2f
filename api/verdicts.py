"""Verdicts as JSON: what is said of a card is written once, and set in wherever a deck has it."""

from __future__ import annotations

import orjson

from validator.cards import Card
from validator.deck import SECTIONS
from validator.judge import Verdict

_MOST_KNOWN = 1 << 16  # cards with a count; some 10 MB
_EMPTY: dict[str, object] = {section: [] for section in SECTIONS}


class _Lines(dict[tuple[Card, int], bytes]):
    """A card with its copies as a line of JSON; the same ones come with every deck."""

    def __missing__(self, held: tuple[Card, int]) -> bytes:
        if len(self) >= _MOST_KNOWN:
            self.clear()
        card, copies = held
        line = self[held] = orjson.dumps({"number": card.number, "name": card.name, "count": copies})
        return line


_LINES = _Lines()


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
    return orjson.Fragment(b"[%b]" % b",".join(map(_LINES.__getitem__, cards.items())))
