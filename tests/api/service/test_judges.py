"""The judges: terms with the defaults of game and day, judges that are kept, lists whose game is told."""

from __future__ import annotations

from datetime import date

import pytest

from api.service.errors import Invalid
from api.service.judges import Judges
from api.service.judges import terms
from api.service.requests import Asked
from carddb.library import Library
from tests.api.conftest import EXAMPLES
from validator import Policy
from validator import rulesets

DAY = date(2026, 11, 1)


@pytest.fixture
def judges(tmp_path):
    return Judges(Library(f"sqlite:///{tmp_path}/none.db"), lambda: DAY)


def test_what_is_left_open_is_the_standard_of_the_game_today(judges):
    found = judges.judge(Asked(game="optcg")).terms
    assert (found.ruleset.id, found.on, found.region, found.format) == ("optcg-1.2.1", DAY, "en", "standard")
    assert found.policy == Policy()


def test_the_same_terms_are_the_same_judge(judges):
    judge = judges.judge(Asked(game="optcg"))
    assert judges.judge(Asked(game="optcg")) is judge
    assert judges.judge(Asked(game="optcg", on=DAY)) is judge
    assert judges.judge(Asked(game="optcg", format="extra")) is not judge
    assert judges.judge(Asked(game="optcg", policy=Policy(limits=False))) is not judge


def test_another_day_is_another_judge(tmp_path):
    days = iter([DAY, date(2026, 11, 2)])
    judges = Judges(Library(f"sqlite:///{tmp_path}/none.db"), lambda: next(days))
    assert [judges.judge(Asked(game="optcg")).terms.on for _ in range(2)] == [DAY, date(2026, 11, 2)]


def test_a_new_snapshot_is_judged_by_from_then_on(tmp_path):
    library = Library(
        f"sqlite:///{tmp_path}/cards.db", clock=iter(range(0, 1000, 10)).__next__, beside=lambda look: look()
    )
    judges = Judges(library, lambda: DAY)
    before = judges.judge(Asked(game="optcg")).catalogue
    kept = library.store().import_cards("optcg", list(before)[:10], "a test")
    after = judges.judge(Asked(game="optcg")).catalogue
    assert (before.snapshot, after.snapshot, len(after)) == ("optcg-starter", kept.id, 10)


@pytest.mark.parametrize("id", list(rulesets()))
def test_every_ruleset_can_be_asked_for_by_its_id(judges, id):
    for format in rulesets()[id].formats:
        assert judges.judge(Asked(ruleset=id, format=format)).terms.ruleset.id == id


@pytest.mark.parametrize(
    ("asked", "pointer"),
    [
        (Asked(game="chess"), "/game"),
        (Asked(game=""), "/game"),
        (Asked(ruleset="optcg-9"), "/ruleset"),
        (Asked(ruleset="optcg-1.1.9", game="dbs"), "/game"),
        (Asked(game="optcg", region="moon"), "/region"),
        (Asked(game="dbs", format="extra"), "/format"),
    ],
)
def test_terms_that_do_not_exist_or_fit_are_pointed_at(asked, pointer):
    with pytest.raises(Invalid) as refused:
        terms(asked._replace(on=DAY))
    assert [error.pointer for error in refused.value.errors] == [pointer]


@pytest.mark.parametrize("example", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_the_game_of_a_list_is_told_from_its_cards(judges, example):
    assert judges.read(example.read_bytes()).game == example.name.partition("-")[0]


@pytest.mark.parametrize("text", ["", "4 Somebody Nobody Knows", "4 P-001"])
def test_cards_that_several_games_or_none_may_have_tell_nothing(judges, text):
    assert judges.read(text).game is None
