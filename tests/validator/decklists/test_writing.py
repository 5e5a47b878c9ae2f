"""Decks written in every format and read back."""

import json
from collections import Counter

import pytest

from tests.shared import shared_path
from validator.deck import Deck, Line
from validator.decklists import FORMATS, parse, write

WRITTEN = [name for name, format in FORMATS.items() if format.write]
NAMES_ONLY = "names"

LEADER = Line("OP01-001", 1, "Roronoa Zoro")
NAMI = Line("OP01-016_p8", 4, "Nami")
USOPP = Line("op01004", 2, "Usopp")


def copies(deck):
    found = Counter()
    for section, line in deck.lines():
        found[section, line.written] += line.count
    return found


def test_formats_are_named_and_told():
    assert len(FORMATS) == 29
    assert len(WRITTEN) == 26
    assert all(name == format.name and format.title for name, format in FORMATS.items())
    assert all(format.read or format.fits for format in FORMATS.values())


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("optcgsim", "1xOP01-001\n4xOP01-016_p8\n2xop01004"),
        ("optcgsim-line", "1xOP01-001 4xOP01-016_p8 2xop01004"),
        ("egman", "1 OP01-001 Roronoa Zoro\n4 OP01-016_p8 Nami\n2 op01004 Usopp"),
        ("egman-url", "https://deckbuilder.egmanevents.com/?deck=OP01-001:1,OP01-016_p8:4,op01004:2&type=optcg"),
        ("limitless", "Leader\n1 Roronoa Zoro (OP01-001)\n\nMain Deck (6)\n4 Nami (OP01-016_p8)\n2 Usopp (op01004)"),
        ("onepiecetopdecks", "1 (OP01-001)\n4 (OP01-016_p8)\n2 (op01004)"),
        ("exburst", "1 x OP01-001\n4 x OP01-016_p8\n2 x op01004"),
        ("name-number", "1 Roronoa Zoro OP01-001\n4 Nami OP01-016_p8\n2 Usopp op01004"),
        ("number-count", "OP01-001 x1\nOP01-016_p8 x4\nop01004 x2"),
        (
            "deckplanet",
            "_____Leader_____\n1 Roronoa Zoro [OP01-001]\n\n"
            "_____Main Deck_____\n4 Nami [OP01-016_p8]\n2 Usopp [op01004]",
        ),
        ("untap", "//play-1\n1 Roronoa Zoro (OP01-001)\n//deck-1\n4 Nami (OP01-016_p8)\n2 Usopp (op01004)"),
        ("text", "Leader\n1 OP01-001 Roronoa Zoro\n\nMain Deck\n4 OP01-016_p8 Nami\n2 op01004 Usopp"),
        (
            "csv",
            "section,count,number,name\n"
            "leader,1,OP01-001,Roronoa Zoro\nmain,4,OP01-016_p8,Nami\nmain,2,op01004,Usopp\n",
        ),
    ],
)
def test_a_deck_is_written_as_its_program_writes_it(format, text):
    assert write(Deck(leader=(LEADER,), main=(NAMI, USOPP)), format) == text
    assert parse(text).format == format


PLAIN_CARDS = [
    {"number": "OP01-001", "name": "Roronoa Zoro", "count": 1},
    {"number": "OP01-016_p8", "name": "Nami", "count": 4},
    {"number": "op01004", "name": "Usopp", "count": 2},
]
RECIPE = [{"cardId": card["number"], "name": card["name"], "count": card["count"]} for card in PLAIN_CARDS]


