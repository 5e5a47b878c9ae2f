"""A PostgreSQL server, where one answers, and a schema of one's own in it."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

SERVER = os.environ.get("DECKPROOF_TEST_POSTGRES", "postgresql://root@127.0.0.1:5432/test")


@contextmanager
def own_schema() -> Iterator[str]:
    """Yield a URL that leads to an empty schema, which is dropped afterwards; skip where there is no server."""
    pytest.importorskip("psycopg")
    plain = sa.make_url(SERVER)
    engine = sa.create_engine(plain.set(drivername="postgresql+psycopg"), connect_args={"connect_timeout": 2})
    schema = f"deckproof_{uuid.uuid4().hex}"
    try:
        with engine.begin() as connection:
            connection.execute(sa.text(f"create schema {schema}"))
    except sa.exc.OperationalError:
        pytest.skip(f"needs a PostgreSQL server, and {plain.render_as_string()} does not answer")
    yield plain.update_query_dict({"options": f"-csearch_path={schema}"}).render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.execute(sa.text(f"drop schema {schema} cascade"))
    engine.dispose()
