"""What 20,000 bad requests, each of its own kind, leave in memory: `python -m tests.benchmarks.soak`."""

from __future__ import annotations

import gc
import tempfile
from itertools import islice
from pathlib import Path

from api.service.settings import Settings
from api.web.app import create_app
from tests.hostile.caches import caches
from tests.hostile.strangers import memory, requests

ROUNDS, EACH, SIZE = 10, 2_000, 20_000


def main() -> None:
    """Print the memory after each of the rounds, and what the caches hold in the end."""
    with tempfile.TemporaryDirectory() as folder:
        client = create_app(Settings(data_dir=Path(folder))).test_client()
        for seed in range(ROUNDS):
            for request in islice(requests(SIZE, seed), EACH):
                client.open(request.path, method=request.method, **request.how)
            gc.collect()
            print(f"after {(seed + 1) * EACH:,} requests: {memory() / 1e6:,.0f} MB")
    for one in caches():
        print(f"{one.name}: {one.entries:,} of {one.most or 1:,}")


if __name__ == "__main__":
    main()
