"""Tables of an event that a spreadsheet of decks has not: who is missing, lists side by side, checks, penalties."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest

from api.events.exports.event_record import EventRecord
from api.events.judging.deck_checks import DeckCheck, SectionDifference
from api.sheets.person_names import PersonName
from api.sheets.sheet import TITLES
from api.workbooks.reporting import reports
from api.workbooks.reporting.reports import ID, LONG, NUMBER, TEXT, Column, Report, Value
from api.workbooks.reporting.results import Results
from validator.findings import NamedCard
from validator.judge import Verdict

NO_LIST, NOT_REGISTERED = "no list", "not registered"
_PLAYERS_ACROSS = 4  # on a page of the lists
_Pair = tuple[Value, Value]


def every(record: EventRecord) -> Iterator[Report]:
    """Yield every table of an event, in the order in which a head judge wants them."""
    results = record.results.filed
    yield reports.summary(results)
    yield missing(record)
    yield lists(results)
    yield reports.leaders(results)
    yield reports.cards(results)
    yield reports.findings(results)
    yield checks(record)
    yield penalties(record)


def missing(record: EventRecord) -> Report:
    """Return the table of those who have no list, or are expected and not registered, by last name."""
    rows = [(one.name, one.player_id, NO_LIST, one.team) for one in record.participants if one.verdict is None]
    rows += ((one.player, one.player_id, NOT_REGISTERED, "") for one in record.expected)
    rows.sort(key=lambda row: PersonName.of(row[0]).order)
    columns = [
        Column("Player", LONG, 34),
        Column("Player ID", ID, 16),
        Column("Missing", TEXT, 18),
        Column("Team", LONG, 28),
    ]
    return Report("Missing", columns, rows, [f"{reports.counted(len(rows), 'player')} missing."])


def reminders(record: EventRecord) -> Report:
    """Return the table of what to write to each who is missing, and to nobody else, by last name."""
    late = [(one.name, one.player_id, one.email) for one in record.participants if one.verdict is None]
    rows = [*late, *map(tuple, record.expected)]
    rows.sort(key=lambda row: PersonName.of(row[0]).order)
    columns = [
        Column("Player", LONG, 20),
        Column("Player ID", ID, 13),
        Column("E-mail", LONG, 26),
        Column("Subject", LONG, 30),
        Column("Message", LONG, 75),
    ]
    return Report("Reminders", columns, [(*row, *record.letter) for row in rows])


def lists(results: Results) -> Report:
    """Return the table with two columns a player, cards and copies, which is read again as it stands."""
    having = [(one.entry, one.verdict) for one in results.judged if one.verdict]
    columns = chain.from_iterable(
        (Column(entry.who.name or "(no name)", LONG, 29), Column("", NUMBER, 5)) for entry, _ in having
    )
    pairs = zip_longest(*(_list(entry.who.id, verdict) for entry, verdict in having), fillvalue=(None, None))
    rows = [list(chain.from_iterable(row)) for row in pairs]
    return Report("Lists", list(columns) or [Column("Player")], rows, across=2 * _PLAYERS_ACROSS)


def _list(player_id: str, verdict: Verdict) -> Iterator[_Pair]:
    """Yield a player's two columns: the id, then each section with its cards."""
    yield player_id, None
    for section, lines in verdict.facts.understood.items():
        if lines:
            yield TITLES[section].upper(), verdict.facts.sizes[section]
            yield from ((NamedCard.of(card).label if card else line.written, line.count) for line, card in lines)


def checks(record: EventRecord) -> Report:
    """Return the table of deck checks, in the order in which they began."""
    columns = [
        Column("Player", LONG, 18),
        Column("Round", TEXT, 6),
        Column("Table", TEXT, 6),
        Column("Judge", LONG, 12),
        Column("Outcome", TEXT, 12),
        Column("Missing", LONG, 22),
        Column("Extra", LONG, 22),
        Column("Minutes", NUMBER, 8),
        Column("Extension", NUMBER, 9),
        Column("Penalty", TEXT, 12),
        Column("Note", LONG, 30),
        Column("Began", TEXT, 17),
        Column("Player ID", ID, 13),
    ]
    ordered = sorted(record.checks, key=lambda one: one.clock.started)
    rows = [_check_row(record, one) for one in ordered]
    checked = len({one.registration for one in record.checks})
    share = f" ({checked / len(record.participants):.0%})" if record.participants else ""
    above = [
        f"{reports.counted(len(rows), 'deck check')}; {checked:,} of {len(record.participants):,} decks checked{share}."
    ]
    return Report("Checks", columns, rows, above, printed="Penalty")


def _check_row(record: EventRecord, check: DeckCheck) -> list[Value]:
    player, taken = record.player(check.registration), check.clock.taken
    sections = check.difference.sections if check.difference else ()
    return [
        player.name,
        check.round,
        check.table or player.table,
        check.judge,
        check.outcome or "open",
        _cards((one, one.missing) for one in sections),
        _cards((one, one.extra) for one in sections),
        None if taken is None else round(taken.total_seconds() / 60),
        check.extension,
        check.penalty,
        check.note,
        f"{check.clock.started:%Y-%m-%d %H:%M}",
        player.player_id,
    ]


def _cards(found: Iterable[tuple[SectionDifference, Iterable[NamedCard]]]) -> str:
    """Return cards a line each, with the section where it is not the main deck."""
    return "\n".join(
        f"{card.count} {card.label}" + (f" ({TITLES[one.section]})" if one.section != "main" else "")
        for one, cards in found
        for card in cards
    )


def penalties(record: EventRecord) -> Report:
    """Return the log of penalties, as they were given, in the order in which Bandai has its columns."""
    columns = [
        Column("Player", LONG, 20),
        Column("Infraction", LONG, 28),
        Column("Penalty", TEXT, 15),
        Column("Reason", LONG, 32),
        Column("Judge", LONG, 14),
        Column("Round", TEXT, 6),
        Column("Table", TEXT, 6),
        Column("Given", TEXT, 17),
        Column("Player ID", ID, 13),
    ]
    rows: list[list[Value]] = [
        [
            *one.record.values(),
            one.round,
            one.table,
            f"{one.at:%Y-%m-%d %H:%M}",
            record.player(one.registration).player_id,
        ]
        for one in sorted(record.penalties, key=lambda one: one.at)
    ]
    return Report("Penalties", columns, rows, [f"Penalties given: {len(rows):,}."], printed="Table")
