"""The reference pages: cards, the official limits lists of a game, and the editions of its rules.

Their queries are read by the shapes of `/v1`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any, NamedTuple

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from api.service.answers.card_answers import FoundCards, describe_card, find_card, search
from api.service.answers.limit_answers import ListAnswer, describe_list
from api.service.answers.ruleset_answers import days_in_force, describe_ruleset
from api.service.errors import Invalid
from api.service.languages import own_name
from api.service.shapes import DayField, Loaded, Shape, load_with
from api.web.pages.deck_form import find_repeated
from api.web.pages.rendering import Page, current_visit, link, render_response
from api.web.schemas import CardsQuery, DayQuery, StandingQuery
from api.web.services import services
from api.web.v1.cards import check_game
from carddb import foreign_names
from carddb.catalogue import Catalogue
from carddb.official_pages import official_page
from validator.errors import UnknownRuleset, error_text
from validator.games import GAMES
from validator.language import ENGLISH, Language
from validator.rulesets import Ruleset, find_ruleset, rulesets, successive


class LookUp(NamedTuple):
    """The parsed query of a page: values by field (`asked`), and error messages by query parameter (`faults`).

    `asked` has the names of the schema's fields, which may differ from those in the query. A field with an error is not
    in `asked`, or has its default there.
    """

    asked: Loaded
    faults: dict[str, str]

    @property
    def status(self) -> int:
        """The HTTP status of the page: 422 if a field is wrong, else 200."""
        return 422 if self.faults else 200


class CardsForm(CardsQuery):
    """The query of the card search page: that of GET /v1/cards, but `game` is optional and the page size is fixed."""

    def __init__(self) -> None:
        """Create the schema without `page_size`, and make `game` optional."""
        super().__init__(exclude=("page_size",))
        self.fields["game"].required = False


class ListForm(DayQuery):
    """The query of a limits list page: a day, a region, and two days to compare.

    These are `from` and `to`, loaded as `first` and `last`.
    """

    first = DayField(data_key="from")
    last = DayField(data_key="to")


def read_query(shape: Shape) -> LookUp:
    """Return the query of the current request, loaded by a schema. It never raises: wrong fields are in `faults`.

    Blank and unknown fields are ignored. A field that was sent twice is wrong.
    """
    names = {field.data_key or name for name, field in shape.fields.items()}
    faults = find_repeated(names)
    given = {name: value for name, value in request.args.items() if name in names - faults.keys() and value.strip()}
    try:
        return LookUp(load_with(shape, given), faults)
    except Invalid as error:
        faults |= {wrong.pointer.strip("/"): wrong.detail for wrong in error.errors}
    return LookUp(load_with(shape, {name: given[name] for name in given if name not in faults}), faults)


cards_blueprint = Blueprint("card_pages", __name__)
CARDS = Page(cards_blueprint, "/cards", lambda translate: translate("Cards"))
PAGE_SIZE = 50


@cards_blueprint.get("/cards")
def find_cards() -> Response:
    """Return the page of the card search, with the found cards.

    Nothing is searched if the query has neither a game nor words to search for.
    """
    read = read_query(CardsForm())
    asked = dict(read.asked)
    page, game = asked.pop("page"), asked.pop("game", None)
    found = search(services().library, game, asked, (page - 1) * PAGE_SIZE, PAGE_SIZE) if asked or game else None
    return _search_page(read, found, page, read.status)


@cards_blueprint.get("/cards/<game>/<path:number>")
def one_card(game: str, number: str) -> Response:
    """Return the page of a card with its legality on a day, by default today. `number` may also be a name.

    For an unknown card return the search page with similar cards and status 404. Raises NotFound for an unknown game.
    """
    check_game(game)
    catalogue = services().library.catalogue(game)
    card = find_card(catalogue, number)
    if card is None:
        near = list(catalogue.suggest(number))
        return _search_page(LookUp({"game": game, "q": number[:100]}, {}), FoundCards([], 0, near), 1, 404)
    read = read_query(StandingQuery())
    day = services().judges.day(read.asked.get("on"), timezone=read.asked.get("timezone")).day
    known = describe_card(card, day, catalogue, services().library.lists(game))
    return render_response(
        "card.html",
        read.status,
        known=known,
        official_page=official_page(card),
        catalogue=catalogue,
        names=[(code, own_name(code), name) for code, name in foreign_names.foreign_names_of(card).items()],
        faults=read.faults,
        games=GAMES,
        written=request.args,
    )


def _search_page(look_up: LookUp, search_result: FoundCards | None, page: int, status: int) -> Response:
    """Return the page of the card search with the typed form and the errors of its fields.

    `search_result` None: nothing was searched. `page` is the number of the shown page, from 1.
    """
    catalogues = {game: services().library.catalogue(game) for game in GAMES}
    game = look_up.asked.get("game")
    among = [catalogues[game]] if game else list(catalogues.values())
    return render_response(
        "cards.html",
        status,
        asked=look_up.asked,
        written=request.args,
        faults=look_up.faults,
        found=search_result,
        page=page,
        pages=-(-search_result.total // PAGE_SIZE) if search_result else 0,
        catalogues=catalogues,
        choices=_search_options(among, current_visit().translate),
        narrowed=not {"color", "type", "block", "set", "text"}.isdisjoint({*look_up.asked, *look_up.faults}),
        turned=_page_address,
        games=GAMES,
    )


def _search_options(catalogues: list[Catalogue], translate: Language) -> dict[str, Any]:
    """Return the options of the search form by field, from the catalogues to search. Sets only for a single catalogue.

    `has_texts` is True if a catalogue has the texts of cards.
    """
    return {
        "game": [(one.id, one.title) for one in GAMES.values()],
        "color": _labelled_options((GAMES[one.game].colors for one in catalogues), translate),
        "type": _labelled_options((GAMES[one.game].types for one in catalogues), translate),
        "block": _labelled_options(one.blocks for one in catalogues),
        "set": _labelled_options(one.sets for one in catalogues) if len(catalogues) == 1 else [],
        "has_texts": any(one.has_texts for one in catalogues),
    }


def _labelled_options(lists: Iterable[Iterable[str]], translate: Language = ENGLISH) -> list[tuple[str, str]]:
    """Return the values of several lists, each once in order of appearance, as pairs `(value, label in a language)`."""
    return [(one, translate.template(one)) for one in dict.fromkeys(chain.from_iterable(lists))]


def _page_address(page: int) -> str:
    """Return the address of another page of the current search. `page` is its number."""
    return link("/cards", **(request.args.to_dict() | {"page": str(page)}))


limit_lists_blueprint = Blueprint("limit_pages", __name__)
LIMITS = Page(limit_lists_blueprint, "/limits", lambda translate: translate("Limits"))
_REGION = "en"  # every list has it


@limit_lists_blueprint.get("/limits")
def every_list() -> Response:
    """Return the page with all games, and for each its limits list in force today in the region "en"."""
    today = services().judges.today().day
    return render_response(
        "limits.html",
        lists={game: services().library.lists(game).listed.in_force_on(today) for game in GAMES},
        games=GAMES,
    )


@limit_lists_blueprint.get("/limits/<game>")
def one_list(game: str) -> Response:
    """Return the page of a game's limits list on a day and in a region, with its changes.

    An unknown region is an error at its field, and the list of region "en" is shown. Raises NotFound for an unknown
    game.
    """
    check_game(game)
    read = read_query(ListForm())
    try:
        known = _find_list(game, read)
    except Invalid as error:
        read = LookUp(read.asked | {"region": _REGION}, read.faults | {"region": error.errors[0].detail})
        known = _find_list(game, read)
    translate = current_visit().translate
    regions = [(code, translate.template(says)) for code, says in known.listed.regions.items()]
    return render_response(
        "limits_list.html",
        read.status,
        known=known,
        regions=regions,
        game=GAMES[game],
        written=request.args,
        faults=read.faults,
    )


def _find_list(game: str, look_up: LookUp) -> ListAnswer:
    """Return the limits list of a game on the day (default: today) and in the region of the query, with its changes.

    Raises Invalid for an unknown region.
    """
    asked = look_up.asked
    on = services().judges.day(asked.get("on"), asked["region"], asked.get("timezone")).day
    return describe_list(services().library.lists(game), on, asked["region"], asked.get("first"), asked.get("last"))


rules_blueprint = Blueprint("rule_pages", __name__)
RULES = Page(rules_blueprint, "/rules", lambda translate: translate("Rules"))


@rules_blueprint.get("/rules")
def every_ruleset() -> Response:
    """Return the page with the editions of each game's rules, the newest first. Superseded editions come last."""
    days = {id: days_in_force(one) for id, one in rulesets().items()}
    editions = {game: [*reversed(successive(game)), *_superseded_editions(game)] for game in GAMES}
    return render_response("rules.html", editions=editions, days=days, games=GAMES)


def _superseded_editions(game: str) -> list[Ruleset]:
    """Return the editions of a game's rules that another edition replaces for the same days."""
    return [one for one in rulesets().values() if one.game == game and one.superseded_by]


@rules_blueprint.get("/rules/<id>")
def one_ruleset(id: str) -> Response:
    """Return the page of an edition of the rules, with its differences from the edition `against` in the query.

    An unknown `against` is an error at its field (422). Raises NotFound if there is no edition `id`.
    """
    try:
        ruleset = find_ruleset(id)
    except UnknownRuleset as error:
        raise NotFound(error_text(error)) from None
    against, faults = request.args.get("against"), find_repeated(("against",))
    try:
        known = describe_ruleset(ruleset, against)
    except Invalid as error:
        known, faults = describe_ruleset(ruleset), {"against": error.errors[0].detail}
    return render_response(
        "ruleset.html",
        422 if faults else 200,
        known=known,
        others=[(one.id, one.title) for one in known.others],
        against=against,
        faults=faults,
        written=request.args,
        games=GAMES,
    )
