"""Judges for the asking: the terms that a request asks for are compiled once, and the Judge is kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from api.service.bounds import MOST_DAYS, MOST_JUDGES, MOST_TERMS
from api.service.clock import DayInZone, current_time, day_in_timezone, region_timezone
from api.service.errors import Invalid, Wrong
from api.service.requests import (
    Asked,
    OddsRequest,
    RepairRequest,
    SwapRequest,
    TeamRequest,
    TimelineRequest,
    Validation,
)
from validator import limits
from validator.calendar import Calendar
from validator.cards import Catalogue
from validator.deck import Deck, Line, has_several, resolve
from validator.errors import PolicyError, UnknownGame, UnknownRuleset
from validator.findings import ERROR
from validator.games import GAMES
from validator.judge import Judge, Terms, Verdict
from validator.language import phrase
from validator.limits import LimitsList
from validator.repair import Repair, repair
from validator.rules import Policy
from validator.rulesets import Ruleset, named, of_game
from validator.swap import swapped
from validator.team import TeamDeck, TeamVerdict, judge_team
from validator.unresolved import Suggestions

if TYPE_CHECKING:
    from validator.decklists import Parsed

_LEARNT_A_DAY = 3_000  # cards whose rules a Judge of another day remembers, few enough for MOST_DAYS of them
_Request = TypeVar("_Request", Validation, TimelineRequest, OddsRequest)  # each of a deck or a text, by its terms
VerdictKind: TypeAlias = tuple[str, bool]  # what is counted of a verdict: its ruleset, and whether the deck is legal
_NUMBER = re.compile(r"[A-Z]{1,4}[0-9]{0,2}-[0-9]{2,4}")


class CatalogueSource(Protocol):
    """Where judges have its catalogues from: carddb's Library, or another."""

    def catalogue(self, game: str) -> Catalogue:
        """Return the newest catalogue of a game."""


