"""Penalties: what the policy suggests, never decided, and the log in Bandai's order."""

from datetime import UTC, datetime

import pytest

from api.events.judging import penalties
from api.events.judging.penalties import INFRACTIONS, LADDER, Penalty, suggest_penalty
from tests.validator.table import Table, names, optcg

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def make_penalty(infraction, penalty, reason="3 cards short"):
    return Penalty("r1", "First Last", infraction, penalty, reason, "Judge 1", NOON, round="3", table="12")


@pytest.mark.parametrize(
    ("infraction", "penalty"),
    [
        ("list-incomplete", "Warning"),
        ("wrong-count", "Game Loss"),
        ("list-mismatch", "Game Loss"),
        ("illegal-card", "Game Loss"),
        ("marked-cards", "Warning"),
        ("knowingly-illegal", "Disqualification"),
        ("late", "Warning"),
        ("late-5", "Game Loss"),
        ("late-10", "Match Loss"),
    ],
)
def test_the_first_time_the_penalty_is_that_of_the_infraction(infraction, penalty):
    assert suggest_penalty(infraction).penalty == penalty


@pytest.mark.parametrize(
    ("infraction", "earlier", "penalty"),
    [
        ("list-incomplete", ["Warning"], "Game Loss"),
        ("list-incomplete", ["Warning", "Game Loss"], "Match Loss"),
        ("list-incomplete", ["Game Loss"], "Match Loss"),  # a judge had raised it
        ("list-incomplete", ["Caution"], "Warning"),
        ("wrong-count", ["Caution"], "Game Loss"),  # never under what the infraction has
        ("wrong-count", ["Disqualification"], "Disqualification"),
        ("wrong-count", ["Suspension"], "Disqualification"),
    ],
)
def test_a_repeat_goes_up_one_step_and_never_beyond_disqualification(infraction, earlier, penalty):
    assert suggest_penalty(infraction, [make_penalty(infraction, one) for one in earlier]).penalty == penalty


def test_errors_of_a_verdict_are_infractions_and_warnings_are_none():
    table = Table("optcg-1.2.1", optcg("B-1", colors=("Blue",)), optcg("U-1", unknown=("colors",)))
    wrong = table.verdict({"B-1": 2, "U-1": 1, **names("optcg", 46)}, fill=False)
    assert wrong.codes == ["card.facts_unknown", "color.mismatch", "size"]
    found = penalties.find_infractions(wrong, "optcg")
    assert [(one.code, one.infraction) for one in found] == [
        ("color.mismatch", "illegal-card"),
        ("size", "wrong-count"),
    ]
    warned = table.verdict({"U-1": 4})
    assert (warned.codes, penalties.find_infractions(warned, "optcg")) == (["card.facts_unknown"], [])
    assert penalties.find_infractions(None, "optcg") == []


def test_another_infraction_is_no_repeat():
    assert suggest_penalty("list-incomplete", [make_penalty("late", "Warning")]).penalty == "Warning"


def test_marked_cards_may_be_a_game_loss_where_there_is_a_pattern():
    assert (suggest_penalty("marked-cards").penalty, suggest_penalty("marked-cards").most) == ("Warning", "Game Loss")


def test_what_is_more_than_a_warning_goes_through_the_head_judge():
    assert [suggest_penalty(key).needs_head_judge for key in ("late", "late-5")] == [False, True]


def test_a_suggestion_decides_nothing_and_cites_its_source():
    said = suggest_penalty("list-mismatch").as_json()
    assert said["decided"] is False
    assert [rule["section"] for rule in said["rules"]] == ["7.4.2", "7.4.1"]
    assert all("Gundam" in rule["document"] for rule in said["rules"])


@pytest.mark.parametrize("penalty", LADDER)
def test_a_game_is_lost_from_a_game_loss_on(penalty):
    assert penalties.loses_a_game(penalty) == (penalty not in ("Caution", "Warning"))


def test_the_log_line_has_bandais_order():
    one = make_penalty("wrong-count", "Game Loss")
    assert one.line == ("First Last · Deck or list has a wrong number of cards · Game Loss · 3 cards short · Judge 1")
    assert tuple(one.record) == ("player", "infraction", "penalty", "reason", "judge")
    assert one.as_json()["infraction"] == "wrong-count"


def test_what_the_policy_does_not_know_is_refused_by_name():
    with pytest.raises(ValueError, match="Game Loss"):
        make_penalty("late", "Slap")
    with pytest.raises(ValueError, match="late-10"):
        make_penalty("lateness", "Warning")
    with pytest.raises(ValueError, match="late-10"):
        suggest_penalty("lateness")


def test_every_infraction_is_on_the_ladder():
    assert all(one.penalty in LADDER and (one.most or one.penalty) in LADDER for one in INFRACTIONS.values())
    assert len(INFRACTIONS) == 10
    marked = INFRACTIONS["marked-cards"].as_json()
    assert (marked["penalty"], marked["most"], marked["rule"]["section"]) == ("Warning", "Game Loss", "7.4.2")
