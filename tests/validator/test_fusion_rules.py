"""One pair of decks for each boundary of the rules of Fusion World, its provisional data, and real decks and lists."""

import csv
import json
from collections import Counter
from datetime import date
from functools import cache

import pytest

from carddb import facts
from tests.shared import shared_path
from tests.validator.table import Table, assert_illegal, assert_legal, clause, fusion, names
from validator import Card, Deck, Judge, Line, Terms, clauses
from validator.decklists import parse
from validator.limits import shipped_lists
from validator.repair import repair
from validator.rulesets import rulesets

RULES = "fusion-launch"
TODAY = date(2026, 11, 21)
SUPER_COMBO = {"keywords": ("Super Combo",), "construction": (clause("keyword", keyword="Super Combo"),)}
DRAGON_BALL = {"keywords": ("Dragon Ball",), "construction": (clause("keyword", keyword="Dragon Ball"),)}
UNSEEN = clause("unseen", text="", keywords=["Super Combo"])
# Red cards of sets whose texts were read and that no list names.
PLAIN = [
    card.number
    for card in facts.catalogue("fusion")
    if (card.type, card.colors, card.set) == ("Battle", ("Red",), "FB01")
    and not card.construction
    and card.number != "FB01-005"
]


@cache
def real_judge(day=TODAY):
    """Return a Judge of a day with the facts that ship."""
    return Judge(Terms(RULES, day), facts.catalogue("fusion"))


def judge_cards(cards, day=TODAY, leader="FB01-001", size=50):
    """Return the verdict on a deck of these real cards, filled up to `size` with red cards that no list names."""
    held, missing = dict(cards), size - sum(cards.values())
    for number in PLAIN:
        if missing > 0 and number not in held:
            held[number] = min(4, missing)
            missing -= 4
    deck = Deck(leader=(Line(leader, 1),), main=tuple(Line(number, count) for number, count in held.items()))
    return real_judge(day)(deck)


def errors(verdict):
    return [finding.code for finding in verdict.findings if finding.severity == "error"]


@pytest.mark.parametrize("size", [50, 51, 60])
def test_fifty_to_sixty_cards_ok(size):
    assert_legal(judge_cards({}, size=size))
    assert_legal(Table(RULES).verdict(names("fusion", size), fill=False))


@pytest.mark.parametrize("size", [49, 61])
def test_fifty_to_sixty_cards_bad(size):
    assert_illegal(judge_cards({}, size=size), "size", "main", "Deck Building", count=size, limit=60, minimum=50)


def test_one_leader_ok():
    assert_legal(judge_cards({}))


def test_one_leader_bad():
    deck = Table(RULES).deck(leader={"X-LEADER": 2}, main=names("fusion", 50))
    assert errors(Table(RULES).judge(deck)) == ["leader.count"]
    deck = Table(RULES).deck(main=names("fusion", 50))
    assert errors(Table(RULES).judge(deck)) == ["leader.count"]


def test_battle_and_extra_cards_ok():
    assert_legal(judge_cards({"FB01-030": 4}))  # an Extra Card


@pytest.mark.parametrize("number", ["FB01-002", "E-01"])
def test_battle_and_extra_cards_bad(number):
    assert_illegal(judge_cards({number: 1}), "type.misplaced", "main", "Deck Building", number, count=1)


def test_no_side_deck_bad():
    for section in ("side", "z", "don", "resource"):
        assert_illegal(Table(RULES).verdict(**{section: {"X-01": 1}}), "section.not_allowed", section, "Deck Building")


def test_colours_of_the_leader_ok():
    assert_legal(judge_cards({"FB01-004": 1}))


def test_colours_of_the_leader_bad():
    found = assert_illegal(judge_cards({"FB01-040": 1}), "color.mismatch", "main", "Deck Building", "FB01-040", count=1)
    assert found.details["colors"] == ("Blue",)


def test_four_copies_ok():
    assert_legal(judge_cards({"FB01-004_p1": 2, "FB01-004": 2}))
    assert_legal(
        Table(RULES, fusion("A-1", name="Son Goku"), fusion("A-2", name="Son Goku")).verdict({"A-1": 4, "A-2": 4})
    )


def test_four_copies_bad():
    verdict = judge_cards({"FB01-004_p1": 2, "FB01-004": 3})
    found = assert_illegal(
        verdict, "copies.exceeded", "main", "Regarding Banned/Restricted Cards", "FB01-004", count=5, limit=4
    )
    assert "01_31" in found.rule.document


