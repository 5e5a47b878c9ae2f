"""The tables of an event as they are printed: their headings in order, the last one on paper, the lines above."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from api.events.exports import event_reports, player_lists
from api.events.judging import deck_checks
from api.events.judging.deck_checks import CheckClock, DeckCheck
from api.events.players.player_desk import PersonalLink
from api.events.tournament import Tournament
from tests.api.events.hall import facts, player, record
from tests.api.workbooks.files import catalogue, deck
from validator import decklists
from validator.language import ENGLISH

# The headings of each table, and the last one that goes on paper ("": all of them).
PRINTED = {
    "Summary": (
        "Player, Last name, Player ID, Legal, Leader, Main deck, Findings, Fewest changes, First finding, Table, "
        "Notes, Team, Received, Revision, Registration, E-mail, Event, Deck hash, Sheet, Row",
        "Notes",
    ),
    "Missing": ("Player, Player ID, Missing, Team", ""),
    "Lists": ("Zoë Ångström, , Łukasz Żółć, , 山田 陽菜, ", ""),
    "Leaders": ("Leader, Colours, Decks, Legal", ""),
    "Cards": ("Number, Name, Type, Decks, Copies", ""),
    "Findings": (
        "Player, Player ID, Severity, Value, Row, Line, Message, Fix, Sheet, Column, Code, Section, Card, "
        "Rule document, Rule section, Count, Limit",
        "Fix",
    ),
    "Checks": (
        "Player, Round, Table, Judge, Outcome, Missing, Extra, Minutes, Extension, Penalty, Note, Began, Player ID",
        "Penalty",
    ),
    "Infractions": ("Player, Infraction, Suggested penalty, Source, Table, Player ID", "Table"),
    "Penalties": ("Player, Infraction, Penalty, Reason, Judge, Round, Table, Given, Player ID", "Table"),
}


def tables():
    return {one.title: one for one in event_reports.build_reports(record())}


def test_every_table_has_its_headings_in_order():
    made = tables()
    assert list(made) == list(PRINTED)
    assert {title: ", ".join(column.title for column in one.columns) for title, one in made.items()} == {
        title: headings for title, (headings, _) in PRINTED.items()
    }
    assert {title: one.printed for title, one in made.items()} == {title: last for title, (_, last) in PRINTED.items()}


# How many characters wide each column is on paper.
WIDTHS = {
    "Missing": [34, 16, 18, 28],
    "Lists": [29, 5, 29, 5, 29, 5],
    "Checks": [18, 6, 6, 12, 12, 22, 22, 8, 9, 12, 30, 17, 13],
    "Infractions": [24, 40, 18, 40, 6, 13],
    "Penalties": [20, 28, 15, 32, 14, 6, 6, 17, 13],
}


def test_every_column_has_its_width_on_paper():
    made = tables()
    assert {title: [column.width for column in made[title].columns] for title in WIDTHS} == WIDTHS


@pytest.mark.parametrize(
    ("seconds", "minutes"), [(0, 0), (29, 0), (31, 1), (90, 2), (3_569, 59), (3_600, 60), (None, None)]
)
def test_the_minutes_of_a_check_are_rounded(seconds, minutes):
    ended = None if seconds is None else NOON + timedelta(seconds=seconds)
    check = DeckCheck("c1", "r1", "Judge 1", CheckClock(NOON, ended))
    (row,) = event_reports.checks(record(checks=[check])).rows
    assert row[PRINTED["Checks"][0].split(", ").index("Minutes")] == minutes


@pytest.mark.parametrize(
    ("checked", "players", "above"),
    [
        ([], 4, "0 deck checks; 0 of 4 decks checked (0%)."),
        (["r1"], 4, "1 deck check; 1 of 4 decks checked (25%)."),
        (["r1", "r1", "r2"], 3, "3 deck checks; 2 of 3 decks checked (67%)."),
        ([], 0, "0 deck checks; 0 of 0 decks checked."),
    ],
)
def test_a_player_who_is_checked_twice_counts_once(checked, players, above):
    checks = [DeckCheck(f"c{at}", id, "Judge 1", CheckClock(NOON)) for at, id in enumerate(checked)]
    participants = [player(number, f"Player {number}", None) for number in range(1, players + 1)]
    assert event_reports.checks(record(participants=participants, checks=checks)).above == [above]


def test_what_differs_names_the_section_unless_it_is_the_main_deck():
    registered, box = deck(), decklists.parse("1 OP01-001\n4 OP01-016", "optcg", catalogue()).deck
    check = DeckCheck(
        "c1", "r1", "Judge 1", CheckClock(NOON), difference=deck_checks.difference(facts(registered), facts(box))
    )
    (row,) = event_reports.checks(record(checks=[check])).rows
    missing, extra = (row[PRINTED["Checks"][0].split(", ").index(title)] for title in ("Missing", "Extra"))
    assert missing.splitlines()[0].startswith("1 ST21-001")
    assert missing.splitlines()[0].endswith("(Leader)")
    assert not any(line.endswith(")") and "Main" in line for line in missing.splitlines())
    assert extra.endswith("(Leader)")


def test_every_row_is_as_wide_as_its_headings():
    for one in tables().values():
        assert {len(row) for row in one.rows} <= {len(one.columns)}, one.title


def test_the_lines_above_a_table_count_its_rows():
    made = tables()
    assert made["Missing"].above == [f"{len(made['Missing'].rows)} players missing."]
    assert made["Checks"].above == ["2 deck checks; 2 of 4 decks checked (50%)."]
    assert made["Penalties"].above == [f"Penalties given: {len(made['Penalties'].rows)}."]
    assert made["Infractions"].above[0].startswith(f"{len(made['Infractions'].rows)} infraction")
    assert made["Summary"].above[-1].startswith("4 players: 2 legal, 1 not legal, 1 without a deck")


def test_who_is_missing_stands_by_last_name_with_the_reason():
    missing = tables()["Missing"].rows
    assert {row[2] for row in missing} <= {event_reports.NO_LIST, event_reports.NOT_REGISTERED}
    assert missing == sorted(missing, key=lambda row: row[0].rpartition(" ")[2])


NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
LINK = PersonalLink("r1", "Nami Cat", "007", "nami@example.com", "k" * 43)
EVENT = Tournament("e" * 30, "Example", "optcg", NOON.date(), closes=NOON + timedelta(hours=1))


@pytest.mark.parametrize(
    ("kind", "headings"),
    [
        ("csv", ["Player", "Player ID", "E-mail", "Link"]),
        ("mail-merge", ["Player", "Player ID", "E-mail", "Subject", "Message", "Link"]),
    ],
)
def test_links_have_the_columns_of_their_file(kind, headings):
    data = event_reports.links_csv(kind, [LINK], "http://x/events/e", EVENT, NOON, ENGLISH).decode("utf-8-sig")
    lines = data.split("\r\n")
    assert lines[0].split(",") == headings
    assert data.rstrip().endswith(f"http://x/events/e/registrations/r1#key={LINK.key}")
    assert "nami@example.com" in lines[1]


@pytest.mark.parametrize(
    ("layout", "headings"),
    [
        ("melee", "Email,First Name,Last Name,Player ID,Team,Decklist"),
        ("limitless", "Name,Player ID,Email,Decklist"),
        ("sharly", "Last name,First name,Player ID,E-mail"),
    ],
)
def test_another_tools_csv_has_its_headings(layout, headings):
    data = player_lists.players_csv(record(), layout).decode("utf-8-sig")
    assert data.split("\r\n")[0] == headings
    assert "Ångström" in data
