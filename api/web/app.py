"""The Flask application: blueprints, the OpenAPI document, the pages, and problem documents for all errors."""

from __future__ import annotations

import logging
import re
import uuid
from collections.abc import Iterable
from functools import lru_cache
from http import HTTPStatus

import orjson
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, InternalServerError, MethodNotAllowed, NotFound, RequestEntityTooLarge

from api.events import desk
from api.jobs.job_store import jobs
from api.jobs.queue import Queue
from api.service.answers.problem_details import (
    MEDIA_TYPE,
    ProblemJSON,
    error_problem,
    no_room_problem,
    problem,
    translate_problem,
    unavailable_problem,
    with_request_id,
)
from api.service.child_processes import ChildProcesses
from api.service.errors import Busy, Declined, Invalid, NotJson, WorkLimitExceeded, Wrong
from api.service.judges import Judges
from api.service.local_network import HallAddresses
from api.service.settings import Settings
from api.web import documentation, pages
from api.web.bodies import check_query, query_names
from api.web.edge.middleware import add_guard_headers, allow_origins
from api.web.edge.offload import SMALL, answer_by_child
from api.web.edge.rate_limits import AddressLimits
from api.web.language_choice import HEADERS, error_language
from api.web.openapi import add_paths, openapi_document
from api.web.operations.health import separate_operations
from api.web.operations.metrics import Metrics
from api.web.pages.rendering import page_blueprints, render_response
from api.web.services import Services
from api.web.v1 import STATELESS
from carddb.errors import CardDataError
from carddb.library import Library
from validator.errors import error_text
from validator.language import Language, phrase

# Keys in the scope of a request: the problem if the ASGI application refuses the request, and the route of the answer.
REFUSAL, ROUTE = "deckproof.refusal", "deckproof.route"
FOR_PROGRAMS = ("/v1/", "/openapi.json", "/docs/", "/metrics", "/healthz", "/readyz")  # their errors are no pages

_log = logging.getLogger(__name__)
_CONVERTER = re.compile("<[^<>:]+:")  # converters in a route, left out of its label

_BUSY = phrase("The server has too much to do right now. Try again in a moment.")
_TOO_MUCH = Invalid(
    [Wrong("", phrase("This takes more work than one request may need. Send less, or make the request simpler."))]
)
_AGAIN_AFTER = "10"  # seconds until a new attempt may succeed


