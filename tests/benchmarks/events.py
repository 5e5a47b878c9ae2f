"""The waits of players while many register at once, on either database: `python -m tests.benchmarks.events`.

A real server with two worker processes. Each client registers, then revises its own registration and one that it shares
with fifteen others, over a connection that stays open. An answer that was slower than that of another client is
requested again.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from carddb.database import Database
from tests.api.events.crowd import Crowd
from tests.api.processes import Running
from tests.postgres import own_schema

CLIENTS = 64
ROUNDS = 3


def main(rounds: int = ROUNDS) -> None:
    """Print, for each database, requests a second and how long an answer took, in the middle and at worst."""
    with TemporaryDirectory() as folder:
        _measure("SQLite", Path(folder), rounds)
    with suppress(pytest.skip.Exception), TemporaryDirectory() as folder, own_schema() as url:
        Database(url).upgrade()
        _measure("PostgreSQL", Path(folder), rounds, DECKPROOF_DATABASE_URL=url)


def _measure(title: str, folder: Path, rounds: int, **settings: str) -> None:
    server = Running(folder, **settings)
    with server.ended():
        crowd = Crowd(server.url, CLIENTS)
        seconds = crowd.rush(rounds)
    took, statuses = crowd.took, dict(sorted(crowd.statuses.items()))
    middle, late, worst = took[len(took) // 2], took[len(took) * 99 // 100], took[-1]
    print(f"{title}: {CLIENTS} clients, {len(took) / seconds:,.0f} answers a second, {statuses}")
    print(f"  p50 {middle * 1000:,.0f} ms, p99 {late * 1000:,.0f} ms, slowest {worst * 1000:,.0f} ms")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
