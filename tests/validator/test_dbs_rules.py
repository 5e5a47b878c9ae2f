"""One test for each statement that RULES makes of Dragon Ball Super: a deck that obeys it, one that breaks it."""

import pytest

from tests.validator.table import Table, assert_illegal, assert_legal, clause, dbs, names
from validator import rulesets

LAUNCH, OLD, ZENKAI, NEW = "dbs-launch", "dbs-1.073", "dbs-zenkai", "dbs-4.00"
ALL = [LAUNCH, OLD, ZENKAI, NEW]


def asks(question):
    """How the official questions and answers are cited: they have no numbers that would last."""
    return f'Question "{question}"'


DECK = asks("How many cards can I have in my deck and Z-Deck?")
LEADERS = asks("How many Leader Cards can I use in a game?")
Z_IN_DECK = asks("Can I include Z-Cards in my normal deck during deck construction?")
SUPER_COMBO = asks("Can you include one copy of four different cards with [Super Combo] in a deck?")
SPLIT = "in your deck if they’re split between your deck and side deck?"
Z_LEADER = asks("Z-Leader Cards don’t have energy costs. How do I use them?")


def keyword(number, word, **facts):
    return dbs(number, keywords=(word,), **facts)


@pytest.mark.parametrize(
    ("ruleset", "citation"),
    [(LAUNCH, "5-1-2"), (OLD, "5-1-2"), (ZENKAI, LEADERS), (NEW, "6-1-2")],
)
def test_exactly_one_leader(ruleset, citation):
    table = Table(ruleset, dbs("L-2", "Leader"))
    assert_legal(table.verdict())
    assert_illegal(table.verdict(leader={}), "leader.count", "leader", citation, count=0, limit=1, minimum=1)
    assert_illegal(table.verdict(leader={"X-LEADER": 2}), "leader.count", "leader", citation, count=2)
    assert_illegal(table.verdict(leader={"X-LEADER": 1, "L-2": 1}), "leader.count", "leader", citation, count=2)


@pytest.mark.parametrize(
    ("ruleset", "most", "citation"),
    [(LAUNCH, 50, "5-1-3"), (OLD, 50, "5-1-3"), (ZENKAI, 60, DECK), (NEW, 60, "6-1-3")],
)
def test_deck_size(ruleset, most, citation):
    table = Table(ruleset)
    for size in (50, most):
        assert_legal(table.verdict(names("dbs", size), fill=False))
    for size in (49, most + 1):
        verdict = table.verdict(names("dbs", size), fill=False)
        assert_illegal(verdict, "size", "main", citation, count=size, limit=most, minimum=50)


@pytest.mark.parametrize(
    ("ruleset", "allowed", "citation", "for_z_cards"),
    [
        (LAUNCH, {"Battle", "Extra"}, "5-1-3", "5-1-3"),
        (OLD, {"Battle", "Extra"}, "5-1-3", "5-1-3"),
        (ZENKAI, {"Battle", "Extra", "Unison"}, DECK, Z_IN_DECK),
        (NEW, {"Battle", "Extra", "Unison"}, "6-1-3", "14-1-3"),
    ],
)
def test_card_types_of_the_deck(ruleset, allowed, citation, for_z_cards):
    types = ["Battle", "Extra", "Unison", "Leader", "Z-Leader", "Z-Battle", "Z-Extra", "Z-Unison", "Token"]
    for type in types:
        verdict = Table(ruleset, dbs("T-1", type)).verdict({"T-1": 2})
        if type in allowed:
            assert_legal(verdict)
        else:
            where = for_z_cards if type.startswith("Z-") else citation
            assert_illegal(verdict, "type.misplaced", "main", where, "T-1", count=2)


@pytest.mark.parametrize(
    ("ruleset", "citation"),
    [
        (LAUNCH, "5-1-3-1"),
        (OLD, "5-1-3-1"),
        (ZENKAI, asks("How many cards with the same name can I use in a deck or Z-Deck?")),
        (NEW, "6-1-5-1"),
    ],
)
def test_four_copies_of_a_number(ruleset, citation):
    table = Table(ruleset, dbs("C-1"))
    assert_legal(table.verdict({"C-1": 4}))
    assert_illegal(table.verdict({"C-1": 5}), "copies.exceeded", "main", citation, "C-1", count=5, limit=4)


