"""`deckproof cards clauses`: lists the deck-building clauses in card texts, parsed and not parsed."""

from __future__ import annotations

from typing import Any

import click

from api.cli import console, options
from validator.cards import Card, Clause


@click.command("clauses")
@click.argument("game", type=options.a_game(), metavar="GAME")
@click.option("--unread", is_flag=True, help="Only the texts that could not be read.")
@options.JSON
def list_clauses(game: str, unread: bool, as_json: bool) -> None:
    """List what card texts say of construction.

    What could not be read comes first: decks with such a card get a warning that cites it, and a new
    set shows here at once what it brings.
    """
    catalogue = options.library().catalogue(game)
    clauses = [(card, clause) for card in catalogue for clause in card.construction]
    clauses.sort(key=lambda pair: pair[1].kind != "unread")
    not_read = sum(clause.kind == "unread" for _, clause in clauses)
    shown = clauses[:not_read] if unread else clauses
    if as_json:
        options.write_json([{"number": card.number, "name": card.name, **clause.as_dict()} for card, clause in shown])
        return
    console.table(["number", "name", "kind", "what", "text"], (_table_row(*pair) for pair in shown))
    counts = f"{len(clauses) - not_read:,} clauses read, {not_read:,} texts not read"
    click.echo(f"{catalogue.snapshot}: {counts}.", err=True)


def _table_row(card: Card, clause: Clause) -> tuple[str, ...]:
    return card.number, card.name, clause.kind, _clause_values(clause), clause.text


def _clause_values(clause: Clause) -> str:
    """Return the values of a clause, without its kind and its text, in its public words."""
    return "; ".join(
        f"{key} {_value_text(value)}" for key, value in clause.as_dict().items() if key not in ("kind", "text")
    )


def _value_text(value: Any) -> str:
    """Return a value as text."""
    if value is None:
        return "any number"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_value_text(inner)}" for key, inner in value.items())
    return "/".join(map(_value_text, value)) if isinstance(value, list | tuple) else str(value)
