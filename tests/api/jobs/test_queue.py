"""The queue carries words between processes, and costs nobody a request when it fails."""

from __future__ import annotations

import pytest

from api.jobs.queue import Queue
from api.service.errors import QueueError
from api.service.settings import Settings
from tests.api.processes import wait_for


def test_a_word_wakes_whoever_reads_the_same_file(tmp_path):
    settings = Settings(data_dir=tmp_path)
    woken = []
    Queue(settings).wake()
    reader = Queue(settings, lambda: woken.append("woken")).huey
    reader.execute(wait_for(reader.dequeue))
    assert (woken, reader.dequeue()) == (["woken"], None)


def test_every_minute_is_for_workers_alone(tmp_path):
    minutes = []
    huey = Queue(Settings(data_dir=tmp_path), minutely=lambda: minutes.append("passed")).huey
    (task,) = huey.read_periodic(None)
    huey.execute(task)
    assert minutes == ["passed"]


def test_the_file_is_readable_by_its_owner_alone(tmp_path):
    Queue(Settings(data_dir=tmp_path)).huey.pending_count()
    assert {file.stat().st_mode & 0o777 for file in tmp_path.glob("queue.db*")} == {0o600}


@pytest.fixture
def unreachable():
    return Queue(Settings(redis_url="redis://:secret@127.0.0.1:1/0"))


def test_a_queue_that_fails_costs_no_request(unreachable):
    unreachable.wake()


def test_a_word_that_cannot_be_sent_wakes_the_process_itself():
    woken = []
    Queue(Settings(redis_url="redis://127.0.0.1:1/0"), lambda: woken.append("woken")).wake()
    assert wait_for(lambda: woken) == ["woken"]


def test_a_queue_is_named_without_its_password(unreachable):
    with pytest.raises(QueueError, match=r"Redis at 127\.0\.0\.1:1/0") as refusal:
        unreachable.huey  # noqa: B018  opens it
    assert "secret" not in str(refusal.value)
