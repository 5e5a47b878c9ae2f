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
    from api.cli.check import name_file_in_errors, parse_deck, read_file
    from api.service.answers.timeline_answers import outlook
    from api.service.requests import Asked, TimelineRequest

    judges, asked = options.judges(), Asked(**terms)
    with name_file_in_errors(file):
        parsed = parse_deck(read_file(file), judges, asked)
    asked = asked if asked.ruleset else asked._replace(game=parsed.game)
    with options.name_options_in_errors():
        found_outlook = outlook(judges, TimelineRequest(asked, parsed.deck, None, first, last))
    if as_json:
        options.write_json(found_outlook.as_json(say))
    else:
        from api.cli import console

        console.say(_outlook_lines(found_outlook, "standard input" if file == "-" else file, say))
    raise SystemExit(LEGAL if found_outlook.legal else ILLEGAL)


def _outlook_lines(outlook: Outlook, name: str, say: Language) -> Iterator[OutputLine]:
    """Yield the changes ahead, then each interval with its legality, then the formats, and the terms."""
    from api.cli.console import OutputLine

    headline = say("LEGAL") if outlook.legal else say("NOT LEGAL")
    yield OutputLine(f"{headline}  {name}", "legal" if outlook.legal else "illegal")
    yield OutputLine(outlook.headline_in(say), "title", 2)
    for change in outlook.timeline.ahead(outlook.on):
        yield OutputLine(change.said(say), "warning", 2, say("Ahead, {day}", day=change.first) + "  ")
    yield OutputLine("")
    for interval in outlook.timeline.intervals:
        yield from _interval_lines(interval, outlook.on, say)
    yield OutputLine("")
    for where in outlook.where:
        style, codes = ("legal", "") if where.legal else ("illegal", f": {', '.join(where.codes)}")
        yield OutputLine(f"{_legality_word(where.legal, say)}{codes}", style, 2, f"{where.format}, {where.region}  ")
    for note in dict.fromkeys(where.note for where in outlook.where if where.note):
        yield OutputLine(say.of(note), "warning", 2)
    yield OutputLine("")
    yield from _term_lines(outlook, say)
    yield OutputLine("")


def _term_lines(outlook: Outlook, say: Language) -> Iterator[OutputLine]:
    """Yield the lines of the terms: day, limits list, catalogue and deck hash."""
    from api.cli.console import OutputLine, column_width, day_and_place, pad_label

    calendar, cards = outlook.timeline.calendar, outlook.catalogue
    known = say("announcements known up to {known}", known=outlook.known_to) if outlook.known_to else say("none")
    facts = {
        say("Judged on"): day_and_place(outlook.on, calendar.format, calendar.region, say, calendar.best_of),
        say("Limits"): known,
        say("Catalogue"): say("{snapshot}, {count:,} cards", snapshot=cards["snapshot"], count=cards["cards"]),
    }
    hash_label = say("Deck hash")
    room = column_width((*facts, hash_label))
    for label, text in facts.items():
        yield OutputLine(text, "", 2, pad_label(label, room))
    yield OutputLine(outlook.deck_hash, "soft", 2, pad_label(hash_label, room))


def _legality_word(is_legal: bool, say: Language) -> str:
    """Return the word for legal or not legal."""
    return say("legal") if is_legal else say("not legal")


def _interval_lines(interval: Interval, day: date, say: Language) -> Iterator[OutputLine]:
    """Yield the lines of an interval: its days, the change that begins it, and the rule of that change."""
    from api.cli.console import OutputLine, column_width, pad_label

    now = "  " + say("(the day that counts)") if interval.first <= day <= interval.last else ""
    style = "legal" if interval.legal else "illegal"
    days = say("{first} to {last}", first=interval.first, last=interval.last)
    yield OutputLine(f"{_legality_word(interval.legal, say)}{now}", style, 2, f"{days}  ")
    if reason := interval.said(say):
        yield OutputLine(reason, "", 5)
    rule = say("Rule")
    room = column_width((rule,))
    for cite, source in dict.fromkeys((change.event.cite, change.event.source) for change in interval.changes):
        yield OutputLine(f"{cite.document}, {cite.section}", "", 5, pad_label(rule, room))
        if source:
            yield OutputLine(source, "soft", 5, " " * room)
