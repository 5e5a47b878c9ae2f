"""Work for children, good and bad, and what comes of it: `python -m tests.api.toil NAME...`."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from api.service.errors import Busy, Invalid, Spent, Wrong
from api.service.processes.child_processes import ChildProcesses
from carddb.library import Library


def add(here, tell, one, other):
    return here["base"] + one + other


def spin(here, tell):
    while True:
        pass


def hold(here, tell):
    return len(bytes(1 << 33))


def crash(here, tell):
    os.abort()


def refuse(here, tell):
    raise Invalid([Wrong("/deck", "No."), Wrong("/on", "Not then.")])


def count(here, tell, to):
    for number in range(to):
        tell(number)
        time.sleep(0.01)
    return to


def rest(here, tell):
    time.sleep(0.05)
    return "rested"


def snapshot(here, tell, game):
    return here["library"].catalogue(game).snapshot


def said(of, children):
    """Return what comes of a kind of work."""
    try:
        return children.do(1, *WORK[of])
    except Invalid as error:
        return [one.pointer for one in error.errors]
    except (Spent, Busy) as error:
        return type(error).__name__


WORK = {"add": (add, 2, 3), "spin": (spin,), "hold": (hold,), "crash": (crash,), "refuse": (refuse,), "rest": (rest,)}


def beside(children):
    """Return what comes of work beside work that takes too much, and for how long that was waited for."""
    with ThreadPoolExecutor(2) as pool:
        spinning = pool.submit(said, "spin", children)
        begun = time.monotonic()
        return [said("add", children), time.monotonic() - begun, spinning.result()]


def left(children):
    """Return what was told until nobody listened any more, and what comes of the next work."""
    told = []

    def hear(number):
        told.append(number)
        if number == 3:
            raise KeyError(number)

    try:
        children.do(5, count, 1000, heard=hear)
    except KeyError:
        return [told, said("add", children)]


def crowd(children):
    """Return what comes of more work than may wait."""
    with ThreadPoolExecutor(60) as pool:
        return sorted({str(one) for one in pool.map(lambda _: said("rest", children), range(60))})


def newer(children, library):
    """Return the snapshots that children judge by before and after an import."""
    library.catalogue("optcg")
    kept = library.store().import_cards("optcg", list(library.catalogue("optcg")), "a test")
    before = children.do(5, snapshot, "optcg")
    library.pin({"optcg": kept.id})
    return [before, children.do(5, snapshot, "optcg") == kept.id]


def main(*names):
    """Print what comes of works, one after the other by the same children."""
    with tempfile.TemporaryDirectory() as folder:
        library = Library(f"sqlite:///{folder}/deckproof.db")
        children = ChildProcesses({"base": 1, "library": library}, library)
        children.start()
        special = {"beside": beside, "left": left, "crowd": crowd, "newer": lambda mine: newer(mine, library)}
        comes = [special[name](children) if name in special else said(name, children) for name in names]
        print(json.dumps(comes))


if __name__ == "__main__":
    main(*sys.argv[1:])
