"""Counts in lines: each spelling of a number of copies, and the digits of names, prices and numbers that are none."""

import pytest

from validator.decklists import counts


@pytest.mark.parametrize(
    ("line", "digits", "counted", "form"),
    [
        ("4 OP01-016", "4", "OP01-016", "4 "),
        ("4x OP01-016", "4", "OP01-016", "4x "),
        ("4xOP01-016", "4", "OP01-016", "4x"),
        ("4OP01-016", "4", "OP01-016", "4"),
        ("04OP01-016", "04", "OP01-016", "4"),
        ("4*Nami", "4", "Nami", "4x"),
        ("4 x Nami", "4", "Nami", "4 x "),
        ("4: Nami", "4", "Nami", "4: "),
        ("4) Nami", "4", "Nami", "4) "),
        ("4 - Nami", "4", "Nami", "4 - "),
        ("3 copies of Nami", "3", "Nami", "4 copies of "),
        ("4枚 Nami", "4", "Nami", "4枚 "),
        ("x4 Nami", "4", "Nami", "(4)"),
        ("(4) Nami", "4", "Nami", "(4)"),
        ("[4x] Nami", "4", "Nami", "(4)"),
        ("Nami x4", "4", "Nami", "x4"),
        ("Nami *4", "4", "Nami", "x4"),
        ("Nami 4x", "4", "Nami", "x4"),
        ("Nami (x4)", "4", "Nami", "x4"),
        ("Nami (4x)", "4", "Nami", "x4"),
        ("Nami: 4", "4", "Nami", "x4"),
        ("Nami=4", "4", "Nami", "x4"),
        ("Nami 4 copies", "4", "Nami", "x4"),
        ("Nami (4 pcs)", "4", "Nami", "x4"),
        ("Nami 4枚", "4", "Nami", "x4"),
        ("OP01-016 4", "4", "OP01-016", "x4"),
        ("OP01-016x4", "4", "OP01-016", "x4"),
        ("BT1-005_PRx3", "3", "BT1-005_PR", "x4"),
        ("4 X Calibur", "4", "X Calibur", "4 "),
        ("4 XD1-04", "4", "XD1-04", "4 "),
        ("Android 13", "", "Android 13", ""),
        ("P-001 [4]", "", "P-001 [4]", ""),
        ("Nami", "", "Nami", ""),
    ],
)
def test_find_the_count_at_the_start_or_at_the_end_of_a_line(line, digits, counted, form):
    count = counts.likeliest_count(line)
    assert (count.digits, count.counted_text(line), count.form) == (digits, counted, form)


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("2. OP01-016 x4", "OP01-016 x4"),
        ("12) 4 Nami", "4 Nami"),
        ("123: Nami", "Nami"),
        ("3 - Nami", "Nami"),
        ("(2) Nami", "Nami"),
        ("1234. Nami", "1234. Nami"),
        ("2.Nami", "2.Nami"),
        ("Nami", "Nami"),
    ],
)
def test_skip_the_number_of_a_line_but_not_a_longer_one(line, rest):
    assert line[counts.line_number_end(line) :] == rest


