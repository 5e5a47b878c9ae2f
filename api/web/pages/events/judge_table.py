"""The judge's table: whom to check and the check of a deck, by plain forms, or by a telephone that loses the line.

A telephone sends the same forms, and is answered in JSON.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson
from flask import Response, request

from api.events.base_desk import EventAccess, reply
from api.events.check_json import BegunChecksJSON, CountedJSON, ListedCheckJSON, ShownCheckJSON
from api.events.judging.check_desk import CheckDesk
from api.events.judging.table_lists import JudgeTableJSON, TablePlayerJSON
from api.events.rights import Permission
from api.events.storage.idempotency import Reply
from api.service.answers.problem_details import MEDIA_TYPE, ProblemJSON, error_problem, problem, translate_problem
from api.service.errors import Changed, Declined, Invalid, NoAccess
from api.web.event_permissions import mark_unrestricted
from api.web.pages import static_files
from api.web.pages.events import event_visitor, table_forms
from api.web.pages.events.event_visitor import (
    blueprint,
    cookie_name,
    data_of,
    form_request,
    redirect_to,
    render_page,
    require_visitor_permission,
)
from api.web.pages.events.table_forms import DrawForm
from api.web.pages.rendering import current_visit
from api.web.responses import private_response
from api.web.services import services
from validator.deck import SECTIONS
from validator.errors import error_text
from validator.findings import NamedJSON
from validator.language import phrase
from validator.words import section_name

_MOST_DONE = 100  # checks that a page without a script lists
_NEXT = 5
_QUICK = 1  # of 9 ways to squeeze: 2,000 lists in a few thousandths of a second
_SCRIPT, _WORKER = "table.js", "table_worker.js"
_CHANGED = phrase(
    "Another judge changed this check meanwhile. Your entries are still here. Save again to replace theirs."
)
_OUTCOMES: Mapping[str, str] = {
    "ok": phrase("all in order"),
    "marked cards": phrase("marked cards"),
    "deck differs": phrase("deck differs"),
    "list differs": phrase("list differs"),
}


@blueprint.get("/events/<id>/table")
@require_visitor_permission(Permission.READ_CHECKS)
def table(access: EventAccess) -> Response:
    """Return the page of the judge's table: the next players to check, and the deck checks of the event."""
    return _table_page(access)


@blueprint.post("/events/<id>/table")
@require_visitor_permission(Permission.READ_CHECKS)
def table_search(access: EventAccess) -> Response:
    """Return the page of the judge's table with the players that a search finds.

    It is a POST, because an address must not contain a name.
    """
    return _table_page(access)


def _is_telephone() -> bool:
    """Return True if the request prefers JSON. Only the script of the page on a judge's phone sends such requests."""
    return request.accept_mimetypes.best == "application/json"


def _refuse_telephone() -> Response:
    """Return the JSON answer (404) to a phone without permission.

    Its `revoked` is True if the phone sent a key, and makes it delete its stored data.
    """
    return private_response(reply(404, {"revoked": cookie_name() in request.cookies}))


def _refuse() -> Response:
    """Return the 404 answer to a phone without permission. Raises NoAccess for other browsers."""
    if not _is_telephone():
        raise NoAccess
    return _refuse_telephone()


@blueprint.get("/events/<id>/table/lists")
@require_visitor_permission(Permission.READ_CHECKS, _refuse_telephone)
def table_lists(access: EventAccess) -> Response:
    """Return all data that a judge's phone needs offline as JSON, with a CSRF token for its forms.

    The answer is 404 with `revoked` if judges may not see the lists any more. It is compressed if the phone accepts
    gzip.
    """

    def hand_out() -> Reply:
        """Return the reply with the data of the table and a CSRF token.

        If judges may not see the lists, the reply is 404 with `revoked`.
        """
        try:
            return reply(200, {**_table_lists(access), "token": event_visitor.token()})
        except NoAccess:
            return reply(404, {"revoked": True})  # judges see no lists now, nor do their telephones

    answer = _answer_telephone(hand_out)
    if request.accept_encodings.quality("gzip") > 0:
        answer.set_data(gzip.compress(answer.get_data(), _QUICK))
        answer.content_encoding = "gzip"
    return answer