def test_super_combo_ok():
    assert_legal(judge_cards({"FS01-05": 2, "FB01-006": 2}))
    assert_legal(judge_cards({"FS01-05": 4}))


def test_super_combo_bad():
    cards = [card.number for card in facts.catalogue("fusion") if "Super Combo" in card.keywords and not card.unseen]
    assert len(cards) == 44
    red = [number for number in cards if facts.catalogue("fusion").by_number(number).colors == ("Red",)]
    verdict = judge_cards({red[0]: 4, red[1]: 4})
    found = assert_illegal(verdict, "keyword.exceeded", "main", "[Super Combo]", *sorted(red[:2]), count=8, limit=4)
    assert found.keyword == "Super Combo"
    assert repair(verdict.judge, verdict.facts.deck).changes == 8
    assert_illegal(
        judge_cards({red[0]: 3, red[1]: 2}), "keyword.exceeded", "main", "[Super Combo]", *sorted(red[:2]), count=5
    )
    assert set(errors(judge_cards({red[0]: 5}))) == {"copies.exceeded", "keyword.exceeded"}


@pytest.mark.parametrize("count", [5, 50, 60])
def test_any_number_of_a_card_whose_text_allows_it_ok(count):
    assert_legal(
        judge_cards({"FB01-131": count}, leader="FB01-104", size=count) if count >= 50 else yellow({"FB01-131": count})
    )


def yellow(cards):
    """Judge a deck of these cards filled with yellow ones."""
    fill = [
        card.number
        for card in facts.catalogue("fusion")
        if (card.type, card.colors, card.set) == ("Battle", ("Yellow",), "FB01") and not card.construction
    ]
    held = {**cards, **dict.fromkeys(fill[:11], 4)}
    held[fill[11]] = 50 - sum(held.values())
    deck = Deck(leader=(Line("FB01-104", 1),), main=tuple(Line(*line) for line in held.items()))
    return real_judge()(deck)


def test_any_number_of_a_card_whose_text_allows_it_bad():
    assert judge_cards({"FB01-131": 61}, leader="FB01-104", size=61).codes == ["size"]


@pytest.mark.parametrize("count", [5, 7])
def test_seven_dragon_balls_ok(count):
    assert_legal(Table(RULES, fusion("D-1", "Extra", **DRAGON_BALL)).verdict({"D-1": count}))


def test_seven_dragon_balls_bad():
    cards = [fusion(number, "Extra", **DRAGON_BALL) for number in ("D-1", "D-2")]
    assert_illegal(
        Table(RULES, *cards).verdict({"D-1": 8}), "keyword.exceeded", "main", "[Dragon Ball]", "D-1", count=8, limit=7
    )
    verdict = Table(RULES, *cards).verdict({"D-1": 4, "D-2": 4})
    assert_illegal(verdict, "keyword.exceeded", "main", "[Dragon Ball]", "D-1", "D-2", count=8, limit=7)


def test_the_printed_dragon_ball_is_one():
    (card,) = (card for card in facts.catalogue("fusion") if "Dragon Ball" in card.keywords)
    black = [one.number for one in facts.catalogue("fusion") if one.colors == ("Black",) and one.set == "FB03"]
    leader = next(number for number in black if facts.catalogue("fusion").by_number(number).type == "Leader")
    deck = [number for number in black if facts.catalogue("fusion").by_number(number).type == "Battle"]
    for count, wrong in ((7, []), (8, ["keyword.exceeded"])):
        main = {card.number: count, **dict.fromkeys(deck[:10], 4), deck[10]: 10 - count}
        lines = tuple(Line(*line) for line in main.items())
        verdict = real_judge()(Deck(leader=(Line(leader, 1),), main=lines))
        assert [code for code in errors(verdict) if code != "keyword.exceeded"] == []
        assert [code for code in errors(verdict) if code == "keyword.exceeded"] == wrong


def test_a_leader_of_certain_events_bad():
    text = "This card can only be used in specified events."
    (read,) = clauses.read("fusion", "Leader", text)
    assert (read.kind, read.text) == ("event_only", text)
    verdict = judge_cards({}, leader="FP-030")
    found = assert_illegal(
        verdict, "effect.forbidden", "leader", verdict.findings[0].rule.section, "FP-030", count=1, limit=0
    )
    assert found.details["by"] == "FP-030"
    assert found.rule.document.startswith("FP-030")
    whole = Table(RULES, fusion("L-1", "Leader", construction=(read,)))
    quoted = assert_illegal(whole.verdict(leader={"L-1": 1}), "effect.forbidden", "leader", text, "L-1", count=1)
    assert text in quoted.message
    assert repair(whole.judge, whole.verdict(leader={"L-1": 1}).facts.deck).changes


