"""Teams: the cards, Leaders and colours that the decks of team mates may not share, by the organiser's rule.

Manuals have no such rule, so every finding cites the organiser's policy. Each deck is judged separately before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, NamedTuple, TypedDict

from validator import words
from validator.field_docs import doc
from validator.findings import ADVICE, ERROR, Citation, Code, Finding, FindingJSON, NamedCard
from validator.judge import Verdict, VerdictJSON
from validator.language import ENGLISH, Language
from validator.rules.base import POLICY_DOCUMENT
from validator.swap import count_copies

_CARDS = ("main", "side", "z")
_DECKS: Mapping[str, tuple[type, str]] = {"decks": (dict, "How many copies each deck has, by the name of the deck.")}


def _join_deck_names(finding: Finding, translate: Language) -> str:
    """Return the names of a finding's decks as "a, b and c"."""
    return words.join_with_and(list(finding.details["decks"]), translate)


def _shared_cards_message(finding: Finding, translate: Language) -> str:
    """Return the message of `team.shared_card`, with the copies of each deck.

    It is advice, or the limit of copies over all decks, or that only one deck may have the card.
    """
    decks = [f"{name} {copies}" for name, copies in finding.details["decks"].items()]
    card, copies_by_deck = words.card_text(finding, translate), words.join_with_commas(decks, translate)
    if finding.severity == ADVICE:
        return translate("{card} is in several decks of the team: {decks}.", card=card, decks=copies_by_deck)
    if finding.details["copies"]:
        copies = words.copies_text(finding.count, translate)
        return translate(
            "{copies} of {card} in the team ({decks}), but at most {limit} are allowed.",
            copies=copies,
            card=card,
            decks=copies_by_deck,
            limit=finding.limit,
        )
    return translate(
        "{card} is in several decks of the team ({decks}), but only one deck may have the card.",
        card=card,
        decks=copies_by_deck,
    )


def _shared_fix(finding: Finding, translate: Language) -> str:
    """Return the fix of a finding on a shared card or Leader: to use it in one deck, or to remove copies.

    For advice it is to ask the organiser.
    """
    if finding.severity == ADVICE:
        return translate("Ask the organiser what the decks of a team may share.")
    if finding.details.get("copies"):
        return translate(
            "Remove {copies} from the decks of the team.", copies=words.copies_text(finding.over, translate)
        )
    return translate("Use {card} in one deck only.", card=words.card_text(finding, translate))


SHARED_CARD = Code(
    "team.shared_card",
    "Decks of a team share a card, or have more copies of it together than the organiser allows.",
    _shared_cards_message,
    _shared_fix,
    {**_DECKS, "copies": (bool, "Whether copies over the team are limited, and not the decks that have the card.")},
)
SHARED_LEADER = Code(
    "team.shared_leader",
    "Decks of a team have the same Leader.",
    lambda f, translate: translate(
        "The decks {decks} have the same Leader, {card}.",
        decks=_join_deck_names(f, translate),
        card=words.card_text(f, translate),
    ),
    _shared_fix,
    _DECKS,
)
SHARED_COLOR = Code(
    "team.shared_color",
    "Decks of a team have the same colour.",
    lambda f, translate: translate(
        "The decks {decks} have the same colour, {color}.",
        decks=_join_deck_names(f, translate),
        color=translate.template(f.details["color"]),
    ),
    lambda f, translate: translate("Use {color} in one deck only.", color=translate.template(f.details["color"])),
    {**_DECKS, "color": (str, "The colour.")},
)
CODES = (SHARED_CARD, SHARED_LEADER, SHARED_COLOR)


class TeamRule(NamedTuple):
    """The organiser's rule for the decks of a team together. None and False set no limit.

    `copies` is the most copies of one card number over all decks. `unique_cards`, `unique_leaders` and `unique_colors`
    allow each card, Leader or colour in only one deck. Cards are those of main deck, side deck and Z-Deck. Colours are
    those of the Leader, or of the main and side deck in games without Leaders.
    """

    copies: int | None = None
    unique_cards: bool = False
    unique_leaders: bool = False
    unique_colors: bool = False


class TeamDeck(NamedTuple):
    """A judged deck of a team: its name, and its verdict."""

    name: str
    verdict: Verdict


class TeamDeckVerdictJSON(TypedDict):
    """The verdict on one deck of a team as JSON."""

    name: Annotated[str, doc("The name of the deck in the request.")]
    verdict: VerdictJSON


class TeamVerdictJSON(TypedDict):
    """The verdict on the decks of a team as JSON."""

    legal: Annotated[bool, doc("True exactly when every deck is legal and no finding on the team is an error.")]
    findings: Annotated[list[FindingJSON], doc("The findings on shared cards.")]
    decks: Annotated[list[TeamDeckVerdictJSON], doc("The verdict on each deck, in the order of the request.")]


class TeamVerdict(NamedTuple):
    """The verdict on the decks of a team together, made by `judge_team`.

    `findings` are only those on shared cards, Leaders, copies and colours. Each deck's own are in its verdict.
    """

    decks: tuple[TeamDeck, ...]
    findings: tuple[Finding, ...]

    @property
    def legal(self) -> bool:
        """True if each deck is legal and no finding on the team is an error."""
        each = all(deck.verdict.legal for deck in self.decks)
        return each and all(finding.severity != ERROR for finding in self.findings)

    def as_dict(self, explain: bool = False, translate: Language = ENGLISH) -> TeamVerdictJSON:
        """Return the verdict as JSON. With `explain` each deck's verdict also contains the checked rules."""
        return {
            "legal": self.legal,
            "findings": [finding.as_dict(translate=translate) for finding in self.findings],
            "decks": [{"name": name, "verdict": verdict.as_dict(explain, translate)} for name, verdict in self.decks],
        }


