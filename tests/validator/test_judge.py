"""The Judge as a whole: the order of findings, the hash, the JSON form, and properties of any deck."""

from dataclasses import replace
from datetime import date
from functools import cache
from itertools import cycle, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.validator.table import Table, clause, dbs, optcg
from validator import Card, Citation, Deck, Finding, Judge, Line, Terms, Unread, finding_codes, rulesets
from validator.codes import index_codes
from validator.deck import SECTIONS
from validator.rules import Rule
from validator.rules.base import drop_repeated_warnings
from validator.unresolved import Suggestions

SPECIAL = [
    optcg("OP14-020", "Leader", printings=("OP14-020", "OP14-020_p1")),
    optcg("OP03-040", printings=("OP03-040", "OP03-040_p1", "OP03-040_r1")),
    optcg("OP05-001", colors=("Blue",), printings=("OP05-001_p2",)),
    optcg("OP01-001", released="2030-01-01"),
    optcg("OP06-001", "Leader"),
]
TABLE = Table("optcg-1.1.9", *SPECIAL)
NUMBERS = [card.number for card in TABLE.catalogue] + ["OP99-999"]

lines = st.lists(st.sampled_from([Line(number, count) for number in NUMBERS for count in range(1, 9)]), max_size=20)
maybe = st.one_of(st.just([]), lines)
decks = st.builds(
    lambda leader, main, side, don: Deck(leader=tuple(leader), main=tuple(main), side=tuple(side), don=tuple(don)),
    lines,
    lines,
    maybe,
    maybe,
)


def verdict_without_deck(verdict):
    """Return the JSON form of a verdict without the deck, whose lines are as written."""
    shown = verdict.as_dict()
    del shown["deck"]
    return shown


def findings(verdict):
    return sorted(
        (f.code, f.section or "", f.count or 0, tuple(sorted(card.number for card in f.cards)))
        for f in verdict.findings
    )


@given(decks, st.randoms())
def test_the_order_of_lines_changes_nothing(deck, random):
    mixed = replace(deck, leader=shuffle_section(deck.leader, random), main=shuffle_section(deck.main, random))
    assert findings(TABLE.judge(mixed)) == findings(TABLE.judge(deck))
    assert TABLE.judge(mixed).deck_hash == TABLE.judge(deck).deck_hash


def shuffle_section(section, random):
    """Return the lines of a section in a random order."""
    section = list(section)
    random.shuffle(section)
    return tuple(section)


@given(decks)
def test_splitting_a_line_in_two_changes_nothing(deck):
    main = tuple(part for line in deck.main for part in split(line))
    assert verdict_without_deck(TABLE.judge(replace(deck, main=main))) == verdict_without_deck(TABLE.judge(deck))


def split(line):
    return [line._replace(count=1), line._replace(count=line.count - 1)] if line.count > 1 else [line]


@given(decks, st.sampled_from([str.lower, str.upper, lambda text: f"  {text} ", lambda text: text.replace("-", "–")]))
def test_the_spelling_of_numbers_changes_nothing(deck, spell):
    main = tuple(line._replace(number=spell(line.number)) for line in deck.main)
    assert findings(TABLE.judge(replace(deck, main=main))) == respell_unknown(findings(TABLE.judge(deck)), spell)
    assert TABLE.judge(replace(deck, main=main)).deck_hash == TABLE.judge(deck).deck_hash


def respell_unknown(findings, spell):
    """Return the findings sorted, with the numbers of unknown cards of the main deck changed by `spell`."""
    return sorted(
        (code, section, count, tuple(spell(n) if code == "card.unknown" and section == "main" else n for n in numbers))
        for code, section, count, numbers in findings
    )


@given(decks)
def test_the_printing_changes_nothing(deck):
    printed = {"OP03-040": "OP03-040_p1", "OP05-001": "op05-001_P2", "OP14-020": "OP14-020_p1"}
    main = tuple(line._replace(number=printed.get(line.number, line.number)) for line in deck.main)
    assert verdict_without_deck(TABLE.judge(replace(deck, main=main))) == verdict_without_deck(TABLE.judge(deck))


@given(decks, st.integers(1, 4))
def test_a_banned_card_never_makes_a_deck_legal(deck, copies):
    before, after = TABLE.judge(deck), TABLE.judge(replace(deck, main=(*deck.main, Line("OP03-040", copies))))
    assert not after.legal
    assert "card.banned" in after.codes
    assert before.legal or set(before.codes) - {"size"} <= set(after.codes)


