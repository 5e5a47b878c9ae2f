"""Rulesets: the editions of the rules, with every rule and where it is written."""

from __future__ import annotations

from flask import Response
from werkzeug.exceptions import NotFound

from api.service import serializers
from api.web import schemas
from api.web.bodies import Blueprint
from api.web.services import answer
from validator.errors import UnknownRuleset
from validator.rulesets import named, rulesets

blueprint = Blueprint("rulesets", __name__, url_prefix="/v1/rulesets", description="What decks are judged by.")


@blueprint.route("")
@blueprint.response(200, schemas.RulesetsShape)
def list_rulesets() -> Response:
    """List the rulesets."""
    return answer({"rulesets": [serializers.ruleset(one) for one in rulesets().values()]})


@blueprint.route(
    "/<id>",
    parameters=[
        {
            "in": "path",
            "name": "id",
            "schema": {"type": "string", "example": "optcg-1.1.9"},
            "description": "One of `/v1/rulesets`.",
        }
    ],
)
@blueprint.response(200, schemas.WholeRulesetShape)
@blueprint.problems(404)
def show_ruleset(id: str) -> Response:
    """Show a ruleset with every rule, its values and its citation."""
    try:
        ruleset = named(id)
    except UnknownRuleset as error:
        raise NotFound(str(error)) from None
    return answer(serializers.whole_ruleset(ruleset))
