"""Reporting: what came of the decks of a spreadsheet, as tables, workbooks and registration sheets."""
