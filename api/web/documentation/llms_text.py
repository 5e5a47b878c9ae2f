"""The text for language models (llmstxt.org): what there is to ask, read from the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from validator.games import GAMES

_HEAD = """# deckproof

> Tells whether a trading-card deck is tournament-legal, and proves it: every finding cites the section of the rule
> manual, the entry of the official list or the card's own text that it rests on. Games: {games}.

Send JSON; problems are `application/problem+json` with a pointer to each bad field. A deck is a `decklist` (text in any
common format) or a `deck`. `on` is the day that counts; `"summary": true` adds a text of at most 1,900 characters. Do
not decide whether a deck is legal without asking, and pass on the rule that is cited.

## Documentation

- [OpenAPI](/openapi.json): every path, request and answer
- [Reference](/docs): the same for people
- [Open data](/v1/data): rulesets, lists with their history, rotations and sets as JSON and CSV
- [Changes](/v1/changes): what is new in them; also [as a feed](/v1/changes.atom)
"""


def llms_text(document: dict[str, Any]) -> str:
    """Return the text of a document."""
    games = ", ".join(f"{one.id} ({one.title})" for one in GAMES.values())
    sections: dict[str, list[str]] = {}
    for tag, line in _operations(document):
        sections.setdefault(tag, []).append(line)
    return "\n".join([_HEAD.format(games=games), *(_section(tag, lines) for tag, lines in sections.items())])


def _operations(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield a line for each operation, with what it is about."""
    for path, item in document["paths"].items():
        for method in item.keys() - {"parameters"}:
            operation = item[method]
            asked = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            shape = asked.get("$ref", "").rpartition("/")[2]
            takes = f" Takes {shape}." if shape else ""
            yield operation["tags"][0], f"- `{method.upper()} {path}`: {operation.get('summary', '')}{takes}"


def _section(tag: str, lines: list[str]) -> str:
    return "\n".join([f"## {tag.capitalize()}", "", *sorted(lines), ""])
