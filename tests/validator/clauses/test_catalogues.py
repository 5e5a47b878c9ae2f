"""Every text of both catalogues, and of the same cards as other sources spell them, against the labelled list."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from tests.cost import time_limit
from tests.shared import shared_path
from tests.validator.clauses import labels
from validator.cards import Clause
from validator.clauses import keywords, read
from validator.matching import check_match, fold_text

pytestmark = pytest.mark.slow

Texts = Mapping[str, tuple[str, str, str]]
Clauses = Mapping[str, tuple[Clause, ...]]


@pytest.fixture(scope="module")
def dbs_texts() -> Texts:
    with shared_path("data/dbs/catalogue.csv").open(encoding="utf-8", newline="") as file:
        return {row["number"]: (row["type"], row["text"], row["back_text"]) for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def optcg_cards() -> list[dict[str, Any]]:
    return json.loads(shared_path("data/optcg/cards_en_printings.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def optcg_texts(optcg_cards: list[dict[str, Any]]) -> Texts:
    return {card["number"]: _optcg_text(card) for card in optcg_cards if card["id"] == card["number"]}


@pytest.fixture(scope="module")
def dbs_clauses(dbs_texts: Texts) -> Clauses:
    return _read_all("dbs", dbs_texts)


@pytest.fixture(scope="module")
def optcg_clauses(optcg_texts: Texts) -> Clauses:
    return _read_all("optcg", optcg_texts)


def _optcg_text(card: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the card type, the effect and the trigger of a ONE PIECE card."""
    return card["category"].title(), card.get("effect") or "", card.get("trigger") or ""


def _read_all(game: str, texts: Texts) -> dict[str, tuple[Clause, ...]]:
    """Return the clauses of all texts by card number, without the cards that have none."""
    return {number: found for number, faces in texts.items() if (found := read(game, *faces))}


def clauses_as_dicts(clauses: Iterable[Clause]) -> list[dict[str, Any]]:
    """Return clauses in their JSON form without the texts."""
    return [{key: value for key, value in clause.as_dict().items() if key != "text"} for clause in clauses]


