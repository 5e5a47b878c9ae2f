"""Work for child processes, good and bad, and its outcomes as JSON: `python -m tests.api.toil NAME...`."""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from api.service.child_processes import ChildProcesses
from api.service.errors import Busy, Invalid, WorkLimitExceeded, Wrong
from carddb.library import Library
from tests.api.processes import wait_for


def add(context, first, second):
    return context["base"] + first + second


def spin(context):
    while True:
        pass


def fill_memory(context):
    return len(bytes(1 << 33))


def crash(context):
    os.abort()


def refuse(context):
    raise Invalid([Wrong("/deck", "No."), Wrong("/on", "Not then.")])


def sleep(context, seconds, started=None):
    if started:
        started.touch()
    time.sleep(seconds)
    return "slept"


def report_and_sleep(context):
    print(os.getpid(), flush=True)
    time.sleep(60)


def snapshot(context, game):
    return context["library"].catalogue(game).snapshot


WORK = {
    "add": (add, 2, 3),
    "spin": (spin,),
    "fill_memory": (fill_memory,),
    "crash": (crash,),
    "refuse": (refuse,),
    "sleep": (sleep, 0.05),
    "report_and_sleep": (report_and_sleep,),
}


def outcome(name, children):
    """Return the result of a piece of work, the pointers of its refusal, or the name of its error."""
    try:
        return children.run(1, *WORK[name])
    except Invalid as error:
        return [wrong.pointer for wrong in error.errors]
    except (WorkLimitExceeded, Busy) as error:
        return type(error).__name__


def beside(children):
    """Return the outcome of work beside work without end, its seconds, and the outcome of the latter."""
    with ThreadPoolExecutor(2) as pool:
        endless = pool.submit(outcome, "spin", children)
        begun = time.monotonic()
        return [outcome("add", children), time.monotonic() - begun, endless.result()]


def crowd(children):
    """Return the outcomes of more work at once than may wait."""
    with ThreadPoolExecutor(120) as pool:
        return sorted(set(pool.map(lambda _: outcome("sleep", children), range(120))))


def newer(children, library):
    """Return the snapshot of the children before an import, and whether they use the new one after it."""
    library.catalogue("optcg")
    library.pin(library.loaded_ids())  # else the parent looks for newer cards if the import is slow
    imported = library.store().import_cards("optcg", list(library.catalogue("optcg")), "a test")
    before = children.run(5, snapshot, "optcg")
    library.pin({"optcg": (imported.id, library.lists("optcg").id)})
    return [before, children.run(5, snapshot, "optcg") == imported.id]


def without_fork_server(children):
    """Kill the fork server beside a child. Return the outcomes of this and of new work, and the signals to us."""
    signals = []
    signal.signal(signal.SIGTERM, lambda number, _: signals.append(number))
    (fork_server,) = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as pool:
        started = Path(folder, "started")
        sleeping = pool.submit(children.run, 5, sleep, 2, started)
        wait_for(started.exists)
        os.kill(int(fork_server), signal.SIGKILL)
        os.waitpid(int(fork_server), 0)
        new = outcome("add", children)
        return [sleeping.result(), new, signals]


SCENES = {"beside": beside, "crowd": crowd, "without_fork_server": without_fork_server}


def main(*names):
    """Print the outcomes of some works and scenes, one after the other with the same children."""
    with tempfile.TemporaryDirectory() as folder:
        library = Library(f"sqlite:///{folder}/deckproof.db")
        children = ChildProcesses({"base": 1, "library": library}, library)
        children.start()
        scenes = SCENES | {"newer": lambda started: newer(started, library)}
        print(json.dumps([scenes[name](children) if name in scenes else outcome(name, children) for name in names]))


if __name__ == "__main__":
    main(*sys.argv[1:])
