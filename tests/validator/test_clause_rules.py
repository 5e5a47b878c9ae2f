"""What card texts change, on hand-made cards: every kind of clause, and how clauses meet each other and the rules."""

from datetime import date

import pytest

from tests.validator.table import Table, assert_illegal, assert_legal, clause, dbs, optcg
from validator.findings import merge_findings

NEW = "dbs-4.00"


def leader(number: str, *clauses, **facts):
    return dbs(number, "Leader", construction=clauses, **facts)


def no(match, text="you can't include those"):
    return clause("forbid", text, match=match)


def forbid_others(match, text="you can only include those"):
    """Return a clause that bars all cards that do not fit a match."""
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
    assert_legal(table.verdict({"C-BARRED": 1}))
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
    verdict = table.verdict(side={"C-1": 4}, leader={"L-2": 1})
    assert verdict.legal
    # Legal, and still it cannot be swapped in.
    (advice,) = verdict.findings
    assert (advice.code, advice.severity, advice.section) == ("advice.side_barred", "advice", "side")
    assert (advice.rule.document, advice.count) == ("L-2 Fighter L-2", 4)
    assert advice.details == {"by": "L-2", "text": "you can't include those"}
    assert table.verdict(side={"C-1": 4}).codes == []


def test_cards_barred_by_one_clause_stand_together_where_people_read():
    cards = [dbs(f"C-{n}", colors=("Black",)) for n in (1, 2)]
    table = Table(NEW, leader("L-2", no({"color": ["Black"]})), *cards)
    verdict = table.verdict({"C-1": 1, "C-2": 2}, leader={"L-2": 1}, z={"X-29": 1})
    assert verdict.codes == ["effect.forbidden", "effect.forbidden", "type.misplaced"]
    barred, misplaced = merge_findings(verdict.findings)
    assert [card.number for card in barred.cards] == ["C-1", "C-2"]
    assert "C-1" in barred.message
    assert "C-2" in barred.fix
    assert misplaced == verdict.findings[2]


class TestFactsThatNobodyKnows:
    """A fact that a clause asks for and the catalogue lacks is a warning, never a silent pass and never an error."""

    @pytest.mark.parametrize(
        ("match", "missing"),
        [
            ({"color": ["Black"]}, "colors"),
            ({"not": {"color": ["Red"]}}, "colors"),
            ({"multicolor": True}, "colors"),
            ({"cost": {"min": 5}}, "cost"),
            ({"any": [{"trait": ["God"]}, {"cost": {"max": 3}}]}, "cost"),
            ({"all": [{"type": ["Battle"]}, {"not": {"cost": {"max": 3}}}]}, "cost"),
        ],
    )
    def test_that_a_leaders_clause_asks_for(self, match, missing):
        unknown = dbs("C-1", colors=(), cost=None, unknown=(missing,))
        table = Table(NEW, leader("L-2", no(match)), unknown)
        verdict = table.verdict({"C-1": 1}, leader={"L-2": 1})
        found = next(finding for finding in verdict.findings if finding.code == "card.facts_unknown")
        assert (found.severity, found.section, found.details) == ("warning", "main", {"facts": (missing,)})
        assert (found.cards[0].number, found.rule.document) == ("C-1", "L-2 Fighter L-2")
        assert [one.code for one in verdict.findings if one.cards == found.cards] == ["card.facts_unknown"]
        assert_legal(table.verdict({"C-1": 1}))

    def test_that_the_clause_need_not_know(self):
        unknown = dbs("C-1", colors=(), traits=("God",), unknown=("colors",))
        both = no({"all": [{"color": ["Black"]}, {"trait": ["Saiyan"]}]})
        either = no({"any": [{"color": ["Black"]}, {"trait": ["God"]}]})
        table = Table(NEW, leader("L-2", both), leader("L-3", either), unknown)
        assert_legal(table.verdict({"C-1": 1}, leader={"L-2": 1}))
        assert table.verdict({"C-1": 1}, leader={"L-3": 1}).codes == ["effect.forbidden"]

    def test_that_a_colour_gained_makes_up_for(self):
        gains = clause("alias", "is also black", colors=["Black"])
        unknown = dbs("C-1", colors=(), unknown=("colors",), construction=(gains,))
        table = Table(NEW, leader("L-2", no({"color": ["Black"]})), unknown)
        assert table.verdict({"C-1": 1}, leader={"L-2": 1}).codes == ["effect.forbidden"]

    def test_that_a_limited_group_may_have(self):
        pool = clause("pool", "up to 3 of those", match={"color": ["Black"]}, limit=3)
        cards = dbs("C-1", colors=("Black",)), dbs("C-2", colors=(), unknown=("colors",))
        table = Table(NEW, leader("L-2", pool), *cards)
        assert_legal(table.verdict({"C-1": 1, "C-2": 2}, leader={"L-2": 1}))
        assert table.verdict({"C-1": 2, "C-2": 2}, leader={"L-2": 1}).codes == ["card.facts_unknown"]
        assert table.verdict({"C-1": 4, "C-2": 2}, leader={"L-2": 1}).codes == ["effect.exceeded"]

    def test_that_the_rules_ask_for(self):
        cards = optcg("C-1", colors=(), unknown=("colors",)), optcg("C-2", "Unknown", unknown=("type",))
        table = Table("optcg-1.1.9", *cards, optcg("L-2", "Leader", colors=(), unknown=("colors",)))
        color = assert_illegal(
            table.verdict({"C-1": 1}), "card.facts_unknown", "main", "5-1-2-2", "C-1", severity="warning"
        )
        assert color.details == {"facts": ("colors",)}
        kind = assert_illegal(
            table.verdict({"C-2": 1}), "card.facts_unknown", "main", "5-1-2-1", "C-2", severity="warning"
        )
        assert kind.details == {"facts": ("type",)}
        assert table.verdict({"C-2": 1, "X-LEADER": 1}).codes == ["card.facts_unknown", "type.misplaced"]
        assert_illegal(
            table.verdict(leader={"L-2": 1}), "card.facts_unknown", "leader", "5-1-2-2", "L-2", severity="warning"
        )

    def test_that_a_condition_on_the_leader_asks_for(self):
        conditional = clause("alias", "if your Leader is red", traits=["God"], when={"color": ["Red"]})
        unknown = dbs("L-2", "Leader", colors=(), unknown=("colors",), construction=(conditional,))
        verdict = Table(NEW, unknown).verdict(leader={"L-2": 1})
        assert_illegal(verdict, "card.facts_unknown", "leader", "if your Leader is red", "L-2")

    def test_are_said_once_of_a_card_however_many_clauses_ask(self):
        clauses = no({"color": ["Black"]}, "first"), no({"color": ["Blue"]}, "second")
        table = Table(NEW, leader("L-2", *clauses), dbs("C-1", colors=(), unknown=("colors",)))
        assert table.verdict({"C-1": 1}, leader={"L-2": 1}).codes == ["card.facts_unknown"]


