"""Names beside numbers: another card's name is told, the card's own in any spelling and language is not."""

import csv
import json
import random
from datetime import date

import pytest

from tests.shared import shared_path
from tests.validator.decklists.conftest import Shelf
from validator import names
from validator.cards import Card
from validator.deck import Line
from validator.limits import proposals
from validator.texts import strip_marks

CARDS = (
    Card("optcg", "OP01-001", "Roronoa Zoro", "Leader", colors=("Red",)),
    Card("optcg", "OP01-016", "Nami", "Character", traits=("Straw Hat Crew",)),
    Card("optcg", "OP01-017", "Monkey.D.Garp", "Character"),
    Card("optcg", "OP01-018", "Monkey.D.Luffy", "Character"),
    Card("optcg", "OP01-019", "Sanji & Pudding", "Character"),
    Card("optcg", "OP01-020", "Sanji", "Character"),
    Card("optcg", "OP01-021", "Red Roc", "Event"),
    Card("optcg", "OP01-022", "Jozu", "Character", traits=("Whitebeard Pirates",)),
    Card("optcg", "OP01-023", "Marshall.D.Teach", "Character", traits=("Blackbeard Pirates",)),
    Card("optcg", "OP01-024", "Nami (Treasure)", "Character"),
)
URL = "https://example.com/list"
PAIRS = 150  # of each kind
SEED = 20_261_122
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@pytest.fixture(scope="module")
def catalogue():
    return Shelf("optcg", CARDS)


@pytest.fixture(scope="module")
def optcg():
    cards = json.loads(shared_path("data/optcg/cards_en_printings.json").read_text("utf-8"))
    return Shelf("optcg", (Card("optcg", card["number"], card["name"], card["category"].title()) for card in cards))


def other_names(number, name, shelf):
    """Return the names of the cards that a written name fits better than the card of the number."""
    return [card.name for card in names.name_index(shelf).other_cards(shelf.by_number(number), name)]


@pytest.mark.parametrize(
    ("number", "written", "other"),
    [
        ("OP01-017", "Roronoa Zoro", "Roronoa Zoro"),
        ("OP01-017", "roronoa  zorro", "Roronoa Zoro"),
        ("OP01-017", "RoronoaZoro", "Roronoa Zoro"),
        ("OP01-017", "Zoro", "Roronoa Zoro"),
        ("OP01-017", "Zoro (Alt Art) SR", "Roronoa Zoro"),
        ("OP01-017", "Monkey.D.Luffy", "Monkey.D.Luffy"),
        ("OP01-017", "Monkey D Lufy", "Monkey.D.Luffy"),
        ("OP01-017", "Red", "Red Roc"),
        ("OP01-016", "Nomi Pudding", None),
        ("OP01-020", "Sanji & Pudding", "Sanji & Pudding"),
        ("OP01-019", "Sanji", "Sanji"),
        ("OP01-022", "Blackbeard", "Marshall.D.Teach"),
        ("OP01-016", "blackbeard pirates", "Marshall.D.Teach"),
    ],
)
def test_another_cards_name_is_told(number, written, other, catalogue):
    assert other_names(number, written, catalogue) == ([other] if other else [])


@pytest.mark.parametrize("remark", ["(2)", "SR", "JP", "- Leader", "[Blue]", "Saiyan", "15000", "(Foil) NM"])
@pytest.mark.parametrize("number", ["BT1-001", "BT1-002", "BT1-003"])
def test_a_remark_beside_the_own_name_makes_it_no_other(number, remark):
    cards = (
        Card("dbs", "BT1-001", "Son Goku", "Leader", "Son Goku, Fusion Hope", colors=("Blue",), traits=("Saiyan",)),
        Card("dbs", "BT1-002", "Striker Pack", "Extra", colors=("Blue",), traits=("Saiyan",)),
        Card("dbs", "BT1-003", "Leader Striker", "Leader", colors=("Blue",), traits=("Saiyan",)),
        Card("dbs", "BT1-004", "Son Goku Jr.", "Battle"),
        Card("dbs", "BT1-005", "Striker Custom", "Battle"),
        Card("dbs", "BT1-006", "Blue Striker 2, Saiyan 15000", "Battle"),
    )
    shelf = Shelf("dbs", cards)
    assert other_names(number, f"{shelf.by_number(number).name} {remark}", shelf) == []
    assert other_names("BT1-001", "Son Goku Jr. SR", shelf) == ["Son Goku Jr."]


def test_cards_that_are_as_likely_are_told_in_the_order_of_the_cards():
    pirates = [f"Zoro the {word}" for word in ("Swift", "Calm", "Tall", "Late", "Wise", "Loud", "Kind", "Lost")]
    cards = (Card("optcg", f"OP99-{at:03}", name, "Character") for at, name in enumerate(["Nami", *pirates], 1))
    told = other_names("OP99-001", "Zoro", Shelf("optcg", cards))
    assert len(told) > 1
    assert told == pirates[: len(told)]


@pytest.mark.parametrize(
    ("number", "written", "severity"),
    [
        ("OP01-017", "Roronoa Zoro", "error"),
        ("OP01-020", "Sanji & Pudding", "error"),
        ("OP01-019", "Sanji", "warning"),  # half of its own name
        ("OP01-022", "Blackbeard", "warning"),  # of whose pirates another is, and which is no card's name
    ],
)
def test_what_may_be_the_cards_own_name_after_all_is_a_warning(number, written, severity, catalogue):
    (finding,) = names.name_index(catalogue).mismatches([("main", [Line(number, 4, written, at=1)])])
    assert (finding.code, finding.severity, finding.count) == ("card.mismatch", severity, 4)


