"""One deck in a hundred ways in which people post it: read as it should be, or told of as its oddity asks for.

What `messy/odd` has is wrong or unclear in one place each; the table says what is told of it.
"""

from collections import Counter
from datetime import date

import pytest

from tests.shared import shared_path
from validator import Judge, Terms, decklists, rulesets

# Of files that are not read as the deck is: what they lack of it, what they have besides, what is told; in how many
# lines it is asked how many copies there are, and of how many cards which are meant.
ODD = {
    "considering": {"told": {"line.aside": 1}},
    "cuts-note": {"told": {"line.aside": 1}},
    "discord-codeblock": {"told": {"line.unread": 1}},
    "don-line": {"more": {"DON!!": 10}},
    "don-line-card": {"more": {"DON!!": 10}},
    "emoji-bullets": {"told": {"line.unread": 1}},
    "leader-name-only": {"unknown": 1},  # several Leaders have this name
    "reddit-title": {"told": {"line.unread": 1}},
    "roman": {"asked": 19},
    "sideboard-note": {"told": {"line.aside": 2}},
    "zero-as-O": {"unknown": 4},
    "odd/c0": {"asked": 1},
    "odd/c44": {"more": {"OP13-016": 40}, "told": {"copies.exceeded": 1, "size": 1}},
    "odd/c999": {"asked": 1},
    "odd/cfrac": {"asked": 1},
    "odd/cneg": {"asked": 1},
    "odd/costnote": {"unknown": 1},
    "odd/costnote2": {"unknown": 1},
    "odd/cplus": {"asked": 1},
    "odd/cq": {"asked": 1},
    "odd/crange": {"asked": 1},
    "odd/cx": {"asked": 1},
    "odd/digitswap": {
        "less": {"OP13-016": 4},
        "more": {"OP13-061": 4},
        "told": {"card.mismatch": 1},
    },
    "odd/empty": {"less": None, "told": {"leader.count": 1, "size": 1}},
    "odd/mismatch": {"told": {"card.mismatch": 1}},
    "odd/misspelt": {"unknown": 1},
    "odd/nickname": {"unknown": 1},
    "odd/noleader": {"less": {"OP13-002": 1}, "told": {"leader.count": 1}},
    "odd/numonly": {"unknown": 1},
    "odd/owned": {"asked": 19},
    "odd/playset": {"asked": 9},
    "odd/setonly": {"unknown": 1},
    "odd/total50lie": {"less": {"ST22-015": 4}, "told": {"size": 1, "list.total": 1}},
    "odd/twodiffleaders": {"more": {"OP01-001": 1}, "told": {"leader.count": 1}},
    "odd/twoleaders": {"more": {"OP13-002": 1}, "told": {"leader.count": 1}},
    "odd/unknum": {"unknown": 1},
    "odd/unkset": {"unknown": 1},
    "odd/upto": {"asked": 19},
    "odd/zoro": {"told": {"card.mismatch": 2}},
}


@pytest.fixture(scope="module")
def judged(optcg):
    judge = Judge(Terms(rulesets()["optcg-1.2.1"], date(2026, 11, 21), format="extra"), optcg)
    return lambda path: judge(decklists.parse(path.read_bytes(), "optcg", optcg).deck)


def _copies(verdict):
    """The copies of each card of the catalogue, and of DON!!, wherever they lie; and of how many nobody knows which."""
    copies, unknown = Counter(), 0
    for section in verdict.facts.resolved_lines.values():
        for line, card in section:
            if card or line.name == "DON!!":
                copies[card.number if card else line.name] += line.count
            else:
                unknown += 1
    return copies, unknown


def _names():
    return sorted(str(file.relative_to(shared_path("decks/messy")).with_suffix("")) for file in _files())


def _files():
    return shared_path("decks/messy").rglob("*.txt")


def test_every_file_is_read_as_the_deck_or_as_its_oddity_asks_for(judged):
    whole, _ = _copies(judged(shared_path("decks/messy/odd/base.txt")))
    assert whole.total() == 51
    names = _names()
    assert set(ODD) <= set(names)
    wrong = [(name, found) for name in names if (found := _wrong(name, whole, judged))]
    assert wrong == []


def _wrong(name, whole, judged):
    """What is not as the table says of one file; nothing where all is."""
    odd = ODD.get(name, {})
    verdict = judged(shared_path(f"decks/messy/{name}.txt"))
    copies, unknown = _copies(verdict)
    told = Counter(verdict.codes)
    asked = [one for one in verdict.findings if one.code == "line.unread" and one.severity == "error"]
    told["line.unread"] -= len(asked)
    if (len(asked), unknown) != (odd.get("asked", 0), odd.get("unknown", 0)):
        return f"asked of {len(asked)} lines, {unknown} cards unknown"
    if asked or unknown:  # and so a part of the deck is missing
        return "more than there is" if copies - whole or verdict.legal else ""
    less = whole if odd.get("less", {}) is None else Counter(odd.get("less", {}))
    wanted = whole - less + Counter(odd.get("more", {}))
    if copies != wanted:
        return copies - wanted, wanted - copies
    return +told if +told != Counter(odd.get("told", {})) else ""
