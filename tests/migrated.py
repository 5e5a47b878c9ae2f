"""New databases for tests: the migrations run once for each kind of database, and then their statements again.

`tests/conftest.py` calls this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from carddb import migrations

_Statement = tuple[str, object, bool]
_READS = ("select", "show")


class RecordedMigrations:
    """The statements by which the migrations make an empty database current, by the kind of the database.

    The first database of each kind is made by the migrations. The next ones are made by their statements, which costs
    a tenth. A database that has tables, and one that gets another revision, is left to the migrations.
    """

    def __init__(self, migrate: Callable[..., None]) -> None:
        self._migrate = migrate
        self._statements: dict[tuple[str, str], list[_Statement]] = {}

    def __call__(self, connection: sa.Connection, revision: str | None = None) -> None:
        revision = revision or migrations.HEAD
        if revision != migrations.HEAD or sa.inspect(connection).has_table("alembic_version"):
            self._migrate(connection, revision)
            return
        kind = connection.dialect.name, revision
        if kind in self._statements:
            for statement, parameters, is_many in self._statements[kind]:
                connection.exec_driver_sql(statement, list(parameters) if is_many else parameters or None)
            return
        with _record_changes(connection) as statements:
            self._migrate(connection, revision)
        self._statements[kind] = statements


@contextmanager
def _record_changes(connection: sa.Connection) -> Iterator[list[_Statement]]:
    """Yield a list to which every statement of the block that changes the database is added. Reads are left out."""
    statements: list[_Statement] = []

    def record(_: object, __: object, statement: str, parameters: object, ___: object, is_many: bool) -> None:
        if not statement.lstrip().lower().startswith(_READS):
            statements.append((statement, parameters, is_many))

    sa.event.listen(connection, "before_cursor_execute", record)
    try:
        yield statements
    finally:
        sa.event.remove(connection, "before_cursor_execute", record)
