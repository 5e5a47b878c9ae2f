"""Rulesets: the editions of the rules, with every rule and where it is written."""

from __future__ import annotations

from typing import Any

from flask import Response
from werkzeug.exceptions import NotFound

from api.service.answers import serializers
from api.service.answers.ruleset_answers import comparison
from api.web import schemas
from api.web.blueprints import Blueprint
from api.web.look_ups import named_by_content
from api.web.services import answer
from validator.errors import UnknownRuleset
from validator.rulesets import Ruleset, named, rulesets

blueprint = Blueprint("rulesets", __name__, url_prefix="/v1/rulesets", description="What decks are judged by.")

_ID = {
    "in": "path",
    "name": "id",
    "schema": {"type": "string", "example": "optcg-1.1.9"},
    "description": "One of `/v1/rulesets`.",
}
blueprint.after_request(named_by_content)


@blueprint.route("")
@blueprint.look_up(schemas.RulesetsShape)
def list_rulesets() -> Response:
    """List the rulesets."""
    return answer({"rulesets": [serializers.ruleset(one) for one in rulesets().values()]})


@blueprint.route(
    "/<id>",
    parameters=[_ID],
)
@blueprint.look_up(schemas.WholeRulesetShape)
@blueprint.problems(404)
def show_ruleset(id: str) -> Response:
    """Show a ruleset with every rule, its values and its citation."""
    return answer(serializers.whole_ruleset(_known(id)))


@blueprint.route("/<id>/differences", parameters=[_ID])
@blueprint.arguments(schemas.AgainstQuery, location="query")
@blueprint.look_up(schemas.DifferencesShape)
@blueprint.problems(404, 422)
def show_differences(query: dict[str, Any], id: str) -> Response:
    """Show in which statements a ruleset differs from another edition of its game."""
    compared = comparison(_known(id), query["against"])
    return answer({"ruleset": id} | compared.as_dict())


def _known(id: str) -> Ruleset:
    try:
        return named(id)
    except UnknownRuleset as error:
        raise NotFound(str(error)) from None
