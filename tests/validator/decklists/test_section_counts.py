"""Tables that count the copies of each card by section, and tables that do not count."""

import json
from itertools import cycle, product

import pytest

from tests.section_tables import BLANKS, LANGUAGES, LAYOUTS, copies_of, laid_out, real_decks, rows_of
from validator.codes import finding_codes
from validator.decklists import parse
from validator.tables.section_counts import counted_section, parse_copies
from validator.unresolved import unread_finding


def sections(text, catalogue=None):
    deck = parse(text, catalogue=catalogue).deck
    return " ".join(f"{section}:{line.count}x{line.written}" for section, line in deck.lines())


def findings(text):
    return [(found.code, str(found.severity), found.line) for found in map(unread_finding, parse(text).deck.unread)]


# Each language and each layout at least once; the slow tests have every pair.
QUICK_PAIRS = set(zip(LANGUAGES, cycle(LAYOUTS)))
PAIRS = [
    pytest.param(*pair, marks=() if pair in QUICK_PAIRS else pytest.mark.slow) for pair in product(LANGUAGES, LAYOUTS)
]


class TestRealDecks:
    @pytest.mark.parametrize(("language", "layout"), PAIRS)
    def test_every_layout_in_every_language(self, language, layout, dbs):
        decks = cycle(real_decks())
        for blank, has_names in product(BLANKS, (False, True)):
            deck = next(decks)
            rows = rows_of(deck, language, blank, (lambda card: dbs.by_number(card).name) if has_names else None)
            if blank == "—" and layout == "aligned" and language in ("ja", "zh", "ko"):
                continue  # a dash that is as wide as a letter or two
            read = parse(laid_out(rows, layout), catalogue=dbs).deck
            assert copies_of(read) == deck, (blank, has_names)
            assert read.unread == ()

    @pytest.mark.slow
    def test_every_deck(self, dbs):
        for deck, blank in zip(real_decks(), cycle(BLANKS), strict=False):
            for layout in LAYOUTS[:6]:
                read = parse(laid_out(rows_of(deck, "decks", blank), layout), catalogue=dbs).deck
                assert (copies_of(read), read.unread) == (deck, ())

    @pytest.mark.parametrize("keys", [("leader", "main", "side", "z"), ("leader", "mainDeck", "sideDeck", "zDeck")])
    @pytest.mark.parametrize("blank", [0, None, "0", "", "-"])
    def test_json(self, keys, blank, dbs):
        named = dict(zip(("leader", "main", "side", "z"), keys, strict=True))
        for deck in real_decks()[:20]:
            entries = [
                {"number": card} | {key: deck[section, card] or blank for section, key in named.items()}
                for card in dict.fromkeys(card for _, card in deck)
            ]
            for value in (entries, {"cards": entries}, {each.pop("number"): each for each in map(dict, entries)}):
                read = parse(json.dumps(value), catalogue=dbs).deck
                assert (copies_of(read), read.unread) == (deck, ())

    def test_keys_without_copies_may_be_left_out(self, dbs):
        for deck in real_decks()[:20]:
            entries = {}
            for (section, card), count in deck.items():
                entries.setdefault(card, {"number": card})[section] = count
            read = parse(json.dumps(list(entries.values())), catalogue=dbs).deck
            assert (copies_of(read), read.unread) == (deck, ())


SIDE_BY_SIDE = [
    ("Leader", "", "Main deck", "", "Side deck", ""),
    ("1", "BT1-001", "4", "BT1-004", "2", "BT1-006"),
    ("", "", "3", "BT1-005", "1", "BT1-007"),
]
PLACED = "leader:1xBT1-001 main:4xBT1-004 main:3xBT1-005 side:2xBT1-006 side:1xBT1-007"


class TestSectionsSideBySide:
    """A section beside the other, each with counts and cards: the counts of one never go to the cards of another."""

    @pytest.mark.parametrize("delimiter", ["\t", ",", ";"])
    def test_counts_and_numbers(self, delimiter):
        assert sections("\n".join(map(delimiter.join, SIDE_BY_SIDE))) == PLACED

    def test_with_names(self):
        rows = [
            ["Leader", "", "", "Main deck", "", "", "Side deck", "", ""],
            ["1", "BT1-001", "Beerus", "4", "BT1-004", "Vados", "2", "BT1-006", "Champa"],
            ["", "", "", "3", "BT1-005", "Whis", "1", "BT1-007", "Botamo"],
        ]
        deck = parse("\n".join(map("\t".join, rows))).deck
        assert [(section, line.count, line.number) for section, line in deck.lines()] == [
            ("leader", 1, "BT1-001"),
            ("main", 4, "BT1-004"),
            ("main", 3, "BT1-005"),
            ("side", 2, "BT1-006"),
            ("side", 1, "BT1-007"),
        ]
        assert deck.unread == ()

    def test_counts_with_their_cards_in_one_column_stay_counts(self):
        text = "Leader\tMain\tSide\tNumber\n1\t\t\tBT1-001\n\t4\t2\tBT1-004"
        assert sections(text) == "leader:1xBT1-001 main:4xBT1-004 side:2xBT1-004"


