"""One test for each statement that the rules and the lists of the GUNDAM CARD GAME make of decks, and real decks."""

import csv
import json
from datetime import date, timedelta

import pytest

from carddb import facts
from tests.shared import shared_path
from tests.validator.table import Table, assert_illegal, assert_legal, gundam, names
from validator import Deck, Judge, Line, Policy, Terms
from validator.calendar import Calendar
from validator.decklists import parse
from validator.limits import shipped_lists
from validator.repair import repair
from validator.swap import judge_swap
from validator.timeline import timeline

RULES = "gundam-1.9.0"
TODAY = date(2026, 11, 22)
GROUP = "a Unit card that is Lv.2 with cost 1, 2 AP, and 2 HP, and without effects"


def real_judge(day=TODAY, region="en", best_of=3, **policy):
    """Return a Judge of a day with the facts that ship."""
    return Judge(Terms(RULES, day, region, policy=Policy(**policy), best_of=best_of), facts.catalogue("gundam"))


def lines(cards):
    return tuple(Line(number, count) for number, count in cards.items())


def judge_cards(cards, day=TODAY, region="en", side=None, resource=None, **policy):
    """Return the verdict on a deck of these real cards, filled up to 50 with blue cards that no list names."""
    fill = (f"GD01-{number:03}" for number in (1, 2, 3, 4, 5, 6, 7, *range(9, 20)))
    held, missing = dict(cards), 50 - sum(cards.values())
    for number in fill:
        if missing > 0 and number not in held:
            held[number] = min(4, missing)
            missing -= 4
    deck = Deck(main=lines(held), side=lines(side or {}), resource=lines(resource or {}))
    return real_judge(day, region, **policy)(deck)


@pytest.mark.parametrize("size", [0, 49, 51])
def test_exactly_fifty_cards(size):
    table = Table(RULES)
    assert_legal(table.verdict(names("gundam", 50), fill=False))
    assert_illegal(
        table.verdict(names("gundam", size), fill=False), "size", "main", "6-1-1", count=size, limit=50, minimum=50
    )


@pytest.mark.parametrize("size", [1, 9, 11])
def test_exactly_ten_resources_or_none_written_out(size):
    table = Table(RULES)
    assert_legal(table.verdict(resource={"R-01": 10}))
    assert_legal(table.verdict(resource={}))
    found = assert_illegal(table.verdict(resource={"R-01": size}), "size", "resource", "6-1-1", count=size, limit=10)
    assert found.details["optional"]


def test_sections_that_other_games_have():
    for section in ("leader", "z", "don"):
        assert_illegal(Table(RULES).verdict(**{section: {"X-01": 1}}), "section.not_allowed", section, "6-1-1", count=1)


@pytest.mark.parametrize(
    "type", ["Unit", "Pilot", "Command", "Base", "Resource", "Unit Token", "EX Base", "EX Resource"]
)
def test_card_types(type):
    deck_card, colors = type in ("Unit", "Pilot", "Command", "Base"), ("Blue",) if type in ("Unit", "Pilot") else ()
    table = Table(RULES, gundam("T-1", type, colors=colors))
    for verdict, section in (
        (table.verdict({"T-1": 2}), "main"),
        (table.verdict(side={"T-1": 2, "X-20": 4, "X-21": 4}), "side"),
    ):
        if deck_card:
            assert_legal(verdict)
        else:
            assert_illegal(verdict, "type.misplaced", section, "6-1-1-1", "T-1", count=2)
    if type != "Resource":
        verdict = table.verdict(resource={"R-01": 9, "T-1": 1})
        assert_illegal(verdict, "type.misplaced", "resource", "6-1-1-4", "T-1", count=1)


