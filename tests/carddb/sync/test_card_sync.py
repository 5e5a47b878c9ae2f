"""A card list is fetched whole or not at all, politely, and only a sane one becomes current."""

import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from carddb.data_day import FETCHED
from carddb.errors import CardDataError, FetchError, NoDatabase, SyncBusy
from carddb.snapshot_store import Store
from carddb.sync.card_sync import Access, compare_limits, sync
from carddb.sync.fetching import FetchPolicy
from tests.carddb import dbs_pages, limits_pages, replay
from tests.carddb.sources import onepiece_pages
from tests.cost import time_limit
from tests.shared import shared_path
from validator.limits import shipped_lists

QUICK = FetchPolicy(pause=0, connect=2, read=0.8, tries=3, backoff=0.01, longest_wait=2)
LOGIN = "<!DOCTYPE html><html><body><form action=/login><input name=user></form></body></html>"


@pytest.fixture
def store(tmp_path):
    return Store(f"sqlite:///{tmp_path}/cards.db")


@pytest.fixture
def access(tmp_path):
    return lambda site, policy=QUICK: Access(tmp_path / "pages", site.address, policy)


@pytest.fixture
def site():
    with replay.small_onepiece(OP01=30, OP02=40, ST01=20).serve() as served:
        yield served


def pack_path(pack_number: int) -> str:
    """Return the path of a pack's page."""
    return f"/cardlist/?series=5691{pack_number:02d}"


def changed_pack(pack_number, code, count):
    """Return the page of a pack with another number of cards."""
    packs = ["569101", "569102", "569103"]
    return replay.onepiece_pack(f"5691{pack_number:02d}", replay.onepiece_cards(code, count), packs).encode()


def current(store):
    try:
        found = store.current("optcg")
    except NoDatabase:
        return None
    return found and found.id


@pytest.mark.slow
def test_the_whole_official_list(store, access):
    with replay.real_onepiece().serve() as site:
        steps, patient = [], access(site, FetchPolicy(pause=0))
        with time_limit(20):  # the site's included; of other programs nothing
            outcome = sync("optcg", store, patient, steps.append)
        assert (outcome.cards, outcome.pages) == (2784, 60)
        assert (outcome.doubts, outcome.notices) == ((), ())
        assert outcome.snapshot.current
        assert outcome.snapshot.new
        assert (len(steps), steps[-1].done, steps[-1].total) == (60, 60, 60)
        assert len(site.requests) == 62  # robots.txt, the menu, 60 packs
        assert site.most_unanswered == 1
        again = sync("optcg", store, patient)
        assert not again.snapshot.new
        assert (again.snapshot.as_of, again.snapshot.as_of_basis) == (datetime.now(UTC).date(), FETCHED)
        assert not again.diff
        assert site.answers[62:].count(304) == 61


def test_requests_name_who_asks_and_ask_once_each(store, access, site):
    sync("optcg", store, access(site))
    assert site.paths == ["/robots.txt", "/cardlist/", pack_path(1), pack_path(2), pack_path(3)]
    assert all(headers["User-Agent"].startswith("deckproof/") for _, headers, _ in site.requests)


@pytest.mark.slow
def test_there_is_a_pause_between_requests(store, access, site):
    sync("optcg", store, access(site, FetchPolicy(pause=0.1)))
    times = [at for _, _, at in site.requests]
    assert min(after - before for before, after in pairwise(times)) >= 0.1


@pytest.mark.slow
def test_the_crawl_delay_of_robots_txt_is_kept(store, access, site):
    site.pages["/robots.txt"] = b"User-agent: *\nCrawl-delay: 1\n"
    site.pages["/cardlist/"] = LOGIN.encode()
    with pytest.raises(CardDataError):
        sync("optcg", store, access(site))
    (_, _, robots), (_, _, menu) = site.requests
    assert menu - robots >= 1


def test_a_crawl_delay_beyond_patience_is_no_sync(store, access, site):
    site.pages["/robots.txt"] = b"User-agent: *\nCrawl-delay: 86400\n"
    with pytest.raises(FetchError, match="86400"):
        sync("optcg", store, access(site))


@pytest.mark.parametrize("robots", [b"User-agent: *\nDisallow: /cardlist/\n", b"User-agent: deckproof\nDisallow: /\n"])
def test_what_robots_txt_forbids_is_not_fetched(store, access, site, robots):
    site.pages["/robots.txt"] = robots
    with pytest.raises(FetchError, match=r"robots\.txt"):
        sync("optcg", store, access(site))
    assert site.paths == ["/robots.txt"]


