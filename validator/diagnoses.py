"""Diagnoses: what one thing explains most findings of a deck, to be said before them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from validator import words
from validator.findings import Finding, NamedCard
from validator.games import GAMES
from validator.numbers import fitting

if TYPE_CHECKING:
    from validator.judge import Verdict

_FEWEST = 3  # cards that must have one reason, and they must be most of the deck's


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What likely explains most findings, as a sentence, and what to do or to ask about it.

    `code` is its name, stable for ever; `game` the id of another game that the deck is of, where it is judged.
    """

    code: str
    message: str
    fix: str
    cards: tuple[NamedCard, ...] = ()
    game: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return {
            "code": self.code,
            "message": self.message,
            "fix": self.fix,
            "cards": [{"number": card.number, "name": card.name} for card in self.cards],
            "game": self.game,
        }


OTHER_GAME = "game.other"
INCOMPLETE = "catalogue.incomplete"
OTHER_LEADER = "leader.other"
OTHER_FORMAT = "format.other"
OTHER_DAY = "day.other"
CODES = (OTHER_GAME, INCOMPLETE, OTHER_LEADER, OTHER_FORMAT, OTHER_DAY)
# With one of these the rest of the verdict says little of the deck.
_UNJUDGEABLE = frozenset({OTHER_GAME, INCOMPLETE})


def is_unjudgeable(of: Verdict) -> bool:
    """Tell whether a verdict says little of its deck, for most of it is not known or is of another game."""
    return any(diagnosis.code in _UNJUDGEABLE for diagnosis in of.diagnoses)


def diagnoses(of: Verdict) -> Iterator[Diagnosis]:
    """Yield what explains most of a verdict's findings, the gravest first."""
    by_code: dict[str, list[Finding]] = {}
    for finding in of.findings:
        by_code.setdefault(finding.code, []).append(finding)
    if unknown := by_code.get("card.unknown"):
        yield from _other_game(of) or _incomplete(of, unknown)
    if len(of.findings) >= _FEWEST:
        yield from _of_most(of, by_code)


def _of_most(of: Verdict, by_code: Mapping[str, Sequence[Finding]]) -> Iterator[Diagnosis]:
    """Yield what explains that most of the deck's cards have one thing against them."""
    cards = len({card for counts in of.facts.counts.values() for card in counts})
    barred = [*by_code.get("color.mismatch", ()), *_by_leader(of, by_code.get("effect.forbidden", ()))]
    if _most(barred, cards):
        yield from _other_leader(of, barred, cards)
    if _most(rotated := by_code.get("block.rotated", ()), cards):
        yield from _other_format(rotated, cards)
    if _most(early := by_code.get("card.unreleased", ()), cards):
        yield _other_day(of, early, cards)


def _most(findings: Sequence[Finding], cards: int) -> bool:
    return len(findings) >= _FEWEST and 2 * len(findings) > cards


def _other_game(of: Verdict) -> list[Diagnosis]:
    """Tell a deck whose numbers are rather those of another game."""
    numbers = {line.number for _, line in of.facts.deck.lines() if line.number}
    own, fit = GAMES[of.judge.catalogue.game].title, fitting(numbers)
    title, most = max(fit.items(), key=itemgetter(1), default=(own, 0))
    if most <= fit[own] or 2 * most <= len(numbers):
        return []
    id = next((game.id for game in GAMES.values() if game.title == title), None)
    message = f"These are {title} numbers ({most} of {len(numbers)}), and the deck was judged as one of {own}."
    fix = f"Judge it as a deck of the game {id}." if id else f"Decks of {title} are not judged here."
    return [Diagnosis(OTHER_GAME, message, fix, game=id)]


def _incomplete(of: Verdict, unknown: Sequence[Finding]) -> list[Diagnosis]:
    """Tell a deck of which most cards are not in the catalogue."""
    catalogue, told = of.judge.catalogue, {id(card) for counts in of.facts.counts.values() for card in counts}
    every = len(told) + len(unknown)
    if 2 * len(unknown) <= every:
        return []
    message = (
        f"The deck cannot be judged with the catalogue {catalogue.snapshot} ({len(catalogue):,} cards): "
        f"{len(unknown)} of the deck's {words.cards(every)} are not in it."
    )
    return [Diagnosis(INCOMPLETE, message, "Check the numbers; right ones are of cards newer than this catalogue.")]


def _by_leader(of: Verdict, forbidden: Sequence[Finding]) -> list[Finding]:
    leader = of.facts.leader
    return [finding for finding in forbidden if leader and finding.rule.document == leader.label]


def _other_leader(of: Verdict, barred: Sequence[Finding], cards: int) -> Iterator[Diagnosis]:
    leader = of.facts.leader
    if leader is None:
        return
    named = NamedCard.of(leader)
    foreign = {color: None for finding in barred for color in finding.details.get("colors", ())}
    are = f" ({words.joined([*foreign])})" if foreign else ""
    message = f"{len(barred)} of the deck's {words.cards(cards)}{are} may not be played with the Leader {named.label}."
    yield Diagnosis(OTHER_LEADER, message, f"Is {named.label} the Leader you play?", (named,))


def _other_format(rotated: Sequence[Finding], cards: int) -> Iterator[Diagnosis]:
    details = rotated[0].details
    if formats := details["formats"]:
        message = f"The {details['format']} format does not take {len(rotated)} of the deck's {words.cards(cards)}."
        yield Diagnosis(
            OTHER_FORMAT, message, f"Is the event in the format {words.joined(formats, 'or')}? It takes them."
        )


def _other_day(of: Verdict, early: Sequence[Finding], cards: int) -> Diagnosis:
    last = max(finding.details["legal_from"] for finding in early)
    of_all = f"{len(early)} of the deck's {words.cards(cards)}"
    message = f"{of_all} are not yet legal on {of.judge.terms.on}; all of them are from {last}."
    return Diagnosis(OTHER_DAY, message, "Is this the day of the event?")
