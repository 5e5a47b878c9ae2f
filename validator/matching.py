"""Matches: the cards that a clause applies to, as data, and the test of a card against them.

A match is a mapping of tests, and a card must pass all of them. The tests `type`, `color`, `trait`, `character`, `name`
and `keyword` are lists of whole texts. The card must have one of them (dbs 2-3-1-1, 2-10-1-1). A part of a text counts
only if the clause is about parts: `trait_part`, `name_part`, `character_part`. `cost` is {"min": n, "max": n}, and
either may be missing. `multicolor` is true or false. `not` takes a match, `any` and `all` take lists of matches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from validator.cards import Card, Clause, Match
from validator.texts import INVISIBLE, nfkc

_Test = Callable[[Any, "Profile"], bool | None]

# The type of card that a Z-Card is, too (Zenkai Q&A, Basic Q17 to Q19: rules on Battle Cards reach Z-Battle Cards).
_BASE_TYPES = {"z-battle": "battle", "z-extra": "extra", "z-leader": "leader", "z-unison": "unison"}


def fold_text(text: str) -> str:
    """Return a text normalised for comparison. Results for short texts are cached.

    NFKC, no case, single blanks, none beside a colon, one kind of quote and dash, no invisible characters.
    """
    return _fold_text_cached(text) if len(text) <= _SHORT else _fold_text(text)


def _fold_text(text: str) -> str:
    """Return a text normalised as by `fold_text`, without a cache."""
    text = nfkc(text).casefold()
    if not text.isascii():  # only few names have such characters
        text = text.translate(_SAME)
    # "Son Gohan : Adolescence" in skill texts is "Son Gohan: Adolescence" on the card list.
    return " ".join(text.split()).replace(" :", ":").replace(": ", ":")


# Names, traits and keywords are short and few, and are folded again for every deck.
_SHORT = 100
_fold_text_cached = lru_cache(maxsize=1 << 15)(_fold_text)
_SAME = INVISIBLE | str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-"}
)


@dataclass(frozen=True, slots=True)
class Profile:
    """The facts of a card for deck construction: its own, and those that clauses add. Its texts are folded.

    `multicolor` depends only on its own colours. `cost` is None if the card has none, or an X, or if it is unknown.
    `unknown` are the names of the facts, such as "colors", that the source lacks.
    """

    types: frozenset[str]
    colors: frozenset[str]
    traits: frozenset[str]
    characters: frozenset[str]
    names: frozenset[str]
    keywords: frozenset[str]
    cost: int | None
    multicolor: bool
    unknown: frozenset[str] = frozenset()


def profile(card: Card, added: Iterable[Clause] = ()) -> Profile:
    """Return the facts of both faces of a card, with the facts that the clauses `added` give to it, all folded.

    `alias` clauses add names, traits and so on, `keyword` clauses a keyword. A card is multicolour by its own colours
    only. A Z-Card has its base type, too.
    """
    kind = card.type.casefold()
    found = {
        "types": {kind, _BASE_TYPES.get(kind, kind)},
        "colors": _fold_texts(card.colors),
        "traits": _fold_texts(card.traits + card.back_traits),
        "characters": _fold_texts(card.characters + card.back_characters),
        "names": _fold_texts(name for name in (card.name, card.back_name) if name),
        "keywords": _fold_texts(card.keywords),
    }
    for clause in added:
        for key, values in found.items():
            values |= _fold_texts(getattr(clause, key))
        if clause.kind == "keyword" and clause.keyword:
            found["keywords"].add(fold_text(clause.keyword))
    # A card is multicolour by its own colours, whatever it gains (dbs-4.00 1-8-1-1-1-2, 1-8-1-2-1).
    own = {key: frozenset(values) for key, values in found.items()}
    return Profile(**own, cost=card.cost, multicolor=len(card.colors) > 1, unknown=frozenset(card.unknown))


def _fold_texts(texts: Iterable[str]) -> set[str]:
    """Return the set of these texts, each normalised by `fold_text`."""
    return {fold_text(text) for text in texts}


def matches(match: Match, card: Profile) -> bool | None:
    """Return True if a card passes every test of a match, False if it fails one. Every card passes {}.

    None if that depends on an unknown fact of the card. Raises KeyError for an unknown test.
    """
    return _combine_answers(_TESTS[key](value, card) for key, value in match.items())


def holds(clause: Clause, leader: Card | None) -> bool | None:
    """Return True if a clause's condition on the Leader is met, or if it has none. None if an unknown fact decides.

    False if there is a condition and no Leader. Facts that the Leader gains by card texts do not count.
    """
    if clause.when is None:
        return True
    return False if leader is None else matches(clause.when, profile(leader))


def check_match(match: Any) -> None:
    """Raise ValueError if a match is no mapping, has no test, or has an unknown one.

    Matches inside of it are checked too, but no other values.
    """
    if not isinstance(match, Mapping) or not match:
        raise ValueError(f"a match is a mapping with at least one test, not {match!r}")
    for key, value in match.items():
        if key not in _TESTS:
            raise ValueError(f"a match has no test {key!r}; it has {', '.join(sorted(_TESTS))}")
        if key == "not":
            check_match(value)
        elif key in ("any", "all"):
            for part in value:
                check_match(part)


def _combine_answers(answers: Iterable[bool | None]) -> bool | None:
    """Return False if some answer is False, else None if some answer is None, else True."""
    known = list(answers)
    return False if False in known else None if None in known else True


def _negate(answer: bool | None) -> bool | None:
    """Return the opposite of an answer. An unknown answer (None) stays unknown."""
    return None if answer is None else not answer


def _make_text_test(field: str, fact: str = "") -> _Test:
    """Return a test for cards that have one of several texts among the values of a Profile's `field`.

    If a card has none of them and `fact` is unknown for the card, the test returns None. With "" it never does.
    """

    def test(texts: Any, card: Profile) -> bool | None:
        """Return True if the card has one of the texts. Else None if the fact is unknown for the card, else False."""
        if not getattr(card, field).isdisjoint(map(fold_text, texts)):
            return True
        return None if fact in card.unknown else False

    return test


def _make_part_test(field: str) -> _Test:
    """Return a test for cards with a value of a Profile's `field` that contains one of several parts."""

    def test(texts: Any, card: Profile) -> bool:
        """Return True if one of the texts is part of a value of the card."""
        return any(fold_text(text) in value for text in texts for value in getattr(card, field))

    return test


