"""The limits' pages: the official list of a game on a day, all its changes, and what two days have other."""

from __future__ import annotations

from flask import Blueprint, Response, request

from api.service.limit_answers import known_of_list
from api.web.pages.look_up import ListForm, LookUp, looked_up
from api.web.pages.rendering import Page, rendered
from api.web.services import services
from api.web.v1.paths import known_game
from validator import limits
from validator.games import GAMES

blueprint = Blueprint("limit_pages", __name__)
PAGE = Page(blueprint, "/limits", lambda say: say("Limits"))


@blueprint.get("/limits")
def every_list() -> Response:
    """Get which games have a list, and since when the one of today is in force."""
    today = services().judges.today()
    return rendered("limits.html", lists={game: limits.load(game).on(today) for game in GAMES}, games=GAMES)


@blueprint.get("/limits/<game>")
def one_list(game: str) -> Response:
    """Get the list of a game on a day."""
    known_game(game)
    read = _with_region(game, looked_up(ListForm()))
    asked, today = read.asked, services().judges.today()
    known = known_of_list(game, asked.get("on") or today, asked["region"], asked.get("first"), asked.get("last"))
    return rendered(
        "limits_list.html", read.status, known=known, game=GAMES[game], today=today, written=request.args,
        faults=read.faults,
    )  # fmt: skip


def _with_region(game: str, read: LookUp) -> LookUp:
    """Return a look-up of a region that the list has, another one said to be wrong."""
    regions = limits.load(game).regions
    if read.asked["region"] in regions:
        return read
    known = ", ".join(regions)
    fault = {"region": f"There is no such region; there are {known}."}
    return LookUp(read.asked | {"region": next(iter(regions))}, read.faults | fault)
