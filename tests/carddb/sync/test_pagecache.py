"""Pages on disk: a run that broke off goes on, a finished one does not, and one program has them at a time."""

from datetime import UTC, datetime, timedelta

import pytest

from carddb.errors import CardDataError, SyncBusy
from carddb.sync.pagecache import RESUMED_FOR, PageCache

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
URL = "https://example.test/cardlist/"


@pytest.fixture
def opened(tmp_path):
    return lambda later=timedelta(0): PageCache(tmp_path / "folder" / "pages.db", NOW + later)


def test_a_page_is_kept_with_what_tells_whether_it_changed(opened):
    with opened() as cache:
        assert cache.get(URL) is None
        cache.put(URL, b"page" * 1000, '"tag"', "Sat, 21 Nov 2026 12:00:00 GMT")
        cache.put(URL, b"newer", '"tag2"', None)
        assert cache.get(URL) == (b"newer", '"tag2"', None, True)


@pytest.mark.parametrize(
    ("later", "goes_on"), [(timedelta(hours=1), True), (RESUMED_FOR - timedelta(1e-6), True), (RESUMED_FOR, False)]
)
def test_a_run_that_broke_off_goes_on_for_a_day(opened, later, goes_on):
    with opened() as cache:
        cache.put(URL, b"page", None, None)
    with opened(later) as cache:
        assert cache.get(URL).is_of_this_run is goes_on
        assert cache.begun == (NOW if goes_on else NOW + later)


def test_a_finished_run_does_not_go_on_and_drops_what_it_did_not_meet(opened):
    with opened() as cache:
        cache.put(URL, b"page", '"tag"', None)
        cache.put(URL + "?old", b"page", None, None)
        cache.finish()
    with opened() as cache:
        assert cache.get(URL) == (b"page", '"tag"', None, False)
        cache.put(URL, b"page", '"tag"', None)
        cache.finish()
        assert cache.get(URL + "?old") is None


def test_one_program_at_a_time(opened):
    with opened(), pytest.raises(SyncBusy):
        opened()
    with opened() as cache:
        cache.put(URL, b"page", None, None)


def test_a_file_that_is_no_cache_is_named(tmp_path):
    file = tmp_path / "pages.db"
    file.write_bytes(b"no database at all, but long enough to be looked at as one" * 20)
    with pytest.raises(CardDataError, match=r"pages\.db.*delete it"):
        PageCache(file)


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CardDataError, match="cannot be used"):
        PageCache(tmp_path / "file" / "pages.db")
