"""The card list is synced, compared, chosen and exported from the command line."""

import json
import os
import signal
import subprocess
import sys
from datetime import date, timedelta

import pytest
from click.testing import CliRunner

from api.cli import cli
from carddb.sources import read
from tests.carddb import limits_pages, replay


@pytest.fixture
def site():
    with replay.small_onepiece(OP01=30, OP02=40, ST01=20).serve() as served:
        yield served


@pytest.fixture
def environment(tmp_path, site):
    return {
        "DECKPROOF_DATA_DIR": str(tmp_path / "data"),
        "DECKPROOF_OPTCG_SITE": site.address,
        "DECKPROOF_DBS_SITE": site.address,
        "DECKPROOF_SYNC_PAUSE": "0",
        "PYTHONDONTWRITEBYTECODE": "1",  # a limit of file sizes would cut the bytecode that later runs load
    }


@pytest.fixture
def run(environment):
    return lambda *arguments: CliRunner(env=environment).invoke(cli, [str(one) for one in arguments])


def grown(site, count):
    packs = ["569101", "569102", "569103"]
    page = replay.onepiece_pack("569102", replay.onepiece_cards("OP02", count), packs)
    site.pages["/cardlist/?series=569102"] = page.encode()


def snapshots(run):
    return json.loads(run("cards", "snapshots", "--json").stdout)


def test_a_sync_tells_its_steps_and_what_came(run):
    done = run("cards", "sync", "optcg")
    assert done.exit_code == 0
    assert done.stderr.splitlines() == ["1/3 PACK 569101", "2/3 PACK 569102", "3/3 PACK 569103"]
    assert "90 cards of optcg from 3 packs (90 added, 0 removed, 0 changed)" in done.stdout
    assert "Nothing new" in run("cards", "sync", "optcg").stdout


def test_a_dry_run_changes_nothing(run):
    done = run("cards", "sync", "optcg", "--dry-run")
    assert (done.exit_code, "nothing was changed" in done.stdout) == (0, True)
    assert "Nothing was imported yet" in run("cards", "snapshots").stdout


def test_a_list_that_shrank_is_refused_until_it_is_forced(run, site):
    run("cards", "sync", "optcg")
    grown(site, 20)
    refused = run("cards", "sync", "optcg")
    assert refused.exit_code == 2
    assert "OP02" in refused.stderr
    aside, current = snapshots(run)
    assert (aside["cards"], aside["current"], current["current"]) == (70, False, True)
    assert run("cards", "use", aside["id"]).exit_code == 2
    assert run("cards", "use", aside["id"], "--force").exit_code == 0
    assert snapshots(run)[0]["current"]
    assert run("cards", "use", current["id"]).exit_code == 0


def test_a_page_in_doubt_is_refused_until_it_is_forced(run, site):
    page = site.pages["/cardlist/?series=569102"]
    site.pages["/cardlist/?series=569102"] = page.replace(b"40 results", b"43 results")
    refused = run("cards", "sync", "optcg")
    (aside,) = snapshots(run)
    assert (refused.exit_code, aside["current"]) == (2, False)
    assert "'43" in run("cards", "use", aside["id"]).stderr
    assert run("cards", "use", aside["id"], "--force").exit_code == 0
    assert run("cards", "use", aside["id"]).exit_code == 0


@pytest.mark.slow
def test_snapshots_are_compared(run, site):
    run("cards", "sync", "optcg")
    grown(site, 41)
    page = site.pages["/cardlist/?series=569101"]
    site.pages["/cardlist/?series=569101"] = page.replace(b"Event OP01 1<", b"Event renamed<")
    run("cards", "sync", "optcg")
    new, old = (one["id"] for one in snapshots(run))
    told = run("cards", "diff", old, new).stdout
    assert "1 added, 0 removed, 1 changed" in told
    assert "+ OP02-041" in told
    assert "name: Event OP01 1 → Event renamed" in told
    said = json.loads(run("cards", "diff", old, new, "--json").stdout)
    assert said["changed"][0]["changes"] == [{"field": "name", "old": "Event OP01 1", "new": "Event renamed"}]
    assert run("cards", "diff", "optcg-facts-2026-08-21", new).exit_code == 0
    assert run("cards", "diff", "optcg-facts", new).stdout == run("cards", "diff", "optcg-facts-2026-08-21", new).stdout
    assert run("cards", "diff", old, "nothing").exit_code == 2
    assert "different games" in run("cards", "diff", "dbs-facts-2026-07-23", new).stderr


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_an_export_can_be_imported(run, tmp_path, suffix):
    run("cards", "sync", "optcg")
    file = tmp_path / f"cards.{suffix}"
    assert run("cards", "export", "--game", "optcg", "-o", file).exit_code == 0
    assert len(read(file, "optcg").cards) == 90