def _test_cost(bounds: Any, card: Profile) -> bool | None:
    """Return True if the cost is from `bounds["min"]` to `bounds["max"]`. A missing bound sets no limit.

    None if the cost is unknown, False if the card has none.
    """
    if card.cost is None:
        return None if "cost" in card.unknown else False
    return bool(bounds.get("min", card.cost) <= card.cost <= bounds.get("max", card.cost))


def _test_multicolor(value: Any, card: Profile) -> bool | None:
    """Return True if a card has several colours and `value` is True, or has not and it is False.

    None for unknown colours.
    """
    return None if "colors" in card.unknown else card.multicolor is value


_TESTS: dict[str, _Test] = {
    "type": _make_text_test("types", "type"),
    "color": _make_text_test("colors", "colors"),
    "trait": _make_text_test("traits"),
    "character": _make_text_test("characters"),
    "name": _make_text_test("names"),
    "keyword": _make_text_test("keywords"),
    "trait_part": _make_part_test("traits"),
    "character_part": _make_part_test("characters"),
    "name_part": _make_part_test("names"),
    "cost": _test_cost,
    "multicolor": _test_multicolor,
    "not": lambda match, card: _negate(matches(match, card)),
    "any": lambda parts, card: _negate(_combine_answers(_negate(matches(part, card)) for part in parts)),
    "all": lambda parts, card: _combine_answers(matches(part, card) for part in parts),
}
