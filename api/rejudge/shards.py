"""Shards: ranges of stored decks that are rejudged one by one, each with a name that only its content has.

Called by the runs, which plan the shards and read them.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import accumulate, pairwise
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from api.rejudge.locations import Location, describe_error
from api.rejudge.stored_decks import check_columns
from api.rejudge.stored_lines import read_lines
from api.service.bounds import LONGEST_LINE
from api.service.errors import Unusable
from validator.language import phrase

_PARQUET, _LINES = (".parquet",), (".ndjson", ".jsonl")
_COLUMNS = ("id", "deck", "terms", "stored")
_MOST_ROWS, _LEAST_ROWS = 1_000_000, 10_000  # of a shard
_MOST_BYTES, _LEAST_BYTES = 256_000_000, 4_000_000  # of a shard of lines
_SHARDS_PER_WORKER = 4
_LARGE_GROUP = 4  # shards: a larger row group is cut, though each piece has to decode what precedes it
_MOST_GROUP_BYTES = 16 * _MOST_BYTES
_BATCH_ROWS = 16_384  # rows, or lines of
_BATCH_BYTES = 32_000_000
_BUFFER = 1_000_000  # bytes that are fetched together
STORAGE_THREADS = 8  # that read files of a storage together


class Split(NamedTuple):
    """The size of the shards: the rows of Parquet files, the bytes of NDJSON files.

    A run keeps it until its end, because the parts' names depend on it.
    """

    rows: int = _MOST_ROWS
    bytes: int = _MOST_BYTES


class Input(NamedTuple):
    """A file of stored decks: the rows of each row group of a Parquet file, or the bytes of an NDJSON file.

    `groups` is empty for NDJSON, and `bytes` is 0 for Parquet.
    """

    location: Location
    groups: tuple[int, ...]
    bytes: int

    def cuts(self, split: Split) -> list[int]:
        """Return the rows or bytes where the shards begin, and the end. Empty for a file without rows or bytes.

        Reads an NDJSON file to find ends of lines. Raises Unusable if that fails.
        """
        return _cut_rows(self.groups, split.rows) if self.groups else _cut_lines(self.location, self.bytes, split.bytes)


class Shard(NamedTuple):
    """A range of rows of a Parquet file, or a range of bytes of an NDJSON file, cut at the end of a line.

    The range is from `first` up to, but without, `end`. Rows and bytes count from 0. `content` identifies the bytes:
    copies of a file have the same shards wherever and whenever they were copied. "" is not planned yet.
    """

    location: Location
    first: int
    end: int
    content: str = ""

    def name(self, *question_parts: object) -> str:
        """Return the name of the shard's results for a question, a checksum.

        It is the same on every machine and in every run. `question_parts` are all values that the results depend on
        beside the shard.
        """
        key = repr((self.location.name, *self[1:], *question_parts))
        return hashlib.blake2b(key.encode("utf-8", "replace"), digest_size=16).hexdigest()

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows in batches.

        Raises Unusable if they cannot be read, or, after the last batch, if the file was changed since the shard was
        planned. An OSError of the machine or the network is raised unchanged.
        """
        with _name_location_in_errors(self.location):
            yield from _read_lines(self) if _has_lines(self.location) else _read_rows(self)
        if identify_content(self) != self.content:
            raise Unusable(phrase("{location} was changed while it was read", location=str(self.location)))


def read_inputs(paths: Iterable[str]) -> list[Input]:
    """Return the files of stored decks at these paths, and those in folders, with their sizes.

    Raises Unusable if one cannot be read or has no columns of stored decks, or if two files have the same name.
    """
    files = [file for path in paths for file in _find_files(Location.parse(path))]
    if len({file.name for file in files}) < len(files):
        raise Unusable(phrase("two of these files have one name; rename one, as results go by the names of files"))
    with ThreadPoolExecutor(STORAGE_THREADS) as threads:
        return list(threads.map(_read_input, files))


