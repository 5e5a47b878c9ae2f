"""One test for each statement that RULES makes of Battle of Souls."""

import pytest

from carddb import construction
from tests.validator.table import Table, assert_illegal, assert_legal, bos, names
from validator import Card

NEW, FIRST = "bos-1.3", "bos-original"
CROWN = "You may only have 1 copy of this card in your deck."


@pytest.mark.parametrize(("ruleset", "least"), [(NEW, 40), (FIRST, 50)])
def test_deck_size(ruleset, least):
    table = Table(ruleset)
    citation = {NEW: "Rule updates 1; Getting started, Deck", FIRST: "Rule updates 1"}[ruleset]
    for size in (least, 80):
        assert_legal(table.verdict(names("bos", size), fill=False))
    for size in (least - 1, 81):
        verdict = table.verdict(names("bos", size), fill=False)
        assert_illegal(verdict, "size", "main", citation, count=size, limit=80, minimum=least)


def test_four_cards_of_a_name_whatever_their_set_numbers():
    card = Card("bos", "S1-001", "Twice Printed", "Warrior", printings=("S1-001", "S2-014"))
    table = Table(NEW, card)
    citation = "Getting started, Deck; Game cards, Fighter cards 1.a"
    assert_legal(table.verdict({"twice printed": 4}))
    assert_illegal(
        table.verdict({"TWICE  PRINTED": 5}), "copies.exceeded", "main", citation, "S1-001", count=5, limit=4
    )


def test_three_legendary_warriors():
    table = Table(
        NEW, bos("Legend A", "Legendary Warrior"), bos("Legend B", "Legendary Warrior"), bos("Lord", "Warlord")
    )
    rest = {"Lord": 1}
    assert table.verdict({"Legend A": 2, "Legend B": 1, **rest}).legal
    verdict = table.verdict({"Legend A": 2, "Legend B": 2, **rest})
    assert_illegal(verdict, "class.exceeded", "main", "Getting started, Deck", "Legend A", "Legend B", count=4, limit=3)
    assert not table.verdict({"Legend A": 4, **rest}).legal


def test_a_deck_of_nothing_but_legendary_warriors_has_too_many_of_them():
    legends = [bos(f"Legend {n}", "Legendary Warrior") for n in range(2)]
    verdict = Table(NEW, *legends).verdict({card.name: 2 for card in legends}, fill=False)
    assert [(one.code, one.count) for one in verdict.findings if one.severity == "error"] == [
        ("class.exceeded", 4),
        ("size", 4),
    ]


def test_side_deck_is_a_deck_of_its_own_of_up_to_fifteen():
    table = Table(NEW)
    assert_legal(table.verdict(side={"Warrior 1": 4, "Warrior 2": 4, "Warrior 3": 4, "Warrior 4": 3}))
    verdict = table.verdict(side={f"Warrior {n}": 4 for n in range(4)})
    assert_illegal(verdict, "size", "side", "Getting started, Side deck", count=16, limit=15, minimum=0)


def test_limits_of_a_side_deck_that_the_book_does_not_print_are_marked_as_a_reading():
    table = Table(NEW, bos("Legend A", "Legendary Warrior"), bos("Legend B", "Legendary Warrior"))
    cite = "Getting started, Side deck (as deckproof reads it)"
    assert_legal(table.verdict(side={"Warrior 1": 4, "Legend A": 3}))
    verdict = table.verdict(side={"Warrior 1": 5})
    assert_illegal(verdict, "copies.exceeded", "side", cite, "Warrior 1", count=5, limit=4)
    verdict = table.verdict(side={"Legend A": 2, "Legend B": 2})
    assert_illegal(verdict, "class.exceeded", "side", cite, "Legend A", "Legend B", count=4, limit=3)
    assert all("deckproof" in finding.message for finding in verdict.findings)


@pytest.mark.parametrize("section", ["main", "side"])
def test_no_fighter_tokens(section):
    table = Table(NEW, bos("Fighter Token", "Token"))
    verdict = table.verdict({"Fighter Token": 1}) if section == "main" else table.verdict(side={"Fighter Token": 1})
    assert_illegal(verdict, "type.misplaced", section, "Other rules, Fighter tokens", "Fighter Token", count=1)


@pytest.mark.parametrize(
    "type", ["Warrior", "Elite Warrior", "Warlord", "Legendary Warrior", "Equipment", "Tactic", "Battlefield"]
)
def test_card_classes(type):
    assert Table(NEW, bos("Some Card", type)).verdict({"Some Card": 1}).legal


@pytest.mark.parametrize("section", ["leader", "z", "don"])
def test_no_leader_and_no_other_sections(section):
    verdict = Table(NEW).verdict(**{section: {"Warrior 1": 1}})
    assert_illegal(verdict, "section.not_allowed", section, "Getting started", count=1)


