"""The examples for Python and TypeScript: each runs with its generated client against a server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from api.service.judges import Judges
from api.service.requests import RequestedTerms, Validation
from carddb.library import Library
from tests import clients
from tests.api.processes import Running
from validator.rulesets import rulesets

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = Running(tmp_path_factory.mktemp("served"))
    with running.ended():
        yield running


@pytest.fixture(scope="module")
def expected():
    """The values that the examples print, as this process finds them."""
    asked = RequestedTerms(game="optcg", on=date(2026, 11, 21))
    verdict = Judges(Library("sqlite:////nowhere/deckproof.db")).verdict(
        Validation(asked, None, "1 ST21-001\n4 OP01-016 Nami", False)
    )
    return {
        "legal": False,
        "codes": verdict.codes,
        "section": verdict.findings[0].rule.section,
        "rulesets": list(rulesets()),
        "card": "Nami",
        "pointer": "/ruleset",
    }


def test_the_example_for_python_runs(server, expected, tmp_path):
    project, installed = clients.python(tmp_path), tmp_path / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", installed, project], check=True)
    assert (installed / "deckproof_client/py.typed").is_file()
    story = [sys.executable, clients.EXAMPLES / "python/story.py", server.url]
    ran = subprocess.run(story, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(installed)})
    assert ran.returncode == 0, ran.stderr
    assert expected.items() <= json.loads(ran.stdout).items()


@pytest.mark.skipif(not shutil.which("npm"), reason="there is no npm")
def test_the_example_for_typescript_runs(server, expected, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path.parent)  # `make clients` names a relative folder
    try:
        clients.typescript(Path(tmp_path.name))
    except clients.UnreachableError as error:
        pytest.skip(f"npm cannot fetch packages here: {error}")
    clients.run_installed(tmp_path, "tsc")
    ran = subprocess.run(["node", "story.js", server.url], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert expected.items() <= json.loads(ran.stdout).items()
