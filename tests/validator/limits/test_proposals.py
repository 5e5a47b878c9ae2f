"""Proposed limits: lines and files are read up to their bounds, and refused beyond them with the place."""

from datetime import date

import pytest

from validator.errors import DocumentError
from validator.limits import proposals
from validator.limits.additions import add_document

DAY = date(2026, 12, 1)
NAMES = {f"OP{set:02}-{card:03}": f"Card {set}-{card}" for set in range(1, 4) for card in range(1, 200)}
CHANGE = '[[change]]\neffective_from = 2026-12-01\nregion = "en"\nsource = "https://example.com/"\n'


def read(text):
    return proposals.parse_lines(text, DAY, "en", NAMES.get)


def error_of(text):
    with pytest.raises(DocumentError) as raised:
        read(text)
    return str(raised.value)


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("OP01-001 banned", {"ban": {"OP01-001": "Card 1-1"}}),
        ("ban op01-001", {"ban": {"OP01-001": "Card 1-1"}}),
        ("OP01-001 0", {"ban": {"OP01-001": "Card 1-1"}}),
        ("OP01-001: max 2", {"restrict": {"OP01-001": {"limit": 2, "name": "Card 1-1"}}}),
        ("OP01-001_P1 = 1", {"restrict": {"OP01-001": {"limit": 1, "name": "Card 1-1"}}}),
        ("OP01-001 free", {"lift": {"OP01-001": "Card 1-1"}}),
        ("OP01-001 4", {"lift": {"OP01-001": "Card 1-1"}}),
        ("OP02-002 + OP01-001", {"ban_pairs": [{"OP01-001": "Card 1-1", "OP02-002": "Card 2-2"}]}),
        ("OP02-002 & OP01-001 free", {"lift_pairs": [{"OP01-001": "Card 1-1", "OP02-002": "Card 2-2"}]}),
    ],
)
def test_lines_make_entries(line, entry):
    change = read(f"# a remark\n\n{line}\n")
    assert {word: change.get(word) for word in entry} == entry
    assert (change["effective_from"], change["region"]) == (DAY, "en")


@pytest.mark.parametrize(
    "line",
    ["OP01-001", "OP01-001 5", "OP01-001 + OP01-001", "OP01-001 + OP01-002 2", "OP09-001 banned", "banned", "a b c"],
)
def test_errors_have_the_number_of_the_wrong_line(line):
    assert error_of(f"OP01-003 banned\n{line}").startswith("Line 2: ")


def test_a_repeated_card_is_an_error():
    assert error_of("OP01-001 banned\nOP01-001 2").startswith("Line 2: OP01-001 ")
    assert error_of("OP01-001 + OP01-002\nOP01-002 + OP01-001").startswith("Line 2: OP01-001 + OP01-002 ")


def test_one_error_names_five_lines():
    lines = "\n".join(f"OP09-00{line} banned" for line in range(1, 7))
    assert [f"Line {line}:" in error_of(lines) for line in range(1, 7)] == [True] * 5 + [False]


@pytest.mark.parametrize("text", ["", "\n# only a remark\n"])
def test_lines_without_an_entry_are_refused(text):
    assert "OP01-001 banned" in error_of(text)


def numbers(count):
    return [f"OP{card // 900:02}-{card % 900 + 1:03}" for card in range(count)]


def restrict_cards(count):
    return CHANGE + "\n".join(f'restrict.{number} = {{limit = 1, name = "A"}}' for number in numbers(count))


def group_cards(count):
    return CHANGE + "\n".join(f'ban_among.low.{number} = "A"' for number in numbers(count))


def write_dots(count):
    return f"{CHANGE}note = '{'.' * count}'\nban.OP01-001 = 'A'"


@pytest.mark.parametrize(("write", "most"), [(restrict_cards, 2000), (group_cards, 200), (write_dots, 64)])
def test_a_file_is_read_up_to_its_bound_and_refused_beyond_it(write, most):
    assert proposals.parse_file(write(most))["change"]
    with pytest.raises(DocumentError, match=str(most)):
        proposals.parse_file(write(most + 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [("[[change]", "the file is no TOML"), (f"a = {'[' * 5000}", "nested too deeply"), ("", "no changes")],
)
def test_a_file_without_readable_changes_is_refused(text, message):
    with pytest.raises(DocumentError, match=message):
        proposals.parse_file(text)


def test_the_tables_of_a_file_are_added_to_those_of_the_list():
    base = {"regions": {"en": "Here"}, "notes": ["first"], "partial": [{"region": "en"}]}
    added = {"regions": {"jp": "There"}, "notes": ["second"], "partial": [{"region": "en"}, {"region": "jp"}]}
    assert add_document(base, added) == {
        "regions": {"en": "Here", "jp": "There"},
        "notes": ["second"],
        "partial": [{"region": "en"}, {"region": "jp"}],
    }


def test_a_file_with_the_mark_of_windows_editors_is_read():
    assert proposals.parse_file(f"\ufeff{CHANGE}ban.OP01-001 = 'A'")["change"]


@pytest.mark.parametrize(
    ("document", "is_read"),
    [("x" * 200, True), ("x" * 201, False), ("", False), (" ", False), ("two\nlines", False), (5, False)],
)
def test_the_name_of_an_own_list_is_a_line_of_at_most_200_characters(document, is_read):
    table = {"effective_from": DAY, "region": "en", "source": "https://example.com/", "ban": {"OP01-001": "A"}}
    own = {"document": document, "change": [table]}
    if is_read:
        name, listed, *_ = proposals.own_list("optcg", None, own)
        assert (name, listed.changes[0].document) == (document, document)
    else:
        with pytest.raises(DocumentError, match="document should be"):
            proposals.own_list("optcg", None, own)


def test_a_list_of_another_game_is_refused():
    with pytest.raises(DocumentError, match="'dbs'"):
        proposals.proposed_list("optcg", None, {"game": "dbs", "change": []})
