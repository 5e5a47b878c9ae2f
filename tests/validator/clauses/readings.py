"""Short words for the tests: what a sentence of each game says."""

from __future__ import annotations

from typing import Any

from validator.clauses import read

UNREAD = [{"kind": "unread"}]


def dbs(text: str) -> list[dict[str, Any]]:
    """What a [Permanent] skill of Dragon Ball Super says, without the words it says it in."""
    return said("dbs", f"[Permanent] {text}")


def optcg(text: str) -> list[dict[str, Any]]:
    """What a ONE PIECE text says, without the words it says it in."""
    return said("optcg", text)


def bos(text: str) -> list[dict[str, Any]]:
    """What a Battle of Souls text says, without the words it says it in."""
    return said("bos", text)


def said(game: str, text: str, back_text: str = "") -> list[dict[str, Any]]:
    """What a card's text says, without the words it says it in."""
    clauses = read(game, "", text, back_text)
    return [{key: value for key, value in clause.as_dict().items() if key != "text"} for clause in clauses]


def forbid(section: str = "main", when: Any = None, **match: Any) -> list[dict[str, Any]]:
    """A clause that bars cards; `not_` is the match's "not"."""
    tests = {key.rstrip("_"): value for key, value in match.items()}
    return [{"kind": "forbid", "match": tests, **_more(section, when)}]


def copies(limit: int | None, section: str = "main", when: Any = None) -> list[dict[str, Any]]:
    """A clause on the copies of the card itself."""
    return [{"kind": "copies", "limit": limit, **_more(section, when)}]


def pool(limit: int, section: str = "main", **match: Any) -> list[dict[str, Any]]:
    """A clause on the number of cards of a group."""
    return [{"kind": "pool", "match": match, "limit": limit, **_more(section, None)}]


def alias(when: Any = None, **added: Any) -> list[dict[str, Any]]:
    """A clause that adds something to cards."""
    return [{"kind": "alias", **added, **_more("main", when)}]


def _more(section: str, when: Any) -> dict[str, Any]:
    return {**({"section": section} if section != "main" else {}), **({"when": when} if when else {})}
