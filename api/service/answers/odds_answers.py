"""The answer to a request for odds, as JSON. Each chance is an exact fraction with its decimal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Annotated, TypedDict

from api.service.answers.ruleset_answers import OpeningJSON, opening_json
from api.service.errors import Invalid, Wrong
from api.service.judges import Judges, request_deck
from api.service.requests import OddsRequest
from validator.deck import has_several
from validator.errors import OddsError, error_text
from validator.field_docs import doc
from validator.findings import NamedJSON
from validator.judge import Judge, SnapshotJSON
from validator.language import ENGLISH, Language, Phrase, phrase
from validator.odds import Chance, Odds, OnCurve, Wish
from validator.odds import odds as odds_of_deck
from validator.rulesets.ruleset import RulesetNameJSON

_LEFT_OUT = "The simplifications of the model."


class ChanceJSON(TypedDict):
    """A probability as JSON."""

    exact: Annotated[str, doc("The chance as a fraction.", example="2323/6580")]
    chance: Annotated[float, doc("The chance, from 0 to 1.", example=0.353)]


class ByTurnJSON(TypedDict):
    """The chances to have seen cards by the player's own `turn`, for going first and for going second, as JSON."""

    turn: int
    first: Annotated[ChanceJSON, doc("Going first.")]
    second: Annotated[ChanceJSON, doc("Going second.")]


class AmongJSON(ChanceJSON):
    """The chance that exactly `copies` of the wished cards are among the Life cards, as JSON."""

    copies: int


class AmongLifeJSON(TypedDict):
    """The chances that copies of wished cards are among the Life cards, as JSON.

    `each` begins with 0 copies. It ends with all copies, or with as many as there are Life cards.
    """

    each: Annotated[list[AmongJSON], doc("The chance of exactly this number of copies.")]
    some: Annotated[ChanceJSON, doc("The chance of one or more.")]
    leaves_out: Annotated[list[str], doc(_LEFT_OUT)]


class SeenJSON(TypedDict):
    """The chances to have seen enough cards for all wishes together, as JSON. `leaves_out` is that of `first_hand`."""

    first_hand: Annotated[ChanceJSON, doc("The chance of the first hand, with the redraw of the rules.")]
    as_dealt: Annotated[ChanceJSON, doc("The chance of the first hand without a redraw.")]
    by_turn: Annotated[ByTurnJSON, doc("The chance by the turn.")]
    leaves_out: Annotated[list[str], doc(_LEFT_OUT)]


class CardOddsJSON(SeenJSON, NamedJSON):
    """The odds to have seen at least one copy of a card of the deck, as JSON.

    `life` is null if the number of Life cards is not known.
    """

    copies: int
    life: AmongLifeJSON | None


class WishedJSON(TypedDict):
    """A wish of the request as JSON: at least `least` of these cards."""

    cards: list[str]
    least: int
    copies: Annotated[int, doc("The number of cards in the deck that fulfil the wish.")]


class WishesJSON(SeenJSON):
    """The odds of all wishes together as JSON. `life` is null if the number of Life cards is not known (or is 0)."""

    of: list[WishedJSON]
    life: Annotated[list[AmongLifeJSON] | None, doc("The odds of each wish separately.")]


class SearchJSON(ChanceJSON):
    """The odds that a search of the `look` top cards of the deck finds one of `targets` cards, as JSON."""

    look: int
    of: Annotated[int, doc("The number of cards in the pile whose top the search looks at.")]
    targets: int
    enough: Annotated[int, doc("The fewest targets that are found four times in five.")]
    leaves_out: Annotated[list[str], doc(_LEFT_OUT)]


class TurnJSON(TypedDict):
    """A turn, and the chances to have seen cards of a cost that its energy pays, as JSON."""

    turn: int
    seen: Annotated[int, doc("The number of cards seen.")]
    energy: Annotated[int, doc("The energy to pay costs with.")]
    exact: Annotated[ChanceJSON, doc("The chance to have seen a card of exactly that cost.")]
    playable: Annotated[ChanceJSON, doc("The chance to have seen a card of that cost or less.")]


