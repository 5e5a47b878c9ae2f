"""Lists typed by hand: every way of writing a count, a number and a name, and every kind of heading."""

import pytest

from carddb import facts
from tests.validator.decklists.conftest import Shelf
from validator.cards import Card
from validator.decklists import parse


def cards(text, catalogue=None, section="main"):
    deck = parse(text, catalogue=catalogue).deck
    assert missed(deck) == []
    return [(line.count, line.number, line.name) for line in deck.section(section)]


def missed(deck):
    """Return what was not read or left aside; a total that these short lists contradict is neither."""
    return [line for line in deck.unread if not line.total]


def sections(text, catalogue=None):
    deck = parse(text, catalogue=catalogue).deck
    return " ".join(f"{section}:{line.count}x{line.written}" for section, line in deck.lines())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "count", "number", "name"),
    [
        ("4xOP01-016", 4, "OP01-016", None),
        ("4 x OP01-016", 4, "OP01-016", None),
        ("4x OP01-016", 4, "OP01-016", None),
        ("4X OP01-016", 4, "OP01-016", None),
        ("4×OP01-016", 4, "OP01-016", None),
        ("4*OP01-016", 4, "OP01-016", None),
        ("4OP01-016", 4, "OP01-016", None),
        ("x4 OP01-016", 4, "OP01-016", None),
        ("[4] OP01-016 Nami", 4, "OP01-016", "Nami"),
        ("4. OP01-016 Nami", 4, "OP01-016", "Nami"),
        ("4 OP01-016", 4, "OP01-016", None),
        ("4 (OP01-016)", 4, "OP01-016", None),
        ("4 OP01-016 Nami", 4, "OP01-016", "Nami"),
        ("4 OP01-016 - Nami", 4, "OP01-016", "Nami"),
        ("4 Nami (OP01-016)", 4, "OP01-016", "Nami"),
        ("4 Nami [OP01-016]", 4, "OP01-016", "Nami"),
        ("4 [OP01-016] Nami", 4, "OP01-016", "Nami"),
        ("4 Nami【OP01-016】", 4, "OP01-016", "Nami"),
        ("4 Nami OP01-016", 4, "OP01-016", "Nami"),
        ("4 Nami | OP01-016 | SR", 4, "OP01-016", "Nami SR"),
        ("4 Nami (OP01) 016", 4, "OP01-016", "Nami"),
        ("4 Lightning Bolt (M10) 146", 4, None, "Lightning Bolt"),
        ("2x Nami [OP01-016] *F*", 2, "OP01-016", "Nami"),
        ("4 Mr.2.Bon.Kurei(Bentham) (EB01-061)", 4, "EB01-061", "Mr.2.Bon.Kurei(Bentham)"),
        ("1 Krillin // Krillin, Grown-Up Support [BT29-001]", 1, "BT29-001", "Krillin // Krillin, Grown-Up Support"),
        ("3 Koitsukai, Mechanical Courage_PR [DB2-143]", 3, "DB2-143", "Koitsukai, Mechanical Courage_PR"),
        ("2 10x Kamehameha, Mighty Blast [EX23-03]", 2, "EX23-03", "10x Kamehameha, Mighty Blast"),
        ("2 3-Man Kamehameha [BT29-028]", 2, "BT29-028", "3-Man Kamehameha"),
        ("OP01-016", 1, "OP01-016", None),
        ("op01016", 1, "op01016", None),
        ("1 op01024", 1, "op01024", None),
        ("2 OP-01-016", 2, "OP-01-016", None),
        ("2 OP01 016 Nami", 2, "OP01 016", "Nami"),
        ("4 Perfect Force Cell (bt2-084_spr)", 4, "bt2-084_spr", "Perfect Force Cell"),
        ("4xOP01-016_p8", 4, "OP01-016_p8", None),
        ("1 BT1-005_SPR_S", 1, "BT1-005_SPR_S", None),
        ("1 BT1-005-SPR", 1, "BT1-005-SPR", None),
        ("4 OP01-016#402 Nami", 4, "OP01-016", "Nami"),
        ("4 XD1-04", 4, "XD1-04", None),
        ("4xXD1-04", 4, "XD1-04", None),
        ("OP01-024 x3", 3, "OP01-024", None),
        ("OP01-024 x 3", 3, "OP01-024", None),
        ("OP01-024x3", 3, "OP01-024", None),
        ("OP01-024 3", 3, "OP01-024", None),
        ("OP01-024: 3", 3, "OP01-024", None),
        ("Nami (OP01-016) x4", 4, "OP01-016", "Nami"),
        ("OP01-016 Nami x4", 4, "OP01-016", "Nami"),
        ("Nami x4", 4, None, "Nami"),
        ("Nami 4x", 4, None, "Nami"),
        ("4 Nami", 4, None, "Nami"),
        ("4x Nami", 4, None, "Nami"),
        ("4 x Nami", 4, None, "Nami"),
        ("4\tNami", 4, None, "Nami"),
        ("- 4 Nami", 4, None, "Nami"),
        ("• 4x OP01-016", 4, "OP01-016", None),
        ("4 X Calibur", 4, None, "X Calibur"),
        ("4x X Calibur", 4, None, "X Calibur"),
        ("4 Android 13", 4, None, "Android 13"),
        ("Android 13 x4", 4, None, "Android 13"),
        ("4 Planet M-2", 4, None, "Planet M-2"),
        ("4 Deathly Poison Gas Bomb MH5", 4, None, "Deathly Poison Gas Bomb MH5"),
        ("Total Eclipse x4", 4, None, "Total Eclipse"),
        ("4 Nami [OP01]", 4, None, "Nami"),
        ("4 Zephyr (Navy)", 4, None, "Zephyr (Navy)"),
        ("1 Broly, Ultimate Agent of Destruction (set 06)", 1, None, "Broly, Ultimate Agent of Destruction"),
        ("2 Fused Zamasu, Deity's Wrath (db4)", 2, None, "Fused Zamasu, Deity's Wrath"),
        ("1 Fu, the Dark Banisher (special)", 1, None, "Fu, the Dark Banisher"),
        ("OP01-016 (4)", 4, "OP01-016", None),
        ("OP01-016 - 4", 4, "OP01-016", None),
        ("Nami (OP01-016) [4]", 4, "OP01-016", "Nami"),
        ("Nami x4 OP01-016", 4, "OP01-016", "Nami"),
        ("OP01-016 x4 Nami", 4, "OP01-016", "Nami"),
        ("OP01-016 ナミ　4枚", 4, "OP01-016", "ナミ"),
        ("4 copies of OP01-016", 4, "OP01-016", None),
        ("four OP01-016", 4, "OP01-016", None),
        ("2. OP01-016 x4", 4, "OP01-016", None),
        ("1) 4 OP01-016 Nami", 4, "OP01-016", "Nami"),
        ("12. 4 Nami", 4, None, "Nami"),
        ("Nami (016) [OP01-016]", 1, "OP01-016", "Nami (016)"),
        ("OP01-016 Nami $3.50", 1, "OP01-016", "Nami $3.50"),
        ("4 OP01-016 Nami €3,50", 4, "OP01-016", "Nami €3,50"),
        ("4 Nami OP01-016 V2", 4, "OP01-016", "Nami V2"),
        ("OP01-016 Nami ×4 // blocker", 4, "OP01-016", "Nami"),
        ("4 0P01-016 Nami", 4, "0P01-016", "Nami"),
        ("4 Nami (OPO1-016)", 4, "OPO1-016", "Nami"),
        ("4 Nami [0P01-016]", 4, "0P01-016", "Nami"),
        ("BT1-O05 x4", 4, "BT1-O05", None),
        ("OP01-016_PRx3", 3, "OP01-016_PR", None),
        ("OP01-016_SPR_S×3", 3, "OP01-016_SPR_S", None),
        ("OP01-016 {4}", 4, "OP01-016", None),
        ("OP01-016 -> 4", 4, "OP01-016", None),
        ("OP01-016 (4x)", 4, "OP01-016", None),
        ("(x4) OP01-016 Nami", 4, "OP01-016", "Nami"),
        ("Nami OP01-016 (four)", 4, "OP01-016", "Nami"),
        ("Nami (4x) OP01-016", 4, "OP01-016", "Nami"),
        ("2. Nami OP01-016 x4", 4, "OP01-016", "Nami"),
        ("2 - 4x Nami (OP01-016)", 4, "OP01-016", "Nami"),
        ("2: 4 OP01-016 Nami", 4, "OP01-016", "Nami"),
        ("(2) 4x OP01-016 Nami", 4, "OP01-016", "Nami"),
        ("#2 4x OP01-016 Nami", 4, "OP01-016", "Nami"),
        ("4 - Nami - OP01-016", 4, "OP01-016", "Nami"),
        ("4 Nami [P]", 4, None, "Nami"),
        ("OP01-016 x4 https://example.org/OP01-016", 4, "OP01-016", None),
        ("255 Nami", 255, None, "Nami"),
        ("04 Nami", 4, None, "Nami"),
        ("#4 OP01-016 Nami", 4, "OP01-016", "Nami"),
        ("OP01-016 ×2枚", 2, "OP01-016", None),
        ("×2枚 OP01-016", 2, "OP01-016", None),
        ("four copies of Nami (OP01-016)", 4, "OP01-016", "Nami"),
        ("4 Nami (016) [OP01]", 4, "OP01-016", "Nami"),
        ("OP01-016 I Am Nami", 1, "OP01-016", "I Am Nami"),
    ],
)
def test_a_line_is_read(line, count, number, name):
    assert cards(line) == [(count, number, name)]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("４ｘＯＰ０１－０１６", None),
        ("４　ＯＰ０１－０１６　ナミ", "ナミ"),
        ("④ OP01-016 Nami", "Nami"),
        ("4 OP01\u2013016 Nami", "Nami"),
        ("4 OP01\u2010016 Nami", "Nami"),
        ("4\u00a0OP01-016\u00a0Nami", "Nami"),
        ("\u200b4 OP01\u00ad-016 Nami\u200b", "Nami"),
        ("4 х OP01-016 “Nami”", "“Nami”"),
        ("> 4 OP01-016 Nami", "Nami"),
        ("- [x] 4x OP01-016 Nami", "Nami"),
        ("🔥 **4x** OP01-016 Nami", "Nami"),
        ("4\ufe0f\u20e3 OP01-016 Nami", "Nami"),
        ("`4xOP01-016`", None),
        ("<li>4 OP01-016&nbsp;Nami &amp; Co</li>", "Nami & Co"),
        ("<tr><td>4</td><td>OP01-016</td><td>Nami</td></tr>", "Nami"),
        ('<li class="card"><span>4</span> <b>Na</b>mi (OP01-016)<br/></li>', "Nami"),
        ("4 Nami <OP01-016>", "Nami"),
        ('"4 OP01-016 Nami', "Nami"),
        ('4 OP01-016 Nami"', "Nami"),
        ('"4 OP01-016 Nami"', "Nami"),
        ("-> 4x OP01-016 Nami", "Nami"),
        ("4 [Nami (OP01-016)](https://example.org/cards/1)", "Nami"),
        ("4 Nami (OP01-016) https://example.org/OP01-017", "Nami"),
    ],
)
def test_unusual_characters_do_not_matter(line, name):
    assert cards(line) == [(4, "OP01-016", name)]