# In these tests -B keeps Python from writing compiled modules, which would be cut off and break later processes.
@pytest.mark.slow
def test_an_export_that_cannot_be_written_leaves_what_was_there(environment, tmp_path):
    file = tmp_path / "cards.csv"
    file.write_text("what was there")
    code = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); from api.cli import main; main()"
    command = [sys.executable, "-B", "-c", code, "cards", "export", "--game", "dbs", "-o", str(file)]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith(f"deckproof: {file}: ")
    assert file.read_text() == "what was there"
    assert [one.name for one in tmp_path.iterdir()] == ["cards.csv"]


@pytest.mark.slow
def test_a_full_disk_stops_a_sync_and_the_next_one_goes_on(environment, site, tmp_path):
    code = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({0}, {0})); from api.cli import main; main()"
    for size in (1_000, 30_000, 60_000):
        command = [sys.executable, "-B", "-c", code.format(size), "cards", "sync", "optcg"]
        done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True)
        assert done.returncode == 2
        assert "cannot be used" in done.stderr
        assert "Traceback" not in done.stderr
    assert "90 cards" in CliRunner(env=environment).invoke(cli, ["cards", "sync", "optcg"]).stdout


def test_what_a_page_says_cannot_steer_the_terminal(run, site, tmp_path):
    site.pages["/cardlist/?series=569102"] = site.pages["/cardlist/?series=569102"].replace(b">OP02-001<", b">\x07<")
    done = run("cards", "sync", "optcg")
    assert done.exit_code == 2
    assert "\x07" not in done.stderr
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "\x07.txt").write_text("x")
    (tmp_path / "pages" / "page.html").write_bytes(site.pages["/cardlist/?series=569101"])
    done = run("cards", "import", tmp_path / "pages", "--game", "optcg")
    assert done.exit_code == 0
    assert "left out" in done.stderr
    assert "\x07" not in done.stderr


def test_an_export_to_a_stream_is_lines_of_json(run):
    lines = run("cards", "export", "--game", "bos", "-o", "-").stdout.splitlines()
    assert {json.loads(line)["game"] for line in lines} == {"bos"}
    assert run("cards", "export", "--game", "bos", "-o", "cards.pdf").exit_code == 2


def test_what_stops_a_sync_is_a_sentence(run, site):
    site.pages["/cardlist/"] = b"<html><body>login</body></html>"
    done = run("cards", "sync", "optcg")
    assert done.exit_code == 2
    assert "select#series" in done.stderr
    assert "Traceback" not in done.stderr
    assert run("cards", "sync", "bos").exit_code == 2
    assert run("cards", "sync", "chess").exit_code == 2


@pytest.mark.parametrize(
    ("setting", "value"), [("DECKPROOF_SYNC_PAUSE", "soon"), ("DECKPROOF_OPTCG_SITE", "example.org")]
)
def test_a_setting_that_cannot_be_used_is_named(run, environment, setting, value):
    environment[setting] = value
    done = run("cards", "sync", "optcg")
    assert done.exit_code == 2
    assert setting in done.stderr


@pytest.mark.slow
def test_an_import_says_where_it_contradicts_what_was_there(run, tmp_path):
    run("cards", "sync", "optcg")
    (tmp_path / "cards.csv").write_text("number,name,type,colors,cost\nOP01-001,Another,Event,Blue,1\n")
    done = run("cards", "import", tmp_path / "cards.csv", "--game", "optcg")
    assert done.exit_code == 0
    assert "name was Event OP01 1, is Another" in done.stderr
    assert "Warning: There are 1 cards where there were 90" in done.stderr
    assert "Warning" not in run("cards", "import", tmp_path / "cards.csv", "--game", "optcg").stderr