def test_one_or_two_colours_over_deck_and_sideboard():
    cards = [gundam("C-R", colors=("Red",)), gundam("C-W", colors=("White",)), gundam("C-N", "Unit Token", colors=())]
    table = Table(RULES, *cards)
    assert_legal(table.verdict())
    assert_legal(table.verdict({"C-W": 4}))
    found = assert_illegal(
        table.verdict({"C-W": 4, "C-R": 1}), "color.too_many", "main", "6-1-1-2", "C-R", count=3, limit=2
    )
    assert found.details == {
        "colors": {"Blue": 45, "White": 4, "Red": 1},
        "kept": ("Blue", "White"),
        "sections": {"main": 1, "side": 0},
    }
    side = {"C-R": 1, "X-20": 4, "X-21": 4, "X-22": 1}
    assert_legal(table.verdict(side={"C-W": 1, "X-20": 4, "X-21": 4, "X-22": 1}))
    found = assert_illegal(
        table.verdict({"C-W": 4}, side=side), "color.too_many", "side", "Sideboards 4", "C-R", count=3
    )
    assert found.rule.document == "BO3 Match Rules"
    assert table.verdict({"C-W": 4, "C-N": 1}).codes == ["type.misplaced"]


def test_the_colours_of_the_deck_stay_where_the_sideboard_alone_breaks_the_rule():
    """However few cards the deck has of one of them."""
    cards = [gundam("C-R", colors=("Red",)), gundam("C-S", colors=("Red",)), gundam("C-W", colors=("White",))]
    verdict = Table(RULES, *cards, best_of=3).verdict({"C-W": 1}, side={"C-R": 4, "C-S": 4, "X-20": 2})
    found = assert_illegal(verdict, "color.too_many", "side", "Sideboards 4", "C-R", "C-S", count=3)
    assert found.details["kept"] == ("Blue", "White")
    assert found.details["sections"] == {"main": 0, "side": 8}


def test_a_repair_keeps_the_colours_that_take_the_fewest_changes():
    """Not those of the most cards, where too many copies of these have to go anyway."""
    green = {f"C-G{n}": 4 for n in range(4)}
    red = {f"C-R{n}": 4 for n in range(3)} | {"C-R3": 2}
    others = [gundam(number, colors=("Green",)) for number in (*green, *(f"C-G{n}" for n in range(4, 12)))]
    table = Table(RULES, *others, *(gundam(number, colors=("Red",)) for number in red))
    verdict = table.verdict({"X-00": 12, "X-01": 8, **green, **red})
    (finding,) = (one for one in verdict.findings if one.code == "color.too_many")
    assert finding.details["kept"] == ("Blue", "Green")
    answer = repair(verdict.judge, verdict.facts.deck)
    assert (answer.changes, answer.minimal) == (40, True)
    for changes in answer.repairs:
        assert {(out.card.number, out.card.count) for out in changes.out} == {("X-00", 12), ("X-01", 8)}
        assert set(changes.out[0].because.details["kept"]) == {"Green", "Red"}
        assert [set(put_in.fits["colors"]) for put_in in changes.put_in] == [{"Green", "Red"}]


def test_a_section_that_may_be_left_out_is_where_that_takes_fewer_changes():
    table = Table(RULES)
    verdict = table.verdict(side={"X-20": 2}, resource={"X-21": 3})
    answer = repair(verdict.judge, verdict.facts.deck)
    assert (answer.changes, answer.minimal) == (5, True)
    assert sorted((out.section, out.card.count) for out in answer.repairs[0].out) == [("resource", 3), ("side", 2)]


def test_up_to_four_of_a_number_and_any_number_of_a_resource():
    table = Table(RULES)
    assert_legal(table.verdict({"X-25": 4}, resource={"R-01": 10}))
    assert_illegal(table.verdict({"X-25": 5}), "copies.exceeded", "main", "6-1-1-3", "X-25", count=5, limit=4)
    side = {"X-25": 1, "X-20": 4, "X-21": 4, "X-22": 1}
    assert_illegal(table.verdict({"X-25": 4}, side=side), "copies.exceeded", "main", "Sideboards 3", "X-25", count=5)
    assert_legal(table.verdict({"X-25": 2}, side={"X-25": 2, "X-20": 4, "X-21": 4}))


def test_copies_are_counted_by_number_whatever_the_name_and_the_printing():
    assert_legal(judge_cards({"ST01-001": 4, "GD01-013": 4}))  # both are called Gundam
    verdict = judge_cards({"GD01-001": 4, "gd01-001_P1": 1})
    assert_illegal(verdict, "copies.exceeded", "main", "6-1-1-3", "GD01-001", count=5)


