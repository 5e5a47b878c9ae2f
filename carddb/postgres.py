"""PostgreSQL: how long its connections and locks are waited for, and whether a kept connection still answers.

Only `carddb.database` uses it.
"""

from __future__ import annotations

import math
import os
import select
import time
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy import exc

from carddb.bounds import PING_TIMEOUT, STATEMENT_TIMEOUT
from carddb.database_waits import WaitBudget, seconds_left

if TYPE_CHECKING:
    import psycopg

_LEAST_LOCK_TIMEOUT = 1  # milliseconds: 0 means to wait for ever
_CONNECT_LEAST = 2  # seconds, which libpq rounds up to


def connect_arguments(url: sa.URL, timeout: float) -> dict[str, str | int | None]:
    """Return the arguments of psycopg that limit each wait of a connection. `timeout` is in seconds.

    They limit waits for locks, the time of a statement, and the network. Settings in the URL, and those of the server
    in the variable PGOPTIONS, override them. Prepared statements are switched off.
    """
    server = f"-c lock_timeout={int(timeout * 1000)} -c statement_timeout={STATEMENT_TIMEOUT * 1000}"
    given = url.query.get("options") or os.environ.get("PGOPTIONS", "")
    given = given if isinstance(given, str) else " ".join(given)
    network = {
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": int(timeout * 1000),
    }
    return {
        **{name: value for name, value in network.items() if name not in url.query},
        "options": f"{server} {given}",
        "prepare_threshold": None,  # a pooler between us and the server may give each transaction another session
    }


def prepare(engine: sa.Engine, timeout: float) -> None:
    """Add listeners to an engine that limit the time to connect and check pooled connections before use.

    The time to connect is the rest of the wait budget, or `timeout` seconds if there is no budget.
    """

    def limit_connecting(_: object, __: object, ___: object, options: dict[str, Any]) -> None:
        """Set the timeout in the `options` of a new connection: the rest of the wait budget, at least 2 seconds.

        A timeout that is set already stays. A listener of the engine.
        """
        options.setdefault("connect_timeout", max(_CONNECT_LEAST, math.ceil(seconds_left(timeout))))

    def check_connection(connection: Any, _: object, __: object) -> None:
        """Raise DisconnectionError if a pooled connection does not answer in time, so that the pool replaces it.

        A listener of the engine, called before each use.
        """
        if not _is_answering(connection):
            raise exc.DisconnectionError("The server has closed the connection, or does not answer.")

    sa.event.listen(engine, "do_connect", limit_connecting)
    sa.event.listen(engine, "checkout", check_connection)


def lock_writers(connection: sa.Connection, name: str, budget: WaitBudget) -> None:
    """Wait until no other transaction has the lock of this name in this schema, and hold it until the transaction ends.

    This wait, and each later wait for a lock in the transaction, is limited by the budget. The database raises an error
    if the lock is not free in time.
    """
    name_in_schema = sa.func.concat(f"deckproof {name} of ", sa.func.current_schema())
    _set_lock_timeout(connection, budget)
    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtext(name_in_schema))))
    _set_lock_timeout(connection, budget)


def lift_statement_timeout(connection: sa.Connection) -> None:
    """Remove the timeout of statements for the rest of this transaction, as a migration needs it."""
    connection.execute(sa.text("set local statement_timeout = 0"))


def _set_lock_timeout(connection: sa.Connection, budget: WaitBudget) -> None:
    """Limit each later wait for a lock in the transaction to the rest of the budget, at least 1 millisecond."""
    milliseconds = max(_LEAST_LOCK_TIMEOUT, int(budget.seconds_left * 1000))
    connection.execute(sa.text(f"set local lock_timeout = {milliseconds}"))


def _is_answering(connection: psycopg.Connection[Any]) -> bool:
    """Return True if the server answers an empty query within PING_TIMEOUT.

    False after an error of the connection, too. SQLAlchemy's own ping has no timeout. It would wait for ever for a
    frozen server, whose system still accepts data.
    """
    from psycopg import OperationalError

    until, server = time.monotonic() + PING_TIMEOUT, connection.pgconn
    try:
        server.send_query(b"")
        while True:
            while server.is_busy():
                if not select.select([server.socket], [], [], max(0.0, until - time.monotonic()))[0]:
                    return False
                server.consume_input()
            if server.get_result() is None:
                return True
    except OperationalError:
        return False
