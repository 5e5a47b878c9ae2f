"""The ruleset files, and the sentences with which the loader refuses a bad one."""

from dataclasses import replace
from datetime import date, timedelta
from itertools import chain

import pytest

from carddb.catalogue import Catalogue
from validator import Judge, Policy, Terms, rulesets
from validator.errors import DocumentError, UnknownGame, UnknownRuleset
from validator.findings import Citation
from validator.games import GAMES
from validator.limits import shipped_lists
from validator.rulesets import editions, of_game


def test_the_editions_that_ship():
    assert list(rulesets()) == [
        "bos-1.3", "bos-original", "dbs-1.061", "dbs-1.062", "dbs-1.063", "dbs-1.064", "dbs-1.070", "dbs-1.071",
        "dbs-1.073", "dbs-1.074", "dbs-1.077", "dbs-1.0781", "dbs-4.00", "dbs-launch", "dbs-zenkai", "fusion-launch",
        "gundam-1.9.0", "optcg-1.1.9", "optcg-1.2.0", "optcg-1.2.1",
    ]  # fmt: skip


@pytest.mark.parametrize("day", [date(1990, 1, 1), date(2026, 11, 22), date(2999, 12, 31)])
def test_a_game_without_days_has_its_newest_edition_always(day):
    assert of_game("bos", day).id == "bos-1.3"


def test_an_unknown_game_is_refused_with_the_games_there_are():
    with pytest.raises(UnknownGame, match="optcg, dbs, fusion, gundam, bos"):
        of_game("chess", date(2026, 1, 1))


def days_of_change(ruleset, region):
    """The days from which something is judged otherwise, and the day before each."""
    rotation = shipped_lists(ruleset.game).rotation
    first = [one.in_force_from for one in rulesets().values() if one.game == ruleset.game and one.in_force_from]
    days = chain([date(2017, 1, 1)], first, shipped_lists(ruleset.game).listed.dates(region))
    if rotation:
        days = chain(days, rotation.dates(date(2030, 1, 1)))
    return sorted({day - timedelta(days=back) for day in days for back in (0, 1)})


@pytest.mark.slow
def test_every_ruleset_format_region_and_day_of_change_compiles():
    judges = {}
    for ruleset in rulesets().values():
        catalogue = Catalogue(ruleset.game, "none", [])
        for region in shipped_lists(ruleset.game).listed.regions or ["en"]:
            for format in ruleset.formats:
                for day in days_of_change(ruleset, region):
                    assert Judge(Terms(ruleset, day, region, format), catalogue).rules
                    judges[ruleset.game] = judges.get(ruleset.game, 0) + 1
    assert judges == {"bos": 4, "dbs": 1872, "fusion": 14, "gundam": 20, "optcg": 348}


@pytest.mark.parametrize("name", [name for name in rulesets() if not name.startswith(("optcg", "fusion"))])
def test_every_ruleset_that_may_have_a_side_deck_compiles_with_one(name):
    ruleset = rulesets()[name]
    judge = Judge(Terms(ruleset, date(2026, 1, 1), policy=Policy(side_max=10)), Catalogue(ruleset.game, "none", []))
    assert {rule.name for rule in judge.rules} >= {"sections", "side-size", "side-types", "copies"}


GAME_1 = """
id = "game-1"
game = "game"
title = "The Rules"
[rules.sections]
kind = "sections"
says = "…"
section = "1"
sections = ["main"]
[rules.types]
kind = "types"
says = "…"
section = "1"
of = "main"
types = ["Card"]
[rules.copies]
kind = "copies"
says = "…"
section = "3"
limit = 4
sections = ["main"]
[rules.size]
kind = "size"
says = "…"
section = "2"
of = "main"
minimum = 40
maximum = 60
"""
SIZE = GAME_1[GAME_1.index("[rules.size]") :]
GAME_2 = 'id = "game-2"\ngame = "game"\ntitle = "More Rules"\ninherits = "game-1"\nfrom = 2026-01-01\n'
KEYWORD = (
    '[rules.wish]\nkind = "keyword"\nsays = "…"\nsection = "3"\nkeyword = "Wish"\nlimit = 7\nsections = ["main"]\n'
)
SIDE = """
[with_side_deck.sections]
sections = ["main", "side"]
[with_side_deck.side-types]
kind = "types"
says = "…"
document = "Policy"
section = "types"
of = "side"
types = ["Card"]
[with_side_deck.wish]
sections = ["main", "side"]
with_side = { document = "Policy", section = "keywords" }
"""