@pytest.mark.parametrize(
    ("type", "needs", "code"),
    [
        ("Elite Warrior", "Warrior", "advice.elite_without_warrior"),
        ("Warlord", "Elite Warrior", "advice.warlord_without_elite"),
        ("Legendary Warrior", "Warlord", "advice.legendary_without_warlord"),
    ],
)
def test_fighters_without_what_they_sacrifice_is_advice(type, needs, code):
    tactics = [bos(f"Tactic {n}", "Tactic") for n in range(10)]
    table = Table(NEW, bos("Fighter", type), bos("Food", needs), *tactics)
    rest = {f"Tactic {n}": 4 for n in range(10)}
    without = table.verdict({"Fighter": 1, **rest}, fill=False)
    assert code in without.codes
    assert without.legal
    assert code not in table.verdict({"Fighter": 1, "Food": 1, **rest}, fill=False).codes


@pytest.mark.parametrize(("type", "needs"), [("Warlord", "an Elite Warrior"), ("Legendary Warrior", "a Warlord")])
def test_advice_says_what_to_add_as_people_say_it(type, needs):
    findings = Table(NEW, bos("Fighter", type)).verdict({"Fighter": 1}).findings
    said = [found.fix for found in findings if found.code.startswith("advice")]
    assert said == [f"Add {needs}, or leave the {type} out."]


def test_advice_lists_its_cards_alike_whatever_their_order():
    table = Table(NEW, bos("Lord A", "Warlord"), bos("Lord B", "Warlord"))
    lists = [{"Lord A": 1, "Lord B": 1}, {"Lord B": 1, "Lord A": 1}]
    named = [[card.name for card in table.verdict(cards).findings[0].cards] for cards in lists]
    assert named == [["Lord A", "Lord B"]] * 2


def test_few_warriors_in_the_first_hand_is_advice_with_the_exact_chance():
    tactics = [bos(f"Tactic {n}", "Tactic") for n in range(15)]
    table = Table(NEW, *tactics)
    rest = {f"Tactic {n}": 4 for n in range(8)}
    verdict = table.verdict({**rest, "Warrior 1": 4, "Warrior 2": 4}, fill=False)
    (advice,) = verdict.findings
    # 40 cards, 8 Warriors, a hand of 5: C(32,5)/C(40,5) + 8 C(32,4)/C(40,5)
    assert (advice.code, advice.count) == ("advice.mulligan", 8)
    assert advice.details == {"class": "Warrior", "fewest": 2, "hand": 5, "chance": pytest.approx(0.7433, abs=1e-4)}
    assert verdict.legal
    assert table.verdict(names("bos", 40), fill=False).codes == []


def card_with_text(name: str, type: str, text: str) -> Card:
    """Return a Battle of Souls card with the clauses parsed from its text."""
    return construction.read(Card("bos", "", name, type, text=text))


@pytest.mark.parametrize("ruleset", [NEW, FIRST])
def test_a_card_of_which_there_may_be_any_number(ruleset):
    levy = card_with_text("Invented Levy", "Warrior", "You can include any number of copies of this card in your deck.")
    assert_legal(Table(ruleset, levy).verdict({"Invented Levy": 12}))


@pytest.mark.parametrize("ruleset", [NEW, FIRST])
def test_a_card_of_which_there_may_be_one(ruleset):
    table = Table(ruleset, card_with_text("Invented Crown", "Equipment", CROWN))
    assert_legal(table.verdict({"Invented Crown": 1}))
    verdict = table.verdict({"Invented Crown": 2})
    finding = assert_illegal(verdict, "copies.exceeded", "main", CROWN, "Invented Crown", count=2, limit=1)
    assert finding.rule.document == "Invented Crown"


def test_cards_that_another_card_bars():
    oath = card_with_text("Invented Oath", "Tactic", "You cannot have Warlords in your deck.")
    table = Table(NEW, oath, bos("Lord", "Warlord"), bos("Elite", "Elite Warrior"))
    assert_legal(table.verdict({"Invented Oath": 1, "Elite": 1}))
    assert_legal(table.verdict({"Lord": 1, "Elite": 1}))
    verdict = table.verdict({"Invented Oath": 1, "Lord": 1, "Elite": 1})
    assert_illegal(
        verdict, "effect.forbidden", "main", "You cannot have Warlords in your deck.", "Lord", count=1, limit=0
    )


def test_a_text_on_the_deck_that_is_not_understood_is_told():
    table = Table(NEW, card_with_text("Invented Riddle", "Tactic", "Limit 1 per deck."))
    verdict = table.verdict({"Invented Riddle": 1})
    finding = assert_illegal(verdict, "clause.unread", "main", "Limit 1 per deck.", "Invented Riddle")
    assert finding.severity == "warning"
