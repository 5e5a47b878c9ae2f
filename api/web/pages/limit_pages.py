"""The limits' pages: the official list of a game on a day, all its changes, and what two days have other."""

from __future__ import annotations

from flask import Blueprint, Response, request

from api.service.answers.limit_answers import ListAnswer, known_of_list
from api.service.errors import Invalid
from api.web.pages.look_up import ListForm, LookUp, looked_up
from api.web.pages.rendering import Page, here, rendered
from api.web.services import services
from api.web.v1.cards import known_game
from validator import limits
from validator.games import GAMES

blueprint = Blueprint("limit_pages", __name__)
PAGE = Page(blueprint, "/limits", lambda say: say("Limits"))
_REGION = "en"  # every list has it


@blueprint.get("/limits")
def every_list() -> Response:
    """Get which games have a list, and since when the one of today is in force."""
    today = services().judges.today().day
    return rendered("limits.html", lists={game: limits.load(game).on(today) for game in GAMES}, games=GAMES)


@blueprint.get("/limits/<game>")
def one_list(game: str) -> Response:
    """Get the list of a game on a day."""
    known_game(game)
    read = looked_up(ListForm())
    try:
        known = _known(game, read)
    except Invalid as error:
        read = LookUp(read.asked | {"region": _REGION}, read.faults | {"region": error.errors[0].detail})
        known = _known(game, read)
    say = here().say
    regions = [(code, say.template(says)) for code, says in known.listed.regions.items()]
    return rendered(
        "limits_list.html",
        read.status,
        known=known,
        regions=regions,
        game=GAMES[game],
        written=request.args,
        faults=read.faults,
    )


def _known(game: str, read: LookUp) -> ListAnswer:
    asked = read.asked
    on = services().judges.day(asked.get("on"), asked["region"], asked.get("timezone")).day
    return known_of_list(game, on, asked["region"], asked.get("first"), asked.get("last"))
