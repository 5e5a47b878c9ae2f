"""The rules' pages: every edition, all that one says, and in what it differs from another."""

from __future__ import annotations

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from api.service.answers.ruleset_answers import days_in_force, known_of_ruleset
from api.service.errors import Invalid
from api.web.pages.look_up import find_repeated
from api.web.pages.rendering import Page, rendered
from validator.errors import UnknownRuleset
from validator.games import GAMES
from validator.rulesets import Ruleset, named, rulesets, successive

blueprint = Blueprint("rule_pages", __name__)
PAGE = Page(blueprint, "/rules", lambda say: say("Rules"))


@blueprint.get("/rules")
def every_ruleset() -> Response:
    """Get the editions of each game, the newest first."""
    days = {id: days_in_force(one) for id, one in rulesets().items()}
    editions = {game: [*reversed(successive(game)), *_superseded(game)] for game in GAMES}
    return rendered("rules.html", editions=editions, days=days, games=GAMES)


def _superseded(game: str) -> list[Ruleset]:
    return [one for one in rulesets().values() if one.game == game and one.superseded_by]


@blueprint.get("/rules/<id>")
def one_ruleset(id: str) -> Response:
    """Get every statement of an edition, and where another is named, in what it differs."""
    try:
        ruleset = named(id)
    except UnknownRuleset as error:
        raise NotFound(str(error)) from None
    against, faults = request.args.get("against"), find_repeated(("against",))
    try:
        known = known_of_ruleset(ruleset, against)
    except Invalid as error:
        known, faults = known_of_ruleset(ruleset), {"against": error.errors[0].detail}
    return rendered(
        "ruleset.html",
        422 if faults else 200,
        known=known,
        others=[(one.id, one.title) for one in known.others],
        against=against,
        faults=faults,
        written=request.args,
        games=GAMES,
    )
