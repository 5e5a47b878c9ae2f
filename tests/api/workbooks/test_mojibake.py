"""Text that a program had misread before it saved it, put right where that is certain."""

import csv
import io

import pytest

from api.workbooks.intake.grids import repair_mojibake
from tests.api.workbooks.files import book_of

NAMES = ["Jörg Müller", "陽菜 山田", "Kateřina Álvarez", "Иван Петров", "김 철수", "สมชาย ใจดี", "محمد العربي", "Max 🎉"]


def saved(text, unnamed=0):
    """A text as a program has it that took its UTF-8 for Windows-1252; bytes without a character are kept as others."""
    misread_bytes = (bytes([byte]).decode("cp1252", "ignore") or chr(unnamed + byte) for byte in text.encode())
    return "".join(misread_bytes)


@pytest.mark.parametrize("unnamed", [0, 0xF100])
@pytest.mark.parametrize("name", NAMES)
def test_names_come_back_letter_for_letter(name, unnamed):
    rows, told = repair_mojibake([[saved("\ufeffPlayer", unnamed), 4], [saved(name, unnamed), "ASCII"]])
    assert rows == [["Player", 4], [name, "ASCII"]]
    assert name in told


@pytest.mark.parametrize(
    "cells",
    [
        NAMES,
        ["Ann Lee", "O'Brien"],
        ["CAFÉ™", "Jörg"],  # the one could be misread, the other cannot
        ["NIÑ–"],  # too little to tell
    ],
)
def test_what_may_be_as_it_should_is_left(cells):
    assert repair_mojibake([cells]) == ([cells], "")


def test_a_table_says_that_it_was_put_right():
    text = io.StringIO()
    rows = [[saved(name), "OP01-016", 1] for name in NAMES]
    csv.writer(text).writerows([["Player", "Number", "Count"], *rows])
    book = book_of(text.getvalue())
    assert [entry.who.name for entry in book.entries] == NAMES
    assert [fault.severity for fault in book.faults if "encoding" in fault.detail] == ["notice"]
