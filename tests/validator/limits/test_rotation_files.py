"""Files of rotations: what is taken and what is refused, each at its bound."""

import tomllib
from datetime import date, timedelta
from pathlib import Path

import pytest

import validator.limits
from validator.errors import DocumentError
from validator.limits import rotations, shipped_lists

FILE = next(Path(validator.limits.__file__).parent.glob("optcg-rotation*.toml"))


def parse_changed(**changes):
    """Return the rotation of the file that ships, with these keys replaced."""
    return rotations.parse(tomllib.loads(FILE.read_text("utf-8")) | changes, shipped_lists("optcg").sets)


def test_a_rotation_may_be_announced_on_its_first_day_and_no_later():
    first = parse_changed().first_day
    assert parse_changed(announced=first).announced == first
    with pytest.raises(DocumentError, match="announced"):
        parse_changed(announced=first + timedelta(1))


@pytest.mark.parametrize(
    ("blocks", "is_taken"),
    [
        ([1], True),
        ([2, 3, 4, 5], True),
        ([0, 1], False),
        ([2, 4], False),
        ([3, 2], False),
        ([], False),
        ([2, 2], False),
    ],
)
def test_blocks_follow_each_other_from_one_on(blocks, is_taken):
    if is_taken:
        assert parse_changed(blocks=blocks, exceptions=[]).blocks == tuple(blocks)
    else:
        with pytest.raises(DocumentError, match="blocks"):
            parse_changed(blocks=blocks, exceptions=[])


@pytest.mark.parametrize(("block", "last"), [("1", "2026-03-31"), ("2", "2027-03-31"), ("X", None)])
def test_a_block_is_legal_to_the_day_before_it_leaves(block, last):
    rotation = parse_changed()
    assert rotation.last_day(block) == (date.fromisoformat(last) if last else None)


def test_the_days_of_a_rotation_end_with_the_day_that_is_asked_for():
    rotation, first = parse_changed(exceptions=[]), parse_changed().first_day
    next_year = first.replace(year=first.year + 1)
    assert rotation.dates(first - timedelta(1)) == ()
    assert rotation.dates(first) == rotation.dates(next_year - timedelta(1)) == (first,)
    assert rotation.dates(next_year) == (first, next_year)


def test_the_days_of_a_rotation_have_the_first_and_the_day_after_the_last_of_each_exception():
    first, *_ = tomllib.loads(FILE.read_text("utf-8"))["exceptions"]
    rotation = parse_changed(exceptions=[first | {"legal_from": date(2026, 5, 1), "legal_to": date(2026, 6, 30)}])
    assert rotation.dates(date(2026, 12, 31)) == (date(2026, 4, 1), date(2026, 5, 1), date(2026, 7, 1))


def test_an_entry_holds_for_the_year_of_its_rotation():
    entry = parse_changed().entry(date(2027, 3, 31))
    assert (entry.effective_from, entry.effective_to) == ("2026-04-01", "2027-03-31")
    assert parse_changed().entry(date(2027, 4, 1)).effective_from == "2027-04-01"
    with pytest.raises(ValueError, match="2026-04-01"):
        parse_changed().entry(date(2026, 3, 31))
