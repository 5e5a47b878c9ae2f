"""The answer to a request for odds, as JSON. Each chance is an exact fraction with its decimal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Annotated, TypedDict

from api.service.answers.json_schema import doc
from api.service.answers.ruleset_answers import OpeningJSON, opening_json
from api.service.answers.verdict_answers import NamedJSON, RulesetNameJSON, SnapshotJSON
from api.service.errors import Invalid, Wrong
from api.service.judges import Judges, request_deck
from api.service.requests import OddsRequest
from validator.deck import has_several
from validator.errors import OddsError, error_text
from validator.judge import Judge
from validator.language import ENGLISH, Language, Phrase, phrase
from validator.odds import Chance, Odds, OnCurve, Wish
from validator.odds import odds as odds_of_deck

_LEFT_OUT = "The simplifications of the model."


class ChanceJSON(TypedDict):
    exact: Annotated[str, doc("The chance as a fraction.", example="2323/6580")]
    chance: Annotated[float, doc("The chance, from 0 to 1.", example=0.353)]


class ByTurnJSON(TypedDict):
    turn: int
    first: Annotated[ChanceJSON, doc("Going first.")]
    second: Annotated[ChanceJSON, doc("Going second.")]


class AmongJSON(ChanceJSON):
    copies: int


class AmongLifeJSON(TypedDict):
    each: Annotated[list[AmongJSON], doc("The chance of exactly this number of copies.")]
    some: Annotated[ChanceJSON, doc("The chance of one or more.")]
    leaves_out: Annotated[list[str], doc(_LEFT_OUT)]


class SeenJSON(TypedDict):
    first_hand: Annotated[ChanceJSON, doc("The chance of the first hand, with the redraw of the rules.")]
    as_dealt: Annotated[ChanceJSON, doc("The chance of the first hand without a redraw.")]
    by_turn: Annotated[ByTurnJSON, doc("The chance by the turn.")]
    leaves_out: Annotated[list[str], doc(_LEFT_OUT)]


class CardOddsJSON(SeenJSON, NamedJSON):
    copies: int
    life: AmongLifeJSON | None


class WishedJSON(TypedDict):
    cards: list[str]
    least: int
    copies: Annotated[int, doc("The number of cards in the deck that fulfil the wish.")]


class WishesJSON(SeenJSON):
    of: list[WishedJSON]
    life: Annotated[list[AmongLifeJSON] | None, doc("The odds of each wish separately.")]


class SearchJSON(ChanceJSON):
    look: int
    of: Annotated[int, doc("The number of cards in the pile whose top the search looks at.")]
    targets: int
    enough: Annotated[int, doc("The fewest targets that are found four times in five.")]
    leaves_out: Annotated[list[str], doc(_LEFT_OUT)]


class TurnJSON(TypedDict):
    turn: int
    seen: Annotated[int, doc("The number of cards seen.")]
    energy: Annotated[int, doc("The energy to pay costs with.")]
    exact: Annotated[ChanceJSON, doc("The chance to have seen a card of exactly that cost.")]
    playable: Annotated[ChanceJSON, doc("The chance to have seen a card of that cost or less.")]


class CurveJSON(TypedDict):
    first: Annotated[list[TurnJSON], doc("Going first.")]
    second: Annotated[list[TurnJSON], doc("Going second.")]
    without_cost: Annotated[int, doc("The number of cards without a known cost.")]
    leaves_out: Annotated[list[str], doc(_LEFT_OUT)]


class OddsAnswerJSON(TypedDict):
    ruleset: RulesetNameJSON
    catalogue: SnapshotJSON
    deck: Annotated[int, doc("The cards of the deck.")]
    hand: Annotated[int, doc("The cards of a first hand.")]
    life: Annotated[int | None, doc("The number of Life cards. null if it is not known.")]
    turn: int
    cards: list[CardOddsJSON]
    wishes: WishesJSON | None
    search: SearchJSON | None
    curve: Annotated[CurveJSON | None, doc("null if cards of the game have no costs.")]
    rules: Annotated[list[OpeningJSON], doc("The rules about the beginning of a game.")]


def odds(judges: Judges, request: OddsRequest, translate: Language = ENGLISH) -> OddsAnswerJSON:
    """Return the odds of a request, with texts in a language.

    Raises Invalid if the text has several decks, or if the odds of this deck cannot be computed.
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
    """Return a text in a language as a sentence: with a capital letter and a full stop."""
    translated = translate.text(text)
    return translate("{sentence}.", sentence=translated[:1].upper() + translated[1:])


def _odds_json(engine: Odds, judge: Judge, request: OddsRequest, translate: Language) -> OddsAnswerJSON:
    """Return all odds of a deck as JSON."""
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
    """Return a chance as a fraction and as a decimal."""
    return {"exact": str(chance), "chance": float(chance)}


def _left_out(answers: Iterable[Chance], translate: Language) -> list[str]:
    """Return the texts about everything that the model of some answers leaves out, each once."""
    return list(dict.fromkeys(translate.text(text) for answer in answers for text in answer.leaves_out))


def _cards_json(engine: Odds, turn: int, life: int | None, translate: Language) -> Iterator[CardOddsJSON]:
    """Yield the odds of each card. Cards with equal copies have equal odds, unless a redraw depends on the card."""
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
    """Return the odds of all wishes together. None if the request has no wish."""
    wishes = request.wishes
    if not wishes:
        return None
    wished: list[WishedJSON] = [
        {"cards": list(map(str, wish.cards)), "least": wish.least, "copies": engine.copies(wish)} for wish in wishes
    ]
    among = [odds for wish in wishes if (odds := _among_life_json(engine, wish, life, translate))]
    return {"of": wished, **_seen_json(engine, wishes, request.turn, translate), "life": among if life else None}


def _seen_json(engine: Odds, wishes: Sequence[Wish], turn: int, translate: Language) -> SeenJSON:
    """Return the odds of all wishes in the first hand, and by a turn."""
    hand, dealt = engine.seen(wishes), engine.seen(wishes, redraw=False)
    first, second = (chance_json(engine.seen(wishes, turn, going_first).chance) for going_first in (True, False))
    return {
        "first_hand": chance_json(hand.chance),
        "as_dealt": chance_json(dealt.chance),
        "by_turn": {"turn": turn, "first": first, "second": second},
        "leaves_out": _left_out([hand], translate),
    }


def _among_life_json(engine: Odds, wish: Wish, life: int | None, translate: Language) -> AmongLifeJSON | None:
    """Return the odds of each number of copies among the Life cards. None if their number is not known."""
    if life is None:
        return None
    answers = engine.among_life(wish, life)
    each: list[AmongJSON] = [{"copies": copies, **chance_json(answer.chance)} for copies, answer in enumerate(answers)]
    return {"each": each, "some": chance_json(1 - answers[0].chance), "leaves_out": _left_out(answers, translate)}


def _search_json(engine: Odds, request: OddsRequest, translate: Language) -> SearchJSON | None:
    """Return the odds of a search of the top cards. None if the request has no `look`.

    Raises OddsError if the request has no targets.
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
    """Return the turns of both players, None if cards of the game cost nothing."""
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
    """Return one turn of the curve as JSON."""
    return {
        "turn": point.turn,
        "seen": point.seen,
        "energy": point.energy,
        "exact": chance_json(point.exact.chance),
        "playable": chance_json(point.playable.chance),
    }
