"""What the loader refuses of a data file, and that it says where and how to mend it."""

from datetime import date, datetime, timedelta

import pytest

from validator.documents import load_game_document
from validator.errors import DocumentError
from validator.findings import ERROR, WARNING
from validator.limits import cardsets, list_parser, rotations
from validator.limits.cardsets import Sets

URL = "https://example.com/list"
PAIR = {"AB01-001": "One", "AB01-002": "Two"}


def change(day=date(2026, 1, 1), **said):
    return {"effective_from": day, "region": "en", "source": URL, **said}


def limits_file(*changes, **head):
    return {
        "game": "ab",
        "title": "A list",
        "formats": ["standard"],
        "known_to": date(2026, 12, 31),
        "notes": [],
        "regions": {"en": "Here", "jp": "There"},
        "sections": {"ban": "Banned", "restrict": "Restricted", "ban_pairs": "Pairs"},
        "change": list(changes),
        **head,
    }


def remove_key(table, key):
    """Return a table without a key."""
    return {name: value for name, value in table.items() if name != key}


def ban(number="AB01-001", name="One", day=date(2026, 1, 1), **more):
    return change(day, ban={number: name}, **more)


FEB, MAR = date(2026, 2, 1), date(2026, 3, 1)


def bounded_change(first=FEB, last=MAR, **said):
    """Return a change whose first day is unknown but has bounds. `said` replaces its keys."""
    known = {"not_before": first, "no_later_than": last, "bounds": "By its neighbours."}
    return {**known, "region": "en", "source": URL, "ban": {"AB01-001": "One"}, **said}


def group_change(word, *numbers, day=date(2026, 1, 1), **more):
    """Return a change by which cards join or leave the group "low". `word` is "ban_among" or "lift_among"."""
    return change(day, **{word: {"low": {number: f"Card {number}" for number in numbers}}}, **more)


def group_file(*changes):
    """Return a limits file with the group "low" of three cards, followed by these changes."""
    joined = group_change("ban_among", "AB01-001", "AB01-002", "AB01-003")
    return limits_file(joined, *changes, groups={"low": "a low card"})


