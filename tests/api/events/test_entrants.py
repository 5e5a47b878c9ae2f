"""Registered and expected players: who is who, who counts, who is missing. Pure, without a database."""

from datetime import UTC, date, datetime, timedelta

import pytest

from api.events.bounds import LONGEST_EMAIL, MOST_DUPLICATES
from api.events.players.attendance import (
    BY_NAME,
    RosterOrder,
    compare_names,
    count_lists,
    expected_json,
    find_missing,
    format_time,
    letter,
    link_letter,
    page_line,
    roster,
)
from api.events.players.duplicates import Duplicates
from api.events.players.entrant import (
    Entrant,
    ExpectedPlayer,
    RegistrationContent,
    Revision,
    Whereabouts,
    compare_decks,
    drop_repeated,
    encode_deck,
    id_key,
    match_names,
    parse_email,
)
from api.events.storage.event_keys import JUDGE, PLAYER, Caller
from api.events.tournament import Tournament
from tests.api.events.conftest import ILLEGAL, LEGAL
from tests.api.workbooks.files import catalogue, judge
from validator import decklists
from validator.language import ENGLISH as EN

NOON = datetime(2026, 10, 25, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
EVENT = Tournament("7f000001" + "0" * 22, "Example", "optcg", date(2026, 10, 25), timezone="Europe/Berlin", closes=NOON)
NAMI, ZORO = "Nami Cat", "Zoro Dog"


def deck(text=LEGAL):
    return decklists.parse(text, "optcg", catalogue()).deck


def entrant(
    id, player=NAMI, decklist=LEGAL, received=NOON, created=NOON, cut=False, separated=(), table="", email="", **said
):
    content = RegistrationContent(player, deck=encode_deck(deck(decklist)) if decklist else None, **said)
    revision = Revision(1, received, "player", "", content, "salt")
    return Entrant(id, 1, None, cut, created, revision, Whereabouts(table, email), frozenset(separated))


def duplicates(*entrants):
    return Duplicates(entrants, catalogue())


@pytest.mark.parametrize(
    ("written", "key"),
    [("0012", "12"), (" 00 12", "12"), ("000", ""), ("00a1", "00a1"), ("A1", "a1"), ("", ""), ("100", "100")],
)
def test_an_id_is_compared_without_spaces_case_and_the_zeros_that_spreadsheets_lose(written, key):
    assert id_key(written) == key


@pytest.mark.parametrize(
    ("expected", "registered", "is_registered"),
    [
        ((NAMI, "12"), (ZORO, "0012"), True),
        ((NAMI, "12"), (NAMI, ""), True),
        ((NAMI, ""), ("cat, nami", "12"), True),
        ((NAMI, ""), (NAMI, ""), True),
        ((NAMI, "12"), (NAMI, "13"), False),
        ((NAMI, ""), (ZORO, ""), False),
        ((NAMI, "0"), (ZORO, "00"), False),  # both are no id
    ],
)
def test_an_expected_player_has_registered_by_id_or_by_name_unless_ids_differ(expected, registered, is_registered):
    player, id = registered
    shown = expected_json([ExpectedPlayer(*expected, email="a@example.com")], [entrant("r1", player, player_id=id)])
    assert shown["expected"] == 1
    name, player_id = expected
    entry = {"player": name, "player_id": player_id, "email": "a@example.com", "registered": is_registered}
    assert shown["players"] == [entry]


def test_a_new_list_of_names_reuses_each_id_and_address_once():
    before = [ExpectedPlayer(NAMI, "1", "a@example.com"), ExpectedPlayer(NAMI, "2"), ExpectedPlayer(ZORO, "3")]
    found = match_names(["Cat, Nami", "Usopp", NAMI, NAMI], before)
    assert found == [
        ExpectedPlayer("Cat, Nami", "1", "a@example.com"),
        ExpectedPlayer("Usopp"),
        ExpectedPlayer(NAMI, "2"),
        ExpectedPlayer(NAMI),
    ]


def test_an_expected_player_is_listed_once_by_name_and_id():
    one, other, third = ExpectedPlayer(NAMI, "1"), ExpectedPlayer(NAMI, "2"), ExpectedPlayer(ZORO, "1")
    again = ExpectedPlayer("Cat, Nami", "01")
    assert list(drop_repeated([one, again, other, third, one])) == [one, other, third]


@pytest.mark.parametrize(
    ("columns", "where"),
    [
        ({"Table": "12", "E-mail": "a@example.com"}, ("12", "a@example.com")),
        ({"Tischnummer": "B7", "Correo electrónico": " a@example.com "}, ("B7", "a@example.com")),
        ({"Email": "at home"}, ("", "")),
        ({"Player": "12"}, ("", "")),
    ],
)
def test_the_table_and_the_address_are_found_by_their_headings(columns, where):
    assert Whereabouts.from_columns(columns) == where
    uses = [Whereabouts.use_of(heading) for heading in columns]
    assert uses == (["table", "email"] if len(columns) == 2 else ["email" if "Email" in columns else ""])


def test_what_is_not_known_of_a_player_stays():
    before = Whereabouts("12", "a@example.com")
    assert Whereabouts().fill_from(before) == before
    assert Whereabouts("7", "b@example.com").fill_from(before) == ("7", "b@example.com")


@pytest.mark.parametrize(("length", "is_valid"), [(LONGEST_EMAIL, True), (LONGEST_EMAIL + 1, False)])
def test_an_address_has_a_longest_length(length, is_valid):
    address = "a@" + "b" * (length - 2)
    if is_valid:
        assert parse_email(f" {address} ") == address
    else:
        with pytest.raises(ValueError, match="name@example"):
            parse_email(address)


def test_two_decks_differ_by_the_copies_that_came_and_went():
    found = compare_decks(deck(), deck(LEGAL.replace("4 OP01-016", "1 OP01-016_p1") + "3 OP01-025\n"), catalogue())
    assert [(one["section"], one["number"], one["count"]) for one in found["added"]] == [("main", "OP01-025", 3)]
    assert [(one["section"], one["number"], one["count"]) for one in found["removed"]] == [("main", "OP01-016", 3)]
    assert compare_decks(None, None, catalogue()) == {"added": [], "removed": []}
    first = compare_decks(None, deck(), catalogue())["added"]
    places = [(one["section"] != "leader", one["number"]) for one in first]
    assert (len(first), places) == (14, sorted(places))


def test_the_size_of_a_registration_is_that_of_its_deck_and_text():
    assert RegistrationContent(NAMI, deck=b"123", decklist="é").size == 5
    assert RegistrationContent(NAMI, notes="a note").size == 0
    text = RegistrationContent(NAMI, deck=encode_deck(deck("1 ST21-001\n4 OP01-016 Nami"))).list_text
    assert [line.split("\t")[:3] for line in text.splitlines()] == [
        ["leader", "1", "ST21-001"],
        ["main", "4", "OP01-016"],
    ]
    assert RegistrationContent(NAMI).list_text == ""


@pytest.mark.parametrize(
    ("first", "second", "counted"),
    [
        ({"decklist": None, "received": NOON + HOUR}, {}, "r2"),  # with a list
        ({"received": NOON + HOUR}, {}, "r1"),  # the latest revision
        ({}, {"received": NOON + HOUR}, "r2"),
        ({"created": NOON + HOUR}, {}, "r1"),  # the latest registration
        ({}, {}, "r2"),  # the larger id
    ],
)
def test_of_two_registrations_of_a_player_one_counts(first, second, counted):
    one, two = entrant("r1", player_id="1", **first), entrant("r2", player_id="01", **second)
    for order in ((one, two), (two, one)):
        found = duplicates(*order)
        assert [each.id for each in found.counted_registrations] == [counted]
        assert found.left_out == {({"r1", "r2"} - {counted}).pop(): counted}
        [(kept, other)] = found.pairs
        assert (kept.id, other.entrant.id, other.same) == (counted, *found.left_out, "id")


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ({"player_id": "1", "email": "a@example.com"}, {"player_id": "1", "email": "A@example.com"}, "id"),
        ({"email": "a@example.com"}, {"email": "A@example.com"}, "email"),
        ({"email": "a@example.com", "player_id": "1"}, {"email": "a@example.com", "player_id": "2"}, "email"),
        ({}, {}, "list"),
        ({"player_id": "1"}, {}, "list"),
        ({"player_id": "1"}, {"player_id": "2"}, None),
        ({"decklist": None}, {"decklist": None}, None),
        ({}, {"player": ZORO}, None),
        ({}, {"separated": ["r1"]}, None),
        ({"separated": ["r2"]}, {}, None),
    ],
)
def test_what_two_registrations_have_in_common(first, second, same):
    one, two = entrant("r1", **first), entrant("r2", **second)
    found = duplicates(one, two)
    assert [(each.entrant.id, each.same) for each in found.find(one)] == ([("r2", same)] if same else [])
    assert [(each.entrant.id, each.same) for each in found.find(two)] == ([("r1", same)] if same else [])


