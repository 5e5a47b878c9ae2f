"""The memory of a server with every full card list over time: `python -m tests.benchmarks.memory [REQUESTS]`.

Two processes have all catalogues, imported as a user imports them. wrk sends real decks of three games, on connections
that stay open, with several requests at once on each. PSS is the memory of the processes together as the operating
system counts it, a shared page once. RSS counts a shared page for each process.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import requests

from carddb import construction, sources
from carddb.library import Library
from tests.api.processes import Running, wait_for
from tests.benchmarks.judge import SHARED
from tests.benchmarks.rejudge import LIKE, pool

REQUESTS, FIRST, SECONDS = 1_000_000, 100_000, 5
CONNECTIONS, AHEAD = 64, 8  # requests on their way on each connection
LISTS = {
    "optcg": "pages/optcg/cardlist-en-all-60-2026-08-21.tar.gz",
    "dbs": "data/dbs/catalogue.csv",
    "gundam": "data/gundam/cards.csv",
}
# Each thread of wrk begins with another deck; those under way are sent at once.
SCRIPT = """
local bodies, at = {}, 0
for line in io.lines("BODIES") do bodies[#bodies + 1] = line end
function request()
  local some = {}
  for place = 1, AHEAD do
    at = at % #bodies + 1
    some[place] = wrk.format("POST", "/v1/validate", {["Content-Type"] = "application/json"}, bodies[at])
  end
  return table.concat(some)
end
"""


class Held(NamedTuple):
    """The megabytes that processes hold."""

    pss: float
    rss: float

    @classmethod
    def of_processes(cls, pids: Sequence[int]) -> Held:
        """Return the memory that some processes have together."""
        said = "".join(Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in pids)
        return cls(*(sum(map(int, re.findall(rf"^{name}: +(\d+) kB", said, re.M))) / 1000 for name in ("Pss", "Rss")))


def main(count: int = REQUESTS) -> None:
    """Print what is held before any request, and after more and more of them."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "data")
        sizes = import_lists(data)
        script = Path(folder, "script.lua")
        bodies = Path(folder, "bodies")
        bodies.write_text("".join(f"{line}\n" for line in decks()))
        script.write_text(SCRIPT.replace("BODIES", str(bodies)).replace("AHEAD", str(AHEAD)))
        server = Running(data)
        with server.ended():
            print(f"cards imported: {sizes}; the others are those that ship")
            asked, told, begun = send_requests(server.url, script, 1), FIRST, time.monotonic()
            print_memory(server, asked)
            while asked < count:
                asked += send_requests(server.url, script)
                if asked >= told:
                    print_memory(server, asked)
                    told = max(told * 2, asked)
            print_memory(server, asked)
            print(f"{asked / (time.monotonic() - begun):,.0f} requests a second")


def import_lists(data: Path) -> dict[str, int]:
    """Import the full card lists. Return the number of cards of each game."""
    data.mkdir()
    store = Library(f"sqlite:///{data}/deckproof.db").store()
    for game, path in LISTS.items():
        store.import_cards(game, map(construction.read, sources.read(SHARED / path, game).cards), path)
    return {game: store.current(game).cards for game in LISTS}


def decks() -> Iterator[str]:
    """Yield requests for verdicts on real decks."""
    for game, lines in pool()[:: LIKE + 1]:
        deck: dict[str, list[dict[str, object]]] = {}
        for line in lines:
            deck.setdefault(str(line["section"]), []).append({key: line[key] for key in ("number", "count")})
        yield json.dumps({"game": game, "deck": deck})


def send_requests(url: str, script: Path, seconds: int = SECONDS) -> int:
    """Send requests for some seconds. Return the number of answers."""
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", str(script), url]
    said = subprocess.check_output(command, text=True)
    assert "Non-2xx" not in said, said
    return int(re.search(r"(\d+) requests in", said)[1])


def begun_by(pid: int) -> list[int]:
    """Return the ids of the child processes of a process."""
    return [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


def print_memory(server: Running, requests_sent: int) -> None:
    """Print the memory of the server and the entries of its caches after a number of requests."""
    children = wait_for(lambda: len(found := begun_by(server.process.pid)) == 2 and found)
    whole, two = Held.of_processes([server.process.pid, *children]), Held.of_processes(children)
    entries = re.findall(r"^deckproof_cache_entries\{.*\} (\S+)$", requests.get(f"{server.url}/metrics").text, re.M)
    print(
        f"after {requests_sent:9,} requests: PSS {whole.pss:.0f} MB, of which the two processes {two.pss:.0f};", end=" "
    )
    print(f"RSS {two.rss:.0f} MB of the two; {sum(map(float, entries)):,.0f} entries of caches", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
