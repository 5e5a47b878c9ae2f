"""The databases that jobs are kept in."""

from __future__ import annotations

from datetime import timedelta

import pytest

from api.jobs.job_store import Bounds, Jobs
from carddb.database import Database
from tests.postgres import own_schema

DAY = timedelta(days=1)
WIDE = Bounds(100, 100_000_000, DAY)


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def database(request, tmp_path):
    if request.param == "SQLite":
        yield Database(f"sqlite:///{tmp_path}/deckproof.db")
        return
    with own_schema() as url:
        made = Database(url)
        made.upgrade()
        yield made


@pytest.fixture
def jobs(database) -> Jobs:
    return Jobs(database, WIDE)