def test_a_name_keeps_its_own_characters():
    assert cards("4 Zaku Ⅰ — “Char’s”  Café ST03-007") == [(4, "ST03-007", "Zaku Ⅰ — “Char’s” Café")]


@pytest.mark.parametrize(
    "line",
    [
        "1xOP01-001 4xOP01-016",
        "1 OP01-001, 4 OP01-016",
        "1 (OP01-001) 4 (OP01-016)",
        "1xOP01-001;4xOP01-016;",
        "1xOP01-001 and 4xOP01-016",
        "OP01-001 x1 / OP01-016 x4",
        "1 OP01-001 Zoro     4 OP01-016 Nami",
        "1x Zoro (OP01-001), 4x Nami (OP01-016)",
        "1x OP01-001 Zoro | 4x OP01-016 Nami",
        "Zoro OP01-001 x1; Nami OP01-016 x4",
        "Zoro (OP01-001) 1, Nami (OP01-016) 4",
        "Zoro OP01-001 (1) | Nami OP01-016 (4)",
    ],
)
def test_a_line_may_hold_many_cards(line):
    assert [card[:2] for card in cards(line)] == [(1, "OP01-001"), (4, "OP01-016")]


def test_a_line_of_many_cards_may_be_longer_than_any_of_one():
    line = ", ".join(f"4 A card with a long name (OP01-{at:03})" for at in range(20, 60))
    assert [card[1] for card in cards(line)] == [f"OP01-{at:03}" for at in range(20, 60)]


