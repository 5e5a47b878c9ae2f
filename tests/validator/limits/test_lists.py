"""The limits lists on known days, and every row of the lists they were typed from."""

import csv
import re
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shared import shared_path
from validator.findings import ERROR, WARNING, ListEntry
from validator.limits import shipped_lists

ONE_DAY = timedelta(days=1)


def day(text):
    return date.fromisoformat(text)


def list_on_day(game, text, region="en"):
    """Return the list of a game that is in force in a region on an ISO day."""
    return shipped_lists(game).listed.in_force_on(day(text), region)


def rows(game):
    with shared_path(f"data/{game}/limits.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert len(found) == {"dbs": 90, "optcg": 27, "gundam": 52}[game]
    return found


def region_of(row):
    return row.get("region", "EN").lower()


def find_entry(game, row, on_day):
    """Return the limit or the banned pair of a row's card on a day, None if the list has neither."""
    listed = shipped_lists(game).listed.in_force_on(on_day, region_of(row))
    if partner := row.get("pair_with"):
        both = {row["card_number"], partner}
        return next((pair for pair in listed.pairs if set(pair.numbers) == both), None)
    if row.get("group"):
        pairs = [pair for pair in listed.pairs if pair.group and row["card_number"] in pair.numbers]
        return min(pairs, key=lambda pair: pair.entry.effective_from, default=None)
    return listed.singles.get(row["card_number"])


class TestEveryRow:
    @pytest.mark.parametrize("game", ["dbs", "optcg", "gundam"])
    def test_holds_from_its_first_day(self, game):
        for row in rows(game):
            if not row["effective_from"]:
                continue
            first = day(row["effective_from"])
            assert find_entry(game, row, first - ONE_DAY) is None, row
            found = find_entry(game, row, first)
            assert found.severity == ERROR, row
            assert found.entry.effective_from == row["effective_from"]
            assert found.entry.effective_to == (row["effective_to"] or None)

    @pytest.mark.parametrize("game", ["dbs", "optcg"])
    def test_may_hold_between_two_days_where_the_first_is_unknown(self, game):
        unknown = [row for row in rows(game) if not row["effective_from"]]
        assert len(unknown) == {"dbs": 18, "optcg": 2}[game]
        for row in unknown:
            found = find_entry(game, row, date(2024, 8, 2))
            first, last = day(found.entry.not_before), day(found.entry.no_later_than)
            days = [first - ONE_DAY, first, last - ONE_DAY, last]
            severities = [listed and listed.severity for listed in (find_entry(game, row, one) for one in days)]
            assert severities == [None, WARNING, WARNING, ERROR], row
            assert found.entry.effective_from is None
            assert found.change.stated
            assert found.change.bounds

    def test_lies_between_its_dated_neighbours_on_the_official_page(self):
        # The page has the newest first; words that name a set are of one day wherever they stand.
        with shared_path("data/dbs/limits_official_verbatim.csv").open(encoding="utf-8", newline="") as file:
            banned = [row for row in csv.DictReader(file) if row["status"] == "banned"]
        known = {row["card_number"]: row["effective_from"] for row in rows("dbs")}
        bounds = {}
        for place, row in enumerate(banned):
            if not known[row["card_number"]]:
                newer = next(known[one["card_number"]] for one in banned[place::-1] if known[one["card_number"]])
                older = next(known[one["card_number"]] for one in banned[place:] if known[one["card_number"]])
                bounds[row["since_verbatim"]] = older, newer
        listed = [
            limit for limit in list_on_day("dbs", "2026-06-19").singles.values() if limit.entry.effective_from is None
        ]
        assert len(listed) == 18
        assert {limit.change.stated: (limit.entry.not_before, limit.entry.no_later_than) for limit in listed} == bounds
        assert set(bounds.values()) == {
            ("2023-12-01", "2024-08-02"),
            ("2023-03-31", "2023-07-09"),
            ("2021-11-01", "2022-10-28"),
        }

    @pytest.mark.parametrize("game", ["dbs", "optcg"])
    def test_holds_to_its_last_day(self, game):
        for row in rows(game):
            if last := row["effective_to"]:
                assert find_entry(game, row, day(last)).entry.effective_to == last
                assert find_entry(game, row, day(last) + ONE_DAY) is None, row
            else:
                assert find_entry(game, row, date.max).severity == ERROR

    @pytest.mark.parametrize("game", ["dbs", "optcg"])
    def test_has_its_card_and_limit(self, game):
        for row in rows(game):
            found = find_entry(game, row, day(row["effective_to"] or "2026-10-12"))
            if row.get("pair_with"):
                names = dict(zip(found.numbers, found.names, strict=True))
                assert names[row["card_number"]] == row["name"]
            else:
                assert (found.names, found.limit) == ((row["name"],), int(row["limit"]))

    def test_has_its_source(self):
        for row in rows("optcg"):
            found = find_entry("optcg", row, day(row["effective_to"] or "2026-10-12"))
            if row["source"].startswith("https://"):
                assert found.entry.source == re.match(r"[^ ;]+", row["source"])[0]
            assert found.change.confidence == ("medium" if row["confidence"].startswith("medium") else "high")

    def test_has_its_announcement(self):
        announced = [row for row in rows("optcg") if "announced 2026" in row["source"]]
        assert len(announced) == 3
        for row in announced:
            found = find_entry("optcg", row, date(2026, 10, 12))
            assert f"announced {found.entry.announced}" in row["source"]

    def test_was_lifted_where_it_says(self):
        changes = {change.effective_from: change for change in shipped_lists("optcg").listed.changes}
        lifted = [row for row in rows("optcg") if "lifted by" in row["source"]]
        assert len(lifted) == 8
        for row in lifted:
            page = re.search(r"/topics/\d+\.php effective ([0-9-]+)", row["source"])
            assert changes[day(page[1])].source.endswith(page[0].split()[0])
            assert day(row["effective_to"]) + ONE_DAY == day(page[1])

    def test_says_its_first_day_in_the_words_of_the_official_list(self):
        listed = list_on_day("dbs", "2026-07-03").singles
        with shared_path("data/dbs/limits_official_verbatim.csv").open(encoding="utf-8", newline="") as file:
            official = {row["card_number"]: row["since_verbatim"] for row in csv.DictReader(file)}
        assert {number: limit.change.stated for number, limit in listed.items()} == official


class TestOnePiece:
    def test_in_october_2026_six_are_banned_none_restricted_and_three_pairs(self):
        listed = list_on_day("optcg", "2026-10-12")
        banned = {"OP03-040", "OP06-047", "OP06-086", "OP06-116", "ST10-001", "OP14-020"}
        assert {number: limit.limit for number, limit in listed.singles.items()} == dict.fromkeys(banned, 0)
        assert [pair.numbers for pair in listed.pairs] == [
            ("EB04-058", "OP07-115"),
            ("OP08-069", "OP11-040"),
            ("OP11-040", "OP11-067"),
        ]
        assert {limit.section for limit in listed.singles.values()} == {"Banned Cards"}
        assert {pair.section for pair in listed.pairs} == {"Banned Pair Cards"}

    def test_a_ban_begins_on_its_first_day(self):
        assert "OP14-020" not in list_on_day("optcg", "2026-10-11").singles
        ban = list_on_day("optcg", "2026-10-12").singles["OP14-020"]
        source = "https://en.onepiece-cardgame.com/news/restriction-261001.html"
        assert ban.entry == ListEntry(source, "2026-09-24", "2026-10-12", None)

    def test_a_citation_names_the_list_and_its_newest_change(self):
        listed = list_on_day("optcg", "2026-04-09")
        assert listed.title == "ONE PIECE CARD GAME official limits list, in force from 2026-04-01"
        assert listed.effective_from == date(2026, 4, 1)
        assert listed.sources[-1] == "https://en.onepiece-cardgame.com/topics/029.php"
        assert len(set(listed.sources)) == len(listed.sources)

    def test_before_the_first_list_nothing_is_certain(self):
        listed = list_on_day("optcg", "2023-06-29")
        assert {number: limit.severity for number, limit in listed.singles.items()} == {
            "OP02-024": WARNING,
            "OP02-052": WARNING,
        }
        assert listed.effective_from is None
        assert listed.title == "ONE PIECE CARD GAME official limits list"

    def test_a_ban_from_a_pre_release_is_certain_from_the_release_and_not_older_than_the_ban_in_japan(self):
        ban = list_on_day("optcg", "2023-06-30").singles["OP02-024"]
        japanese = list_on_day("optcg", "2023-04-01", "jp").singles["OP02-024"]
        assert ban.severity == japanese.severity == ERROR
        assert ban.entry.no_later_than == shipped_lists("optcg").sets.first_english_day("OP03-001")
        assert ban.entry.not_before == japanese.entry.effective_from
        assert "OP02-024" not in list_on_day("optcg", "2023-03-31").singles

    def test_restricted_cards_of_2023(self):
        listed = list_on_day("optcg", "2023-11-10")
        restricted = {number for number, limit in listed.singles.items() if limit.limit == 1}
        assert restricted == {"OP01-029", "OP02-004", "OP02-018", "OP03-013"}
        assert {listed.singles[number].section for number in restricted} == {"Restricted Cards"}

    def test_japan_has_a_list_of_its_own(self):
        assert not list_on_day("optcg", "2026-04-30", "jp").pairs
        assert list_on_day("optcg", "2026-05-01", "jp").pairs[0].entry.effective_from == "2026-05-01"
        assert "OP06-116" not in list_on_day("optcg", "2026-05-01", "jp").singles

    def test_the_list_serves_both_formats(self):
        assert shipped_lists("optcg").listed.formats == ("standard", "extra")


class TestDragonBall:
    def test_in_july_2026_seventy_one_are_banned_and_nineteen_limited(self):
        limits = [limit.limit for limit in list_on_day("dbs", "2026-07-03").singles.values()]
        assert (limits.count(0), limits.count(1), len(limits)) == (71, 19, 90)

    @pytest.mark.parametrize(
        ("text", "uncertain"),
        [
            ("2021-10-31", 0),
            ("2021-11-01", 7),
            ("2022-10-28", 0),
            ("2023-03-31", 5),
            ("2023-07-09", 0),
            ("2023-12-01", 6),
            ("2024-08-02", 0),
            ("2026-06-18", 0),
        ],
    )
    def test_entries_are_uncertain_between_their_neighbours_alone(self, text, uncertain):
        severities = [limit.severity for limit in list_on_day("dbs", text).singles.values()]
        assert severities.count(WARNING) == uncertain

    def test_a_day_by_which_an_entry_is_certain_is_no_day_of_effect(self):
        assert list_on_day("dbs", "2022-10-27").effective_from == date(2021, 11, 1)
        assert list_on_day("optcg", "2023-06-30").effective_from is None

    def test_limited_cards_stand_in_the_section_of_that_name(self):
        assert list_on_day("dbs", "2026-07-03").singles["BT2-086"].section == "Limited Cards"


class TestEveryList:
    @pytest.mark.parametrize(
        ("game", "changes", "known_to"), [("dbs", 28, date(2026, 6, 19)), ("optcg", 16, date(2026, 10, 4))]
    )
    def test_loads(self, game, changes, known_to):
        listed = shipped_lists(game).listed
        assert (len(listed.changes), listed.known_to) == (changes, known_to)
        assert listed.notes

    @pytest.mark.parametrize("game", ["bos", "unheard-of", "optcg-sets", "../lists", ""])
    def test_a_game_without_a_file_has_an_empty_list(self, game):
        listed = shipped_lists(game).listed
        assert not listed.in_force_on(date(2026, 1, 1)).singles
        assert listed.in_force_on(date(2026, 1, 1)).effective_from is None
        assert listed.dates() == ()

    def test_an_unknown_region_is_refused_with_the_known_ones(self):
        with pytest.raises(ValueError, match=r"'moon'.*en, jp"):
            shipped_lists("optcg").listed.in_force_on(date(2026, 1, 1), "moon")
        with pytest.raises(ValueError, match=r"'jp'.*known are en"):
            shipped_lists("dbs").listed.dates("jp")

    def test_dates_are_the_days_of_change(self):
        days = shipped_lists("optcg").listed.dates("en")
        assert days[:3] == (date(2023, 4, 1), date(2023, 6, 30), date(2023, 7, 28))
        assert date(2023, 12, 8) in days
        assert date(2026, 5, 1) not in days
        assert shipped_lists("optcg").listed.dates("jp") == (date(2023, 4, 1), date(2026, 5, 1))

    @given(st.dates(), st.sampled_from([("dbs", "en"), ("optcg", "en"), ("optcg", "jp")]))
    def test_between_its_dates_a_list_stays_as_it_is(self, some_day, which):
        game, region = which
        listed = shipped_lists(game).listed
        since = max((changed for changed in listed.dates(region) if changed <= some_day), default=date.min)
        then, now = listed.in_force_on(since, region), listed.in_force_on(some_day, region)
        assert (then.singles, then.pairs, then.title) == (now.singles, now.pairs, now.title)
