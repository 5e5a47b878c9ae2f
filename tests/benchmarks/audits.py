"""Memory and time that a long audit takes, in SQLite: `python -m tests.benchmarks.audits [ENTRIES]`.

Each task runs in a process of its own. The first one reads only the event.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from api.events.storage import event_archive
from tests.api.events.archives import HERE, store_of
from tests.api.events.conftest import Clock, Hall, made
from tests.api.events.long_audit import lengthen_audit

ENTRIES = 500_000  # the most that an event has


def _read_event(app, id, key):
    return _get(app, id, key, "")


def _read_first_entries(app, id, key):
    return _get(app, id, key, "/audit")


def _read_last_entries(app, id, key):
    return _get(app, id, key, f"/audit?after={ENTRIES - 100}&limit=100")


def _export(app, id, key):
    return len(event_archive.export_event(store_of(app), id, HERE, _clock()).data)


def _export_and_read(app, id, key):
    data = event_archive.export_event(store_of(app), id, HERE, _clock()).data
    event_archive.read(data, HERE)
    return len(data)


def _get(app, id, key, path):
    answer = app.test_client().get(f"/v1/events/{id}{path}", headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 200
    return len(answer.data)


_clock = Clock("2026-10-20T12:00+02:00")
TASKS = (_read_event, _read_first_entries, _read_last_entries, _export, _export_and_read)


def main(entries: int = ENTRIES) -> None:
    """Print for each task the bytes of its answer, its seconds, and the most memory of its process."""
    with TemporaryDirectory() as folder:
        app = made(_clock, data_dir=Path(folder))
        hall = Hall(app.test_client())
        lengthen_audit(store_of(app)._database, hall.id, entries)
        print(f"{entries:,} entries")
        for task in TASKS:
            process = multiprocessing.get_context("spawn").Process(
                target=_measure, args=(task, folder, hall.id, hall.organiser.key)
            )
            process.start()
            process.join()


def _measure(task, folder, id, key) -> None:
    app = made(_clock, data_dir=Path(folder))
    begun = perf_counter()
    size = task(app, id, key)
    seconds, most = perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{task.__name__.strip('_'):22} {size:>12,} bytes {seconds:6.1f} s {most:8,.0f} MB at most", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
