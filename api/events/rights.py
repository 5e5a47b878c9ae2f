"""Rights: the permissions of each role at an event, as one table, and the visibility of lists and roster."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum, auto

from api.events.storage.event_keys import ADMIN, ANYONE, JUDGE, ORGANISER, OWNER, PLAYER, STAFF, Caller
from api.events.tournament import CLOSED, CUT, PLAYERS, PUBLIC

_ALL = frozenset((ANYONE, PLAYER, OWNER, JUDGE, ORGANISER, ADMIN))
_OWN = STAFF | {OWNER}
_ORGANISERS = frozenset((ORGANISER, ADMIN))


class Permission(StrEnum):
    """One action that a caller may be allowed to do at an event, such as CHANGE_EVENT. RIGHTS has the roles of each."""

    SHOW_EVENT = auto()
    FIND_EVENT = auto()  # by its join code
    PRINT_FLYER = auto()
    CHANGE_EVENT = auto()
    COPY_EVENT = auto()
    DELETE_EVENT = auto()
    RESTORE_EVENT = auto()
    REGISTER_PLAYER = auto()
    LIST_REGISTRATIONS = auto()
    SHOW_REGISTRATION = auto()
    REVISE_REGISTRATION = auto()
    SETTLE_REGISTRATION = auto()
    WITHDRAW_REGISTRATION = auto()
    LIST_REVISIONS = auto()
    EXPORT_PLAYER_DATA = auto()
    RENEW_PLAYER_KEY = auto()
    LIST_DUPLICATES = auto()
    MERGE_REGISTRATIONS = auto()
    SEPARATE_REGISTRATIONS = auto()
    IMPORT_PLAYERS = auto()
    LIST_IMPORTS = auto()
    UNDO_IMPORT = auto()
    RENEW_LINKS = auto()
    SHOW_OVERVIEW = auto()
    LIST_MISSING = auto()
    COMPARE_PLAYERS = auto()
    LIST_EXPECTED = auto()
    CHANGE_EXPECTED = auto()
    SHOW_ROSTER = auto()
    DOWNLOAD_LISTS = auto()
    STREAM_LISTS = auto()
    SHOW_IMPACT = auto()
    BEGIN_CHECKS = auto()
    READ_CHECKS = auto()
    RECORD_CHECK = auto()
    SET_CHECK_SEED = auto()
    EXPORT_EVENT = auto()
    READ_COMMITMENTS = auto()
    OPEN_LISTS = auto()
    READ_AUDIT = auto()
    LIST_KEYS = auto()
    ADD_KEY = auto()
    REVOKE_KEY = auto()


# The roles that have each permission. For a permission on a registration, the caller must also see the registration:
# `sees_list`. Anyone may create an event, unless the server has an admin key: `EventDesk.create`.
RIGHTS: Mapping[Permission, frozenset[str]] = {
    Permission.SHOW_EVENT: _ALL,
    Permission.FIND_EVENT: _ALL,
    Permission.PRINT_FLYER: _ALL,
    Permission.CHANGE_EVENT: _ORGANISERS,
    Permission.COPY_EVENT: _ORGANISERS,  # who must be allowed to create events, too
    Permission.DELETE_EVENT: _ORGANISERS,
    Permission.RESTORE_EVENT: _ORGANISERS,
    Permission.REGISTER_PLAYER: _ALL,  # while registration is open; staff later, with a reason
    Permission.LIST_REGISTRATIONS: _ALL,  # of the lists that the caller sees
    Permission.SHOW_REGISTRATION: _ALL,
    Permission.REVISE_REGISTRATION: _OWN,
    Permission.SETTLE_REGISTRATION: _OWN,  # players only their own e-mail address
    Permission.WITHDRAW_REGISTRATION: _ORGANISERS | {OWNER},
    Permission.LIST_REVISIONS: _OWN,
    Permission.EXPORT_PLAYER_DATA: _ORGANISERS | {OWNER},
    Permission.RENEW_PLAYER_KEY: STAFF,
    Permission.LIST_DUPLICATES: STAFF,
    Permission.MERGE_REGISTRATIONS: STAFF,
    Permission.SEPARATE_REGISTRATIONS: STAFF,
    Permission.IMPORT_PLAYERS: _ORGANISERS,
    Permission.LIST_IMPORTS: _ORGANISERS,
    Permission.UNDO_IMPORT: _ORGANISERS,
    Permission.RENEW_LINKS: _ORGANISERS,
    Permission.SHOW_OVERVIEW: STAFF,
    Permission.LIST_MISSING: STAFF,
    Permission.COMPARE_PLAYERS: STAFF,
    Permission.LIST_EXPECTED: STAFF,
    Permission.CHANGE_EXPECTED: _ORGANISERS,
    Permission.SHOW_ROSTER: _ALL,  # who see the roster
    Permission.DOWNLOAD_LISTS: _ALL,  # who see any list
    Permission.STREAM_LISTS: STAFF,
    Permission.SHOW_IMPACT: STAFF,
    Permission.BEGIN_CHECKS: STAFF,
    Permission.READ_CHECKS: STAFF,
    Permission.RECORD_CHECK: STAFF,
    Permission.SET_CHECK_SEED: STAFF,
    Permission.EXPORT_EVENT: STAFF,
    Permission.READ_COMMITMENTS: _ALL,
    Permission.OPEN_LISTS: _ALL,  # of the lists that the caller sees
    Permission.READ_AUDIT: _ORGANISERS,
    Permission.LIST_KEYS: _ORGANISERS,
    Permission.ADD_KEY: _ORGANISERS,
    Permission.REVOKE_KEY: _ORGANISERS,
}

# The permissions that remain at an event that is marked as deleted, for those who may restore it.
_OF_DELETED = frozenset((Permission.SHOW_EVENT, Permission.DELETE_EVENT, Permission.RESTORE_EVENT))


def has_permission(permission: Permission, caller: Caller, is_deleted: bool = False) -> bool:
    """Return True if the role of a caller has a permission in RIGHTS. The caller's own registration is not looked at.

    `is_deleted`: the event is marked as deleted. Then only organisers and the admin may show, delete or restore it, and
    nothing else.
    """
    if is_deleted and (permission not in _OF_DELETED or caller.role not in _ORGANISERS):
        return False
    return caller.role in RIGHTS.get(permission, ())


def sees_list(caller: Caller, stage: str, in_cut: bool, consents: bool) -> bool:
    """Return True if a caller sees the deck list of one player. `stage` is the visibility of lists now, of STAGES.

    The player (OWNER), organisers and the admin always see it. Judges see it unless `stage` is CLOSED. Others need
    `consents`, which is True if the player lets others see the list. They see it in the stage PUBLIC, or in the stage
    CUT if both players are in the top cut. `in_cut` is True if the list's player is in the top cut.
    """
    if caller.role in (OWNER, ORGANISER, ADMIN):
        return True
    if caller.role == JUDGE:
        return stage != CLOSED
    if not consents:
        return False
    return stage == PUBLIC or (stage == CUT and in_cut and caller.in_cut)


def sees_roster(caller: Caller, roster: str) -> bool:
    """Return True if a caller sees the roster: the names of all players, and for each if a list was received.

    `roster` is one of ROSTERS: staff always see it, players with a key from PLAYERS on, everyone if it is PUBLIC.
    """
    if caller.is_staff or roster == PUBLIC:
        return True
    return roster == PLAYERS and caller.role in (PLAYER, OWNER)


def sees_any_list(caller: Caller, stage: str) -> bool:
    """Return True if a caller may see a list other than their own in a stage of STAGES, if its player consents."""
    return any(sees_list(caller, stage, in_cut, True) for in_cut in (True, False))
