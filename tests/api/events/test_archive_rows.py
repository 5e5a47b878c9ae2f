"""Rows of archives that no deckproof has written are refused with their place, and those at the bounds are not."""

from __future__ import annotations

import copy
from dataclasses import asdict
from datetime import date, timedelta

import pytest

from api.events.bounds import MOST_DAYS_KEPT
from api.events.players.entrant import encode_deck
from api.events.storage import event_archive
from api.events.storage.archive_rows import VERSION, check_rows
from api.service.bounds import LONGEST_LIMITS_LIST
from api.service.errors import Unusable
from tests.api.events.archives import ARCHIVES, HERE
from validator.deck import Deck, Line
from validator.rules import Policy

NEWEST = f"version_{VERSION}"
HIGHEST = 2**31 - 1
LIMITS_LIST = """document = "House list"
[[change]]
effective_from = 2026-01-01
region = "en"
source = "https://example.com/house-list"
restrict.OP01-016 = {limit = 3, name = "Nami"}
"""
CHECK, REGISTRATION, REVISION, KEY, IMPORT = "checks", "registrations", "revisions", "keys", "imports"


@pytest.fixture(scope="module")
def archived():
    return event_archive.read(ARCHIVES[NEWEST], HERE, allow_unverified=True).rows


@pytest.fixture
def rows(archived):
    return copy.deepcopy(archived)


def deck_of(copies):
    return encode_deck(Deck(main=(Line("OP01-016", copies),), unread=()))


def find_refused_place(rows):
    """Return the place of the first row that is refused, "" if none is."""
    try:
        check_rows(rows)
    except Unusable as error:
        return str(error).partition(":")[0]
    return ""


def test_the_rows_of_an_archive_are_accepted(rows):
    assert find_refused_place(rows) == ""
    assert all(rows[table] for table in (CHECK, REGISTRATION, REVISION, KEY, IMPORT))


@pytest.mark.parametrize(
    ("table", "column", "value", "is_valid"),
    [
        (REGISTRATION, "created", "2026-10-20T10:00:00+00:00", True),
        (REGISTRATION, "created", "2026-10-20T10:00:00", False),
        (REGISTRATION, "created", "0001-10-20T10:00:00+00:00", False),
        (REGISTRATION, "created", "0002-10-20T10:00:00+00:00", True),
        (REGISTRATION, "created", "9998-10-20T10:00:00+00:00", True),
        (REGISTRATION, "created", "9999-10-20T10:00:00+00:00", False),
        (REGISTRATION, "email", "", True),
        (REGISTRATION, "email", "nobody", False),
        (REGISTRATION, "distinct_from", "", True),
        (REGISTRATION, "distinct_from", "0" * 30, True),
        (REGISTRATION, "distinct_from", "0" * 30 + " other", False),
        (REGISTRATION, "event_id", "0" * 30, False),
        (REGISTRATION, "table", "a\0b", False),
        (REVISION, "by", "judge 0a", True),
        (REVISION, "by", "nobody 0a", False),
        (REVISION, "deck", None, True),
        (REVISION, "deck", deck_of(1), True),
        (REVISION, "deck", deck_of(0), False),
        (REVISION, "deck", deck_of(-1), False),
        (REVISION, "deck", deck_of(HIGHEST), True),
        (REVISION, "deck", deck_of(HIGHEST + 1), False),
        (REVISION, "deck", b"no deck", False),
        (REVISION, "registration_id", "0" * 30, False),
        (CHECK, "box", deck_of(0), False),
        (CHECK, "id", "0" * 29, False),
        (CHECK, "registration_id", "0" * 30, False),
        (IMPORT, "kind", "other", False),
        (IMPORT, "before", {"players": [["Nami Cat", "", "nobody"]]}, False),
        (IMPORT, "before", {"players": [["Nami Cat", ""]]}, False),
        (IMPORT, "before", {}, False),
        (KEY, "role", "admin", False),
        (KEY, "role", "owner", False),
        (KEY, "role", "player", False),  # without a registration
        (KEY, "hash", "0" * 63, False),
        (KEY, "hash", "0" * 65, False),
    ],
)
def test_a_value_of_a_row(rows, table, column, value, is_valid):
    assert column in rows[table][0]
    if table == KEY:
        rows[KEY][0]["registration_id"] = None
        rows[KEY][0]["role"] = "judge"
        assert find_refused_place(rows) == ""
    rows[table][0][column] = value
    assert find_refused_place(rows) == ("" if is_valid else f"rows.{table}[0]")