class CurveJSON(TypedDict):
    """The chances to have seen cards that can be paid on each turn, from turn 1 to that of the request, as JSON.

    `leaves_out` is that of the first turn, going first.
    """

    first: Annotated[list[TurnJSON], doc("Going first.")]
    second: Annotated[list[TurnJSON], doc("Going second.")]
    without_cost: Annotated[int, doc("The number of cards without a known cost.")]
    leaves_out: Annotated[list[str], doc(_LEFT_OUT)]


class OddsAnswerJSON(TypedDict):
    """All odds of a deck as JSON. `turn` is that of the request.

    `wishes` and `search` are null if the request has no wishes, or no number of cards to look at.
    """

    ruleset: RulesetNameJSON
    catalogue: SnapshotJSON
    deck: Annotated[int, doc("The cards of the deck.")]
    hand: Annotated[int, doc("The cards of a first hand.")]
    life: Annotated[int | None, doc("The number of Life cards. null if it is not known.")]
    turn: int
    cards: list[CardOddsJSON]
    wishes: WishesJSON | None
    search: SearchJSON | None
    curve: Annotated[CurveJSON | None, doc("null if the ruleset has no rule about the energy of a turn.")]
    rules: Annotated[list[OpeningJSON], doc("The rules about the beginning of a game.")]


def odds(judges: Judges, request: OddsRequest, translate: Language = ENGLISH) -> OddsAnswerJSON:
    """Return the odds of drawing the cards of a request's deck as JSON, with texts in a language.

    The cards determine the game if the request names no game and no ruleset. Raises Invalid if the terms are wrong, if
    the text cannot be read or has several decks, or if the odds cannot be computed. The pointer of the last error is
    the option or the deck that is to blame.
    """
    request = judges.with_game(request)
    judge = judges.judge(request.asked)
    deck = request_deck(request.deck, request.decklist, judge.catalogue)
    if has_several(deck):
        raise Invalid([Wrong("/decklist", phrase("This text has several decks. Send only one deck."))])
    try:
        engine = odds_of_deck(judge, deck)
        return _odds_json(engine, judge, request, translate)
    except OddsError as error:
        key = "decklist" if error.key == "deck" and request.decklist is not None else error.key
        raise Invalid([Wrong(f"/{key}", Phrase(_make_sentence, error_text(error)))]) from None


def _make_sentence(text: str, translate: Language) -> str:
    """Return a translatable text in a language, with a capital first letter and a full stop added."""
    translated = translate.text(text)
    return translate("{sentence}.", sentence=translated[:1].upper() + translated[1:])


def _odds_json(engine: Odds, judge: Judge, request: OddsRequest, translate: Language) -> OddsAnswerJSON:
    """Return all odds of a deck as JSON. `engine` computes the odds of that deck, `judge` has its terms and catalogue.

    Raises OddsError if they cannot be computed for an option of the request.
    """
    life, ruleset = engine.life(request.life), judge.terms.ruleset
    return {
        "ruleset": {"id": ruleset.id, "title": ruleset.title},
        "catalogue": judge.made_with["catalogue"],
        "deck": engine.size,
        "hand": engine.hand,
        "life": life,
        "turn": request.turn,
        "cards": list(_cards_json(engine, request.turn, life, translate)),
        "wishes": _wishes_json(engine, request, life, translate),
        "search": _search_json(engine, request, translate),
        "curve": _curve_json(engine, request.turn, translate),
        "rules": opening_json(ruleset, translate),
    }


def chance_json(chance: Fraction) -> ChanceJSON:
    """Return a chance from 0 to 1 as an exact fraction ("3/5") and as a decimal number."""
    return {"exact": str(chance), "chance": float(chance)}


def _left_out(answers: Iterable[Chance], translate: Language) -> list[str]:
    """Return the translated sentences on the simplifications behind some chances, each once, in order."""
    return list(dict.fromkeys(translate.text(text) for answer in answers for text in answer.leaves_out))


def _cards_json(engine: Odds, turn: int, life: int | None, translate: Language) -> Iterator[CardOddsJSON]:
    """Yield for each card of the main deck the odds to have seen a copy by `turn`, and of copies among the Life cards.

    `life` is the number of Life cards. If it is None, the number is unknown and there are no odds of Life. Cards with
    equal copies share one computation, if a redraw of the first hand depends on all of them or on none.
    """
    odds_by_group: dict[tuple[int, bool], tuple[SeenJSON, AmongLifeJSON | None]] = {}
    for card, copies in engine.cards.items():
        group_key = copies, engine.may_redraw_for(card)
        if group_key not in odds_by_group:
            wish = Wish((card,))
            odds_by_group[group_key] = (
                _seen_json(engine, [wish], turn, translate),
                _among_life_json(engine, wish, life, translate),
            )
        seen, among = odds_by_group[group_key]
        yield {"number": card.number, "name": card.name, "copies": copies, **seen, "life": among}


