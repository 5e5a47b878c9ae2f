"""The Judge as a whole: order, hash, what it shows; and what must hold for any deck."""

from dataclasses import replace
from datetime import date

from hypothesis import given
from hypothesis import settings
from hypothesis import strategies as st

from tests.validator.table import Table
from tests.validator.table import dbs
from tests.validator.table import optcg
from validator import CODES
from validator import Deck
from validator import Line
from validator import Unread
from validator import words

SPECIAL = [
    optcg("OP14-020", "Leader", printings=("OP14-020", "OP14-020_p1")),
    optcg("OP03-040", printings=("OP03-040", "OP03-040_p1", "OP03-040_r1")),
    optcg("OP05-001", colors=("Blue",), printings=("OP05-001_p2",)),
    optcg("OP01-001", released="2030-01-01"),
    optcg("OP06-001", "Leader"),
]
TABLE = Table("optcg-1.1.9", *SPECIAL)
NUMBERS = [card.number for card in TABLE.catalogue] + ["OP99-999"]

lines = st.lists(st.builds(Line, st.sampled_from(NUMBERS), st.integers(1, 8)), max_size=20)
maybe = st.one_of(st.just([]), lines)
decks = st.builds(
    lambda leader, main, side, don: Deck(leader=tuple(leader), main=tuple(main), side=tuple(side), don=tuple(don)),
    lines,
    lines,
    maybe,
    maybe,
)


def said(verdict):
    """What a verdict says, apart from the lines as they were written."""
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
    mixed = replace(deck, leader=shuffled(deck.leader, random), main=shuffled(deck.main, random))
    assert findings(TABLE.judge(mixed)) == findings(TABLE.judge(deck))
    assert TABLE.judge(mixed).deck_hash == TABLE.judge(deck).deck_hash


def shuffled(section, random):
    section = list(section)
    random.shuffle(section)
    return tuple(section)


@given(decks)
def test_splitting_a_line_in_two_changes_nothing(deck):
    main = tuple(part for line in deck.main for part in split(line))
    assert said(TABLE.judge(replace(deck, main=main))) == said(TABLE.judge(deck))


def split(line):
    return [line._replace(count=1), line._replace(count=line.count - 1)] if line.count > 1 else [line]


@given(decks, st.sampled_from([str.lower, str.upper, lambda text: f"  {text} ", lambda text: text.replace("-", "–")]))
def test_the_spelling_of_numbers_changes_nothing(deck, spell):
    main = tuple(line._replace(number=spell(line.number)) for line in deck.main)
    assert findings(TABLE.judge(replace(deck, main=main))) == spelled(findings(TABLE.judge(deck)), spell)
    assert TABLE.judge(replace(deck, main=main)).deck_hash == TABLE.judge(deck).deck_hash


def spelled(found, spell):
    """An unknown card is named as it was written."""
    return sorted(
        (code, section, count, tuple(spell(n) if code == "card.unknown" and section == "main" else n for n in numbers))
        for code, section, count, numbers in found
    )


@given(decks)
def test_the_printing_changes_nothing(deck):
    printed = {"OP03-040": "OP03-040_p1", "OP05-001": "op05-001_P2", "OP14-020": "OP14-020_p1"}
    main = tuple(line._replace(number=printed.get(line.number, line.number)) for line in deck.main)
    assert said(TABLE.judge(replace(deck, main=main))) == said(TABLE.judge(deck))


@given(decks, st.integers(1, 4))
def test_a_banned_card_never_makes_a_deck_legal(deck, copies):
    before, after = TABLE.judge(deck), TABLE.judge(replace(deck, main=(*deck.main, Line("OP03-040", copies))))
    assert not after.legal
    assert "card.banned" in after.codes
    assert before.legal or set(before.codes) - {"size"} <= set(after.codes)


@given(st.integers(13, 29), st.booleans())
def test_a_legal_deck_with_a_card_more_or_less_is_judged_by_the_size_rule_alone(which, more):
    number = f"X-{which:02}"
    main = TABLE.filled({number: 2})
    assert TABLE.verdict(main).legal
    main[number] += 1 if more else -1
    verdict = TABLE.verdict(main, fill=False)
    assert verdict.codes == ["size"]
    assert (verdict.findings[0].count, verdict.findings[0].limit) == (51 if more else 49, 50)


@given(decks)
@settings(max_examples=50)
def test_a_deck_is_judged_as_by_asking_every_rule(deck):
    """Asking only the rules that a card concerns finds just what asking all of them finds."""
    verdict = TABLE.judge(deck)
    asked = {finding for finding in verdict.findings if finding.code not in ("card.unknown", "line.unread")}
    assert asked == {finding for rule in TABLE.judge.rules for finding in rule.check(verdict.facts)}


@given(decks)
def test_every_finding_has_words_and_stands_in_its_order(deck):
    verdict = TABLE.judge(deck)
    shown = verdict.as_dict(explain=True)
    places = ["leader", "main", "side", "z", "don", None]
    found = shown["findings"]
    keys = [(places.index(f["section"]), f["code"], f["cards"][0]["number"] if f["cards"] else "") for f in found]
    assert keys == sorted(keys)
    assert all(f["message"] and f["fix"] and f["rule"]["document"] and f["rule"]["section"] for f in found)
    assert shown["legal"] is not any(f["severity"] == "error" for f in shown["findings"])
    assert len(shown["checked"]) == len(TABLE.judge.rules)


def test_every_code_has_words():
    assert set(words._WORDS) == set(CODES)


def test_the_verdict_shows_what_it_was_made_with():
    shown = TABLE.verdict().as_dict()
    assert shown["legal"]
    assert shown["ruleset"] == {"id": "optcg-1.1.9", "title": "ONE PIECE CARD GAME Comprehensive Rules 1.1.9"}
    assert (shown["on"], shown["format"], shown["region"]) == ("2026-11-21", "standard", "en")
    assert shown["catalogue"] == {"game": "optcg", "snapshot": "table", "cards": len(TABLE.catalogue)}
    assert shown["counts"] == {"leader": 1, "main": 50, "side": 0, "z": 0, "don": 0}
    assert shown["deck"]["leader"] == [{"number": "X-LEADER", "name": "Pirate X-LEADER", "count": 1}]
    assert shown["findings"] == []


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


def test_unknown_cards_written_alike_are_one_finding_with_suggestions():
    table = Table("dbs-4.00", dbs("BT1-999"))
    deck = table.deck(leader={"X-LEADER": 1}, main=table.filled({}, 46))
    deck.main += (Line("BT1-99", 2, at=7), Line("BT1-99", 2, at=9))
    (found,) = table.judge(deck).findings
    assert (found.code, found.count, found.line) == ("card.unknown", 4, 7)
    assert "BT1-999" in [card.number for card in found.suggestions]


def test_lines_not_read_are_findings_and_those_with_a_digit_make_a_deck_not_legal():
    table = Table("dbs-4.00")
    deck = table.deck(leader={"X-LEADER": 1}, main=table.filled({}))
    deck.unread = (Unread(3, "Deck by nobody"),)
    verdict = table.judge(deck)
    assert [(f.code, f.severity, f.line) for f in verdict.findings] == [("line.unread", "warning", 3)]
    assert verdict.findings[0].rule.section == "line 3"
    deck.unread = (Unread(3, "0x BT1-001"),)
    assert not table.judge(deck).legal


def test_the_day_decides():
    card = optcg("OP03-040")
    for day, codes in ((date(2025, 8, 29), []), (date(2025, 8, 30), ["card.banned"])):
        assert Table("optcg-1.1.9", card, on=day).verdict({"OP03-040": 1}).codes == codes
