"""Words for sentences about decks, in each language: counts, cards, sections, and the changes of a fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache

from validator.findings import WARNING, Finding, FixChange, NamedCard
from validator.language import ENGLISH, Language, phrase
from validator.limits import shipped_lists

_SECTION_NAMES = {
    "leader": phrase("leader section"),
    "main": phrase("deck"),
    "side": phrase("side deck"),
    "z": phrase("Z-Deck"),
    "don": phrase("DON!! deck"),
    "resource": phrase("resource deck"),
}
# Headings over the cards of a section.
SECTION_TITLES = {
    "leader": phrase("Leader"),
    "main": phrase("Deck"),
    "side": phrase("Side deck"),
    "z": phrase("Z-Deck"),
    "don": phrase("DON!! deck"),
    "resource": phrase("Resource deck"),
}
# Values of card facts (types, colours), and the names of facts. Only the catalogs of translations need this list.
_TERMS = (
    *(phrase("Leader"), phrase("Character"), phrase("Event"), phrase("Stage"), phrase("Battle"), phrase("Extra")),
    *(phrase("Unison"), phrase("Token"), phrase("Red"), phrase("Green"), phrase("Blue"), phrase("Purple")),
    *(phrase("Black"), phrase("Yellow"), phrase("White"), phrase("colours"), phrase("cost"), phrase("type")),
    *(phrase("text"), phrase("Energy Marker")),
    *(phrase("Warrior"), phrase("Elite Warrior"), phrase("Warlord"), phrase("Legendary Warrior")),
    *(phrase("Equipment"), phrase("Tactic"), phrase("Battlefield")),
    *(phrase("Unit"), phrase("Pilot"), phrase("Command"), phrase("Base"), phrase("Resource")),
    *(phrase("Unit Token"), phrase("EX Base"), phrase("EX Resource")),
)
_FIELD_LABELS = {
    "name": phrase("name"),
    "type": phrase("type"),
    "back_name": phrase("back name"),
    "colors": phrase("colors"),
    "cost": phrase("cost"),
    "cost_text": phrase("cost text"),
    "life": phrase("life"),
    "power": phrase("power"),
    "back_power": phrase("back power"),
    "traits": phrase("traits"),
    "back_traits": phrase("back traits"),
    "characters": phrase("characters"),
    "back_characters": phrase("back characters"),
    "attributes": phrase("attributes"),
    "keywords": phrase("keywords"),
    "text": phrase("text"),
    "back_text": phrase("back text"),
    "rarity": phrase("rarity"),
    "set": phrase("set"),
    "block": phrase("block"),
    "released": phrase("release day"),
    "printings": phrase("printings"),
    "construction": phrase("clauses on deck construction"),
}
_FORMATS = {"standard": phrase("Standard"), "extra": phrase("Extra")}
# The regions of official lists. Only the catalogs of translations need this list.
_REGIONS = (
    phrase("North America, Europe, Latin America and Oceania"),
    phrase("North America, Oceania and Asia"),
    *(phrase("English-language play"), phrase("Japan"), phrase("Japan and Asia"), phrase("Europe (English version)")),
    phrase("North and Latin America, Europe and Oceania"),
)
_CACHED = 1 << 10  # entries of each cache of phrases that many sentences share
_MOST_CARDS = 8  # cards named in one sentence. The finding itself has all of them.
_MOST_GROUPED_CARDS = 60  # cards named in the one sentence for several merged findings


def catalogue_name(as_of: date | str | None, snapshot: str, translate: Language) -> str:
    """Return "of DAY" for a catalogue in a sentence. A catalogue without a day has its snapshot."""
    return translate("of {day}", day=as_of) if as_of else snapshot


def catalogue_text(size: int, as_of: date | str | None, translate: Language) -> str:
    """Return the size of a catalogue and the day of its data: "1,234 cards, as of DAY". An unknown day is left out."""
    if as_of:
        return translate("{count:,} cards, as of {day}", count=size, day=as_of)
    return translate("{count:,} cards", count=size)


def cite_for_people(finding: Finding, translate: Language) -> tuple[str, str]:
    """Return `(document, place)` of the rule of a finding, in a language.

    If the finding cites a card catalogue, the place is its size and its day instead of its snapshot.
    """
    details = finding.details
    if "catalogue_cards" in details:
        known = catalogue_text(details["catalogue_cards"], details["catalogue_as_of"], translate)
        return translate("Card catalogue"), known
    return translate.text(finding.rule.document), translate.text(finding.rule.section)


@lru_cache(maxsize=_CACHED)
def section_name(section: str | None, translate: Language) -> str:
    """Return the name of a section within a sentence: "side deck".

    None and unknown sections are the main deck ("deck").
    """
    return translate.text(_SECTION_NAMES.get(section or "main", _SECTION_NAMES["main"]))


def format_name(format: str, translate: Language) -> str:
    """Return the usual name of a format, or its id if there is none."""
    return translate.text(_FORMATS.get(format, format))


def region_name(game: str, region: str, translate: Language) -> str:
    """Return the places of a region of a game's official list, translated. An unknown region is returned unchanged.

    The list is that of the validator, and is loaded if necessary.
    """
    return translate.template(shipped_lists(game).listed.regions.get(region, region))


def field_label(field: str) -> str:
    """Return the name of a field of Card, to be translated later. A field without a name is returned unchanged."""
    return _FIELD_LABELS.get(field, field)


def fact_names(values: Sequence[str], translate: Language) -> list[str]:
    """Return the translated types, colours or other facts of cards, in the same order."""
    return [translate.template(value) for value in values]


@lru_cache(maxsize=_CACHED)
def cards_text(count: int | None, translate: Language) -> str:
    """Return a number of cards in a language: "1 card", "2 cards". None is 0."""
    return translate.plural("{count} card", "{count} cards", count or 0)


@lru_cache(maxsize=_CACHED)
def copies_text(count: int | None, translate: Language) -> str:
    """Return a number of copies in a language: "1 copy", "2 copies". None is 0."""
    return translate.plural("{count} copy", "{count} copies", count or 0)


def with_article(noun: str, translate: Language) -> str:
    """Return a noun with its indefinite article in a language: "a card", "an Event".

    In English it is "an" only before a capital A, E, I, O or U.
    """
    return translate("an {noun}", noun=noun) if noun[:1] in "AEIOU" else translate("a {noun}", noun=noun)


def join_with_commas(parts: Sequence[str], translate: Language) -> str:
    """Return texts as a list in a language: "a, b, c". "" if there are none."""
    return parts[0] if len(parts) == 1 else translate(", ").join(parts)


def join_with_and(parts: Sequence[str], translate: Language = ENGLISH) -> str:
    """Return texts as a list in a language: "a", "a and b", "a, b and c". "" if there are none."""
    return (
        translate("{first} and {last}", first=join_with_commas(parts[:-1], translate), last=parts[-1])
        if len(parts) > 1
        else join_with_commas(parts, translate)
    )


def join_with_or(parts: Sequence[str], translate: Language = ENGLISH) -> str:
    """Return texts as a list in a language: "a", "a or b", "a, b or c". "" if there are none."""
    return (
        translate("{first} or {last}", first=join_with_commas(parts[:-1], translate), last=parts[-1])
        if len(parts) > 1
        else join_with_commas(parts, translate)
    )


def card_text(finding: Finding, translate: Language) -> str:
    """Return the number and name of a finding's card, or of at most 60 cards in a row. "a card" if it has none."""
    named = finding.cards
    if len(named) == 1:
        return named[0].label
    return list_cards(named, translate, _MOST_GROUPED_CARDS, counted=False) or translate("a card")


