"""Rows of an archive are compared with its audit, also if its chain and its digests were made to fit them again."""

import json
from copy import deepcopy

import pytest

from api.events.storage import event_archive
from api.events.storage.archive_rows import VERSION
from api.service.errors import Unusable
from tests.api.events.archives import ARCHIVES, exported, forged
from tests.api.events.conftest import Hall

ARCHIVE = json.loads(ARCHIVES[f"version_{VERSION}"])
EARLIER, LATER = "2026-10-20T11:59:59.000000+02:00", "2026-10-20T12:00:01.000000+02:00"
ROWS = ARCHIVE["rows"]


def place_of(table, **values):
    """Return the place of the first row of a table that has these values."""
    return next(place for place, row in enumerate(ROWS[table]) if values.items() <= row.items())


PLAIN = place_of("registrations", latest=1, version=1, distinct_from="")
REVISED = place_of("registrations", latest=2, cut=True)
STAFF_KEY = place_of("keys", role="judge", revoked=None)
REVOKED_KEY = next(place for place, row in enumerate(ROWS["keys"]) if row["revoked"])
DONE, UNDONE = (
    place_of("imports", undone=None),
    next(place for place, row in enumerate(ROWS["imports"]) if row["undone"]),
)


def find_refused_place(archive):
    """Return the place at which an archive with a fitting chain is refused, "" if it is parsed."""
    try:
        event_archive.parse_archive(json.dumps(forged(archive)).encode())
    except Unusable as error:
        return str(error).partition(":")[0]
    return ""


def change_audit(change):
    """Return the archive with a change of the list of its audit's entries."""
    archive = deepcopy(ARCHIVE)
    change(archive["rows"]["audit"])
    return archive


def actions_without(*actions):
    """Return the archive without the entries of its audit that have one of these actions."""
    archive = deepcopy(ARCHIVE)
    archive["rows"]["audit"] = [entry for entry in archive["rows"]["audit"] if entry["action"] not in actions]
    return archive


def test_an_archive_with_a_fitting_chain_is_parsed():
    assert find_refused_place(deepcopy(ARCHIVE)) == ""


@pytest.mark.parametrize(
    ("table", "place", "values", "refused"),
    [
        ("event", 0, {"created": LATER}, "rows.event[0]"),
        ("event", 0, {"version": 4}, "rows.event[0]"),
        ("event", 0, {"version": 2}, "rows.event[0]"),
        ("registrations", PLAIN, {"created": LATER}, f"rows.registrations[{PLAIN}]"),
        ("registrations", PLAIN, {"version": 2}, f"rows.registrations[{PLAIN}]"),
        ("registrations", PLAIN, {"cut": True}, f"rows.registrations[{PLAIN}]"),
        ("registrations", PLAIN, {"until": "2026-10-25T08:30:00+00:00"}, f"rows.registrations[{PLAIN}]"),
        (
            "registrations",
            PLAIN,
            {"distinct_from": ROWS["registrations"][REVISED]["id"]},
            f"rows.registrations[{PLAIN}]",
        ),
        ("registrations", REVISED, {"version": 5}, f"rows.registrations[{REVISED}]"),
        ("registrations", REVISED, {"version": 1}, f"rows.registrations[{REVISED}]"),
        ("registrations", REVISED, {"cut": False}, ""),
        ("registrations", REVISED, {"version": 3}, ""),
        ("checks", 0, {"created": LATER}, "rows.checks"),
        ("checks", 0, {"version": 1}, "rows.checks"),
        ("checks", 0, {"version": 3}, "rows.checks"),
        ("imports", DONE, {"created": LATER}, f"rows.imports[{DONE}]"),
        ("imports", DONE, {"by": "admin"}, f"rows.imports[{DONE}]"),
        ("imports", DONE, {"undone": LATER}, f"rows.imports[{DONE}]"),
        ("imports", UNDONE, {"undone": None}, f"rows.imports[{UNDONE}]"),
        ("imports", UNDONE, {"undone": LATER}, f"rows.imports[{UNDONE}]"),
        ("keys", STAFF_KEY, {"created": LATER}, f"rows.keys[{STAFF_KEY}]"),
        ("keys", STAFF_KEY, {"role": "organiser"}, f"rows.keys[{STAFF_KEY}]"),
        ("keys", STAFF_KEY, {"revoked": LATER}, f"rows.keys[{STAFF_KEY}]"),
        ("keys", REVOKED_KEY, {"revoked": None}, f"rows.keys[{REVOKED_KEY}]"),
        ("keys", REVOKED_KEY, {"revoked": LATER}, f"rows.keys[{REVOKED_KEY}]"),
    ],
)
def test_a_row_that_differs_from_the_audit_is_refused(table, place, values, refused):
    archive = deepcopy(ARCHIVE)
    archive["rows"][table][place] |= values
    assert find_refused_place(archive) == refused


