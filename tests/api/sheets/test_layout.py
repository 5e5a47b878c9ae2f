"""Layouts: everything once, in order, within its column, and never over the judges' box."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.sheets import layout
from api.sheets.layout import PAPERS
from tests.api.sheets.desk import PLAYER, filled
from tests.validator.table import optcg


def laid(sheet, paper="a4"):
    return layout.layout(sheet, PAPERS[paper])


def columns(laid):
    return [column for page in laid.pages for column in (page.left, page.right)]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("distinct", "pages"), [(1, 1), (12, 1), (45, 1), (90, 2), (300, 6)])
def test_as_many_pages_as_needed(distinct, pages, paper):
    found = laid(filled(distinct=distinct), paper)
    assert len(found.pages) <= pages
    numbers = [row.cells[1] for column in columns(found) for row in column if row.kind == "card"]
    assert sorted(numbers[1:]) == sorted(f"C-{n:02}" for n in range(1, distinct + 1))


@pytest.mark.parametrize("paper", PAPERS)
@settings(max_examples=25, deadline=None)
@given(st.lists(st.text("abc defghi", min_size=1, max_size=90), min_size=1, max_size=110), st.integers(0, 300))
def test_no_column_is_higher_than_its_page(paper, names, notes):
    special = [optcg(f"N-{n}", cost=n % 5) for n in range(len(names))]
    special = [
        card.__class__("optcg", card.number, name, card.type, cost=card.cost)
        for card, name in zip(special, names, strict=True)
    ]
    sheet = filled({**PLAYER, "notes": "n " * (notes // 2)}, special=special, main={card.number: 1 for card in special})
    found = laid(sheet, paper)
    for place, page in enumerate(found.pages):
        bottom = PAPERS[paper].height - layout.FOOT - (layout.JUDGES if place == 0 else 0)
        for column in (page.left, page.right):
            assert page.top + sum(row.height for row in column) <= bottom
    assert sum(row.kind == "card" for column in columns(found) for row in column) == len(names) + 1


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("distinct", [60, 150, 300])
def test_a_page_is_full_before_the_next_begins(paper, distinct):
    found = laid(filled(distinct=distinct), paper)
    highest = max(row.height for column in columns(found) for row in column)
    for place, page in enumerate(found.pages):
        bottom = PAPERS[paper].height - layout.FOOT - layout.GAP - (0 if place else layout.JUDGES)
        ends = [page.top + sum(row.height for row in column) for column in (page.left, page.right)]
        assert max(ends) <= bottom
        if place < len(found.pages) - 1:
            assert bottom - min(ends) < highest + 40  # a heading, a group and their first card stay together


def test_a_small_deck_is_set_larger_than_a_large_one():
    assert laid(filled(distinct=13)).density.size > laid(filled(distinct=45)).density.size


def test_a_heading_never_ends_a_column_and_a_section_says_that_it_goes_on():
    for distinct in range(20, 120, 7):
        for column in columns(laid(filled(distinct=distinct))):
            if column:
                assert not column[-1].keep
                assert column[0].kind == "heading"
    title, total = columns(laid(filled(distinct=90)))[1][0].cells
    assert (title, total) == ("Main deck, continued", "")


def test_findings_are_counted_in_full_and_shown_within_reason():
    sheet = filled(distinct=100, main={f"C-{n:02}": 5 for n in range(1, 101)})
    rows = [row for column in columns(laid(sheet)) for row in column]
    assert sum(row.kind == "problem" for row in rows) == 60
    assert ("and 41 more",) in [row.cells for row in rows]


def test_a_sheet_says_nothing_that_only_who_runs_deckproof_can_do():
    made = filled({"player": "Zoë 𒀀"}, main={f"no-{n}": 4 for n in range(13)})
    rows = [str(cell) for column in columns(laid(made)) for row in column for cell in row.cells]
    printed = " ".join(rows) + made.text
    assert "U+12000" in printed
    for word in ("deckproof", "fontpkg", "import", "sync"):
        assert word not in printed


def test_an_empty_deck_still_makes_a_page():
    assert len(laid(filled(main={}, leader={})).pages) == 1
