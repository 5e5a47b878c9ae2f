"""Repairs as JSON: the types of the values that `Repair.as_dict` in the validator returns."""

from __future__ import annotations

from typing import Annotated, TypedDict

from api.service.answers.json_schema import JSONObject
from api.service.answers.verdict_answers import CitationJSON, CopiesJSON, DeckJSON, NamedJSON
from validator.field_docs import doc


class BecauseJSON(CopiesJSON):
    """A card that a repair removes or moves, its number of copies, and the reason, as JSON.

    `because` is null if no finding requires the change by itself.
    """

    because: Annotated[str | None, doc("The code of the finding behind the change.")]
    says: Annotated[str, doc("The change, in a sentence.")]


class RemovedJSON(BecauseJSON):
    """Copies of a card that a repair removes, as JSON.

    For a line that could not be read, `number` is "", `name` the line and `count` null.
    """

    rule: Annotated[CitationJSON | None, doc("The rule behind the change. null after the first 60 cards of a repair.")]
    section: Annotated[str | None, doc("The section of the card. null for a line that could not be read.")]


_FromTo = TypedDict("_FromTo", {"from": str, "to": str})


class MovedJSON(BecauseJSON, _FromTo):
    """Copies of a card that a repair moves from one section (`from`) to another (`to`), as JSON."""

    rule: Annotated[CitationJSON | None, doc("The rule behind the change.")]


class AddedJSON(TypedDict):
    """The cards that a repair adds to a section, as JSON. `count` is their number.

    `own` and `again` are other cards that fit, and may be empty.
    """

    section: str
    count: int
    of: Annotated[str, doc("A description of the fitting cards.")]
    fits: Annotated[
        JSONObject, doc("The conditions for a card: `types`, `colors`, `blocks`, `pool` (the list with a pool).")
    ]
    cards: Annotated[
        list[CopiesJSON], doc("Cards that make the deck legal, as in the repaired deck. For Leaders, any of them.")
    ]
    own: Annotated[list[CopiesJSON], doc("Cards of the deck, with the number of further copies allowed.")]
    again: Annotated[list[CopiesJSON], doc("Cards with the name of a removed card.")]
    because: Annotated[str | None, doc("The code of the finding behind the change.")]
    rule: Annotated[CitationJSON | None, doc("The rule behind the change.")]
    says: Annotated[str, doc("The change, in a sentence.")]


class ChangesJSON(TypedDict):
    """The changes of one repair, and the repaired deck, as JSON."""

    remove: list[RemovedJSON]
    move: list[MovedJSON]
    add: list[AddedJSON]
    deck: Annotated[DeckJSON, doc("The deck after these changes, which was judged legal.")]


class OtherLeaderJSON(ChangesJSON):
    """A repair of the deck under another Leader, as JSON.

    `minimal`: True if it is proved that no repair with such a Leader has fewer changes.
    """

    leaders: Annotated[list[NamedJSON], doc("The Leaders. Any one of them is enough.")]
    changes: Annotated[int, doc("The number of changes with such a Leader.")]
    minimal: bool


class BoundJSON(TypedDict):
    """The least number of changes that a finding requires by itself, as JSON.

    `section`, `cards` and `rule` are those of the finding. `section` is null if it is about none.
    """

    because: Annotated[str, doc("The code of a finding.")]
    least: Annotated[int, doc("The fewest changes that this finding requires.")]
    section: str | None
    cards: list[CopiesJSON]
    rule: CitationJSON


class RepairedJSON(TypedDict):
    """The result of a repair as JSON: the fewest found changes that make a deck legal.

    `changes`, `fewest` and `bound` are null, and the lists of repairs empty, if no repair was found.
    """

    legal: Annotated[bool, doc("True if the deck is already legal.")]
    possible: Annotated[bool, doc("True if a repair was found.")]
    changes: Annotated[int | None, doc("The number of cards removed, moved or added. null if no repair was found.")]
    fewest: Annotated[int | None, doc("The smallest of `changes` and of the changes of `leaders`.")]
    minimal: Annotated[bool, doc("True if it is proved that no repair has fewer changes: `bound` equals `changes`.")]
    why: Annotated[str, doc("Why there are no fewer changes, why that is not sure, or why there is no repair.")]
    repairs: Annotated[list[ChangesJSON], doc("Up to five repairs with this number of changes. There may be more.")]
    bound: Annotated[int | None, doc("The proved minimum of changes. null if no repair was found.")]
    bounds: Annotated[list[BoundJSON], doc("The changes that each finding requires by itself.")]
    leaders: Annotated[list[OtherLeaderJSON], doc("Other Leaders that need at most half the changes.")]
    pinned: Annotated[list[NamedJSON], doc("The cards of the deck that must not change.")]
