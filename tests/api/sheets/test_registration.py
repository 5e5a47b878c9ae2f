"""Registrations: what a person typed, read strictly and cleaned."""

from datetime import date

import pytest

from api.service.errors import Invalid
from api.sheets.registration import LONGEST, Registration
from tests.api.sheets.desk import PLAYER


def test_a_full_registration_is_read():
    read = Registration.read(PLAYER)
    assert read.player.full_name == "Last, First"
    assert read.player_id == "0012345678"
    assert read.date == date(2026, 11, 21)
    assert (read.event, read.place, read.table, read.notes) == ("Winter Regional 2026", "Cologne", "42", "")


def test_a_name_is_enough_and_may_come_in_two_fields():
    assert Registration.read({"player": "Last"}).date is None
    assert Registration.read({"last_name": "Last", "first_name": "First", "date": ""}).player.full_name == "Last, First"
    assert Registration.read({"player": "Last", "date": date(2026, 1, 2)}).date == date(2026, 1, 2)


def test_texts_are_cleaned_before_they_are_measured():
    read = Registration.read({"player": "First\u202e Last" + "\u200b" * 200, "event": "Winter\nRegional"})
    assert (read.player.full_name, read.event) == ("Last, First", "Winter Regional")


def refused(fields):
    with pytest.raises(Invalid) as error:
        Registration.read({"player": "Last", **fields})
    return [one.pointer.removeprefix("/") for one in error.value.errors]


def test_a_sheet_has_room_for_texts_of_these_lengths():
    assert LONGEST == {
        **{"player": 100, "last_name": 60, "first_name": 60, "player_id": 20},
        **{"event": 120, "place": 100, "table": 10, "notes": 300, "format_name": 60},
    }


def test_a_text_may_be_four_times_as_long_before_it_is_cleaned():
    table = "x" * 10 + "\u200b" * 30
    assert Registration.read({"player": "Last", "table": table}).table == "x" * 10
    assert refused({"table": f"{table}\u200b"}) == ["table"]


@pytest.mark.parametrize("field", LONGEST)
def test_no_field_may_be_longer_than_fits(field):
    rest = {"last_name": "Last", "player": None} if field == "first_name" else {}
    player = {"player": None} if field == "last_name" else {}
    longest = "x" * LONGEST[field]
    Registration.read({"player": "Last", **rest, **player, field: longest})
    assert refused({**rest, **player, field: longest + "x"}) == [field]
    assert refused({**rest, **player, field: longest * 1000}) == [field]


@pytest.mark.parametrize("id", ["=1+1", "-5", "@x", "+1", "12\u0663", "名", "1\t2=", "a'b", "1,2"])
def test_an_id_is_letters_and_digits_and_what_parts_them(id):
    assert refused({"player_id": id}) == ["player_id"]


@pytest.mark.parametrize("id", ["0012345678", "BNTC-00123", "a_b.c/d#1", "7"])
def test_an_id_is_kept_as_it_is(id):
    assert Registration.read({"player": "Last", "player_id": id}).player_id == id


@pytest.mark.parametrize("day", ["2026-02-30", "21.11.2026", "2026-W47-6", 20261121, "20261121", [], {}, "0001-01-01"])
def test_a_day_is_of_the_calendar(day):
    assert refused({"date": day}) == ["date"]


def test_everything_wrong_is_said_at_once():
    assert sorted(refused({"player_id": 12, "event": ["x"], "date": "soon"})) == ["date", "event", "player_id"]


@pytest.mark.parametrize(
    "fields", [{}, {"player": ""}, {"player": "\u200b"}, {"first_name": "First"}, {"player": None}]
)
def test_a_player_has_a_name(fields):
    with pytest.raises(Invalid) as error:
        Registration.read(fields)
    assert [one.pointer for one in error.value.errors] == ["/player"]


def test_a_player_has_one_name():
    assert refused({"last_name": "Last"}) == ["player"]
