import json

import pytest

from carddb.errors import CardDataError, NoResults, PageError
from carddb.sources import dragonball
from carddb.sources import read as read_path
from tests.carddb import dbs_pages
from tests.shared import shared_path

PROMOS = "pages/dbs/cardlist_post_freeword_P757-P762_europe-en_2026-06.html"
EVENT_PACK = "pages/dbs/cardlist_post_freeword_EventPack19_europe-en_2026-06.html"


def read(path):
    return dragonball.parse_result_page(shared_path(path).read_text("utf-8"), path)


def read_one_card(item):
    """Return the only card of a page, and the notices."""
    page = dragonball.parse_result_page(dbs_pages.page([item]), "page")
    (found,) = page.printings
    return found.card, page.notices


def test_the_saved_pages_give_all_their_cards():
    promos, event_pack = read(PROMOS), read(EVENT_PACK)
    assert [found.printing for found in promos.printings][:5] == ["P-757", "P-758", "P-759", "P-760", "P-761"]
    assert (len(promos.printings), len(event_pack.printings)) == (8, 18)
    assert promos.notices == event_pack.notices == ()
    assert {found.card.type for found in event_pack.printings} == {"Battle", "Extra", "Z-Battle", "Z-Unison"}
    assert all(found.card.released == "2026-08-02" for found in event_pack.printings)


def test_what_another_parser_read_of_the_same_page():
    expected = json.loads(shared_path("data/dbs/tracker/parsed_cards.json").read_text("utf-8"))
    for found, other in zip(read(PROMOS).printings, expected, strict=True):
        card = found.card
        assert found.printing == other["id"]
        assert card.name == other["name"]
        assert ("/".join(card.colors), card.type.upper()) == (other["color"], other["type"])
        assert (card.cost_text, str(card.power)) == (other["cost"], other["power"])
        assert ("/".join(card.characters), "/".join(card.traits)) == (other["character"], other["traits"])
        # The other parser lost the balls that a skill costs.
        assert card.text.replace("]R,", "],").replace("]Y,", "],") == other["skill"]


def test_printings_keep_their_suffix_and_share_a_number():
    found = {found.printing: found for found in read(PROMOS).printings}
    assert found["P-761_PR"].card.number == found["P-761"].card.number == "P-761"
    assert (found["P-761"].is_base, found["P-761_PR"].is_base) == (True, False)
    assert {found.card.set for found in read(PROMOS).printings} == {"P"}


def test_costs_as_printed():
    cards = {found.printing: found.card for found in (*read(PROMOS).printings, *read(EVENT_PACK).printings)}
    printed = {number: (cards[number].cost, cards[number].cost_text) for number in cards}
    assert printed["P-758"] == (6, "6(BBBB)")
    assert printed["P-761"] == (None, "X(KK)")
    assert printed["BT24-083_PR"] == (None, "X(Y)")
    assert printed["BT28-139_PR"] == (3, "3(-)")
    assert printed["EX10-05_PR"] == (2, "2(BG)")


def test_multicolour():
    cards = {found.printing: found.card for found in read(EVENT_PACK).printings}
    assert cards["EX10-05_PR"].colors == ("Blue", "Green")


def test_the_categories_of_the_form():
    form = dragonball.parse_categories(shared_path(PROMOS).read_text("utf-8"), PROMOS)
    assert len(form) == 90
    assert form["428901"] == "Promotion Cards"


def test_a_leader_has_two_faces():
    leader, _ = read_one_card(dbs_pages.leader("XX1-001", "Example Fighter", "Example Fighter, Awakened"))
    assert (leader.name, leader.back_name) == ("Example Fighter", "Example Fighter, Awakened")
    assert (leader.type, leader.power, leader.back_power) == ("Leader", 10000, 15000)
    assert (leader.traits, leader.back_traits) == (("Alien",), ("Alien", "Awakened"))
    assert (leader.characters, leader.back_characters) == (("Example",), ("Example", "Other"))
    assert leader.text == "[Auto] Text one.\n[Awaken] Text two."
    assert leader.back_text == "[Permanent] You can include up to 7 copies of this card in your deck."
    assert leader.cost is None


@pytest.mark.parametrize(
    ("skill", "text"),
    [
        ("-", ""),
        ("Choose a <Son Goku & Vegeta : Xeno> card.", "Choose a <Son Goku & Vegeta : Xeno> card."),
        ("A <Prum> or 《Alien》<br>\n  next", "A <Prum> or 《Alien》\nnext"),
        ("【Evolve】 from ＜Champa＞", "[Evolve] from ＜Champa＞"),
        ('<img src="a/UNISON_plus_02.png" alt="UNISON +2" class="skillText unisonText">Draw.', "[UNISON +2]Draw."),
        (
            '<img src="../red_ball.png" alt=""><img src="../black_ball.png?v=1" alt=""><img src="one.png" alt="one"> :',
            "RK[one] :",
        ),
        ("you and<br /><br/>I", "you and\n\nI"),
        ("you<BR>and<!-- me -->", "you\nand"),
    ],
)
def test_skill_texts_as_printed(skill, text):
    assert read_one_card(dbs_pages.card("XX1-002", "Example", skillCol=skill))[0].text == text


