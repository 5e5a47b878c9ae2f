"""Runs: one question asked of all shards. A folder of results belongs to one run, which goes on after it was killed.

The results of a shard are a part, a Parquet file that is written whole. A receipt beside the parts has its counts and
its checksum: a shard is done if the receipt's part is there. Doing a shard twice writes the same bytes twice, so that
neither killed processes nor two runs at a time lose or double a row.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, NamedTuple, Protocol, TypedDict

import msgspec
import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from api.rejudge.locations import Location, describe_error
from api.rejudge.rejudging import Question, Rejudged, Rejudging, rejudged_schema
from api.rejudge.shards import STORAGE_THREADS, Shard, Split, choose_split, plan_shards, read_inputs
from api.service.errors import Unusable
from api.service.settings import Settings
from carddb.errors import CardDataError
from carddb.library import Library
from validator.differences import version
from validator.errors import error_text
from validator.language import phrase

COUNTS = ("rows", "legal", "illegal", "unusable", "no_more", "again", "concerned")
# Names with an underscore are no data for those who read the folder as one table.
RUN, RECEIPTS = "_run.json", "_receipts"
_FORMER = ("manifest.ndjson", "run.json")
_TRIES = 3
_PAUSE = 0.5  # seconds
_LOCK = threading.Lock()  # for engines that have several threads in a process


class Job(NamedTuple):
    """The values that a process needs to rejudge a shard.

    `database` is that of the cards. `snapshots` has (game, (id of its card snapshot, id of its limits lists)).
    `version` is that of the code that decides, and the same on all machines. Results are written to `folder`, and
    nothing is written if it is None.
    """

    question: Question
    database: str
    snapshots: tuple[tuple[str, tuple[str, str]], ...]
    folder: Location | None
    version: str

    def part_name(self, shard: Shard) -> str:
        """Return the file name of a shard's results: `part-CHECKSUM.parquet`.

        It is the same for the same shard, version, snapshots and question.
        """
        return f"part-{shard.name(self.version, self.snapshots, self.question)}.parquet"


class RunJSON(TypedDict):
    """The description of a run in its folder. Runs with other descriptions cannot continue it.

    `question` has the requested terms by name, `before` and `full`. `inputs` has a checksum of the shards of each input
    file by file name. `snapshots` has [id of the snapshot, id of the lists] by game. `split` has the `rows` and the
    `bytes` of a shard.
    """

    question: Mapping[str, object]
    snapshots: Mapping[str, Sequence[str]]
    version: str
    inputs: Mapping[str, str]
    split: Mapping[str, int]


class Outcome(NamedTuple):
    """The counts of a shard that is done, or the reason why it could not be rejudged.

    `counts` has the keys of COUNTS, those of 0 may be missing. It is None in the second case. `reason` is "" in the
    first.
    """

    shard: Shard
    counts: dict[str, int] | None
    reason: str = ""


class Engine(Protocol):
    """Runs `try_shard` for many shards, in several processes or on several machines.

    It may run a shard several times.
    """

    @property
    def workers(self) -> int:
        """The number of shards that can be rejudged at a time."""
        ...

    def outcomes(self, job: Job, shards: Sequence[Shard], is_stopped: Callable[[], bool]) -> Iterator[Outcome]:
        """Yield the outcomes in any order. No shard is begun once `is_stopped()` is True: these have no outcome."""
        ...


def begin_run(job: Job, sources: Sequence[str], engine: Engine) -> list[Shard]:
    """Return the shards of a run, and write the run's description into its folder, which claims the folder.

    A run that is continued keeps its sizes of shards. Unfinished files in the folder are removed. Nothing is written if
    the job has no folder. Raises Unusable if the inputs cannot be read, or the folder cannot be written or belongs to
    another run.
    """
    known = job.folder and _read_run(job.folder)
    inputs = read_inputs(sources)
    split = Split(**known["split"]) if known else choose_split(inputs, engine.workers)
    shards = plan_shards(inputs, split)
    if job.folder:
        own = _describe_run(job, shards, split)
        differing = ", ".join(key for key, value in own.items() if known and known.get(key) != value)
        if differing:
            message = phrase(
                "{folder} has what came of another run, with other {differing}; name another folder",
                folder=str(job.folder),
                differing=differing,
            )
            raise Unusable(message)
        try:
            job.folder.child(RUN).write(orjson.dumps(own, option=orjson.OPT_INDENT_2))
            job.folder.remove_unfinished()
        except OSError as error:
            problem = describe_error(error)
            raise Unusable(
                phrase("{location} cannot be written: {problem}", location=str(job.folder), problem=problem)
            ) from None
    return shards


def finish_run(
    job: Job, shards: Sequence[Shard], engine: Engine, is_stopped: Callable[[], bool], report: Callable[[Outcome], None]
) -> list[Outcome]:
    """Rejudge the shards that are not done. Return the outcomes, those of earlier runs first.

    `report` is called with each. For a shard that could not be rejudged a receipt with the reason is written, and a
    later run tries it again. Unfinished files are removed. No shard is begun once `is_stopped()` is True: these have no
    outcome.
    """
    outcomes = _find_done(job, shards)
    for outcome in outcomes:
        report(outcome)
    done = {outcome.shard for outcome in outcomes}
    for outcome in engine.outcomes(job, [shard for shard in shards if shard not in done], is_stopped):
        if job.folder and outcome.counts is None:
            _write_receipt(job, outcome.shard, aside=outcome.reason)
        outcomes.append(outcome)
        report(outcome)
    if job.folder:
        job.folder.remove_unfinished()
    return outcomes


def try_shard(job: Job, shard: Shard) -> Outcome:
    """Rejudge a shard, write its results, and return the outcome. If that fails, it has the reason and no counts.

    An error of the database, the system or the memory is first retried twice, after half a second each. Other errors
    than these and Unusable are raised.
    """
    for left in reversed(range(_TRIES)):
        try:
            return Outcome(shard, _rejudge_shard(job, shard))
        except Unusable as error:
            return Outcome(shard, None, error_text(error))
        except (CardDataError, OSError, MemoryError) as error:
            if not left:
                return Outcome(shard, None, describe_error(error))
            time.sleep(_PAUSE)
    raise AssertionError("the last try returns")


def _rejudge_shard(job: Job, shard: Shard) -> dict[str, int]:
    """Rejudge a shard, write its results file and its receipt, and return the counts.

    The receipt is a JSON file with the counts and the checksum. Nothing is written if the job has no folder.

    The counts of a receipt have all keys of COUNTS, also with 0. Raises Unusable if this machine has another version of
    the code or the shard cannot be read.
    """
    if job.version != version():
        raise Unusable(phrase("this machine has another version of deckproof, or of its lists"))
    content, counts = pa.BufferOutputStream(), Counter[str]()
    writer: pq.ParquetWriter | None = None
    for answer in _rejudge_batches(job, shard):
        counts += answer.counts
        if job.folder:
            writer = writer or pq.ParquetWriter(content, answer.rows.schema, compression="zstd")
            writer.write_batch(answer.rows)
    if job.folder:
        (writer or pq.ParquetWriter(content, rejudged_schema(pa.string()), compression="zstd")).close()
        part = content.getvalue()
        job.folder.child(job.part_name(shard)).write(part)
        _write_receipt(job, shard, counts={name: counts[name] for name in COUNTS}, sha256=_checksum(part))
    return dict(counts)


def _rejudge_batches(job: Job, shard: Shard) -> Iterator[Rejudged]:
    """Yield the results for the decks of a shard, batch by batch. Only one thread of the process rejudges at a time.

    Raises the errors of `Shard.batches`, and AssertionError if a batch has other rows than its result.
    """
    for batch in shard.batches():
        with _LOCK:
            answer = _prepare_rejudging(job.question, job.database, job.snapshots)(batch)
        if len(answer.rows) != len(batch):
            raise AssertionError(f"{len(answer.rows)} rows came of {len(batch)}")
        yield answer


@lru_cache(maxsize=1)
def _prepare_rejudging(
    question: Question, database: str, snapshots: tuple[tuple[str, tuple[str, str]], ...]
) -> Rejudging:
    """Return the function that rejudges batches, with the library pinned to the snapshots.

    The last result is cached.
    """
    library = Library(database, limits_dir=Settings.from_environment().limits_dir)
    library.pin(dict(snapshots))
    return Rejudging(library, question)


def _receipt_location(folder: Location, part: str) -> Location:
    """Return the location of the receipt of a results file: `_receipts/PART.json` for `PART.parquet`.

    A receipt is a JSON file with the counts of a shard, or the reason why there are none.
    """
    return folder.child(RECEIPTS).child(part.replace(".parquet", ".json"))


def _write_receipt(job: Job, shard: Shard, **result: object) -> None:
    """Write the receipt of a shard, a JSON file, if the results have a folder. It replaces an earlier one.

    It has the names of the results file and the input file, and the range of the shard. `result` are further fields:
    `counts` and `sha256`, or the reason as `aside`.
    """
    if job.folder:
        part = job.part_name(shard)
        about = {"part": part, "input": shard.location.name, "first": shard.first, "end": shard.end}
        _receipt_location(job.folder, part).write(orjson.dumps(about | result))


def _find_done(job: Job, shards: Sequence[Shard]) -> list[Outcome]:
    """Return the outcomes of the shards that are done: their results files fit the checksums in their receipts.

    Empty if the results have no folder.
    """
    folder = job.folder
    if folder is None:
        return []

    def find_counts(shard: Shard) -> dict[str, int] | None:
        """Return the counts in the receipt of a shard, None if its results have no receipt or do not fit it."""
        part = job.part_name(shard)
        receipt = _parse_object(_receipt_location(folder, part).read())
        if "sha256" not in receipt or receipt["sha256"] != _checksum(folder.child(part).read() or b""):
            return None
        counts: dict[str, int] = receipt["counts"]
        return counts

    with ThreadPoolExecutor(STORAGE_THREADS) as threads:
        found = zip(shards, threads.map(find_counts, shards), strict=True)
        return [Outcome(shard, counts) for shard, counts in found if counts is not None]


def _checksum(content: bytes) -> str:
    """Return the SHA-256 of a file's content as hexadecimal text."""
    return hashlib.sha256(content).hexdigest()


