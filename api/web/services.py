"""The services: what a running application has at hand, and how a view reaches it."""

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
from api.web.language_choice import HEADERS, chosen
from api.web.operations.metrics import Metrics
from carddb.library import Library
from validator.language import ENGLISH, Language

_NAME = "deckproof"
_AT_A_TIME, _WAITING = 2, 20  # and no more: other threads are for those who ask for little


@dataclass(frozen=True)
class Services:
    """The settings, the cards, the judges, the counters, the jobs, the children and the events of one application."""

    settings: Settings
    library: Library
    judges: Judges
    metrics: Metrics
    jobs: Jobs
    queue: Queue
    children: ChildProcesses
    desk: RegistrationDesk
    # Taken by what draws, and by what shows many lists: of few of them at a time there is room in the memory.
    turns: WorkTurns = field(default_factory=lambda: WorkTurns(_AT_A_TIME, _WAITING))
    remembered: RememberedLines = field(default_factory=RememberedLines)
    hall: HallAddresses | None = None  # None unless the server serves a local network

    @property
    def events(self) -> EventDesk:
        """The desk for events as a whole."""
        return EventDesk(self.desk)

    def provide(self, app: Flask) -> None:
        """Give them to an application."""
        app.extensions[_NAME] = self


def services() -> Services:
    """Return the services of the application that answers the current request."""
    provided: Services = current_app.extensions[_NAME]
    return provided


def spoken() -> Language:
    """Return the language that the current request asks for; most ask for none, and are not looked through."""
    environ = request.environ
    return chosen() if environ.get("QUERY_STRING") or "HTTP_ACCEPT_LANGUAGE" in environ else ENGLISH


def answer(content: object, status: int = 200, say: Language | None = None) -> Response:
    """Return something as the JSON body of a response, which names the language of its sentences, if it has any."""
    return ready(orjson.dumps(content), status, say)


def ready(body: bytes, status: int = 200, say: Language | None = None) -> Response:
    """Return JSON that is already written as the body of a response, as `answer` does."""
    return Response(body, status, HEADERS[say.code] if say else None, mimetype="application/json")