@pytest.mark.parametrize(
    ("notes", "is_valid"),
    [
        ({"grace": 0}, True),
        ({"grace": -1}, False),
        ({"grace": HIGHEST}, True),
        ({"grace": HIGHEST + 1}, False),
        ({"grace": "3"}, False),
        ({"outcome": ""}, True),
        ({"outcome": "ok"}, True),
        ({"outcome": "late"}, False),
        ({"infraction": "late", "penalty": "Warning"}, True),
        ({"infraction": "Warning"}, False),
        ({"penalty": "late"}, False),
        ({"looked_at": []}, True),
        ({"looked_at": ["main", "other"]}, False),
        ({"started": "2026-10-20T10:00:00"}, False),
        ({"ended": "2026-10-20T10:00:00"}, False),
        ({"given": "0001-10-20T10:00:00+00:00"}, False),
        ({"more": 1}, False),
    ],
)
def test_notes_of_a_check(rows, notes, is_valid):
    rows[CHECK][0]["notes"] |= notes
    assert find_refused_place(rows) == ("" if is_valid else "rows.checks[0]")


@pytest.mark.parametrize("name", ["started", "given", "looked_at"])
def test_notes_of_a_check_are_complete(rows, name):
    del rows[CHECK][0]["notes"][name]
    assert find_refused_place(rows) == "rows.checks[0]"


def set_days(rows, days):
    """Keep the data of the event for some days, and delete it on the day that follows from it."""
    row = rows["event"][0]
    before = row["details"]["purge_days"]
    row["details"]["purge_days"] = days
    row["purged"] = (date.fromisoformat(row["purged"]) + timedelta(days=days - before)).isoformat()


@pytest.mark.parametrize(
    ("days", "is_valid"), [(0, False), (1, True), (MOST_DAYS_KEPT, True), (MOST_DAYS_KEPT + 1, False)]
)
def test_the_days_for_which_an_event_is_kept(rows, days, is_valid):
    set_days(rows, days)
    assert bool(find_refused_place(rows)) is not is_valid


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("game", "chess"),
        ("timezone", "Mars/Olympus"),
        ("check_seed", "a\nb"),
        ("best_of", "three"),
        ("on", "2026-10-24"),
    ],
)
def test_a_setting_that_no_event_has(rows, setting, value):
    rows["event"][0]["details"][setting] = value
    assert find_refused_place(rows) == "rows.event[0].details"


@pytest.mark.parametrize(("setting", "value"), [("lists", "nobody"), ("roster", "cut")])
def test_a_visibility_that_no_event_has(rows, setting, value):
    rows["event"][0]["details"]["visibility"][setting] = value
    assert find_refused_place(rows) == "rows.event[0].details"


def test_an_own_limits_list_has_a_longest_length_and_needs_a_policy_with_limits(rows):
    details = rows["event"][0]["details"]
    text = LIMITS_LIST
    for length, is_valid in ((LONGEST_LIMITS_LIST, True), (LONGEST_LIMITS_LIST + 1, False)):
        details["limits_list"] = text + "#" * (length - len(text))
        assert bool(find_refused_place(rows)) is not is_valid
    for wrong in ("", "no list"):
        details["limits_list"] = wrong
        assert find_refused_place(rows) == "rows.event[0].details"
    details["limits_list"] = text
    assert find_refused_place(rows) == ""
    details["policy"] = asdict(Policy(limits=False))
    assert find_refused_place(rows) == "rows.event[0].details"


def test_there_is_one_event(rows):
    for events in ([], rows["event"] * 2):
        assert find_refused_place({**rows, "event": events}) == "rows.event"


@pytest.mark.parametrize("table", [CHECK, REGISTRATION, REVISION, KEY, IMPORT])
def test_no_row_is_there_twice(rows, table):
    assert find_refused_place({**rows, table: [*rows[table], rows[table][0]]}) == f"rows.{table}"


def test_rows_refer_to_revisions_and_imports_that_are_there(rows):
    for table, column in ((CHECK, "revision"), ("imported", "revision"), ("imported", "import_id")):
        value = rows[table][-1][column]
        rows[table][-1][column] = 99 if column == "revision" else "0" * 30
        assert find_refused_place(rows) == f"rows.{table}"
        rows[table][-1][column] = value
    rows["imported"][-1]["revision"] = 0
    assert find_refused_place(rows) == ""
