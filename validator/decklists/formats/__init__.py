"""The formats of deck lists, a module for each kind: lists of lines, JSON, links and tables."""