def test_duplicates_have_a_limit_and_begin_with_equal_ids():
    many = [entrant(f"r{at:03}", player_id="1", decklist=None) for at in range(MOST_DUPLICATES + 5)]
    assert len(duplicates(*many).find(many[0])) == MOST_DUPLICATES
    mine, by_list, by_id = entrant("r1", player_id="1"), entrant("r2"), entrant("r3", ZORO, player_id="1")
    assert [each.same for each in duplicates(mine, by_list, by_id).find(mine)] == ["id", "list"]


def people():
    """A player with two registrations, one without a list, and one with an illegal list."""
    return (
        entrant("r1", player_id="1"),
        entrant("r2", player_id="1", decklist=ILLEGAL, received=NOON - HOUR),
        entrant("r3", "Usopp Nose", decklist=None),
        entrant("r4", ZORO, decklist=ILLEGAL, table="12", cut=True),
    )


def test_lists_are_counted_once_for_each_player():
    found, verdicts = duplicates(*people()), {"r1": judge()(deck()), "r4": judge()(deck(ILLEGAL))}
    sums = {"registered": 3, "received": 2, "missing": 1, "duplicates": 1}
    assert count_lists(found, verdicts) == sums | {"not_legal": 1}
    assert count_lists(found, {**verdicts, "r4": None}) == sums | {"not_legal": None}


