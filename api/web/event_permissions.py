"""Permissions of event views: each view names the permission that its caller needs.

Called by v1 and the pages.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Response

from api.events.base_desk import EventAccess
from api.events.rights import Permission
from api.service.errors import NoAccess

View = Callable[..., Response]
Authorize = Callable[[Permission, str, str], EventAccess]  # permission, event id, registration id or ""


def require(
    permission: Permission, authorize: Authorize, refuse: Callable[[], Response] | None = None
) -> Callable[[View], View]:
    """Return a decorator for an event view that only callers with `permission` may use.

    `authorize(permission, event id, registration id)` returns the caller's EventAccess, or raises NoAccess. The
    registration id is the `rid` of the path, "" without one. The view gets the EventAccess as its first argument, in
    place of the `id` of the path. `refuse` returns the answer to callers without access (None: NoAccess is raised).
    This decorator is the innermost one, so that wrong arguments are refused first.
    """

    def decorate(view: View) -> View:
        """Return a view wrapped so that it gets the access of the caller.

        The wrapped view has the attribute `permission`.
        """

        @wraps(view)
        def answer(*arguments: Any, id: str, **values: Any) -> Response:
            """Return the view's answer for the caller's access to event `id`. Without access return `refuse()`.

            Raises NoAccess without access if there is no `refuse`.
            """
            try:
                access = authorize(permission, id, values.get("rid", ""))
            except NoAccess:
                if refuse is None:
                    raise
                return refuse()
            return view(access, *arguments, **values)

        answer.permission = permission  # type: ignore[attr-defined]
        return answer

    return decorate


def mark_unrestricted(view: View) -> View:
    """Mark an event view as not restricted by `require`: anyone may call it, or it checks a key itself.

    Return the view. Sets its attribute `permission` to None.
    """
    view.permission = None  # type: ignore[attr-defined]
    return view
