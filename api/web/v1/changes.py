"""Changes: what is new in lists, editions, rotations, sets and catalogues since a day."""

from __future__ import annotations

from datetime import date

import orjson
from flask import Response, request

from api.open_data import change_record
from api.open_data.change_record import FEED_TYPE, RecordJSON, feed
from api.open_data.tables import digest
from api.web import schemas
from api.web.blueprints import Blueprint
from api.web.responses import kept_as
from api.web.services import services
from validator.games import GAMES

blueprint = Blueprint("changes", __name__, url_prefix="/v1/changes", description="What is new since a day.")
feed_blueprint = Blueprint("changes_feed", __name__, url_prefix="/v1/changes.atom", description="The same as a feed.")


@blueprint.route("")
@blueprint.arguments(schemas.ChangesQuery, location="query")
@blueprint.look_up(RecordJSON)
@blueprint.problems(422)
def list_changes(since: date | None = None, game: str | None = None) -> Response:
    """List what became known, or began, on a day or later, the newest first.

    Changes of the official lists, editions of the rules, years of the rotation, first days of sale of sets, and the day
    of each catalogue. What is announced for days to come is there as well.
    """
    shown: RecordJSON = {"since": since, "changes": [change.as_json() for change in _changes(since, game)]}
    content = orjson.dumps(shown)
    return kept_as(content, "application/json", digest(content))


@feed_blueprint.route("")
@feed_blueprint.arguments(schemas.ChangesQuery, location="query")
@feed_blueprint.look_up({"type": "string"}, content_type=FEED_TYPE, description="The feed, in English.")
@feed_blueprint.problems(422)
def get_changes_feed(since: date | None = None, game: str | None = None) -> Response:
    """Get the changes as an Atom feed, what became known last first."""
    content = feed(_changes(since, game), request.url)
    return kept_as(content, FEED_TYPE, digest(content))


def _changes(since: date | None, game: str | None) -> list[change_record.RecordedChange]:
    catalogues = map(services().library.catalogue, GAMES)
    return change_record.changes(catalogues, since, game)