@blueprint.get("/events/<id>/table/worker.js")
@mark_unrestricted  # the script is the same for all
def table_worker(id: str) -> Response:
    """Return the service worker, a script that opens the judge's table offline. It is the same for all events.

    A header allows it for the addresses of this event's table only. Needs no permission.
    """
    answer = Response(static_files.files()[_WORKER].content, content_type="text/javascript; charset=utf-8")
    allowed = f"{request.script_root}{_path(id)}"
    headers = {"Service-Worker-Allowed": allowed, "Content-Security-Policy": "default-src 'self'"}
    answer.headers.update(headers | {"Cache-Control": "no-cache"})
    return answer


@blueprint.get("/events/<id>/table/registrations/<rid>")
@require_visitor_permission(Permission.READ_CHECKS)
def table_player(access: EventAccess, rid: str) -> Response:
    """Return the page of a player on which a check begins, with the player's earlier checks and penalties.

    Raises NoAccess if the player is not registered any more.
    """
    lists = _table_lists(access)
    player = next((one for one in lists["players"] if one["id"] == rid), None)
    if player is None:
        raise NoAccess
    checks = [one for one in lists["checks"] if one["registration"] == rid]
    earlier = [one["log"] for one in checks if one["log"]]
    return render_page(
        "events/table_player.html",
        player=player,
        earlier=earlier,
        checks=[_check_row(one) for one in checks],
        has_guide=lists["event"]["has_guide"],
        path=_path(access.event.id),
        start=f"/events/{access.event.id}",
    )


@blueprint.post("/events/<id>/table/checks")
@require_visitor_permission(Permission.BEGIN_CHECKS, _refuse)
def table_begin(access: EventAccess) -> Response:
    """Begin the deck check of the form's player, or without `registration` draw players for checks.

    A phone gets JSON. Other browsers are redirected to the page of the check, or get the table with the result of the
    draw. Errors return the table with the form as typed.
    """

    def begin() -> Reply:
        """Begin the check or make the draw, and return the desk's reply.

        Raises Invalid for wrong fields, and the errors of `CheckDesk.begin` and `draw`.
        """
        if request.form.get("registration"):
            notes = table_forms.parse_begin(request.form, access.event)
            return _desk().begin(access, notes.pop("registration"), notes, form_request())
        wanted = DrawForm.read(request.form).parse_draw(_table_lists(access)["players"])
        return _desk().begin(access, wanted, {}, form_request())

    def go_on(checks: BegunChecksJSON) -> Response:
        """Return a redirect to the page of the new check, after a draw the table with its result."""
        if checks["id"]:
            return redirect_to(f"{_path(access.event.id)}/checks/{checks['id']}")
        return _table_page(access, draw_sentence=checks["draw"]["sentence"] if checks["draw"] else "")

    def show_faults(faults: dict[str, str], status: int) -> Response:
        """Return the table with the draw form as typed and the errors by field."""
        return _table_page(access, status, draw=DrawForm.read(request.form), faults=faults)

    return _answer_form(begin, go_on, show_faults)


@blueprint.post("/events/<id>/table/seed")
@require_visitor_permission(Permission.SET_CHECK_SEED, _refuse)
def table_seed(access: EventAccess) -> Response:
    """Set the form's new seed for the order of deck checks, for all judges. An empty field makes a random seed.

    A phone gets JSON, other browsers are redirected to the table.
    """

    def change_seed() -> Reply:
        """Store the new seed of the form, and return the desk's reply. Raises the errors of `CheckDesk.change_seed`."""
        return _desk().change_seed(access, request.form.get("new_seed", "").strip(), form_request())

    def show_faults(faults: dict[str, str], status: int) -> Response:
        """Return the table with all errors at the field of the new seed."""
        return _table_page(access, status, faults={"new_seed": " ".join(faults.values())})

    return _answer_form(change_seed, lambda _: redirect_to(_path(access.event.id)), show_faults)


