"""Rights: who may do what at an event, as one table, and whose lists who sees."""

from __future__ import annotations

from collections.abc import Mapping

from api.events.storage.event_keys import ADMIN, ANYONE, JUDGE, ORGANISER, OWNER, PLAYER, Caller
from api.events.tournament import CLOSED, CUT, PLAYERS, PUBLIC

_ALL = frozenset((ANYONE, PLAYER, OWNER, JUDGE, ORGANISER, ADMIN))
_STAFF = frozenset((JUDGE, ORGANISER, ADMIN))
_OWN = _STAFF | {OWNER}
_ORGANISERS = frozenset((ORGANISER, ADMIN))

# Which roles may do what, by the name of the operation; what is not here nobody may. For an operation on a
# registration, whoever may do it must also see the registration: `sees`.
RIGHTS: Mapping[str, frozenset[str]] = {
    "create": _ALL,  # the admin alone where the server has an admin key
    "show": _ALL,
    "join": _ALL,
    "flyer": _ALL,
    "change": _ORGANISERS,
    "delete": _ORGANISERS,
    "register": _ALL,  # while registration is open; staff later, with a reason
    "registrations": _ALL,  # as far as they are seen
    "registration": _ALL,
    "revise": _OWN,
    "settle": _OWN,  # the player the own address alone
    "withdraw": _ORGANISERS | {OWNER},
    "revisions": _OWN,
    "player_data": _ORGANISERS | {OWNER},
    "renew_key": _STAFF,
    "import_players": _ORGANISERS,
    "missing": _STAFF,
    "compare": _STAFF,
    "expected": _STAFF,
    "expect": _ORGANISERS,
    "expect_book": _ORGANISERS,
    "roster": _ALL,  # those who see the roster
    "lists": _ALL,  # as far as they are seen
    "stream": _STAFF,
    "impact": _STAFF,
    "begin_checks": _STAFF,
    "checks": _STAFF,
    "next_check": _STAFF,
    "check": _STAFF,
    "record_check": _STAFF,
    "export": _STAFF,
    "commitments": _ALL,
    "opened_lists": _ALL,
    "audit": _ORGANISERS,
    "keys": _ORGANISERS,
    "add_key": _ORGANISERS,
    "revoke_key": _ORGANISERS,
}


def may(operation: str, caller: Caller) -> bool:
    """Tell whether somebody may do something at an event."""
    return caller.role in RIGHTS.get(operation, ())


def sees_list(caller: Caller, stage: str, in_cut: bool, consents: bool) -> bool:
    """Tell whether somebody sees a player's list in a stage; `consents`: to others than those who run the event."""
    if caller.role in (OWNER, ORGANISER, ADMIN):
        return True
    if caller.role == JUDGE:
        return stage != CLOSED
    if not consents:
        return False
    return stage == PUBLIC or (stage == CUT and in_cut and caller.in_cut)


def sees_roster(caller: Caller, roster: str) -> bool:
    """Tell whether somebody sees who registered and whose list is there."""
    if caller.is_staff or roster == PUBLIC:
        return True
    return roster == PLAYERS and caller.role in (PLAYER, OWNER)


def sees_any_list(caller: Caller, stage: str) -> bool:
    """Tell whether there may be a list that somebody sees whose own it is not."""
    return any(sees_list(caller, stage, in_cut, True) for in_cut in (True, False))
