"""Runs of `deckproof rejudge` whose decks and results are in an object store, a server of S3 on this machine."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow.fs import FileSelector, FileSystem

from tests.api.processes import COMMAND, START, wait_for
from tests.api.rejudge import stock

pytestmark = pytest.mark.slow

DAYS = ("--on", str(stock.ON), "--before", str(stock.BEFORE))
FILES, ROWS = 20, 100


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """The environment variables by which a server of S3 with one empty bucket is used."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    server = [sys.executable, "-c", "from moto.server import main; main()", "-H", "127.0.0.1", "-p", str(port)]
    with (tmp_path_factory.mktemp("store") / "log").open("wb") as log:
        process = subprocess.Popen(server, stdout=log, stderr=log)
    try:
        wait_for(lambda: process.poll() is None and can_connect(port), START)
        urllib.request.urlopen(urllib.request.Request(f"{address}/bucket", method="PUT"))
        yield {
            "AWS_ENDPOINT_URL": address,
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "secret-of-a-test",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
        }
    finally:
        process.kill()
        process.wait()


def can_connect(port):
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def files(store):
    """The file system of the store, in this process."""
    query = store["AWS_ENDPOINT_URL"].removeprefix("http://")
    login = f"{store['AWS_ACCESS_KEY_ID']}:{store['AWS_SECRET_ACCESS_KEY']}"
    return FileSystem.from_uri(f"s3://{login}@bucket/?endpoint_override={query}&scheme=http&region=us-east-1")[0]


@pytest.fixture(scope="module")
def decks(tmp_path_factory, files):
    """A folder of files of decks, that are in the bucket too."""
    folder = tmp_path_factory.mktemp("decks")
    found = stock.batch(list(stock.decks(ROWS)))
    for place in range(FILES):
        pq.write_table(pa.Table.from_batches([found.slice(place), found.slice(0, place)]), folder / f"{place}.parquet")
    lines = ({"id": place, "deck": {"main": [{"number": "OP01-016", "count": 4}]}} for place in range(ROWS))
    (folder / "lines.ndjson").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    for path in folder.iterdir():
        with files.open_output_stream(f"bucket/decks/{path.name}") as file:
            file.write(path.read_bytes())
    return folder


def start_command(store, source, folder, *more):
    call = [COMMAND, "rejudge", source, "-o", folder, "--game", "optcg", *DAYS, *map(str, more)]
    return subprocess.Popen(
        list(map(str, call)), env=os.environ | store, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def run(store, source, folder, *more):
    process = start_command(store, source, folder, "--jobs", 1, *more)
    _, said = process.communicate(timeout=4 * START)
    return process.returncode, said


def contents(files, folder):
    """The files of a folder in the bucket by their paths in it."""
    found = files.get_file_info(FileSelector(folder, recursive=True))
    return {one.path.removeprefix(f"{folder}/"): read(files, one.path) for one in found if one.is_file}


def read(files, path):
    with files.open_input_stream(path) as file:
        return file.read()


def local_contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def rows(results):
    """The rows of the parts of each input."""
    receipts = [json.loads(content) for name, content in results.items() if name.startswith("_receipts/")]
    tables = {one["input"]: pq.read_table(pa.BufferReader(results[one["part"]])) for one in receipts}
    return {name: table.to_pylist() for name, table in tables.items()}


@pytest.fixture(scope="module")
def local(store, decks, tmp_path_factory):
    """The files that a run from and to the local disk writes."""
    folder = tmp_path_factory.mktemp("whole") / "results"
    assert run(store, decks, folder)[0] == 0
    found = local_contents(folder)
    assert len([name for name in found if name.startswith("part-")]) == FILES + 1
    return found


def test_results_in_a_store_are_the_bytes_of_those_on_a_disk(store, files, decks, local):
    assert run(store, decks, "s3://bucket/written")[0] == 0
    assert contents(files, "bucket/written") == local


def test_decks_in_a_store_have_the_rows_of_those_on_a_disk(store, files, decks, local, tmp_path):
    assert run(store, "s3://bucket/decks", tmp_path / "results")[0] == 0
    assert rows(local_contents(tmp_path / "results")) == rows(local)
    assert run(store, "s3://bucket/decks/", "s3://bucket/both")[0] == 0
    assert contents(files, "bucket/both") == local_contents(tmp_path / "results")
    code, said = run(store, "s3://bucket/decks/2.parquet", "s3://bucket/both")
    assert (code, "inputs" in said) == (2, True)


def test_a_run_that_is_killed_while_it_writes_goes_on_to_the_same_bytes(store, files, decks, local):
    process = start_command(store, decks, "s3://bucket/killed", "--jobs", 2)
    receipts = FileSelector("bucket/killed/_receipts", allow_not_found=True)
    wait_for(lambda: files.get_file_info(receipts))
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert len(contents(files, "bucket/killed")) < len(local)
    assert run(store, decks, "s3://bucket/killed")[0] == 0
    assert contents(files, "bucket/killed") == local


def test_a_part_of_which_other_bytes_are_in_the_store_is_written_again(store, files, decks, local):
    assert run(store, decks, "s3://bucket/spoilt")[0] == 0
    part = min(name for name in local if name.startswith("part-"))
    with files.open_output_stream(f"bucket/spoilt/{part}") as file:
        file.write(local[part][:1000])
    assert run(store, decks, "s3://bucket/spoilt")[0] == 0
    assert contents(files, "bucket/spoilt") == local


def test_the_uri_may_have_the_endpoint_and_the_keys_which_no_message_has(store, files, decks):
    plain = dict.fromkeys(store, "") | {"AWS_EC2_METADATA_DISABLED": "true"}
    login = f"{store['AWS_ACCESS_KEY_ID']}:{store['AWS_SECRET_ACCESS_KEY']}"
    query = f"endpoint_override={store['AWS_ENDPOINT_URL'].removeprefix('http://')}&scheme=http&region=us-east-1"
    folder = f"s3://{login}@bucket/by-uri?{query}"
    code, said = run(plain, decks, folder)
    assert code == 0, said
    found = contents(files, "bucket/by-uri")
    assert len(found) == 2 * (FILES + 1) + 1
    code, said = run(plain, decks / "1.parquet", folder)
    assert (code, "s3://bucket/by-uri" in said) == (2, True)
    assert not [text for text in (said, *map(str, found.values())) if store["AWS_SECRET_ACCESS_KEY"] in text]


@pytest.mark.parametrize("folder", ["s3://no-such-bucket/results", "s3://", "hdfs://node/results", "file:///tmp/a"])
def test_a_target_that_cannot_be_written_is_refused(store, decks, folder, tmp_path):
    code, said = run(store, decks, folder)
    assert (code, "decks," in said) == (2, False), said
    assert folder.partition(":")[0] in said


@pytest.mark.parametrize("source", ["s3://no-such-bucket/decks", "s3://bucket/no-such-file.parquet", "s3://bucket/by"])
def test_decks_that_are_not_there_are_refused(store, decks, source, tmp_path):
    code, said = run(store, source, tmp_path / "results")
    assert (code, source in said) == (2, True), said
    assert not (tmp_path / "results").exists()
