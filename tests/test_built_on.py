"""What others build on: the action and the hook run as GitHub and pre-commit run them, the bot as Discord asks it."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import yaml
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.api.processes import Process, Running

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


def acted(folder, **inputs):
    """Run the action's last step as GitHub does, with what its inputs say."""
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
    ran = acted(decks, files="decks/**/*zoro.txt", on="2026-11-21", game="optcg", format="standard", region="en")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("LEGAL")


def test_the_action_fails_with_the_rule_of_what_is_wrong(decks):
    ran = acted(decks, files="decks/**/*.txt", on="2026-11-21")
    assert ran.returncode == 1
    assert "5-1-2-3" in ran.stdout


def test_the_action_says_so_where_there_is_no_deck(decks):
    assert acted(decks, files="lists/*.txt").returncode == 2


def test_an_input_of_the_action_is_never_run(decks):
    acted(decks, files="$(touch run) `touch run` decks/*", game="optcg; touch run", on='"; touch run; "')
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


@pytest.fixture(scope="module")
def discord(tmp_path_factory):
    """The bot before a server of ours, and what asks it as Discord does."""
    key = Ed25519PrivateKey.generate()
    folder = tmp_path_factory.mktemp("bot")
    server = Running(folder / "served")
    settings = {"DISCORD_PUBLIC_KEY": key.public_key().public_bytes_raw().hex(), "DECKPROOF_URL": server.url}
    bot = Process(folder / "bot", [ROOT / "clients/discord_bot.py", "0"], command=sys.executable, **settings)
    port = bot.says(r"Listening on (\d+)")[1]

    def ask(interaction, signed=True):
        body, moment = json.dumps(interaction).encode(), "1790000000"
        signature = key.sign((moment if signed else "1").encode() + body).hex()
        headers = {"X-Signature-Ed25519": signature, "X-Signature-Timestamp": moment}
        with urlopen(Request(f"http://127.0.0.1:{port}/", body, headers)) as response:
            return json.load(response)

    with server.ended():
        yield ask
    bot.kill()


def filled_in(decklist):
    row = {"type": 1, "components": [{"type": 4, "custom_id": "decklist", "value": decklist}]}
    return {"type": 5, "data": {"custom_id": "check", "components": [row]}}


@pytest.mark.slow
def test_the_bot_asks_for_a_list_and_answers_with_a_verdict(discord):
    assert discord({"type": 1}) == {"type": 1}
    assert discord({"type": 2, "data": {"name": "check"}})["type"] == 9
    told = discord(filled_in("1 ST21-001\n5 OP01-016 ```@everyone"))["data"]
    assert "NOT LEGAL" in told["content"]
    assert told["content"].count("```") == 2
    assert told["allowed_mentions"] == {"parse": []}
    many = discord(filled_in("1 ST21-001\n" + "".join(f"5 OP01-{at:03}\n" for at in range(2, 99))))
    assert 1000 < len(many["data"]["content"]) <= 2000


@pytest.mark.slow
def test_the_bot_refuses_what_discord_has_not_signed(discord):
    with pytest.raises(HTTPError, match="401"):
        discord({"type": 1}, signed=False)


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
