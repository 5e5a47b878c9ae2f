"""Shapes: the layouts of players and their cards in a spreadsheet. Each module reads one of them."""
