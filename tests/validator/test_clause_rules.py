"""What card texts change, on hand-made cards: every kind of clause, and how clauses meet each other and the rules."""

from datetime import date

import pytest

from tests.validator.table import Table
from tests.validator.table import clause
from tests.validator.table import dbs
from tests.validator.table import illegal
from tests.validator.table import legal

NEW = "dbs-4.00"


def leader(number: str, *clauses, **facts):
    return dbs(number, "Leader", construction=clauses, **facts)


def no(match, text="you can't include those"):
    return clause("forbid", text, match=match)


def only(match, text="you can only include those"):
    return clause("forbid", text, match={"not": match})


@pytest.mark.parametrize(
    ("match", "barred", "free"),
    [
        ({"color": ["Black"]}, {"colors": ("Black",)}, {"colors": ("Blue",)}),
        # A red/green card is red and is green, so it is not "non-red" (Q&A, Basic Q10).
        ({"not": {"color": ["Red"]}}, {"colors": ("Green",)}, {"colors": ("Red", "Green")}),
        ({"color": ["Black"]}, {"colors": ("Red", "Black")}, {"colors": ("Red", "Green")}),
        ({"multicolor": True}, {"colors": ("Red", "Black")}, {"colors": ("Black",)}),
        ({"cost": {"min": 5}}, {"cost": 5}, {"cost": 4}),
        ({"cost": {"max": 3}}, {"cost": 3}, {"cost": 4}),
        ({"cost": {"min": 5}}, {"cost": 9}, {"cost": None}),
        ({"trait": ["Saiyan"]}, {"traits": ("Earthling", "SAIYAN")}, {"traits": ("Half Saiyan",)}),
        ({"not": {"trait_part": ["Universe"]}}, {"traits": ("Saiyan",)}, {"traits": ("Universe 7",)}),
        ({"character": ["Son Gohan : Adolescence"]}, {"characters": ("Son Gohan: Adolescence",)}, {}),
        ({"name": ["Planet M-2"]}, {"name": "planet m‐2"}, {"name": "Planet M"}),
        ({"type": ["Extra"], "cost": {"min": 2}}, {"type": "Extra", "cost": 2}, {"type": "Battle", "cost": 2}),
        ({"any": [{"trait": ["God"]}, {"multicolor": True}]}, {"traits": ("God",)}, {"traits": ("Saiyan",)}),
        ({"keyword": ["Dragon Ball"]}, {"keywords": ("Dragon Ball",)}, {}),
    ],
)
def test_a_leader_bars_what_its_match_means(match, barred, free):
    cards = (dbs("C-BARRED", **barred), dbs("C-FREE", **free))
    table = Table(NEW, leader("L-2", no(match)), *cards)
    legal(table.verdict({"C-BARRED": 1}))
    found = table.verdict({"C-FREE": 1, "C-BARRED": 1}, leader={"L-2": 1}).findings
    barred_numbers = {one.number for finding in found for one in finding.cards}
    assert "C-BARRED" in barred_numbers
    assert "C-FREE" not in barred_numbers
    assert {finding.code for finding in found} == {"effect.forbidden"}
    assert {(finding.rule.document, finding.rule.section) for finding in found} == {
        ("L-2 Fighter L-2", "you can't include those")
    }


def test_a_leaders_clause_binds_the_main_deck_alone():
    table = Table(NEW, leader("L-2", no({"color": ["Black"]})), dbs("C-1", colors=("Black",)))
    legal(table.verdict(side={"C-1": 4}, leader={"L-2": 1}))


def test_a_clause_on_the_z_deck_binds_the_z_deck():
    rule = clause("forbid", "only Z-Unisons in your Z-Deck", match={"not": {"type": ["Z-Unison"]}}, section="z")
    table = Table(NEW, leader("L-2", rule), dbs("U-1", "Z-Unison"))
    legal(table.verdict(z={"U-1": 4}, leader={"L-2": 1}))
    verdict = table.verdict(z={"Z-01": 1, "U-1": 4}, leader={"L-2": 1})
    illegal(verdict, "effect.forbidden", "z", "only Z-Unisons in your Z-Deck", "Z-01", count=1, limit=0)


