"""The workbook pages: a spreadsheet of many decks, how its columns were read, and what came of it, now or by a job.

Nothing is kept of a small spreadsheet: the page carries it along, so that it can be read another way without choosing
the file again.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Flask, Response, request, url_for
from werkzeug.exceptions import NotFound, RequestEntityTooLarge

from api.jobs.job_store import DONE, FAILED, Job
from api.jobs.task import Task
from api.service.errors import Invalid, Large, Wrong
from api.service.judges import VerdictKind
from api.service.languages import language
from api.service.shapes import load_with
from api.sheets.registration import Event
from api.web.bodies import Upload, plain_name
from api.web.operations.metrics import verdict_kind
from api.web.pages.deck_form import choices
from api.web.pages.rendering import Page, current_visit, faults_by_field, is_unsubmitted, link, render_response
from api.web.schemas import WorkbookQuery
from api.web.services import services
from api.web.v1 import workbooks
from api.web.v1.jobs import NO_JOB
from api.workbooks import checking
from api.workbooks.intake.grids import AT_ONCE
from api.workbooks.readings import CHOICES
from api.workbooks.reporting.overview import Overview, overview
from validator.language import phrase

blueprint = Blueprint("workbook_pages", __name__)
PAGE = Page(blueprint, "/workbooks", lambda translate: translate("Workbooks"))

_QUERY = WorkbookQuery()
_FIELDS = ("game", "ruleset", "on", "region", "format", "best_of", *Event._fields, "paper", "order", *CHOICES)
MOST_CARRIED = 300_000  # bytes; a form may have 500,000 beside its file
_OTHER_FIELDS = 600_000  # bytes that a form has beside its file
_NO_FILE = phrase("Choose the spreadsheet.")


@blueprint.get("/workbooks")
def workbook() -> Response:
    """Return the page with an empty form for a spreadsheet."""
    return _page()


@blueprint.post("/workbooks")
def check() -> Response:
    """Judge the spreadsheet of the form. Return a page with the results, the chosen file, or a redirect to a job.

    A job judges a file that is too large to be judged at once. Wrong fields return the page with their errors. A form
    without a file that was sent only to change the language returns the empty form.
    """
    upload = None
    try:
        upload = _read_upload()
        task = workbooks.read_task(upload.name, load_with(_QUERY, upload.fields), current_visit().translate)
        return _run_task(task, upload)
    except Invalid as error:
        if upload is None and is_unsubmitted():
            return _page()
        return _page(upload, 422, faults=faults_by_field(error))


def _run_task(task: Task, upload: Upload) -> Response:
    """Judge a small spreadsheet at once, and return the chosen file or the page with its results.

    For a larger one, or one that takes too much work, begin a job and redirect to its page. Raises Invalid if the file
    cannot be read, Busy if too much work waits, and the errors of `begin_job`.
    """
    if len(upload.data) <= services().settings.at_once:
        try:
            if "as" in upload.fields:
                return workbooks.judge_at_once(task, upload.data)
            return _page(upload, overview=_make_overview(task, upload.data))
        except Large:
            pass
    return _redirect_to_job(workbooks.begin_job(task, upload.data))


@blueprint.get("/workbooks/jobs/<id>")
def job(id: str) -> Response:
    """Return the page with the progress of a job. Raises NotFound if there is no such job."""
    return _job_page(id, services().jobs.find(id))


@blueprint.post("/workbooks/jobs/<id>/cancel")
def cancel(id: str) -> Response:
    """Cancel a job or remove its result, and redirect to its page. Raises NotFound if there is no such job."""
    return _redirect_to_job(id) if services().jobs.cancel(id) else _job_page(id, None)


def _redirect_to_job(id: str) -> Response:
    """Return a redirect (303) to the page of a job. `id` is its secret."""
    return Response(status=303, headers={"Location": _job_address(id)})


def _job_address(id: str) -> str:
    """Return the address of the page of a job or, with "/cancel" at the end of `id`, of its cancel form.

    It has the reader's language if the current address names it.
    """
    return link(f"/workbooks/jobs/{id}")


def _job_page(id: str, job: Job | None) -> Response:
    """Return the page of a job, which is not cached. `id` is its secret. Raises NotFound if `job` is None."""
    if job is None:
        raise NotFound(NO_JOB)
    shown = {"job": job, "is_done": job.status == DONE, "has_failed": job.status == FAILED}
    addresses = {"address": _job_address(id), "cancel": _job_address(f"{id}/cancel")}
    led = addresses | {"result": url_for("jobs.get_job_result", id=id)}
    answer = render_response("job.html", 200, name=job.task.get("name", ""), **shown, **led)
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def _read_upload() -> Upload:
    """Return the spreadsheet of the form with the fields that are filled in. Sets the size limit of the request.

    Without a file it is the one that the page carried along. Raises Invalid without any, RequestEntityTooLarge if it is
    too large.
    """
    request.max_content_length = services().settings.max_workbook + _OTHER_FIELDS
    fields = {name: text for name in (*_FIELDS, "as") if (text := request.form.get(name, "").strip())}
    return read_spreadsheet(fields, "name", "decks")


def read_spreadsheet(fields: Mapping[str, str], name_field: str, default_name: str) -> Upload:
    """Return the spreadsheet of the form: its file, else the one that the page carried along in base64.

    `fields` become those of the result. `name_field` is the form field with the name of a carried file. Raises Invalid
    if there is no spreadsheet. Raises RequestEntityTooLarge if a file is too large.
    """
    file, most = request.files.get("file"), services().settings.max_workbook
    if file and (data := file.read()):
        if len(data) > most:
            raise RequestEntityTooLarge(phrase("A file may have at most {most:,} bytes.", most=most))
        return Upload(data, plain_name(file.filename or default_name), dict(fields))
    try:
        data = b64decode(request.form.get("carried", ""), validate=True)
    except NotBase64:
        data = b""
    if not data:
        raise Invalid([Wrong("/file", _NO_FILE)])
    return Upload(data, plain_name(request.form.get(name_field) or default_name), dict(fields))


def _make_overview(task: Task, data: bytes) -> Overview:
    """Judge the decks of a spreadsheet in a child process, and return the overview for the page.

    Counts the verdicts in the metrics. Raises Invalid if the file cannot be read. Raises Large if the work takes
    too much time or memory for one request. Raises Busy if too much other work waits.
    """
    found, judged = workbooks.run_in_child(_judge_decks, task, data)
    for kind in judged:
        services().metrics.count_verdicts(kind)
    return found


def _judge_decks(app: Flask, task: Task, data: bytes) -> tuple[Overview, list[VerdictKind]]:
    """Judge the decks of a task's spreadsheet, and return the overview and the kinds of the verdicts for the metrics.

    Runs in a child process. Raises Refused if the file cannot be read, Large if it has too much for one request.
    """
    with app.app_context():
        outcome = checking.check(task.read(data, services().judges, AT_ONCE), budget=AT_ONCE)
        return overview(outcome, language(task.wanted.lang)), list(map(verdict_kind, outcome.verdicts))


def _page(upload: Upload | None = None, status: int = 200, **shown: Any) -> Response:
    """Return the page of the form. `shown` replaces default values of the template.

    A file of at most 300,000 bytes is carried along in the page, so that it can be sent again.
    """
    carried = upload.data if upload and len(upload.data) <= MOST_CARRIED else b""
    plain = {
        "fields": {name: request.form.get(name, "") for name in _FIELDS},
        "file": upload.name if upload else "",
        "carried": b64encode(carried).decode(),
        "choices": choices(current_visit().translate),
        "faults": {},
        "overview": None,
        "to_fill_in": url_for("workbooks.get_workbook_template"),
    }
    return render_response("workbooks.html", status, **(plain | shown))
