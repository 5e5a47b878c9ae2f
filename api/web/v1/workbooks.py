"""Workbooks: spreadsheets of many decks."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

from flask import Flask, Response
from werkzeug.exceptions import RequestEntityTooLarge, ServiceUnavailable

from api.jobs.task import Task
from api.service.errors import Full, Invalid, Large, Refused, WorkLimitExceeded, Wrong
from api.service.judges import VerdictKind, names_game
from api.service.languages import language
from api.service.shapes import Loaded, load_terms, load_with
from api.sheets.registration import Event
from api.sheets.sheet_files import KINDS
from api.web import schemas
from api.web.blueprints import Blueprint
from api.web.bodies import FORM, SPREADSHEET_TYPES, plain_name, read_upload
from api.web.components import LOCATION, QueryParameters
from api.web.language_choice import PARAMETER, request_language
from api.web.operations.metrics import verdict_kind
from api.web.responses import answer, preferred_kind
from api.web.services import services
from api.web.v1 import jobs
from api.web.v1.jobs import JobJSON, task_file_headers
from api.workbooks import checking, template
from api.workbooks.intake import preview
from api.workbooks.intake.grids import AT_ONCE
from api.workbooks.intake.preview import PreviewJSON
from api.workbooks.readings import CHOICES
from carddb.temporary_folders import temporary_folder
from validator.errors import error_text
from validator.language import Language, phrase

blueprint = Blueprint("workbooks", __name__, url_prefix="/v1/workbooks", description="Spreadsheets of many decks.")

_QUERY = schemas.WorkbookQuery()
_XLSX = KINDS["xlsx"].media_type
_FILE = {"type": "string", "format": "binary"}
_AGAIN_AFTER = 60  # seconds until there may be room again
_Result = TypeVar("_Result")


_BODY = {
    "required": True,
    "description": "A form with the part `file`, or the file by itself. Fields may stand in the form or the query.",
    "content": {FORM: {"schema": schemas.WorkbookForm}, **{kind: {"schema": _FILE} for kind in SPREADSHEET_TYPES}},
}


@blueprint.route("", methods=["POST"])
@blueprint.doc(
    parameters=[QueryParameters(schemas.WorkbookQuery), PARAMETER], requestBody=_BODY, responses=jobs.RESULTS
)
@blueprint.response(200, description="The results, of a small file.", headers=jobs.PROBLEMS_HEADER)
@blueprint.response(202, JobJSON, headers=LOCATION, description="The job, of a large file.")
@blueprint.problems(400, 413, 415, 422)
def validate_workbook() -> Response:
    """Judge a spreadsheet of decks.

    Send XLSX or CSV with one row for each card, one row for each deck, or one sheet for each player. Columns are found
    by their headings. The result is a workbook with a row for each player, all findings with their places, the leaders
    and the cards. It can also be the summary as CSV, or the registration sheets as PDF. The result names the rows that
    could not be read. The other rows are judged. A small file is answered at once, a large one by a job. `lang` is the
    language of headings and sentences. Codes, card numbers and the registration sheets are the same in all languages.
    """
    here, translate = services(), request_language()
    upload = read_upload(here.settings.max_workbook)
    fields = load_with(_QUERY, upload.fields)
    task = read_task(upload.name, fields, translate)
    large = len(upload.data) > here.settings.at_once
    if fields.get("job", large):
        return jobs.accepted_response(begin_job(task, upload.data))
    with suppress(Large):
        if not large:
            return judge_at_once(task, upload.data)
    if "job" in fields:
        raise RequestEntityTooLarge(
            phrase(
                "At once at most {bytes:,} bytes, {characters:,} characters and {decks:,} decks are judged, if they "
                "are simple. Leave out `job`.",
                bytes=here.settings.at_once,
                characters=AT_ONCE.text,
                decks=AT_ONCE.decks,
            )
        )
    return jobs.accepted_response(begin_job(task, upload.data))


@blueprint.route("/columns", methods=["POST"])
@blueprint.doc(parameters=[QueryParameters(schemas.WorkbookQuery), PARAMETER], requestBody=_BODY)
@blueprint.response(200, PreviewJSON)
@blueprint.problems(400, 413, 415, 422)
def show_workbook_columns() -> Response:
    """Show the column roles of a spreadsheet, without judging it.

    For each sheet the answer has its layout, all columns with letters and headings, and the first players. The file is
    that of `POST /v1/workbooks`, with at most the number of bytes that are answered at once.
    """
    here, translate = services(), request_language()
    upload = read_upload(min(here.settings.max_workbook, here.settings.at_once))
    fields = load_with(_QUERY, upload.fields)
    task = _task(upload.name, fields)
    try:
        return answer(run_in_child(_preview, task, upload.data, translate.code), translate=translate)
    except Large:
        raise RequestEntityTooLarge(
            phrase(
                "At most {characters:,} characters and {decks:,} decks are shown, if they are simple.",
                characters=AT_ONCE.text,
                decks=AT_ONCE.decks,
            )
        ) from None


def _preview(app: Flask, task: Task, data: bytes, lang: str) -> PreviewJSON:
    """Return the column roles and the first players of a task's file, in the language with code `lang`.

    Runs in a child process. Raises Refused if the file cannot be read, Large if it is too large to be read at once.
    """
    with app.app_context():
        return preview.as_json(task.read(data, services().judges, AT_ONCE).book, language(lang))


def read_task(name: str, fields: Loaded, translate: Language) -> Task:
    """Return the task to judge a spreadsheet named `name`, for the fields that WorkbookQuery loads.

    `translate` is the language of the results. The day of the event is the default of the day to judge by, else today.
    Raises Invalid for wrong terms or a wrong event.
    """
    event = Event.read({key: fields.get(key) for key in Event._fields})
    day = {"on": event.day} if event.day else {}
    return _task(name, day | fields, wanted=_read_wanted_file(fields, event, translate))


def _task(name: str, fields: Loaded, **wanted: checking.Wanted) -> Task:
    """Return the task for loaded fields. Terms without a day get today.

    `wanted` may only have the key `wanted`: the description of the result file. Raises Invalid for wrong terms. Terms
    without a game are checked only when the decks are judged.
    """
    asked_for = services().judges.with_day(load_terms(fields))
    if names_game(asked_for):
        services().judges.judge(asked_for)
    choices = {choice: fields[choice] for choice in CHOICES if choice in fields}
    return Task(plain_name(name), asked_for, choices=choices, **wanted)


def _read_wanted_file(fields: Loaded, event: Event, translate: Language) -> checking.Wanted:
    """Return the description of the result file from the fields that `WorkbookQuery` loads.

    Its kind is `kind`, else by the Accept header, else xlsx. `deck_sheets`, `paper`, `mail_merge` and `order` are taken
    too, and have defaults. `event` is named on what is printed. `translate` is the language of the results.
    """
    kind = fields.get("kind") or preferred_kind({kind: KINDS[kind].media_type for kind in checking.KINDS}, "xlsx")
    others = ("deck_sheets", "paper", "mail_merge", "order")
    chosen = {key: fields[key] for key in others if key in fields}
    return checking.Wanted(kind, event=event, lang=translate.code, **chosen)


def begin_job(task: Task, data: bytes) -> str:
    """Store a task with its file as a job, wake a worker, and return the secret id of the job.

    Raises ServiceUnavailable if too many jobs are waiting or there is no room for the file.
    """
    here = services()
    try:
        id = here.jobs.add(task.as_json(), data)
    except Full as error:
        raise ServiceUnavailable(error_text(error), retry_after=_AGAIN_AFTER) from None
    here.queue.wake()
    return id


def judge_at_once(task: Task, data: bytes) -> Response:
    """Judge a spreadsheet in a child process, and return the file of results as a download.

    Counts the verdicts in the metrics. The header Deckproof-Problems has the number of unread parts. Raises Invalid if
    the file cannot be read, Large if the work takes too much time or memory for one request, Busy if too much work
    waits.
    """
    with temporary_folder("results") as folder:
        outcome = run_in_child(_run_task, task, data, folder / "result")
        result = (folder / "result").read_bytes()
    for kind in outcome.verdicts:
        services().metrics.count_verdicts(kind)
    headers = task_file_headers(task)
    headers[jobs.PROBLEMS] = str(outcome.problems)
    return Response(result, content_type=KINDS[task.wanted.kind].media_type, headers=headers)


def run_in_child(work: Callable[..., _Result], *arguments: object) -> _Result:
    """Return the result of `work`, which a child process calls with the application and `arguments`.

    `work` is a function of a module. Raises Invalid if it refuses the file. Raises Large if it raises Large, or takes
    too much time or memory for one request. Raises Busy if too much work waits.
    """
    here = services()
    try:
        return here.children.run(here.settings.request_seconds, work, *arguments)
    except Refused as error:
        raise Invalid([Wrong("/file", error_text(error))]) from None
    except WorkLimitExceeded:
        raise Large from None


class _TaskOutcome(NamedTuple):
    """The outcome of a task: the kinds of its verdicts for the metrics, and the number of its problems.

    A problem is a part of the file that could not be read.
    """

    verdicts: list[VerdictKind]
    problems: int


def _run_task(app: Flask, task: Task, data: bytes, target: Path) -> _TaskOutcome:
    """Judge the spreadsheet `data`, write the file of results to `target`, and return the outcome.

    Runs in a child process. Raises Refused if the file cannot be read, Large if it is too large to be judged at once.
    """
    with app.app_context():
        outcome = task.run(data, services().judges, target, budget=AT_ONCE)
        return _TaskOutcome(list(map(verdict_kind, outcome.verdicts)), len(outcome.book.problems))


@blueprint.route("/template.xlsx")
@blueprint.response(200, _FILE, content_type=_XLSX, description="A workbook with headings and help.")
def get_workbook_template() -> Response:
    """Download the workbook to fill in.

    It has both shapes that a workbook of decks may have, a row a card and a row a deck, and a sheet that explains
    them. Any other spreadsheet with the usual headings is read as well.
    """
    named = {"Content-Disposition": 'attachment; filename="deckproof-template.xlsx"'}
    return Response(template.template(), mimetype=_XLSX, headers=named)
