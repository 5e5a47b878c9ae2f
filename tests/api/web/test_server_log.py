"""The log of gunicorn: each message once, in the form and from the level of all other entries."""

import json
import subprocess
import sys

import pytest

PROGRAM = """
import sys
from gunicorn.config import Config
from api.service.logs import configure_logs
from api.service.settings import Settings
from api.web.edge.server import ServerLog
configure_logs(Settings(log_format="json", log_level=sys.argv[1]))
config = Config()
for name, value in {"logger_class": ServerLog, "errorlog": None, "loglevel": sys.argv[1]}.items():
    config.set(name, value)
log = config.logger_class(config)
log.setup(config)  # as gunicorn does when it reads its configuration again
for write in (log.debug, log.info, log.warning, log.error):
    write("Invalid request from ip=%s", "127.0.0.1")
assert not log.access_log_enabled
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "levels"),
    [("debug", ["debug", "info", "warning", "error"]), ("info", ["info", "warning", "error"]), ("error", ["error"])],
)
def test_each_message_of_gunicorn_is_an_entry(level, levels):
    done = subprocess.run([sys.executable, "-c", PROGRAM, level], capture_output=True, text=True, check=True)
    entries = [json.loads(line) for line in done.stderr.splitlines()]
    assert [entry["level"] for entry in entries] == levels
    assert {(entry["logger"], entry["message"]) for entry in entries} == {
        ("gunicorn.error", "Invalid request from ip=127.0.0.1")
    }
    assert done.stdout == ""
