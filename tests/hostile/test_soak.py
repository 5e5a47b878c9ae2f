"""What is refused leaves nothing behind: neither in a cache nor in memory."""

from __future__ import annotations

import inspect
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from api.service.decoder import parse_terms
from api.service.settings import Settings
from api.web.app import create_app
from tests.hostile.caches import caches
from tests.hostile.strangers import memory, requests

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SIZE = 150_000  # characters: what is kept of a few such requests is seen


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    return create_app(Settings(data_dir=tmp_path_factory.mktemp("data"))).test_client()


def ask(client, count, **how):
    for request in islice(requests(**how), count):
        answer = client.open(request.path, method=request.method, **request.how)
        said = answer.get_data(as_text=True)
        assert answer.status_code < 500, (request.method, request.path, said)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_memory_stays_flat_whatever_is_refused(tmp_path):
    # A process of its own: one that has done much before has room that comes and goes.
    program = f"from tests.hostile import test_soak; print(test_soak.growth({str(tmp_path)!r}))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert not done.returncode, done.stderr
    assert int(done.stdout) < 5_000_000  # that of some 16 such texts


def growth(folder: str) -> int:
    """Return by how many bytes this process grows while it refuses."""
    client = create_app(Settings(data_dir=Path(folder))).test_client()
    ask(client, 200, size=SIZE, seed=1)
    before = memory()
    ask(client, 700, size=SIZE, seed=2)
    return memory() - before


def test_terms_that_are_refused_are_not_remembered(client):
    for number in range(10):
        client.post("/v1/validate", json={"game": "optcg", "decklist": ""})
        before = parse_terms.cache_info().currsize
        client.post("/v1/validate", json={"game": "optcg", "decklist": "", "region": f"{number}" * 300})
        client.post("/v1/validate", json={"decklist": "", "game": f"game {number}"})
        assert parse_terms.cache_info().currsize == before


def test_every_cache_has_a_bound_or_but_one_result(client):
    client.post("/v1/validate", json={"game": "optcg", "decklist": "4 OP01-016"})
    found = list(caches())
    assert len(found) >= 8
    for name in [one.name for one in found if one.most is None]:
        module, _, function = name.rpartition(".")
        assert not inspect.signature(getattr(sys.modules[module], function)).parameters
