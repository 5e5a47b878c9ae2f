"""The ruleset files, and the sentences with which the loader refuses a bad one."""

from datetime import date
from datetime import timedelta

import pytest

from carddb.catalogue import Catalogue
from validator import Judge
from validator import Terms
from validator import limits
from validator import rulesets
from validator.rulesets import RulesetError
from validator.rulesets import compiled
from validator.rulesets import games
from validator.rulesets import of_game


def test_the_editions_that_ship():
    assert list(rulesets()) == [
        "bos-1.3", "bos-original", "dbs-1.073", "dbs-4.00", "dbs-launch", "dbs-zenkai", "optcg-1.1.9",
    ]  # fmt: skip
    assert games() == ("bos", "dbs", "optcg")


@pytest.mark.parametrize(
    ("game", "day", "ruleset"),
    [
        ("dbs", "2015-01-01", "dbs-launch"),
        ("dbs", "2019-01-24", "dbs-launch"),
        ("dbs", "2019-01-25", "dbs-1.073"),
        ("dbs", "2020-07-16", "dbs-1.073"),
        ("dbs", "2020-07-17", "dbs-zenkai"),
        ("dbs", "2025-01-08", "dbs-zenkai"),
        ("dbs", "2025-01-09", "dbs-4.00"),
        ("dbs", "2099-01-01", "dbs-4.00"),
        ("optcg", "2022-12-02", "optcg-1.1.9"),
        ("optcg", "2026-11-21", "optcg-1.1.9"),
        ("bos", "2000-01-01", "bos-1.3"),
    ],
)
def test_the_edition_in_force_on_a_day(game, day, ruleset):
    assert of_game(game, date.fromisoformat(day)).id == ruleset


def test_an_unknown_game_is_refused_with_the_games_there_are():
    with pytest.raises(ValueError, match="bos, dbs, optcg"):
        of_game("chess", date(2026, 1, 1))


def test_every_rule_cites_a_document_and_a_section():
    rules = [rule for ruleset in rulesets().values() for rule in ruleset.rules.values()]
    assert len(rules) == 76
    assert all(rule.cite.document and rule.cite.section and rule.says for rule in rules)


def test_every_ruleset_format_and_day_of_change_compiles():
    judges = 0
    for ruleset in rulesets().values():
        catalogue = Catalogue(ruleset.game, "none", [])
        listed, rotation = limits.load(ruleset.game), limits.rotation(ruleset.game)
        regions = list(listed.regions) or ["en"]
        for region in regions:
            days = {date(2017, 1, 1), ruleset.in_force_from or date(2017, 1, 1), *listed.dates(region)}
            days |= set(rotation.dates(date(2030, 1, 1))) if rotation else set()
            for format in ruleset.formats:
                for day in days | {day - timedelta(days=1) for day in days}:
                    assert Judge(Terms(ruleset, day, region, format), catalogue).rules
                    judges += 1
    assert judges == 302


GOOD = {
    "id": "game-1",
    "game": "game",
    "title": "The Rules",
    "rules": {
        "sections": {"kind": "sections", "says": "…", "section": "1", "sections": ["main"]},
        "types": {"kind": "types", "says": "…", "section": "1", "of": "main", "types": ["Card"]},
        "size": {"kind": "size", "says": "…", "section": "2", "of": "main", "minimum": 40, "maximum": 60},
    },
}


def edition(rules=None, **changes):
    return {**GOOD, **changes, "rules": {**GOOD["rules"], **(rules or {})}}


def size(**changes):
    return edition({"size": {**GOOD["rules"]["size"], **changes}})


def heir(rules=None, **changes):
    return {
        "id": "game-2",
        "game": "game",
        "title": "More Rules",
        "inherits": "game-1",
        "rules": rules or {},
        **changes,
    }


def test_an_edition_inherits_and_overrides_by_name():
    longer = {"size": {**GOOD["rules"]["size"], "maximum": 80}}
    both = compiled([GOOD, heir(longer)])
    assert both["game-1"].rules["size"].maximum == 60
    assert both["game-2"].rules["size"].maximum == 80
    assert both["game-2"].rules["types"].cite.document == "The Rules"
    assert both["game-2"].rules["size"].cite.document == "More Rules"


@pytest.mark.parametrize(
    ("editions", "words"),
    [
        ([{**GOOD, "sizes": 3}], "unknown entry sizes"),
        ([{**GOOD, "title": 3}], "write its title"),
        ([{**GOOD, "from": "2019"}], "write `from` as a date"),
        ([GOOD, GOOD], "two files have this id"),
        ([edition({"x": {"kind": "magic"}})], "unknown kind 'magic'; the kinds are"),
        ([edition({"x": {"kind": "size", "section": "1"}})], "write `says`"),
        ([edition({"x": {"kind": "size", "says": "…"}})], "write `section`"),
        ([size(most=3)], "size has no most; it has"),
        ([size(minimum=61)], "the minimum 61 is over the maximum 60"),
        ([size(minimum="40")], "write a whole number"),
        ([size(minimum=True)], "write a whole number"),
        ([size(minimum=-1)], "write a whole number"),
        (
            [edition({"x": {"kind": "size", "says": "…", "section": "1", "of": "main", "minimum": 1}})],
            "a value is missing",
        ),
        ([size(of="side")], "no section side"),
        ([edition({"types": {**GOOD["rules"]["types"], "types": "Card"}})], "write a list of texts"),
        ([edition({"sections": {**GOOD["rules"]["sections"], "sections": ["main", "side"]}})], "what side takes"),
        (
            [edition({"sections": {**GOOD["rules"]["sections"], "sections": ["main", "attic"]}})],
            "no deck has a section attic",
        ),
        ([heir()], "inherits 'game-1', which does not exist"),
        ([GOOD, heir(GOOD["rules"], document="The Rules")], "just what game-1 says; delete it here"),
        ([GOOD, heir(drop=["magic"])], "drops the rule 'magic'"),
        ([GOOD, heir(drop=["sections"])], "one rule of the kind sections"),
        ([{**GOOD, "inherits": "game-2"}, heir()], "break the circle"),
        ([{**GOOD, "superseded_by": "game-9"}], "superseded by 'game-9', which does not exist"),
    ],
)
def test_a_bad_file_is_refused_with_how_to_mend_it(editions, words):
    with pytest.raises(RulesetError, match=words.replace("(", r"\(")):
        compiled(editions)


@pytest.mark.parametrize(
    ("ruleset", "details", "words"),
    [
        ("dbs-4.00", {"format": "extra"}, "no format 'extra'; it has standard"),
        ("optcg-1.1.9", {"format": "vintage"}, "it has standard, extra"),
    ],
)
def test_a_format_that_there_is_not_is_refused(ruleset, details, words):
    with pytest.raises(ValueError, match=words):
        Terms(rulesets()[ruleset], date(2026, 1, 1), **details)


def test_a_region_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="region"):
        Judge(Terms(rulesets()["optcg-1.1.9"], date(2026, 1, 1), region="mars"), Catalogue("optcg", "none", []))
