"""The official ONE PIECE card list is read field by field. Any other page is refused with a reason."""

import json
import tarfile
from functools import cache

import pytest

from carddb.errors import CardDataError, NoResults, PageError
from carddb.sources import onepiece, read
from carddb.sources.official_sites import official_site
from carddb.sources.onepiece import Printing
from carddb.sources.printings import merge_by_card
from tests.carddb import real
from tests.carddb.sources import onepiece_pages
from tests.cost import time_limit
from tests.shared import shared_path

CAPTAIN = onepiece_pages.CAPTAIN
EVENT = onepiece_pages.EVENT


def page(*printings: dict, **page: object) -> str:
    return onepiece_pages.page(printings, **page)


def cards(*printings: dict) -> list:
    return merge_by_card("optcg", onepiece.parse_card_page(page(*printings), "page.html").printings)


def parse_printings(html: str, location: str) -> list[Printing]:
    return onepiece.read_printings(onepiece.parse_tree(html, location), location)


@cache
def real_printings() -> list[Printing]:
    with tarfile.open(shared_path("pages/optcg/cardlist-en-all-60-2026-08-21.tar.gz")) as archive:
        pages = [(member.name, archive.extractfile(member).read().decode()) for member in archive]
    return [printing for name, html in pages for printing in parse_printings(html, name)]


def record(printing: Printing) -> dict:
    kept = {field: value for field, value in printing._asdict().items() if field not in ("life", "cost")}
    kept |= {field: value for field in ("life", "cost") if (value := getattr(printing, field)) is not None}
    return kept | {"notes": list(printing.notes)}


@pytest.mark.slow
def test_all_real_printings_are_read_field_by_field():
    wanted = json.loads(shared_path("data/optcg/cards_en_printings.json").read_text())
    found = [record(printing) for printing in real_printings()]
    assert len(found) == 4842
    assert found == wanted


@pytest.mark.slow
def test_the_real_pages_give_each_number_once():
    found = real.cards("optcg")
    assert len(found) == 2784
    assert sum(len(card.printings) for card in found) == 4841  # OP07-091_p1 is on two pages
    assert {card.type for card in found} == {"Leader", "Character", "Event", "Stage"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "facts"),
    [
        ("EB01-023", {"power": 6000}),
        ("ST23-004", {"traits": ("FILM", "Supernovas", "Straw Hat Crew")}),
        ("ST11-005", {"traits": ("音楽", "FILM")}),  # so the site has it; its other printings say Music
        ("OP01-016", {"block": "1", "released": "2022-12-02"}),
        ("OP15-096", {"block": None, "cost": 0, "power": None}),
        ("OP13-079", {"attributes": ("?",)}),
        ("OP01-006", {"power": 0}),
        ("OP01-001", {"cost": None, "type": "Leader"}),
        ("P-001", {"released": None, "set": "P"}),
    ],
)
def test_the_base_printing_is_the_card(number, facts):
    card = next(card for card in real.cards("optcg") if card.number == number)
    assert {fact: getattr(card, fact) for fact in facts} == facts


@pytest.mark.slow
def test_the_unescaped_word_slash_stays_in_the_text():
    card = next(card for card in real.cards("optcg") if card.number == "OP12-027")
    assert "your <Slash> attribute Character" in card.text


@pytest.mark.slow
def test_an_eb04_card_is_released_with_the_first_pack_that_has_it():
    assert {card.released for card in real.cards("optcg") if card.set == "EB04"} == {"2026-01-16", "2026-04-03"}


@pytest.mark.parametrize(
    ("capture", "printings", "block"),
    [
        ("cardlist-en-series-569001-2025-07-browser-saved.html", 17, "1"),
        ("cardlist-en-series-569021-2025-03.html", 32, None),
        ("cardlist-en-series-569101-2025-03-13.html", 154, None),
        ("cardlist-en-series-569201-2025-07-browser-saved.html", 80, "2"),
    ],
)
def test_older_captures_are_read(capture, printings, block):
    file = shared_path(f"pages/optcg/raw-older/{capture}")
    found = onepiece.parse_card_page(file.read_text(), capture).printings
    assert len(found) == printings
    assert found[0].card.block == block


def test_the_menu_of_packs_is_read():
    html = shared_path("pages/optcg/raw-2026-08/cardlist-en-series-569001.html").read_text()
    packs = onepiece.parse_packs(html, "page.html")
    labels = json.loads(shared_path("data/optcg/packs_en.json").read_text())
    assert len(packs) == 59 <= len(labels)
    assert packs["569101"] == "BOOSTER PACK -ROMANCE DAWN- [OP-01]"
    assert packs["569022"] == "STARTER DECK -Ace & Newgate- [ST-22]"


