"""Settings of every test: properties are checked without a clock, because the machines that check them are slow.

Each run draws the same examples. `pytest --hypothesis-profile=search` draws examples that no run has drawn before,
`long` draws fifty times as many, and a quick run a fifth.
"""

import fcntl
import gc
import importlib
import os
import shutil
import signal
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadFileScheduling

from carddb.temporary_folders import shared_memory
from tests.shared import shared_path

# A run starts a hundred processes: where none may keep what it compiled, each compiles everything anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A run in the background may inherit that SIGINT is ignored, and so would the processes that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Whole catalogues are in memory: to look for cycles in them again and again takes a tenth of the time. There are none
# to find while the tests are imported and collected.
gc.set_threshold(100_000, 20, 100)
gc.disable()

# Databases wait for the disk at every step; what tests keep may be lost.
_ROOM = 4 << 30  # bytes, of which a run needs a tenth
if (_memory := shared_memory()) and shutil.disk_usage(_memory).free > _ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_memory))

settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", settings.get_profile("search"), max_examples=5_000)
settings.register_profile("same", settings.get_profile("search"), derandomize=True)
settings.register_profile("quick", settings.get_profile("same"), max_examples=20)
settings.load_profile("same")

TESTS = Path(__file__).parent
# The half of the tests in a browser that takes as long as the other.
STORIES = tuple(f"tests/browser/test_{name}" for name in ("event_of_many", "event_story", "judge_table", "regional"))
PAGES = "pages/optcg/cardlist-en-all-60-2026-08-21.tar.gz"


def _is_quick(config):
    return config.getoption("markexpr") == "not slow"


def pytest_configure(config):
    if _is_quick(config) and not config.getoption("--hypothesis-profile"):
        settings.load_profile("quick")


def pytest_terminal_summary(terminalreporter):
    """Print the seconds that the tests of each area took, added up over the processes of the run."""
    seconds, tests = Counter(), Counter()
    for report in (one for reports in terminalreporter.stats.values() for one in reports if hasattr(one, "duration")):
        area = _area(report.nodeid)
        seconds[area] += report.duration
        tests[area] += report.when == "call"
    terminalreporter.section("seconds by area")
    for area, took in seconds.most_common():
        terminalreporter.write_line(f"{took:8.1f} s  {tests[area]:6} tests  {area}")


def _area(nodeid):
    """Return the folder of a test, at most two below `tests`."""
    return str(PurePosixPath(*PurePosixPath(nodeid.partition("::")[0]).parent.parts[:3]))


