"""Completeness checks: what a described game lacks before its decks can be judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from carddb import facts
from carddb.sources.official_sites import SITES
from validator import clauses, rulesets
from validator.errors import DocumentError
from validator.games import GAMES, Game
from validator.limits import shipped_lists
from validator.rules.copies import CopyLimit, Keyword
from validator.rulesets import Ruleset
from validator.rulesets.editions import field_values


def check_games(games: Iterable[Game] = GAMES.values()) -> None:
    """Raise DocumentError if one of these games is incomplete, or if any shipped ruleset has an unknown game.

    The message has a line for each missing thing, with the file in which it belongs.
    """
    if sentences := [
        *find_editions_without_game(rulesets().values()),
        *(sentence for game in games for sentence in find_missing_parts(game)),
    ]:
        raise DocumentError("\n".join(sentences))


def find_editions_without_game(editions: Iterable[Ruleset]) -> Iterator[str]:
    """Yield a sentence for each of these rulesets whose game is not in GAMES, so that no deck could be judged by it."""
    for edition in editions:
        if edition.game not in GAMES:
            yield f"{edition.id} is of {edition.game!r}, none of the GAMES of validator/games.py, {', '.join(GAMES)}."


def find_missing_parts(game: Game) -> Iterator[str]:
    """Yield a sentence for each part that is missing from a game's description, data files or editions.

    The parts are: its entry in GAMES, a ruleset, a parser of card texts, a facts file, series of card numbers unless
    `told_by_name` is set, and the readers of its official site if it has one. Then follow unknown card types, colours,
    keywords and formats that its editions use.
    """
    editions = [edition for edition in rulesets().values() if edition.game == game.id]
    is_present = {
        "is not among the GAMES of validator/games.py; add it there": game.id in GAMES,
        "has no ruleset; write validator/rulesets/{}-1.toml": editions,
        "has no reader of card texts; name one in validator/clauses, such as PLAIN": game.id in clauses.READERS,
        "has no cards; write a few invented ones, carddb/data/facts/{}.csv": facts.facts_file(game.id).is_file(),
        "has no series of card numbers; write them, or `told_by_name`, in validator/games.py": (
            game.series or game.told_by_name
        ),
        "has an official site that nothing reads; name its readers in carddb/sources/official_sites.py": (
            not game.site or game.id in SITES
        ),
    }
    yield from (f"{game.id} {lack.format(game.id)}." for lack, is_there in is_present.items() if not is_there)
    yield from _find_unknown_words(game, editions)
    for edition in editions:
        yield from _find_unparsed_keywords(edition)
        yield from _find_unlisted_formats(edition)


def _find_unknown_words(game: Game, editions: Iterable[Ruleset]) -> Iterator[str]:
    """Yield a sentence for each card type and colour that is used but that the game's own lists do not have.

    Card types are used by the game's description and by the rules of its editions. Colours are used by its cost
    letters.
    """
    types = {*game.two_faced, *game.costless, *(kind for kinds in game.always.values() for kind in kinds)}
    rules = [rule for edition in editions for rule in edition.having_side_deck().rules.values()]
    ruled = {kind for rule in rules for kind in field_values(rule, "type")}
    for kind in sorted((types | ruled) - set(game.types)):
        yield f"{kind!r} is spoken of as a card type of {game.id}, which has {', '.join(game.types)}."
    for color in sorted(set(game.cost_letters.values()) - set(game.colors)):
        yield f"{color!r} is spoken of as a colour of {game.id}, which has {', '.join(game.colors)}."


def _find_unparsed_keywords(edition: Ruleset) -> Iterator[str]:
    """Yield a sentence for each keyword in the rules of an edition that its parser never finds in card texts.

    These are the keywords that keyword rules limit or that copy limits exempt, such as "Super Combo".
    """
    parsed = clauses.READERS.get(edition.game, clauses.PLAIN).wording.keywords.values()
    rules = edition.having_side_deck().rules.values()
    limited = {rule.keyword for rule in rules if isinstance(rule, Keyword)}
    exempt = {keyword for rule in rules if isinstance(rule, CopyLimit) for keyword in rule.exempt}
    for keyword in sorted((limited | exempt) - {*parsed}):
        yield (
            f"{edition.id} speaks of the keyword {keyword!r}, which nobody reads in card texts; add it to the keywords "
            f"of {edition.game} in validator/clauses/wording.py, which has {', '.join(parsed) or 'none'}."
        )


def _find_unlisted_formats(edition: Ruleset) -> Iterator[str]:
    """Yield a sentence for each format of an edition and each list, limits or rotation, that lacks this format.

    A list that the game does not have needs no formats.
    """
    listed, rotation = shipped_lists(edition.game).listed, shipped_lists(edition.game).rotation
    known = {f"{edition.game}.toml": listed.formats} if listed.title else {}
    if rotation:
        known[f"{edition.game}-rotation.toml"] = tuple(rotation.formats)
    for file, formats in known.items():
        for format in sorted({*edition.formats} - {*formats}):
            yield f"{edition.id} has the format {format!r}; validator/limits/{file} has {', '.join(formats)}."
