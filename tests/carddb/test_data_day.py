"""Data days: of which day the cards of a source are is never later than the day on which they were collected."""

from datetime import date

import pytest

from carddb.data_day import FETCHED, GIVEN, IMPORTED, NAME, PAGE, RELEASE, DataDay, day_in_name, determine_data_day
from carddb.errors import CardDataError
from tests.carddb.cards import card

TODAY = date(2026, 11, 23)
CARDS = [card("X-1", released="2025-03-01"), card("X-2", released="2026-08-28"), card("X-3", released="2027-02-01")]


def data_day(day, basis=NAME, place="cards.csv"):
    """Return a DataDay of an ISO day."""
    return DataDay(date.fromisoformat(day), basis, place)


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("cardlist-en-all-60-2026-08-21.tar.gz", date(2026, 8, 21)),
        ("cards_2026_08_21.csv", date(2026, 8, 21)),
        ("2026.08.21 cards.xlsx", date(2026, 8, 21)),
        ("20260821T013600-cards", date(2026, 8, 21)),
        ("from 2026-08-20 to 2026-08-21", date(2026, 8, 20)),
        ("cards-2026-06-31.csv", None),
        ("cardlist-series-569117.html", None),
        ("raw-2026-08", None),
        ("12026-08-211", None),
        ("cards-2026-0821.csv", None),
    ],
)
def test_a_day_is_read_in_a_name(name, day):
    assert day_in_name(name) == day


def test_the_given_day_goes_before_all():
    day, notices = determine_data_day(CARDS, [data_day("2026-08-21")], TODAY, date(2026, 9, 1))
    assert (day, notices) == (DataDay(date(2026, 9, 1), GIVEN), [])


@pytest.mark.parametrize("given", [date(2026, 11, 24), date(2024, 8, 1)])
def test_a_given_day_in_the_future_or_long_before_any_release_is_refused(given):
    with pytest.raises(CardDataError):
        determine_data_day(CARDS, [], TODAY, given)


@pytest.mark.parametrize("given", [TODAY, date(2025, 3, 1), date(2025, 1, 15)])
def test_today_and_the_weeks_before_the_first_release_may_be_given(given):
    assert determine_data_day(CARDS, [], TODAY, given)[0].day == given


def test_cards_that_were_released_after_the_day_are_remarked_on():
    (notice,) = determine_data_day(CARDS, [], TODAY, date(2026, 8, 21))[1]
    assert "2026-08-28" in notice
    assert determine_data_day(CARDS, [], TODAY, date(2026, 8, 28))[1] == []


def test_of_names_the_earliest_counts_and_pages_after_them():
    days = [data_day("2026-08-05", PAGE), data_day("2026-10-02"), data_day("2026-10-01")]
    assert determine_data_day(CARDS, days, TODAY)[0] == data_day("2026-10-01")
    assert determine_data_day(CARDS, days[:1], TODAY)[0] == days[0]


def test_a_day_in_a_name_that_cannot_be_is_left_out_with_a_notice():
    day, notices = determine_data_day(CARDS, [data_day("2026-11-24"), data_day("2001-01-01")], TODAY)
    assert day == DataDay(date(2026, 8, 28), RELEASE)
    assert ["2026-11-24" in notices[0], "2001-01-01" in notices[1]] == [True, True]


def test_without_a_day_the_newest_release_counts_that_is_not_in_the_future():
    assert determine_data_day(CARDS, [], TODAY) == (DataDay(date(2026, 8, 28), RELEASE), [])
    assert determine_data_day(CARDS, [], date(2026, 8, 27))[0].day == date(2025, 3, 1)
    assert determine_data_day(CARDS, [], date(2026, 8, 28))[0].day == date(2026, 8, 28)


def test_the_release_of_a_set_counts_for_cards_without_one():
    assert determine_data_day([card("OP01-016")], [], TODAY)[0] == DataDay(date(2022, 12, 2), RELEASE)


@pytest.mark.parametrize("cards", [CARDS[2:], [card("X-9")]])
def test_without_anything_the_day_is_not_known(cards):
    assert determine_data_day(cards, [], TODAY) == (None, [])


@pytest.mark.parametrize(
    ("new", "known", "replaces"),
    [
        (data_day("2026-08-21"), None, True),
        (data_day("2026-08-21"), data_day("2026-11-23", IMPORTED), True),
        (data_day("2026-08-21"), data_day("2026-08-28", RELEASE), True),
        (data_day("2026-08-28", RELEASE), data_day("2026-08-21"), False),
        (data_day("2026-09-21"), data_day("2026-08-21"), False),
        (data_day("2026-09-21"), data_day("2026-08-21", GIVEN), False),
        (data_day("2026-08-21", GIVEN), data_day("2026-11-23", FETCHED), True),
        (data_day("2026-11-23", FETCHED), data_day("2026-08-21", GIVEN), True),
        (data_day("2026-11-22", FETCHED), data_day("2026-11-23", FETCHED), False),
        (data_day("2026-11-23", FETCHED), data_day("2026-11-23", IMPORTED), True),
    ],
)
def test_of_two_days_of_the_same_cards_the_better_known_is_kept(new, known, replaces):
    assert new.replaces(known) is replaces


@pytest.mark.parametrize(
    ("given", "is_possible"), [(date(2024, 8, 30), True), (date(2024, 8, 29), False)]
)  # half a year, 183 days, before the first release
def test_cards_are_listed_at_most_half_a_year_before_their_release(given, is_possible):
    day, notices = determine_data_day(CARDS, [DataDay(given, NAME)], TODAY)
    assert (day.day == given, any("2025-03-01" in notice for notice in notices)) == (is_possible, not is_possible)
    assert determine_data_day([], [DataDay(given, NAME)], TODAY)[0].day == given


def test_a_release_that_is_no_day_does_not_count():
    cards = [card("X-1", released="soon"), card("X-2", released="2025-03-01")]
    assert determine_data_day(cards, [], TODAY)[0] == DataDay(date(2025, 3, 1), RELEASE)


@pytest.mark.parametrize("basis", [FETCHED, NAME, PAGE, RELEASE, IMPORTED])
def test_only_a_day_from_the_operator_replaces_an_equal_day(basis):
    day = data_day("2026-08-21", basis)
    assert not day.replaces(day)
    assert data_day("2026-08-21", GIVEN).replaces(day)
    assert data_day("2026-08-21", GIVEN).replaces(data_day("2026-08-21", GIVEN))


def test_each_basis_replaces_those_after_it():
    bases = [GIVEN, FETCHED, NAME, PAGE, RELEASE, IMPORTED]
    for place, worse in enumerate(bases):
        better = [data_day("2026-08-21", basis).replaces(data_day("2026-08-22", worse)) for basis in bases]
        assert better == [basis == GIVEN or at < place for at, basis in enumerate(bases)]


def test_the_reason_of_a_day_names_its_file():
    for basis in (NAME, PAGE):
        assert "cards.csv" in data_day("2026-08-21", basis).reason
        assert "cards.csv" not in data_day("2026-08-21", basis, "").reason
    assert len({data_day("2026-08-21", basis).reason for basis in (GIVEN, FETCHED, NAME, PAGE, RELEASE, IMPORTED)}) == 6
