"""Files of other projects are recognised by their content, and what they got wrong is said."""

import json

import pytest

from carddb.errors import CardDataError, first_numbers
from carddb.sources import read
from carddb.sources.dbs_tracker import HEADER
from carddb.sync.diff import compare_cards, find_conflicts
from tests.carddb import real
from tests.shared import shared_path

PUNK = {
    "id": "OP01-016",
    "name": "Nami",
    "category": "Character",
    "colors": ["Red"],
    "cost": 1,
    "attributes": ["Special"],
    "power": 2000,
    "types": ["Straw Hat Crew"],
    "effect": "[On Play] Look &amp; draw.<br>[Your Turn] More.",
    "trigger": None,
    "rarity": "Rare",
    "block_number": 1,
    "pack_id": "569101",
}
KENTAN = {
    "title": "Example",
    "number": "BT1-1_PR",
    "rarity": "Super Rare[SR]",
    "type": "LEADER",
    "color": "Blue/Yellow",
    "power": "10000",
    "character": "Son Goku: GT",
    "special_trait": "Saiyan/Alien",
    "skills_text": '<img src="/c/Auto.png" alt="Auto"> If <trunks :="" xeno=""> is in play<br>【Evolve】</trunks>',
    "title_back": "Example,  Awakened",
    "power_back": "15000",
    "skills_back_text": "-",
}


def write(folder, records, name="cards.json"):
    file = folder / name
    file.write_text(json.dumps(records))
    return file


def table(folder, *rows):
    file = folder / "cards.txt"
    file.write_text("\n".join("\t".join(row) for row in (HEADER, *rows)) + "\n")
    return file


@pytest.mark.slow
def test_punk_records_say_what_the_official_list_says():
    reading = read(shared_path("data/optcg/punk-records-english"), "optcg")
    assert (len(reading.cards), sum(len(card.printings) for card in reading.cards)) == (2665, 4672)
    official = {card.number: card for card in real.cards("optcg")}
    found = compare_cards(reading.cards, [official[card.number] for card in reading.cards])
    assert {change.field for one in found.changed for change in one.facts} == {"block", "printings", "text"}
    cut = {one.new.number for one in found.changed if any(change.field == "text" for change in one.facts)}
    assert cut == {"OP03-032", "OP04-042", "OP06-026", "ST32-001", "ST32-003", "ST32-004", "ST32-005"}
    said = " ".join(reading.notices)
    assert all(number in said for number in cut - {"ST32-005"})  # what is left of that one is a sentence


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "cards"),
    [("data", 2665), ("cards_by_id.json", 2665), ("data/569101.json", 121)],
)
def test_parts_of_punk_records(path, cards):
    reading = read(shared_path(f"data/optcg/punk-records-english/{path}"), "optcg")
    assert len(reading.cards) == cards
    assert any("no card texts" in notice for notice in reading.notices) is (path == "cards_by_id.json")


def test_a_record_of_punk_records(tmp_path):
    event = PUNK | {"id": "OP01-030_p1", "category": "Event", "cost": None, "power": None, "block_number": None}
    leader = PUNK | {"id": "OP01-001", "category": "Leader", "cost": 5, "rarity": "Leader"}
    nami, in_, zoro = read(write(tmp_path, [PUNK, event, leader]), "optcg").cards
    assert (nami.text, nami.cost, nami.cost_text, nami.rarity) == (
        "[On Play] Look & draw.\n[Your Turn] More.",
        1,
        "1",
        "R",
    )
    assert (nami.block, nami.released, nami.printings) == ("1", "2022-12-02", ("OP01-016",))
    assert (in_.number, in_.cost, in_.cost_text, in_.power, in_.block) == ("OP01-030", 0, "-", None, None)
    assert (zoro.cost, zoro.cost_text) == (None, None)
    assert (nami.life, in_.life, zoro.life) == (None, None, 5)


@pytest.mark.slow
def test_kentan88_has_the_cards_of_the_merged_list():
    reading = read(shared_path("data/dbs/kentan88"), "dbs")
    assert (len(reading.cards), sum(len(card.printings) for card in reading.cards)) == (3082, 3636)
    merged = {card.number: card for card in real.cards("dbs")}
    found = compare_cards(reading.cards, [merged[card.number] for card in reading.cards])
    fields = {change.field for one in found.changed for change in one.facts}
    assert not fields & {"colors", "cost", "power", "traits", "back_power"}
    assert [one.partition(" ")[0] for one in find_conflicts(found)] == ["P-155"]


def test_a_record_of_kentan88(tmp_path):
    battle = {"number": "BT1-002", "title": "Two", "type": "BATTLE", "color": "Red", "skills_text": "-", "limit": 4}
    battle["energy_text"] = '2(<img src="/images/common/red_ball.png" alt=""><img src="/c/black_ball.png" alt="">)'
    reading = read(write(tmp_path, [KENTAN, battle]), "dbs")
    leader, two = reading.cards
    assert (leader.number, leader.printings) == ("BT1-001", ("BT1-1_PR",))
    assert (leader.name, leader.back_name) == ("Example", "Example, Awakened")
    assert (leader.type, leader.colors, leader.rarity) == ("Leader", ("Blue", "Yellow"), "SR")
    assert (leader.text, leader.back_text) == ("[Auto] If <Trunks : Xeno> is in play\n[Evolve]", "")
    assert (leader.power, leader.back_power) == (10000, 15000)
    assert (two.cost, two.cost_text, two.text) == (2, "2(RK)", "")
    assert len(reading.notices) == 2


