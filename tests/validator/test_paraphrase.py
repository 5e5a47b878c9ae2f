"""A clause whose text the catalogue does not have binds as before, cites its card, and is said in other words."""

import pytest

from tests.validator.table import Table, assert_illegal, clause, dbs, optcg
from validator import paraphrase

DBS, OPTCG = "dbs-4.00", "optcg-1.2.1"


def leader(make, *clauses):
    return make("X-LEADER", "Leader", construction=clauses)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (clause("copies", "", limit=None), "any number of copies"),
        (clause("copies", "", limit=1, section="z"), "1 copy of it in the Z-Deck"),
        (clause("pool", "", limit=7, match={"trait": ["Kite"]}), "allows 7 of the cards with the trait Kite"),
        (clause("forbid", "", match={"type": ["Event"], "cost": {"min": 2}}), "bars Event cards that cost 2 or more"),
        (clause("forbid", "", match={"cost": {"max": 3}}), "cost 3 or less"),
        (clause("forbid", "", match={"cost": {"min": 2, "max": 4}}), "cost 2 to 4"),
        (clause("forbid", "", match={"not": {"color": ["Red"]}}), "cards other than cards that are Red"),
        (clause("forbid", "", match={"any": [{"multicolor": True}, {"name_part": ["K"]}]}), "of several colours or"),
        (
            clause("forbid", "", match={"any": [{"type": ["Battle"], "not": {"trait": ["K"]}}, {"multicolor": True}]}),
            "cards of several colours or Battle cards other than cards with the trait K from",
        ),
        (clause("alias", "", names=("A", "B")), "gives it the names A and B"),
        (clause("alias", "", colors=("Red",), when={"character": ["K"]}), "if the Leader is one of the cards of the"),
        (clause("keyword", "", keyword="Ultimate"), "the keyword Ultimate"),
        (clause("don_size", "", size=6), "a DON!! deck of 6 cards"),
        (clause("unread", ""), "could not be read"),
    ],
)
def test_every_kind_of_clause_has_words(said, words):
    assert words in paraphrase.clause_text(said)


def test_a_text_that_is_at_hand_is_quoted():
    card = dbs("X-99", construction=(said := clause("copies", "Up to 7 of these.", limit=7),))
    assert paraphrase.cite(card, said).section == paraphrase.clause_text(said) == "Up to 7 of these."


def test_a_limit_of_copies_without_its_text():
    table = Table(DBS, dbs("X-99", construction=(clause("copies", "", limit=1),)))
    assert_illegal(
        table.verdict({"X-99": 2}),
        "copies.exceeded",
        "main",
        "X-99's own text allows 1 copy of it in the deck",
        "X-99",
        count=2,
        limit=1,
    )


def test_a_bar_without_its_text_is_no_quotation():
    table = Table(DBS, leader(dbs, clause("forbid", "", match={"color": ["Blue"]})), dbs("X-98", colors=("Blue",)))
    cites = "X-LEADER's own text bars cards that are Blue from the deck"
    found = assert_illegal(table.verdict({"X-98": 4}), "effect.forbidden", "main", cites, "X-98", count=4)
    assert found.details == {"by": "X-LEADER", "text": "bars cards that are Blue from the deck"}
    assert "“" not in found.message


def test_a_size_of_the_don_deck_without_its_text():
    table = Table(OPTCG, leader(optcg, clause("don_size", "", size=6)))
    cites = "X-LEADER's own text makes a DON!! deck of 6 cards"
    assert_illegal(table.verdict(don={"DON!!": 10}), "size", "don", cites, count=10, limit=6)


def test_that_something_was_not_understood_survives_the_loss_of_the_text():
    table = Table(DBS, dbs("X-97", construction=(clause("unread", ""),)))
    cites = "X-97's own text has a deck building text that could not be read"
    found = assert_illegal(table.verdict({"X-97": 4}), "clause.unread", "main", cites, "X-97")
    assert found.severity == "warning"
    assert "“" not in found.message