@given(st.integers(13, 29), st.booleans())
def test_a_legal_deck_with_a_card_more_or_less_is_judged_by_the_size_rule_alone(which, more):
    number = f"X-{which:02}"
    main = TABLE.fill_main({number: 2})
    assert TABLE.verdict(main).legal
    main[number] += 1 if more else -1
    verdict = TABLE.verdict(main, fill=False)
    assert verdict.codes == ["size"]
    assert (verdict.findings[0].count, verdict.findings[0].limit) == (51 if more else 49, 50)


# What may be said of a card, on all kinds of card.
CLAUSES = [
    clause("copies", limit=2),
    clause("copies", limit=1, section="z"),
    clause("copies", limit=None, when={"color": ["Red"]}),
    clause("keyword", keyword="Ultimate", when={"trait": ["God"]}),
    clause("forbid", match={"color": ["Black"]}),
    clause("forbid", match={"not": {"type": ["Z-Battle"]}}, section="z"),
    clause("forbid", match={"cost": {"max": 2}}, when={"multicolor": True}),
    clause("pool", match={"trait": ["God"]}, limit=3),
    clause("alias", traits=["God"]),
    clause("alias", colors=["Black"], match={"type": ["Battle"]}),
    clause("alias", keywords=["Super Combo"], when={"color": ["Black"]}),
    clause("don_size", size=6),
    clause("unread"),
]
KINDS = {
    "dbs": ("Leader", "Battle", "Extra", "Unison", "Z-Battle", "Token", "Unknown"),
    "optcg": ("Leader", "Character", "Event", "Stage", "Unknown"),
    "gundam": ("Unit", "Pilot", "Resource", "EX Base", "Unknown"),
    "fusion": ("Leader", "Battle", "Extra", "Unknown"),
    "bos": ("Warrior", "Legendary Warrior", "Elite Warrior", "Tactic", "Token"),
}
COLORS = [("Red",), ("Black",), ("Red", "Black"), ()]
KEYWORDS = [(), ("Ultimate",), ("Dragon Ball",), ("Super Combo",)]


def peculiar(game):
    """A card of every type with every clause, colours, keywords and unknown facts in turn."""
    turn = zip(product(KINDS[game], [None, *CLAUSES]), cycle(product(COLORS, KEYWORDS, (1, 3))))
    for n, ((kind, words), (colors, keywords, cost)) in enumerate(turn):
        unknown = tuple(["type"] * (kind == "Unknown") + ["colors"] * (not colors))
        yield Card(
            game,
            "" if game == "bos" else f"Q-{n:03}",
            f"Card {n}",
            kind,
            colors=colors,
            cost=cost,
            traits=("God",) if n % 3 else (),
            keywords=keywords,
            construction=(words,) if words else (),
            released="2030-01-01" if n % 17 == 0 else None,
            unknown=unknown,
        )


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "format"), [(one.id, form) for one in rulesets().values() for form in one.formats])
@given(data=st.data())
@settings(max_examples=20)
def test_a_deck_is_judged_as_by_asking_every_rule(ruleset, format, data):
    """Asking only the rules that a card concerns finds just what asking all of them finds."""
    game = rulesets()[ruleset].game
    table = peculiar_table(ruleset, format)
    cards = [Line(card.number or None, 1, card.name) for card in table.catalogue]
    of_cards = st.lists(st.sampled_from([line._replace(count=n) for line in cards for n in range(1, 6)]))
    leaders = [line for line, card in zip(cards, table.catalogue, strict=True) if card.type == "Leader"] or cards
    deck = Deck(
        leader=() if game == "bos" else tuple(data.draw(st.lists(st.sampled_from(leaders), min_size=1, max_size=2))),
        **{section: tuple(data.draw(of_cards)) for section in SECTIONS[1:]},
    )
    verdict = table.judge(deck)
    every = drop_repeated_warnings(finding for rule in table.judge.rules for finding in rule.check(verdict.facts))
    assert sorted(map(repr, verdict.found)) == sorted(map(repr, every))


@cache
def peculiar_table(ruleset, format):
    return Table(ruleset, *peculiar(rulesets()[ruleset].game), format=format)


WRITTEN = [
    Line(number, count, name)
    for number in (
        "OP14-020",
        "OP14-020_p1",
        "op14-020",
        "OP03-040",
        "OP05-001",
        "X-01",
        "X-02",
        "x-02",
        "OP99-999",
        None,
    )
    for count in (0, 1, 4, 5)
    for name in (None, "Pirate X-01", "Pirate OP14-020")
]
written = st.lists(st.sampled_from(WRITTEN), max_size=4).map(tuple)