@pytest.mark.parametrize(
    "text",
    [
        "1\nZoro\nOP01-001\n4\nNami\nOP01-016",
        "1x\nOP01-001\n4x\nOP01-016",
        "Zoro (OP01-001)\n1\nNami (OP01-016)\n4",
        "Zoro\nOP01-001\nx1\n\nNami\nOP01-016\nx4\n\nThanks!",
        "Leader\nOP01-001\n1\nCharacters\nOP01-016\n4",
        "<tr>\n<td>1</td>\n<td>OP01-001</td>\n</tr>\n<tr>\n<td>4</td>\n<td>OP01-016</td>\n</tr>",
        "<ul><li>1 Zoro OP01-001</li><li>4 Nami OP01-016</li></ul>",
        "<tr><td>1</td><td>OP01-001</td></tr><tr><td>4</td><td>OP01-016</td></tr>",
        "[b]Leader[/b]\n1 OP01-001\n[size=4]Main deck[/size]\n4 OP01-016",
        "Count  Number  Cost\n1  OP01-001\n4  OP01-016",
    ],
)
def test_a_card_may_stand_in_several_lines_and_lines_in_one(text):
    deck = parse(text).deck
    assert [(line.count, line.number) for _, line in deck.lines()] == [(1, "OP01-001"), (4, "OP01-016")]
    assert [line.text for line in deck.unread] in ([], ["Thanks!"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "count", ["4/4", "4 / 50", "1/2", "II", "iv.", "IIII", "?", "??", "x", "(x)", "x?", "some", "tbd"]
)
@pytest.mark.parametrize("line", ["{} A1-01 Nami", "A1-01 Nami {}", "Nami (A1-01) {}", "{} Nami A1-01", "A1-01 {}"])
@pytest.mark.parametrize("known", [False, True])
def test_a_count_that_is_not_understood_is_asked_about(line, count, known, few):
    text = line.replace("A1-01", "OP01-016").format(count)
    deck = parse(text, catalogue=few if known else None).deck
    assert (deck.main, [row.text for row in deck.unread if row.may_be_card]) == ((), [text])


@pytest.mark.parametrize(
    "line",
    [
        "[22/11/2026, 10:15:02] Tom: 4x OP01-016 Nami",
        "22/11/26, 10:15 - Tom: 4x OP01-016 Nami",
        "[10:15, 22/11/2026] Tom: 4x OP01-016 Nami",
        "<:op_red:123456789012345678> 4 OP01-016 Nami",
        "Nami：4枚（OP01-016）",
        "OP01-016 Nami 4枚 300円",
    ],
)
def test_a_card_in_a_chat_or_a_price_list_is_read(line, optcg):
    deck = parse(line, catalogue=optcg).deck
    assert [(card.count, card.number, card.name) for card in deck.main] == [(4, "OP01-016", "Nami")]
    assert deck.unread == ()


@pytest.mark.parametrize(
    "line",
    [
        "[22/11/2026, 10:15:02] Tom: my list",
        "Store Championship 22.11.2026 - 1st Place (5-0)",
        "+49 170 1234567",
    ],
)
def test_chat_around_a_list_is_no_card(line):
    deck = parse(f"4 OP01-016\n{line}").deck
    assert [(row.text, row.may_be_card) for row in deck.unread] == [(line, False)]


@pytest.mark.parametrize("line", ["{} OP01-016", "{} OP01-016 Nami", "{} Nami (OP01-016)", "OP01-016 {}"])
@pytest.mark.parametrize("count", ["n", "a", "o", "-", "🔥🔥🔥", "☐☐☐☐"])
def test_a_letter_or_a_sign_in_place_of_a_count_is_asked_about(line, count, optcg):
    text = line.format(count)
    deck = parse(f"4 ST21-002\n{text}\n2 ST21-015", catalogue=optcg).deck
    assert [card.number for card in deck.main] == ["ST21-002", "ST21-015"]
    assert [(row.text, row.may_be_card) for row in deck.unread] == [(text, True)]


def test_a_dash_before_every_card_only_adorns():
    assert cards("- OP01-016\n- OP01-016 Nami") == [(1, "OP01-016", None), (1, "OP01-016", "Nami")]
    assert [count for count, *_ in cards("- 4 OP01-016\n- OP01-017")] == [4, 1]


@pytest.mark.parametrize("farewell", ["Thanks,", "Best regards", "thx", "Viele Grüße", "Saludos"])
def test_a_name_below_the_end_of_a_letter_is_its_writers(farewell, optcg):
    deck = parse(f"4 OP01-016 Nami\n\n{farewell}\nTom", catalogue=optcg).deck
    assert [(card.count, card.name) for card in deck.main] == [(4, "Nami")]
    assert [(row.text, row.may_be_card) for row in deck.unread] == [(farewell, False), ("Tom", False)]


@pytest.mark.parametrize(
    "line",
    [
        "four copies of OP01-016",
        "Four copies of OP01-016 Nami",
        "four of OP01-016",
        "fourx OP01-016",
        "OP01-016, four copies",
        "cztery OP01-016",
        "4_OP01-016_Nami",
        "4x_OP01-016",
        "Nami_OP01-016_x4",
        "OP01-016 4 шт",
        "4x OP01\\-016 Nami",
    ],
)
def test_a_count_in_words_or_between_other_signs_is_read(line, optcg):
    deck = parse(line, catalogue=optcg).deck
    assert [(card.count, card.number) for card in deck.main] == [(4, "OP01-016")]
    assert deck.unread == ()


@pytest.mark.parametrize("line", ["4x (1) OP01-016", "4x (1) Nami OP01-016", "4x [1] Nami (OP01-016)"])
def test_the_cost_beside_a_count_is_no_second_count(line):
    known = Shelf("optcg", [Card("optcg", "OP01-016", "Nami", "Character", cost=1)])
    assert [card[:2] for card in cards(line, known)] == [(4, "OP01-016")]
    assert parse(line.replace("1)", "2)").replace("[1]", "[2]"), catalogue=known).deck.unread


@pytest.mark.parametrize("between", ["      ", "\t", " | ", " · ", " • "])
def test_cards_may_stand_in_columns_beside_each_other(between, optcg):
    line = f"Nami (OP01-016) x4{between}Roronoa Zoro (OP11-016) x2"
    assert [card[:2] for card in cards(line, optcg)] == [(4, "OP01-016"), (2, "OP11-016")]


def test_numbers_in_a_line_without_counts_are_a_copy_each():
    assert cards("OP01-016, OP01-016, OP01-017") == [
        (1, "OP01-016", None),
        (1, "OP01-016", None),
        (1, "OP01-017", None),
    ]
    assert parse("OP01-016 / OP01-017").deck.main == ()  # the one or the other


@pytest.mark.parametrize("count", ["N/A", "full set", "playset", "½", "四", "4.0", "||||"])
@pytest.mark.parametrize("line", ["{} OP01-016 Nami", "OP01-016 Nami {}", "Nami (OP01-016) {}", "{} Nami OP01-016"])
def test_nor_is_any_other_such_count_one(line, count, few):
    deck = parse(line.format(count), catalogue=few).deck
    assert [row.count for row in deck.main] in ([], [4])
    assert deck.main or deck.unread


def test_lines_of_counts_and_numbers_that_do_not_match_are_asked_about():
    deck = parse("OP01-001\n4\nOP01-016\n4\nOP01-017").deck
    assert [line.text for line in deck.unread] == ["4", "4"]


def test_a_card_remembers_its_line():
    deck = parse("\n// mine\n 4x OP01-016 \n\nOP01-017").deck
    assert [(line.at, line.raw) for line in deck.main] == [(3, " 4x OP01-016 "), (5, "OP01-017")]


@pytest.mark.parametrize(
    "line",
    [
        "0 Nami",
        "0xOP01-016",
        "256 Nami",
        "999 OP01-016",
        "999xOP01-016",
        "99999999999999999999 Nami",
        "OP01-016 x0",
        "-1 Nami",
        "1.5 Nami",
        "4",
        "4x",
        "5301",
        "My red deck",
        "Total Eclipse",
        "Stage: Thousand Sunny",
        "4 OP01-016 OP01-017",
        "4 OP01-016 Nami or OP01-017 Nico Robin",
        "3-4 OP01-016",
        "2+2 OP01-016",
        "~~4 OP01-016~~",
        "x OP01-016",
        "4x OP01-016 x3",
        "OP01-016 Nami R 4",
        "OP01-016 Nami x4 $5.20",
        "12 4 OP01-016",
        "Playset of OP01-016 Nami",
        "II OP01-016 Nami",
        "II Nami OP01-016",
        "OP01-016 IV",
        "? OP01-016 Nami",
        "OP01-016 x? Nami",
        "x OP01-016 Nami",
        "NO OP01-016 Nami",
        "some OP01-016",
        "4 OP01-016 -> 3 OP01-016",
        "4 OP01-016 -> 3",
        "4 OP01-016 → 3",
        "fourx OP01-016 Nami",
        "Nami (alt art 2) OP01-016",
        "2. Nami OP01-016 - 4",
        "Nami // x4 if there is room",
        "OP01-016_4",
        "OP01-016-4 Nami",
        "https://www.bandai-tcg-plus.com/deck_code_recipe/abcdefghijklmnop",
        "4 " + "Nami" * 100,
    ],
)
def test_a_line_that_is_no_card_is_kept_with_a_reason(line):
    deck = parse(f"{line}\n").deck
    assert list(deck.lines()) == []
    (unread,) = deck.unread
    assert (unread.at, unread.text) == (1, line)
    assert unread.reason


@pytest.mark.parametrize(
    ("line", "count", "number", "name"),
    [
        ("10x Kamehameha", 1, None, "10x Kamehameha"),
        ("2 10x Kamehameha", 2, None, "10x Kamehameha"),
        ("2 X ANDROID 13", 2, None, "ANDROID 13"),
        ("2 x calibur", 2, None, "x calibur"),
        ("10x Kamehameha x2", 2, None, "10x Kamehameha"),
        ("3-Man Kamehameha", 1, None, "3-Man Kamehameha"),
        ("7 Shadow Dragons Assembled", 1, None, "7 Shadow Dragons Assembled"),
        ("2 7 Shadow Dragons Assembled", 2, None, "7 Shadow Dragons Assembled"),
        ("x20 Kaio-ken Kamehameha, Mighty Blast", 1, None, "x20 Kaio-ken Kamehameha, Mighty Blast"),
        ("4 x20 Kaio-ken Kamehameha, Mighty Blast", 4, None, "x20 Kaio-ken Kamehameha, Mighty Blast"),
        ("4 Battle Pod XJ1-09", 4, None, "Battle Pod XJ1-09"),
        ("4 Battle Pod BT1-007", 4, "BT1-007", "Battle Pod"),
        ("4 Zephyr (Special)", 4, None, "Zephyr (Special)"),
        ("Android 13", 1, None, "Android 13"),
        ("BT1-005 Android 13", 1, "BT1-005", "Android 13"),
        ("Android 13 4 BT1-005", 4, "BT1-005", "Android 13"),
        ("BT1-005 4 Android 13", 4, "BT1-005", "Android 13"),
        ("BT1-005 Android 13 4", 4, "BT1-005", "Android 13"),
        ("10x Kamehameha BT1-002 x2", 2, "BT1-002", "10x Kamehameha"),
        ("10x Kamehameha [BT1-002]", 1, "BT1-002", "10x Kamehameha"),
        ("1) 10x Kamehameha", 1, None, "10x Kamehameha"),
        ("Android 13 (4)", 4, None, "Android 13"),
        ("Android 13 ..... 4", 4, None, "Android 13"),
        ("four Android 13", 4, None, "Android 13"),
        ("Android 13《BT1-005》×4", 4, "BT1-005", "Android 13"),
        ("ANDROID 13 | BT1-005 | SR | 4", 4, "BT1-005", "ANDROID 13"),
        ("2. Android 13 BT1-005 - 4", 4, "BT1-005", "Android 13"),
        ("BT1-005 Android 13 x4 - 0,50 EUR", 4, "BT1-005", "Android 13"),
        ("BT1-005 Android 13 4 ✔", 4, "BT1-005", "Android 13"),
        ("BT1-005 Android 13 x4 $5.20", 4, "BT1-005", "Android 13"),
        ("BT1-005 Android 13 x4 (have 3)", 4, "BT1-005", "Android 13"),
        ('"Android 13","BT1-005",4', 4, "BT1-005", "Android 13"),
        ("10x Kamehameha BT1-002 2", 2, "BT1-002", "10x Kamehameha"),
        ("10x Kamehameha (BT1-002) SR ×2", 2, "BT1-002", "10x Kamehameha"),
        ("BT1-002 10x Kamehameha - 2", 2, "BT1-002", "10x Kamehameha"),
        ("30. 10x Kamehameha (BT1-002) x2", 2, "BT1-002", "10x Kamehameha"),
        ("Planet M-2\t4", 4, None, "Planet M-2"),
        ("Android 13 4", 4, None, "Android 13"),
        ("4 SP.9 Odd One", 4, "SP.9", "Odd One"),
        ("4 Odd One (SP.9)", 4, "SP.9", "Odd One"),
    ],
)
def test_the_catalogue_tells_names_and_numbers_apart(line, count, number, name, few):
    assert cards(line, few) == [(count, number, name)]


@pytest.mark.parametrize(
    "line",
    [
        "12 4 BT1-005 Android 13",
        "4 BT1-005 Android 13 x3",
        "2. Android BT1-005 - 4",
    ],
)
def test_of_two_counts_neither_is_taken(line, few):
    deck = parse(line, catalogue=few).deck
    assert list(deck.lines()) == []
    assert deck.unread


def test_two_numbers_of_the_catalogue_are_two_cards_whatever_they_look_like():
    cards = (Card("bos", "BE01-001", "War Axe", "Equipment"), Card("bos", "BE01-002", "Ferry", "Battlefield"))
    deck = parse("2 BE01-001 War Axe; 3 BE01-002 Ferry", catalogue=Shelf("bos", cards)).deck
    assert [(line.count, line.number) for line in deck.main] == [(2, "BE01-001"), (3, "BE01-002")]
    assert parse("2 BE01-001 War Axe or BE01-002 Ferry", catalogue=Shelf("bos", cards)).deck.unread


@pytest.mark.parametrize(
    ("heading", "section"),
    [
        ("Leader", "leader"),
        ("LEADERS:", "leader"),
        ("_____Leader_____", "leader"),
        ("//play-1", "leader"),
        ("Main", "main"),
        ("Main Deck (50)", "main"),
        ("Deck", "main"),
        ("//deck-1", "main"),
        ("Character (36)", "main"),
        ("Characters - 36", "main"),
        ("== Events ==", "main"),
        ("Stage: 2", "main"),
        ("Battle Cards (30 cards)", "main"),
        ("Extra", "main"),
        ("Unisons", "main"),
        ("Fighters", "main"),
        ("Warriors (12)", "main"),
        ("Elite Warriors", "main"),
        ("Warlords", "main"),
        ("Legendary Warriors", "main"),
        ("Equipment", "main"),
        ("Tactics", "main"),
        ("Battlefields", "main"),
        ("// Egg Deck ", "main"),
        ("#main", "main"),
        ("Z-Deck", "z"),
        ("Z Deck (7/10)", "z"),
        ("Z", "z"),
        ("_____Z Deck_____", "z"),
        ("Side", "side"),
        ("Sideboard", "side"),
        ("SIDEBOARD:", "side"),
        ("Side Deck", "side"),
        ("-SIDE DECK-", "side"),
        ("// Sideboard", "side"),
        ("//sideboard-1", "side"),
        ("!side", "side"),
        ("**Side Deck (15)**", "side"),
        ("DON!!", "don"),
        ("DON!! Deck", "don"),
        ("DON!! (10)", "don"),
        ("［Ｓｉｄｅ　Ｄｅｃｋ］", "side"),
        ("> **Side Deck (2)**", "side"),
        ("Anführer", "leader"),
        ("Líder:", "leader"),
        ("【リーダー】", "leader"),
        ("Hauptdeck (50 Karten)", "main"),
        ("Charaktere", "main"),
        ("Mazo principal", "main"),
        ("Événements (8)", "main"),
        ("Eventi", "main"),
        ("キャラ 36枚", "main"),
        ("メインデッキ", "main"),
        ("Nebendeck", "side"),
        ("Re\u0301serve", "side"),
        ("Banquillo", "side"),
        ("サイドデッキ", "side"),
        ("50 Main Deck", "main"),
        ("// 6 Side Deck", "side"),
        ("# 50 Main Deck", "main"),
        ("### 15 cards: Side Deck", "side"),
        ("2. Side Deck", "side"),
        ("2) Side Deck", "side"),
        ("10x Events", "main"),
        ("Side Deck (Total: 15)", "side"),
        ("Side Deck total: 15", "side"),
        ("Side Deck – total 15", "side"),
        ("Side Deck (15 total)", "side"),
        ("Side Deck Count: 15", "side"),
        ("Side Deck Card(s)", "side"),
        ("Side deck list", "side"),
        ("My Side Deck", "side"),
        ("Side Deck 🃏 (15)", "side"),
        ("<h2>Side Deck</h2>", "side"),
        ('<div class="title">Side Deck <span>15</span></div>', "side"),
        ("<Side>", "side"),
        ("Z-Deck (up to 10)", "z"),
        ("Z牌組", "z"),
        ("Deck secundário", "side"),
        ("Mazzo di riserva", "side"),
        ("Ersatzdeck", "side"),
        ("Cartas de Batalla (30)", "main"),
        ("Cartes Combat: 30", "main"),
        ("2 drops", "main"),
        ("Cost 3 (8)", "main"),
        ("Red cards (12)", "main"),
        ("Legendaries (3)", "main"),
        ("II. Side Deck", "side"),
        ("エクストラカード (8)", "main"),
        ("메인덱 (50)", "main"),
        ("사이드덱", "side"),
        ("리더 카드", "leader"),
        ("Talia poboczna", "side"),
        ("Jeu principal", "main"),
        ("Leader-Karte", "leader"),
        ("Сайдборд", "side"),
        ("Principale", "main"),
        ("Principal (50)", "main"),
        ("【主牌组】", "main"),
        ("副牌组 (10)", "side"),
        ("Z牌组", "z"),
        ("领袖卡", "leader"),
        ("事件卡：", "main"),
        ("Cenários", "main"),
    ],
)
def test_a_heading_opens_its_section(heading, section):
    assert cards(f"{heading}\n1 BT1-001", section=section) == [(1, "BT1-001", None)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Leader\n1 A1-01\n4 B1-02\n4 C1-03", "leader:1xA1-01 main:4xB1-02 main:4xC1-03"),
        ("Leader\n1 A1-01\n1 B1-02\nMain Deck\n4 C1-03", "leader:1xA1-01 leader:1xB1-02 main:4xC1-03"),
        ("Leader\n1 A1-01\n4 B1-02\nEvents\n4 C1-03", "leader:1xA1-01 main:4xB1-02 main:4xC1-03"),
        ("Leader\n1 A1-01\n4 B1-02\nSideboard\n2 C1-03", "leader:1xA1-01 main:4xB1-02 side:2xC1-03"),
        ("4 B1-02\nLeader\n1 A1-01", "leader:1xA1-01 main:4xB1-02"),
        ("Leader\nMonkey.D.Luffy\n4 Nami", "leader:1xMonkey.D.Luffy main:4xNami"),
        ("Leader: 1 A1-01\n4 B1-02", "leader:1xA1-01 main:4xB1-02"),
        ("Leader: Roronoa Zoro\n4 B1-02", "leader:1xRoronoa Zoro main:4xB1-02"),
        ("Side: 2 A1-01\n1 B1-02", "side:2xA1-01 side:1xB1-02"),
        ("SB: 2 A1-01\n4 B1-02", "main:4xB1-02 side:2xA1-01"),
        (
            "Battle\n4 A1-01\nExtra\n4 B1-02\nSide\nBattle\n2 C1-03\nExtra\n1 D1-04",
            "main:4xA1-01 main:4xB1-02 side:2xC1-03 side:1xD1-04",
        ),
        ("Cost 1\n4 A1-01\nSide Deck\nCost 1\n2 C1-03\nZ-Deck\n1 D1-04", "main:4xA1-01 side:2xC1-03 z:1xD1-04"),
        ("Battle: 4 A1-01\nSide Deck\nBattle: 2 C1-03\nBattle: 1 D1-04", "main:4xA1-01 side:2xC1-03 side:1xD1-04"),
        ("Side\n2 A1-01\nBattle\n4 B1-02\nExtra\n4 C1-03", "main:4xB1-02 main:4xC1-03 side:2xA1-01"),
        ("Sideboard\n1 A1-01\n\n4 B1-02", "side:1xA1-01 side:4xB1-02"),
        ("4 B1-02 Nami\n2 B1-02 Nami (side)\n1 C1-03 Usopp", "main:4xB1-02 main:1xC1-03 side:2xB1-02"),
        ("Usopp (C1-03) [Leader]\n2 Nami (Sideboard)\n4 B1-02", "leader:1xC1-03 main:4xB1-02 side:2xNami"),
        ("4 B1-02\n\n4 A1-01", "main:4xB1-02 main:4xA1-01"),
        ("Side\n4 B1-02\nDON!! x10", "side:4xB1-02 don:10xDON!!"),
        ("10x DON!!", "don:10xDON!!"),
        ("DON!!: 10", "don:10xDON!!"),
        ("DON!! Deck\n10 DON!!", "don:10xDON!!"),
    ],
)
def test_cards_stand_in_the_sections_that_headings_say(text, found):
    assert sections(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Leader: 1 OP01-001. Main Deck: 4 OP01-016, 2 OP01-017. Side: 2 OP01-024.",
        "Leader: Zoro (OP01-001) | Main Deck: 4 Nami (OP01-016), 2 OP01-017 | Side Deck: 2 OP01-024",
        "Leader: OP01-001; Main: 4 OP01-016, 2 OP01-017; Side: 2 OP01-024",
        "Leader: 1x OP01-001 Main: 4x OP01-016 2x OP01-017 Side: 2x OP01-024",
        "リーダー：OP01-001　メイン：4 OP01-016、2 OP01-017　サイド：2 OP01-024",
    ],
)
def test_the_sections_of_a_deck_may_stand_in_one_line(text):
    assert sections(text) == "leader:1xOP01-001 main:4xOP01-016 main:2xOP01-017 side:2xOP01-024"
    assert parse(text).deck.unread == ()


