"""The sheet page: a deck registered for an event, as a file to print, or a sheet to fill in by hand."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from flask import Blueprint, Response, request

from api.service.errors import Invalid, Wrong
from api.service.languages import own_name
from api.service.requests import Validation
from api.sheets.registration import LONGEST, Event, Registration
from api.sheets.sheet_files import BLANK, KINDS, PAPERS
from api.web.pages.deck_form import DeckForm, choices
from api.web.pages.rendering import Page, current_visit, faults_by_field, render_response
from api.web.v1 import sheets
from carddb import foreign_names
from validator.games import GAMES
from validator.language import phrase

blueprint = Blueprint("sheet_page", __name__)
PAGE = Page(blueprint, "/sheet", lambda translate: translate("Sheets"))


@blueprint.route("/sheet", methods=["GET", "POST"])
def sheet() -> Response:
    """Return the registration sheet of the form as a file: filled in (button `as`) or blank (button `blank`).

    Without a button return the page with the form. Wrong fields return the page with their errors, and status 422.
    """
    form = DeckForm.read()
    try:
        if kind := request.form.get("as"):
            return sheets.fill_sheet(
                *_parse_request(form), _parse_choice("as", kind, KINDS), _parse_paper(), _parse_names()
            )
        if kind := request.form.get("blank"):
            return sheets.blank_sheet(*_parse_event(), _parse_choice("blank", kind, BLANK), _parse_paper())
    except Invalid as error:
        return _page(form, 422, faults_by_field(error))
    return _page(form, 422 if form.repeated else 200, form.repeated)


def _parse_event() -> tuple[str, Event]:
    """Return `(game, event)` of the form for a blank sheet. Raises Invalid with a pointer to each wrong field."""
    game, wrong = request.form.get("game", ""), []
    if game not in GAMES:
        wrong = [Wrong("/game", phrase("Choose the game that the sheet is for."))]
    try:
        event = Event.read(request.form)
    except Invalid as error:
        raise Invalid([*wrong, *error.errors]) from None
    if wrong:
        raise Invalid(wrong)
    return game, event


def _parse_request(form: DeckForm) -> tuple[Validation, Registration]:
    """Return the request to judge the form's deck, and the player and event of the form.

    The event's day is the default of the day to judge by. Raises Invalid with a pointer to each wrong field.
    """
    wrong: list[Wrong] = []
    asked = person = None
    try:
        asked = form.terms
    except Invalid as error:
        wrong += error.errors
    try:
        person = Registration.read(request.form)
    except Invalid as error:
        wrong += error.errors
    if asked is None or person is None:
        raise Invalid(wrong)
    return Validation(asked._replace(on=asked.on or person.date), None, form.data, False), person


def _parse_paper() -> str:
    """Return the paper size of the form, the first of PAPERS if it is empty. Raises Invalid for an unknown one."""
    return _parse_choice("paper", request.form.get("paper") or PAPERS[0], PAPERS)


def _parse_names() -> str:
    """Return the form's language for additional card names, "" for none. Raises Invalid for an unknown one."""
    names = request.form.get("names", "")
    return names and _parse_choice("names", names, foreign_names.languages())


def _parse_choice(field: str, text: str, words: Collection[str]) -> str:
    """Return `text` if it is in `words`. Else raise Invalid with a pointer to the field."""
    if text in words:
        return text
    raise Invalid([Wrong(f"/{field}", phrase("Write one of {values}.", values=", ".join(words)))])


def _page(form: DeckForm, status: int = 200, faults: Mapping[str, str] | None = None) -> Response:
    """Return the sheet page with the form as it was filled in. `faults` are error messages by field."""
    given = {
        name: request.form.get(name) or request.args.get(name, "") for name in (*LONGEST, "date", "paper", "names")
    }
    return render_response(
        "sheet.html",
        status,
        form=form,
        fields=form.fields._asdict() | given,
        choices=choices(current_visit().translate),
        languages=[(code, own_name(code)) for code in foreign_names.languages()],
        longest=LONGEST,
        faults=faults or {},
    )
