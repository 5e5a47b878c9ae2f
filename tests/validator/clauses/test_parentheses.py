"""Parentheses in card texts: a reminder is no rule, however many parentheses it has in it."""

import pytest

from tests.validator.clauses.readings import read_clauses
from tests.validator.clauses.test_sentences import DRAGON_BALL, SUPER_COMBO, ULTIMATE
from validator.clauses import read


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[Super Combo] (Only 4 (four).) [Ultimate]", SUPER_COMBO + ULTIMATE),
        ("[Super Combo] (Only 4 (four (IV)) of these) [Ultimate] (Only 1.)", SUPER_COMBO + ULTIMATE),
        ("[Super Combo] (Up to 4 (four). [Dragon Ball] and [Ultimate] are others.)", SUPER_COMBO),
        ("[Super Combo] (Up to (4) cards (of [Ultimate]) at most) [Dragon Ball]", SUPER_COMBO + DRAGON_BALL),
        ("[Super Combo] (Only 4.))\n[Ultimate] (Only 1.)", SUPER_COMBO + ULTIMATE),
        ("[Super Combo] (Only 4 (of [Ultimate]", SUPER_COMBO),
        ("([Ultimate]) [Super Combo]", SUPER_COMBO),
        ("[Auto] Draw 1 card. (You can't include red cards in your deck (of any kind).)", []),
        ("(You can't include red cards in your deck. (of any kind))", []),
        ("[Permanent] (You can't include red cards in your deck. (of any kind))\n[Ultimate]", ULTIMATE),
        ("([Ultimate] (only 1)) [Super Combo]", SUPER_COMBO),
        ("[Super Combo] ([Ultimate] (only 1) and [Dragon Ball] (only 7))", SUPER_COMBO),
    ],
)
def test_what_is_in_parentheses_is_no_skill(text, expected):
    assert read_clauses("dbs", text) == expected


@pytest.mark.parametrize("blanks", ["", " ", "  "])
def test_a_skill_after_a_parenthesis_begins_a_sentence(blanks):
    bar = "You can't include red cards in your deck"
    permission = "You can include any number of copies of this card in your deck"
    found = read("dbs", "Battle", f"[Permanent] {bar} (as always){blanks}[Auto] {permission}")
    assert [(clause.kind, clause.text) for clause in found] == [("forbid", bar), ("copies", permission)]
