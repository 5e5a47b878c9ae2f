"""Files of users: reads spreadsheets of any format safely into rows of text, for cards and for decks."""