@pytest.mark.parametrize(
    ("format", "indent", "value"),
    [
        ("tts", None, ["Exported from deckproof", "OP01-001", *["OP01-016_p8"] * 4, *["op01004"] * 2]),
        (
            "optcgsim-deckpack",
            2,
            {
                "schema_version": 1,
                "name": "",
                "decks": [{"name": "", "text": "1xOP01-001\n4xOP01-016_p8\n2xop01004"}],
            },
        ),
        ("recipe-json", 1, {"leader": RECIPE[0], "mainDeck": RECIPE[1:], "totalCards": 6}),
        (
            "app-json",
            1,
            {
                "leader_number": "OP01-001",
                "main_deck_cards": {"OP01-016_p8": 4, "op01004": 2},
                "side_deck_cards": {},
            },
        ),
        ("qty-cardnum-json", None, [{"Qty": card["count"], "cardnum": card["number"]} for card in PLAIN_CARDS]),
        (
            "json",
            1,
            {"leader": PLAIN_CARDS[:1], "main": PLAIN_CARDS[1:], "side": [], "z": [], "don": [], "resource": []},
        ),
    ],
)
def test_json_has_the_keys_and_the_indent_of_its_program(format, indent, value):
    separators = (",", ":") if format == "tts" else None
    text = write(Deck(leader=(LEADER,), main=(NAMI, USOPP)), format)
    assert text == json.dumps(value, indent=indent, separators=separators)
    assert parse(text).format == format


@pytest.mark.parametrize("format", [name for name in WRITTEN if name != NAMES_ONLY])
def test_a_deck_is_kept_in_every_format(format, optcg):
    deck = Deck(leader=(LEADER,), main=(NAMI, USOPP, Line("OP01-016_p8", 1)))
    read = parse(write(deck, format), catalogue=optcg).deck
    assert (copies(read), read.unread) == (copies(deck), ())


@pytest.mark.parametrize("format", ["text", "csv", "tsv", "json", "digimoncard"])
def test_every_section_is_kept_where_the_format_has_it(format):
    deck = Deck(
        leader=(LEADER,),
        main=(NAMI, Line(None, 2, "Android 13")),
        side=(USOPP,),
        z=(Line("BT25-005", 1),),
        don=(Line(None, 10, "DON!!"),),
    )
    assert copies(parse(write(deck, format)).deck) == copies(deck)


@pytest.mark.parametrize("format", WRITTEN)
@pytest.mark.parametrize("section", ["leader", "side", "z", "don"])
def test_a_section_that_a_format_lacks_is_refused(format, section):
    if section not in FORMATS[format].carries:
        with pytest.raises(ValueError, match=section):
            write(Deck(**{section: (Line("BT1-001", 1, "DON!!"),)}), format)


@pytest.mark.parametrize("format", ["deckplanet-ids", "onepiece-cardgame.dev-url", "sonnet"])
def test_what_is_only_read_or_unknown_is_not_written(format):
    with pytest.raises(ValueError, match=format):
        write(Deck(), format)


def test_a_format_of_numbers_needs_a_number_or_a_name_of_one_card(few):
    deck = Deck(main=(Line(None, 4, "Planet M-2"),))
    with pytest.raises(ValueError, match="Planet M-2"):
        write(deck, "exburst")
    with pytest.raises(ValueError, match="another card"):
        write(Deck(main=(Line(None, 4, "Battle Pod XJ1-09"),)), "text")
    assert (
        write(Deck(main=(Line(None, 4, "Battle Pod XJ1-09"),)), "text", few) == "Main Deck\n4 BT1-007 Battle Pod XJ1-09"
    )


def test_a_format_of_names_takes_no_numbers():
    with pytest.raises(ValueError, match="OP01-016"):
        write(Deck(main=(NAMI,)), "names")
    deck = Deck(main=(Line(None, 4, "Dark Knight"),), side=(Line(None, 2, "War Axe"),))
    assert write(deck, "names") == "Deck\n4 Dark Knight\n\nSideboard\n2 War Axe"
    assert copies(parse(write(deck, "names")).deck) == copies(deck)


@pytest.mark.parametrize("format", ["text", "names", "csv", "json"])
def test_a_name_cannot_smuggle_in_another_card(format):
    deck = Deck(main=(Line(None, 4, "Nami\n4 OP01-017"),))
    try:
        read = parse(write(deck, format)).deck
    except ValueError:
        return
    assert [line.count for _, line in read.lines()] == [4]


def test_a_table_has_no_formulas():
    text = write(Deck(main=(Line("OP01-016", 4, "=1+1 Nami"),)), "csv")
    assert text.splitlines()[1] == "main,4,OP01-016,'=1+1 Nami"
    assert parse(text).deck.main[0].name == "=1+1 Nami"


