"""What is answered over real sockets, beside a bare Flask view that only parses: `python -m tests.benchmarks.http`.

Both are served by two processes, asked in turn by the same client: wrk where it is installed, which takes a fraction of
a core, else threads of this process, which are slower than what they ask, so that the ratio is too small. Where others
use the machine, the seconds of a processor that an answer takes say more than how many come. Then clients that are idle
or slow stand beside.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

from tests.api.processes import COMMAND, Running, wait_for
from tests.benchmarks import judge
from tests.benchmarks.application import request_of

ROUNDS, SECONDS, CLIENTS = 5, 3, 64
IDLE, SLOW = 1_000, 200
LINES = 200
TAKEN = 0.5  # seconds in which the server has taken them
MOST_SPACES = 16  # with as many different ends a line is as many lines, which are more than a server remembers
_SLOW = b"POST /v1/validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"


class Load(NamedTuple):
    """What was sent to a path in turn, again and again, and in what media type."""

    path: str
    media_type: str
    bodies: Sequence[bytes]


class Rate(NamedTuple):
    """Answers a second, the milliseconds in which 99 of 100 of them came, and a processor's microseconds for each."""

    a_second: float
    slowest: float
    cost: float = 0.0


class Server(NamedTuple):
    """Where a server answers, and its process."""

    port: int
    pid: int

    def cost(self) -> float:
        """Return the seconds of a processor that the processes it has begun have taken."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        ticks = (Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[11:13] for child in children)
        return sum(int(one) for each in ticks for one in each) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print the rates, their ratio, and what idle and slow clients cost."""
    _, decks = judge.real() if judge.SHARED.exists() else judge.made()
    lines = [json.dumps(request_of(deck)).encode() for deck in decks[:LINES]]
    one = Load("/v1/validate", "application/json", lines[:1])
    again = Load("/v1/validate/batch", "application/x-ndjson", [b"\n".join(lines)])
    anew = again._replace(bodies=[(b" " * spaces + b"\n").join(lines) for spaces in range(MOST_SPACES)])
    print(f"{'wrk' if shutil.which('wrk') else 'a client in Python'}, {CLIENTS} connections, {ROUNDS} rounds in turn")
    with _bare() as bare, _served() as ours:
        for said, load, lines_each, clients in (
            ("a deck", one, 1, CLIENTS),
            ("a batch of decks that did not come before", anew, LINES, 8),
            ("the same batch again", again, LINES, 8),
        ):
            rates = [(asked(bare, load, clients), asked(ours, load, clients)) for _ in range(ROUNDS)]
            _compare(said, lines_each, rates)
        ways = [partial(asked, ours, one, CLIENTS), partial(_beside_a_crowd, ours, one)]
        pairs = []
        for at in range(2 * ROUNDS):  # now the one first, now the other
            first, second = (ways[at % 2](), ways[not at % 2]())
            pairs.append((second, first) if at % 2 else (first, second))
        alone, beside = (median(rate.cost for rate in each) for each in zip(*pairs, strict=True))
        kept = median(mine.cost / theirs.cost for mine, theirs in pairs)
        print(f"beside {IDLE} idle and {SLOW} slow clients: {kept:.2f} of the rate (wanted: at least 0.90),", end=" ")
        print(f"{beside:.0f} µs of a processor for an answer, {alone:.0f} without them")


def _compare(said: str, lines: int, rates: list[tuple[Rate, Rate]]) -> None:
    plain, judged = (median(rate.a_second for rate in each) * lines for each in zip(*rates, strict=True))
    sooner = median(mine.a_second / theirs.a_second for theirs, mine in rates)
    cheaper = median(theirs.cost / mine.cost for theirs, mine in rates)
    print(f"{said}: decks parsed {plain:,.0f}/s, judged {judged:,.0f}/s, ratio {sooner:.2f};", end=" ")
    print(f"of processor time {cheaper:.2f}; p99 {median(mine.slowest for _, mine in rates):.1f} ms,", end=" ")
    print(f"{median(mine.cost for _, mine in rates) / lines:.0f} µs a deck")


