"""Journeys: the functions and modules of the project that a command or request enters, from its start to its end.

`python -m tests.journeys` prints them. With `--write` it also writes them into docs/explanation/architecture.md. Each
journey starts a new process, which nothing has warmed. `call_recorder` counts in all its processes. The journey of a
request has the calls of the processes of `deckproof serve` from the connection until the answer is read.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tests import call_recorder
from tests.api.processes import COMMAND, START, Running
from tests.soon import DAY_BEFORE, SOON

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/explanation/architecture.md"
BEGIN, END = "<!-- journeys -->\n", "<!-- /journeys -->"
LEGAL, THREE_FINDINGS = (ROOT / "examples" / name for name in ("optcg-red-zoro.txt", "optcg-five-copies.txt"))
_ON = "2026-11-21"
_LONGEST_PATH = 24  # modules
_QUIET = 0.5  # seconds without a call, after which a server has nothing of its own to do


class Call(NamedTuple):
    """One call: `depth` counts the modules of ours on the stack, `is_import` is True while a module is imported."""

    time: int
    process: int
    depth: int
    is_import: bool
    function: str

    @property
    def module(self) -> str:
        """The module of the function."""
        return self.function.partition(":")[0]


class Journey(NamedTuple):
    """A whole command or request: its calls in the order of time, and its output (the answer's body of a request)."""

    calls: list[Call]
    output: str

    @property
    def functions(self) -> int:
        """The number of different functions."""
        return len({call.function for call in self.calls})

    @property
    def modules(self) -> list[str]:
        """The different modules, in the order of their first call."""
        return list(dict.fromkeys(call.module for call in self.calls))

    @property
    def path(self) -> list[str]:
        """The main modules in the order of their first call: as deep into the stack as `_LONGEST_PATH` lets them."""
        modules: list[str] = []
        for depth in range(1, max(call.depth for call in self.calls) + 1):
            calls = (call.module for call in self.calls if call.depth <= depth and not call.is_import)
            if len(deeper := list(dict.fromkeys(calls))) > _LONGEST_PATH:
                break
            modules = deeper
        return modules


def run_journeys(folder: Path) -> dict[str, Journey]:
    """Run each journey in a folder of its own, and return the journeys by name."""
    folders = {name: folder / name for name in ("legal", "illegal", "table", "validate", "event")}
    for own in folders.values():
        own.mkdir()
    first, _, third = post_validate(folders["validate"], requests=3)
    return {
        "`deckproof check` of a legal list": check_list(folders["legal"], LEGAL, exits=0),
        "`deckproof check` of a list with three findings": check_list(folders["illegal"], THREE_FINDINGS, exits=1),
        "`deckproof batch` of a CSV with one row": judge_table(folders["table"]),
        "the first `POST /v1/validate` of a server": first,
        "the third `POST /v1/validate` of a server": third,
        "a registration at an event": post_registration(folders["event"]),
    }


def check_list(folder: Path, deck: Path, exits: int) -> Journey:
    """Return the journey of `check` with a file."""
    return _run_command(folder, "check", deck, "--on", _ON, exits=exits)


def judge_table(folder: Path) -> Journey:
    """Return the journey of judging a table with one player. The output is the summary as CSV."""
    deck = "\n".join(_card_lines(LEGAL))
    (folder / "decks.csv").write_text(f'Player,Decklist\nZoro,"{deck}"\n', "utf-8")
    journey = _run_command(folder, "batch", "decks.csv", "-o", "judged.csv", "--game", "optcg", "--on", _ON)
    return journey._replace(output=(folder / "judged.csv").read_text("utf-8-sig"))


def post_validate(folder: Path, requests: int) -> list[Journey]:
    """Return the journeys of some requests with the same clean JSON body, one after the other to one server."""
    deck: dict[str, list[dict[str, Any]]] = {"leader": [], "main": []}
    for line in _card_lines(LEGAL):
        count, number = line.split()[:2]
        deck["main" if deck["leader"] else "leader"].append({"number": number, "count": int(count)})
    body = {"game": "optcg", "on": _ON, "deck": deck}
    with _recorded_server(folder) as send:
        return [send("/v1/validate", body, status=200) for _ in range(requests)]


def post_registration(folder: Path) -> Journey:
    """Register a player with a deck at an event that the server has just begun."""
    event = {"name": "Cup", "game": "optcg", "on": SOON, "timezone": "Europe/Berlin", "closes": f"{DAY_BEFORE}T22:00"}
    with _recorded_server(folder) as send:
        begun = json.loads(send("/v1/events", event, status=201).output)
        player = {"player": "Zoro", "decklist": LEGAL.read_text("utf-8")}
        return send(f"/v1/events/{begun['id']}/registrations", player, status=201, key=begun["keys"]["organiser"])


def page(journeys: dict[str, Journey]) -> str:
    """Return the table and the paths as docs/explanation/architecture.md has them."""
    rows = "".join(
        f"| {name} | {journey.functions} | {len(journey.modules)} | {len(journey.calls):,} |\n"
        for name, journey in journeys.items()
    )
    paths = "\n".join(
        textwrap.fill(f"- {name}: {_by_folder(journey.path)}", 130, subsequent_indent="  ", break_on_hyphens=False)
        for name, journey in journeys.items()
    )
    return f"| journey | functions | modules | calls |\n|---|---|---|---|\n{rows}\n{paths}\n"


def _by_folder(modules: list[str]) -> str:
    folders = groupby(modules, lambda module: module.rpartition(".")[0] or module)
    return " → ".join(f"`{folder}` {', '.join(name.rpartition('.')[2] for name in names)}" for folder, names in folders)


def _card_lines(deck: Path) -> list[str]:
    return [line for line in deck.read_text("utf-8").splitlines() if line[:1].isdigit()]


def _run_command(folder: Path, *arguments: object, exits: int = 0) -> Journey:
    settings = _settings(folder) | {"DECKPROOF_DATA_DIR": str(folder)}
    command = [str(COMMAND), *map(str, arguments)]
    ran = subprocess.run(command, cwd=folder, env=os.environ | settings, capture_output=True, text=True, timeout=START)
    if ran.returncode != exits:
        raise RuntimeError(f"{' '.join(command)} ended with {ran.returncode}: {ran.stdout}{ran.stderr}")
    return Journey(_read_calls(folder), ran.stdout)


@contextmanager
def _recorded_server(folder: Path) -> Iterator[Callable[..., Journey]]:
    """Run `deckproof serve`. Yield a function that sends a JSON body and returns the journey of the request."""
    arguments = ("serve", "--port", "0", "--workers", "1")
    server = Running(folder / "served", arguments, command=COMMAND, **_settings(folder))

    def send(path: str, body: dict[str, Any], status: int, key: str = "") -> Journey:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        _wait_until_quiet(folder / "calls")
        begin = time.monotonic_ns()
        with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=START)) as connection:
            connection.request("POST", path, json.dumps(body), headers)
            answer = connection.getresponse()
            output = answer.read().decode()
        end = time.monotonic_ns()
        if answer.status != status:
            raise RuntimeError(f"POST {path} was answered {answer.status}: {output}")
        return Journey(_read_calls(folder, begin, end), output)

    with server.ended():
        yield send


