"""The form guard: what is sent to an event comes from a form of its own pages, by Flask-WTF.

The token of a form is bound to a session that knows nothing else, and whose cookie goes to no other page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from flask import Flask, Response, request
from flask.sansio.blueprints import BlueprintSetupState
from flask_wtf.csrf import CSRFError, CSRFProtect, generate_csrf

from api.service.secret_key import secret_key
from api.web.bodies import whole_body
from api.web.edge.middleware import SessionsUnder
from api.web.edge.offload import SMALL, answer_by_child
from api.web.pages.rendering import rendered
from api.web.services import services

ROOT = "/events"  # under which all pages of events are
TOKEN = "csrf_token"  # the field of a form that has it

_csrf = CSRFProtect()
token: Callable[[], str] = generate_csrf


def protect(state: BlueprintSetupState) -> None:
    """Let an application have what forms of the pages that it gets are guarded with."""
    app = cast("Flask", state.app)
    app.config.update(
        SESSION_COOKIE_NAME="deckproof_form",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",  # a page that another site leads to shall not take the token of those open
        WTF_CSRF_CHECK_DEFAULT=False,
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_SSL_STRICT=False,  # it looks at the Referer, which our pages do not let browsers send
    )
    app.session_interface = SessionsUnder(ROOT, _secret)
    _csrf.init_app(app)


def _secret() -> str:
    return secret_key(services().settings)


def check() -> Response | None:
    """Take nothing in but what comes from a form of ours; what is large is then for a child."""
    if request.method != "POST":
        return None
    size = len(whole_body())  # which stays there for whoever reads it after this
    try:
        _csrf.protect()
    except CSRFError:
        return _again()
    return answer_by_child() if size > SMALL else None


def _again() -> Response:
    """Return the page that has all that was typed, to be sent again by its reader."""
    typed = [(name, text) for name, text in request.form.items(multi=True) if name != TOKEN]
    return rendered("events/again.html", 400, typed=typed, had_file=bool(request.files), action=_address(), token=token)


def _address() -> str:
    return request.full_path if request.query_string else request.path
