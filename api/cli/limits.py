"""`deckproof limits`: the official limits list in force on a day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import click

from api.cli import Fault
from api.cli import console
from api.cli import options
from api.cli.console import Said
from api.cli.sync import sync_limits
from api.service import serializers
from validator.games import GAMES
from validator.games import game_of

_EPILOG = f"GAME is {options.one_of(GAMES)}."


class _Limits(click.Group):
    """A group in which `limits GAME` is `limits show GAME`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_Limits, subcommand_metavar="GAME | sync GAME", epilog=_EPILOG)
def command() -> None:
    """Show the official limits list of a day.

    --on and --region say which list, and --json writes JSON. `limits sync GAME` compares the list with the
    official page.
    """


command.add_command(sync_limits)


@command.command("show", epilog=_EPILOG)
@click.argument("game")
@options.ON
@options.REGION
@options.JSON
def show_limits(game: str, on: date | None, region: str | None, as_json: bool) -> None:
    """Show the official limits list of a day."""
    id = game_of(game).id
    try:
        found = serializers.limits_list(id, on or date.today(), region or "en")
    except ValueError as error:
        raise Fault(f"{error}.") from None
    if as_json:
        options.write_json(found)
    else:
        _show(found)


def _show(found: dict[str, Any]) -> None:
    console.say(_head(found))
    rows = [_row(one["number"], one["name"], one["limit"], one) for one in found["cards"]]
    for pair in found["pairs"]:
        one, other = pair["cards"]
        rows.append(_row(f"{one['number']} + {other['number']}", f"{one['name']} + {other['name']}", "pair", pair))
    if rows:
        console.table(["number", "name", "allowed", "since", "note"], rows)
    console.say(_foot(found))


def _head(found: dict[str, Any]) -> Iterator[Said]:
    if not found["cards"] and not found["pairs"]:
        yield Said(f"No limits list of {found['game']} is in force on {found['on']} ({found['region']}).", "title")
    else:
        yield Said(f"{found['title']}, as it is on {found['on']} ({found['region']})", "title")
    if found["rotation"]:
        rotation = found["rotation"]
        yield Said(f"The {rotation['format']} format takes the blocks {', '.join(rotation['blocks'])}.", "", 2)


def _foot(found: dict[str, Any]) -> Iterator[Said]:
    yield from (Said(source, "soft", 2) for source in found["sources"])
    if found["known_to"] and str(found["on"]) > str(found["known_to"]):
        hint = f"`deckproof limits sync {found['game']}` looks for later ones."
        yield Said(f"Announcements are known up to {found['known_to']}; {hint}", "warning", 2)


def _row(number: str, name: str, limit: int | str, entry: dict[str, Any]) -> tuple[object, ...]:
    allowed = {0: "banned", "pair": "not together"}.get(limit, limit)
    since = entry["effective_from"] or f"{entry['not_before']} to {entry['no_later_than']}"
    doubt = "may already be in force" if entry["severity"] != "error" else ""
    return number, name, allowed, since, doubt
