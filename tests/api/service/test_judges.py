"""The judges: terms with the defaults of game and day, judges that are kept, lists whose game is told."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from api.service.errors import Invalid
from api.service.judges import Judges
from api.service.requests import RequestedTerms
from carddb.library import Library
from tests.api.conftest import EXAMPLE_DECKS, EXAMPLES
from validator import Policy, decklists, rulesets
from validator.calendar import Calendar

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
DAY = NOON.date()


@pytest.fixture
def judges(tmp_path):
    return Judges(Library(f"sqlite:///{tmp_path}/none.db"), lambda: NOON)


def test_what_is_left_open_is_the_standard_of_the_game_today(judges):
    found = judges.judge(RequestedTerms(game="optcg")).terms
    assert (found.ruleset.id, found.on, found.region, found.format) == ("optcg-1.2.1", DAY, "en", "standard")
    assert found.policy == Policy()


def test_the_same_terms_are_the_same_judge(judges):
    judge = judges.judge(RequestedTerms(game="optcg"))
    assert judges.judge(RequestedTerms(game="optcg")) is judge
    assert judges.judge(RequestedTerms(game="optcg", on=DAY)).terms == judge.terms
    assert judges.judge(RequestedTerms(game="optcg", format="extra")) is not judge
    assert judges.judge(RequestedTerms(game="optcg", policy=Policy(limits=False))) is not judge


def test_another_day_is_another_judge(tmp_path):
    moments = iter([NOON, NOON + timedelta(days=1)])
    judges = Judges(Library(f"sqlite:///{tmp_path}/none.db"), lambda: next(moments))
    assert [judges.judge(RequestedTerms(game="optcg")).terms.on for _ in range(2)] == [DAY, date(2026, 11, 2)]


def test_a_new_snapshot_is_judged_by_from_then_on(tmp_path):
    library = Library(
        f"sqlite:///{tmp_path}/cards.db", clock=iter(range(0, 1000, 10)).__next__, beside=lambda look: look()
    )
    judges = Judges(library, lambda: NOON)
    before = judges.judge(RequestedTerms(game="optcg")).catalogue
    kept = library.store().import_cards("optcg", list(before)[:10], "a test")
    after = judges.judge(RequestedTerms(game="optcg")).catalogue
    assert (before.snapshot, after.snapshot, len(after)) == ("optcg-facts-2026-08-21", kept.id, 10)


@pytest.mark.parametrize("example", [*EXAMPLES.glob("optcg-*.txt"), *EXAMPLES.glob("dbs-*.txt")], ids=str)
def test_a_list_whose_numbers_tell_its_game_is_read_once(judges, example, monkeypatch):
    readings, parse = [], decklists.parse
    monkeypatch.setattr(decklists, "parse", lambda *asked: readings.append(asked) or parse(*asked))
    parsed = judges.read_deck(example.read_bytes())
    assert len(readings) == 1
    assert parsed == judges.read_deck(example.read_bytes(), parsed.game)


@pytest.mark.parametrize("id", list(rulesets()))
def test_every_ruleset_can_be_asked_for_by_its_id(judges, id):
    for format in rulesets()[id].formats:
        assert judges.judge(RequestedTerms(ruleset=id, format=format)).terms.ruleset.id == id


@pytest.mark.parametrize(
    ("asked", "pointer"),
    [
        (RequestedTerms(game="chess"), "/game"),
        (RequestedTerms(game=""), "/game"),
        (RequestedTerms(ruleset="optcg-9"), "/ruleset"),
        (RequestedTerms(ruleset="optcg-1.1.9", game="dbs"), "/game"),
        (RequestedTerms(game="optcg", region="moon"), "/region"),
        (RequestedTerms(game="dbs", format="extra"), "/format"),
    ],
)
def test_terms_that_do_not_exist_or_fit_are_pointed_at(judges, asked, pointer):
    with pytest.raises(Invalid) as refused:
        judges.terms(asked._replace(on=DAY))
    assert [error.pointer for error in refused.value.errors] == [pointer]


@pytest.mark.parametrize("example", EXAMPLE_DECKS, ids=lambda path: path.name)
def test_the_game_of_a_list_is_told_from_its_cards(judges, example):
    assert judges.read_deck(example.read_bytes()).game == example.name.partition("-")[0]


@pytest.mark.parametrize("text", ["", "4 Somebody Nobody Knows", "4 P-001"])
def test_cards_that_several_games_or_none_may_have_tell_nothing(judges, text):
    assert judges.read_deck(text).game is None


def test_a_list_of_which_no_line_is_understood_is_of_the_game_of_its_numbers(judges):
    parsed = judges.read_deck("3/4 OP01-016 Nami\n? OP01-017 Nico Robin")
    assert parsed.game == "optcg"
    assert [line.at for line in parsed.deck.unread] == [1, 2]


def test_the_judge_of_a_calendar_is_that_of_its_last_change_and_is_kept(judges):
    calendar = Calendar("optcg")
    judge = judges.judge_of_day(calendar, DAY)
    assert judge.terms.on == calendar.since(DAY) < DAY
    assert judges.judge_of_day(calendar, judge.terms.on) is judge
    # Releases are asked of the cards: whatever an event says of them, the Judge is the same.
    assert judges.judge_of_day(Calendar("optcg", policy=Policy(release_delay_days=7)), DAY) is judge
    assert judges.judge_of_day(Calendar("optcg", format="extra"), DAY) is not judge
