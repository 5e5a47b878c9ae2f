"""Logs: an entry begins where deckproof begins one, whatever was sent."""

import io
import logging

from api.service.logs import Formatter


def logged(write):
    """What is written when something is logged."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Formatter("[%(levelname)s] %(message)s"))
    logger = logging.Logger("test")
    logger.addHandler(handler)
    write(logger)
    return stream.getvalue()


def test_a_line_that_was_sent_is_no_entry():
    said = logged(lambda logger: logger.error("Exception on %s", "/v1/\n[ERROR] a forged entry"))
    assert [line for line in said.splitlines() if line.startswith("[")] == ["[ERROR] Exception on /v1/"]


def test_what_nobody_sees_is_written_as_an_escape():
    said = logged(lambda logger: logger.error("%s", "\x1b[31m\r\x00\u202e\ud800é"))
    assert said == "[ERROR] \\x1b[31m\\r\\x00\\u202e\\ud800é\n"


def test_a_traceback_quotes_what_was_sent_within_its_entry():
    def fail(logger):
        try:
            raise ValueError("4 Nami\n[ERROR] a forged entry\x1b[2J")
        except ValueError:
            logger.exception("this failed")

    first, *rest = logged(fail).splitlines()
    assert first == "[ERROR] this failed"
    assert all(line.startswith("    ") for line in rest)
    assert rest[-1] == "    [ERROR] a forged entry\\x1b[2J"
