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
    """The objects that one application shares: settings, cards, judges, metrics, jobs, children and events."""

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
        """The desk for events as a whole."""
        return EventDesk(self.desk)

    def provide(self, app: Flask) -> None:
        """Register these services with an application."""
        app.extensions[_NAME] = self


def services() -> Services:
    """Return the services of the application that answers the current request."""
    provided: Services = current_app.extensions[_NAME]
    return provided


def request_language() -> Language:
    """Return the language of the current request. Raises Invalid if the query has an unknown language.

    English without a query and without Accept-Language. Most requests have neither, so this is checked first.
    """
    environ = request.environ
    return choose_language() if environ.get("QUERY_STRING") or "HTTP_ACCEPT_LANGUAGE" in environ else ENGLISH


def answer(content: object, status: int = 200, translate: Language | None = None) -> Response:
    """Return a value as the JSON body of a response. `translate` adds the language header (None: no header)."""
    return json_response(orjson.dumps(content), status, translate)


def json_response(body: bytes, status: int = 200, translate: Language | None = None) -> Response:
    """Return encoded JSON as the body of a response. `translate` adds the language header (None: no header)."""
    return Response(body, status, HEADERS[translate.code] if translate else None, mimetype="application/json")
