"""Timelines: each day says what the Judge of that day says, and each interval why it begins."""

import re
from datetime import date, timedelta
from functools import lru_cache, partial
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carddb.catalogue import Catalogue
from tests.validator.table import bos, dbs, fusion, names, optcg, plain_cards
from validator import Deck, Judge, Line, Policy, Unread
from validator.calendar import EDITION, LAST_DAY, LIMITS, RELEASE, ROTATION, Calendar
from validator.legalities import legalities
from validator.limits import shipped_lists
from validator.timeline import outlook_sentence, timeline

FIRST, LAST = date(2017, 1, 1), date(2027, 12, 31)
TODAY = date(2026, 11, 22)
BANNED = [number for number, one in shipped_lists("optcg").listed.in_force_on(TODAY).singles.items() if not one.limit]
(PAIR,) = shipped_lists("optcg").listed.in_force_on(TODAY).pairs[:1]
_DBS_LISTED = {number: one.limit for number, one in shipped_lists("dbs").listed.in_force_on(TODAY).singles.items()}

# Cards of block 1 to 3, of known first days and with bounds only, banned and free, invented but for their numbers.
PIRATES = [
    optcg("OP05-990", released="2023-12-08"),
    optcg("OP01-990", released="2022-12-02"),
    optcg("OP09-990", released="2024-12-13"),
    optcg("OP16-990", released="2026-06-12"),
    optcg("OP18-990", released="2027-02-01"),
    optcg("P-071", block="3"),
    optcg("P-990"),
    *(optcg(number, released="2023-01-01") for number in (*BANNED, *PAIR.numbers)),
]
FIGHTERS = [
    dbs("BT1-990", released="2017-07-28"),
    dbs("BT9-990", "Unison", released="2020-07-17"),
    dbs("BT6-990"),
    dbs("BT19-990"),
    dbs("BT32-990", "Z-Battle"),
    dbs("P-250"),
    dbs("U-1", keywords=("Ultimate",)),
    dbs("U-2", keywords=("Ultimate",)),
    *(dbs(number) for number in _DBS_LISTED),
]
CATALOGUES = {
    "optcg": Catalogue("optcg", "table", {card.number: card for card in [*plain_cards("optcg"), *PIRATES]}.values()),
    "dbs": Catalogue("dbs", "table", [*plain_cards("dbs"), *FIGHTERS]),
    "bos": Catalogue("bos", "table", [*plain_cards("bos"), bos("Marshal", "Legendary Warrior")]),
    "fusion": Catalogue("fusion", "table", [*plain_cards("fusion"), fusion("FB02-013", released="2024-05-01")]),
}


@lru_cache(maxsize=4096)
def judge(calendar, day):
    """Return the Judge of a calendar on a day."""
    return Judge(calendar.terms(day), CATALOGUES[calendar.game])


def of_lists(calendar, day):
    """Return the Judge of a calendar on a day, without the release of cards."""
    return judge(calendar.of_lists, day)


def make_timeline(deck, calendar, first=FIRST, last=LAST):
    """Return the timeline of a deck in a calendar."""
    return timeline(deck, calendar, partial(of_lists, calendar), first, last)


def lines(cards):
    return tuple(Line(number, count) for number, count in cards.items())


def deck(game, main=None, fill=True, **sections):
    main = dict(main or {})
    if fill:
        main |= names(game, 50 - sum(main.values()))
    return Deck(leader=(Line("X-LEADER", 1),), main=lines(main), **{key: lines(one) for key, one in sections.items()})


def comparable_findings(findings):
    """Return the findings as tuples without their texts."""
    return [(one.code, one.severity, one.section, one.cards, one.count, one.limit) for one in findings]


def as_judged(deck, calendar, day):
    return comparable_findings(judge(calendar, day)(deck).findings)


def assert_is_what_is_judged(result, deck, days):
    """Assert that a timeline has the result of the Judge of each of these days."""
    for day in days:
        interval = result.on(day)
        verdict = judge(result.calendar, day)(deck)
        assert (interval.legal, comparable_findings(interval.findings)) == (
            verdict.legal,
            comparable_findings(verdict.findings),
        ), day
        assert interval.codes == list(dict.fromkeys(verdict.codes))


def assert_is_gapless(result, first, last):
    """Assert that the intervals fill the range, and that neighbours differ and have a reason."""
    assert (result.intervals[0].first, result.intervals[-1].last) == (first, last)
    for before, after in pairwise(result.intervals):
        assert after.first == before.last + timedelta(days=1)
        assert comparable_findings(before.findings) != comparable_findings(after.findings)
        assert after.changes
        assert after.reason


