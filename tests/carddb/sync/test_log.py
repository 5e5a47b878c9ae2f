"""What came of each sync is kept, and a night's sync is made once, made up for, and tried again where it failed."""

import multiprocessing
import os
import signal
from datetime import UTC, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.bounds import MOST_SYNC_TRIES
from carddb.errors import CardDataError
from carddb.snapshot_store import Store
from carddb.sync import log
from carddb.sync.card_sync import Access, sync, sync_if_due
from carddb.sync.fetching import FetchPolicy
from carddb.sync.log import AGAIN_AFTER, FAILED, OK, REFUSED, RUNNING, Sync, SyncLog, is_due, last_night
from tests.carddb import replay

HALF_PAST_THREE = time(3, 30)
NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)
QUICK = FetchPolicy(pause=0, connect=2, read=10, tries=1, backoff=0.01)


@pytest.fixture
def store(tmp_path):
    return Store(f"sqlite:///{tmp_path}/cards.db")


@pytest.fixture
def record(store):
    return SyncLog(store.database)


@pytest.fixture
def site():
    with replay.small_onepiece(OP01=30, OP02=40).serve() as served:
        yield served


@pytest.fixture
def access(tmp_path, site):
    return Access(tmp_path / "pages", site.address, QUICK)


def test_before_the_first_there_is_none(record):
    assert record.last("optcg") is None
    assert record.last_good("optcg") is None


def test_a_sync_is_kept_with_its_snapshot(store, record, access):
    made = sync("optcg", store, access).snapshot
    last = record.last("optcg")
    assert (last.result, last.why, last.snapshot) == (OK, "", made.id)
    assert last.begun <= last.ended
    assert record.last("dbs") is None


def test_a_dry_run_is_not_kept(store, record, access):
    sync("optcg", store, access, dry_run=True)
    assert record.last("optcg") is None


def test_a_sync_that_fails_is_kept_with_its_reason_and_the_good_one_before_too(store, record, site, access):
    made = sync("optcg", store, access).snapshot
    site.fail("/cardlist/?series=569102", replay.says(500), replay.says(500))
    with pytest.raises(CardDataError) as refusal:
        sync("optcg", store, access)
    last = record.last("optcg")
    assert (last.result, last.why, last.snapshot) == (FAILED, str(refusal.value), None)
    assert record.last_good("optcg").snapshot == made.id


def test_a_list_that_looks_wrong_is_kept_with_its_doubts(store, record, site, access):
    sync("optcg", store, access)
    packs = ["569101", "569102"]
    page = replay.onepiece_pack("569102", replay.onepiece_cards("OP02", 10), packs)
    site.pages["/cardlist/?series=569102"] = page.encode()
    outcome = sync("optcg", store, access)
    last = record.last("optcg")
    assert (last.result, last.why, last.snapshot) == (REFUSED, "\n".join(outcome.doubts), outcome.snapshot.id)


def test_a_sync_while_another_runs_leaves_the_word_to_that_one(store, record, access):
    def second(step):
        with pytest.raises(CardDataError, match="Another sync"):
            sync("optcg", store, access)
        assert record.last("optcg").result == RUNNING

    sync("optcg", store, access, second)
    assert record.last("optcg").result == OK


def test_a_sync_that_is_stopped_by_hand_is_kept_as_failed(store, record, access):
    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sync("optcg", store, access, stop)
    assert record.last("optcg").result == FAILED


def test_a_night_is_synced_once(store, record, site, access):
    at = datetime.now(UTC).time()
    assert sync_if_due("optcg", store, access, at).snapshot.current
    asked = len(site.requests)
    assert sync_if_due("optcg", store, access, at) is None
    assert len(site.requests) == asked


def test_a_night_that_somebody_synced_by_hand_is_not_synced_again(store, access):
    sync("optcg", store, access)
    early = (datetime.now(UTC) - timedelta(minutes=1)).time()
    assert sync_if_due("optcg", store, access, early) is None


def test_of_two_workers_one_makes_the_sync(store, record, access):
    at = datetime.now(UTC).time()
    found = []

    def work():
        found.append(sync_if_due("optcg", store, access, at))
        return sync("optcg", store, access, dry_run=True)

    record.run_if_due("optcg", at, work)
    assert found == [None]


def _begin_and_wait(url, begin_event):
    def work():
        begin_event.set()
        signal.pause()

    SyncLog(Store(url).database).run("optcg", work)


