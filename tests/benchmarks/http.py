"""Verdicts over real sockets, compared with a bare Flask view that only parses: `python -m tests.benchmarks.http`.

Every kind of client and proxy has its headers here. The bare view is served by gunicorn's threads. One client sends
requests to both in turn, in rounds. `--against FOLDER` adds the deckproof of another checkout with its own .venv. The
exit code is 1 if a goal is missed, if an answer is wrong or if a verdict did not take the fast path.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from statistics import median
from typing import NamedTuple

from carddb import facts
from tests.api.processes import COMMAND, Process, Running
from tests.benchmarks import judge
from tests.benchmarks.application import request_of
from tests.benchmarks.load import Rate, measure
from tests.hostile.clients import Attack, Crowd, upload_head
from validator import Deck
from validator.decklists import parse

ROOT = Path(__file__).resolve().parents[2]
LEAST_RATIO, MOST_P99 = 2.0, 20.0  # times the bare view; milliseconds at CONNECTIONS
CONNECTIONS, BATCHES_AT_ONCE, LINES = 64, 8, 200
MOST_SPACES = 16  # with different ends a line is as many lines, more than a server remembers
NO_SETTINGS: Mapping[str, str] = {}
HIGH_LIMIT = {"DECKPROOF_RATE_LIMIT": "999999999/minute"}
IDLE_AND_SLOW = (Attack(1_000, b""), Attack(200, upload_head(1_000) + b"{"))

PYTHON = ("User-Agent: python-requests/2.32.5", "Accept-Encoding: gzip, deflate", "Accept: */*")
FORWARDED = ("X-Forwarded-For: 203.0.113.7", "X-Forwarded-Proto: https")
HEADERS = {
    "a plain client": (*PYTHON, "Connection: keep-alive"),
    "nginx": ("X-Real-IP: 203.0.113.7", *FORWARDED, "Connection: close", *PYTHON),
    "nginx, keepalive": ("X-Real-IP: 203.0.113.7", *FORWARDED, *PYTHON),
    "haproxy": (*map(str.lower, PYTHON), "x-forwarded-proto: https", "x-forwarded-for: 203.0.113.7"),
    "Heroku": (
        *PYTHON,
        "X-Request-Id: 6f4d9c1e-3b2a-4f43-9e39-0c2b7a0d5e11",
        *FORWARDED,
        "X-Forwarded-Port: 443",
        "Via: 1.1 heroku-router",
        "Connect-Time: 0",
        "X-Request-Start: 1795438800123",
        "Total-Route-Time: 0",
    ),
    "AWS ALB, Cloudflare": (
        "X-Forwarded-For: 203.0.113.7, 172.68.10.20",
        "X-Forwarded-Proto: https",
        "X-Forwarded-Port: 443",
        "X-Amzn-Trace-Id: Root=1-67891233-abcdef012345678912345678",
        "Accept-Encoding: gzip, br",
        "CF-Ray: 8f1c2d3e4f5a6b7c-FRA",
        "CF-Connecting-IP: 203.0.113.7",
        "CF-IPCountry: DE",
        'CF-Visitor: {"scheme":"https"}',
        "CDN-Loop: cloudflare; loops=1",
        "User-Agent: python-requests/2.32.5",
        "Accept: */*",
    ),
    "Chrome in German": (
        "Connection: keep-alive",
        'sec-ch-ua-platform: "Windows"',
        "User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
        "Chrome/141.0.0.0 Safari/537.36",
        'sec-ch-ua: "Google Chrome";v="141", "Not?A_Brand";v="8", "Chromium";v="141"',
        "sec-ch-ua-mobile: ?0",
        "Accept: */*",
        "Origin: https://decks.example",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Mode: cors",
        "Sec-Fetch-Dest: empty",
        "Referer: https://decks.example/",
        "Accept-Encoding: gzip, deflate, br, zstd",
        "Accept-Language: de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7",
    ),
    "OpenTelemetry": (
        *PYTHON,
        "Connection: keep-alive",
        "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "tracestate: vendor=t61rcWkgMzE,other=00f067aa0ba902b7",
        "baggage: event=regional,round=4",
    ),
}


class Server(NamedTuple):
    """A server that is measured, and the process that it began with."""

    port: int
    pid: int

    def cpu_seconds(self) -> float:
        """Return the seconds of a processor that the workers have taken."""
        workers = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        ticks = (Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13] for pid in workers)
        return sum(int(number) for pair in ticks for number in pair) / os.sysconf("SC_CLK_TCK")

    def fast_answers(self, path: str) -> float:
        """Return the number of requests of a path that were answered without Flask, by the counter of the server."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=30) as answer:
            text = answer.read().decode()
        counted = re.findall(rf'^deckproof_fast_path_total{{path="{re.escape(path)}"}} (\S+)', text, re.MULTILINE)
        return sum(map(float, counted))


