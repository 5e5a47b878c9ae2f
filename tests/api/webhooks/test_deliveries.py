"""Every change reaches every webhook once, signed, whatever receivers, deliverers and databases do meanwhile."""

from __future__ import annotations

import signal
from datetime import timedelta
from itertools import pairwise
from threading import Event, Thread

import pytest

from api.open_data import change_record
from api.service.errors import Full, Undelivered
from api.service.settings import Settings
from api.webhooks import deliver as deliver_due
from api.webhooks import webhook_store
from api.webhooks.deliverer import LEASE, PAUSES, Deliverer
from api.webhooks.webhook_secrets import WebhookSecrets
from api.webhooks.webhook_store import Webhooks
from carddb.database import Database
from carddb.library import Library
from tests.api.processes import hasty, wait_for
from tests.api.webhooks.conftest import HERE, SINCE, change
from tests.api.webhooks.listeners import Listener, hangs_up, says, waits_for
from tests.postgres import own_schema
from validator.games import GAMES

ON_SQLITE = pytest.mark.parametrize("database", ["SQLite"], indirect=True)  # nothing hangs on the kind of database
ONE, TWO, THREE = (change(number) for number in (1, 2, 3))


def state(webhooks):
    """Return when the only webhook is due, and how many tries in a row have failed."""
    (one,) = webhooks.listed()
    return one.due, one.failures


def test_every_change_is_told_once_the_oldest_first_and_anybody_can_verify_it(listener, add, deliver, secrets):
    hook = add(listener)
    (report,) = deliver(ONE, TWO)
    assert (report.told, report.problem) == (2, "")
    assert deliver(ONE, TWO) == []
    assert [one.told for one in deliver(ONE, TWO, THREE)] == [1]
    assert listener.told == [ONE.id, TWO.id, THREE.id]
    assert [entry["id"] for entry in listener.verified(secrets.shown(hook.id))] == listener.told
    assert len({message.headers["webhook-id"] for message in listener.messages}) == 3


@ON_SQLITE
def test_an_entry_is_that_of_the_record(listener, add, deliver, client):
    record = client.get(f"/v1/changes?since={SINCE}").json["changes"]
    add(listener)
    catalogues = map(Library("sqlite:///nowhere.db").catalogue, GAMES)
    deliver(*change_record.changes(catalogues)[::-1])
    assert [message.entry for message in listener.messages] == record[::-1]
    assert len(record) > 5


def test_what_is_of_another_game_another_kind_or_over_by_then_is_not_told(listener, add, deliver):
    add(listener, games=["optcg"], kinds=["limits", "rotation"])
    wanted = change(5, kind="rotation")
    deliver(change(-1), ONE, change(2, kind="release"), change(3, game="dbs"), wanted)
    assert listener.told == [ONE.id, wanted.id]


def test_what_becomes_known_later_of_earlier_days_is_told(listener, add, deliver):
    add(listener)
    deliver(THREE)
    deliver(ONE, TWO, THREE)
    assert listener.told == [THREE.id, ONE.id, TWO.id]


def test_a_webhook_survives_a_receiver_that_is_dead(add, deliver, clock, webhooks, secrets):
    with Listener().serve() as gone:
        hook = add(gone)
    for failures, pause in enumerate(PAUSES[:3]):
        (report,) = deliver(ONE, TWO)
        assert (report.told, state(webhooks)[1]) == (0, failures + 1)
        assert pause <= state(webhooks)[0] - clock.now <= 1.2 * pause
        assert deliver(ONE, TWO) == []
        clock.now = state(webhooks)[0]
    with Listener(port=gone.port).serve() as back:
        assert [one.told for one in deliver(ONE, TWO, THREE)] == [3]
        assert back.told == [ONE.id, TWO.id, THREE.id]
    assert state(webhooks) == (clock.now, 0)
    assert secrets.shown(hook.id) not in str(webhooks.listed())


@pytest.mark.slow
@ON_SQLITE
@pytest.mark.parametrize(
    "answer", [says(500), says(404), says(429), says(302, Location="/hook?of=decks"), says(304), hangs_up]
)
def test_what_was_not_taken_is_sent_again_under_the_same_id_and_what_was_taken_is_not(
    listener, add, deliver, clock, webhooks, answer
):
    add(listener)
    listener.answers = [says(200), answer]
    (report,) = deliver(ONE, TWO, THREE)
    assert report.told == 1
    assert listener.told == [ONE.id, TWO.id]
    clock.on(seconds=6)
    assert [one.told for one in deliver(ONE, TWO, THREE)] == [2]
    assert listener.told == [ONE.id, TWO.id, TWO.id, THREE.id]
    first, again = listener.messages[1:3]
    assert first.headers["webhook-id"] == again.headers["webhook-id"]
    assert first.headers["webhook-timestamp"] != again.headers["webhook-timestamp"]
    assert first.body == again.body