def test_robots_txt_that_cannot_be_read_stops_the_sync(store, access, site):
    site.pages["/robots.txt"] = b""
    site.fail("/robots.txt", *[replay.says(503)] * 3)
    with pytest.raises(FetchError, match="503"):
        sync("optcg", store, access(site))
    assert set(site.paths) == {"/robots.txt"}


def test_robots_txt_that_is_not_shown_forbids_all(store, access, site):
    site.pages["/robots.txt"] = b""
    site.fail("/robots.txt", replay.says(403))
    with pytest.raises(FetchError, match="does not allow"):
        sync("optcg", store, access(site))


PASSING = {
    "a time-out": replay.sleeps(1.6),
    "a server error": replay.says(500, b"oops"),
    "too many requests": replay.says(429, b"slow down", Retry_After="1"),
    "no service": replay.says(503, b"busy", Retry_After="0"),
    "a cut connection": replay.cut,
    "a cut chunk": replay.cut_chunked,
    "a stall": replay.stalls,
    "a truncated page": replay.send_half,
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING)
def test_a_fault_that_passes_is_waited_out(store, access, site, fault):
    site.fail(pack_path(2), fault)
    assert sync("optcg", store, access(site)).cards == 90
    assert site.paths.count(pack_path(2)) == 2


LASTING = PASSING | {
    "a page of another structure": replay.sends("<html><body><div class=cards>OP01-001</div></body></html>"),
    "another pack": lambda handler, page: handler.page(handler.server.site.pages[pack_path(1)]),
    "a login page": replay.sends(LOGIN),
    "another encoding": lambda handler, page: handler.answer(200, page.replace(b"Event OP02 1<", b"Ev\xe9nement<")),
    "an empty answer": replay.sends(b""),
    "not found": replay.says(404, b"<html></html>"),
    "a redirect elsewhere": replay.says(302, Location="https://elsewhere.test/cardlist/"),
    "a redirect in a circle": replay.says(302, Location=pack_path(2)),
    "a request to stay away": replay.says(429, b"", Retry_After="3600"),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", LASTING.values(), ids=LASTING)
def test_a_fault_that_lasts_changes_nothing_and_the_next_sync_goes_on(store, access, site, fault):
    first = sync("optcg", store, access(site)).snapshot
    site.pages[pack_path(3)] = replay.onepiece_pack(
        "569103", replay.onepiece_cards("ST01", 21), ["569101", "569102", "569103"]
    ).encode()
    site.fail(pack_path(2), *[fault] * 20)
    with pytest.raises(CardDataError) as refusal:
        sync("optcg", store, access(site))
    assert str(refusal.value)
    assert "Traceback" not in str(refusal.value)
    assert current(store) == first.id
    site.faults.clear()
    asked = len(site.requests)
    outcome = sync("optcg", store, access(site))
    assert [card.number for card in outcome.diff.added] == ["ST01-021"]
    assert site.paths[asked:] == ["/robots.txt", pack_path(2), pack_path(3)]
    assert current(store) == outcome.snapshot.id != first.id


def test_a_long_wait_is_not_waited(store, access, site):
    site.fail(pack_path(2), replay.says(429, b"", Retry_After="3600"))
    with time_limit(5, time.monotonic), pytest.raises(FetchError, match="3600"):
        sync("optcg", store, access(site))


def test_redirects_within_the_site_are_followed(store, access, site):
    site.pages["/moved/"] = site.pages[pack_path(2)]
    site.fail(pack_path(2), replay.says(301, Location="/moved/"))
    assert sync("optcg", store, access(site)).cards == 90


def test_an_interrupted_sync_goes_on_where_it_stopped(store, access, site):
    def stop(step):
        if step.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sync("optcg", store, access(site), stop)
    assert current(store) is None
    asked = len(site.requests)
    steps = []
    sync("optcg", store, access(site), steps.append)
    assert site.paths[asked:] == ["/robots.txt", pack_path(3)]
    assert [step.kept for step in steps] == [True, True, False]


def test_a_dry_run_keeps_nothing_but_the_pages(store, access, site):
    outcome = sync("optcg", store, access(site), dry_run=True)
    assert (outcome.cards, len(outcome.diff.added), outcome.snapshot) == (90, 90, None)
    assert current(store) is None
    asked = len(site.requests)
    assert sync("optcg", store, access(site)).snapshot.current
    assert len(site.requests) == asked


def test_only_one_sync_at_a_time_asks_a_site(store, access, site):
    def second(_):
        with pytest.raises(SyncBusy):
            sync("optcg", store, access(site))

    assert sync("optcg", store, access(site), second).snapshot.current
    assert site.most_unanswered == 1


def test_a_site_that_says_when_a_page_changed_is_asked_since_then(store, access, site):
    site.etags, site.modified = False, "Sat, 21 Nov 2026 12:00:00 GMT"
    sync("optcg", store, access(site))
    sync("optcg", store, access(site))
    assert site.answers.count(304) == 4


def test_packs_that_show_the_same_cards_are_named(store, access):
    page = dbs_pages.page([dbs_pages.card("BT1-002", "Example")])
    paths = ["", *(f"?search=true&category={id}" for id in dbs_pages.CATEGORIES)]
    with replay.Site({f"/us-en/cardlist/{path}": page for path in paths}).serve() as site:
        (notice,) = sync("dbs", store, access(site)).notices
        assert "428001" in notice
        assert "428901" in notice


def test_a_menu_that_stops_in_the_middle_is_no_menu(store, access, site):
    site.fail("/cardlist/", replay.send_half)
    assert sync("optcg", store, access(site)).pages == 3
    assert site.paths.count("/cardlist/") == 2


def test_a_site_without_etags_is_read_anew(store, access, site):
    site.etags = False
    sync("optcg", store, access(site))
    assert not sync("optcg", store, access(site)).snapshot.new
    assert len(site.requests) == 10


SHRUNK = {
    "a pack that lost half": (pack_path(2), lambda _: changed_pack(2, "OP02", 20), "OP02"),
    "a pack without cards": (
        pack_path(3),
        lambda site: onepiece_pages.without_results(site.pages[pack_path(3)].decode()).encode(),
        "ST01",
    ),
    "a miscount": (
        pack_path(1),
        lambda _: changed_pack(1, "OP01", 31).replace(b"31 results", b"33 results"),
        "counts '33",
    ),
    "an unheard-of type": (
        pack_path(1),
        lambda site: site.pages[pack_path(1)].replace(b">EVENT<", b">SHIP<"),
        "'Ship'",
    ),
    "an unheard-of colour": (
        pack_path(1),
        lambda site: site.pages[pack_path(1)].replace(b"</h3>Blue", b"</h3>Pink"),
        "'Pink'",
    ),
    "an unheard-of block": (
        pack_path(1),
        lambda site: site.pages[pack_path(1)].replace(b"icon</h3>5", b"icon</h3>77"),
        "'77'",
    ),
    "cards without a name": (
        pack_path(1),
        lambda site: site.pages[pack_path(1)].replace(b"Event OP01 1</div>", b"</div>"),
        "no name",
    ),
    "traits that moved": (
        pack_path(2),
        lambda site: site.pages[pack_path(2)].replace(b"Type</h3>Example Crew", b"Type</h3>-"),
        "traits",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("path", "page", "said"), SHRUNK.values(), ids=SHRUNK)
def test_a_list_that_looks_wrong_is_kept_aside(store, access, site, path, page, said):
    first = sync("optcg", store, access(site)).snapshot
    site.pages[path] = page(site)
    outcome = sync("optcg", store, access(site))
    assert outcome.is_refused
    assert any(said in doubt for doubt in outcome.doubts)
    assert current(store) == first.id
    assert not outcome.snapshot.current
    assert outcome.snapshot.id in {one.id for one in store.snapshots("optcg")}
    assert store.use(outcome.snapshot.id).current
    assert not sync("optcg", store, access(site)).is_refused


def test_a_pack_of_reprints_that_lost_half_is_kept_aside(store, access, site):
    def reprints(count):
        cards = [card | {"id": f"{card['id']}_p1"} for card in replay.onepiece_cards("OP02", count)]
        return replay.onepiece_pack("569103", cards, ["569101", "569102", "569103"]).encode()

    site.pages[pack_path(3)] = reprints(40)
    sync("optcg", store, access(site))
    site.pages[pack_path(3)] = reprints(20)
    outcome = sync("optcg", store, access(site))
    assert outcome.is_refused
    assert "OP02-021_p1" in outcome.doubts[0]


def test_what_a_menu_calls_a_pack_stays_a_pack(store, access, site):
    odd = "../x?a=b&c d#"
    site.pages["/cardlist/"] = replay.onepiece_pack("", [], ["569101", odd.replace("&", "&amp;")]).encode()
    with pytest.raises(FetchError, match="404"):
        sync("optcg", store, access(site))
    assert site.paths[-1] == "/cardlist/?series=..%2Fx%3Fa%3Db%26c%20d%23"


def test_a_list_that_grows_becomes_current(store, access, site):
    first = sync("optcg", store, access(site)).snapshot
    site.pages[pack_path(2)] = changed_pack(2, "OP02", 60)
    outcome = sync("optcg", store, access(site))
    assert (outcome.doubts, len(outcome.diff.added)) == ((), 20)
    assert current(store) == outcome.snapshot.id != first.id


def test_a_printing_on_two_packs_counts_once_and_what_differs_is_said(store, access, site):
    twice = replay.onepiece_cards("OP01", 1)[0] | {"name": "Other name"}
    cards = [*replay.onepiece_cards("OP02", 40), twice]
    site.pages[pack_path(2)] = replay.onepiece_pack("569102", cards, ["569101", "569102", "569103"]).encode()
    outcome = sync("optcg", store, access(site))
    assert outcome.cards == 90
    assert any("OP01-001" in notice and "name" in notice for notice in outcome.notices)
    assert store.cards(outcome.snapshot.id)[0].name == "Event OP01 1"


def test_dragon_ball_super(store, access):
    goku = dbs_pages.card("BT1-002_PR", "Example Two", day="August 2, 2026")
    pages = {
        "/us-en/cardlist/": dbs_pages.page([]),
        "/us-en/cardlist/?search=true&category=428001": dbs_pages.page(
            [dbs_pages.leader("BT1-001", "Example", "Example, Awakened"), dbs_pages.card("BT1-002", "Example Two")]
        ),
        "/us-en/cardlist/?search=true&category=428901": dbs_pages.page(
            [goku, dbs_pages.card("BT1-002", "Example Two", day="July 1, 2017"), dbs_pages.card("P-001", "Promo")]
        ),
    }
    with replay.Site(pages).serve() as site:
        outcome = sync("dbs", store, access(site))
    assert (outcome.cards, outcome.doubts, outcome.notices) == (3, (), ())
    leader, two, _ = store.cards(outcome.snapshot.id)
    assert leader.back_name == "Example, Awakened"
    assert leader.construction[0].limit == 7
    assert (two.printings, two.released) == (("BT1-002", "BT1-002_PR"), "2017-07-01")


def test_what_a_list_has_wrong_or_does_not_tell_keeps_nothing_aside(store, access):
    cards = [dbs_pages.card("EX23-38", "Blast", typeCol="EXTRA"), dbs_pages.card("BT1-002", "Two", energyCol=YELLOW)]
    pages = {"/us-en/cardlist/": dbs_pages.page([])}
    for category in dbs_pages.CATEGORIES:
        pages[f"/us-en/cardlist/?search=true&category={category}"] = dbs_pages.page(cards)
    with replay.Site(pages).serve() as site:
        outcome = sync("dbs", store, access(site))
    assert (outcome.is_refused, [one.type for one in outcome.diff.added]) == (False, ["Z-Extra", "Battle"])
    assert any("corrected: EX23-38" in notice for notice in outcome.notices)
    assert any("BT1-002" in warning for warning in outcome.warnings)
    assert outcome.doubts == ()


YELLOW = '2(<img src="c/yellow_ball.png" alt="Yellow" />)'


def test_the_saved_pages_of_dragon_ball_super(store, access):
    found = [shared_path(f"pages/dbs/cardlist_post_freeword_{name}_europe-en_2026-06.html") for name in SAVED]
    pages = {"/us-en/cardlist/": dbs_pages.page([]).encode()}
    for id, file in zip(dbs_pages.CATEGORIES, found, strict=True):
        pages[f"/us-en/cardlist/?search=true&category={id}"] = file.read_bytes()
    with replay.Site(pages).serve() as site:
        outcome = sync("dbs", store, access(site))
    assert (outcome.doubts, outcome.notices) == ((), ())
    assert sum(len(card.printings) for card in store.cards(outcome.snapshot.id)) == 8 + 18


SAVED = ("P757-P762", "EventPack19")


@pytest.mark.slow
def test_leaders_without_a_back_are_doubted(store, access):
    lone = dbs_pages.leader("BT1-001", "Example", "x").partition('<div class="cardBack">')[0] + "</li>"
    page = dbs_pages.page([lone])
    pages = {
        f"/us-en/cardlist/{path}": page
        for path in ("", *(f"?search=true&category={id}" for id in dbs_pages.CATEGORIES))
    }
    with replay.Site(pages).serve() as site:
        assert "back" in sync("dbs", store, access(site)).doubts[0]


def test_a_database_that_cannot_be_used_is_said_before_anything_is_fetched(access, site, tmp_path):
    (tmp_path / "cards.db").write_bytes(b"no database, but as long as the head of one is, or longer" * 9)
    with pytest.raises(CardDataError, match=r"cards\.db"):
        sync("optcg", Store(f"sqlite:///{tmp_path}/cards.db"), access(site))
    assert site.requests == []


def test_there_is_no_list_of_battle_of_souls(store, access, site):
    with pytest.raises(CardDataError, match="spreadsheet"):
        sync("bos", store, access(site))
    with pytest.raises(CardDataError) as refusal:
        compare_limits(shipped_lists("bos").listed, access(site))
    assert str(refusal.value) == "There is no official limits page of bos to compare with."


@pytest.mark.parametrize("address", ["ftp://x", "example.org", "", "https://x/?a=b", "http://"])
def test_an_address_that_is_none_is_named(store, tmp_path, address):
    if address:
        with pytest.raises(CardDataError, match="is no site"):
            sync("optcg", store, Access(tmp_path, address, QUICK))


def test_a_site_that_is_not_there_is_said(store, tmp_path):
    with pytest.raises(FetchError, match="cannot be fetched"):
        sync("optcg", store, Access(tmp_path, "http://127.0.0.1:9", QUICK))


SCRIPT = """
import sys
from pathlib import Path
from carddb.sync.fetching import FetchPolicy
from carddb.snapshot_store import Store
from carddb.sync.card_sync import Access, sync
folder, address = sys.argv[1:]
def said(step):
    print(step.done, flush=True)
access = Access(Path(folder, "pages"), address, FetchPolicy(pause=0, backoff=0.01))
print(sync("optcg", Store(f"sqlite:///{folder}/cards.db"), access, said).snapshot.id, flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("moment", [0, 1, 2, 3, "importing"])
def test_a_sync_that_is_killed_leaves_nothing_half_done(store, access, tmp_path, moment):
    with replay.small_onepiece(OP01=300, OP02=400, ST01=200).serve() as site:
        large = dict(site.pages)
        for at, (code, count) in enumerate([("OP01", 30), ("OP02", 40), ("ST01", 20)], 1):
            site.pages[pack_path(at)] = changed_pack(at, code, count)
        first = sync("optcg", store, access(site)).snapshot
        site.pages.update(large)
        child = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(tmp_path), site.address], stdout=subprocess.PIPE, text=True
        )
        wait_for(child, moment, tmp_path)
        child.kill()  # it may have ended by itself
        child.communicate()
        assert child.returncode in (-signal.SIGKILL, 0)
        assert len(store.cards(current(store))) in (90, 900)
        assert moment == "importing" or current(store) == first.id
        outcome = sync("optcg", store, access(site))
        assert (outcome.cards, outcome.doubts) == (900, ())
        assert len(store.cards(current(store))) == 900


def wait_for(child, moment, folder):
    """Wait until a sync has read `moment` packs, or until it writes to the database if `moment` is "importing"."""
    for line in iter(child.stdout.readline, "") if moment else ():
        if line.strip() == str(3 if moment == "importing" else moment):
            break
    files = [folder / "cards.db", folder / "cards.db-wal"]
    before = [size(file) for file in files]
    until = time.monotonic() + 5
    while moment == "importing" and time.monotonic() < until and child.poll() is None:
        if [size(file) for file in files] != before:
            break


def size(file):
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


def test_the_limits_page_is_compared_and_nothing_is_changed(access):
    path = "/news/restriction.html"
    page = limits_pages.onepiece([limits_pages.onepiece_card("OP01-001", "Roronoa Zoro")])
    with replay.Site({path: page}).serve() as site:
        found = compare_limits(shipped_lists("optcg").listed, access(site), datetime(2026, 11, 21, tzinfo=UTC))
        assert 'source = "https://en.onepiece-cardgame.com/news/restriction.html"' in found.toml()
        assert "ban.OP01-001" in found.toml()
        assert "lift.OP03-040" in found.toml()
        compare_limits(shipped_lists("optcg").listed, access(site))
        assert site.answers[-1] == 304
        assert site.paths == ["/robots.txt", path] * 2


def test_a_limits_page_of_another_structure_is_said(access):
    site = replay.Site({"/us-en/rule/banned-limited-cards.php": LOGIN})
    with site.serve(), pytest.raises(CardDataError, match="subTitle"):
        compare_limits(shipped_lists("dbs").listed, access(site))
