"""`deckproof limits`: the official limits list of a day, its comparison with the official page, and imports."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import click
from click.shell_completion import CompletionItem

from api.cli import ILLEGAL, CommandError, console, list_snapshots, options
from api.cli.console import OutputLine
from api.cli.snapshots import site_access
from api.service.answers.limit_answers import LimitsJSON, ListedJSON, ListedPairJSON, limits_json
from validator.errors import error_text
from validator.games import GAMES, WITH_SITE
from validator.language import Language
from validator.provisional import Provisional
from validator.words import format_name

_EPILOG = f"GAME is {options.one_of(GAMES)}."
_SYNC_EPILOG = f"GAME is {options.one_of(WITH_SITE)}."


class _Limits(click.Group):
    """A group in which `limits GAME` is `limits show GAME`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. `limits GAME` is short for `limits show GAME`."""
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


@click.group(cls=_Limits, subcommand_metavar="[OPTIONS] GAME | COMMAND", options_metavar="", epilog=_EPILOG)
def command() -> None:
    """Show the official limits list of a day, or import lists.

    `limits sync GAME` compares the list with the official page.
    """


for _subcommand in list_snapshots.COMMANDS:
    command.add_command(_subcommand)


@command.command("show", epilog=_EPILOG)
@click.argument("game", type=options.a_game(), metavar="GAME")
@options.ON
@options.REGION
@options.BEST_OF
@options.JSON
@options.LANG
def show_limits(
    game: str, on: date | None, region: str | None, best_of: int | None, as_json: bool, translate: Language
) -> None:
    """Show the official limits list of a day."""
    try:
        listed = limits_json(options.library().lists(game), on or date.today(), region or "en", best_of)
    except ValueError as error:
        raise CommandError(translate("{sentence}.", sentence=translate.text(error_text(error)))) from None
    if as_json:
        options.write_json(listed)
    else:
        _show(listed, translate)


@command.command("sync", epilog=_SYNC_EPILOG)
@click.argument("game", type=options.a_game(WITH_SITE), metavar="GAME")
@click.option("--accept", is_flag=True, help="Import the differences. Review them without --accept first.")
@options.LANG
@click.pass_context
def sync_limits(ctx: click.Context, game: str, accept: bool, translate: Language) -> None:
    """Compare with the official page.

    The differences between the list of a GAME and its official page are written as a list file, to be reviewed and
    imported. Nothing is changed without --accept. Ends with 0 if they agree or were imported, 1 if they differ.
    """
    from carddb.list_files import parse_file
    from carddb.sync.card_sync import compare_limits

    changes = compare_limits(options.library().lists(game).listed, site_access(game))
    if not changes:
        click.echo(translate("The limits list of {game} says what {source} says.", game=game, source=changes.source))
        return
    for line in changes.toml(translate).splitlines():
        click.echo(console.clean(line))
    if not accept:
        ctx.exit(ILLEGAL)
    list_snapshots.import_files([parse_file(f"sync of {changes.on}", changes.toml().encode())], translate)


def _show(listed: LimitsJSON, translate: Language) -> None:
    """Print a limits list as a table, with a row for each card and each group of pairs."""
    console.write(_head(listed, translate))
    rows = [_row(one["number"], one["name"], one["limit"], one, translate) for one in listed["cards"]]
    groups: dict[str, list[ListedPairJSON]] = {}
    for pair in listed["pairs"]:
        if pair["group"]:
            groups.setdefault(pair["group"], []).append(pair)
            continue
        one, other = pair["cards"]
        rows.append(
            _row(f"{one['number']} + {other['number']}", f"{one['name']} + {other['name']}", "pair", pair, translate)
        )
    rows += (_group(group, pairs, translate) for group, pairs in groups.items())
    if rows:
        headings = (
            *(translate("number"), translate("name"), translate("allowed")),
            translate("since"),
            translate("note"),
        )
        console.table(headings, rows)
    console.write(_foot(listed, translate))


def _head(listed: LimitsJSON, translate: Language) -> Iterator[OutputLine]:
    """Yield the lines above the table: the title, and the blocks of the rotating format."""
    terms = {"day": listed["on"], "region": listed["region"]}
    if not listed["cards"] and not listed["pairs"]:
        none = translate("No limits list of {game} is in force on {day} ({region}).", game=listed["game"], **terms)
        yield OutputLine(none, "title")
    else:
        yield OutputLine(
            translate("{title}, as of {day} ({region})", title=translate.text(listed["title"]), **terms), "title"
        )
    if listed["rotation"]:
        rotation = listed["rotation"]
        blocks = translate(
            "Blocks in the format {format}: {blocks}.",
            format=format_name(rotation["format"], translate),
            blocks=", ".join(rotation["blocks"]),
        )
        yield OutputLine(blocks, "", 2)


def _foot(listed: LimitsJSON, translate: Language) -> Iterator[OutputLine]:
    """Yield the lines below the table: sources, gaps, provisional data, and the last known day."""
    yield from (OutputLine(source, "soft", 2) for source in listed["sources"])
    if listed["note"]:
        yield OutputLine(translate.text(listed["note"]), "warning", 2)
    if "provisional" in listed:
        reason, missing = listed["provisional"]["reason"], listed["provisional"]["missing"]
        yield OutputLine(Provisional(reason, tuple(missing)).describe(translate), "warning", 2)
    if listed["known_to"] and str(listed["on"]) > str(listed["known_to"]):
        known = translate("Announcements are known up to {day}.", day=listed["known_to"])
        yield OutputLine(known, "warning", 2)
        if listed["game"] in WITH_SITE:
            hint = translate("`deckproof limits sync {game}` finds later ones.", game=listed["game"])
            yield OutputLine(hint, "warning", 2)


def _row(
    number: str, name: str, limit: int | str, entry: ListedJSON | ListedPairJSON, translate: Language
) -> tuple[object, ...]:
    """Return the table row of a card or a pair. `limit` is the number of copies, or "pair"."""
    allowed = {0: translate("banned"), "pair": translate("not together")}.get(limit, limit)
    doubts = [translate("may already apply")] if entry["severity"] != "error" else []
    if entry["confidence"] != "high":
        doubts += [translate("not certain"), *filter(None, [translate.text(entry["note"] or "")])]
    return number, name, allowed, _since(entry, translate), "; ".join(doubts)


def _group(group: str, pairs: list[ListedPairJSON], translate: Language) -> tuple[object, ...]:
    """Return the row of cards of which no two may be in one deck, since the first of them."""
    numbers = sorted({card["number"] for pair in pairs for card in pair["cards"]})
    first = min(pairs, key=lambda pair: str(pair["effective_from"] or pair["not_before"]))
    return ", ".join(numbers), translate.template(group), translate("one number"), _since(first, translate), ""


def _since(entry: ListedJSON | ListedPairJSON, translate: Language) -> str:
    """Return the first day of an entry, or its earliest and latest possible day."""
    if entry["effective_from"]:
        return translate.day(entry["effective_from"])
    return translate("{first} to {last}", first=entry["not_before"], last=entry["no_later_than"])
