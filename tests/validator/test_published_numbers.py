"""Numbers and days that are published: release days of Gundam cards, and what a rule says beside what it does."""

import csv
import re
from dataclasses import asdict
from functools import cache

from tests.shared import shared_path
from tests.validator.test_citations import FILES, find_passages, read_document
from validator import rulesets
from validator.limits import shipped_lists

BETA = "2024-12-07"  # a card that was in the Edition Beta is out since then
WORDS = dict(zip(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), range(2, 11), strict=True))
GUNDAM_DAYS = {
    "ST01": "2025-07-11",
    "ST02": "2025-07-11",
    "ST03": "2025-07-11",
    "ST04": "2025-07-11",
    "GD01": "2025-07-25",
    "PB01": "2025-08-20",
    "ST05": "2025-09-26",
    "PB02": "2025-10-10",
    "GD02": "2025-10-24",
    "ST06": "2025-10-24",
    "ST07": "2026-01-16",
    "ST08": "2026-01-16",
    "GD03": "2026-01-30",
    "ST09": "2026-03-27",
    "GD04": "2026-04-24",
    "EB01": "2026-06-26",
    "ST10": "2026-06-26",
    "GD05": "2026-07-24",
    "SC01": "2026-07-24",
    "ST11": "2026-09-25",
    "ST12": "2026-09-25",
    "ST13": "2026-09-25",
    "ST14": "2026-09-25",
}


def first_days():
    return {code: one.released["en"].day for code, one in shipped_lists("gundam").sets.by_code.items()}


def test_gundam_products_are_out_since_their_published_days():
    assert first_days() == GUNDAM_DAYS


def test_gundam_products_are_out_since_the_first_days_of_their_cards():
    with shared_path("data/gundam/cards.csv").open(encoding="utf-8", newline="") as file:
        cards = [row for row in csv.DictReader(file) if row["released"] > BETA]
    days = first_days()
    found = {}
    for row in cards:
        if row["product"].endswith(f"[{row['set']}]"):
            found.setdefault(row["set"], set()).add(row["released"])
    assert {code: {days[code]} for code in found} == found
    assert len(found) >= 15


def statements():
    """Yield every statement of every edition: the edition's id, what it says, where, and the numbers of its data."""
    for name, edition in rulesets().items():
        for rule in (*edition.rules.values(), *edition.with_side_deck.values()):
            yield name, rule.says, rule.cite, integers(rule.parameters())
        for _, fact in edition.opening.facts():
            data = integers(asdict(fact))
            if getattr(fact, "whole", False):
                data.add(edition.opening.hand.cards)
            yield name, fact.says, fact.cite, data


def integers(data):
    return {value for value in data.values() if type(value) is int}


def numbers(words):
    """Return the numbers of a text, but for days, sections, and 0 and 1, for which there are many words."""
    words = re.sub(r"[A-Z][a-z]+ \d+, \d{4}|\d+([.-]\d+)+", "", words)
    found = {int(one) for one in re.findall(r"\d+", words)}
    found |= {WORDS[one] for one in re.findall(r"[a-z]+", words.lower()) if one in WORDS}
    return found - {0, 1}


def test_a_rule_says_the_numbers_that_it_goes_by():
    found = list(statements())
    assert len(found) > 300
    assert [(name, says) for name, says, _, data in found if numbers(says) != data - {0, 1}] == []


def test_the_numbers_that_a_rule_says_are_in_the_passage_that_it_cites():
    called = {ruleset.document: name for name, ruleset in rulesets().items()}
    said = {
        (says, called.get(cite.document, cite.document), cite.section)
        for _, says, cite, _ in statements()
        if numbers(says) and not says.startswith("[Permanent] skills of cards")  # those are printed on the cards
    }
    looked_up = [(says, document, section) for says, document, section in said if document in FILES]
    assert len(looked_up) > 60
    for says, document, section in looked_up:
        assert any(numbers(says) <= there for there in printed_numbers(document, section)), (says, document, section)


@cache
def printed_numbers(document, section):
    """Return the numbers of each passage that a section may mean."""
    return [numbers(passage) for passage in find_passages(read_document(FILES[document]), section)]