@pytest.mark.parametrize("size", [1, 9, 11, 15])
def test_a_sideboard_of_ten_cards_or_none(size):
    table, cards = Table(RULES), dict(zip((f"X-{n}" for n in range(18, 28)), [2] * 10, strict=True))
    assert_legal(table.verdict(side=dict(list(cards.items())[:5])))
    side = {
        "X-20": min(size, 4),
        "X-21": min(max(size - 4, 0), 4),
        "X-22": min(max(size - 8, 0), 4),
        "X-23": max(size - 12, 0),
    }
    verdict = table.verdict(side={number: count for number, count in side.items() if count})
    found = assert_illegal(verdict, "size", "side", "Sideboards 1", count=size, limit=10)
    assert found.rule.document == "BO3 Match Rules"


def test_an_event_without_sideboards():
    side = {"X-20": 4, "X-21": 4, "X-22": 2}
    verdict = Table(RULES, side_max=0).verdict(side=side)
    assert_illegal(verdict, "size", "side", "side_max", count=10, limit=0)
    assert_legal(Table(RULES, side_max=0).verdict())
    assert_legal(Table(RULES, side_max=15).verdict(side={"X-20": 4, "X-21": 4, "X-22": 4}))


def test_swapping_keeps_fifty_cards():
    table = Table(RULES, best_of=3)
    before = table.deck(main=table.fill_main({}), side={"X-20": 4, "X-21": 4, "X-22": 2})
    main = table.fill_main({}) | {"X-00": 1, "X-20": 3}
    assert_legal(
        judge_swap(table.judge, before, table.deck(main=main, side={"X-20": 1, "X-21": 4, "X-22": 2, "X-00": 3}))
    )
    short = judge_swap(
        table.judge, before, table.deck(main=main | {"X-00": 2}, side={"X-20": 1, "X-21": 4, "X-22": 2, "X-00": 2})
    )
    assert short.codes == ["size", "size", "swap.side_size"]


class TestTheList:
    def test_a_banned_card_is_in_no_deck_and_no_sideboard(self):
        side = {"GD01-020": 1, "GD02-001": 4, "GD02-002": 4, "GD02-003": 1}
        for verdict in (judge_cards({"GD01-020": 1}), judge_cards({}, side=side)):
            assert verdict.codes == ["card.banned"]
        assert judge_cards({"GD01-020_p1": 4}, date(2026, 7, 23)).legal
        assert not judge_cards({"GD01-020": 1}, date(2026, 7, 24)).legal
        assert judge_cards({"GD01-020": 1}, date(2026, 7, 24), "asia").legal
        assert not judge_cards({"GD01-020": 1}, date(2026, 7, 25), "asia").legal
        assert judge_cards({"GD01-020": 1}, limits=False).legal

    def test_a_restricted_card_counts_over_deck_and_sideboard(self):
        assert_legal(judge_cards({"ST02-016": 2}))
        found = assert_illegal(
            judge_cards({"ST02-016": 3}), "card.restricted", "main", "Restricted Cards", "ST02-016", count=3, limit=2
        )
        assert "[ST02]" in found.details["spared"]
        side = {"ST02-016": 1, "GD02-001": 4, "GD02-002": 4, "GD02-003": 1}
        assert judge_cards({"ST02-016": 2}, side=side).codes == ["card.restricted"]
        assert_legal(judge_cards({"ST02-016": 3}, date(2026, 3, 31)))

    @pytest.mark.parametrize("pair", [("ST01-010", "ST05-010"), ("GD01-008", "GD05-015")])
    def test_banned_pairs(self, pair):
        first, second = pair
        assert judge_cards({first: 4}).legal
        assert_illegal(judge_cards({first: 4, second: 1}), "pair.banned", "main", "Banned pair", *pair)
        other = {"GD05-015": date(2026, 7, 24)}.get(second, date(2026, 7, 23))
        assert judge_cards({first: 4, second: 1}, other).legal is (second == "ST05-010")

    def test_only_one_number_of_the_group(self):
        assert judge_cards({"GD01-035": 4}).legal
        found = assert_illegal(
            judge_cards({"ST01-005": 1, "GD01-035": 1}), "pair.banned", "main", "Banned pair", "GD01-035", "ST01-005"
        )
        assert found.details == {"group": GROUP, "spared": None}
        three = judge_cards({"ST01-005": 1, "GD02-013": 1, "GD05-014": 1})
        assert three.codes == ["pair.banned"] * 3
        assert judge_cards({"ST01-005": 4, "GD01-035": 4}, date(2026, 7, 23)).legal
        assert judge_cards({"ST01-005": 4, "GD01-035": 4}, date(2026, 7, 24), "asia").legal

    def test_a_card_joins_the_group_at_its_release(self):
        cards = {"ST11-008": 4, "ST05-004": 1}
        assert judge_cards(cards, date(2026, 9, 25)).codes == ["pair.banned"]
        assert judge_cards(cards, date(2026, 9, 24)).codes == ["card.unreleased"]
        assert judge_cards(cards, date(2026, 9, 24), release=False).codes == []

    def test_the_unmodified_starter_deck_is_named(self):
        verdict = judge_cards({"ST05-004": 1, "ST05-009": 1}, limits=True)  # purple and white, beside blue
        (found,) = (finding for finding in verdict.findings if finding.code == "pair.banned")
        assert "[ST05]" in found.details["spared"]
        assert "[ST05]" in found.message

    def test_the_group_is_what_its_words_say(self):
        with shared_path("data/gundam/cards.csv").open(encoding="utf-8", newline="") as file:
            alike = {
                row["number"].partition("_")[0]
                for row in csv.DictReader(file)
                if [row[fact] for fact in ("type", "level", "cost", "power", "hp", "text")]
                == ["Unit", "2", "1", "2", "2", ""]
            }
        pairs = [pair for pair in shipped_lists("gundam").listed.in_force_on(TODAY).pairs if pair.group]
        assert len(alike) == 22
        assert {number for pair in pairs for number in pair.numbers} == alike
        assert len(pairs) == 22 * 21 / 2


