"""`deckproof limits`: the official limits list of a day, its comparison with the official page, and imports."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import click
from click.shell_completion import CompletionItem

from api.cli import ILLEGAL, CommandError, console, list_snapshots, options
from api.cli.console import OutputLine
from api.service.answers.limit_answers import LimitsJSON, ListedJSON, ListedPairJSON, limits_json
from validator.documents import Provisional
from validator.errors import error_sentence
from validator.games import GAMES, WITH_SITE
from validator.language import Language
from validator.words import format_name, join_with_or

_EPILOG = f"GAME is {join_with_or(tuple(GAMES))}."


class _Limits(click.Group):
    """The group of `deckproof limits`, in which `limits GAME` is short for `limits show GAME`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments and return the rest, as click does.

        "show" is added before them if the first one is neither a subcommand nor --help.
        """
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = ["show", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return completions of the word `incomplete`: ids of games that begin with it, then those of click.

        Games are found in any case. Those of click are subcommands and options.
        """
        games = [CompletionItem(game) for game in GAMES if game.startswith(incomplete.lower())]
        return [*games, *super().shell_complete(ctx, incomplete)]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of the subcommand `show`, whose name may be left out, and the subcommands to the help."""
        self.commands["show"].format_options(ctx, formatter)
        self.format_commands(ctx, formatter)


@click.group(cls=_Limits, subcommand_metavar="[OPTIONS] GAME | COMMAND", options_metavar="", epilog=_EPILOG)
def limits_command() -> None:
    """Show the official limits list of a day, or import lists.

    `limits sync GAME` compares the list with the official page.
    """


for _subcommand in list_snapshots.COMMANDS:
    limits_command.add_command(_subcommand)


@limits_command.command("show", epilog=_EPILOG)
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
        limits_list = limits_json(options.library().lists(game), on or date.today(), region or "en", best_of)
    except ValueError as error:
        raise CommandError(error_sentence(error)) from None
    if as_json:
        options.write_json(limits_list)
    else:
        _print_list(limits_list, translate)


@limits_command.command("sync", epilog=options.SYNC_EPILOG)
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

    changes = compare_limits(options.library().lists(game).listed, options.settings().site_access(game))
    if not changes:
        click.echo(translate("The limits list of {game} says what {source} says.", game=game, source=changes.source))
        return
    for line in changes.toml(translate).splitlines():
        click.echo(console.clean(line))
    if not accept:
        ctx.exit(ILLEGAL)
    list_snapshots.import_files([parse_file(f"sync of {changes.on}", changes.toml().encode())], translate)


def _print_list(limits_list: LimitsJSON, translate: Language) -> None:
    """Print a limits list: heading, a table with a row for each card, pair and group of pairs, and notes.

    Pairs of a group have no rows of their own. Without entries there is no table.
    """
    console.write(_heading_lines(limits_list, translate))
    rows = [_entry_row(one["number"], one["name"], one["limit"], one, translate) for one in limits_list["cards"]]
    groups: dict[str, list[ListedPairJSON]] = {}
    for pair in limits_list["pairs"]:
        if pair["group"]:
            groups.setdefault(pair["group"], []).append(pair)
            continue
        one, other = pair["cards"]
        rows.append(
            _entry_row(
                f"{one['number']} + {other['number']}", f"{one['name']} + {other['name']}", "pair", pair, translate
            )
        )
    rows += (_group_row(group, pairs, translate) for group, pairs in groups.items())
    if rows:
        headings = (
            *(translate("number"), translate("name"), translate("allowed")),
            translate("since"),
            translate("note"),
        )
        console.table(headings, rows)
    console.write(_footer_lines(limits_list, translate))


def _heading_lines(limits_list: LimitsJSON, translate: Language) -> Iterator[OutputLine]:
    """Yield the lines above the table: the title with day and region, and the blocks of the rotating format.

    The second line is missing if no format rotates on that day. For a list without entries, a sentence that no list is
    in force replaces the title.
    """
    terms = {"day": limits_list["on"], "region": limits_list["region"]}
    if not limits_list["cards"] and not limits_list["pairs"]:
        none = translate("No limits list of {game} is in force on {day} ({region}).", game=limits_list["game"], **terms)
        yield OutputLine(none, "title")
    else:
        yield OutputLine(
            translate("{title}, as of {day} ({region})", title=translate.text(limits_list["title"]), **terms), "title"
        )
    if limits_list["rotation"]:
        rotation = limits_list["rotation"]
        blocks = translate(
            "Blocks in the format {format}: {blocks}.",
            format=format_name(rotation["format"], translate),
            blocks=", ".join(rotation["blocks"]),
        )
        yield OutputLine(blocks, "", 2)


def _footer_lines(limits_list: LimitsJSON, translate: Language) -> Iterator[OutputLine]:
    """Yield the lines below the table: source addresses, gaps, provisional data.

    If the list is for a day after the last one whose announcements are known, a warning with that day follows. If the
    game has an official site, a hint on `limits sync` is added.
    """
    yield from (OutputLine(source, "soft", 2) for source in limits_list["sources"])
    if limits_list["note"]:
        yield OutputLine(translate.text(limits_list["note"]), "warning", 2)
    if "provisional" in limits_list:
        reason, missing = limits_list["provisional"]["reason"], limits_list["provisional"]["missing"]
        yield OutputLine(Provisional(reason, tuple(missing)).describe(translate), "warning", 2)
    if limits_list["known_to"] and str(limits_list["on"]) > str(limits_list["known_to"]):
        known = translate("Announcements are known up to {day}.", day=limits_list["known_to"])
        yield OutputLine(known, "warning", 2)
        if limits_list["game"] in WITH_SITE:
            hint = translate("`deckproof limits sync {game}` finds later ones.", game=limits_list["game"])
            yield OutputLine(hint, "warning", 2)


def _entry_row(
    number: str, name: str, limit: int | str, entry: ListedJSON | ListedPairJSON, translate: Language
) -> tuple[object, ...]:
    """Return the table row of a card or a pair: number, name, limit in words, first day, doubts.

    `limit` is the number of copies (0: banned), or "pair". The doubts are that the entry may not apply yet, and that
    its source is not certain (with its note). "" without doubts.
    """
    allowed = {0: translate("banned"), "pair": translate("not together")}.get(limit, limit)
    doubts = [translate("may already apply")] if entry["severity"] != "error" else []
    if entry["confidence"] != "high":
        doubts += [translate("not certain"), *filter(None, [translate.text(entry["note"] or "")])]
    return number, name, allowed, _first_day_text(entry, translate), "; ".join(doubts)


def _group_row(group: str, pairs: list[ListedPairJSON], translate: Language) -> tuple[object, ...]:
    """Return the table row of a group of cards, of which a deck may have only one number.

    It has the sorted numbers, the name `group`, "one number", the first day, and "". `pairs` are all banned pairs of
    the group. The first day is that of the earliest pair.
    """
    numbers = sorted({card["number"] for pair in pairs for card in pair["cards"]})
    first = min(pairs, key=lambda pair: str(pair["effective_from"] or pair["not_before"]))
    return ", ".join(numbers), translate.template(group), translate("one number"), _first_day_text(first, translate), ""


def _first_day_text(entry: ListedJSON | ListedPairJSON, translate: Language) -> str:
    """Return the first day of an entry as text. If it is not known, return "FIRST to LAST" with the possible days."""
    if entry["effective_from"]:
        return translate.day(entry["effective_from"])
    return translate("{first} to {last}", first=entry["not_before"], last=entry["no_later_than"])
