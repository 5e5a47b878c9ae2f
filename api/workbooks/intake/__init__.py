"""Intake: a spreadsheet's sheets, rows and cells taken in as players with their decks."""
