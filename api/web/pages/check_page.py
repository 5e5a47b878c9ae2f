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
from api.web.pages.rendering import Page, asks_for_a_piece, here, is_opened, of_pages, rendered
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
    """Judge the deck of the form; show the form alone where nothing is in it yet."""
    form = DeckForm.read()
    if is_opened() and not form.text.strip():
        return _page(form)
    try:
        return _page(form, verdict=_verdict(*_given(form)))
    except Invalid as error:
        return _refused(form, error)


@blueprint.post("/check/when")
def when() -> Response:
    """Tell over which days, and where, the deck of the form is legal."""
    return _more("when", lambda asked, deck: outlook(services().judges, TimelineRequest(asked, deck)))


@blueprint.post("/check/repair")
def repair() -> Response:
    """Tell the fewest changes that make the deck of the form legal."""

    def mended(asked: Asked, deck: Deck) -> object:
        return services().judges.repair(RepairRequest(Validation(asked, deck, None, False), ()))

    return _more("repair", mended)


@blueprint.post("/check/write")
def write() -> Response:
    """Write the deck of the form in another format, or tell why that cannot carry it."""

    def written(asked: Asked, deck: Deck) -> object:
        judges = services().judges
        try:
            return {"text": judges.write(deck, _wanted_format(), judges.judge(asked).catalogue.game)}
        except Invalid as error:
            return {"fault": error.detail}

    return _more("written", written)


def _wanted_format() -> str:
    named = request.form.get("to", _PLAIN)
    return named if named in FORMATS else _PLAIN


def _given(form: DeckForm) -> tuple[Asked, Deck]:
    """Return the terms and the deck of a form; Invalid points at the field that has none."""
    asked = form.asked
    ruleset = rulesets().get(asked.ruleset or "")
    parsed = services().judges.read(form.data, ruleset.game if ruleset else asked.game)
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


def _verdict(asked: Asked, deck: Deck) -> Verdict:
    here = services()
    verdict = here.judges.judge(asked)(deck)
    here.metrics.judged(verdict)
    return verdict


def _more(piece: str, found: Callable[[Asked, Deck], object]) -> Response:
    """Return what else is asked of a deck: alone where a script asks for it, else with the verdict."""
    form = DeckForm.read()
    try:
        asked, deck = _given(form)
        more: dict[str, Any] = {piece: found(asked, deck)}
        return _page(form, piece=piece, verdict=None if asks_for_a_piece() else _verdict(asked, deck), **more)
    except Invalid as error:
        return _refused(form, error)


def _refused(form: DeckForm, error: Invalid) -> Response:
    """Return the page with what is wrong with the form, each thing at its field."""
    return _page(form, 422, faults={one.pointer.rpartition("/")[2]: one.detail for one in error.errors})


def _page(form: DeckForm, /, status: int = 200, piece: str = "result", **shown: Any) -> Response:
    """Return the page, or a piece of it, with what is shown in it."""
    verdict: Verdict | None = shown.get("verdict")
    told = _told(form, verdict) if verdict else {}
    nothing = dict.fromkeys(("verdict", "when", "repair", "written"))
    plain = {
        "form": form,
        "choices": choices(here().say),
        "examples": EXAMPLES,
        "formats": _FORMATS,
        "to": _wanted_format(),
    }
    return rendered("check.html", status, piece, **(plain | {"faults": {}} | nothing | told | shown))


def _told(form: DeckForm, verdict: Verdict) -> dict[str, Any]:
    account, pages = group_findings(verdict, here().say), of_pages()
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
