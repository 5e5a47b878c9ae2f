"""Tokens: phrases in the notation of the parser of card texts."""

from validator.clauses.tokens import parse_runs


def test_alternative_and_optional_words_make_phrases_the_longest_first():
    assert parse_runs("or more/greater|[an/the] energy cost|energy") == {
        "or": (("or", "greater"), ("or", "more")),
        "an": (("an", "energy", "cost"),),
        "the": (("the", "energy", "cost"),),
        "energy": (("energy", "cost"), ("energy",)),
    }
