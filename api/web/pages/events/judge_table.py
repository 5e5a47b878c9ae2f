"""The judge's table: whom to check and the check of a deck, by plain forms, or by a telephone that loses the line.

A telephone sends the same forms, and is answered in JSON.
"""

from __future__ import annotations

import gzip
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import orjson
from flask import Response, request

from api.events.judging.check_desk import CheckDesk
from api.events.judging.draws import LONGEST_SEED
from api.events.registration_desk import Standing, reply
from api.events.storage.idempotency import Reply
from api.service.answers.problem_details import MEDIA_TYPE, of_error, problem
from api.service.errors import Changed, Declined, Hidden, Invalid
from api.web.pages import static_files
from api.web.pages.events import form_guard, table_forms
from api.web.pages.events.event_visitor import COOKIE, blueprint, data_of, led_to, once, shown, visiting
from api.web.pages.events.table_forms import DrawForm
from api.web.pages.rendering import here
from api.web.services import services
from api.web.v1.event_requests import sent
from validator.deck import SECTIONS
from validator.language import phrase
from validator.words import section_name

_Seen = Mapping[str, Any]  # what the desk answers
_MOST_DONE = 100  # checks that a page without a script lists
_NEXT = 5
_SHORT = 8  # digits of a seed that nobody chose
_QUICK = 1  # of 9 ways to squeeze: 2,000 lists in a few thousandths of a second
_WORKER = "table_worker.js"
_CHANGED = phrase(
    "Somebody else wrote this check meanwhile. What you filled in is here; send it again to replace theirs."
)
_OUTCOMES: Mapping[str, str] = {
    "ok": phrase("all in order"),
    "marked cards": phrase("marked cards"),
    "deck differs": phrase("deck differs"),
    "list differs": phrase("list differs"),
}


@blueprint.get("/events/<id>/table")
def table(id: str) -> Response:
    """Show whom to check, and the checks that there are."""
    return _table_page(visiting("checks", id))


@blueprint.post("/events/<id>/table")
def table_search(id: str) -> Response:
    """Show, beside it, who is called so; names stand in no address."""
    return _table_page(visiting("checks", id))


@blueprint.get("/events/<id>/table/lists")
def table_lists(id: str) -> Response:
    """Give a telephone all that it needs to go on without a line."""

    def hand_out(at: Standing) -> Reply:
        try:
            return reply(200, _lists(at) | {"token": form_guard.token()})
        except Hidden:
            return reply(404, {"revoked": True})  # judges see no lists now, nor do their telephones

    answer = _told(id, "checks", hand_out)
    if request.accept_encodings.quality("gzip") > 0:
        answer.set_data(gzip.compress(answer.get_data(), _QUICK))
        answer.content_encoding = "gzip"
    return answer


@blueprint.get("/events/<id>/table/worker.js")
def table_worker(id: str) -> Response:
    """Give a telephone what opens the page where there is no line; it may answer for the table alone."""
    answer = Response(static_files.files()[_WORKER].content, content_type="text/javascript; charset=utf-8")
    allowed = f"{request.script_root}{_path(id)}"
    headers = {"Service-Worker-Allowed": allowed, "Content-Security-Policy": "default-src 'self'"}
    answer.headers.update(headers | {"Cache-Control": "no-cache"})
    return answer


@blueprint.get("/events/<id>/table/registrations/<rid>")
def table_player(id: str, rid: str) -> Response:
    """Show whose deck may be checked, with the player's earlier penalties."""
    at = visiting("checks", id, rid)
    lists = _lists(at)
    player = next((one for one in lists["players"] if one["id"] == rid), None)
    if player is None:
        raise Hidden
    checks = [one for one in lists["checks"] if one["registration"] == rid]
    earlier = [one["log"] for one in checks if one["log"]]
    listed = [_listed(one) for one in checks]
    return shown("events/table_player.html", player=player, earlier=earlier, checks=listed, path=_path(id))


@blueprint.post("/events/<id>/table/checks")
def table_begin(id: str) -> Response:
    """Begin the check of a player's deck, or draw whose decks to check."""

    def begin(at: Standing) -> Reply:
        if request.form.get("registration"):
            notes = table_forms.begun(request.form, at.event)
            return _desk().begin(at, notes.pop("registration"), notes, once())
        wanted = DrawForm.read(request.form).wanted(_lists(at)["players"])
        return _desk().draw(at, wanted, {}, once())

    def go_on(at: Standing, made: _Seen) -> Response:
        if made["id"]:
            return led_to(f"{_path(id)}/checks/{made['id']}")
        return _table_page(at, drawn=made["draw"]["sentence"])

    def say_wrong(at: Standing, faults: dict[str, str], status: int) -> Response:
        return _table_page(at, status, draw=DrawForm.read(request.form), faults=faults)

    return _answered(id, "begin_checks", begin, go_on, say_wrong)


