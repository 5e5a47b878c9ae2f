"""The cards' pages: what a search finds, and what is told of a card."""

from __future__ import annotations

from datetime import date
from urllib.parse import quote

import pytest

from api.web.services import Services
from carddb.catalogue import Catalogue
from tests.api.web.pages.look_ups import Reader
from tests.carddb.cards import card
from validator.cards import Clause
from validator.games import GAMES
from validator.limits import shipped_lists

HOSTILE = '<script>alert("1")</script>{{7*7}}\u202e&amp;'


@pytest.fixture
def read(client):
    return lambda address, **headers: Reader(client, address, **headers)


@pytest.fixture
def services(app):
    found = app.extensions["deckproof"]
    assert isinstance(found, Services)
    return found


def test_the_search_begins_with_what_there_is(read):
    page = read("/cards")
    assert page.status == 200
    games = [query.get("game") for path, query in page.addresses("#games ~ ul a") if path == "/cards"]
    assert games == list(GAMES)


@pytest.mark.parametrize(
    ("query", "first", "count"),
    [
        ("q=op01-016", "OP01-016", 1),
        ("q=OP01-016_p1", "OP01-016", 1),
        ("q=nami&game=optcg&color=&type=Character&block=&set=&text=", "OP01-016", None),
        ("q=BT1-001&game=", "BT1-001", 1),
        ("game=optcg&set=OP01&type=Leader&text=straw+hat", "OP01-001", None),
    ],
)
def test_a_card_is_found_in_one_game_or_in_all(read, query, first, count):
    page = read(f"/cards?{query}")
    numbers = [path.rpartition("/")[2] for path, _ in page.addresses(".cards .card-link")]
    assert page.status == 200
    assert first in numbers
    assert count is None or len(numbers) == count
    assert page.text(".count").split()[0] == str(len(numbers))


@pytest.mark.parametrize("query", ["q=lufy", "q=lufy&game=optcg", "q=monkey lufy", "q=lufy&color=Green"])
def test_a_part_of_a_name_with_a_typo_offers_the_card(read, query):
    page = read(f"/cards?{query}")
    assert page.status == 200
    assert "Monkey.D.Luffy" in page.text(".notice li:first-child")


def test_page_and_interface_find_the_same(read, client):
    for query in ("game=optcg&q=luffy", "game=dbs&color=Red&type=Leader", "game=dbs&set=BT1&text=saiyan"):
        answer = client.get(f"/v1/cards?{query}&page_size=50&page=2").json
        page = read(f"/cards?{query}&page=2")
        shown = [path.rpartition("/")[2] for path, _ in page.addresses(".cards .card-link")]
        assert shown == [one["number"] for one in answer["cards"]]


