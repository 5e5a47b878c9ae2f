"""What others build on: the action and the hook as GitHub and pre-commit run them, and the text for language models."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
BIN = str(Path(sys.executable).parent)


@pytest.fixture
def decks(tmp_path):
    """A repository with a legal deck and one that is not."""
    for name in ("optcg-red-zoro.txt", "optcg-five-copies.txt"):
        (tmp_path / "decks" / "deep").mkdir(parents=True, exist_ok=True)
        shutil.copy(EXAMPLES / name, tmp_path / "decks" / "deep")
    return tmp_path


def run_action(folder, **inputs):
    """Run the last step of the GitHub action with these inputs, as GitHub does."""
    step = ACTION["runs"]["steps"][-1]
    given = {name: one.get("default", "") for name, one in ACTION["inputs"].items()} | inputs
    said = {
        name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: given[found[1]], text)
        for name, text in step["env"].items()
    }
    environment = os.environ | said | {"PATH": f"{BIN}:{os.environ['PATH']}", "DECKPROOF_DATA_DIR": str(folder)}
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(shell, cwd=folder, env=environment, capture_output=True, text=True)


def test_the_action_passes_decks_that_are_legal(decks):
    ran = run_action(decks, files="decks/**/*zoro.txt", on="2026-11-21", game="optcg", format="standard", region="en")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("LEGAL")


def test_the_action_fails_with_the_rule_of_what_is_wrong(decks):
    ran = run_action(decks, files="decks/**/*.txt", on="2026-11-21")
    assert ran.returncode == 1
    assert "5-1-2-3" in ran.stdout


def test_the_action_says_so_where_there_is_no_deck(decks):
    assert run_action(decks, files="lists/*.txt").returncode == 2


def test_an_input_of_the_action_is_never_run(decks):
    run_action(decks, files="$(touch run) `touch run` decks/*", game="optcg; touch run", on='"; touch run; "')
    assert not (decks / "run").exists()
    assert not any("${{" in step.get("run", "") for step in ACTION["runs"]["steps"])


def test_the_hook_judges_the_files_that_are_committed(decks):
    files = sorted(str(path.relative_to(decks)) for path in decks.rglob("*.txt"))
    assert all(re.search(HOOK["files"], file) for file in files)
    environment = os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}", "DECKPROOF_DATA_DIR": str(decks)}
    call = [*shlex.split(HOOK["entry"]), "--on", "2026-11-21", *files]
    ran = subprocess.run(call, cwd=decks, env=environment, capture_output=True, text=True)
    assert ran.returncode == 1
    assert [line.split("  ")[0] for line in ran.stdout.splitlines() if "decks/" in line] == ["NOT LEGAL", "LEGAL"]


def test_the_text_for_language_models_names_every_path(client_of_facts):
    text, document = client_of_facts.get("/llms.txt").text, client_of_facts.get("/openapi.json").json
    assert text.startswith("# deckproof\n\n> ")
    for path, item in document["paths"].items():
        for method in item.keys() - {"parameters"}:
            assert f"`{method.upper()} {path}`" in text
    for link in re.findall(r"\]\((/[^)]*)\)", text):
        assert client_of_facts.get(link).status_code == 200


@pytest.fixture(scope="module")
def client_of_facts(tmp_path_factory):
    from api.service.settings import Settings
    from api.web.app import create_app

    return create_app(Settings(data_dir=tmp_path_factory.mktemp("facts"))).test_client()
