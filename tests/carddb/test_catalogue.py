"""Catalogues find a card by number, name and likeness."""

import pickle

import pytest

from carddb.catalogue import Catalogue
from tests.carddb.cards import card
from tests.cost import time_limit

NAMI = card("OP01-016", "Nami", colors=("Red",), printings=("OP01-016", "OP01-016_p1", "OP01-016_p8"))
LUFFY = card("OP01-003", "Monkey.D.Luffy", "Leader", colors=("Red", "Green"))
ZORO = card("OP01-025", "Roronoa Zoro", colors=("Red",))
ROBIN = card("OP01-017", "Nico Robin", colors=("Red",))
PIRATES = Catalogue("optcg", "s", [NAMI, LUFFY, ZORO, ROBIN])

CHAMPA = card("BT1-001", "Champa", "Leader", "dbs", back_name="God of Destruction Champa")
COLD = card("BT1-107", "Cold Bloodlust", "Extra", "dbs", printings=("BT1-107", "BT01-107_PR"))
FIGHTERS = Catalogue("dbs", "s", [CHAMPA, COLD])


@pytest.mark.parametrize(
    "spelled",
    [
        "OP01-016",
        "OP01-016_p1",
        "op01-016",
        " OP01-016 ",
        "OP01-016_P8",
        "OP01-016_p99",
        "OP01‐016",
        "OP1-16",
        "op01016",
    ],
)
def test_a_card_is_found_by_its_number_in_any_spelling_of_any_printing(spelled):
    assert PIRATES.by_number(spelled) is NAMI


@pytest.mark.parametrize("spelled", ["", "OP01-999", "Nami", "OP01", "x" * 10_000])
def test_what_is_no_number_of_the_catalogue_is_no_card(spelled):
    assert PIRATES.by_number(spelled) is None


def test_the_index_has_every_number_as_the_source_spells_it():
    assert set(PIRATES.index) == {"OP01-016", "OP01-016_p1", "OP01-016_p8", "OP01-003", "OP01-025", "OP01-017"}
    assert FIGHTERS.index["BT01-107_PR"] is COLD


@pytest.mark.parametrize(
    "name",
    [
        "Champa",
        "champa",
        "God of  Destruction Champa",
        "Champa // God of Destruction Champa",
        "Champa/God of Destruction Champa",
        "CHAMPA / God of Destruction Champa",
    ],
)
def test_a_leader_is_found_by_front_back_and_both(name):
    assert FIGHTERS.by_name(name) == (CHAMPA,)


def test_several_cards_may_have_one_name():
    goku = [card(f"BT1-{at:03d}", "Son Goku", "Battle", "dbs") for at in range(30, 33)]
    assert list(Catalogue("dbs", "s", goku).by_name("son goku")) == goku


def test_a_catalogue_has_each_card_once_in_the_order_of_its_source():
    assert list(PIRATES) == [NAMI, LUFFY, ZORO, ROBIN]
    assert len(PIRATES) == 4


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("OP01-106", NAMI),
        ("OPO1-016", NAMI),
        ("0P01-016", NAMI),
        ("op1 106", NAMI),
        ("Namu", NAMI),
        ("Zorro", ZORO),
        ("Roronoa Zorro", ZORO),
        ("zoro", ZORO),
        ("Zoro, Roronoa", ZORO),
        ("Monkey D Luffy", LUFFY),
        ("OP01-OI6", NAMI),
        ("Namu OP01", NAMI),
        ("Zoro 025", ZORO),
        ("Zorro (2-cost)", ZORO),
        ("Nico Robin [alt art]", ROBIN),
    ],
)
def test_the_likeliest_card_is_suggested_first(written, meant):
    assert PIRATES.suggest(written)[0] is meant


@pytest.mark.parametrize("written", ["", " ", "//", "???", "qqqqqqqq", "\0"])
def test_nothing_like_it_gives_no_suggestion(written):
    assert list(PIRATES.suggest(written)) == []


@pytest.mark.parametrize(
    "written",
    [
        "OP02-016",  # a set that the catalogue lacks
        "OP11-016",
        "TB1-001",  # a series that it lacks
        "OP01-160",  # two wrong digits
        "OP01-099",
        "Zoe",
        "Garo",
        "Monkey.D.Garp",
        "Monkey.D.Dragon",
        "Nico Olvia",
        "Rob",
    ],
)
def test_what_is_only_a_little_like_it_is_not_suggested(written):
    assert list(PIRATES.suggest(written)) == []


def test_a_hostile_text_is_answered_at_once():
    with time_limit(1):
        PIRATES.suggest("Nami " * 100_000)
        PIRATES.search("Nami " * 100_000)


def test_search_wants_every_word_and_the_colour_and_type():
    assert list(PIRATES.search("zoro roronoa").cards) == [ZORO]
    assert PIRATES.search(color="green").cards == [LUFFY]
    assert PIRATES.search(color="Red", type="character").total == 3
    assert PIRATES.search("OP01").total == 4
    assert PIRATES.search("nami", color="Green").total == 0