@blueprint.get("/events/<id>/table/checks/<cid>")
@require_visitor_permission(Permission.READ_CHECKS)
def table_check(access: EventAccess, cid: str) -> Response:
    """Return the page of a deck check, with a field for the counted number of each card."""
    return _check_page(access, cid)


@blueprint.post("/events/<id>/table/checks/<cid>")
@require_visitor_permission(Permission.RECORD_CHECK, _refuse)
def table_record(access: EventAccess, cid: str) -> Response:
    """Save the counted cards, the outcome and the times of a deck check.

    It is refused if another judge has changed the check since. A phone gets JSON, other browsers are redirected to the
    check. Errors return the page of the check with the form as typed.
    """

    def record() -> Reply:
        """Store the notes of the form, and return the desk's reply.

        Raises Invalid for wrong fields, Changed if the check has another version by now, and the other errors of
        `CheckDesk.record`.
        """
        wanted = table_forms.parse_notes(request.form, access.event, services().desk.now())
        return _desk().record(
            access, cid, wanted, lambda version: version == request.form.get("version"), form_request()
        )

    def show_faults(faults: dict[str, str], status: int) -> Response:
        """Return the page of the check with the typed values and the errors by field."""
        return _check_page(access, cid, status, request.form, faults)

    return _answer_form(record, lambda _: redirect_to(f"{_path(access.event.id)}/checks/{cid}"), show_faults)


def _answer_form(
    act: Callable[[], Reply],
    go_on: Callable[[Any], Response],
    show_faults: Callable[[dict[str, str], int], Response],
) -> Response:
    """Run `act`, and return the answer to its form: a phone gets its reply or its error as JSON.

    Other browsers get `go_on(data of the reply)`, or after an error `show_faults(messages by field, status)`. For these
    NoAccess is raised.
    """
    if _is_telephone():
        return _answer_telephone(act)
    try:
        done = act()
    except NoAccess:
        raise
    except Invalid as error:
        return show_faults({table_forms.find_form_field(one.pointer): one.detail for one in error.errors}, 422)
    except Declined as error:
        return show_faults({"": _CHANGED if isinstance(error, Changed) else error_text(error)}, error.status)
    return go_on(data_of(done))


def _answer_telephone(act: Callable[[], Reply]) -> Response:
    """Run `act`, and return its reply as JSON. If it raises Invalid or Declined, return a problem document."""
    try:
        return private_response(act())
    except Invalid as error:
        return _problem_response(error_problem(error))
    except Declined as error:
        return _problem_response(problem(error.status, error_text(error)))


def _problem_response(document: ProblemJSON) -> Response:
    """Return a problem document as JSON, in the visitor's language."""
    translated = translate_problem(document, current_visit().translate)
    return Response(orjson.dumps(translated), document["status"], content_type=MEDIA_TYPE)


def _desk() -> CheckDesk:
    """Return a new desk for deck checks on the event data of the current application."""
    return CheckDesk(services().desk)


def _path(id: str) -> str:
    """Return the path of an event's judge's table."""
    return f"/events/{id}/table"


def _table_lists(access: EventAccess) -> JudgeTableJSON:
    """Return all data of the judge's table (players, order, checks, choices) in the visitor's language.

    Raises NoAccess if judges may not see the lists, Busy if too many requests wait.
    """
    return _desk().lists(access._replace(translate=current_visit().translate))


def _table_page(
    access: EventAccess,
    status: int = 200,
    draw: DrawForm | None = None,
    draw_sentence: str = "",
    faults: Mapping[str, str] | None = None,
) -> Response:
    """Return the page of the judge's table: the search, the next players, the checks and the form for a draw.

    `draw` is that form as typed, None for an empty one. `draw_sentence` is the result of a draw, "" for none. `faults`
    are error messages by field. The text of the search is the form's. Raises the errors of `_table_lists`.
    """
    lists, q = _table_lists(access), request.form.get("q", "").strip()[:400]
    listed = _list_rows(lists, q)
    plain = {"q": q, "drawn": draw_sentence, "faults": faults or {}, "draw": draw or DrawForm(seed=lists["seed"])}
    known = {"event": lists["event"], "judge": lists["judge"], "owed": lists["owed"], "seed": lists["seed"]}
    more = {"path": _path(access.event.id), "titles": _titles(SECTIONS)}
    scripts = static_files.imported_scripts(_SCRIPT)
    return render_page(
        "events/table.html", status, **listed, **plain, **known, **more, **_judge_choices(lists), scripts=scripts
    )


