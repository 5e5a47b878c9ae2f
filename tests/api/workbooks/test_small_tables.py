"""Small spreadsheets, each of one shape or at one bound: what is read, of whom, and what is said of the rest."""

import json

import pytest

from api.service.errors import Large, Refused
from api.workbooks.intake import preview
from api.workbooks.intake.book_reader import read
from api.workbooks.intake.cells import SheetFault, address
from api.workbooks.intake.grids import SizeBudget
from tests.api.workbooks.files import book_of, catalogue, counts, deck, xlsx
from validator.language import ENGLISH
from validator.texts import shorten_value

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

    def test_an_error_in_the_section_of_a_card_loses_the_row_though_an_equal_card_was_read(self):
        head = ["Player", "Section", "Number", "Count"]
        book = read_of([head, ["Ann", "", "OP01-016", 4], ["Bo", "#N/A", "OP01-016", 4], ["Cy", "", "OP01-016", 4]])
        assert [(name, sections["main"]) for name, sections in players(book)] == [("Ann", 4), ("Bo", 0), ("Cy", 4)]
        assert [(fault.cell, fault.severity) for fault in book.faults] == [("B3", "error")]
        assert book.rows.unread == 1


class TestCardsAcross:
    HEAD = ("Player", "Card 1", "Qty 1", "Card 2", "Qty 2", "Card 3", "Qty 3")

    @pytest.mark.parametrize(
        ("second", "cards", "unread"),
        [
            (("OP01-006", 3), 9, []),
            (("", ""), 6, []),
            (("", 0), 6, []),
            (("", 3), 6, ["3 ?"]),
            (("OP01-006", ""), 6, ["? OP01-006"]),
        ],
    )
    def test_a_count_or_a_card_that_is_missing_is_an_unread_line(self, second, cards, unread):
        whole = ["Bo", "OP01-016", 4, "OP01-006", 3, "OP01-017", 2]
        (entry, _) = read_of([self.HEAD, ["Ann", "OP01-016", 4, *second, "OP01-017", 2], whole]).entries
        assert counts(entry)["main"] == cards
        assert [line.text for line in entry.deck.unread] == unread


class TestCountsBesideCards:
    @pytest.mark.parametrize("bad", ["4 OP01-016, 3 OP01-017", "300 OP01-016", "x" * 201])
    def test_a_cell_that_is_not_one_card_with_its_count_is_unread(self, bad):
        book = read_of([["Player", "Card"], ["Ann", "4 OP01-016"], ["Ann", bad], ["Ann", "OP01-006 x2"]])
        (entry,) = book.entries
        assert [(line.number, line.count) for line in entry.deck.main] == [("OP01-016", 4), ("OP01-006", 2)]
        assert [(line.at, line.aside) for line in entry.deck.unread] == [(3, False)]
        assert (book.rows.unread, [fault.cell for fault in book.faults]) == (1, ["B3"])


class TestSheetsWithoutPlayers:
    @pytest.mark.parametrize("rows", [[["Player", "Rank", "Points"], ["Ann", 1, 9], ["Bo", 2, 6]], [["Hello"], ["x"]]])
    def test_a_sheet_without_a_deck_is_an_error_and_all_unread(self, rows):
        book = read_of(rows)
        assert (book.entries, book.rows.unread) == ([], len(rows))
        assert [(fault.row, fault.severity) for fault in book.faults] == [(None, "error")]


class TestCommentedRows:
    def test_a_card_behind_a_comment_mark_is_reported_and_in_no_deck(self):
        cards = [["Ann", "1", number, count] for number, count in (LEADER, *MAIN)]
        rows = [["Player", "Player ID", "Number", "Count"], *cards, ["// 4 OP01-016", "", "", ""], ["//", "", "", ""]]
        book = read_of(rows)
        assert players(book) == [("Ann", WHOLE)]
        assert [(fault.row, fault.severity) for fault in book.faults] == [(len(cards) + 2, "notice")]
        assert (book.rows.headings, book.rows.unread) == (3, 0)


