"""The current day: by the time zone of the request, of its region, or of the machine on the command line."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import requests

from api.service.clock import region_timezone, region_timezones
from api.service.judges import Judges
from api.service.ndjson import Batch
from api.service.requests import RequestedTerms
from carddb.library import Library
from tests.api.processes import COMMAND, Running
from validator.games import GAMES
from validator.limits import shipped_lists

EVENING = datetime(2026, 3, 31, 15, 30, tzinfo=UTC)  # 00:30 on April 1 in Tokyo, the first day of a new edition
BEFORE, AFTER = date(2026, 3, 31), date(2026, 4, 1)
DECK = {"leader": [{"number": "OP01-001", "count": 1}]}


@pytest.fixture
def judges(tmp_path):
    return Judges(Library(f"sqlite:///{tmp_path}/none.db"), lambda: EVENING)


@pytest.mark.parametrize(
    ("asked", "day", "timezone"),
    [
        (RequestedTerms(game="optcg"), BEFORE, "UTC"),
        (RequestedTerms(game="optcg", region="en"), BEFORE, "UTC"),
        (RequestedTerms(game="optcg", region="jp"), AFTER, "Asia/Tokyo"),
        (RequestedTerms(game="optcg", timezone="Asia/Tokyo"), AFTER, "Asia/Tokyo"),
        (RequestedTerms(game="optcg", region="jp", timezone="America/Los_Angeles"), BEFORE, "America/Los_Angeles"),
        (RequestedTerms(game="optcg", on=BEFORE, region="jp"), BEFORE, None),
    ],
)
def test_the_day_is_that_of_the_zone(judges, asked, day, timezone):
    judge = judges.judge(asked)
    assert (judge.terms.on, judge.terms.timezone) == (day, timezone)
    assert judge.made_with.get("timezone") == timezone


def test_each_zone_of_a_region_exists_and_games_agree_on_it():
    for game in GAMES:
        listed = shipped_lists(game).listed
        for region, zone in listed.timezones.items():
            assert ZoneInfo(zone)
            assert region_timezones()[region] == zone
    assert region_timezone("no region") == "UTC"


def test_all_lines_of_a_batch_are_judged_at_one_moment(tmp_path):
    moments = iter([EVENING, datetime(2027, 1, 1, tzinfo=UTC)])
    batch = Batch(Judges(Library(f"sqlite:///{tmp_path}/none.db"), lambda: next(moments)))
    asked = [{"game": "optcg", "deck": DECK, "region": "jp"}, {"game": "optcg", "deck": DECK}] * 2
    lines = b"\n".join(json.dumps(one).encode() for one in asked)
    found = [json.loads(line) for line in batch.answer_block(0, lines).lines.splitlines()]
    assert [(one["on"], one["timezone"]) for one in found] == [
        ("2026-04-01", "Asia/Tokyo"),
        ("2026-03-31", "UTC"),
    ] * 2


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("faketime"), reason="needs faketime (apt-get install faketime)")
class TestShiftedClock:
    """A server and a command whose clock shows another moment; Debian's faketime shifts it."""

    @pytest.fixture(scope="class")
    @staticmethod
    def url(tmp_path_factory):
        arguments = ("-f", "@2026-03-31 15:30:00", COMMAND, "serve", "--port", "0", "--workers", "1")
        # The times of files stay as they are: by these the master sees that a worker lives.
        settings = {"NO_FAKE_STAT": "1", "TZ": "UTC"}
        server = Running(tmp_path_factory.mktemp("shifted"), arguments, command="faketime", **settings)
        yield server.url
        # faketime waits for the server, to which it passes no signal on.
        children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
        for child in children:
            os.kill(int(child), signal.SIGTERM)
        assert server.process.wait(timeout=30) == 0

    @pytest.mark.parametrize(
        ("terms", "day", "timezone"),
        [({}, "2026-03-31", "UTC"), ({"region": "jp"}, "2026-04-01", "Asia/Tokyo")],
    )
    def test_a_verdict_has_the_day_of_its_zone(self, url, terms, day, timezone):
        body = {"game": "optcg", "deck": DECK, **terms}
        for path in ("validate", "timeline"):
            found = requests.post(f"{url}/v1/{path}", json=body, timeout=30).json()
            assert (found["on"], found["timezone"]) == (day, timezone), path

    @pytest.mark.parametrize("path", ["limits/optcg", "limits/optcg/changes", "cards/optcg/OP01-001/standing"])
    def test_a_look_up_has_the_day_of_its_zone(self, url, path):
        query = {"timezone": "Pacific/Kiritimati"}
        found = requests.get(f"{url}/v1/{path}", query, timeout=30).json()
        assert (found["on"], found["timezone"]) == ("2026-04-01", "Pacific/Kiritimati")
        named = requests.get(f"{url}/v1/{path}", query | {"on": "2026-01-01"}, timeout=30).json()
        assert named["on"] == "2026-01-01"
        assert "timezone" not in named

    def test_an_unknown_zone_is_refused_with_its_place(self, url):
        answer = requests.post(f"{url}/v1/validate", json={"deck": DECK, "timezone": "Mars/Olympus"}, timeout=30)
        assert answer.status_code == 422
        assert [one["pointer"] for one in answer.json()["errors"]] == ["/timezone"]


@pytest.mark.skipif(not shutil.which("faketime"), reason="needs faketime (apt-get install faketime)")
def test_the_command_line_has_the_day_of_its_machine(tmp_path):
    (tmp_path / "deck.txt").write_text("1 OP01-001\n4 OP01-016\n")
    command = ["faketime", "-f", "@2026-04-01 00:30:00", COMMAND, "check", "deck.txt", "--json"]
    environment = {"TZ": "Asia/Tokyo", "PATH": "/usr/bin:/bin", "DECKPROOF_DATA_DIR": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    found = json.loads(done.stdout)
    assert found["on"] == "2026-04-01"
    assert "timezone" not in found
