"""Workbooks: spreadsheets of many decks."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from flask import Flask
from flask import Response
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.exceptions import ServiceUnavailable

from api.jobs.task import Task
from api.service.errors import Full
from api.service.errors import Invalid
from api.service.errors import Large
from api.service.errors import Refused
from api.service.errors import Spent
from api.service.errors import Wrong
from api.service.shapes import asked
from api.service.shapes import loaded
from api.service.temporary_folders import folder
from api.sheets.files import KINDS
from api.web import schemas
from api.web.bodies import Blueprint
from api.web.downloads import accepted
from api.web.downloads import file_headers
from api.web.metrics import Judged
from api.web.services import services
from api.web.uploads import FORM
from api.web.uploads import plain_name
from api.web.uploads import uploaded
from api.web.v1 import jobs
from api.workbooks import checking
from api.workbooks import template
from api.workbooks.results import Progress
from api.workbooks.room import AT_ONCE

blueprint = Blueprint("workbooks", __name__, url_prefix="/v1/workbooks", description="Spreadsheets of many decks.")

_XLSX = KINDS["xlsx"].media_type
_FILE = {"type": "string", "format": "binary"}
# What a spreadsheet may be sent as; programs do not agree on CSV.
_SENT_AS = {_XLSX: ".xlsx", "text/csv": ".csv", "application/csv": ".csv", "application/vnd.ms-excel": ".xlsx"}
_AGAIN_AFTER = 60  # seconds until there may be room again


@blueprint.route("", methods=["POST"])
@blueprint.doc(
    parameters=[{"in": "query", "schema": schemas.WorkbookQuery}],
    requestBody={
        "required": True,
        "description": "A form with the part `file`, or the file by itself. Fields may stand in the form or the query.",
        "content": {FORM: {"schema": schemas.WorkbookForm}, **{kind: {"schema": _FILE} for kind in _SENT_AS}},
    },
)
@blueprint.response(200, _FILE, content_type=_XLSX, description="The results, of a small file.")
@blueprint.alt_response(202, schema=schemas.JobShape, description="The job, of a large file; `Location` leads to it.")
@blueprint.problems(400, 413, 415, 422)
def check() -> Response:
    """Judge a spreadsheet of decks.

    XLSX or CSV, a row a card, a row a deck or a sheet a player, found by their headings. The result is a file: a
    workbook with a row a player, every finding with its place, the leaders and the cards; or its summary as CSV, or
    the registration sheets as PDF. Rows that cannot be read are named in it, and the rest are judged. A small file is
    answered at once, a large one by a job.
    """
    here = services()
    upload = uploaded(here.settings.max_workbook, _SENT_AS)
    fields = loaded(schemas.WorkbookQuery(), upload.fields)
    task = Task(plain_name(upload.name), asked({"on": here.judges.today()} | fields), _wanted(fields))
    here.judges.judge(task.asked)  # refuses at once what nobody can judge by
    large = len(upload.data) > here.settings.at_once
    if fields.get("job", large):
        return _job(task, upload.data)
    with suppress(Large):
        if not large:
            return _at_once(task, upload.data)
    if "job" in fields:
        most = f"{here.settings.at_once:,} bytes, {AT_ONCE.text:,} characters and {AT_ONCE.decks} decks"
        raise RequestEntityTooLarge(f"At once at most {most} are judged, if they are simple; leave job out.")
    return _job(task, upload.data)


def _wanted(fields: dict[str, Any]) -> checking.Wanted:
    kind = fields.get("kind") or accepted({kind: KINDS[kind].media_type for kind in checking.KINDS}, "xlsx")
    return checking.Wanted(kind, **{key: fields[key] for key in ("deck_sheets", "paper") if key in fields})


def _job(task: Task, data: bytes) -> Response:
    here = services()
    try:
        id = here.jobs.add(task.as_json(), data)
    except Full as error:
        raise ServiceUnavailable(str(error), retry_after=_AGAIN_AFTER) from None
    here.queue.wake()
    return jobs.begun(id)


def _at_once(task: Task, data: bytes) -> Response:
    here = services()
    with folder("results") as made:
        try:
            judged = here.children.do(here.settings.request_seconds, _judged, task, data, made / "result")
        except Refused as error:
            raise Invalid([Wrong("/file", str(error))]) from None
        except Spent:
            raise Large from None
        result = (made / "result").read_bytes()
    for one in judged:
        here.metrics.count(one)
    return Response(result, content_type=KINDS[task.wanted.kind].media_type, headers=file_headers(task.file_name))


def _judged(app: Flask, _: Progress, task: Task, data: bytes, target: Path) -> list[Judged]:
    """Do a task, as a child; return what is counted of its verdicts."""
    with app.app_context():
        return [Judged.of(verdict) for verdict in task.run(data, services().judges, target, room=AT_ONCE).verdicts]


@blueprint.route("/template.xlsx")
@blueprint.response(200, _FILE, content_type=_XLSX, description="A workbook with headings and help.")
def get_template() -> Response:
    """Download the workbook to fill in.

    It has both shapes that a workbook of decks may have, a row a card and a row a deck, and a sheet that explains
    them. Any other spreadsheet with the usual headings is read as well.
    """
    named = {"Content-Disposition": 'attachment; filename="deckproof-template.xlsx"'}
    return Response(template.template(), mimetype=_XLSX, headers=named)
