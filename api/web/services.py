"""The services of a running application, for its views, and the JSON responses of views."""

from __future__ import annotations

from dataclasses import dataclass, field

import orjson
from flask import Flask, Response, current_app, request

from api.events.event_desk import EventDesk
from api.events.registration_desk import RegistrationDesk
from api.jobs.job_store import Jobs
from api.jobs.queue import Queue
from api.service.hall_network.local_network import HallAddresses
from api.service.judges import Judges
from api.service.ndjson import RememberedLines
from api.service.processes.child_processes import ChildProcesses, WorkTurns
from api.service.settings import Settings
from api.web.language_choice import HEADERS, choose_language
from api.web.operations.metrics import Metrics
from carddb.library import Library
from validator.language import ENGLISH, Language

_NAME = "deckproof"
_AT_A_TIME, _WAITING = 2, 20  # a limit that keeps other threads for small requests


@dataclass(frozen=True)
class Services:
    """The objects that the views of one application share.

    `library` has the cards, `judges` the cached rules, `jobs` and `queue` the work in the background, `children` the
    child processes. `desk` reads and writes events. `turns` limits the views that make files or show many lists to two
    at a time. `remembered` caches lines of batches. `hall` is None unless the server serves a local network.
    """

    settings: Settings
    library: Library
    judges: Judges
    metrics: Metrics
    jobs: Jobs
    queue: Queue
    children: ChildProcesses
    desk: RegistrationDesk
    # For views that draw files or show many lists. Memory is enough for only a few at a time.
    turns: WorkTurns = field(default_factory=lambda: WorkTurns(_AT_A_TIME, _WAITING))
    remembered: RememberedLines = field(default_factory=RememberedLines)
    hall: HallAddresses | None = None  # None unless the server serves a local network

    @property
    def events(self) -> EventDesk:
        """The desk for events as a whole (create, change, copy, delete), a new object on each access."""
        return EventDesk(self.desk)

    def provide(self, app: Flask) -> None:
        """Store these services in an application, so that `services()` returns them in its views."""
        app.extensions[_NAME] = self


def services() -> Services:
    """Return the Services of the current Flask application."""
    provided: Services = current_app.extensions[_NAME]
    return provided


def request_language() -> Language:
    """Return the language of the current request: `lang` of the query, else the preferred language of the browser.

    English if there is neither. Raises Invalid if `lang` is an unknown language.
    """
    environ = request.environ
    return choose_language() if environ.get("QUERY_STRING") or "HTTP_ACCEPT_LANGUAGE" in environ else ENGLISH


def answer(content: object, status: int = 200, translate: Language | None = None) -> Response:
    """Return a value as a JSON response. `translate` only adds the header with its language (None: no header)."""
    return json_response(orjson.dumps(content), status, translate)


def json_response(body: bytes, status: int = 200, translate: Language | None = None) -> Response:
    """Return bytes that are already JSON as a response.

    `translate` only adds the header with its language (None: no header).
    """
    return Response(body, status, HEADERS[translate.code] if translate else None, mimetype="application/json")
