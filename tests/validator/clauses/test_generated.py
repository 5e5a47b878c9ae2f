"""Sentences made from the grammar are read back as what they were made to mean, card by card."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from validator.clauses import read
from validator.matching import Profile, matches

Meaning = Callable[[Profile], bool]
Phrase = tuple[str, Meaning]

COLORS = ("red", "blue", "green")
TRAITS = ("Saiyan", "God", "Universe 7")
CHARACTERS = ("Son Goku", "Trunks : Future")
TYPES = ("Battle", "Extra", "Unison")
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def _card(kind: str, colors: tuple[str, ...], trait: str, character: str, cost: int) -> Profile:
    return Profile(
        types=frozenset((kind.casefold(),)),
        colors=frozenset(colors),
        traits=frozenset((trait.casefold(),)),
        characters=frozenset((character.casefold().replace(" : ", ":"),)),
        names=frozenset(),
        keywords=frozenset(),
        cost=cost,
        multicolor=len(colors) > 1,
    )


CARDS = [
    _card(*facts)
    for facts in product(
        TYPES, (("red",), ("blue",), ("red", "green")), (*TRAITS, "Universe"), (*CHARACTERS, "Son"), (0, 3, 9)
    )
]


def _color(color: str) -> Phrase:
    return color, lambda card: color in card.colors


def _trait(trait: str) -> Phrase:
    return f"《{trait}》", lambda card: trait.casefold() in card.traits


def _character(name: str) -> Phrase:
    return f"＜{name}＞", lambda card: name.casefold().replace(" : ", ":") in card.characters


def _negative(phrase: Phrase) -> Phrase:
    words, meaning = phrase
    return f"non-{words}", lambda card: not meaning(card)


QUALITIES = st.one_of(
    st.sampled_from(COLORS).map(_color),
    st.sampled_from(TRAITS).map(_trait),
    st.sampled_from(CHARACTERS).map(_character),
)
ADJECTIVES = st.one_of(QUALITIES, QUALITIES.map(_negative))


@st.composite
def costs(draw: st.DrawFn) -> Phrase:
    number = draw(st.integers(0, 9))
    written = draw(st.sampled_from((str(number), NUMBERS[number])))
    words, meaning = draw(
        st.sampled_from(
            [
                ("{} or more", lambda cost: cost >= number),
                ("{} or greater", lambda cost: cost >= number),
                ("{} or less", lambda cost: cost <= number),
                ("{}", lambda cost: cost == number),
                ("more than {}", lambda cost: cost > number),
                ("{} to 9", lambda cost: number <= cost <= 9),
            ]
        )
    )
    noun = draw(st.sampled_from(("with energy costs of", "with an energy cost of", "with original energy costs of")))
    return f" {noun} {words.format(written)}", lambda card: card.cost is not None and meaning(card.cost)


@st.composite
def groups(draw: st.DrawFn) -> Phrase:
    """One or two qualities, a noun, and perhaps a cost."""
    qualities = draw(st.lists(ADJECTIVES, min_size=1, max_size=2))
    kind = draw(st.sampled_from(("", *TYPES)))
    cost, costing = draw(st.one_of(st.just(("", lambda card: True)), costs()))
    words = " ".join(words for words, _ in qualities)
    noun = f"{kind} Cards" if kind else "cards"

    def meaning(card: Profile) -> bool:
        fits = not kind or kind.casefold() in card.types
        return fits and costing(card) and all(one(card) for _, one in qualities)

    return f"{words} {noun}{cost}", meaning


@st.composite
def phrases(draw: st.DrawFn) -> Phrase:
    """One to three groups of cards, perhaps less some."""
    parts = draw(st.lists(groups(), min_size=1, max_size=3))
    joint = draw(st.sampled_from((" or ", " and ", ", ", ", or ")))
    words = joint.join(words for words, _ in parts)
    if not draw(st.booleans()):
        return words, lambda card: any(meaning(card) for _, meaning in parts)
    name, excepted = draw(st.sampled_from(CHARACTERS).map(_character))
    return f"{words}, except for {name} cards", lambda card: any(one(card) for _, one in parts) and not excepted(card)


NEVER = ("You can't include {}", "You cannot include {}", "You can’t include {}", "Your deck can't include {}")
ONLY = ("You can only include {}", "You may only include {}", "Your deck can only include {}")
UP_TO = ("You can only include up to {} {}", "You can include up to {} {}", "You can't include more than {} {}")
END = st.sampled_from((" in your deck.", " in your deck", ".", " in your deck, and this card can't attack."))


@settings(max_examples=80, deadline=None)
@given(phrases(), st.sampled_from(NEVER), END)
def test_bars_reach_the_cards_they_name(phrase: Phrase, sentence: str, end: str) -> None:
    words, meaning = phrase
    (clause,) = read("dbs", "Leader", f"[Permanent] {sentence.format(words)}{end}")
    assert clause.kind == "forbid"
    assert [matches(clause.match or {}, card) for card in CARDS] == [meaning(card) for card in CARDS]


@settings(max_examples=50, deadline=None)
@given(phrases(), st.sampled_from(ONLY), END)
def test_restrictions_reach_all_other_cards(phrase: Phrase, sentence: str, end: str) -> None:
    words, meaning = phrase
    (clause,) = read("dbs", "Leader", f"[Permanent] {sentence.format(words)}{end}")
    assert clause.kind == "forbid"
    assert [matches(clause.match or {}, card) for card in CARDS] == [not meaning(card) for card in CARDS]


@settings(max_examples=50, deadline=None)
@given(phrases(), st.integers(1, 60), st.sampled_from(UP_TO), END)
def test_limits_count_the_cards_they_name(phrase: Phrase, limit: int, sentence: str, end: str) -> None:
    words, meaning = phrase
    (clause,) = read("dbs", "Leader", f"[Permanent] {sentence.format(limit, words)}{end}")
    assert (clause.kind, clause.limit) == ("pool", limit)
    assert [matches(clause.match or {}, card) for card in CARDS] == [meaning(card) for card in CARDS]


@settings(max_examples=50, deadline=None)
@given(groups(), st.lists(st.sampled_from(TRAITS), min_size=1, max_size=3, unique=True), st.booleans())
def test_gains_of_other_cards_reach_the_cards_they_name(phrase: Phrase, traits: list[str], place_first: bool) -> None:
    words, meaning = phrase
    gained = " and ".join(f"《{trait}》" for trait in traits)
    place = "in all areas"
    order = f"{words} {place} gain {gained}" if place_first else f"{words} gain {gained} {place}"
    (clause,) = read("dbs", "Leader", f"[Permanent] Your {order}.")
    assert clause.kind == "alias"
    assert clause.traits == tuple(traits)
    assert [matches(clause.match or {}, card) for card in CARDS] == [meaning(card) for card in CARDS]


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200), st.sampled_from(("dbs", "optcg", "bos")))
def test_any_text_is_read(text: str, game: str) -> None:
    for clause in read(game, "", text, text):
        assert clause.kind


PIECES = st.sampled_from(
    [
        *("[Permanent]", "You can't include", "can only include", "This card gains", "in all areas", "in your deck"),
        *("《", "《God》", "＜Broly＞", "<", ">", "{", "(", ")", "[", "]", "non-", "red", "cards", "Battle Cards"),
        *("with energy costs of", "3", "or more", "or", "and", ",", ".", ";", "if", "your Leader is", "\n", "・", '"'),
        *(
            "up to",
            "copies of this card",
            "[Dragon Ball]",
            "<br>",
            "&lt;",
            "except for",
            "under the rules of this game",
        ),
    ]
)


@settings(max_examples=100, deadline=None)
@given(st.lists(PIECES, max_size=40), st.sampled_from(("dbs", "optcg")))
def test_any_heap_of_words_is_read(pieces: list[str], game: str) -> None:
    for clause in read(game, "", " ".join(pieces)):
        assert clause.kind == "unread" or clause.as_dict()
