"""Tables of an event that a spreadsheet of decks has not: missing players, links, lists, checks and penalties."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain, zip_longest
from operator import attrgetter, itemgetter

from api.events.exports.event_record import EventRecord, Participant
from api.events.judging.deck_checks import DeckCheck, SectionDifference
from api.events.judging.penalties import INFRACTIONS, FoundInfraction, Penalty
from api.events.players import attendance
from api.events.players.player_desk import PersonalLink
from api.events.tournament import Tournament
from api.sheets.person_names import PersonName
from api.sheets.sheet import TITLES
from api.workbooks.reporting import reports, results_csv, summary
from api.workbooks.reporting.report_table import ID, LONG, NUMBER, TEXT, Column, Field, Report, Value
from api.workbooks.reporting.results import Results
from validator.findings import NamedCard
from validator.judge import Verdict
from validator.language import Language

NO_LIST, NOT_REGISTERED = "no list", "not registered"
_NO_GUIDE, _UNDECIDED = "no official penalty guide", "head judge decides"
LINKS, MAIL_MERGE = "csv", "mail-merge"
LINK_FILES: Mapping[str, str] = {LINKS: "links.csv", MAIL_MERGE: "link-letters.csv"}  # the name of each file
_PLAYER_COLUMNS = (Column("Player", LONG, 20), Column("Player ID", ID, 13), Column("E-mail", LONG, 26))
_PLAYERS_ACROSS = 4  # on a page of the lists
_Pair = tuple[Value, Value]


def build_reports(record: EventRecord) -> Iterator[Report]:
    """Yield all tables of an event for its workbook, in the order in which a head judge needs them.

    These are the summary, the missing players, the lists, the leaders, the cards, the findings, the deck checks, the
    infractions and the penalties.
    """
    results = record.results.sorted_by_name
    yield summary.summary(results)
    yield missing_players_report(record)
    yield lists(results)
    yield reports.leaders(results)
    yield reports.cards(results)
    yield reports.findings(results)
    yield checks(record)
    yield infractions(record)
    yield penalties(record)


def missing_players_report(record: EventRecord) -> Report:
    """Return the table of players without a list and of expected players who have not registered, by last name."""
    absent = [(one.name, one.player_id, NO_LIST, one.team) for one in record.participants if one.verdict is None]
    absent += ((one.player, one.player_id, NOT_REGISTERED, "") for one in record.expected)
    fields: list[Field[tuple[str, str, str, str]]] = [
        (Column("Player", LONG, 34), itemgetter(0)),
        (Column("Player ID", ID, 16), itemgetter(1)),
        (Column("Missing", TEXT, 18), itemgetter(2)),
        (Column("Team", LONG, 28), itemgetter(3)),
    ]
    above = [f"{_count_phrase(len(absent), 'player')} missing."]
    return Report.build("Missing", fields, sorted(absent, key=lambda row: PersonName.parse(row[0]).order), above=above)


def reminders(record: EventRecord) -> Report:
    """Return the table of messages to the missing players, by last name.

    All get the subject and text of the record's letter. Missing are players without a list, and expected players who
    have not registered.
    """
    absent = [(one.name, one.player_id, one.email) for one in record.participants if one.verdict is None]
    absent += ((one.player, one.player_id, one.email) for one in record.expected)
    subject, message = record.letter
    fields: list[Field[tuple[str, str, str]]] = [
        *zip(_PLAYER_COLUMNS, map(itemgetter, range(3)), strict=True),
        (Column("Subject", LONG, 30), lambda _: subject),
        (Column("Message", LONG, 75), lambda _: message),
    ]
    return Report.build("Reminders", fields, sorted(absent, key=lambda row: PersonName.parse(row[0]).order))


def lists(results: Results) -> Report:
    """Return the table of all lists, with two columns for each player: cards and copies. It can be parsed again.

    Players without a list are left out.
    """
    having = [(one.entry, one.verdict) for one in results.judged if one.verdict]
    columns = chain.from_iterable(
        (Column(entry.who.name or "(no name)", LONG, 29), Column("", NUMBER, 5)) for entry, _ in having
    )
    pairs = zip_longest(*(_list_columns(entry.who.id, verdict) for entry, verdict in having), fillvalue=(None, None))
    rows = [list(chain.from_iterable(row)) for row in pairs]
    return Report("Lists", list(columns) or [Column("Player")], rows, across=2 * _PLAYERS_ACROSS)


def _list_columns(player_id: str, verdict: Verdict) -> Iterator[_Pair]:
    """Yield the rows (card, copies) of a player's two columns: first the id, then each section with its cards.

    A section is (title, size). Empty sections are left out.
    """
    yield player_id, None
    for section, lines in verdict.facts.resolved_lines.items():
        if lines:
            yield TITLES[section].upper(), verdict.facts.sizes[section]
            yield from ((NamedCard.from_card(card).label if card else line.written, line.count) for line, card in lines)


def checks(record: EventRecord) -> Report:
    """Return the table of deck checks, in the order in which they began, with the share of all players checked."""
    fields: list[Field[DeckCheck]] = [
        (Column("Player", LONG, 18), lambda one: record.player(one.registration).name),
        (Column("Round", TEXT, 6), lambda one: one.round),
        (Column("Table", TEXT, 6), lambda one: one.table or record.player(one.registration).table),
        (Column("Judge", LONG, 12), lambda one: one.judge),
        (Column("Outcome", TEXT, 12), lambda one: one.outcome or "open"),
        (Column("Missing", LONG, 22), lambda one: _cards_text((each, each.missing) for each in _differences(one))),
        (Column("Extra", LONG, 22), lambda one: _cards_text((each, each.extra) for each in _differences(one))),
        (Column("Minutes", NUMBER, 8), _minutes),
        (Column("Extension", NUMBER, 9), lambda one: one.extension),
        (Column("Penalty", TEXT, 12), lambda one: one.penalty),
        (Column("Note", LONG, 30), lambda one: one.note),
        (Column("Began", TEXT, 17), lambda one: f"{one.clock.started:%Y-%m-%d %H:%M}"),
        (Column("Player ID", ID, 13), lambda one: record.player(one.registration).player_id),
    ]
    ordered = sorted(record.checks, key=lambda one: one.clock.started)
    checked, players = len({one.registration for one in record.checks}), len(record.participants)
    share = f" ({checked / players:.0%})" if players else ""
    above = [f"{_count_phrase(len(ordered), 'deck check')}; {checked:,} of {players:,} decks checked{share}."]
    return Report.build("Checks", fields, ordered, above=above, printed="Penalty")


def _differences(check: DeckCheck) -> Sequence[SectionDifference]:
    """Return the sections in which the box differs from the list. Empty before the box is counted."""
    return check.difference.sections if check.difference else ()


def _minutes(check: DeckCheck) -> int | None:
    """Return the minutes that a check took, rounded, None if it has not ended."""
    taken = check.clock.duration
    return None if taken is None else round(taken.total_seconds() / 60)


def _cards_text(differences: Iterable[tuple[SectionDifference, Iterable[NamedCard]]]) -> str:
    """Return cards with their copies as text, one on each line, with the section if it is not the main deck.

    `differences` are pairs of a section and those of its cards to write.
    """
    return "\n".join(
        f"{card.count} {card.label}" + (f" ({TITLES[one.section]})" if one.section != "main" else "")
        for one, cards in differences
        for card in cards
    )


def infractions(record: EventRecord) -> Report:
    """Return the table of infractions that registered lists have, with the penalty that the game's guide suggests.

    An infraction of a player is listed once, even if several kinds of finding are the same infraction.
    """
    fields: list[Field[tuple[Participant, FoundInfraction]]] = [
        (Column("Player", LONG, 24), lambda one: one[0].name),
        (Column("Infraction", LONG, 40), lambda one: INFRACTIONS[one[1].infraction].title),
        (Column("Suggested penalty", TEXT, 18), lambda one: one[1].penalty or _UNDECIDED),
        (Column("Source", LONG, 40), lambda one: _source_text(one[1])),
        (Column("Table", TEXT, 6), lambda one: one[0].table),
        (Column("Player ID", ID, 13), lambda one: one[0].player_id),
    ]
    found = [
        (player, infraction)
        for player in record.participants
        for infraction in dict.fromkeys(one._replace(code="") for one in record.find_infractions(player))
    ]
    above = [f"{_count_phrase(len(found), 'infraction')} in registered lists. A judge decides on each penalty."]
    return Report.build("Infractions", fields, found, above=above, printed="Table")


def _count_phrase(count: int, noun: str) -> str:
    """Return a count with its noun, such as "1 player" or "1,000 players". The plural adds an s."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _source_text(infraction: FoundInfraction) -> str:
    """Return the place of an infraction in the official penalty guide as text, or a text that there is no guide."""
    source = infraction.source
    return f"{source['document']}, {source['section']}" if source else _NO_GUIDE


