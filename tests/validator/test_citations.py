"""Every citation of every ruleset is looked up: the place is there, and it says what the rule says it does."""

import re
from functools import cache

import pytest

from tests.shared import shared_path
from validator import rulesets
from validator.findings import Citation

POLICY = "Tournament policy (Dragon Ball Super Card Game)"
FILES = {
    "dbs-launch": "manuals/004_98bf8751061b8460.txt",
    "dbs-1.073": "manuals/000_f1f8c2cb45a54b97.txt",
    "dbs-zenkai": "manuals/002_4632daa25a45622a.txt",
    "optcg-1.1.9": "manuals/001_9bc524038906893c.txt",
    "optcg-1.2.0": "manuals/optcg-1.2.0-comprehensive-rules.txt",
    "gundam-1.9.0": "manuals/gundam-1.9.0-comprehensive-rules.txt",
    "Gundam Card Game Tournament Rules Manual (July 10, 2025)": "data/gundam/official/en_pdf_floor_rule_en.excerpt.txt",
    "BO3 Match Rules": "data/gundam/official/en_news_best-of-three.txt",
    "bos-1.3": "manuals/003_f87b420ff808ac37.txt",
    **{f"dbs-{version}": f"manuals/dbs/dbs-{version}.txt" for version in ("1.061", "1.062", "1.063", "1.064")},
    **{f"dbs-{version}": f"manuals/dbs/dbs-{version}.txt" for version in ("1.070", "1.071", "1.074")},
    **{f"dbs-{version}": f"manuals/dbs/dbs-{version}.txt" for version in ("1.077", "1.0781")},
}
IN_TWO_COLUMNS = {FILES["dbs-1.077"], FILES["dbs-1.0781"]}
MIDDLE = 68
# The text of 4.00 is not at hand; what is known of it stands in two notes. Neither is a text of 1.2.1 or of any policy.
NOTES = ("data/dbs/NOTES.md", "RULES.md")
# What is known of Fusion World is in copies and on pages; `test_fusion_rules.py` looks for their words.
PAGES = {
    "fusion-launch": 2,
    "Fusion World OFFICIAL RULES page, https://www.dbs-cardgame.com/fw/en/news/01_31.html (July 24, 2026)": 1,
    "Fusion World card texts (English)": 3,
    "Fusion World explained, https://treasuredcollectibles.shop": 1,
}
WITHOUT_TEXT = {"dbs-4.00", "optcg-1.2.1", POLICY, *PAGES}
_STOP = {"and", "are", "from", "has", "have", "may", "the", "that", "there", "with"}


def citations_by_document():
    """Return the cited sections with the sentences of their rules, by document.

    A document is the id of its ruleset, or its title if it is no manual.
    """
    called = {ruleset.document: name for name, ruleset in rulesets().items()}
    called[rulesets()["bos-1.3"].document] = "bos-1.3"
    found = {}
    for ruleset in rulesets().values():
        for rule in (*ruleset.rules.values(), *ruleset.with_side_deck.values()):
            others = [value for value in rule.parameters().values() if isinstance(value, Citation)]
            for cite, says in ((rule.cite, rule.says), *((other, "") for other in others)):
                found.setdefault(called.get(cite.document, cite.document), set()).add((cite.section, says))
        for _, fact in ruleset.opening.facts():
            found.setdefault(called.get(fact.cite.document, fact.cite.document), set()).add(
                (fact.cite.section, fact.says)
            )
        if ruleset.swap:
            place = ruleset.swap.cite
            found.setdefault(called.get(place.document, place.document), set()).add((place.section, ""))
    return found


@cache
def read_document(path):
    """Return the text of a document in one column, with plain quotes. The result is cached."""
    written = shared_path(path).read_text("utf-8").replace("’", "'").replace("“", '"').replace("”", '"')
    return join_columns(written) if path in IN_TWO_COLUMNS else written


def join_columns(document_text):
    """Return a text of two columns as one: the left columns, then the right ones.

    A right column begins after a gap in the middle of the line.
    """
    left, right = [], []
    for line in document_text.splitlines():
        gap = next((gap for gap in re.finditer(r" {3,}(?=\S)", line) if gap.end() > MIDDLE), None)
        left.append(line[: gap.start()] if gap else line)
        right.append(line[gap.end() :] if gap else "")
    return "\n".join(left + right)