def create_app(settings: Settings | None = None, hall: HallAddresses | None = None) -> Flask:
    """Return a new Flask application with its services, endpoints, pages and error handlers. Opens the card database.

    `settings` None reads the environment variables, and raises SettingError if one is wrong. `hall` has the addresses
    at which phones in a local network find this server (None: not in a local network).
    """
    settings = settings or Settings.from_environment()
    app = Flask("api", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body
    # No redirects, because a redirect is an HTML page. A wrong path is 404.
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    library = Library(settings.database, limits_dir=settings.limits_dir)
    metrics = Metrics()
    database, judges = library.store().database, Judges(library)
    job_services = jobs(settings, database), Queue(settings), ChildProcesses(app, library)
    event_desk = desk(settings, database, judges)
    Services(settings, library, judges, metrics, *job_services, event_desk, hall=hall).provide(app)
    _register_error_handlers(app)
    app.before_request(_show_refusal)
    app.after_request(_record_route)
    if settings.operations_address:
        separate_operations(app, settings.operations_address)
    app.after_request(_drop_empty_type)
    _add_endpoints(app)
    allow_origins(
        app, settings.origins, ("/openapi.json", "/llms.txt", *(blueprint.url_prefix for blueprint in STATELESS))
    )
    event_desk.client_limits = AddressLimits(settings)
    app.before_request(_offload_large_request)
    app.wsgi_app = add_guard_headers(app.wsgi_app)  # type: ignore[assignment,method-assign]  # flask's own way
    return app


def _add_endpoints(app: Flask) -> None:
    """Register all endpoints, the API documentation and the pages.

    Unknown query parameters of paths below /v1/ are refused.
    """
    document = openapi_document()
    add_paths(app)
    documentation.publish(app, document)
    pages.publish(app)
    names = query_names(document)

    @app.before_request
    def check() -> None:
        """Raise Invalid for query parameters that the OpenAPI document lacks for the route. Only routes below /v1/."""
        if request.args and request.url_rule:
            check_query(names, request.url_rule.rule)


def _register_error_handlers(app: Flask) -> None:
    """Register handlers that answer errors with a problem document (RFC 9457): JSON, or a page for browsers.

    Statuses: HTTPException its own, Invalid 422, NotJson 400, Declined its own. CardDataError, Busy and OSError (also a
    full disk) are 503. WorkLimitExceeded is 422.
    """
    app.register_error_handler(HTTPException, _http_problem)
    app.register_error_handler(Invalid, lambda error: _problem_response(error_problem(error)))
    app.register_error_handler(NotJson, lambda error: _problem_response(error_problem(error)))
    app.register_error_handler(Declined, lambda error: _problem_response(problem(error.status, error_text(error))))
    app.register_error_handler(CardDataError, lambda error: _problem_response(unavailable_problem(error)))
    app.register_error_handler(Busy, lambda error: _problem_response(problem(503, _BUSY)))
    app.register_error_handler(WorkLimitExceeded, lambda error: _problem_response(error_problem(_TOO_MUCH)))
    app.register_error_handler(OSError, lambda error: _problem_response(no_room_problem(error)))


def _problem_response(document: ProblemJSON, headers: Iterable[tuple[str, str]] = ()) -> Response:
    """Return a problem document as a response, in the language of the request: an HTML page for browsers, else JSON.

    Adds the request id to the document, and `headers` except Content-Type and Content-Length to the response. A 503
    without Retry-After gets one of 10 seconds.
    """
    translate = error_language()
    document = with_request_id(translate_problem(document, translate))
    if _needs_page():
        answer = render_response("problem.html", document["status"], problem=document)
    else:
        answer = _json_problem(document, translate)
    answer.headers.extend(pair for pair in headers if pair[0].lower() not in ("content-type", "content-length"))
    if answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
        answer.headers.setdefault("Retry-After", _AGAIN_AFTER)
    return answer


def _needs_page() -> bool:
    """Return True if an error of the current request is answered with a page, not with JSON.

    That is for the views of pages, and for an unknown path that accepts HTML and is no path of the API.
    """
    if request.blueprint is not None:
        return request.blueprint in page_blueprints()
    return not request.path.startswith(FOR_PROGRAMS) and "text/html" in request.headers.get("Accept", "")


def _json_problem(document: ProblemJSON, translate: Language) -> Response:
    """Return an already translated problem document as a JSON response.

    `translate` only adds the header Content-Language.
    """
    headers = HEADERS[translate.code]
    return Response(orjson.dumps(document), document["status"], headers, content_type=MEDIA_TYPE)


def _http_problem(error: HTTPException) -> Response:
    """Return the problem response for an HTTP error, with the error's own headers (such as `Allow`).

    An InternalServerError, which wraps an unexpected exception, is answered by `_internal_problem`.
    """
    if isinstance(error, InternalServerError):
        return _internal_problem(error)
    return _problem_response(problem(error.code or 500, _error_message(error)), error.get_headers(request.environ))


def _error_message(error: HTTPException) -> str:
    """Return the message of an HTTP error: its description, "The request failed." if it has none.

    Three standard errors of Flask get a better message: 404 for an unknown path, 405 with the allowed methods, and 413
    with the limit in bytes.
    """
    words = error.description or phrase("The request failed.")
    if isinstance(error, NotFound) and request.url_rule is None:
        return phrase("There is nothing at this path. /docs lists the paths.")
    if isinstance(error, MethodNotAllowed):
        methods = ", ".join(sorted(error.valid_methods or ()))
        return phrase("This path does not take {method}. It takes {methods}.", method=request.method, methods=methods)
    if isinstance(error, RequestEntityTooLarge) and words == RequestEntityTooLarge.description:
        return phrase("A body may have at most {most:,} bytes.", most=request.max_content_length or 0)
    return words


def _internal_problem(error: InternalServerError) -> Response:
    """Return a problem of status 500 for an unexpected exception.

    Its `instance` is a new random URN that is also logged. If the exception is an OSError, it is a problem of status
    503 instead.
    """
    if isinstance(error.original_exception, OSError):  # raised before or after a view, for example by sessions
        return _problem_response(no_room_problem(error.original_exception))
    name = uuid.uuid4().urn
    _log.error("%s is what the client was told of this error", name)  # Flask has logged all of it
    return _problem_response(
        problem(500, phrase("The server made a mistake. Its log has more under this instance."), instance=name)
    )


def _show_refusal() -> Response | None:
    """Return the response for a problem with which the ASGI application has refused this request, before any view.

    None if it was not refused. The application stores the problem in the ASGI scope under REFUSAL.
    """
    refusal = request.environ.get("asgi.scope", {}).get(REFUSAL)
    return _problem_response(refusal) if refusal else None


def _record_route(response: Response) -> Response:
    """Store the label of the matched route in the ASGI scope under ROUTE, and return the response unchanged.

    The ASGI application uses the label in metrics and logs. Nothing is stored without a matched route.
    """
    if request.url_rule and (scope := request.environ.get("asgi.scope")):
        scope[ROUTE] = _route_label(request.url_rule.rule)
    return response


@lru_cache(maxsize=256)  # there are some thirty routes
def _route_label(route: str) -> str:
    """Return a route without converters, for metrics and logs: `/cards/<number:number>` is `/cards/<number>`."""
    return _CONVERTER.sub("<", route)


def _offload_large_request() -> Response | None:
    """Return a child process's answer to a POST request over 16,384 bytes, so that the views of this process stay free.

    None if this process has to answer: for other requests, and if `answer_by_child` returns None.
    """
    return answer_by_child() if request.method == "POST" and (request.content_length or 0) > SMALL else None


def _drop_empty_type(response: Response) -> Response:
    """Return the response, without its Content-Type if that is text/html and there is no Content-Length, or one of 0.

    Flask adds one to OPTIONS.
    """
    if not response.content_length and response.mimetype == "text/html":
        del response.headers["Content-Type"]  # flask's answer to OPTIONS has no body
    return response
