"""Column roles: which column of a table holds what, by headings, labels, cells or what a user says."""
