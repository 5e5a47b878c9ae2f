"""Judges for requests: the terms of a request are completed, compiled once, and the Judge is cached."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from api.service.bounds import MOST_DAYS, MOST_JUDGES, MOST_TERMS
from api.service.clock import DayInZone, current_time, day_in_timezone, region_timezone
from api.service.errors import Invalid, Wrong
from api.service.requests import (
    OddsRequest,
    RepairRequest,
    RequestedTerms,
    SwapRequest,
    TeamRequest,
    TimelineRequest,
    Validation,
)
from validator.bounds import MOST_PROPOSAL_FAULTS
from validator.calendar import Calendar
from validator.cards import Catalogue
from validator.deck import Deck, Line, has_several, resolve
from validator.errors import DocumentError, PolicyError, UnknownGame, UnknownRuleset, error_text
from validator.findings import ERROR
from validator.games import GAMES
from validator.judge import Judge, Terms, Verdict
from validator.language import join_phrases, phrase
from validator.limits import GameLists, proposals
from validator.limits.game_lists import LIMITS
from validator.limits.lists import LimitsList
from validator.limits.proposals import OwnList
from validator.names import check_listed_names
from validator.repair import Repair, repair
from validator.rules import Policy
from validator.rulesets import Ruleset, find_ruleset, of_game
from validator.swap import judge_swap
from validator.team import TeamDeck, TeamVerdict, judge_team
from validator.unresolved import Suggestions

if TYPE_CHECKING:
    from validator.decklists import Parsed

_CARDS_PER_DAY = 3_000  # cards whose rules a Judge of another day remembers, few enough for MOST_DAYS of them
_Request = TypeVar("_Request", Validation, TimelineRequest, OddsRequest)  # each has terms, and a deck or a text
VerdictKind: TypeAlias = tuple[str, bool]  # the ruleset of a verdict, and whether the deck is legal
_MOST_OWN_LISTS = 32  # of organisers
PROPOSED = "proposed"  # the id and the source of lists with a proposal
_NUMBER = re.compile(r"[A-Z]{1,4}[0-9]{0,2}-[0-9]{2,4}")


class CatalogueSource(Protocol):
    """A source of catalogues for Judges: the Library of carddb, or another."""

    def catalogue(self, game: str) -> Catalogue:
        """Return the newest catalogue of a game."""

    def lists(self, game: str) -> GameLists:
        """Return the official lists of a game in their current state."""


class Judges:
    """A cache of Judges, each compiled at first use. Safe to share between threads.

    Terms without a day get the current day in their time zone, by default in the time zone of their region. With
    `by_machine` they get the current day on this machine, as users of the command line expect.
    """

    def __init__(
        self, cards: CatalogueSource, clock: Callable[[], datetime] = current_time, by_machine: bool = False
    ) -> None:
        self.cards = cards
        self.now = clock
        self._by_machine = by_machine
        self._ruleset = lru_cache(MOST_TERMS)(find_requested_ruleset)
        self._judge = lru_cache(MOST_JUDGES)(self._compile_judge)
        self._of_day = lru_cache(MOST_DAYS)(_judge_of_day)
        self._recent_terms: set[RequestedTerms] = set()

    def cache_sizes(self) -> dict[str, tuple[int, int]]:
        """Return the entries and the limit of each cache, by name."""
        caches = {"judges": self._judge, "judges_by_day": self._of_day, "rulesets": self._ruleset}
        return {name: (cache.cache_info().currsize, cache.cache_info().maxsize or 0) for name, cache in caches.items()}

    def judge(self, requested_terms: RequestedTerms) -> Judge:
        """Return the Judge of the terms. Raises Invalid if they do not exist or do not fit together."""
        requested_terms = self.with_day(requested_terms)
        game = self._game_of_terms(requested_terms)
        return self._judge(requested_terms, self.cards.catalogue(game), self.cards.lists(game))

    def terms(self, requested_terms: RequestedTerms) -> Terms:
        """Return the terms of a request. Raises Invalid if they do not exist or do not fit together."""
        requested_terms = self.with_day(requested_terms)
        game = self._game_of_terms(requested_terms)
        lists = self.cards.lists(game)
        terms = complete_terms(requested_terms, lists)
        _check_own_cards(requested_terms, terms, lists, self.cards.catalogue(game))
        return terms

    def _game_of_terms(self, requested_terms: RequestedTerms) -> str:
        """Return the game of terms that have a day. The cache of rulesets does not keep the texts of own lists."""
        return self._ruleset(requested_terms._replace(limits_list=None, is_stored_list=False)).game

    def own_list(self, requested_terms: RequestedTerms) -> OwnList | None:
        """Return the own list of terms on top of the official list, None if they have no own list."""
        text = requested_terms.limits_list
        if text is None:
            return None
        lists = self.cards.lists(self._game_of_terms(self.with_day(requested_terms)))
        return _join_own_list(lists, text, requested_terms.is_stored_list)

    def with_day(self, requested_terms: RequestedTerms, moment: datetime | None = None) -> RequestedTerms:
        """Return the terms with a day and its time zone.

        Terms without a day get the current day, or the day of the moment `moment`.
        """
        if requested_terms.on is not None:
            return requested_terms
        day, timezone = self.today(requested_terms.region, requested_terms.timezone, moment)
        return requested_terms._replace(on=day, timezone=timezone)

    def today(
        self, region: str | None = None, timezone: str | None = None, moment: datetime | None = None
    ) -> DayInZone:
        """Return the current day, or the day of the moment `moment`, in a time zone.

        `timezone` None is the zone of the region, or of this machine with `by_machine`.
        """
        zone = timezone or (None if self._by_machine else region_timezone(region))
        return DayInZone(day_in_timezone(moment or self.now(), zone), zone)

    def day(self, day: date | None, region: str | None = None, timezone: str | None = None) -> DayInZone:
        """Return the day without a time zone. If it is None, return the current day as `today` does."""
        return DayInZone(day) if day else self.today(region, timezone)

    def proposed_judge(self, requested_terms: RequestedTerms, document: Mapping[str, Any]) -> Judge:
        """Return a Judge that applies a proposed limits list. The list is not stored.

        The proposal is applied on top of the own list of the terms. A proposal of a whole list replaces the official
        list below the own list. `requested_terms` has a game and a day. Raises DocumentError for a wrong proposal,
        Invalid without its region.
        """
        game = self._game_of_terms(requested_terms)
        lists = self.cards.lists(game)
        listed = _join_proposal(lists, self.own_list(requested_terms), document, requested_terms.limits_list)
        without_own = requested_terms._replace(limits_list=None, is_stored_list=False)
        return Judge(
            complete_terms(without_own, lists.with_list(listed, PROPOSED, PROPOSED)), self.cards.catalogue(game)
        )

    def judge_of_day(self, calendar: Calendar, day: date) -> Judge:
        """Return the Judge of a calendar's lists on a day. Raises ValueError if there is none."""
        return self._of_day(calendar.of_lists, calendar.of_lists.since(day), self.cards.catalogue(calendar.game))

    def verdict(self, request: Validation) -> Verdict:
        """Return the verdict on the deck of a request, or on the deck of its text."""
        request = self.with_game(request)
        return judge_request(request, self.judge(request.asked))

    def quick_verdict(self, request: Validation) -> Verdict | None:
        """Return the verdict on a request's deck if that takes about a millisecond at most, else None.

        The verdict is quick if the game is known, the terms were compiled recently, and the catalogue has all cards.
        """
        deck, asked = request.deck, request.asked
        if deck is None:
            return None
        if not names_game(asked):
            from validator import decklists

            asked = asked._replace(game=decklists.game_of_lines(line for _, line in deck.lines()))
        asked = self.with_day(asked)
        if asked not in self._recent_terms:
            return None
        judge = self.judge(asked)
        known = judge.catalogue.by_number
        return judge(deck) if all(known(line.number or "") for _, line in deck.lines()) else None

    def with_game(self, request: _Request) -> _Request:
        """Return the request with a game. If it names no game and no ruleset, the cards determine the game.

        The game stays None if the cards do not determine it. A text is then parsed, and its deck added.
        """
        if names_game(request.asked):
            return request
        if request.deck is not None:
            return request._replace(asked=request.asked._replace(game=self.game(request.deck)))
        parsed = self.read_deck(request.decklist or "")
        return request._replace(asked=request.asked._replace(game=parsed.game), deck=parsed.deck)

    def repair(self, request: RepairRequest) -> Repair:
        """Return the repair of a request's deck: the fewest changes that make it legal."""
        validation = self.with_game(request.validation)
        judge = self.judge(validation.asked)
        deck = request_deck(validation.deck, validation.decklist, judge.catalogue)
        with _errors_at("/pinned"):
            return repair(judge, deck, request.pinned)

    def team(self, request: TeamRequest) -> TeamVerdict:
        """Return the verdicts on the decks of a team and on their shared cards.

        If the request names no game, the first deck determines the game of all decks.
        """
        asked, decks = request.asked, []
        for index, (name, deck, decklist) in enumerate(request.decks):
            with _deck_errors_at(f"/decks/{index}"):
                completed = self.with_game(Validation(asked, deck, decklist, False))
                asked = completed.asked
                decks.append(TeamDeck(name, judge_request(completed, self.judge(asked))))
        return judge_team(decks, request.rule)

    def swap(self, request: SwapRequest) -> Verdict:
        """Return the verdict on the deck after swapping with the side deck, and on the swap."""
        judge = self.judge(self._swap_terms(request))
        both = ((request.before, "/before"), (request.after, "/after"))
        before, after = (
            _parse(deck, judge.catalogue, pointer).deck if isinstance(deck, str) else deck for deck, pointer in both
        )
        return judge_swap(judge, before, after)

    def _swap_terms(self, request: SwapRequest) -> RequestedTerms:
        """Return the terms of a swap. If they name no game, the cards before the swap determine it."""
        asked, before = request.asked, request.before
        if names_game(asked):
            return asked
        game = self.read_deck(before, pointer="/before").game if isinstance(before, str) else self.game(before)
        return asked._replace(game=game)

    def read_deck(self, decklist: str | bytes, game: str | None = None, pointer: str = "/decklist") -> Parsed:
        """Return the deck of a text. If `game` is None, the cards determine the game.

        The game stays None if neither numbers nor catalogues determine it. `pointer` is the place of the text in the
        request. Raises Invalid if the text cannot be read.
        """
        if game is not None:
            return _parse(decklist, self.cards.catalogue(game), pointer)
        if parsed := self._parse_by_numbers(decklist, pointer):
            return parsed
        parsed = _parse(decklist, None, pointer)
        game = self.game(parsed.deck, lambda cards: _parse(decklist, cards, pointer).deck)
        return parsed if game is None else _parse(decklist, self.cards.catalogue(game), pointer)

    def deck_and_game(self, deck_or_text: Deck | str, game: str | None, pointer: str) -> tuple[Deck, str]:
        """Return a deck that is sent as a deck or as text, and the id of its game.

        If `game` is None, the cards determine the game. `pointer` is the place of the deck in the request. Raises
        Invalid if the text cannot be read, or if the cards do not determine the game.
        """
        if isinstance(deck_or_text, str):
            parsed = self.read_deck(deck_or_text, game, pointer)
            deck, game = parsed.deck, parsed.game
        else:
            deck, game = deck_or_text, game or self.game(deck_or_text)
        if game is None:
            raise Invalid([Wrong("/game", phrase("The game is not clear from the cards. Name the game with `game`."))])
        return deck, game

    def read_each(self, decklist: str | bytes, game: str | None = None, pointer: str = "/decklist") -> Sequence[Parsed]:
        """Return every deck of a text, in order, each parsed as by `read_deck`."""
        from validator import decklists

        parsed = self.read_deck(decklist, game, pointer)
        if not has_several(parsed.deck):
            return [parsed]
        with _errors_at(pointer):
            cards = self.cards.catalogue(parsed.game) if parsed.game else None
            return decklists.parse_each(decklist, parsed.game, cards)

    def _parse_by_numbers(self, decklist: str | bytes, pointer: str) -> Parsed | None:
        """Return the deck of a text if all its card numbers are of one game, else None.

        Nearly all texts have such numbers, so most texts are parsed only once.
        """
        from validator import decklists

        game = self.game_of_numbers(decklist if isinstance(decklist, str) else decklist.decode("latin-1"))
        parsed = _parse(decklist, self.cards.catalogue(game), pointer) if game else None
        # Other texts look like numbers too. If no line could be read, the game of these texts is used.
        cards = [line for _, line in parsed.deck.lines()] if parsed else []
        return parsed if parsed and (not cards or decklists.game_of_lines(cards) == game) else None

    @staticmethod
    def game_of_numbers(text: str) -> str | None:
        """Return the game of all texts that look like card numbers. None if they are of several games or missing."""
        from validator import decklists

        return decklists.game_of_lines(Line(number, 1) for number in _NUMBER.findall(text))

    def write(self, deck: Deck, format: str, game: str | None) -> str:
        """Return a deck as text in a format. Raises Invalid if the format cannot contain the deck."""
        from validator import decklists

        with _errors_at("/format"):
            return decklists.write(deck, format, self.cards.catalogue(game) if game else None)

    def game(self, deck: Deck, placed: Callable[[Catalogue], Deck] | None = None) -> str | None:
        """Return the game of a deck's card numbers, else the game whose catalogue knows most of its cards.

        Of several games that know equally many cards, the one with the fewest errors is returned. None if no game knows
        a card, or if several have the fewest errors. `placed` returns the deck whose cards a catalogue has put into
        sections. By default the deck itself is judged.
        """
        from validator import decklists  # only texts need the readers

        numbered_game = decklists.game_of_lines(line for _, line in deck.lines())
        return numbered_game or self._likely_game(deck, placed or (lambda cards: deck))

    def _likely_game(self, deck: Deck, placed: Callable[[Catalogue], Deck]) -> str | None:
        """Return the game that knows most cards of a deck by name. None if that is no single game.

        A game identified by card names is returned if it knows all cards. So no larger catalogue is loaded then.
        """
        if complete_game := next(
            filter(self._knows_all_lines(deck), (id for id, game in GAMES.items() if game.told_by_name)), None
        ):
            return complete_game
        known = {game: self._count_known_lines(deck, self.cards.catalogue(game)) for game in GAMES}
        most = max(known.values())
        return self._game_with_fewest_errors([game for game in GAMES if 0 < known[game] == most], placed)

    def _game_with_fewest_errors(self, games: Sequence[str], placed: Callable[[Catalogue], Deck]) -> str | None:
        """Return the game with the fewest errors in the deck. None if several games have the fewest."""
        if len(games) > 1:
            errors = {game: self._count_errors(game, placed) for game in games}
            games = [game for game in games if errors[game] == min(errors.values())]
        return games[0] if len(games) == 1 else None

    def _count_errors(self, game: str, placed: Callable[[Catalogue], Deck]) -> tuple[int, int]:
        """Return the number of errors by a game's rules, and the number of cards with a wrong name."""
        judge = self.judge(RequestedTerms(game=game))
        findings = judge(placed(judge.catalogue), Suggestions(0)).findings
        documents = {rule.cite.document for rule in judge.terms.ruleset.rules.values()}
        errors = sum(finding.severity == ERROR and finding.rule.document in documents for finding in findings)
        return errors, sum(finding.code == "card.mismatch" for finding in findings)

    def _knows_all_lines(self, deck: Deck) -> Callable[[str], bool]:
        """Return a function that returns True if the catalogue of a game knows every line of a deck with lines."""
        lines = sum(1 for _ in deck.lines())
        return lambda game: 0 < lines == self._count_known_lines(deck, self.cards.catalogue(game))

    @staticmethod
    def _count_known_lines(deck: Deck, catalogue: Catalogue) -> int:
        """Return the number of lines with a card of the catalogue."""
        return sum(1 for _, line in deck.lines() if resolve(line, catalogue))

    def _compile_judge(self, requested_terms: RequestedTerms, catalogue: Catalogue, lists: GameLists) -> Judge:
        """Return a new Judge, and record that its terms were compiled recently."""
        terms = complete_terms(requested_terms, lists)
        _check_own_cards(requested_terms, terms, lists, catalogue)
        judge = Judge(terms, catalogue)
        if len(self._recent_terms) >= MOST_JUDGES:
            self._recent_terms.clear()
        self._recent_terms.add(requested_terms)
        return judge


