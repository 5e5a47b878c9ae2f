"""Judges for requests: the terms of a request are completed, compiled once, and the Judge is cached."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

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
from validator.cards import Catalogue
from validator.deck import Deck, Line, resolve
from validator.documents import Document
from validator.errors import DocumentError, PolicyError, UnknownGame, UnknownRuleset, error_sentence, error_text
from validator.findings import ERROR
from validator.games import GAMES
from validator.judge import Judge, Terms, Verdict
from validator.language import join_phrases, phrase
from validator.limits import LIMITS, GameLists, proposals
from validator.limits.lists import LimitsList
from validator.limits.proposals import OwnList
from validator.names import check_listed_names
from validator.rules import Policy
from validator.rulesets import Ruleset, find_ruleset, of_game
from validator.swap import judge_swap
from validator.team import TeamDeck, TeamVerdict, judge_team
from validator.unresolved import Suggestions

if TYPE_CHECKING:
    from validator.calendar import Calendar
    from validator.decklists import Parsed
    from validator.repair import Repair

_CARDS_PER_DAY = 3_000  # cards whose rules a Judge of another day remembers, few enough for MOST_DAYS of them
_Request = TypeVar("_Request", Validation, TimelineRequest, OddsRequest)  # each has terms, and a deck or a text
VerdictKind: TypeAlias = tuple[str, bool]  # the ruleset of a verdict, and whether the deck is legal
_MOST_OWN_LISTS = 32  # of organisers
PROPOSED = "proposed"  # the id and the source of lists with a proposal
_NUMBER = re.compile(r"[A-Z]{1,4}[0-9]{0,2}-[0-9]{2,4}")


class CatalogueSource(Protocol):
    """A source of card catalogues and official lists for Judges: the Library of carddb, or another."""

    def catalogue(self, game: str) -> Catalogue:
        """Return the newest catalogue of a game."""

    def lists(self, game: str) -> GameLists:
        """Return the official lists of a game in their current state."""


class Judges:
    """A cache of Judges, each compiled at first use for one set of terms. Safe to share between threads.

    `cards` returns the catalogues and official lists of games. `clock`, kept as `now`, returns the current time. Terms
    without a day get the current day in their time zone, by default in that of their region. If `by_machine`, the
    default is the time zone of this machine, as users of the command line expect.
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
        """Return `(entries, limit)` of the caches "judges", "judges_by_day" and "rulesets", by these names."""
        caches = {"judges": self._judge, "judges_by_day": self._of_day, "rulesets": self._ruleset}
        return {name: (cache.cache_info().currsize, cache.cache_info().maxsize or 0) for name, cache in caches.items()}

    def judge(self, requested_terms: RequestedTerms) -> Judge:
        """Return the Judge of the terms, with defaults for the open ones (current day, region "en").

        The Judge is cached. It is compiled again if the catalogue or the lists have changed. Raises Invalid if the
        terms do not exist or do not fit together, or if they have neither a game nor a ruleset. Raises it also for an
        organiser's own limits list that is wrong, or names an unknown card or set (unless `is_stored_list`).
        """
        requested_terms = self.with_day(requested_terms)
        game = self._game_of_terms(requested_terms)
        return self._judge(requested_terms, self.cards.catalogue(game), self.cards.lists(game))

    def terms(self, requested_terms: RequestedTerms) -> Terms:
        """Return complete terms, with defaults for the open ones (current day, region "en"). Compiles no Judge.

        Raises Invalid as `judge` does.
        """
        requested_terms = self.with_day(requested_terms)
        game = self._game_of_terms(requested_terms)
        lists = self.cards.lists(game)
        terms = complete_terms(requested_terms, lists)
        _check_own_cards(requested_terms, terms, lists, self.cards.catalogue(game))
        return terms

    def _game_of_terms(self, requested_terms: RequestedTerms) -> str:
        """Return the id of the game of terms that have a day.

        The ruleset behind it is cached by the terms without their own list. Raises Invalid as `find_requested_ruleset`
        does.
        """
        return self._ruleset(requested_terms._replace(limits_list=None, is_stored_list=False)).game

    def own_list(self, requested_terms: RequestedTerms) -> OwnList | None:
        """Return the organiser's own limits list of the terms, added to the official list.

        None if they have no own list. Raises Invalid if the own list is wrong, or if the game of the terms is not
        clear. With `is_stored_list` the own list is not refused: its unusable entries are in `left_out`.
        """
        text = requested_terms.limits_list
        if text is None:
            return None
        lists = self.cards.lists(self._game_of_terms(self.with_day(requested_terms)))
        return _join_own_list(lists, text, requested_terms.is_stored_list)

    def with_day(self, requested_terms: RequestedTerms, moment: datetime | None = None) -> RequestedTerms:
        """Return the terms with `on` and `timezone` filled in. Terms that have a day (`on`) are returned unchanged.

        Terms without a day get the day of `moment` (None: now) in their time zone, as `today` chooses it.
        """
        if requested_terms.on is not None:
            return requested_terms
        day, timezone = self.today(requested_terms.region, requested_terms.timezone, moment)
        return requested_terms._replace(on=day, timezone=timezone)

    def today(
        self, region: str | None = None, timezone: str | None = None, moment: datetime | None = None
    ) -> DayInZone:
        """Return the day of `moment` (None: now) in a time zone, with the name of the zone.

        Without `timezone` the zone is that of the region, else UTC. If the Judges are `by_machine`, it is this
        machine's zone instead, for which the name is None, and `region` is ignored.
        """
        zone = timezone or (None if self._by_machine else region_timezone(region))
        return DayInZone(day_in_timezone(moment or self.now(), zone), zone)

    def day(self, day: date | None, region: str | None = None, timezone: str | None = None) -> DayInZone:
        """Return `day` without a time zone. If `day` is None, return the current day in its zone, as `today` does."""
        return DayInZone(day) if day else self.today(region, timezone)

    def proposed_judge(self, requested_terms: RequestedTerms, document: Document) -> Judge:
        """Return a new Judge that applies a proposed limits list. Nothing is stored or cached.

        `document` is the parsed TOML of the proposal. It is applied on top of the organiser's own limits list of the
        terms, if they have one, else of the official list. A proposal with a `title` is a whole list and replaces the
        official list below the own list. `requested_terms` must have a day (else AssertionError). Raises DocumentError
        for a wrong proposal, Invalid for wrong terms, also if the proposed list lacks their region.
        """
        game = self._game_of_terms(requested_terms)
        lists = self.cards.lists(game)
        listed = _join_proposal(lists, self.own_list(requested_terms), document, requested_terms.limits_list)
        without_own = requested_terms._replace(limits_list=None, is_stored_list=False)
        return Judge(
            complete_terms(without_own, lists.with_list(listed, PROPOSED, PROPOSED)), self.cards.catalogue(game)
        )

    def judge_of_day(self, calendar: Calendar, day: date) -> Judge:
        """Return the Judge for a day of a timeline's calendar. It ignores the release dates of cards.

        It is compiled for the day of the last rule or list change up to `day`, and cached by that day. Raises
        ValueError if the region or the format of the calendar does not exist on that day.
        """
        return self._of_day(calendar.of_lists, calendar.of_lists.since(day), self.cards.catalogue(calendar.game))

    def verdict(self, request: Validation) -> Verdict:
        """Return the verdict on the deck of a request, or on the deck parsed from its text.

        If the request names no game and no ruleset, the cards determine the game. Raises Invalid for wrong terms, an
        unreadable text or an unclear game.
        """
        request = self.with_game(request)
        return judge_request(request, self.judge(request.asked))

    def quick_verdict(self, request: Validation) -> Verdict | None:
        """Return the verdict on a request's deck if that takes about a millisecond at most, else None.

        It is quick if the request has a deck instead of a text, and a game (or ruleset) that is named or follows from
        the card numbers. Also its terms must have been compiled recently, and each line needs a card number of the
        catalogue. Terms without a day are those of the current day.
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
        """Return the request with the game of its cards in `asked`.

        It is returned unchanged if it names a game or a ruleset. A deck list sent as text is parsed for that, and its
        deck is added to the request. The game stays None if the cards do not determine it. Raises Invalid if the text
        cannot be read.
        """
        if names_game(request.asked):
            return request
        if request.deck is not None:
            return request._replace(asked=request.asked._replace(game=self.game(request.deck)))
        parsed = self.read_deck(request.decklist or "")
        return request._replace(asked=request.asked._replace(game=parsed.game), deck=parsed.deck)

    def repair(self, request: RepairRequest) -> Repair:
        """Return the repair of a request's deck: the fewest changes that make it legal. Pinned cards stay unchanged.

        The cards determine the game if the request names no game and no ruleset. Raises Invalid for wrong terms, an
        unreadable text or an unclear game, and at "/pinned" for a pinned card that is not in the deck.
        """
        from validator.repair import repair  # most requests need no search for a repair

        validation = self.with_game(request.validation)
        judge = self.judge(validation.asked)
        deck = request_deck(validation.deck, validation.decklist, judge.catalogue)
        with _errors_at("/pinned"):
            return repair(judge, deck, request.pinned)

    def team(self, request: TeamRequest) -> TeamVerdict:
        """Return the verdict on each deck of a team, and the findings on cards that the decks share.

        If the request names no game and no ruleset, the first deck determines the game of all decks. Raises Invalid for
        wrong terms, an unclear game or an unreadable text. The pointer of the last is "/decks/N/decklist", N from 0.
        """
        asked, decks = request.asked, []
        for index, (name, deck, decklist) in enumerate(request.decks):
            with _deck_errors_at(f"/decks/{index}"):
                completed = self.with_game(Validation(asked, deck, decklist, False))
                asked = completed.asked
                decks.append(TeamDeck(name, judge_request(completed, self.judge(asked))))
        return judge_team(decks, request.rule)

    def swap(self, request: SwapRequest) -> Verdict:
        """Return the verdict on the deck after cards were swapped with the side deck, with findings on the swap itself.

        If the request names no game and no ruleset, the deck before the swap determines the game. Raises Invalid for
        wrong terms, an unclear game, or an unreadable text of either deck.
        """
        judge = self.judge(self._swap_terms(request))
        both = ((request.before, "/before"), (request.after, "/after"))
        before, after = (
            _parse(deck, judge.catalogue, pointer).deck if isinstance(deck, str) else deck for deck, pointer in both
        )
        return judge_swap(judge, before, after)

    def _swap_terms(self, request: SwapRequest) -> RequestedTerms:
        """Return the terms of a swap.

        If they name no game and no ruleset, the deck before the swap determines the game. The game stays None if that
        deck does not determine it. Raises Invalid if its text cannot be read.
        """
        asked, before = request.asked, request.before
        if names_game(asked):
            return asked
        game = self.read_deck(before, pointer="/before").game if isinstance(before, str) else self.game(before)
        return asked._replace(game=game)

    def read_deck(self, decklist: str | bytes, game: str | None = None, pointer: str = "/decklist") -> Parsed:
        """Return the deck parsed from a text. If `game` is None, the cards determine the game.

        The game of the result stays None if neither numbers nor catalogues determine it. Of a text with several decks
        only the first is returned. `pointer` is the place of the text in the request, for errors. Raises Invalid at
        that place if the text cannot be read.
        """
        if game is not None:
            return _parse(decklist, self.cards.catalogue(game), pointer)
        if parsed := self._parse_by_numbers(decklist, pointer):
            return parsed
        parsed = _parse(decklist, None, pointer)
        game = self.game(parsed.deck, lambda cards: _parse(decklist, cards, pointer).deck)
        return parsed if game is None else _parse(decklist, self.cards.catalogue(game), pointer)

    def deck_and_game(self, deck_or_text: Deck | str, game: str | None, pointer: str) -> tuple[Deck, str]:
        """Return `(deck, game id)` of a deck that is sent as a deck or as text. A text is parsed.

        If `game` is None, the cards determine the game. Raises Invalid at `pointer` (the place of the deck in the
        request) if the text cannot be read, and at "/game" if the cards do not determine the game.
        """
        if isinstance(deck_or_text, str):
            parsed = self.read_deck(deck_or_text, game, pointer)
            deck, game = parsed.deck, parsed.game
        else:
            deck, game = deck_or_text, game or self.game(deck_or_text)
        if game is None:
            raise Invalid([Wrong("/game", phrase("The game is not clear from the cards. Name the game with `game`."))])
        return deck, game

    def read_each(self, decklist: str | bytes, game: str) -> Sequence[Parsed]:
        """Return every deck of a text of one game, in order. Raises Invalid at "/decklist" if it cannot be read."""
        from validator import decklists

        with _errors_at("/decklist"):
            return decklists.parse_each(decklist, game, self.cards.catalogue(game))

    def _parse_by_numbers(self, decklist: str | bytes, pointer: str) -> Parsed | None:
        """Return the parsed text if all its card numbers are of one game, else None.

        None also if nothing in the text looks like a card number. If all lines are unread, all that looks like a number
        must be of one game. Nearly all texts have such numbers, so most are parsed only once. Raises Invalid at
        `pointer` if the text cannot be read.
        """
        from validator import decklists

        game = self.game_of_numbers(decklist if isinstance(decklist, str) else decklist.decode("latin-1"))
        parsed = _parse(decklist, self.cards.catalogue(game), pointer) if game else None
        # Other texts look like numbers too. If no line could be read, the game of these texts is used.
        cards = [line for _, line in parsed.deck.lines()] if parsed else []
        return parsed if parsed and (not cards or decklists.game_of_lines(cards) == game) else None

    @staticmethod
    def game_of_numbers(text: str) -> str | None:
        """Return the only game to which all parts of a text that look like card numbers (`OP01-001`) can belong.

        Of each set (`OP01`) only the last number is checked, not if it exists but if it fits the game's pattern. None
        if there are no such parts, or if several games or no game are possible.
        """
        from validator import decklists

        return decklists.game_of_lines(Line(number, 1) for number in _NUMBER.findall(text))

    def write(self, deck: Deck, format: str, game: str | None) -> str:
        """Return a deck as text in a format of deck lists. Unread lines of the deck are left out.

        Names and types come from the catalogue of the game. If `game` is None, there is no catalogue. Raises Invalid at
        "/format" if the format is unknown, can only be read, or cannot contain the deck.
        """
        from validator import decklists

        with _errors_at("/format"):
            return decklists.write(deck, format, self.cards.catalogue(game) if game else None)

    def game(self, deck: Deck, place_cards: Callable[[Catalogue], Deck] | None = None) -> str | None:
        """Return the game whose numbers all card numbers of a deck can be, else that whose catalogue has most lines.

        Of several games with equally many known lines, the one with the fewest errors is returned. None if no catalogue
        has a card, or if several have the fewest errors. To count errors, `place_cards` returns the deck with its cards
        in sections according to a catalogue. By default the deck itself is judged.
        """
        from validator import decklists  # only texts need the readers

        numbered_game = decklists.game_of_lines(line for _, line in deck.lines())
        return numbered_game or self._likely_game(deck, place_cards or (lambda cards: deck))

    def _likely_game(self, deck: Deck, place_cards: Callable[[Catalogue], Deck]) -> str | None:
        """Return the game whose catalogue has the cards of most lines, without regard to the pattern of the numbers.

        First, a game in which names identify cards is returned if it has all lines. So no larger catalogue is loaded
        then. On a tie `_game_with_fewest_errors` decides. None if still several are equal, or if no catalogue has a
        line.
        """
        if complete_game := next(
            filter(self._knows_all_lines(deck), (id for id, game in GAMES.items() if game.told_by_name)), None
        ):
            return complete_game
        known = {game: self._count_known_lines(deck, self.cards.catalogue(game)) for game in GAMES}
        most = max(known.values())
        return self._game_with_fewest_errors([game for game in GAMES if 0 < known[game] == most], place_cards)

    def _game_with_fewest_errors(self, games: Sequence[str], place_cards: Callable[[Catalogue], Deck]) -> str | None:
        """Return the game with the fewest errors in the deck that `place_cards` returns for its catalogue.

        Fewest rule errors come first, then fewest cards with a wrong name. None if several games are equal or `games`
        is empty. A single game is returned without judging.
        """
        if len(games) > 1:
            errors = {game: self._count_errors(game, place_cards) for game in games}
            games = [game for game in games if errors[game] == min(errors.values())]
        return games[0] if len(games) == 1 else None

    def _count_errors(self, game: str, place_cards: Callable[[Catalogue], Deck]) -> tuple[int, int]:
        """Return `(rule errors, wrong names)` of the deck that `place_cards` returns for the game's catalogue.

        The deck is judged by the default terms of the current day. Rule errors are findings of severity ERROR that cite
        a document of the ruleset. Wrong names are findings `card.mismatch`: name and number are of different cards.
        """
        judge = self.judge(RequestedTerms(game=game))
        findings = judge(place_cards(judge.catalogue), Suggestions(0)).findings
        documents = {rule.cite.document for rule in judge.terms.ruleset.rules.values()}
        errors = sum(finding.severity == ERROR and finding.rule.document in documents for finding in findings)
        return errors, sum(finding.code == "card.mismatch" for finding in findings)

    def _knows_all_lines(self, deck: Deck) -> Callable[[str], bool]:
        """Return a predicate of a game id: True if the game's catalogue knows every line of the deck.

        It is always False for a deck without lines.
        """
        lines = sum(1 for _ in deck.lines())
        return lambda game: 0 < lines == self._count_known_lines(deck, self.cards.catalogue(game))

    @staticmethod
    def _count_known_lines(deck: Deck, catalogue: Catalogue) -> int:
        """Return the number of lines of a deck whose card is in the catalogue, by number or name.

        Copies do not count.
        """
        return sum(1 for _, line in deck.lines() if resolve(line, catalogue))

    def _compile_judge(self, requested_terms: RequestedTerms, catalogue: Catalogue, lists: GameLists) -> Judge:
        """Return a new Judge for terms with a day, and add the terms to `_recent_terms`, which `quick_verdict` reads.

        That set is emptied first if it has MOST_JUDGES entries. Raises the errors of `complete_terms` and of
        `_check_own_cards`.
        """
        terms = complete_terms(requested_terms, lists)
        _check_own_cards(requested_terms, terms, lists, catalogue)
        judge = Judge(terms, catalogue)
        if len(self._recent_terms) >= MOST_JUDGES:
            self._recent_terms.clear()
        self._recent_terms.add(requested_terms)
        return judge


def names_game(requested_terms: RequestedTerms) -> bool:
    """Return True if terms name a game, or a ruleset, which is of one game."""
    return bool(requested_terms.ruleset or requested_terms.game)


def complete_terms(requested_terms: RequestedTerms, lists: GameLists) -> Terms:
    """Return the terms of a request that has a day, with defaults for the open ones and its own limits list in force.

    Defaults: the ruleset of the day, region "en", the format of the block rotation on that day or "standard", and a
    Policy without choices. Raises Invalid if terms do not exist or do not fit together, or if the own list is wrong.
    Raises AssertionError without a day.
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
    with _errors_at("/format"):
        return Terms(
            ruleset,
            requested_terms.on,
            region,
            requested_terms.format or lists.default_format,
            requested_terms.policy or Policy(),
            requested_terms.best_of,
            requested_terms.timezone,
            lists,
        )


