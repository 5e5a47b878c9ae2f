"""The cards' pages: a search, and all that is known of one card."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

from flask import Blueprint, Response, request

from api.service.answers.card_answers import FoundCards, card_of, known_of, search
from api.service.languages import own_name
from api.web.pages.look_up import CardsForm, LookUp, looked_up
from api.web.pages.rendering import Page, here, link, rendered
from api.web.schemas import StandingQuery
from api.web.services import services
from api.web.v1.cards import known_game
from carddb import foreign_names
from carddb.catalogue import Catalogue
from validator.games import GAMES
from validator.language import ENGLISH, Language

blueprint = Blueprint("card_pages", __name__)
PAGE = Page(blueprint, "/cards", lambda say: say("Cards"))
PAGE_SIZE = 50


@blueprint.get("/cards")
def find_cards() -> Response:
    """Get the search, and what it finds."""
    read = looked_up(CardsForm())
    asked = dict(read.asked)
    page, game = asked.pop("page"), asked.pop("game", None)
    found = search(services().library, game, asked, (page - 1) * PAGE_SIZE, PAGE_SIZE) if asked or game else None
    return _searched(read, found, page, read.status)


@blueprint.get("/cards/<game>/<path:number>")
def one_card(game: str, number: str) -> Response:
    """Get what is known of a card, as of today or of another day."""
    known_game(game)
    catalogue = services().library.catalogue(game)
    card = card_of(catalogue, number)
    if card is None:
        near = list(catalogue.suggest(number))
        return _searched(LookUp({"game": game, "q": number[:100]}, {}), FoundCards([], 0, near), 1, 404)
    read = looked_up(StandingQuery())
    day = services().judges.day(read.asked.get("on"), timezone=read.asked.get("timezone")).day
    known = known_of(card, day, catalogue)
    return rendered(
        "card.html",
        read.status,
        known=known,
        catalogue=catalogue,
        names=[(code, own_name(code), name) for code, name in foreign_names.of(card).items()],
        faults=read.faults,
        games=GAMES,
        written=request.args,
    )


def _searched(read: LookUp, found: FoundCards | None, page: int, status: int) -> Response:
    catalogues = {game: services().library.catalogue(game) for game in GAMES}
    game = read.asked.get("game")
    among = [catalogues[game]] if game else list(catalogues.values())
    return rendered(
        "cards.html",
        status,
        asked=read.asked,
        written=request.args,
        faults=read.faults,
        found=found,
        page=page,
        pages=-(-found.total // PAGE_SIZE) if found else 0,
        catalogues=catalogues,
        choices=_choices(among, here().say),
        narrowed=not {"color", "type", "block", "set", "text"}.isdisjoint({*read.asked, *read.faults}),
        turned=_turned,
        games=GAMES,
    )


def _choices(among: list[Catalogue], say: Language) -> dict[str, Any]:
    """Return what there is to choose from in some catalogues; sets only of one, for those of all would be too many."""
    return {
        "game": [(one.id, one.title) for one in GAMES.values()],
        "color": _each((GAMES[one.game].colors for one in among), say),
        "type": _each((GAMES[one.game].types for one in among), say),
        "block": _each(one.blocks for one in among),
        "set": _each(one.sets for one in among) if len(among) == 1 else [],
        "has_texts": any(one.has_texts for one in among),
    }


def _each(lists: Iterable[Iterable[str]], say: Language = ENGLISH) -> list[tuple[str, str]]:
    """Return each choice once, with what it is called."""
    return [(one, say.template(one)) for one in dict.fromkeys(chain.from_iterable(lists))]


def _turned(page: int) -> str:
    """Return the address of another page of this search."""
    return link("/cards", **(request.args.to_dict() | {"page": str(page)}))
