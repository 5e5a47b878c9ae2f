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
    """Return a decorator for a view that only callers with a permission may use.

    The view gets their EventAccess as its first argument, in place of the `id` of the path. `refuse` returns the answer
    to other callers (None: raise NoAccess). This decorator is the innermost one, so that wrong arguments are refused
    first.
    """

    def decorate(view: View) -> View:
        """Wrap a view so that it is called with the access of the caller. The view gets the attribute `permission`."""

        @wraps(view)
        def answer(*arguments: Any, id: str, **values: Any) -> Response:
            """Answer with the view, or with `refuse` if the caller lacks the permission.

            Raises NoAccess without `refuse`.
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
    """Mark a view of events that needs no permission, or that checks a key itself."""
    view.permission = None  # type: ignore[attr-defined]
    return view