@pytest.mark.parametrize("text", ["[ ] 1 A1-01\n[x] 4 B1-02", "{Main}\n1 A1-01\n4 B1-02"])
def test_a_list_that_begins_with_brackets_is_no_json(text):
    assert sections(text) == "main:1xA1-01 main:4xB1-02"


def test_a_total_below_a_list_does_not_make_it_all_leaders():
    text = "Leader\n1 A1-01\n4 B1-02\n4 C1-03\nMain Deck: 8"
    assert sections(text) == "leader:1xA1-01 main:4xB1-02 main:4xC1-03"


def test_a_count_of_a_card_called_like_a_heading_is_that_card(few):
    assert cards("2 Deck", few) == [(2, None, "Deck")]


def test_a_card_whose_name_ends_like_a_counted_heading_is_that_card():
    shelf = Shelf("gundam", (Card("gundam", "GD09-010", "Side 7", "Base"), Card("gundam", "GD09-011", "Suit", "Unit")))
    for line in ("Side 7 (4)", "Side 7 - 4", "Side 7: 4", "Side 7 4", "Side 7 [4]", "4 Side 7", "Side 7 x4"):
        assert cards(f"Main Deck\n4 Suit\n{line}\n", shelf) == [(4, None, "Suit"), (4, None, "Side 7")], line
    stacked = "Main Deck\nSuit\nGD09-011\nQty: 4\nSide 7\nGD09-010\nQty: 4\n"
    assert cards(stacked, shelf) == [(4, "GD09-011", "Suit"), (4, "GD09-010", "Side 7")]
    assert cards("Main Deck\n4 Suit\nSide (4)\n4 Suit", shelf, "side") == [(4, None, "Suit")]


