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

from api.cli import CommandError, console, current_language, options
from api.cli.console import OutputLine
from carddb import facts
from carddb.errors import NoDatabase, NoSnapshot
from carddb.files.replacement import replace_file
from validator.cards import Card
from validator.games import GAMES, WITH_SITE
from validator.language import Language, phrase

if TYPE_CHECKING:
    from carddb.sync.card_sync import Step
    from carddb.sync.diff import CardChange, Diff, FieldChange
    from carddb.sync.log import SyncOutcome

_OF_SNAPSHOT = ("game", "id", "cards", "current", "created", "source", "as_of", "as_of_basis")
_SHOWN = 20  # doubts in one message
_NOTED = 100  # notices of one reading
_NOTE, WARNING = phrase("Note"), phrase("Warning")


@click.command("snapshots")
@options.GAME
@options.JSON
@options.LANG
def list_snapshots(game: str | None, as_json: bool, translate: Language) -> None:
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
                *(one.game, one.id, translate.number(one.cards), translate("yes") if one.current else ""),
                f"{one.created:%Y-%m-%d %H:%M}",
                f"{translate.day(one.as_of)} ({one.as_of_basis})" if one.as_of else translate("not known"),
                translate("damaged") if one.id in damaged else "",
            )
            for one in snapshots
        ]
        headings = (translate("game"), translate("snapshot"), translate("cards"), translate("current"))
        console.table((*headings, translate("made (UTC)"), translate("data as of"), translate("state")), rows)
    else:
        click.echo(translate("Nothing was imported yet: decks are judged with the facts of cards that ship."))


@click.command("use")
@click.argument("snapshot")
@click.option("--force", is_flag=True, help="Take it even if it looks wrong beside the current one.")
@options.LANG
def use_snapshot(snapshot: str, force: bool, translate: Language) -> None:
    """Choose the snapshot to judge with.

    SNAPSHOT is an id of `cards snapshots`. It becomes the current snapshot of its game.
    """
    from carddb.sync import sanity

    store = options.library().store()
    wanted = store.snapshot(snapshot)
    before = store.current_cards(wanted.game)
    now = sanity.find_doubts(wanted.game, store.cards(wanted.id), before)
    # A stored doubt is an English text. The same doubt of today can be translated.
    today = {doubt: doubt for doubt in now}
    doubts = list(dict.fromkeys(today.get(doubt, doubt) for doubt in (*wanted.doubts, *now)))
    if doubts and not force:
        wrong = translate("{id} looks wrong. --force uses it anyway:", id=wanted.id)
        raise CommandError("\n".join([wrong, *shorten(doubts)]))
    store.use(wanted.id)
    click.echo(
        translate(
            "Decks of {game} are judged with snapshot {id} now, {count:,} cards.",
            game=wanted.game,
            id=wanted.id,
            count=wanted.cards,
        )
    )


def shorten(lines: Sequence[str]) -> list[str]:
    """Return the first 20 lines, each translated and after "- ". If there are more, a last line counts the others.

    The language is that of the command.
    """
    translate, more = current_language(), len(lines) - _SHOWN
    first = [f"- {translate.text(line)}" for line in lines[:_SHOWN]]
    return first + ([translate("and {count} more", count=more)] if more > 0 else [])


def note(notices: Sequence[str], word: str = _NOTE) -> None:
    """Write the first 100 notices to standard error, each after `word` ("Note" or "Warning").

    They are in the language of the command, with control characters replaced. The number of others follows as a last
    line, if there are any.
    """
    translate = current_language()
    texts = list(map(translate.text, notices[:_NOTED]))
    if len(notices) > _NOTED:
        texts.append(translate("and {count:,} more", count=len(notices) - _NOTED))
    for notice in texts:
        line = translate("{place}: {problem}", place=translate.text(word), problem=notice)
        click.echo(console.clean(line), err=True)


@click.command("prune")
@click.option("--dry-run", is_flag=True, help="Show the snapshots, and delete nothing.")
@options.LANG
def prune_snapshots(dry_run: bool, translate: Language) -> None:
    """Delete old snapshots.

    Of each game the current snapshot is kept, the newest DECKPROOF_SNAPSHOTS_KEPT and the newest of each month. A
    worker does this by itself.
    """
    from carddb.upkeep.pruning import find_surplus, prune

    store, kept = options.library().store(), options.settings().snapshots_kept
    pruned = find_surplus(store, kept) if dry_run else prune(store, kept)
    for snapshot in pruned:
        if dry_run:
            click.echo(translate("Would delete {id}.", id=snapshot.id))
        else:
            click.echo(translate("Deleted {id}.", id=snapshot.id))
    if not pruned:
        click.echo(translate("There are no old snapshots to delete."))


