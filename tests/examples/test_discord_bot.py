"""The Discord bot runs as a process and is asked as Discord asks it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.api.processes import Process, Running

pytestmark = pytest.mark.slow

BOT = Path(__file__).parents[2] / "examples/discord-bot/discord_bot.py"


@pytest.fixture(scope="module")
def discord(tmp_path_factory):
    """A function that sends the bot an interaction as Discord does. The bot asks a server of ours."""
    key = Ed25519PrivateKey.generate()
    folder = tmp_path_factory.mktemp("bot")
    server = Running(folder / "served")
    settings = {"DISCORD_PUBLIC_KEY": key.public_key().public_bytes_raw().hex(), "DECKPROOF_URL": server.url}
    bot = Process(folder / "bot", [BOT, "0"], command=sys.executable, **settings)
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


def test_the_bot_asks_for_a_list_and_answers_with_a_verdict(discord):
    assert discord({"type": 1}) == {"type": 1}
    assert discord({"type": 2, "data": {"name": "check"}})["type"] == 9
    answer = discord(filled_in("1 ST21-001\n5 OP01-016 ```@everyone"))["data"]
    assert "NOT LEGAL" in answer["content"]
    assert answer["content"].count("```") == 2
    assert answer["allowed_mentions"] == {"parse": []}
    many = discord(filled_in("1 ST21-001\n" + "".join(f"5 OP01-{at:03}\n" for at in range(2, 99))))
    assert 1000 < len(many["data"]["content"]) <= 2000


def test_the_bot_refuses_what_discord_has_not_signed(discord):
    with pytest.raises(HTTPError, match="401"):
        discord({"type": 1}, signed=False)