@pytest.mark.parametrize(
    "heading",
    [
        "Maybeboard",
        "// Maybeboard",
        "Considering:",
        "Wishlist (2)",
        "**Maybe**",
        "Not in deck",
        "Cuts",
        "候補",
        "Quizás",
    ],
)
def test_what_is_only_considered_is_no_part_of_the_deck_and_is_told(heading):
    deck = parse(f"Main\n4 A1-01\n{heading}\n2 B1-02\n1 or 2 Nami\nSide\n3 C1-03").deck
    assert [(section, line.count, line.number) for section, line in deck.lines()] == [
        ("main", 4, "A1-01"),
        ("side", 3, "C1-03"),
    ]
    assert [(line.at, line.text, line.aside, line.may_be_card) for line in deck.unread] == [
        (4, "2 B1-02", True, False),
        (5, "1 or 2 Nami", True, False),
    ]


def test_kinds_of_card_below_a_side_deck_sort_it_where_the_main_deck_has_a_heading():
    text = "Main Deck\n4 A1-01\nSide Deck\nCharacters (2)\n2 B1-02\nEvents (1)\n1 C1-03"
    assert sections(text) == "main:4xA1-01 side:2xB1-02 side:1xC1-03"
    first = "Side Deck\n2 B1-02\nCharacters (4)\n4 A1-01\nEvents (1)\n1 C1-03"
    assert sections(first) == "main:4xA1-01 main:1xC1-03 side:2xB1-02"