def names_game(requested_terms: RequestedTerms) -> bool:
    """Return True if a request names its game, directly or by a ruleset."""
    return bool(requested_terms.ruleset or requested_terms.game)


def complete_terms(requested_terms: RequestedTerms, lists: GameLists) -> Terms:
    """Return the terms of a request that has a day, with defaults for the open ones.

    Raises Invalid if terms do not exist or do not fit together.
    """
    ruleset = find_requested_ruleset(requested_terms)
    assert requested_terms.on is not None, "the day is filled in"
    region = requested_terms.region or "en"
    with _errors_at("/region"):
        lists.listed.dates(region)
    if requested_terms.limits_list is not None:
        if not requested_terms.is_stored_list:
            check_list_policy(requested_terms)
        lists = _add_own_list(lists, requested_terms.limits_list, region, requested_terms.is_stored_list)
    rotation = lists.rotation
    format = requested_terms.format or (rotation.default_format(requested_terms.on) if rotation else "standard")
    with _errors_at("/format"):
        return Terms(
            ruleset,
            requested_terms.on,
            region,
            format,
            requested_terms.policy or Policy(),
            requested_terms.best_of,
            requested_terms.timezone,
            lists,
        )


def check_list_policy(requested_terms: RequestedTerms) -> None:
    """Raise Invalid if terms have an own list and a policy that ignores limits lists."""
    policy = requested_terms.policy
    if requested_terms.limits_list is not None and policy is not None and policy.limits is False:
        message = phrase(
            "The ban list is not applied, so the own list has no effect. Remove the list, or apply the ban list."
        )
        raise Invalid([Wrong("/limits_list", message)])


