"""Lists of players: a file each, which are read again."""

import io
from dataclasses import replace
from zipfile import ZipFile

from api.events.exports import player_lists
from api.workbooks.intake.book_reader import read
from tests.api.events.hall import FIVE, player, record
from tests.api.workbooks.files import catalogue, deck, judge
from tests.cost import assert_cheap
from validator import decklists

PLAYERS = record().participants


def cards(of):
    return sorted((section, line.number, line.count) for section, line in of.lines())


def make_player(text, number=5):
    """A player with a list as pasted."""
    deck = decklists.parse(text, "optcg", catalogue()).deck
    return replace(player(number, "First Last"), verdict=judge()(deck))


ODD = "Leader\n1 ST21-001\n\nMain deck\n4 OP01-016\n2 OP99-999 Nobody\n\nSide deck\n1 ST21-003\n\n??? call 0221 555"


def test_a_list_as_text_is_read_again_whatever_was_wrong_with_it():
    again = decklists.parse(player_lists.list_text(make_player(ODD).verdict), "optcg", catalogue()).deck
    assert cards(again) == cards(make_player(ODD).verdict.facts.deck)


def test_what_could_not_be_read_is_for_judges_alone():
    one = make_player(ODD)
    assert "0221" not in player_lists.list_text(one.verdict)
    [again] = read(player_lists.archive([one]), "lists.zip", "optcg", catalogue()).entries
    assert cards(again.deck) == cards(one.verdict.facts.deck)
    assert [line.text for line in again.deck.unread] == ["??? call 0221 555"]


def test_everybody_sees_a_row_for_each_card_with_the_name_of_the_catalogue():
    table = player_lists.shown_table(
        [make_player("1 ST21-001\n\n4 OP01-016_p1 A friend's\n2 OP99-999 Nobody\n??? 0221")]
    )
    assert [column.title for column in table.columns] == ["Player", "Section", "Number", "Name", "Count"]
    known = {card.number: card.name for card in catalogue()}
    assert table.rows == [
        ["First Last", "leader", "ST21-001", known["ST21-001"], 1],
        ["First Last", "main", "OP01-016", known["OP01-016"], 4],
        ["First Last", "main", "OP99-999", "Nobody", 2],
    ]


def test_lists_are_shown_by_last_name_and_only_if_there_is_one():
    first, second = replace(make_player(ODD), name="Zoë Ångström"), replace(make_player(ODD), name="Anna Zorn")
    shown = [second, replace(second, name="Nobody Known", verdict=None), first]
    assert list(dict.fromkeys(row[0] for row in player_lists.shown_table(shown).rows)) == [first.name, second.name]
    text = player_lists.shown_text(shown)
    assert text.index(first.name) < text.index(second.name)
    assert text.count("4 OP01-016") == 2
    assert "Nobody Known" not in text
    assert "0221" not in text


def test_the_archive_has_a_file_a_player_which_are_read_again():
    data = player_lists.archive(PLAYERS)
    assert ZipFile(io.BytesIO(data)).namelist() == ["Ångström, Zoë.txt", "Żółć, Łukasz.txt", "山田 陽菜.txt"]
    _, first, second = read(data, "lists.zip", "optcg", catalogue()).entries
    assert (first.who.name, first.who.id) == ("Żółć, Łukasz", "0000000001")
    assert cards(second.deck) == cards(deck(FIVE))


def test_the_same_lists_make_the_same_archive():
    assert player_lists.archive(PLAYERS) == player_lists.archive(PLAYERS)


def test_no_file_is_named_so_that_it_lies_elsewhere_or_over_another():
    names = ["../../etc/passwd", "FIRST LAST", "First Last", "a/b\\c:d*?", "...", "x" * 300]
    players = [player(n, name) for n, name in enumerate(names)]
    found = ZipFile(io.BytesIO(player_lists.archive(players))).namelist()
    assert len({name.casefold() for name in found}) == len(names)
    assert not any(char in name for name in found for char in '/\\:*?"<>|')
    assert not any(name.startswith(".") for name in found)
    assert max(map(len, found)) < 100


def test_a_name_that_many_share_costs_no_more_for_each_of_them():
    def name_files(names):
        files = player_lists.FileNames()
        return [files.new(name) for name in names.split("\n")]

    assert name_files("First Last\nFirst Last\nfirst last") == ["Last, First", "Last, First (2)", "last, first (3)"]
    assert_cheap(name_files, lambda count: "\n".join(["First Last"] * count), 2_000)
