"""Shards: the parts of stored decks that are rejudged one by one, each with a name that only it has."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from api.rejudge import line_columns
from api.rejudge.stored_verdicts import check_columns
from api.service.errors import Unusable
from api.service.ndjson import LONGEST_LINE

PARQUET, LINES = (".parquet",), (".ndjson", ".jsonl")
_ROWS = 1_000_000  # of a shard, unless one row group has more
_BYTES = 256_000_000  # of a shard of lines; of a row group when it is unpacked, many times more are refused
_MOST_BYTES = 16 * _BYTES
_AT_ONCE = 16_384  # rows, or lines of
_HELD = 32_000_000  # bytes
_COLUMNS = ("id", "deck", "terms", "stored")


class Shard(NamedTuple):
    """A part of a file as it was when it was looked at: row groups of Parquet, or the lines begun in some bytes."""

    path: str
    size: int
    modified: int
    first: int
    end: int
    rows: int | None

    def name(self, *asked: object) -> str:
        """Return the name of what comes of it by what is asked: the same on every machine and run."""
        told = repr((os.path.basename(self.path), *self[1:], *asked))
        return hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=16).hexdigest()

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield its rows; Unusable where they cannot be read, or are not those that were there."""
        seen = 0
        with _told(self.path):
            for batch in _groups(self) if self.rows is not None else _lines(self):
                seen += len(batch)
                yield batch
        if self.rows not in (None, seen):
            raise Unusable(f"{self.path} has {seen} rows where it says {self.rows}")
        if _stamp(self.path) != self[1:3]:
            raise Unusable(f"{self.path} was changed while it was read")


def planned(paths: Iterable[str], rows: int = _ROWS, size: int = _BYTES) -> list[Shard]:
    """Return the shards of files, and of those in folders; Unusable says what cannot be read."""
    files = [file for path in paths for file in _files(Path(path))]
    if len({file.name for file in files}) < len(files):
        raise Unusable("two of these files have one name; rename one, as results go by the names of files")
    return [shard for file in files for shard in _planned(file, rows, size)]


def _files(path: Path) -> list[Path]:
    known = PARQUET + LINES
    found = sorted(one for one in path.iterdir() if one.suffix.lower() in known) if path.is_dir() else [path]
    if not found or found[0].suffix.lower() not in known:
        raise Unusable(f"{path}: name files {', '.join(known)}, or a folder of some")
    return found


def _planned(file: Path, rows: int, size: int) -> Iterator[Shard]:
    path, stamp = str(file.absolute()), _stamp(str(file))
    if file.suffix.lower() in LINES:
        for first in range(0, stamp[0], size):
            yield Shard(path, *stamp, first, min(first + size, stamp[0]), None)
        return
    with _told(path), pq.ParquetFile(path) as whole:
        check_columns(whole.schema_arrow)
        each = [whole.metadata.row_group(group).num_rows for group in range(whole.num_row_groups)]
    first, held = 0, 0
    for group, count in enumerate(each):
        if held and held + count > rows:
            yield Shard(path, *stamp, first, group, held)
            first, held = group, 0
        held += count
    if each:
        yield Shard(path, *stamp, first, len(each), held)


def _stamp(path: str) -> tuple[int, int]:
    found = os.stat(path)
    return found.st_size, found.st_mtime_ns


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Say of whatever Arrow finds wrong with a file which file it is."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError, Unusable) as error:
        if isinstance(error, OSError) and error.errno:
            raise  # of the machine, not of what is in the file
        said = " ".join(str(error).split())[:300]
        raise Unusable(said if said.startswith(path) else f"{path} cannot be read: {said}") from None


def _groups(shard: Shard) -> Iterator[pa.RecordBatch]:
    """Yield the rows of row groups."""
    with pq.ParquetFile(shard.path, pre_buffer=False) as whole:
        names = [name for name in _COLUMNS if name in whole.schema_arrow.names]
        for group in range(shard.first, shard.end):
            _check_size(whole, group)
        groups = list(range(shard.first, shard.end))
        yield from whole.iter_batches(_AT_ONCE, row_groups=groups, columns=names, use_threads=False)


def _check_size(whole: pq.ParquetFile, group: int) -> None:
    size = whole.metadata.row_group(group).total_byte_size
    if size > _MOST_BYTES:
        raise Unusable(f"row group {group} has {size:,} bytes; write groups of at most {_MOST_BYTES:,}")


def _lines(shard: Shard) -> Iterator[pa.RecordBatch]:
    """Yield the lines that begin within the shard's bytes."""
    with open(shard.path, "rb") as file:
        some: list[bytes] = []
        held = 0
        for line in _from(file, shard.first, shard.end):
            some.append(line)
            held += len(line)
            if len(some) == _AT_ONCE or held > _HELD:
                yield line_columns.columns(some)
                some, held = [], 0
        if some:
            yield line_columns.columns(some)


def _from(file: BinaryIO, first: int, end: int) -> Iterator[bytes]:
    """Yield lines that begin in a range of bytes, but for blank ones; of one that is too long only the beginning."""
    file.seek(max(first - 1, 0))
    if first:
        _skip(file)
    while file.tell() < end and (line := file.readline(LONGEST_LINE + 1)):
        if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            _skip(file)
        if not line.isspace():
            yield line


def _skip(file: BinaryIO) -> None:
    """Go on to the next line."""
    while (part := file.readline(LONGEST_LINE)) and not part.endswith(b"\n"):
        pass
