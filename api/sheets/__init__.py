"""Registration sheets: a player, an event, a deck and its verdict, as PDF, as a workbook and as CSV."""