def test_a_misplaced_card_has_no_leader_text_finding():
    table = Table(NEW, leader("L-2", no({"color": ["Black"]})), dbs("T-1", "Token", colors=("Black",)))
    assert table.verdict({"T-1": 1}, leader={"L-2": 1}).codes == ["type.misplaced"]


def test_two_leaders_clauses_never_mix():
    table = Table(
        NEW,
        leader("L-2", no({"color": ["Black"]})),
        leader("L-3", no({"color": ["Blue"]})),
        dbs("C-1", colors=("Black",)),
        dbs("C-2", colors=("Blue",)),
    )
    verdict = table.verdict({"C-1": 1, "C-2": 1}, leader={"L-2": 1, "L-3": 1})
    assert verdict.codes == ["leader.count"]


def test_a_pool_limits_a_group_whatever_its_cards_allow():
    free = [
        dbs(f"C-{n}", traits=("Dark",), construction=(clause("copies", "as many as you like", limit=None),))
        for n in (1, 2)
    ]
    pool = clause("pool", "up to 7 of those", match={"trait": ["Dark"]}, limit=7)
    table = Table(NEW, leader("L-2", pool), *free)
    legal(table.verdict({"C-1": 4, "C-2": 3}, leader={"L-2": 1}))
    verdict = table.verdict({"C-1": 5, "C-2": 3}, leader={"L-2": 1})
    illegal(verdict, "effect.exceeded", "main", "up to 7 of those", "C-1", "C-2", count=8, limit=7)
    legal(table.verdict({"C-1": 5, "C-2": 3}))


def test_a_leader_lowers_the_dragon_balls_of_the_deck_to_six():
    pool = clause("pool", "up to 6 of those", match={"keyword": ["Dragon Ball"]}, limit=6)
    table = Table(NEW, leader("L-2", pool), dbs("D-1", "Extra", keywords=("Dragon Ball",)))
    legal(table.verdict({"D-1": 6}, side={"D-1": 1}, leader={"L-2": 1}))
    assert table.verdict({"D-1": 7}, leader={"L-2": 1}).codes == ["effect.exceeded"]
    assert table.verdict({"D-1": 6}, side={"D-1": 2}, leader={"L-2": 1}).codes == ["keyword.exceeded"]
    legal(table.verdict({"D-1": 7}))


@pytest.mark.parametrize(
    ("alias", "match"),
    [
        ({"traits": ["Universe 7"]}, {"trait": ["Universe 7"]}),
        ({"characters": ["Broly"]}, {"character": ["Broly"]}),
        ({"names": ["Planet M-2"]}, {"name": ["Planet M-2"]}),
        ({"colors": ["Red"]}, {"color": ["Red"]}),
        ({"keywords": ["Dragon Ball"]}, {"keyword": ["Dragon Ball"]}),
        ({"types": ["Extra"]}, {"type": ["Extra"]}),
    ],
)
def test_what_a_card_gains_satisfies_only_those_cards(alias, match):
    gains = dbs("C-1", colors=("Black",), construction=(clause("alias", "gains it", **alias),))
    bare = dbs("C-2", colors=("Black",))
    reach = {"all": [{"color": ["Black"]}, {"not": match}]}
    table = Table(NEW, leader("L-2", no(reach)), gains, bare)
    legal(table.verdict({"C-1": 1}, leader={"L-2": 1}))
    assert table.verdict({"C-2": 1}, leader={"L-2": 1}).codes == ["effect.forbidden"]


def test_what_is_gained_under_a_leader_is_gained_under_that_leader_only():
    conditional = clause("alias", "if your Leader is Aeos", traits=["God"], when={"character": ["Aeos"]})
    cards = [
        leader("L-2", only({"any": [{"trait": ["God"]}, {"color": ["Red"]}]}), characters=("Aeos",)),
        leader("L-3", only({"any": [{"trait": ["God"]}, {"color": ["Red"]}]}), characters=("Someone",)),
        dbs("C-1", colors=("Blue",), construction=(conditional,)),
    ]
    table = Table(NEW, *cards)
    legal(table.verdict({"C-1": 4}, leader={"L-2": 1}))
    assert table.verdict({"C-1": 4}, leader={"L-3": 1}).codes == ["effect.forbidden"]


