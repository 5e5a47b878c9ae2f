"""Expected players: those whom an organiser counts on, and which of them have not registered."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from api.events.players.entrant import Entrant, id_key, name_key


class ExpectedPlayer(NamedTuple):
    """A player who is expected, as the organiser's list has one."""

    player: str
    player_id: str = ""
    email: str = ""


class Attending:
    """Those who registered, to be found by id, else by a name however it is written."""

    def __init__(self, entrants: Iterable[Entrant]) -> None:
        self._ids: set[str] = set()
        self._ids_of: dict[str, set[str]] = {}
        for one in entrants:
            id = id_key(one.revision.written.player_id)
            self._ids.add(id)
            self._ids_of.setdefault(one.filed, set()).add(id)

    def has(self, one: ExpectedPlayer) -> bool:
        """Tell whether somebody registered who is this player; two of one name and different ids are two players."""
        id = id_key(one.player_id)
        if id and id in self._ids:
            return True
        namesakes = self._ids_of.get(name_key(one.player), ())
        return "" in namesakes or (not id and bool(namesakes))


def absent(expected: Iterable[ExpectedPlayer], entrants: Iterable[Entrant]) -> list[ExpectedPlayer]:
    """Return those expected who have not registered."""
    registered = Attending(entrants)
    return [one for one in expected if not registered.has(one)]


def named(names: Iterable[str], before: Iterable[ExpectedPlayer]) -> list[ExpectedPlayer]:
    """Return the players of a list of names, each with the id and the address of one who was called so before."""
    known: dict[str, deque[ExpectedPlayer]] = {}
    for one in before:
        known.setdefault(name_key(one.player), deque()).append(one)
    kept = ((name, known.get(name_key(name))) for name in names)
    return [found.popleft()._replace(player=name) if found else ExpectedPlayer(name) for name, found in kept]


def each_once(expected: Iterable[ExpectedPlayer]) -> Iterator[ExpectedPlayer]:
    """Yield each player of a list once, the first time."""
    met: set[tuple[str, str]] = set()
    for one in expected:
        mark = name_key(one.player), id_key(one.player_id)
        if mark not in met:
            met.add(mark)
            yield one