@ON_SQLITE
def test_who_fails_for_days_is_given_up_and_goes_on_after_a_test_that_arrives(
    listener, add, deliver, clock, webhooks, secrets
):
    hook = add(listener)
    listener.answers_else = says(503)
    begun, moments = clock.now, [clock.now]
    while deliver(ONE) and (due := state(webhooks)[0]):
        moments.append(due)
        clock.now = due
    assert len(listener.messages) == len(moments) == len(PAUSES) + 1
    assert all(later > earlier for earlier, later in pairwise(moments))
    assert clock.now - begun > timedelta(days=3)
    (ended,) = webhooks.listed()
    assert (ended.due, ended.problem) == (None, "it answers 503")
    clock.on(days=30)
    assert deliver(ONE, TWO) == []
    tester = Deliverer(webhooks, secrets, HERE, clock)
    with pytest.raises(Undelivered):
        tester.test(ended)
    assert state(webhooks)[0] is None
    listener.answers_else = says(204)
    tester.test(ended)
    assert listener.messages[-1].entry["kind"] == "test"
    assert [one.told for one in deliver(ONE, TWO)] == [2]
    assert listener.told[-2:] == [ONE.id, TWO.id]
    assert hook.id == ended.id


def test_who_says_that_it_is_gone_is_not_asked_again(listener, add, deliver, clock, webhooks):
    add(listener)
    listener.answers = [says(410)]
    deliver(ONE)
    assert state(webhooks) == (None, 1)
    clock.on(days=9)
    assert deliver(ONE) == []
    assert len(listener.messages) == 1


def test_one_that_hangs_keeps_no_other_waiting(listener, add, deliver):
    release = Event()
    with Listener(waits_for(release)).serve() as slow:
        add(slow)
        add(listener)
        run = Thread(target=deliver, args=(ONE, TWO))
        run.start()
        wait_for(lambda: len(listener.messages) == 2 and slow.messages)
        assert len(slow.messages) == 1
        release.set()
        run.join()
        assert slow.told == listener.told


def test_two_that_deliver_never_deliver_to_one_at_a_time(listener, add, deliver, webhooks):
    add(listener)
    release = Event()
    listener.answers = [waits_for(release)]
    first = Thread(target=deliver, args=(ONE, TWO))
    first.start()
    wait_for(lambda: listener.messages)
    assert deliver(ONE, TWO) == []
    release.set()
    first.join()
    assert deliver(ONE, TWO) == []
    assert listener.told == [ONE.id, TWO.id]


def test_whoever_died_leaves_a_webhook_to_others_after_a_while(listener, add, deliver, clock, webhooks):
    webhooks.settle(add(listener), clock.now + LEASE)
    assert deliver(ONE) == []
    clock.now += LEASE
    assert [one.told for one in deliver(ONE)] == [1]


def test_one_that_is_removed_meanwhile_is_told_no_more(listener, add, deliver, webhooks):
    hook, release = add(listener), Event()
    listener.answers = [waits_for(release)]
    run = Thread(target=deliver, args=(ONE, TWO))
    run.start()
    wait_for(lambda: listener.messages)
    assert webhooks.remove(hook.id)
    release.set()
    run.join()
    assert (listener.told, webhooks.listed(), webhooks.told(hook)) == ([ONE.id], [], set())
    assert not webhooks.remove(hook.id)


def test_with_another_secret_key_nothing_is_sent(listener, add, deliver, webhooks, clock):
    add(listener)
    other = WebhookSecrets(Settings(secret_key="o" * 20))
    (report,) = Deliverer(webhooks, other, HERE, clock).run(lambda: (ONE,))
    assert "DECKPROOF_SECRET_KEY" in report.problem
    assert listener.messages == []
    clock.on(seconds=6)
    assert [one.told for one in deliver(ONE)] == [1]


def test_there_are_no_more_than_there_is_room_for(listener, add, monkeypatch):
    monkeypatch.setattr(webhook_store, "MOST_WEBHOOKS", 2)
    add(listener)
    add(listener)
    with pytest.raises(Full):
        add(listener)


def killed_while_it_tells(folder, listener, url):
    """Kill a worker while a receiver has a message that it has not answered."""
    release = Event()
    listener.answers = [says(204), waits_for(release)]
    worker = hasty(folder, DECKPROOF_WEBHOOK_NETWORKS="127.0.0.0/8", DECKPROOF_DATABASE_URL=url)
    wait_for(lambda: len(listener.messages) == 2)
    worker.process.send_signal(signal.SIGKILL)
    worker.process.wait(30)
    release.set()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["SQLite", "PostgreSQL"])
def test_what_a_worker_was_telling_when_it_was_killed_is_told_by_the_next(tmp_path, listener, kind):
    if kind == "SQLite":
        assert_nothing_is_lost(tmp_path, listener, f"sqlite:///{tmp_path}/deckproof.db")
        return
    with own_schema() as url:
        assert_nothing_is_lost(tmp_path, listener, url)


def assert_nothing_is_lost(folder, listener, url):
    settings = Settings(database_url=url, data_dir=folder, webhook_networks=HERE)
    database = Database(url)
    database.upgrade()
    secrets, webhooks = WebhookSecrets(settings), Webhooks(database)
    hook = webhooks.add(listener.url, secrets.fingerprint, SINCE)
    killed_while_it_tells(folder, listener, url)
    (held,) = webhooks.listed()
    webhooks.settle(held, held.due - LEASE)  # as if that time were over
    library = Library(url)
    told = [one.id for one in change_record.changes(map(library.catalogue, GAMES), SINCE)[::-1]]
    assert [one.told for one in deliver_due(settings, library)] == [len(told) - 1]
    assert listener.told == [*told[:2], *told[1:]]
    assert len(listener.verified(secrets.shown(hook.id))) == len(told) + 1