def test_the_limits_page_is_compared(run, site):
    site.pages["/news/restriction.html"] = limits_pages.onepiece(
        [limits_pages.onepiece_card("OP01-001", "Roronoa Zoro")]
    ).encode()
    done = run("limits", "sync", "optcg")
    assert done.exit_code == 1
    assert "ban.OP01-001" in done.stdout
    assert run("limits", "optcg", "--on", "2026-11-21").exit_code == 0
    assert run("limits", "--on", "2026-11-21", "optcg", "--json").exit_code == 0


def limits_page(*banned):
    """The official page of a list with these bans, of which no card is known to be restricted."""
    return limits_pages.onepiece([limits_pages.onepiece_card(*card) for card in banned]).encode()


def test_accepted_differences_are_imported_and_judged_by(run, site, tmp_path):
    site.pages["/news/restriction.html"] = limits_page(("OP01-001", "Roronoa Zoro"))
    proposed = run("limits", "sync", "optcg")
    assert json.loads(run("limits", "list", "--game", "optcg", "--json").stdout)[0]["current"]  # the lists that ship
    done = run("limits", "sync", "optcg", "--accept")
    assert done.exit_code == 0, done.stderr
    assert proposed.stdout in done.stdout
    assert "Imported list snapshot optcg-lists-" in done.stdout
    current, shipped = json.loads(run("limits", "list", "--game", "optcg", "--json").stdout)
    assert (current["current"], shipped["current"]) == (True, False)
    assert current["files"].startswith("sync of ")
    day = date.today() + timedelta(days=1)
    (only,) = json.loads(run("limits", "optcg", "--on", day, "--json").stdout)["cards"]
    assert (only["number"], only["limit"]) == ("OP01-001", 0)
    deck = tmp_path / "deck.txt"
    deck.write_text("1 OP01-001\n", "utf-8")
    verdict = json.loads(run("check", deck, "--game", "optcg", "--on", day, "--json").stdout)
    assert "card.banned" in {finding["code"] for finding in verdict["findings"]}
    assert verdict["limits"]["list"] == current["id"]


@pytest.mark.slow
def test_nothing_is_imported_again_once_page_and_list_agree(run, site):
    site.pages["/news/restriction.html"] = limits_page(("OP01-001", "Roronoa Zoro"))
    assert run("limits", "sync", "optcg", "--accept").exit_code == 0
    lists = run("limits", "list", "--json").stdout
    again = run("limits", "sync", "optcg", "--accept")
    assert (again.exit_code, "says what" in again.stdout) == (0, True)
    assert run("limits", "list", "--json").stdout == lists
    site.pages["/news/restriction.html"] = limits_page(("OP01-001", "Roronoa Zoro"), ("OP01-016", "Nami"))
    assert run("limits", "sync", "optcg", "--accept").exit_code == 0
    assert len(json.loads(run("limits", "list", "--game", "optcg", "--json").stdout)) == 3


def test_a_page_that_cannot_be_read_imports_nothing(run, site):
    site.pages["/news/restriction.html"] = b"<!DOCTYPE html><html><body>Maintenance</body></html>"
    done = run("limits", "sync", "optcg", "--accept")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert len(json.loads(run("limits", "list", "--game", "optcg", "--json").stdout)) == 1


@pytest.mark.slow
def test_ctrl_c_ends_a_sync_and_the_next_one_goes_on(environment, site):
    environment["DECKPROOF_SYNC_PAUSE"] = "5"
    command = [sys.executable, "-c", "from api.cli import main; main()", "cards", "sync", "optcg"]
    child = subprocess.Popen(command, env=os.environ | environment, stderr=subprocess.PIPE, text=True)
    assert child.stderr.readline() == "1/3 PACK 569101\n"
    os.kill(child.pid, signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert child.returncode == 130
    assert "to continue from here" in said
    assert "Traceback" not in said
    environment["DECKPROOF_SYNC_PAUSE"] = "0"
    done = CliRunner(env=environment).invoke(cli, ["cards", "sync", "optcg"])
    assert done.stderr.splitlines()[0] == "1/3 PACK 569101 (kept from before)"
