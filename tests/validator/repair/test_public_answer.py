"""What a program reads in a repair: what each finding asks for, what goes, what comes, why, and by what rule."""

from dataclasses import replace

import pytest

from tests.validator.table import Table, clause, dbs, gundam, names, optcg
from validator.deck import Unread
from validator.repair import repair

RED, WHITE = gundam("C-R", colors=("Red",)), gundam("C-W", colors=("White",))
BOTH = gundam("C-RW", colors=("White", "Red"))
BLUE = optcg("C-B", colors=("Blue",))
ULTIMATES = [dbs(number, keywords=("Ultimate",)) for number in ("K-1", "K-2")]
BANNED = optcg("OP03-040")


def repair_deck(table, pinned=(), **sections):
    """Return the JSON form of the repair of a deck. A plain Leader is added if `sections` has none."""
    if table.has_leader:
        sections = {"leader": {"X-LEADER": 1}, **sections}
    return repair(table.judge, table.deck(**sections), pinned).as_dict()


def plain(count, **special):
    return {**names("dbs", count), **{number.replace("_", "-"): copies for number, copies in special.items()}}


# A deck, and for each finding the least number of changes that it asks for, with its cards and citation.
LEAST = {
    "three copies too many": (
        "dbs-4.00",
        [],
        {"main": plain(50, X_00=7)},
        [("copies.exceeded", 3, ["X-00"], "6-1-5-1")],
    ),
    "copies and size": (
        "dbs-4.00",
        [],
        {"main": plain(45, X_00=7)},
        [("copies.exceeded", 3, ["X-00"], "6-1-5-1"), ("size", 5, [], "6-1-3")],
    ),
    "two cards too few": ("dbs-4.00", [], {"main": plain(48)}, [("size", 2, [], "6-1-3")]),
    "one card too many": ("dbs-4.00", [], {"main": plain(61)}, [("size", 1, [], "6-1-3")]),
    "a side deck over its size": (
        "dbs-4.00",
        [],
        {"main": names("dbs", 60), "side": {"X-20": 4, "X-21": 4, "X-22": 4, "X-23": 4, "X-24": 2}},
        [("size", 3, [], "side deck size")],
    ),
    "two cards with a keyword of which one is allowed": (
        "dbs-4.00",
        ULTIMATES,
        {"main": plain(50, K_1=1, K_2=2)},
        [("keyword.exceeded", 2, ["K-1", "K-2"], "22-14-2")],
    ),
    "a colour that the Leader lacks": (
        "optcg-1.1.9",
        [BLUE],
        {"main": {**names("optcg", 47), "C-B": 3}},
        [("color.mismatch", 3, ["C-B"], "5-1-2-2"), ("size", 3, [], "5-1-2")],
    ),
    "a third colour": (
        "gundam-1.9.0",
        [RED, WHITE],
        {"main": {**names("gundam", 44), "C-W": 4, "C-R": 2}},
        [("color.too_many", 2, ["C-R"], "6-1-1-2"), ("size", 2, [], "6-1-1")],
    ),
    "a line that could not be read": ("optcg-1.1.9", [], {"main": names("optcg", 50), "unread": "Nami R 4"}, []),
    "a legal deck": ("optcg-1.1.9", [], {"main": names("optcg", 50)}, []),
}


@pytest.mark.parametrize(("ruleset", "cards", "sections", "least"), LEAST.values(), ids=LEAST)
def test_each_finding_asks_for_its_least_number_of_changes(ruleset, cards, sections, least):
    table = Table(ruleset, *cards)
    unread = sections.get("unread")
    deck = table.deck(
        **({"leader": {"X-LEADER": 1}} if table.has_leader else {}),
        **{section: lines for section, lines in sections.items() if section != "unread"},
    )
    if unread:
        deck = replace(deck, unread=(Unread(7, unread, "it is not clear how many"),))
    answer = repair(table.judge, deck).as_dict()
    found = [
        (one["because"], one["least"], [card["number"] for card in one["cards"]], one["rule"]["section"])
        for one in answer["bounds"]
    ]
    assert found == least
    changes = sum(count for _, count, *_ in least) + bool(unread)
    assert (answer["changes"], answer["fewest"], answer["bound"]) == (changes, changes, changes)
    assert (answer["possible"], answer["minimal"]) == (True, True)