def _add_own_list(lists: GameLists, text: str, region: str, is_stored: bool) -> GameLists:
    """Return official lists with the limits list of an organiser.

    Its entries are cited under its own `document`. Raises Invalid if the list is wrong, or is a whole list without the
    region. If `is_stored` the official lists are returned instead.
    """
    own = _join_own_list(lists, text, is_stored)
    if not is_stored:
        with _errors_at("/limits_list"):
            own.listed.dates(region)
    elif own.listed is lists.listed or region not in own.listed.regions:
        return lists
    id = f"{lists.game}-own-{sha256(text.encode()).hexdigest()[:8]}"
    return lists.with_list(own.listed, id, own.name, own.name)


@lru_cache(_MOST_OWN_LISTS)
def _join_own_list(lists: GameLists, text: str, is_stored: bool) -> OwnList:
    """Return an organiser's list on top of the official list. Raises Invalid if the list is wrong.

    If `is_stored` and the list cannot be used at all any more, it is the official list with the error as `left_out`.
    """
    official = lists.documents.get(LIMITS)
    try:
        return proposals.own_list(lists.game, official, proposals.parse_file(text), is_stored)
    except DocumentError as error:
        if not is_stored:
            raise Invalid([Wrong("/limits_list", phrase("{sentence}.", sentence=error_text(error)))]) from None
        return OwnList("", lists.listed, official or {}, (error_text(error),))