@pytest.mark.parametrize("ruleset", ALL)
def test_a_card_may_allow_more_or_fewer_copies_of_itself(ruleset):
    free = dbs("C-ANY", construction=(clause("copies", "as many as you like", limit=None),))
    seven = dbs("C-7", construction=(clause("copies", "up to 7", limit=7),))
    single = dbs("C-1", construction=(clause("copies", "only 1", limit=1),))
    table = Table(ruleset, free, seven, single)
    assert_legal(table.verdict({"C-ANY": 20, "C-7": 7, "C-1": 1}))
    found = assert_illegal(table.verdict({"C-7": 8}), "copies.exceeded", "main", "up to 7", "C-7", count=8, limit=7)
    assert found.rule.document == "C-7 Fighter C-7"
    assert_illegal(table.verdict({"C-1": 2}), "copies.exceeded", "main", "only 1", "C-1", count=2, limit=1)


def test_any_number_of_a_card_still_counts_for_the_deck_size():
    free = dbs("C-ANY", construction=(clause("copies", "as many as you like", limit=None),))
    assert_illegal(Table(OLD, free).verdict({"C-ANY": 51}), "size", "main", "5-1-3", count=51)
    assert_legal(Table(NEW, free).verdict({"C-ANY": 60}))


@pytest.mark.parametrize("ruleset", [LAUNCH, OLD])
def test_no_side_deck_and_no_z_deck(ruleset):
    table = Table(ruleset)
    found = assert_illegal(table.verdict(side={"X-29": 4}), "section.not_allowed", "side", "5-1-1", count=4)
    assert found.cards == ()
    # Its cards are not judged: nothing is said of one that does not exist.
    assert_illegal(table.verdict(z={"nothing": 1}), "section.not_allowed", "z", "5-1-1", count=1)


@pytest.mark.parametrize("ruleset", [ZENKAI, NEW])
def test_don_is_no_section_of_this_game(ruleset):
    citation = {ZENKAI: DECK, NEW: "6-1-1"}[ruleset]
    assert_illegal(Table(ruleset).verdict(don={"DON!!": 10}), "section.not_allowed", "don", citation, count=10)


@pytest.mark.parametrize(
    ("ruleset", "word", "limit", "citation"),
    [
        (LAUNCH, "Ultimate", 1, "5-1-3-2"),
        (LAUNCH, "Super Combo", 4, "5-1-3-2"),
        (LAUNCH, "Dragon Ball", 7, "5-1-3-2"),
        (OLD, "Ultimate", 1, "10-14-1"),
        (OLD, "Super Combo", 4, "10-17"),
        (OLD, "Dragon Ball", 7, "10-31-1"),
        (ZENKAI, "Ultimate", 1, asks("Can you include 4 copies of a card with [Ultimate] in your deck?")),
        (
            ZENKAI,
            "Super Combo",
            4,
            SUPER_COMBO,
        ),
        (
            ZENKAI,
            "Dragon Ball",
            7,
            asks("can you include one copy each of three different cards with [Dragon Ball] in your deck?"),
        ),
        (NEW, "Ultimate", 1, "22-14-2"),
        (NEW, "Super Combo", 4, "22-17-2"),
        (NEW, "Dragon Ball", 7, "22-28-2"),
    ],
)
def test_keywords_are_limited_in_total(ruleset, word, limit, citation):
    cards = [keyword("K-1", word), keyword("K-2", word)]
    table = Table(ruleset, *cards)
    assert_legal(table.verdict({"K-1": limit}))
    two = {"K-1": limit, "K-2": 1}
    found = assert_illegal(
        table.verdict(two), "keyword.exceeded", "main", citation, "K-1", "K-2", count=limit + 1, limit=limit
    )
    assert found.keyword == word