class Judges:
    """A cache of Judges, each compiled at first use. Safe to share between threads.

    Terms without a day get the current one: in the time zone that they name, else in that of their region. With
    `by_machine` it is the day on this machine, as a user of the command line expects.
    """

    def __init__(
        self, cards: CatalogueSource, now: Callable[[], datetime] = current_time, by_machine: bool = False
    ) -> None:
        self.cards = cards
        self.now = now
        self._by_machine = by_machine
        self._terms = lru_cache(MOST_TERMS)(terms)
        self._judge = lru_cache(MOST_JUDGES)(self._compiled)
        self._of_day = lru_cache(MOST_DAYS)(_judge_of_day)
        self._compiled_of_late: set[Asked] = set()

    def cache_sizes(self) -> dict[str, tuple[int, int]]:
        """Return the entries and the limit of each cache, by name."""
        caches = {"judges": self._judge, "judges_by_day": self._of_day, "terms": self._terms}
        return {name: (cache.cache_info().currsize, cache.cache_info().maxsize or 0) for name, cache in caches.items()}

    def judge(self, asked: Asked) -> Judge:
        """Return the Judge of the terms. Raises Invalid if they do not exist or do not fit together."""
        asked = self.dated(asked)
        game = self._terms(asked).ruleset.game
        return self._judge(asked, self.cards.catalogue(game))

    def dated(self, asked: Asked, now: datetime | None = None) -> Asked:
        """Return terms with a day and its time zone: if they have no day the current one, or that of `now`."""
        if asked.on is not None:
            return asked
        day, timezone = self.today(asked.region, asked.timezone, now)
        return asked._replace(on=day, timezone=timezone)

    def today(self, region: str | None = None, timezone: str | None = None, now: datetime | None = None) -> DayInZone:
        """Return the current day, or that of `now`, in a time zone (None: that of the region, or of this machine)."""
        zone = timezone or (None if self._by_machine else region_timezone(region))
        return DayInZone(day_in_timezone(now or self.now(), zone), zone)

    def day(self, day: date | None, region: str | None = None, timezone: str | None = None) -> DayInZone:
        """Return the day without a time zone. If it is None, return the current day as `today` does."""
        return DayInZone(day) if day else self.today(region, timezone)

    def proposed_judge(self, asked: Asked, document: Mapping[str, Any]) -> Judge:
        """Return a Judge who goes by a proposed limits list, which is not kept. `asked` names its game and its day.

        Raises DocumentError if the proposal is wrong, Invalid if it lacks the region.
        """
        official = self._terms(asked)
        listed = limits.proposed(official.ruleset.game, document)
        return Judge(terms(asked, listed), self.cards.catalogue(official.ruleset.game))

    def of_day(self, calendar: Calendar, on: date) -> Judge:
        """Return the Judge of a calendar's lists on a day, as `timeline` asks for it; a ValueError if there is none."""
        return self._of_day(calendar.of_lists, calendar.of_lists.since(on), self.cards.catalogue(calendar.game))

    def verdict(self, request: Validation) -> Verdict:
        """Return the verdict on the deck of a request, or on the deck of its text."""
        request = self.settled(request)
        return judged(request, self.judge(request.asked))

    def quick_verdict(self, request: Validation) -> Verdict | None:
        """Judge a request's deck if that takes under a millisecond or so, else return None.

        That is so where its game is told, its terms were compiled of late, and the catalogue has all its cards.
        """
        deck, asked = request.deck, request.asked
        if deck is None:
            return None
        if not says_game(asked):
            from validator import decklists

            asked = asked._replace(game=decklists.game_of(line for _, line in deck.lines()))
        asked = self.dated(asked)
        if asked not in self._compiled_of_late:
            return None
        judge = self.judge(asked)
        known = judge.catalogue.by_number
        return judge(deck) if all(known(line.number or "") for _, line in deck.lines()) else None

    def settled(self, request: _Request) -> _Request:
        """Return a request whose cards have told the game, where neither it nor a ruleset is said."""
        if says_game(request.asked):
            return request
        if request.deck is not None:
            return request._replace(asked=request.asked._replace(game=self.game(request.deck)))
        parsed = self.read(request.decklist or "")
        return request._replace(asked=request.asked._replace(game=parsed.game), deck=parsed.deck)

    def repair(self, request: RepairRequest) -> Repair:
        """Return the repair of a request's deck: the fewest changes that make it legal."""
        of = self.settled(request.validation)
        judge = self.judge(of.asked)
        deck = given(of.deck, of.decklist, judge.catalogue)
        with _errors_at("/pinned"):
            return repair(judge, deck, request.pinned)

    def team(self, request: TeamRequest) -> TeamVerdict:
        """Judge the decks of a team, and what they share; the first deck tells the game if nothing else does."""
        asked, decks = request.asked, []
        for at, (name, deck, decklist) in enumerate(request.decks):
            with _deck_errors_at(f"/decks/{at}"):
                settled = self.settled(Validation(asked, deck, decklist, False))
                asked = settled.asked
                decks.append(TeamDeck(name, judged(settled, self.judge(asked))))
        return judge_team(decks, request.rule)

    def swap(self, request: SwapRequest) -> Verdict:
        """Judge the deck after swapping with the side deck, and the swap."""
        judge = self.judge(self._settled_swap(request))
        both = ((request.before, "/before"), (request.after, "/after"))
        before, after = (
            _parse(deck, judge.catalogue, pointer).deck if isinstance(deck, str) else deck for deck, pointer in both
        )
        return swapped(judge, before, after)

    def _settled_swap(self, request: SwapRequest) -> Asked:
        """Return the terms of a swap; the cards before it tell the game where these do not say it."""
        asked, before = request.asked, request.before
        if says_game(asked):
            return asked
        game = self.read(before, pointer="/before").game if isinstance(before, str) else self.game(before)
        return asked._replace(game=game)

    def read(self, decklist: str | bytes, game: str | None = None, pointer: str = "/decklist") -> Parsed:
        """Return the deck that a text is; its game is told from the cards where it is not said.

        `game` stays None where neither the numbers nor the catalogues tell it. `pointer` is where the text stands.
        """
        if game is not None:
            return _parse(decklist, self.cards.catalogue(game), pointer)
        if parsed := self._numbered(decklist, pointer):
            return parsed
        parsed = _parse(decklist, None, pointer)
        game = self.game(parsed.deck, lambda cards: _parse(decklist, cards, pointer).deck)
        return parsed if game is None else _parse(decklist, self.cards.catalogue(game), pointer)

    def read_each(self, decklist: str | bytes, game: str | None = None, pointer: str = "/decklist") -> Sequence[Parsed]:
        """Return every deck that a text holds, in its order, read as `read` does."""
        from validator import decklists

        parsed = self.read(decklist, game, pointer)
        if not has_several(parsed.deck):
            return [parsed]
        with _errors_at(pointer):
            cards = self.cards.catalogue(parsed.game) if parsed.game else None
            return decklists.parse_each(decklist, parsed.game, cards)

    def _numbered(self, decklist: str | bytes, pointer: str) -> Parsed | None:
        """Return the deck of a text whose numbers, even before it is read, are all of one game; nearly all are."""
        from validator import decklists

        game = self.numbered(decklist if isinstance(decklist, str) else decklist.decode("latin-1"))
        parsed = _parse(decklist, self.cards.catalogue(game), pointer) if game else None
        # What looks like a number may be none; where no line could be read, it is told of which game they seem to be.
        cards = [line for _, line in parsed.deck.lines()] if parsed else []
        return parsed if parsed and (not cards or decklists.game_of(cards) == game) else None

    @staticmethod
    def numbered(text: str) -> str | None:
        """Return the one game of which everything in a text is that looks like a number, None where there is none."""
        from validator import decklists

        return decklists.game_of(Line(number, 1) for number in _NUMBER.findall(text))

    def write(self, deck: Deck, format: str, game: str | None) -> str:
        """Return a deck as text in a format. Raises Invalid if the format cannot contain the deck."""
        from validator import decklists

        with _errors_at("/format"):
            return decklists.write(deck, format, self.cards.catalogue(game) if game else None)

    def game(self, deck: Deck, placed: Callable[[Catalogue], Deck] | None = None) -> str | None:
        """Return the game that a deck's numbers tell, or the one whose catalogue knows most of its cards, or None.

        Of games that know as many it is the one that has less against the deck, as it is `placed` by their cards.
        """
        from validator import decklists  # only texts need the readers

        told = decklists.game_of(line for _, line in deck.lines())
        return told or self._likely_game(deck, placed or (lambda cards: deck))

    def _likely_game(self, deck: Deck, placed: Callable[[Catalogue], Deck]) -> str | None:
        """Return the game that knows most cards of a deck by their names, or of those the one with least against it.

        Where cards go by name, a game that knows all of them is it, and no larger catalogue is loaded.
        """
        if whole := next(filter(self._has_all(deck), (id for id, one in GAMES.items() if one.told_by_name)), None):
            return whole
        known = {game: self._count_known_lines(deck, self.cards.catalogue(game)) for game in GAMES}
        most = max(known.values())
        return self._least_against([game for game in GAMES if 0 < known[game] == most], placed)

    def _least_against(self, games: Sequence[str], placed: Callable[[Catalogue], Deck]) -> str | None:
        """Return the one game that has least against a deck, None where two have as little."""
        if len(games) > 1:
            against = {game: self._against(game, placed) for game in games}
            games = [game for game in games if against[game] == min(against.values())]
        return games[0] if len(games) == 1 else None

    def _against(self, game: str, placed: Callable[[Catalogue], Deck]) -> tuple[int, int]:
        """Return how many errors a game's manual finds in a deck, and of how many cards it has another name."""
        judge = self.judge(Asked(game=game))
        findings = judge(placed(judge.catalogue), Suggestions(0)).findings
        manual = judge.terms.ruleset.document
        errors = sum(finding.severity == ERROR and finding.rule.document == manual for finding in findings)
        return errors, sum(finding.code == "card.mismatch" for finding in findings)

    def _has_all(self, deck: Deck) -> Callable[[str], bool]:
        lines = sum(1 for _ in deck.lines())
        return lambda game: 0 < lines == self._count_known_lines(deck, self.cards.catalogue(game))

    @staticmethod
    def _count_known_lines(deck: Deck, catalogue: Catalogue) -> int:
        return sum(1 for _, line in deck.lines() if resolve(line, catalogue))

    def _compiled(self, asked: Asked, catalogue: Catalogue) -> Judge:
        judge = Judge(self._terms(asked), catalogue)
        if len(self._compiled_of_late) >= MOST_JUDGES:
            self._compiled_of_late.clear()
        self._compiled_of_late.add(asked)
        return judge