def test_the_catalogue_adds_names_and_kinds(optcg):
    deck = Deck(leader=(Line("OP01-001", 1),), main=(Line("OP01-016", 4), Line("OP01-029", 2)))
    assert write(deck, "limitless", optcg) == (
        "Leader\n1 Roronoa Zoro (OP01-001)\n\n"
        "Character (4)\n4 Nami (OP01-016)\n\n"
        "Event (2)\n2 Radical Beam!! (OP01-029)"
    )


def _real_decks(dbs, optcg):
    for line in shared_path("decks/dbs_decks.jsonl").read_text(encoding="utf-8").splitlines():
        yield dbs, json.loads(line)["lines"]
    for line in shared_path("decks/optcg_decks.jsonl").read_text(encoding="utf-8").splitlines():
        lines = json.loads(line)["lines"]
        for card in lines:
            known = optcg.by_number(card["number"])
            card["section"] = "leader" if known and known.type == "Leader" else "main"
        yield optcg, lines


def _deck(lines):
    sections = {}
    for line in lines:
        sections.setdefault(line["section"], []).append(Line(line["number"], line["count"]))
    return Deck(**{section: tuple(cards) for section, cards in sections.items()})


@pytest.fixture(scope="module")
def real_decks(dbs, optcg):
    decks = [(catalogue, _deck(lines)) for catalogue, lines in _real_decks(dbs, optcg)]
    assert len(decks) == 1_244
    return decks


@pytest.mark.slow
@pytest.mark.parametrize("format", [name for name in WRITTEN if name != NAMES_ONLY])
def test_every_real_deck_is_kept_in_every_format(format, real_decks):
    # Lists of lines are where reading may go wrong; of the others some decks are enough.
    decks = real_decks if FORMATS[format].fits else real_decks[::8]
    kept = 0
    for at, (catalogue, deck) in enumerate(decks):
        if all(section in FORMATS[format].carries for section, _ in deck.lines()):
            # By turns with the names that the catalogue adds and without.
            text = FORMATS[format].write(deck, catalogue if at % 2 else None)
            read = parse(text, catalogue=catalogue).deck
            assert (copies(read), read.unread) == (copies(deck), ()), text
            kept += 1
    assert kept > 0.9 * len(decks)


@pytest.mark.slow
@pytest.mark.parametrize("format", ["text", "untap", "csv"])
def test_every_real_name_is_kept(format, dbs, optcg):
    for catalogue in (dbs, optcg):
        names = sorted({" ".join(name.split()) for card in catalogue for name in (card.name, card.back_name) if name})
        for start in range(0, len(names), 500):
            some = names[start : start + 500]
            deck = Deck(main=tuple(Line(None, 2, name) for name in some))
            read = parse(FORMATS[format].write(deck, catalogue), catalogue=catalogue).deck
            assert sorted(line.name for _, line in read.lines()) == some


BY_HAND = (
    "> **3** {number} {name}",
    "- 3 {name} ({number})",
    "{number} {name} x3",
    "{name} [{number}] (3)",
    "{name} {number} - 3",
    "{name} 3 {number}",
    "{number} 3 {name}",
    "{number} {name} 3",
    "{number}: 3",
    "12. 3 {number} {name}",
    "3 {name} {number} $1.20",
    "🔥 3× {name} - {number}",
    "{name} ({number}) ×3 // who knows",
)


@pytest.mark.slow
def test_every_real_card_is_read_however_it_is_typed(dbs, optcg):
    for catalogue in (dbs, optcg):
        wrong = []
        for at, card in enumerate(catalogue):
            if at % 4 == 0:
                text = BY_HAND[at // 4 % len(BY_HAND)].format(number=card.number, name=card.name)
                deck = parse(text, catalogue=catalogue).deck
                read = [(line.count, catalogue.by_number(line.number)) for _, line in deck.lines()]
                wrong += [text] if read != [(3, card)] else []
        assert wrong == []
