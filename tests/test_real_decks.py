"""Real deck lists judged against the full catalogues, imported as a user imports them."""

import json
from collections import Counter
from datetime import date

import pytest

from carddb import sources
from carddb.library import Library
from tests.shared import shared
from validator import Deck
from validator import Judge
from validator import Line
from validator import Policy
from validator import Terms
from validator import rulesets

PAGES = "pages/optcg/cardlist-en-all-60-2026-08-21.tar.gz"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Both full card lists in a database."""
    found = Library(f"sqlite:///{tmp_path_factory.mktemp('cards')}/deckproof.db")
    for game, path in (("optcg", PAGES), ("dbs", "data/dbs/catalogue.csv")):
        found.store().import_cards(game, sources.read(shared(path), game).cards, path)
    return found


def lists(path):
    return [json.loads(line) for line in shared(path).read_text("utf-8").splitlines()]


def deck(found, catalogue):
    """A list as it was found; where it names no sections a Leader is told by its type."""
    sections = {}
    for line in found["lines"]:
        card = catalogue.by_number(line["number"])
        section = line.get("section") or ("leader" if card and card.type == "Leader" else "main")
        sections.setdefault(section, []).append(Line(line["number"], line["count"]))
    return Deck(**{name: tuple(lines) for name, lines in sections.items()})


def judged(library, ruleset, path, day, format="standard", **policy):
    terms = Terms(rulesets()[ruleset], day, format=format, policy=Policy(**policy))
    catalogue = library.catalogue(terms.ruleset.game)
    judge = Judge(terms, catalogue)
    return [judge(deck(found, catalogue)) for found in lists(path)]


def test_one_piece_lists_of_all_years(library):
    verdicts = judged(library, "optcg-1.1.9", "decks/optcg_decks.jsonl", date(2022, 12, 2), format="extra")
    assert len(verdicts) == 987
    # Most cards came out after that day: that aside, seven lists have no Leader or two.
    faults = Counter(tuple(code for code in verdict.codes if code != "card.unreleased") for verdict in verdicts)
    assert faults == {(): 980, ("leader.count",): 7}


def test_dragon_ball_lists_of_the_unison_era_under_todays_rules(library):
    verdicts = judged(library, "dbs-4.00", "decks/dbs_decks.jsonl", date(2021, 1, 1), limits=False)
    assert len(verdicts) == 257
    faults = Counter(tuple(verdict.codes) for verdict in verdicts)
    # Two with 2 [Ultimate], one with 5 copies over two printings, one with a side deck of 27.
    assert faults == {(): 253, ("keyword.exceeded",): 2, ("copies.exceeded",): 1, ("size",): 1}
    counts = {verdict.findings[0].code: verdict.findings[0].count for verdict in verdicts if verdict.findings}
    assert counts == {"keyword.exceeded": 2, "copies.exceeded": 5, "size": 27}


def test_one_piece_lists_today_break_on_rotation_bans_and_nothing_else(library):
    verdicts = judged(library, "optcg-1.1.9", "decks/optcg_decks.jsonl", date(2026, 11, 21))
    faults = Counter(code for verdict in verdicts for code in set(verdict.codes))
    assert set(faults) == {"block.rotated", "card.banned", "pair.banned", "leader.count"}
    assert faults["leader.count"] == 7


def test_every_finding_on_real_lists_cites_and_says_what_to_do(library):
    verdicts = judged(library, "dbs-zenkai", "decks/dbs_decks.jsonl", date(2026, 7, 3))
    findings = [finding for verdict in verdicts for finding in verdict.as_dict()["findings"]]
    assert len(findings) > 200
    assert all(one["rule"]["document"] and one["rule"]["section"] and one["message"] and one["fix"] for one in findings)