def _join_proposal(lists: GameLists, own: OwnList | None, document: Mapping[str, Any], text: str | None) -> LimitsList:
    """Return the list of a proposed document on top of an own list, whose `text` is given, None without one."""
    if own is None or text is None:
        return proposals.proposed_list(lists.game, lists.documents.get(LIMITS), document)
    if proposals.replaces_official(document):
        listed = proposals.proposed_list(lists.game, None, document)
        proposed = replace(lists, listed=listed, documents={**lists.documents, LIMITS: document})
        return _join_own_list(proposed, text, is_stored=True).listed
    return proposals.proposed_on_own(lists.game, own, document)


def _check_own_cards(requested_terms: RequestedTerms, terms: Terms, official: GameLists, catalogue: Catalogue) -> None:
    """Raise Invalid if the own list of terms has a card or a set that does not exist, or another card's name.

    The stored list of an event is not refused for it, because the cards may have changed since it was set.
    """
    if requested_terms.limits_list is None or requested_terms.is_stored_list:
        return
    own = terms.lists.listed
    if faults := list(islice(check_listed_names(own, official.listed, catalogue), MOST_PROPOSAL_FAULTS)):
        raise Invalid([Wrong("/limits_list", join_phrases(faults, " "))])
    try:
        proposals.check_sets(own, terms.lists.sets, catalogue)
    except DocumentError as error:
        raise Invalid([Wrong("/limits_list", phrase("{sentence}.", sentence=error_text(error)))]) from None


