"""Parser of the sentences on deck construction in card texts: text -> typed clauses, with a small grammar per game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from validator.cards import Clause
from validator.clauses.reader import CardTextReader
from validator.clauses.wording import BOS, DBS, FUSION, OPTCG, Wording

# The parser's version. Stored clauses of an older version must be parsed again.
VERSION = 2

# For games without a wording of their own: sentences on any cards or on the card itself.
PLAIN = CardTextReader(Wording())
READERS: Mapping[str, CardTextReader] = {
    "dbs": CardTextReader(DBS),
    "optcg": CardTextReader(OPTCG),
    "bos": CardTextReader(BOS),
    "gundam": PLAIN,
    "fusion": CardTextReader(FUSION),
}


def read(game: str, card_type: str, text: str, back_text: str = "") -> tuple[Clause, ...]:
    """Return the clauses on deck construction of a card's text, from both faces and without duplicates.

    A sentence that looks like construction but cannot be parsed becomes a clause of kind `unread`. The text may contain
    HTML. `card_type` is ignored. For an unknown `game`, a parser without words for types and colours is used. The time
    is linear in the length of the text.
    """
    return READERS.get(game, PLAIN).read(text, back_text)


def keywords(clauses: Iterable[Clause]) -> tuple[str, ...]:
    """Return the construction keywords that a card has printed or gains without a condition, without duplicates."""
    found = [clause.keyword for clause in clauses if clause.kind == "keyword" and clause.keyword and not clause.when]
    return tuple(dict.fromkeys(found))