def _list_rows(lists: JudgeTableJSON, q: str) -> dict[str, list[dict[str, str]]]:
    """Return the rows of the judge's table by group. `q` is the text of the search, "" for none.

    `found` are the players that the search finds. `next` are up to 5 players without a check, in the order of checks.
    `going` are the checks that have not ended, also drawn ones that have not begun. `done` are the last 100 ended
    checks, the newest first.
    """
    checks = lists["checks"]
    taken = {one["registration"] for one in checks}
    seats = {one["id"]: one["table"] for one in lists["players"]}
    waiting = (lists["players"][place] for place in lists["order"])
    return {
        "found": [_player_row(one) for one in table_forms.search_players(lists["players"], q)] if q else [],
        "next": [_player_row(one) for one in waiting if one["id"] not in taken][:_NEXT],
        "going": [_check_row(one, seats.get(one["registration"], "")) for one in checks if not one["ended"]],
        "done": [_check_row(one) for one in reversed(checks) if one["ended"]][:_MOST_DONE],
    }


def _titles(sections: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return pairs `(section, its name in the visitor's language)`."""
    return tuple((one, section_name(one, current_visit().translate)) for one in sections)


def _judge_choices(lists: JudgeTableJSON) -> dict[str, Sequence[tuple[str, str]]]:
    """Return the options of a judge's select fields: `outcomes`, `infractions` and `ladder` (the penalties).

    Each option is a pair `(value, label in the visitor's language)`.
    """
    translate = current_visit().translate
    return {
        "outcomes": [(one, translate.text(_OUTCOMES[one])) for one in lists["outcomes"]],
        "infractions": [(one["key"], translate.text(one["title"])) for one in lists["infractions"]],
        "ladder": [(one, one) for one in lists["ladder"]],
    }


def _player_row(player: TablePlayerJSON) -> dict[str, str]:
    """Return the row of a player: `path` after that of the table, `player` (the name) and `says` (the details).

    Details are table, player ID, team, and "no list" if the player has sent none.
    """
    missing = "" if player["received"] else current_visit().translate("no list")
    details = _seat(player["table"]), player["player_id"], player["team"], missing
    return {
        "path": f"/registrations/{player['id']}",
        "player": player["player"],
        "says": " · ".join(filter(None, details)),
    }


def _seat(table: str) -> str:
    """Return "table 12" in the visitor's language for a table number, "" for ""."""
    return current_visit().translate("table {table}", table=table) if table else ""


def _check_row(check: ListedCheckJSON, seat: str = "") -> dict[str, str]:
    """Return the row of a deck check: `path` after that of the table, `player` (the name) and `says` (the details).

    Details are outcome or progress, table, penalty and judge. `seat` is the player's own table, for a check without
    one.
    """
    translate = current_visit().translate
    state = translate.text(_OUTCOMES.get(check["outcome"] or "", "")) if check["ended"] else ""
    if not check["ended"]:
        state = translate("in progress") if check["started"] else translate("drawn")
    details = state, _seat(check["table"] or seat), check["penalty"] or "", check["judge"]
    return {"path": f"/checks/{check['id']}", "player": check["player"], "says": " · ".join(filter(None, details))}


def _check_page(
    access: EventAccess,
    cid: str,
    status: int = 200,
    typed: Mapping[str, str] | None = None,
    faults: Mapping[str, str] | None = None,
) -> Response:
    """Return the page of the deck check `cid`.

    `typed` are the values of a form that is shown again, None for the saved ones. `faults` are error messages by field.
    Raises NoAccess if the check or its player was removed, and if judges may not see the lists yet.
    """
    check = data_of(_desk().check(access, cid))
    lists = _table_lists(access)
    player = next((one for one in lists["players"] if one["id"] == check["registration"]), None)
    if player is None:
        raise NoAccess  # was removed meanwhile
    kept = {name: check[name] or "" for name in table_forms.NOTED}
    kept["table"] = kept["table"] or ("" if check["started"] else player["table"])
    kept |= {"decklist": "", "between_games": check["between_games"]}
    filled = kept if typed is None else {name: typed.get(name, "") for name in kept}
    sections = _sections(check, None if typed is None else table_forms.parse_tally(typed) or {})
    differ = {name: _difference_lines(check[name]) for name in ("missing", "extra")}
    titles = _titles(lists["event"]["sections"])
    known = {
        "check": check,
        "version": check["version"],
        "swaps": lists["event"]["swaps"],
        "path": _path(access.event.id),
    }
    known |= {"player": player, "has_guide": lists["event"]["has_guide"]}
    more = {"typed": filled, "sections": sections, "titles": titles, "faults": faults or {}}
    return render_page("events/table_check.html", status, **known, **more, **differ, **_judge_choices(lists))


@dataclass
class _CardRow:
    """A card to be counted in a form. `count` is the registered number of copies, 0 for a card that is not on the list.

    `field` is the name of the form field. `counted` is its value: the typed text or number, the saved number, or "". A
    card that was only typed has the typed text as `name`, and `number` "".
    """

    field: str
    number: str
    name: str
    count: int = 0
    counted: object = ""


class _SectionRows(NamedTuple):
    """The cards of a section to be counted. `title` is its translated name. `registered` is the sum of `count`."""

    title: str
    registered: int
    rows: Sequence[_CardRow]


def _sections(check: ShownCheckJSON, typed: Mapping[str, Mapping[str, object]] | None) -> list[_SectionRows]:
    """Return the rows to fill in by section: the cards of the registered list, then other counted cards.

    `typed` are the counts of a form that is shown again, by section and card. None: the saved counts. Sections without
    cards are left out.
    """
    rows: dict[str, dict[str, _CardRow]] = {}

    def find_row(section: str, key: str, number: str, name: str) -> _CardRow:
        """Return the row of the card `key` in a section. If it is missing, add it with this number and name."""
        row = _CardRow(f"count.{section}.{key}", number, name)
        return rows.setdefault(section, {}).setdefault(key, row)

    for card in check["cards"]:
        find_row(card["section"], _card_key(card), card["number"], card["name"]).count = card["count"]
    for card in (check["box"] or ()) if typed is None else ():
        find_row(card["section"], _card_key(card), card["number"], card["name"]).counted = card["count"]
    for section, counts in (typed or {}).items():
        for key, count in counts.items():
            find_row(section, key, "", key).counted = count
    return [_section_rows(section, list(rows[section].values())) for section in SECTIONS if section in rows]


def _section_rows(section: str, rows: Sequence[_CardRow]) -> _SectionRows:
    """Return the rows of a section with its name in the visitor's language and the number of registered cards."""
    return _SectionRows(section_name(section, current_visit().translate), sum(row.count for row in rows), rows)


def _card_key(card: NamedJSON) -> str:
    """Return the number of a card, its name if it has no number. It identifies the card in the form."""
    return card["number"] or card["name"]


def _difference_lines(differing: Mapping[str, Sequence[CountedJSON]]) -> list[tuple[str, str]]:
    """Return pairs `(section's name, its cards as a text)` for the sections in `differing`, in their order.

    The name is in the visitor's language. A text is such as "2 × OP01-016 Nami, 1 × OP01-025 Zoro". A card without a
    number has only its name.
    """
    translate = current_visit().translate
    lines = {
        section: ", ".join(f"{one['count']} × {one['number']} {one['name']}".replace("  ", " ") for one in cards)
        for section, cards in differing.items()
    }
    return [(section_name(section, translate), line) for section, line in lines.items()]
