"""Real deck lists judged against the full catalogues, imported as a user imports them."""

import json
from collections import Counter
from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from carddb import facts
from tests.shared import shared_path
from validator import Deck, Judge, Line, Policy, Terms, paraphrase, rulesets
from validator.limits import shipped_lists
from validator.rulesets import of_game

pytestmark = pytest.mark.slow


def lists(path):
    return [json.loads(line) for line in shared_path(path).read_text("utf-8").splitlines()]


def make_deck(stored_list, catalogue):
    """Return the deck of a stored list. Without sections, Leaders are recognised by their type."""
    sections = {}
    for line in stored_list["lines"]:
        card = catalogue.by_number(line["number"])
        section = line.get("section") or ("leader" if card and card.type == "Leader" else "main")
        sections.setdefault(section, []).append(Line(line["number"], line["count"]))
    return Deck(**{name: tuple(lines) for name, lines in sections.items()})


def judge_lists(library, ruleset, path, day, format="standard", region="en", **policy):
    """Return the verdicts of a day on all lists of a file."""
    terms = Terms(rulesets()[ruleset], day, region, format, Policy(**policy))
    catalogue = library.catalogue(terms.ruleset.game)
    judge = Judge(terms, catalogue)
    return [judge(make_deck(found, catalogue)) for found in lists(path)]


def day_of_list(stored_list):
    """Return the day of a stored list, None if it has none."""
    written = stored_list.get("date") or ""
    for form in ("%Y-%m-%d", "%m/%d/%Y", "%m/%d/%y"):
        try:
            return datetime.strptime(written, form).date()
        except ValueError:
            continue
    return day_in_season(written, stored_list["meta"]) if "meta" in stored_list else None


def day_in_season(text, booster):
    """Return the day of a text without a year: the first such day after the sale of the booster, less three weeks."""
    sale = date.fromisoformat(shipped_lists("optcg").sets.first_english_day(f"{booster.upper()}-001"))
    month, day = text.split()
    days = [datetime.strptime(f"{month[:3]} {day} {year}", "%b %d %Y").date() for year in (sale.year, sale.year + 1)]
    return next(day for day in days if day >= sale - timedelta(weeks=3))


def judge_at_their_dates(library, game):
    """Yield the day of each dated list, and the verdict of that day."""
    catalogue, judges = library.catalogue(game), {}
    for found in lists(f"decks/{game}_decks.jsonl"):
        if day := day_of_list(found):
            format = "extra" if "EXTRA" in found.get("event", "") else "standard"
            if (day, format) not in judges:
                judges[day, format] = Judge(Terms(of_game(game, day), day, format=format), catalogue)
            yield day, judges[day, format](make_deck(found, catalogue))


def list_findings(dated_verdicts, severity):
    """Return the findings of a severity on dated lists, sorted: the code, the number of the first card, and the day."""
    return sorted(
        (finding.code, finding.cards[0].number, day)
        for day, verdict in dated_verdicts
        for finding in verdict.found
        if finding.severity == severity and finding.cards
    )


def test_no_dragon_ball_list_is_warned_of_anything_at_its_own_date(library):
    dated_verdicts = list(judge_at_their_dates(library, "dbs"))
    assert len(dated_verdicts) == 255
    assert list_findings(dated_verdicts, "warning") == []
    # One plays a card that had been banned for a year and a half.
    listed = [one for one in list_findings(dated_verdicts, "error") if one[0] in ("card.banned", "card.restricted")]
    assert listed == [("card.banned", "BT4-073", date(2021, 1, 5))]
    assert "card.unreleased" not in {code for code, _, _ in list_findings(dated_verdicts, "error")}


def test_two_one_piece_lists_are_warned_of_a_ban_at_their_own_date(library):
    dated_verdicts = list(judge_at_their_dates(library, "optcg"))
    assert len(dated_verdicts) == 981
    # The ban was announced after April 1, 2023 for the pre-release of OP-03, which came out on June 30. The day of
    # that pre-release is not known: that it did not bind these two yet is likely, and cannot be proved.
    assert list_findings(dated_verdicts, "warning") == [
        ("card.banned", "OP02-024", date(2023, 5, 16)),
        ("card.banned", "OP02-024", date(2023, 5, 23)),
    ]
    # Many were played online before the sale of their cards; no list of cards bars any.
    assert {code for code, _, _ in list_findings(dated_verdicts, "error")} <= {"card.unreleased", "leader.count"}


def test_no_list_is_judged_in_japan_by_the_days_of_north_america(library):
    verdicts = judge_lists(library, "optcg-1.1.9", "decks/optcg_decks.jsonl", date(2022, 7, 8), "extra", "jp")
    assert {code for verdict in verdicts for code in verdict.codes} == {"leader.count"}


