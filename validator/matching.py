"""Matches: what a clause reaches, as data, and whether a card is meant.

A match is a mapping; everything in it must hold. The tests, each a list of which one must hold:
`type`, `color`, `trait`, `character`, `name`, `keyword` compare whole texts (dbs 2-3-1-1, 2-10-1-1;
a part counts only where the card says so: `trait_part`, `name_part`, `character_part`).
`cost` is {"min": n, "max": n}, either may be missing. `multicolor` is true or false.
`not` takes a match, `any` and `all` take lists of matches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from validator.cards import Card, Clause
from validator.texts import INVISIBLE, nfkc

_Test = Callable[[Any, "Profile"], bool | None]

# What a Z-Card is besides itself (Zenkai Q&A, Basic Q17 to Q19: rules on Battle Cards reach Z-Battle Cards).
_ALSO = {"z-battle": "battle", "z-extra": "extra", "z-leader": "leader", "z-unison": "unison"}


def folded(text: str) -> str:
    """Return a text as it is compared: NFKC, no case, single blanks, one kind of quote and dash, nothing unseen."""
    return _remembered(text) if len(text) <= _SHORT else _folded(text)


def _folded(text: str) -> str:
    text = nfkc(text).casefold()
    if not text.isascii():  # as few names are
        text = text.translate(_SAME)
    return _close_colon(" ".join(text.split()))


# Names, traits and keywords are short, few and asked for again with every deck.
_SHORT = 100
_remembered = lru_cache(maxsize=1 << 15)(_folded)
_SAME = INVISIBLE | str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-"}
)


def _close_colon(text: str) -> str:
    # "Son Gohan : Adolescence" in skill texts is "Son Gohan: Adolescence" on the card list.
    return text.replace(" :", ":").replace(": ", ":")


@dataclass(frozen=True, slots=True)
class Profile:
    """A card as construction sees it: its own facts and what texts add to them, ready to compare."""

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
    """Return a card's facts, both faces, with what the `alias` and `keyword` clauses add to it."""
    kind = card.type.casefold()
    found = {
        "types": {kind, _ALSO.get(kind, kind)},
        "colors": _fold(card.colors),
        "traits": _fold(card.traits + card.back_traits),
        "characters": _fold(card.characters + card.back_characters),
        "names": _fold(name for name in (card.name, card.back_name) if name),
        "keywords": _fold(card.keywords),
    }
    for clause in added:
        for key, values in found.items():
            values |= _fold(getattr(clause, key))
        if clause.kind == "keyword" and clause.keyword:
            found["keywords"].add(folded(clause.keyword))
    # A card is multicolour by its own colours, whatever it gains (dbs-4.00 1-8-1-1-1-2, 1-8-1-2-1).
    own = {key: frozenset(values) for key, values in found.items()}
    return Profile(**own, cost=card.cost, multicolor=len(card.colors) > 1, unknown=frozenset(card.unknown))


def _fold(texts: Iterable[str]) -> set[str]:
    return {folded(text) for text in texts}


def matches(match: Mapping[str, Any], card: Profile) -> bool | None:
    """Tell whether a card is meant by a match; None where that hangs on a fact that nobody knows."""
    return _every(_TESTS[key](value, card) for key, value in match.items())


def holds(clause: Clause, leader: Card | None) -> bool | None:
    """Tell whether a clause's condition on the Leader is met, None as in `matches`; without a Leader none is."""
    if clause.when is None:
        return True
    return False if leader is None else matches(clause.when, profile(leader))


def check_match(match: Any) -> None:
    """Raise a ValueError that says what is wrong with a match, if anything is."""
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


def _every(answers: Iterable[bool | None]) -> bool | None:
    """What the parts of a match say together: one No is enough, and then what is not known."""
    known = list(answers)
    return False if False in known else None if None in known else True


def _not(answer: bool | None) -> bool | None:
    return None if answer is None else not answer


def _one_of(field: str, fact: str = "") -> _Test:
    def test(texts: Any, card: Profile) -> bool | None:
        if not getattr(card, field).isdisjoint(map(folded, texts)):
            return True
        return None if fact in card.unknown else False

    return test


def _part_of(field: str) -> _Test:
    def test(texts: Any, card: Profile) -> bool:
        return any(folded(text) in value for text in texts for value in getattr(card, field))

    return test


def _cost(bounds: Any, card: Profile) -> bool | None:
    if card.cost is None:
        return None if "cost" in card.unknown else False
    return bool(bounds.get("min", card.cost) <= card.cost <= bounds.get("max", card.cost))


def _multicolor(wanted: Any, card: Profile) -> bool | None:
    return None if "colors" in card.unknown else card.multicolor is wanted


_TESTS: dict[str, _Test] = {
    "type": _one_of("types", "type"),
    "color": _one_of("colors", "colors"),
    "trait": _one_of("traits"),
    "character": _one_of("characters"),
    "name": _one_of("names"),
    "keyword": _one_of("keywords"),
    "trait_part": _part_of("traits"),
    "character_part": _part_of("characters"),
    "name_part": _part_of("names"),
    "cost": _cost,
    "multicolor": _multicolor,
    "not": lambda match, card: _not(matches(match, card)),
    "any": lambda parts, card: _not(_every(_not(matches(part, card)) for part in parts)),
    "all": lambda parts, card: _every(matches(part, card) for part in parts),
}