@given(st.lists(st.builds(Deck, st.one_of(st.just((Line("OP14-020", 1),)), written), written, written), max_size=4))
def test_a_verdict_does_not_hang_on_what_was_judged_before(decks):
    """Whoever has met a card finds it quicker, and nothing else; so does who has forgotten it again."""
    forgetful = Judge(TABLE.judge.terms, TABLE.catalogue, most_learnt=1)
    for deck in decks:
        fresh = Judge(TABLE.judge.terms, TABLE.catalogue)(deck)
        for judge in (TABLE.judge, TABLE.judge, forgetful):
            verdict = judge(deck)
            assert verdict.as_dict() == fresh.as_dict()
            assert verdict.facts.counts == fresh.facts.counts


def test_a_rule_that_does_not_say_whom_it_concerns_is_asked_of_every_deck():
    class Forgetful(Rule):
        def check(self, facts):
            yield Finding(finding_codes()["size"], self.cite, "main", count=0)

    table = Table("dbs-4.00")
    edition = replace(
        table.judge.terms.ruleset,
        rules={**table.judge.terms.ruleset.rules, "new": Forgetful("new", "says", Citation("d", "1"))},
    )
    judge = Judge(replace(table.judge.terms, ruleset=edition), table.catalogue)
    for main in ({}, table.fill_main({})):
        assert "size" in judge(table.deck(leader={"X-LEADER": 1}, main=main)).codes


@given(decks)
def test_every_finding_has_words_and_stands_in_its_order(deck):
    verdict = TABLE.judge(deck)
    shown = verdict.as_dict(explain=True)
    places = [*SECTIONS, None]
    found = shown["findings"]
    keys = [(places.index(f["section"]), f["code"], f["cards"][0]["number"] if f["cards"] else "") for f in found]
    assert keys == sorted(keys)
    assert all(f["message"] and f["fix"] and f["rule"]["document"] and f["rule"]["section"] for f in found)
    assert shown["legal"] is not any(f["severity"] == "error" for f in shown["findings"])
    assert len(shown["checked"]) == len(TABLE.judge.rules)


@given(decks)
def test_every_finding_has_the_details_that_its_code_declares(deck):
    for finding in TABLE.judge(deck).findings:
        declared = {key: kind for key, (kind, _) in finding.kind.details.items()}
        assert finding_codes()[finding.code] is finding.kind
        shown = finding.as_dict()["details"]
        assert shown.keys() == declared.keys()
        assert all(shown[key] is None or type(shown[key]) is kind for key, kind in declared.items())


def test_a_name_that_stands_for_two_kinds_of_finding_is_refused():
    twin = replace(finding_codes()["size"], means="something else")
    assert len(finding_codes()) == 42
    with pytest.raises(ValueError, match="size"):
        index_codes([*finding_codes().values(), twin])


def test_what_is_shown_is_the_callers_own():
    judge = Table("dbs-4.00", dbs("C-1")).judge
    deck = Table("dbs-4.00").deck(leader={"X-LEADER": 1}, main={"C-1": 5})
    before, shown = judge(deck).as_dict(), judge(deck).as_dict()
    spoil(shown)
    assert judge(deck).as_dict() == before


def spoil(value):
    """Change everything that can be changed in a JSON value."""
    for part in list(value.values()) if isinstance(value, dict) else value:
        if isinstance(part, dict | list):
            spoil(part)
    value.clear()


def test_the_verdict_shows_what_it_was_made_with():
    shown = TABLE.verdict().as_dict()
    assert shown["legal"]
    assert shown["ruleset"] == {
        "id": "optcg-1.1.9",
        "title": "ONE PIECE CARD GAME Comprehensive Rules 1.1.9",
        "in_force_from": "2025-10-17",
        "note": None,
    }
    assert (shown["on"], shown["format"], shown["region"]) == ("2026-11-21", "standard", "en")
    assert shown["catalogue"] == {
        "game": "optcg",
        "snapshot": "table",
        "cards": len(TABLE.catalogue),
        "as_of": None,
    }
    assert shown["counts"] == {"leader": 1, "main": 50, "side": 0, "z": 0, "don": 0, "resource": 0}
    assert shown["deck"]["leader"] == [{"number": "X-LEADER", "name": "Pirate X-LEADER", "count": 1}]
    assert shown["findings"] == []