@pytest.mark.parametrize("values", [{"at": LATER}, {"by": "admin"}, {"team": "Reds"}, {"player": "Nami Dog"}])
@pytest.mark.parametrize("place", range(len(ROWS["revisions"])))
def test_a_revision_that_differs_from_the_audit_is_refused(place, values):
    archive = deepcopy(ARCHIVE)
    archive["rows"]["revisions"][place] |= values
    assert find_refused_place(archive) == f"rows.revisions[{place}]"


@pytest.mark.parametrize(
    "change",
    [
        lambda audit: audit.pop(0),
        lambda audit: audit.insert(0, dict(audit[1])),
        lambda audit: audit[0].update(action="event changed"),
    ],
    ids=["without a beginning", "begins later", "begins with a change"],
)
def test_an_audit_that_does_not_begin_with_its_event_is_refused(change):
    assert find_refused_place(change_audit(change)) == "rows.audit"


def test_an_audit_without_any_entry_about_the_event_is_refused():
    assert find_refused_place(actions_without("event begun", "event changed", "seed changed")) == "rows.audit"


@pytest.mark.parametrize(
    ("action", "refused"),
    [
        ("players expected", "rows.expected"),
        ("check changed", "rows.checks"),
        ("import undone", f"rows.imports[{UNDONE}]"),
        ("key revoked", f"rows.keys[{REVOKED_KEY}]"),
        ("settled", "rows.registrations[2]"),
    ],
)
def test_rows_without_their_entry_in_the_audit_are_refused(action, refused):
    assert find_refused_place(actions_without(action)) == refused


def test_a_player_needs_an_entry_about_the_removal_to_be_left_out():
    assert find_refused_place(actions_without("removed")) == "rows.registrations"


def test_a_registration_that_the_audit_has_as_deleted_is_refused():
    removed = next(entry for entry in ROWS["audit"] if entry["action"] == "removed")
    archive = deepcopy(ARCHIVE)
    for entry in archive["rows"]["audit"]:
        if entry is not removed and entry["action"] == "removed" and entry["about"] == removed["about"]:
            entry["about"] = ROWS["registrations"][PLAIN]["id"]
            break
    assert find_refused_place(archive) == f"rows.registrations[{PLAIN}]"


@pytest.mark.parametrize("table", ["keys", "checks", "imports"])
def test_a_row_that_is_there_twice_is_refused(table):
    archive = deepcopy(ARCHIVE)
    archive["rows"][table].insert(1, dict(archive["rows"][table][0]))
    assert find_refused_place(archive) == f"rows.{table}"


@pytest.mark.parametrize("seed", ["", "seven"])
def test_settings_without_a_reason_are_those_of_the_audit(app, seed):
    hall = Hall(app.test_client())
    if seed:
        assert hall.judge.post("/checks:seed", {"seed": seed}).status_code == 200
    archive = json.loads(exported(app, hall).data)
    assert find_refused_place(deepcopy(archive)) == ""
    archive["rows"]["event"][0]["details"]["name"] = "Another Regional"
    assert find_refused_place(archive) == "rows.event[0].details"


def test_settings_with_an_unknown_reason_are_not_compared():
    archive = deepcopy(ARCHIVE)
    archive["rows"]["event"][0]["details"]["place"] = "Hall 8"
    assert find_refused_place(archive) == ""
