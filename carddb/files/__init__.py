"""Files from strangers: the bytes of any spreadsheet made rows of text, safely; of cards and of decks."""