def test_a_search_of_every_game_goes_page_by_page_through_all(read, services):
    total = sum(services.library.catalogue(game).search("an").total for game in GAMES)
    assert read("/cards?q=an").text(".count").split()[0] == str(total)
    last = -(-total // 50)
    pages = [read(f"/cards?q=an&page={page}") for page in (1, 2, last - 1, last)]
    found = [path for page in pages for path, _ in page.addresses(".cards .card-link")]
    assert len(found) == len(set(found)) == 150 + (total - 1) % 50 + 1
    assert pages[0].addresses("[rel=next]") == [("/cards", {"q": "an", "page": "2"})]
    assert pages[0].addresses("[rel=prev]") == pages[3].addresses("[rel=next]") == []


def test_a_page_after_the_last_leads_back(read):
    page = read("/cards?game=bos&page=100000")
    assert (page.status, page.addresses("#result a")) == (200, [("/cards", {"game": "bos", "page": "1"})])


def test_what_is_not_found_brings_the_likeliest(read):
    page = read("/cards?q=lufy&lang=de")
    assert page.status == 200
    assert page.addresses("#result .card-link")[0][1] == {"lang": "de"}
    assert any("Luffy" in text for text in page.texts("#result .card-link"))
    assert read("/cards?q=zzzzzzzzzzzz").texts("#result .card-link") == []


@pytest.mark.parametrize(
    ("query", "faults"),
    [
        ("game=chess", ["game-fault"]),
        (f"q={'x' * 201}", ["q-fault"]),
        (f"set={'x' * 201}&text={'y' * 201}&game=chess", ["game-fault", "set-fault", "text-fault"]),
    ],
)
def test_a_wrong_field_is_told_beside_it(read, query, faults):
    page = read(f"/cards?{query}")
    assert page.status == 422
    assert [node.attributes["id"] for node in page.tree.css(".fault")] == faults
    for fault in faults:
        (field,) = page.tree.css(f"[aria-describedby={fault}]")
        assert field.attributes["aria-invalid"] == "true"


@pytest.mark.parametrize("page", ["0", "100001", "x", "9" * 400])
def test_a_wrong_page_is_no_stack_trace(read, page):
    assert read(f"/cards?q=nami&page={page}").status == 422


def test_what_is_asked_stands_in_the_form_as_text(read):
    page = read(f"/cards?q={quote(HOSTILE)}&set={quote(HOSTILE)}")
    assert page.status == 200
    assert page.tree.css("#q")[0].attributes["value"] == HOSTILE
    assert "49" not in page.text("#result")
    assert page.tree.css("main script") == []


def test_a_script_gets_the_result_alone(read):
    page = read("/cards?q=nami", **{"HX-Request": "true"})
    assert page.tree.css("form, header, h1") == []
    assert page.texts(".count") == read("/cards?q=nami").texts(".count")


def test_a_card_has_its_names_in_other_languages_each_marked_as_what_it_is(read, client):
    page, names = read("/cards/optcg/OP01-016"), client.get("/v1/cards/optcg/OP01-016").json["names"]
    assert {node.attributes["lang"]: node.text() for node in page.tree.css("dl.facts dd[lang]:not([lang=en])")} == names
    assert page.text("dt[lang=ja]") == "日本語"


@pytest.mark.slow
@pytest.mark.parametrize("game", list(GAMES))
def test_every_card_has_a_page(read, services, game):
    for one in list(services.library.catalogue(game))[::151]:
        page = read(f"/cards/{game}/{quote(one.number)}")
        assert page.status == 200
        assert one.number in page.text("h1")
        assert " ".join(one.name.split()) in page.text("h1")
        assert len(page.tree.css(".allowed li")) == {"optcg": 4, "dbs": 2, "gundam": 2, "bos": 1, "fusion": 1}[game]


def test_a_card_is_shown_by_any_spelling_or_a_name_of_its_own(read):
    for named in ("op01-016", "OP01-016_p1", " OP01-016"):
        assert read(f"/cards/optcg/{quote(named)}").text(".card-number") == "OP01-016"
    assert read("/cards/bos/mill%20guard").text("h1").startswith("Mill Guard")


def test_a_card_that_there_is_not_brings_the_likeliest(read):
    page = read("/cards/optcg/OP01-216")
    assert (page.status, "/cards/optcg/OP01-016" in [path for path, _ in page.addresses("#result a")]) == (404, True)
    assert read("/cards/chess/OP01-016").status == 404
    assert read(f"/cards/optcg/{quote(HOSTILE)}").status == 404


@pytest.mark.parametrize("game", ["optcg", "dbs"])
def test_the_history_of_a_card_is_that_of_the_list(read, game):
    listed = shipped_lists(game).listed
    numbers = {number for region in listed.dated_regions for one in listed.rulings(region) for number in one.numbers}
    for number in sorted(numbers)[::5]:
        page = read(f"/cards/{game}/{number}")
        rulings = [one for region in listed.dated_regions for one in listed.rulings(region) if number in one.numbers]
        assert len(page.tree.css("#history ~ ol li")) == len(rulings)
        sources = [node.attributes["href"] for node in page.tree.css("#history ~ ol .soft a")]
        assert sources == [one.change.source for one in rulings]
        for text, one in zip(page.texts("#history ~ ol li"), rulings, strict=True):
            for day in filter(None, (one.change.effective_from, one.change.not_before, one.change.announced)):
                assert day.isoformat() in text


def test_a_card_tells_its_days(read):
    page = read("/cards/optcg/OP05-041?on=2024-07-01")
    assert page.texts(".allowed b") == ["✗ None"] * 2 + ["✓ 1 copy"] * 2
    assert "2024-07-01" in page.text("#copies")
    assert read("/cards/optcg/OP05-041?on=2026-11-22").texts(".allowed b") == ["✓ 1 copy"] * 4
    block = read("/cards/optcg/OP05-041?on=2026-11-22").texts("#blocks ~ ul li")
    assert "2027-03-31" in block[0]
    assert "✗" in read("/cards/optcg/OP05-041?on=2027-04-01").texts("#blocks ~ ul li")[0]


@pytest.mark.parametrize(
    ("number", "other", "name"),
    [("OP07-115", "EB04-058", "Borsalino"), ("EB04-058", "OP07-115", "I Re-Quasar Helllp!!")],
)
def test_show_a_pair_on_the_pages_of_both_cards(read, number, other, name):
    page = read(f"/cards/optcg/{number}?on=2026-11-22")
    assert (f"/cards/optcg/{other}", {}) in page.addresses("#copies ~ p a")
    assert f"{other} {name}" in page.texts("#copies ~ p a")


@pytest.mark.parametrize("on", ["yesterday", "2026-02-30", "1000-01-01", "9" * 400, "<b>"])
def test_a_wrong_day_is_told_beside_the_field(read, on):
    page = read(f"/cards/optcg/OP01-016?on={quote(on)}")
    assert (page.status, len(page.tree.css("#on-fault"))) == (422, 1)
    assert page.tree.css("#on")[0].attributes["value"] == on


@pytest.mark.parametrize("on", ["1990-01-01", "2999-12-31"])
def test_any_day_of_the_calendar_is_answered(read, on):
    assert read(f"/cards/optcg/OP01-016?on={on}").status == 200
    assert read(f"/limits/optcg?on={on}&from=1990-01-01&to=2999-12-31").status == 200


def test_texts_of_a_card_are_shown_as_text(app, services, read, monkeypatch):
    nasty = card(
        "OP99-001",
        HOSTILE,
        "Leader",
        back_name=HOSTILE + "2",
        text=HOSTILE,
        back_text=HOSTILE,
        traits=(HOSTILE,),
        set=HOSTILE,
        printings=(HOSTILE,) * 2,
        construction=(Clause("forbid", HOSTILE, match={"name": [HOSTILE]}),),
    )
    library = services.library
    held = Catalogue("optcg", HOSTILE, [nasty], date(2026, 1, 1))
    monkeypatch.setattr(library, "catalogue", lambda game: held if game == "optcg" else None)
    page = read("/cards/optcg/OP99-001")
    assert page.status == 200
    assert page.tree.css("main script") == []
    assert page.html.count("{{7*7}}") > 8
    assert page.texts("blockquote") == [" ".join(HOSTILE.split())] * 2
    assert ">49" not in page.html