@click.command("diff")
@click.argument("old")
@click.argument("new")
@options.JSON
@options.LANG
def show_diff(old: str, new: str, as_json: bool, translate: Language) -> None:
    """Compare two snapshots.

    Shows what NEW has that OLD has not, card by card, field by field, and in what card texts say of deck
    construction. Either may be the catalogue that ships, as optcg-facts.
    """
    from carddb.sync import diff

    before, after = _snapshot_cards(old), _snapshot_cards(new)
    games = {card.game for card in (*before[:1], *after[:1])}
    if len(games) > 1:
        raise CommandError(
            phrase(
                "{old} and {new} belong to different games. Only snapshots of one game can be compared.",
                old=old,
                new=new,
            )
        )
    difference = diff.compare_cards(before, after)
    if as_json:
        options.write_json(diff.as_dict(difference))
    else:
        console.write(_diff_lines(difference, translate))


def _snapshot_cards(snapshot: str) -> Sequence[Card]:
    """Return the cards of a snapshot id. For "GAME-facts", or the id of the cards that ship, return those that ship.

    Raises NoSnapshot if there is no such snapshot or nothing was imported yet.
    """
    game = next((game for game in GAMES if snapshot in (facts.snapshot(game), f"{game}-facts")), None)
    if game:
        return list(facts.catalogue(game))
    try:
        return options.library().store().cards(snapshot)
    except NoDatabase:
        raise NoSnapshot(phrase("There is no snapshot {id!r}; nothing was imported yet.", id=snapshot[:80])) from None


def diff_counts(difference: Diff, translate: Language) -> str:
    """Return the numbers of cards that were added, removed and changed, in words."""
    return translate(
        "{added:,} added, {removed:,} removed, {changed:,} changed",
        added=len(difference.added),
        removed=len(difference.removed),
        changed=len(difference.changed),
    )


def _diff_lines(difference: Diff, translate: Language) -> Iterator[OutputLine]:
    """Yield the counts of a comparison of cards, then lines for all added, all removed, and all changed cards."""
    yield OutputLine(diff_counts(difference, translate), "title")
    for card in difference.added:
        yield OutputLine(card.label, "fix", 2, "+ ")
    for card in difference.removed:
        yield OutputLine(card.label, "illegal", 2, "- ")
    for changed in difference.changed:
        yield from _card_change_lines(changed, translate)


def _card_change_lines(changed: CardChange, translate: Language) -> Iterator[OutputLine]:
    """Yield the new number and name of a changed card, then a line "field: old → new" for each change.

    These are changed fields and changed clauses on deck building.
    """
    yield OutputLine(changed.new.label, "", 2, "~ ")
    for change in (*changed.facts, *changed.construction):
        old, new = (
            _changed_value_words(change, change.old, translate),
            _changed_value_words(change, change.new, translate),
        )
        yield OutputLine(f"{old} → {new}", "soft", 6, f"{change.field}: ")


def _changed_value_words(change: FieldChange, value: Any, translate: Language) -> str:
    """Return a value of a changed field as text, "nothing" if it is empty. A tuple is joined by "/".

    A clause (field "construction") is "key value, …". In other values line breaks become " | ". Only "nothing" is
    translated.
    """
    if change.field == "construction" and value:
        return ", ".join(f"{key} {words}" for key, words in value.items())
    words = "/".join(value) if isinstance(value, tuple) else str("" if value is None else value)
    return words.replace("\n", " | ") or translate("nothing")


