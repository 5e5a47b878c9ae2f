"""Repairs of real decks that were broken at random, against an integer program."""

import json
from datetime import date
from random import Random

import pytest

from tests.shared import shared_path
from tests.test_real_decks import make_deck
from tests.validator.repair.breaking import break_deck
from tests.validator.repair.program import Program
from validator import Judge, Policy, Terms, rulesets
from validator.repair import repair

pytestmark = pytest.mark.slow

SAMPLE = 30  # of each; 1,000 of each were once tried by hand
SETTINGS = [
    ("optcg-1.1.9", date(2026, 11, 21), "standard", {}),
    ("optcg-1.1.9", date(2026, 11, 21), "extra", {}),
    ("dbs-4.00", date(2025, 2, 1), "standard", {}),
    ("dbs-zenkai", date(2021, 3, 1), "standard", {"release": False}),
    ("dbs-1.073", date(2019, 2, 1), "standard", {"release": False, "side_max": 15}),
]


def well_led(judge):
    """The real decks of a game whose Leader may stay."""
    game = judge.catalogue.game
    written = shared_path(f"decks/{game}_decks.jsonl").read_text("utf-8").splitlines()
    decks = [make_deck(json.loads(line), judge.catalogue) for line in written]
    return [one for one in decks if not any(finding.section == "leader" for finding in judge(one).findings)]


@pytest.mark.parametrize(("ruleset", "day", "format", "policy"), SETTINGS)
def test_no_program_finds_fewer_changes(library, ruleset, day, format, policy):
    edition = rulesets()[ruleset]
    judge = Judge(Terms(edition, day, format=format, policy=Policy(**policy)), library.catalogue(edition.game))
    decks, tried = well_led(judge), 0
    for seed in range(SAMPLE):
        random = Random(seed)
        one = break_deck(random.choice(decks), judge, random)
        verdict, answer = judge(one), repair(judge, one)
        assert (answer.changes == 0) is verdict.legal
        for changes in (*answer.repairs, *(leader.repair for leader in answer.leaders)):
            assert judge(changes.deck).legal
        if not verdict.legal:
            tried += 1
            assert answer.changes == Program(judge, one, verdict.facts.leader).count_fewest()
    assert tried > SAMPLE / 2