def choose_split(inputs: Sequence[Input], workers: int) -> Split:
    """Return the size of shards that gives each worker four: 10,000 to 1,000,000 rows, and 4 to 256 MB of lines."""
    shards = _SHARDS_PER_WORKER * max(1, workers)
    rows, size = sum(sum(file.groups) for file in inputs), sum(file.bytes for file in inputs)
    return Split(max(_LEAST_ROWS, min(_MOST_ROWS, rows // shards)), max(_LEAST_BYTES, min(_MOST_BYTES, size // shards)))


def plan_shards(inputs: Iterable[Input], split: Split) -> list[Shard]:
    """Return the shards of files in order, each with the checksum of its content. Local files are read for that.

    Raises Unusable if a file cannot be read.
    """
    shards = [Shard(file.location, first, end) for file in inputs for first, end in pairwise(file.cuts(split))]
    with ThreadPoolExecutor(STORAGE_THREADS) as threads:
        contents = threads.map(identify_content, shards)
        return [shard._replace(content=content) for shard, content in zip(shards, contents, strict=True)]


def identify_content(shard: Shard) -> str:
    """Return a text that identifies a shard's bytes: a checksum, or the ETag and size of a file in an object store.

    For Parquet the checksum includes the columns' types. Raises Unusable if the file cannot be read. The time of the
    last change is no part, because it differs between copies.
    """
    with _name_location_in_errors(shard.location), shard.location.open() as file:
        about = {key.lower(): value for key, value in (file.metadata() or {}).items()}
        if shard.location.uri and about.get("etag"):
            return f"{about['etag'].decode()} {file.size()}"
        if _has_lines(shard.location):
            return _checksum(file, "", [(shard.first, shard.end - shard.first)])
        with pq.ParquetFile(file) as whole:
            columns = whole.schema_arrow.to_string(show_schema_metadata=False)
            return _checksum(file, columns, _find_chunks(whole.metadata, shard))


def _checksum(file: pa.NativeFile, start: str, chunks: Iterable[tuple[int, int]]) -> str:
    """Return a checksum of the text `start` and some chunks of a file, each (position, size)."""
    digest = hashlib.blake2b(start.encode("utf-8", "replace"), digest_size=16)
    for place, left in chunks:
        file.seek(place)
        while content := file.read(min(left, _BUFFER)):
            digest.update(content)
            left -= len(content)
    return digest.hexdigest()


def _find_chunks(metadata: pq.FileMetaData, shard: Shard) -> Iterator[tuple[int, int]]:
    """Yield `(position, size)` of each column chunk of a Parquet file that a shard is read from."""
    for group, _, _ in _find_row_groups(metadata, shard):
        row_group = metadata.row_group(group)
        for column in map(row_group.column, range(row_group.num_columns)):
            if column.path_in_schema.partition(".")[0] in _COLUMNS:
                begins = (column.dictionary_page_offset, column.data_page_offset)
                yield min(place for place in begins if place is not None), column.total_compressed_size


def _find_files(location: Location) -> list[Location]:
    """Return the files with decks in a folder, or the file itself. Raises Unusable if there are none.

    Their names end with .parquet, .ndjson or .jsonl. Other files in a folder are ignored, and subfolders.
    """
    known = _PARQUET + _LINES
    inside = location.list_files()
    found = [location] if inside is None else [file for file in inside if file.name.lower().endswith(known)]
    if not found or not found[0].name.lower().endswith(known):
        raise Unusable(
            phrase(
                "{location}: name files {endings}, or a folder of some",
                location=str(location),
                endings=", ".join(known),
            )
        )
    return found


def _has_lines(location: Location) -> bool:
    """Return True if a file is NDJSON by its name."""
    return location.name.lower().endswith(_LINES)


def _read_input(location: Location) -> Input:
    """Return a file with the rows of its row groups, or with its size in bytes if it is NDJSON.

    Raises Unusable if it cannot be read, or is Parquet without the columns of stored decks.
    """
    with _name_location_in_errors(location), location.open() as file:
        if _has_lines(location):
            return Input(location, (), file.size())
        with pq.ParquetFile(file) as whole:
            check_columns(whole.schema_arrow)
            metadata = whole.metadata
            groups = (metadata.row_group(group).num_rows for group in range(metadata.num_row_groups))
            return Input(location, tuple(groups), 0)


def _cut_rows(groups: Sequence[int], rows: int) -> list[int]:
    """Return the rows at which a file is cut, with 0 and the end: between row groups, and within large ones.

    `groups` are the rows of each row group, and `rows` is the most of a shard. A single group is only cut if it has
    more than four times as many. Empty for a file without rows.
    """
    cuts, shard_rows = [0], 0
    for count, end in zip(groups, accumulate(groups), strict=True):
        if shard_rows and shard_rows + count > rows:
            cuts.append(end - count)
            shard_rows = 0
        shard_rows += count
        pieces = -(-count // (_LARGE_GROUP * rows))
        cuts += [end - count + count * piece // pieces for piece in range(1, pieces)]
    return [*cuts, sum(groups)] if sum(groups) else []


def _cut_lines(location: Location, size: int, step: int) -> list[int]:
    """Return the bytes at which a file is cut, with 0 and the end: the first begin of a line after each `step` bytes.

    Empty if `size` is 0.
    """
    cuts = [0]
    with _name_location_in_errors(location), _open_lines(location) as file:
        for place in range(step, size, step):
            if place > cuts[-1]:
                file.seek(place - 1)
                _skip_line(file)
                cuts.append(file.tell())
    return [*dict.fromkeys([*cuts, size])] if size else []


def _open_lines(location: Location) -> io.BufferedReader:
    """Open an NDJSON file with a buffer."""
    return io.BufferedReader(location.open(), _BUFFER)


@contextmanager
def _name_location_in_errors(location: Location) -> Iterator[None]:
    """Raise Unusable with the file's name for errors in the content of a file.

    An error of the machine or the network is raised unchanged: the shard may be readable the next time.
    """
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError, Unusable) as error:
        if isinstance(error, OSError) and (error.errno or location.uri):
            raise
        text = describe_error(error)
        if not text.startswith(str(location)):
            text = phrase("{location} cannot be read: {problem}", location=str(location), problem=text)
        raise Unusable(text) from None


def _find_row_groups(metadata: pq.FileMetaData, shard: Shard) -> Iterator[tuple[int, int, int]]:
    """Yield `(row group, first, end)` for each row group with rows of a shard.

    `first` and `end` are those rows within it.
    """
    begin = 0
    for group in range(metadata.num_row_groups):
        count = metadata.row_group(group).num_rows
        first, end = max(shard.first - begin, 0), min(shard.end - begin, count)
        if first < end:
            yield group, first, end
        begin += count


def _read_rows(shard: Shard) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a shard of a Parquet file in batches, only the columns of stored decks.

    Raises Unusable if a row group has more than 4 GB or rows are missing.
    """
    with shard.location.open() as file, pq.ParquetFile(file, pre_buffer=False) as whole:
        names = [name for name in _COLUMNS if name in whole.schema_arrow.names]
        groups = list(_find_row_groups(whole.metadata, shard))
        for group, _, _ in groups:
            size = whole.metadata.row_group(group).total_byte_size
            if size > _MOST_GROUP_BYTES:
                message = phrase(
                    "row group {group} has {size:,} bytes; write groups of at most {most:,}",
                    group=group,
                    size=size,
                    most=_MOST_GROUP_BYTES,
                )
                raise Unusable(message)
        skipped, left = groups[0][1] if groups else 0, shard.end - shard.first
        for batch in whole.iter_batches(_BATCH_ROWS, [group for group, _, _ in groups], names, use_threads=False):
            rows = batch.slice(min(skipped, len(batch)), left)
            skipped, left = max(skipped - len(batch), 0), left - len(rows)
            if len(rows):
                yield rows
            if not left:
                return
        raise Unusable(phrase("{location} has {rows} rows fewer than it says", location=str(shard.location), rows=left))


def _read_lines(shard: Shard) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a shard of an NDJSON file in batches. Blank lines are skipped.

    A line that is too long becomes a row that cannot be read.
    """
    lines: list[bytes] = []
    batch_bytes = 0
    with _open_lines(shard.location) as file:
        file.seek(shard.first)
        while file.tell() < shard.end and (line := file.readline(LONGEST_LINE + 1)):
            if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
                _skip_line(file)  # the decoder takes the line for too long
            if line.isspace():
                continue
            lines.append(line)
            batch_bytes += len(line)
            if len(lines) == _BATCH_ROWS or batch_bytes > _BATCH_BYTES:
                yield read_lines(lines)
                lines, batch_bytes = [], 0
    if lines:
        yield read_lines(lines)


def _skip_line(file: io.BufferedReader) -> None:
    """Read up to the end of the line or of the file, without a result."""
    while (part := file.readline(LONGEST_LINE)) and not part.endswith(b"\n"):
        pass
