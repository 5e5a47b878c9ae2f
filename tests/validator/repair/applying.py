"""Applying fixes: a program that makes the changes of all findings of a verdict, and one that reads their sentences."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from validator import Deck, Line

SECTIONS = {
    "leader": "leader section",
    "main": "deck",
    "side": "side deck",
    "z": "Z-Deck",
    "don": "DON!! deck",
    "resource": "resource deck",
}


def make_line(judge, card, count):
    """Return a line by the number of a card, or by its name in a game without numbers."""
    return Line(None, count, card) if judge.catalogue.game == "bos" else Line(card, count)


def count_cards(judge, deck):
    """Return the copies of each card by section. A card that the catalogue does not have is keyed as written."""
    held = {section: Counter() for section in SECTIONS}
    for section, line in deck.lines():
        known = [judge.catalogue.by_number(line.number)] if line.number else list(judge.catalogue.by_name(line.name))
        card = known[0] if len(known) == 1 and known[0] else line
        held[section][card.number or card.name] += line.count
    return held


def join_changes(verdict):
    """Return the changes of all findings of a verdict in its JSON form, by "remove", "move" and "add"."""
    changes = {kind: [] for kind in ("remove", "move", "add")}
    for finding in verdict["findings"]:
        for kind, more in finding.get("changes", {}).items():
            changes[kind] += more
    return changes


def apply_changes(judge, deck, verdict, random):
    """Return the deck after all changes of a verdict's JSON form. Open choices are drawn by `random`."""
    held, changes = count_cards(judge, deck), join_changes(verdict)
    for change in changes["remove"] + changes["move"]:
        card, section = change["number"] or change["name"], change.get("section", change.get("from"))
        if card and section:
            assert held[section][card] >= change["count"], "no plan removes more copies than there are"
            held[section][card] -= change["count"]
    for change in changes["move"]:
        held[change["to"]][change["number"] or change["name"]] += change["count"]
    for change in changes["remove"]:
        if change["number"] is None:
            cards = list(held[change["section"]].elements())
            held[change["section"]] -= Counter(random.sample(cards, change["count"]))
    missing = Counter()
    for change in changes["add"]:
        if change["cards"]:
            held[change["section"]][random.choice(change["cards"])["number"]] += change["count"]
        else:
            missing[change["section"]] += change["count"]
    lines = {
        section: tuple(make_line(judge, card, count) for card, count in cards.items() if count)
        for section, cards in held.items()
    }
    return add_any_cards(judge, Deck(**lines), missing, random)


def add_any_cards(judge, deck, missing, random):
    """Return the deck with `missing` more cards in each section.

    Each added card is judged and causes no error by itself.
    """
    for section, count in missing.items():
        if section == "don":
            deck = replace(deck, don=(*deck.don, Line(None, count, "DON!!")))
            continue
        cards = [card for card in judge.catalogue if card.type in judge.terms.ruleset.types[section]]
        for card in random.sample(cards, len(cards)):
            for copies in range(min(4, count), 0, -1):
                line = make_line(judge, card.number or card.name, copies)
                more = replace(deck, **{section: (*deck.section(section), line)})
                if not [finding for finding in judge(more).found if finding.severity == "error" and finding.cards]:
                    deck, count = more, count - copies
                    break
            if not count:
                break
    return deck


def assert_sentence_says(finding):
    """Assert that the sentence of a finding has each of its changes, and no other number of cards."""
    changes, sentence = join_changes({"findings": [finding]}), finding["fix"]
    if re.match("Leave the .* out", sentence):
        assert changes["remove"]
        assert {change["section"] for change in changes["remove"]} == {finding["section"]}
    elif len(changes["remove"]) <= 8:
        counts = Counter([*_texts_of_removals(changes, sentence), *_texts_of_additions(changes, sentence)])
        assert Counter(re.findall(r"\b\d+ (?:cop(?:y|ies)|cards?)\b", sentence)) == counts, sentence


def _texts_of_removals(changes, sentence):
    """Yield the counts that a sentence must have for removed and moved cards.

    Asserts that the sentence names each of these cards and its section.
    """
    is_led = any(change["section"] == "leader" for change in changes["add"])
    for change in changes["remove"] + changes["move"]:
        section = change.get("section") or change["to"]
        if change["number"] is None:
            yield f"{change['count']} card{'s' * (change['count'] > 1)}"
            continue
        assert change["number"] in sentence
        assert change["name"] in sentence
        if section != "leader" or not is_led:
            assert section == "main" or SECTIONS[section] in sentence
            yield f"{change['count']} cop{'ies' if change['count'] > 1 else 'y'}"


def _texts_of_additions(changes, sentence):
    """Yield the counts that a sentence must have for added cards.

    Asserts that the sentence names each section, and the Leaders to choose from.
    """
    added = Counter()
    for change in changes["add"]:
        assert all(card["number"] in sentence for card in change["cards"])
        if change["section"] != "leader":
            added[change["section"]] += change["count"]
    for section, count in added.items():
        assert SECTIONS[section] in sentence
        yield f"{count} card{'s' * (count > 1)}"