@pytest.mark.parametrize("ruleset", [ZENKAI, NEW])
@pytest.mark.parametrize(
    ("word", "limit", "question"),
    [
        ("Ultimate", 1, f"Can you include a total of 2 or more cards with [Ultimate] {SPLIT}"),
        ("Super Combo", 4, f"Can you include a total of 5 or more cards with [Super Combo] {SPLIT}"),
        (
            "Dragon Ball",
            7,
            "Can you include 8 or more copies of cards with [Dragon Ball] between your deck and side deck?",
        ),
    ],
)
def test_keywords_count_over_deck_and_side_deck(ruleset, word, limit, question):
    table = Table(ruleset, keyword("K-1", word), keyword("K-2", word))
    verdict = table.verdict({"K-1": limit}, side={"K-2": 1})
    found = assert_illegal(verdict, "keyword.exceeded", "main", asks(question), "K-1", "K-2", count=limit + 1)
    assert found.rule.document == rulesets()[ZENKAI].title


def test_a_keyword_is_found_where_it_counts_whatever_the_order_of_the_cards():
    table = Table(NEW, keyword("K-1", "Ultimate"), keyword("K-2", "Ultimate"))
    for deck in ({"K-1": 1, "K-2": 1}, {"K-2": 1, "K-1": 1}):
        verdict = table.verdict(deck, leader={"K-2": 1})  # misplaced: the leader section is no part of the deck
        found = next(found for found in verdict.findings if found.code == "keyword.exceeded")
        assert (found.section, [card.number for card in found.cards]) == ("main", ["K-1", "K-2"])


@pytest.mark.parametrize("ruleset", ALL)
def test_dragon_balls_are_exempt_from_the_four_copies_unless_their_text_sets_a_number(ruleset):
    own = keyword("K-2", "Dragon Ball", construction=(clause("copies", "only 2", limit=2),))
    table = Table(ruleset, keyword("K-1", "Dragon Ball"), own)
    assert_legal(table.verdict({"K-1": 7}))
    assert_illegal(table.verdict({"K-2": 3}), "copies.exceeded", "main", "only 2", "K-2", count=3, limit=2)


def test_ultimate_over_one_and_over_four_is_two_facts():
    table = Table(NEW, keyword("K-1", "Ultimate"))
    assert table.verdict({"K-1": 2}).codes == ["keyword.exceeded"]
    assert table.verdict({"K-1": 5}).codes == ["copies.exceeded", "keyword.exceeded"]


@pytest.mark.parametrize(("ruleset", "most", "citation"), [(ZENKAI, 7, DECK), (NEW, 10, "6-1-4")])
def test_z_deck_size(ruleset, most, citation):
    table = Table(ruleset)
    full = {f"Z-{n:02}": 1 for n in range(most)}
    assert_legal(table.verdict(z=full))
    assert_illegal(table.verdict(z={**full, "Z-14": 1}), "size", "z", citation, count=most + 1, limit=most, minimum=0)


@pytest.mark.parametrize(
    ("ruleset", "citation"),
    [(ZENKAI, asks("Can I include standard (non-Z) cards in my Z-Deck during deck construction?")), (NEW, "6-1-4")],
)
def test_z_deck_has_only_z_cards(ruleset, citation):
    for type in ("Z-Leader", "Z-Battle", "Z-Extra", "Z-Unison"):
        assert_legal(Table(ruleset, dbs("T-1", type)).verdict(z={"T-1": 1}))
    for type in ("Battle", "Extra", "Unison", "Leader"):
        verdict = Table(ruleset, dbs("T-1", type)).verdict(z={"T-1": 1})
        assert_illegal(verdict, "type.misplaced", "z", citation, "T-1", count=1)


