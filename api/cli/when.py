"""`deckproof when`: over which days is this deck legal, and what ends that?"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from api.cli import ILLEGAL, LEGAL, options

if TYPE_CHECKING:
    from api.cli.console import OutputLine
    from api.service.timeline_answers import Outlook
    from validator.timeline import Interval


@click.command()
@click.argument("file", metavar="FILE")
@options.terms
@click.option("--from", "first", type=options.DayParam(), metavar="DATE", help="The first day.  [default: the game's]")
@click.option("--until", "last", type=options.DayParam(), metavar="DATE", help="The last day.  [default: in two years]")
@options.JSON
def command(file: str, first: date | None, last: date | None, as_json: bool, **terms: Any) -> None:
    """Tell over which days a deck is legal, and why.

    FILE is a deck list in any common format; `-` is standard input. What is to come after the day that counts is said
    first. Ends with 0 when the deck is legal on that day, 1 when it is not, 2 when the file cannot be used.
    """
    from api.cli.check import contents, of_a_game, of_file
    from api.service.requests import Asked, TimelineRequest
    from api.service.timeline_answers import outlook

    judges, asked = options.judges(), Asked(**terms)
    with of_file(file):
        found = of_a_game(contents(file), judges, asked)
    asked = asked if asked.ruleset else asked._replace(game=found.game)
    seen = outlook(judges, TimelineRequest(asked, found.deck, None, first, last))
    if as_json:
        options.write_json(seen.as_dict())
    else:
        from api.cli import console

        console.say(_outlook(seen, "standard input" if file == "-" else file))
    raise SystemExit(LEGAL if seen.legal else ILLEGAL)


def _outlook(of: Outlook, name: str) -> Iterator[OutputLine]:
    """Yield what is to come, then the days that the deck is legal on and those between."""
    from api.cli.console import OutputLine

    yield OutputLine(f"{'LEGAL' if of.legal else 'NOT LEGAL'}  {name}", "legal" if of.legal else "illegal")
    yield OutputLine(of.headline, "title", 2)
    for one in of.timeline.ahead(of.on):
        yield OutputLine(one.because, "warning", 2, f"Ahead, {one.first}  ")
    yield OutputLine("")
    for one in of.timeline.intervals:
        yield from _interval(one, of.on)
    yield OutputLine("")
    for where in of.where:
        style, codes = ("legal", "") if where.legal else ("illegal", f": {', '.join(where.codes)}")
        yield OutputLine(
            f"{'legal' if where.legal else 'not legal'}{codes}", style, 2, f"{where.format}, {where.region}  "
        )
    yield OutputLine("")
    calendar, cards = of.timeline.calendar, of.made_with["catalogue"]
    yield OutputLine(f"{of.on}, format {calendar.format}, region {calendar.region}", "", 2, "Judged on  ")
    yield OutputLine(f"announcements known up to {of.known_to}" if of.known_to else "none", "", 2, "Limits     ")
    yield OutputLine(f"{cards['snapshot']}, {cards['cards']:,} cards", "", 2, "Catalogue  ")
    yield OutputLine(of.deck_hash, "soft", 2, "Deck hash  ")
    yield OutputLine("")


def _interval(of: Interval, on: date) -> Iterator[OutputLine]:
    """Yield an interval with what begins it, and the places where that is written."""
    from api.cli.console import OutputLine

    now = "  (the day that counts)" if of.first <= on <= of.last else ""
    style = "legal" if of.legal else "illegal"
    yield OutputLine(f"{'legal' if of.legal else 'not legal'}{now}", style, 2, f"{of.first} to {of.last}  ")
    if of.because:
        yield OutputLine(of.because, "", 5)
    for cite, source in dict.fromkeys((change.event.cite, change.event.source) for change in of.changes):
        yield OutputLine(f"{cite.document}, {cite.section}", "", 5, "Rule  ")
        if source:
            yield OutputLine(source, "soft", 5, "      ")
