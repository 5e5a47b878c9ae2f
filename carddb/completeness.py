"""Completeness: what a described game still lacks before decks of it can be judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from carddb import facts
from carddb.sources.official_sites import SITES
from validator import clauses, rulesets
from validator.errors import DocumentError
from validator.games import GAMES, Game
from validator.rulesets import Ruleset
from validator.rulesets.editions import spoken_of


def check_games(games: Iterable[Game] = GAMES.values()) -> None:
    """Refuse games that lack something; the DocumentError has a sentence for each thing, and where to write it."""
    if sentences := [sentence for game in games for sentence in lacks(game)]:
        raise DocumentError("\n".join(sentences))


def lacks(game: Game) -> Iterator[str]:
    """Yield a sentence for each thing that a game lacks."""
    editions = [one for one in rulesets().values() if one.game == game.id]
    has = {
        "is not among the GAMES of validator/games.py; add it there": game.id in GAMES,
        "has no ruleset; write validator/rulesets/{}-1.toml": editions,
        "has no reader of card texts; name one in validator/clauses, such as PLAIN": game.id in clauses.READERS,
        "has no cards; write a few invented ones, carddb/facts/{}.csv": facts.file(game.id).is_file(),
        "has no series of card numbers; write them, or `told_by_name`, in validator/games.py": (
            game.series or game.told_by_name
        ),
        "has an official site that nothing reads; name its readers in carddb/sources/official_sites.py": (
            not game.site or game.id in SITES
        ),
    }
    yield from (f"{game.id} {lack.format(game.id)}." for lack, there in has.items() if not there)
    yield from _strange_words(game, editions)


def _strange_words(game: Game, editions: Iterable[Ruleset]) -> Iterator[str]:
    types = {*game.two_faced, *game.costless, *(kind for kinds in game.always.values() for kind in kinds)}
    rules = [rule for one in editions for rule in one.having_side_deck().rules.values()]
    ruled = {kind for rule in rules for kind in spoken_of(rule, "type")}
    for kind in sorted((types | ruled) - set(game.types)):
        yield f"{kind!r} is spoken of as a card type of {game.id}, which has {', '.join(game.types)}."
    for color in sorted(set(game.cost_letters.values()) - set(game.colors)):
        yield f"{color!r} is spoken of as a colour of {game.id}, which has {', '.join(game.colors)}."