def test_a_clause_on_the_z_deck_binds_the_z_deck():
    rule = clause("forbid", "only Z-Unisons in your Z-Deck", match={"not": {"type": ["Z-Unison"]}}, section="z")
    table = Table(NEW, leader("L-2", rule), dbs("U-1", "Z-Unison"))
    assert_legal(table.verdict(z={"U-1": 4}, leader={"L-2": 1}))
    verdict = table.verdict(z={"Z-01": 1, "U-1": 4}, leader={"L-2": 1})
    assert_illegal(verdict, "effect.forbidden", "z", "only Z-Unisons in your Z-Deck", "Z-01", count=1, limit=0)


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
    assert_legal(table.verdict({"C-1": 4, "C-2": 3}, leader={"L-2": 1}))
    verdict = table.verdict({"C-1": 5, "C-2": 3}, leader={"L-2": 1})
    assert_illegal(verdict, "effect.exceeded", "main", "up to 7 of those", "C-1", "C-2", count=8, limit=7)
    assert_legal(table.verdict({"C-1": 5, "C-2": 3}))


def test_a_leader_lowers_the_dragon_balls_of_the_deck_to_six():
    pool = clause("pool", "up to 6 of those", match={"keyword": ["Dragon Ball"]}, limit=6)
    table = Table(NEW, leader("L-2", pool), dbs("D-1", "Extra", keywords=("Dragon Ball",)))
    assert_legal(table.verdict({"D-1": 6}, side={"D-1": 1}, leader={"L-2": 1}))
    assert table.verdict({"D-1": 7}, leader={"L-2": 1}).codes == ["effect.exceeded"]
    assert table.verdict({"D-1": 6}, side={"D-1": 2}, leader={"L-2": 1}).codes == ["keyword.exceeded"]
    assert_legal(table.verdict({"D-1": 7}))


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
    assert_legal(table.verdict({"C-1": 1}, leader={"L-2": 1}))
    assert table.verdict({"C-2": 1}, leader={"L-2": 1}).codes == ["effect.forbidden"]


def test_what_is_gained_under_a_leader_is_gained_under_that_leader_only():
    conditional = clause("alias", "if your Leader is Aeos", traits=["God"], when={"character": ["Aeos"]})
    cards = [
        leader("L-2", forbid_others({"any": [{"trait": ["God"]}, {"color": ["Red"]}]}), characters=("Aeos",)),
        leader("L-3", forbid_others({"any": [{"trait": ["God"]}, {"color": ["Red"]}]}), characters=("Someone",)),
        dbs("C-1", colors=("Blue",), construction=(conditional,)),
    ]
    table = Table(NEW, *cards)
    assert_legal(table.verdict({"C-1": 4}, leader={"L-2": 1}))
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
        assert_legal(table.verdict({"C-1": 2}, leader={"L-3": 1}))
        assert table.verdict({"C-1": 2}, leader={"L-2": 1}).codes == ["keyword.exceeded"]


