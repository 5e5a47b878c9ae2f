"""Diagnoses: a single cause that explains most findings of a deck, shown before the findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, TypedDict

from validator import words
from validator.deck import UNLISTED, DeckFacts
from validator.field_docs import doc
from validator.findings import ERROR, Finding, NamedCard, NamedJSON
from validator.games import GAMES, UNJUDGED
from validator.language import ENGLISH, Language
from validator.numbers import count_by_game

_FEWEST = 3  # least number of findings with one cause. Their cards must also be more than half of the deck.
OTHER_GAME = "game.other"
INCOMPLETE = "catalogue.incomplete"
OTHER_LEADER = "leader.other"
OTHER_FORMAT = "format.other"
OTHER_DAY = "day.other"
CODES = (OTHER_GAME, INCOMPLETE, OTHER_LEADER, OTHER_FORMAT, OTHER_DAY)


class DiagnosisJSON(TypedDict):
    """The probable common cause of most findings of a verdict, as JSON.

    For other causes than another Leader `cards` is empty. For others than another game `game` is null.
    """

    code: Annotated[str, doc("Stable for ever.", enum=CODES)]
    message: Annotated[str, doc("The cause of most findings, in a sentence.")]
    fix: Annotated[str, doc("What to do, or to ask, in a sentence.")]
    cards: Annotated[list[NamedJSON], doc("The Leader, if the deck seems to be for another Leader.")]
    game: Annotated[str | None, doc("The probable game of the deck, if this server judges it.")]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The likely cause of most findings on a deck, as a sentence (`message`) with advice (`fix`), in one language.

    `code` is one of CODES, the permanent names. `cards` is the Leader if the Leader is the cause, else (). `game` is
    the id of the game that most numbers are of, if it is another one that is judged here, else None.
    """

    code: str
    message: str
    fix: str
    cards: tuple[NamedCard, ...] = ()
    game: str | None = None

    def as_dict(self) -> DiagnosisJSON:
        """Return the diagnosis as JSON."""
        return {
            "code": self.code,
            "message": self.message,
            "fix": self.fix,
            "cards": [{"number": card.number, "name": card.name} for card in self.cards],
            "game": self.game,
        }


def find_diagnoses(
    facts: DeckFacts, findings: Sequence[Finding], day: date, translate: Language = ENGLISH
) -> Iterator[Diagnosis]:
    """Yield the diagnoses that explain most findings on a deck judged for a day, the most serious first.

    The order is: another game or else an incomplete catalogue, the Leader, another format, another day. The first two
    need a finding on an unknown card, the others at least three findings of their kind. `translate` is the language of
    their sentences.
    """
    by_code: dict[str, list[Finding]] = {}
    for finding in findings:
        by_code.setdefault(finding.code, []).append(finding)
    if unknown := by_code.get("card.unknown"):
        yield from _diagnose_game(facts, translate) or _diagnose_catalogue(facts, unknown, translate)
    if len(findings) < _FEWEST:
        return
    if barred := barred_by_leader(facts, findings):
        yield from _diagnose_leader(facts, barred, translate)
    cards = _count_played(facts)
    if _are_most(rotated := by_code.get("block.rotated", ()), cards):
        yield from _diagnose_format(rotated, cards, translate)
    early = [finding for finding in by_code.get("card.unreleased", ()) if finding.severity == ERROR]
    if _are_most(early, cards):
        yield _diagnose_day(early, cards, day, translate)


