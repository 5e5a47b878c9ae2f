"""Check records: the time of a penalty, the penalties before it, and what is suggested. Pure, without a database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from api.events.judging.check_desk import check_notes
from api.events.judging.deck_checks import CheckNotes, CheckRecord
from api.service.errors import Invalid
from tests.api.workbooks.files import deck, judge
from validator.deck import Deck

NOON = datetime(2026, 10, 25, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
LATE = {"infraction": "late", "penalty": "Warning"}


def record(id="c1", registration="r1", created=NOON, registered=None, box=None, **notes):
    return CheckRecord(id, 1, registration, "Nami Cat", 1, created, registered, box, CheckNotes(**notes))


def test_a_penalty_has_the_time_at_which_it_was_given():
    assert record(given=NOON + 5 * MINUTE, **LATE).penalty.at == NOON + 5 * MINUTE
    assert record(**LATE).penalty.at == NOON


@pytest.mark.parametrize("notes", [{}, {"penalty": "Warning"}, {"infraction": "late"}])
def test_a_penalty_needs_an_infraction(notes):
    assert record(given=NOON, **notes).penalty is None


def test_the_penalties_before_a_check_are_those_of_its_player_that_were_given_earlier():
    first = record("c3", given=NOON + MINUTE, **LATE)
    second = record("c2", given=NOON + 2 * MINUTE, **LATE)
    other = record("c1", "r2", given=NOON, **LATE)
    open_check = record("c0")
    all_records = [second, open_check, other, first]
    assert first.earlier(all_records) == []
    assert second.earlier(all_records) == [first.penalty]
    assert open_check.earlier(all_records) == [first.penalty, second.penalty]
    assert other.earlier(all_records) == []


def test_of_two_penalties_of_one_moment_the_older_check_is_earlier_then_the_smaller_id():
    given = NOON + 9 * MINUTE
    old, new = record("c9", given=given, **LATE), record("c1", created=NOON + MINUTE, given=given, **LATE)
    assert (old.earlier([old, new]), new.earlier([old, new])) == ([], [old.penalty])
    one, two = record("c1", given=given, **LATE), record("c2", given=given, **LATE)
    assert (one.earlier([one, two]), two.earlier([one, two])) == ([], [one.penalty])


def test_a_repeat_of_an_infraction_is_suggested_one_step_higher():
    first, again = record("c1", given=NOON, **LATE), record("c2", infraction="late")
    assert again.suggest_penalty(None, again.earlier([first, again])).penalty == "Game Loss"
    assert again.suggest_penalty(None, []).penalty == "Warning"
    assert record().suggest_penalty(None, []) is None


def test_a_box_that_differs_is_a_mismatch_unless_the_judge_says_otherwise():
    written = deck()
    swapped = Deck(leader=written.leader, main=written.main[1:], side=written.main[:1], unread=())
    short = Deck(leader=written.leader, main=written.main[1:], unread=())
    for box, between_games, infraction in [
        (written, False, None),
        (swapped, False, "list-mismatch"),
        (swapped, True, None),
        (short, True, "list-mismatch"),
    ]:
        one = record(registered=written, box=box, between_games=between_games)
        suggested = one.suggest_penalty(one.difference(judge()), [])
        assert (suggested and suggested.infraction) == infraction, (box is swapped, between_games)
        assert one.agrees(one.difference(judge())) == (infraction is None)
    one = record(registered=written, box=short, infraction="marked-cards")
    assert one.suggest_penalty(one.difference(judge()), []).infraction == "marked-cards"


def test_nothing_differs_without_a_list_or_a_box():
    assert record(registered=deck()).difference(judge()) is None
    assert record(box=deck()).difference(judge()) is None
    assert record().verdict(judge()) is None


def test_a_check_that_was_drawn_counts_from_its_draw():
    assert record().check(judge()).clock.started == NOON
    assert record(started=NOON + MINUTE).check(judge()).clock.started == NOON + MINUTE


def test_notes_are_read_as_they_were_kept():
    notes = CheckNotes("A judge", "12", "3", NOON, NOON + MINUTE, "ok", given=NOON, looked_at=("main",))
    assert CheckNotes.from_json(notes.details()) == notes
    assert CheckNotes.from_json(CheckNotes().details()) == CheckNotes()


def test_the_time_of_a_penalty_is_kept_until_the_penalty_is_taken_back():
    given = check_notes(CheckNotes(**LATE), NOON)
    assert given.given == NOON
    assert check_notes(given, NOON + MINUTE).given == NOON
    assert check_notes(given._replace(penalty=""), NOON + MINUTE).given is None


@pytest.mark.parametrize(
    ("notes", "pointer"),
    [
        ({"penalty": "Warning"}, "/infraction"),
        ({"started": NOON, "ended": NOON - timedelta(microseconds=1)}, "/ended"),
    ],
)
def test_notes_that_do_not_go_together_are_refused(notes, pointer):
    with pytest.raises(Invalid) as refused:
        check_notes(CheckNotes(**notes), NOON)
    assert [one.pointer for one in refused.value.errors] == [pointer]
    assert check_notes(CheckNotes(started=NOON, ended=NOON), NOON).given is None