def test_a_clause_may_reach_other_cards():
    reaches = clause("alias", "your those cards are also red", colors=["Red"], match={"character": ["Vegeta"]})
    table = Table(
        NEW,
        leader("L-2", no({"not": {"color": ["Red"]}})),
        dbs("C-1", colors=("Blue",), characters=("Vegeta",)),
        dbs("C-2", colors=("Blue",), characters=("Nappa",)),
        dbs("Z-L", "Z-Leader", construction=(reaches,)),
    )
    assert table.verdict({"C-1": 1}, leader={"L-2": 1}).codes == ["effect.forbidden"]
    assert_legal(table.verdict({"C-1": 1}, leader={"L-2": 1}, z={"Z-L": 1}))
    assert table.verdict({"C-2": 1}, leader={"L-2": 1}, z={"Z-L": 1}).codes == ["effect.forbidden"]


def test_a_card_of_the_deck_may_bar_others():
    bars = dbs("C-1", construction=(no({"color": ["Black"]}, "no black cards beside this"),))
    table = Table(NEW, bars, dbs("C-2", colors=("Black",)))
    assert_legal(table.verdict({"C-1": 1}))
    assert_legal(table.verdict({"C-2": 1}))
    assert_illegal(
        table.verdict({"C-1": 1, "C-2": 2}), "effect.forbidden", "main", "no black cards beside this", "C-2", count=2
    )


def test_any_number_of_a_banned_card_is_still_banned():
    free = dbs("BT5-050", construction=(clause("copies", "as many as you like", limit=None),))
    assert Table(NEW, free, day=date(2026, 7, 3)).verdict({"BT5-050": 9}).codes == ["card.banned"]


def test_one_copy_in_the_z_deck():
    single = dbs("Z-1", "Z-Leader", construction=(clause("copies", "only 1 in your Z-Deck", limit=1, section="z"),))
    table = Table(NEW, single)
    assert_legal(table.verdict(z={"Z-1": 1}))
    assert_illegal(
        table.verdict(z={"Z-1": 2}), "copies.exceeded", "z", "only 1 in your Z-Deck", "Z-1", count=2, limit=1
    )


def test_what_is_said_of_the_z_deck_binds_no_other_section():
    single = dbs("Z-1", "Z-Leader", construction=(clause("copies", "only 1 in your Z-Deck", limit=1, section="z"),))
    many = dbs(
        "Z-2", "Z-Battle", construction=(clause("copies", "any number in your Z-Deck", limit=None, section="z"),)
    )
    for policy in ({}, {"copies_across_side": False}):
        table = Table(NEW, single, many, **policy)
        assert_legal(table.verdict(side={"Z-1": 4}, z={"Z-1": 1, "Z-2": 8}))
        verdict = table.verdict(side={"Z-1": 5})
        assert (verdict.codes, verdict.findings[0].limit) == (["copies.exceeded"], 4)
        verdict = table.verdict(z={"Z-2": 8}, side={"Z-2": 6})
        assert (verdict.codes, verdict.findings[0].section, verdict.findings[0].count) == (
            ["copies.exceeded"],
            "side",
            6,
        )


def test_what_is_said_of_the_deck_binds_a_side_deck_that_counts_for_itself_no_more_than_any_card():
    single = dbs("C-1", construction=(clause("copies", "only 1 in your deck", limit=1),))
    apart = Table(NEW, single, copies_across_side=False)
    assert_legal(apart.verdict({"C-1": 1}, side={"C-1": 4}))
    assert Table(NEW, single).verdict({"C-1": 1}, side={"C-1": 1}).codes == ["copies.exceeded"]


def test_a_text_not_understood_is_a_warning_that_cites_it():
    table = Table(NEW, dbs("C-1", construction=(clause("unread", "some new wording"),)))
    verdict = table.verdict({"C-1": 1})
    assert verdict.legal
    assert_illegal(verdict, "clause.unread", "main", "some new wording", "C-1", severity="warning")


def test_one_card_barred_by_two_clauses_is_one_finding():
    clauses = no({"color": ["Black"]}, "first"), no({"cost": {"min": 2}, "color": ["Black"]}, "second")
    table = Table(NEW, leader("L-2", *clauses), dbs("C-1", colors=("Black",)))
    assert_illegal(table.verdict({"C-1": 3}, leader={"L-2": 1}), "effect.forbidden", "main", "first", "C-1", count=3)


def test_a_gained_colour_makes_no_card_multicolour():
    gains = dbs("C-1", construction=(clause("alias", "also treated as blue", colors=["Blue"]),))
    table = Table(NEW, leader("L-2", no({"multicolor": True})), gains)
    assert_legal(table.verdict({"C-1": 1}, leader={"L-2": 1}))
