"""The check page: is this deck legal, why not, when and where is it, and what would mend it?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from flask import Blueprint, Response, request

from api.service.answers.decklist_answers import side_by_side
from api.service.answers.timeline_answers import outlook
from api.service.bounds import MOST_SHOWN
from api.service.errors import Invalid, Wrong
from api.service.requests import Asked, RepairRequest, TimelineRequest, Validation
from api.service.shapes import BEFORE
from api.sheets.sheet import cost_curve
from api.web.pages.deck_form import DeckForm, choices
from api.web.pages.rendering import Page, here, is_unsubmitted, page_blueprints, rendered, wants_fragment
from api.web.schemas import EXAMPLE_DECKLIST
from api.web.services import services
from validator.account import group_findings, is_unjudgeable
from validator.deck import Deck
from validator.decklists import FORMATS
from validator.judge import Verdict
from validator.language import Language, phrase
from validator.rulesets import rulesets
from validator.words import terms

blueprint = Blueprint("check_page", __name__)
PAGE = Page(blueprint, "/", lambda say: say("Check"))

_PLAIN = "text"  # the format of lists that anybody reads
_FORMATS = tuple((one.name, one.title) for one in FORMATS.values() if one.write)
# A deck that is legal, one that is not, one of invented cards.
EXAMPLES = (EXAMPLE_DECKLIST, EXAMPLE_DECKLIST + EXAMPLE_DECKLIST.splitlines(True)[1], BEFORE)


@blueprint.route("/", methods=["GET", "POST"])
def check() -> Response:
    """Judge the deck of the form, or return the empty form."""
    form = DeckForm.read()
    if is_unsubmitted() and not form.text.strip():
        return _page(form)
    try:
        return _page(form, verdict=_judge(*_read_deck(form)))
    except Invalid as error:
        return _show_faults(form, error)


@blueprint.post("/check/when")
def when() -> Response:
    """Return the days and the regions in which the deck of the form is legal."""
    return _answer_piece("when", lambda asked, deck: outlook(services().judges, TimelineRequest(asked, deck)))


@blueprint.post("/check/repair")
def repair() -> Response:
    """Return the fewest changes that make the deck of the form legal."""

    def find_repair(asked: Asked, deck: Deck) -> object:
        return services().judges.repair(RepairRequest(Validation(asked, deck, None, False), ()))

    return _answer_piece("repair", find_repair)


@blueprint.post("/check/write")
def write() -> Response:
    """Return the deck of the form in another format, or the reason why the format cannot have it."""

    def write_deck(asked: Asked, deck: Deck) -> object:
        judges = services().judges
        try:
            return {"text": judges.write(deck, _wanted_format(), judges.judge(asked).catalogue.game)}
        except Invalid as error:
            return {"fault": error.detail}

    return _answer_piece("written", write_deck)


def _wanted_format() -> str:
    named = request.form.get("to", _PLAIN)
    return named if named in FORMATS else _PLAIN


def _read_deck(form: DeckForm) -> tuple[Asked, Deck]:
    """Return the terms and the deck of a form. Raises Invalid, pointing at each field that is wrong."""
    asked = form.asked
    ruleset = rulesets().get(asked.ruleset or "")
    parsed = services().judges.read_deck(form.data, ruleset.game if ruleset else asked.game)
    if not any(parsed.deck.lines()):
        raise Invalid([Wrong("/decklist", _no_card(parsed.deck))])
    return (asked if asked.ruleset else asked._replace(game=parsed.game)), parsed.deck


def _no_card(deck: Deck) -> str:
    if not deck.unread:
        return phrase("No card could be read in this; a line is a count and a card, such as 4 NUMBER Name.")
    first = deck.unread[0]
    return phrase(
        "No card could be read in this (line {line}: {why}); a line is a count and a card, such as 4 NUMBER Name.",
        line=first.at,
        why=first.reason,
    )


def _judge(asked: Asked, deck: Deck) -> Verdict:
    here = services()
    verdict = here.judges.judge(asked)(deck)
    here.metrics.count_verdict(verdict)
    return verdict


def _answer_piece(piece: str, found: Callable[[Asked, Deck], object]) -> Response:
    """Return a piece of the page: alone if a script asks for it, else with the verdict."""
    form = DeckForm.read()
    try:
        asked, deck = _read_deck(form)
        more: dict[str, Any] = {piece: found(asked, deck)}
        return _page(form, piece=piece, verdict=None if wants_fragment() else _judge(asked, deck), **more)
    except Invalid as error:
        return _show_faults(form, error)


def _show_faults(form: DeckForm, error: Invalid) -> Response:
    """Return the page with each fault at its field."""
    return _page(form, 422, faults={one.pointer.rpartition("/")[2]: one.detail for one in error.errors})


def _page(form: DeckForm, /, status: int = 200, piece: str = "result", **shown: Any) -> Response:
    """Return the page, or a piece of it, with some values."""
    verdict: Verdict | None = shown.get("verdict")
    values = _verdict_values(form, verdict) if verdict else {}
    nothing = dict.fromkeys(("verdict", "when", "repair", "written"))
    plain = {
        "form": form,
        "choices": choices(here().say),
        "examples": EXAMPLES,
        "formats": _FORMATS,
        "to": _wanted_format(),
    }
    return rendered("check.html", status, piece, **(plain | {"faults": {}} | nothing | values | shown))


def _verdict_values(form: DeckForm, verdict: Verdict) -> dict[str, Any]:
    account, pages = group_findings(verdict, here().say), page_blueprints()
    lines = side_by_side(form.text, verdict.facts, account.findings)
    return {
        "account": account,
        "is_judged": verdict.legal or not is_unjudgeable(verdict),
        "lines": lines[:MOST_SHOWN],
        "more_lines": max(0, len(lines) - MOST_SHOWN),
        "charts": _charts(verdict, here().say),
        "sizes": tuple(verdict.facts.sizes.items()),
        "has_cards": "card_pages" in pages,
        "has_sheets": "sheet_page" in pages,
    }


class _Bar(NamedTuple):
    """The number of cards of a kind. `width` is that of the bar, in percent of the longest."""

    label: str
    cards: int
    width: int


class _Charts(NamedTuple):
    """The main deck by cost, type and colour. There are no bars if nothing is known."""

    costs: list[_Bar]
    types: list[_Bar]
    colors: list[_Bar]


def _charts(verdict: Verdict, translate: Language) -> _Charts:
    """Return the charts of a deck, labelled in a language."""
    types: Counter[str] = Counter()
    colors: Counter[str] = Counter()
    for card, copies in verdict.facts.main.items():
        types[translate.template(card.type)] += copies
        if card.colors:
            colors["/".join(terms(card.colors, translate))] += copies
    return _Charts(_bars(cost_curve(verdict)), _bars(types.most_common()), _bars(colors.most_common()))


def _bars(counts: Iterable[tuple[str, int]]) -> list[_Bar]:
    counted = list(counts)
    longest = max((count for _, count in counted), default=0)
    return [_Bar(label, count, round(100 * count / longest)) for label, count in counted] if longest else []
