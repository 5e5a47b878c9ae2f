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
@options.add_terms_options
@click.option("--from", "first", type=options.DayParam(), metavar="DATE", help="The first day.  [default: the game's]")
@click.option("--until", "last", type=options.DayParam(), metavar="DATE", help="The last day.  [default: in two years]")
@options.JSON
@options.LANG
def when_command(
    file: str, first: date | None, last: date | None, as_json: bool, translate: Language, **terms: Any
) -> None:
    """Show the days on which a deck is legal, and the reasons.

    FILE is a deck list in any common format. `-` is standard input. Changes after the day that counts come first. Exits
    with 0 if the deck is legal on that day, 1 if it is not, 2 if the file cannot be used.

    \b
    deckproof when deck.txt --from 2026-01-01 --until 2026-12-31
    """
    from api.cli.deck_files import complete_game, parse_deck_file
    from api.service.answers.timeline_answers import outlook
    from api.service.requests import RequestedTerms, TimelineRequest

    judges, asked = options.judges(), RequestedTerms(**terms)
    found = parse_deck_file(file, judges, asked)
    with options.name_options_in_errors():
        seen = outlook(judges, TimelineRequest(complete_game(asked, found), found.deck, None, first, last))
    if as_json:
        options.write_json(seen.as_json(translate))
    else:
        from api.cli import console

        console.write(_outlook_lines(seen, "standard input" if file == "-" else file, translate))
    raise SystemExit(LEGAL if seen.legal else ILLEGAL)


def _outlook_lines(outlook: Outlook, name: str, translate: Language) -> Iterator[OutputLine]:
    """Yield the lines of a timeline: headline, coming changes, intervals, the legality by region and format, and terms.

    `name` is the label of the deck. Changes and intervals are left out if the deck is illegal on all days of the range.
    """
    from api.cli.console import OutputLine
    from validator import words

    headline = translate("LEGAL") if outlook.legal else translate("NOT LEGAL")
    yield OutputLine(f"{headline}  {name}", "legal" if outlook.legal else "illegal")
    yield OutputLine(outlook.headline(translate), "title", 2)
    if any(one.legal for one in outlook.timeline.intervals):  # else the headline is all of it
        for one in outlook.timeline.ahead(outlook.on):
            yield OutputLine(one.render(translate), "warning", 2, translate("From {day}", day=one.first) + "  ")
        yield OutputLine("")
        for one in outlook.timeline.intervals:
            yield from _interval_lines(one, outlook.on, translate)
    yield OutputLine("")
    for where in outlook.where:
        place = words.region_name(outlook.timeline.calendar.game, where.region, translate)
        reason = "" if where.legal else f": {where.interval.state(translate)}"
        style = "legal" if where.legal else "illegal"
        label = f"{words.format_name(where.format, translate)}, {place}  "
        yield OutputLine(f"{_legal_word(where.legal, translate)}{reason}", style, 2, label)
    for note in dict.fromkeys(where.note for where in outlook.where if where.note):
        yield OutputLine(translate.text(note), "warning", 2)
    yield OutputLine("")
    yield from _terms_lines(outlook, translate)
    yield OutputLine("")


def _terms_lines(outlook: Outlook, translate: Language) -> Iterator[OutputLine]:
    """Yield the lines below a timeline: day, format and region, limits list, catalogue and deck hash.

    Of the limits list it is the last day whose announcements are known, or "none".
    """
    from api.cli.console import OutputLine, day_and_place, label_width, pad_label
    from validator import words

    calendar, cards = outlook.timeline.calendar, outlook.catalogue
    known = (
        translate("announcements known up to {known}", known=outlook.known_to)
        if outlook.known_to
        else translate("none")
    )
    facts = {
        translate("Judged on"): day_and_place(
            outlook.on,
            calendar.format,
            words.region_name(calendar.game, calendar.region, translate),
            translate,
            calendar.best_of,
        ),
        translate("Limits"): known,
        translate("Catalogue"): words.catalogue_text(cards["cards"], cards["as_of"], translate),
    }
    hash = translate("Deck hash")
    room = label_width((*facts, hash))
    for label, text in facts.items():
        yield OutputLine(text, "", 2, pad_label(label, room))
    yield OutputLine(outlook.deck_hash, "soft", 2, pad_label(hash, room))


def _legal_word(is_legal: bool, translate: Language) -> str:
    """Return "legal" or "not legal" in a language."""
    return translate("legal") if is_legal else translate("not legal")


def _interval_lines(interval: Interval, day: date, translate: Language) -> Iterator[OutputLine]:
    """Yield the lines of an interval: its days and if the deck is legal, the reason for its begin, and the cited rules.

    A mark is added if `day`, the day of the check, lies in it. The rules are those of the changes on its first day.
    Each is cited once, with its source address if there is one.
    """
    from api.cli.console import OutputLine, label_width, pad_label

    now = "  " + translate("(day of the check)") if interval.first <= day <= interval.last else ""
    style = "legal" if interval.legal else "illegal"
    days = translate("{first} to {last}", first=interval.first, last=interval.last)
    yield OutputLine(f"{_legal_word(interval.legal, translate)}{now}", style, 2, f"{days}  ")
    if because := interval.render(translate):
        yield OutputLine(because, "", 5)
    rule = translate("Rule")
    room = label_width((rule,))
    for cite, source in dict.fromkeys((change.event.cite, change.event.source) for change in interval.changes):
        yield OutputLine(", ".join(map(translate.text, (cite.document, cite.section))), "", 5, pad_label(rule, room))
        if source:
            yield OutputLine(source, "soft", 5, " " * room)
