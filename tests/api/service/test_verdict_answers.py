"""Verdicts as JSON: `verdict_bytes`, `Verdict.as_dict` and the types of the OpenAPI document have the same entries."""

from datetime import date
from itertools import product
from typing import get_type_hints

import orjson
import pytest

from api.service.answers.verdict_answers import summarise_verdict, verdict_bytes
from api.service.languages import language
from tests.api.service.answer_types import assert_described
from tests.test_catalogs import CARDS, ENTRY, sample
from tests.validator.table import Table, optcg
from validator import Judge, Policy, Terms
from validator.codes import finding_codes
from validator.findings import FindingJSON
from validator.judge import Verdict, VerdictJSON
from validator.language import CODES
from validator.repair import repair
from validator.repair.answer import RepairedJSON
from validator.team import TeamDeck, TeamRule, TeamVerdictJSON, judge_team

TABLE = Table("optcg-1.1.9", optcg("X-40", colors=("Blue",)), best_of=3)
OPEN = Judge(
    Terms("optcg-1.1.9", date(2026, 11, 21), policy=Policy(limits=False), timezone="Asia/Tokyo"), TABLE.catalogue
)
LEGAL = TABLE.deck(leader={"X-LEADER": 1}, main=TABLE.fill_main({}))
SPELLED = TABLE.deck(leader={"X-LEADER": 1}, main=TABLE.fill_main({"x-01": 1, "X-99": 2}))
ILLEGAL = TABLE.deck(main=TABLE.fill_main({"X-01": 5, "X-40": 4}), side={"X-02": 1})
DECKS = {"legal": LEGAL, "spelled": SPELLED, "illegal": ILLEGAL}


def shown(verdict, explain, translate, in_short):
    """What the slow writer makes of a verdict, as JSON."""
    made = verdict.as_dict(explain, translate) | (
        {"summary": summarise_verdict(verdict, translate)} if in_short else {}
    )
    return orjson.loads(orjson.dumps(made))


@pytest.mark.parametrize("judge", [TABLE.judge, OPEN], ids=["best of three", "without limits"])
@pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS)
@pytest.mark.parametrize("code", CODES)
def test_both_writers_make_the_same_of_a_verdict_and_it_is_described(judge, deck, code):
    translate = language(code)
    for explain, in_short in product((False, True), repeat=2):
        verdict = judge(deck)
        written = orjson.loads(verdict_bytes(verdict, explain, translate, in_short))
        assert written == shown(verdict, explain, translate, in_short)
        assert_described(written, VerdictJSON)


@pytest.mark.parametrize("kind", finding_codes().values(), ids=finding_codes())
def test_both_writers_make_the_same_of_every_kind_of_finding(kind):
    # A warning, as of an error a repair is looked for.
    found = [sample(kind, CARDS, severity="warning", **more) for more in ({}, {"limits": ENTRY}, {"keyword": None})]
    verdict = Verdict(TABLE.judge, TABLE.judge(LEGAL).facts, found)
    for code in CODES:
        written = orjson.loads(verdict_bytes(verdict, translate=language(code)))
        assert written == shown(verdict, False, language(code), False)
        assert [one["code"] for one in written["findings"]] == [kind.name] * len(found)
        assert_described(written, VerdictJSON)


def test_every_entry_of_a_verdict_and_of_a_finding_is_written():
    made = [shown(judge(deck), True, language("en"), True) for judge in (TABLE.judge, OPEN) for deck in DECKS.values()]
    made += [shown(Table("optcg-1.1.9").judge(TABLE.deck(main={"Y-01": 50})), True, language("en"), True)]
    found = [sample(finding_codes()["copies.exceeded"], CARDS, limits=ENTRY).as_dict()]
    found += [finding for verdict in made for finding in verdict["findings"]]
    assert set().union(*made) == set(get_type_hints(VerdictJSON))
    assert set().union(*found) == set(get_type_hints(FindingJSON))


def test_a_repair_and_a_team_are_described():
    assert_described(orjson.loads(orjson.dumps(repair(TABLE.judge, ILLEGAL).as_dict())), RepairedJSON)
    team = [TeamDeck(name, TABLE.judge(deck)) for name, deck in DECKS.items()]
    made = judge_team(team, TeamRule(unique_leaders=True)).as_dict(explain=True)
    assert_described(orjson.loads(orjson.dumps(made)), TeamVerdictJSON)
