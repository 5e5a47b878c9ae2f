"""Words for sections: what a heading, a cell or a key names, in any decoration and up to the longest heading."""

import pytest

from validator import sections


@pytest.mark.parametrize(
    ("words", "section"),
    [
        *((words, "leader") for words in ("Leader", "LEADERS", "My Leader", "リーダー", "leader card")),
        *((words, "main") for words in ("Deck", "Main Deck", "main_deck", "II. Main Deck", "Event", "Characters")),
        *((words, "side") for words in ("Side", "Side-Deck", "SIDEBOARD", "The Side Deck", "Side Deck List")),
        *((words, "z") for words in ("Z", "Z-Deck", "z deck")),
        *((words, "don") for words in ("DON!!", "DON!! Deck", "ドン!!デッキ")),
        *((words, "aside") for words in ("Maybeboard", "Wishlist", "Tokens")),
        *((words, None) for words in ("Nami", "Deck of Ann", "", "Sidewinder")),
        ("Side Deck".center(40, "-"), "side"),
        ("Side Deck".center(41, "-"), None),
    ],
)
def test_the_section_that_words_name(words, section):
    assert sections.section(words) == section


@pytest.mark.parametrize(
    ("words", "is_kind", "begins_main"),
    [
        ("Character", True, True),
        ("Event", True, False),
        ("Event".center(40, "-"), True, False),
        ("Event".center(41, "-"), False, False),
        ("Main Deck", False, True),
        ("Side", False, False),
        ("Nami", False, False),
    ],
)
def test_types_of_card_are_kinds_of_the_main_deck(words, is_kind, begins_main):
    assert (sections.is_kind(words), sections.begins_main(words)) == (is_kind, begins_main)