def comparable_forms(clauses: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the clauses as texts that ignore order, case, and kinds of quotes and blanks."""
    return {repr(_fold_value(one)) for one in clauses}


def _fold_value(value: Any) -> Any:
    """Return a JSON value with sorted parts and folded texts, for comparisons."""
    if isinstance(value, Mapping):
        return sorted((key, repr(_fold_value(part))) for key, part in value.items())
    if isinstance(value, list):
        return sorted(repr(_fold_value(part)) for part in value)
    return fold_text(value) if isinstance(value, str) else value


def _find_differences(
    clauses: Mapping[str, tuple[Clause, ...]], expected: Mapping[str, list[labels.Label]]
) -> dict[str, Any]:
    """Return the actual and the expected clauses of each number if they differ."""
    numbers = clauses.keys() | expected.keys()
    pairs = {
        number: (clauses_as_dicts(clauses.get(number, ())), expected.get(number, [])) for number in sorted(numbers)
    }
    return {
        number: pair
        for number, pair in pairs.items()
        if comparable_forms(pair[0]) != comparable_forms(pair[1]) or len(pair[0]) != len(pair[1])
    }


def test_dbs_texts_say_what_is_labelled_and_nothing_else(dbs_texts: Texts, dbs_clauses: Clauses) -> None:
    assert len(dbs_texts) == 6478
    assert _find_differences(dbs_clauses, labels.dbs_labels()) == {}


def test_optcg_texts_say_what_is_labelled_and_nothing_else(optcg_texts: Texts, optcg_clauses: Clauses) -> None:
    assert len(optcg_texts) == 2784
    assert _find_differences(optcg_clauses, labels.optcg_labels()) == {}


def test_clauses_of_each_kind(dbs_clauses: Clauses, optcg_clauses: Clauses) -> None:
    def kinds(clauses: Clauses) -> Counter[str]:
        return Counter(clause.kind for found in clauses.values() for clause in found)

    assert kinds(dbs_clauses) == {"keyword": 301, "alias": 104, "forbid": 21, "copies": 13, "pool": 2}
    assert kinds(optcg_clauses) == {"alias": 8, "copies": 3, "forbid": 3, "don_size": 1}


def test_keywords_of_construction(dbs_clauses: Clauses) -> None:
    found = Counter(keyword for clauses in dbs_clauses.values() for keyword in keywords(clauses))
    assert found == {"Super Combo": 196, "Ultimate": 89, "Dragon Ball": 16}


@pytest.mark.parametrize("number", (labels.COLORED_IN_PLAY + labels.PLAY_ALONE).split())
def test_dbs_text_of_play(number: str, dbs_texts: Texts) -> None:
    assert read("dbs", *dbs_texts[number]) == ()


@pytest.mark.parametrize("number", labels.OPTCG_PLAY_ALONE.split())
def test_optcg_text_of_play(number: str, optcg_texts: Texts) -> None:
    assert read("optcg", *optcg_texts[number]) == ()


def test_every_clause_is_well_formed_and_quotes_its_card(
    dbs_texts: Texts, optcg_texts: Texts, dbs_clauses: Clauses, optcg_clauses: Clauses
) -> None:
    for texts, read_from in ((dbs_texts, dbs_clauses), (optcg_texts, optcg_clauses)):
        for number, clauses in read_from.items():
            for clause in clauses:
                assert clause.text in "\n".join(texts[number][1:]), number
                assert Clause.from_dict(clause.as_dict()) == clause
                for match in filter(None, (clause.match, clause.when)):
                    check_match(match)


def test_every_printing_says_what_its_number_says(optcg_cards: list[dict[str, Any]]) -> None:
    expected = labels.optcg_labels()
    for card in optcg_cards:
        assert comparable_forms(clauses_as_dicts(read("optcg", *_optcg_text(card)))) == comparable_forms(
            expected.get(card["number"], [])
        ), card["id"]


def test_optcg_texts_with_html_breaks() -> None:
    expected = labels.optcg_labels()
    files = sorted(shared_path("data/optcg/punk-records-english/data").glob("*.json"))
    cards = [card for file in files for card in json.loads(file.read_text(encoding="utf-8"))]
    assert len(cards) == 4673
    for card in cards:
        found = read("optcg", card["category"], card.get("effect") or "", card.get("trigger") or "")
        assert comparable_forms(clauses_as_dicts(found)) == comparable_forms(
            expected.get(_base_number(card["id"]), [])
        ), card["id"]


def test_dbs_texts_with_pictures_for_keywords(dbs_texts: Texts) -> None:
    expected = labels.dbs_labels()
    seen = 0
    for file in sorted(shared_path("data/dbs/kentan88").glob("*.json")):
        for card in json.loads(file.read_text(encoding="utf-8")):
            number = _base_number(card["number"])
            if number in dbs_texts:
                seen += 1
                found = read("dbs", "", card.get("skills_text") or "", card.get("skills_back_text") or "")
                assert comparable_forms(clauses_as_dicts(found)) == comparable_forms(expected.get(number, [])), card[
                    "number"
                ]
    assert seen > 3500


# One printing has no text in this source, another a note on its size instead.
_WITHOUT_TEXT = {"BT1-111_PR02", "BT6-027_GS"}


def test_dbs_texts_with_faces_and_lines_joined(dbs_texts: Texts) -> None:
    expected = labels.dbs_labels()
    lines = shared_path("data/dbs/tracker/masters_cards.tsv").read_text(encoding="utf-8").splitlines()[1:]
    seen = 0
    for fields in (line.split("\t") for line in lines):
        number = _correct_number(_base_number(fields[0]))
        if len(fields) == 14 and number in dbs_texts and fields[0] not in _WITHOUT_TEXT:
            seen += 1
            assert comparable_forms(clauses_as_dicts(read("dbs", "", fields[13]))) == comparable_forms(
                expected.get(number, [])
            ), fields[0]
    assert seen > 7900


def test_dbs_texts_that_lost_their_brackets_are_read_rightly_or_not_at_all(dbs_texts: Texts) -> None:
    expected = labels.dbs_labels()
    unread = 0
    for name in ("battle", "extra", "leader"):
        with shared_path(f"data/dbs/lthornton1/{name}.csv").open(
            encoding="utf-8", errors="replace", newline=""
        ) as file:
            for row in csv.DictReader(file):
                number = _base_number(row["id"])
                if number not in dbs_texts:
                    continue
                found = clauses_as_dicts(read("dbs", row["type2"], row["fskl"] or "", row.get("bskl") or ""))
                missing = comparable_forms(expected.get(number, [])) - comparable_forms(found)
                assert comparable_forms(found) - comparable_forms(expected.get(number, [])) <= comparable_forms(
                    [{"kind": "unread"}]
                ), row["id"]
                assert ({"kind": "unread"} in found) == bool(missing), row["id"]
                unread += bool(missing)
    assert unread == 41


def _base_number(printing: str) -> str:
    """Return the card number of a printing's number: the part before "_"."""
    return printing.partition("_")[0]


def _correct_number(number: str) -> str:
    """Return a card number of the tracker in the spelling of the catalogue."""
    number = re.sub(r"^EX(\d)-", r"EX0\1-", number)
    return re.sub(r"^XD0(\d)-", r"XD\1-", number)


def test_both_catalogues_are_read_in_three_seconds(dbs_texts: Texts, optcg_texts: Texts) -> None:
    with time_limit(3):
        _read_all("dbs", dbs_texts)
        _read_all("optcg", optcg_texts)
