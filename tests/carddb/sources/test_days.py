import csv
from datetime import date

import pytest

from carddb.sources import days
from tests.shared import shared_path


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("July 13,2018", date(2018, 7, 13)),
        ("August 2,2018", date(2018, 8, 2)),
        ("August 2, 2026", date(2026, 8, 2)),
        ("July 28, 2017", date(2017, 7, 28)),
        ("From July 28, 2017", date(2017, 7, 28)),
        ("From July 1, 2017", date(2017, 7, 1)),
        ("21-Sep-18", date(2018, 9, 21)),
        ("From July 3 2026 onward.", date(2026, 7, 3)),
        ("North America, Oceania, Asia From June 1,2019 forward", date(2019, 6, 1)),
        ("(last updated on June 19, 2026)", date(2026, 6, 19)),
        ("Sept. 1st, 2025", date(2025, 9, 1)),
        ("2026-04-01", date(2026, 4, 1)),
        ("June 1, 2019 to July 1, 2020", date(2019, 6, 1)),
        ("June 31, 2019, then July 1, 2019", date(2019, 7, 1)),
    ],
)
def test_every_spelling_of_a_day(text, day):
    assert days.find_first_day(text) == day


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "soon",
        "June 31, 2019",
        "Pre-release date of [BT24] Set 07",
        "May 17",
        "03/04/2026",
    ],
)
def test_what_names_no_day(text):
    assert days.find_first_day(text) is None


def test_every_date_of_the_real_list_is_read():
    folder = shared_path("data/dbs/lthornton1")
    told = [
        row["rdate"]
        for name in ("battle", "leader", "extra")
        for row in csv.DictReader((folder / f"{name}.csv").open(encoding="utf-8", errors="replace"))
    ]
    assert len(told) == 2396
    assert None not in map(days.find_first_day, told)


def test_a_hostile_text_is_read_in_linear_time():
    assert days.find_first_day("may " * 50_000 + "1" * 100_000) is None
