"""Words that sentences about decks are made of: counts, cards, sections, as each language says them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from validator.findings import WARNING, Finding, NamedCard
from validator.language import ENGLISH, Language, phrase

_SECTION_NAMES = {
    "leader": phrase("leader section"),
    "main": phrase("deck"),
    "side": phrase("side deck"),
    "z": phrase("Z-Deck"),
    "don": phrase("DON!! deck"),
    "resource": phrase("resource deck"),
}
# What stands over a section's cards.
SECTION_TITLES = {
    "leader": phrase("Leader"),
    "main": phrase("Deck"),
    "side": phrase("Side deck"),
    "z": phrase("Z-Deck"),
    "don": phrase("DON!! deck"),
    "resource": phrase("Resource deck"),
}
# What cards are called in their facts: types, colours and, beside these, the facts themselves.
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
# For whom official lists are.
_REGIONS = (
    phrase("North America, Europe, Latin America and Oceania"),
    phrase("North America, Oceania and Asia"),
    *(phrase("English-language play"), phrase("Japan"), phrase("Japan and Asia"), phrase("Europe (English version)")),
    phrase("North and Latin America, Europe and Oceania"),
)
_REPEATED = 1 << 10  # of what is said anew in every sentence
_SHOWN = 8  # cards named in one sentence; the finding itself has them all
_GROUPED = 60  # and in the one sentence on as many findings: nobody else names them


@lru_cache(maxsize=_REPEATED)
def section_name(section: str | None, say: Language) -> str:
    """Return what a sentence calls a section."""
    return say.of(_SECTION_NAMES.get(section or "main", _SECTION_NAMES["main"]))


def format_name(format: str, say: Language) -> str:
    """Return what players call a format."""
    return say.of(_FORMATS.get(format, format))


def terms(of: Sequence[str], say: Language) -> list[str]:
    """Return types, colours or other facts of cards as players call them."""
    return [say.template(one) for one in of]


@lru_cache(maxsize=_REPEATED)
def cards(count: int | None, say: Language) -> str:
    """Return "1 card", "2 cards"."""
    return say.plural("{count} card", "{count} cards", count or 0)


@lru_cache(maxsize=_REPEATED)
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
    """Return what the sentence calls the card, or the several cards, of a finding."""
    named = finding.cards
    if len(named) == 1:
        return named[0].label
    return listed(named, say, _GROUPED, counted=False) or say("a card")


def being(one: str, many: str, finding: Finding, say: Language, /, **values: object) -> str:
    """Return the sentence of a finding about one card, or about several: both templates have its `cards`."""
    values["cards"], values["count"] = card(finding, say), (count := len(finding.cards))
    return say.template_of(one, many, count).format_map(values)


def line(finding: Finding, say: Language) -> str:
    """Return what a sentence on a line of a list begins with: "Line 7: "."""
    return say("Line {line}: ", line=finding.line) if finding.line else ""


def listed(named: Sequence[NamedCard], say: Language, most: int = _SHOWN, counted: bool = True) -> str:
    """Return several cards in a row, with their counts where they have any."""
    shown = [f"{one.count}x {one.label}" if one.count and counted else one.label for one in named[:most]]
    rest = len(named) - len(shown)
    return say("{shown} and {rest} more", shown=row(shown, say), rest=rest) if rest else row(shown, say)


def apart(sections: Mapping[str, int], say: Language) -> str:
    """Return " (4 in the deck, 1 in the side deck)", nothing where all stand in the deck alone."""
    if sections.keys() <= {"main"}:
        return ""
    places = [
        say("{count} in the {section}", count=count, section=section_name(section, say))
        for section, count in sections.items()
    ]
    return say(" ({places})", places=row(places, say))


def marked_reading(message: Callable[[Finding, Language], str]) -> Callable[[Finding, Language], str]:
    """Return a message that also says so if its finding is a warning: one that rests on a reading of the rules only."""

    def marked(finding: Finding, say: Language) -> str:
        text = message(finding, say)
        if finding.severity != WARNING:
            return text
        return say("{text} The rules do not print this limit for the side deck; deckproof reads them so.", text=text)

    return marked


def remove(finding: Finding, say: Language) -> str:
    """Tell what to do with cards that may not be there; a deck without its Leader would be no better."""
    if finding.section == "leader":
        return say("Play another Leader than {card}.", card=card(finding, say))
    if len(finding.cards) > _SHOWN:
        return say("Remove these {cards}.", cards=cards(len(finding.cards), say))
    return _removed(card(finding, say), say)


@lru_cache(maxsize=_REPEATED)
def _removed(card: str, say: Language) -> str:
    return say("Remove {card}.", card=card)


def remove_surplus(finding: Finding, say: Language) -> str:
    """Tell how many copies of a card are too many."""
    return say("Remove {copies} of {card}.", copies=copies(finding.over, say), card=card(finding, say))
