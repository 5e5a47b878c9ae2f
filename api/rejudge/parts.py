"""Parts: what comes of each shard, a file that is there whole or not at all, with a receipt in it.

Whoever does a shard a second time writes the same bytes: nothing is lost or double however often work is begun.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from api.rejudge.rejudged_rows import schema
from api.rejudge.rejudging import Question, Rejudged, Rejudging
from api.rejudge.shards import Shard
from api.service.errors import Unusable
from carddb.errors import CardDataError
from carddb.library import Library
from validator.differences import version

_RECEIPT = b"deckproof"
BEGUN = ".begun-"
_TRIES = 3
_PAUSE = 0.5  # seconds
_ONE_AT_A_TIME = threading.Lock()  # where an engine has several threads in a process


class Order(NamedTuple):
    """All that whoever rejudges a shard must know: the question, the cards, and the folder where parts are written.

    `version` is of what decides; a process of another may not help. Without a folder nothing is written.
    """

    question: Question
    database: str
    snapshots: tuple[tuple[str, str], ...]
    folder: str | None
    version: str

    def part(self, shard: Shard) -> Path:
        """Return the file that a shard becomes."""
        return Path(self.folder or ".", f"part-{shard.name(self.version, self.snapshots, self.question)}.parquet")


class Receipt(NamedTuple):
    """What came of a shard: how many rows of each kind, and the checksum of its file."""

    counts: dict[str, int]
    checksum: str | None
    seconds: float | None


def rejudged(order: Order, shard: Shard) -> Receipt:
    """Rejudge a shard, unless its part is there; Unusable where it cannot be read."""
    start = time.monotonic()
    if order.version != version():
        raise Unusable("this machine has another version of deckproof, or of its lists")
    if order.folder is None:
        counts = sum((answer.counts for answer in _answers(order, shard)), Counter[str]())
        return Receipt(dict(counts), None, round(time.monotonic() - start, 3))
    part = order.part(shard)
    if not part.exists():
        _write(_answers(order, shard), part)
    return receipt(part)._replace(seconds=round(time.monotonic() - start, 3))


def tried(order: Order, shard: Shard) -> tuple[Receipt | None, str]:
    """Return what comes of a shard, or why nothing does; what may be better the next time is tried again."""
    for left in reversed(range(_TRIES)):
        try:
            return rejudged(order, shard), ""
        except Unusable as error:
            return None, str(error)
        except (CardDataError, OSError, MemoryError) as error:
            if not left:
                return None, " ".join(str(error).split())[:300] or type(error).__name__
            time.sleep(_PAUSE)
    raise AssertionError("the last try returns")


def receipt(part: Path) -> Receipt:
    """Return the receipt of a part that is there."""
    with pq.ParquetFile(part) as whole:
        counts = json.loads(whole.metadata.metadata[_RECEIPT])
    return Receipt(counts, checksum(part), None)


def checksum(part: Path) -> str:
    """Return the SHA-256 of a part that is there."""
    with part.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def clear(folder: Path) -> None:
    """Remove what processes that were killed have begun to write."""
    for left in folder.glob(f"{BEGUN}*"):
        left.unlink(missing_ok=True)


def _answers(order: Order, shard: Shard) -> Iterator[Rejudged]:
    counts = Counter[str]()
    for batch in shard.batches():
        with _ONE_AT_A_TIME:
            answer = _rejudging(order.question, order.database, order.snapshots)(batch)
        if len(answer.rows) != len(batch):
            raise AssertionError(f"{len(answer.rows)} rows came of {len(batch)}")
        counts += answer.counts
        yield answer
    if shard.rows not in (None, counts["rows"]):
        raise AssertionError(f"{counts['rows']} rows came of {shard.rows}")


@lru_cache(maxsize=1)
def _rejudging(question: Question, database: str, snapshots: tuple[tuple[str, str], ...]) -> Rejudging:
    """Return what a process answers by, shard after shard."""
    library = Library(database)
    library.pin(dict(snapshots))
    return Rejudging(library, question)


def _write(answers: Iterator[Rejudged], part: Path) -> None:
    """Write a part under another name, and give it its own when all of it is on the disk."""
    handle, begun = tempfile.mkstemp(prefix=BEGUN, dir=part.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            _fill(answers, file)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(begun, 0o644)
        os.rename(begun, part)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(begun)
    _settle(part.parent)


def _fill(answers: Iterator[Rejudged], file: BinaryIO) -> None:
    counts = Counter[str]()
    writer: pq.ParquetWriter | None = None
    for answer in answers:
        writer = writer or pq.ParquetWriter(file, answer.rows.schema, compression="zstd")
        writer.write_batch(answer.rows)
        counts += answer.counts
    writer = writer or pq.ParquetWriter(file, schema(pa.string()), compression="zstd")
    writer.add_key_value_metadata({_RECEIPT: json.dumps(counts, sort_keys=True)})
    writer.close()


def _settle(folder: Path) -> None:
    """Let the names in a folder be on the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