class TestUntitled:
    @pytest.mark.parametrize("written", ["3", "3.0", "x3", "3x", "3枚", "×3", "３"])
    def test_counts_as_people_write_them(self, written):
        text = f"OP01-016\tNami\t{written}\nOP01-013\tSanji\t4\nOP01-006\tOtama\t{written}"
        assert sections(text) == "main:3xOP01-016 main:4xOP01-013 main:3xOP01-006"


class TestColumns:
    @pytest.mark.parametrize(
        ("title", "section"),
        [
            ("Main", "main"),
            ("MAIN DECK", "main"),
            ("Side Qty", "side"),
            ("# Side", "side"),
            ("Anzahl Hauptdeck", "main"),
            ("Exemplaires (réserve)", "side"),
            ("サイド枚数", "side"),
            ("主卡组数量", "main"),
            ("메인 덱 수량", "main"),
            ("Leader", "leader"),
            ("DON!!", "don"),
            ("Deck", "main"),
            ("Deck Qty", None),
            ("Deck ID", None),
            ("Deck No", None),
            ("Cards", None),
            ("Character", None),
            ("Maybeboard", None),
            ("Count", None),
        ],
    )
    def test_a_heading_names_a_section(self, title, section):
        assert counted_section(title) == section

    @pytest.mark.parametrize(
        ("cell", "copies"),
        [
            *(("", 0), ("-", 0), ("–", 0), ("—", 0), ("0", 0), ("4", 4), ("4.0", 4), ("x4", 4), ("4x", 4), ("×4", 4)),
            *(("4枚", 4), ("２枚", 2), ("四枚", 4), ("十", 10), ("十二", 12), ("两张", 2), ("(3)", 3), ("4 copies", 4)),
            *(
                ("four", None),
                ("?", None),
                ("4/3", None),
                ("-1", None),
                ("4.5", None),
                ("BT1-001", None),
                ("yes", None),
            ),
        ],
    )
    def test_a_cell_is_a_number_of_copies(self, cell, copies):
        assert parse_copies(cell) == copies

    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("number,main\nBT1-004,4\nBT1-005,2", "main:4xBT1-004 main:2xBT1-005"),
            ("number,side\nBT1-004,4\nBT1-005,1", "side:4xBT1-004 side:1xBT1-005"),
            ("number,count,side\nBT1-004,4,0\nBT1-005,2,1", "main:4xBT1-004 side:2xBT1-005"),
            ("number,count,side\nBT1-004,4,no\nBT1-005,2,yes", "main:4xBT1-004 side:2xBT1-005"),
            ("number,main,side\nBT1-004,4,\nBT1-005,2,", "main:4xBT1-004 main:2xBT1-005"),
            ("number,main,side\nBT1-004,4,no\nBT1-005,2,yes", "main:4xBT1-004 side:2xBT1-005"),
            ("number,count,main,side\nBT1-004,4,3,1\nBT1-005,2,,2", "main:3xBT1-004 side:1xBT1-004 side:2xBT1-005"),
            ("number,main,side,total\nBT1-004,3,1,4\nBT1-005,2,0,2", "main:3xBT1-004 main:2xBT1-005 side:1xBT1-004"),
            ("number,Deck Qty,Side Qty\nBT1-004,3,1\nBT1-005,2,0", "main:3xBT1-004 main:2xBT1-005 side:1xBT1-004"),
            (",Main,Side\nBT1-004,3,1\nBT1-005,2,0", "main:3xBT1-004 main:2xBT1-005 side:1xBT1-004"),
            (
                "Number,Main,Side,Number,Main,Side\nBT1-004,3,1,BT1-005,2,\nBT1-006,4,,,,",
                "main:3xBT1-004 main:2xBT1-005 main:4xBT1-006 side:1xBT1-004",
            ),
            ("Card,Color,Side\n4 BT1-004,Red,no\n2 BT1-005 First,Red,yes", "main:4xBT1-004 side:2xBT1-005"),
            ("number,main,side\nBT1-004,3,1\nTotal,3,1", "main:3xBT1-004 side:1xBT1-004"),
            (
                "section,number,main,side\nLeader,BT1-001,1,\nMain,BT1-004,3,1",
                "leader:1xBT1-001 main:3xBT1-004 side:1xBT1-004",
            ),
        ],
    )
    def test_no_copy_is_lost(self, text, found):
        assert sections(text) == found
        assert findings(text) == []

    @pytest.mark.parametrize(
        "text",
        [
            "number,main,side\nBT1-004,3,1\nBT1-005,4,?",
            "number,main,side\nBT1-004,3,1\nBT1-005,,",
            "number,main,side\nBT1-004,3,1\n,4,1",
            "number,count,main,side\nBT1-004,4,3,1\nBT1-005,4,2,1",
            "number,count,main,side\nBT1-004,4,3,1\nBT1-005,4,0,0",
            "number,main,side,total\nBT1-004,3,1,4\nBT1-005,2,0,3",
            "number,count,side\nBT1-004,3,0\nBT1-005,4,2",
            "section,number,main,side\nmain,BT1-004,3,1\nside,BT1-005,3,1",
        ],
    )
    def test_a_row_that_is_not_clear_is_an_error(self, text):
        assert findings(text) == [("line.unread", "error", 3)]
        assert "BT1-005" not in sections(text)

    def test_rows_with_no_copies_are_noted_once(self):
        text = "number,main,side\nBT1-004,3,1\nBT1-005,0,0\nBT1-006,0,0"
        assert findings(text) == [("line.aside", "warning", 3)]

    def test_counts_beyond_any_deck_are_an_error(self):
        assert findings("number,main,side\nBT1-004,256,1\nBT1-005,255,1") == [("line.unread", "error", 2)]


