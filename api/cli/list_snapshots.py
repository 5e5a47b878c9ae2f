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
from validator.language import ENGLISH, Language, phrase
from validator.limits import LIMITS, SHIPPED, GameLists, Ruling, shipped_lists
from validator.names import check_listed_names

if TYPE_CHECKING:
    from carddb.list_files import ListFile
    from carddb.list_store import ListSnapshot

_OF_SNAPSHOT = ("game", "id", "current", "created", "files")


@click.command("import")
@click.argument("path", type=click.Path(exists=True, path_type=Path), metavar="FILE|FOLDER")
@click.option("--dry-run", is_flag=True, help="Check the files, and change nothing.")
@options.LANG
def import_lists(path: Path, dry_run: bool, translate: Language) -> None:
    """Add list files to the official lists.

    FILE is a TOML file in the form of the lists that ship, or a FOLDER of such files: limits lists, rotations, sets,
    release bounds and corrections. A file adds to the list that ships, or replaces it with `replaces = true`. Servers
    and workers that run use the new lists within two seconds.
    """
    from carddb.list_files import read_path

    import_files(read_path(path), translate, dry_run)


def import_files(files: list[ListFile], translate: Language, dry_run: bool = False) -> None:
    """Import list files into the database, and print the lists that are used from now on for each game of the files.

    With `dry_run`, only print the lists that would result. In both cases warnings on new entries with an unknown number
    or a wrong name are printed to standard error. Raises CardDataError if a file is wrong, before anything is changed.
    """
    from carddb.list_files import add_files, files_by_game

    library = options.library()
    before = {game: library.lists(game) for game, _ in files_by_game(files)}
    if dry_run:
        for game, own_files in files_by_game(files):
            lists = add_files(before[game], own_files, "", "")
            described = _describe_lists(lists, translate)
            click.echo(
                translate("{files} can be imported: {lists}.", files=_describe_files(own_files), lists=described)
            )
            _warn_of_names(before[game], lists, translate)
        return
    for snapshot in library.list_store().import_files(library.base_lists, files):
        lists = library.load_lists(snapshot.game, snapshot.id)
        values = {"id": snapshot.id, "game": snapshot.game, "lists": _describe_lists(lists, translate)}
        if snapshot.new:
            click.echo(translate("Imported list snapshot {id} of {game}, {lists}.", **values))
        else:
            click.echo(translate("Nothing new: list snapshot {id} of {game}, {lists}.", **values))
        _warn_of_names(before[snapshot.game], lists, translate)


def _warn_of_names(before: GameLists, after: GameLists, translate: Language) -> None:
    """Print a warning to standard error for each new entry whose number is unknown, or whose name is another card's.

    New are entries of the limits list in `after` that `before` lacks. It is no error, because a card may be announced
    before the card list has it.
    """
    catalogue = options.library().catalogue(after.game)
    for fault in check_listed_names(after.listed, before.listed, catalogue):
        warning = translate("{place}: {problem}", place=translate("Warning"), problem=translate.text(fault))
        click.echo(console.clean(warning), err=True)


def _describe_files(files: Iterable[ListFile]) -> str:
    """Return the names of files, separated by commas, with control characters replaced."""
    return ", ".join(console.clean(file.name) for file in files)


def _describe_lists(lists: GameLists, translate: Language) -> str:
    """Return a text with the number of changes of the limits list, and the last day whose announcements it has.

    Without such a day it says "no limits list".
    """
    known_to, count = lists.listed.known_to, len(lists.listed.changes)
    if known_to:
        return translate("{count} changes, announcements known up to {day}", count=count, day=known_to)
    return translate("{count} changes, no limits list", count=count)


@click.command("list")
@options.GAME
@options.JSON
@options.LANG
def list_lists(game: str | None, as_json: bool, translate: Language) -> None:
    """List the imported lists, the newest first."""
    library = options.library()
    snapshots = library.list_store().snapshots(game)
    rows = [*map(_snapshot_row, snapshots), *_base_rows(snapshots, [game] if game else [*GAMES])]
    if as_json:
        options.write_json([dict(zip(_OF_SNAPSHOT, row, strict=True)) for row in rows])
    else:
        shown = [
            (
                game,
                id,
                translate("yes") if current else "",
                f"{created:%Y-%m-%d %H:%M}" if created else "",
                console.clean(files),
            )
            for game, id, current, created, files in rows
        ]
        headings = (translate("game"), translate("lists"), translate("current"), translate("made (UTC)"))
        console.table((*headings, translate("files")), shown)


def _snapshot_row(snapshot: ListSnapshot) -> tuple[Any, ...]:
    """Return `(game, id, is current, created, files)` of imported lists.

    `created` is the time of the first import of these files. `files` is a text with their names.
    """
    return snapshot.game, snapshot.id, snapshot.current, snapshot.created, snapshot.source


def _base_rows(snapshots: Iterable[ListSnapshot], games: Iterable[str]) -> Iterator[tuple[Any, ...]]:
    """Yield `(game, id, is current, None, source)` for the lists of each game that imports are added to.

    They ship, or come from a folder of the settings. They are current if no snapshot of the game in `snapshots` is.
    """
    imported = {snapshot.game for snapshot in snapshots if snapshot.current}
    for game in games:
        base = options.library().base_lists(game)
        yield game, base.id, game not in imported, None, base.source