class TestOtherDecks:
    @pytest.mark.parametrize(("cards", "is_told"), [(10, True), (9, False)])
    def test_a_column_with_ten_different_cards_is_another_deck(self, cards, is_told):
        other = "\n".join(f"{count} {number}" for number, count in MAIN[:cards])
        book = read_of([["Player", "Decklist", "Remark"], ["Ann", f"{LEADER[1]} {LEADER[0]}\n4 OP01-006", other]])
        assert [(fault.cell, fault.severity) for fault in book.faults] == [("C2", "error")] * is_told


class TestCountsBySection:
    @pytest.mark.parametrize(("count", "is_read"), [(255, True), (256, False)])
    def test_more_than_255_copies_are_no_count(self, count, is_read):
        book = read_of([["Player", "Number", "Main", "Side"], ["Ann", "OP01-016", count, 1], ["Ann", "OP01-006", 4, 0]])
        (entry,) = book.entries
        assert (counts(entry)["main"], book.rows.unread) == ((259, 0) if is_read else (4, 1))


class TestNamesInHalves:
    @pytest.mark.parametrize(("name", "whole"), [("Lee", "Lee, Ann"), ("Ann Lee", "Ann Lee")])
    def test_a_last_name_is_not_repeated_in_a_full_name(self, name, whole):
        rows = [
            ["Name", name],
            ["First name", "Ann"],
            [],
            *([f"{count} {number}"] for number, count in (LEADER, *MAIN)),
        ]
        assert players(read_of(rows)) == [(whole, WHOLE)]


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

    @pytest.mark.parametrize("key", ["players", "standings", "entries", "decks", "results", "data"])
    def test_the_players_may_be_under_a_key(self, key):
        rows = [{"player": name, "decklist": LISTED, "seat": 7} for name in ("Ann", "Bo")]
        text = json.dumps({"name": "Cup", key: rows})
        entries = read(text.encode(), "event.json", "optcg", catalogue()).entries
        assert [(entry.who.name, counts(entry), entry.aside) for entry in entries] == [
            (name, WHOLE, {"seat": "7"}) for name in ("Ann", "Bo")
        ]

    def test_each_line_may_have_a_player(self):
        lines = [json.dumps({"player": name, "decklist": LISTED}) for name in ("Ann", "Bo")]
        assert self.of("\n\n".join(lines)) == [("Ann", WHOLE), ("Bo", WHOLE)]

    def test_a_record_within_a_player_gives_a_column_for_each_field(self):
        record = {"player": "Ann", "decklist": json.loads(self.DECK), "record": {"wins": 3, "byes": None}, "seat": None}
        other = {"player": "Bo", "decklist": LISTED, "record": {"wins": 0}, "tags": ["late"]}
        book = read(json.dumps([record, other]).encode(), "event.json", "optcg", catalogue())
        assert players(book) == [("Ann", WHOLE), ("Bo", WHOLE)]
        assert [entry.aside for entry in book.entries] == [
            {"record wins": "3"},
            {"record wins": "0", "tags": '["late"]'},
        ]

    @pytest.mark.parametrize("is_alone", [True, False])
    def test_a_verdict_is_its_deck_and_keeps_its_unread_lines(self, is_alone):
        findings = [
            {"code": "line.unread", "severity": "error", "details": {"text": "four Nami"}},
            {"code": "size", "severity": "error", "details": {"text": "51"}},
        ]
        verdict = {"file": "decks/Ann.txt", "legal": False, "findings": findings, "deck": json.loads(self.DECK)}
        text = json.dumps(verdict if is_alone else [verdict, {**verdict, "file": "Bo.txt", "findings": []}])
        entries = read(text.encode(), "folder/event.json", "optcg", catalogue()).entries
        names = ["event"] if is_alone else ["Ann", "Bo"]
        assert [(entry.who.name, counts(entry)) for entry in entries] == [(name, WHOLE) for name in names]
        unread = [[line.text for line in entry.deck.unread] for entry in entries]
        assert unread == [["four Nami"], []][: len(names)]

    def test_a_deck_alone_is_called_like_its_file(self):
        assert self.of(self.DECK) == [("event", WHOLE)]


