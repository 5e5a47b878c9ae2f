"""`deckproof limits`: the official limits list in force on a day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import click
from click.shell_completion import CompletionItem

from api.cli import CommandError, console, options
from api.cli.console import OutputLine
from api.cli.sync import sync_limits
from api.service.answers.limit_answers import LimitsJSON, ListedJSON, ListedPairJSON, limits_json
from validator.games import GAMES, WITH_SITE

_EPILOG = f"GAME is {options.one_of(GAMES)}."


class _Limits(click.Group):
    """A group in which `limits GAME` is `limits show GAME`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = ["show", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a game as that of a command."""
        games = [CompletionItem(game) for game in GAMES if game.startswith(incomplete.lower())]
        return [*games, *super().shell_complete(ctx, incomplete)]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of `show`, whose name may be left out."""
        self.commands["show"].format_options(ctx, formatter)
        self.format_commands(ctx, formatter)


@click.group(cls=_Limits, subcommand_metavar="[OPTIONS] GAME | sync GAME", options_metavar="", epilog=_EPILOG)
def command() -> None:
    """Show the official limits list of a day.

    `limits sync GAME` compares the list with the official page.
    """


command.add_command(sync_limits)


@command.command("show", epilog=_EPILOG)
@click.argument("game", type=options.a_game(), metavar="GAME")
@options.ON
@options.REGION
@options.BEST_OF
@options.JSON
def show_limits(game: str, on: date | None, region: str | None, best_of: int | None, as_json: bool) -> None:
    """Show the official limits list of a day."""
    try:
        listed = limits_json(game, on or date.today(), region or "en", best_of)
    except ValueError as error:
        raise CommandError(f"{error}.") from None
    if as_json:
        options.write_json(listed)
    else:
        _print_list(listed)


def _print_list(listed: LimitsJSON) -> None:
    """Print a limits list."""
    console.say(_head_lines(listed))
    rows = [_entry_row(card["number"], card["name"], card["limit"], card) for card in listed["cards"]]
    groups: dict[str, list[ListedPairJSON]] = {}
    for pair in listed["pairs"]:
        if pair["group"]:
            groups.setdefault(pair["group"], []).append(pair)
            continue
        card, other = pair["cards"]
        rows.append(
            _entry_row(f"{card['number']} + {other['number']}", f"{card['name']} + {other['name']}", "pair", pair)
        )
    rows += (_group_row(group, pairs) for group, pairs in groups.items())
    if rows:
        console.table(["number", "name", "allowed", "since", "note"], rows)
    console.say(_foot_lines(listed))


def _head_lines(listed: LimitsJSON) -> Iterator[OutputLine]:
    """Yield the title of a limits list, and the rotation of its format."""
    if not listed["cards"] and not listed["pairs"]:
        yield OutputLine(
            f"No limits list of {listed['game']} is in force on {listed['on']} ({listed['region']}).", "title"
        )
    else:
        yield OutputLine(f"{listed['title']}, as it is on {listed['on']} ({listed['region']})", "title")
    if listed["rotation"]:
        rotation = listed["rotation"]
        yield OutputLine(f"The {rotation['format']} format takes the blocks {', '.join(rotation['blocks'])}.", "", 2)


def _foot_lines(listed: LimitsJSON) -> Iterator[OutputLine]:
    """Yield the sources and the note of a limits list, and a warning if it may be out of date."""
    yield from (OutputLine(source, "soft", 2) for source in listed["sources"])
    if listed["note"]:
        yield OutputLine(listed["note"], "warning", 2)
    if listed["known_to"] and str(listed["on"]) > str(listed["known_to"]):
        can_look = listed["game"] in WITH_SITE
        hint = f"; `deckproof limits sync {listed['game']}` looks for later ones" if can_look else ""
        yield OutputLine(f"Announcements are known up to {listed['known_to']}{hint}.", "warning", 2)


def _entry_row(number: str, name: str, limit: int | str, entry: ListedJSON | ListedPairJSON) -> tuple[object, ...]:
    """Return the table row of a card or a pair."""
    allowed = {0: "banned", "pair": "not together"}.get(limit, limit)
    doubts = ["may already be in force"] if entry["severity"] != "error" else []
    if entry["confidence"] != "high":
        doubts += [f"of {entry['confidence']} confidence", *filter(None, [entry["note"]])]
    doubt = "; ".join(doubts)
    return number, name, allowed, _first_day(entry), doubt


def _group_row(group: str, pairs: list[ListedPairJSON]) -> tuple[object, ...]:
    """Return the table row of a group of cards, of which a deck may contain only one. Its day is the earliest."""
    numbers = sorted({card["number"] for pair in pairs for card in pair["cards"]})
    return ", ".join(numbers), group, "one number", min(map(_first_day, pairs)), ""


def _first_day(entry: ListedJSON | ListedPairJSON) -> str:
    """Return the first day of an entry, or the two days between which it lies."""
    return str(entry["effective_from"] or f"{entry['not_before']} to {entry['no_later_than']}")
