"""Processes: work that others do, and what processes share: children, counts, turns, folders."""
