"""`deckproof when`: over which days is this deck legal, and what ends that?"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from api.cli import ILLEGAL, LEGAL, options

if TYPE_CHECKING:
    from api.cli.console import OutputLine
    from api.service.answers.timeline_answers import Outlook
    from validator.language import Language
    from validator.timeline import Interval


@click.command()
@click.argument("file", metavar="FILE")
@options.terms
@click.option("--from", "first", type=options.DayParam(), metavar="DATE", help="The first day.  [default: the game's]")
@click.option("--until", "last", type=options.DayParam(), metavar="DATE", help="The last day.  [default: in two years]")
@options.JSON
@options.LANG
def command(file: str, first: date | None, last: date | None, as_json: bool, say: Language, **terms: Any) -> None:
    """Tell over which days a deck is legal, and why.

    FILE is a deck list in any common format; `-` is standard input. What is to come after the day that counts is said
    first. Ends with 0 when the deck is legal on that day, 1 when it is not, 2 when the file cannot be used.
    """
    from api.cli.check import contents, of_a_game, of_file
    from api.service.answers.timeline_answers import outlook
    from api.service.requests import Asked, TimelineRequest

    judges, asked = options.judges(), Asked(**terms)
    with of_file(file):
        found = of_a_game(contents(file), judges, asked)
    asked = asked if asked.ruleset else asked._replace(game=found.game)
    with options.mistakes_told():
        seen = outlook(judges, TimelineRequest(asked, found.deck, None, first, last))
    if as_json:
        options.write_json(seen.as_json(say))
    else:
        from api.cli import console

        console.say(_outlook(seen, "standard input" if file == "-" else file, say))
    raise SystemExit(LEGAL if seen.legal else ILLEGAL)


def _outlook(of: Outlook, name: str, say: Language) -> Iterator[OutputLine]:
    """Yield what is to come, then the days that the deck is legal on and those between."""
    from api.cli.console import OutputLine

    headline = say("LEGAL") if of.legal else say("NOT LEGAL")
    yield OutputLine(f"{headline}  {name}", "legal" if of.legal else "illegal")
    yield OutputLine(of.headline_in(say), "title", 2)
    for one in of.timeline.ahead(of.on):
        yield OutputLine(one.said(say), "warning", 2, say("Ahead, {day}", day=one.first) + "  ")
    yield OutputLine("")
    for one in of.timeline.intervals:
        yield from _interval(one, of.on, say)
    yield OutputLine("")
    for where in of.where:
        style, codes = ("legal", "") if where.legal else ("illegal", f": {', '.join(where.codes)}")
        yield OutputLine(f"{_legal(where.legal, say)}{codes}", style, 2, f"{where.format}, {where.region}  ")
    for note in dict.fromkeys(where.note for where in of.where if where.note):
        yield OutputLine(say.of(note), "warning", 2)
    yield OutputLine("")
    yield from _terms(of, say)
    yield OutputLine("")


def _terms(of: Outlook, say: Language) -> Iterator[OutputLine]:
    from api.cli.console import OutputLine, day_and_place, filled, width

    calendar, cards = of.timeline.calendar, of.catalogue
    known = say("announcements known up to {known}", known=of.known_to) if of.known_to else say("none")
    told = {
        say("Judged on"): day_and_place(of.on, calendar.format, calendar.region, say, calendar.best_of),
        say("Limits"): known,
        say("Catalogue"): say("{snapshot}, {count:,} cards", snapshot=cards["snapshot"], count=cards["cards"]),
    }
    hash = say("Deck hash")
    room = width((*told, hash))
    for label, text in told.items():
        yield OutputLine(text, "", 2, filled(label, room))
    yield OutputLine(of.deck_hash, "soft", 2, filled(hash, room))


def _legal(is_legal: bool, say: Language) -> str:
    return say("legal") if is_legal else say("not legal")


def _interval(of: Interval, on: date, say: Language) -> Iterator[OutputLine]:
    """Yield an interval with what begins it, and the places where that is written."""
    from api.cli.console import OutputLine, filled, width

    now = "  " + say("(the day that counts)") if of.first <= on <= of.last else ""
    style = "legal" if of.legal else "illegal"
    days = say("{first} to {last}", first=of.first, last=of.last)
    yield OutputLine(f"{_legal(of.legal, say)}{now}", style, 2, f"{days}  ")
    if because := of.said(say):
        yield OutputLine(because, "", 5)
    rule = say("Rule")
    room = width((rule,))
    for cite, source in dict.fromkeys((change.event.cite, change.event.source) for change in of.changes):
        yield OutputLine(f"{cite.document}, {cite.section}", "", 5, filled(rule, room))
        if source:
            yield OutputLine(source, "soft", 5, " " * room)
