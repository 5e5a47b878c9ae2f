"""A list that shrinks, or whose cards lose facts, is doubted, and a list that grows is not. Odd cards are named."""

from dataclasses import replace

import pytest

from carddb.corrections import correct_cards
from carddb.sync.sanity import find_doubts, find_fact_warnings
from tests.carddb import real
from tests.carddb.cards import card, some_cards
from validator.cards import Card, Clause
from validator.limits.rotations import ANY_BLOCK


def onepiece(count, code="OP01", **facts):
    facts = {"colors": ("Red",), "block": "1", "traits": ("Crew",)} | facts
    return [card(f"{code}-{at:03d}", f"Card {at}", "Character", **facts) for at in range(1, count + 1)]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["optcg", "dbs"])
def test_the_real_cards_are_sane(game):
    cards = real.cards(game)
    assert find_doubts(game, cards) == []
    assert find_doubts(game, cards, cards) == []


def test_more_cards_and_more_sets_are_welcome():
    assert find_doubts("optcg", [*onepiece(100), *onepiece(50, "OP02")], onepiece(90)) == []


@pytest.mark.parametrize(("left", "doubted"), [(1000, False), (980, False), (979, True)])
def test_two_in_a_hundred_may_go(left, doubted):
    before = [one for code in range(1, 11) for one in onepiece(100, f"OP{code:02d}")]
    gone = {one.number for one in before[:: 1000 // (1000 - left)][: 1000 - left]} if left < 1000 else set()
    found = find_doubts("optcg", [one for one in before if one.number not in gone], before)
    assert bool(found) is doubted
    if doubted:
        assert "1,000" in found[0]
        assert "OP01-001" in found[0]


def test_a_set_that_vanishes_or_shrinks_is_named():
    before = [*onepiece(1000), *onepiece(10, "ST01")]
    assert find_doubts("optcg", before[:-10], before) == ["Set ST01 has vanished; it had 10 cards."]
    assert find_doubts("optcg", before[:-2], before) == ["Set ST01 has 8 cards where it had 10."]
    assert find_doubts("optcg", before[:-1], before) == []


def test_one_card_is_one_card():
    before = [*onepiece(1000), *onepiece(1, "ST01"), *onepiece(3, "ST02")]
    assert find_doubts("optcg", [*before[:1000], *before[1001:]], before) == ["Set ST01 has vanished; it had 1 card."]
    assert "Set ST02 has 1 card where it had 3." in find_doubts("optcg", before[:-2], before)
    nameless = replace(before[0], name="")
    assert find_doubts("optcg", [nameless, *before[1:]]) == ["1 card has no name: OP01-001."]


@pytest.mark.parametrize("lost", [{"name": ""}, {"type": ""}])
def test_a_card_without_name_or_type_is_named(lost):
    cards = onepiece(10)
    cards[3] = replace(cards[3], **lost)
    assert any("OP01-004" in doubt for doubt in find_doubts("optcg", cards))


@pytest.mark.parametrize(("facts", "word"), [({"block": "77"}, "77"), ({"colors": ("Pink",)}, "Pink")])
def test_what_the_game_does_not_know_is_named(facts, word):
    (doubt,) = find_doubts("optcg", [*onepiece(3), *onepiece(3, "OP02", **facts)])
    assert repr(word) in doubt
    assert "OP02-001" in doubt


def test_reprints_that_vanish_are_named():
    before = onepiece(100, printings=("A",)) + onepiece(2, "OP02", printings=tuple(map(str, range(100))))
    after = [*before[:-2], *onepiece(2, "OP02", printings=tuple(map(str, range(90))))]
    assert "91 printings where there were 101; missing are 90, 91" in find_doubts("optcg", after, before)[0]
    assert find_doubts("optcg", [replace(one, printings=()) for one in before], before) == [
        "102 of 102 cards have lost their printings: OP01-001, OP01-002, OP01-003, OP01-004, OP01-005 and 97 more."
    ]


def test_clauses_that_vanish_are_named():
    before = onepiece(40, construction=(Clause("copies"),))
    (doubt,) = find_doubts("optcg", onepiece(40), before)
    assert "40 of 40 cards have lost their clauses on deck construction" in doubt


@pytest.mark.parametrize("fact", ["block", "traits", "colors"])
def test_a_fact_that_most_cards_lose_is_named(fact):
    before = onepiece(40)
    empty = None if fact == "block" else ()
    assert fact in find_doubts("optcg", onepiece(40, **{fact: empty}), before)[0]
    few = [replace(one, **{fact: empty}) if at < 3 else one for at, one in enumerate(before)]
    assert find_doubts("optcg", few, before) == []


def test_leaders_of_one_face_are_named():
    lone = [card(f"BT1-{at:03d}", "Leader", "Leader", "dbs", colors=("Red",)) for at in range(1, 5)]
    assert "4 of 4 Leaders" in find_doubts("dbs", [*some_cards(5, "dbs"), *lone])[0]
    both = [replace(one, back_name="Back") for one in lone]
    assert find_doubts("dbs", both) == []


BLAST = "[Activate Battle] Place {} of your Lanterns in your Drop, then choose up to one {} card and draw"


def blasts(*kinds, code="EX23", **facts) -> list[Card]:
    text = [BLAST.format(at, color) for at, color in enumerate(("red", "blue", "green", "yellow"), 1)]
    known = {"cost": 1, "set": code, "colors": ("Red",)} | facts
    return [
        card(f"{code}-{at:02d}", f"Blast {at}", kind, "dbs", text=text[at], **known) for at, kind in enumerate(kinds)
    ]


def test_the_only_one_of_its_type_among_its_sisters_is_named():
    (warning,) = find_fact_warnings("dbs", blasts("Z-Extra", "Z-Extra", "Extra"))
    assert warning.startswith("EX23-02 Blast 2 is of type Extra, its sisters EX23-00, EX23-01 are of type Z-Extra")


@pytest.mark.parametrize(
    "cards",
    [
        blasts("Z-Extra", "Extra"),  # which of them is the odd one?
        blasts("Z-Extra", "Z-Extra", "Extra", "Extra"),
        [*blasts("Z-Extra", "Z-Extra"), *blasts("Extra", code="EX24")],
        [*blasts("Z-Extra", "Z-Extra"), *blasts("Leader", cost=None)],
        [replace(one, text="[Blocker]") for one in blasts("Z-Battle", "Z-Battle", "Battle")],
    ],
)
def test_cards_that_only_begin_alike_are_no_sisters(cards):
    assert find_fact_warnings("dbs", cards) == []


@pytest.mark.parametrize(
    ("colors", "cost_text", "named"),
    [(("Green",), "8(GY)", True), (("Green", "Yellow"), "8(GY)", False), (("Green", "Yellow"), "1(G)", False)],
)
def test_a_cost_in_colours_that_the_card_has_not_is_named(colors, cost_text, named):
    found = card("BT1-001", "Dragon", "Extra", "dbs", colors=colors, cost=8, cost_text=cost_text)
    assert any("BT1-001" in warning for warning in find_fact_warnings("dbs", [found])) is named


def test_facts_that_the_source_does_not_tell_are_named_once():
    cards = [*some_cards(3), card("BT1-004", "Four", "Battle", "dbs", cost=8, cost_text="8(KK)")]
    assert [warning.partition(": ")[2] for warning in find_fact_warnings("dbs", correct_cards(cards))] == [
        "BT1-004.",
        "BT1-001, BT1-002, BT1-003.",
    ]


@pytest.mark.parametrize(("powerless", "named"), [(1, True), (2, True), (3, False), (20, False)])
def test_the_few_cards_without_the_power_that_their_type_has_are_named(powerless, named):
    cards = onepiece(20, power=5000)
    cards[:powerless] = [replace(one, power=None) for one in cards[:powerless]]
    assert any("OP01-001" in warning for warning in find_fact_warnings("optcg", cards)) is named


# The lists have placeholders of promotion cards, and one that lacks its power.
REAL = {
    "optcg": [],
    "dbs": [
        "Of 20 cards the colours are not known: BT29-140",
        "Of 8 cards the cost is not known: P-514",
        "Other Battle cards have power, 8 cards have none: P-514",
        "Other Z-Battle cards have power, 1 card has none: P-427",
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("game", REAL)
def test_no_real_card_is_named_without_need(game):
    found = find_fact_warnings(game, correct_cards(real.cards(game)))
    assert len(found) == len(REAL[game])
    assert all(warning.startswith(one) for warning, one in zip(found, REAL[game], strict=True))


@pytest.mark.parametrize(("left", "is_doubted"), [(90, False), (89, True)])
def test_a_set_may_lose_a_tenth(left, is_doubted):
    before = [*onepiece(1000), *onepiece(100, "OP02")]
    found = find_doubts("optcg", before[: 1000 + left], before)
    assert found == ([f"Set OP02 has {left} cards where it had 100."] if is_doubted else [])


@pytest.mark.parametrize(("left", "is_doubted"), [(98, False), (97, True)])
def test_two_in_a_hundred_printings_may_go(left, is_doubted):
    def reprints(count):
        return onepiece(1, printings=tuple(map(str, range(count))))

    assert bool(find_doubts("optcg", reprints(left), reprints(100))) is is_doubted


@pytest.mark.parametrize(
    ("cards", "emptied", "is_doubted"), [(10, 3, False), (10, 4, True), (40, 4, False), (40, 5, True)]
)
def test_a_tenth_of_the_cards_or_three_may_lose_a_fact(cards, emptied, is_doubted):
    before = onepiece(cards)
    after = [replace(one, traits=()) if at < emptied else one for at, one in enumerate(before)]
    assert bool(find_doubts("optcg", after, before)) is is_doubted
    assert find_doubts("optcg", [replace(one, traits=("Navy",)) for one in before], before) == []
    assert find_doubts("optcg", before, after) == []


@pytest.mark.parametrize("facts", [{"cost": None}, {"name": "Another"}, {"type": "Event"}])
def test_fields_that_change_without_harm_are_no_loss(facts):
    before = onepiece(40, cost=1)
    assert find_doubts("optcg", [replace(one, **facts) for one in before], before) == []


@pytest.mark.parametrize(("one_faced", "is_doubted"), [(1, False), (2, True)])
def test_a_tenth_of_the_leaders_may_have_one_face(one_faced, is_doubted):
    leaders = [card(f"BT1-{at:03d}", "Leader", "Leader", "dbs", colors=("Red",), back_name="B") for at in range(10)]
    leaders[:one_faced] = [replace(one, back_name="") for one in leaders[:one_faced]]
    assert bool(find_doubts("dbs", leaders)) is is_doubted


def test_cards_of_every_block_or_of_none_raise_no_doubt():
    assert find_doubts("optcg", [*onepiece(2, block=ANY_BLOCK), *onepiece(2, "OP02", block=None)]) == []
    assert find_doubts("dbs", [replace(one, block="77") for one in some_cards(3)]) == []  # without a rotation


@pytest.mark.parametrize(("words", "is_named"), [(11, False), (12, True)])
def test_sisters_share_twelve_words_besides_numbers_and_colours(words, is_named):
    shared = " ".join(f"word{'abcdefghijkl'[at]}" for at in range(words))
    cards = [
        replace(
            one, text=f"{color} {at} {shared} and {color} more"[: None if is_named else len(f"{color} {at} {shared}")]
        )
        for at, (one, color) in enumerate(
            zip(blasts("Extra", "Extra", "Z-Extra"), ("red", "Blue", "green"), strict=True)
        )
    ]
    assert bool(find_fact_warnings("dbs", cards)) is is_named
    assert find_fact_warnings("dbs", [*cards[:2], replace(cards[2], text=f"other {cards[2].text}")]) == []
