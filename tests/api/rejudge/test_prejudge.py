"""The columnar pre-judge: what it settles, the Judge finds nothing of."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest

from api.rejudge.prejudge import Prejudge
from api.rejudge.stored_decks import StoredDecks
from api.service.judges import Judges
from api.service.requests import RequestedTerms
from tests.api.rejudge import stock
from tests.validator.added_rules import CITE, Warns, with_rule
from validator.rules import Policy, Scope

JUDGES = Judges(stock.LIBRARY)
# Every set of the game but two.
SETS = sorted({card.number.partition("-")[0] for card in stock.LIBRARY.catalogue("optcg")} - {"OP02", "ST10"})
POOL = f"""
[[change]]
effective_from = 2026-01-01
region = "en"
source = "https://example.com/house-list"
allowed_sets = {SETS}
"""


@pytest.fixture(scope="module", params=[600, pytest.param(3_000, marks=pytest.mark.slow)])
def found(request):
    return list(stock.decks(request.param, seed=7))


def read(found):
    return StoredDecks.read(pa.array([lines for _, lines in found], pa.list_(stock.LINE)))


@pytest.mark.parametrize(
    "asked",
    [
        RequestedTerms(game="optcg", on=stock.ON),
        RequestedTerms(game="optcg", on=stock.ON, format="extra"),
        RequestedTerms(game="optcg", on=stock.BEFORE, region="jp"),
        RequestedTerms(game="optcg", on=stock.ON, limits_list=POOL),
        RequestedTerms(game="dbs", on=stock.ON),
        RequestedTerms(game="dbs", on=stock.ON, policy=Policy(limits=False, copies_across_side=False)),
        RequestedTerms(game="gundam", on=stock.ON),
        RequestedTerms(game="gundam", on=stock.ON, policy=Policy(limits=False, side_max=20)),
        RequestedTerms(game="bos", on=stock.ON),
    ],
)
def test_a_judge_finds_nothing_of_what_is_settled(asked, found):
    judge = JUDGES.judge(asked)
    decks = read([one for one in found if one[0] == asked.game] or found[:100])
    settled = Prejudge(judge).find_clean_decks(decks)
    clean = np.array([not bad and not judge(decks.deck(row)).findings for row, bad in enumerate(decks.unreadable)])
    assert not (settled & ~clean).any()
    if asked.game != "bos":  # every deck of which is asked for its chances
        assert settled.sum() >= 0.6 * clean.sum() > 0


@pytest.mark.parametrize("sections", [("resource",), ("side", "resource"), None])
def test_decks_that_a_rule_checks_whatever_their_cards_are_left_to_the_judge(sections, found):
    judge = JUDGES.judge(RequestedTerms(game="gundam", on=stock.ON))
    decks = read([one for one in found if one[0] == "gundam"])
    changed = with_rule(judge, Warns("added", "says", CITE, Scope(sections)))
    before, after = Prejudge(judge).find_clean_decks(decks), Prejudge(changed).find_clean_decks(decks)
    settled = [(decks.deck(row), after[row]) for row in np.flatnonzero(before)]
    is_seen = [sections is None or any(deck.section(one) for one in sections) for deck, _ in settled]
    assert any(is_seen)
    assert [is_settled for _, is_settled in settled] == [not seen for seen in is_seen]


def test_the_size_of_the_last_section_is_told_from_none():
    judge = JUDGES.judge(RequestedTerms(game="gundam", on=stock.ON, policy=Policy(limits=False)))
    some = (stock.deck("gundam", random.Random(place)) for place in range(100))
    bare = ([line for line in lines if line["section"] == "main"] for lines in some)
    main = next(lines for lines in bare if not judge(read([("", lines)]).deck(0)).findings)
    cards = [card.number for card in judge.catalogue if card.type == "Resource"]
    resources = [
        [
            {"number": number, "count": min(8, size - first), "section": "resource"}
            for number, first in zip(cards, range(0, size, 8), strict=False)
        ]
        for size in range(200)
    ]
    settled = Prejudge(judge).find_clean_decks(read([("", [*main, *own]) for own in resources]))
    assert np.flatnonzero(settled).tolist() == [0, 10]


def test_colours_of_a_whole_deck_are_settled():
    judge = JUDGES.judge(RequestedTerms(game="gundam", on=stock.ON, policy=Policy(limits=False)))
    decks = read([("gundam", stock.deck("gundam", random.Random(place))) for place in range(300)])
    colors = [
        {color for line in decks.deck(row).main for color in judge.catalogue.by_number(line.number).colors}
        for row in range(300)
    ]
    settled = Prejudge(judge).find_clean_decks(decks)
    assert settled.sum() > 100
    assert max(len(own) for own, is_settled in zip(colors, settled, strict=True) if is_settled) == 2


def test_it_learns_in_any_order_the_same(found):
    judge = JUDGES.judge(RequestedTerms(game="optcg", on=stock.ON))
    decks = read(found[:600])
    rows = np.arange(len(decks))[::-1]
    there, back = Prejudge(judge).find_clean_decks(decks), Prejudge(judge).find_clean_decks(decks.select_decks(rows))
    assert (there == back[::-1]).all()


def test_decks_are_taken_whole(found):
    decks = read(found[:300])
    rows = np.flatnonzero(~decks.unreadable)[::3]
    taken = decks.select_decks(rows)
    assert [taken.deck(place) for place in range(len(taken))] == [decks.deck(row) for row in rows.tolist()]


def test_decks_that_are_taken_are_asked_of_no_number_but_their_own(found):
    decks, asked = read(found[:300]), []
    row = int(np.flatnonzero(~decks.unreadable)[0])
    decks.select_decks(np.array([row])).map_numbers(lambda number: asked.append(number) or 0)
    assert sorted(asked) == sorted({line["number"] for line in found[row][1]})
