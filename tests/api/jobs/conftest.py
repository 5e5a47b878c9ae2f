"""The jobs of a database."""

from __future__ import annotations

from datetime import timedelta

import pytest

from api.jobs.job_store import Bounds, Jobs

DAY = timedelta(days=1)
WIDE = Bounds(100, 100_000_000, DAY)


@pytest.fixture
def jobs(database) -> Jobs:
    return Jobs(database, WIDE)