@pytest.mark.slow
def test_the_tracker_has_nearly_all_cards():
    reading = read(shared_path("data/dbs/tracker/masters_cards.tsv"), "dbs")
    assert (len(reading.cards), sum(len(card.printings) for card in reading.cards)) == (6476, 8542)
    merged = {card.number: card for card in real.cards("dbs")}
    found = compare_cards(reading.cards, [merged[card.number] for card in reading.cards])
    said = list(find_conflicts(found))
    assert [one.partition(" ")[0] for one in said if "name was" in one] == [
        "BT6-118",
        "BT11-076",
        "BT12-148",
        "DB2-101",
        "DB3-043",
        "P-001",
    ]
    assert any("DB1-001" in notice for notice in reading.notices)


def test_rows_of_the_tracker(tmp_path):
    leader = ("BT1-001", "Champa /  Awakened", "R", "Leader", "Multi", "BT1", "10000 // 15000", "", "", "")
    leader += ("Champa // Champa/Vados", "God // -", "", "[Auto] A | [Awaken] B // [Auto] C")
    battle = ("EX1-01_EP19", "A / B", "SR", "Battle", "Multi", "EXP1", "5000", "4(RRK)", "-", "-", "X", "-", "", "")
    short = ("DB1-001", "Short", "UC", "Battle", "Red", "DB1")
    half = ("BT29-140", "Half", "C", "Battle", "Multi", "BT29", "5000", "3(K)", "-", "-", "-", "-", "-", "-")
    unison = ("BT10-001", "U", "UC", "Unison", "White", "BT10", "5000", "X()", "-", "-", "-", "-", "-", "-")
    reading = read(table(tmp_path, leader, battle, short, half, unison), "dbs")
    champa, two, db1, half, uni = reading.cards
    assert (champa.name, champa.back_name, champa.colors) == ("Champa", "Awakened", ())
    assert (champa.characters, champa.back_characters) == (("Champa",), ("Champa", "Vados"))
    assert (champa.traits, champa.back_traits, champa.back_power) == (("God",), (), 15000)
    assert (champa.text, champa.back_text) == ("[Auto] A\n[Awaken] B", "[Auto] C")
    assert (two.number, two.name, two.colors, two.cost) == ("EX01-01", "A / B", ("Red", "Black"), 4)
    assert two.printings == ("EX01-01_EP19",)
    assert (db1.power, db1.text) == (None, "")
    assert (half.cost, half.colors) == (3, ())  # black, and of another colour that is not told
    assert (uni.cost, uni.cost_text, uni.colors) == (None, "X()", ("White",))
    assert "BT1-001" in reading.notices[0]
    assert "DB1-001" in reading.notices[1]


@pytest.mark.parametrize(
    ("records", "game", "said"),
    [
        ([PUNK], "dbs", "cards of optcg"),
        ([KENTAN], "optcg", "cards of dbs"),
        ([PUNK, PUNK | {"id": "Nami"}], "optcg", "card 2.*'Nami' is no card number"),
        ([PUNK | {"name": ["Nami"]}], "optcg", "name is"),
        ([PUNK | {"name": None}], "optcg", "no name"),
        ([KENTAN | {"title": ""}], "dbs", "no name"),
        ([PUNK | {"cost": -1}], "optcg", "cost is"),
        ([PUNK | {"cost": True}], "optcg", "cost is"),
        ([PUNK | {"power": "2000"}], "optcg", "power is"),
        ([PUNK | {"colors": "Red"}], "optcg", "colors is"),
        ([PUNK | {"colors": ["Pink"]}], "optcg", "'Pink' is no colour of optcg; it has Red, "),
        ([PUNK | {"category": "Ship"}], "optcg", "'Ship' is no card type"),
        ([PUNK, PUNK | {"power": 1}], "optcg", "differ in power"),
        ([KENTAN | {"energy_text": "many"}], "dbs", "'many' is no cost"),
        ([KENTAN | {"power": "much"}], "dbs", "power is"),
        ([KENTAN | {"skills_text": '<img src="x.png">'}], "dbs", "picture 'x'"),
        ([{"name": "Nami"}], "optcg", "JSON of no form"),
        ([1, 2], "optcg", "JSON of no form"),
        ([], "optcg", "JSON of no form"),
        ({"a": PUNK, "b": 1}, "optcg", "JSON of no form"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path, records, game, said):
    with pytest.raises(CardDataError, match=f"(?s){said}"):
        read(write(tmp_path, records), game)


@pytest.mark.parametrize("data", [b"[{]", b"[" * 5000, b'{"a": "\xff"}'])
def test_what_is_no_json_is_said(tmp_path, data):
    (tmp_path / "cards.json").write_bytes(data)
    with pytest.raises(CardDataError, match=r"cards\.json is no JSON"):
        read(tmp_path / "cards.json", "optcg")


def test_what_holds_for_several_files_is_said_once(tmp_path):
    for at in range(1, 4):
        write(tmp_path, [KENTAN | {"number": f"BT1-00{at}"}], f"{at}.json")
    (notice,) = read(tmp_path, "dbs").notices
    assert notice == "1.json and 2 more: the characters and traits of Leaders' backs are not in it."


def test_other_json_in_a_folder_is_left_out_with_a_notice(tmp_path):
    write(tmp_path, [PUNK])
    write(tmp_path, {"version": 2}, "package.json")
    reading = read(tmp_path, "optcg")
    assert len(reading.cards) == 1
    assert any("package.json" in notice for notice in reading.notices)


def test_show_five_numbers_and_count_the_others():
    numbers = [f"BT1-00{number}" for number in range(1, 8)]
    five = "BT1-001, BT1-002, BT1-003, BT1-004, BT1-005"
    assert [str(first_numbers(numbers[:count])) for count in (1, 5, 7)] == ["BT1-001", five, f"{five} and 2 more"]
