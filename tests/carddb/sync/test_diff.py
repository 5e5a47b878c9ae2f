"""What came, what went and what changed, field by field, and in what texts say of construction."""

from dataclasses import replace

import pytest

from carddb import construction
from carddb.sync.diff import as_dict, compare_cards, find_conflicts
from tests.carddb import real
from tests.carddb.cards import card
from validator.cards import Clause


@pytest.mark.slow
def test_the_same_cards_do_not_differ():
    cards = real.cards("optcg")
    assert not compare_cards(cards, list(cards))


def test_cards_come_and_go():
    found = compare_cards([card("OP01-001"), card("OP01-002")], [card("OP01-002"), card("OP01-003")])
    assert [one.number for one in found.added] == ["OP01-003"]
    assert [one.number for one in found.removed] == ["OP01-001"]
    assert found.changed == ()


def test_fields_that_changed():
    old = card(power=5000, traits=("Crew",), released="2026-01-01")
    (changed,) = compare_cards([old], [replace(old, name="Nami!", power=6000, traits=())]).changed
    assert changed.facts == (("name", "Nami", "Nami!"), ("power", 5000, 6000), ("traits", ("Crew",), ()))
    assert changed.construction == ()


def test_two_sources_conflict_in_names_types_and_colours_only():
    ours = card(colors=("Red",), power=5000)
    for theirs, said in (
        (replace(ours, type="Event"), ["OP01-016 Nami: type was Character, is Event."]),
        (replace(ours, colors=("Blue",)), ["OP01-016 Nami: colors was Red, is Blue."]),
        (replace(ours, name="NAMI", power=6000), []),
        (replace(ours, colors=()), []),
    ):
        assert [str(text) for text in find_conflicts(compare_cards([ours], [theirs]))] == said


def test_the_order_of_printings_is_no_change():
    assert not compare_cards([card(printings=("A", "B"))], [card(printings=("B", "A"))])
    assert compare_cards([card(printings=("A", "B"))], [card(printings=("B",))])


def test_clauses_that_changed():
    old = construction.read(
        card(text="Under the rules of this game, you may have any number of this card in your deck.")
    )
    new = construction.read(card(text="[On Play] Draw 1 card."))
    (changed,) = compare_cards([old], [new]).changed
    assert [change.field for change in changed.facts] == ["text"]
    (clause,) = changed.construction
    assert (clause.old["kind"], clause.new) == ("copies", None)


def test_a_clause_that_is_worded_otherwise_is_old_and_new():
    one, other = (card(construction=(Clause("copies", text, limit=7),)) for text in ("7 copies", "seven copies"))
    (changed,) = compare_cards([one], [other]).changed
    assert [(change.old is None, change.new is None) for change in changed.construction] == [
        (False, True),
        (True, False),
    ]


def test_battle_of_souls_goes_by_name():
    old, new = (card(number, "Sword", "Equipment", "bos") for number in ("A-1", "B-2"))
    assert not compare_cards([old], [new])
    assert compare_cards([old], [replace(new, name="Shield")]).added


def test_the_difference_as_json():
    said = as_dict(compare_cards([card(power=1)], [card(power=2), card("OP01-017", "Nico Robin")]))
    assert said == {
        "added": [{"number": "OP01-017", "name": "Nico Robin"}],
        "removed": [],
        "changed": [{"number": "OP01-016", "name": "Nami", "changes": [{"field": "power", "old": 1, "new": 2}]}],
    }
