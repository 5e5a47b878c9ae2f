"""The check page: is this deck legal, why not, when and where is it, and what would mend it?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from flask import Blueprint, Response, request

from api.service.answers.decklist_answers import ListedLine, side_by_side
from api.service.answers.timeline_answers import outlook
from api.service.bounds import MOST_SHOWN
from api.service.errors import Invalid, Wrong
from api.service.requests import RepairRequest, RequestedTerms, TimelineRequest, Validation
from api.service.shapes import BEFORE
from api.sheets.sheet import cost_curve
from api.web.pages.deck_form import PLAIN_TEXT, DeckForm, choices
from api.web.pages.rendering import (
    Page,
    current_visit,
    faults_by_field,
    is_unsubmitted,
    page_blueprints,
    render_response,
    wants_fragment,
)
from api.web.schemas import EXAMPLE_DECKLIST
from api.web.services import services
from validator.account import group_findings, is_unjudgeable
from validator.deck import Deck
from validator.decklists import FORMATS
from validator.judge import Verdict
from validator.language import Language, phrase
from validator.legalities import Legality
from validator.rulesets import rulesets
from validator.words import fact_names

blueprint = Blueprint("check_page", __name__)
PAGE = Page(blueprint, "/", lambda translate: translate("Check"))

# The formats that most players use, with their short names. The others are under "More formats".
_COMMON_FORMATS = (
    *((PLAIN_TEXT, "Text"), ("optcgsim", "OPTCGSim"), ("egman", "Egman Events"), ("limitless", "Limitless")),
    *(("tts", "Tabletop Simulator"), ("deckplanet", "DeckPlanet")),
)
_FORMATS = tuple(
    (one.name, one.title) for one in FORMATS.values() if one.write and one.name not in dict(_COMMON_FORMATS)
)
# A deck that is legal, one that is not, one of invented cards.
EXAMPLES = (EXAMPLE_DECKLIST, EXAMPLE_DECKLIST + EXAMPLE_DECKLIST.splitlines(True)[1], BEFORE)


@blueprint.route("/", methods=["GET", "POST"])
def check() -> Response:
    """Return the check page: with the verdict on the form's deck, with the errors of its fields, or with an empty form.

    A list in the query is judged too. Counts the verdict in the metrics.
    """
    form = DeckForm.read()
    if is_unsubmitted() and not form.text.strip():
        return _page(form)
    try:
        return _page(form, verdict=_judge(*_read_deck(form)))
    except Invalid as error:
        return _show_faults(form, error)


@blueprint.post("/check/when")
def when() -> Response:
    """Return the piece of the page with the days, regions and formats in which the deck of the form is legal.

    Without a script it is the whole page. Wrong fields return the page with their errors.
    """
    return _answer_piece("when", lambda asked, deck: outlook(services().judges, TimelineRequest(asked, deck)))


@blueprint.post("/check/repair")
def repair() -> Response:
    """Return the piece of the page with the fewest changes that make the deck of the form legal.

    Without a script it is the whole page. Wrong fields return the page with their errors.
    """

    def find_repair(requested_terms: RequestedTerms, deck: Deck) -> object:
        """Return the repair of the deck, with no card that must stay."""
        return services().judges.repair(RepairRequest(Validation(requested_terms, deck, None, False), ()))

    return _answer_piece("repair", find_repair)


@blueprint.post("/check/write")
def write() -> Response:
    """Return the piece of the page with the deck of the form in another format, or the reason why that fails.

    Without a script it is the whole page. Wrong fields return the page with their errors.
    """

    def write_deck(requested_terms: RequestedTerms, deck: Deck) -> object:
        """Return `{"text": deck in the chosen format}`, or `{"fault": reason}` if it cannot be written."""
        judges = services().judges
        try:
            return {"text": judges.write(deck, _chosen_format(), judges.judge(requested_terms).catalogue.game)}
        except Invalid as error:
            return {"fault": error.detail}

    return _answer_piece("written", write_deck)


def _chosen_format() -> str:
    """Return the format chosen in the form (field `to`), the plain text format if it is missing or unknown."""
    format = request.form.get("to", PLAIN_TEXT)
    return format if format in FORMATS else PLAIN_TEXT


def _read_deck(form: DeckForm) -> tuple[RequestedTerms, Deck]:
    """Return the terms and the deck of a form. Terms without a ruleset get the game of the deck.

    Raises Invalid with a pointer to each wrong field, also if no card could be read.
    """
    asked = form.terms
    ruleset = rulesets().get(asked.ruleset or "")
    parsed = services().judges.read_deck(form.data, ruleset.game if ruleset else asked.game)
    if not any(parsed.deck.lines()):
        raise Invalid([Wrong("/decklist", _no_card_message(parsed.deck))])
    return (asked if asked.ruleset else asked._replace(game=parsed.game)), parsed.deck


def _no_card_message(deck: Deck) -> str:
    """Return the message that no card could be read. It has the number and reason of the first unread line, if any."""
    if not deck.unread:
        return phrase("No card could be read. Write a count and a card on each line, such as 4 NUMBER Name.")
    first = deck.unread[0]
    return phrase(
        "No card could be read (line {line}: {why}). Write a count and a card on each line, such as 4 NUMBER Name.",
        line=first.at,
        why=first.reason,
    )


def _judge(requested_terms: RequestedTerms, deck: Deck) -> Verdict:
    """Return the verdict on a deck by the form's terms, and count it in the metrics. Raises Invalid for wrong terms."""
    here = services()
    verdict = here.judges.judge(requested_terms)(deck)
    here.metrics.count_verdict(verdict)
    return verdict