class TestPlayersOfOneTable:
    def test_a_player_with_few_cards_of_a_large_matrix(self):
        names = ["Ann Lee", "Bo Ray", "Cy Fox", "Di Orr", "Eva Hill", "Max Day"]
        rows = []
        for at, (number, _) in enumerate(MAIN):
            # The last player has as many copies as the cards cost.
            cost = catalogue().by_number(number).cost
            counts_ = [4 if at % 5 == player else 0 for player in range(5)]
            rows.append([number, *counts_, cost if at < 2 else 0])
        book = read_of([["Card number", *names], *rows])
        assert [entry.who.name for entry in book.entries] == names

    def test_one_column_of_counts_with_an_unknown_heading_is_no_matrix(self):
        rows = [[number, count, None, 4] for number, count in (LEADER, *MAIN)]
        (entry,) = read_of([["Number", "Qty", "Trait", "Most"], *rows]).entries
        assert counts(entry) == WHOLE

    def test_small_decks_side_by_side_under_headings_and_sections(self):
        names = [f"Player: {name}" for name in ("Ann Lee", "Bo Ray", "Cy Fox", "Di Orr", "Eva Hill")]
        decks = [
            [("Main", None), *MAIN],
            [("Main", None), *MAIN[:5]],
            *[[("Main", None), MAIN[0], ("Side", None), MAIN[1]]] * 3,
        ]
        rows = [[cell for name in names for cell in (name, None, None)], ["Card number", "Amount", None] * 5]
        for at in range(len(decks[0])):
            rows.append([cell for deck_ in decks for cell in (*(deck_[at] if at < len(deck_) else (None, None)), None)])
        book = read_of(rows)
        assert [entry.who.name for entry in book.entries] == [name.removeprefix("Player: ") for name in names]
        assert [len(entry.deck.main) for entry in book.entries] == [len(MAIN), 5, 1, 1, 1]

    def test_players_whose_names_have_labels_are_never_one_player(self):
        head = ["Player: Ann Lee", None, "Player: Bo Ray", None]
        rows = [["Note", "x", "Note", "x"]] * 4 + [[*MAIN[0], *MAIN[1]]]
        book = read_of([head, ["Number", "Qty"] * 2, *rows])
        assert len(book.entries) != 1 or book.problems

    @pytest.mark.parametrize("head", [["Player", "Ann Lee"], ["Player", "Ann Lee", "ID", "0000000012"]])
    @pytest.mark.parametrize("sign", ["{}", "{}x"])
    def test_a_label_above_a_list_without_headings_is_no_heading(self, head, sign):
        lines = [[sign.format(count), number, "Red", "x"] for number, count in MAIN[:3]]
        book = read_of([head, ["Leader"], [sign.format(1), LEADER[0], "Red", "x"], ["Main"], *lines])
        (entry,) = book.entries
        assert (entry.who.name, counts(entry)["leader"]) == ("Ann Lee", 1)
        assert counts(entry)["main"] == sum(count for _, count in MAIN[:3])

    def test_a_name_above_cards_with_a_column_without_heading_is_the_players(self):
        cards = [[line.name, line.number, line.count] for _, line in deck().lines()]
        (entry,) = read_of([["Name", "Ann Lee"], ["Player ID", "0000000012"], *cards]).entries
        assert (entry.who.name, entry.who.id, counts(entry)) == ("Ann Lee", "0000000012", WHOLE)

    def test_first_names_of_decks_that_are_names_of_cards(self):
        book = read_of([["Nome", "Cognome", "Decklist"], ["Ann", "Lee", LISTED], ["Lola", "Lee", LISTED]])
        assert [entry.who.name for entry in book.entries] == ["Lee, Ann", "Lee, Lola"]
        assert book.faults == []

    def test_the_name_of_a_deck_is_no_first_name(self):
        head = ["nombre", "Primer apellido", "Nombre del mazo", "Lista de cartas"]
        book = read_of([head, ["Ann", "Lee", "Red Rush", LISTED], ["Lola", "Ray", "Blue Sea", LISTED]])
        assert [entry.who.name for entry in book.entries] == ["Lee, Ann", "Ray, Lola"]

    def test_cards_with_counts_under_numbered_names(self):
        head = ["nome", "cognome", *(f"Name {at}" for at in range(1, 4))]
        rows = [
            [first, last, *(f"{count}x {number}" for number, count in MAIN[:3])] for first, last in (("Ann", "Lee"),)
        ]
        (entry,) = read_of([head, *rows]).entries
        assert (entry.who.name, counts(entry)["main"]) == ("Lee, Ann", sum(count for _, count in MAIN[:3]))


