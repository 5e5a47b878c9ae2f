"""The judge's table in Firefox, whose server stops in the middle of a check: it opens again, and sends once."""

from __future__ import annotations

import pytest
import requests

from tests.api.events.conftest import LEGAL
from tests.api.processes import Running
from tests.browser.firefox import FirefoxError, start_firefox
from tests.soon import SOON

pytestmark = pytest.mark.slow

LINE = "document.getElementById('line')"
IS_KEPT = """(async () => {
  await navigator.serviceWorker.ready;
  const names = await caches.keys();
  return names.length === 1 && (await (await caches.open(names[0])).keys()).length > 4;
})()"""


def shows(state, unsent=None):
    """Return the JavaScript that is true once the table is in a state, with a number of changes to be sent."""
    idle = f"{LINE}?.ariaBusy !== 'true' && {LINE}?.className === 'line {state}'"
    return idle if unsent is None else f"{idle} && {LINE}.textContent.includes('{unsent}')"


def serve(folder, port=0):
    return Running(folder, ("serve", "--port", str(port), "--workers", "1"))


def begin_event(url):
    """Return an event with one player, and a function that asks for it as its judge."""
    event = {"name": "Example Regional", "game": "optcg", "on": SOON, "timezone": "Europe/Berlin"}
    begun = requests.post(f"{url}/v1/events", json=event, timeout=30).json()
    path = f"{url}/v1/events/{begun['id']}"
    player = {"player": "Player 01", "player_id": "00000001", "decklist": LEGAL}
    rid = requests.post(f"{path}/registrations", json=player, timeout=30).json()["id"]

    def ask(rest, role="judge"):
        headers = {"Authorization": f"Bearer {begun['keys'][role]}"}
        return requests.get(path + rest, headers=headers, timeout=30).json()

    return begun, rid, ask


@pytest.mark.parametrize("languages", ["en", "de-CH, fr;q=0.5"])
def test_firefox_opens_the_table_again_without_a_server_and_sends_once(tmp_path, languages):
    folder = tmp_path / "firefox"
    folder.mkdir()
    with start_firefox(folder, languages) as firefox:
        server = serve(tmp_path / "server")
        event, rid, ask = begin_event(server.url)
        table = f"{server.url}/events/{event['id']}/table"
        firefox.open_page(f"{server.url}/events/{event['id']}#key={event['keys']['judge']}")
        firefox.wait_for("document.querySelector('form[action*=\"/leave\"]') !== null")
        firefox.open_page(f"{table}")
        firefox.wait_for(shows("online"))
        firefox.wait_for(IS_KEPT)
        assert server.end() == 0
        firefox.open_page(f"{table}#r={rid}")
        firefox.wait_for("!document.getElementById('begin-box').hidden")
        firefox.click("#begin")
        firefox.wait_for("document.querySelector('.rows li') !== null")
        firefox.click("[data-section=main] [data-all]")
        firefox.click("#write")
        firefox.wait_for(shows("offline", 2))
        firefox.reload()
        firefox.wait_for(shows("offline", 2))
        with pytest.raises(FirefoxError):
            firefox.open_page(f"{server.url}/events/{event['id']}/roster")  # the server is really gone
        with serve(tmp_path / "server", server.port).ended():
            firefox.open_page(table)
            firefox.wait_for(shows("online"))
            (check,) = ask("/checks")["checks"]
            assert (check["registration"], check["agrees"], check["version"]) == (rid, True, 2)
            actions = [entry["action"] for entry in ask("/audit", "organiser")["entries"]]
            assert (actions.count("check begun"), actions.count("check changed")) == (1, 1)
