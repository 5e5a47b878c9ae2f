"""Clients: the document that is committed is what is served, and what is generated from it tells the README's story."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from datetime import date

import pytest

from api.service.judges import Judges
from api.service.requests import Asked, Validation
from carddb.library import Library
from tests import clients, openapi
from tests.api.processes import Running
from validator.rulesets import rulesets


def test_the_document_that_is_committed_is_what_is_served():
    """Where it is not, `make openapi` writes it anew."""
    assert json.loads(openapi.FILE.read_text("utf-8")) == openapi.document()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = Running(tmp_path_factory.mktemp("served"))
    with running.ended():
        yield running


@pytest.fixture(scope="module")
def told():
    """What the stories tell, as this very process sees it."""
    asked = Asked(game="optcg", on=date(2026, 11, 21))
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


@pytest.mark.slow
def test_the_python_client_tells_the_story(server, told, tmp_path):
    clients.python(tmp_path)
    story = [sys.executable, clients.STORIES / "python/story.py", server.url]
    ran = subprocess.run(story, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(tmp_path)})
    assert ran.returncode == 0, ran.stderr
    assert told.items() <= json.loads(ran.stdout).items()


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("npm"), reason="there is no npm")
def test_the_types_for_typescript_tell_the_story(server, told, tmp_path):
    try:
        clients.typescript(tmp_path)
    except clients.UnreachableError as error:
        pytest.skip(f"npm cannot fetch packages here: {error}")
    clients.installed(tmp_path, "tsc")
    ran = subprocess.run(["node", "story.js", server.url], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert told.items() <= json.loads(ran.stdout).items()
