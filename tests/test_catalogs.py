"""Catalogs of other languages: complete, up to date with the sources, and true to what they translate."""

import pickle
import re
from dataclasses import replace
from datetime import date
from string import Formatter

import pytest

from api.service.judges import Judges
from api.service.languages import LANGUAGES, language
from api.service.requests import RequestedTerms
from carddb.library import Library
from tests import catalogs
from tests.shared import shared_path
from validator.codes import finding_codes
from validator.findings import Citation, Finding, FixChange, ListEntry, NamedCard
from validator.language import ENGLISH, Phrase, phrase

_NUMBER = re.compile(r"[0-9]+(?:,[0-9]{3})*")
# Numbers that no two values of a finding share.
CARDS = (NamedCard("X-01", "Pirate X", 51), NamedCard("X-02", "Pirate Y", 52))
_DETAIL = {bool: True, str: "Warrior", list: ("Red", "Blue"), dict: {"main": 53, "side": 54}, int: 55, float: 0.125}
_COUNTED = [{"number": "X-03", "name": "Pirate Z", "count": 56}]
# What is said where there is no text to say, or as many as one.
_LISTED = {
    "missing": _COUNTED,
    "new": _COUNTED,
    "more": [{"line": 57, "text": "?"}, {"line": 58, "text": "?"}],
    "decks": [{"name": "?", "cards": 57}, {"name": "", "cards": 58}],
}
CHANGES = (
    FixChange(63, CARDS[:1], "main"),
    FixChange(64, CARDS[1:], "side"),
    FixChange(65, origin="side"),
    FixChange(66, CARDS[:1], "main", "side"),
    FixChange(67, target="main"),
)
LEADERS = (FixChange(1, CARDS[:1], "leader"), FixChange(1, CARDS[1:], target="leader"))
WAYS = [{"changes": ()}, {"changes": CHANGES[2:3]}, {"changes": CHANGES[4:]}]  # and for the Leader:
WAYS += [{"changes": LEADERS, "section": "leader"}, {"changes": LEADERS}, {"changes": LEADERS[1:]}]
ENTRY = ListEntry("https://example.test/list", "2026-01-01", None, None, "2026-02-03", "2026-04-05")


@pytest.fixture(params=catalogs.TRANSLATED)
def code(request):
    return request.param


def placeholders(text):
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def numbers(text):
    # Days have leading zeros in some languages only.
    return {number.replace(",", "").lstrip("0") for number in _NUMBER.findall(text)}


def sample(kind, cards, **more):
    """A finding of a kind with all that such findings may have."""
    details = {
        name: _LISTED.get(name, _DETAIL[type]) if type is list else _DETAIL[type]
        for name, (type, _) in kind.details.items()
    }
    rule = Citation("X-09 Pirate", "what the card says")
    numbered = {"section": "side", "count": 61, "limit": 59, "minimum": 59, "keyword": "Super Combo", "line": 62}
    numbered["changes"] = CHANGES
    return Finding(kind, rule, cards=cards, suggestions=CARDS, details=details, **(numbered | more))


@pytest.mark.slow
def test_catalogs_are_up_to_date_with_the_sources(code):
    written = catalogs.catalog_bytes(catalogs.update_catalog(catalogs.read(code), catalogs.messages().items()))
    assert (catalogs.FOLDER / f"{code}.po").read_bytes() == written, "run `make catalogs`, and translate what is new"


def test_every_text_is_translated_in_all_forms_that_the_language_has(code):
    catalog = catalogs.read(code)
    for message in catalog:
        forms = message.string if message.pluralizable else (message.string,)
        assert all(forms), f"{code} lacks {message.id!r}"
        assert not message.fuzzy
        assert len(forms) == (catalog.num_plurals if message.pluralizable else 1)
    assert not catalog.obsolete


def test_every_placeholder_is_in_each_translation_and_no_other(code):
    for message in catalogs.read(code):
        if not message.id:
            continue
        told = [placeholders(one) for one in (message.id if message.pluralizable else (message.id,))]
        for form in filter(None, message.string if message.pluralizable else (message.string,)):
            assert set.intersection(*told) <= placeholders(form) <= set.union(*told), message.id


def test_french_has_no_line_break_before_a_punctuation_mark():
    for message in catalogs.read("fr"):
        for form in message.string if message.pluralizable else (message.string,):
            assert not re.search(r" [:;?!»](?=\s|$)", form), message.id


def test_the_header_names_nobody(code):
    header = (catalogs.FOLDER / f"{code}.po").read_text("utf-8").split("\n\n")[0]
    assert "@" not in header
    assert "FULL NAME" not in header
    assert "fuzzy" not in header