def test_what_is_only_considered_may_be_sorted_as_the_deck_is():
    deck = parse("Characters\n4 A1-01\nMaybeboard\nCharacters\n2 B1-02").deck
    assert ([line.number for line in deck.main], [line.text for line in deck.unread]) == (["A1-01"], ["2 B1-02"])


def test_what_a_line_says_is_only_considered_is_that_line_alone():
    deck = parse("Maybe: 2 B1-02\n4 A1-01").deck
    assert ([line.number for line in deck.main], [line.at for line in deck.unread]) == (["A1-01"], [1])


@pytest.mark.parametrize(
    "text",
    [
        "section,count,number\nmain,4,A1-01\nmaybeboard,2,B1-02",
        '{"main": {"A1-01": 4}, "maybeboard": {"B1-02": 2}, "options": {"foil": true}}',
    ],
)
def test_tables_and_json_may_hold_more_than_the_deck(text):
    deck = parse(text).deck
    assert [line.number for _, line in deck.lines()] == ["A1-01"]
    assert [line.aside for line in deck.unread] == [True]


@pytest.mark.parametrize(
    "line",
    [
        "Romance Dawn (OP01)",
        "Romance Dawn [OP-01]",
        "OP01",
        "BT5 - Miraculous Revival",
        "Red Zoro Aggro v2",
        "1st in 2026",
        "Ann 0012345678",
    ],
)
def test_the_digits_of_a_set_or_a_version_are_no_count(line):
    (unread,) = parse(f"{line}\n4 OP01-016").deck.unread
    assert not unread.may_be_card


@pytest.mark.parametrize("line", ["Namii x4 (OP01) or so", "4 OP01-016 OP01-017", "OP01-016 Nami R 4"])
def test_a_line_that_may_be_a_card_is_no_mere_title(line):
    (unread,) = parse(line).deck.unread
    assert unread.may_be_card


@pytest.mark.parametrize("text", ["Android 13\nBT1-005 x4", "BT1-005 x4\nAndroid 13", "Android 13 x4\n\nBT1-005"])
def test_a_name_and_its_number_on_two_lines_are_one_card(text, few):
    assert cards(text, few) == [(4, "BT1-005", "Android 13")]


def test_two_counts_on_two_lines_are_two_cards(few):
    assert cards("Android 13 x2\nBT1-005 x1\nAndroid 13 (BT1-005)\nBT1-005", few) == [
        (2, None, "Android 13"),
        (1, "BT1-005", None),
        (1, "BT1-005", "Android 13"),
        (1, "BT1-005", None),
    ]


def test_a_known_name_with_its_set_is_a_card_like_the_name_alone(few):
    assert cards("Planet M-2 (BT01)\nAndroid 13", few) == [(1, None, "Planet M-2"), (1, None, "Android 13")]


