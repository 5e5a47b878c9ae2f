"""`deckproof cards sync` and `limits sync`: fetches from the official sites, and compares."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from api.cli import ILLEGAL, CommandError, console, options
from api.cli.snapshots import count_differences, note, shorten
from validator.games import WITH_SITE

if TYPE_CHECKING:
    from carddb.sync.card_sync import Access, Step
    from carddb.sync.log import Outcome

_EPILOG = f"GAME is {options.one_of(WITH_SITE)}."


@click.command("sync", epilog=_EPILOG)
@click.argument("game", type=options.a_game(WITH_SITE), metavar="GAME")
@click.option("--dry-run", is_flag=True, help="Fetch and compare, and change nothing.")
def sync_cards(game: str, dry_run: bool) -> None:
    """Fetch the official card list.

    The whole list of a GAME becomes the current snapshot. A list that looks wrong beside
    the current one is kept aside, and the command fails. A sync that breaks off has changed nothing; the
    same command goes on where it stopped.
    """
    from carddb.sync.card_sync import sync

    access = _access(game)
    try:
        with _show_progress() as progress:
            outcome = sync(game, options.library().store(), access, progress, dry_run)
    except KeyboardInterrupt:
        click.echo("Stopped; the same command goes on from here.", err=True)
        raise
    note(outcome.notices)
    note(outcome.warnings, "Warning")
    _print_outcome(game, outcome)


def _print_outcome(game: str, outcome: Outcome) -> None:
    """Print the outcome of a sync. Raises CommandError if its cards look wrong."""
    read = f"{outcome.cards:,} cards of {game} from {outcome.pages} packs ({count_differences(outcome.diff)})"
    if outcome.refused:
        raise CommandError("\n".join([f"{read}: this looks wrong.", *shorten(outcome.doubts), _refusal_hint(outcome)]))
    note(outcome.doubts, "Warning")
    if outcome.snapshot is None:
        click.echo(f"Read {read}; nothing was changed.")
    elif outcome.snapshot.new:
        click.echo(f"Imported {read} as snapshot {outcome.snapshot.id}.")
    else:
        click.echo(f"Nothing new: the {outcome.cards:,} cards of {game} are snapshot {outcome.snapshot.id}.")


def _refusal_hint(outcome: Outcome) -> str:
    """Return a hint on what a user can do with a refused snapshot."""
    if outcome.snapshot is None:
        return "Nothing was changed."
    kept = outcome.snapshot.id
    return (
        f"The current snapshot stays; what was found is kept as {kept}. `deckproof cards diff` compares them, "
        f"`deckproof cards use {kept} --force` takes it all the same."
    )


@contextmanager
def _show_progress() -> Iterator[Callable[[Step], None]]:
    """Yield a function to call after each page. It moves a bar on a terminal, and writes lines elsewhere."""
    if sys.stderr.isatty():
        from api.cli.progress import draw_page_bar

        with draw_page_bar() as move:
            yield lambda step: move(step.done, step.total, step.pack)
    else:
        yield _print_step


def _print_step(step: Step) -> None:
    """Write a line on a fetched page to standard error."""
    suffix = " (kept from before)" if step.kept else ""
    click.echo(f"{step.done}/{step.total} {console.clean(step.pack)}{suffix}", err=True)


@click.command("sync", epilog=_EPILOG)
@click.argument("game", type=options.a_game(WITH_SITE), metavar="GAME")
@click.pass_context
def sync_limits(ctx: click.Context, game: str) -> None:
    """Compare with the official page.

    What the official page of a GAME says otherwise is written as changes for the list's
    file, to be reviewed and put in by hand; nothing is changed. Ends with 0 when they agree, 1 when they
    differ.
    """
    from carddb.sync.card_sync import compare_limits

    changes = compare_limits(game, _access(game))
    if not changes:
        click.echo(f"The limits list of {game} says what {changes.source} says.")
        return
    for line in changes.toml().splitlines():
        click.echo(console.clean(line))
    ctx.exit(ILLEGAL)


def _access(game: str) -> Access:
    """Return the access to the official site of a game from the settings."""
    from api.service.settings import Settings
    from api.service.site_access import access

    return access(Settings.from_environment(), game)