BAD_LISTS = {
    "day with a time": (limits_file(ban(day=datetime(2026, 1, 1))), ": 2026-01-01T00:00:00 should be a day"),
    "limit true": (limits_file(change(restrict={"AB01-001": {"limit": True, "name": "One"}})), ": true should be"),
    "a long text for a number": (
        limits_file(change(restrict={"AB01-001": {"limit": "9" * 61, "name": "One"}})),
        f"'{'9' * 59}… should be",
    ),
    "unsorted": (limits_file(ban(day=FEB), ban("AB01-002")), "sort the changes by day"),
    "banned twice": (limits_file(ban(), ban(day=FEB)), "repeats the entry of AB01-001 in the en change of 2026-01-01"),
    "named twice on one day": (limits_file(ban(), ban()), "names AB01-001 again"),
    "banned and lifted in one change": (limits_file(ban(lift={"AB01-001": "One"})), "again"),
    "restricted to the same number": (
        limits_file(
            change(restrict={"AB01-001": {"limit": 2, "name": "One"}}),
            change(FEB, restrict={"AB01-001": {"limit": 2, "name": "One"}}),
        ),
        "remove one of them",
    ),
    "pair banned twice in another order": (
        limits_file(change(ban_pairs=[PAIR]), change(FEB, ban_pairs=[{"AB01-002": "Two", "AB01-001": "One"}])),
        "repeats the entry of AB01-001 and AB01-002 in",
    ),
    "lifted and not listed": (limits_file(change(lift={"AB01-001": "One"})), "not on the list"),
    "pair lifted and not listed": (limits_file(change(lift_pairs=[PAIR])), "not on the list"),
    "lifted in another region": (
        limits_file(ban(), change(FEB, region="jp", lift={"AB01-001": "One"})),
        "not on the list",
    ),
    "lifted under another name": (
        limits_file(ban(), change(FEB, lift={"AB01-001": "Won"})),
        "correct the number or the name",
    ),
    "unknown word": (limits_file(change(forbid={"AB01-001": "One"})), "unknown word 'forbid'; known are"),
    "unknown word in the head": (limits_file(ban(), titel="A list"), "unknown word 'titel'"),
    "unknown word in a restriction": (
        limits_file(change(restrict={"AB01-001": {"limit": 1, "name": "One", "note": ""}})),
        "unknown word 'note'",
    ),
    "missing from the head": (remove_key(limits_file(ban()), "title"), "title is missing"),
    "missing source": (limits_file(remove_key(ban(), "source")), "source is missing"),
    "source that is no address": (limits_file(ban(source="a friend")), "write it in full"),
    "day in quotes": (limits_file(ban(day="2026-01-01")), "a day without quotes"),
    "announcement in quotes": (limits_file(ban(announced="2026-01-01")), "a day without quotes"),
    "announced after it takes effect": (limits_file(ban(announced=FEB)), "correct one"),
    "unknown region": (limits_file(ban(region="moon")), "unknown word 'moon'; known are en, jp"),
    "unknown confidence": (limits_file(ban(confidence="sure")), "unknown word 'sure'"),
    "pair of a card with itself": (
        limits_file(change(ban_pairs=[{"AB01-001": "One"}])),
        "two different cards",
    ),
    "pair of three": (limits_file(change(ban_pairs=[{**PAIR, "AB01-003": "Three"}])), "two different cards"),
    "pair that is no table": (limits_file(change(ban_pairs=[["AB01-001", "AB01-002"]])), "a table"),
    "pairs without a section": (
        limits_file(change(ban_pairs=[PAIR]), sections={"ban": "Banned", "restrict": "Restricted"}),
        r"in \[sections\]",
    ),
    "restricted to none": (limits_file(change(restrict={"AB01-001": {"limit": 0, "name": "One"}})), "1, 2 or 3"),
    "restricted to four": (limits_file(change(restrict={"AB01-001": {"limit": 4, "name": "One"}})), "1, 2 or 3"),
    "restricted to true": (
        limits_file(change(restrict={"AB01-001": {"limit": True, "name": "One"}})),
        "a whole number",
    ),
    "restricted without a limit": (
        limits_file(change(restrict={"AB01-001": {"name": "One"}})),
        "limit is missing",
    ),
    "group that there is not": (limits_file(group_change("ban_among", "AB01-001")), "unknown word 'low'"),
    "in the group already": (
        group_file(group_change("ban_among", "AB01-002", day=FEB)),
        "AB01-002 is in the group already",
    ),
    "leaves a group that it is not in": (
        group_file(group_change("lift_among", "AB01-009", day=FEB)),
        "AB01-009 is not in the",
    ),
    "leaves and joins groups in one change": (
        group_file(change(FEB, lift_among={"low": {"AB01-001": "Card AB01-001"}}, ban_among={"high": {}})),
        r"of 2026-02-01, ban_among: unknown word 'high'",
    ),
    "leaves a group of another region": (
        group_file(group_change("lift_among", "AB01-001", day=FEB, region="jp")),
        "AB01-001 is not in the group",
    ),
    "leaves a group under another name": (
        group_file(change(FEB, lift_among={"low": {"AB01-001": "Won"}})),
        "correct the number or the name",
    ),
    "title of a group that is no text": (limits_file(ban(), groups={"low": 1}), "groups: 1 should be a text"),
    "spared deck that is no text": (limits_file(ban(), spared={"AB01": 1}), "spared: 1 should be a text"),
    "no first day": (limits_file(remove_key(ban(), "effective_from")), "write effective_from"),
    "a first day and bounds": (limits_file(bounded_change(effective_from=MAR)), "write effective_from where"),
    "a first day and a reason for bounds": (limits_file(ban(bounds="A guess.")), "write effective_from where"),
    "no lower bound": (limits_file(remove_key(bounded_change(), "not_before")), "write effective_from where"),
    "no upper bound": (limits_file(remove_key(bounded_change(), "no_later_than")), "write effective_from where"),
    "bounds without a reason": (limits_file(remove_key(bounded_change(), "bounds")), "write effective_from where"),
    "bounds that cross": (limits_file(bounded_change(MAR, FEB)), "correct one"),
    "bound in quotes": (limits_file(bounded_change("2026-02-01")), "a day without quotes"),
    "announced after it may hold": (limits_file(bounded_change(announced=MAR)), "correct one of them"),
    "sorted by its lower bound": (limits_file(bounded_change(), ban("AB01-002", day=FEB)), "sort the changes by day"),
    "may hold before the card was free": (
        limits_file(ban(), change(FEB, lift={"AB01-001": "One"}), bounded_change(date(2026, 1, 31))),
        "write not_before = 2026-02-01",
    ),
    "lift of unknown day": (
        limits_file(ban(), remove_key(bounded_change(lift={"AB01-001": "One"}), "ban")),
        "give the lift its effective_from",
    ),
    "number of a printing": (limits_file(ban("AB01-001_p1")), "is no card number"),
    "number in lower case": (limits_file(ban("ab01-001")), "is no card number"),
    "name that is no text": (limits_file(ban(name=1)), "a text in quotes"),
    "change that names no card": (limits_file(change()), "names no card"),
    "change that is no table": (limits_file("ban"), "a table"),
    "partial in a region that there is not": (
        limits_file(ban(), partial=[{"region": "moon", "note": "In part."}]),
        "partial 1, region: unknown word 'moon'",
    ),
    "partial in best of three": (
        limits_file(ban(), partial=[{"region": "en", "note": "In part.", "best_of": 3}]),
        "best_of 3 should be 1",
    ),
    "best of three": (limits_file(ban(best_of=3)), "best_of 3 should be 1"),
    "best of one without a heading": (limits_file(ban(best_of=1)), "write best_of_1"),
    "a change of a region that follows another": (
        limits_file(ban(region="jp"), follows={"jp": "en"}),
        "jp follows en; write the change there",
    ),
    "follows a region that there is not": (limits_file(ban(), follows={"jp": "moon"}), "unknown word 'moon'"),
    "no regions": (limits_file(ban(), regions={}), "the table is empty"),
    "format that is no text": (limits_file(ban(), formats=[1]), "a text in quotes"),
}


