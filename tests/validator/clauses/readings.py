"""The parsed clauses of texts, without their words, and the clauses that tests expect."""

from __future__ import annotations

from typing import Any

from validator.clauses import read

UNREAD = [{"kind": "unread"}]


def read_dbs(text: str) -> list[dict[str, Any]]:
    """Return the clauses of a [Permanent] skill of Dragon Ball Super in their JSON form, without the texts."""
    return read_clauses("dbs", f"[Permanent] {text}")


def read_optcg(text: str) -> list[dict[str, Any]]:
    """Return the clauses of a ONE PIECE text in their JSON form, without the texts."""
    return read_clauses("optcg", text)


def read_bos(text: str) -> list[dict[str, Any]]:
    """Return the clauses of a Battle of Souls text in their JSON form, without the texts."""
    return read_clauses("bos", text)


def read_clauses(game: str, text: str, back_text: str = "") -> list[dict[str, Any]]:
    """Return the clauses of a card's text in their JSON form, without the texts."""
    clauses = read(game, "", text, back_text)
    return [{key: value for key, value in clause.as_dict().items() if key != "text"} for clause in clauses]


def forbid_clause(section: str = "main", condition: Any = None, **match: Any) -> list[dict[str, Any]]:
    """Return a list with a clause that bars cards. `condition` is a match on the Leader.

    `not_` in `match` is the test "not".
    """
    tests = {key.rstrip("_"): value for key, value in match.items()}
    return [{"kind": "forbid", "match": tests, **_optional_keys(section, condition)}]


def copies_clause(limit: int | None, section: str = "main", condition: Any = None) -> list[dict[str, Any]]:
    """Return a list with a clause on the copies of the card itself. The limit None is any number."""
    return [{"kind": "copies", "limit": limit, **_optional_keys(section, condition)}]


def pool_clause(limit: int, section: str = "main", **match: Any) -> list[dict[str, Any]]:
    """Return a list with a clause on the number of cards that fit a match."""
    return [{"kind": "pool", "match": match, "limit": limit, **_optional_keys(section, None)}]


def alias_clause(condition: Any = None, **added: Any) -> list[dict[str, Any]]:
    """Return a list with a clause that adds names, traits, colours or other values to cards."""
    return [{"kind": "alias", **added, **_optional_keys("main", condition)}]


def _optional_keys(section: str, condition: Any) -> dict[str, Any]:
    """Return the keys `section` and `when` of a clause, without those that have the default value."""
    return {**({"section": section} if section != "main" else {}), **({"when": condition} if condition else {})}
