"""Look turns: few look at all of an event at a time, however many ask for it; there is room in the memory for few."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from api.service.processes.child_processes import WorkTurns

_Asked = ParamSpec("_Asked")
_Told = TypeVar("_Told")


class HasWorkLimit(Protocol):
    """A desk whose looks at all of an event wait for their turn."""

    looks: WorkTurns


_Desk = TypeVar("_Desk", bound=HasWorkLimit)


def limited_concurrency(
    look: Callable[Concatenate[_Desk, _Asked], _Told],
) -> Callable[Concatenate[_Desk, _Asked], _Told]:
    """Return a desk's look at all of an event as one that waits for its turn; Busy where too many wait.

    None asks for another while it has its turn.
    """

    @wraps(look)
    def looked(desk: _Desk, /, *asked: _Asked.args, **more: _Asked.kwargs) -> _Told:
        with desk.looks:
            return look(desk, *asked, **more)

    return looked