def test_the_roster_shows_staff_what_it_hides_from_players():
    rows = [(one, judge()(one.revision.deck) if one.has_list else None) for one in people()]
    seen = roster(EVENT, rows, duplicates(*people()), Caller(JUDGE), BY_NAME)
    assert [(row["id"], row["legal"], row["duplicates"]) for row in seen["players"]] == [
        ("r1", True, ["r2"]), ("r2", False, ["r1"]), ("r3", None, []), ("r4", False, [])
    ]  # fmt: skip
    assert [(row["table"], row["cut"], row["revision"]) for row in seen["players"]][3] == ("12", True, 1)
    assert (seen["duplicates"], seen["not_legal"], seen["missing"]) == (1, 1, 1)
    assert [row["at"] for row in seen["players"]][1:3] == ["2026-10-25T12:00:00+01:00", None]
    hidden = roster(EVENT, rows, duplicates(*people()), Caller(PLAYER), BY_NAME)
    assert {key for row in hidden["players"] for key in row} == {"player", "team", "received", "at"}
    assert seen.keys() - hidden.keys() == {"duplicates", "not_legal"}
    for state, ids in (
        ("received", ["r1", "r2", "r4"]),
        ("missing", ["r3"]),
        ("legal", ["r1"]),
        ("illegal", ["r2", "r4"]),
    ):
        shown = roster(EVENT, rows, duplicates(*people()), Caller(JUDGE), RosterOrder(state=state))
        assert [row["id"] for row in shown["players"]] == ids
        assert shown["registered"] == 3


@pytest.mark.parametrize(
    ("sort", "ids"),
    [
        ("player", ["r1", "r2", "r4", "r3"]),
        ("-player", ["r3", "r4", "r1", "r2"]),
        ("received", ["r2", "r1", "r4", "r3"]),
        ("-received", ["r1", "r4", "r2", "r3"]),
        ("legal", ["r2", "r4", "r1", "r3"]),
        ("table", ["r4", "r1", "r2", "r3"]),
    ],
)
def test_rows_without_a_value_come_last(sort, ids):
    rows = [(one, judge()(one.revision.deck) if one.has_list else None) for one in people()]
    shown = roster(EVENT, rows, duplicates(*people()), Caller(JUDGE), RosterOrder(sort))
    assert [row["id"] for row in shown["players"]] == ids


def test_missing_are_players_without_a_list_and_expected_ones():
    expected = [ExpectedPlayer("Robin Book"), ExpectedPlayer(ZORO), ExpectedPlayer("Franky Ant")]
    found = find_missing(EVENT, duplicates(*people()), expected, NOON - HOUR)
    assert found["missing"] == [{"id": "r3", "player": "Usopp Nose"}]
    assert (found["not_registered"], found["left_out"]) == (["Robin Book", "Franky Ant"], ["r2"])
    assert "Franky Ant; Robin Book; Usopp Nose" in found["reminder"]
    assert find_missing(EVENT, duplicates(people()[0]), [], NOON)["reminder"] == ""


def test_names_are_compared_in_any_order_and_case():
    expected = ["cat, nami", NAMI, "Usopp Nose", "Robin Book"]
    found = compare_names(EVENT, people(), expected, NOON - HOUR)
    assert found["expected"] == 3
    for name, ids in (("received", ["r1", "r2"]), ("without_list", ["r3"]), ("not_expected", ["r4"])):
        assert [one["id"] for one in found[name]] == ids
    assert (found["not_registered"], found["missing"]) == (["Robin Book"], ["Robin Book", "Usopp Nose"])


def test_letters_name_the_deadline_and_the_address_while_registration_is_open():
    address = "https://example.com/events/1"
    assert page_line(EVENT, "", EN) == ""
    line = page_line(EVENT, address, EN)
    assert address in line
    assert EVENT.code in line
    for moment, is_open in ((NOON - HOUR, True), (NOON, False)):
        _, text = letter(EVENT, moment, address=address)
        _, linked = link_letter(EVENT, address, moment)
        for each in (text, linked):
            assert (address in each, "13:00 (Europe/Berlin, UTC+0100)" in each) == (is_open, is_open)
    _, endless = letter(EVENT.with_settings({"closes": None}), NOON, address=address)
    assert address in endless
    assert "Europe/Berlin" not in endless


@pytest.mark.parametrize(
    ("zone", "second", "text"),
    [("UTC", 0, "2026-10-25 12:00 (UTC)"), ("UTC", 5, "2026-10-25 12:00:05 (UTC)"),
     ("Asia/Tokyo", 0, "2026-10-25 21:00 (Asia/Tokyo, UTC+0900)")],
)  # fmt: skip
def test_moments_have_a_zone_and_seconds_only_if_needed(zone, second, text):
    assert format_time(EVENT.with_settings({"timezone": zone}), NOON.replace(second=second)) == text