def test_search_gives_exact_names_and_numbers_first():
    cards = [card("OP01-001", "Nami's Friend"), card("OP01-002", "Nami")]
    assert [found.number for found in Catalogue("optcg", "s", cards).search("nami").cards] == ["OP01-002", "OP01-001"]
    assert PIRATES.search("op01-017").cards[0] is ROBIN


def test_search_gives_whole_parts_of_names_before_parts_of_words():
    cards = [card("OP01-001", "Coral Palace"), card("OP01-002", "Corsair.D.Ace"), card("OP01-003", "Ace")]
    found = Catalogue("optcg", "s", cards).search("ace").cards
    assert [one.number for one in found] == ["OP01-003", "OP01-002", "OP01-001"]


def test_search_goes_page_by_page():
    pages = [PIRATES.search(offset=at, limit=3) for at in (0, 3, 6)]
    assert [len(page.cards) for page in pages] == [3, 1, 0]
    assert {page.total for page in pages} == {4}


SEA = Catalogue(
    "optcg",
    "s",
    [
        card(
            "OP01-024", "Monkey.D.Luffy", set="OP01", block="1", traits=("Straw Hat Crew",), text="[DON!! x1] Pokémon"
        ),
        card("OP10-001", 'Eustass"Captain"Kid', set="BOOSTER -ROYAL BLOOD- [OP-10]", block="3", back_name="Señor Kid"),
        card("OP02-013", "Portgas.D.Ace", set="OP02", block="1", back_text="Whitebeard"),
        card("OP02-001", "モンキー・D・ルフィ", set="OP02", block="X", characters=("Ruffy",)),
    ],
)


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        ({"q": "monkey d luffy"}, ["OP01-024"]),
        ({"q": "MONKEYDLUFFY"}, ["OP01-024"]),
        ({"q": "op1-24"}, ["OP01-024"]),
        ({"q": "op01-24", "block": "3"}, []),
        ({"q": "op01024"}, ["OP01-024"]),
        ({"q": "monkey-d-luffy"}, ["OP01-024"]),
        ({"q": "P0-1024"}, []),
        ({"q": "senor"}, ["OP10-001"]),
        ({"q": "captain kid"}, ["OP10-001"]),
        ({"q": "ルフィ"}, ["OP01-024", "OP02-001"]),
        ({"q": '" '}, ["OP10-001"]),
        ({"text": "straw crew"}, ["OP01-024"]),
        ({"text": "pokemon"}, ["OP01-024"]),
        ({"text": "whitebeard"}, ["OP02-013"]),
        ({"text": "ruffy"}, ["OP02-001"]),
        ({"text": "luffy"}, []),
        ({"set": "op-02"}, ["OP02-013", "OP02-001"]),
        ({"set": "OP1"}, []),
        ({"set": "booster royal blood op-10"}, ["OP10-001"]),
        ({"set": "OP10"}, ["OP10-001"]),
        ({"block": "x"}, ["OP02-001"]),
        ({"block": "1", "set": "OP02"}, ["OP02-013"]),
        ({"q": "ace", "block": "3"}, []),
    ],
)
def test_search_takes_letters_however_they_are_written(wanted, numbers):
    assert [found.number for found in SEA.search(**wanted).cards] == numbers


def test_a_catalogue_tells_what_there_is_to_choose_from():
    assert (SEA.blocks, SEA.sets[0], len(SEA.sets), SEA.has_texts) == (("1", "3", "X"), "OP01", 3, True)
    assert (PIRATES.blocks, PIRATES.sets, PIRATES.has_texts) == ((), (), False)


@pytest.mark.slow
def test_ten_thousand_cards_are_searched_in_no_time():
    cards = [
        card(f"BT1-{at}", f"Señor Goku, Warrior {at}", "Battle", "dbs", text="Draw a card. " * 20)
        for at in range(10_000)
    ]
    catalogue = Catalogue("dbs", "s", cards)
    catalogue.search("x", text="x")
    with time_limit(0.5):
        assert catalogue.search("warrior " * 12, text="a b c d").total == 0
        assert catalogue.search("senor goku 9999", text="draw").total == 1


def test_battle_of_souls_cards_need_no_number():
    levy = card("", "Lantern Levy", "Warrior", "bos")
    catalogue = Catalogue("bos", "s", [levy])
    assert catalogue.by_name("lantern levy") == (levy,)
    assert catalogue.by_number("") is None
    assert list(catalogue.suggest("Lantern Lewy")) == [levy]


def test_very_many_cards_of_one_name_are_indexed_in_no_time():
    cards = [card(f"BT1-{at}", "Son Goku", "Battle", "dbs") for at in range(20_000)]
    with time_limit(3):
        catalogue = Catalogue("dbs", "s", cards)
        assert len(catalogue.by_name("Son Goku")) == 20_000
        assert len(catalogue.suggest("Son Gokuu")) == 5


def test_a_catalogue_goes_to_another_process_by_its_cards_whatever_it_was_asked():
    PIRATES.suggest("Namu")
    sent = pickle.loads(pickle.dumps(PIRATES))
    assert (sent.game, sent.snapshot, sent.as_of) == ("optcg", PIRATES.snapshot, None)
    assert [card.number for card in sent] == [card.number for card in PIRATES]
    assert [card.name for card in sent.suggest("Namu")] == ["Nami"]