@pytest.mark.slow
def test_a_sync_that_was_killed_is_tried_again_after_a_while_and_told_as_failed(record, tmp_path, monkeypatch):
    context = multiprocessing.get_context("spawn")
    begun = context.Event()
    killed = context.Process(target=_begin_and_wait, args=(f"sqlite:///{tmp_path}/cards.db", begun))
    killed.start()
    assert begun.wait(30)
    os.kill(killed.pid, signal.SIGKILL)
    killed.join()
    last = record.last("optcg")
    assert (last.result, last.ended) == (RUNNING, None)
    assert not is_due(last.begun + AGAIN_AFTER / 2, [last])
    assert is_due(last.begun + AGAIN_AFTER, [last])
    monkeypatch.setattr(log, "AGAIN_AFTER", timedelta(0))
    told = record.last("optcg")
    assert (told.result, told.ended) == (FAILED, None)
    assert told.why


@pytest.mark.parametrize(
    ("now", "night"),
    [
        (datetime(2026, 11, 21, 3, 29, tzinfo=UTC), datetime(2026, 11, 20, 3, 30, tzinfo=UTC)),
        (datetime(2026, 11, 21, 3, 30, tzinfo=UTC), datetime(2026, 11, 21, 3, 30, tzinfo=UTC)),
        (datetime(2026, 1, 1, 0, 0, tzinfo=UTC), datetime(2025, 12, 31, 3, 30, tzinfo=UTC)),
    ],
)
def test_the_last_night_is_found(now, night):
    assert last_night(HALF_PAST_THREE, now) == night


def finished_sync(result, minutes_ago):
    """Return a sync that began `minutes_ago` with this result."""
    return Sync("optcg", NOW - timedelta(minutes=minutes_ago), None, result, "", None)


def test_a_night_that_was_missed_is_made_up_for():
    assert is_due(NOW, [])


@pytest.mark.parametrize("result", [OK, REFUSED])
def test_a_night_that_was_synced_is_not_due(result):
    assert not is_due(NOW, [finished_sync(FAILED, 500), finished_sync(result, 300)])


def test_a_failure_is_tried_again_after_a_while_and_not_for_ever():
    assert not is_due(NOW, [finished_sync(FAILED, 10)])
    assert is_due(NOW, [finished_sync(FAILED, 61)])
    assert not is_due(NOW, [finished_sync(FAILED, 300 - at) for at in range(MOST_SYNC_TRIES)])


@pytest.mark.slow
@given(
    at=st.times(),
    moments=st.lists(st.integers(0, 3 * 24 * 60), min_size=1, max_size=200).map(sorted),
    fails=st.lists(st.booleans(), min_size=200, max_size=200),
)
def test_whenever_workers_look_there_are_few_tries_and_one_success_a_night(at, moments, fails):
    begin = datetime(2026, 3, 1, tzinfo=UTC)
    tries: list[Sync] = []
    for minute, failing in zip(moments, fails, strict=False):
        now = begin + timedelta(minutes=minute)
        since = [one for one in tries if one.begun >= last_night(at, now)]
        if is_due(now, since):
            tries.append(Sync("optcg", now, now, FAILED if failing else OK, "", None))
    assert tries
    for night in {last_night(at, one.begun) for one in tries}:
        of_it = [one.result for one in tries if last_night(at, one.begun) == night]
        assert len(of_it) <= MOST_SYNC_TRIES
        assert OK not in of_it[:-1]


def test_a_sync_by_a_wrong_clock_stops_no_other(store, record, access):
    def make(moment):
        return record.run_if_due("optcg", HALF_PAST_THREE, lambda: sync("optcg", store, access, dry_run=True), moment)

    assert make(NOW + timedelta(days=400)) is not None
    assert make(NOW) is not None
    assert make(NOW) is None


@pytest.mark.parametrize(
    ("results", "hours", "expected"),
    [
        ([], 0, True),
        ([FAILED], 1, True),
        ([FAILED], 0.99, False),
        ([RUNNING], 1, True),
        ([FAILED] * (MOST_SYNC_TRIES - 1), 2, True),
        ([FAILED] * MOST_SYNC_TRIES, 2, False),
        ([FAILED, OK], 2, False),
        ([REFUSED], 2, False),
    ],
)
def test_a_sync_is_due_again_an_hour_after_a_failure_at_most_three_times(results, hours, expected):
    tries = [Sync("optcg", NOW, None, result, "", None) for result in results]
    assert is_due(NOW + timedelta(hours=hours), tries) is expected
