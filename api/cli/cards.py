"""`deckproof cards`: the cards that decks are judged with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from api.cli import CommandError, console, options
from api.cli.snapshots import COMMANDS, WARNING, note
from api.service.answers.card_answers import card_json, similar_cards
from carddb.catalogue import SUGGESTIONS
from validator.cards import Card, Clause
from validator.games import GAMES
from validator.language import Language, phrase
from validator.words import catalogue_text, fact_names, join_with_or

if TYPE_CHECKING:
    from carddb.catalogue import Catalogue
    from carddb.data_day import DataDay


@click.group()
def cards_command() -> None:
    """Import, sync, compare and show cards."""


@cards_command.command("import")
@click.argument("path", type=click.Path(path_type=Path, resolve_path=True))
@options.A_GAME
@click.option(
    "--as-of",
    type=options.DayParam(),
    metavar="DATE",
    help="The day on which the cards were collected.  [default: a date in the source, else its newest release]",
)
@options.LANG
def import_cards(path: Path, game: str, as_of: date | None, translate: Language) -> None:
    """Import a game's cards.

    PATH is a CSV or XLSX with a header row, a saved page of the official card list, a file of punk-records,
    dbscg-api or dbs-tracker, or a folder or .tar.gz of pages or files; what it is, is told from its content.
    The import becomes a new snapshot, and the current one, or nothing is changed.
    """
    from carddb import construction, corrections, data_day, sources
    from carddb.sync import sanity
    from carddb.sync.diff import compare_cards, find_conflicts

    reading = sources.read(path, game)
    note(reading.notices)
    day, notices = data_day.determine_data_day(reading.cards, reading.days, date.today(), as_of)
    note(notices)
    store = options.library().store()
    before = store.current_cards(game)
    listed = list(map(construction.read, reading.cards))
    snapshot = store.import_cards(game, listed, reading.source, data_day=day)
    note(list(corrections.correction_remarks(game, listed)))
    cards = store.cards(snapshot.id)
    note(list(find_conflicts(compare_cards(before, cards))))
    note(sanity.find_fact_warnings(game, cards), WARNING)
    if doubts := sanity.find_doubts(game, cards, before):
        hint = phrase("It is used anyway. `deckproof cards use` returns to another snapshot.")
        note([*doubts, hint], WARNING)
    values = {"count": snapshot.cards, "game": game, "id": snapshot.id}
    if snapshot.new:
        click.echo(translate("Imported {count:,} cards of {game} as snapshot {id}.", **values))
    else:
        click.echo(
            translate(
                "Nothing new: these {count:,} cards of {game} are snapshot {id}, which is the current one.", **values
            )
        )
    click.echo(
        _data_day_text(day if day and snapshot.data_day == day._replace(where="") else snapshot.data_day, translate)
    )


def _data_day_text(day: DataDay | None, translate: Language) -> str:
    """Return a sentence on the day of the card data and the reason for it. None: a sentence that it is not known."""
    if day is None:
        return translate("The day of the card data is not known: the source has no date; `--as-of` gives one.")
    return translate("Card data as of {day}: {reason}.", day=day.day, reason=translate.text(day.reason))


@cards_command.command("list")
@click.argument("words", nargs=-1)
@options.GAME
@options.JSON
@options.LANG
def list_cards(words: tuple[str, ...], game: str | None, as_json: bool, translate: Language) -> None:
    """List the cards that decks are judged with.

    WORDS are what a number or name must have; without them all cards are listed.
    """
    catalogues = _catalogues(game)
    wanted = " ".join(words)
    cards = [card for one in catalogues for card in one.search(wanted, limit=len(one)).cards]
    if not cards:
        none = translate("no card has {words!r} in its number or name.", words=wanted[:100])
        note([none + _suggestions_text(catalogues, wanted, translate)], translate("Note"))
    if as_json:
        options.write_json(list(map(card_json, cards)))
        return
    _note_days(catalogues, translate)
    headings = (translate("game"), translate("number"), translate("name"), translate("type"))
    console.table((*headings, translate("colours"), translate("cost")), (_card_row(card, translate) for card in cards))


def _card_row(card: Card, translate: Language) -> tuple[object, ...]:
    """Return the table row of a card: game, number, name, type, colours (joined by "/"), cost.

    Type and colours are in a language.
    """
    (type,), colors = fact_names([card.type], translate), fact_names(card.colors, translate)
    return card.game, card.number, card.name, type, "/".join(colors), card.cost_text


@cards_command.command("show")
@click.argument("card")
@options.GAME
@options.JSON
@options.LANG
def show_card(card: str, game: str | None, as_json: bool, translate: Language) -> None:
    """Show a card.

    CARD is a number of any printing in any spelling, or a name.
    """
    catalogues = _catalogues(game)
    cards = [one for catalogue in catalogues for one in _find_cards(catalogue, card)]
    if not cards:
        none = translate("there is no card {card!r}.", card=card[:100])
        raise CommandError(none + _suggestions_text(catalogues, card, translate))
    for one in cards:
        if as_json:
            options.write_json(card_json(one))
        else:
            console.write(console.card_lines(one, translate))
    if not as_json:
        shown = [catalogue for catalogue in catalogues if any(one.game == catalogue.game for one in cards)]
        _note_days(shown, translate)


def _note_days(catalogues: Iterable[Catalogue], translate: Language) -> None:
    """Write a line for each catalogue to standard error: the day of its card data, and of its import.

    If it was not imported, the line says that it ships with deckproof. Catalogues without both days, which have
    invented cards, are skipped.
    """
    for one in catalogues:
        if not one.as_of and not one.imported:
            continue  # invented cards
        known = (
            translate("card data as of {day}", day=one.as_of)
            if one.as_of
            else translate("card data of a day that is not known")
        )
        came = translate("imported on {day}", day=one.imported) if one.imported else translate("ships with deckproof")
        text = translate("{game}: {known}, {source}.", game=one.game, known=known, source=came)
        click.echo(text, err=True)


def _catalogues(game: str | None) -> list[Catalogue]:
    """Return a list with the current catalogue of a game. None is all games, in the order of GAMES."""
    library = options.library()
    return [library.catalogue(one) for one in ((game,) if game else GAMES)]


def _suggestions_text(catalogues: Iterable[Catalogue], text: str, translate: Language) -> str:
    """Return " Did you mean A or B?" with up to SUGGESTIONS cards with a number or name similar to a text.

    "" if there are none.
    """
    near = similar_cards(catalogues, text)[:SUGGESTIONS]
    return (
        translate(" Did you mean {cards}?", cards=join_with_or([card.label for card in near], translate))
        if near
        else ""
    )


def _find_cards(catalogue: Catalogue, card: str) -> list[Card]:
    """Return the card with a number (in any spelling), in a list, else all cards with the name. Empty without any."""
    by_number = catalogue.by_number(card)
    return [by_number] if by_number else list(catalogue.by_name(card))


@cards_command.command("stats")
@options.GAME
@options.JSON
@options.LANG
def show_stats(game: str | None, as_json: bool, translate: Language) -> None:
    """Count the cards.

    By type and colour, and by what their texts say of deck construction.
    """
    for catalogue in _catalogues(game):
        counts = _count_cards(catalogue)
        if as_json:
            options.write_json(counts)
        else:
            known = catalogue_text(len(catalogue), catalogue.as_of, translate)
            title = translate("{place}: {problem}", place=catalogue.game, problem=known)
            console.write([console.OutputLine(title, "title")])
            rows = [
                (translate.text(_COUNTED[what]), translate.template(word), translate.number(count))
                for what in _COUNTED
                for word, count in counts[what].items()
            ]
            console.table((translate("of"), translate("what"), translate("cards")), rows)


_COUNTED = {"types": phrase("types"), "colors": phrase("colours"), "construction": phrase("deck building")}


def _count_cards(catalogue: Catalogue) -> dict[str, Any]:
    """Return the statistics of a catalogue as JSON: "game", "snapshot", and the numbers "cards" and "printings".

    "types" and "colors" have the number of cards by type and by colour. A card counts for each of its colours.
    "construction" has the number of clauses on deck building by kind. The largest numbers come first.
    """
    types = Counter(card.type for card in catalogue)
    colors = Counter(color for card in catalogue for color in card.colors)
    kinds = Counter(clause.kind for card in catalogue for clause in card.construction)
    return {
        "game": catalogue.game,
        "snapshot": catalogue.snapshot,
        "cards": len(catalogue),
        "printings": sum(len(card.printings) for card in catalogue),
        **{name: dict(counted.most_common()) for name, counted in zip(_COUNTED, (types, colors, kinds), strict=True)},
    }


@cards_command.command("clauses")
@click.argument("game", type=options.a_game(), metavar="GAME")
@click.option("--unread", is_flag=True, help="Only the texts that could not be read.")
@options.JSON
@options.LANG
def list_clauses(game: str, unread: bool, as_json: bool, translate: Language) -> None:
    """List the rules of deck construction in card texts.

    Texts that could not be parsed come first. Decks with such a card get a warning that cites the card. A new set shows
    its new texts here.
    """
    catalogue = options.library().catalogue(game)
    clauses = [(card, clause) for card in catalogue for clause in card.construction]
    clauses.sort(key=lambda pair: pair[1].kind != "unread")
    not_read = sum(clause.kind == "unread" for _, clause in clauses)
    shown = clauses[:not_read] if unread else clauses
    if as_json:
        options.write_json([{"number": card.number, "name": card.name, **clause.as_dict()} for card, clause in shown])
        return
    headings = (translate("number"), translate("name"), translate("kind"), translate("what"), translate("text"))
    console.table(headings, (_clause_row(*pair, translate) for pair in shown))
    values = {"snapshot": catalogue.snapshot, "count": len(clauses) - not_read, "unread": not_read}
    click.echo(translate("{snapshot}: {count:,} clauses read, {unread:,} texts not read.", **values), err=True)


def _clause_row(card: Card, clause: Clause, translate: Language) -> tuple[str, ...]:
    """Return the table row of a clause: number and name of its card, kind, other fields in words, its printed text.

    The text is "" if the catalogue does not contain it.
    """
    return card.number, card.name, clause.kind, _clause_words(clause, translate), clause.text


def _clause_words(clause: Clause, translate: Language) -> str:
    """Return the fields of a clause except `kind` and `text`, as "name value" joined by semicolons. "" without any."""
    values = {key: value for key, value in clause.as_dict().items() if key not in ("kind", "text")}
    return "; ".join(f"{key} {_value_words(value, translate)}" for key, value in values.items())


def _value_words(value: Any, translate: Language) -> str:
    """Return a value of a clause as text: None is "any number", a list is joined by "/", a dict is "key value, …".

    Only "any number" is translated.
    """
    if value is None:
        return translate("any number")
    if isinstance(value, dict):
        return ", ".join(f"{key} {_value_words(inner, translate)}" for key, inner in value.items())
    return (
        "/".join(_value_words(inner, translate) for inner in value) if isinstance(value, list | tuple) else str(value)
    )


for _command in COMMANDS:
    cards_command.add_command(_command)
