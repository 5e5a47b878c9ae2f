"""Permissions as a pure table: what each role may do, which lists each role sees, and at which stage."""

from __future__ import annotations

import pytest

from api.events.rights import RIGHTS, Permission, has_permission, sees_any_list, sees_list, sees_roster
from api.events.storage.event_keys import ROLES, Caller

ALL = set(Permission)
OF_ANYONE = {
    Permission.SHOW_EVENT,
    Permission.FIND_EVENT,
    Permission.PRINT_FLYER,
    Permission.REGISTER_PLAYER,
    Permission.LIST_REGISTRATIONS,
    Permission.SHOW_REGISTRATION,
    Permission.SHOW_ROSTER,
    Permission.DOWNLOAD_LISTS,
    Permission.READ_COMMITMENTS,
    Permission.OPEN_LISTS,
}
OF_OWNER = OF_ANYONE | {
    Permission.REVISE_REGISTRATION,
    Permission.SETTLE_REGISTRATION,
    Permission.WITHDRAW_REGISTRATION,
    Permission.LIST_REVISIONS,
    Permission.EXPORT_PLAYER_DATA,
}
NOT_OF_JUDGE = {
    Permission.CHANGE_EVENT,
    Permission.COPY_EVENT,
    Permission.DELETE_EVENT,
    Permission.RESTORE_EVENT,
    Permission.WITHDRAW_REGISTRATION,
    Permission.EXPORT_PLAYER_DATA,
    Permission.IMPORT_PLAYERS,
    Permission.LIST_IMPORTS,
    Permission.UNDO_IMPORT,
    Permission.RENEW_LINKS,
    Permission.CHANGE_EXPECTED,
    Permission.READ_AUDIT,
    Permission.LIST_KEYS,
    Permission.ADD_KEY,
    Permission.REVOKE_KEY,
}
BY_ROLE = {
    "anyone": OF_ANYONE,
    "player": OF_ANYONE,
    "owner": OF_OWNER,
    "judge": ALL - NOT_OF_JUDGE,
    "organiser": ALL,
    "admin": ALL,
}
OF_DELETED = {Permission.SHOW_EVENT, Permission.DELETE_EVENT, Permission.RESTORE_EVENT}


def permissions(role, **more):
    return {permission for permission in Permission if has_permission(permission, Caller(role), **more)}


def test_every_permission_and_every_role_is_in_the_table():
    assert RIGHTS.keys() == ALL
    assert BY_ROLE.keys() == set(ROLES)


@pytest.mark.parametrize("role", ROLES)
def test_what_a_role_may_do(role):
    assert permissions(role) == BY_ROLE[role]


@pytest.mark.parametrize("role", ROLES)
def test_a_deleted_event_is_only_for_those_who_may_restore_it(role):
    assert permissions(role, is_deleted=True) == (OF_DELETED if role in ("organiser", "admin") else set())


def test_an_unknown_role_or_permission_is_refused():
    assert permissions("somebody") == set()
    assert not has_permission("no_such_permission", Caller("admin"))


@pytest.mark.parametrize(
    ("registration", "asked", "role"),
    [("r1", "r1", "owner"), ("r1", "r2", "player"), ("r1", "", "player"), ("", "", "player")],
)
def test_a_player_owns_only_their_own_registration(registration, asked, role):
    assert Caller("player", "k", registration).for_registration(asked).role == role


@pytest.mark.parametrize("role", ["anyone", "judge", "organiser", "admin"])
def test_only_players_own_a_registration(role):
    assert Caller(role, "k", "r1").for_registration("r1").role == role


# The stages at which a role sees the list of a player who consents: in the top cut, and not in the top cut.
STAGES = ("closed", "judges", "cut", "public")
SEEN = {
    Caller("anyone"): ({"public"}, {"public"}),
    Caller("player"): ({"public"}, {"public"}),
    Caller("player", in_cut=True): ({"cut", "public"}, {"public"}),
    Caller("judge"): ({"judges", "cut", "public"}, {"judges", "cut", "public"}),
    Caller("owner"): (set(STAGES), set(STAGES)),
    Caller("organiser"): (set(STAGES), set(STAGES)),
    Caller("admin"): (set(STAGES), set(STAGES)),
}


@pytest.mark.parametrize("caller", SEEN, ids=lambda caller: f"{caller.role} {caller.in_cut}")
def test_the_stages_at_which_a_list_is_seen(caller):
    in_cut, other = SEEN[caller]
    assert {stage for stage in STAGES if sees_list(caller, stage, True, True)} == in_cut
    assert {stage for stage in STAGES if sees_list(caller, stage, False, True)} == other
    assert {stage for stage in STAGES if sees_any_list(caller, stage)} == in_cut | other


@pytest.mark.parametrize("caller", SEEN, ids=lambda caller: f"{caller.role} {caller.in_cut}")
def test_without_consent_only_staff_and_the_player_see_a_list(caller):
    seen = {stage for stage in STAGES if sees_list(caller, stage, True, False)}
    assert seen == (SEEN[caller][0] if caller.role in ("judge", "owner", "organiser", "admin") else set())


@pytest.mark.parametrize(
    ("roster", "roles"),
    [
        ("public", set(ROLES)),
        ("players", set(ROLES) - {"anyone"}),
        ("judges", {"judge", "organiser", "admin"}),
    ],
)
def test_who_sees_the_roster(roster, roles):
    assert {role for role in ROLES if sees_roster(Caller(role), roster)} == roles