@st.composite
def calendars(draw):
    game = draw(st.sampled_from(["optcg", "dbs"]))
    policy = Policy(
        release_delay_days=draw(st.sampled_from([0, 7])),
        release=draw(st.sampled_from([True, True, False])),
        limits=draw(st.sampled_from([True, True, False])),
    )
    if game == "dbs":
        edition = draw(st.sampled_from([None, None, "dbs-1.073"]))
        return Calendar(game, policy=policy, edition=edition)
    region, format = draw(st.sampled_from(["en", "jp"])), draw(st.sampled_from(["standard", "extra"]))
    return Calendar(game, region, format, policy)


def decks(game):
    cards = st.sampled_from([card.number for card in CATALOGUES[game]] + ["ZZ99-999"])
    section = st.dictionaries(cards, st.integers(1, 5), max_size=8)
    filled = st.booleans()
    return st.builds(
        lambda main, side, z, fill: deck(game, main, fill=fill, side=side, z=z),
        section,
        st.just({}) | section,
        st.just({}) | section,
        filled,
    )


@pytest.mark.slow
@settings(max_examples=60)
@given(st.data())
def test_every_day_says_what_its_judge_says(data):
    calendar = data.draw(calendars())
    written = data.draw(decks(calendar.game))
    found = make_timeline(written, calendar)
    assert_is_gapless(found, FIRST, LAST)
    edges = {day for one in found.intervals for day in (one.first, one.last)}
    events = {event.day - timedelta(days=back) for event in calendar.events(FIRST, LAST) for back in (0, 1)}
    some = data.draw(st.lists(st.dates(FIRST, LAST), max_size=10))
    assert_is_what_is_judged(found, written, sorted(edges | events | set(some)))


class TestWhatBeginsAnInterval:
    def test_a_release_of_a_card_in_the_region(self):
        before, after = make_timeline(deck("optcg", {"OP09-990": 4}), Calendar("optcg", format="extra")).intervals
        assert (before.legal, before.codes, before.last) == (False, ["card.unreleased"], date(2024, 12, 12))
        assert (after.legal, after.codes) == (True, [])
        (change,) = after.changes
        assert (change.event.cause, change.begins, change.code) == (RELEASE, False, "card.unreleased")
        assert [card.number for card in change.cards] == ["OP09-990"]
        assert "TCGplayer" in change.event.cite.document

    def test_a_release_is_later_where_an_event_says_so_and_is_not_asked_where_it_is_left_out(self):
        written = deck("optcg", {"OP09-990": 4})
        delayed = make_timeline(written, Calendar("optcg", format="extra", policy=Policy(release_delay_days=7)))
        assert delayed.intervals[1].first == date(2024, 12, 20)
        assert (
            len(make_timeline(written, Calendar("optcg", format="extra", policy=Policy(release=False))).intervals) == 1
        )

    def test_the_rotation_of_a_block(self):
        found = make_timeline(deck("optcg", {"OP05-990": 4, "OP01-990": 4}), Calendar("optcg"))
        *_, first, second = found.intervals
        assert [(one.first, one.legal, one.codes) for one in (first, second)] == [
            (date(2026, 4, 1), False, ["block.rotated"]),
            (date(2027, 4, 1), False, ["block.rotated"]),
        ]
        (change,) = first.changes
        assert (change.event.cause, change.begins) == (ROTATION, True)
        assert [card.number for card in change.cards] == ["OP01-990"]
        assert change.event.source == shipped_lists("optcg").rotation.source
        assert change.event.announced == date(2025, 7, 23)
        assert [card.number for card in second.changes[0].cards] == ["OP05-990"]

    def test_a_ban_and_its_end(self):
        calendar = Calendar("optcg", format="extra")
        for number in BANNED:
            found = make_timeline(deck("optcg", {number: 1}), calendar)
            banned = [one for one in found.intervals if "card.banned" in one.codes]
            entry = shipped_lists("optcg").listed.in_force_on(TODAY).singles[number].entry
            assert banned[-1].first.isoformat() == entry.effective_from
            (change,) = [one for one in banned[-1].changes if one.code == "card.banned"]
            assert (change.event.cause, change.event.source) == (LIMITS, entry.source)

    def test_the_first_and_the_last_possible_day_of_a_release(self):
        found = make_timeline(deck("dbs", {"BT19-990": 1}), Calendar("dbs"))
        assert [(one.codes, one.legal) for one in found.intervals] == [
            (["card.unreleased"], False),
            (["card.unreleased"], True),
            ([], True),
        ]
        bounds = shipped_lists("dbs").bounds().of_set("BT19")
        assert [one.first for one in found.intervals[1:]] == [bounds.not_before.day, bounds.expected]
        ((possible,), (sure,)) = (one.changes for one in found.intervals[1:])
        assert [(one.event.cause, one.begins) for one in (possible, sure)] == [(RELEASE, True), (RELEASE, False)]

    def test_an_edition(self):
        found = make_timeline(deck("dbs", {"U-1": 1}, z={"Z-01": 1}), Calendar("dbs"))
        assert [one.codes for one in found.intervals] == [["section.not_allowed"], []]
        (change,) = found.intervals[1].changes
        assert (change.event.cause, change.begins, change.event.day) == (EDITION, False, date(2020, 7, 17))
        assert "Q&A" in change.event.cite.document

    def test_what_may_be_in_force_begins_as_a_warning_and_becomes_an_error(self):
        bounded = [one for one in shipped_lists("dbs").listed.changes if one.not_before]
        change = bounded[0]
        (number, *_) = [
            number
            for number, one in shipped_lists("dbs").listed.in_force_on(change.day).singles.items()
            if one.change.bounds == change.bounds
        ]
        found = make_timeline(deck("dbs", {number: 4}), Calendar("dbs"))
        sure = next(one for one in found.intervals if one.first == change.day)
        unsure = found.on(change.day - timedelta(days=1))
        assert (unsure.legal, unsure.first, sure.legal) == (True, change.not_before, False)
        assert len(sure.changes) == 1


