"""The pages of who is expected: the kept list of players, pasted or of a spreadsheet, and who of them is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Response

from api.events.expected_players import ExpectedPlayer, named
from api.events.registration_desk import Standing
from api.service.errors import Declined, Invalid, Wrong
from api.sheets.registration import LONGEST
from api.web.pages.events.event_pages import refusal, standing_words
from api.web.pages.events.event_visitor import blueprint, data_of, led_to, once, shown, visiting
from api.web.pages.events.pasted_players import pasted_names, pasted_text, sent_players
from api.web.pages.rendering import is_opened
from api.web.services import services
from validator.language import phrase

_MOST = LONGEST["player"]


@blueprint.get("/events/<id>/expected")
def expected(id: str) -> Response:
    """Show who is expected and who of them has registered, with the forms that say so."""
    return _expected_page(visiting("expected", id))


@blueprint.post("/events/<id>/expected")
def expect(id: str) -> Response:
    """Keep the players that were pasted, a line a name, in place of those before."""
    at, pasted, desk = visiting("expect", id), pasted_text(), services().desk
    if is_opened():
        return _expected_page(at, pasted)
    before = [ExpectedPlayer(one["player"], one["player_id"], one["email"]) for one in _kept(at)["players"]]
    try:
        desk.expect(at, named(_names(pasted), before), once())
    except (Invalid, Declined) as error:
        return _expected_page(at, pasted, error)
    return led_to(f"/events/{id}/expected")


@blueprint.post("/events/<id>/expected/import")
def expect_book(id: str) -> Response:
    """Keep the players of a spreadsheet, with ids and addresses; nobody is registered by it."""
    at, desk = visiting("expect_book", id), services().desk
    if is_opened():
        return _expected_page(at)
    try:
        book = sent_players(at)
        desk.expect_book(at, book, once())
    except (Invalid, Declined) as error:
        return _expected_page(at, error=error)
    return _expected_page(at, unread=[one.message for one in book.faults])


def _names(pasted: str) -> list[str]:
    names = pasted_names(pasted)
    for number, name in enumerate(names, 1):
        if len(name) > _MOST:
            says = phrase("Name {number} has more than {most} characters.", number=number, most=_MOST)
            raise Invalid([Wrong("/players", says)])
    return names


def _kept(at: Standing) -> dict[str, Any]:
    kept: dict[str, Any] = data_of(services().desk.expected(at))
    return kept


def _expected_page(
    at: Standing, pasted: str | None = None, error: Invalid | Declined | None = None, unread: Sequence[str] = ()
) -> Response:
    """Return the page of who is expected; what was pasted stands there as it was, else the names that are kept."""
    players, (status, faults) = _kept(at)["players"], refusal(error)
    words = standing_words(at, services().desk.now()) | {
        "faults": faults,
        "pasted": "\n".join(one["player"] for one in players) if pasted is None else pasted,
        "away": [one for one in players if not one["registered"]],
        "there": [one for one in players if one["registered"]],
        "unread": unread,
    }
    return shown("events/expected.html", status, **words)