@click.command("export")
@click.argument("game", required=False)
@click.option("--game", "game_option", hidden=True)
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="A .csv, .xlsx or .ndjson file.")
@click.option("--snapshot", metavar="ID", help="The snapshot.  [default: the current one]")
@click.option("--facts", "as_facts", is_flag=True, help="The facts alone, as they ship with deckproof: no texts.")
@options.LANG
def export_cards(
    game: str | None, game_option: str | None, output: Path, snapshot: str | None, as_facts: bool, translate: Language
) -> None:
    """Write the cards of a GAME to a file.

    A CSV or XLSX can be imported again; NDJSON has every fact. The form is told from the suffix; `-` is
    NDJSON on standard output. With --facts it is the table that ships, which has no texts.
    """
    from carddb import export, facts

    if not (game := game or game_option):
        raise CommandError(phrase("Name the game: {games}.", games=", ".join(GAMES)))
    to_stream = str(output) == "-"
    form = "ndjson" if to_stream else output.suffix.removeprefix(".").lower()
    catalogue = options.library().catalogue(game, snapshot)
    content = facts.write_table(catalogue) if as_facts else export.write(catalogue, form)
    if to_stream:
        sys.stdout.buffer.write(content)
        return
    with replace_file(output) as file:
        file.write(content)
    values = {"count": len(catalogue), "snapshot": catalogue.snapshot, "file": output}
    click.echo(translate("Wrote {count:,} cards of {snapshot} to {file}.", **values), err=True)


@click.command("sync", epilog=options.SYNC_EPILOG)
@click.argument("game", type=options.a_game(WITH_SITE), metavar="GAME")
@click.option("--dry-run", is_flag=True, help="Fetch and compare, and change nothing.")
@options.LANG
def sync_cards(game: str, dry_run: bool, translate: Language) -> None:
    """Fetch the official card list.

    The whole list of a GAME becomes the current snapshot. A list that looks wrong beside
    the current one is kept aside, and the command fails. A sync that breaks off has changed nothing; the
    same command goes on where it stopped.
    """
    from carddb.sync.card_sync import sync

    access = options.settings().site_access(game)
    try:
        with _sync_progress() as progress:
            outcome = sync(game, options.library().store(), access, progress, dry_run)
    except KeyboardInterrupt:
        click.echo(translate("Stopped. Run the same command again to continue from here."), err=True)
        raise
    note(outcome.notices)
    note(outcome.warnings, WARNING)
    _print_outcome(game, outcome, translate)


def _print_outcome(game: str, outcome: SyncOutcome, translate: Language) -> None:
    """Print the outcome of a card sync, with doubts as warnings to standard error.

    Raises CommandError, with the first 20 doubts and advice, if the new cards were refused.
    """
    cards = translate(
        "{count:,} cards of {game} from {pages} packs ({changes})",
        count=outcome.cards,
        game=game,
        pages=outcome.pages,
        changes=diff_counts(outcome.diff, translate),
    )
    if outcome.is_refused:
        wrong = translate("{cards}: this looks wrong.", cards=cards)
        raise CommandError("\n".join([wrong, *shorten(outcome.doubts), _next_step(outcome, translate)]))
    note(outcome.doubts, WARNING)
    if outcome.snapshot is None:
        click.echo(translate("Read {cards}; nothing was changed.", cards=cards))
    elif outcome.snapshot.new:
        click.echo(translate("Imported {cards} as snapshot {id}.", cards=cards, id=outcome.snapshot.id))
    else:
        values = {"count": outcome.cards, "game": game, "id": outcome.snapshot.id}
        click.echo(translate("Nothing new: the {count:,} cards of {game} are snapshot {id}.", **values))


def _next_step(outcome: SyncOutcome, translate: Language) -> str:
    """Return advice for a refused sync: the commands that compare and use the new snapshot.

    If that was not kept (`snapshot` is None), return a sentence that nothing was changed.
    """
    if outcome.snapshot is None:
        return translate("Nothing was changed.")
    return translate(
        "The current snapshot is still used. The new data is stored as {id}. `deckproof cards diff` compares both, "
        "`deckproof cards use {id} --force` uses the new one anyway.",
        id=outcome.snapshot.id,
    )


@contextmanager
def _sync_progress() -> Iterator[Callable[[Step], None]]:
    """Yield a function to call with each step of a sync, a page that was fetched or kept from before.

    It moves a bar if standard error is a terminal. Else it writes a line to standard error.
    """
    if sys.stderr.isatty():
        from api.cli.progress import page_bar

        with page_bar() as move:
            yield lambda step: move(step.done, step.total, step.pack)
    else:
        yield _print_step


def _print_step(step: Step) -> None:
    """Print a page of a sync to standard error: its number, their total, and its pack of cards.

    A page that was fetched before an interruption is marked as kept.
    """
    translate = current_language()
    kept = translate(" (kept from before)") if step.kept else ""
    click.echo(f"{step.done}/{step.total} {console.clean(step.pack)}{kept}", err=True)


COMMANDS = (sync_cards, list_snapshots, use_snapshot, prune_snapshots, show_diff, export_cards)