def test_a_line_that_could_not_be_read_goes_by_its_own_words():
    table = Table("optcg-1.1.9")
    deck = table.deck(leader={"X-LEADER": 1}, main=names("optcg", 50))
    for text, kept in (("Nami R 4", "Nami R 4"), ("4 " + "x" * 300, "4 " + "x" * 198)):
        unread = (Unread(7, text, "it is not clear how many"),)
        (removed,) = repair(table.judge, replace(deck, unread=unread)).as_dict()["repairs"][0]["remove"]
        assert (removed["section"], removed["number"], removed["name"], removed["count"]) == (None, "", kept, None)
        assert (removed["because"], removed["rule"]["section"]) == ("line.unread", "line 7")
        assert kept in removed["says"]
        assert "deck" not in removed["says"]


@pytest.mark.parametrize("copies", [1, 2])
def test_a_card_that_goes_is_told_with_its_section_its_copies_and_its_rule(copies):
    (way,) = repair_deck(Table("dbs-4.00"), main=plain(50, X_00=4 + copies))["repairs"]
    (removed,) = way["remove"]
    assert (removed["section"], removed["number"], removed["count"]) == ("main", "X-00", copies)
    assert (removed["because"], removed["rule"]["section"]) == ("copies.exceeded", "6-1-5-1")
    assert f"Remove {copies} cop" in removed["says"]
    assert "which keeps" not in removed["says"]
    assert (way["move"], way["add"]) == ([], [])


def test_a_third_colour_goes_and_what_comes_is_of_the_colours_that_stay():
    table = Table("gundam-1.9.0", RED, WHITE, BOTH)
    way = repair_deck(table, main={**names("gundam", 41), "C-W": 4, "C-RW": 3, "C-R": 2})["repairs"][0]
    assert {(one["number"], one["count"]) for one in way["remove"]} == {("C-RW", 3), ("C-R", 2)}
    assert all("Blue and White" in one["says"] for one in way["remove"])
    (added,) = way["add"]
    assert (added["count"], added["fits"]["colors"]) == (5, ["Blue", "White"])
    assert "Blue/White" in added["of"]


@pytest.mark.parametrize(
    ("ruleset", "of", "fits"),
    [
        ("dbs-4.00", ["Battle", "Extra", "Unison"], {"types": ["Battle", "Extra", "Unison"]}),
        (
            "optcg-1.1.9",
            ["Red", "Character", "Event", "Stage", "2, 3, 4, 5 or X"],
            {
                "types": ["Character", "Event", "Stage"],
                "colors": ["Red"],
                "blocks": ["2", "3", "4", "5", "X"],
            },
        ),
        ("gundam-1.9.0", ["Unit", "Pilot", "Command", "Base"], {"types": ["Unit", "Pilot", "Command", "Base"]}),
    ],
)
def test_what_comes_is_told_by_what_fits(ruleset, of, fits):
    table = Table(ruleset)
    (added,) = repair_deck(table, main=names(table.game, 47))["repairs"][0]["add"]
    assert (added["section"], added["count"], added["because"], added["fits"]) == ("main", 3, "size", fits)
    assert [word for word in of if word not in added["of"]] == []
    assert ("of the blocks" in added["of"]) is ("blocks" in fits)
    # 47 cards are eleven cards of four copies and three of the twelfth, of which one more fits.
    assert [(card["number"], card["count"]) for card in added["own"]] == [("X-11", 1)]
    assert added["again"] == []
    assert sum(card["count"] for card in added["cards"]) == 3