def load_files(folder, *files):
    """Return the rulesets of a folder, after these texts were written into it as files."""
    for number, text in enumerate(files, 1):
        (folder / f"game-{number}.toml").write_text(text, "utf-8")
    return editions.load_rulesets(folder)


def test_only_the_files_of_the_game_are_read(tmp_path):
    (tmp_path / "other-1.toml").write_text("this is no TOML", "utf-8")
    (tmp_path / "game-1.toml").write_text(GAME_1, "utf-8")
    assert list(editions.load_rulesets(tmp_path, "game")) == ["game-1"]


def test_the_name_of_a_ruleset_file_begins_with_its_game(tmp_path):
    (tmp_path / "other-1.toml").write_text(GAME_1.replace('id = "game-1"', 'id = "other-1"'), "utf-8")
    with pytest.raises(DocumentError, match=r"other-1\.toml: the game is 'game'; begin the name of the file with it"):
        editions.load_rulesets(tmp_path, "other")


def test_an_edition_inherits_what_it_does_not_change_and_cites_it_where_it_was_written(tmp_path):
    both = load_files(tmp_path, GAME_1, GAME_2 + '[rules.size]\nsays = "To 80."\nsection = "2"\nmaximum = 80\n')
    assert [both[name].rules["size"].maximum for name in both] == [60, 80]
    assert (both["game-2"].rules["size"].minimum, both["game-2"].rules["types"].says) == (40, "…")
    cited = {name: rule.cite.document for name, rule in both["game-2"].rules.items()}
    assert cited == {
        "sections": "The Rules",
        "types": "The Rules",
        "copies": "The Rules",
        "size": "More Rules",
    }


def test_a_rule_with_a_section_of_its_own_is_cited_from_the_edition(tmp_path):
    rules = load_files(tmp_path, GAME_1, GAME_2 + '[rules.size]\nsection = "2"\n[rules.types]\nsection = "1-1"\n')
    assert rules["game-2"].rules["size"].cite == Citation("More Rules", "2")
    assert rules["game-2"].rules["types"].cite == Citation("More Rules", "1-1")
    assert rules["game-2"].rules["sections"].cite == Citation("The Rules", "1")


def test_an_edition_that_recites_is_cited_for_all_that_the_older_one_says_itself(tmp_path):
    policy = GAME_1 + KEYWORD + 'with_side = { document = "Policy", section = "keywords" }\n'
    swap = 'swap = { section = "9" }\n'
    recited = load_files(tmp_path, swap + policy, GAME_2 + 'recite = true\n[rules.wish]\nsection = "4"\n')["game-2"]
    cited = {name: (rule.cite.document, rule.cite.section) for name, rule in recited.rules.items()}
    assert cited == {
        "sections": ("More Rules", "1"),
        "types": ("More Rules", "1"),
        "copies": ("More Rules", "3"),
        "size": ("More Rules", "2"),
        "wish": ("More Rules", "4"),
    }
    assert recited.rules["wish"].with_side == Citation("Policy", "keywords")
    assert recited.swap.cite == Citation("More Rules", "9")


def test_an_edition_of_an_edition_recites_all_of_it(tmp_path):
    third = 'id = "game-3"\ngame = "game"\ntitle = "Most Rules"\ninherits = "game-2"\n'
    third += "recite = true\nfrom = 2027-01-01\n"
    found = load_files(tmp_path, GAME_1, GAME_2 + "recite = true\n", third)["game-3"]
    assert {rule.cite.document for rule in found.rules.values()} == {"Most Rules"}


