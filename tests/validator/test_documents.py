"""Documents: keys, kinds of values, words, numbers and sources of data files, and the notes on provisional data."""

from datetime import date, datetime

import pytest

from validator import documents
from validator.bounds import LONGEST_SHOWN_VALUE
from validator.errors import DocumentError, error_text
from validator.language import phrase

NEEDED, OPTIONAL = {"from": date, "ban": list}, {"note": str, "limit": int, "known": bool, "pool": dict}
TABLE = {"from": date(2026, 4, 1), "ban": []}


def refusal(function, *args):
    """Return the error text of a refused value, None if the value is accepted."""
    try:
        function(*args)
    except DocumentError as error:
        return str(error_text(error))
    return None


@pytest.mark.parametrize(
    ("table", "named"),
    [
        (TABLE, None),
        ({**TABLE, "note": "n", "limit": 0, "known": False, "pool": {}}, None),
        ({**TABLE, "bans": []}, "bans"),
        ({"ban": []}, "from"),
        ({**TABLE, "from": "2026-04-01"}, "from"),
        ({**TABLE, "from": datetime(2026, 4, 1)}, "from"),
        ({**TABLE, "ban": "OP01-016"}, "ban"),
        ({**TABLE, "limit": True}, "limit"),
        ({**TABLE, "limit": 1.0}, "limit"),
        ({**TABLE, "known": 1}, "known"),
        ({**TABLE, "note": ""}, "note"),
        ([], "[]"),
    ],
)
def test_a_table_has_its_keys_with_values_of_their_kinds(table, named):
    text = refusal(documents.check_keys, table, "change 1", NEEDED, OPTIONAL)
    assert (text is None) is (named is None)
    if text is not None:
        assert text.startswith("change 1")
        assert named in text


def test_a_table_without_optional_keys_has_no_others():
    assert refusal(documents.check_keys, TABLE, "change 1", NEEDED) is None
    assert "note" in refusal(documents.check_keys, {**TABLE, "note": "n"}, "change 1", NEEDED)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (True, "true"),
        (date(2026, 4, 1), "2026-04-01"),
        ("x" * (LONGEST_SHOWN_VALUE - 2), f"'{'x' * (LONGEST_SHOWN_VALUE - 2)}'"),
        ("x" * (LONGEST_SHOWN_VALUE - 1), f"'{'x' * (LONGEST_SHOWN_VALUE - 1)}…"),
    ],
)
def test_errors_quote_a_wrong_value_as_in_the_file(value, shown):
    assert f"change 1, ban, 3: {shown} should be" in refusal(documents.check_kind, value, "change 1", int, "ban", "3")


@pytest.mark.parametrize(
    ("check", "value", "is_accepted"),
    [
        (documents.check_titles, {"en": "English"}, True),
        (documents.check_titles, {}, False),
        (documents.check_titles, {"en": 1}, False),
        (documents.check_number, "OP01-016", True),
        (documents.check_number, "P-001", True),
        (documents.check_number, "BT1-05", True),
        (documents.check_number, "OP01-016_p1", False),
        (documents.check_number, "OP001-016", False),
        (documents.check_number, "OP01-0160", False),
        (documents.check_number, "ABCDE1-016", False),
        (documents.check_number, "op01-016", False),
        (documents.check_number, "BT1-5", False),
        (documents.check_source, "https://a.example", True),
        (documents.check_source, "http://a.example", False),
    ],
)
def test_titles_numbers_and_sources(check, value, is_accepted):
    text = refusal(check, value, "change 1")
    assert (text is None) is is_accepted
    assert is_accepted or text.startswith("change 1")


def test_words_are_known_ones():
    assert refusal(documents.check_word, "high", "set 1", documents.CONFIDENCES, "confidence") is None
    text = refusal(documents.check_word, "sure", "set 1", documents.CONFIDENCES, "confidence")
    assert text.startswith("set 1, confidence")
    assert [word in text for word in ("sure", *documents.CONFIDENCES)] == [True] * 4


def test_texts_are_a_list_of_texts():
    assert documents.check_texts(["a", "b"], "set 1", "ids") == ("a", "b")
    assert documents.check_texts([], "set 1") == ()
    assert refusal(documents.check_texts, ["a", 1], "set 1", "ids").startswith("set 1, ids")


def test_a_document_is_of_the_game_of_its_file(tmp_path):
    file = tmp_path / "optcg.toml"
    file.write_text('game = "optcg"\n')
    assert documents.load_game_document(file, "optcg", lambda document: document) == {"game": "optcg"}
    with pytest.raises(DocumentError, match=r"optcg\.toml.*dbs"):
        documents.load_game_document(file, "dbs", lambda document: document)
    assert documents.load_game_document(file, "OPTCG", lambda document: document) is None
    assert documents.load_game_document(file, "../optcg", lambda document: document) is None
    assert documents.load_game_document(tmp_path / "dbs.toml", "dbs", lambda document: document) is None


@pytest.mark.parametrize("text", ["a = 1\na = 2", "a = ", f"a = {'[' * 5000}{']' * 5000}"])
def test_a_text_that_is_no_toml_is_refused_by_its_file(text):
    with pytest.raises(DocumentError, match=r"own\.toml"):
        documents.parse_toml("own.toml", text)


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"reason": "Second-hand."},
        {"missing": []},
        {"reason": "", "missing": []},
        {"reason": "Second-hand.", "missing": [1]},
        {"reason": "Second-hand.", "missing": [], "note": "n"},
        "Second-hand.",
    ],
)
def test_a_note_on_provisional_data_has_a_reason_and_missing_documents(table):
    with pytest.raises(DocumentError, match="provisional"):
        documents.parse_provisional({"provisional": table}, "file")


def test_a_note_on_provisional_data_names_its_documents():
    assert documents.parse_provisional({}, "file") is None
    note = documents.parse_provisional({"provisional": {"reason": "Second-hand.", "missing": ["A", "B"]}}, "file")
    assert note.as_dict() == {"reason": "Second-hand.", "missing": ["A", "B"]}
    assert note.describe().endswith("A; B.")


def test_the_text_of_an_error_can_be_translated_if_its_message_can():
    message = phrase("the count is {count}", count=4)
    assert error_text(ValueError(message)) is message
    assert (error_text(ValueError("no cards")), error_text(ValueError())) == ("no cards", "")