@pytest.mark.parametrize(
    ("number", "written"),
    [
        ("OP01-017", "Garp"),
        ("OP01-017", "Monky D Grap"),
        ("OP01-017", "Monkey"),
        ("OP01-017", "MonkeyDGarp SR"),
        ("OP01-017", "モンキー・D・ガープ"),
        ("OP01-017", "Vice-amiral"),
        ("OP01-017", "3-cost searcher"),
        ("OP01-017", "(parallel)"),
        ("OP01-016", "Nami (Treasure Cup)"),
        ("OP01-016", "Straw Hat Crew"),
        ("OP01-001", "Red"),
        ("OP01-001", "Leader"),
        ("OP01-019", "sanji pudding"),
        ("OP01-022", "Whitebeard"),
        ("OP01-023", "Blackbeard"),
        ("OP01-024", "Nami"),
        ("OP01-024", "nami (treasure)"),
    ],
)
def test_a_cards_own_name_and_remarks_are_not(number, written, catalogue):
    assert other_names(number, written, catalogue) == []


def _words(name):
    return set(strip_marks(name).casefold().replace(".", " ").replace("-", " ").split())


def _pairs(shelf, chance):
    """Numbers with the names of other cards that share no word with their own."""
    cards = list(shelf)
    while True:
        card, other = chance.choice(cards), chance.choice(cards)
        if not _words(card.name) & _words(other.name):
            yield card, other.name


def _misspell(name, chance):
    """Return a name with one random letter missing, doubled or replaced."""
    places = [at for at, letter in enumerate(name) if letter.isalpha()]
    at, letter = chance.choice(places), chance.choice(LETTERS)
    before, behind = name[:at], name[at + 1 :]
    return chance.choice((before + behind, before + letter + behind, before + letter + name[at:]))


def _first(name, chance):
    return name.split()[0]


def _last(name, chance):
    return name.split()[-1]


@pytest.mark.parametrize("written", [lambda name, chance: name, _misspell, _first, _last])
def test_of_real_cards_every_other_name_is_told(written, optcg):
    chance, told = random.Random(SEED), 0
    for card, name in _pairs(optcg, chance):
        said = written(name, chance)
        if sum(map(str.isalpha, said)) < 2:
            continue  # a letter or a heart is no name
        assert names.name_index(optcg).other_cards(card, said), (card.label, said, name)
        told += 1
        if told == PAIRS:
            break


def test_of_real_cards_a_name_that_shares_words_with_the_cards_own_is_told(optcg):
    chance, by_word = random.Random(SEED), {}
    for card in optcg:
        for word in _words(card.name):
            by_word.setdefault(word, []).append(card)
    shared_words = [word for word, cards in by_word.items() if len(cards) > 1 and len(word) > 2]
    pairs = (chance.sample(by_word[chance.choice(shared_words)], 2) for _ in range(3 * PAIRS))
    apart = [(card, other.name) for card, other in pairs if _letters_of(card.name) != _letters_of(other.name)]
    assert len(apart) > PAIRS
    assert [(card.label, name) for card, name in apart if not names.name_index(optcg).other_cards(card, name)] == []


def _letters_of(name):
    """Return the letters and digits of a name without its part in brackets, without case and accents."""
    return "".join(filter(str.isalnum, strip_marks(name.partition("(")[0]).casefold()))


def test_of_real_cards_no_misspelt_own_name_is(optcg):
    chance = random.Random(SEED)
    cards = chance.sample(list(optcg), 300)
    told = [
        (card.label, said)
        for card in cards
        if names.name_index(optcg).other_cards(card, said := _misspell(card.name, chance))
    ]
    assert told == []


@pytest.mark.slow
@pytest.mark.parametrize("language", ["japanese", "chinese-taiwan", "chinese-hongkong", "french"])
def test_of_real_cards_hardly_any_foreign_name_is(language, optcg):
    with shared_path(f"data/optcg/names/{language}.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if optcg.by_number(row["number"])]
    told = {row["number"] for row in rows if other_names(row["number"], row["name"], optcg)}
    # In French two are called by what is another card's name in English, or a letter off it.
    assert len(rows) > 1_500
    assert told == ({"OP10-044", "OP15-031"} if language == "french" else set())


def test_cards_of_a_list_that_are_another_or_none_are_reported(catalogue):
    def read(*entries):
        changes = [{"effective_from": date(2026, 1, 1), "region": "en", "source": URL, **entry} for entry in entries]
        return proposals.proposed_list("optcg", None, {"change": changes})

    official = read({"ban": {"OP09-999": "Zoro"}})
    own = read({"ban": {"OP09-999": "Zoro", "OP01-017": "Nami", "OP01-016": "NAMI", "OP01-170": "Garp"}})
    wrong, unknown = names.check_listed_names(own, official, catalogue)
    assert [word for word in ("OP01-017", "Monkey.D.Garp", "OP01-016", "OP01-024") if word not in wrong] == ["OP01-024"]
    assert "OP01-170" in unknown