def test_new_numbers_wait_seven_days_where_an_event_says_so_but_resources_do_not():
    on = date(2026, 9, 30)
    assert judge_cards({"ST11-001": 4}, on).legal
    found = assert_illegal(
        judge_cards({"ST11-001": 4}, on, release_delay_days=7),
        "card.unreleased",
        "main",
        "Aquatic Assault [ST11]",
        "ST11-001",
    )
    assert found.details["legal_from"] == "2026-10-02"
    assert judge_cards({"ST11-001": 4}, date(2026, 10, 2), release_delay_days=7).legal
    early = judge_cards({}, date(2024, 12, 8), resource={"R-001": 10}, release_delay_days=7)
    assert "R-001" not in {card.number for finding in early.findings for card in finding.cards}


class TestLists:
    def deck(self, text):
        return parse(text, "gundam", facts.catalogue("gundam")).deck

    def test_resources_have_a_section_of_their_own_wherever_they_are_written(self):
        for text in (
            "4 ST01-001\n10 R-001",
            "// Main Deck\n4 ST01-001\n// Resource Deck\n10 R-001",
            "Unit (4)\n4 Gundam ST01-001\nResource (10)\n10 R-001",
            "4x ST01-001\n10x Resource (R-001_p6)",
        ):
            deck = self.deck(text)
            assert [(line.count, line.number) for line in deck.main] == [(4, "ST01-001")]
            assert sum(line.count for line in deck.resource) == 10

    def test_resources_under_the_main_deck_are_the_resource_deck_that_is_not_named(self):
        for heading in ("Main Deck", "Deck", "Commands", "Hauptdeck"):
            deck = self.deck(f"{heading}\n4 ST01-001\n10 R-001\n1 EXB-001")
            assert [[(line.count, line.number) for line in part] for part in (deck.main, deck.resource)] == [
                [(4, "ST01-001")],
                [(10, "R-001")],
            ]
            assert [(unread.at, unread.aside) for unread in deck.unread] == [(4, True)]

    def test_a_resource_under_the_main_deck_beside_a_resource_deck_stays_there(self):
        verdict = real_judge()(self.deck("Main Deck\n49 ST01-001\n1 R-001\nResource Deck\n9 R-002"))
        assert ("type.misplaced", "main") in [(finding.code, finding.section) for finding in verdict.findings]

    @pytest.mark.parametrize(
        "heading",
        [
            "Resources",
            "Ressourcendeck",
            "Deck de ressources",
            "Mazo de recursos",
            "Mazzo risorse",
            "リソースデッキ",
            "資源卡組",
        ],
    )
    def test_a_resource_deck_is_headed_in_any_language(self, heading):
        deck = self.deck(f"Deck\n4 ST01-001\n\n{heading}\n10 R-001\n1 EXR-001")
        assert [[(line.count, line.number) for line in part] for part in (deck.main, deck.resource)] == [
            [(4, "ST01-001")],
            [(10, "R-001")],
        ]
        assert [(unread.at, unread.aside) for unread in deck.unread] == [(6, True)]

    def test_ten_cards_after_a_blank_line_are_the_sideboard(self):
        deck = self.deck("50 ST01-001\n\n10 ST01-002")
        assert [(line.count, line.number) for line in deck.side] == [(10, "ST01-002")]

    def test_resources_need_no_number(self):
        for text in ("Resource Deck\n10 Resource", "Resource x10", "10 Resource"):
            assert [line.count for line in self.deck(text).resource] == [10]
        deck = self.deck("Resource Deck\n10 Resource")
        assert [finding.section for finding in real_judge()(deck).findings] == ["main"]
        assert_illegal(
            judge_cards({}, resource={"GD01-001": 10}), "type.misplaced", "resource", "6-1-1-4", "GD01-001", count=10
        )

    def test_resources_may_lack_the_dash_of_their_number(self):
        deck = self.deck("4 ST01-001\n6 R 001\n4 RP 003 Resource")
        assert sum(line.count for line in deck.resource) == 10
        assert set(real_judge()(deck).codes) == {"size"}

    def test_tokens_lie_beside_the_deck(self):
        deck = self.deck("50 ST01-001\n1 EXB-001\n1 EXR-001\n6 T-001\n")
        assert [line.number for line in deck.main] == ["ST01-001"]
        assert [(unread.at, unread.aside) for unread in deck.unread] == [(2, True), (3, True), (4, True)]
        for heading in ("Tokens", "EX Base", "EX Resource"):
            assert self.deck(f"4 ST01-001\n{heading}\n1 EXB-001").unread[0].aside

    @pytest.mark.parametrize(
        "text",
        [
            "4 GD01-039 Dopp\n1 ST03-007 Zaku",
            "4 Dopp GD01-039\n1 ST03-007",
            "4x GD01-039\n1x ST03-007",
            "4 x GD01-039\n1 x ST03-007",
            "GD01-039x4,ST03-007x1",
            "4xGD01-039,1xST03-007",
            "GD01-039 x4\nST03-007 x1",
            "Dopp [GD01-039] x4\n1 Zaku [ST03-007]",
            "https://deckbuilder.egmanevents.com/?deck=GD01-039:4,ST03-007:1&type=gundam",
            '{"main": {"GD01-039": 4, "ST03-007": 1}}',
            '{"GD01-039": 4, "ST03-007": 1}',
            "unit\n4 gd01-039_p1\npilot\n1 st03-7",
        ],
    )
    def test_as_people_write_them(self, text):
        verdict = real_judge()(parse(text, None, facts.catalogue("gundam")).deck)
        assert [(card["number"], card["count"]) for card in verdict.section("main")] == [
            ("GD01-039", 4),
            ("ST03-007", 1),
        ]


