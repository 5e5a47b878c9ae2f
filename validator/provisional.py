"""Provisional data: rulesets, limits lists and card facts from second-hand sources, and the documents to read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypedDict

from validator.documents import Document, check_keys, check_texts, inner_place
from validator.field_docs import doc
from validator.language import ENGLISH, Language


class ProvisionalJSON(TypedDict):
    """A note on data from second-hand sources, which may be wrong, as JSON."""

    reason: Annotated[str, doc("A sentence on the sources and on what may be wrong.")]
    missing: Annotated[list[str], doc("The documents that nobody has read.")]


PROVISIONAL = doc("Only if the data rests on second-hand sources.")


@dataclass(frozen=True, slots=True)
class Provisional:
    """A note that data comes from second-hand sources: the reason as a sentence, and the documents still to be read."""

    reason: str
    missing: tuple[str, ...]

    def as_dict(self) -> ProvisionalJSON:
        """Return the note as JSON. The caller may change it."""
        return {"reason": self.reason, "missing": list(self.missing)}

    def describe(self, translate: Language = ENGLISH) -> str:
        """Return "Provisional: REASON Not read: DOCUMENTS." in a language."""
        reason, documents = translate.template(self.reason), "; ".join(self.missing)
        return translate("Provisional: {reason} Not read: {documents}.", reason=reason, documents=documents)


def parse(document: Document, location: str) -> Provisional | None:
    """Return the note in the table `provisional` of a parsed file, None if it has none.

    Raises DocumentError if the table is not exactly a text `reason` and a list of texts `missing`. `location` is the
    file's name in the error.
    """
    if "provisional" not in document:
        return None
    table = document["provisional"]
    check_keys(table, inner_place(location, "provisional"), {"reason": str, "missing": list})
    return Provisional(table["reason"], check_texts(table["missing"], location, "provisional", "missing"))