def test_a_menu_without_packs_is_no_menu():
    html = page(CAPTAIN).replace('<option value="569999" selected>', "<option>")
    with pytest.raises(PageError, match=r"select#series > option\[value\]"):
        onepiece.parse_packs(html, "page.html")


def test_a_search_without_results_is_no_empty_catalogue():
    file = shared_path("pages/optcg/raw-2026-08/cardlist-asia-en-series-556117-empty.html")
    with pytest.raises(PageError, match=r"dl\.modalCol") as error:
        read(file, "optcg")
    assert "found no cards" in str(error.value)


def test_every_field_of_a_printing():
    [found] = parse_printings(page(CAPTAIN), "page.html")
    assert found == Printing(
        id="OP99-001",
        number="OP99-001",
        name="Example Captain",
        rarity="L",
        category="LEADER",
        life="4",
        cost=None,
        attribute="Slash",
        power="5000",
        counter="-",
        color="Red/Blue",
        block="5",
        type="Example Crew/Test Pirates",
        effect="[Your Turn] First line.\n[On Play] Second line.",
        trigger="[Trigger] Draw 1 card.",
        card_sets="-AN EXAMPLE- [OP99]",
        notes=("Errata Card",),
        pack_id="569999",
        image="OP99-001.png?000000",
    )


def test_a_printing_becomes_a_card():
    [card] = cards(CAPTAIN, CAPTAIN | {"id": "OP99-001_p1", "power": "9000"})
    assert (card.number, card.name, card.type) == ("OP99-001", "Example Captain", "Leader")
    assert card.colors == ("Red", "Blue")
    assert (card.cost, card.power) == (None, 5000)
    assert card.traits == ("Example Crew", "Test Pirates")
    assert card.attributes == ("Slash",)
    assert card.text == "[Your Turn] First line.\n[On Play] Second line.\n[Trigger] Draw 1 card."
    assert card.printings == ("OP99-001", "OP99-001_p1")


def test_a_dash_is_nothing_or_a_zero():
    [card] = cards(EVENT)
    assert (card.cost, card.power, card.attributes, card.text) == (0, None, (), "")


@pytest.mark.parametrize("word", ["<Slash>", "&lt;Slash&gt;", "＜Strike＞", "<Slash> or <Strike>"])
def test_words_in_angle_brackets_are_text(word):
    [card] = cards(EVENT | {"effect": f"K.O. a {word} Character."})
    assert card.text == f"K.O. a {word} Character.".replace("&lt;", "<").replace("&gt;", ">")


def test_don_cards_have_no_number_and_are_left_out_with_a_notice():
    don = EVENT | {"id": "DON-1", "number": "-", "category": "DON!! CARD", "name": "DON!! Card (Gold)"}
    found = onepiece.parse_card_page(page(EVENT, don), "page.html")
    assert [each.card.number for each in found.printings] == ["OP99-020"]
    assert len(found.notices) == 1


def test_one_page_twice_is_the_same_cards():
    assert len(cards(CAPTAIN, CAPTAIN)) == 1


def test_two_base_printings_that_differ_are_refused_saying_where():
    with pytest.raises(CardDataError, match=r"OP99-001.*differ in power"):
        cards(CAPTAIN, CAPTAIN | {"power": "9000"})


@pytest.mark.parametrize(
    ("html", "names"),
    [
        ("<html><body>Hello</body></html>", "dl.modalCol"),
        ("", "stops in the middle"),
        (page(CAPTAIN).replace("countCol", "counter"), ".countCol"),
        (page(CAPTAIN).replace("cardName", "card-name"), ".cardName"),
        (page(CAPTAIN).replace('class="power"', 'class="strength"'), ".power"),
        (page(CAPTAIN).replace("infoCol", "info"), ".infoCol"),
        (page(CAPTAIN | {"id": "OP98-001"}), ".infoCol"),
        (page(CAPTAIN)[:-400], "stops in the middle"),
    ],
)
def test_another_page_is_named_with_what_was_looked_for(html, names):
    with pytest.raises(PageError, match=r"page\.html") as error:
        onepiece.parse_card_page(html, "page.html")
    assert names in str(error.value)


