"""Offloading: requests that may take much are answered by a child of the process, and keep nobody else waiting."""

from __future__ import annotations

import io
import sys
from typing import Any, NamedTuple

from flask import Flask, Response, g, request

from api.service.judges import VerdictKind
from api.service.logs import request_id
from api.service.processes.forkserver import Tell
from api.web.bodies import whole_body
from api.web.services import services

SMALL = 16_384  # bytes: a deck has under half as many; what these can take a thread does beside others
_GUARDED = frozenset({"event_pages"})  # whose forms are looked at first
# Read as they come, or have a child only to judge.
_APART = frozenset({"validation.batch", "workbooks.check", "workbook_pages.check"})


class _Answer(NamedTuple):
    """A response, as a child gives it to its parent, and what was judged for it."""

    body: bytes
    status: int
    headers: list[tuple[str, str]]
    judged: list[VerdictKind]


def by_a_child() -> Response | None:
    """Answer the current request, which is larger than SMALL."""
    here = services()
    if not here.children.started or request.endpoint in _APART:
        return None
    if request.blueprint in _GUARDED and "csrf_valid" not in g:  # as Flask-WTF notes it
        return None
    environ = {key: value for key, value in request.environ.items() if isinstance(value, str)}
    answer = here.children.do(here.settings.request_seconds, _answered, environ, whole_body())
    for one in answer.judged:
        here.metrics.count(one)
    return Response(answer.body, answer.status, answer.headers)


def _answered(app: Flask, _: Tell, environ: dict[str, Any], body: bytes) -> _Answer:
    """Answer a request, as a child: what goes before and after its view is the parent's."""
    request_id.set(environ.get("HTTP_X_REQUEST_ID", ""))
    more = {"wsgi.input": io.BytesIO(body), "wsgi.errors": sys.stderr}
    with app.request_context({**environ, **more}):
        judged = services().metrics.noted()
        response = _dispatched(app)
    return _Answer(response.get_data(), response.status_code, list(response.headers), judged)


def _dispatched(app: Flask) -> Response:
    try:
        return app.make_response(app.dispatch_request())
    except Exception as error:
        try:
            return app.make_response(app.handle_user_exception(error))
        except Exception as unexpected:
            return app.handle_exception(unexpected)