def judge_team(decks: Sequence[TeamDeck], rule: TeamRule) -> TeamVerdict:
    """Return the verdict on judged decks together. Raises ValueError if two decks have the same name.

    If the rule sets no limit, the cards and Leaders that decks share are reported as advice.
    """
    if len({deck.name for deck in decks}) < len(decks):
        raise ValueError("two decks of a team have one name")
    return TeamVerdict(tuple(decks), tuple(_find_shared(decks, rule)))


def _find_shared(decks: Sequence[TeamDeck], rule: TeamRule) -> Iterator[Finding]:
    """Yield the findings of a team rule on Leaders, cards, copies and colours, in this order.

    If the rule sets no limit, yield advice on shared Leaders and cards.
    """
    has_no_limit = rule == TeamRule()
    leaders, cards = _copies_by_deck(decks, ("leader",)), _copies_by_deck(decks, _CARDS)
    if rule.unique_leaders or has_no_limit:
        yield from _find_shared_cards(SHARED_LEADER, leaders, "unique_leaders", has_no_limit)
    if rule.unique_cards or has_no_limit:
        yield from _find_shared_cards(SHARED_CARD, cards, "unique_cards", has_no_limit, {"copies": False})
    if rule.copies is not None:
        yield from _find_too_many_copies(cards, rule.copies)
    if rule.unique_colors:
        yield from _find_shared_colors(decks)


_CopiesByDeck = Mapping[NamedCard, Mapping[str, int]]


def _copies_by_deck(decks: Sequence[TeamDeck], sections: tuple[str, ...]) -> _CopiesByDeck:
    """Return the copies by deck name of each card, over these sections. Cards are sorted by number and name.

    Decks without the card are left out. Cards that are not in the catalogue are included.
    """
    found: dict[NamedCard, dict[str, int]] = {}
    for name, verdict in decks:
        for card, copies in count_copies(verdict.facts, sections).items():
            found.setdefault(card, {})[name] = copies
    return dict(sorted(found.items(), key=lambda item: (item[0].number, item[0].name)))


def _find_shared_cards(
    code: Code, copies_by_deck: _CopiesByDeck, policy: str, is_advice: bool, details: Mapping[str, object] | None = None
) -> Iterator[Finding]:
    """Yield a finding of this code for each card that several decks have. It is advice if `is_advice`, else an error.

    `policy` is the setting of the team rule that is cited. `details` are further details of the finding.
    """
    for card, copies in copies_by_deck.items():
        if len(copies) > 1:
            yield _make_finding(code, policy, card, copies, ADVICE if is_advice else ERROR, details)


def _find_too_many_copies(copies_by_deck: _CopiesByDeck, limit: int) -> Iterator[Finding]:
    """Yield an error for each card of which the decks have more than `limit` copies together."""
    for card, copies in copies_by_deck.items():
        if sum(copies.values()) > limit:
            yield _make_finding(SHARED_CARD, "copies", card, copies, ERROR, {"copies": True}, limit)


def _make_finding(
    code: Code,
    policy: str,
    card: NamedCard,
    copies: Mapping[str, int],
    severity: str,
    details: Mapping[str, object] | None = None,
    limit: int | None = None,
) -> Finding:
    """Return a finding on a card that several decks have. `copies` are its copies by deck name, which are added up.

    `policy` is the setting of the team rule that is cited. `details` are added to the detail `decks`.
    """
    count = sum(copies.values())
    return Finding(
        code,
        _cite_policy(policy),
        None,
        severity,
        cards=(NamedCard(card.number, card.name, count),),
        count=count,
        limit=limit,
        details={"decks": copies, **(details or {})},
    )


def _find_shared_colors(decks: Sequence[TeamDeck]) -> Iterator[Finding]:
    """Yield an error for each colour that several decks have, sorted by colour.

    The colours are those of the Leaders, or in a ruleset without Leaders those of main and side deck. Cards that do not
    fit into their section are ignored.
    """
    found: dict[str, dict[str, int]] = {}
    for name, verdict in decks:
        has_leader = "leader" in verdict.judge.terms.ruleset.sections
        for section in ("leader",) if has_leader else ("main", "side"):
            for card, copies in verdict.facts.fitting_cards(section):
                for color in card.colors:
                    decks_of = found.setdefault(color, {})
                    decks_of[name] = decks_of.get(name, 0) + copies
    for color, copies_by_deck in sorted(found.items()):
        if len(copies_by_deck) > 1:
            details = {"decks": copies_by_deck, "color": color}
            yield Finding(
                SHARED_COLOR, _cite_policy("unique_colors"), count=len(copies_by_deck), limit=1, details=details
            )


def _cite_policy(policy: str) -> Citation:
    """Return the citation of a setting of the organiser's team rule, such as "unique_cards"."""
    return Citation(POLICY_DOCUMENT, f"team, {policy}")
