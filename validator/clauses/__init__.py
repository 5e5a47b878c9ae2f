"""What card texts say about construction: text -> typed clauses, a small grammar per game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from validator.cards import Clause
from validator.clauses.reader import Reader
from validator.clauses.wording import BOS, DBS, OPTCG, Wording

# The reader's version: clauses kept from an older one are to be read again.
VERSION = 2

# For a game without words of its own: what is said of any cards, or of the card itself.
PLAIN = Reader(Wording())
READERS: Mapping[str, Reader] = {"dbs": Reader(DBS), "optcg": Reader(OPTCG), "bos": Reader(BOS), "gundam": PLAIN}


def read(game: str, card_type: str, text: str, back_text: str = "") -> tuple[Clause, ...]:
    """Return what a card's text says about deck construction, both faces read and each thing said once.

    A sentence that looks like construction and is not understood is a clause of kind `unread`, in any
    game. Any text is taken, with or without HTML; the time is linear in its length.
    """
    return READERS.get(game, PLAIN).read(text, back_text)


def keywords(clauses: Iterable[Clause]) -> tuple[str, ...]:
    """Return the construction keywords that a card has printed or gains without condition."""
    found = [clause.keyword for clause in clauses if clause.kind == "keyword" and clause.keyword and not clause.when]
    return tuple(dict.fromkeys(found))
