from datetime import date

import pytest

from carddb.errors import PageError
from carddb.sources import restrictions
from tests.carddb import limits_pages as pages

URL = "https://example.test/limits"
ON = date(2026, 11, 21)
ZORO = pages.onepiece_card("OP01-001", "Roronoa Zoro")
NAMI = pages.onepiece_card("OP01-016", "Nami")
USOPP = pages.onepiece_card("OP01-004", "Usopp")


def onepiece(**lists):
    return restrictions.parse_onepiece_page(pages.onepiece(**lists), URL, ON)


def limits_and_days(official):
    """Return the limit and the first day of each entry of a page, by its card numbers."""
    return {entry.numbers: (entry.limit, entry.effective_from) for entry in official.entries}


def test_the_dragon_ball_page():
    official = restrictions.parse_dragonball_page(
        pages.dragonball(
            [
                pages.dragonball_card("BT1-030", "Son Goku"),
                pages.dragonball_card("BT20-029", "Android 21", "Pre-release date of [BT24] in your region."),
            ],
            [pages.dragonball_card("BT10-2", "Vegeta/ SS Vegeta", "From June 1,2019 forward")],
        ),
        URL,
    )
    assert limits_and_days(official) == {
        ("BT1-030",): (0, date(2026, 7, 3)),
        ("BT20-029",): (0, None),
        ("BT10-002",): (1, date(2019, 6, 1)),
    }
    assert official.entries[1].stated == "Pre-release date of [BT24] in your region."
    assert official.entries[2].names == ("Vegeta/ SS Vegeta",)
    assert (official.updated, official.notices) == (date(2026, 6, 19), ())


def test_read_the_copies_of_limited_cards_from_the_dragon_ball_page():
    cards = [pages.dragonball_card("BT1-030", "Son Goku")], [pages.dragonball_card("BT1-031", "Champa")]
    page = pages.dragonball(*cards).replace("a total 1 copy", "a total 2 copies")
    entries = restrictions.parse_dragonball_page(page, URL).entries
    assert [(entry.numbers, entry.limit) for entry in entries] == [(("BT1-030",), 0), (("BT1-031",), 2)]


@pytest.mark.parametrize("period", ["", "<dd></dd>", "<dd>Europe (English version)<br>From January 1, 2030.</dd>"])
def test_a_card_without_a_period_for_our_region_has_no_first_day(period):
    card = pages.dragonball_card("BT1-030", "Son Goku")
    start = card.index("<dd>North")
    card = card[:start] + period + card[card.index("</dl></div></div>") :]
    (entry,) = restrictions.parse_dragonball_page(pages.dragonball([card], ["<p>(No cards.)</p>"]), URL).entries
    assert (entry.effective_from, entry.stated) == (None, "")


def test_the_best_of_one_section_is_said_and_not_mixed_in():
    page = pages.dragonball(
        [pages.dragonball_card("BT1-030", "Son Goku")], [], best_of_one=pages.dragonball_card("BT1-031", "Champa")
    )
    page = page.replace("<h5>Limited Card", "<p>(No cards are limited.)</p><h5>Limited Card")
    official = restrictions.parse_dragonball_page(page, URL)
    assert [entry.numbers for entry in official.entries] == [("BT1-030",)]
    assert "BT1-031" in official.notices[0]


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("subTitle", "title", "h4.subTitle"),
        ("id='bannedCardList'", "id='banned'", "#bannedCardList"),
        ("id='limitedCardList'", "id='limited'", "#limitedCardList"),
        ("limitedCardList-inner", "row", ".limitedCardList-inner"),
        ("contents", "text", "dd.contents"),
        ("a total 1 copy", "few copies", "#limitedCardList"),
        ("BT1-030", "see below", "no card number"),
        ("</html>", "", "</html>"),
    ],
)
def test_another_dragon_ball_page_is_refused(old, new, named):
    card = pages.dragonball_card("BT1-030", "Son Goku")
    page = pages.dragonball([card], [card])
    assert old in page
    with pytest.raises(PageError, match=r"(?s).*") as refusal:
        restrictions.parse_dragonball_page(page.replace(old, new), URL)
    assert named in str(refusal.value)


def test_the_one_piece_page():
    official = onepiece(banned=[ZORO], restricted=[NAMI], pairs=[[USOPP, NAMI], [USOPP, ZORO]])
    assert limits_and_days(official) == {
        ("OP01-001",): (0, None),
        ("OP01-016",): (1, None),
        ("OP01-004", "OP01-016"): (0, None),
        ("OP01-001", "OP01-004"): (0, None),
    }
    assert official.entries[2].names == ("Usopp", "Nami")


@pytest.mark.parametrize(
    ("sentence", "limit"),
    [("You may include only 2 copies of these cards.", 2), ("In total 3 copies may be used.", 3), ("See below.", 1)],
)
def test_read_the_copies_of_restricted_cards_from_the_one_piece_page(sentence, limit):
    page = pages.onepiece([ZORO], [NAMI]).replace("Restricted Cards</h4>", f"Restricted Cards</h4><p>{sentence}</p>")
    official = restrictions.parse_onepiece_page(page, URL, ON)
    assert [(entry.numbers, entry.limit) for entry in official.entries] == [(("OP01-001",), 0), (("OP01-016",), limit)]


