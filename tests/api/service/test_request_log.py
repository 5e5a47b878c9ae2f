"""The request log: a line per request, without names and paths; a pipe that nobody reads holds no request."""

import json
import logging
import os
import re
import select
import subprocess
import sys
import time
from threading import Thread

import pytest

from api.service import request_log
from api.service.request_log import UNMATCHED, RequestLog
from api.service.settings import Settings
from tests.api.processes import wait_for
from tests.cost import time_limit

LINE = re.compile(r"\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\] \[\d+\] \[(\w+)\] \[(\S+)\] request (.*)")


@pytest.fixture(autouse=True)
def info(monkeypatch):
    """The level of the log, which tests may change."""
    monkeypatch.setattr(logging.getLogger(request_log.__name__), "level", logging.INFO)
    logging.getLogger(request_log.__name__).setLevel(logging.INFO)
    yield
    logging.getLogger(request_log.__name__).setLevel(logging.NOTSET)


def written(tmp_path, *requests, **settings):
    """The lines of a log of these requests."""
    file = os.open(tmp_path / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    log = RequestLog(Settings(**settings), file)
    for request in requests:
        log.log_request(*request)
    log.close()
    os.close(file)
    return (tmp_path / "log").read_text().splitlines()


VERDICT = ("POST", "/v1/validate", 200, 0.00061, 512, "order-66")


def test_a_request_is_a_line_of_text(tmp_path):
    (line,) = written(tmp_path, VERDICT)
    level, request_id, fields = LINE.fullmatch(line).groups()
    assert (level, request_id) == ("INFO", "order-66")
    assert fields == "method=POST route=/v1/validate status=200 ms=0.61 bytes=512"


def test_a_request_is_a_line_of_json(tmp_path):
    (line,) = written(tmp_path, VERDICT, log_format="json")
    entry = json.loads(line)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", entry.pop("time"))
    assert entry == {
        "level": "info", "logger": "api.service.request_log", "process": os.getpid(), "message": "request",
        "request_id": "order-66", "method": "POST", "route": "/v1/validate", "status": 200, "ms": 0.61, "bytes": 512,
    }  # fmt: skip


def test_a_method_that_a_client_made_up_is_not_written(tmp_path):
    (line,) = written(tmp_path, ("NAMI\n[x]", UNMATCHED, 405, 0.001, 0, "a"))
    assert LINE.fullmatch(line)[3] == "method=other route=unmatched status=405 ms=1.0 bytes=0"


def test_probes_are_written_at_level_debug_only(tmp_path):
    probes = [("GET", route, 200, 0.001, 15, "a") for route in ("/healthz", "/readyz")]
    assert written(tmp_path, *probes) == []
    logging.getLogger(request_log.__name__).setLevel(logging.DEBUG)
    assert [LINE.fullmatch(line)[1] for line in written(tmp_path, *probes)] == ["DEBUG", "DEBUG"]


def test_no_request_is_written_at_level_warning(tmp_path):
    logging.getLogger(request_log.__name__).setLevel(logging.WARNING)
    assert written(tmp_path, VERDICT) == []


def test_every_line_is_written_whole_and_in_order(tmp_path):
    lines = written(tmp_path, *[(*VERDICT[:5], f"id-{number}") for number in range(5_000)])
    assert [LINE.fullmatch(line)[2] for line in lines] == [f"id-{number}" for number in range(5_000)]


@pytest.fixture
def pipe():
    reader, writer = os.pipe()
    yield reader, writer
    os.close(reader)
    os.close(writer)


def test_one_warning_counts_the_lines_that_the_log_lost(pipe, monkeypatch, caplog):
    monkeypatch.setattr(request_log, "_MOST_WAITING", 1)
    reader, writer = pipe
    log = RequestLog(Settings(), writer)
    for rounds in (1, 2):
        for _ in range(10):
            log.log_request(*VERDICT)
        wait_for(lambda: len(caplog.records) == rounds)  # noqa: B023 - called in this round only
    log.close()
    dropped = [record.args[0] for record in caplog.records]
    assert all(0 < count < 10 for count in dropped)
    assert os.read(reader, 65_536).count(b"\n") == 20 - sum(dropped)


@pytest.mark.slow
def test_a_pipe_that_nobody_reads_holds_no_request_and_lost_lines_are_counted(pipe, monkeypatch, caplog):
    monkeypatch.setattr(request_log, "_MOST_WAITING", 1_000)
    reader, writer = pipe
    log, requests = RequestLog(Settings(), writer), 20_000
    with time_limit(5, time.monotonic):
        for number in range(requests):
            log.log_request(*VERDICT)
            if number == 5_000:
                time.sleep(0.2)  # the thread fills the pipe meanwhile, and waits
    received = bytearray()
    reading = Thread(target=lambda: _read_to_end(reader, received))
    reading.start()
    wait_for(lambda: caplog.records)
    log.close()
    os.write(writer, b"end")
    reading.join()
    dropped = sum(record.args[0] for record in caplog.records)
    assert dropped > 10_000
    assert received.count(b"\n") == requests - dropped
    assert all(LINE.fullmatch(line) for line in received.decode().splitlines())


def _read_to_end(reader, received):
    while not received.endswith(b"end"):  # which may come in one piece with lines
        received += os.read(reader, 65_536)
    del received[-len(b"end") :]


WRITERS = """
import os
from api.service.logs import configure_logs
from api.service.request_log import RequestLog
from api.service.settings import Settings
configure_logs(Settings())
os.fork(), os.fork()
log = RequestLog(Settings())
for number in range(3000):
    log.log_request("GET", "/v1/rulesets", 200, 0.001, 1, f"{os.getpid()}-{number}")
"""


@pytest.mark.slow
def test_lines_of_several_processes_are_not_mixed():
    with subprocess.Popen([sys.executable, "-c", WRITERS], stderr=subprocess.PIPE, text=True) as writers:
        time.sleep(1)  # all wait for room in the pipe
        lines = writers.stderr.read().splitlines()
    assert len({LINE.fullmatch(line)[2] for line in lines}) == 4 * 3000


PROGRAM = """
import os
from api.service.logs import configure_logs
from api.service.request_log import RequestLog
from api.service.settings import Settings
configure_logs(Settings())
log = RequestLog(Settings())
if os.fork() == 0:
    log.log_request("GET", "/v1/rulesets", 200, 0.001, 1, "child")
else:
    os.wait()
    log.log_request("GET", "/v1/rulesets", 200, 0.001, 1, "parent")
"""


def test_lines_are_written_before_a_process_ends_also_after_a_fork():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=True)
    assert [LINE.fullmatch(line)[2] for line in done.stderr.splitlines()] == ["child", "parent"]
    assert done.stdout == ""


@pytest.mark.slow
def test_lines_that_come_while_others_are_written_are_not_lost_at_the_end(pipe):
    reader, writer = pipe
    log = RequestLog(Settings(), writer)
    while select.select([], [writer], [], 0)[1]:
        os.write(writer, b" " * 4096)  # until the pipe is full
    log.log_request(*VERDICT)
    time.sleep(0.3)  # the thread waits for room in the pipe
    log.log_request(*VERDICT)
    closing = Thread(target=log.close)
    closing.start()
    time.sleep(0.2)
    received = bytearray()
    reading = Thread(target=lambda: _read_to_end(reader, received))
    reading.start()
    closing.join()
    os.write(writer, b"end")
    reading.join()
    assert received.count(b"\n") == 2
    log.log_request(*VERDICT)
    log.close()
    assert os.read(reader, 65_536).count(b"\n") == 1
