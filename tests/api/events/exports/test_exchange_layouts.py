"""Players for other tools, and back: each layout is read again, and hostile files are refused. Players are invented."""

import csv
import io
from xml.etree import ElementTree

import pytest

from api.events.exports.event_files import EXPORTS
from api.events.exports.player_lists import CSV_LAYOUTS, LAYOUTS
from api.events.players import player_import
from api.service.errors import Invalid
from tests.api.events.hall import record
from tests.api.workbooks.files import catalogue

PEOPLE = {"0000000001", "0000000002", "0000000003", "0000000004"}


def read_again(layout):
    made = EXPORTS[layout]
    return player_import.read(made.write(record()), f"players.{made.suffix}", catalogue())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_layout_is_read_again(layout):
    book = read_again(layout)
    assert {one.written.player_id for one in book.players} == PEOPLE
    names = {one.written.player_id: one.written.player for one in book.players}
    assert names["0000000001"] in ("Łukasz Żółć", "Żółć, Łukasz")
    assert names["0000000002"] in ("山田 陽菜", "陽菜 山田", "山田, 陽菜")


@pytest.mark.parametrize("layout", CSV_LAYOUTS)
def test_an_address_comes_back(layout):
    found = {one.written.player_id: one.where.email for one in read_again(layout).players}
    assert found["0000000002"] == "two@example.com"


@pytest.mark.parametrize("layout", ["melee", "limitless"])
def test_lists_come_back_where_a_tool_has_them(layout):
    found = {one.written.player_id: one.written.deck is not None for one in read_again(layout).players}
    assert found == dict.fromkeys(PEOPLE, True) | {"0000000004": False}


@pytest.mark.parametrize("layout", CSV_LAYOUTS)
def test_no_cell_is_a_formula(layout):
    text = EXPORTS[layout].write(record()).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == [heading for heading, _ in CSV_LAYOUTS[layout]]
    assert not any(cell.startswith("=") for row in rows for cell in row)


def test_the_file_of_tom_is_of_the_day_and_has_no_birthdate():
    root = ElementTree.fromstring(EXPORTS["tom"].write(record()))  # our own
    assert (root.tag, root.findtext("data/startdate")) == ("tournament", "11/01/2026")
    assert [one.text for one in root.iter("birthdate")] == [None] * 4


PLAYED = """<?xml version="1.0" encoding="UTF-8"?>
<tournament type="3" stage="5" version="1.80" gametype="TRADING_CARD_GAME" mode="TCG1DAY">
<data><name>Example Cup</name></data>
<players><player userid="0101"><firstname>Zo&#235;</firstname><lastname>O&apos;Example</lastname></player></players>
<pods><pod><subgroups><subgroup><players><player userid="0101"/></players></subgroup></subgroups></pod></pods>
<standings><pod><player id="0101" place="1"/></pod></standings>
</tournament>"""


def test_a_file_of_a_played_event_has_each_player_once():
    (one,) = player_import.read(PLAYED.encode(), "cup.tdf", catalogue()).players
    assert (one.written.player, one.written.player_id) == ("O'Example, Zoë", "0101")


@pytest.mark.parametrize(
    "data",
    [
        PLAYED[:-40],
        PLAYED.replace("<tournament", '<!DOCTYPE x [<!ENTITY a "b">]><tournament', 1),
        "<tournament>" * 300,
    ],
)
def test_a_damaged_or_hostile_file_of_tom_is_refused(data):
    with pytest.raises(Invalid) as refused:
        player_import.read(data.encode(), "cup.tdf", catalogue())
    assert [one.pointer for one in refused.value.errors] == ["/file"]


def test_a_file_of_tom_without_players_has_none():
    assert player_import.read(b"<tournament/>", "cup.tdf", catalogue()).players == []
