"""What holds for any text and any deck."""

import random
import timeit
from collections import Counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.cost import time_limit
from validator.deck import MOST_COPIES, Deck, Line
from validator.decklists import FORMATS, headlines, parse, write
from validator.decklists.listing import Listing
from validator.decklists.source import source

pytestmark = pytest.mark.slow

PIECES = st.sampled_from(
    [
        *("4", "x", "x4", "10x", "0", "999", "４", "④", "-1", "1.5", "4xOP01-016", "1xBT1-005_PR02"),
        *("OP01-016", "op01016", "BT1-005", "(set 06)", "[P-001]", "(EB01-001)", "OP01\u2013016", "#402", "*F*"),
        *("Nami", "Son Goku,", "10x Kamehameha", "Front // Back", "DON!!", "ナミ", "“Zoro”", "\u200b", "\u00a0"),
        *("Leader", "Main Deck", "Side:", "SB:", "Z-Deck", "_____", "(12)", ":", "-", "Total: 51", "Player:"),
        *("//", "#", "//deck-1", ",", ";", "\t", "|", '"', "{", "}", "[", "]", '["', "null", "qty,card", "section"),
        *("https://a.b/?deck=", "?deck=OP01-016:4", "&", "=", "?d=2D", "1nOP01-016a", "\1", "\0", "\ud800", "\x1c"),
    ]
)
LINES = st.builds(lambda words, by: by.join(words), st.lists(PIECES, max_size=6), st.sampled_from([" ", "", "  "]))
TEXTS = st.one_of(
    st.text(),
    st.builds(lambda lines, by: by.join(lines), st.lists(LINES, max_size=8), st.sampled_from(["\n", "\r\n", "\n\n"])),
)


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_any_text_is_read_and_every_line_accounted_for(text):
    parsed = parse(text)
    seen = {line.at for _, line in parsed.deck.lines()} | {line.at for line in parsed.deck.unread}
    kinds = Listing(source(text)).kinds
    rows = source(text).rows
    assert parsed.format in FORMATS
    assert list(kinds) == [row.at for row in rows]
    if FORMATS[parsed.format].fits:
        for at, kind in kinds.items():
            assert (at in seen) is (kind in ("cards", "unread"))
    elif parsed.format in ("csv", "tsv"):
        titles = ("qty", "card", "section")
        headers = {row.at for row in rows if sum(title in row.plain.casefold() for title in titles) > 1}
        assert {row.at for row in rows if not _says_no_card(row.plain)} - headers <= seen
    elif parsed.format.endswith("json") or parsed.format in ("tts", "optcgsim-deckpack"):
        assert seen
    else:
        assert {row.at for row in rows if not _says_no_card(row.plain)} <= seen
    assert all(1 <= line.count <= MOST_COPIES and line.written for _, line in parsed.deck.lines())
    assert all(line.reason for line in parsed.deck.unread)


def _says_no_card(plain):
    cells = plain.strip(",;|\t ")
    told = ": ".join(filter(None, plain.replace(",", "\t").replace(";", "\t").split("\t")))
    return (
        bool(headlines.heading(cells))
        or headlines.is_comment(plain)
        or headlines.is_metadata(told)
        or headlines.is_metadata(plain)
    )


@given(st.one_of(st.binary(), TEXTS.map(lambda text: text.encode("utf-16", "replace"))))
def test_any_bytes_are_read(data):
    parse(data)


NUMBERS = st.one_of(
    st.from_regex(r"(OP|ST|EB|PRB)[0-9]{2}-[0-9]{3}(_[pr][0-9])?", fullmatch=True),
    st.from_regex(r"(BT|TB|DB)[1-9][0-9]?-[0-9]{3}(_PR|_SPR|_PR02|_SPR_S)?", fullmatch=True),
    st.from_regex(r"(EX[0-9]{2}|[SX]D[1-9])-[0-9]{2}", fullmatch=True),
    st.from_regex(r"P-[0-9]{3}", fullmatch=True),
)
NAMES = st.from_regex(r"[A-Z][a-z]{2,8}(( |, | & |-|\.|: | // )[A-Z][a-z']{2,8}){0,3}( [0-9]{1,2}|!!)?", fullmatch=True)
COUNTS = st.integers(1, MOST_COPIES)
FEW = st.integers(1, 30)  # eight lines of one card are still a line: some formats add them up
CARDS = st.one_of(
    st.builds(Line, NUMBERS, COUNTS, st.none()),
    st.builds(Line, NUMBERS, COUNTS, NAMES),
    st.builds(Line, st.none(), COUNTS, NAMES),
)
SECTION = st.lists(CARDS, max_size=6).map(tuple)
DECKS = st.builds(Deck, leader=st.lists(CARDS, max_size=1).map(tuple), main=SECTION, side=SECTION, z=SECTION)


