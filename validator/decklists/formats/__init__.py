"""The formats of deck lists, a module each."""