def test_no_card_text_bears_on_construction():
    assert [card.number for card in facts.catalogue("gundam") if card.construction] == []


# What is wrong with the decks that are not legal today, and since when: most were legal on their day.
OLD = {
    "gundam-10e50e3c5b74": {"copies.exceeded": 7},  # the default deck of a browser game
    "gundam-598fb731db26": {"card.restricted": 1},
    "gundam-7f493c5dceba": {"card.banned": 1, "pair.banned": 4},
    "gundam-f042359654a6": {"pair.banned": 1},
}


def test_real_decks():
    judge, seen = real_judge(), {}
    with shared_path("data/gundam/decks.jsonl").open(encoding="utf-8") as file:
        decks = [json.loads(line) for line in file]
    for one in decks:
        sections = {"main": one["lines"], "resource": one.get("resource") or []}
        read = {name: tuple(Line(line["number"], line["count"]) for line in cards) for name, cards in sections.items()}
        verdict = judge(Deck(**read))
        if verdict.findings:
            seen[one["id"]] = {code: verdict.codes.count(code) for code in verdict.codes}
        assert verdict.facts.sizes["main"] == one["total"]
        if "gundam-gcg.com" not in one["raw"]:  # the rest are addresses of pages, which hold no cards themselves
            text = parse(one["raw"], None, judge.catalogue)
            assert text.game == "gundam"
            assert judge(text.deck).facts.count_over(["main"]) == verdict.facts.count_over(["main"]), one["id"]
    assert len(decks) == 70
    assert seen == OLD
    before = real_judge(date(2026, 3, 31), release=False)
    assert {name for name in OLD if name != "gundam-10e50e3c5b74"} == {
        one["id"]
        for one in decks
        if one["id"] in OLD
        and before(Deck(main=tuple(Line(line["number"], line["count"]) for line in one["lines"]))).legal
    }


