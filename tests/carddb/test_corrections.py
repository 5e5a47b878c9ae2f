"""What a source has wrong is corrected for a reason, in every snapshot, and only as long as it is wrong."""

from datetime import date

import pytest

from carddb import construction, corrections
from carddb.catalogue import Catalogue
from carddb.corrections import correct_cards
from carddb.snapshot_store import Store
from carddb.sync import sanity
from tests.carddb import real
from tests.carddb.cards import card
from validator import Deck, Judge, Line, Policy, Terms, rulesets
from validator.cards import Card
from validator.errors import DocumentError

KNOWN = sorted((number, one.fact) for number, ones in corrections.load_corrections("dbs").items() for one in ones)

CORRECTION = """
[[correction]]
numbers = ["BT1-002"]
fact = "type"
wrong = "Extra"
right = "Z-Extra"
reason = "Its sisters are."
evidence = ["BT1-001"]
"""


def mighty(kind: str = "Extra", **facts) -> Card:
    return card("EX23-38", "Invented Blast", kind, "dbs", colors=("Black",), cost=1, **facts)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "fact"), KNOWN)
def test_every_correction_replaces_what_the_real_source_has(number, fact):
    (found,) = (one for one in real.cards("dbs") if one.number == number)
    (correction,) = (one for one in corrections.load_corrections("dbs")[number] if one.fact == fact)
    assert getattr(found, fact) == correction.wrong
    assert getattr(corrections.correct_card(found), fact) == correction.right


@pytest.mark.slow
def test_a_cycle_is_of_one_type_again():
    before, after = real.cards("dbs"), correct_cards(real.cards("dbs"))
    assert any("EX23-38" in warning for warning in sanity.find_fact_warnings("dbs", before))
    assert not any("EX23-38" in warning for warning in sanity.find_fact_warnings("dbs", after))
    assert {one.type for one in after if one.number in ("EX23-03", "EX23-12", "EX23-38")} == {"Z-Extra"}


@pytest.mark.parametrize(
    ("kind", "corrected"), [("Extra", "Z-Extra"), ("Z-Extra", "Z-Extra"), ("Z-Battle", "Z-Battle")]
)
def test_nothing_but_what_is_known_to_be_wrong_is_corrected(kind, corrected):
    once = corrections.correct_card(mighty(kind))
    assert once.type == corrections.correct_card(once).type == corrected


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("Extra", "What is known to be wrong is corrected: EX23-38"),
        ("Z-Extra", "no correction is needed any more: EX23-38"),
        ("Battle", "EX23-38 Invented Blast: its type is neither"),
    ],
)
def test_what_became_of_a_correction_is_said(kind, said):
    (remark,) = corrections.correction_remarks("dbs", [mighty(kind), card("BT1-002", "Two", "Battle", "dbs")])
    assert said in remark


def test_a_snapshot_keeps_what_the_source_said_and_is_judged_with_what_is_right(tmp_path):
    store = Store(f"sqlite:///{tmp_path}/cards.db")
    wrong = store.import_cards("dbs", [mighty()], "wrong.csv")
    right = store.import_cards("dbs", [mighty("Z-Extra")], "right.csv")
    assert wrong.id != right.id
    assert [store.cards(one.id)[0].type for one in (wrong, right)] == ["Z-Extra", "Z-Extra"]
    assert not store.import_cards("dbs", [mighty()], "wrong.csv").new


@pytest.mark.slow
@pytest.mark.parametrize("leader", ["BT18-030", "BT18-002"])  # bars black Battle Cards; bars all that are not red
def test_a_real_card_of_colours_that_no_source_tells_is_a_warning_where_its_leader_asks(leader):
    catalogue = Catalogue("dbs", "real", correct_cards(map(construction.read, real.cards("dbs"))))
    judge = Judge(Terms(rulesets()["dbs-4.00"], date(2026, 10, 1), policy=Policy(limits=False)), catalogue)
    deck = Deck(leader=(Line(leader, 1),), main=(Line("BT29-141", 4),))
    (found,) = (one for one in judge(deck).findings if one.cards and one.cards[0].number == "BT29-141")
    assert (found.code, found.severity, found.details) == ("card.facts_unknown", "warning", {"facts": ("colors",)})
    assert found.rule.document.startswith(leader)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('fact = "type"', 'fact = "power"', "'power'; known are type, colors"),
        ('fact = "type"', "", "fact is missing"),
        ('fact = "type"', 'fact = "type"\nfactor = "x"', "unknown word 'factor'"),
        ('wrong = "Extra"', 'wrong = "Gadget"', "wrong: 'Gadget' is no card type"),
        ('right = "Z-Extra"', 'right = "extra"', "the same"),
        ('"Its sisters are."', '" "', "reason is empty"),
        ('["BT1-001"]', "[]", "evidence: write at least one"),
        ('["BT1-001"]', '[""]', "evidence: write at least one"),
        ('["BT1-002"]', "[]", "numbers: write at least one"),
        ('["BT1-002"]', '["BT1-002_PR"]', "'BT1-002_PR' is no card number"),
        ('["BT1-002"]', '["BT1-002", "BT1-002"]', "correction 1: BT1-002, type is corrected twice"),
        ('"dbs"', '"dbs"\nnote = "x"', "unknown word 'note'"),
    ],
)
def test_a_file_that_says_what_it_may_not_is_refused_by_name(tmp_path, old, new, says):
    (tmp_path / "dbs.toml").write_text(f'game = "dbs"\n{CORRECTION}'.replace(old, new, 1), "utf-8")
    with pytest.raises(DocumentError, match="dbs.toml: .*" + says):
        corrections.load_corrections("dbs", tmp_path)


def test_the_same_file_without_the_slip_is_taken(tmp_path):
    (tmp_path / "dbs.toml").write_text(f'game = "dbs"\n{CORRECTION}', "utf-8")
    (one,) = corrections.load_corrections("dbs", tmp_path)["BT1-002"]
    assert (one.wrong, one.right, one.evidence) == ("Extra", "Z-Extra", ("BT1-001",))


def test_a_game_without_a_file_has_none():
    assert corrections.load_corrections("optcg") == {}