def copies(deck):
    found = Counter()
    for section, line in deck.lines():
        found[section, line.number, None if line.number else line.name] += line.count
    return found


@settings(max_examples=60, deadline=None)
@given(DECKS, st.sampled_from(["text", "json", "csv", "tsv", "deckplanet", "digimoncard"]))
def test_writing_and_reading_back_keeps_the_deck(deck, format):
    assume(any(deck.lines()))  # a text without a card is told so
    read = parse(write(deck, format)).deck
    assert (copies(read), read.unread) == (copies(deck), ())


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.builds(Line, NUMBERS, FEW, st.none() | NAMES), min_size=1, max_size=8), st.sampled_from(list(FORMATS))
)
def test_formats_without_headings_keep_a_main_deck(lines, format):
    if FORMATS[format].write and format not in ("names", "app-json", "tts"):
        deck = Deck(main=tuple(lines))
        read = parse(write(deck, format)).deck
        assert (copies(read), read.unread) == (copies(deck), ())


@settings(max_examples=40, deadline=None)
@given(st.lists(st.builds(Line, NUMBERS, st.integers(2, 4), NAMES), min_size=1, max_size=8), st.randoms())
def test_order_and_splitting_change_nothing(lines, chance):
    whole = write(Deck(main=tuple(lines)), "egman").splitlines()
    split = [piece for line in lines for piece in (f"1 {line.number} {line.name}", f"{line.count - 1} {line.number}")]
    for other in (whole, split):
        chance.shuffle(other)
        assert copies(parse("\n".join(other)).deck) == copies(Deck(main=tuple(lines)))


HOSTILE = {
    "brackets": "[" * 200_000,
    "braces": '{"a":' * 40_000,
    "one word": "x" * 200_000,
    "blanks": "4" + " " * 199_000 + "!",
    "counts": "4 " * 100_000,
    "cards": "1xOP01-001 " * 18_000 + "!",
    "numbers": "OP01-" * 40_000,
    "suffixes": "4 OP01-001" + "_A" * 90_000,
    "commas": "," * 200_000,
    "quotes": "qty,card\n" + '"' * 190_000,
    "columns": "qty,card" + ",a" * 90_000 + "\n4,Nami",
    "names": "4 Some Name Here x\n" * 4_999,
    "nothing": "Some Name Here xyz\n" * 4_999,
    "headings": "Leader: aaaaaaaaaa\n" * 4_999,
    "parentheses": "4 (((((((((((((((\n" * 4_999,
    "full width": "４ｘＯＰ０１－０１６ ナミ\n" * 4_999,
    "dashes": ("-" * 300 + "\n") * 600,
    "link": "?deck=" + "A:1," * 2_400,
    "query": "a?" * 99_000 + "=",
    "packed": "https://onepiece-cardgame.dev/builder?d=2D" + "ab" * 40_000 + "\1" + "ab" * 40_000 + "_",
    "base64": "https://a.b/?deck=" + "A" * 190_000,
    "keys": "{" + ",".join(f'"k{at}":{{}}' for at in range(15_000)) + "}",
    "same keys": "{" + ",".join('"k":1' for _ in range(30_000)) + "}",
    "escapes": "[" + ",".join('{"id":"\\u0041","n":1}' for _ in range(8_000)) + "]",
    "copies": "[" + '"OP01-001",' * 18_000 + '"OP01-001"]',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_takes_seconds_at_most(name, few):
    with time_limit(5):
        parse(HOSTILE[name])
        parse(HOSTILE[name], catalogue=few)


TOO_LONG = [
    "a" * 200_001,
    "a\n" * 10_001,
    b"a" * 200_001,
    "4xOP01-001 " * 10_001,
    "?deck=" + "A:1," * 10_001,
    '{"decklist": "' + r"4 A\n" * 10_001 + '"}',
]


@pytest.mark.parametrize("text", TOO_LONG, ids=range(len(TOO_LONG)))
def test_a_text_longer_than_any_list_is_refused(text):
    with pytest.raises(ValueError, match="at most"):
        parse(text)


def test_an_exported_list_is_read_in_no_time(optcg):
    chance = random.Random(1)
    numbers = chance.sample(sorted(optcg.index), 17)
    text = "\n".join(f"4x{number}" for number in numbers)
    best = min(timeit.repeat(lambda: parse(text, catalogue=optcg), number=100, repeat=5)) / 100
    assert best < 500e-6  # measured: 45 to 65 microseconds