@blueprint.get("/events/<id>/table/checks/<cid>")
def table_check(id: str, cid: str) -> Response:
    """Show a check, to be counted by filling in numbers."""
    return _check_page(visiting("check", id), cid)


@blueprint.post("/events/<id>/table/checks/<cid>")
def table_record(id: str, cid: str) -> Response:
    """Write down what lies in the box, what came of it and when."""

    def record(at: Standing) -> Reply:
        wanted = table_forms.written(request.form, at.event, services().desk.now())
        return _desk().record(at, cid, wanted, lambda version: version == request.form.get("version"), once())

    def say_wrong(at: Standing, faults: dict[str, str], status: int) -> Response:
        return _check_page(at, cid, status, request.form, faults)

    return _answered(id, "record_check", record, lambda *_: led_to(f"{_path(id)}/checks/{cid}"), say_wrong)


def _answered(
    id: str,
    operation: str,
    act: Callable[[Standing], Reply],
    go_on: Callable[[Standing, Any], Response],
    say_wrong: Callable[[Standing, dict[str, str], int], Response],
) -> Response:
    """Do what a form asks and answer it: a telephone in JSON, others with the page that comes then."""
    if request.accept_mimetypes.best == "application/json":
        return _told(id, operation, act)
    at = visiting(operation, id)
    try:
        done = act(at)
    except Hidden:
        raise
    except Invalid as error:
        return say_wrong(at, {table_forms.field_of(one.pointer): one.detail for one in error.errors}, 422)
    except Declined as error:
        return say_wrong(at, {"": _CHANGED if isinstance(error, Changed) else str(error)}, error.status)
    return go_on(at, data_of(done))


def _told(id: str, operation: str, act: Callable[[Standing], Reply]) -> Response:
    """Do what a telephone asks, and answer in JSON whatever comes of it."""
    try:
        at = visiting(operation, id)
    except Hidden:
        # One that sent no key keeps what it has; one whose key opens nothing any more does not.
        return sent(reply(404, {"revoked": COOKIE in request.cookies}))
    try:
        return sent(act(at))
    except Invalid as error:
        return _refused(of_error(error))
    except Declined as error:
        return _refused(problem(error.status, str(error)))


def _refused(document: dict[str, Any]) -> Response:
    return Response(orjson.dumps(document), document["status"], content_type=MEDIA_TYPE)


def _desk() -> CheckDesk:
    return CheckDesk(services().desk)


def _path(id: str) -> str:
    return f"/events/{id}/table"


def _lists(at: Standing) -> dict[str, Any]:
    seed = request.args.get("seed", "")
    if not (0 < len(seed) <= LONGEST_SEED and seed.isprintable()):
        seed = _new_seed()
    return _desk().lists(at, seed)


def _new_seed() -> str:
    return f"{secrets.randbelow(10**_SHORT):0{_SHORT}d}"


def _table_page(
    at: Standing,
    status: int = 200,
    draw: DrawForm | None = None,
    drawn: str = "",
    faults: Mapping[str, str] | None = None,
) -> Response:
    lists, q = _lists(at), request.form.get("q", "").strip()[:400]
    listed = _in_lists(lists, q)
    plain = {"q": q, "drawn": drawn, "faults": faults or {}, "draw": draw or DrawForm(seed=_new_seed())}
    known = {name: lists[name] for name in ("event", "judge", "owed", "seed")}
    more = {"path": _path(at.event.id), "titles": _titles(SECTIONS), **_choices(lists)}
    return shown("events/table.html", status, **listed, **plain, **known, **more)


def _in_lists(lists: _Seen, q: str) -> dict[str, list[dict[str, str]]]:
    """Return the players who are looked for, and those who are next, being checked, and checked."""
    checks = lists["checks"]
    taken = {one["registration"] for one in checks}
    waiting = (lists["players"][place] for place in lists["order"])
    return {
        "found": [_player(one) for one in table_forms.found(lists["players"], q)] if q else [],
        "next": [_player(one) for one in waiting if one["id"] not in taken][:_NEXT],
        "going": [_listed(one) for one in checks if not one["ended"]],
        "done": [_listed(one) for one in reversed(checks) if one["ended"]][:_MOST_DONE],
    }