def by_card_count(singular: str, plural: str, finding: Finding, translate: Language, /, **values: object) -> str:
    """Return the sentence of a finding about one card (`singular`), or about several (`plural`).

    Both templates may use `cards` (their names), `count` (how many different ones) and the further `values`.
    """
    return translate.plural(singular, plural, len(finding.cards), cards=card_text(finding, translate), **values)


def line_prefix(finding: Finding, translate: Language) -> str:
    """Return the beginning of a sentence about a line of a list: "Line 7: ". "" if the finding has no line."""
    return translate("Line {line}: ", line=finding.line) if finding.line else ""


def list_cards(cards: Sequence[NamedCard], translate: Language, most: int = _MOST_CARDS, counted: bool = True) -> str:
    """Return at most `most` cards in a row, followed by the number of the rest: "4x OP01-001 Zoro, 2x … and 3 more".

    Without `counted` the counts are left out. "" if there are no cards.
    """
    shown = [f"{card.count}x {card.label}" if card.count and counted else card.label for card in cards[:most]]
    rest = len(cards) - len(shown)
    return (
        translate("{shown} and {rest} more", shown=join_with_commas(shown, translate), rest=rest)
        if rest
        else join_with_commas(shown, translate)
    )


def section_counts_text(sections: Mapping[str, int], translate: Language) -> str:
    """Return the copies in each section: " (4 in the deck, 1 in the side deck)". "" if all copies are in the main deck.

    `sections` has the number of copies by section.
    """
    if sections.keys() <= {"main"}:
        return ""
    places = [
        translate("{count} in the {section}", count=count, section=section_name(section, translate))
        for section, count in sections.items()
    ]
    return translate(" ({places})", places=join_with_commas(places, translate))


def marked_reading(message: Callable[[Finding, Language], str]) -> Callable[[Finding, Language], str]:
    """Return a message function that adds a note to `message` if the cited document does not print the limit itself.

    The note is about the side deck.
    """

    def message_with_note(finding: Finding, translate: Language) -> str:
        """Return the message, with a note if the rule is a reading of the manual."""
        text = message(finding, translate)
        if not finding.rule.is_reading:
            return text
        return translate(
            "{text} The rules do not print this limit for the side deck. deckproof applies the limit there, too.",
            text=text,
        )

    return message_with_note