@pytest.mark.parametrize(
    ("html", "names"),
    [
        (page(CAPTAIN, count="1 of 3 results"), "the page counts '1 of 3 results'"),
        (page(CAPTAIN, count="2 results"), "the page counts '2 results'"),
        (page(CAPTAIN | {"category": "SHIP"}), "'Ship'"),
        (page(CAPTAIN | {"color": "Pink"}), "'Pink'"),
        (page(CAPTAIN | {"power": "lots"}), "'lots'"),
        (page(EVENT | {"cost": "lots"}), "'lots'"),
    ],
)
def test_what_looks_wrong_on_a_page_is_not_imported(html, names, tmp_path):
    assert onepiece.parse_card_page(html, "page.html").printings
    (tmp_path / "page.html").write_text(html)
    with pytest.raises(CardDataError, match=r"page\.html") as error:
        read(tmp_path / "page.html", "optcg")
    assert names in str(error.value)


def test_the_page_of_another_pack_than_the_one_asked_for_is_refused():
    assert onepiece.parse_card_page(page(CAPTAIN), "page.html", "569999").printings
    with pytest.raises(PageError, match="569101"):
        onepiece.parse_card_page(page(CAPTAIN), "page.html", "569101")


def test_a_search_without_results_is_told_from_another_page():
    with pytest.raises(NoResults):
        onepiece.parse_card_page(onepiece_pages.without_results(page(CAPTAIN)), "page.html")


def test_a_pack_without_cards_is_an_empty_page_with_a_notice():
    read_pack = official_site("optcg").reader("569101")
    empty = read_pack(onepiece_pages.without_results(page(CAPTAIN)), "page.html")
    assert (empty.printings, len(empty.notices), empty.doubts) == ((), 1, ())


@pytest.mark.parametrize("wrapped", ['<div class="resultCol"><div>', '<section class="resultCol"><ul>'])
def test_cards_that_have_moved_are_no_search_without_results(wrapped):
    with pytest.raises(PageError, match=r"dl\.modalCol") as error:
        onepiece.parse_card_page(page(CAPTAIN).replace('<div class="resultCol">', wrapped), "page.html")
    assert not isinstance(error.value, NoResults)


@pytest.mark.parametrize(
    ("field", "said", "names"),
    [
        ("effect", '<img src="on_play.png" alt="On Play"> Draw 1 card.', ".text` holds `<img>`"),
        ("effect", "<p>One.</p><p>Two.</p>", ".text` holds `<p>`"),
        ("effect", "a <slash> Character", ".text` holds `<slash>`"),
        ("effect", "One.<script>x</script>", ".text` holds `<script>`"),
        ("trigger", '<div class="trigger"><h4>Trigger</h4>[Trigger] Draw.</div>', ".trigger` holds `<h4>`"),
        ("name", "<ruby>Ex<rt>ex</rt></ruby>", ".cardName` holds `<ruby>`"),
        ("color", "<span>Blue</span>", ".color` holds `<span>`"),
    ],
)
def test_an_element_that_was_never_there_is_named_and_not_passed_over(field, said, names):
    with pytest.raises(PageError, match="OP99-020") as error:
        onepiece.parse_card_page(page(EVENT | {field: said}), "page.html")
    assert names in str(error.value)


@pytest.mark.parametrize("effect", ["One.<br>Two.", "One.<BR />Two.", "One.<!-- three --><br class='x'>Two."])
def test_breaks_and_comments(effect):
    assert cards(EVENT | {"effect": effect})[0].text == "One.\nTwo."


def test_entities_and_any_script_are_text():
    [card] = cards(EVENT | {"name": "Ace &amp; &quot;N&quot; ｶﾞ", "effect": "&#9312; &lt;Slash&gt; ＜Strike＞"})
    assert (card.name, card.text) == ('Ace & "N" ｶﾞ', "① <Slash> ＜Strike＞")


@pytest.mark.parametrize("own", ["OP99-0201", "OP99-020p1", "OP98-020_p1"])
def test_a_printing_of_another_number_is_refused(own):
    with pytest.raises(PageError, match=own):
        onepiece.parse_card_page(page(EVENT | {"id": own}), "page.html")


@pytest.mark.parametrize("number", ["=1+1", "XX 1", "OP99"])
def test_what_is_no_number_is_refused(number):
    with pytest.raises(PageError, match="no card number"):
        onepiece.parse_card_page(page(EVENT | {"id": number, "number": number}), "page.html")


def test_an_attribute_that_is_new_is_taken():
    assert cards(EVENT | {"attribute": "<i>Gun</i>"})[0].attributes == ("Gun",)


@pytest.mark.slow
def test_all_real_pages_are_read_within_six_seconds():
    with tarfile.open(shared_path("pages/optcg/cardlist-en-all-60-2026-08-21.tar.gz")) as archive:
        pages = [(member.name, archive.extractfile(member).read().decode()) for member in archive]
    with time_limit(6):
        assert sum(len(onepiece.parse_card_page(html, name).printings) for name, html in pages) == 4842
