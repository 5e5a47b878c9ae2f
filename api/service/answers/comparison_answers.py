"""Comparisons of two decks as JSON."""

from __future__ import annotations

from typing import Annotated, TypedDict

from api.service.answers.decklist_answers import UnreadJSON, unread_lines_json
from validator.cards import Catalogue
from validator.comparison import compare_decks
from validator.deck import SECTIONS, Deck
from validator.field_docs import doc
from validator.findings import ERROR
from validator.language import ENGLISH, Language


class CardChangeJSON(TypedDict):
    """A card with different numbers of copies in a section of two decks, as JSON. 0 copies: the card is not there.

    A card that moved between sections has one for each. `name` is empty for an unknown card that was written without
    it.
    """

    section: Annotated[str, doc(enum=SECTIONS)]
    number: Annotated[str, doc("The card number, empty if only the name is known.", example="OP01-016")]
    name: str
    before: Annotated[int, doc("The copies in the first deck.", example=4)]
    after: Annotated[int, doc("The copies in the second deck.", example=2)]


class DeckComparisonJSON(TypedDict):
    """The comparison of two decks of a game as JSON.

    Lines with the name of another card also have findings in `unread_before` and `unread_after`.
    """

    game: str
    same: Annotated[bool, doc("True if all lines were read and both decks have the same cards in the same sections.")]
    changes: Annotated[list[CardChangeJSON], doc("The cards whose copies differ, by section.")]
    unread_before: Annotated[list[UnreadJSON], doc("A finding for each line of the first deck that was not read.")]
    unread_after: Annotated[list[UnreadJSON], doc("A finding for each line of the second deck that was not read.")]


def comparison_json(
    before: Deck, after: Deck, catalogue: Catalogue, translate: Language = ENGLISH
) -> DeckComparisonJSON:
    """Return the comparison of two decks of the catalogue's game as JSON, with sentences in a language.

    `same` is True if no section differs, and if neither deck has an error (a warning is allowed) on a line that could
    not be read, or whose name is that of another card. The two lists of unread lines are as in `unread_lines_json`.
    """
    changes = compare_decks(before, after, catalogue)
    unread = [unread_lines_json(deck, catalogue, translate) for deck in (before, after)]
    has_unread_cards = any(finding["severity"] == ERROR for findings in unread for finding in findings)
    return {
        "game": catalogue.game,
        "same": not changes and not has_unread_cards,
        "changes": [
            {
                "section": change.section,
                "number": change.card.number,
                "name": change.card.name,
                "before": change.before,
                "after": change.after,
            }
            for change in changes
        ],
        "unread_before": unread[0],
        "unread_after": unread[1],
    }