def test_rules_for_a_side_deck_change_the_rules_of_the_edition_that_has_none(tmp_path):
    changed = GAME_2 + 'recite = true\n[rules.wish]\nsays = "3."\nsection = "4"\nlimit = 3\n'
    for ruleset, document, section, limit in zip(
        load_files(tmp_path, GAME_1 + KEYWORD + SIDE, changed).values(),
        ("The Rules", "More Rules"),
        ("3", "4"),
        (7, 3),
        strict=True,
    ):
        assert ruleset.sections == ("main",)
        allowed = ruleset.with_policy(Policy(side_max=1), date(2026, 1, 1))
        assert (allowed.sections, allowed.types["side"]) == (("main", "side"), ("Card",))
        wish = allowed.rules["wish"]
        assert (wish.cite, wish.limit) == (Citation(document, section), limit)
        assert (wish.sections, wish.with_side) == (("main", "side"), Citation("Policy", "keywords"))


def test_a_note_is_of_one_edition_alone(tmp_path):
    one, two = load_files(tmp_path, 'note = "Half of it is lost."\n' + GAME_1, GAME_2).values()
    assert (one.note, two.note) == ("Half of it is lost.", None)


SAID = '[rules.size]\nsays = "Fewer."\nsection = "2"\n'
HEIR = {
    "inherits nobody": ('inherits = "game-1"\n', 'inherits = "game-0"\n', "inherits: unknown word 'game-0'"),
    "a rule that is inherited as it is": ("", SIZE + 'document = "The Rules"', "delete it"),
    "an inherited value again": ("", "[rules.size]\nmaximum = 60\n", "rule size: .*delete it"),
    "an inherited value beside a new one": ("", "[rules.size]\nmaximum = 60\nminimum = 30\n", "maximum is .*delete it"),
    "a section that it recites": ("", 'recite = true\n[rules.size]\nsection = "2"\n', "rule size: .*delete it"),
    "a change of no rule": ("", "[rules.magic]\nlimit = 3\n", "rule magic: .*write its kind"),
    "a change of no rule for a side deck": ("", "[with_side_deck.magic]\nlimit = 3\n", "magic: .*write its kind"),
    "drops what it does not have": ("", 'drop = ["magic"]\n', "drops the rule 'magic'"),
    "drops its sections": ("", 'drop = ["sections"]\n', "one rule of the kind sections"),
    "drops its copies": ("", 'drop = ["copies"]\n', "one rule of the kind copies, not 0"),
    "recites false": ("", "recite = false\n", "recite: write true"),
    "another value of no place": ("", '[rules.size]\nsays = "3."\nmaximum = 70\n', "changes maximum; write section"),
    "another value said as before": (
        "",
        "recite = true\n[rules.size]\nmaximum = 70\n",
        "rule size: it changes maximum; write says",
    ),
    "a value that the kind has not": ("", SAID + "most = 3\n", "unknown word 'most'; known are .*maximum"),
    "a side deck without types": (
        "",
        '[with_side_deck.sections]\nsections = ["main", "side"]\n',
        "kind types what side takes",
    ),
}
FIRST = {
    "a slip": ('says = "…"\n', 'says = …"\n', r"game-1.toml: .*line 7"),
    "a key written twice": ("minimum = 40\n", "minimum = 40\nminimum = 41\n", r"game-1.toml: .*line 28.*once"),
    "an unknown entry": ('game = "game"\n', 'game = "game"\nsizes = 3\n', "game-1.toml: .*'sizes'; known are id"),
    "a title that is no text": ('"The Rules"', "3", "game-1.toml: .*title: 3 should be a text"),
    "no title": ('title = "The Rules"\n', "", "title is missing"),
    "no id": ('id = "game-1"\n', "", "game-1.toml: .*id is missing"),
    "another id": ('id = "game-1"', 'id = "game-9"', "game-1.toml: the id is 'game-9'"),
    "a day in quotes": ('game = "game"\n', 'game = "game"\nfrom = "2019-01-25"\n', "from: .*a day without quotes"),
    "recites nobody": ('game = "game"\n', 'game = "game"\nrecite = true\n', "recite: .*where the edition inherits"),
    "superseded by nobody": ('game = "game"\n', 'game = "game"\nsuperseded_by = "game-9"\n', "unknown word 'game-9'"),
    "inherits itself": ('game = "game"\n', 'game = "game"\ninherits = "game-1"\n', "break the circle"),
    "formats that are no texts": ('game = "game"\n', 'game = "game"\nformats = [1]\n', "formats: 1 should be a text"),
    "a kind that there is not": ('kind = "size"', 'kind = "magic"', "rule size, kind: unknown word 'magic'; known"),
    "no kind": ('kind = "size"\n', "", "rule size: .*write its kind, one of"),
    "no section": ('section = "2"\n', "", "rule size: section is missing"),
    "an empty sentence": ('says = "…"\nsection = "2"', 'says = ""\nsection = "2"', "rule size: says is empty"),
    "no sentence": ('says = "…"\nsection = "2"', 'section = "2"', "rule size: says is missing"),
    "no minimum": ("minimum = 40\n", "", "rule size: minimum is missing; write a whole number"),
    "not of what": ('of = "main"\nminimum', "minimum", "rule size: of is missing; write a text"),
    "a number in quotes": ("minimum = 40", 'minimum = "40"', "minimum: '40' should be a whole number"),
    "a number that is true": ("minimum = 40", "minimum = true", "minimum: true should be a whole number"),
    "a number below 0": ("minimum = 40", "minimum = -1", "minimum: -1 is below 0"),
    "a minimum over the maximum": ("minimum = 40", "minimum = 61", "the minimum 61 is over the maximum 60"),
    "a section that the edition has not": (
        'of = "main"\nminimum',
        'of = "side"\nminimum',
        "rule size: unknown word 'side'",
    ),
    "another number of Leaders": (
        "[rules.size]",
        '[rules.leader]\nkind = "leader_count"\nsays = "…"\nsection = "4"\ncount = 2\n[rules.size]',
        "rule leader: count 2: .*knows one",
    ),
    "a Leader and no section for it": (
        "[rules.size]",
        '[rules.leader]\nkind = "leader_count"\nsays = "…"\nsection = "4"\ncount = 1\n[rules.size]',
        "a section leader has a rule of the kind leader_count",
    ),
    "two rules on copies": (
        "[rules.size]",
        '[rules.more]\nkind = "copies"\nsays = "…"\nsection = "4"\nlimit = 3\nsections = ["main"]\n[rules.size]',
        "one rule of the kind copies, not 2",
    ),
    "two rules on the types of a section": (
        "[rules.size]",
        '[rules.more]\nkind = "types"\nsays = "…"\nsection = "4"\nof = "main"\ntypes = ["Pin"]\n[rules.size]',
        "with one rule of the kind types what main takes",
    ),
    "no types": ('types = ["Card"]', "types = []", "rule types, types: the list is empty"),
    "no formats": ('game = "game"\n', 'game = "game"\nformats = []\n', "formats: the list is empty"),
    "a section that no deck has": ('sections = ["main"]', 'sections = ["main", "attic"]', "unknown word 'attic'"),
    "a section without types": ('sections = ["main"]', 'sections = ["main", "side"]', "kind types what side takes"),
    "one text for a list": ('types = ["Card"]', 'types = "Card"', "types: 'Card' should be a list"),
    "a list of numbers": ('types = ["Card"]', "types = [3]", "types: 3 should be a text"),
    "a rule that is no table": ("[rules.size]", "[rules]\nnothing = 3\n[rules.size]", "nothing: 3 should be a table"),
    "a swap without its place": (
        "[rules.size]",
        "[swap]\none_for_one = true\n[rules.size]",
        "swap: section is missing",
    ),
    "a citation of more": (
        'types = ["Card"]',
        'types = ["Card"]\nz_cards = { section = "1", page = "2" }',
        "z_cards: unknown word 'page'",
    ),
}