def _titles(sections: Iterable[str]) -> tuple[tuple[str, str], ...]:
    return tuple((one, section_name(one, here().say)) for one in sections)


def _choices(lists: _Seen) -> dict[str, Sequence[tuple[str, str]]]:
    """Return what a judge may choose among, each as it is sent and as it is shown."""
    say = here().say
    return {
        "outcomes": [(one, say.of(_OUTCOMES[one])) for one in lists["outcomes"]],
        "infractions": [(one["key"], say.of(one["title"])) for one in lists["infractions"]],
        "ladder": [(one, one) for one in lists["ladder"]],
    }


def _player(one: _Seen) -> dict[str, str]:
    said = one["player_id"], one["team"], "" if one["received"] else here().say("no list")
    return {"path": f"/registrations/{one['id']}", "player": one["player"], "says": " · ".join(filter(None, said))}


def _listed(one: _Seen) -> dict[str, str]:
    """Return a check as it is listed: how far it is, where, and the penalty."""
    say = here().say
    state = say.of(_OUTCOMES.get(one["outcome"] or "", "")) if one["ended"] else ""
    if not one["ended"]:
        state = say("going on") if one["started"] else say("drawn")
    where = say("table {table}", table=one["table"]) if one["table"] else ""
    said = state, where, one["penalty"] or "", one["judge"]
    return {"path": f"/checks/{one['id']}", "player": one["player"], "says": " · ".join(filter(None, said))}


def _check_page(
    at: Standing,
    cid: str,
    status: int = 200,
    typed: Mapping[str, str] | None = None,
    faults: Mapping[str, str] | None = None,
) -> Response:
    """Return the page of a check as it stands, with what was typed, which is written over it when it is sent again."""
    check = data_of(_desk().check(at, cid))
    lists = _lists(at)
    kept = {name: check[name] or "" for name in table_forms.NOTED}
    kept |= {"decklist": "", "between_games": check["between_games"]}
    filled = kept if typed is None else {name: typed.get(name, "") for name in kept}
    sections = _sections(check, None if typed is None else table_forms.counted(typed) or {})
    differ = {name: _named(check[name]) for name in ("missing", "extra")}
    titles = _titles(lists["event"]["sections"])
    known = {"check": check, "version": check["version"], "swaps": lists["event"]["swaps"], "path": _path(at.event.id)}
    more = {"typed": filled, "sections": sections, "titles": titles, "faults": faults or {}}
    return shown("events/table_check.html", status, **known, **more, **differ, **_choices(lists))


def _sections(check: _Seen, typed: Mapping[str, Mapping[str, Any]] | None) -> list[dict[str, Any]]:
    """Return the rows to be filled in by section: the cards of the registered list, and others that lay there."""
    rows: dict[str, dict[str, dict[str, Any]]] = {}
    for one in check["cards"]:
        rows.setdefault(one["section"], {})[_key(one)] = one | {"counted": ""}
    for one in (check["box"] or ()) if typed is None else ():
        unlisted = one | {"count": 0}
        rows.setdefault(one["section"], {}).setdefault(_key(one), unlisted)["counted"] = one["count"]
    for section, cards in (typed or {}).items():
        for card, count in cards.items():
            unlisted = {"section": section, "number": "", "name": card, "count": 0}
            rows.setdefault(section, {}).setdefault(card, unlisted)["counted"] = count
    return [_section(one, list(rows[one].items())) for one in SECTIONS if one in rows]


def _section(section: str, rows: Sequence[tuple[str, _Seen]]) -> dict[str, Any]:
    filled = [dict(row) | {"field": f"count.{section}.{key}"} for key, row in rows]
    return {
        "title": section_name(section, here().say),
        "registered": sum(row["count"] for row in filled),
        "rows": filled,
    }


def _key(card: _Seen) -> str:
    key: str = card["number"] or card["name"]
    return key


def _named(differing: Mapping[str, Sequence[_Seen]]) -> list[tuple[str, str]]:
    """Return the cards of each section that differs in a line."""
    say = here().say
    lines = {
        section: ", ".join(f"{one['count']} × {one['number']} {one['name']}".replace("  ", " ") for one in cards)
        for section, cards in differing.items()
    }
    return [(section_name(section, say), line) for section, line in lines.items()]
