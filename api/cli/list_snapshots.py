"""The subcommands of `deckproof limits` for imported lists: import, list, choose and compare them.

`api.cli.limits` adds them to its group.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from api.cli import CommandError, console, options
from api.cli.console import OutputLine
from validator.games import GAMES
from validator.limits import GameLists, Ruling, shipped_lists
from validator.limits.game_lists import LIMITS, SHIPPED
from validator.names import check_listed_names

if TYPE_CHECKING:
    from carddb.list_files import ListFile
    from carddb.list_store import ListSnapshot

_OF_SNAPSHOT = ("game", "id", "current", "created", "files")
_WORDS = {None: "free", 0: "banned"}


@click.command("import")
@click.argument("path", type=click.Path(exists=True, path_type=Path), metavar="FILE|FOLDER")
@click.option("--dry-run", is_flag=True, help="Check the files, and change nothing.")
def import_lists(path: Path, dry_run: bool) -> None:
    """Add list files to the official lists.

    FILE is a TOML file in the form of the lists that ship, or a FOLDER of such files: limits lists, rotations, sets,
    release bounds and corrections. A file adds to the list that ships, or replaces it with `replaces = true`. Servers
    and workers that run use the new lists within two seconds.
    """
    from carddb.list_files import read_path

    import_files(read_path(path), dry_run)


def import_files(files: list[ListFile], dry_run: bool = False) -> None:
    """Import list files, and print the lists that are used from now on."""
    from carddb.list_files import add_files, files_by_game

    library = options.library()
    before = {game: library.lists(game) for game, _ in files_by_game(files)}
    if dry_run:
        for game, own_files in files_by_game(files):
            lists = add_files(before[game], own_files, "", "")
            click.echo(f"{_describe_files(own_files)} can be imported: {_describe_lists(lists)}.")
            _warn_of_names(before[game], lists)
        return
    for snapshot in library.list_store().import_files(library.base_lists, files):
        found = "Imported" if snapshot.new else "Nothing new:"
        lists = library.load_lists(snapshot.game, snapshot.id)
        click.echo(f"{found} list snapshot {snapshot.id} of {snapshot.game}, {_describe_lists(lists)}.")
        _warn_of_names(before[snapshot.game], lists)


def _warn_of_names(before: GameLists, after: GameLists) -> None:
    """Print a warning for each new card of the limits list that the card list does not have under its name.

    It is no error, because a card may be announced before the card list has it.
    """
    catalogue = options.library().catalogue(after.game)
    for fault in check_listed_names(after.listed, before.listed, catalogue):
        click.echo(f"Warning: {console.clean(fault)}", err=True)


def _describe_files(files: Iterable[ListFile]) -> str:
    """Return the names of files, separated by commas."""
    return ", ".join(console.clean(file.name) for file in files)


def _describe_lists(lists: GameLists) -> str:
    """Return the number of changes and the last known day of a limits list in words."""
    known_to = lists.listed.known_to
    return f"{len(lists.listed.changes)} changes, " + (
        f"announcements known up to {known_to}" if known_to else "no limits list"
    )


@click.command("list")
@options.GAME
@options.JSON
def list_lists(game: str | None, as_json: bool) -> None:
    """List the imported lists, the newest first."""
    library = options.library()
    snapshots = library.list_store().snapshots(game)
    rows = [*map(_snapshot_row, snapshots), *_base_rows(snapshots, [game] if game else [*GAMES])]
    if as_json:
        options.write_json([dict(zip(_OF_SNAPSHOT, row, strict=True)) for row in rows])
    else:
        shown = [
            (game, id, "yes" if current else "", f"{created:%Y-%m-%d %H:%M}" if created else "", console.clean(files))
            for game, id, current, created, files in rows
        ]
        console.table(["game", "lists", "current", "made (UTC)", "files"], shown)


def _snapshot_row(snapshot: ListSnapshot) -> tuple[Any, ...]:
    """Return the table row of an imported list."""
    return snapshot.game, snapshot.id, snapshot.current, snapshot.created, snapshot.source


def _base_rows(snapshots: Iterable[ListSnapshot], games: Iterable[str]) -> Iterator[tuple[Any, ...]]:
    """Yield a row for the lists of each game that ship, or to which a folder adds."""
    imported = {snapshot.game for snapshot in snapshots if snapshot.current}
    for game in games:
        base = options.library().base_lists(game)
        yield game, base.id, game not in imported, None, base.source


@click.command("use")
@click.argument("lists")
def use_lists(lists: str) -> None:
    """Choose the lists to judge with.

    LISTS is an id that `limits list` shows, or GAME-shipped for the lists without imported files.
    """
    library = options.library()
    game, _, kind = lists.partition("-")
    if game in GAMES and (kind == SHIPPED or lists == library.base_lists(game).id):
        library.list_store().use_shipped(game)
    else:
        game = library.list_store().use(lists).game
    used = library.lists(game)
    click.echo(f"Decks of {game} are judged with the lists {used.id} now, {_describe_lists(used)}.")


@click.command("diff")
@click.argument("old")
@click.argument("new")
@options.JSON
def show_lists_diff(old: str, new: str, as_json: bool) -> None:
    """Compare two lists.

    Shows the entries that NEW has and OLD has not, and the other way round. Either is an id that `limits list` shows,
    or GAME-shipped.
    """
    before, after = _load_lists(old), _load_lists(new)
    if before.game != after.game:
        raise CommandError(f"{old} and {new} are of two games; only lists of one game can be compared.")
    if as_json:
        options.write_json(_diff_json(before, after))
    else:
        console.write(_diff_lines(before, after))


def _load_lists(id: str) -> GameLists:
    """Return the lists with an id. Raises CardDataError if there are none."""
    library = options.library()
    game, _, kind = id.partition("-")
    if game in GAMES and kind == SHIPPED:
        return shipped_lists(game)
    if game in GAMES and id == shipped_lists(game).id:
        return shipped_lists(game)
    if game in GAMES:
        return library.load_lists(game, id)
    raise CommandError(f"There are no lists {id[:80]!r}; `deckproof limits list` shows all.")


def _diff_lines(before: GameLists, after: GameLists) -> Iterator[OutputLine]:
    """Yield the lines with the differences of two versions of a game's lists."""
    old, new = _entries_by_line(before), _entries_by_line(after)
    added, removed = [line for line in new if line not in old], [line for line in old if line not in new]
    yield OutputLine(f"{len(added):,} entries added, {len(removed):,} removed", "title")
    yield from (OutputLine(line, "fix", 2, "+ ") for line in added)
    yield from (OutputLine(line, "illegal", 2, "- ") for line in removed)
    yield from (OutputLine(kind, "", 2, "~ ") for kind in _changed_kinds(before, after))
    if before.listed.known_to != after.listed.known_to:
        yield OutputLine(
            f"{before.listed.known_to} → {after.listed.known_to}", "soft", 2, "announcements known up to: "
        )