@pytest.mark.parametrize(
    ("day", "released"),
    [("July 13,2018", "2018-07-13"), ("From July 28, 2017", "2017-07-28"), ("21-Jun-19", "2019-06-21"), ("-", None)],
)
def test_the_day_from_which_a_card_may_be_played(day, released):
    card, notices = read_one_card(dbs_pages.card("XX1-002", "Example", day=day))
    assert (card.released, notices) == (released, ())


@pytest.mark.parametrize(
    ("fields", "selector"),
    [
        ({"day": "to be announced"}, ".availableDateCol"),
        ({"powerCol": "a lot"}, ".powerCol"),
        ({"energyCol": "many"}, ".energyCol"),
    ],
)
def test_what_cannot_be_read_of_a_card_is_said(fields, selector):
    card, (notice,) = read_one_card(dbs_pages.card("XX1-002", "Example", **fields))
    assert card.name == "Example"
    assert "XX1-002" in notice
    assert f"`{selector}`" in notice


@pytest.mark.parametrize(
    ("field", "said", "names"),
    [
        ("energyCol", '1(<img src="pink_ball.png" alt="">)', "'pink_ball'"),
        ("skillCol", '<img src="c/Permanent.png" class="skillText"> You can include …', "'Permanent'"),
        ("skillCol", "Choose a <son goku> card.", "`<son>`"),
        ("skillCol", "<p>One.</p>", "`<p>`"),
        ("skillCol", "One.<script>x</script>", "`<script>`"),
    ],
)
def test_a_picture_or_an_element_that_is_not_known_is_doubted(field, said, names):
    html = dbs_pages.page([dbs_pages.card("XX1-002", "Example", **{field: said})])
    (doubt,) = dragonball.parse_result_page(html, "page").doubts
    assert "XX1-002" in doubt
    assert f"`.{field} dd`" in doubt
    assert names in doubt


def test_a_ball_is_a_ball_whatever_it_is_called():
    cost = '2(<img src="c/red_ball.png" alt="Red" /><img src="c/black_ball.gif?2" alt="">)'
    assert read_one_card(dbs_pages.card("XX1-002", "Example", energyCol=cost))[0].cost_text == "2(RK)"


def test_z_cards_keep_their_type():
    assert read_one_card(dbs_pages.card("XX1-002", "Example", typeCol="Z-LEADER"))[0].type == "Z-Leader"


@pytest.mark.parametrize(("field", "said"), [("typeCol", "HERO"), ("colorCol", "Pink/Red")])
def test_a_type_or_a_colour_that_the_game_does_not_have_is_not_imported(field, said, tmp_path):
    html = dbs_pages.page([dbs_pages.card("XX1-002", "Example", **{field: said})])
    assert dragonball.parse_result_page(html, "page.html").printings[0].card.type in ("Hero", "Battle")
    (tmp_path / "page.html").write_text(html)
    with pytest.raises(CardDataError, match=rf"XX1-002.*{said.partition('/')[0].title()}"):
        read_path(tmp_path / "page.html", "dbs")


def test_rarities_in_brackets_of_any_width():
    face = dbs_pages.face("Example", dbs_pages.BATTLE, "XX1-003", rarity="Super Rare［SR］")
    assert read_one_card(f"<li>{face}</li>")[0].rarity == "SR"


def test_an_empty_result_is_told_from_another_page():
    empty = dbs_pages.page([])
    for html in (empty, empty.replace('<ul class="list-inner"></ul>', "<p>No cards.</p>")):
        with pytest.raises(NoResults):
            dragonball.parse_result_page(html, "page")


@pytest.mark.parametrize(
    ("old", "new", "selector"),
    [
        ("category_exp", "category", "select[name=category_exp]"),
        ('id="listCol"', 'id="cards"', "#listCol"),
        ("list-inner", "card-grid", "#listCol > ul.list-inner > li"),
        ("cardFront", "front", ".cardFront"),
        ("cardNumber", "number", "dt.cardNumber"),
        ("cardName", "name", ".cardName"),
        ("typeCol", "kindCol", ".typeCol dd"),
        ("colorCol", "hueCol", ".colorCol dd"),
        ("skillCol", "textCol", ".skillCol dd"),
        ("cardBack", "cardReverse", ".cardBack"),
        ("XX1-001", "no number", "dt.cardNumber"),
    ],
)
def test_a_page_of_another_structure_names_the_selector(old, new, selector):
    page = dbs_pages.page([dbs_pages.leader("XX1-001", "Example", "Example, Awakened")])
    with pytest.raises(PageError) as refusal:
        dragonball.parse_result_page(page.replace(old, new), "the page")
    assert not isinstance(refusal.value, NoResults)
    assert selector in str(refusal.value)
    assert "the page" in str(refusal.value)


def test_a_login_page_is_no_empty_list():
    login = "<html><body><form action=login><input name=user></form></body></html>"
    with pytest.raises(PageError):
        dragonball.parse_result_page(login, "page")
    with pytest.raises(PageError):
        dragonball.parse_categories(login, "page")