def check_list_policy(requested_terms: RequestedTerms) -> None:
    """Raise Invalid if terms have an own limits list and a policy that ignores all limits lists (`limits` is False)."""
    policy = requested_terms.policy
    if requested_terms.limits_list is not None and policy is not None and policy.limits is False:
        message = phrase(
            "The ban list is not applied, so the own list has no effect. Remove the list, or apply the ban list."
        )
        raise Invalid([Wrong("/limits_list", message)])


def _add_own_list(lists: GameLists, text: str, region: str, is_stored: bool) -> GameLists:
    """Return the official lists with the organiser's limits list (`text`, in TOML) added to their limits list.

    Findings cite its entries under the name of the own list. Raises Invalid if the list is wrong or lacks the region.
    With `is_stored` (accepted earlier) nothing is raised: wrong entries are left out. If none is left, or the region is
    lacking, the official lists are returned unchanged.
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
    """Return an organiser's limits list (a TOML text) on top of the official list. Raises Invalid if the text is wrong.

    If `is_stored`, nothing is raised: entries that do not fit any more are left out, with the reasons in `left_out`. If
    no entry can be used, `listed` of the result is the official list. Up to 32 results are cached.
    """
    official = lists.documents.get(LIMITS)
    try:
        return proposals.own_list(lists.game, official, proposals.parse_file(text), is_stored)
    except DocumentError as error:
        if not is_stored:
            raise Invalid([Wrong("/limits_list", error_sentence(error))]) from None
        return OwnList("", lists.listed, official or {}, (error_text(error),))


def _join_proposal(lists: GameLists, own: OwnList | None, document: Document, text: str | None) -> LimitsList:
    """Return the limits list that results if a proposed document is applied.

    Raises DocumentError if the document is wrong. `own` is the organiser's own list with its TOML `text`, both None
    without one. A proposal with a `title` replaces the official list, and the own list stays on top of it. Other
    proposals are changes on top of the own list, without one on top of the official list.
    """
    if own is None or text is None:
        return proposals.proposed_list(lists.game, lists.documents.get(LIMITS), document)
    if proposals.replaces_official(document):
        listed = proposals.proposed_list(lists.game, None, document)
        proposed = replace(lists, listed=listed, documents={**lists.documents, LIMITS: document})
        return _join_own_list(proposed, text, is_stored=True).listed
    return proposals.proposed_on_own(lists.game, own, document)


def _check_own_cards(requested_terms: RequestedTerms, terms: Terms, official: GameLists, catalogue: Catalogue) -> None:
    """Raise Invalid if the organiser's own limits list has an unknown card or set, or a number with a wrong name.

    `terms` are the complete terms with the own list, `official` are the lists without it. Does nothing if
    `requested_terms` have no own list. A list with `is_stored_list` passes unchecked, because the cards may have
    changed since it was accepted.
    """
    if requested_terms.limits_list is None or requested_terms.is_stored_list:
        return
    own = terms.lists.listed
    if faults := list(islice(check_listed_names(own, official.listed, catalogue), MOST_PROPOSAL_FAULTS)):
        raise Invalid([Wrong("/limits_list", join_phrases(faults, " "))])
    try:
        proposals.check_sets(own, terms.lists.sets, catalogue)
    except DocumentError as error:
        raise Invalid([Wrong("/limits_list", error_sentence(error))]) from None


def judge_request(request: Validation, judge: Judge) -> Verdict:
    """Return a Judge's verdict on the deck of a request, or on the deck parsed from its text.

    The terms and options of the request are ignored. Raises Invalid if the text cannot be read.
    """
    return judge(request_deck(request.deck, request.decklist, judge.catalogue))


def request_deck(deck: Deck | None, decklist: str | bytes | None, catalogue: Catalogue) -> Deck:
    """Return `deck`, or the deck parsed from the text `decklist` if `deck` is None. If both are None, it is empty.

    Raises Invalid at "/decklist" if the text cannot be read.
    """
    return deck if deck is not None else _parse(decklist or "", catalogue).deck


def _judge_of_day(calendar: Calendar, day: date, catalogue: Catalogue) -> Judge:
    """Return a new Judge for a day of a calendar.

    It caches the rules of at most 3,000 cards, fewer than other Judges. Raises ValueError if the region or the format
    of the calendar does not exist on that day.
    """
    return Judge(calendar.terms(day), catalogue, _CARDS_PER_DAY)


def _parse(decklist: str | bytes, catalogue: Catalogue | None = None, pointer: str = "/decklist") -> Parsed:
    """Return the first deck of a text, parsed for the game of the catalogue.

    Without a catalogue the game of the result is the only one that fits the card numbers, else None.
    Raises Invalid with the pointer if the text cannot be read.
    """
    from validator import decklists  # only texts need the readers

    with _errors_at(pointer):
        return decklists.parse(decklist, None if catalogue is None else catalogue.game, catalogue)


def find_requested_ruleset(requested_terms: RequestedTerms) -> Ruleset:
    """Return the ruleset that terms with a day name, else the ruleset of their game that is in force on the day.

    Raises Invalid if they have neither a game nor a ruleset, if one is unknown, or if the ruleset is of another game.
    Raises AssertionError without a day.
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
    """Add `pointer`, the place of a team's deck, before the pointer of each Invalid error at exactly "/decklist".

    Other errors in the `with` block keep their pointers.
    """
    try:
        yield
    except Invalid as error:
        raise Invalid(
            wrong._replace(pointer=pointer + wrong.pointer) if wrong.pointer == "/decklist" else wrong
            for wrong in error.errors
        ) from None


@contextmanager
def _errors_at(pointer: str) -> Iterator[None]:
    """Turn a ValueError of the `with` block into Invalid with one error at `pointer`, its message with a full stop.

    A PolicyError gets the pointer "/policy/" and its key instead. Invalid is a ValueError and becomes one error, too.
    """
    try:
        yield
    except PolicyError as error:
        raise Invalid([Wrong(f"/policy/{error.key}", error_sentence(error))]) from None
    except ValueError as error:
        raise Invalid([Wrong(pointer, error_sentence(error))]) from None