def test_pairs_called_card_a_and_card_b():
    a = pages.onepiece_card("OP07-115", "I Re-Quasar Helllp!!", "Card A:")
    for b in ("Card A:", "Card B:"):
        other = pages.onepiece_card("EB04-058", "Borsalino", b)
        for pairs in ([[a, other]], [[a], [other]]):
            official = onepiece(banned=[ZORO], pairs=pairs)
            assert official.entries[1].numbers == ("EB04-058", "OP07-115")
            assert official.entries[1].names == ("Borsalino", "I Re-Quasar Helllp!!")


def test_a_label_inside_the_link_is_no_part_of_the_name():
    item = "<li><a href='/cardlist/?freewords=OP01-016&x=1'>Card A: OP01-016 Nami</a></li>"
    assert onepiece(banned=[item]).entries[0].names == ("Nami",)


def test_announcements_date_the_entries():
    notices = pages.notice("April 1, 2026", "Banned Cards", [ZORO]) + pages.notice(
        "March 1, 2025", "Banned Cards", [ZORO, NAMI]
    )
    official = onepiece(banned=[ZORO, NAMI, USOPP], notices=notices)
    assert [entry.effective_from for entry in official.entries] == [date(2026, 4, 1), date(2025, 3, 1), None]


def test_what_is_announced_for_later_is_an_entry():
    notices = (
        pages.notice("March 3, 2031", "Banned Cards", [])
        + "<h5>OP01-016 Nami</h5>"
        + pages.notice("March 3, 2031", "Cards Removed from the List", [ZORO])
        + pages.notice("April 1, 2020", "Banned Cards", [USOPP])
    )
    official = onepiece(banned=[ZORO], notices=notices)
    assert limits_and_days(official) == {("OP01-001",): (0, None), ("OP01-016",): (0, date(2031, 3, 3))}
    assert official.ended == {("OP01-001",): date(2031, 3, 3)}


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("Active Restrictions", "Rules", "Active Restrictions"),
        ("Banned Cards", "Forbidden", "Banned Cards"),
        ("Restricted Cards", "Few", "Restricted Cards"),
        ("Banned Pair Cards", "Pairs", "Banned Pair Cards"),
        ("There are currently no cards in this category.", "", "Restricted Cards"),
        ("OP01-001", "?", "Banned Cards"),
        ("</html>", "", "</html>"),
    ],
)
def test_another_one_piece_page_is_refused(old, new, named):
    page = pages.onepiece([ZORO])
    assert old in page
    with pytest.raises(PageError) as refusal:
        restrictions.parse_onepiece_page(page.replace(old, new), URL, ON)
    assert named in str(refusal.value)


@pytest.mark.parametrize("item", ["<li>OP01-001 Zoro, OP01-016 Nami</li>", ZORO.replace("=OP01-001", "=OP01-016")])
def test_a_line_that_names_two_cards_is_refused(item):
    with pytest.raises(PageError, match="OP01-001, OP01-016"):
        onepiece(banned=[item])


def test_a_card_is_listed_once_and_with_one_limit():
    assert len(onepiece(banned=[ZORO, ZORO]).entries) == 1
    with pytest.raises(PageError, match=r"OP01-001.*two limits"):
        onepiece(banned=[ZORO], restricted=[ZORO])
    card = pages.dragonball_card("BT1-030", "Son Goku")
    assert (
        len(
            restrictions.parse_dragonball_page(
                pages.dragonball([card, card], [pages.dragonball_card("BT1-031", "x")]), URL
            ).entries
        )
        == 2
    )
    with pytest.raises(PageError, match=r"BT1-030.*two limits"):
        restrictions.parse_dragonball_page(pages.dragonball([card], [card]), URL)


def test_what_is_in_no_entry_is_said():
    page = pages.onepiece(
        [ZORO, "<li>Some card</li>"],
        notices=pages.notice("soon", "Banned Cards", [NAMI]) + pages.notice("May 1, 2031", "Errata", [USOPP, NAMI]),
    )
    page = page.replace("<h3>History", f"<h4>Suspended Cards</h4><ul>{NAMI}</ul><h3>History")
    official = restrictions.parse_onepiece_page(page, URL, ON)
    assert list(limits_and_days(official)) == [("OP01-001",)]
    assert official.ended == {}
    for word in ("'Some card'", "'Suspended Cards'", "effective from soon", "'Errata'"):
        assert sum(word in notice for notice in official.notices) == 1


def test_a_section_that_is_unheard_of_is_said_and_not_mixed_in():
    card = pages.dragonball_card
    page = pages.dragonball([card("BT1-030", "Son Goku")], [card("BT1-031", "Champa")])
    page = page.replace("</body>", f"<div id='bannedPairList'>{card('BT1-032', 'Vados')}</div></body>")
    official = restrictions.parse_dragonball_page(page, URL)
    assert list(limits_and_days(official)) == [("BT1-030",), ("BT1-031",)]
    assert "'bannedPairList'" in official.notices[0]


@pytest.mark.parametrize("pairs", [[[ZORO, NAMI, USOPP]], [[ZORO], [NAMI, USOPP]], [[ZORO]], [[ZORO, ZORO]]])
def test_what_is_no_pair_is_refused(pairs):
    with pytest.raises(PageError):
        onepiece(banned=[ZORO], pairs=pairs)
