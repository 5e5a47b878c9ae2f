"""Rejudging: telling of very many stored decks which are legal no more. It needs `deckproof[rejudge]`."""
