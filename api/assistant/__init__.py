"""For assistants: the tools of the Model Context Protocol that check decks and look up cards and rules."""
