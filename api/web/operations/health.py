"""Health: whether the process is alive and ready, and its metrics, for those who run the server.

With DECKPROOF_OPERATIONS_ADDRESS only requests that came in there get the metrics and the details of readiness, and
they get nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import Flask, Response, request
from prometheus_client.metrics_core import Metric
from werkzeug.exceptions import NotFound

from api.jobs.heartbeats import Heartbeats
from api.service.answers import serializers
from api.service.catalogues import CatalogueState, catalogue_states
from api.service.settings import ListenAddress
from api.web import schemas
from api.web.blueprints import Blueprint
from api.web.operations import gauges
from api.web.operations.metrics import MEDIA_TYPE
from api.web.services import Services, answer, services
from carddb.errors import CardDataError
from validator.games import GAMES

blueprint = Blueprint("operations", __name__, description="For those who run the server.")
_OF_SYNC = ("begun", "ended", "result", "why", "snapshot")


def separate_operations(app: Flask, address: ListenAddress) -> None:
    """Serve nothing but operations to requests that came in at this address."""

    @app.before_request
    def refuse_others() -> None:
        if _came_in_at(address) and request.blueprint != blueprint.name:
            raise NotFound("This address serves /healthz, /readyz and /metrics only.")


def _came_in_at(address: ListenAddress) -> bool:
    return request.environ.get("SERVER_PORT") == str(address.port)  # the socket's own, whatever headers contain


def _is_for_operators() -> bool:
    """Return True if the request came in on the address for operations, or if there is no such address."""
    address = services().settings.operations_address
    return address is None or _came_in_at(address)


@blueprint.route("/healthz")
@blueprint.response(200, schemas.AliveShape)
def healthz() -> Response:
    """Answer as long as the process is alive."""
    return answer({"status": "ok"})


@blueprint.route("/readyz")
@blueprint.response(200, schemas.ReadyShape)
def readyz() -> Response:
    """Answer if requests can be answered: the database is reached, and every catalogue loaded.

    A sync that failed is shown, but the server is ready with the cards that it has. The details are for the address for
    operations, if there is one.
    """
    here = services()
    catalogues = [_catalogue(state) for state in catalogue_states(here.library)]
    workers = len(Heartbeats(here.library.store().database).present())
    details = {"catalogues": catalogues, "workers": workers, "jobs": here.jobs.counts()}
    return answer({"status": "ready"} | (details if _is_for_operators() else {}))


def _catalogue(state: CatalogueState) -> dict[str, Any]:
    """Return the snapshot of a game's catalogue, its age and its last sync."""
    catalogue, snapshot = state.catalogue, state.snapshot
    return {
        "game": catalogue.game,
        "snapshot": catalogue.snapshot,
        "cards": len(catalogue),
        "as_of": catalogue.as_of,
        "source": snapshot.source if snapshot else "the facts that ship",
        "created": snapshot.created if snapshot else None,
        "age_seconds": None if state.age is None else round(state.age),
        "last_sync": serializers.facts(state.last_sync, _OF_SYNC) if state.last_sync else None,
    }


@blueprint.route("/metrics")
@blueprint.response(200, {"type": "string"}, content_type="text/plain", description="Prometheus text format.")
def metrics() -> Response:
    """Get the metrics. With a separate address for operations, only there."""
    if not _is_for_operators():
        raise NotFound("The metrics are on the address for operations only.")
    here = services()
    return Response(here.metrics.exposition(_current_state(here)), content_type=MEDIA_TYPE)


def _current_state(here: Services) -> Iterator[Metric]:
    """Yield the metrics of the current state. Without the database they are those of the catalogues in memory."""
    try:
        states, jobs = list(catalogue_states(here.library)), here.jobs.counts()
    except CardDataError:
        states, jobs = [CatalogueState(here.library.catalogue(game), None, None, None) for game in GAMES], {}
    yield gauges.build_info()
    yield from gauges.catalogue_gauges(states)
    yield gauges.job_gauge(jobs)
    yield from gauges.cache_gauges(here.judges.cache_sizes() | here.remembered.cache_size())
    yield from gauges.pool_gauges(here.library.store().database.connection_counts())
    yield from gauges.process_metrics(here.metrics.process)
