"""The CSV writer: every text is guarded, and the line ends are those of the caller."""

from carddb.files.csv_writer import write_csv


def test_a_formula_in_any_cell_is_guarded():
    assert write_csv([["=1+1", "name"], ["OP01-001", "+2"]]) == "'=1+1,name\r\nOP01-001,'+2\r\n"


def test_a_number_stays_a_number():
    assert write_csv([[-3, 0, None]]) == "-3,0,\r\n"


def test_a_caller_chooses_the_line_end():
    assert write_csv([["a"], ["b\nc"]], "\n") == 'a\n"b\nc"\n'
