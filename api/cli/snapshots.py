"""The subcommands of `deckproof cards` for snapshots: sync, list, choose, delete, compare and export them.

`api.cli.cards` adds them to its group.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from api.cli import CommandError, console, options
from api.cli.console import OutputLine
from carddb import facts
from carddb.errors import NoDatabase, NoSnapshot
from validator.cards import Card
from validator.games import GAMES, WITH_SITE

if TYPE_CHECKING:
    from carddb.sync.card_sync import Access, Step
    from carddb.sync.diff import CardChange, Diff, FieldChange
    from carddb.sync.log import SyncOutcome

_OF_SNAPSHOT = ("game", "id", "cards", "current", "created", "source", "as_of", "as_of_basis")
_SYNC_EPILOG = f"GAME is {options.one_of(WITH_SITE)}."
_SHOWN = 20  # doubts in one message
_NOTED = 100  # notices of one reading


@click.command("snapshots")
@options.GAME
@options.JSON
def list_snapshots(game: str | None, as_json: bool) -> None:
    """List the imports, the newest first."""
    try:
        store = options.library().store()
        snapshots, damaged = store.snapshots(game), store.damaged_snapshots(game)
    except NoDatabase:
        snapshots, damaged = [], []
    if as_json:
        found = [
            {name: getattr(one, name) for name in _OF_SNAPSHOT} | {"damaged": one.id in damaged} for one in snapshots
        ]
        options.write_json(found)
    elif snapshots:
        rows = [
            (
                *(one.game, one.id, f"{one.cards:,}", "yes" if one.current else "", f"{one.created:%Y-%m-%d %H:%M}"),
                f"{one.as_of} ({one.as_of_basis})" if one.as_of else "not known",
                "damaged" if one.id in damaged else "",
            )
            for one in snapshots
        ]
        console.table(["game", "snapshot", "cards", "current", "made (UTC)", "data as of", "state"], rows)
    else:
        click.echo("Nothing was imported yet: decks are judged with the facts of cards that ship.")


@click.command("use")
@click.argument("snapshot")
@click.option("--force", is_flag=True, help="Take it even if it looks wrong beside the current one.")
def use_snapshot(snapshot: str, force: bool) -> None:
    """Choose the snapshot to judge with.

    SNAPSHOT, an id that `cards snapshots` shows, becomes the current one of its game.
    """
    from carddb.sync import sanity

    store = options.library().store()
    wanted = store.snapshot(snapshot)
    before = store.current_cards(wanted.game)
    now = sanity.find_doubts(wanted.game, store.cards(wanted.id), before)
    doubts = list(dict.fromkeys([*wanted.doubts, *now]))
    if doubts and not force:
        raise CommandError("\n".join([f"{wanted.id} looks wrong; --force takes it all the same:", *shorten(doubts)]))
    store.use(wanted.id)
    click.echo(f"Decks of {wanted.game} are judged with snapshot {wanted.id} now, {wanted.cards:,} cards.")


def shorten(lines: Sequence[str]) -> list[str]:
    """Return the first lines as a list, and the number of others."""
    more = len(lines) - _SHOWN
    return [f"- {line}" for line in lines[:_SHOWN]] + ([f"and {more} more"] if more > 0 else [])


def note(notices: Sequence[str], word: str = "Note") -> None:
    """Write the first notices to standard error, and the number of others."""
    for notice in notices[:_NOTED]:
        click.echo(f"{word}: {console.clean(notice)}", err=True)
    if len(notices) > _NOTED:
        click.echo(f"{word}: and {len(notices) - _NOTED:,} more", err=True)


@click.command("prune")
@click.option("--dry-run", is_flag=True, help="Show the snapshots, and delete nothing.")
def prune_snapshots(dry_run: bool) -> None:
    """Delete old snapshots.

    Of each game the current snapshot is kept, the newest DECKPROOF_SNAPSHOTS_KEPT and the newest of each month. A
    worker does this by itself.
    """
    from api.service.settings import Settings
    from carddb.upkeep.pruning import find_surplus, prune

    store, kept = options.library().store(), Settings.from_environment().snapshots_kept
    pruned = find_surplus(store, kept) if dry_run else prune(store, kept)
    for snapshot in pruned:
        click.echo(f"{'Would delete' if dry_run else 'Deleted'} {snapshot.id}.")
    if not pruned:
        click.echo("There are no old snapshots to delete.")


@click.command("diff")
@click.argument("old")
@click.argument("new")
@options.JSON
def show_diff(old: str, new: str, as_json: bool) -> None:
    """Compare two snapshots.

    Shows what NEW has that OLD has not, card by card, field by field, and in what card texts say of deck
    construction. Either may be the catalogue that ships, as optcg-facts.
    """
    from carddb.sync import diff

    before, after = _snapshot_cards(old), _snapshot_cards(new)
    games = {card.game for card in (*before[:1], *after[:1])}
    if len(games) > 1:
        raise CommandError(f"{old} and {new} are of two games; only snapshots of one game can be compared.")
    difference = diff.compare_cards(before, after)
    if as_json:
        options.write_json(diff.as_dict(difference))
    else:
        console.write(_diff_lines(difference))


def _snapshot_cards(snapshot: str) -> Sequence[Card]:
    """Return the cards of a snapshot, or of the facts that ship."""
    game = next((game for game in GAMES if snapshot in (facts.snapshot(game), f"{game}-facts")), None)
    if game:
        return list(facts.catalogue(game))
    try:
        return options.library().store().cards(snapshot)
    except NoDatabase:
        raise NoSnapshot(f"There is no snapshot {snapshot[:80]!r}; nothing was imported yet.") from None


def diff_counts(difference: Diff) -> str:
    """Return the numbers of cards that were added, removed and changed, in words."""
    return f"{len(difference.added):,} added, {len(difference.removed):,} removed, {len(difference.changed):,} changed"


def _diff_lines(difference: Diff) -> Iterator[OutputLine]:
    """Yield the lines with added, removed and changed cards."""
    yield OutputLine(diff_counts(difference), "title")
    for card in difference.added:
        yield OutputLine(card.label, "fix", 2, "+ ")
    for card in difference.removed:
        yield OutputLine(card.label, "illegal", 2, "- ")
    for changed in difference.changed:
        yield from _change_lines(changed)


def _change_lines(changed: CardChange) -> Iterator[OutputLine]:
    """Yield the lines of a changed card, one for each field."""
    yield OutputLine(changed.new.label, "", 2, "~ ")
    for change in (*changed.facts, *changed.construction):
        yield OutputLine(
            f"{_value_words(change, change.old)} → {_value_words(change, change.new)}", "soft", 6, f"{change.field}: "
        )


def _value_words(change: FieldChange, value: Any) -> str:
    """Return a value of a field in words, "nothing" if it is empty."""
    if change.field == "construction" and value:
        return ", ".join(f"{key} {words}" for key, words in value.items())
    words = "/".join(value) if isinstance(value, tuple) else str("" if value is None else value)
    return words.replace("\n", " | ") or "nothing"


@click.command("export")
@click.argument("game", required=False)
@click.option("--game", "named", hidden=True)
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="A .csv, .xlsx or .ndjson file.")
@click.option("--snapshot", metavar="ID", help="The snapshot.  [default: the current one]")
@click.option("--facts", "as_facts", is_flag=True, help="The facts alone, as they ship with deckproof: no texts.")
def export_cards(game: str | None, named: str | None, output: Path, snapshot: str | None, as_facts: bool) -> None:
    """Write the cards of a GAME to a file.

    A CSV or XLSX can be imported again; NDJSON has every fact. The form is told from the suffix; `-` is
    NDJSON on standard output. With --facts it is the table that ships, which has no texts.
    """
    from carddb import export, facts

    if not (game := game or named):
        raise CommandError(f"say whose cards: {options.one_of(GAMES)}.")
    to_stream = str(output) == "-"
    form = "ndjson" if to_stream else output.suffix.removeprefix(".").lower()
    catalogue = options.library().catalogue(game, snapshot)
    written = facts.write_table(catalogue) if as_facts else export.write(catalogue, form)
    if to_stream:
        sys.stdout.buffer.write(written)
        return
    _replace_file(output, written)
    click.echo(f"Wrote {len(catalogue):,} cards of {catalogue.snapshot} to {output}.", err=True)


def _replace_file(file: Path, content: bytes) -> None:
    """Write a file completely or not at all. The old file stays if the disk is full."""
    part = file.with_name(f".{file.name}.part")
    try:
        part.write_bytes(content)
        part.replace(file)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(file)) from None


@click.command("sync", epilog=_SYNC_EPILOG)
@click.argument("game", type=options.a_game(WITH_SITE), metavar="GAME")
@click.option("--dry-run", is_flag=True, help="Fetch and compare, and change nothing.")
def sync_cards(game: str, dry_run: bool) -> None:
    """Fetch the official card list.

    The whole list of a GAME becomes the current snapshot. A list that looks wrong beside
    the current one is kept aside, and the command fails. A sync that breaks off has changed nothing; the
    same command goes on where it stopped.
    """
    from carddb.sync.card_sync import sync

    access = site_access(game)
    try:
        with _sync_progress() as progress:
            outcome = sync(game, options.library().store(), access, progress, dry_run)
    except KeyboardInterrupt:
        click.echo("Stopped; the same command goes on from here.", err=True)
        raise
    note(outcome.notices)
    note(outcome.warnings, "Warning")
    _print_outcome(game, outcome)


def _print_outcome(game: str, outcome: SyncOutcome) -> None:
    """Print the outcome of a sync. Raises CommandError if the cards were refused."""
    read = f"{outcome.cards:,} cards of {game} from {outcome.pages} packs ({diff_counts(outcome.diff)})"
    if outcome.is_refused:
        raise CommandError("\n".join([f"{read}: this looks wrong.", *shorten(outcome.doubts), _next_step(outcome)]))
    note(outcome.doubts, "Warning")
    if outcome.snapshot is None:
        click.echo(f"Read {read}; nothing was changed.")
    elif outcome.snapshot.new:
        click.echo(f"Imported {read} as snapshot {outcome.snapshot.id}.")
    else:
        click.echo(f"Nothing new: the {outcome.cards:,} cards of {game} are snapshot {outcome.snapshot.id}.")


def _next_step(outcome: SyncOutcome) -> str:
    """Return advice on a refused sync."""
    if outcome.snapshot is None:
        return "Nothing was changed."
    kept = outcome.snapshot.id
    return (
        f"The current snapshot stays; what was found is kept as {kept}. `deckproof cards diff` compares them, "
        f"`deckproof cards use {kept} --force` takes it all the same."
    )


@contextmanager
def _sync_progress() -> Iterator[Callable[[Step], None]]:
    """Yield a function to call for each page. It moves a bar on a terminal, and writes lines elsewhere."""
    if sys.stderr.isatty():
        from api.cli.progress import page_bar

        with page_bar() as move:
            yield lambda step: move(step.done, step.total, step.pack)
    else:
        yield _print_step


def _print_step(step: Step) -> None:
    """Print the progress of a sync."""
    kept = " (kept from before)" if step.kept else ""
    click.echo(f"{step.done}/{step.total} {console.clean(step.pack)}{kept}", err=True)


def site_access(game: str) -> Access:
    """Return the access to the official site of a game, as the settings have it."""
    from api.service.settings import Settings
    from api.service.site_access import access

    return access(Settings.from_environment(), game)


COMMANDS = (sync_cards, list_snapshots, use_snapshot, prune_snapshots, show_diff, export_cards)