def test_a_card_of_certain_events_in_the_deck_bad():
    table = Table(RULES, fusion("C-1", construction=(clause("event_only"),)))
    assert_illegal(table.verdict({"C-1": 2}), "effect.forbidden", "main", "what the card says", "C-1", count=2, limit=0)


class TestTheList:
    def test_two_numbers_of_one_name_ok(self):
        assert_legal(self.black({"FB04-094": 1, "FB04-095": 1}))

    @pytest.mark.parametrize("number", ["FB04-094", "FB04-095"])
    def test_two_numbers_of_one_name_bad(self, number):
        verdict = self.black({number: 2})
        assert_illegal(verdict, "card.restricted", "main", "Restricted Cards", number, count=2, limit=1)

    def black(self, cards):
        """Judge a deck of these cards, filled with others of the colour of the first."""
        catalogue = facts.catalogue("fusion")
        colors = catalogue.by_number(next(iter(cards))).colors
        same = [one for one in catalogue if one.colors == colors and one.set in ("FB01", "FB02", "FB03", "FB05")]
        leader = next(one for one in same if one.type == "Leader")
        rest = [one.number for one in same if one.type == "Battle" and not one.construction]
        held = {**cards, **dict.fromkeys(rest[:12], 4)}
        held[rest[12]] = 50 - sum(held.values())
        lines = tuple(Line(number, count) for number, count in held.items() if count)
        return real_judge()(Deck(leader=(Line(leader.number, 1),), main=lines))

    def test_kefla_ok(self):
        assert judge_cards({"FB02-013": 4}, date(2026, 3, 14)).legal
        assert judge_cards({"FB02-013": 1}, date(2026, 3, 13)).legal

    def test_kefla_bad(self):
        found = assert_illegal(
            judge_cards({"FB02-013": 2}, date(2026, 3, 13)),
            "card.restricted",
            "main",
            "Restricted Cards",
            "FB02-013",
            count=2,
            limit=1,
        )
        assert found.limits.effective_to == "2026-03-13"

    @pytest.mark.parametrize("number", ["FB01-005", "FB02-031"])
    def test_banned_since_july_2024(self, number):
        assert_illegal(judge_cards({number: 1}), "card.banned", "main", "Banned Cards", number, count=1, limit=0)
        perhaps = judge_cards({number: 1}, date(2024, 7, 15))
        assert [(one.code, one.severity) for one in perhaps.findings] == [("card.banned", "warning")]
        assert judge_cards({number: 1}, date(2024, 6, 30)).codes == []

    def test_todays_list_is_the_official_page(self):
        written = shared_path("data/fusion/official/01_305_en.txt").read_text("utf-8")
        banned, restricted = written.split("Restricted Cards\nOnly 1 copy")
        listed = shipped_lists("fusion").listed.in_force_on(TODAY)
        for number, entry in listed.singles.items():
            assert number in (restricted if entry.limit else banned)
            assert number not in (banned if entry.limit else restricted)
        assert len(listed.singles) == 8
        assert listed.effective_from == date(2026, 3, 14)

    def test_every_card_of_the_history_is_on_it(self):
        with shared_path("data/fusion/limits.csv").open(encoding="utf-8", newline="") as file:
            rows = {row["card_number"]: int(row["limit"]) for row in csv.DictReader(file)}
        before = shipped_lists("fusion").listed.in_force_on(date(2026, 3, 13))
        assert {number: entry.limit for number, entry in before.singles.items()} == rows

    @pytest.mark.parametrize(("on", "is_known"), [(date(2026, 3, 13), False), (date(2026, 3, 14), True)])
    def test_the_history_is_known_in_part(self, on, is_known):
        note = judge_cards({}, on).as_dict()["limits"]["note"]
        assert (note is None) is is_known