@pytest.mark.parametrize(("old", "new", "words"), FIRST.values(), ids=FIRST)
def test_a_bad_file_is_refused_with_how_to_mend_it(tmp_path, old, new, words):
    assert old in GAME_1
    with pytest.raises(DocumentError, match=words):
        load_files(tmp_path, GAME_1.replace(old, new))


def test_a_section_of_leaders_that_nobody_counts_is_refused(tmp_path):
    leader = '[rules.leader]\nkind = "types"\nsays = "…"\nsection = "4"\nof = "leader"\ntypes = ["Leader"]\n'
    with pytest.raises(DocumentError, match="a section leader has a rule of the kind leader_count; write both"):
        load_files(tmp_path, GAME_1.replace('["main"]', '["leader", "main"]', 1) + leader)


@pytest.mark.parametrize(("old", "new", "words"), HEIR.values(), ids=HEIR)
def test_a_bad_heir_is_refused_with_how_to_mend_it(tmp_path, old, new, words):
    with pytest.raises(DocumentError, match=words):
        load_files(tmp_path, GAME_1, GAME_2.replace(old, "") + new)


SINCE = 'game = "game"\nfrom = 2026-01-01\n'
DAYS = {
    "no first day after one that has": ("from = 2026-01-01\n", "", "inherits game-1, in force from 2026-01-01; write"),
    "the day of the one before": ("", "", "inherits game-1, in force from 2026-01-01; write from, a later day"),
    "last year's day": ("from = 2026", "from = 2025", "write from, a later day"),
    "another game": ('game = "game"', 'game = "games"', "it is of games and inherits game-1, of game"),
}


