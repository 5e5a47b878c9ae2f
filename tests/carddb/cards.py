"""Cards and tables for the tests of the card database, in few words."""

from collections.abc import Iterable, Mapping

from validator.cards import Card


def card(number: str = "OP01-016", name: str = "Nami", type: str = "Character", game: str = "optcg", **facts) -> Card:
    return Card(game, number, name, type, **facts)


def some_cards(count: int, game: str = "dbs") -> list[Card]:
    """Return `count` different red Battle cards."""
    return [card(f"BT1-{at:03d}", f"Fighter {at}", "Battle", game, colors=("Red",)) for at in range(1, count + 1)]


def table(rows: Iterable[Mapping[str, str]]) -> bytes:
    """A CSV of these rows, with the columns of the first."""
    rows = list(rows)
    lines = [",".join(rows[0]), *(",".join(f'"{cell}"' for cell in row.values()) for row in rows)]
    return "\n".join(lines).encode()