@pytest.mark.parametrize(
    ("ruleset", "citation", "for_z_leaders"), [(ZENKAI, LEADERS, Z_LEADER), (NEW, "6-1-2", "14-1-3")]
)
def test_only_a_leader_starts_and_no_z_leader(ruleset, citation, for_z_leaders):
    table = Table(ruleset, dbs("T-1", "Z-Leader"), dbs("T-2"))
    assert_illegal(table.verdict(leader={"T-1": 1}), "type.misplaced", "leader", for_z_leaders, "T-1", count=1)
    assert_illegal(table.verdict(leader={"T-2": 1}), "type.misplaced", "leader", citation, "T-2", count=1)


@pytest.mark.parametrize("ruleset", [ZENKAI, NEW])
def test_side_deck_of_tournament_policy(ruleset):
    table = Table(ruleset, dbs("S-1"), dbs("S-2", "Leader"))
    side = {f"X-{n:02}": 1 for n in range(14, 29)}
    assert_legal(table.verdict(side={"Z-01": 4, "S-1": 4}))
    assert_legal(table.verdict(side=side))
    found = assert_illegal(
        table.verdict(side={**side, "S-1": 1}), "size", "side", "side deck size", count=16, limit=15, minimum=0
    )
    assert found.rule.document.startswith("Tournament policy")
    assert_illegal(table.verdict(side={"S-2": 1}), "type.misplaced", "side", "side deck, Leader Cards", "S-2", count=1)


@pytest.mark.parametrize("ruleset", [ZENKAI, NEW])
def test_copies_count_over_deck_side_deck_and_z_deck(ruleset):
    table = Table(ruleset, dbs("C-1"), dbs("C-Z", "Z-Battle"))
    assert_legal(table.verdict({"C-1": 3}, side={"C-1": 1}))
    found = table.verdict({"C-1": 4}, side={"C-1": 1}).findings[0]
    assert found.details == {"sections": {"main": 4, "side": 1}}
    policy = "copies over deck, side deck and Z-Deck"
    verdict = table.verdict({"C-1": 4}, side={"C-1": 1})
    found = assert_illegal(verdict, "copies.exceeded", "main", policy, "C-1", count=5, limit=4)
    assert found.rule.document == "Tournament policy (Dragon Ball Super Card Game)"
    assert_illegal(table.verdict(z={"C-Z": 4}, side={"C-Z": 1}), "copies.exceeded", "side", policy, "C-Z", count=5)
    assert table.verdict({"C-1": 5}, side={"C-1": 1}).findings[0].rule.document == rulesets()[ruleset].document


def test_policy_may_count_the_side_deck_for_itself_and_set_its_size():
    table = Table(NEW, dbs("C-1"), copies_across_side=False, side_max=4)
    assert_legal(table.verdict({"C-1": 4}, side={"C-1": 4}))
    found = table.verdict({"C-1": 4}, side={"C-1": 5})
    assert found.codes == ["copies.exceeded", "size"]
    assert found.findings[1].limit == 4


def test_a_card_misplaced_in_two_sections_is_found_once():
    table = Table(NEW, dbs("T-1", "Leader"))
    assert_illegal(table.verdict({"T-1": 1}, side={"T-1": 1}), "type.misplaced", "main", "6-1-3", "T-1", count=1)


def test_the_same_number_in_any_spelling_and_printing_is_one_card():
    card = dbs("BT1-999", printings=("BT1-999", "BT1-999_PR02", "BT1-999_SPR"))
    table = Table(NEW, card)
    verdict = table.verdict({"BT1-999_PR02": 2, " bt1-999 ": 2, "BT1-999_SPR": 1})
    assert_illegal(verdict, "copies.exceeded", "main", "6-1-5-1", "BT1-999", count=5, limit=4)


def test_an_unknown_card_counts_for_size_and_nothing_else_is_said():
    table = Table(NEW)
    verdict = table.verdict({"QQ9-999": 9})
    found = assert_illegal(verdict, "card.unknown", "main", "46 cards", "QQ9-999", count=9)
    assert found.details == {"catalogue": "table", "catalogue_cards": 46, "catalogue_as_of": None, "games": ()}


def test_an_unknown_leader_is_counted_as_a_leader():
    assert Table(NEW).verdict(leader={"QQ9-999": 1}).codes == ["card.unknown"]
