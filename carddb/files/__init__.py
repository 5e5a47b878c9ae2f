"""Files of users: reads spreadsheets of any format safely into rows of text, and replaces a file in one step."""