def passages_by_number(document_text, section):
    """Yield the text after each place of a section's number, up to the next number."""
    for match in re.finditer(rf"(?<![\d-]){re.escape(section)}\b(?!-)", document_text):
        yield re.split(r"\n\s*\d+-\d+", document_text[match.start() :], maxsplit=1)[0][:1000]


def passages_by_heading(document_text, section):
    """Yield one text: those under all headings of a section such as "Rule updates 1; Getting started, Deck"."""
    body = document_text.lower()
    contents = body.index("glossary")
    found = ""
    for place in section.split("; "):
        at = body.index("rule updates", contents)
        for heading in place.split(", "):
            name, number = re.fullmatch(r"(.*?)(?: (\d)(?:\.a)?)?", heading).groups()
            at = body.index(name.lower(), at)
            at = body.index(f"{number}.", at) if number else at
        found += document_text[at : at + 900]
    yield found


def passages_by_point(document_text, section):
    """Yield one point under a heading of a page. "Sideboards 1" is the first point."""
    heading, number = section.rsplit(" ", 1)
    points = document_text.split(f"\n\n{heading}\n\n", 1)[1].split("\n\n")
    yield points[int(number) - 1].removeprefix("- ")


def find_passages(document_text, section):
    """Return the texts of a document at a section: by its number, its question, its points or its headings."""
    section = section.removesuffix(" (as deckproof reads it)")
    if section.startswith("Sideboards"):
        return list(passages_by_point(document_text, section))
    if f"\n\n{section}\n\n" in document_text:
        return [document_text.split(f"\n\n{section}\n\n", 1)[1][:500]]
    if question := re.fullmatch('Question "(.*)"', section):
        whole = " ".join(document_text.split())
        asked = question[1].replace("’", "'")
        return [whole[match.start() :][:500] for match in re.finditer(re.escape(asked), whole)]
    return list(
        passages_by_number(document_text, section)
        if re.fullmatch(r"[\d.-]+", section)
        else passages_by_heading(document_text, section)
    )


def share_of_words(says, passage):
    """Return the share of the words of a rule's first statement that a passage has. It is 1 if there are no words."""
    first = re.split(r"[;:(]", says)[0]
    words = {word[:5].lower() for word in re.findall(r"[A-Za-z]{3,}|\d+", first) if word.lower() not in _STOP}
    there = " ".join(passage.split()).lower()
    return sum(word in there for word in words) / len(words) if words else 1


def test_every_document_is_looked_up_or_known_not_to_be_at_hand():
    assert set(citations_by_document()) == set(FILES) | WITHOUT_TEXT
    assert {name: len({section for section, _ in citations_by_document()[name]}) for name in WITHOUT_TEXT} == {
        "dbs-4.00": 10,
        "optcg-1.2.1": 10,
        POLICY: 6,
        **PAGES,
    }


@pytest.mark.parametrize("name", FILES)
def test_what_is_cited_stands_there(name):
    written = read_document(FILES[name])
    for section, says in sorted(citations_by_document()[name]):
        found = find_passages(written, section)
        assert found, f"{name} has no {section}"
        assert max(share_of_words(says, passage) for passage in found) >= 0.5, (section, says, found)


def test_what_is_cited_of_a_manual_that_is_not_at_hand_stands_in_the_notes_on_it():
    known = [line for path in NOTES for line in re.split(r"\n|\. ", read_document(path))]
    for section, says in sorted(citations_by_document()["dbs-4.00"]):
        chapter = section.rpartition("-")[0]  # one of the notes leaves the last number of the keywords out
        found = [line for line in known if re.search(rf"(?<![\d-]){section}(?![\d-])|(?<![\d-]){chapter} ", line)]
        assert any(section in line for line in found), section
        assert max(share_of_words(says, line) for line in found) >= 0.5, (section, says, found)


@pytest.mark.parametrize("name", ["dbs-launch", "dbs-1.073", "dbs-1.077", "dbs-1.0781"])
def test_other_sections_do_not_say_it(name):
    says = rulesets()[name].rules["copies"].says
    there = {
        section: share_of_words(says, *find_passages(read_document(FILES[name]), section))
        for section in ("5-1-1", "5-1-2", "5-1-3-1")
    }
    assert [section for section, share in there.items() if share >= 0.5] == ["5-1-3-1"]