def judge_request(request: Validation, judge: Judge) -> Verdict:
    """Return the verdict on the deck of a request, or on the deck of its text."""
    return judge(request_deck(request.deck, request.decklist, judge.catalogue))


def request_deck(deck: Deck | None, decklist: str | bytes | None, catalogue: Catalogue) -> Deck:
    """Return the deck of a request, or the deck of its text if `deck` is None. Raises Invalid for a wrong text."""
    return deck if deck is not None else _parse(decklist or "", catalogue).deck


def _judge_of_day(calendar: Calendar, day: date, catalogue: Catalogue) -> Judge:
    """Return a Judge for one day of a calendar. It caches the rules of fewer cards than other Judges."""
    return Judge(calendar.terms(day), catalogue, _CARDS_PER_DAY)


def _parse(decklist: str | bytes, catalogue: Catalogue | None = None, pointer: str = "/decklist") -> Parsed:
    """Return the deck of a text. Raises Invalid with a pointer if the text cannot be read."""
    from validator import decklists  # only texts need the readers

    with _errors_at(pointer):
        return decklists.parse(decklist, None if catalogue is None else catalogue.game, catalogue)


def find_requested_ruleset(requested_terms: RequestedTerms) -> Ruleset:
    """Return the ruleset of terms that have a day: the one that they name, else the one in force on the day.

    Raises Invalid if there is none, or if it is of another game.
    """
    assert requested_terms.on is not None, "the day is filled in"
    if not names_game(requested_terms):
        raise Invalid(
            [Wrong("/game", phrase("The game is not clear from the cards. Name the game with `game` or `ruleset`."))]
        )
    if requested_terms.ruleset is None:
        try:
            return of_game(requested_terms.game or "", requested_terms.on)
        except UnknownGame as error:
            raise Invalid([Wrong("/game", error_text(error))]) from None
    try:
        ruleset = find_ruleset(requested_terms.ruleset)
    except UnknownRuleset as error:
        raise Invalid([Wrong("/ruleset", error_text(error))]) from None
    if requested_terms.game not in (None, ruleset.game):
        message = phrase(
            "{ruleset} is a ruleset of {game}. Choose {game}, or choose no game.", ruleset=ruleset.id, game=ruleset.game
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


def _as_sentence(error: Exception) -> str:
    """Return the text of an error with a full stop, as a phrase."""
    return phrase("{sentence}.", sentence=error_text(error))


@contextmanager
def _errors_at(pointer: str) -> Iterator[None]:
    """Raise a ValueError as Invalid with a pointer into the request."""
    try:
        yield
    except PolicyError as error:
        raise Invalid([Wrong(f"/policy/{error.key}", _as_sentence(error))]) from None
    except ValueError as error:
        raise Invalid([Wrong(pointer, _as_sentence(error))]) from None
