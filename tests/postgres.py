"""A PostgreSQL server: an own schema in one that answers, or an own server."""

import os
import shutil
import signal
import socket
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import sqlalchemy as sa

from tests.api.processes import wait_for

# A test that waited for the disk would say no more: whose server dies has its own. What is left in the middle of
# something, by whoever was killed, keeps its locks no longer than a minute.
_NO_LEFTOVERS = "-cidle_in_transaction_session_timeout=60s"
_HASTY = f"-csynchronous_commit=off {_NO_LEFTOVERS}"
SERVER = os.environ.get("DECKPROOF_TEST_POSTGRES", "postgresql://root@127.0.0.1:5432/test")


@contextmanager
def own_schema(is_hasty: bool = True) -> Iterator[str]:
    """Yield a URL that leads to an empty schema, which is dropped afterwards. Skip if there is no server.

    If `is_hasty`, commits do not wait for the disk.
    """
    pytest.importorskip("psycopg")
    plain = sa.make_url(SERVER)
    how = {"connect_timeout": 2, "options": _HASTY}
    engine = sa.create_engine(plain.set(drivername="postgresql+psycopg"), connect_args=how)
    schema = f"deckproof_{uuid.uuid4().hex}"
    try:
        with engine.begin() as connection:
            connection.execute(sa.text(f"create schema {schema}"))
    except sa.exc.OperationalError:
        pytest.skip(f"needs a PostgreSQL server, and {plain.render_as_string()} does not answer")
    options = {"options": f"-csearch_path={schema} {_HASTY if is_hasty else _NO_LEFTOVERS}"}
    yield plain.update_query_dict(options).render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.execute(sa.text(f"drop schema {schema} cascade"))
    engine.dispose()


class Cluster:
    """A PostgreSQL server of one's own, which may be killed."""

    def __init__(self, folder: Path) -> None:
        user = {"user": "postgres"} if os.geteuid() == 0 else {}  # it refuses to run as root
        self._run = partial(subprocess.run, check=True, capture_output=True, cwd="/", **user)
        self._data = folder / "cluster"
        self._data.mkdir()
        if user:
            shutil.chown(self._data, "postgres")
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.url = f"postgresql://deckproof@127.0.0.1:{port}/postgres"
        self._options = f"-p {port} -h 127.0.0.1 -k '' -F"  # what the system has taken it keeps when processes die
        self._run(["initdb", "-D", self._data, "-U", "deckproof", "--auth=trust", "-N"])

    def start(self) -> None:
        log = self._data / "log"
        self._run(["pg_ctl", "-D", self._data, "-w", "-l", log, "-o", self._options, "start"], capture_output=False)

    def starts(self) -> bool:
        """Try to start the server again. Return False while rests of the killed server prevent that."""
        try:
            self.start()
        except subprocess.CalledProcessError:
            return False
        return True

    def kill(self) -> None:
        """Kill the server as a machine without memory would."""
        master = int((self._data / "postmaster.pid").read_text().split()[0])
        os.kill(master, signal.SIGKILL)
        wait_for(lambda: not Path(f"/proc/{master}").exists())

    def stop(self) -> None:
        self._run(["pg_ctl", "-D", self._data, "-m", "immediate", "stop"], check=False)


@contextmanager
def own_cluster() -> Iterator[Cluster]:
    """Yield an own server that runs. The test is skipped if none can be made."""
    if not all(map(shutil.which, ("initdb", "pg_ctl"))):
        pytest.skip("needs initdb and pg_ctl of PostgreSQL")
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # whom it runs as must find the way
        try:
            made = Cluster(Path(folder))
            made.start()
        except (OSError, KeyError, LookupError, subprocess.CalledProcessError) as error:
            pytest.skip(f"no PostgreSQL cluster can be made here: {error}")
        try:
            yield made
        finally:
            made.stop()