def test_a_card_of_the_name_of_one_that_goes_may_come_in_its_place():
    twin = replace(optcg("T-1"), name="Pirate OP03-040")
    way = repair_deck(Table("optcg-1.1.9", BANNED, twin, format="extra"), main={**names("optcg", 49), "OP03-040": 1})
    (added,) = way["repairs"][0]["add"]
    assert [(card["number"], card["count"]) for card in added["again"]] == [("T-1", 4)]
    assert [one["because"] for one in way["repairs"][0]["remove"]] == ["card.banned"]


def test_cards_that_move_say_from_where_to_where_and_why():
    side = {f"X-{number}": 4 for number in range(20, 24)}
    (way, *_) = repair_deck(Table("dbs-4.00"), main=names("dbs", 49), side=side)["repairs"]
    (moved,) = way["move"]
    assert (moved["from"], moved["to"], moved["count"]) == ("side", "main", 1)
    assert moved["because"] == "size"
    assert (way["remove"], way["add"]) == ([], [])
    assert sum(line["count"] for line in way["deck"]["main"]) == 50
    assert sum(line["count"] for line in way["deck"]["side"]) == 15


# Blue cards in a deck of a red Leader, and whether a blue Leader is offered: half the changes or fewer.
@pytest.mark.parametrize("blue", [50, 3, 1])
def test_another_leader_is_offered_if_it_takes_half_the_changes(blue):
    cards = [optcg(f"B-{number:02}", colors=("Blue",)) for number in range(13)]
    table = Table("optcg-1.1.9", optcg("Y-L", "Leader", colors=("Blue",)), *cards)
    main, left = names("optcg", 50 - blue), blue
    for card in cards:
        if left > 0:
            main[card.number] = min(4, left)
            left -= 4
    answer = repair_deck(table, main=main)
    assert answer["changes"] == 2 * blue
    offered = [([leader["number"] for leader in one["leaders"]], one["changes"]) for one in answer["leaders"]]
    assert offered == ([(["Y-L"], 2)] if blue == 50 else [])
    assert answer["fewest"] == (2 if blue == 50 else 2 * blue)


def test_a_text_that_bars_another_card_is_mended_from_either_side():
    barring = dbs("B-1", construction=(clause("forbid", match={"name": ["Fighter X-01"]}),))
    answer = repair_deck(Table("dbs-4.00", barring), main=plain(54, B_1=1))
    assert (answer["changes"], answer["repairs"][0]["remove"][0]["number"]) == (1, "B-1")
    pinned = repair_deck(Table("dbs-4.00", barring), ["B-1"], main=plain(54, B_1=1))
    assert (pinned["changes"], pinned["repairs"][0]["remove"][0]["number"]) == (4, "X-01")
    assert pinned["pinned"] == [{"number": "B-1", "name": "Fighter B-1"}]


@pytest.mark.parametrize("pins", [1, 2, 5, 6])
def test_the_reason_lists_at_most_five_pins_without_a_way(pins):
    cards = [f"X-{number:02}" for number in range(pins)]
    answer = repair_deck(Table("dbs-4.00"), cards, main={**names("dbs", 50), **dict.fromkeys(cards, 5)})
    assert (answer["possible"], answer["changes"], answer["fewest"], answer["bound"]) == (False, None, None, None)
    assert "must stay" in answer["why"]
    assert [card for card in cards if card in answer["why"].partition("must stay")[0]] == cards[:5]
    assert [card["number"] for card in answer["pinned"]] == cards


def test_a_card_of_both_colours_that_stay_stays():
    table = Table("gundam-1.9.0", RED, WHITE, gundam("C-BW", colors=("Blue", "White")))
    answer = repair_deck(table, main={**names("gundam", 40), "C-W": 4, "C-BW": 4, "C-R": 2})
    assert answer["changes"] == 4
    assert [one["number"] for one in answer["repairs"][0]["remove"]] == ["C-R"]
