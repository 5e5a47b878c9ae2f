"""What changes with the editions of a manual: the day before, the day itself, and what is cited."""

from datetime import date, timedelta

import pytest

from tests.validator.table import Table, assert_illegal, assert_legal, dbs, names, optcg
from validator import Judge, Policy, Terms, rulesets
from validator.errors import PolicyError
from validator.rulesets import of_game

# Where each manual limits [Ultimate], [Super Combo] and [Dragon Ball]; before it names a keyword, the card's text does.
BY_TEXT = "5-1-3-2"
MANUALS = {
    "dbs-launch": ("2017-07-28", BY_TEXT, BY_TEXT, BY_TEXT),
    "dbs-1.061": ("2018-03-02", "10-16-1", "10-21", BY_TEXT),
    "dbs-1.062": ("2018-04-13", "10-16-1", "10-20", BY_TEXT),
    "dbs-1.063": ("2018-05-25", "10-16-1", "10-20", BY_TEXT),
    "dbs-1.064": ("2018-07-06", "10-17-1", "10-21", BY_TEXT),
    "dbs-1.070": ("2018-11-02", "10-14-1", "10-17", "10-31-1"),
    "dbs-1.071": ("2018-11-15", "10-14-1", "10-17", "10-31-1"),
    "dbs-1.073": ("2019-01-25", "10-14-1", "10-17", "10-31-1"),
    "dbs-1.074": ("2019-02-08", "10-14-1", "10-17", "10-31-1"),
    "dbs-1.077": ("2019-04-08", "10-14-1", "10-17", "10-31-1"),
    "dbs-1.0781": ("2019-05-27", "10-14-1", "10-17", "10-31-1"),
}
DAYS = {
    "dbs": {name: day for name, (day, *_) in MANUALS.items()} | {"dbs-zenkai": "2020-07-17", "dbs-4.00": "2025-01-09"},
    "optcg": {"optcg-1.1.9": "2025-10-17", "optcg-1.2.0": "2026-01-16", "optcg-1.2.1": "2026-08-28"},
}
KEYWORDS = {"Ultimate": 1, "Super Combo": 4, "Dragon Ball": 7}
POLICY = "Tournament policy (Dragon Ball Super Card Game)"


@pytest.mark.parametrize("game", DAYS)
def test_every_edition_holds_from_its_day_to_the_day_before_the_next(game):
    assert set(DAYS[game]) == {one.id for one in rulesets().values() if one.game == game}
    before = next(iter(DAYS[game]))
    for name, written in DAYS[game].items():
        day = date.fromisoformat(written)
        assert of_game(game, day - timedelta(days=1)).id == before
        assert of_game(game, day).id == name
        assert rulesets()[name].in_force_from == day
        before = name
    assert of_game(game, date(2099, 1, 1)).id == before


@pytest.mark.parametrize("name", MANUALS)
def test_keywords_are_limited_from_the_first_day_and_cited_from_the_manual_of_the_day(name):
    written, *citations = MANUALS[name]
    for (word, limit), citation in zip(KEYWORDS.items(), citations, strict=True):
        table = Table(name, dbs("K-1", keywords=(word,)), dbs("K-2", keywords=(word,)), day=date.fromisoformat(written))
        assert_legal(table.verdict({"K-1": limit}))
        both = table.verdict({"K-1": limit, "K-2": 1})
        found = assert_illegal(both, "keyword.exceeded", "main", citation, "K-1", "K-2", count=limit + 1, limit=limit)
        assert found.rule.document == rulesets()[name].title


@pytest.mark.parametrize("name", MANUALS)
def test_what_a_manual_repeats_is_cited_from_it(name):
    table = Table(name, dbs("C-1"), dbs("T-1", "Unison"))
    broken = [
        table.verdict(leader={}),
        table.verdict(names("dbs", 49), fill=False),
        table.verdict({"C-1": 5}),
        table.verdict({"T-1": 1}),
        table.verdict(z={"Z-01": 1}),
    ]
    cited = [one.rule for verdict in broken for one in verdict.findings]
    assert [rule.section for rule in cited] == ["5-1-2", "5-1-3", "5-1-3-1", "5-1-3", "5-1-1"]
    assert {rule.document for rule in cited} == {rulesets()[name].title}


@pytest.mark.parametrize("name", MANUALS)
def test_a_side_deck_is_had_by_policy_alone(name):
    side = {f"X-{n:02}": 1 for n in range(13, 23)}
    assert_illegal(Table(name).verdict(side=side), "section.not_allowed", "side", "5-1-1", count=10)
    assert_legal(Table(name, side_max=15).verdict(side=side))
    assert "side" in Table(name, side_max=15).judge.terms.ruleset.sections
    assert "side" not in rulesets()[name].sections


@pytest.mark.parametrize("name", MANUALS)
def test_a_side_deck_had_by_policy_has_the_rules_of_one(name):
    table = Table(name, dbs("C-1"), dbs("T-1", "Leader"), side_max=15)
    most = {f"X-{n:02}": 1 for n in range(13, 28)}
    assert_legal(table.verdict(side=most))
    cited = [
        assert_illegal(
            table.verdict(side={**most, "C-1": 1}), "size", "side", "side deck size", count=16, limit=15
        ).rule,
        assert_illegal(table.verdict(side={"T-1": 1}), "type.misplaced", "side", "side deck, Leader Cards", "T-1").rule,
        assert_illegal(
            table.verdict({"C-1": 4}, side={"C-1": 1}),
            "copies.exceeded",
            "main",
            "copies over deck and side deck",
            "C-1",
            count=5,
            limit=4,
        ).rule,
    ]
    assert {rule.document for rule in cited} == {POLICY}
    alone = table.verdict({"C-1": 5}, side={"C-1": 1}).findings[0]
    assert (alone.rule.document, alone.rule.section) == (rulesets()[name].title, "5-1-3-1")
    assert_illegal(table.verdict(z={"Z-01": 1}), "section.not_allowed", "z", "5-1-1", count=1)