def _read_run(folder: Location) -> RunJSON | None:
    """Return the description of the run that a folder belongs to, None if it belongs to none.

    Raises Unusable if the folder has results of an earlier version, or a description that lacks a field.
    """
    if any(folder.child(name).read() is not None for name in _FORMER):
        raise Unusable(
            phrase(
                "{folder} has results of an earlier version of deckproof, which this one cannot continue; "
                "name another folder",
                folder=str(folder),
            )
        )
    content = folder.child(RUN).read()
    if content is None:
        return None
    try:
        return msgspec.convert(_parse_object(content), RunJSON)
    except msgspec.ValidationError:
        raise Unusable(
            phrase(
                "{folder} has what came of another run, with other contents; name another folder", folder=str(folder)
            )
        ) from None


def _describe_run(job: Job, shards: Sequence[Shard], split: Split) -> RunJSON:
    """Return the description of a run, which has all things that its results depend on.

    These are the question, the snapshots, the version, a checksum of each input, and the split.
    """
    asked, before, full = job.question
    inputs = {shard.location.name: hashlib.sha256() for shard in shards}
    for shard in shards:
        inputs[shard.location.name].update(repr(shard[1:]).encode())
    about = {
        "question": {**asked._asdict(), "before": before, "full": full},
        "snapshots": {game: [*ids] for game, ids in job.snapshots},
        "version": job.version,
        "inputs": {name: digest.hexdigest() for name, digest in sorted(inputs.items())},
        "split": split._asdict(),
    }
    run: RunJSON = orjson.loads(orjson.dumps(about, default=str))
    return run


def _parse_object(content: bytes | None) -> dict[str, Any]:
    """Return a JSON object. Empty if the content is None, invalid, or another JSON value."""
    try:
        found = orjson.loads(content or b"{}")
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}
