"""An application on the facts that ship, with no database yet; databases of both kinds and a Redis for what is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.service.settings import Settings
from api.web.app import create_app
from carddb.database import Database
from tests.postgres import own_schema
from tests.redis import own_redis

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
EXAMPLE_DECKS = sorted(path for path in EXAMPLES.iterdir() if path.is_file())


@pytest.fixture(scope="session")
def settings(tmp_path_factory):
    return Settings(data_dir=tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="session")
def app(settings):
    return create_app(settings)


@pytest.fixture(scope="session")
def client(app):
    return app.test_client()


@pytest.fixture(params=["SQLite", pytest.param("PostgreSQL", marks=pytest.mark.slow)])
def database(request, tmp_path):
    if request.param == "SQLite":
        yield Database(f"sqlite:///{tmp_path}/deckproof.db")
        return
    with own_schema() as url:
        made = Database(url)
        made.upgrade()
        yield made


@pytest.fixture
def redis_server():
    """A Redis of one's own: counters and queues have the same names in all that run."""
    with own_redis() as made:
        yield made


@pytest.fixture(scope="session")
def zoro():
    """A legal deck of the facts that ship, as requests carry it."""
    return {
        "leader": [{"number": "ST21-001", "count": 1}],
        "main": [
            *({"number": number, "count": 4} for number in _FOURS),
            {"number": "OP04-016", "count": 2},
        ],
    }


_FOURS = [
    "OP01-016",
    "ST21-015",
    "OP11-016",
    "OP14-015",
    "ST21-003",
    "ST31-004",
    "ST01-011",
    "OP14-013",
    "ST21-002",
    "OP10-011",
    "ST31-002",
    "ST31-005",
]
