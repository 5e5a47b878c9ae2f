"""Who may do what at an event and who sees which lists, as tables. Pure: `test_rights.py` asks every route."""

from datetime import UTC, date, datetime, timedelta

import pytest

from api.events.rights import Permission, has_permission, sees_any_list, sees_list, sees_roster
from api.events.storage.event_keys import ADMIN, ANYONE, JUDGE, ORGANISER, OWNER, PLAYER, ROLES, Caller, is_same
from api.events.tournament import CUT, JUDGES, PLAYERS, PUBLIC, ROSTERS, STAGES, Tournament, Visibility
from validator.judge import BEST_OF

NOON = datetime(2026, 10, 25, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def permissions(names):
    return {Permission(name) for name in names.split()}


EVERYONES = permissions(
    "show_event find_event print_flyer register_player list_registrations show_registration show_roster download_lists "
    "read_commitments open_lists"
)
OWN = permissions("revise_registration settle_registration withdraw_registration list_revisions export_player_data")
NOT_JUDGES = permissions(
    "change_event copy_event delete_event restore_event withdraw_registration export_player_data import_players "
    "list_imports undo_import renew_links change_expected read_audit list_keys add_key revoke_key"
)
ALL = set(Permission)


@pytest.mark.parametrize(
    ("role", "allowed", "if_deleted"),
    [
        (ANYONE, EVERYONES, set()),
        (PLAYER, EVERYONES, set()),
        (OWNER, EVERYONES | OWN, set()),
        (JUDGE, ALL - NOT_JUDGES, set()),
        (ORGANISER, ALL, {"show_event", "delete_event", "restore_event"}),
        (ADMIN, ALL, {"show_event", "delete_event", "restore_event"}),
    ],
)
def test_each_role_has_its_permissions(role, allowed, if_deleted):
    for is_deleted, wanted in ((False, allowed), (True, if_deleted)):
        assert {one for one in Permission if has_permission(one, Caller(role), is_deleted)} == wanted


# These see every list at every stage.
ALWAYS = {OWNER, ORGANISER, ADMIN}


@pytest.mark.parametrize("in_cut", [False, True])
@pytest.mark.parametrize("caller_in_cut", [False, True])
@pytest.mark.parametrize("consents", [False, True])
@pytest.mark.parametrize("stage", STAGES)
def test_who_sees_a_list(stage, consents, caller_in_cut, in_cut):
    seeing = {role for role in ROLES if sees_list(Caller(role, in_cut=caller_in_cut), stage, in_cut, consents)}
    is_shown = stage == PUBLIC or (stage == CUT and in_cut and caller_in_cut)
    wanted = ALWAYS | ({JUDGE} if stage != "closed" else set())
    assert seeing == (set(ROLES) if consents and is_shown else wanted)


def test_who_sees_any_list():
    for caller, stages in (
        (Caller(), {PUBLIC}),
        (Caller(PLAYER), {PUBLIC}),
        (Caller(PLAYER, in_cut=True), {PUBLIC, CUT}),
        (Caller(JUDGE), {PUBLIC, CUT, JUDGES}),
        (Caller(ORGANISER), set(STAGES)),
    ):
        assert {stage for stage in STAGES if sees_any_list(caller, stage)} == stages


def test_who_sees_the_roster():
    staff = {JUDGE, ORGANISER, ADMIN}
    for roster, seeing in ((JUDGES, staff), (PLAYERS, {*staff, PLAYER, OWNER}), (PUBLIC, set(ROLES))):
        assert {role for role in ROLES if sees_roster(Caller(role), roster)} == seeing
    assert ROSTERS == (JUDGES, PLAYERS, PUBLIC)


def test_lists_are_public_from_their_moment_on():
    held = Visibility(CUT, NOON)
    assert [held.stage(NOON - SECOND), held.stage(NOON), held.stage(NOON + SECOND)] == [CUT, PUBLIC, PUBLIC]
    assert Visibility(CUT).stage(NOON) == CUT


@pytest.mark.parametrize(
    ("visibility", "publishes"),
    [
        (Visibility(), False),
        (Visibility(CUT, None, PLAYERS), False),
        (Visibility(PUBLIC), True),
        (Visibility(roster=PUBLIC), True),
        (Visibility(public_from=NOON), True),
    ],
)
def test_names_are_published_by_public_lists_now_or_later_or_a_public_roster(visibility, publishes):
    assert visibility.publishes_names == publishes


def test_a_player_owns_the_own_registration_only():
    player = Caller(PLAYER, "k1", "r1", in_cut=True)
    assert player.for_registration("r1") == player._replace(role=OWNER)
    assert player.for_registration("r2") == player
    for caller in (Caller(), Caller(PLAYER), Caller(JUDGE, "k2", "r1")):
        assert caller.for_registration(caller.registration_id) == caller
    assert [Caller(JUDGE, "0a").signature, Caller(ADMIN).signature] == ["judge 0a", "admin"]


def test_no_key_is_the_key_of_a_server_without_one():
    assert [is_same("a", "a"), is_same("a", "b"), is_same("", "")] == [True, False, False]


EVENT = Tournament("7f000001" + "0" * 22, "Example", "optcg", date(2026, 10, 25))


@pytest.mark.parametrize(("games", "terms"), [(None, None), (1, 1), (2, BEST_OF[-1]), (3, BEST_OF[-1])])
def test_a_match_of_more_than_one_game_is_judged_as_the_longest(games, terms):
    assert EVENT.with_settings({"best_of": games}).terms.best_of == terms


def test_an_own_limits_list_is_judged_as_a_stored_one():
    assert (EVENT.terms.limits_list, EVENT.terms.is_stored_list) == (None, False)
    own = EVENT.with_settings({"limits_list": "text"}).terms
    assert (own.limits_list, own.is_stored_list) == ("text", True)


@pytest.mark.parametrize(
    ("created", "written"),
    [(None, None), (date(2026, 11, 2), None), (None, date(2026, 11, 2)), (date(2026, 1, 1), date(2026, 1, 2))],
)
def test_data_is_deleted_some_days_after_the_last_of_day_creation_and_write(created, written):
    last = max(EVENT.on, created or EVENT.on, written or EVENT.on)
    held = EVENT.with_settings({"created": created, "written": written, "purge_days": 7})
    assert held.retention_end == last + timedelta(days=7)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("code_words", 3),
        ("unused_until", date(2026, 11, 2)),
        ("check_seed", "7"),
        ("limits_list", "text"),
        ("visibility", Visibility(verdicts=True)),
    ],
)
def test_settings_of_later_versions_are_stored_only_if_they_are_set(setting, value):
    def verdicts(details):
        return "verdicts" in details["visibility"]

    plain, changed = EVENT.details(), EVENT.with_settings({setting: value}).details()
    assert (setting in plain, verdicts(plain)) == (setting == "visibility", False)
    assert (setting in changed, verdicts(changed)) == (True, setting == "visibility")
    assert plain.keys().isdisjoint(("id", "version", "created", "written", "deleted_on"))
    kept = Tournament.from_row(EVENT.id, 1, "2026-11-02T09:00", EVENT.with_settings({setting: value}).details())
    assert getattr(kept, setting) == value


def test_a_row_has_the_days_of_its_columns():
    row = Tournament.from_row(EVENT.id, 2, "2026-10-01T09:00", EVENT.details(), "2026-10-02", "2026-10-03")
    assert (row.created, row.written, row.deleted_on) == tuple(date(2026, 10, day) for day in (1, 2, 3))
    assert (row.is_strangers, row.with_settings({"unused_until": row.on}).is_strangers) == (False, True)
