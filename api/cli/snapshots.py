"""`deckproof cards use`, `prune`, `diff` and `export`: selects, deletes, compares and exports snapshots."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from api.cli import CommandError, console, options
from api.cli.console import OutputLine
from carddb import facts
from carddb.errors import NoDatabase, NoSnapshot
from validator.cards import Card
from validator.games import GAMES

if TYPE_CHECKING:
    from carddb.sync.diff import CardChange, Diff, FieldChange

_SHOWN = 20  # doubts in one message
_NOTED = 100  # notices of one reading


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
    now = sanity.doubts(wanted.game, store.cards(wanted.id), before)
    doubts = list(dict.fromkeys([*wanted.doubts, *now]))
    if doubts and not force:
        raise CommandError("\n".join([f"{wanted.id} looks wrong; --force takes it all the same:", *shorten(doubts)]))
    store.use(wanted.id)
    click.echo(f"Decks of {wanted.game} are judged with snapshot {wanted.id} now, {wanted.cards:,} cards.")


def shorten(lines: Sequence[str]) -> list[str]:
    """Return the first of many lines, and the number of others."""
    more = len(lines) - _SHOWN
    return [f"- {line}" for line in lines[:_SHOWN]] + ([f"and {more} more"] if more > 0 else [])


def note(notices: Sequence[str], word: str = "Note") -> None:
    """Write the first of many notices to standard error, and the number of others."""
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

    before, after = _load_cards(old), _load_cards(new)
    games = {card.game for card in (*before[:1], *after[:1])}
    if len(games) > 1:
        raise CommandError(f"{old} and {new} are of two games; only snapshots of one game can be compared.")
    difference = diff.diff(before, after)
    if as_json:
        options.write_json(diff.as_dict(difference))
    else:
        console.say(_difference_lines(difference))


def _load_cards(snapshot: str) -> Sequence[Card]:
    """Return the cards of a snapshot or of the facts that ship with deckproof. Raises NoSnapshot."""
    game = next((game for game in GAMES if snapshot in (facts.snapshot(game), f"{game}-facts")), None)
    if game:
        return list(facts.catalogue(game))
    try:
        return options.library().store().cards(snapshot)
    except NoDatabase:
        raise NoSnapshot(f"There is no snapshot {snapshot[:80]!r}; nothing was imported yet.") from None


def count_differences(difference: Diff) -> str:
    """Return a text with the numbers of cards that were added, removed and changed."""
    return f"{len(difference.added):,} added, {len(difference.removed):,} removed, {len(difference.changed):,} changed"


def _difference_lines(difference: Diff) -> Iterator[OutputLine]:
    """Yield the lines of the differences."""
    yield OutputLine(count_differences(difference), "title")
    for card in difference.added:
        yield OutputLine(card.label, "fix", 2, "+ ")
    for card in difference.removed:
        yield OutputLine(card.label, "illegal", 2, "- ")
    for card_change in difference.changed:
        yield from _change_lines(card_change)


def _change_lines(card_change: CardChange) -> Iterator[OutputLine]:
    """Yield the lines of a changed card."""
    yield OutputLine(card_change.new.label, "", 2, "~ ")
    for change in (*card_change.facts, *card_change.construction):
        yield OutputLine(
            f"{_value_text(change, change.old)} → {_value_text(change, change.new)}", "soft", 6, f"{change.field}: "
        )


def _value_text(change: FieldChange, value: Any) -> str:
    """Return the value of a change on one line, "nothing" if it is empty."""
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


def _replace_file(file: Path, written: bytes) -> None:
    """Write a file completely or not at all. If the disk is full, the old file stays."""
    part = file.with_name(f".{file.name}.part")
    try:
        part.write_bytes(written)
        part.replace(file)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(file)) from None
