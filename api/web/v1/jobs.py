"""Jobs: large files that are judged later, their progress and their results."""

from __future__ import annotations

from typing import Annotated, NoReturn, TypedDict

import orjson
from flask import Response, url_for
from werkzeug.datastructures import Headers
from werkzeug.exceptions import Conflict, NotFound

from api.jobs.job_store import CANCELLED, DONE, FAILED, STATUSES, Job
from api.jobs.task import Task
from api.service.answers.problem_details import MEDIA_TYPE, ProblemJSON
from api.sheets.sheet_files import KINDS
from api.web.blueprints import Blueprint
from api.web.components import SharedParameter
from api.web.responses import answer, file_headers
from api.web.services import services
from validator.field_docs import MomentText, doc
from validator.language import phrase

blueprint = Blueprint("jobs", __name__, url_prefix="/v1/jobs", description="What takes longer than a request.")

_ID = SharedParameter(
    "JobId", {"in": "path", "name": "id", "schema": {"type": "string"}, "description": "The secret of the job."}
)
# The responses of the OpenAPI document for results: any kind of file.
RESULTS = {
    200: {"content": {kind.media_type: {"schema": {"type": "string", "format": "binary"}} for kind in KINDS.values()}}
}
PROBLEMS = "Deckproof-Problems"
PROBLEMS_HEADER = {PROBLEMS: {"schema": {"type": "integer"}, "description": "How many things were not read."}}


class LinksJSON(TypedDict):
    """The addresses of a job and of its result, in a JobJSON."""

    self: Annotated[str, doc("This job.")]
    result: Annotated[str | None, doc("Its result, once it is done.")]


class JobJSON(TypedDict):
    """A job as answered to clients: its secret id, progress, times and links. `problem` is set if it failed.

    `name` is empty if it was cancelled. `started` is null while it waits, `ended` and `expires` until it has ended.
    """

    id: Annotated[str, doc("A secret: who knows it has the job and its result.")]
    status: Annotated[str, doc(enum=STATUSES)]
    name: Annotated[str, doc("What the file is called.")]
    done: Annotated[int, doc("How much is done.")]
    of: Annotated[int | None, doc("Of how much; `null` until that is known.")]
    created: MomentText
    started: MomentText | None
    ended: MomentText | None
    expires: Annotated[MomentText | None, doc("Until when what came of it is kept.")]
    problem: Annotated[ProblemJSON | None, doc("Why it failed.")]
    links: LinksJSON


@blueprint.route("/<id>", parameters=[_ID])
@blueprint.response(200, JobJSON)
@blueprint.problems(404)
def show_job(id: str) -> Response:
    """Show the status and the progress of a job."""
    return _job_response(id, services().jobs.find(id))


@blueprint.route("/<id>", methods=["DELETE"])
@blueprint.response(200, JobJSON)
@blueprint.problems(404)
def cancel_job(id: str) -> Response:
    """Cancel a job, or remove its result.

    The uploaded file, its name and the result are removed at once. The job may have any status.
    """
    return _job_response(id, services().jobs.cancel(id))


@blueprint.route("/<id>/result", parameters=[_ID])
@blueprint.doc(responses=RESULTS)
@blueprint.response(200, description="The file that was asked for.", headers=PROBLEMS_HEADER)
@blueprint.problems(404, 409, 422)
def get_job_result(id: str) -> Response:
    """Get the result of a job.

    The answer is 409 if there is no result yet, or not any more. If the job failed, the answer is its problem.
    """
    job = services().jobs.find(id) or _raise_missing()
    if job.status == FAILED and job.problem:
        return Response(orjson.dumps(job.problem), job.problem["status"], content_type=MEDIA_TYPE)
    if job.status != DONE:
        raise Conflict(_NOT_YET if job.status != CANCELLED else _NO_MORE)
    task = Task.of_json(job.task)
    headers = task_file_headers(task)
    headers["Content-Length"] = str(job.size)
    if job.problems is not None:  # None for a job of an older version
        headers[PROBLEMS] = str(job.problems)
    return Response(services().jobs.pieces(id), content_type=KINDS[task.wanted.kind].media_type, headers=headers)


def task_file_headers(task: Task) -> Headers:
    """Return the headers to download the results of a task: the file name, no caching, and the language.

    A PDF has no language header.
    """
    headers = file_headers(task.file_name)
    if task.wanted.kind != "pdf":
        headers["Content-Language"] = task.wanted.lang
    return headers


_NOT_YET = phrase("This job is not done yet. Its result is there once its status is `done`.")
_NO_MORE = phrase("This job was cancelled. There is no result of it.")
NO_JOB = phrase("There is no such job, or its result is not stored any more.")


def accepted_response(id: str) -> Response:
    """Return a 202 response with a new job and its address as `Location`. Raises NotFound if there is no job `id`."""
    response = _job_response(id, services().jobs.find(id), 202)
    response.headers["Location"] = url_for("jobs.show_job", id=id)
    return response


def _job_response(id: str, job: Job | None, status: int = 200) -> Response:
    """Return a job as a JSON response that is not cached. `id` is its secret. Raises NotFound if `job` is None."""
    response = answer(_job_json(id, job or _raise_missing()), status)
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _raise_missing() -> NoReturn:
    """Raise NotFound with the message that a job does not exist or has expired."""
    raise NotFound(NO_JOB)


def _job_json(id: str, job: Job) -> JobJSON:
    """Return a job as JSON. `id` is its secret. The link to the result is None unless the job is done.

    `name` is "" if the job was cancelled.
    """
    result = url_for("jobs.get_job_result", id=id) if job.status == DONE else None
    return {
        "id": id,
        "name": job.task.get("name", ""),
        "status": job.status,
        "done": job.done,
        "of": job.of,
        "created": job.created,
        "started": job.started,
        "ended": job.ended,
        "expires": job.expires,
        "problem": job.problem,
        "links": {"self": url_for("jobs.show_job", id=id), "result": result},
    }
