"""Reference data: rulesets, limits lists, their changes, and the open data as files."""

from __future__ import annotations

from datetime import date

import orjson
from flask import Response, request
from werkzeug.exceptions import NotFound

from api.open_data import change_record
from api.open_data.change_record import FEED_TYPE, RecordJSON, feed
from api.open_data.tables import NAMES, DataIndexJSON, digest, files, index
from api.service.answers.limit_answers import LimitsJSON, ListChangesJSON, describe_list, limits_json
from api.service.answers.ruleset_answers import (
    DifferencesJSON,
    RulesetsJSON,
    WholeRulesetJSON,
    comparison,
    ruleset_json,
    whole_ruleset_json,
)
from api.service.errors import Invalid, Wrong
from api.web import schemas
from api.web.blueprints import Blueprint
from api.web.components import SharedParameter
from api.web.responses import answer, cacheable_response, with_etag
from api.web.services import services
from api.web.v1.cards import GAME, check_game
from validator.errors import UnknownRuleset, error_sentence, error_text
from validator.games import GAMES
from validator.language import phrase
from validator.limits import GameLists
from validator.rulesets import Ruleset, find_ruleset, rulesets

rulesets_blueprint = Blueprint("rulesets", __name__, url_prefix="/v1/rulesets", description="What decks are judged by.")

_RULESET_ID = SharedParameter(
    "RulesetId",
    {
        "in": "path",
        "name": "id",
        "schema": {"type": "string", "example": "optcg-1.1.9"},
        "description": "One of `/v1/rulesets`.",
    },
)
rulesets_blueprint.after_request(with_etag)


@rulesets_blueprint.route("")
@rulesets_blueprint.look_up(RulesetsJSON)
def list_rulesets() -> Response:
    """List the rulesets."""
    shown: RulesetsJSON = {"rulesets": [ruleset_json(ruleset) for ruleset in rulesets().values()]}
    return answer(shown)


@rulesets_blueprint.route(
    "/<id>",
    parameters=[_RULESET_ID],
)
@rulesets_blueprint.look_up(WholeRulesetJSON)
@rulesets_blueprint.problems(404)
def show_ruleset(id: str) -> Response:
    """Show a ruleset with every rule, its values and its citation."""
    return answer(whole_ruleset_json(_find_ruleset(id)))


@rulesets_blueprint.route("/<id>/differences", parameters=[_RULESET_ID])
@rulesets_blueprint.arguments(schemas.AgainstQuery, location="query")
@rulesets_blueprint.look_up(DifferencesJSON)
@rulesets_blueprint.problems(404, 422)
def compare_rulesets(id: str, against: str) -> Response:
    """Show the differences of a ruleset from another edition of its game."""
    return answer(comparison(_find_ruleset(id), against).as_json(id))


def _find_ruleset(id: str) -> Ruleset:
    """Return the ruleset with an id. Raises NotFound (404) if there is none."""
    try:
        return find_ruleset(id)
    except UnknownRuleset as error:
        raise NotFound(error_text(error)) from None


limits_blueprint = Blueprint("limits", __name__, url_prefix="/v1/limits", description="The official limits lists.")
limits_blueprint.after_request(with_etag)


@limits_blueprint.route("/<game>", parameters=[GAME])
@limits_blueprint.arguments(schemas.LimitsQuery, location="query")
@limits_blueprint.look_up(LimitsJSON)
@limits_blueprint.problems(404, 422)
def show_limits(
    game: str, region: str, best_of: int | None, on: date | None = None, timezone: str | None = None
) -> Response:
    """Show the list in force on a day.

    The answer has banned cards (`limit` 0), restricted cards and banned pairs, each with its source and its days. It
    also has the blocks of the rotating format, with one source. `best_of` adds entries for matches of at most this
    number of games.
    """
    check_game(game)
    day = services().judges.day(on, region, timezone)
    try:
        shown = limits_json(services().library.lists(game), day.day, region, best_of)
    except ValueError as error:
        raise Invalid([Wrong("/region", error_sentence(error))]) from None
    if day.timezone:
        shown["timezone"] = day.timezone
    return answer(shown)