def _wait_until_quiet(calls: Path) -> None:
    """Wait until no call has been recorded for a while: a server that has just started still loads the cards."""
    while time.time() - calls.stat().st_mtime < _QUIET:
        time.sleep(_QUIET / 5)


def _settings(folder: Path) -> dict[str, str]:
    """Return the environment in which every process records its calls."""
    (recorder := folder / "recorder").mkdir()
    shutil.copy(call_recorder.__file__, recorder / "sitecustomize.py")
    return {"PYTHONPATH": str(recorder), "DECKPROOF_RECORDED_CALLS": str(folder / "calls")}


def _read_calls(folder: Path, begin: int = 0, end: int = sys.maxsize) -> list[Call]:
    """Return the calls recorded from `begin` to `end`. An incomplete last line is ignored."""
    lines = (folder / "calls").read_text("utf-8").rpartition("\n")[0].splitlines()
    words = (line.split(" ", 4) for line in lines)
    calls = [Call(int(time), int(process), int(depth), is_import == "1", function)
             for time, process, depth, is_import, function in words if begin <= int(time) <= end]  # fmt: skip
    return sorted(calls, key=lambda call: call.time)


def main() -> None:
    """Print the journeys. With `--write`, also write them into docs/explanation/architecture.md."""
    with TemporaryDirectory() as folder:
        measured = page(run_journeys(Path(folder)))
    print(measured)
    if "--write" in sys.argv[1:]:
        before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
        PAGE.write_text(before + BEGIN + measured + END + rest.partition(END)[2], "utf-8")


if __name__ == "__main__":
    main()