@pytest.mark.parametrize(
    "line",
    [
        "// a comment",
        "-----",
        "★★★",
        "Total: 51",
        "Total 51",
        "Total cards: 51/51",
        "51 cards",
        "(51)",
        "= 51",
        "51/51",
        "Summe: 51",
        "合計：51枚",
        "Total cards in deck: 51",
        "Deck name: Red Zoro",
        "Deck: Red Zoro",
        "Name: 4 aces",
        "Player: Ann",
        "Event: Regional 2026",
        "Exported from OnePiece-CardGame.dev",
        "Bandai TCG+ ID: 0001234567",
        "ID: 12345678",
        "Membership number 0012345678",
        "Team: The 4 Kings",
        "Nom : Anne",
        "日付：2026/11/20",
        "2026-11-20",
        "20.11.2026",
        "Last updated 2026-11-20",
        "Sent from my phone 15",
        "Number of cards: 50",
        "Total (50)",
        "Deck total 50",
        "51 cards in total",
        "Total de cartas: 50",
        "50 total",
        "50枚",
        "Average cost: 3.4",
        "Avg. cost 3.4",
        "22 November 2026",
        "Sunday, 22. November 2026",
        "Nov 22, 2026",
        "22 de noviembre de 2026",
        "2026年11月22日",
        "20.11.2026 10:15",
        "Ann Sample — 22/11/2026 10:15",
        "Ann — Today at 10:15 AM",
        "On Sat, 21 Nov 2026 at 10:15, Ann <ann@example.org> wrote:",
        "Am 21.11.2026 um 10:15 schrieb Ann:",
        "Sent: Saturday, November 21, 2026 10:15 AM",
        "32 players",
        "127 views",
        "2 days ago",
        "Page 1 of 2",
        "Version 2",
        "v1.2",
        "4-1-0",
        "ann#1234",
        "@ann1234",
        "Deck ID: 123456",
        "Phone 0170 1234567",
        "51/51 cards",
        "(50 cards)",
        "50 cards + 1 leader",
        "Total 50+1",
        "1+50",
        "16 unique cards",
        "Unique cards: 16",
    ],
)
def test_what_speaks_of_the_list_is_no_card(line):
    assert sections(f"{line}\n4 OP01-016") == "main:4xOP01-016"
    assert missed(parse(f"4 OP01-016\n{line}").deck) == []


@pytest.mark.parametrize(
    "text",
    [
        "Leader\n1 OP01-001\n1\nMain\n4 OP01-016\n3 OP01-017\n7",
        "1 OP01-001\n4 OP01-016\n6 OP01-017\n11",
        "Leader\n1 OP01-001\nMain\n4 OP01-016\n--\n5",
    ],
)
def test_the_number_of_the_cards_above_is_a_total(text):
    assert parse(text).deck.unread == ()


@pytest.mark.parametrize("number", ["4", "12", "50"])
def test_any_other_number_alone_is_asked_about(number):
    (unread,) = parse(f"1 OP01-001\n4 OP01-016\n6 OP01-017\n{number}").deck.unread
    assert unread.may_be_card


def test_copies_of_who_is_called_like_a_month_are_no_day():
    assert cards("4 Mai") == [(4, None, "Mai")]
    assert cards("4 Mars\n3 April") == [(4, None, "Mars"), (3, None, "April")]


@pytest.mark.parametrize("row", ["count: 3", "枚数: 3", "Quantity: 3"])
def test_a_count_that_nobody_knows_what_of_is_no_fact_about_the_list(row):
    deck = parse(f"4 OP01-016\n{row}\n2 OP01-017").deck
    assert len(deck.main) + len(deck.unread) == 3


def test_the_cards_of_a_line_may_be_told_by_names_that_the_catalogue_has(few):
    assert cards("4 Android 13, 2 Planet M-2", few) == [(4, None, "Android 13"), (2, None, "Planet M-2")]


@pytest.mark.parametrize(
    "line", ["4 BT1-005 Planet M-2", "Planet M-2 (BT1-005) x4", '[{"number": "BT1-005", "name": "Planet M-2"}]']
)
def test_the_number_of_one_card_with_the_name_of_another_is_the_number(line, few):
    ((_, number, name),) = cards(line, few)
    assert (number, name) == ("BT1-005", "Planet M-2")


@pytest.mark.parametrize("name", ["Android", "Android 13 SR", "android  13", "Androide 13", "Nr. 13"])
def test_a_name_need_not_be_that_of_the_number_word_for_word(name, few):
    assert cards(f"4 BT1-005 {name}", few)[0][:2] == (4, "BT1-005")


def test_a_link_beside_a_list_is_no_card():
    deck = parse("4 OP01-016\nbuilt at https://example.org/decks/12").deck
    assert (len(deck.main), deck.unread) == (1, ())


@pytest.mark.parametrize(
    "line",
    [
        "![OP01-016](https://example.org/OP01-016.png) x4",
        "[Nami](https://example.org/cards/OP01-016) x4",
        "OP01-016 https://example.org/cards/12 - 4",
        "OP01-016 https://example.org/cards/12 4 copies",
        "https://example.org/cards/OP01-016 x4",
    ],
)
def test_a_count_behind_an_address_is_that_of_its_card(line):
    assert sections(f"{line}\n2 OP01-024") == "main:4xOP01-016 main:2xOP01-024"


def test_what_may_be_a_count_behind_an_address_is_asked_about():
    deck = parse("OP01-016 https://example.org/cards/12 I have 4 of them\n2 OP01-024").deck
    assert ([line.number for line in deck.main], [line.may_be_card for line in deck.unread]) == (["OP01-024"], [True])


@pytest.mark.parametrize(
    "line",
    [
        "{0:02} OP01-0{1} Card {2}",
        "{0} {2}x OP01-0{1}",
        "{0} OP01-0{1} x{2}",
        "{0}. OP01-0{1} - {2}",
        "({0}) {2} OP01-0{1}",
    ],
)
def test_lines_that_count_up_number_themselves(line):
    copies = (1, 4, 4, 3, 2, 4)
    rows = [line.format(at, 20 + at, count) for at, count in enumerate(copies, 1)]
    known = Shelf("optcg", [Card("optcg", f"OP01-0{20 + at}", "Card", "Character") for at in range(1, 7)])
    assert [card[:2] for card in cards("\n".join(rows), known)] == [
        (count, f"OP01-0{20 + at}") for at, count in enumerate(copies, 1)
    ]


def test_a_count_below_numbered_lines_is_a_count():
    rows = [f"{at}. 4 OP01-0{20 + at}" for at in range(1, 10)]
    assert sections("\n".join((*rows, "10 DON!!"))).endswith("main:4xOP01-029 don:10xDON!!")
    assert sections("\n".join((*rows, "10 OP01-030"))).endswith("main:4xOP01-029 main:10xOP01-030")


