"""Logs: no client can forge an entry; entries have the request id, the format and the level that are set."""

import contextvars
import io
import json
import logging
import re

import pytest

from api.service.logs import EntryFormatter, LogThrottle, configure_logs, format_time, request_id
from api.service.settings import Settings

FORGED = '/v1/\n[2026-11-23T12:00:00.000Z] [1] [ERROR] [-] a forged entry\n{"level": "error"}'


def logged(write, log_format="text"):
    """The text that a handler writes if a function logs something."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(EntryFormatter(log_format))
    logger = logging.Logger("api.test")
    logger.addHandler(handler)
    write(logger)
    return stream.getvalue()


def fail(logger):
    try:
        raise ValueError(f"4 Nami {FORGED}\x1b[2J")
    except ValueError:
        logger.exception("this failed")


def test_a_line_that_a_client_sent_is_no_entry_of_a_text_log():
    text = logged(lambda logger: logger.error("Exception on %s", FORGED))
    assert len([line for line in text.splitlines() if line.startswith("[")]) == 1
    assert all(line.startswith("    ") for line in text.splitlines()[1:])


def test_a_line_that_a_client_sent_is_no_entry_of_a_json_log():
    (line,) = logged(lambda logger: logger.error("Exception on %s", FORGED), "json").splitlines()
    entry = json.loads(line)
    assert (entry["level"], entry["logger"], entry["message"]) == ("error", "api.test", "Exception on /v1/")
    assert "a forged entry" in entry["details"]


@pytest.mark.parametrize("separator", ["\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
@pytest.mark.parametrize("log_format", ["text", "json"])
def test_no_other_separator_of_lines_ends_an_entry(separator, log_format):
    assert len(logged(lambda logger: logger.error("a%sb", separator), log_format).splitlines()) == 1


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_characters_that_cannot_be_seen_are_written_as_escapes(log_format):
    text = logged(lambda logger: logger.error("%s", "\x1b[31m\r\x00\u202e\ud800é"), log_format)
    message = json.loads(text)["message"] if log_format == "json" else text.removesuffix("\n").split("] ")[-1]
    assert message == "\\x1b[31m\\r\\x00\\u202e\\ud800é"


def test_a_traceback_stays_within_its_entry():
    first, *rest = logged(fail).splitlines()
    assert first.endswith("[ERROR] [-] this failed")
    assert all(line.startswith("    ") for line in rest)
    assert rest[-1].endswith("\\x1b[2J")
    entry = json.loads(logged(fail, "json"))
    assert entry["message"] == "this failed"
    assert entry["details"].startswith("Traceback")


def test_entries_have_the_id_of_the_current_request():
    def answer(logger):
        request_id.set("order-66")
        logger.error("this failed")

    for log_format in ("text", "json"):
        text = contextvars.copy_context().run(logged, answer, log_format)
        assert ("[order-66] this failed" in text) == (log_format == "text")
        assert ('"request_id":"order-66"' in text) == (log_format == "json")
    assert "request_id" not in json.loads(logged(lambda logger: logger.error("later"), "json"))


@pytest.fixture
def own_logging():
    """Logging whose handlers and levels are put back after the test."""
    loggers = [logging.getLogger(name) for name in ("", "api", "carddb", "validator")]
    before = [(logger, logger.level, logger.handlers[:]) for logger in loggers]
    yield
    for logger, level, handlers in before:
        logger.setLevel(level)
        logger.handlers[:] = handlers


@pytest.mark.parametrize(
    ("level", "ours", "theirs"),
    [("debug", "DEBUG INFO WARNING ERROR", "WARNING ERROR"), ("info", "INFO WARNING ERROR", "WARNING ERROR"),
     ("warning", "WARNING ERROR", "WARNING ERROR"), ("error", "ERROR", "ERROR")],
)  # fmt: skip
def test_the_level_is_that_of_our_loggers_and_libraries_write_only_warnings(own_logging, capsys, level, ours, theirs):
    configure_logs(Settings(log_level=level))
    for name in ("carddb.sync.log", "sqlalchemy.engine"):
        for method in ("debug", "info", "warning", "error"):
            getattr(logging.getLogger(name), method)("from %s", name)
    captured = capsys.readouterr()
    assert captured.out == ""
    entries = re.findall(r"\[(\w+)\] \[-\] from (\w+)", captured.err)
    assert [level for level, name in entries if name == "carddb"] == ours.split()
    assert [level for level, name in entries if name == "sqlalchemy"] == theirs.split()


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "1970-01-01T00:00:00.000Z"), (1.25, "1970-01-01T00:00:01.250Z"), (59.9999, "1970-01-01T00:00:59.999Z")],
)
def test_times_have_milliseconds_that_are_cut(seconds, text):
    assert format_time(seconds) == text


def test_a_message_is_not_repeated_within_a_minute():
    moments = [0.0]
    throttle = LogThrottle(clock=lambda: moments[-1])

    def passes_throttle(moment, message="no worker: %s", value=""):
        moments.append(moment)
        return throttle.filter(logging.LogRecord("api.test", logging.WARNING, "", 1, message, (value,), None))

    assert [passes_throttle(moment, value=str(moment)) for moment in (0.0, 1.0, 59.9)] == [True, False, False]
    assert passes_throttle(59.9, "another message")
    assert [passes_throttle(moment) for moment in (60.0, 119.9, 120.0)] == [True, False, True]