FORM_OF_LEADERS = [
    "Which Leader do you play?",
    "Welchen Leader spielst du?",
    "¿Qué líder juegas?",
    "Que líder joga?",
    "使用リーダー",
    "사용 리더 카드",
]


class TestColumnsOfForms:
    @pytest.mark.parametrize("question", FORM_OF_LEADERS)
    def test_the_answer_to_a_question_for_the_leader_is_the_leader(self, question):
        cards = "\n".join(f"{count} {number}" for number, count in MAIN)
        head = ["Player", question, "Please paste your deck list"]
        book = read_of([head, ["Ann Lee", f"Zoro ({LEADER[0]})", cards], ["Bo Ray", LEADER[0], cards]])
        assert [counts(entry) for entry in book.entries] == [WHOLE, WHOLE]

    def test_the_colour_of_a_leader_is_no_leader(self):
        (entry,) = read_of([["Player", "Colour of your Leader", "Decklist"], ["Ann Lee", "Red", LISTED]]).entries
        assert (counts(entry), entry.aside) == (WHOLE, {"Colour of your Leader": "Red"})

    def test_types_of_cards_in_columns_of_their_own(self):
        of_type = {"Character": [], "Event": [], "Stage": []}
        for number, count in MAIN:
            of_type[catalogue().by_number(number).type].append(f"{count} {number}")
        cells = ["\n".join(lines) for lines in of_type.values()]
        (entry,) = read_of(
            [["Player", "Leader", *(f"{kind}s" for kind in of_type)], ["Ann Lee", LEADER[0], *cells]]
        ).entries
        assert counts(entry) == WHOLE

    def test_a_second_column_of_lists_is_reported_however_short(self):
        head = ["Player", "Deck list 1", "Deck list 2"]
        book = read_of([head, ["Ann Lee", LISTED, "4 OP01-016\n2 OP01-017"], ["Bo Ray", LISTED, ""]])
        assert [(fault.row, fault.column) for fault in book.problems] == [(2, "Deck list 2")]

    def test_a_list_that_is_repeated_in_part_is_no_fault(self):
        number, count = MAIN[0]
        rows = [["Player", "Deck list 1", "Deck list 2"], ["Ann Lee", LISTED, f"{count} {number}"]]
        assert read_of(rows).problems == []

    def test_repeated_headings_above_rows_without_a_player(self):
        head = ["First name", "Last name", "Number", "Qty"]
        cards = [[None, None, number, count] for number, count in MAIN]
        rows = [head, ["Ann", "Lee", *LEADER], *cards[:5], head, *cards[5:], ["Bo", "Ray", *LEADER], *cards]
        book = read_of(rows)
        assert players(book) == [("Lee, Ann", WHOLE), ("Ray, Bo", WHOLE)]

    def test_the_family_name_of_a_portuguese_form(self):
        head = ["Qual é o teu primeiro nome?", "Qual é o teu apelido?", "Decklist"]
        (entry,) = read_of([head, ["Ann", "Lee", LISTED]]).entries
        assert entry.who.name == "Lee, Ann"
