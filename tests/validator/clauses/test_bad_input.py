"""Texts that nobody printed: long, broken, hostile. They cost time in proportion to their length and raise nothing."""

from __future__ import annotations

import pytest

from tests.cost import time_limit
from validator.clauses import read

pytestmark = pytest.mark.slow

# One game's reader does what the other's does; the second is given less.
LONG = {"dbs": 100_000, "optcg": 10_000}

HOSTILE = {
    "one endless list": "[Permanent] You can't include " + "red or ",
    "many bars": "[Permanent] You can't include red cards in your deck. ",
    "one endless gain": "《A》, gains in all areas ",
    "parentheses": "(",
    "heads": "[",
    "traits opened": "《 include in your deck",
    "angles": "<include ",
    "quotes": '"include ',
    "tags": "<img alt=",
    "empty attributes": '=""in your deck',
    "stops": "a. in all areas",
    "new skills": ".[a] in your deck",
    "skills": "[Auto] in your deck include",
    "breaks": "&lt;br&gt;include",
    "blanks": " " * 50 + "include",
    "conditions": "if your leader is red and this card in all areas ",
    "commas": "if red, you can't include, ",
    "costs": "You can't include cards with energy costs of 1 or 2 or ",
    "exceptions": "You can't include red cards except for red cards except for ",
    "rules": "under the rules of this game, ",
    "words": "in all areas include deck ",
}


# Sentences just short enough to be read, of words that lead on and on.
LABYRINTHS = {
    "bars": ("", "you can't include red, "),
    "leaders": ("if your leader is red, ", "red, "),
    "gains": ("", "this card gains 《a》 and "),
    "exceptions": ("", "you can only include <a> or <b> cards except for "),
    "negations": ("you can't include ", "non-red, "),
    "cards": ("in all areas, ", "your 《a》, "),
    "elided": ("", "can't include 《a》 and "),
}


@pytest.mark.parametrize("game", LONG)
@pytest.mark.parametrize(("start", "piece"), LABYRINTHS.values(), ids=LABYRINTHS.keys())
def test_long_sentences_take_time_in_proportion(start: str, piece: str, game: str) -> None:
    sentence = (start + piece * ((1180 - len(start)) // len(piece))).rstrip(", ") + ". "
    text = "[Permanent] " + sentence * (LONG[game] // 5 // len(sentence))
    with time_limit(3):
        read(game, "Battle", text)


@pytest.mark.parametrize("game", LONG)
@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_long_text_takes_time_in_proportion(piece: str, game: str) -> None:
    text = piece * (LONG[game] // len(piece))
    with time_limit(5):
        read(game, "Battle", text)


def test_many_different_clauses() -> None:
    text = " ".join(
        f"You can't include cards with energy costs of {cost} or more in your deck." for cost in range(1500)
    )
    with time_limit(5):
        found = read("dbs", "Leader", text)
    assert [clause.match for clause in found] == [{"cost": {"min": cost}} for cost in range(1500)]


def test_sentence_too_long_to_be_one_is_not_understood() -> None:
    text = "You can't include " + "red or " * 500 + "blue cards in your deck."
    (clause,) = read("dbs", "Leader", text)
    assert clause.kind == "unread"
    assert text.startswith(clause.text)
    assert len(clause.text) <= 300


SCRAPS = [
    "",
    " ",
    "\n",
    "(",
    ")",
    "[",
    "]",
    "《",
    "＞",
    '"',
    "・",
    ".",
    "[]",
    "《》",
    "&",
    "<",
    "<br>",
    "\0",
    "|",
    "//",
]


@pytest.mark.parametrize("text", SCRAPS)
def test_scraps_say_nothing(text: str) -> None:
    assert read("dbs", "Battle", text, text) == read("optcg", "Event", text, text) == ()


@pytest.mark.parametrize("number", ["9" * 400, "-1", "1.5", "½", "Ⅳ"])
def test_odd_numbers(number: str) -> None:
    for sentence in (
        f"You can include up to {number} copies of this card in your deck.",
        f"You can't include cards with energy costs of {number} or more in your deck.",
    ):
        (clause,) = read("dbs", "Leader", sentence)
        assert clause.kind == "unread", clause