class TestProvisionalData:
    def test_every_verdict_says_so_with_the_documents(self):
        verdict = judge_cards({}).as_dict()
        for part in ("ruleset", "limits", "catalogue"):
            assert verdict[part]["provisional"]["reason"]
            assert verdict[part]["provisional"]["missing"]
        assert any("General Rules v1.07" in one for one in verdict["ruleset"]["provisional"]["missing"])

    def test_no_section_number_is_cited(self):
        for rule in rulesets()[RULES].rules.values():
            assert not rule.cite.section[:1].isdigit()
            assert "1.07" not in rule.cite.document

    def test_what_rests_on_texts_that_were_read_says_nothing(self):
        verdict = Table("gundam-1.9.0").verdict().as_dict()
        assert not any("provisional" in (verdict[part] or {}) for part in ("ruleset", "limits", "catalogue"))

    def test_unread_texts_are_a_warning_only_if_they_decide(self):
        seen, unseen = fusion("S-1", **SUPER_COMBO), [fusion(f"U-{n}", construction=(UNSEEN,)) for n in (1, 2)]
        table = Table(RULES, seen, *unseen)
        assert_legal(table.verdict({"S-1": 2, "U-1": 2}))
        verdict = table.verdict({"S-1": 3, "U-1": 1, "U-2": 1})
        assert verdict.legal
        assert [(one.code, one.severity, one.cards[0].number, one.rule.section) for one in verdict.findings] == [
            ("card.facts_unknown", "warning", number, "[Super Combo]") for number in ("U-1", "U-2")
        ]
        assert verdict.findings[0].details == {"facts": ("text",)}

    def test_an_inferred_keyword_counts_and_is_marked(self):
        inferred = fusion("I-1", keywords=("Super Combo",), construction=(*SUPER_COMBO["construction"], UNSEEN))
        table = Table(RULES, fusion("S-1", **SUPER_COMBO), fusion("S-2", **SUPER_COMBO), inferred)
        assert_legal(table.verdict({"S-1": 2, "I-1": 2}))
        verdict = table.verdict({"S-1": 4, "I-1": 1})
        assert sorted((one.code, one.cards[0].number) for one in verdict.findings) == [
            ("card.facts_unknown", "I-1"),
            ("keyword.exceeded", "I-1"),
        ]
        assert table.verdict({"S-1": 4, "S-2": 1, "I-1": 1}).codes == ["keyword.exceeded"]

    def test_real_cards_of_unread_texts(self):
        catalogue = facts.catalogue("fusion")
        unread = {card.set for card in catalogue if card.unseen}
        assert unread == {"FB08", "FB09", "FB10", "SB02", "FS11", "FS12", "FP"}
        inferred = [card.number for card in catalogue if card.unseen and card.keywords]
        assert len(inferred) == 11
        red = [
            card.number
            for card in catalogue
            if card.set == "FB10" and card.type == "Battle" and card.colors == ("Red",)
        ]
        verdict = judge_cards(dict.fromkeys(red[:2], 4))
        assert verdict.legal
        assert verdict.codes == ["card.facts_unknown"] * 2
        assert judge_cards({red[0]: 4}).codes == []

    def test_a_leader_of_unread_text_is_a_warning(self):
        leader = next(
            card for card in facts.catalogue("fusion") if card.type == "Leader" and card.unseen and "Red" in card.colors
        )
        verdict = judge_cards({}, leader=leader.number)
        assert verdict.legal
        assert [(one.code, one.cards[0].number) for one in verdict.findings] == [("card.facts_unknown", leader.number)]

    def test_unread_text_may_allow_more_copies(self):
        verdict = Table(RULES, fusion("U-1", construction=(clause("unseen"),))).verdict({"U-1": 5})
        assert verdict.codes == ["card.facts_unknown", "copies.exceeded"]

    def test_the_colours_of_promos_of_one_source_are_not_known(self):
        verdict = judge_cards({"FP-050": 1})
        assert verdict.legal
        assert [(one.code, one.details["facts"]) for one in verdict.findings] == [("card.facts_unknown", ("colors",))]

    def test_cards_of_newer_sets_are_unknown(self):
        verdict = judge_cards({"FB11-001": 4})
        assert_illegal(verdict, "card.unknown", "main", verdict.findings[0].rule.section, "FB11-001", count=4)
        assert "2026-07-23" in verdict.findings[0].fix