def _wishes_json(engine: Odds, request: OddsRequest, life: int | None, translate: Language) -> WishesJSON | None:
    """Return the odds that all wishes of a request are seen, and each wish's odds among the Life cards.

    None if the request has no wish. If `life`, the number of Life cards, is None (unknown) or 0, there are no odds of
    Life. Raises OddsError for impossible wishes, and for cards that are not in the deck.
    """
    wishes = request.wishes
    if not wishes:
        return None
    wished: list[WishedJSON] = [
        {"cards": list(map(str, wish.cards)), "least": wish.least, "copies": engine.copies(wish)} for wish in wishes
    ]
    among = [odds for wish in wishes if (odds := _among_life_json(engine, wish, life, translate))]
    return {"of": wished, **_seen_json(engine, wishes, request.turn, translate), "life": among if life else None}


def _seen_json(engine: Odds, wishes: Sequence[Wish], turn: int, translate: Language) -> SeenJSON:
    """Return the odds to have seen enough cards for all wishes: in the first hand, and by a turn.

    Those of the first hand are with and without a redraw. Those by the turn are with a redraw, for going first and for
    going second. Raises the errors of `Odds.seen`.
    """
    hand, dealt = engine.seen(wishes), engine.seen(wishes, redraw=False)
    first, second = (chance_json(engine.seen(wishes, turn, going_first).chance) for going_first in (True, False))
    return {
        "first_hand": chance_json(hand.chance),
        "as_dealt": chance_json(dealt.chance),
        "by_turn": {"turn": turn, "first": first, "second": second},
        "leaves_out": _left_out([hand], translate),
    }


def _among_life_json(engine: Odds, wish: Wish, life: int | None, translate: Language) -> AmongLifeJSON | None:
    """Return the odds that exactly 0, 1, 2 … and at least one of the wished cards are among `life` Life cards.

    None if `life` is None, an unknown number. Raises the errors of `Odds.among_life`.
    """
    if life is None:
        return None
    answers = engine.among_life(wish, life)
    each: list[AmongJSON] = [{"copies": copies, **chance_json(answer.chance)} for copies, answer in enumerate(answers)]
    return {"each": each, "some": chance_json(1 - answers[0].chance), "leaves_out": _left_out(answers, translate)}


def _search_json(engine: Odds, request: OddsRequest, translate: Language) -> SearchJSON | None:
    """Return the odds that a search of the top `look` cards finds a target. None if the request has no `look`.

    Raises OddsError if the request has no targets, and the errors of `Odds.search`.
    """
    if request.look is None:
        return None
    if request.targets is None:
        raise OddsError("targets", "say what the search looks for: cards of the deck, or how many there are")
    found = engine.search(request.look, request.targets, request.searcher)
    return {
        "look": found.look,
        "of": found.of,
        "targets": found.targets,
        **chance_json(found.answer.chance),
        "enough": found.enough,
        "leaves_out": _left_out([found.answer], translate),
    }


def _curve_json(engine: Odds, turns: int, translate: Language) -> CurveJSON | None:
    """Return the chances to have seen a card of a payable cost on each turn from 1 to `turns`, going first and second.

    None if the game has no energy to pay costs with.
    """
    first, second = list(engine.curve(turns, True)), list(engine.curve(turns, False))
    if not first:
        return None
    return {
        "first": list(map(_turn_json, first)),
        "second": list(map(_turn_json, second)),
        "without_cost": engine.without_cost(),
        "leaves_out": _left_out([first[0].exact], translate),
    }


def _turn_json(point: OnCurve) -> TurnJSON:
    """Return one turn of the cost curve as JSON: the number of cards seen, the energy, and two chances.

    They are the chances to have seen a card that costs exactly the energy of the turn, and one that costs at most that.
    """
    return {
        "turn": point.turn,
        "seen": point.seen,
        "energy": point.energy,
        "exact": chance_json(point.exact.chance),
        "playable": chance_json(point.playable.chance),
    }
