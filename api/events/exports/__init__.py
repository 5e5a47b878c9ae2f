"""Exports: an event as a workbook, sheets, tables and lists, for judges, players, streams and the public."""