class Case(NamedTuple):
    """A row of the table: requests to `path`, of `decks` decks each, sent in turn over some connections."""

    name: str
    path: str
    requests: Sequence[bytes]
    connections: int
    decks: int = 1
    server: str = "now"  # the key of the server
    crowd: Sequence[Attack] = ()  # beside it


class Sample(NamedTuple):
    """What a round measured: microseconds of a processor for each deck, and the share of fast answers."""

    rate: Rate
    cpu: float
    fast: float = 0.0


def main() -> None:
    """Print the table and what misses its goal."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.http", description=__doc__)
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="another checkout, with its own .venv")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each round and server")
    parser.add_argument("--only", default="", metavar="WORDS", help="the rows whose name contains these words")
    options = parser.parse_args()
    print(f"{options.rounds} rounds of {options.seconds:g} s in turn; ratio: bare time by ours; cpu: µs for a deck")
    with ExitStack() as stack:
        servers = {"bare": stack.enter_context(_bare()), "now": stack.enter_context(_deckproof())}
        servers["limited"] = stack.enter_context(_deckproof(settings=HIGH_LIMIT))
        if options.against:
            servers["before"] = stack.enter_context(_deckproof(options.against / ".venv/bin/deckproof"))
        print(f"{'':40}{'conn.':>5}{'bare/s':>8}{'ours/s':>8}{'ratio':>7}{'p50 ms':>8}{'p99 ms':>8}", end="")
        print(f"{'cpu bare':>9}{'ours':>6}{'ratio':>7}{'fast':>6}{'before/s':>10}{'now/before':>11}")
        missed = []
        for case in _cases(servers["now"]):
            if options.only in case.name:
                missed += _measure(case, servers, options.rounds, options.seconds)
    print(*missed, sep="\n")
    sys.exit(bool(missed))


def _cases(server: Server) -> Iterator[Case]:
    decks = _legal_decks(server)
    verdicts = {name: [_request(name, decks[0])] for name in HEADERS}
    for name, requests in verdicts.items():
        for connections in (1, CONNECTIONS):
            yield Case(name, "/v1/validate", requests, connections)
    plain = verdicts["a plain client"]
    limited = Case("a plain client, with a rate limit", "/v1/validate", plain, CONNECTIONS, server="limited")
    yield limited
    yield limited._replace(name="nginx, with a rate limit", requests=verdicts["nginx"])
    yield Case("beside 1,000 idle and 200 slow clients", "/v1/validate", plain, CONNECTIONS, crowd=IDLE_AND_SLOW)
    lines = (decks * LINES)[:LINES]
    new = [_batch((b" " * spaces + b"\n").join(lines)) for spaces in range(MOST_SPACES)]
    yield Case("a batch of new lines", "/v1/validate/batch", new, BATCHES_AT_ONCE, LINES)
    yield Case("a batch of lines that come again", "/v1/validate/batch", new[:1], BATCHES_AT_ONCE, LINES)


def _legal_decks(server: Server) -> list[bytes]:
    """Return requests for verdicts on real decks that the server finds legal."""
    decks: Sequence[Deck]
    if judge.SHARED.exists():
        _, decks = judge.real_decks()
    else:
        text = (ROOT / "examples/optcg-red-zoro.txt").read_text("utf-8")
        decks = [parse(text, catalogue=facts.catalogue("optcg")).deck]
    requests = [json.dumps(request_of(deck)).encode() for deck in decks[:LINES]]
    legal = [body for body in requests if _answer(server, "/v1/validate", "application/json", body)["legal"] is True]
    assert legal, "the server finds none of the decks legal"
    return legal


def _answer(server: Server, path: str, media_type: str, body: bytes) -> dict[str, object]:
    url = f"http://127.0.0.1:{server.port}{path}"
    request = urllib.request.Request(url, body, {"Content-Type": media_type})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read())


def _request(name: str, body: bytes) -> bytes:
    """Return a request as this client or proxy sends it. nginx uses HTTP/1.0 by default."""
    version = "1.0" if name == "nginx" else "1.1"
    lines = ["Host: decks.example:18766", *HEADERS[name], "Content-Type: application/json"]
    return f"POST /v1/validate HTTP/{version}\r\n{_join_head(lines, body)}".encode() + body


def _batch(body: bytes) -> bytes:
    lines = ["Host: decks.example:18766", *HEADERS["a plain client"], "Content-Type: application/x-ndjson"]
    return f"POST /v1/validate/batch HTTP/1.1\r\n{_join_head(lines, body)}".encode() + body


def _join_head(lines: Sequence[str], body: bytes) -> str:
    """Return the header lines of a request with the length of its body."""
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""])


def _measure(case: Case, servers: dict[str, Server], rounds: int, seconds: float) -> list[str]:
    """Measure the servers in turn, print a row and return the goals that it misses."""
    taking_part = [name for name in ("bare", case.server, "before") if name in servers]
    samples: dict[str, list[Sample]] = {name: [] for name in taking_part}
    for number in range(rounds):
        for name in taking_part[number % len(taking_part) :] + taking_part[: number % len(taking_part)]:
            crowd = Crowd(servers[name].port, *case.crowd) if case.crowd and name != "bare" else nullcontext()
            with crowd:
                samples[name].append(_sample(servers[name], case, seconds, has_fast_path=name != "bare"))
    return _print_row(case, samples["bare"], samples[case.server], samples.get("before", []))


def _sample(server: Server, case: Case, seconds: float, has_fast_path: bool) -> Sample:
    fast = server.fast_answers(case.path) if has_fast_path else 0.0
    cpu = server.cpu_seconds()
    rate = measure(server.port, case.requests, case.connections, case.decks, seconds)
    cpu = server.cpu_seconds() - cpu
    fast = server.fast_answers(case.path) - fast if has_fast_path else 0.0
    return Sample(rate, cpu * 1e6 / rate.answers / case.decks, min(1.0, fast / rate.answers))


def _print_row(case: Case, bare: list[Sample], own_samples: list[Sample], before: list[Sample]) -> list[str]:
    """Print the row of a case, and return the sentences on its missed goals."""
    ratio = _paired_ratio(own_samples, bare)
    p50, p99 = (median(getattr(sample.rate, cut) for sample in own_samples) for cut in ("p50", "p99"))
    cpu, cpu_bare = (median(sample.cpu for sample in samples) for samples in (own_samples, bare))
    fast = min(sample.fast for sample in own_samples)
    print(f"{case.name:40}{case.connections:5}{_decks(case, bare):8,.0f}{_decks(case, own_samples):8,.0f}", end="")
    print(f"{ratio:7.2f}{p50:8.2f}{p99:8.1f}", end="")
    print(f"{cpu_bare:9.0f}{cpu:6.0f}{cpu_bare / cpu:7.2f}{fast:6.0%}", end="")
    print(f"{_decks(case, before):10,.0f}{_paired_ratio(own_samples, before):11.2f}" if before else "", flush=True)
    return list(_missed_goals(case, ratio, p99, fast))


def _missed_goals(case: Case, ratio: float, p99: float, fast: float) -> Iterator[str]:
    """Yield a sentence for each goal that a case of single verdicts misses. Batches have no goals."""
    if case.path != "/v1/validate":
        return
    row = f"{case.name} at {case.connections}"
    if fast < 1:
        yield f"{row}: {fast:.0%} of the answers took the fast path, wanted: all"
    if ratio < LEAST_RATIO:
        yield f"{row}: {ratio:.2f} times the bare view, wanted: {LEAST_RATIO}"
    if p99 >= MOST_P99 and case.connections == CONNECTIONS:
        yield f"{row}: p99 of {p99:.1f} ms, wanted: less than {MOST_P99:g}"


def _decks(case: Case, samples: list[Sample]) -> float:
    return median(sample.rate.per_second for sample in samples) * case.decks


def _paired_ratio(own_samples: list[Sample], other_samples: list[Sample]) -> float:
    """Return the median of the ratios of all rounds. Both samples of a round met the same state of the machine."""
    return median(
        one.rate.per_second / other.rate.per_second for one, other in zip(own_samples, other_samples, strict=True)
    )


@contextmanager
def _bare() -> Iterator[Server]:
    """Serve the bare views by gunicorn's threads."""
    options = ["-k", "gthread", "--threads", "64", "-w", "2", "--no-control-socket", "-b", "127.0.0.1:0"]
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["-m", "gunicorn", *options, "tests.benchmarks.bare:app"]
        process = Process(Path(folder, "data"), arguments, command=sys.executable)
        with process.ended():
            yield Server(int(process.says(r"Listening at: http://[^:]+:(\d+)")[1]), process.process.pid)


@contextmanager
def _deckproof(command: Path = COMMAND, settings: Mapping[str, str] = NO_SETTINGS) -> Iterator[Server]:
    """Serve deckproof, of this checkout or of another."""
    assert command.exists(), f"{command} is missing: install deckproof there first"
    with tempfile.TemporaryDirectory() as folder:
        running = Running(Path(folder, "data"), command=command, **settings)
        with running.ended():
            yield Server(running.port, running.process.pid)


if __name__ == "__main__":
    main()