def _diff_json(before: GameLists, after: GameLists) -> dict[str, Any]:
    """Return the differences of two lists as JSON."""
    old, new = _entries_by_line(before), _entries_by_line(after)
    return {
        "game": after.game,
        "old": _names_json(before),
        "new": _names_json(after),
        "added": [entry for line, entry in new.items() if line not in old],
        "removed": [entry for line, entry in old.items() if line not in new],
        "changed": _changed_kinds(before, after),
    }


def _names_json(lists: GameLists) -> dict[str, Any]:
    return {"id": lists.id, "source": lists.source, "known_to": lists.listed.known_to}


def _changed_kinds(before: GameLists, after: GameLists) -> list[str]:
    """Return the kinds of lists that differ, without the limits list."""
    kinds = dict.fromkeys([*before.documents, *after.documents])
    return [kind for kind in kinds if kind != LIMITS and before.documents.get(kind) != after.documents.get(kind)]


def _entries_by_line(lists: GameLists) -> dict[str, dict[str, Any]]:
    """Return the entries of all changes in each region, in order, by their line."""
    listed = lists.listed
    return {
        _entry_line(region, ruling): {"on": ruling.change.day, "region": region, **ruling.as_dict()}
        for region in listed.dated_regions
        for ruling in listed.rulings(region)
    }


def _entry_line(region: str, ruling: Ruling) -> str:
    """Return a ruling as a line: day, region, cards, limit."""
    cards = " + ".join(f"{number} {name}" for number, name in zip(ruling.numbers, ruling.names, strict=True))
    return f"{ruling.change.day} {region}: {cards}: {_WORDS.get(ruling.limit, f'at most {ruling.limit}')}"


COMMANDS = (import_lists, list_lists, show_lists_diff, use_lists)
