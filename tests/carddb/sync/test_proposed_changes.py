import tomllib
from datetime import date, timedelta
from itertools import chain
from pathlib import Path

import pytest

import validator.limits
from carddb.sources import restrictions
from carddb.sync.proposed_changes import proposed_changes
from tests.carddb import limits_pages as pages
from tests.shared import shared_path
from validator.limits import list_parser, shipped_lists

URL = "https://www.dbs-cardgame.com/us-en/rule/banned-limited-cards.php"
ONEPIECE_URL = "https://en.onepiece-cardgame.com/news/restriction.html"
FILES = Path(validator.limits.__file__).parent
ON = date(2026, 11, 21)


def dragonball_page(drop=(), more=(), updated="June 19, 2026"):
    """Return the page that says what our list says, but for the cards dropped and more."""
    standing = shipped_lists("dbs").listed.in_force_on(date(2026, 7, 3)).singles.values()
    cards = {0: [], 1: list(more)}
    for one in standing:
        (number,), (name,) = one.numbers, one.names
        if number not in drop:
            cards[one.limit].append(pages.dragonball_card(number, name, one.change.stated))
    return restrictions.parse_dragonball_page(pages.dragonball(cards[0], cards[1], updated), URL)


def onepiece_page(banned, pairs, notices=""):
    item = pages.onepiece_card
    page = pages.onepiece(
        [item(number, name) for number, name in banned],
        pairs=[[item(*one) for one in pair] for pair in pairs],
        notices=notices,
    )
    return restrictions.parse_onepiece_page(page, ONEPIECE_URL, ON)


def amend_list(game, toml):
    """Return the list of a game with the changes of a TOML text added to its file."""
    document = tomllib.loads((FILES / f"{game}.toml").read_text("utf-8"))
    added = tomllib.loads(toml)["change"]
    day = lambda change: change.get("effective_from") or change["no_later_than"]  # noqa: E731
    document["change"] = sorted(chain(document["change"], added), key=day)
    return list_parser.parse(document)


def test_a_page_that_says_the_same_needs_no_change():
    assert not proposed_changes(dragonball_page(), shipped_lists("dbs").listed, ON)


def test_the_official_words_of_2026_are_what_the_list_says():
    rows = shared_path("data/dbs/limits_official_verbatim.csv").read_text("utf-8").splitlines()[1:]
    assert len(dragonball_page().entries) == len(rows) == 90


def test_an_addition_and_a_lift_put_into_the_file_make_it_agree():
    page = dragonball_page(
        drop=("BT5-050", "BT10-008"),
        more=[
            pages.dragonball_card("BT31-001", 'A "new" <Son Goku> & co', "From December 24, 2026 onward."),
            pages.dragonball_card("BT31-002", "Another", "Pre-release date of [BT32] in your region."),
        ],
        updated="November 20, 2026",
    )
    found = proposed_changes(page, shipped_lists("dbs").listed, ON)
    mended = amend_list("dbs", found.toml())
    assert not proposed_changes(page, mended, ON)
    assert mended.in_force_on(date(2026, 12, 24)).singles["BT31-001"].limit == 1
    assert "BT31-001" not in mended.in_force_on(date(2026, 12, 23)).singles
    days = (date(2026, 11, 19), date(2026, 11, 20), ON)
    limits_then = [mended.in_force_on(day).singles.get("BT31-002") for day in days]
    assert [one and one.severity for one in limits_then] == [None, "warning", "error"]
    assert limits_then[-1].change.stated == "Pre-release date of [BT32] in your region."
    assert "BT5-050" not in mended.in_force_on(ON).singles
    assert found.toml().count("# to be checked") == 2
    assert "announced = 2026-11-20" in found.toml()


def test_a_limited_card_that_is_banned_keeps_the_lists_name_for_it():
    page = dragonball_page(drop=("BT10-008",))
    banned = restrictions.Restriction(("BT10-008",), ("Other name",), 0, date(2026, 12, 1), "From December 1, 2026.")
    page = restrictions.OfficialPage("dbs", URL, (*page.entries, banned), updated=date(2026, 11, 1))
    found = proposed_changes(page, shipped_lists("dbs").listed, ON)
    mended = amend_list("dbs", found.toml())
    assert mended.in_force_on(date(2026, 12, 1)).singles["BT10-008"].limit == 0
    assert mended.in_force_on(date(2026, 11, 30)).singles["BT10-008"].limit == 1


def test_a_day_that_the_page_gives_otherwise_is_a_remark():
    entries = dragonball_page().entries
    first = entries[0]
    moved = restrictions.Restriction(first.numbers, first.names, first.limit, first.effective_from + timedelta(1))
    page = restrictions.OfficialPage("dbs", URL, (moved, *entries[1:]), updated=date(2026, 6, 19))
    found = proposed_changes(page, shipped_lists("dbs").listed, ON)
    assert not found.changes
    assert first.numbers[0] in found.remarks[0]
    assert "change" not in tomllib.loads(found.toml())


BANNED = [
    ("OP03-040", "Nami"),
    ("OP06-047", "Charlotte Pudding"),
    ("OP06-086", "Gecko Moria"),
    ("OP06-116", "Reject"),
    ("ST10-001", "Trafalgar Law"),
    ("OP14-020", "Dracule Mihawk"),
]
LUFFY = ("OP11-040", "Monkey.D.Luffy")
PAIRS = [
    [LUFFY, ("OP11-067", "Charlotte Katakuri")],
    [LUFFY, ("OP08-069", "Charlotte Linlin")],
    [("OP07-115", "I Re-Quasar Helllp!!"), ("EB04-058", "Borsalino")],
]


def test_the_one_piece_list_of_october_2026():
    assert not proposed_changes(onepiece_page(BANNED, PAIRS), shipped_lists("optcg").listed, ON)


def test_pairs_come_and_go():
    nami, zoro = ("OP01-016", "Nami"), ("OP01-001", "Roronoa Zoro")
    notices = pages.notice(
        "December 1, 2026", "Banned Pair Cards", [pages.onepiece_card(*nami), pages.onepiece_card(*zoro)]
    )
    page = onepiece_page(BANNED, PAIRS[1:], notices)
    found = proposed_changes(page, shipped_lists("optcg").listed, ON)
    mended = amend_list("optcg", found.toml())
    assert not proposed_changes(page, mended, ON)
    after = {pair.numbers for pair in mended.in_force_on(date(2026, 12, 1)).pairs}
    assert ("OP01-001", "OP01-016") in after
    assert ("OP11-040", "OP11-067") not in after
    assert len(after) == 3


def test_a_lift_announced_for_later():
    notices = pages.notice("December 1, 2026", "Cards Removed", [pages.onepiece_card(*BANNED[0])])
    found = proposed_changes(onepiece_page(BANNED, PAIRS, notices), shipped_lists("optcg").listed, ON)
    mended = amend_list("optcg", found.toml())
    assert "OP03-040" in mended.in_force_on(date(2026, 11, 30)).singles
    assert "OP03-040" not in mended.in_force_on(date(2026, 12, 1)).singles


@pytest.mark.parametrize("game", ["dbs", "optcg"])
def test_the_sources_are_addresses_that_the_file_takes(game):
    page = dragonball_page(drop=("BT5-050",)) if game == "dbs" else onepiece_page(BANNED[1:], PAIRS)
    assert amend_list(game, proposed_changes(page, shipped_lists(game).listed, ON).toml())