BO3_DAY = date(2026, 7, 3)
SIDE = {"X-20": 4, "X-21": 4, "X-22": 2}


@pytest.mark.parametrize(
    ("on", "best_of", "is_allowed"),
    [
        (BO3_DAY - timedelta(days=1), None, False),
        (BO3_DAY - timedelta(days=1), 3, False),
        (BO3_DAY, None, True),
        (BO3_DAY, 1, False),
        (BO3_DAY, 3, True),
        (TODAY, 1, False),
    ],
)
def test_a_sideboard_is_for_best_of_three_from_the_day_of_its_rules(on, best_of, is_allowed):
    table = Table(RULES, day=on, best_of=best_of)
    assert_legal(table.verdict())
    verdict = table.verdict(side=SIDE)
    if not is_allowed:
        found = assert_illegal(verdict, "section.not_allowed", "side", "2.4", count=10, limit=0)
        assert found.rule.document.startswith("Gundam Card Game Tournament Rules Manual")
        assert repair(verdict.judge, verdict.facts.deck).changes == 10
        return
    assert_legal(verdict)
    assert verdict.codes == ([] if best_of else ["advice.side_best_of"])
    assert table.verdict().codes == []


def test_cards_of_a_sideboard_that_may_not_be_are_not_judged():
    verdict = Table(RULES, gundam("C-R", colors=("Red",)), day=TODAY, best_of=1).verdict(side={"C-R": 9})
    assert_illegal(verdict, "section.not_allowed", "side", "2.4", count=9)


def test_an_organiser_may_allow_a_sideboard_before_its_rules_and_in_best_of_one():
    for on, best_of in ((BO3_DAY - timedelta(days=1), None), (TODAY, 1)):
        assert Table(RULES, day=on, best_of=best_of, side_max=10).verdict(side=SIDE).codes == []


@pytest.mark.parametrize("best_of", [None, 1, 3])
def test_the_timeline_of_a_sideboard_is_what_each_day_says(best_of):
    calendar = Calendar("gundam", best_of=best_of)
    catalogue = Table(RULES).catalogue
    table = Table(RULES)
    deck = table.deck(main=table.fill_main({}), side=SIDE)
    first, last = BO3_DAY - timedelta(days=5), BO3_DAY + timedelta(days=5)
    found = timeline(deck, calendar, lambda day: Judge(calendar.of_lists.terms(day), catalogue), first, last)
    days = [first + timedelta(days=n) for n in range(11)]
    assert [found.on(day).codes for day in days] == [Judge(calendar.terms(day), catalogue)(deck).codes for day in days]
    assert [one.first for one in found.intervals] == [first] + ([BO3_DAY] if best_of != 1 else [])
    if best_of != 1:
        (change,) = {change.event.cite for change in found.intervals[1].changes}
        assert change.document == "BO3 Match Rules"


def test_only_best_of_one_and_three_are_told_apart():
    with pytest.raises(ValueError, match="best_of is 2"):
        Terms(RULES, TODAY, best_of=2)