class TestReleases:
    @pytest.mark.parametrize(
        ("number", "day", "severity"),
        [
            ("FB09-003", date(2026, 3, 12), "error"),  # its day is known
            ("FB09-003", date(2026, 3, 13), None),
            ("FB02-004", date(2024, 5, 8), "error"),  # two days before Japan
            ("FB02-004", date(2024, 5, 9), "warning"),
            ("FB02-004", date(2024, 5, 17), None),
        ],
    )
    def test_first_days(self, number, day, severity):
        found = [one.severity for one in judge_cards({number: 1}, day).findings if one.code == "card.unreleased"]
        assert found == ([severity] if severity else [])


MARKERS = "1 FB01-001\n50 FB01-131\n1 E-01\n1 e01-02_p1\n2 E-199 Energy Marker\n"


def test_energy_markers_lie_beside_the_deck():
    deck = parse(MARKERS, None, facts.catalogue("fusion")).deck
    assert [line.number for line in deck.main] == ["FB01-131"]
    assert [(line.at, line.aside) for line in deck.unread] == [(3, True), (4, True), (5, True)]


def numbers(deck):
    """The copies of a deck by base number."""
    copies = Counter()
    for _, line in deck.lines():
        card = facts.catalogue("fusion").by_number(line.number)
        copies[card.number if card else line.number] += line.count
    return copies