class TestTheOutlook:
    def test_a_deck_is_legal_until_a_block_rotates_and_never_again(self):
        found = make_timeline(deck("optcg", {"OP01-990": 1}), Calendar("optcg"))
        for day in (date(2024, 1, 1), TODAY):
            said = outlook_sentence(found, day)
            assert said.startswith("Legal until 2026-03-31, never again: OP01-990 ")
            assert "rotates (block 1)" in said

    def test_what_is_to_come_is_said_before_what_has_been(self):
        found = make_timeline(deck("optcg", {"OP16-990": 1, "OP05-990": 1}), Calendar("optcg"))
        assert outlook_sentence(found, date(2026, 1, 1)).startswith(
            "Not legal yet. Legal from 2026-06-12 until 2027-03-31: "
        )
        assert outlook_sentence(found, TODAY).startswith("Legal until 2027-03-31, never again: OP05-990 ")
        assert [one.first for one in found.ahead(TODAY)] == [date(2027, 4, 1)]

    def test_a_ban_may_be_lifted(self):
        found = make_timeline(deck("optcg", {BANNED[0]: 1}), Calendar("optcg", format="extra"))
        assert "no return announced" in outlook_sentence(found, TODAY)

    @pytest.mark.parametrize(
        ("game", "main", "day", "days"),
        [
            # Banned, and rotated later.
            ("optcg", {"OP03-040": 1}, "2024-01-01", ["2025-08-29", "2026-04-01"]),
            ("optcg", {"OP03-040": 1}, "2026-11-22", ["2025-08-29", "2026-04-01"]),
            # Rotated on the first day without a legal deck, and another card later.
            ("optcg", {"OP01-990": 1, "OP05-990": 1}, "2025-01-01", ["2026-03-31"]),
            # Released, and rotated.
            ("optcg", {"OP01-990": 1, "OP09-990": 1}, "2023-01-01", ["2024-12-13", "2026-03-31"]),
            ("optcg", {"OP01-990": 1, "OP09-990": 1}, "2026-05-01", ["2026-03-31"]),
            ("optcg", {"OP18-990": 1}, "2026-11-22", ["2027-02-01"]),
            ("optcg", {"OP18-990": 1}, "2027-03-01", ["2027-02-01"]),
            ("optcg", {"OP09-990": 5}, "2026-11-22", ["2017-01-01", "2027-12-31"]),
            # Restricted, and free again.
            ("fusion", {"FB02-013": 4}, "2024-01-01", ["2024-05-01", "2024-07-30"]),
            ("fusion", {"FB02-013": 4}, "2024-07-01", ["2024-07-30", "2026-03-14"]),
            ("fusion", {"FB02-013": 4}, "2025-03-01", ["2026-03-14"]),
            ("fusion", {"FB02-013": 4}, "2026-11-22", ["2026-03-14"]),
        ],
    )
    def test_the_days_on_which_a_deck_becomes_legal_or_illegal(self, game, main, day, days):
        outlook = outlook_sentence(make_timeline(deck(game, main), Calendar(game)), date.fromisoformat(day))
        assert re.findall("[0-9]{4}-[0-9]{2}-[0-9]{2}", outlook) == days

    def test_a_warning_that_ends_on_the_day_of_a_ban_is_no_reason(self):
        ban = date(2023, 1, 1)
        delay = (ban - shipped_lists("dbs").bounds().of_set("BT19").expected).days
        calendar = Calendar("dbs", policy=Policy(release_delay_days=delay))
        found = make_timeline(deck("dbs", {"BT19-990": 1, "BT10-044": 1}), calendar)
        assert [(one.event.day, one.begins) for one in found.on(ban).changes] == [(ban, True), (ban, False)]
        outlook = outlook_sentence(found, ban - timedelta(days=1))
        assert ("2022-12-31" in outlook, "BT10-044" in outlook, "BT19-990" in outlook) == (True, True, False)

    def test_a_deck_that_nothing_ends_and_one_that_nothing_begins(self):
        assert outlook_sentence(make_timeline(deck("bos", names("bos", 40)), Calendar("bos")), TODAY).startswith(
            "Not legal on any day"
        )
        by_name = Deck(main=tuple(Line(None, 4, f"Warrior {n}") for n in range(10)))
        assert outlook_sentence(make_timeline(by_name, Calendar("bos")), TODAY).startswith("Legal. No announced change")

    @given(st.data())
    @settings(max_examples=40)
    def test_there_is_one_for_every_deck_and_day(self, data):
        calendar = data.draw(calendars())
        found = make_timeline(data.draw(decks(calendar.game)), calendar)
        day = data.draw(st.dates(date(2010, 1, 1), date(2030, 1, 1)))
        said = outlook_sentence(found, day)
        nearest = found.on(min(max(day, FIRST), LAST))
        assert said.startswith("Legal") or not nearest.legal
        assert said.endswith(".")


