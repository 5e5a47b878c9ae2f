"""Tables: decks and players in rows of cells: the vocabulary of headings, and the role of each column."""

from validator import decklists as decklists  # loaded first, because its tables use these modules and they its sections