@pytest.mark.parametrize(
    ("line", "possible"),
    [
        ("three Nami", [("", "three Nami"), ("3", "Nami")]),
        ("Drei x Nami", [("", "Drei x Nami"), ("3", "Nami")]),
        ("4 Nami x2", [("", "4 Nami x2"), ("4", "Nami x2"), ("2", "4 Nami")]),
        ("x4 Nami", [("", "x4 Nami"), ("4", "Nami")]),
        ("Nami (4)", [("", "Nami (4)"), ("4", "Nami")]),
        ("Nami - 4", [("", "Nami - 4"), ("4", "Nami")]),
        ("Nami, 4", [("", "Nami, 4"), ("4", "Nami")]),
        ("Nami 4", [("", "Nami 4"), ("4", "Nami")]),
        ("Nami/4", [("", "Nami/4")]),
        ("Nami", [("", "Nami")]),
    ],
)
def test_offer_each_count_that_a_catalogue_may_confirm(line, possible):
    found = counts.possible_counts(line, counts.likeliest_count(line))
    assert [(count.digits, count.counted_text(line)) for count in found] == possible


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        ("Nami x4", [("4", "Nami", True)]),
        ("(4) Nami", [("4", "Nami", True)]),
        ("[4x] Nami", [("4", "Nami", True)]),
        ("(three) Nami", [("3", "Nami", True)]),
        ("Nami - 4", [("4", "Nami", True)]),
        ("Nami: 4", [("4", "Nami", True)]),
        ("Nami (x4)", [("4", "Nami", True)]),
        ("4 copies of Nami", [("4", "Nami", True)]),
        ("4 Nami", [("4", "Nami", False)]),
        ("three Nami", [("3", "Nami", False)]),
        ("Nami 4枚", [("4", "Nami", False)]),
        ("Nami 2 copies", [("2", "Nami", False)]),
        ("4 Nami 2", [("4", "Nami 2", False), ("2", "4 Nami", False)]),
        ("4", [("4", "", False), ("4", "", False)]),
        ("4x", [("4", "", True), ("4", "", True)]),
        ("100 Nami", []),
        ("Nami", []),
    ],
)
def test_find_counts_beside_a_name_and_whether_they_can_be_part_of_it(text, beside):
    assert list(map(tuple, counts.counts_beside(text))) == beside
    before = counts.count_before(text)
    assert (before and tuple(before)) in (None, *beside[:1])


@pytest.mark.parametrize(
    ("rest", "digits"),
    [
        ("4", "4"),
        ("4 pcs", "4"),
        ("4 r", "4"),
        ("$3.50 4", "4"),
        ("4 great", None),
        ("4 4", None),
        ("4 16", None),
        ("x4", None),
        ("~4~", None),
        ("100", None),
        ("0", None),
        ("", None),
    ],
)
def test_find_the_only_count_in_a_line_without_its_card(rest, digits):
    assert counts.only_count(rest, has_name=False) == digits


@pytest.mark.parametrize(
    ("rest", "digits"),
    [
        ("x4 - great card", "4"),
        ("2.50 eur x4", "4"),
        ("4x", "4"),
        ("4", "4"),
        ("x4 x3", None),
        ("x4 3", None),
        ("1 x4", None),
        ("~x4", None),
    ],
)
def test_find_the_only_count_beside_a_full_name(rest, digits):
    assert counts.only_count(rest, has_name=True) == digits


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("Nami x3", "3"),
        ("Nami 3x", "3"),
        ("Nami -> 3", "3"),
        ("Nami => 3", "3"),
        ("Nami → 3", "3"),
        ("x3", "3"),
        ("Nami 3", None),
        ("Nami x3 foil", None),
    ],
)
def test_find_a_count_with_its_sign_at_the_end(text, digits):
    assert counts.count_behind(text) == digits


@pytest.mark.parametrize(
    ("text", "digits"),
    [("-> 3 OP01-016", ["3"]), ("3x OP01-016, 2 OP01-017", ["3", "2"]), ("16-3 OP01-016", []), ("OP01-016", [])],
)
def test_find_the_counts_directly_before_card_numbers(text, digits):
    assert list(counts.counts_before_numbers(text)) == digits


@pytest.mark.parametrize(
    ("text", "has_sign", "is_doubtful"),
    [
        ("Nami x4", True, True),
        ("4x", True, True),
        ("x", False, True),
        ("4 Nami", False, True),
        ("Nami 3.0", False, True),
        ("?", False, True),
        ("some", False, True),
        ("playset", False, True),
        ("Nami ii", False, True),
        ("a few cards", False, False),
        ("x100", False, False),
        ("V4x", False, False),
        ("$3.50", False, False),
        ("016", False, False),
        ("V2", False, False),
        ("#402", False, False),
        ("OP01-016", False, False),
        ("Nami", False, False),
    ],
)
def test_texts_that_contain_a_count_or_could(text, has_sign, is_doubtful):
    assert (counts.has_sign(text), counts.is_doubtful(text)) == (has_sign, is_doubtful)


@pytest.mark.parametrize(
    ("separator", "spelling"), [("X", "x"), (" x ", " x "), (" * ", " x "), ("  ", " "), (": ", ": "), ("", "")]
)
def test_separators_have_one_spelling(separator, spelling):
    assert counts.normalise_separator(separator) == spelling
