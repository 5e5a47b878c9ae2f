"""The fewest changes of the decks of a spreadsheet: of how many they are told, and what stands for the others."""

from api.workbooks.intake.book import Book, PlayerEntry, Who
from api.workbooks.reporting import summary
from api.workbooks.reporting.results import JudgedEntry, RepairCounts, Results
from carddb.catalogue import Catalogue
from tests.validator.table import TODAY, Table, bos, names
from validator import Deck, Judge, Line, Terms, rulesets

TABLE = Table("dbs-4.00")


def verdict(main, leader="X-LEADER"):
    return TABLE.judge(TABLE.deck(leader={leader: 1}, main=main))


def test_a_legal_deck_has_none_and_costs_nothing():
    entry = PlayerEntry(Who("Zoro"), "", 2)
    judged = [JudgedEntry(entry, verdict(names("dbs", 50)))]
    report = summary.summary(Results(Book("decks.csv"), TABLE.judge, judged, RepairCounts(most=0)))
    assert report.rows[0][[column.title for column in report.columns].index("Fewest changes")] == 0


def test_equal_decks_are_mended_once_whatever_their_order():
    repair_counts = RepairCounts(most=1)
    main = names("dbs", 52) | {"X-00": 6}
    backwards = dict(reversed(main.items()))
    assert repair_counts.changes(verdict(main)) == repair_counts.changes(verdict(backwards)) == 2
    assert repair_counts.left_out == 0


def test_beyond_so_many_decks_nothing_is_told_and_it_is_said_of_how_many():
    repair_counts = RepairCounts(most=1)
    assert repair_counts.changes(verdict(names("dbs", 49))) == 1
    assert [repair_counts.changes(verdict(names("dbs", size))) for size in (48, 47, 48)] == [None, None, None]
    assert repair_counts.left_out == 2
    [said] = summary.left_out(repair_counts)
    assert "2 decks" in said


def test_time_has_an_end_too():
    repair_counts = RepairCounts(seconds=0)
    assert repair_counts.changes(verdict(names("dbs", 49))) is None


def test_a_deck_that_nothing_can_mend_says_so():
    judge = Judge(Terms(rulesets()["bos-1.3"], TODAY), Catalogue("bos", "few", [bos("Warrior 0")]))
    assert RepairCounts().changes(judge(Deck(main=(Line(None, 3, "Warrior 0"),)))) == "no way"


def test_of_a_deck_of_cards_that_nobody_knows_none_are_told():
    repair_counts = RepairCounts()
    assert repair_counts.changes(verdict({"Nobody": 4, "No card": 4, "None": 4, "X-00": 4})) is None
    assert repair_counts.left_out == 0
