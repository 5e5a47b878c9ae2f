"""Findings on cards that are not in the catalogue, and on lines that could not be parsed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from validator import candidates, words
from validator.bounds import LONGEST_SHOWN_LINE, MOST_SUGGESTED_NAMES, MOST_SUGGESTIONS
from validator.candidates import Candidate, Objections
from validator.cards import Card, Catalogue
from validator.deck import DeckFacts, DeckLine, Line, Lost, Unread, unknown_card_key
from validator.decklists.draft import ABOVE_TABLE
from validator.findings import AT_MOST, ERROR, UNREAD_LINE, WARNING, Citation, Code, Finding, NamedCard, merge_unread
from validator.language import Language, phrase
from validator.tables.section_counts import NO_COPIES


def _message_suggestions(finding: Finding, translate: Language) -> str:
    """Return the question " Did you mean A, B?" with at most MOST_SUGGESTIONS suggested cards. "" if there are none."""
    if not finding.suggestions:
        return ""
    find_similar = [card.label for card in finding.suggestions[:MOST_SUGGESTIONS]]
    return translate(" Did you mean {cards}?", cards=words.join_with_commas(find_similar, translate))


def _message_unknown(finding: Finding, translate: Language) -> str:
    """Return the message of `card.unknown`: of which game the numbers are, else that the catalogue lacks the cards."""
    if finding.details["games"]:
        return words.by_card_count(
            "{line}{cards} has a number of {games}.",
            "{line}{count} cards have numbers of {games}: {cards}.",
            finding,
            translate,
            line=words.line_prefix(finding, translate),
            games=words.join_with_or(finding.details["games"], translate),
        )
    return words.by_card_count(
        "{line}{cards} is not in the catalogue {catalogue} ({size:,} cards).{suggested}",
        "{line}{count} cards are not in the catalogue {catalogue} ({size:,} cards): {cards}.{suggested}",
        finding,
        translate,
        line=words.line_prefix(finding, translate),
        catalogue=words.catalogue_name(finding.details["catalogue_as_of"], finding.details["catalogue"], translate),
        size=finding.details["catalogue_cards"],
        suggested=_message_suggestions(finding, translate),
    )


def _fix_unknown(finding: Finding, translate: Language) -> str:
    """Return the fix of `card.unknown`: to check number and name.

    If the finding has changes, they follow as the alternative.
    """
    check = _fix_number(finding, translate)
    return (
        translate("{check} Otherwise: {fix}", check=check, fix=words.fix_text(finding, translate))
        if finding.changes
        else check
    )


def _fix_number(finding: Finding, translate: Language) -> str:
    """Return the advice to check the number and the name of unknown cards.

    If the number is of another game, it is to check the deck as one of that game.
    """
    if finding.details["games"]:
        return translate("Check the deck as a deck of that game, or write the number of the card that you mean.")
    day = finding.details["catalogue_as_of"]
    if any(card.number for card in finding.cards):
        if day:
            return translate(
                "Compare the number or name with the card. If both are correct, the card may be newer"
                " than the catalogue of {day}.",
                day=day,
            )
        return translate(
            "Compare the number or name with the card. If both are correct, this catalogue lacks the card."
        )
    if day:
        return translate(
            "Write the card's number, or compare the name with the card. If the name is correct, the "
            "card may be newer than the catalogue of {day}.",
            day=day,
        )
    return translate(
        "Write the card's number, or compare the name with the card. If the name is "
        "correct, this catalogue lacks the card."
    )


_CATALOGUE_DETAILS: dict[str, tuple[type, str]] = {
    "catalogue": (str, "The snapshot of cards that was asked."),
    "catalogue_cards": (int, "How many cards it has."),
    "catalogue_as_of": (str, "The day that its cards are known of, as 2026-01-15; null where nobody knows."),
}
_LINE_DETAILS: dict[str, tuple[type, str]] = {
    "text": (str, "The line as it was written, cut where it is very long."),
    "reason": (str, "Why it is not a line of the deck."),
}


def _message_other_lines(finding: Finding, translate: Language) -> str:
    """Return a sentence with the numbers of the other unread lines of a finding. "" if there are none.

    At most MOST_SUGGESTIONS lines are named.
    """
    lines = [str(line["line"]) for line in finding.details["more"]]
    shown, rest = words.join_with_and(lines[:MOST_SUGGESTIONS], translate), len(lines) - MOST_SUGGESTIONS
    if rest > 0:
        shown = translate("{shown} and {rest} more", shown=shown, rest=rest)
    return (
        translate.plural(
            " Line {lines} could not be read either.",
            " Lines {lines} could not be read either.",
            len(lines),
            lines=shown,
        )
        if lines
        else ""
    )


def _message_ambiguous(finding: Finding, translate: Language) -> str:
    """Return the message of `card.ambiguous`: several cards have a name, with the suggested cards if there are any."""
    if not finding.suggestions:
        return words.by_card_count(
            "{line}Several cards are called “{cards}”.",
            "{line}{count} names each belong to several cards: {cards}.",
            finding,
            translate,
            line=words.line_prefix(finding, translate),
        )
    return translate(
        "{line}Several cards are called “{card}”: {cards}.",
        line=words.line_prefix(finding, translate),
        card=words.card_text(finding, translate),
        cards=words.list_cards(finding.suggestions or (), translate, MOST_SUGGESTIONS, counted=False),
    )


def _message_aside(finding: Finding, translate: Language) -> str:
    """Return the message of `line.aside`: a line that does not count, with its text and the reason."""
    return translate(
        "Line {line} does not count, “{text}”: {reason}.",
        line=finding.line,
        text=finding.details["text"],
        reason=translate.text(finding.details["reason"]),
    )


def _message_unread(finding: Finding, translate: Language) -> str:
    """Return the message of `line.unread`: a line that could not be read, the reason, and the numbers of other lines.

    A question with suggested cards may follow.
    """
    return translate(
        "Line {line} could not be read, “{text}”: {reason}.{more}{suggested}",
        line=finding.line,
        text=finding.details["text"],
        reason=translate.text(finding.details["reason"]),
        more=_message_other_lines(finding, translate),
        suggested=_message_suggestions(finding, translate),
    )


def _message_section_assumed(finding: Finding, translate: Language) -> str:
    """Return the message of `section.supposed`: the line from which cards count as another section, and the reason."""
    return translate(
        "The cards from line {line} on count as the {section}: {reason}.",
        line=finding.line,
        section=words.section_name(finding.section, translate),
        reason=translate.text(finding.details["reason"]),
    )


def _message_several(finding: Finding, translate: Language) -> str:
    """Return the message of `list.several`: a text has several decks. At most MOST_SUGGESTIONS of them are named."""
    decks = finding.details["decks"]
    described = [_describe_deck(deck["name"], deck["cards"], translate) for deck in decks[:MOST_SUGGESTIONS]]
    shown = words.join_with_commas(described, translate)
    if (rest := len(decks) - MOST_SUGGESTIONS) > 0:
        shown = translate("{shown} and {rest} more", shown=shown, rest=rest)
    return translate(
        "The text has {count} decks: {decks}. Only the first deck was judged.", count=len(decks), decks=shown
    )


def _describe_deck(name: str, cards: int, translate: Language) -> str:
    """Return "“NAME” (50 cards)" for a deck. A deck without a name has only its cards."""
    size = words.cards_text(cards, translate)
    return f"“{name}” ({size})" if name else size


def _message_total(finding: Finding, translate: Language) -> str:
    """Return the message of `list.total`: a line has a total that differs from the number of cards that were read."""
    return translate(
        "Line {line}, “{text}”, has a total of {stated}, but {counted} could be read.",
        line=finding.line,
        text=finding.details["text"],
        stated=words.cards_text(finding.details["stated"], translate),
        counted=words.cards_text(finding.details["counted"], translate),
    )


def _fix_aside(finding: Finding, translate: Language) -> str:
    """Return the fix of `line.aside`.

    A text above a table is a title, or a card in a wrong place. A card with the count 0 is no part of the deck.
    """
    reason = finding.details["reason"]
    if reason.startswith(NO_COPIES):
        return translate("Leave the line as it is. If the card is part of the deck, write how many copies.")
    if reason == ABOVE_TABLE:
        return translate(
            "Leave a title as it is. If the line is a card, write the card below the headings of the table."
        )
    return translate("Remove the line. If the card is part of the deck, move the line into the deck.")


def _fix_section_assumed(finding: Finding, translate: Language) -> str:
    """Return the fix of `section.supposed`: to write a heading above the cards of the assumed section."""
    section = words.section_name(finding.section, translate)
    heading = section[:1].upper() + section[1:]
    return translate(
        "Write “{section}” above these cards, or “Deck” if the cards are part of the deck.", section=heading
    )


UNKNOWN = Code(
    "card.unknown",
    "The catalogue asked holds no such card.",
    _message_unknown,
    _fix_unknown,
    _CATALOGUE_DETAILS | {"games": (list, "The games whose number it is, if it is none of this game.")},
    together=("games",),
    asks=AT_MOST,
)
AMBIGUOUS = Code(
    "card.ambiguous",
    "Several cards have this name; only a number tells which is meant.",
    _message_ambiguous,
    lambda f, translate: translate("Write the card's number."),
    _CATALOGUE_DETAILS,
    together=(),
    asks=AT_MOST,
)
LINE_ASIDE = Code(
    "line.aside",
    "A line of the list is no part of the deck.",
    _message_aside,
    _fix_aside,
    _LINE_DETAILS,
)
LINE_UNREAD = Code(
    UNREAD_LINE,
    "A line of the list could not be read.",
    _message_unread,
    lambda f, translate: translate(
        "Write the line as a count and a card, such as “4 NUMBER Name”, or remove the line."
    ),
    {**_LINE_DETAILS, "more": (list, "The other lines of this finding, with their texts; [] for none.")},
)
SUPPOSED = Code(
    "section.supposed",
    "Cards are taken for those of a section that the list does not name.",
    _message_section_assumed,
    _fix_section_assumed,
    _LINE_DETAILS,
)
NO_COUNTS = Code(
    "table.no_counts",
    "A table of cards has no column with the number of copies.",
    lambda f, translate: translate("No count column was found. Each line counts as one copy."),
    lambda f, translate: translate("Add a column “Count” if there are more copies."),
    _LINE_DETAILS,
)
POSSIBLE_PLAYERS = Code(
    "table.possible_players",
    "A column without a heading may have players, but the cards of each are no deck.",
    lambda f, translate: translate("A column without a heading may have players, but all rows were read as one deck."),
    lambda f, translate: translate("Write the heading “Player” above the players if each of them has a deck."),
    _LINE_DETAILS,
)
SEVERAL = Code(
    "list.several",
    "A text holds several decks; only the first is judged.",
    _message_several,
    lambda f, translate: translate("Send each deck as a separate list."),
    {
        "text": (str, "The name of the second deck, or the line that it begins with."),
        "decks": (list, "Every deck in its order: its name, empty if it has none, and its number of cards."),
    },
)
TOTAL = Code(
    "list.total",
    "The list states a number of cards that its lines contradict.",
    _message_total,
    lambda f, translate: translate("Check for missing or wrong lines, or correct the number."),
    {
        "text": (str, "The line that states the number, as it was written."),
        "stated": (int, "The number of cards that the line states."),
        "counted": (int, "The number of cards that were read where it states them."),
        "heading": (str, "The line, if it is a heading over the cards; null if it is a total of a list."),
    },
)
MARKS = Code(
    "table.marks",
    "A column without a heading has marks, such as “x” or “yes”, which are ignored.",
    lambda f, translate: translate("A column without a heading has marks, such as “x” or “yes”. They were ignored."),
    lambda f, translate: translate("Write a heading above the marks: “Side” if they mark the cards of the side deck."),
    _LINE_DETAILS,
)
CODES = (UNKNOWN, AMBIGUOUS, LINE_ASIDE, LINE_UNREAD, SUPPOSED, SEVERAL, TOTAL, NO_COUNTS, POSSIBLE_PLAYERS, MARKS)
_REMARKS = {code.name: code for code in (NO_COUNTS, POSSIBLE_PLAYERS, MARKS)}


class Suggestions:
    """A limited number of searches for similar cards. The results are cached by the number and name of a line.

    A search takes most of a millisecond, so each request or workbook uses one object for all of its decks.
    """

    def __init__(self, most: int = 20) -> None:
        """Allow at most `most` searches."""
        self._searches_left = most
        self._found: dict[tuple[str | None, str | None], Sequence[Candidate]] = {}

    def find_similar(self, line: DeckLine, catalogue: Catalogue) -> Sequence[Candidate]:
        """Return the cards that a line may mean, as `find_candidates` does.

        () for a new text if the limit of searches is reached. A search of a new text uses up one of the allowed
        searches.
        """
        written = line.number, line.name
        if written not in self._found and self._searches_left > 0:
            self._searches_left -= 1
            self._found[written] = candidates.find_candidates(line, catalogue)
        return self._found.get(written, ())


def find_unresolved(facts: DeckFacts, suggestions: Suggestions, objections: Objections) -> Iterator[Finding]:
    """Yield a finding for each card that is unknown or has an ambiguous name, then the findings on unread lines.

    Lines of the same unknown card in any section are one finding. `suggestions` does the searches for similar cards,
    and `objections` sort them.
    """
    merged: dict[tuple[Code, tuple[str, str]], list[Lost]] = {}
    for lost in facts.lost:
        kind = AMBIGUOUS if lost.candidates else UNKNOWN
        merged.setdefault((kind, unknown_card_key(lost.line, facts.catalogue.game)), []).append(lost)
    likely = _Likely(facts, suggestions, objections)
    for (kind, _), same in merged.items():
        yield _lost_finding(kind, same, facts.catalogue, likely)
    yield from _unread_findings(facts.deck.unread, likely)


class _Likely:
    """The search for the cards that the lines of one deck may mean.

    It sorts them by the deck's Leader, sections and sets. An object is called like a function.
    """

    def __init__(self, facts: DeckFacts, suggestions: Suggestions, objections: Objections) -> None:
        """Store the deck, the limited searches, and the objections that sort cards."""
        self._facts = facts
        self._suggestions = suggestions
        self._objections = objections

    @cached_property
    def _sets(self) -> Collection[str]:
        """The set codes of the known cards of the deck."""
        return {candidates.set_code_of(card) for cards in self._facts.counts.values() for card in cards}

    def __call__(self, line: DeckLine, section: str, cards: Sequence[Card] = ()) -> Sequence[Card]:
        """Return the cards that a line may mean, likeliest first: all of `cards`, or similar ones if that is empty.

        Of similar ones there are at most MOST_SUGGESTIONS. A search for them may use up one of the allowed searches.
        """
        found = [Candidate(0, card) for card in cards] or self._suggestions.find_similar(line, self._facts.catalogue)
        if not found:
            return ()
        likely = candidates.rank_candidates(found, line, section, self._objections, self._sets)
        if cards:
            return likely
        return (likely if line.number else candidates.put_names_first(likely, MOST_SUGGESTED_NAMES))[:MOST_SUGGESTIONS]


def _unread_findings(lines: Sequence[Unread], likely: _Likely) -> Iterator[Finding]:
    """Yield a finding for each unread line that may be a card or is aside, then one for all other lines together.

    Errors on lines that could not be parsed get similar cards as suggestions.
    """
    beside: list[Finding] = []
    for line in lines:
        found = unread_finding(line)
        may_be_card = found.kind is LINE_UNREAD and found.severity == ERROR
        if may_be_card and (find_similar := likely(Line(None, 1, line.text), "main")):
            found = replace(found, suggestions=tuple(map(NamedCard.from_card, find_similar)))
        if line.aside or found.severity == ERROR:
            yield found
        else:
            beside.append(found)
    if beside:
        yield merge_unread(beside)


def _lost_finding(kind: Code, lines: list[Lost], catalogue: Catalogue, likely: _Likely) -> Finding:
    """Return the finding of this kind on lines that mean the same unknown or ambiguous card. Their copies are added up.

    The section, name and place are those of the first line. `likely` finds its suggestions.
    """
    (section, line, named), *_ = lines
    details: dict[str, object] = {
        "catalogue": catalogue.snapshot,
        "catalogue_cards": len(catalogue),
        "catalogue_as_of": catalogue.as_of.isoformat() if catalogue.as_of else None,
    }
    if kind is UNKNOWN:
        details["games"] = candidates.other_games(line, catalogue.game)
    count = sum(lost.line.count for lost in lines)
    return Finding(
        kind,
        Citation(f"Card catalogue {catalogue.snapshot}", f"{len(catalogue):,} cards"),
        section,
        cards=(NamedCard(line.number or "", line.name or "", count),),
        count=count,
        suggestions=tuple(map(NamedCard.from_card, likely(line, section, named))),
        line=line.at,
        details=details,
    )


def unread_finding(line: Unread) -> Finding:
    """Return the finding on an unread line, or on a remark. It is an error if the line may be a card, else a warning.

    It has no suggested cards. Raises KeyError for a `code` that is no remark.
    """
    kind = _choose_kind(line)
    return Finding(
        kind,
        Citation(phrase("Your list"), phrase("line {line}", line=line.at)),
        line.section,
        ERROR if line.may_be_card else WARNING,
        suggestions=() if kind is LINE_UNREAD else None,
        line=line.at,
        details={"text": line.text[:LONGEST_SHOWN_LINE]} | _make_details(line, kind),
    )


def _choose_kind(line: Unread) -> Code:
    """Return the kind of finding for an unread line or a remark, by the first of its fields that is set.

    Raises KeyError for a `code` that is no remark.
    """
    if line.decks:
        return SEVERAL
    if line.total:
        return TOTAL
    if line.code:
        return _REMARKS[line.code]
    return SUPPOSED if line.section else LINE_ASIDE if line.aside else LINE_UNREAD


def _make_details(line: Unread, kind: Code) -> dict[str, object]:
    """Return the details of a line's finding besides its text: its decks, or its totals and heading, or its reason.

    A line that could not be parsed also has an empty `more`, for lines merged into it.
    """
    if line.decks:
        return {"decks": tuple(deck._asdict() for deck in line.decks)}
    if line.total:
        heading = line.text[:LONGEST_SHOWN_LINE] if line.section else None
        return {**line.total._asdict(), "heading": heading}
    return {"reason": line.reason} | ({"more": ()} if kind is LINE_UNREAD else {})