def fix_text(finding: Finding, translate: Language) -> str:
    """Return the sentences for the changes of a finding: Leaders, then removals, moves and additions.

    Without changes it is the reason why there are none: the finding is a warning, or other fixes solve it.
    """
    changes = finding.changes
    if not changes and finding.severity == WARNING:
        return translate("Ask the organiser, or check the official page.")
    if not changes:
        return translate("The other fixes solve this finding, too.")
    additions = [change for change in changes if change.target and not change.origin]
    moves = [change for change in changes if change.target and change.origin]
    removals = [change for change in changes if not change.target]
    sentences: list[str] = []
    new_leader = next((addition for addition in additions if addition.target == "leader"), None)
    if new_leader:
        sentences += _leader_sentences(finding, new_leader, translate)
        removals = [removal for removal in removals if removal.origin != "leader"]  # is in these sentences
    sentences += _removal_sentences(removals, translate)
    sentences += [_move_sentence(move, translate) for move in moves]
    sentences += _addition_sentences(additions, translate)
    return " ".join(sentences)


def _leader_sentences(finding: Finding, added: FixChange, translate: Language) -> Iterator[str]:
    """Yield the sentences that name the Leaders to play, and the Leader to leave out if there is one.

    For a finding outside of the leader section, a question comes first if that Leader is meant. `added` is the change
    that adds one of its cards, or any legal Leader if it has none.
    """
    removed = [change.cards[0].label for change in finding.changes if change.origin == "leader" and not change.target]
    leaders = (
        join_with_or([card.label for card in added.cards], translate) if added.cards else translate("a legal Leader")
    )
    if not removed:
        yield translate("Play {leaders} as the Leader.", leaders=leaders)
        return
    if finding.section != "leader":
        yield translate("Is {leader} the Leader you play?", leader=join_with_and(removed, translate))
    yield translate("Play {leaders} instead of {card}.", leaders=leaders, card=join_with_and(removed, translate))


def _removal_sentences(removals: Sequence[FixChange], translate: Language) -> Iterator[str]:
    """Yield the sentences that remove cards, by section: one for its named cards, one for the number of any others."""
    for section in dict.fromkeys(removal.origin for removal in removals):
        in_section = [removal for removal in removals if removal.origin == section]
        if named := [removal for removal in in_section if removal.cards]:
            yield _remove_sentence(named, section, translate)
        if others := sum(removal.count for removal in in_section if not removal.cards):
            yield _remove_any_sentence(others, section, translate)


def _addition_sentences(additions: Iterable[FixChange], translate: Language) -> Iterator[str]:
    """Yield the sentence that adds cards to a section, for each section but that of the Leader."""
    counts = Counter[str]()
    for addition in additions:
        if addition.target and addition.target != "leader":
            counts[addition.target] += addition.count
    for section, count in counts.items():
        yield _add_sentence(count, section, translate)


def _remove_sentence(changes: Sequence[FixChange], section: str | None, translate: Language) -> str:
    """Return the sentence that removes the cards of these changes from a section.

    Of more than 8 cards it has only the number of copies, and no section. The main deck is not named.
    """
    if len(changes) > _MOST_CARDS:
        total = cards_text(sum(change.count for change in changes), translate)
        return translate("Remove these {cards}.", cards=total)
    first = changes[0]
    if len(changes) == 1 and section == "main":
        return _remove_copies_sentence(first.count, first.cards[0].label, translate)
    named = [
        translate("{copies} of {card}", copies=copies_text(change.count, translate), card=change.cards[0].label)
        for change in changes
    ]
    if section == "main":
        return translate("Remove {cards}.", cards=join_with_and(named, translate))
    return translate(
        "Remove {cards} from the {section}.",
        cards=join_with_and(named, translate),
        section=section_name(section, translate),
    )


@lru_cache(maxsize=_CACHED)
def _remove_copies_sentence(count: int, card: str, translate: Language) -> str:
    """Return the sentence "Remove 2 copies of CARD." for the main deck. The result is cached."""
    return translate("Remove {copies} of {card}.", copies=copies_text(count, translate), card=card)


@lru_cache(maxsize=_CACHED)
def _remove_any_sentence(count: int, section: str | None, translate: Language) -> str:
    """Return the sentence "Remove 2 cards from the SECTION.", for any cards. The result is cached."""
    return translate(
        "Remove {cards} from the {section}.",
        cards=cards_text(count, translate),
        section=section_name(section, translate),
    )


@lru_cache(maxsize=_CACHED)
def _add_sentence(count: int, section: str, translate: Language) -> str:
    """Return the sentence "Add 2 cards to the SECTION.", for any cards. The result is cached."""
    return translate(
        "Add {cards} to the {section}.", cards=cards_text(count, translate), section=section_name(section, translate)
    )


def _move_sentence(change: FixChange, translate: Language) -> str:
    """Return the sentence that moves copies of a card to another section."""
    return translate(
        "Move {copies} of {card} from the {origin} to the {target}.",
        copies=copies_text(change.count, translate),
        card=change.cards[0].label,
        origin=section_name(change.origin, translate),
        target=section_name(change.target, translate),
    )
