"""Completeness: what a described game still lacks before decks of it can be judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from carddb import facts
from carddb.sources.official_sites import SITES
from validator import clauses, limits, rulesets
from validator.errors import DocumentError
from validator.games import GAMES, Game
from validator.rules.copies import CopyLimit
from validator.rules.keywords import Keyword
from validator.rulesets import Ruleset
from validator.rulesets.editions import named_values


def check_games(games: Iterable[Game] = GAMES.values()) -> None:
    """Refuse games that lack something; the DocumentError has a sentence for each thing, and where to write it."""
    if sentences := [*strays(rulesets().values()), *(sentence for game in games for sentence in lacks(game))]:
        raise DocumentError("\n".join(sentences))


def strays(editions: Iterable[Ruleset]) -> Iterator[str]:
    """Yield a sentence for each edition of a game that there is not: nobody would be judged by it."""
    for one in editions:
        if one.game not in GAMES:
            yield f"{one.id} is of {one.game!r}, none of the GAMES of validator/games.py, {', '.join(GAMES)}."


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
    for edition in editions:
        yield from _unread_keywords(edition)
        yield from _unlisted_formats(edition)


def _strange_words(game: Game, editions: Iterable[Ruleset]) -> Iterator[str]:
    types = {*game.two_faced, *game.costless, *(kind for kinds in game.always.values() for kind in kinds)}
    rules = [rule for one in editions for rule in one.having_side_deck().rules.values()]
    ruled = {kind for rule in rules for kind in named_values(rule, "type")}
    for kind in sorted((types | ruled) - set(game.types)):
        yield f"{kind!r} is spoken of as a card type of {game.id}, which has {', '.join(game.types)}."
    for color in sorted(set(game.cost_letters.values()) - set(game.colors)):
        yield f"{color!r} is spoken of as a colour of {game.id}, which has {', '.join(game.colors)}."


def _unread_keywords(edition: Ruleset) -> Iterator[str]:
    """Yield the keywords that rules limit and that no card has as its text is read."""
    read = clauses.READERS.get(edition.game, clauses.PLAIN).wording.keywords.values()
    rules = edition.having_side_deck().rules.values()
    limited = {rule.keyword for rule in rules if isinstance(rule, Keyword)}
    exempt = {keyword for rule in rules if isinstance(rule, CopyLimit) for keyword in rule.exempt}
    for keyword in sorted((limited | exempt) - {*read}):
        yield (
            f"{edition.id} speaks of the keyword {keyword!r}, which nobody reads in card texts; add it to the keywords "
            f"of {edition.game} in validator/clauses/wording.py, which has {', '.join(read) or 'none'}."
        )


def _unlisted_formats(edition: Ruleset) -> Iterator[str]:
    """Yield the formats of an edition that a list of the game does not know: decks of them could not be judged."""
    listed, rotation = limits.load(edition.game), limits.rotation(edition.game)
    known = {f"{edition.game}.toml": listed.formats} if listed.title else {}
    if rotation:
        known[f"{edition.game}-rotation.toml"] = tuple(rotation.formats)
    for file, formats in known.items():
        for format in sorted({*edition.formats} - {*formats}):
            yield f"{edition.id} has the format {format!r}; validator/limits/{file} has {', '.join(formats)}."