class TestWhere:
    def test_every_region_and_format_of_the_day_is_told(self):
        written = deck("optcg", {"OP01-990": 1})
        found = legalities(written, shipped_lists("optcg"), TODAY, of_lists)
        assert {(one.region, one.format): one.codes for one in found} == {
            ("en", "standard"): ["block.rotated"],
            ("en", "extra"): [],
            ("jp", "standard"): ["block.rotated"],
            ("jp", "extra"): [],
        }
        assert {one.ruleset.id for one in found} == {"optcg-1.2.1"}

    @given(st.data())
    @settings(max_examples=30)
    def test_it_is_what_the_judges_of_the_day_say(self, data):
        game = data.draw(st.sampled_from(["optcg", "dbs"]))
        written, day = data.draw(decks(game)), data.draw(st.dates(FIRST, LAST))
        for one in legalities(written, shipped_lists(game), day, of_lists):
            verdict = judge(Calendar(game, one.region, one.format), day)(written)
            assert (one.legal, one.codes) == (verdict.legal, list(dict.fromkeys(verdict.codes)))


class TestWhatPeopleSend:
    @pytest.mark.slow
    @pytest.mark.parametrize("game", CATALOGUES)
    @pytest.mark.parametrize(
        "written",
        [
            Deck(),
            Deck(main=(Line("QQ-1", 255), Line(None, 3, "Nobody"))),
            Deck(main=tuple(Line(f"QQ-{n}", 255) for n in range(1000))),
            Deck(main=tuple(Line(f"X-{n % 30:02}", 1) for n in range(1000))),
            Deck(main=(Line("X-01", 4),), unread=(Unread(3, "4 cards of mine", "no card"),)),
        ],
        ids=["empty", "unknown", "a thousand unknown", "a thousand lines", "unread"],
    )
    def test_no_deck_is_too_odd(self, game, written):
        calendar = Calendar(game)
        found = make_timeline(written, calendar)
        assert_is_gapless(found, FIRST, LAST)
        assert_is_what_is_judged(found, written, [FIRST, TODAY, LAST])
        assert not any(one.legal for one in found.intervals)

    def test_a_range_is_one_day_at_least(self):
        assert len(make_timeline(Deck(), Calendar("optcg"), TODAY, TODAY).intervals) == 1
        with pytest.raises(ValueError, match="is after the last"):
            make_timeline(Deck(), Calendar("optcg"), TODAY, TODAY - timedelta(days=1))

    def test_a_day_outside_has_no_interval(self):
        found = make_timeline(Deck(), Calendar("optcg"))
        assert found.on(FIRST - timedelta(days=1)) is found.on(LAST + timedelta(days=1)) is None

    def test_sixty_years_are_few_intervals(self):
        found = make_timeline(deck("optcg", {"OP05-990": 4}), Calendar("optcg"), date(1990, 1, 1), LAST_DAY)
        assert len(found.intervals) < 10


def test_an_interval_is_told_with_its_sources():
    found = make_timeline(deck("optcg", {"OP05-990": 4}), Calendar("optcg")).intervals[-1].as_dict()
    assert found.keys() == {"from", "until", "legal", "codes", "because", "changes"}
    (change,) = found["changes"]
    assert change["cause"] == "rotation"
    assert change["on"] == found["from"] == "2027-04-01"
    assert change["cards"][0]["number"] == "OP05-990"
    assert change["rule"]["document"].startswith("ONE PIECE CARD GAME block rotation")
    assert change["announced"] == "2025-07-23"
    assert change["source"].startswith("https://")