def test_terms_of_one_day_are_equal_in_any_time_zone():
    terms = Terms("optcg-1.1.9", date(2026, 11, 21))
    assert terms == Terms("optcg-1.1.9", date(2026, 11, 21), timezone="Asia/Tokyo")
    assert terms != Terms("optcg-1.1.9", date(2026, 11, 22))


def test_the_same_cards_in_other_sections_are_another_deck():
    table = Table("dbs-4.00")
    hashes = {table.verdict(**sections).deck_hash for sections in ({}, {"z": {"Z-01": 1}}, {"side": {"Z-01": 1}})}
    assert len(hashes) == 3


def test_don_cards_are_the_same_whatever_they_are_called():
    lines = [Line(None, 10, "DON!!"), Line(None, 10, "DON!! Card"), Line("don_1", 10)]
    assert len({TABLE.judge(Deck(don=(line,))).deck_hash for line in lines}) == 1
    assert TABLE.judge(Deck(don=(lines[0]._replace(count=9),))).deck_hash != TABLE.judge(Deck()).deck_hash


def test_an_unknown_card_in_two_sections_is_a_finding_in_the_first():
    (found,) = [
        finding
        for finding in TABLE.judge(Deck(leader=(Line("OP99-999", 1),), main=(Line("op99-999", 2),))).findings
        if finding.code == "card.unknown"
    ]
    assert (found.section, found.count) == ("leader", 3)


@pytest.mark.parametrize("section", ["leader", "main"])
@pytest.mark.parametrize("has_names", [True, False])
def test_one_name_of_another_card_is_found_among_lines_with_their_own_names_or_none(section, has_names):
    table = Table("optcg-1.1.9", optcg("OP05-003", "Leader"))
    own = {card.number: card.name for card in table.catalogue}
    numbers = [("leader", "OP05-003", 1), *(("main", f"X-{at:02}", 4) for at in range(12)), ("main", "X-12", 2)]
    wrong = next(number for place, number, _ in numbers if place == section)
    for written, codes in ((own[wrong], []), (own["X-20"], ["card.mismatch"])):
        shown = {**(own if has_names else {}), wrong: written}
        lines = [(place, Line(number, copies, shown.get(number))) for place, number, copies in numbers]
        deck = Deck.from_sections({name: [line for place, line in lines if place == name] for name in SECTIONS[:2]})
        table.judge(deck)
        assert table.judge(deck).codes == codes


def test_unknown_cards_written_alike_are_one_finding_with_suggestions():
    table = Table("dbs-4.00", dbs("BT1-999"))
    deck = table.deck(leader={"X-LEADER": 1}, main=table.fill_main({}, 46))
    deck.main += (Line("BT1-99", 2, at=7), Line("BT1-99", 2, at=9))
    (found,) = table.judge(deck).findings
    assert (found.code, found.count, found.line) == ("card.unknown", 4, 7)
    assert "BT1-999" in [card.number for card in found.suggestions]


def test_decks_judged_together_have_one_budget_of_suggestions_and_equal_cards_cost_once():
    table = Table("dbs-4.00", dbs("BT1-999"))
    decks = [table.deck(leader={"X-LEADER": 1}, main=table.fill_main({}, 49)) for _ in range(3)]
    for deck, number in zip(decks, ("BT1-99", "BT1-99", "BT1-998"), strict=True):
        deck.main += (Line(number, 1),)
    together = Suggestions(1)
    found = [finding for deck in decks for finding in table.judge(deck, together).findings]
    assert [bool(finding.suggestions) for finding in found] == [True, True, False]


def test_lines_not_read_are_findings_and_those_with_a_digit_make_a_deck_not_legal():
    table = Table("dbs-4.00")
    deck = table.deck(leader={"X-LEADER": 1}, main=table.fill_main({}))
    deck.unread = (Unread(3, "Deck by nobody"),)
    verdict = table.judge(deck)
    assert [(f.code, f.severity, f.line) for f in verdict.findings] == [("line.unread", "warning", 3)]
    assert verdict.findings[0].rule.section == "line 3"
    deck.unread = (Unread(3, "0x BT1-001"),)
    assert not table.judge(deck).legal


def test_the_day_decides():
    card = optcg("OP03-040")
    for day, found in ((date(2025, 8, 29), []), (date(2025, 8, 30), ["card.banned"])):
        assert Table("optcg-1.1.9", card, day=day).verdict({"OP03-040": 1}).codes == found
