"""Shapes: how a spreadsheet lays out players and their cards; each module reads one of them."""