@click.command("use")
@click.argument("lists")
@options.LANG
def use_lists(lists: str, translate: Language) -> None:
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
    described = _describe_lists(used, translate)
    click.echo(
        translate(
            "Decks of {game} are judged with the lists {id} now, {lists}.", game=game, id=used.id, lists=described
        )
    )


@click.command("diff")
@click.argument("old")
@click.argument("new")
@options.JSON
@options.LANG
def show_lists_diff(old: str, new: str, as_json: bool, translate: Language) -> None:
    """Compare two lists.

    Shows the entries that NEW has and OLD has not, and the other way round. Either is an id that `limits list` shows,
    or GAME-shipped.
    """
    before, after = _load_lists(old), _load_lists(new)
    if before.game != after.game:
        raise CommandError(
            phrase(
                "{old} and {new} belong to different games. Only lists of one game can be compared.", old=old, new=new
            )
        )
    if as_json:
        options.write_json(_diff_json(before, after))
    else:
        console.write(_diff_lines(before, after, translate))


def _load_lists(id: str) -> GameLists:
    """Return the lists with an id: those that ship ("GAME-shipped" or their id), else imported ones.

    Raises CommandError if the part before the first dash is no game, CardDataError if there are no such lists.
    """
    library = options.library()
    game, _, kind = id.partition("-")
    if game in GAMES and kind == SHIPPED:
        return shipped_lists(game)
    if game in GAMES and id == shipped_lists(game).id:
        return shipped_lists(game)
    if game in GAMES:
        return library.load_lists(game, id)
    raise CommandError(phrase("There are no lists {id!r}; `deckproof limits list` shows all.", id=id[:80]))


def _diff_lines(before: GameLists, after: GameLists, translate: Language) -> Iterator[OutputLine]:
    """Yield the numbers of added and removed entries, the entries, and the names of other kinds of lists that differ.

    Entries are those of the limits list in regions with days of their own. The last line has the days up to which
    announcements are known, if they differ.
    """
    old, new = _entries_by_line(before, translate), _entries_by_line(after, translate)
    added, removed = [line for line in new if line not in old], [line for line in old if line not in new]
    counts = {"added": len(added), "removed": len(removed)}
    yield OutputLine(translate("{added:,} entries added, {removed:,} removed", **counts), "title")
    yield from (OutputLine(line, "fix", 2, "+ ") for line in added)
    yield from (OutputLine(line, "illegal", 2, "- ") for line in removed)
    yield from (OutputLine(kind, "", 2, "~ ") for kind in _changed_kinds(before, after))
    if before.listed.known_to != after.listed.known_to:
        days = f"{translate.day(before.listed.known_to or '')} → {translate.day(after.listed.known_to or '')}"
        yield OutputLine(days, "soft", 2, translate("announcements known up to: "))


def _diff_json(before: GameLists, after: GameLists) -> dict[str, Any]:
    """Return the differences of two versions of a game's lists as JSON, with their "game".

    "old" and "new" are the ids, sources and last known days of both. "added" and "removed" have entries of
    `_entries_by_line` that only one of both has. "changed" has the kinds of other lists ("sets") that differ.
    """
    old, new = _entries_by_line(before, ENGLISH), _entries_by_line(after, ENGLISH)
    return {
        "game": after.game,
        "old": _lists_json(before),
        "new": _lists_json(after),
        "added": [entry for line, entry in new.items() if line not in old],
        "removed": [entry for line, entry in old.items() if line not in new],
        "changed": _changed_kinds(before, after),
    }


def _lists_json(lists: GameLists) -> dict[str, Any]:
    """Return the id, the source, and the last day whose announcements are known (or None) of lists as JSON."""
    return {"id": lists.id, "source": lists.source, "known_to": lists.listed.known_to}


def _changed_kinds(before: GameLists, after: GameLists) -> list[str]:
    """Return the kinds of documents that differ, such as "rotation" and "sets". The limits list is left out.

    A kind that only one of both has differs too.
    """
    kinds = dict.fromkeys([*before.documents, *after.documents])
    return [kind for kind in kinds if kind != LIMITS and before.documents.get(kind) != after.documents.get(kind)]


def _entries_by_line(lists: GameLists, translate: Language) -> dict[str, dict[str, Any]]:
    """Return each effect of a limits list's changes on a card or pair as JSON, by its line of text (`_entry_line`).

    An effect has its first day ("on", a date), "region", and the entries of `Ruling.as_dict`. The order is by region,
    then by day. Regions that follow the days of another region are left out.
    """
    listed = lists.listed
    return {
        _entry_line(region, ruling, translate): {"on": ruling.change.day, "region": region, **ruling.as_dict()}
        for region in listed.dated_regions
        for ruling in listed.rulings(region)
    }


def _entry_line(region: str, ruling: Ruling, translate: Language) -> str:
    """Return a change's effect as a line: day, region, card or pair, and "free", "banned" or "at most N"."""
    cards = " + ".join(f"{number} {name}" for number, name in zip(ruling.numbers, ruling.names, strict=True))
    if ruling.limit is None:
        allowed = translate("free")
    else:
        allowed = translate("at most {limit}", limit=ruling.limit) if ruling.limit else translate("banned")
    return f"{translate.day(ruling.change.day)} {region}: {cards}: {allowed}"


COMMANDS = (import_lists, list_lists, show_lists_diff, use_lists)
