"""Small spreadsheets, each of one shape or at one bound: what is read, of whom, and what is said of the rest."""

import json

import pytest

from api.service.errors import Large, Refused
from api.workbooks.intake import preview
from api.workbooks.intake.book_reader import read
from api.workbooks.intake.cells import SheetFault, address, shorten_value
from api.workbooks.intake.grids import SizeBudget
from tests.api.workbooks.files import book_of, catalogue, counts, deck, xlsx
from validator.language import ENGLISH

LEADER, *MAIN = [(line.number, line.count) for _, line in deck().lines()]
LISTED = "\n".join(f"{count} {number}" for number, count in (LEADER, *MAIN))


def read_of(rows, **choices):
    return read(xlsx(rows), "decks.xlsx", "optcg", catalogue(), choices=choices)


def players(book):
    return [(entry.who.name, counts(entry)) for entry in book.entries]


WHOLE = {"leader": 1, "main": 50, "side": 0}


def side_by_side(first, second, *more):
    """Return a sheet with the Leader and the deck each in columns of their own under these headings."""
    rows = [[f"{LEADER[1]} {LEADER[0]}", f"{count} {number}"] for number, count in MAIN]
    return [[first, second, *more], *([row[0] if at == 0 else None, row[1]] for at, row in enumerate(rows))]


class TestSectionsSideBySide:
    def test_the_cards_under_each_heading_are_of_its_section(self):
        (entry,) = read_of(side_by_side("Leader", "Main deck")).entries
        assert counts(entry) == WHOLE

    def test_the_last_section_may_be_wider_than_its_heading(self):
        rows = side_by_side("Leader", "Main deck")
        wider = [[row[0], *(row[1].split() if at and row[1] else [row[1]])] for at, row in enumerate(rows)]
        (entry,) = read_of(wider).entries
        assert counts(entry) == WHOLE

    def test_what_lies_aside_is_no_part_of_the_deck(self):
        rows = side_by_side("Leader", "Main deck", "Maybeboard")
        rows = [rows[0], *([*row, "4 OP01-016"] for row in rows[1:])]
        (entry,) = read_of(rows).entries
        assert counts(entry) == WHOLE

    def test_a_side_deck_is_a_side_deck(self):
        (entry,) = read_of(side_by_side("Main deck", "Side deck")).entries
        assert counts(entry) == {"leader": 1, "main": 0, "side": 50}

    def test_another_heading_names_no_section_and_is_told(self):
        book = read_of(side_by_side("Leader", "Something"))
        assert [counts(entry) for entry in book.entries] == [WHOLE]
        assert [fault.row for fault in book.faults] == [1]


class TestMatrix:
    @pytest.mark.parametrize("names", [["Ann Lee", "Bo Li"], ["Ann Lee", "Bo Li", "Cy Young"]])
    def test_a_column_of_counts_for_each_player(self, names):
        rows = [["Card", *names], *([number, *[count] * len(names)] for number, count in (LEADER, *MAIN))]
        assert players(read_of(rows)) == [(name, WHOLE) for name in names]


class TestNumberedPlayers:
    @pytest.mark.parametrize("many", [3, 4])
    def test_names_after_numbers_begin_the_cards_of_a_player(self, many):
        names = ["Ann Lee", "Bo Li", "Cy Young", "Di Marsh"][:many]
        rows = []
        for at, name in enumerate(names, 1):
            rows += [[at, name], *([count, number] for number, count in (LEADER, *MAIN))]
        assert players(read_of(rows)) == [(name, WHOLE) for name in names]


class TestChosenColumns:
    ROWS = (["Q1", "Q2", "Q3"], ["Ann Lee", "0012", LISTED], ["Bo Li", "0013", LISTED])

    @pytest.mark.parametrize(("who", "listed"), [("A", "C"), ("q1", "Q3"), (" a ", "c")])
    def test_a_column_is_chosen_by_its_letter_or_heading(self, who, listed):
        book = read_of(self.ROWS, player_column=who, list_column=listed, id_column="B")
        assert players(book) == [("Ann Lee", WHOLE), ("Bo Li", WHOLE)]
        assert [entry.who.id for entry in book.entries] == ["0012", "0013"]

    def test_columns_beyond_z_have_two_letters(self):
        rows = [[*[f"N{n}" for n in range(26)], *row] for row in self.ROWS]
        book = read_of(rows, player_column="AA", list_column="AC")
        assert [entry.who.name for entry in book.entries] == ["Ann Lee", "Bo Li"]

    @pytest.mark.parametrize("wanted", ["D", "AA", "Q4", ""])
    def test_a_column_that_is_not_there_is_refused_with_those_that_are(self, wanted):
        with pytest.raises(Refused, match=r"A “Q1”, B “Q2” and C “Q3”"):
            read_of(self.ROWS, player_column=wanted, list_column="C")


