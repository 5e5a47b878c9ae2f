"""Migrations: the database's schema by revision, and bringing a database up to the newest.

Reading never needs alembic: it only compares the revision in the database with REVISIONS.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection

# Every revision, oldest first: the files in `versions`, each of which names the one before it.
REVISIONS = tuple(f"{number:04}" for number in range(1, 19))
HEAD = REVISIONS[-1]


def migrate(connection: Connection, revision: str = HEAD) -> None:
    """Upgrade the schema of a database to a revision in the open transaction, which the caller commits.

    Migrations drop tables to which others refer. So in a SQLite database with rows, the transaction must have been
    begun with foreign keys off.
    """
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
