"""Words for sentences about decks, in each language: counts, cards, sections, and the changes of a fix."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from validator.findings import WARNING, Finding, FixChange, NamedCard
from validator.language import ENGLISH, Language, phrase

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
# Values of card facts (types, colours), and the names of facts.
_TERMS = (
    *(phrase("Leader"), phrase("Character"), phrase("Event"), phrase("Stage"), phrase("Battle"), phrase("Extra")),
    *(phrase("Unison"), phrase("Token"), phrase("Red"), phrase("Green"), phrase("Blue"), phrase("Purple")),
    *(phrase("Black"), phrase("Yellow"), phrase("White"), phrase("colours"), phrase("cost"), phrase("type")),
    *(phrase("Warrior"), phrase("Elite Warrior"), phrase("Warlord"), phrase("Legendary Warrior")),
    *(phrase("Equipment"), phrase("Tactic"), phrase("Battlefield")),
    *(phrase("Unit"), phrase("Pilot"), phrase("Command"), phrase("Base"), phrase("Resource")),
    *(phrase("Unit Token"), phrase("EX Base"), phrase("EX Resource")),
)
_FORMATS = {"standard": phrase("Standard"), "extra": phrase("Extra")}
# The regions of official lists.
_REGIONS = (
    phrase("North America, Europe, Latin America and Oceania"),
    phrase("North America, Oceania and Asia"),
    *(phrase("English-language play"), phrase("Japan"), phrase("Japan and Asia"), phrase("Europe (English version)")),
    phrase("North and Latin America, Europe and Oceania"),
)
_CACHED = 1 << 10  # entries of each cache of phrases that many sentences share
_MOST_CARDS = 8  # cards named in one sentence. The finding itself has all of them.
_MOST_GROUPED_CARDS = 60  # cards named in the one sentence for several merged findings


@lru_cache(maxsize=_CACHED)
def section_name(section: str | None, say: Language) -> str:
    """Return the name of a section within a sentence. None and unknown sections are the main deck."""
    return say.of(_SECTION_NAMES.get(section or "main", _SECTION_NAMES["main"]))


def format_name(format: str, say: Language) -> str:
    """Return the usual name of a format, or its id if there is none."""
    return say.of(_FORMATS.get(format, format))


def terms(values: Sequence[str], say: Language) -> list[str]:
    """Return the usual names of types, colours or other facts of cards."""
    return [say.template(value) for value in values]


@lru_cache(maxsize=_CACHED)
def cards(count: int | None, say: Language) -> str:
    """Return "1 card", "2 cards"."""
    return say.plural("{count} card", "{count} cards", count or 0)


@lru_cache(maxsize=_CACHED)
def copies(count: int | None, say: Language) -> str:
    """Return "1 copy", "2 copies"."""
    return say.plural("{count} copy", "{count} copies", count or 0)


def one(noun: str, say: Language) -> str:
    """Return a noun with its article."""
    return say("an {noun}", noun=noun) if noun[:1] in "AEIOU" else say("a {noun}", noun=noun)


def row(parts: Sequence[str], say: Language) -> str:
    """Return "a, b, c"."""
    return parts[0] if len(parts) == 1 else say(", ").join(parts)


def joined(parts: Sequence[str], say: Language = ENGLISH) -> str:
    """Return "a", "a and b", "a, b and c"."""
    return say("{first} and {last}", first=row(parts[:-1], say), last=parts[-1]) if len(parts) > 1 else row(parts, say)


def either(parts: Sequence[str], say: Language = ENGLISH) -> str:
    """Return "a", "a or b", "a, b or c"."""
    return say("{first} or {last}", first=row(parts[:-1], say), last=parts[-1]) if len(parts) > 1 else row(parts, say)


def card(finding: Finding, say: Language) -> str:
    """Return the words for the card, or the several cards, of a finding."""
    named = finding.cards
    if len(named) == 1:
        return named[0].label
    return listed(named, say, _MOST_GROUPED_CARDS, counted=False) or say("a card")


def being(one: str, many: str, finding: Finding, say: Language, /, **values: object) -> str:
    """Return the sentence of a finding about one card, or about several. Both templates may use `cards` and `count`."""
    values["cards"], values["count"] = card(finding, say), (count := len(finding.cards))
    return say.template_of(one, many, count).format_map(values)


def line(finding: Finding, say: Language) -> str:
    """Return the beginning of a sentence about a line of a list: "Line 7: ". "" if the finding has no line."""
    return say("Line {line}: ", line=finding.line) if finding.line else ""


def listed(named: Sequence[NamedCard], say: Language, most: int = _MOST_CARDS, counted: bool = True) -> str:
    """Return at most `most` cards in a row, with the number of the rest. Counts are included if `counted`."""
    shown = [f"{card.count}x {card.label}" if card.count and counted else card.label for card in named[:most]]
    rest = len(named) - len(shown)
    return say("{shown} and {rest} more", shown=row(shown, say), rest=rest) if rest else row(shown, say)


def apart(sections: Mapping[str, int], say: Language) -> str:
    """Return " (4 in the deck, 1 in the side deck)". "" if all copies are in the main deck."""
    if sections.keys() <= {"main"}:
        return ""
    places = [
        say("{count} in the {section}", count=count, section=section_name(section, say))
        for section, count in sections.items()
    ]
    return say(" ({places})", places=row(places, say))


def marked_reading(message: Callable[[Finding, Language], str]) -> Callable[[Finding, Language], str]:
    """Return a message function that adds a note if the cited document does not print the limit itself."""

    def marked(finding: Finding, say: Language) -> str:
        text = message(finding, say)
        if not finding.rule.is_reading:
            return text
        return say("{text} The rules do not print this limit for the side deck; deckproof reads them so.", text=text)

    return marked


def fix(finding: Finding, say: Language) -> str:
    """Return the sentences for the changes of a finding. Without changes, return the reason why there are none."""
    changes = finding.changes
    leaders = [change for change in changes if change.target == "leader" and not change.origin]
    if not changes and finding.severity == WARNING:
        return say("Ask the organiser, or look at the official page.")
    if not changes:
        return say("The other fixes solve this, too.")
    parts = list(_leader_sentences(finding, leaders[0], say)) if leaders else []
    removed = [change for change in changes if not change.target and not (leaders and change.origin == "leader")]
    for section in dict.fromkeys(change.origin for change in removed):
        named = [change for change in removed if change.origin == section and change.cards]
        if named:
            parts.append(_remove_sentence(named, section, say))
        if others := sum(change.count for change in removed if change.origin == section and not change.cards):
            parts.append(_remove_any_sentence(others, section, say))
    parts += [_move_sentence(change, say) for change in changes if change.origin and change.target]
    added: dict[str, int] = {}
    for change in changes:
        if change.target and not change.origin and change.target != "leader":
            added[change.target] = added.get(change.target, 0) + change.count
    parts += [_add_sentence(count, section, say) for section, count in added.items()]
    return " ".join(parts)


def _leader_sentences(finding: Finding, added: FixChange, say: Language) -> Iterator[str]:
    """Yield the sentences that name the Leaders to play, and the Leader to leave out."""
    removed = [change.cards[0].label for change in finding.changes if change.origin == "leader" and not change.target]
    leaders = either([card.label for card in added.cards], say) if added.cards else say("a legal Leader")
    if not removed:
        yield say("Play {leaders} as the Leader.", leaders=leaders)
        return
    if finding.section != "leader":
        yield say("Is {leader} the Leader you play?", leader=joined(removed, say))
    yield say("Play {leaders} instead of {card}.", leaders=leaders, card=joined(removed, say))


def _remove_sentence(changes: Sequence[FixChange], section: str | None, say: Language) -> str:
    """Return the sentence that removes these cards from a section."""
    if len(changes) > _MOST_CARDS:
        total = cards(sum(change.count for change in changes), say)
        return say("Remove these {cards}.", cards=total)
    first = changes[0]
    if len(changes) == 1 and section == "main":
        return _remove_copies_sentence(first.count, first.cards[0].label, say)
    named = [
        say("{copies} of {card}", copies=copies(change.count, say), card=change.cards[0].label) for change in changes
    ]
    if section == "main":
        return say("Remove {cards}.", cards=joined(named, say))
    return say("Remove {cards} from the {section}.", cards=joined(named, say), section=section_name(section, say))


@lru_cache(maxsize=_CACHED)
def _remove_copies_sentence(count: int, card: str, say: Language) -> str:
    """Return the sentence that removes copies of one card from the main deck."""
    return say("Remove {copies} of {card}.", copies=copies(count, say), card=card)


@lru_cache(maxsize=_CACHED)
def _remove_any_sentence(count: int, section: str | None, say: Language) -> str:
    """Return the sentence that removes any cards from a section."""
    return say("Remove {cards} from the {section}.", cards=cards(count, say), section=section_name(section, say))


@lru_cache(maxsize=_CACHED)
def _add_sentence(count: int, section: str, say: Language) -> str:
    """Return the sentence that adds cards to a section."""
    return say("Add {cards} to the {section}.", cards=cards(count, say), section=section_name(section, say))


def _move_sentence(change: FixChange, say: Language) -> str:
    """Return the sentence that moves copies of a card to another section."""
    return say(
        "Move {copies} of {card} from the {origin} to the {target}.",
        copies=copies(change.count, say),
        card=change.cards[0].label,
        origin=section_name(change.origin, say),
        target=section_name(change.target, say),
    )
