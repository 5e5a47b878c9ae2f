"""Odds as they are asked for, and the answer as JSON: every chance exact, with a decimal beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from api.service.answers.serializers import opening
from api.service.errors import Invalid, Wrong
from api.service.judges import Judges, given
from api.service.requests import OddsRequest
from validator.deck import DeckFacts, has_several
from validator.errors import OddsError
from validator.judge import Judge
from validator.language import ENGLISH, Language, phrase
from validator.odds import Answer, Odds, OnCurve, Wish


def odds(judges: Judges, request: OddsRequest, say: Language = ENGLISH) -> dict[str, Any]:
    """Return all odds that a request asks for, in the words of a language; Invalid points at what cannot be had."""
    request = judges.settled(request)
    judge = judges.judge(request.asked._replace(on=request.asked.on or judges.today()))
    deck = given(request.deck, request.decklist, judge.catalogue)
    if has_several(deck):
        raise Invalid([Wrong("/decklist", phrase("This text has several decks. Send only one deck."))])
    try:
        of = Odds(DeckFacts(deck, judge.catalogue, judge.terms.ruleset.types), judge.terms.ruleset)
        return _told(of, judge, request, say)
    except OddsError as error:
        key = "decklist" if error.key == "deck" and request.decklist is not None else error.key
        raise Invalid([Wrong(f"/{key}", f"{str(error)[:1].upper()}{str(error)[1:]}.")]) from None


def _told(of: Odds, judge: Judge, request: OddsRequest, say: Language) -> dict[str, Any]:
    life, ruleset = of.life(request.life), judge.terms.ruleset
    return {
        "ruleset": {"id": ruleset.id, "title": ruleset.title},
        "catalogue": judge.made_with["catalogue"],
        "deck": of.size,
        "hand": of.hand,
        "life": life,
        "turn": request.turn,
        "cards": list(_cards(of, request.turn, life, say)),
        "wishes": _wishes(of, request, life, say),
        "search": _search(of, request, say),
        "curve": _curve(of, request.turn, say),
        "rules": opening(ruleset, say),
    }


def number(chance: Fraction) -> dict[str, Any]:
    """Return a chance as programs and people read it."""
    return {"exact": str(chance), "chance": float(chance)}


def _left_out(answers: Iterable[Answer], say: Language) -> list[str]:
    """Return what some answers leave out, each once."""
    return list(dict.fromkeys(say.of(what) for answer in answers for what in answer.leaves_out))


def _cards(of: Odds, turn: int, life: int | None, say: Language) -> Iterator[dict[str, Any]]:
    """Yield the odds of each card; those of as many copies are the same, but where a redraw hangs on the card."""
    found: dict[tuple[int, bool], dict[str, Any]] = {}
    for card, copies in of.cards.items():
        kind = copies, of.may_redraw_for(card)
        if kind not in found:
            found[kind] = _seen(of, [Wish((card,))], turn, say) | {"life": _among_life(of, Wish((card,)), life, say)}
        yield {"number": card.number, "name": card.name, "copies": copies, **found[kind]}


def _wishes(of: Odds, request: OddsRequest, life: int | None, say: Language) -> dict[str, Any] | None:
    """Return the odds of all wishes together."""
    wishes = request.wishes
    if not wishes:
        return None
    told = [{"cards": list(one.cards), "least": one.least, "copies": of.copies(one)} for one in wishes]
    among = [_among_life(of, one, life, say) for one in wishes]
    return {"of": told, **_seen(of, wishes, request.turn, say), "life": among if life else None}


def _seen(of: Odds, wishes: Sequence[Wish], turn: int, say: Language) -> dict[str, Any]:
    """Return the odds of having what is wished for in the first hand, and seen by a turn."""
    hand, dealt = of.seen(wishes), of.seen(wishes, redraw=False)
    first, second = (number(of.seen(wishes, turn, going_first).chance) for going_first in (True, False))
    return {
        "first_hand": number(hand.chance),
        "as_dealt": number(dealt.chance),
        "by_turn": {"turn": turn, "first": first, "second": second},
        "leaves_out": _left_out([hand], say),
    }


def _among_life(of: Odds, wish: Wish, life: int | None, say: Language) -> dict[str, Any] | None:
    """Return the odds that none, one, two and so on are among the Life cards."""
    if life is None:
        return None
    answers = of.among_life(wish, life)
    each = [{"copies": copies, **number(answer.chance)} for copies, answer in enumerate(answers)]
    return {"each": each, "some": number(1 - answers[0].chance), "leaves_out": _left_out(answers, say)}


def _search(of: Odds, request: OddsRequest, say: Language) -> dict[str, Any] | None:
    if request.look is None:
        return None
    if request.targets is None:
        raise OddsError("targets", "say what the search looks for: cards of the deck, or how many there are")
    found = of.search(request.look, request.targets, request.searcher)
    return {
        "look": found.look,
        "of": found.of,
        "targets": found.targets,
        **number(found.answer.chance),
        "enough": found.enough,
        "leaves_out": _left_out([found.answer], say),
    }


def _curve(of: Odds, turns: int, say: Language) -> dict[str, Any] | None:
    """Return the turns of both players; None in a game where nothing is paid."""
    both = {name: list(of.curve(turns, first)) for name, first in (("first", True), ("second", False))}
    if not both["first"]:
        return None
    told = {name: list(map(_turn, found)) for name, found in both.items()}
    return {**told, "without_cost": of.without_cost(), "leaves_out": _left_out([both["first"][0].exact], say)}


def _turn(of: OnCurve) -> dict[str, Any]:
    return {
        "turn": of.turn,
        "seen": of.seen,
        "energy": of.energy,
        "exact": number(of.exact.chance),
        "playable": number(of.playable.chance),
    }
