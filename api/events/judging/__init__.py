"""Judging: deck checks, from the draw to the penalty, and what judges keep at their table."""
