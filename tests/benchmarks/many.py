"""Two webs, two workers, Redis and PostgreSQL under load, each killed once: `python -m tests.benchmarks.many`.

Prints the answers to the clients. Fails if a request was refused while the database was up, or if a registration or job
was lost or done twice. The arguments are SECONDS and CLIENTS, by default 60 and 64.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.api.web.fleet import NAMES, Callers, assert_whole, fleet

AWAY = 2.0  # seconds for which each is away


def main(seconds: int = 60, clients: int = 64) -> None:
    """Print how long each was away, and what the clients got."""
    with TemporaryDirectory() as folder, fleet(Path(folder)) as made:
        with Callers(made.url, clients) as callers:
            begun, away = time.monotonic(), {}
            for at, name in enumerate(NAMES):
                time.sleep(max(0.0, begun + (at + 0.5) * seconds / len(NAMES) - time.monotonic()))
                away[name] = made.kill(name, AWAY)
                print(f"{name} was killed {away[name][0] - begun:.0f} s after the beginning,", end=" ")
                print(f"and there again {away[name][1] - away[name][0]:.1f} s later", flush=True)
            time.sleep(max(0.0, begun + seconds - time.monotonic()))
            took = time.monotonic() - begun
        print_answers(callers, took, away["database"], "while the database was away")
        assert_whole(made, callers, away["database"])
        print(f"{len(callers.registered):,} players are registered, {len(callers.jobs)} jobs are done: each once")


def print_answers(callers: Callers, seconds: float, away: tuple[float, float], summary: str) -> None:
    """Print the number of answers of each kind and their times, also while the database was away."""
    print(f"{len(callers.answers) / seconds:,.0f} answers a second for {seconds:.0f} s")
    for to in ("verdict", "registration", "job"):
        found = callers.of(to)
        took = sorted(one.took for one in found)
        during = sum(away[0] <= one.at <= away[1] for one in found)
        print(f"  {to}: {dict(sorted(Counter(one.status for one in found).items()))},", end=" ")
        print(f"{during:,} of them {summary};", end=" ")
        print(f"p50 {took[len(took) // 2] * 1000:,.0f} ms, p99 {took[len(took) * 99 // 100] * 1000:,.0f} ms,", end=" ")
        print(f"slowest {took[-1] * 1000:,.0f} ms")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