def test_a_keyword_gained_under_a_leader_counts_under_that_leader_only():
    gains = clause("keyword", "if your Leader is Aeos", keyword="Ultimate", when={"character": ["Aeos"]})
    cards = [
        dbs("L-2", "Leader", characters=("Aeos",)),
        dbs("L-3", "Leader", characters=("Someone",)),
        dbs("C-1", keywords=("Ultimate",), construction=(gains,)),
    ]
    table = Table(NEW, *cards)
    # In both orders: what was found under one Leader must not be remembered under another.
    for _ in range(2):
        legal(table.verdict({"C-1": 2}, leader={"L-3": 1}))
        assert table.verdict({"C-1": 2}, leader={"L-2": 1}).codes == ["keyword.exceeded"]


def test_a_clause_may_reach_other_cards():
    reaches = clause("alias", "your those cards are also red", colors=["Red"], match={"character": ["Vegeta"]})
    table = Table(
        NEW,
        leader("L-2", no({"not": {"color": ["Red"]}})),
        dbs("C-1", colors=("Blue",), characters=("Vegeta",)),
        dbs("Z-L", "Z-Leader", construction=(reaches,)),
    )
    assert table.verdict({"C-1": 1}, leader={"L-2": 1}).codes == ["effect.forbidden"]
    legal(table.verdict({"C-1": 1}, leader={"L-2": 1}, z={"Z-L": 1}))


def test_a_card_of_the_deck_may_bar_others():
    bars = dbs("C-1", construction=(no({"color": ["Black"]}, "no black cards beside this"),))
    table = Table(NEW, bars, dbs("C-2", colors=("Black",)))
    legal(table.verdict({"C-1": 1}))
    legal(table.verdict({"C-2": 1}))
    illegal(
        table.verdict({"C-1": 1, "C-2": 2}), "effect.forbidden", "main", "no black cards beside this", "C-2", count=2
    )


def test_any_number_of_a_banned_card_is_still_banned():
    free = dbs("BT5-050", construction=(clause("copies", "as many as you like", limit=None),))
    assert Table(NEW, free, on=date(2026, 7, 3)).verdict({"BT5-050": 9}).codes == ["card.banned"]


def test_one_copy_in_the_z_deck():
    single = dbs("Z-1", "Z-Leader", construction=(clause("copies", "only 1 in your Z-Deck", limit=1, section="z"),))
    table = Table(NEW, single)
    legal(table.verdict(z={"Z-1": 1}))
    illegal(table.verdict(z={"Z-1": 2}), "copies.exceeded", "z", "only 1 in your Z-Deck", "Z-1", count=2, limit=1)


def test_a_text_not_understood_is_a_warning_that_cites_it():
    table = Table(NEW, dbs("C-1", construction=(clause("unread", "some new wording"),)))
    verdict = table.verdict({"C-1": 1})
    assert verdict.legal
    illegal(verdict, "clause.unread", "main", "some new wording", "C-1", severity="warning")


def test_one_card_barred_by_two_clauses_is_one_finding():
    clauses = no({"color": ["Black"]}, "first"), no({"cost": {"min": 2}, "color": ["Black"]}, "second")
    table = Table(NEW, leader("L-2", *clauses), dbs("C-1", colors=("Black",)))
    illegal(table.verdict({"C-1": 3}, leader={"L-2": 1}), "effect.forbidden", "main", "first", "C-1", count=3)


def test_a_gained_colour_makes_no_card_multicolour():
    gains = dbs("C-1", construction=(clause("alias", "also treated as blue", colors=["Blue"]),))
    table = Table(NEW, leader("L-2", no({"multicolor": True})), gains)
    legal(table.verdict({"C-1": 1}, leader={"L-2": 1}))
