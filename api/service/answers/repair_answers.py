"""Repairs as JSON: the types of the values that `Repair.as_dict` in the validator returns."""

from __future__ import annotations

from typing import Annotated, TypedDict

from api.service.answers.json_schema import JSONObject, doc
from api.service.answers.verdict_answers import CitationJSON, CopiesJSON, DeckJSON, NamedJSON


class BecauseJSON(CopiesJSON):
    because: Annotated[str | None, doc("The code of the finding that asks for it.")]
    says: Annotated[str, doc("The change, in a sentence.")]


class RemovedJSON(BecauseJSON):
    rule: Annotated[CitationJSON | None, doc("Where that is written; null after the first 60 cards of a repair.")]
    section: Annotated[str | None, doc("Where it goes from; null for a line that could not be read.")]


_FromTo = TypedDict("_FromTo", {"from": str, "to": str})


class MovedJSON(BecauseJSON, _FromTo):
    rule: Annotated[CitationJSON | None, doc("Where that is written.")]


class AddedJSON(TypedDict):
    section: str
    count: int
    of: Annotated[str, doc("What it may be, in words.")]
    fits: Annotated[JSONObject, doc("What it must be: `types`, `colors`, `blocks`.")]
    cards: Annotated[
        list[CopiesJSON], doc("Some that make the deck legal, as the repaired deck has them; of Leaders, any.")
    ]
    own: Annotated[list[CopiesJSON], doc("Cards of the deck of which it may have so many more.")]
    again: Annotated[list[CopiesJSON], doc("Cards of the same name as one that goes.")]
    because: Annotated[str | None, doc("The code of the finding that asks for it.")]
    rule: Annotated[CitationJSON | None, doc("Where that is written.")]
    says: Annotated[str, doc("The change, in a sentence.")]


class ChangesJSON(TypedDict):
    remove: list[RemovedJSON]
    move: list[MovedJSON]
    add: list[AddedJSON]
    deck: Annotated[DeckJSON, doc("The deck after these changes, which was judged legal.")]


class OtherLeaderJSON(ChangesJSON):
    leaders: Annotated[list[NamedJSON], doc("The Leaders, any of which will do.")]
    changes: Annotated[int, doc("How many changes there are under it.")]
    minimal: bool


class BoundJSON(TypedDict):
    because: Annotated[str, doc("The code of a finding.")]
    least: Annotated[int, doc("The fewest changes that it alone asks for.")]
    section: str | None
    cards: list[CopiesJSON]
    rule: CitationJSON


class RepairedJSON(TypedDict):
    legal: Annotated[bool, doc("Whether the deck is legal as it is.")]
    possible: Annotated[bool, doc("Whether a repair was found.")]
    changes: Annotated[
        int | None, doc("How many cards are taken out, moved or put in; null where no repair was found.")
    ]
    fewest: Annotated[int | None, doc("The fewest of `changes` and of those under another of `leaders`.")]
    minimal: Annotated[bool, doc("Whether it is proved that there are no fewer: `bound` meets `changes`.")]
    why: Annotated[str, doc("Why there are no fewer changes, why that is not sure, or why there is no repair.")]
    repairs: Annotated[list[ChangesJSON], doc("Up to five that have so many changes, not always all that there are.")]
    bound: Annotated[
        int | None, doc("How many changes it is proved that there are at least; null where no repair was found.")
    ]
    bounds: Annotated[list[BoundJSON], doc("What each finding alone asks for.")]
    leaders: Annotated[
        list[OtherLeaderJSON], doc("Another kind of answer: other Leaders, under which half the changes do.")
    ]
    pinned: Annotated[list[NamedJSON], doc("The cards of the deck that stay as they are.")]