# The cards of each file of formats/: its Leader, and the copies of its deck; beside it, lines left aside.
GOKU = {"FS01-03": 4, "FB01-005": 4, "FS01-04": 3, "FB01-014": 4}
FORMATS = {
    "deckplanet-clipboard.txt": ("FB01-001", {"FB01-005": 4, "FB01-014": 4, "FS01-04": 3, "FB01-008": 2}, 0),
    "deckplanet-digital.txt": ("FB01-001", {"FB01-005": 4}, 0),
    "digital-deckcode-limitless-tcgarena.txt": ("FB01-001", GOKU, 0),
    "dragonballgg.txt": ("FS01-01", {"FS01-02": 4, "FS01-09": 2}, 0),
    "egman-text-other-cards.txt": ("FB01-001", {"FB01-005": 4, "FS01-03": 4}, 1),
    "egman-text.txt": ("FS01-01", {"FS01-03": 4, "FS01-02": 4, "FS01-10": 4, "FS01-04": 2}, 0),
    "headers.txt": ("FB01-001", {"FS01-03": 4}, 0),
    "leader-cards.json": ("FS01-01", {"FS01-02": 4}, 0),
    "name-and-parallel.txt": ("FB01-001", {"FB01-004": 4}, 0),
    "x-separators.txt": (None, {"FB01-005": 4, "FB01-014": 2, "FP-001": 3}, 0),
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_read_completely(name):
    leader, cards, aside = FORMATS[name]
    parsed = parse(shared_path(f"data/fusion/formats/{name}").read_bytes(), None, facts.catalogue("fusion"))
    assert parsed.game == "fusion"
    assert numbers(parsed.deck) == Counter({**cards, **({leader: 1} if leader else {})})
    assert [line.aside for line in parsed.deck.unread] == [True] * aside
    assert bool(parsed.deck.leader) == bool(leader)
    assert [line.count for line in parsed.deck.side] == ([2] if name == "deckplanet-clipboard.txt" else [])


@pytest.mark.parametrize(("name", "cards"), [("egman-url.txt", 54), ("number-count.json", 50)])
def test_whole_decks_in_one_text(name, cards):
    written = shared_path(f"data/fusion/formats/{name}").read_text("utf-8")
    deck = parse(written, None, facts.catalogue("fusion")).deck
    assert sum(line.count for line in deck.main) == cards
    assert len(deck.leader) == 1
    assert not deck.unread


def test_no_format_is_left_out():
    known = {*FORMATS, "egman-url.txt", "number-count.json", "README.md"}
    assert {file.name for file in shared_path("data/fusion/formats").iterdir()} == known


def test_ids_are_no_counts_only_in_exports():
    """Digits behind a name are a count in a list that has no other."""
    deck = parse("FB01-001 Son Goku (1)\nFS01-03 Master Roshi (4)", None, facts.catalogue("fusion")).deck
    assert [(line.number, line.count) for _, line in deck.lines()] == [("FB01-001", 1), ("FS01-03", 4)]


def test_every_printing_is_its_card():
    catalogue = facts.catalogue("fusion")
    with shared_path("data/fusion/printings.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    marks = ("", "_f", "-F", "_f_p1", "-p1", "_TP_W")
    wrong = [
        (row["base"] + mark)
        for row in rows
        for mark in marks
        if not row["base"].startswith("E")
        for card in [catalogue.by_number(row["base"] + mark)]
        if card is None or card.number != row["base"]
    ]
    assert wrong == []
    assert [row["number"] for row in rows if catalogue.by_number(row["number"]).number != row["base"]] == []


def test_real_decks():
    judge = real_judge(date(2026, 8, 12))
    with shared_path("data/fusion/decks.jsonl").open(encoding="utf-8") as file:
        decks = [json.loads(line) for line in file]
    assert decks
    for one in decks:
        written = one["raw"] if isinstance(one["raw"], str) else json.dumps(one["raw"])
        parsed = parse(written, None, judge.catalogue)
        assert parsed.game == "fusion"
        assert not parsed.deck.unread
        wanted = Counter({line["number"]: line["count"] for line in one["lines"]}) + Counter([one["leader"]])
        assert numbers(parsed.deck) == wanted, one["id"]
        verdict = judge(parsed.deck)
        on_list = {f.cards[0].number for f in verdict.findings if f.code in ("card.banned", "card.restricted")}
        assert on_list == {*one["check"]["today_banned"], *one["check"]["today_restricted"]}
        broken = {code for code in errors(verdict) if code not in ("card.banned", "card.restricted")}
        assert bool(broken) is bool(one["check"]["construction"]), one["id"]
        if one["date"]:
            day = real_judge(date.fromisoformat(one["date"]))(parsed.deck)
            assert [finding.code for finding in day.findings] == [], one["id"]


def test_the_facts_are_those_of_the_sources():
    with shared_path("data/fusion/cards.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["number"]: row for row in csv.DictReader(file)}
    with shared_path("data/fusion/clauses.csv").open(encoding="utf-8", newline="") as file:
        said = {row["card_number"]: row["kind"] for row in csv.DictReader(file)}
    catalogue = facts.catalogue("fusion")
    assert {card.number for card in catalogue} == set(rows)
    kinds = {
        "pool_max": "keyword",
        "copies_unlimited": "copies",
        "pool_unlimited_max": "keyword",
        "event_only": "event_only",
    }
    for card in catalogue:
        row = rows[card.number]
        assert (card.type, card.set or "", card.released or "") == (row["type"], row["set"], row["released_en"])
        assert ("Super Combo" in card.keywords) is (row["super_combo"] in ("1", "1?"))
        assert bool(card.unseen and card.unseen.keywords) is (row["super_combo"] in ("?", "1?"))
        own = [one.kind for one in card.construction if one.kind not in ("unseen", "alias")]
        assert own == ([kinds[said[card.number]]] if card.number in said else [])
        if row["colors"] in GAME_COLORS and not (card.unseen and row["set"] == "FP"):
            assert card.colors == (row["colors"],)
    for row in rows.values():
        read = [one.kind for one in clauses.read("fusion", row["type"], row["text"], row["back_text"])]
        shipped = [one.kind for one in catalogue.by_number(row["number"]).construction]
        assert not row["text"] or read == shipped, row["number"]


GAME_COLORS = ("Red", "Blue", "Green", "Yellow", "Black")


def test_what_the_rules_say_is_what_was_found():
    """The project has no copy of the manual. It has quotes of the manual."""
    found = shared_path("rules/fusion.md").read_text("utf-8")
    for quote in ("1 Leader Card", "50-60 total Battle Cards and Extra Cards", "one of the same colors as your Leader"):
        assert quote in found
    page = shared_path("data/fusion/official/01_31_rules_page_en.txt").read_text("utf-8")
    assert "up to 4 copies of a card with the same card number" in page
    assert "Regarding Banned/Restricted Cards" in page


def test_a_list_of_shared_numbers_is_of_the_game_that_it_fits():
    """The numbers of ST01 are those of two other games, too."""
    assert parse("4 ST01-002\n4 ST01-003", None).game is None
    assert parse("1 FB01-001\n4 ST01-002", None).game == "fusion"


def test_an_unseen_clause_is_data():
    one = Card("fusion", "U-1", "One", "Battle", construction=(UNSEEN,))
    assert one.unseen == UNSEEN
    assert UNSEEN.as_dict() == {"kind": "unseen", "keywords": ["Super Combo"], "text": ""}


def test_a_catalogue_of_another_program_need_not_say_that_it_is_provisional():
    table = Table(RULES)
    del table.catalogue.provisional
    assert "provisional" not in table.verdict().as_dict()["catalogue"]
