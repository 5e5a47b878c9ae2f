"""Tables: decks and players in rows of cells: the vocabulary of headings, and the role of each column."""