def test_a_numbered_list_without_counts_has_a_copy_in_each_line():
    assert cards("\n".join(f"{at}. OP01-02{at}" for at in range(1, 8))) == [
        (1, f"OP01-02{at}", None) for at in range(1, 8)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "leader:\n  - number: OP01-001\n    name: Zoro\n    count: 1\nmain:\n"
        "  - number: OP01-016\n    name: Nami\n    count: 4",
        "leader:\n- qty: 1\n  id: OP01-001\n  cost: 5\nmain:\n- qty: 4\n  id: OP01-016\n  cost: 1",
        '[[leader]]\nnumber = "OP01-001"\ncount = 1\n\n[[main]]\nnumber = "OP01-016"\ncount = 4',
        "Leader\nCard Number: OP01-001\nQuantity: 1\nMain Deck\nCard Number: OP01-016\nQuantity: 4",
        'My deck:\n{\n"leader": [\n{\n"number": "OP01-001",\n"count": 1\n}\n],\n"main": [\n{\n"number": "OP01-016",\n'
        '"count": 4\n}\n]\n}',
    ],
)
@pytest.mark.parametrize("known", [False, True])
def test_what_is_said_of_a_card_may_stand_under_each_other(text, known, optcg):
    deck = parse(text, catalogue=optcg if known else None).deck
    found = [(section, line.count, line.number) for section, line in deck.lines()]
    assert found == [("leader", 1, "OP01-001"), ("main", 4, "OP01-016")]
    assert [line.text for line in deck.unread] in ([], ["My deck:"])


def test_the_facts_about_a_list_are_no_card():
    text = "Name: Red Zoro\nCount: 50\n4 OP01-016\n2 OP01-017"
    assert sections(text) == "main:4xOP01-016 main:2xOP01-017"


def test_few_lines_that_count_up_have_counts():
    assert [card[0] for card in cards("1 OP01-001\n2 OP01-002\n3 OP01-003\n4 OP01-004\n4 OP01-005")] == [1, 2, 3, 4, 4]


def test_types_place_what_no_heading_does(few):
    text = "4 BT1-003\n2 BT1-009_PR\nKrillin // Krillin, Grown-Up Support\n1 BT1-002"
    assert sections(text, few) == (
        "leader:1xKrillin // Krillin, Grown-Up Support main:4xBT1-003 main:1xBT1-002 z:2xBT1-009_PR"
    )


def test_a_leader_is_found_within_a_main_deck_but_only_where_none_is_said(few):
    assert sections("Main Deck\n1 BT1-001\n4 BT1-003", few) == "leader:1xBT1-001 main:4xBT1-003"
    text = "Leader\n1 BT1-002\nMain Deck\n1 BT1-001\n2 BT1-009"
    assert sections(text, few) == "leader:1xBT1-002 main:1xBT1-001 main:2xBT1-009"
    assert sections("1 BT1-001\nSide Deck\n1 BT1-001", few) == "leader:1xBT1-001 side:1xBT1-001"


@pytest.mark.parametrize(
    "data",
    [
        "4 OP01-016 Käse’s".encode(),
        "\ufeff4 OP01-016 Käse’s".encode(),
        "4 OP01-016 Käse’s".encode("utf-16"),
        "4 OP01-016 Käse’s".encode("utf-16-be"),
        "4 OP01-016 Käse’s".encode("utf-16-le"),
        "4 OP01-016 Käse’s".encode("cp1252"),
    ],
)
def test_any_usual_encoding_is_read(data):
    assert cards(data) == [(4, "OP01-016", "Käse’s")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n"])
def test_any_line_end_is_read(end):
    assert sections(end.join(["Leader", "1 A1-01", "Main", "4 B1-02"])) == "leader:1xA1-01 main:4xB1-02"


@pytest.mark.parametrize(
    ("numbers", "game"),
    [
        ("OP01-016 P-001", "optcg"),
        ("EB01-016", None),
        ("BT1-005 P-001", "dbs"),
        ("EB1-16", "dbs"),
        ("P-001", None),
        ("BT1-005 OP01-016", None),
        ("BT17-048 ST16-03", None),
        ("GD01-039", "gundam"),
        ("EB01-016 OP01-016", "optcg"),
        ("EB01-016 R-001", "gundam"),
    ],
)
def test_the_numbers_tell_the_game(numbers, game):
    assert parse("\n".join(numbers.split())).game == game


def test_the_game_asked_for_or_of_the_catalogue_is_the_game(few):
    assert parse("4 OP01-016", game="bos").game == "bos"
    assert parse("4 OP01-016", catalogue=few).game == "dbs"


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("4xOP01-016\n1xOP01-001", "optcgsim"),
        ("4xop01-016", "optcgsim"),
        ("4xOP01-016 1xOP01-001", "optcgsim-line"),
        ("4 OP01-016 Nami\n1 OP01-001 Zoro", "egman"),
        ("Leader\n1 Zoro (OP01-001)\n\nCharacter (4)\n4 Nami (OP01-016)", "limitless"),
        ("4 (OP01-016)", "onepiecetopdecks"),
        ("4 x OP01-016", "exburst"),
        ("OP01-016 x4", "number-count"),
        ("4x Nami OP01-016", "name-number"),
        ("4 Nami\nSideboard\n2 Usopp", "names"),
        ("//play-1\n1 Cell (bt2-068)", "untap"),
        ("// Main Deck\n4 Nami OP01-016", "digimoncard"),
        ("_____Main Deck_____\n4 Nami [OP01-016]", "deckplanet"),
        ("4 OP01-016\n2 Nami", "text"),
        ("", "text"),
    ],
)
def test_a_list_is_recognised_by_its_lines(text, format):
    assert parse(text).format == format


@pytest.mark.parametrize(
    ("main", "side", "placed"), [(60, 15, 15), (50, 15, 15), (50, 10, 0), (61, 15, 0), (60, 16, 0)]
)
def test_a_blank_line_parts_a_side_deck_where_the_sizes_say_so(main, side, placed, few):
    lines = [f"{main - 20} BT1-003", "20 BT1-006", "", f"{side - 1} BT1-004", "1 BT1-005"]
    deck = parse("\n".join(["1 BT1-001", "", *lines]), catalogue=few).deck
    assert sum(line.count for line in deck.side) == placed
    assert sum(line.count for line in deck.main) == main + side - placed
    assert [(line.at, line.section) for line in deck.unread] == ([(6, "side")] if placed else [])


def test_a_blank_line_parts_nothing_that_has_headings(few):
    text = "Leader\n1 BT1-001\n\nExtra\n60 BT1-003\n\nBattle\n15 BT1-005"
    assert sections(text, few) == "leader:1xBT1-001 main:60xBT1-003 main:15xBT1-005"


@pytest.mark.parametrize("line", ["1 Kaido leader", "1x Kaido Leader", "Kaido leader x1", "1 Kaidou leader"])
def test_a_single_card_before_the_word_leader_is_the_leader(line):
    deck = parse(f"4 Roronoa Zoro\n{line}\n", catalogue=facts.catalogue("optcg")).deck
    assert [(found.name[:5], found.count) for found in deck.leader] == [("Kaido", 1)]
    assert [found.name for found in deck.main] == ["Roronoa Zoro"]


@pytest.mark.parametrize("line", ["2 Kaido leader", "1 Unheard Of leader", "1 OP01-061 Kaido leader"])
def test_else_the_word_leader_is_a_part_of_the_name(line):
    deck = parse(f"4 Roronoa Zoro\n{line}\n", catalogue=facts.catalogue("optcg")).deck
    assert not [found for found in deck.leader if not found.number]
    assert any("leader" in (found.name or "") for _, found in deck.lines())
