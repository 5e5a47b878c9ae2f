"""Jobs: what is done later, how far it is, and what came of it."""

from __future__ import annotations

from typing import Any, NoReturn

import orjson
from flask import Response, url_for
from werkzeug.exceptions import Conflict, NotFound

from api.jobs.job_store import CANCELLED, DONE, FAILED, Job
from api.jobs.task import Task
from api.service.answers import serializers
from api.service.answers.problem_details import MEDIA_TYPE
from api.sheets.sheet_files import KINDS
from api.web import schemas
from api.web.blueprints import Blueprint
from api.web.downloads import file_headers
from api.web.services import answer, services

blueprint = Blueprint("jobs", __name__, url_prefix="/v1/jobs", description="What takes longer than a request.")

_ID = {"in": "path", "name": "id", "schema": {"type": "string"}, "description": "The secret of the job."}
_PUBLIC = ("status", "done", "of", "created", "started", "ended", "expires", "problem")
# What came of a spreadsheet, as the OpenAPI document has it: any kind of file that may be asked for.
RESULTS = {
    200: {"content": {kind.media_type: {"schema": {"type": "string", "format": "binary"}} for kind in KINDS.values()}}
}
PROBLEMS = "Deckproof-Problems"
PROBLEMS_HEADER = {PROBLEMS: {"schema": {"type": "integer"}, "description": "How many things were not read."}}


@blueprint.route("/<id>", parameters=[_ID])
@blueprint.response(200, schemas.JobShape)
@blueprint.problems(404)
def show(id: str) -> Response:
    """Tell how far a job is."""
    return _answer(id, services().jobs.find(id))


@blueprint.route("/<id>", methods=["DELETE"])
@blueprint.response(200, schemas.JobShape)
@blueprint.problems(404)
def cancel(id: str) -> Response:
    """Cancel a job, or remove its result.

    What was sent in, its name too, and what came of it are removed at once, whatever the job's status.
    """
    return _answer(id, services().jobs.cancel(id))


@blueprint.route("/<id>/result", parameters=[_ID])
@blueprint.doc(responses=RESULTS)
@blueprint.response(200, description="The file that was asked for.", headers=PROBLEMS_HEADER)
@blueprint.problems(404, 409, 422)
def result(id: str) -> Response:
    """Get the result of a job.

    409 while there is none yet or no more; for a job that failed the problem that it failed with.
    """
    job = services().jobs.find(id) or _missing()
    if job.status == FAILED and job.problem:
        return Response(orjson.dumps(job.problem), job.problem["status"], content_type=MEDIA_TYPE)
    if job.status != DONE:
        raise Conflict(_NOT_YET if job.status != CANCELLED else _NO_MORE)
    task = Task.of_json(job.task)
    headers = file_headers(task.file_name)
    headers["Content-Length"] = str(job.size)
    if job.problems is not None:  # one that an older version did does not say it
        headers[PROBLEMS] = str(job.problems)
    return Response(services().jobs.pieces(id), content_type=KINDS[task.wanted.kind].media_type, headers=headers)


_NOT_YET = "This job is not done yet; its result is there once its status is `done`."
_NO_MORE = "This job was cancelled; there is no result of it."


def begun(id: str) -> Response:
    """Answer with a job that was taken in just now."""
    response = _answer(id, services().jobs.find(id), 202)
    response.headers["Location"] = url_for("jobs.show", id=id)
    return response


def _answer(id: str, job: Job | None, status: int = 200) -> Response:
    response = answer(_shown(id, job or _missing()), status)
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _missing() -> NoReturn:
    raise NotFound("There is no such job, or what came of it is kept no longer.")


def _shown(id: str, job: Job) -> dict[str, Any]:
    result = url_for("jobs.result", id=id) if job.status == DONE else None
    return {
        "id": id,
        "name": job.task.get("name", ""),
        **serializers.facts(job, _PUBLIC),
        "links": {"self": url_for("jobs.show", id=id), "result": result},
    }