class TestAlignedColumns:
    def test_a_blank_cell_is_known_by_its_place(self, dbs):
        text = (
            "Number    Name                 Main  Side\n--------  -------------------  ----  ----\n"
            "BT1-004   First                   4\nBT1-005   A longer name           2     1\n"
            "BT1-006   x                             3"
        )
        assert sections(text, dbs) == "main:4xBT1-004 main:2xBT1-005 side:1xBT1-005 side:3xBT1-006"
        assert parse(text, catalogue=dbs).deck.unread == ()

    @pytest.mark.parametrize("between", ["\t", " | ", None])
    def test_each_section_may_have_a_column_of_cards(self, between):
        rows = [("Main", "Side"), ("4 BT1-004 First", "2 BT1-007 Second"), ("4 BT1-005", ""), ("", "1 BT1-008")]
        lines = (between.join(row) if between else row[0].ljust(24) + row[1] for row in rows)
        text = "\n".join(["Leader: BT1-001", *lines])
        assert sections(text) == "leader:1xBT1-001 main:4xBT1-004 main:4xBT1-005 side:2xBT1-007 side:1xBT1-008"
        assert findings(text) == []

    def test_cards_that_run_into_each_other_are_an_error(self):
        text = "Main                Side\n4 BT1-004 First     2 BT1-007\n4 BT1-005 Long name 2 BT1-008"
        assert findings(text) == [("line.unread", "error", 3)]


class TestNoCounts:
    @pytest.mark.parametrize(
        "text",
        [
            "number,name\nBT1-004,First\nBT1-005,Second",
            "number,name\nBT1-004,First\nBT1-004,First",
            "number,side\nBT1-004,0\nBT1-005,1",
            '[{"number": "BT1-004"}, {"number": "BT1-005"}]',
            '[{"number": "BT1-004", "value": 4}, {"number": "BT1-005", "value": 4}]',
        ],
    )
    def test_it_is_noted_once(self, text):
        assert findings(text) == [("table.no_counts", "warning", 1)]
        assert [line.count for _, line in parse(text).deck.lines()] == [1, 1]

    @pytest.mark.parametrize(
        "text",
        [
            "number,name,count\nBT1-004,First,1\nBT1-005,Second,1",
            "BT1-004\nBT1-005",
            '["BT1-004", "BT1-005"]',
            '{"BT1-004": 1, "BT1-005": 1}',
            '[{"number": "BT1-004", "count": 1}, {"number": "BT1-005"}]',
        ],
    )
    def test_it_is_not_noted_of_lists_and_tables_with_counts(self, text):
        assert findings(text) == []

    def test_it_has_a_code(self):
        assert "table.no_counts" in finding_codes()


