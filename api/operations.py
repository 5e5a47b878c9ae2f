"""Operations: is it alive, is it ready, what does it count."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from datetime import datetime
from typing import Any

from flask import Response

from api import schemas
from api.bodies import Blueprint
from api.court import answer
from api.court import court
from api.metrics import MEDIA_TYPE
from carddb.catalogue import Catalogue
from carddb.errors import NoDatabase
from carddb.library import Library
from carddb.sources.vocabulary import GAMES
from carddb.store import Snapshot

blueprint = Blueprint("operations", __name__, description="For those who run the server.")


@blueprint.route("/healthz")
@blueprint.response(200, schemas.AliveShape)
def healthz() -> Response:
    """Tell whether the process answers."""
    return answer({"status": "ok"})


@blueprint.route("/readyz")
@blueprint.response(200, schemas.ReadyShape)
@blueprint.problems(503)
def readyz() -> Response:
    """Tell whether requests can be answered: the database reached, every catalogue loaded."""
    return answer({"status": "ready", "catalogues": list(_catalogues())})


def _catalogues() -> Iterator[dict[str, Any]]:
    """Yield what each game's cards are taken from now, and how old it is."""
    library = court().library
    for game in GAMES:
        catalogue = library.catalogue(game)
        made = _made(library, catalogue)
        age = round((datetime.now(UTC) - made.created).total_seconds()) if made else None
        yield {
            "game": game,
            "snapshot": catalogue.snapshot,
            "cards": len(catalogue),
            "source": made.source if made else "the starter catalogue",
            "created": made.created if made else None,
            "age_seconds": age,
        }


def _made(library: Library, catalogue: Catalogue) -> Snapshot | None:
    """Return how a catalogue came into the database; None for a starter where there is no database yet."""
    try:
        return library.store().current(catalogue.game)
    except NoDatabase:
        return None


@blueprint.route("/metrics")
@blueprint.response(200, {"type": "string"}, content_type="text/plain", description="Prometheus text format.")
def metrics() -> Response:
    """Get the counters."""
    here = court()
    return Response(here.metrics.exposition(here.library.catalogue(game) for game in GAMES), content_type=MEDIA_TYPE)