def asked(server: Server, load: Load, clients: int) -> Rate:
    """Send the load by some connections, again and again."""
    before = server.cost()
    by = _by_wrk if shutil.which("wrk") else _by_python
    rate = by(server.port, load, clients)
    return rate._replace(cost=(server.cost() - before) * 1e6 / (rate.a_second * SECONDS))


def _by_wrk(port: int, load: Load, clients: int) -> Rate:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "post.lua")
        for place, body in enumerate(load.bodies):
            Path(folder, f"body-{place}").write_bytes(body)
        script.write_text(
            f'wrk.method = "POST"\nwrk.headers["Content-Type"] = "{load.media_type}"\n'
            "local requests, at = {}, 0\n"
            "function init()\n"
            f"  for place = 0, {len(load.bodies) - 1} do\n"
            f'    requests[place] = wrk.format(nil, nil, nil, io.open("{folder}/body-" .. place):read("*a"))\n'
            "  end\n"
            "end\n"
            f"function request() at = (at + 1) % {len(load.bodies)}; return requests[at] end\n"
        )
        command = ["wrk", "-t1", f"-c{clients}", f"-d{SECONDS}s", "--latency", "-s", str(script)]
        said = subprocess.check_output([*command, f"http://127.0.0.1:{port}{load.path}"], text=True)
    assert "Non-2xx" not in said, said
    number, unit = re.search(r"99%\s+([0-9.]+)(us|ms|s)", said).groups()
    return Rate(float(re.search(r"Requests/sec:\s+([0-9.]+)", said)[1]), float(number) * _IN_MS[unit])


_IN_MS = {"us": 0.001, "ms": 1.0, "s": 1000.0}


def _by_python(port: int, load: Load, clients: int) -> Rate:
    until = time.monotonic() + SECONDS
    with ThreadPoolExecutor(clients) as pool:
        taken = [one for each in pool.map(lambda _: list(_times(port, load, until)), range(clients)) for one in each]
    return Rate(len(taken) / SECONDS, quantiles(taken, n=100)[-1] * 1000)


def _times(port: int, load: Load, until: float) -> Iterator[float]:
    """Yield the seconds that each answer took to come, over one connection."""
    import http.client

    client = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    bodies = cycle(load.bodies)
    while (begun := time.monotonic()) < until:
        client.request("POST", load.path, next(bodies), {"Content-Type": load.media_type})
        assert client.getresponse().read()
        yield time.monotonic() - begun
    client.close()


@contextmanager
def _bare() -> Iterator[Server]:
    """Serve the bare views by gunicorn's threads."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = ["-k", "gthread", "--threads", "64", "-w", "2", "--no-control-socket", "--log-level", "error"]
    command = [sys.executable, "-m", "gunicorn", *options, "-b", f"127.0.0.1:{port}", "tests.benchmarks.bare:app"]
    process = subprocess.Popen(command)
    try:
        wait_for(lambda: not _is_free(port))
        yield Server(port, process.pid)
    finally:
        process.terminate()
        process.wait()


def _is_free(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) != 0


@contextmanager
def _served() -> Iterator[Server]:
    """Serve deckproof."""
    assert COMMAND.exists(), "install it first"
    with tempfile.TemporaryDirectory() as folder:
        running = Running(Path(folder, "data"))
        with running.ended():
            yield Server(running.port, running.process.pid)


def _beside_a_crowd(server: Server, load: Load) -> Rate:
    with _crowd(server.port):
        return asked(server, load, CLIENTS)


@contextmanager
def _crowd(port: int) -> Iterator[None]:
    """Have clients beside that send nothing, or the beginning of a request."""
    with ExitStack() as stack:
        for at in range(IDLE + SLOW):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
            if at < SLOW:
                client.sendall(_SLOW)
        time.sleep(TAKEN)
        yield


if __name__ == "__main__":
    main()
