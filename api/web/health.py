"""Health: is it alive, is it ready, what does it count."""

from __future__ import annotations

from typing import Any

from flask import Response

from api.jobs.heartbeats import Heartbeats
from api.service.answers import serializers
from api.service.catalogues import CatalogueState, catalogue_states
from api.web import schemas
from api.web.blueprints import Blueprint
from api.web.metrics import MEDIA_TYPE
from api.web.services import answer, services
from carddb.errors import CardDataError
from validator.games import GAMES

blueprint = Blueprint("operations", __name__, description="For those who run the server.")
_OF_SYNC = ("begun", "ended", "result", "why", "snapshot")


@blueprint.route("/healthz")
@blueprint.response(200, schemas.AliveShape)
def healthz() -> Response:
    """Tell whether the process answers."""
    return answer({"status": "ok"})


@blueprint.route("/readyz")
@blueprint.response(200, schemas.ReadyShape)
def readyz() -> Response:
    """Tell whether requests can be answered: the database reached, every catalogue loaded.

    A sync that failed is told, and requests are answered all the same, with the cards there are.
    """
    here = services()
    catalogues = [_catalogue(one) for one in catalogue_states(here.library)]
    workers = len(Heartbeats(here.library.store().database).present())
    return answer({"status": "ready", "catalogues": catalogues, "workers": workers, "jobs": here.jobs.counts()})


def _catalogue(of: CatalogueState) -> dict[str, Any]:
    """Return what a game's cards are taken from now, how old it is, and how the last sync went."""
    return {
        "game": of.catalogue.game,
        "snapshot": of.catalogue.snapshot,
        "cards": len(of.catalogue),
        "as_of": of.catalogue.as_of,
        "source": of.snapshot.source if of.snapshot else "the facts that ship",
        "created": of.snapshot.created if of.snapshot else None,
        "age_seconds": None if of.age is None else round(of.age),
        "last_sync": serializers.facts(of.last_sync, _OF_SYNC) if of.last_sync else None,
    }


@blueprint.route("/metrics")
@blueprint.response(200, {"type": "string"}, content_type="text/plain", description="Prometheus text format.")
def metrics() -> Response:
    """Get the counters."""
    here = services()
    try:
        standing, jobs = list(catalogue_states(here.library)), here.jobs.counts()
    except CardDataError:
        standing, jobs = [CatalogueState(here.library.catalogue(game), None, None, None) for game in GAMES], {}
    return Response(here.metrics.exposition(standing, jobs, [here.judges]), content_type=MEDIA_TYPE)