@pytest.mark.parametrize(("document", "says"), BAD_LISTS.values(), ids=BAD_LISTS)
def test_a_limits_list_is_refused(document, says):
    with pytest.raises(DocumentError, match=says):
        list_parser.parse(document)


class TestAccepted:
    def test_a_card_may_come_and_go_and_change(self):
        listed = list_parser.parse(
            limits_file(
                ban(),
                change(FEB, restrict={"AB01-001": {"limit": 2, "name": "One"}}),
                change(MAR, lift={"AB01-001": "One"}),
                ban(day=date(2026, 4, 1)),
            )
        )
        found = [listed.in_force_on(day).singles.get("AB01-001") for day in listed.dates()]
        assert [limit and (limit.limit, limit.entry.effective_to) for limit in found] == [
            (0, "2026-01-31"),
            (2, "2026-02-28"),
            None,
            (0, None),
        ]

    def test_a_pair_may_be_lifted(self):
        listed = list_parser.parse(limits_file(change(ban_pairs=[PAIR]), change(FEB, lift_pairs=[PAIR])))
        assert [len(listed.in_force_on(day).pairs) for day in listed.dates()] == [1, 0]
        assert [(ruling.before, ruling.limit) for ruling in listed.rulings()] == [(None, 0), (0, None)]

    def test_a_card_that_left_a_group_is_no_pair_with_who_joins_later(self):
        left = group_change("lift_among", "AB01-001", "AB01-003", day=FEB)
        listed = list_parser.parse(group_file(left, group_change("ban_among", "AB01-004", day=MAR)))
        assert [[pair.numbers for pair in listed.in_force_on(day).pairs] for day in listed.dates()] == [
            [("AB01-001", "AB01-002"), ("AB01-001", "AB01-003"), ("AB01-002", "AB01-003")],
            [],
            [("AB01-002", "AB01-004")],
        ]
        assert {ruling.group for ruling in listed.rulings()} == {"a low card"}

    def test_a_card_may_take_the_place_of_another_in_a_group_on_one_day_and_come_back(self):
        swapped = change(FEB, lift_among={"low": {"AB01-001": "Card AB01-001"}}, ban_among={"low": {"AB01-009": "9"}})
        listed = list_parser.parse(group_file(swapped, group_change("ban_among", "AB01-001", day=MAR)))
        members = [
            {number for pair in listed.in_force_on(day).pairs for number in pair.numbers} for day in listed.dates()
        ]
        three = {"AB01-001", "AB01-002", "AB01-003"}
        assert members == [three, {"AB01-002", "AB01-003", "AB01-009"}, {*three, "AB01-009"}]

    def test_a_list_may_be_known_in_part_in_one_region(self):
        listed = list_parser.parse(limits_file(ban(), ban(region="jp"), partial=[{"region": "jp", "note": "In part."}]))
        assert [listed.in_force_on(MAR, region).note for region in ("en", "jp")] == ["", "In part."]

    def test_a_list_may_be_known_in_part_up_to_a_day(self):
        partial = [
            {"region": "en", "note": "In part.", "until": MAR},
            {"region": "en", "note": "Of best of one nothing.", "best_of": 1},
        ]
        listed = list_parser.parse(limits_file(ban(), partial=partial))
        assert [listed.in_force_on(day).note for day in (MAR, MAR + timedelta(days=1))] == ["In part.", ""]
        assert listed.in_force_on(MAR, best_of=1).notes == ("In part.", "Of best of one nothing.")
        assert listed.in_force_on(MAR, best_of=3).notes == ("In part.",)

    def test_a_region_may_follow_another_ones_days(self):
        listed = list_parser.parse(limits_file(ban(), follows={"jp": "en"}))
        assert listed.dates("jp") == listed.dates("en")
        assert set(listed.in_force_on(MAR, "jp").singles) == {"AB01-001"}
        assert [ruling.numbers for ruling in listed.rulings("jp")] == [("AB01-001",)]

    def test_an_entry_may_bind_in_best_of_one_alone(self):
        sections = {"ban": "Banned", "restrict": "Limited", "best_of_1": "Banned, best of one"}
        restricted = change(restrict={"AB01-001": {"limit": 1, "name": "One"}})
        listed = list_parser.parse(limits_file(restricted, ban(day=FEB, best_of=1), sections=sections))
        before = FEB - timedelta(days=1)
        assert [listed.in_force_on(day, best_of=1).singles["AB01-001"].limit for day in (before, FEB)] == [1, 0]
        assert listed.in_force_on(FEB, best_of=1).singles["AB01-001"].section == "Banned, best of one"
        for best_of in (None, 3):
            assert listed.in_force_on(FEB, best_of=best_of).singles["AB01-001"].limit == 1
            assert listed.in_force_on(FEB, best_of=best_of).effective_from == before.replace(month=1, day=1)

    def test_regions_do_not_meet(self):
        listed = list_parser.parse(limits_file(ban(), ban(region="jp")))
        assert listed.dates("en") == listed.dates("jp") == (date(2026, 1, 1),)

    def test_an_entry_of_unknown_first_day_may_follow_a_lift_and_be_lifted(self):
        lift, last = {"AB01-001": "One"}, date(2026, 4, 1)
        listed = list_parser.parse(
            limits_file(ban(), change(FEB, lift=lift), bounded_change(), change(last, lift=lift))
        )
        days = [date(2025, 12, 31), date(2026, 1, 31), FEB, MAR, date(2026, 3, 31), last]
        found = [listed.in_force_on(day).singles.get("AB01-001") for day in days]
        assert [limit and limit.severity for limit in found] == [None, ERROR, WARNING, ERROR, ERROR, None]
        assert found[3].entry.effective_to == "2026-03-31"
        assert listed.dates() == (date(2026, 1, 1), FEB, MAR, last)

    def test_bounds_of_one_day_are_a_first_day(self):
        listed = list_parser.parse(limits_file(bounded_change(FEB, FEB)))
        assert [len(listed.in_force_on(day).singles) for day in (date(2026, 1, 31), FEB)] == [0, 1]
        assert listed.in_force_on(FEB).singles["AB01-001"].severity == ERROR

    def test_what_is_certain_goes_before_what_may_not_have_begun(self):
        restricted = change(restrict={"AB01-001": {"limit": 1, "name": "One"}})
        listed = list_parser.parse(limits_file(restricted, bounded_change()))
        before, after = (listed.in_force_on(day).singles["AB01-001"] for day in (FEB, MAR))
        assert (before.limit, before.severity, before.entry.effective_to) == (1, ERROR, None)
        assert (after.limit, after.severity) == (0, ERROR)


