"""Rejudging: which of very many stored decks are not legal any more. It needs `deckproof[rejudge]`."""
