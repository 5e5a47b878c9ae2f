"""The organiser's own limits list as a setting of an event: every deck of the event is judged with it."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import date

import pytest

from api.events.own_list import find_warnings
from api.events.storage import event_audit
from api.events.storage.archive_rows import event_of
from api.service.bounds import LONGEST_LIMITS_LIST
from api.service.judges import Judges
from api.service.requests import RequestedTerms
from carddb.library import Library
from tests.api.events.archives import ELSEWHERE, HERE, attempt, exported, forged
from tests.api.events.conftest import LEGAL, Hall, made
from validator.judge import Terms
from validator.language import ENGLISH
from validator.limits import LIMITS, proposals
from validator.rules import Policy

HEAD = """document = "House list"
[[change]]
effective_from = 2026-01-01
region = "en"
source = "https://example.com/house-list"
"""
RESTRICTION = HEAD + 'restrict.OP01-016 = {limit = 2, name = "Nami"}\n'
POOL = (
    HEAD
    + 'allowed_sets = ["OP01", "OP11", "OP14", "ST01", "ST21", "ST31"]\nallowed_cards.OP10-011 = "Tony Tony.Chopper"\n'
)
OFFICIAL = """game = "optcg"
known_to = 2026-10-20
[[change]]
effective_from = 2026-10-01
announced = 2026-09-01
region = "en"
source = "https://example.com/official"
"""


def codes(hall, rid, visitor=None):
    verdict = (visitor or hall.judge).get(f"/registrations/{rid}").json["verdict"]
    return [
        (finding["code"], finding["rule"]["document"])
        for finding in verdict["findings"]
        if finding["severity"] == "error"
    ]


def test_every_deck_is_judged_by_the_list_from_its_creation_on(app):
    hall = Hall(app.test_client(), limits_list=RESTRICTION)
    rid, player = hall.register("Nami Cat")
    assert codes(hall, rid) == codes(hall, rid, player) == [("card.restricted", "House list")]
    verdict = player.get(f"/registrations/{rid}").json["verdict"]
    assert verdict["limits"]["source"] == "House list"
    (listed,) = hall.judge.get("/registrations").json["registrations"]
    assert (listed["legal"], listed["codes"]) == (False, ["card.restricted"])


def test_a_list_is_set_changed_and_taken_away_and_all_decks_are_judged_again(hall):
    rid, _ = hall.register("Nami Cat")
    assert codes(hall, rid) == []
    assert hall.organiser.patch("", limits_list=RESTRICTION).status_code == 200
    assert codes(hall, rid) == [("card.restricted", "House list")]
    assert hall.organiser.patch("", limits_list=POOL).status_code == 200
    assert codes(hall, rid) == [("card.not_in_pool", "House list")]
    assert hall.organiser.patch("", place="Elsewhere").json["limits_list"] == POOL
    assert hall.organiser.patch("", limits_list=None).json["own_list"] is None
    assert codes(hall, rid) == []


def test_everyone_sees_what_the_list_changes(app):
    hall = Hall(app.test_client(), limits_list=RESTRICTION + 'ban.OP04-016 = "Bad Manners Kick Course"\n')
    shown = hall.stranger.get().json
    assert shown["limits_list"].startswith('document = "House list"')
    assert shown["own_list"] == {
        "name": "House list",
        "changes": [
            {"cards": [{"number": "OP01-016", "name": "Nami"}], "before": None, "limit": 2},
            {"cards": [{"number": "OP04-016", "name": "Bad Manners Kick Course"}], "before": None, "limit": 0},
        ],
        "pool": None,
        "warnings": [],
    }
    hall.organiser.patch("", limits_list=POOL)
    assert hall.stranger.get().json["own_list"]["pool"] == {
        "since": "2026-01-01",
        "sets": ["OP01", "OP11", "OP14", "ST01", "ST21", "ST31"],
        "cards": [{"number": "OP10-011", "name": "Tony Tony.Chopper"}],
    }


@pytest.mark.parametrize(
    "wrong",
    [
        3,
        "",
        "x" * (LONGEST_LIMITS_LIST + 1),
        "x =",
        "x = 1",
        f'game = "dbs"\n{RESTRICTION}',
        RESTRICTION.replace('"en"', '"mars"'),
        HEAD + 'lift.OP01-016 = "Nami"\n',
        HEAD + 'ban.OP01-016 = "Edward.Newgate"\n',
        HEAD + 'ban.OP02-998 = "Nobody"\n',
        HEAD + 'allowed_sets = ["OP01"]\nallowed_cards.OP02-999 = "No one"\n',
        HEAD + 'allowed_sets = ["OP91"]\n',
        HEAD + "allowed_sets = []\n",
    ],
    ids=range(13),
)
def test_a_wrong_list_is_refused_as_by_the_validation(app, hall, wrong):
    validated = (
        app.test_client().post("/v1/validate", json={"game": "optcg", "decklist": LEGAL, "limits_list": wrong}).json
    )
    refused = [
        hall.organiser.patch("", limits_list=wrong),
        app.test_client().post(
            "/v1/events", json={"name": "Cup", "game": "optcg", "on": "2026-10-25", "limits_list": wrong}
        ),
    ]
    for answer in refused:
        assert answer.status_code == 422
        assert answer.json["errors"] == validated["errors"]
        assert answer.json["errors"][0]["pointer"] == "/limits_list"
    assert hall.stranger.get().json["limits_list"] is None


def test_a_list_beside_a_policy_without_limits_lists_is_refused(hall):
    both = hall.organiser.patch("", limits_list=RESTRICTION, policy={"limits": False})
    assert (both.status_code, both.json["errors"][0]["pointer"]) == (422, "/limits_list")
    assert hall.organiser.patch("", limits_list=RESTRICTION).status_code == 200
    assert hall.organiser.patch("", policy={"limits": False}).status_code == 422
    assert hall.organiser.patch("", limits_list=None, policy={"limits": False}).status_code == 200


def test_a_list_without_effect_on_the_day_is_a_warning_for_staff_only(app):
    hall = Hall(app.test_client(), limits_list=RESTRICTION.replace("2026-01-01", "2027-01-01"))
    warning = "The event's own ban list changes nothing on 2026-10-25. Check its first day and its region."
    assert hall.begun.json["own_list"]["warnings"] == [warning]
    assert hall.judge.get().json["own_list"]["warnings"] == [warning]
    assert hall.stranger.get().json["own_list"]["warnings"] == []
    assert hall.organiser.patch("", on="2027-01-02").json["own_list"]["warnings"] == []


def test_cards_that_the_card_list_does_not_have_any_more_are_warnings(tmp_path):
    cards = 'ban.OP01-016 = "Edward.Newgate"\nban.OP02-998 = "Nobody"\nallowed_cards.OP02-999 = "No one"\n'
    judges = Judges(Library(f"sqlite:///{tmp_path / 'none.db'}"))
    asked = RequestedTerms(game="optcg", on=date(2026, 10, 25))
    official = judges.judge(asked)
    document = proposals.parse_file(HEAD + 'allowed_sets = ["OP01"]\n' + cards)
    own = proposals.own_list("optcg", official.terms.lists.documents[LIMITS], document, is_stored=True)
    terms = replace_terms(official.terms, own)
    first, *others = find_warnings(own, official, terms, ENGLISH)
    assert first.startswith("OP01-016 is Nami, and not Edward.Newgate; correct the name, or write the number of ")
    assert others == [
        "The card list has no OP02-998 (Nobody); check the number.",
        "The card list has no OP02-999 (No one); check the number.",
    ]


def replace_terms(terms, own):
    lists = terms.lists.with_list(own.listed, "own", own.name)
    return Terms(terms.ruleset, terms.on, lists=lists)


def test_the_next_event_has_the_list_too(app):
    hall = Hall(app.test_client(), limits_list=RESTRICTION)
    copy = hall.organiser.post("/copies", {"on": "2026-11-25"})
    assert (copy.status_code, copy.json["limits_list"]) == (201, RESTRICTION)
    assert copy.json["own_list"]["name"] == "House list"


def test_a_proposal_is_tried_on_top_of_the_list(app):
    hall = Hall(app.test_client(), limits_list=RESTRICTION)
    rid, _ = hall.register("Nami Cat")
    two, _ = hall.register("Zoro Dog", decklist=LEGAL.replace("4 OP01-016", "2 OP01-016").replace("2 OP04", "4 OP04"))
    found = hall.judge.post("/impact", {"lines": "OP04-016 1"}).json
    assert ([each["id"] for each in found["illegal"]], found["legal"]) == ([two], [])
    assert [change["cards"][0]["number"] for change in found["changes"]] == ["OP04-016"]
    freed = hall.judge.post("/impact", {"lines": "OP01-016 free"}).json
    assert [each["id"] for each in freed["legal"]] == [rid]
    whole = 'game = "optcg"\ntitle = "Another list"\nformats = ["standard"]\nknown_to = 2026-10-01\nnotes = []\n'
    whole += '[regions]\nen = "Here"\n[sections]\nban = "Banned"\nrestrict = "Restricted"\n'
    whole += "\n".join(RESTRICTION.splitlines()[1:]).replace("OP01-016", "OP04-016")
    replaced = hall.judge.post("/impact", {"file": whole}).json
    assert [each["id"] for each in replaced["illegal"]] == [two]


@pytest.fixture
def before(folder, clock, tmp_path):
    """An application whose official list bans a card since October, and its data."""
    (tmp_path / "optcg.toml").write_text(f'{OFFICIAL}ban.OP04-016 = "Bad Manners Kick Course"\n')
    return made(clock, data_dir=folder, limits_dir=tmp_path)


def test_an_entry_that_no_longer_fits_the_official_list_is_left_out_with_a_warning(before, folder, clock):
    own = HEAD.replace("2026-01-01", "2026-10-10") + (
        'lift.OP04-016 = "Bad Manners Kick Course"\nrestrict.OP01-016 = {limit = 2, name = "Nami"}\n'
    )
    hall = Hall(before.test_client(), limits_list=own)
    rid, _ = hall.register("Nami Cat")
    assert codes(hall, rid) == [("card.restricted", "House list")]
    assert hall.judge.get().json["own_list"]["warnings"] == []

    hall.client = made(clock, data_dir=folder).test_client()  # its official list has no such ban
    for visitor in (hall.organiser, hall.judge, hall.stranger):
        visitor.client = hall.client
    assert codes(hall, rid) == [("card.restricted", "House list")]
    (warning,) = hall.judge.get().json["own_list"]["warnings"]
    assert "lifts OP04-016, which is not on the list" in warning
    assert hall.stranger.get().json["own_list"]["warnings"] == []
    assert hall.organiser.patch("", place="Elsewhere").status_code == 200
    assert hall.organiser.post("/copies", {"on": "2026-11-25"}).status_code == 201
    assert hall.organiser.patch("", limits_list=own + "\n").status_code == 422
    for path in ("/export?as=csv", "/roster", "/overview", "/impact?after=2026-10-26"):
        assert hall.organiser.get(path).status_code == 200, path
    assert hall.judge.post("/impact", {"lines": "OP01-016 banned"}).status_code == 200


def test_a_list_that_cannot_be_read_any_more_is_no_error_of_a_deck(app, hall):
    assert hall.organiser.patch("", limits_list=RESTRICTION).status_code == 200
    rid, _ = hall.register("Nami Cat")
    with app.extensions["deckproof"].library.store().database.writing("a list of another version") as connection:
        connection.exec_driver_sql("update event set details = replace(details, '[[change]]', '[[change')")
    assert codes(hall, rid) == []
    (warning, _) = hall.organiser.get().json["own_list"]["warnings"]
    assert "the file is no TOML" in warning


def test_an_archive_has_the_list_and_its_import_checks_it(app):
    hall = Hall(app.test_client(), limits_list=POOL)
    said = json.loads(exported(app, hall).data)
    details = said["rows"]["event"][0]["details"]
    assert details["limits_list"] == POOL
    assert event_of(attempt(said, HERE).rows["event"][0]).limits_list == POOL
    details = event_of(said["rows"]["event"][0]).details()  # in the order of the digest
    (begun,) = [each for each in said["rows"]["audit"] if each["digest"] == event_audit.digest(details)]

    def is_accepted(**changed):
        said["rows"]["event"][0]["details"] = details | changed
        begun["digest"] = event_audit.digest(details | changed)
        return attempt(forged(said), ELSEWHERE, allow_unverified=True) is not None

    assert is_accepted(limits_list=RESTRICTION)
    assert is_accepted(limits_list=POOL + 'lift.OP01-016 = "Nami"\n')  # accepted earlier, without effect by now
    assert is_accepted(limits_list=RESTRICTION.replace("restrict", "forbid"))  # by another version
    for wrong in ("x =", "", 7, RESTRICTION.replace("House list", ""), " " * LONGEST_LIMITS_LIST + RESTRICTION):
        assert not is_accepted(limits_list=wrong)
    assert is_accepted(policy=asdict(Policy()))
    assert not is_accepted(policy={**asdict(Policy()), "limits": False})


def test_a_list_needs_an_event_at_which_lists_apply(app):
    hall = Hall(app.test_client(), policy={"limits": False})
    assert hall.organiser.patch("", limits_list=RESTRICTION).status_code == 422
    hall.register("Nami Cat")
    tried = hall.judge.post("/impact", {"lines": "OP01-016 banned"}).json
    assert (tried["lists"], tried["changes"], tried["illegal"]) == (1, [], [])