SHOPS = {"shop": {"region": "en", "title": "A shop"}, "other": {"region": "en", "title": "Another shop"}}


def sets_file(**more):
    table = {"label": "A set", "released": {"shop": date(2026, 1, 1)}, "block": 1, "packs": ["1"]}
    return {"game": "ab", "notes": [], "sources": SHOPS, "sets": {"AB01": {**table, **more}}}


BAD_SETS = {
    "unknown word": (sets_file(blok=1), "unknown word 'blok'"),
    "day without a source": (sets_file(released=date(2026, 1, 1)), "a table"),
    "day in quotes": (sets_file(released={"shop": "2026-01-01"}), "a day without quotes"),
    "unknown source": (sets_file(released={"friend": date(2026, 1, 1)}), "unknown word 'friend'"),
    "two days in one region": (
        sets_file(released={"shop": date(2026, 1, 1), "other": date(2026, 1, 2)}),
        "two sources give a day in en",
    ),
    "source without a region": ({**sets_file(), "sources": {"shop": {"title": "A shop"}}}, "region is missing"),
    "block in quotes": (sets_file(block="1"), "a whole number"),
    "block 0": (sets_file(block=0), "should be 1 or more"),
    "pack that is no id": (sets_file(packs=["one"]), "an id of digits"),
    "pack without quotes": (sets_file(packs=[1]), "a text in quotes"),
    "pack twice": (sets_file(packs=["1", "1"]), "written once"),
    "no code": ({**sets_file(), "sets": {"AB-01": {"label": "A set"}}}, "as card numbers begin"),
    "no label": ({**sets_file(), "sets": {"AB01": {}}}, "label is missing"),
}