def says_game(asked: Asked) -> bool:
    """Return True if a request names its game, directly or by a ruleset."""
    return bool(asked.ruleset or asked.game)


def terms(asked: Asked, proposed_list: LimitsList | None = None) -> Terms:
    """Return the terms of a request that has a day, with the defaults of game and day.

    `proposed_list` is a limits list that replaces the one that ships. Raises Invalid if terms do not exist or do not
    fit together.
    """
    assert asked.on is not None, "the day is filled in"
    ruleset = _ruleset(asked, asked.on)
    region = asked.region or "en"
    listed = proposed_list or limits.load(ruleset.game)
    with _errors_at("/region"):
        listed.dates(region)
    rotation = limits.rotation(ruleset.game)
    format = asked.format or (rotation.default_format(asked.on) if rotation else "standard")
    with _errors_at("/format"):
        return Terms(
            ruleset, asked.on, region, format, asked.policy or Policy(), asked.best_of, asked.timezone, proposed_list
        )


def judged(request: Validation, judge: Judge) -> Verdict:
    """Return the verdict on the deck of a request, or on the deck of its text."""
    return judge(given(request.deck, request.decklist, judge.catalogue))


def given(deck: Deck | None, decklist: str | bytes | None, catalogue: Catalogue) -> Deck:
    """Return the deck of a request, or the deck of its text. Raises Invalid if the text cannot be read."""
    return deck if deck is not None else _parse(decklist or "", catalogue).deck