@pytest.mark.parametrize(("old", "new", "words"), DAYS.values(), ids=DAYS)
def test_an_edition_follows_the_one_that_it_inherits(tmp_path, old, new, words):
    first = GAME_1.replace('game = "game"\n', SINCE)
    with pytest.raises(DocumentError, match=f"game-2: .*{words}"):
        load_files(tmp_path, first, GAME_2.replace(old, new))


@pytest.mark.parametrize(
    ("since", "words"),
    [("from = 2026-01-01\n", "both in force from 2026-01-01"), ("", "both in force without a first day")],
)
def test_no_two_editions_are_in_force_on_one_day(tmp_path, since, words):
    one = GAME_1.replace('game = "game"\n', f'game = "game"\n{since}')
    with pytest.raises(DocumentError, match=f"game-1 and game-2 are {words}; .*superseded_by"):
        load_files(tmp_path, one, one.replace("game-1", "game-2"))
    superseded = one.replace('game = "game"\n', 'game = "game"\nsuperseded_by = "game-2"\n')
    assert len(load_files(tmp_path, superseded, one.replace("game-1", "game-2"))) == 2


def test_a_circle_of_heirs_is_refused(tmp_path):
    first = GAME_1.replace('game = "game"\n', 'game = "game"\ninherits = "game-2"\n')
    with pytest.raises(DocumentError, match="break the circle"):
        load_files(tmp_path, first, GAME_2)


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


def test_terms_take_a_ruleset_by_its_id():
    day = date(2026, 1, 1)
    assert Terms("optcg-1.1.9", day) == Terms(rulesets()["optcg-1.1.9"], day)
    assert replace(Terms("dbs-4.00", day), policy=Policy(side_max=10)) == Terms(
        "dbs-4.00", day, policy=Policy(side_max=10)
    )
    with pytest.raises(UnknownRuleset, match=r"optcg-1\.1\.9"):
        Terms("optcg-9", day)


def test_terms_of_a_game_are_of_the_edition_of_the_day():
    before = rulesets()["optcg-1.2.0"].in_force_from - timedelta(days=1)
    assert Terms.of_game("optcg", before) == Terms("optcg-1.1.9", before)
    assert Terms.of_game("optcg", before + timedelta(days=1)).ruleset.id == "optcg-1.2.0"
    assert Terms.of_game("dbs", date(2026, 11, 1), policy=Policy(side_max=10)).policy.side_max == 10
    assert {Terms.of_game(game, date(2026, 11, 1)).format for game in GAMES} == {"standard"}


def test_a_region_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="region"):
        Judge(Terms(rulesets()["optcg-1.1.9"], date(2026, 1, 1), region="mars"), Catalogue("optcg", "none", []))
