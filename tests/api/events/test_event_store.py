"""The event store on SQLite: what is written together, who has which key, what stood when, which answers are kept."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from api.events.bounds import LONGEST_KEY
from api.events.judging.deck_checks import CheckNotes
from api.events.players.entrant import ExpectedPlayer, RegistrationContent, Whereabouts
from api.events.storage import event_audit, event_writer, idempotency
from api.events.storage.event_keys import JUDGE, ORGANISER, PLAYER, Caller, is_id, is_same, new_id
from api.events.storage.event_tables import KeyRow
from api.events.storage.idempotency import KEPT, RepeatableRequest, Reply
from api.events.tournament import Tournament
from api.service.errors import Invalid, LimitReached, NoAccess
from carddb.database import Base
from tests.api.events.conftest import made

NOON = datetime(2026, 10, 25, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
BY = "judge k1"
LIST = RegistrationContent(
    "Nami Cat", "7", deck=b'[[["OP01-016",1,null,0,null]],[],[],[],[],[]]', decklist="1 OP01-016"
)


@pytest.fixture
def store(app):
    return app.extensions["deckproof"].desk.store


@pytest.fixture
def event(store):
    made = Tournament(new_id(), "Example", "optcg", date(2026, 10, 25), created=NOON.date())
    with store.writing(made.id, NOON) as writer:
        writer.add_event(made, BY)
    return made


def registered(store, event, *content, now=NOON):
    with store.writing(event.id, now) as writer:
        return writer.add_entrants(content or [LIST], BY)


def revised(store, event, id, *, now, **values):
    with store.writing(event.id, now) as writer:
        one = writer.entrant(event.id, id)
        writer.revise([(one, one.revision.written._replace(**values))], BY, "")


def test_an_event_is_read_as_it_was_written(store, event):
    with store.reading() as reader:
        assert reader.event(event.id) == event.with_settings({"written": NOON.date()})
        assert (reader.count_events(), reader.size(event.id), reader.audit_head(event.id)[0]) == (1, 0, 1)


@pytest.mark.parametrize("id", ["", "x", "0" * 30, "0" * 29, "0" * 31, "G" * 30])
def test_what_is_not_there_is_hidden(store, event, id):
    with store.reading() as reader:
        for read in (reader.event, lambda _: reader.entrant(event.id, id), lambda _: reader.check(event.id, id)):
            with pytest.raises(NoAccess):
                read(id)
    assert is_id(id) == (id == "0" * 30)


def test_a_registration_of_one_event_is_hidden_from_another(store, event):
    (id,) = registered(store, event)
    with store.reading() as reader:
        assert reader.entrant(event.id, id).player == "Nami Cat"
        with pytest.raises(NoAccess):
            reader.entrant(new_id(), id)


def test_what_fails_is_not_written_at_all(store, event):
    def fail():
        with store.writing(event.id, NOON) as writer:
            writer.add_entrants([LIST], BY)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with store.reading() as reader:
        assert (reader.count_entrants(event.id), reader.size(event.id), reader.audit_head(event.id)[0]) == (0, 0, 1)


def test_every_change_is_an_entry_of_an_intact_audit(store, event):
    (id,) = registered(store, event)
    revised(store, event, id, now=NOON + SECOND, team="Reds")
    with store.reading() as reader:
        entries, (length, head) = list(reader.audit(event.id)), reader.audit_head(event.id)
        about, after = list(reader.audit(event.id, id)), list(reader.audit(event.id, after=1, limit=1))
    assert [one.action for one in entries] == ["event begun", "registered", "revised"]
    assert [one.number for one in about] == [2, 3]
    assert [one.number for one in after] == [2]
    assert event_audit.find_broken_entry(event.id, entries, length, head) is None
    changed = [entries[0], entries[1]._replace(by="organiser"), entries[2]]
    assert event_audit.find_broken_entry(event.id, changed, length, head) == 2
    assert event_audit.find_broken_entry(event.id, entries[:2], length, head) == 3
    assert event_audit.find_broken_entry(event.id, entries, length, "0" * 64) == 4


def test_a_key_opens_its_event_until_it_is_revoked(store, event):
    with store.writing(event.id, NOON) as writer:
        key_id, secret = writer.add_key(JUDGE, "A judge", BY)
    with store.reading() as reader:
        assert reader.caller(event.id, secret) == Caller(JUDGE, key_id)
        assert reader.caller(new_id(), secret) == reader.caller(event.id, secret + "x") == Caller()
        assert (reader.key_name(key_id), reader.key_name("x")) == ("A judge", "")
        assert secret not in str(reader.keys(event.id))
    with store.writing(event.id, NOON) as writer:
        assert [writer.revoke(KeyRow.id == key_id, BY, key_id) for _ in range(2)] == [1, 0]
    with store.reading() as reader:
        assert reader.caller(event.id, secret) == Caller()
        assert [one.revoked is not None for one in reader.keys(event.id)] == [True]


def test_a_players_key_is_of_one_registration_and_knows_the_top_cut(store, event):
    (id,) = registered(store, event)
    with store.writing(event.id, NOON) as writer:
        (secret,) = writer.add_player_keys([id], BY)
        assert writer.caller(event.id, secret)[:1] + writer.caller(event.id, secret)[2:] == (PLAYER, id, False)
        writer.change_settings(writer.entrant(event.id, id), {"cut": True}, BY, "")
        assert writer.caller(event.id, secret).in_cut
        assert writer.registrations_by_key(event.id, [secret, "x"]) == {id: secret}
        assert writer.keys(event.id) == []
        assert [one.role for one in writer.keys(event.id, id)] == [PLAYER]


def test_a_key_is_looked_at_up_to_its_longest(app, event):
    desk = app.extensions["deckproof"].desk
    for length, is_admin in [(LONGEST_KEY, True), (LONGEST_KEY + 1, False)]:
        key = "k" * length
        bounds, desk.bounds = desk.bounds, desk.bounds._replace(admin_key=key)
        try:
            assert desk.is_event_key(event.id, key) == is_admin
        finally:
            desk.bounds = bounds


def test_only_an_equal_key_is_the_admins():
    assert is_same("secret", "secret")
    assert [is_same(key, "secret") for key in ("", "Secret", "secret ", "secre")] == [False] * 4
    assert not is_same("", "")  # a server without an admin key


def test_revisions_are_kept_in_order_and_the_last_one_counts(store, event):
    (id,) = registered(store, event)
    for number in range(2, 5):
        revised(store, event, id, now=NOON + number * SECOND, team=f"Team {number}")
    with store.reading() as reader:
        revisions, one = reader.revisions(id), reader.entrant(event.id, id)
    assert [each.number for each in revisions] == [1, 2, 3, 4]
    assert (one.revision, one.version, one.revision.written.team) == (revisions[-1], 4, "Team 4")


def test_the_salt_and_so_the_commitment_changes_only_with_the_list(store, event):
    (id,) = registered(store, event)
    revised(store, event, id, now=NOON, team="Reds")
    revised(store, event, id, now=NOON, deck=None, decklist=None)
    with store.reading() as reader:
        first, same_list, other_list = (one.salt for one in reader.revisions(id))
    assert first == same_list != other_list


def test_the_list_of_the_deadline_is_the_last_one_before_it(store, event):
    (id,) = registered(store, event, now=NOON)
    revised(store, event, id, now=NOON + SECOND, team="Reds")
    microsecond = timedelta(microseconds=1)
    with store.reading() as reader:
        found = [
            reader.find_revision_at(id, at)
            for at in (NOON, NOON + microsecond, NOON + SECOND, NOON + SECOND + microsecond)
        ]
    assert found == [None, 1, 1, 2]


@pytest.mark.parametrize(
    ("opens", "closes", "until", "expected"),
    [
        (None, None, None, [True, True, True]),
        (NOON, None, None, [False, True, True]),
        (None, NOON, None, [True, False, False]),
        (None, NOON, NOON + SECOND, [True, True, False]),
        (NOON + SECOND, None, NOON, [True, False, False]),  # the own deadline counts alone
    ],
)
def test_registration_is_open_until_just_before_the_deadline(opens, closes, until, expected):
    event = Tournament("e", "Example", "optcg", date(2026, 10, 25), opens=opens, closes=closes)
    assert [event.is_open(at, until) for at in (NOON - SECOND, NOON, NOON + SECOND)] == expected


def test_bytes_of_lists_are_counted_and_freed(store, event):
    first, second = registered(store, event, LIST, LIST)
    with store.reading() as reader:
        assert reader.size(event.id) == 2 * LIST.size > 0
        assert reader.count_deck_bytes(first) == len(LIST.deck)
    with store.writing(event.id, NOON) as writer:
        writer.remove_entrant(writer.entrant(event.id, second), BY)
    with store.reading() as reader:
        assert (reader.size(event.id), reader.count_entrants(event.id)) == (LIST.size, 1)


def test_a_removed_player_is_expected_no_longer(store, event):
    (id,) = registered(store, event)
    with store.writing(event.id, NOON) as writer:
        writer.replace_expected([ExpectedPlayer("Cat, Nami", "7"), ExpectedPlayer("Zoro Dog")], BY)
        writer.remove_entrant(writer.entrant(event.id, id), BY)
    with store.reading() as reader:
        assert [one.player for one in reader.expected_players(event.id)] == ["Zoro Dog"]


def test_players_are_sorted_by_last_name_and_keep_their_tables(store, event):
    with store.writing(event.id, NOON) as writer:
        wheres = [Whereabouts("12"), Whereabouts("7", "b@example.com")]
        writer.add_entrants([RegistrationContent("Anna Zorn"), RegistrationContent("Zoe Adam")], BY, wheres=wheres)
    with store.reading() as reader:
        found = [(one.player, one.where.table, one.where.email) for one in reader.entrants(event.id)]
    assert found == [("Zoe Adam", "7", "b@example.com"), ("Anna Zorn", "12", "")]


def test_what_stands_already_is_not_noted_again(store, event):
    (id,) = registered(store, event)
    with store.writing(event.id, NOON) as writer:
        writer.change_settings(writer.entrant(event.id, id), {"cut": False}, BY, "")
        writer.change_whereabouts([(writer.entrant(event.id, id), Whereabouts())], BY)
        assert writer.entrant(event.id, id).version == 1
    with store.reading() as reader:
        assert reader.audit_head(event.id)[0] == 2


@pytest.mark.parametrize(("by", "most"), [("judge k", 6), ("player k", 3)])
def test_strangers_fill_half_of_the_audit(store, event, monkeypatch, by, most):
    monkeypatch.setattr(event_writer, "MOST_NOTED", 6)
    for _ in range(most - 1):
        with store.writing(event.id, NOON) as writer:
            writer.add_entrants([RegistrationContent("Nami Cat")], by)
    with pytest.raises(LimitReached), store.writing(event.id, NOON) as writer:
        writer.add_entrants([RegistrationContent("Nami Cat")], by)


@pytest.mark.parametrize(("back", "is_late"), [(30, False), (31, True)])
def test_a_clock_that_goes_back_opens_no_event_again(store, event, back, is_late):
    with store.writing(event.id, NOON - back * SECOND) as writer:
        assert writer.now == (NOON if is_late else NOON - back * SECOND)


def test_an_event_is_found_by_the_first_digits_of_its_id(store, event):
    with store.reading() as reader:
        assert reader.event_by_prefix(event.id[:9]).id == event.id
        assert reader.event_by_prefix("") is None
        assert reader.event_by_prefix("0" * 9 if event.id[0] != "0" else "f" * 9) is None


def test_the_seed_is_one_that_a_judge_set_or_one_that_never_changes(store, event):
    with store.writing(event.id, NOON) as writer:
        writer.add_key(ORGANISER, "", BY)
    with store.reading() as reader:
        seed = reader.seed(event)
        assert len(seed) == 16
        assert reader.seed(event) == seed
        assert reader.seed(event.with_settings({"check_seed": "hall 1"})) == "hall 1"


def test_each_event_has_a_seed_of_its_own_that_other_events_do_not_change(store, event):
    with store.writing(event.id, NOON) as writer:
        writer.add_key(ORGANISER, "", BY)
    with store.reading() as reader:
        before = reader.seed(event)
    other, _ = begin(store, "Winter", "2026-11-21")
    seeds = []
    for _ in range(2):
        with store.writing(other.id, NOON) as writer:
            writer.add_key(ORGANISER, "", BY)
        with store.reading() as reader:
            seeds.append([reader.seed(one) for one in (event, other)])
    assert seeds[0] == seeds[1]
    assert seeds[0][0] == before != seeds[0][1]


def test_a_removed_event_leaves_nothing(store, event):
    registered(store, event)
    with store.writing(event.id, NOON) as writer:
        writer.remove_event()
    with store.reading() as reader:
        assert (reader.count_events(), reader.count_entrants(event.id), list(reader.audit(event.id))) == (0, 0, [])
    assert store.list_events() == []


ONCE = RepeatableRequest.from_request(
    "a-random-key-0001", "key of the sender", "POST /v1/events/e/registrations", b"content"
)
ANSWER = Reply(201, b'{"key":"x"}', {"ETag": '"1"'})


def kept(store, event, once=ONCE, answer=ANSWER, has_done=True, now=NOON):
    with store.writing(event.id, now) as writer:
        idempotency.store_answer(writer.connection, once, answer, event.id, now, has_done)


def test_a_repeated_request_gets_the_first_answer(store, event):
    kept(store, event)
    with store.reading() as reader:
        assert idempotency.find_answer(reader.connection, ONCE) == ANSWER
        others = (
            RepeatableRequest.from_request(
                "another-key-00001", "key of the sender", "POST /v1/events/e/registrations", b"content"
            ),
            RepeatableRequest.from_request(
                "a-random-key-0001", "another sender", "POST /v1/events/e/registrations", b"content"
            ),
            RepeatableRequest.from_request(
                "a-random-key-0001", "key of the sender", "POST /v1/events/e/checks", b"content"
            ),
        )
        assert [idempotency.find_answer(reader.connection, one) for one in others] == [None] * 3
        with pytest.raises(Invalid):
            idempotency.find_answer(reader.connection, ONCE._replace(content="other"))


def test_an_answer_is_kept_for_a_day(store, event):
    kept(store, event)
    for now, is_kept in [(NOON + KEPT, True), (NOON + KEPT + SECOND, False)]:
        with store.writing(event.id, NOON) as writer:
            idempotency.forget(writer.connection, now)
            assert (idempotency.find_answer(writer.connection, ONCE) is not None) == is_kept


def test_a_forgotten_answer_is_refused_not_done_again(store, event):
    kept(store, event)
    with store.writing(event.id, NOON) as writer:
        idempotency.forget_answers(writer.connection, event.id)
        with pytest.raises(LimitReached):
            idempotency.find_answer(writer.connection, ONCE)


@pytest.mark.parametrize(("room", "is_refused"), [(0, False), (-1, True)])
def test_answers_of_looks_are_kept_up_to_the_room_of_an_event(store, event, monkeypatch, room, is_refused):
    kept(store, event, has_done=False)
    size = len(b'[201,"{\\"key\\":\\"x\\"}",{"ETag":"\\"1\\""}]')
    monkeypatch.setattr(idempotency, "MOST_KEPT", 2 * size + room)
    other = ONCE._replace(secret="other")
    if is_refused:
        with pytest.raises(LimitReached):
            kept(store, event, other, has_done=False)
    else:
        kept(store, event, other, has_done=False)
    kept(store, event, ONCE._replace(secret="of what was done"))  # small answers to changes always have room


def begin(store, name, day, *contents):
    """Create an event on a day with registrations, and return it with their ids."""
    made = Tournament(new_id(), name, "optcg", date.fromisoformat(day), created=NOON.date())
    with store.writing(made.id, NOON) as writer:
        writer.add_event(made, BY)
        ids = writer.add_entrants(contents, BY) if contents else []
    return made, ids


def test_events_are_listed_by_day_and_name_with_the_number_of_their_players(store):
    begin(store, "Winter", "2026-11-21", LIST)
    begin(store, "Autumn", "2026-10-25", LIST, LIST)
    begin(store, "Advent", "2026-11-21")
    found = [(one.on, one.name, one.players) for one in store.list_events()]
    assert found == [("2026-10-25", "Autumn", 2), ("2026-11-21", "Advent", 0), ("2026-11-21", "Winter", 1)]


def test_a_player_is_found_at_all_events_by_the_newest_id(store):
    without_list = RegistrationContent("Nami C.", " 007 ")
    _, (old,) = begin(store, "Winter", "2026-11-21", LIST)
    _, (other, _) = begin(store, "Autumn", "2026-10-25", without_list, RegistrationContent("Zoro Dog", "70"))
    corrected, (id,) = begin(store, "Advent", "2026-11-29", RegistrationContent("Nami Cat", "8"))
    revised(store, corrected, id, now=NOON + SECOND, player_id="7")
    moved, (gone,) = begin(store, "May", "2027-05-01", LIST)
    revised(store, moved, gone, now=NOON + SECOND, player_id="9")
    deleted, _ = begin(store, "June", "2027-06-01", LIST)
    with store.writing(deleted.id, NOON) as writer:
        writer.mark_deleted(NOON.date(), BY)
    found = [
        (one.event, one.day, one.game, one.player, one.player_id, one.has_list)
        for one in store.find_registrations("0 7")
    ]
    assert found == [
        ("Autumn", "2026-10-25", "optcg", "Nami C.", " 007 ", False),
        ("Winter", "2026-11-21", "optcg", "Nami Cat", "7", True),
        ("Advent", "2026-11-29", "optcg", "Nami Cat", "7", False),
    ]
    assert [one.registration_id for one in store.find_registrations("7")] == [other, old, id]
    assert [store.find_registrations(blank) for blank in ("", " ", "0", "x")] == [[], [], [], []]


def test_the_checks_of_a_player_are_in_the_order_of_their_begin(store):
    event, (id, _) = begin(store, "Winter", "2026-11-21", LIST, RegistrationContent("Zoro Dog", "8"))
    notes = CheckNotes(round="1", outcome="deck differs", infraction="list-mismatch", penalty="Game Loss")
    for seconds, checked in ((2, CheckNotes(round="2")), (1, notes)):
        with store.writing(event.id, NOON + seconds * SECOND) as writer:
            writer.add_checks([writer.entrant(event.id, id)], checked, BY)
    (found,) = store.find_registrations("7")
    assert [tuple(one) for one in found.checks] == [
        ("1", "deck differs", "list-mismatch", "Game Loss"),
        ("2", "", "", ""),
    ]
    assert [one.checks for one in store.find_registrations("8")] == [[]]


def test_lists_that_are_not_saved_yet_count_for_the_size(store, event):
    registered(store, event)
    with store.writing(event.id, NOON) as writer:
        writer.add_entrants([LIST], BY)
        assert writer.size(event.id) == 2 * LIST.size


def test_the_tables_are_those_that_the_migrations_make(app):
    tables = set(Base.metadata.tables)

    def is_known_table(name: str | None, kind: str, _: object) -> bool:
        """Return True for the tables of the modules that this process has imported, and for all parts of tables."""
        return kind != "table" or name in tables

    database = app.extensions["deckproof"].library.store().database
    with database.writing("a test") as connection:
        context = MigrationContext.configure(connection, opts={"include_name": is_known_table})
        assert compare_metadata(context, Base.metadata) == []
    assert {"event", "event_revision", "event_audit", "event_check"} <= tables


def test_no_event_is_read_without_a_database(folder, clock):
    empty = made(clock, data_dir=folder).extensions["deckproof"].desk.store
    with pytest.raises(NoAccess), empty.reading():
        pass
