"""Words that sentences about decks are made of: counts, cards, sections, as each language says them."""

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
    """Return a message that also says so if the rule of its finding is only read into the document that is cited."""

    def marked(finding: Finding, say: Language) -> str:
        text = message(finding, say)
        if not finding.rule.is_reading:
            return text
        return say("{text} The rules do not print this limit for the side deck; deckproof reads them so.", text=text)

    return marked


def fix(finding: Finding, say: Language) -> str:
    """Return the sentences for a finding's changes; it may have none, because those of other findings are enough."""
    changes = finding.changes
    leaders = [change for change in changes if change.target == "leader" and not change.origin]
    if not changes and finding.severity == WARNING:
        return say("Ask the organiser, or look at the official page.")
    if not changes:
        return say("The other fixes solve this, too.")
    parts = list(_leader_changes(finding, leaders[0], say)) if leaders else []
    removed = [one for one in changes if not one.target and not (leaders and one.origin == "leader")]
    for section in dict.fromkeys(one.origin for one in removed):
        named = [one for one in removed if one.origin == section and one.cards]
        if named:
            parts.append(_removed(named, section, say))
        if others := sum(one.count for one in removed if one.origin == section and not one.cards):
            parts.append(_removed_any(others, section, say))
    parts += [_moved(one, say) for one in changes if one.origin and one.target]
    added: dict[str, int] = {}
    for one in changes:
        if one.target and not one.origin and one.target != "leader":
            added[one.target] = added.get(one.target, 0) + one.count
    parts += [_added(count, section, say) for section, count in added.items()]
    return " ".join(parts)


def _leader_changes(finding: Finding, added: FixChange, say: Language) -> Iterator[str]:
    """Yield the sentences that name the Leaders to play, and the one to leave out."""
    gone = [change.cards[0].label for change in finding.changes if change.origin == "leader" and not change.target]
    leaders = either([card.label for card in added.cards], say) if added.cards else say("a legal Leader")
    if not gone:
        yield say("Play {leaders} as the Leader.", leaders=leaders)
        return
    if finding.section != "leader":
        yield say("Is {leader} the Leader you play?", leader=joined(gone, say))
    yield say("Play {leaders} instead of {card}.", leaders=leaders, card=joined(gone, say))


def _removed(changes: Sequence[FixChange], section: str | None, say: Language) -> str:
    if len(changes) > _SHOWN:
        total = cards(sum(one.count for one in changes), say)
        return say("Remove these {cards}.", cards=total)
    first = changes[0]
    if len(changes) == 1 and section == "main":
        return _removed_copies(first.count, first.cards[0].label, say)
    named = [say("{copies} of {card}", copies=copies(one.count, say), card=one.cards[0].label) for one in changes]
    if section == "main":
        return say("Remove {cards}.", cards=joined(named, say))
    return say("Remove {cards} from the {section}.", cards=joined(named, say), section=section_name(section, say))


@lru_cache(maxsize=_REPEATED)
def _removed_copies(count: int, card: str, say: Language) -> str:
    return say("Remove {copies} of {card}.", copies=copies(count, say), card=card)


@lru_cache(maxsize=_REPEATED)
def _removed_any(count: int, section: str | None, say: Language) -> str:
    return say("Remove {cards} from the {section}.", cards=cards(count, say), section=section_name(section, say))


@lru_cache(maxsize=_REPEATED)
def _added(count: int, section: str, say: Language) -> str:
    return say("Add {cards} to the {section}.", cards=cards(count, say), section=section_name(section, say))


def _moved(change: FixChange, say: Language) -> str:
    return say(
        "Move {copies} of {card} from the {origin} to the {target}.",
        copies=copies(change.count, say),
        card=change.cards[0].label,
        origin=section_name(change.origin, say),
        target=section_name(change.target, say),
    )
