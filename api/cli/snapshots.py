"""`deckproof cards use`, `diff` and `export`: a snapshot chosen, two compared, one taken out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from typing import Any

import click

from api.cli import Fault
from api.cli import console
from api.cli import options
from api.cli.console import Said
from carddb import starter
from carddb.errors import NoDatabase
from carddb.errors import NoSnapshot
from validator.cards import Card
from validator.games import GAMES

if TYPE_CHECKING:
    from carddb.sync.diff import Change
    from carddb.sync.diff import Changed
    from carddb.sync.diff import Diff

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
    found = sanity.doubts(wanted.game, store.cards(wanted.id), before)
    doubts = list(dict.fromkeys([*wanted.doubts, *found]))
    if doubts and not force:
        raise Fault("\n".join([f"{wanted.id} looks wrong; --force takes it all the same:", *shortened(doubts)]))
    store.use(wanted.id)
    click.echo(f"Decks of {wanted.game} are judged with snapshot {wanted.id} now, {wanted.cards:,} cards.")


def shortened(lines: Sequence[str]) -> list[str]:
    """Return the first lines of many, and how many more there are."""
    more = len(lines) - _SHOWN
    return [f"- {line}" for line in lines[:_SHOWN]] + ([f"and {more} more"] if more > 0 else [])


def note(notices: Sequence[str], word: str = "Note") -> None:
    """Write notices to standard error, the first of many, and how many more there are."""
    for notice in notices[:_NOTED]:
        click.echo(f"{word}: {console.clean(notice)}", err=True)
    if len(notices) > _NOTED:
        click.echo(f"{word}: and {len(notices) - _NOTED:,} more", err=True)


@click.command("diff")
@click.argument("old")
@click.argument("new")
@options.JSON
def show_diff(old: str, new: str, as_json: bool) -> None:
    """Compare two snapshots.

    Shows what NEW has that OLD has not, card by card, field by field, and in what card texts say of deck
    construction. Either may be the catalogue that ships, such as optcg-starter.
    """
    from carddb.sync import diff

    before, after = _cards(old), _cards(new)
    games = {card.game for card in (*before[:1], *after[:1])}
    if len(games) > 1:
        raise Fault(f"{old} and {new} are of two games; only snapshots of one game can be compared.")
    found = diff.diff(before, after)
    if as_json:
        options.write_json(diff.as_dict(found))
    else:
        console.say(_lines(found))


def _cards(snapshot: str) -> Sequence[Card]:
    game = next((game for game in GAMES if starter.snapshot(game) == snapshot), None)
    if game:
        return list(starter.catalogue(game))
    try:
        return options.library().store().cards(snapshot)
    except NoDatabase:
        raise NoSnapshot(f"There is no snapshot {snapshot[:80]!r}; nothing was imported yet.") from None


def counted(found: Diff) -> str:
    """Return how many cards differ, in a few words."""
    return f"{len(found.added):,} added, {len(found.removed):,} removed, {len(found.changed):,} changed"


def _lines(found: Diff) -> Iterator[Said]:
    yield Said(counted(found), "title")
    for card in found.added:
        yield Said(card.label, "fix", 2, "+ ")
    for card in found.removed:
        yield Said(card.label, "illegal", 2, "- ")
    for changed in found.changed:
        yield from _changed(changed)


def _changed(changed: Changed) -> Iterator[Said]:
    yield Said(changed.new.label, "", 2, "~ ")
    for change in (*changed.facts, *changed.construction):
        yield Said(f"{_said(change, change.old)} → {_said(change, change.new)}", "soft", 6, f"{change.field}: ")


def _said(change: Change, value: Any) -> str:
    if change.field == "construction" and value:
        return ", ".join(f"{key} {said}" for key, said in value.items())
    said = "/".join(value) if isinstance(value, tuple) else str("" if value is None else value)
    return said.replace("\n", " | ") or "nothing"


@click.command("export")
@options.A_GAME
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="A .csv, .xlsx or .ndjson file.")
@click.option("--snapshot", metavar="ID", help="The snapshot.  [default: the current one]")
def export_cards(game: str, output: Path, snapshot: str | None) -> None:
    """Write a game's cards to a file.

    A CSV or XLSX can be imported again; NDJSON has every fact. The form is told from the suffix; `-` is
    NDJSON on standard output.
    """
    from carddb import export

    to_stream = str(output) == "-"
    catalogue = options.library().catalogue(game, snapshot)
    written = export.write(catalogue, "ndjson" if to_stream else output.suffix.removeprefix(".").lower())
    if to_stream:
        sys.stdout.buffer.write(written)
        return
    _replace(output, written)
    click.echo(f"Wrote {len(catalogue):,} cards of {catalogue.snapshot} to {output}.", err=True)


def _replace(file: Path, written: bytes) -> None:
    """Write a file whole or not at all: what was there before stays if the disk is full."""
    part = file.with_name(f".{file.name}.part")
    try:
        part.write_bytes(written)
        part.replace(file)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(file)) from None