@pytest.mark.parametrize("name", MANUALS)
@pytest.mark.parametrize(("word", "limit"), KEYWORDS.items())
def test_keywords_count_over_a_side_deck_had_by_policy(name, word, limit):
    cards = [dbs("K-1", keywords=(word,)), dbs("K-2", keywords=(word,))]
    table = Table(name, *cards, side_max=15)
    assert_legal(table.verdict({"K-1": limit - 1}, side={"K-2": 1}))
    split = table.verdict({"K-1": limit}, side={"K-2": 1})
    found = assert_illegal(split, "keyword.exceeded", "main", "keywords over deck and side deck", "K-1", "K-2")
    assert (found.rule.document, found.count) == (POLICY, limit + 1)
    in_deck = table.verdict({"K-1": limit, "K-2": 1})
    assert in_deck.findings[0].rule.document == rulesets()[name].title


def test_policy_sets_the_size_and_counts_the_side_deck_for_itself_in_2019_too():
    table = Table("dbs-1.074", dbs("C-1"), side_max=4, copies_across_side=False)
    assert_legal(table.verdict({"C-1": 4}, side={"C-1": 4}))
    found = table.verdict({"C-1": 4}, side={"C-1": 5})
    assert [(one.code, one.section, one.limit) for one in found.findings] == [
        ("copies.exceeded", "side", 4),
        ("size", "side", 4),
    ]


def test_no_side_deck_by_policy_is_none():
    assert_illegal(Table("dbs-1.073", side_max=0).verdict(side={"X-29": 1}), "section.not_allowed", "side", "5-1-1")


@pytest.mark.parametrize("name", DAYS["optcg"])
@pytest.mark.parametrize("policy", [{"side_max": 15}, {"copies_across_side": True}])
def test_a_policy_on_a_side_deck_that_no_event_may_allow_is_refused(name, policy):
    with pytest.raises(PolicyError, match=name) as refused:
        Terms(rulesets()[name], date(2026, 11, 1), policy=Policy(**policy))
    assert [refused.value.key] == list(policy)


@pytest.mark.parametrize("name", DAYS["optcg"])
def test_a_policy_of_no_side_deck_changes_nothing_in_a_game_without_one(name):
    ruleset = rulesets()[name]
    assert Terms(ruleset, date(2026, 11, 1), policy=Policy(side_max=0)).ruleset is ruleset


@pytest.mark.parametrize("name", ["bos-1.3", "bos-original", "dbs-zenkai", "dbs-4.00"])
def test_an_edition_with_a_side_deck_has_no_other(name):
    ruleset = rulesets()[name]
    assert not ruleset.with_side_deck
    assert ruleset.with_policy(Policy(side_max=10, copies_across_side=False), date(2026, 11, 1)) is ruleset


@pytest.mark.parametrize("name", DAYS["optcg"])
def test_one_piece_says_the_same_of_decks_in_every_version(name):
    verdict = Table(name, optcg("C-1"), format="extra").verdict({"C-1": 5})
    found = assert_illegal(verdict, "copies.exceeded", "main", "5-1-2-3", "C-1", count=5, limit=4)
    assert found.rule.document == rulesets()[name].title
    first = [(rule.says, rule.cite.section, rule.parameters()) for rule in rulesets()["optcg-1.1.9"].rules.values()]
    assert [(one.says, one.cite.section, one.parameters()) for one in rulesets()[name].rules.values()] == first


@pytest.mark.parametrize(
    ("game", "day", "since", "is_later", "is_doubtful"),
    [
        ("optcg", "2022-12-02", "2025-10-17", True, False),
        ("optcg", "2025-10-16", "2025-10-17", True, False),
        ("optcg", "2025-10-17", "2025-10-17", False, False),
        ("optcg", "2026-08-27", "2026-01-16", False, False),
        ("optcg", "2026-08-28", "2026-08-28", False, True),
        ("dbs", "2017-07-27", "2017-07-28", True, True),
        ("dbs", "2017-07-28", "2017-07-28", False, True),
        ("dbs", "2018-03-02", "2018-03-02", False, False),
        ("bos", "2000-01-01", None, False, False),
    ],
)
def test_a_verdict_says_of_its_edition_since_when_and_what_is_not_sure(game, day, since, is_later, is_doubtful):
    on = date.fromisoformat(day)
    ruleset = of_game(game, on)
    table = Table(ruleset.id, day=on)
    shown = Judge(Terms(ruleset, on), table.catalogue)(table.deck()).as_dict()["ruleset"]
    assert (shown["id"], shown["in_force_from"]) == (ruleset.id, since)
    assert (str(since) in (shown["note"] or "")) is is_later
    assert (ruleset.note is not None) is is_doubtful
    assert (ruleset.note or "") in (shown["note"] or "")
    assert (shown["note"] is None) is not (is_later or is_doubtful)


def test_an_older_day_than_the_edition_asked_for_is_said_too():
    ruleset = rulesets()["dbs-4.00"]
    assert ruleset.note_on(date(2025, 1, 8)) is not None
    assert ruleset.note_on(date(2025, 1, 9)) is None