def _judge_of_day(calendar: Calendar, day: date, catalogue: Catalogue) -> Judge:
    return Judge(calendar.terms(day), catalogue, _LEARNT_A_DAY)


def _parse(decklist: str | bytes, catalogue: Catalogue | None = None, pointer: str = "/decklist") -> Parsed:
    from validator import decklists  # only texts need the readers

    with _errors_at(pointer):
        return decklists.parse(decklist, None if catalogue is None else catalogue.game, catalogue)


def _ruleset(asked: Asked, on: date) -> Ruleset:
    if not says_game(asked):
        raise Invalid(
            [Wrong("/game", phrase("The cards do not tell which game this is; say it with `game` or `ruleset`."))]
        )
    if asked.ruleset is None:
        try:
            return of_game(asked.game or "", on)
        except UnknownGame as error:
            raise Invalid([Wrong("/game", str(error))]) from None
    try:
        ruleset = named(asked.ruleset)
    except UnknownRuleset as error:
        raise Invalid([Wrong("/ruleset", str(error))]) from None
    if asked.game not in (None, ruleset.game):
        message = phrase(
            "{ruleset} is a ruleset of {game}; leave game out or say that.", ruleset=ruleset.id, game=ruleset.game
        )
        raise Invalid([Wrong("/game", message)])
    return ruleset


@contextmanager
def _deck_errors_at(pointer: str) -> Iterator[None]:
    """Prefix the pointers of errors about a deck's text with the pointer to a deck of a team."""
    try:
        yield
    except Invalid as error:
        raise Invalid(
            wrong._replace(pointer=pointer + wrong.pointer) if wrong.pointer == "/decklist" else wrong
            for wrong in error.errors
        ) from None


@contextmanager
def _errors_at(pointer: str) -> Iterator[None]:
    """Raise a ValueError as Invalid with a pointer into the request."""
    try:
        yield
    except PolicyError as error:
        raise Invalid([Wrong(f"/policy/{error.key}", f"{error}.")]) from None
    except ValueError as error:
        raise Invalid([Wrong(pointer, f"{error}.")]) from None
