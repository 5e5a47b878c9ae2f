"""Fixes of real decks: made once by a program, the changes of all findings make a broken deck legal.

`python -m tests.validator.repair.test_real_fixes 2000` tries that many real decks and prints those that stay illegal.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from datetime import date
from functools import cache
from random import Random

import pytest

from carddb import facts
from tests.shared import shared_path
from tests.test_real_decks import make_deck
from tests.validator.repair import breaking
from tests.validator.repair.applying import apply_changes, assert_sentence_says
from validator import Judge, Policy, Terms, rulesets

DECKS = {
    "optcg": "decks/optcg_decks.jsonl",
    "dbs": "decks/dbs_decks.jsonl",
    "gundam": "data/gundam/decks.jsonl",
}
SETTINGS = [
    ("optcg-1.2.1", date(2026, 11, 21), "extra", {}),
    ("dbs-4.00", date(2025, 2, 1), "standard", {}),
    ("dbs-zenkai", date(2021, 3, 1), "standard", {"release": False}),
    ("gundam-1.9.0", date(2026, 11, 21), "standard", {}),
]
SAMPLE = 200


@cache
def legal_decks(setting):
    """Return a Judge of the facts that ship for one of SETTINGS, and the real decks that the Judge finds legal."""
    ruleset, day, format, policy = SETTINGS[setting]
    edition = rulesets()[ruleset]
    judge = Judge(Terms(edition, day, format=format, policy=Policy(**policy)), facts.catalogue(edition.game))
    written = shared_path(DECKS[edition.game]).read_text("utf-8").splitlines()
    decks = [make_deck(json.loads(line), judge.catalogue) for line in written]
    return judge, [one for one in decks if judge(one).legal]


def _leaders(judge):
    return [card.number for card in judge.catalogue if card.type == "Leader"]


def _replace_leader(counts, judge, random):
    if counts.get("leader"):
        counts["leader"] = Counter([random.choice(_leaders(judge))])


def _remove_leader(counts, judge, random):
    counts.pop("leader", None)


def _add_leader(counts, judge, random):
    if counts.get("leader"):
        counts["leader"][random.choice(_leaders(judge))] += 1


def _add_card_to_leader_section(counts, judge, random):
    if counts.get("leader"):
        counts["leader"][random.choice(list(counts["main"]))] += 1


def _move_leader_to_main(counts, judge, random):
    counts["main"].update(counts.pop("leader", {}))


def _replace_leader_by_other_card(counts, judge, random):
    if counts.get("leader"):
        counts["leader"] = Counter([random.choice(list(counts["main"]))])


def _replace_leader_by_unknown_card(counts, judge, random):
    if counts.get("leader"):
        counts["leader"] = Counter(["ZZ99-998"])


WAYS = (
    *breaking.WAYS,
    _replace_leader,
    _remove_leader,
    _add_leader,
    _add_card_to_leader_section,
    _move_leader_to_main,
    _replace_leader_by_other_card,
    _replace_leader_by_unknown_card,
)


def broken_decks(count):
    """Yield `count` broken real decks that are illegal, each with its seed and its Judge."""
    seed = found = 0
    while found < count:
        random = Random(seed)
        judge, decks = legal_decks(seed % len(SETTINGS))
        one = breaking.break_deck(random.choice(decks), judge, random, WAYS, most=5)
        if not judge(one).legal:
            found += 1
            yield seed, judge, one
        seed += 1


def try_fixes(count):
    """Yield the seed of each of `count` broken decks, with the verdicts before and after one round of its fixes."""
    for seed, judge, one in broken_decks(count):
        before = judge(one)
        found = before.as_dict()
        for finding in found["findings"]:
            if finding["severity"] == "error":
                assert_sentence_says(finding)
        yield seed, before, judge(apply_changes(judge, one, found, Random(seed)))


@pytest.mark.slow
def test_most_broken_decks_are_legal_after_one_round_of_their_fixes():
    legal = sum(after.legal for _, _, after in try_fixes(SAMPLE))
    assert legal >= 0.97 * SAMPLE


if __name__ == "__main__":
    total = legal = 0
    for seed, before, after in try_fixes(int(sys.argv[1])):
        total += 1
        legal += after.legal
        if not after.legal:
            print(seed, before.judge.terms.ruleset.id, before.codes, "->", after.codes)
    print(f"{legal} of {total} are legal after one round")
