"""`deckproof cards`: the cards that decks are judged with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from api.cli import CommandError, console, options
from api.cli.clauses import list_clauses
from api.cli.snapshots import export_cards, note, prune_snapshots, show_diff, use_snapshot
from api.cli.sync import sync_cards
from api.service.answers.card_answers import card_json, similar_cards
from carddb.catalogue import SUGGESTIONS
from carddb.errors import NoDatabase
from validator.cards import Card
from validator.games import GAMES

if TYPE_CHECKING:
    from carddb.catalogue import Catalogue
    from carddb.data_day import DataDay


_SNAPSHOT_FIELDS = ("game", "id", "cards", "current", "created", "source", "as_of", "as_of_basis")


@click.group()
def command() -> None:
    """Import, sync, compare and show cards."""


@command.command("import")
@click.argument("path", type=click.Path(path_type=Path, resolve_path=True))
@options.A_GAME
@click.option(
    "--as-of",
    type=options.DayParam(),
    metavar="DATE",
    help="The day on which the cards were collected.  [default: a date in the source, else its newest release]",
)
def import_cards(path: Path, game: str, as_of: date | None) -> None:
    """Import a game's cards.

    PATH is a CSV or XLSX with a header row, a saved page of the official card list, a file of punk-records,
    dbscg-api or dbs-tracker, or a folder or .tar.gz of pages or files; what it is, is told from its content.
    The import becomes a new snapshot, and the current one, or nothing is changed.
    """
    from carddb import construction, corrections, data_day, sources
    from carddb.sync import sanity
    from carddb.sync.diff import conflicts, diff

    reading = sources.read(path, game)
    note(reading.notices)
    day, notices = data_day.determine(reading.cards, reading.days, date.today(), as_of)
    note(notices)
    store = options.library().store()
    before = store.current_cards(game)
    listed = list(map(construction.read, reading.cards))
    snapshot = store.import_cards(game, listed, reading.source, data_day=day)
    note(list(corrections.remarks(game, listed)))
    cards = store.cards(snapshot.id)
    note(list(conflicts(diff(before, cards))))
    note(sanity.warnings(game, cards), "Warning")
    if doubts := sanity.doubts(game, cards, before):
        note([*doubts, "It is used all the same; `deckproof cards use` goes back to another snapshot."], "Warning")
    what = f"{snapshot.cards:,} cards of {game}"
    if snapshot.new:
        click.echo(f"Imported {what} as snapshot {snapshot.id}.")
    else:
        click.echo(f"Nothing new: these {what} are snapshot {snapshot.id}, which is the current one.")
    click.echo(_describe_day(day if day and snapshot.data_day == day._replace(where="") else snapshot.data_day))


def _describe_day(day: DataDay | None) -> str:
    """Return a sentence with the day on which the cards of a snapshot were collected, and its reason."""
    if day is None:
        return "The day of the card data is not known: the source has no date; `--as-of` gives one."
    return f"Card data as of {day.day}: {day.reason}."


@command.command("list")
@click.argument("words", nargs=-1)
@options.GAME
@options.JSON
def list_cards(words: tuple[str, ...], game: str | None, as_json: bool) -> None:
    """List the cards that decks are judged with.

    WORDS are what a number or name must have; without them all cards are listed.
    """
    catalogues = _load_catalogues(game)
    wanted = " ".join(words)
    cards = [card for catalogue in catalogues for card in catalogue.search(wanted, limit=len(catalogue)).cards]
    if not cards:
        note([f"no card has {wanted[:100]!r} in its number or name.{_suggest_cards(catalogues, wanted)}"])
    if as_json:
        options.write_json(list(map(card_json, cards)))
        return
    _note_days(catalogues)
    rows = ((card.game, card.number, card.name, card.type, "/".join(card.colors), card.cost_text) for card in cards)
    console.table(["game", "number", "name", "type", "colors", "cost"], rows)


@command.command("snapshots")
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
            {name: getattr(snapshot, name) for name in _SNAPSHOT_FIELDS} | {"damaged": snapshot.id in damaged}
            for snapshot in snapshots
        ]
        options.write_json(found)
    elif snapshots:
        rows = [
            (
                *(
                    snapshot.game,
                    snapshot.id,
                    f"{snapshot.cards:,}",
                    "yes" if snapshot.current else "",
                    f"{snapshot.created:%Y-%m-%d %H:%M}",
                ),
                f"{snapshot.as_of} ({snapshot.as_of_basis})" if snapshot.as_of else "not known",
                "damaged" if snapshot.id in damaged else "",
            )
            for snapshot in snapshots
        ]
        console.table(["game", "snapshot", "cards", "current", "made (UTC)", "data as of", "state"], rows)
    else:
        click.echo("Nothing was imported yet: decks are judged with the facts of cards that ship.")


@command.command("show")
@click.argument("card")
@options.GAME
@options.JSON
def show_card(card: str, game: str | None, as_json: bool) -> None:
    """Show a card.

    CARD is a number of any printing in any spelling, or a name.
    """
    catalogues = _load_catalogues(game)
    cards = [one for catalogue in catalogues for one in _find_cards(catalogue, card)]
    if not cards:
        raise CommandError(f"there is no card {card[:100]!r}.{_suggest_cards(catalogues, card)}")
    for one in cards:
        if as_json:
            options.write_json(card_json(one))
        else:
            console.say(console.card_lines(one))
    if not as_json:
        _note_days(catalogue for catalogue in catalogues if any(one.game == catalogue.game for one in cards))


def _note_days(catalogues: Iterable[Catalogue]) -> None:
    """Write to standard error the day on which the cards of each catalogue were collected and imported."""
    for catalogue in catalogues:
        if not catalogue.as_of and not catalogue.imported:
            continue  # invented cards
        known = f"card data as of {catalogue.as_of}" if catalogue.as_of else "card data of a day that is not known"
        came = f"imported on {catalogue.imported}" if catalogue.imported else "which ships with deckproof"
        click.echo(f"{catalogue.game}: {known}, {came}.", err=True)


def _load_catalogues(game: str | None) -> list[Catalogue]:
    library = options.library()
    return [library.catalogue(game_id) for game_id in ((game,) if game else GAMES)]


def _suggest_cards(catalogues: Iterable[Catalogue], text: str) -> str:
    """Return a question with similar cards, "" if there are none."""
    near = similar_cards(catalogues, text)[:SUGGESTIONS]
    return f" Did you mean {', '.join(card.label for card in near)}?" if near else ""


def _find_cards(catalogue: Catalogue, card: str) -> list[Card]:
    """Return the card with a number, else the cards with a name."""
    by_number = catalogue.by_number(card)
    return [by_number] if by_number else list(catalogue.by_name(card))


@command.command("stats")
@options.GAME
@options.JSON
def show_stats(game: str | None, as_json: bool) -> None:
    """Count the cards.

    By type and colour, and by what their texts say of deck construction.
    """
    for catalogue in _load_catalogues(game):
        counts = _count_cards(catalogue)
        if as_json:
            options.write_json(counts)
        else:
            console.say(
                [console.OutputLine(f"{catalogue.game}: {counts['snapshot']}, {counts['cards']:,} cards", "title")]
            )
            rows = [(what, word, f"{count:,}") for what in _COUNTS for word, count in counts[what].items()]
            console.table(["of", "what", "cards"], rows)


_COUNTS = ("types", "colors", "construction")


def _count_cards(catalogue: Catalogue) -> dict[str, Any]:
    """Return the numbers of cards of a catalogue by type, by colour and by kind of clause."""
    types = Counter(card.type for card in catalogue)
    colors = Counter(color for card in catalogue for color in card.colors)
    kinds = Counter(clause.kind for card in catalogue for clause in card.construction)
    return {
        "game": catalogue.game,
        "snapshot": catalogue.snapshot,
        "cards": len(catalogue),
        "printings": sum(len(card.printings) for card in catalogue),
        **{name: dict(counted.most_common()) for name, counted in zip(_COUNTS, (types, colors, kinds), strict=True)},
    }


for _command in (list_clauses, sync_cards, use_snapshot, prune_snapshots, show_diff, export_cards):
    command.add_command(_command)