def barred_by_leader(facts: DeckFacts, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings on cards of other colours than the Leader's, and on cards that the Leader's own text forbids.

    [] if they are fewer than three, if their copies are not more than half of the deck without its Leader, or if the
    Leader is unknown.
    """
    leader = facts.leader
    if leader is None or len(findings) < _FEWEST:
        return []
    barred = [
        finding
        for finding in findings
        if finding.code == "color.mismatch"
        or (finding.code == "effect.forbidden" and finding.rule.document == leader.label)
    ]
    return barred if _are_most(barred, _count_played(facts) - facts.sizes["leader"]) else []


def _count_played(facts: DeckFacts) -> int:
    """Return the number of cards of a deck with its Leader and side deck.

    The DON!! deck and the resource deck are not counted.
    """
    return sum(size for section, size in facts.sizes.items() if section not in UNLISTED)


def _sum_copies(findings: Sequence[Finding]) -> int:
    """Return the sum of the findings' counts, 0 for a finding without one."""
    return sum(finding.count or 0 for finding in findings)


def _are_most(findings: Sequence[Finding], cards: int) -> bool:
    """Return True if there are at least three findings, and their copies are more than half of this number of cards."""
    return len(findings) >= _FEWEST and 2 * _sum_copies(findings) > cards


def _diagnose_game(facts: DeckFacts, translate: Language) -> list[Diagnosis]:
    """Return the diagnosis that a deck is of another game, as a list of one, else an empty list.

    More than half of the deck's different numbers must be of the other game, and more than are of its own game. The
    other game may be one that is not judged here. The diagnosis then has no game id.
    """
    numbers = {line.number for _, line in facts.deck.lines() if line.number}
    own, fit = GAMES[facts.catalogue.game].title, count_by_game(numbers)
    # Of games that share these numbers, the first one is the likeliest.
    title = max([*(game.title for game in GAMES.values()), *UNJUDGED], key=fit.__getitem__)
    most = fit[title]
    if most <= fit[own] or 2 * most <= len(numbers):
        return []
    id = next((game.id for game in GAMES.values() if game.title == title), None)
    message = translate(
        "{most} of the {numbers} numbers are of {title}, but the deck was judged as a deck of {own}.",
        title=title,
        most=most,
        numbers=len(numbers),
        own=own,
    )
    fix = (
        translate("Choose the game {game}.", game=id)
        if id
        else translate("Decks of {title} cannot be checked here.", title=title)
    )
    return [Diagnosis(OTHER_GAME, message, fix, game=id)]


def _diagnose_catalogue(facts: DeckFacts, unknown: Sequence[Finding], translate: Language) -> list[Diagnosis]:
    """Return the diagnosis that more than half of a deck's cards are not in the catalogue, as a list of one, else [].

    Each copy is counted. `unknown` are the findings on unknown cards.
    """
    catalogue = facts.catalogue
    every = _count_played(facts)
    missing = sum(finding.count or 0 for finding in unknown)
    if 2 * missing <= every:
        return []
    values = {
        "catalogue": words.catalogue_name(catalogue.as_of, catalogue.snapshot, translate),
        "size": len(catalogue),
        "some": missing,
        "cards": words.cards_text(every, translate),
    }
    if any(card.number for finding in unknown for card in finding.cards):
        message = translate(
            "The deck cannot be judged: {some} of the deck's {cards} are not in the catalogue "
            "{catalogue} ({size:,} cards).",
            **values,
        )
        fix = translate("Check the numbers. If the numbers are correct, the cards are newer than our card list.")
    else:
        message = translate(
            "The deck cannot be judged: the names of {some} of the deck's {cards} are not in the "
            "catalogue {catalogue} ({size:,} cards).",
            **values,
        )
        fix = translate(
            "Write the cards' numbers or full names. If the names are correct, the cards are newer than our card list."
        )
    return [Diagnosis(INCOMPLETE, message, fix)]


def _diagnose_leader(facts: DeckFacts, barred: Sequence[Finding], translate: Language) -> Iterator[Diagnosis]:
    """Yield the diagnosis that the Leader bars most cards, with their foreign colours.

    Nothing if the Leader is unknown. `barred` are the findings of `barred_by_leader`.
    """
    leader = facts.leader
    if leader is None:
        return
    named = NamedCard.from_card(leader)
    foreign = {color: None for finding in barred for color in finding.details.get("colors", ())}
    message = translate(
        "{some} of the deck's {cards}{colors} may not be played with the Leader {leader}.",
        some=_sum_copies(barred),
        cards=words.cards_text(_count_played(facts) - facts.sizes["leader"], translate),
        colors=translate(" ({places})", places=words.join_with_and(words.fact_names([*foreign], translate), translate))
        if foreign
        else "",
        leader=named.label,
    )
    yield Diagnosis(OTHER_LEADER, message, translate("Is {leader} the Leader you play?", leader=named.label), (named,))


def _diagnose_format(rotated: Sequence[Finding], cards: int, translate: Language) -> Iterator[Diagnosis]:
    """Yield the diagnosis that most of the `cards` are not legal in the format, with the formats in which they are.

    Nothing if there is no such format. `rotated` are the findings on blocks that are not legal.
    """
    details = rotated[0].details
    if formats := details["formats"]:
        message = translate(
            "{some} of the deck's {cards} are not legal in the {format} format.",
            format=words.format_name(details["format"], translate),
            some=_sum_copies(rotated),
            cards=words.cards_text(cards, translate),
        )
        fix = translate(
            "Is the event in the format {formats}? These cards are legal there.",
            formats=words.join_with_or([words.format_name(format, translate) for format in formats], translate),
        )
        yield Diagnosis(OTHER_FORMAT, message, fix)


def _diagnose_day(early: Sequence[Finding], cards: int, day: date, translate: Language) -> Diagnosis:
    """Return the diagnosis that most of the `cards` are not legal yet, with the first day on which all of them are.

    `early` are the findings on unreleased cards.
    """
    last = max(finding.details["legal_from"] for finding in early)
    message = translate(
        "{some} of the deck's {cards} are not yet legal on {day}. All of them are legal from {last}.",
        some=_sum_copies(early),
        cards=words.cards_text(cards, translate),
        day=day,
        last=last,
    )
    return Diagnosis(OTHER_DAY, message, translate("Is this the day of the event?"))
