"""Rulesets: the editions of the rules, with every rule and where it is written."""

from __future__ import annotations

from flask import Response
from werkzeug.exceptions import NotFound

from api.service.answers.ruleset_answers import (
    DifferencesJSON,
    RulesetsJSON,
    WholeRulesetJSON,
    comparison,
    ruleset_json,
    whole_ruleset_json,
)
from api.web import schemas
from api.web.blueprints import Blueprint
from api.web.components import SharedParameter
from api.web.responses import named_by_content
from api.web.services import answer
from validator.errors import UnknownRuleset
from validator.rulesets import Ruleset, named, rulesets

blueprint = Blueprint("rulesets", __name__, url_prefix="/v1/rulesets", description="What decks are judged by.")

_ID = SharedParameter(
    "RulesetId",
    {
        "in": "path",
        "name": "id",
        "schema": {"type": "string", "example": "optcg-1.1.9"},
        "description": "One of `/v1/rulesets`.",
    },
)
blueprint.after_request(named_by_content)


@blueprint.route("")
@blueprint.look_up(RulesetsJSON)
def list_rulesets() -> Response:
    """List the rulesets."""
    shown: RulesetsJSON = {"rulesets": [ruleset_json(ruleset) for ruleset in rulesets().values()]}
    return answer(shown)


@blueprint.route(
    "/<id>",
    parameters=[_ID],
)
@blueprint.look_up(WholeRulesetJSON)
@blueprint.problems(404)
def show_ruleset(id: str) -> Response:
    """Show a ruleset with every rule, its values and its citation."""
    return answer(whole_ruleset_json(_known(id)))


@blueprint.route("/<id>/differences", parameters=[_ID])
@blueprint.arguments(schemas.AgainstQuery, location="query")
@blueprint.look_up(DifferencesJSON)
@blueprint.problems(404, 422)
def compare_rulesets(id: str, against: str) -> Response:
    """Show in which statements a ruleset differs from another edition of its game."""
    return answer(comparison(_known(id), against).as_json(id))


def _known(id: str) -> Ruleset:
    try:
        return named(id)
    except UnknownRuleset as error:
        raise NotFound(str(error)) from None
