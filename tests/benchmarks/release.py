"""A new version takes over while many clients send requests: `python -m tests.benchmarks.release [REVISION] [CLIENTS]`.

Two webs of a revision of this repository answer behind the proxy, with a database of its schema. Then `deckproof db
upgrade` of the current sources runs. One web after the other is ended by SIGTERM and started again with the current
sources, then the workers. Fails if a verdict was refused, or a registration or a job was lost or done twice. The
packages that the revision needs have to be installed too: flask-smorest and flask-cors for the default one.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.api.web.fleet import WEBS, WORKERS, Callers, assert_whole, unmanned
from tests.benchmarks.many import print_answers

ROOT = Path(__file__).resolve().parents[2]
OLD = "a632152"  # one of the last with a schema of revision 0008
COMMAND = ("-P", "-c", "from api.cli import main; main()")  # without the folder in which it is begun


def main(revision: str = OLD, clients: int = 64) -> None:
    """Print what the clients got while the new version came."""
    with TemporaryDirectory() as folder, unmanned(Path(folder)) as made:
        old = {"PYTHONPATH": checked_out(revision, Path(folder, "old"))}
        made.upgrade(COMMAND, **old)
        made.begin_all(*WEBS, *WORKERS, python=COMMAND, **old)
        with Callers(made.url, clients) as callers:
            first = time.monotonic()
            time.sleep(5)
            begun = time.monotonic()
            made.upgrade()
            print(f"db upgrade took {time.monotonic() - begun:.1f} s", flush=True)
            for name in WEBS:
                made.renew(name)
            ended = time.monotonic()
            for name in WORKERS:
                made.renew(name)
            time.sleep(5)
            took = time.monotonic() - first
        print(f"from then until both webs were the new version's: {ended - begun:.1f} s")
        print_answers(callers, took, (begun, ended), "meanwhile")
        assert_whole(made, callers, (begun, ended))


def checked_out(revision: str, folder: Path) -> str:
    """Return a folder with the sources of a revision."""
    folder.mkdir()
    packed = subprocess.run(["git", "-C", ROOT, "archive", revision], check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", folder], input=packed, check=True)
    return str(folder)


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]))