def test_one_piece_lists_of_all_years(library):
    verdicts = judge_lists(library, "optcg-1.1.9", "decks/optcg_decks.jsonl", date(2022, 12, 2), format="extra")
    assert len(verdicts) == 987
    # Most cards came out after that day: that aside, seven lists have no Leader or two.
    faults = Counter(tuple(code for code in verdict.codes if code != "card.unreleased") for verdict in verdicts)
    assert faults == {(): 980, ("leader.count",): 7}


def test_dragon_ball_lists_of_the_unison_era_under_todays_rules(library):
    verdicts = judge_lists(library, "dbs-4.00", "decks/dbs_decks.jsonl", date(2021, 1, 1), limits=False, release=False)
    assert len(verdicts) == 257
    faults = Counter(tuple(verdict.codes) for verdict in verdicts)
    # Two with 2 [Ultimate], one with 5 copies over two printings, one with a side deck of 27.
    assert faults == {(): 253, ("keyword.exceeded",): 2, ("copies.exceeded",): 1, ("size",): 1}
    counts = {verdict.findings[0].code: verdict.findings[0].count for verdict in verdicts if verdict.findings}
    assert counts == {"keyword.exceeded": 2, "copies.exceeded": 5, "size": 27}


def test_one_piece_lists_today_break_on_rotation_bans_and_nothing_else(library):
    verdicts = judge_lists(library, "optcg-1.1.9", "decks/optcg_decks.jsonl", date(2026, 11, 21))
    faults = Counter(code for verdict in verdicts for code in set(verdict.codes))
    assert set(faults) == {"block.rotated", "card.banned", "pair.banned", "leader.count"}
    assert faults["leader.count"] == 7


def test_every_finding_on_real_lists_cites_and_says_what_to_do(library):
    verdicts = judge_lists(library, "dbs-zenkai", "decks/dbs_decks.jsonl", date(2026, 7, 3))
    findings = [finding for verdict in verdicts for finding in verdict.as_dict()["findings"]]
    assert len(findings) > 200
    assert all(one["rule"]["document"] and one["rule"]["section"] and one["message"] and one["fix"] for one in findings)


def broken(whole):
    """The deck, and the deck with what no rule lets pass: five copies, a card twice over, a Leader less or another."""
    copies = [line._replace(count=5) for line in whole.main[:1]]
    yield whole
    yield replace(whole, main=(*copies, *whole.main[1:]))
    yield replace(whole, main=whole.main[1:], side=whole.main[:20])
    yield replace(whole, leader=())


def meaning(verdict):
    """What a verdict comes to, but for what it quotes of texts."""
    findings = [
        (one.code, one.severity, one.section, one.cards, one.count, one.limit, one.minimum, one.rule.document)
        for one in verdict.found
    ]
    return verdict.legal, sorted(map(repr, findings)), verdict.deck_hash


@pytest.mark.parametrize(("game", "path"), [("optcg", "decks/optcg_decks.jsonl"), ("dbs", "decks/dbs_decks.jsonl")])
def test_the_facts_that_ship_judge_as_the_whole_catalogues_do(library, game, path):
    whole, shipped = library.catalogue(game), facts.catalogue(game)
    leaders = [card for card in whole if card.type == "Leader" and card.construction]
    decks = [one for found in lists(path) for one in broken(make_deck(found, whole))]
    # Under Leaders that bar cards, and with every card whose text says something of construction.
    decks += [replace(one, leader=(Line(leader.number, 1),)) for leader in leaders for one in decks[::97]]
    speaking = [Line(card.number, 5) for card in whole if card.construction]
    decks += [
        Deck(leader=(Line(leader.number, 1),), main=tuple(speaking[at : at + 15]))
        for leader in leaders
        for at in range(0, len(speaking), 15)
    ]
    terms = Terms(of_game(game, date(2026, 11, 21)), date(2026, 11, 21))
    judges = [Judge(terms, catalogue) for catalogue in (whole, shipped)]
    codes = Counter()
    for one in decks:
        verdicts = [judge(one) for judge in judges]
        assert meaning(verdicts[0]) == meaning(verdicts[1])
        codes.update(verdicts[1].codes)
    assert codes["copies.exceeded"] > 100
    assert codes["effect.forbidden"] > 100


@pytest.mark.parametrize("game", ["optcg", "dbs"])
def test_every_clause_that_ships_is_worded(game):
    said = {paraphrase.clause_text(clause) for card in facts.catalogue(game) for clause in card.construction}
    assert len(said) > 10
    assert not [words for words in said if "None" in words or "{" in words or "  " in words]
