"""The swap page: is the deck still legal, and still the same cards, after swapping with the side deck?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, request

from api.service.errors import Invalid, Wrong
from api.service.requests import SwapRequest
from api.service.shapes import AFTER, BEFORE
from api.web.pages.deck_form import DeckForm, choices, find_repeated
from api.web.pages.rendering import Page, current_visit, faults_by_field, is_unsubmitted, render_response
from api.web.services import services
from validator.account import group_findings
from validator.language import phrase
from validator.rules import Policy

blueprint = Blueprint("swap_page", __name__)
PAGE = Page(blueprint, "/swap", lambda translate: translate("Swap"))

_LISTS = ("before", "after")
_NO_LIST = phrase("Paste the deck list.")


@blueprint.route("/swap", methods=["GET", "POST"])
def swap() -> Response:
    """Return the swap page: with the verdict on the form's swap, with the errors of its fields, or with an empty form.

    Lists in the query are judged too if both are there. Counts the verdict in the metrics.
    """
    lists = {name: request.form.get(name) or request.args.get(name, "") for name in _LISTS}
    if repeated := find_repeated(_LISTS):
        return _page(lists, 422, faults=repeated)
    if is_unsubmitted() and not all(lists.values()):
        return _page(lists)
    try:
        wanted = _parse_swap(**lists)
        verdict = services().judges.swap(wanted)
    except Invalid as error:
        return _page(lists, 422, faults=faults_by_field(error))
    services().metrics.count_verdict(verdict)
    return _page(lists, verdict=verdict, account=group_findings(verdict, current_visit().translate))


def _parse_swap(before: str, after: str) -> SwapRequest:
    """Return the swap between the texts of two decks, with the terms of the form.

    Raises Invalid with a pointer to each blank list or wrong field.
    """
    if missing := [name for name, text in zip(_LISTS, (before, after), strict=True) if not text.strip()]:
        raise Invalid(Wrong(f"/{name}", _NO_LIST) for name in missing)
    asked = replace(DeckForm.read(), text=before, data=before).terms
    if _is_one_for_one():
        asked = asked._replace(policy=replace(asked.policy or Policy(), swap_one_for_one=True))
    return SwapRequest(asked, before, after, False)


def _is_one_for_one() -> bool:
    """Return True if the box "cards are swapped one for one" of the form is ticked."""
    return "swap_one_for_one" in request.form


def _page(lists: dict[str, str], status: int = 200, **shown: Any) -> Response:
    """Return the swap page with the typed `lists` by field ("before" and "after"). `shown` replaces default values."""
    plain = {
        "lists": lists,
        "fields": DeckForm.read().fields._asdict(),
        "one_for_one": _is_one_for_one(),
        "choices": choices(current_visit().translate),
        "examples": {"before": BEFORE, "after": AFTER},
        "faults": {},
        "verdict": None,
    }
    return render_response("swap.html", status, **(plain | shown))