@pytest.mark.parametrize(("document", "says"), BAD_SETS.values(), ids=BAD_SETS)
def test_a_file_of_sets_is_refused(document, says):
    with pytest.raises(DocumentError, match=says):
        cardsets.parse(document)


def exceptions(**more):
    return {
        "section": "Updated",
        "block": "4",
        "list_updated": date(2026, 1, 1),
        "source": URL,
        "cards": {"AB01-001": "One"},
        **more,
    }


def rotation_file(*groups, **more):
    return {
        "game": "ab",
        "title": "A rotation",
        "notes": [],
        "formats": {"standard": "Standard", "extra": "Extra"},
        "default": "standard",
        "rotates": "standard",
        "first_day": date(2026, 4, 1),
        "blocks": [2, 3],
        "announced": date(2025, 4, 1),
        "source": URL,
        "sources": [URL],
        "exceptions": list(groups),
        **more,
    }


BAD_ROTATIONS = {
    "unknown word": (rotation_file(block=[2]), "unknown word 'block'"),
    "unknown default": (rotation_file(default="open"), "unknown word 'open'"),
    "unknown format that rotates": (rotation_file(rotates="open"), "unknown word 'open'"),
    "no blocks": (rotation_file(blocks=[]), "one block after the other"),
    "blocks with a gap": (rotation_file(blocks=[2, 4]), "one block after the other"),
    "block in quotes": (rotation_file(blocks=["2"]), "a whole number"),
    "first day in quotes": (rotation_file(first_day="2026-04-01"), "a day without quotes"),
    "announced late": (rotation_file(announced=date(2026, 4, 2)), "announced after first_day"),
    "source that is no address": (rotation_file(sources=["a friend"]), "write it in full"),
    "unknown word of an exception": (rotation_file(exceptions(until=MAR)), "unknown word 'until'"),
    "exception to no block": (rotation_file(exceptions(block="any")), "or a number in quotes"),
    "exception that ends before it begins": (
        rotation_file(exceptions(legal_from=MAR, legal_to=FEB)),
        "legal_from is after legal_to",
    ),
    "exception for a printing": (rotation_file(exceptions(cards={"AB01-001_p1": "One"})), "no card number"),
    "exception twice in one section": (rotation_file(exceptions(), exceptions()), "twice; remove one"),
    "exceptions that disagree": (
        rotation_file(exceptions(), exceptions(section="Other", block="X")),
        "on the same days",
    ),
}


@pytest.mark.parametrize(("document", "says"), BAD_ROTATIONS.values(), ids=BAD_ROTATIONS)
def test_a_rotation_is_refused(document, says):
    with pytest.raises(DocumentError, match=says):
        rotations.parse(document, Sets("ab"))


def test_exceptions_may_agree_or_follow_each_other():
    groups = [
        exceptions(legal_to=FEB),
        exceptions(section="Other", legal_to=date(2029, 12, 31)),
        exceptions(section="Third", block="X", legal_from=date(2030, 1, 1)),
    ]
    found = rotations.parse(rotation_file(*groups), Sets("ab"))
    assert [found.block_of("AB01-001", "1", day) for day in (FEB, MAR, date(2030, 1, 1))] == ["4", "4", "X"]


class TestFiles:
    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ('game = "cd"\n', 'ab.toml: .*write game = "ab"'),
            ('game = "ab"\ngame = "ab"\n', "ab.toml: .*line 2.*written once"),
            ("game =\n", "ab.toml: .*line 1"),
        ],
    )
    def test_a_file_is_refused_by_name(self, tmp_path, text, says):
        (tmp_path / "ab.toml").write_text(text, "utf-8")
        with pytest.raises(DocumentError, match=says):
            load_game_document(tmp_path / "ab.toml", "ab", list_parser.parse)

    def test_a_set_written_twice_is_refused_by_its_line(self, tmp_path):
        (tmp_path / "ab-sets.toml").write_text('game = "ab"\n[sets]\nAB01 = {}\nAB01 = {}\n', "utf-8")
        with pytest.raises(DocumentError, match=r"ab-sets.toml: .*line 4"):
            load_game_document(tmp_path / "ab-sets.toml", "ab", cardsets.parse)