def _answer_piece(piece: str, make_piece: Callable[[RequestedTerms, Deck], object]) -> Response:
    """Return the page with the value `make_piece(terms, deck)` for the form's deck, under the name `piece`.

    A script gets only this piece. Without a script the whole page is returned, with the verdict. Wrong fields return
    the page with their errors.
    """
    form = DeckForm.read()
    try:
        asked, deck = _read_deck(form)
        more: dict[str, Any] = {piece: make_piece(asked, deck)}
        return _page(form, piece=piece, verdict=None if wants_fragment() else _judge(asked, deck), **more)
    except Invalid as error:
        return _show_faults(form, error)


def _show_faults(form: DeckForm, error: Invalid) -> Response:
    """Return the page with each error at its field, and status 422."""
    return _page(form, 422, faults=faults_by_field(error))


def _page(form: DeckForm, /, status: int = 200, piece: str = "result", **shown: Any) -> Response:
    """Return the check page, or for a script only its block `piece`. `shown` replaces default values of the template.

    A `verdict` in `shown` adds its findings, lines and charts. A timeline (`when`) in it adds the regions and formats.
    """
    verdict: Verdict | None = shown.get("verdict")
    values = _verdict_values(form, verdict) if verdict else {}
    if seen := shown.get("when"):
        values["places"] = _group_places(seen.where, current_visit().translate)
    nothing = dict.fromkeys(("verdict", "when", "repair", "written"))
    plain = {
        "form": form,
        "choices": choices(current_visit().translate),
        "examples": EXAMPLES,
        "common_formats": _COMMON_FORMATS,
        "formats": _FORMATS,
        "to": _chosen_format(),
    }
    return render_response("check.html", status, piece, **(plain | {"faults": {}} | nothing | values | shown))


def _verdict_values(form: DeckForm, verdict: Verdict) -> dict[str, Any]:
    """Return the template's values for a verdict: findings, lines of the list, charts and links to other pages.

    `noted_lines` have an unread part, an unknown card or a finding, `plain_lines` do not. Both together are at most
    MOST_SHOWN lines, and `more_lines` counts the others. `sizes` has (section, number of cards). `is_judged` is False
    if most cards are unknown or of another game.
    """
    account, pages = group_findings(verdict, current_visit().translate), page_blueprints()
    lines = side_by_side(form.text, verdict.facts, account.findings)
    return {
        "account": account,
        "is_judged": verdict.legal or not is_unjudgeable(verdict),
        "noted_lines": [line for line in lines[:MOST_SHOWN] if _needs_attention(line)],
        "plain_lines": [line for line in lines[:MOST_SHOWN] if not _needs_attention(line)],
        "more_lines": max(0, len(lines) - MOST_SHOWN),
        "charts": _charts(verdict, current_visit().translate),
        "sizes": tuple(verdict.facts.sizes.items()),
        "has_cards": "card_pages" in pages,
        "has_sheets": "sheet_page" in pages,
    }


def _needs_attention(line: ListedLine) -> bool:
    """Return True if a line has an unread part, an unknown card, or a card with a finding."""
    return bool(line.unread) or any(held.card is None or held.marks for held in line.held)


class _Places(NamedTuple):
    """Regions and formats with the same result for a deck. `reason` is why it is illegal there, "" if it is legal.

    `reason` is a text for people in the visitor's language.
    """

    legal: bool
    reason: str
    places: list[Legality]


def _group_places(legalities: Iterable[Legality], translate: Language) -> list[_Places]:
    """Return the regions and formats of a deck, grouped by the same result, in order of appearance."""
    found: dict[tuple[bool, str], list[Legality]] = {}
    for one in legalities:
        found.setdefault((one.legal, "" if one.legal else one.interval.state(translate)), []).append(one)
    return [_Places(legal, reason, places) for (legal, reason), places in found.items()]


class _Bar(NamedTuple):
    """A bar of a chart: its label and the number of cards. `width` is in percent of the longest bar."""

    label: str
    cards: int
    width: int


class _Charts(NamedTuple):
    """The bars of the main deck by cost, by type and by colour. A list is empty if no known card has such a value.

    `costs` begins with 0 and has bars of 0 cards. The other lists have the longest bar first. Labels are in the
    visitor's language.
    """

    costs: list[_Bar]
    types: list[_Bar]
    colors: list[_Bar]


def _charts(verdict: Verdict, translate: Language) -> _Charts:
    """Return the charts of the main deck, with labels in a language. Cards without a colour are not in that chart.

    Types and colours are sorted by the number of cards. Several colours of a card are one bar, such as "Red/Green".
    """
    types: Counter[str] = Counter()
    colors: Counter[str] = Counter()
    for card, copies in verdict.facts.main.items():
        types[translate.template(card.type)] += copies
        if card.colors:
            colors["/".join(fact_names(card.colors, translate))] += copies
    return _Charts(_make_bars(cost_curve(verdict)), _make_bars(types.most_common()), _make_bars(colors.most_common()))


def _make_bars(counts: Iterable[tuple[str, int]]) -> list[_Bar]:
    """Return the bars for pairs `(label, cards)`, in their order. Empty if all counts are 0."""
    counted = list(counts)
    longest = max((count for _, count in counted), default=0)
    return [_Bar(label, count, round(100 * count / longest)) for label, count in counted] if longest else []