@limits_blueprint.route("/<game>/changes", parameters=[GAME])
@limits_blueprint.arguments(schemas.DayQuery, location="query")
@limits_blueprint.look_up(ListChangesJSON)
@limits_blueprint.problems(404, 422)
def list_limits_changes(game: str, region: str, on: date | None = None, timezone: str | None = None) -> Response:
    """List all changes of the list, the newest first.

    Each change has its effect on cards, its days and its source, and whether it is in force on the day.
    """
    check_game(game)
    day = services().judges.day(on, region, timezone)
    known = describe_list(services().library.lists(game), day.day, region)
    shown: ListChangesJSON = {
        "game": game,
        "region": region,
        "on": day.day,
        "known_to": known.listed.known_to,
        "changes": [change.as_json() for change in known.changes],
    }
    if day.timezone:
        shown["timezone"] = day.timezone
    return answer(shown)


changes_blueprint = Blueprint("changes", __name__, url_prefix="/v1/changes", description="What is new since a day.")
changes_feed_blueprint = Blueprint(
    "changes_feed", __name__, url_prefix="/v1/changes.atom", description="The same as a feed."
)


@changes_blueprint.route("")
@changes_blueprint.arguments(schemas.ChangesQuery, location="query")
@changes_blueprint.look_up(RecordJSON)
@changes_blueprint.problems(422)
def list_changes(since: date | None = None, game: str | None = None) -> Response:
    """List the changes that were announced or began on a day or later, the newest first.

    The changes are those of the official lists, editions of the rules, years of the rotation, first days of sale of
    sets, and the day of each catalogue. Changes announced for later days are included.
    """
    shown: RecordJSON = {"since": since, "changes": [change.as_json() for change in _changes(since, game)]}
    content = orjson.dumps(shown)
    return cacheable_response(content, "application/json", digest(content))


@changes_feed_blueprint.route("")
@changes_feed_blueprint.arguments(schemas.ChangesQuery, location="query")
@changes_feed_blueprint.look_up({"type": "string"}, content_type=FEED_TYPE, description="The feed, in English.")
@changes_feed_blueprint.problems(422)
def get_changes_feed(since: date | None = None, game: str | None = None) -> Response:
    """Get the changes as an Atom feed, the latest first."""
    content = feed(_changes(since, game), request.url)
    return cacheable_response(content, FEED_TYPE, digest(content))


def _changes(since: date | None, game: str | None) -> list[change_record.RecordedChange]:
    """Return the recorded changes since a day (None: all), the newest first. `game` None is all games."""
    library = services().library
    return change_record.changes(map(library.catalogue, GAMES), map(library.lists, GAMES), since, game)


data_blueprint = Blueprint("data", __name__, url_prefix="/v1/data", description="Open data, as files.")

_FILE = {
    "in": "path",
    "name": "file",
    "schema": {"type": "string", "enum": list(NAMES)},
    "description": "A table as `json` or `csv`, or its JSON Schema as `schema.json`.",
}
_MEDIA_TYPES = ("application/json", "text/csv; charset=utf-8", "application/schema+json")


@data_blueprint.route("")
@data_blueprint.look_up(DataIndexJSON)
def list_data_tables() -> Response:
    """List the tables, each with the addresses of its files.

    These addresses contain a digest of the content, so their files may be cached forever. Without the digest, a file
    has to be revalidated by its `ETag`.
    """
    content = orjson.dumps(index(_lists(), data_blueprint.url_prefix))
    return cacheable_response(content, "application/json", digest(content))


@data_blueprint.route("/<file>", parameters=[_FILE])
@data_blueprint.doc(responses={200: {"content": {kind: {"schema": {}} for kind in _MEDIA_TYPES}}})
@data_blueprint.arguments(schemas.DataQuery, location="query")
@data_blueprint.look_up(description="The file.")
@data_blueprint.problems(404, 422)
def get_data_file(file: str, v: str = "") -> Response:
    """Get a table as JSON or as CSV, or its schema."""
    found = files(_lists()).get(file)
    if found is None:
        raise NotFound(phrase("There is no such file; there are {files}.", files=", ".join(NAMES)))
    return cacheable_response(found.content, found.media_type, found.digest)


def _lists() -> tuple[GameLists, ...]:
    """Return the current official limits lists, one GameLists for each game, in the order of GAMES."""
    return tuple(map(services().library.lists, GAMES))