def penalties(record: EventRecord) -> Report:
    """Return the log of the given penalties, in the order in which they were given, with Bandai's columns."""
    fields: list[Field[Penalty]] = [
        (Column("Player", LONG, 20), lambda one: one.player),
        (Column("Infraction", LONG, 28), lambda one: INFRACTIONS[one.infraction].title),
        (Column("Penalty", TEXT, 15), lambda one: one.penalty),
        (Column("Reason", LONG, 32), lambda one: one.reason),
        (Column("Judge", LONG, 14), lambda one: one.judge),
        (Column("Round", TEXT, 6), lambda one: one.round),
        (Column("Table", TEXT, 6), lambda one: one.table),
        (Column("Given", TEXT, 17), lambda one: f"{one.at:%Y-%m-%d %H:%M}"),
        (Column("Player ID", ID, 13), lambda one: record.player(one.registration).player_id),
    ]
    ordered = sorted(record.penalties, key=lambda one: one.at)
    return Report.build("Penalties", fields, ordered, above=[f"Penalties given: {len(ordered):,}."], printed="Table")


def links_csv(
    kind: str, links: Iterable[PersonalLink], start: str, event: Tournament, moment: datetime, translate: Language
) -> bytes:
    """Return personal links as CSV for Excel. `kind` is one of LINK_FILES: MAIL_MERGE adds the letter to each player.

    `start` is the address of the event's page. The letters are as of `moment`.
    """
    fields: list[Field[PersonalLink]] = [
        *zip(_PLAYER_COLUMNS, map(attrgetter, ("player", "player_id", "email")), strict=True),
        (Column("Link", LONG, 75), lambda one: one.address(start)),
    ]
    if kind == MAIL_MERGE:
        fields[-1:-1] = [
            (
                Column("Subject", LONG, 30),
                lambda one: attendance.link_letter(event, one.address(start), moment, translate)[0],
            ),
            (
                Column("Message", LONG, 75),
                lambda one: attendance.link_letter(event, one.address(start), moment, translate)[1],
            ),
        ]
    return results_csv.table(Report.build("Links", fields, links))
