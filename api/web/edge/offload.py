"""Offloading: a child process answers large requests, so that small requests need not wait.

Called by the application before each view.
"""

from __future__ import annotations

import io
import sys
from typing import Any, NamedTuple

from flask import Flask, Response, g, request

from api.service.judges import VerdictKind
from api.service.logs import request_id
from api.web.services import services

SMALL = 16_384  # bytes: twice a large deck, and quick enough for a thread
_GUARDED = frozenset({"event_pages"})  # blueprints whose forms are checked first
# Read while the body arrives, or judged by a child of their own.
_NOT_OFFLOADED = frozenset({"validation.validate_batch", "workbooks.validate_workbook", "workbook_pages.check"})


class _Answer(NamedTuple):
    """The response that a child process computed, and the verdicts that its parent has to count in the metrics."""

    body: bytes
    status: int
    headers: list[tuple[str, str]]
    verdicts: list[VerdictKind]


def answer_by_child() -> Response | None:
    """Return the answer of a child process to the current request, and count its verdicts in the metrics.

    Return None if this process has to answer: it has no children, the endpoint is not offloaded, or the form has not
    passed its CSRF check yet. Raises Busy if too many requests wait, WorkLimitExceeded if the child takes too long.
    """
    provided = services()
    if not provided.children.is_started or request.endpoint in _NOT_OFFLOADED:
        return None
    if request.blueprint in _GUARDED and "csrf_valid" not in g:  # set by Flask-WTF
        return None
    environ = {key: value for key, value in request.environ.items() if isinstance(value, str)}
    answer = provided.children.run(provided.settings.request_seconds, _answer_in_child, environ, request.get_data())
    for verdict in answer.verdicts:
        provided.metrics.count_verdicts(verdict)
    return Response(answer.body, answer.status, answer.headers)


def _answer_in_child(app: Flask, environ: dict[str, Any], body: bytes) -> _Answer:
    """Return the answer to a request, computed in a child process. `environ` is the text part of the WSGI environment.

    Only the view runs. The parent runs the hooks before and after it. Collects the verdicts in place of counting them.
    """
    request_id.set(environ.get("HTTP_X_REQUEST_ID", ""))
    streams = {"wsgi.input": io.BytesIO(body), "wsgi.errors": sys.stderr}
    with app.request_context({**environ, **streams}):
        verdicts = services().metrics.collect_verdicts()
        response = _dispatch(app)
    return _Answer(response.get_data(), response.status_code, list(response.headers), verdicts)


def _dispatch(app: Flask) -> Response:
    """Return the response of the view of the current request.

    An exception is answered by its error handler, or with status 500 if it has none.
    """
    try:
        return app.make_response(app.dispatch_request())
    except Exception as error:
        try:
            return app.make_response(app.handle_user_exception(error))
        except Exception as unexpected:
            return app.handle_exception(unexpected)