@pytest.fixture(autouse=True, scope="session")
def own_data(tmp_path_factory):
    """Let no test find the cards of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DECKPROOF_DATA_DIR", str(tmp_path_factory.mktemp("own")))
        yield


@pytest.fixture(autouse=True, scope="session")
def real_migrate():
    """Make new databases by the recorded statements of the migrations. Return what runs the migrations themselves."""
    from carddb import migrations
    from tests.migrated import RecordedMigrations

    real = migrations.migrate
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrations, "migrate", RecordedMigrations(real))
        yield real


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session):
    """Import a part of the test files in each process of a whole run: what it compiles, the others only read.

    Without this, each process compiles all of them in the same order at the same time in a fresh checkout.
    """
    here = getattr(session.config, "workerinput", None)
    if not here or {Path(path).resolve() for path in session.config.args} != {TESTS}:
        return
    number, count = int(here["workerid"].removeprefix("gw")), here["workercount"]
    for file in sorted(TESTS.rglob("test_*.py"))[number::count]:
        name = ".".join(file.relative_to(TESTS.parent).with_suffix("").parts)
        with suppress(Exception, pytest.skip.Exception):  # the collection reports it
            importlib.import_module(name)


@pytest.fixture(autouse=True, scope="session")
def compiled_rules():
    """Compile the routes of the first application only. Those of the others are the same."""
    from flask import Flask

    from tests.compiled_rules import CompiledRule

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "url_rule_class", CompiledRule)
        yield


@pytest.fixture(autouse=True, scope="session")
def closed_connections():
    """Close the connection of each answer that `requests` has read, as the end of a client does.

    A variable with an answer keeps its connection open. A server that ends waits five seconds for such a client.
    """
    import requests

    real = requests.api.request

    def request(method, url, **options):
        answer = real(method, url, **options)
        if not options.get("stream"):
            answer.raw = None  # it holds the pool with the connection
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(requests.api, "request", request)
        patch.setattr(requests, "request", request)
        yield


class _Files(LoadFileScheduling):
    """Files one by one, but those in a browser in two groups: each that tries one starts the browser and a server."""

    def _split_scope(self, nodeid):
        if not nodeid.startswith("tests/browser/"):
            return super()._split_scope(nodeid)
        return "tests/browser, stories" if nodeid.startswith(STORIES) else "tests/browser"


def pytest_xdist_make_scheduler(config, log):
    return _Files(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_xdist_auto_num_workers(config):
    """Run two more files at a time than there are processors: of the slow tests many wait for what others do."""
    if _is_quick(config) or not hasattr(os, "sched_getaffinity"):
        return None
    return len(os.sched_getaffinity(0)) + 2


LONGEST = (
    "browser/",
    "test_contract",
    "test_engines",
    "test_faults",
    "test_forged_archives",
    "test_many",
    "test_object_stores",
    "test_rate_limits",
    "test_rush",
    "test_serve.py",
    "test_server.py",
    "test_slow",
    "test_strangers",
    "test_wrong_requests",
)

FILLED = {"anywhere", "database", "shared_app", "used"}  # databases, by the fixture that has them
# Files whose tests on SQLite are quick all the same: some seconds for most all code of events.
QUICK_ON_SQLITE = (
    "api/events/exports/test_exchange_layouts.py",
    "api/events/exports/test_flyer.py",
    "api/events/exports/test_player_lists.py",
    "api/events/test_archive_versions.py",
    "api/events/test_attendance.py",
    "api/events/test_audit_desk.py",
    "api/events/test_check_desk.py",
    "api/events/test_clock_back.py",
    "api/events/test_commitments.py",
    "api/events/test_duplicates.py",
    "api/events/test_event_archive.py",
    "api/events/test_event_desk.py",
    "api/events/test_event_store.py",
    "api/events/test_forged_archives.py",
    "api/events/test_impact.py",
    "api/events/test_imports.py",
    "api/events/test_join_codes.py",
    "api/events/test_links.py",
    "api/events/test_moments.py",
    "api/events/test_next_check.py",
    "api/events/test_overview_desk.py",
    "api/events/test_own_list.py",
    "api/events/test_penalty_guides.py",
    "api/events/test_player_import.py",
    "api/events/test_registrations.py",
    "api/events/test_retention.py",
    "api/events/test_reuse.py",
    "api/events/test_seed_desk.py",
    "api/events/test_shown_lists.py",
    "api/events/test_unreadable_rows.py",
    "api/jobs/test_executor.py",
    "api/jobs/test_store.py",
    "api/web/pages/events/test_duplicate_pages.py",
    "api/web/pages/events/test_expected_pages.py",
    "api/web/pages/events/test_import_pages.py",
    "api/web/pages/events/test_judge_table.py",
    "api/web/pages/events/test_organiser_pages.py",
    "api/web/pages/events/test_registration_pages.py",
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Begin with the longest files, then with the slow: who begins such a one last lets all others wait for its end."""
    for item in items:
        if FILLED.intersection(item.fixturenames) and not item.path.as_posix().endswith(QUICK_ON_SQLITE):
            item.add_marker("slow")
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: (item.path not in slow, not any(one in str(item.path) for one in LONGEST)))


def pytest_collection_finish():
    """Keep the collected tests and the imported modules out of each later search for cycles. They stay to the end."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    """Both full card lists in a database, imported as a user imports them; once for all processes, so it stays so."""
    from carddb import construction, sources
    from carddb.library import Library

    folder = tmp_path_factory.getbasetemp()
    folder = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    with (folder / "cards.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        kept = folder / "cards.db"
        found, is_new = Library(f"sqlite:///{kept}"), not kept.exists()
        for game, path in (("optcg", PAGES), ("dbs", "data/dbs/catalogue.csv")) if is_new else ():
            found.store().import_cards(game, map(construction.read, sources.read(shared_path(path), game).cards), path)
    return found