class TestPreview:
    def of(self, many, id="0012"):
        rows = [[f"Ann {chr(65 + n)}", f"{id}{n}" if id else "", LISTED] for n in range(many)]
        return read_of([["Player", "Player ID", "Decklist"], *rows, [None, None, LISTED]])

    def test_the_first_five_players_and_how_many_more_there_are(self):
        shown = preview.as_json(self.of(6), ENGLISH)
        assert (shown["decks"], len(shown["players"]), shown["file"]) == (7, 5, "decks.xlsx")
        assert shown["players"][0] == {"player": "Ann A", "player_id": "00120", "event": "", "cards": 51}
        text = "\n".join(preview.as_text(self.of(6), ENGLISH))
        assert "Ann A, 00120: 51 cards" in text
        assert "Ann F" not in text
        assert "2 more decks" in text

    def test_players_without_a_name_or_an_id_are_shown(self):
        text = "\n".join(preview.as_text(self.of(2, id=""), ENGLISH))
        assert "Ann A, no id: 51 cards" in text
        assert "(no name), no id: 51 cards" in text
        assert "more decks" not in text

    def test_the_role_of_each_column_is_shown(self):
        (sheet,) = preview.as_json(self.of(1), ENGLISH)["sheets"]
        assert [(one["column"], one["heading"]) for one in sheet["columns"]] == [
            ("A", "Player"),
            ("B", "Player ID"),
            ("C", "Decklist"),
        ]


class TestWhoIsWho:
    @pytest.mark.parametrize(
        ("first", "second", "is_same"),
        [
            (("Ann Lee", "12"), ("Bo Li", "12"), True),
            (("Ann Lee", "0012"), ("Ann Lee", "12"), True),
            (("Ann Lee", ""), ("Lee, Ann", "12"), True),
            (("Ann Lee", ""), ("ann  lee", ""), True),
            (("Ann Lee", "12"), ("Ann Lee", "13"), False),
            (("Ann Lee", ""), ("Lee Ann", ""), False),
        ],
    )
    def test_a_player_with_two_decks(self, first, second, is_same):
        book = read_of([["Player", "Player ID", "Decklist"], [*first, LISTED], [*second, LISTED]])
        assert any("two decks" in fault.message or "row 2" in fault.message for fault in book.faults) is is_same


class TestFaults:
    @pytest.mark.parametrize(
        ("sheet", "row", "column", "message"),
        [
            ("Decks", 17, "Count", "sheet Decks, row 17, column Count: what"),
            ("", 17, "", "row 17: what"),
            ("", None, None, "what"),
            ("Decks", None, None, "sheet Decks: what"),
        ],
    )
    def test_the_place_is_named_as_far_as_it_is_known(self, sheet, row, column, message):
        assert SheetFault(sheet, row, column, "", "what").message == message

    @pytest.mark.parametrize(
        ("column", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA")]
    )
    def test_cells_are_called_as_in_a_spreadsheet(self, column, name):
        assert address(7, column) == f"{name}7"

    @pytest.mark.parametrize(("long", "shown"), [(60, "x" * 60), (61, "x" * 60 + "…"), (500, "x" * 60 + "…")])
    def test_a_long_value_is_shown_in_part(self, long, shown):
        assert shorten_value("x" * long) == shown
        assert shorten_value("a\n b\t\x07c") == "a b c"

    def test_an_error_beside_a_list_is_a_notice_and_loses_no_list(self):
        book = read_of([["Player", "Decklist", "Paid"], ["Ann Lee", LISTED, "#N/A"], ["Bo Li", LISTED, 1]])
        assert players(book) == [("Ann Lee", WHOLE), ("Bo Li", WHOLE)]
        assert [(fault.cell, fault.severity, fault.value) for fault in book.faults] == [("C2", "notice", "#N/A")]

    def test_an_error_in_the_cell_of_a_list_loses_it(self):
        book = read_of([["Player", "Decklist"], ["Ann Lee", "#N/A"], ["Bo Li", LISTED]])
        assert [entry.deck is None for entry in book.entries] == [True, False]


class TestSizeBudget:
    BUDGET = SizeBudget(text=100, decks=5, findings=9)

    @pytest.mark.parametrize("most", [{"text": 100}, {"decks": 5}, {"findings": 9}, {"text": 100, "decks": 5}])
    def test_as_much_as_there_is_room_for_is_held_and_one_more_is_not(self, most):
        self.BUDGET.require(**most)
        for key in most:
            with pytest.raises(Large):
                self.BUDGET.require(**{**most, key: most[key] + 1})

    def test_a_book_of_more_text_than_there_is_room_for_is_not_read(self):
        data = f'Player,Decklist\nAnn,"{LISTED}"\n'
        assert book_of(data).entries
        with pytest.raises(Large):
            read(data.encode(), "decks.csv", "optcg", catalogue(), budget=self.BUDGET)


class TestPlayersAsJson:
    DECK = json.dumps({"leader": {LEADER[0]: 1}, "main": dict(MAIN)})

    def of(self, text):
        return players(read(text.encode(), "folder/event.json", "optcg", catalogue()))

    def test_each_player_has_a_deck(self):
        rows = [{"player": name, "decklist": LISTED} for name in ("Ann", "Bo")]
        assert self.of(json.dumps(rows)) == [("Ann", WHOLE), ("Bo", WHOLE)]

    def test_decks_without_names_are_counted_from_one(self):
        assert self.of(f"[{self.DECK}, {self.DECK}]") == [("event 1", WHOLE), ("event 2", WHOLE)]
