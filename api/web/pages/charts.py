"""Charts: how many cards there are of each kind, as bars that stand in a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from api.sheets.sheet import cost_curve
from validator.judge import Verdict
from validator.language import Language
from validator.words import terms


class Bar(NamedTuple):
    """So many cards of a kind; `width` is that of the bar in hundredths of the longest."""

    label: str
    cards: int
    width: int


class Charts(NamedTuple):
    """The main deck by cost, type and colour; no bars where nothing is known."""

    costs: list[Bar]
    types: list[Bar]
    colors: list[Bar]


def charts(of: Verdict, say: Language) -> Charts:
    """Return the charts of a deck, labelled in a language."""
    types: Counter[str] = Counter()
    colors: Counter[str] = Counter()
    for card, copies in of.facts.main.items():
        types[say.template(card.type)] += copies
        if card.colors:
            colors["/".join(terms(card.colors, say))] += copies
    return Charts(_bars(cost_curve(of)), _bars(types.most_common()), _bars(colors.most_common()))


def _bars(counts: Iterable[tuple[str, int]]) -> list[Bar]:
    counted = list(counts)
    longest = max((count for _, count in counted), default=0)
    return [Bar(label, count, round(100 * count / longest)) for label, count in counted] if longest else []
