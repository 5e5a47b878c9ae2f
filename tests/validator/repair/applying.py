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


def line_of(judge, card, count):
    """A line by the number of a card, or by its name in a game without numbers."""
    return Line(None, count, card) if judge.catalogue.game == "bos" else Line(card, count)


def held_cards(judge, one):
    """The copies of each card of a deck by section; a card that the catalogue does not have is as it was written."""
    held = {section: Counter() for section in SECTIONS}
    for section, line in one.lines():
        known = [judge.catalogue.by_number(line.number)] if line.number else list(judge.catalogue.by_name(line.name))
        card = known[0] if len(known) == 1 and known[0] else line
        held[section][card.number or card.name] += line.count
    return held


def merged_changes(found):
    """The changes of all findings of a verdict in its public form: the one plan."""
    changes = {kind: [] for kind in ("remove", "move", "add")}
    for finding in found["findings"]:
        for kind, more in finding.get("changes", {}).items():
            changes[kind] += more
    return changes


def fixed(judge, one, found, random):
    """The deck after all changes of a verdict's findings, as a program makes them."""
    held, changes = held_cards(judge, one), merged_changes(found)
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
        section: tuple(line_of(judge, card, count) for card, count in cards.items() if count)
        for section, cards in held.items()
    }
    return with_any_cards(judge, Deck(**lines), missing, random)


def with_any_cards(judge, one, missing, random):
    """The deck with so many cards more in each section: such as a player may add, each judged by itself."""
    for section, count in missing.items():
        if section == "don":
            one = replace(one, don=(*one.don, Line(None, count, "DON!!")))
            continue
        cards = [card for card in judge.catalogue if card.type in judge.terms.ruleset.types[section]]
        for card in random.sample(cards, len(cards)):
            for copies in range(min(4, count), 0, -1):
                line = line_of(judge, card.number or card.name, copies)
                more = replace(one, **{section: (*one.section(section), line)})
                if not [finding for finding in judge(more).found if finding.severity == "error" and finding.cards]:
                    one, count = more, count - copies
                    break
            if not count:
                break
    return one


def assert_sentence_says(finding):
    """Assert that the sentence of a finding has each of its changes, and no other number of cards."""
    changes, sentence = merged_changes({"findings": [finding]}), finding["fix"]
    if re.match("Leave the .* out", sentence):
        assert changes["remove"]
        assert {change["section"] for change in changes["remove"]} == {finding["section"]}
    elif len(changes["remove"]) <= 8:
        counts = Counter([*_removals(changes, sentence), *_additions(changes, sentence)])
        assert Counter(re.findall(r"\b\d+ (?:cop(?:y|ies)|cards?)\b", sentence)) == counts, sentence


def _removals(changes, sentence):
    """Yield the numbers of cards that a sentence must have for what goes or is moved; it must name these cards."""
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


def _additions(changes, sentence):
    """Yield the numbers of cards that a sentence must have for what comes; it must name the Leaders to choose from."""
    added = Counter()
    for change in changes["add"]:
        assert all(card["number"] in sentence for card in change["cards"])
        if change["section"] != "leader":
            added[change["section"]] += change["count"]
    for section, count in added.items():
        assert SECTIONS[section] in sentence
        yield f"{count} card{'s' * (count > 1)}"
