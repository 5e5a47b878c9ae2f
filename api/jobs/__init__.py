"""Jobs: what is done later, by a worker beside the server, and every night."""

from __future__ import annotations

from datetime import timedelta

from api.jobs.job_store import Bounds, Jobs
from api.service.settings import Settings
from carddb.database import Database


def jobs(settings: Settings, database: Database) -> Jobs:
    """Return the jobs of a database, bounded as the settings say."""
    return Jobs(database, Bounds(settings.max_jobs, settings.job_space, timedelta(hours=settings.job_hours)))
