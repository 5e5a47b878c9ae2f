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
from api.web.pages.rendering import Page, here, rendered
from api.web.v1 import sheets
from carddb import foreign_names
from validator.games import GAMES
from validator.language import phrase

blueprint = Blueprint("sheet_page", __name__)
PAGE = Page(blueprint, "/sheet", lambda say: say("Sheet"))


@blueprint.route("/sheet", methods=["GET", "POST"])
def sheet() -> Response:
    """Make the sheet that the form asks for, filled in or blank; show the form where it does not ask yet."""
    form = DeckForm.read()
    try:
        if kind := request.form.get("as"):
            return sheets.registered(*_read(form), _one_of("as", kind, KINDS), _paper(), _names())
        if kind := request.form.get("blank"):
            return sheets.unfilled(*_event(), _one_of("blank", kind, BLANK), _paper())
    except Invalid as error:
        return _page(form, 422, {one.pointer.rpartition("/")[2]: one.detail for one in error.errors})
    return _page(form, 422 if form.repeated else 200, form.repeated)


def _event() -> tuple[str, Event]:
    """Return the game and the event of the form, of which a blank sheet is."""
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


def _read(form: DeckForm) -> tuple[Validation, Registration]:
    """Return what is to be judged, for the event's day where no other is named, and who brings it."""
    wrong: list[Wrong] = []
    asked = person = None
    try:
        asked = form.asked
    except Invalid as error:
        wrong += error.errors
    try:
        person = Registration.read(request.form)
    except Invalid as error:
        wrong += error.errors
    if asked is None or person is None:
        raise Invalid(wrong)
    return Validation(asked._replace(on=asked.on or person.date), None, form.data, False), person


def _paper() -> str:
    return _one_of("paper", request.form.get("paper") or PAPERS[0], PAPERS)


def _names() -> str:
    names = request.form.get("names", "")
    return names and _one_of("names", names, foreign_names.languages())


def _one_of(field: str, given: str, known: Collection[str]) -> str:
    """Return what was chosen; only a form of somebody's own sends anything else."""
    if given in known:
        return given
    raise Invalid([Wrong(f"/{field}", f"There are {', '.join(known)}.")])


def _page(form: DeckForm, status: int = 200, faults: Mapping[str, str] | None = None) -> Response:
    """Return the page with its form as it was filled in."""
    given = {
        name: request.form.get(name) or request.args.get(name, "") for name in (*LONGEST, "date", "paper", "names")
    }
    return rendered(
        "sheet.html",
        status,
        form=form,
        fields=form.fields._asdict() | given,
        choices=choices(here().say),
        languages=[(code, own_name(code)) for code in foreign_names.languages()],
        longest=LONGEST,
        faults=faults or {},
    )