class TestEntries:
    @pytest.mark.parametrize(
        ("entries", "found", "unclear"),
        [
            ([{"cardId": "BT1-004", "n": 3}, {"code": "BT1-005", "num": 3}], "", 2),
            ([{"cardId": "BT1-004", "count": 3}, {"code": "BT1-005", "num": 3}], "main:3xBT1-004", 1),
            ([{"number": "BT1-004", "count": 4, "side": 2}, {"number": "BT1-005", "count": 4}], "main:4xBT1-005", 1),
            ([{"number": "BT1-004", "count": 4, "main": 2, "side": 2}], "main:2xBT1-004 side:2xBT1-004", 0),
            ([{"number": "BT1-004", "count": 4, "main": 3, "side": 2}], "", 1),
            ([{"number": "BT1-004", "count": 4, "side": True}], "side:4xBT1-004", 0),
            ([{"number": "BT1-004", "count": 4, "sideboard": 0}], "main:4xBT1-004", 0),
            (
                [{"number": "BT1-004", "main": 4, "side": "many"}, {"number": "BT1-005", "main": 1, "side": 1}],
                "main:1xBT1-005 side:1xBT1-005",
                1,
            ),
        ],
    )
    def test_no_copy_of_an_entry_is_lost(self, entries, found, unclear):
        text = json.dumps(entries)
        assert sections(text) == found
        assert [code for code, *_ in findings(text)] == ["line.unread"] * unclear


@pytest.mark.parametrize(
    ("line", "copies"), [("BT1-007 二枚", 2), ("四張 BT1-007", 4), ("BT1-007 (三枚)", 3), ("十二张 BT1-007", 12)]
)
def test_kanji_count_copies(line, copies):
    assert sections(f"{line}\n1 BT1-008") == f"main:{copies}xBT1-007 main:1xBT1-008"


@pytest.mark.parametrize(
    "text",
    [
        "Number,MD,SB\nOP01-016,4,1\nOP01-017,3,0",
        "Nr.;Anzahl Deck;Anzahl Nebendeck\nOP01-016;4;1\nOP01-017;3;-",
        '[{"number": "OP01-016", "counts": {"main": 4, "side": 1}}, {"number": "OP01-017", "counts": {"main": 3}}]',
        '{"OP01-016": {"quantity": {"main": 4, "side": 1}}, "OP01-017": {"quantity": {"main": 3, "side": 0}}}',
    ],
)
def test_abbreviated_titles_and_nested_counts(text):
    assert sections(text) == "main:4xOP01-016 main:3xOP01-017 side:1xOP01-016"


@pytest.mark.parametrize(
    "text",
    [
        "Main,,Side,\nQty,Number,Qty,Number\n4,BT1-004,2,BT1-006\n3,BT1-007,,\n",
        "Deck of Ann\nMain;;Side;\nQty;Number;Qty;Number\n4;BT1-004;2;BT1-006\n3;BT1-007;;\n",
        "|Main||Side||\n|-|-|-|-|\n|Qty|Card|Qty|Card|\n|4|BT1-004|2|BT1-006|\n|3|BT1-007|||\n",
    ],
)
def test_sections_over_the_headings_of_tables_side_by_side(text):
    assert sections(text) == "main:4xBT1-004 main:3xBT1-007 side:2xBT1-006"


def test_sections_over_one_card_are_no_table_and_are_kept():
    assert sections("Main,Side\n4 BT1-004,2 BT1-006") == "main:4xBT1-004 side:2xBT1-006"
    assert sections("Main,Side\n4 BT1-004,2 BT1-006\n3 BT1-005") == "main:4xBT1-004 main:3xBT1-005 side:2xBT1-006"
    deck = parse("Main,Side\n4 BT1-004,").deck
    assert ([line.text for line in deck.unread], len(deck.main)) == (["Main,Side"], 1)


def test_an_entry_that_nests_a_card_has_its_count():
    entries = '[{"card": {"no": "OP01-016"}, "n": "4"}, {"card": {"id": "OP01-017"}, "qty": 3}]'
    assert sections(entries) == "main:3xOP01-017"
    assert [code for code, _, _ in findings(entries)] == ["line.unread"]