@pytest.mark.parametrize("kind", finding_codes().values(), ids=finding_codes())
@pytest.mark.parametrize("cards", [CARDS[:1], CARDS], ids=["a card", "cards"])
def test_every_code_says_both_sentences_with_its_cards_and_numbers(kind, cards, code):
    translate = language(code)
    for more in (
        {},
        {"limits": ENTRY},
        {"limits": ENTRY, "severity": "warning"},
        {"section": "leader"},
        {"count": 0},
        *WAYS,
    ):
        found = sample(kind, cards, **more)
        for sentence in (kind.message, kind.fix):
            english, said = sentence(found, ENGLISH), sentence(found, translate)
            assert said != english
            # Where there are no plurals, who is named is not counted.
            assert numbers(said) >= numbers(english) - {"1", str(len(cards))}, said
            assert all(card.label in said for card in (*cards, *CARDS) if card.label in english)
            assert "{" not in said


def test_a_language_says_what_it_has_no_text_for_in_english(code):
    translate = language(code)
    assert translate("Nobody says {what}.", what=3) == "Nobody says 3."
    assert translate.plural("{count} of none", "{count} of nones", 2) == "2 of nones"
    assert translate.template("") == ""


def test_a_phrase_is_its_english_and_any_other_language(code):
    inner = phrase("the count must be 1 to {most}", most=255)
    outer = phrase("in the list before swapping, {reason}", reason=inner)
    assert outer == "in the list before swapping, the count must be 1 to 255"
    assert numbers(language(code).text(outer)) == {"1", "255"}
    assert "count" not in language(code).text(outer)
    copied = pickle.loads(pickle.dumps(outer))
    assert isinstance(copied, Phrase)
    assert language(code).text(copied) == language(code).text(outer)


def test_every_language_has_a_catalog_and_a_name_of_its_own():
    assert set(LANGUAGES) == {ENGLISH.code, *catalogs.TRANSLATED}
    assert {file.stem for file in catalogs.FOLDER.glob("*.po")} == set(catalogs.TRANSLATED)
    with pytest.raises(KeyError):
        language("tlh")


def test_templates_are_found_wherever_they_are_said():
    calls = (
        'translate("a {b}", b=translate.plural("c", "d", 2))',
        'words.by_card_count("e", "f", g, translate)',
        "translate(h)",
    )
    source = "\n".join((*calls, 'phrase("i" "j")'))
    assert set(catalogs.of_python(source)) == {("a {b}",), ("c", "d"), ("e", "f"), ("ij",)}
    page = b"<p>{{ translate('k {l}', l=1) }} {{ plural('{count} m', '{count} n', 3) }}</p>"
    assert set(catalogs.of_template(page)) == {("k {l}",), ("{count} m", "{count} n")}


@pytest.mark.slow
def test_findings_of_real_broken_decks_keep_their_cards_and_numbers(code, broken):
    translate, kinds = language(code), set()
    for verdict in broken:
        for finding, told in zip(verdict.findings, verdict.as_dict(translate=translate)["findings"], strict=True):
            english = finding.as_dict()
            kinds.add(finding.code)
            for sentence in ("message", "fix"):
                assert told[sentence] != english[sentence]
                assert numbers(told[sentence]) >= numbers(english[sentence]) - {"1"}, told[sentence]
                assert all(card.label in told[sentence] for card in finding.cards if card.label in english[sentence])
            same = english.keys() - {"message", "fix"}
            assert {key: told[key] for key in same} == {key: english[key] for key in same}
    assert kinds >= {"card.unreleased", "copies.exceeded", "leader.count", "line.unread", "section.not_allowed", "size"}


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """The verdicts on real lists as people send them, and on what they are with another Leader and all cards twice."""
    judges = Judges(Library(f"sqlite:///{tmp_path_factory.mktemp('cards')}/deckproof.db"))
    verdicts, leaders = [], {}
    for file in sorted(shared_path("decks/messy").glob("*.txt"))[::2]:
        parsed = judges.read_deck(file.read_bytes())
        for day in (date(2024, 3, 1), date(2026, 11, 21)):
            judge = judges.judge(RequestedTerms(game=parsed.game or "optcg", on=day))
            twice = replace(
                parsed.deck, leader=leaders.get(parsed.game, ()), main=parsed.deck.main * 2, side=parsed.deck.leader
            )
            verdicts += [judge(parsed.deck), judge(twice)]
        leaders[parsed.game] = parsed.deck.leader
    return verdicts
