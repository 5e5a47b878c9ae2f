"""Summaries for chat: short enough, whole finding by whole finding, in any language."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.service.answers import verdict_answers
from api.service.answers.verdict_answers import LONGEST_SUMMARY, summarise_verdict
from api.service.judges import Judges
from api.service.languages import language
from api.service.requests import RequestedTerms, Validation
from carddb.library import Library
from validator.account import group_findings, headline
from validator.language import CODES

JUDGES = Judges(Library("sqlite:////nowhere/deckproof.db"))


def judge_list(decklist):
    return JUDGES.verdict(Validation(RequestedTerms(game="optcg"), None, decklist, False))


def length(text):
    return len(text.encode("utf-16-le")) // 2


def test_a_legal_deck_is_said_with_its_hash(client, zoro):
    asked = {"game": "optcg", "on": "2026-11-21", "deck": zoro, "summary": True}
    verdict = client.post("/v1/validate", json=asked).json
    assert verdict["summary"].startswith("LEGAL\n")
    assert verdict["deck_hash"] in verdict["summary"]


def test_it_is_said_only_on_wish(client, zoro):
    assert "summary" not in client.post("/v1/validate", json={"game": "optcg", "deck": zoro}).json


def test_findings_have_their_rule_and_what_to_do():
    told = summarise_verdict(judge_list("1 ST21-001\n5 OP01-016\n45 ST21-003"))
    assert "5-1-2-3" in told
    assert "Remove 1 copy of OP01-016 Nami." in told


def test_an_unknown_card_is_cited_by_the_size_of_the_catalogue():
    verdict = judge_list("1 ST21-001\n4 No Such Card")
    summary = summarise_verdict(verdict)
    assert "Card catalogue, " in summary
    assert verdict.judge.catalogue.snapshot not in summary


@pytest.mark.parametrize("code", CODES)
def test_many_findings_are_told_as_far_as_they_fit_and_the_rest_counted(code):
    verdict, translate = (
        judge_list("1 ST21-001\n" + "".join(f"5 OP01-{at:03}\n" for at in range(2, 60))),
        language(code),
    )
    told = summarise_verdict(verdict, translate)
    assert LONGEST_SUMMARY - 700 < length(told) <= LONGEST_SUMMARY
    whole = {
        text
        for one in group_findings(verdict, translate).findings
        for text in (one.kind.message(one, translate), one.code)
    }
    numbered = re.findall(r"^[0-9]+\. (.+)$", told, re.MULTILINE)
    assert numbered
    assert set(numbered) <= whole
    assert str(len(group_findings(verdict, translate).findings) - len(numbered)) in told


def test_a_finding_too_long_for_the_room_is_said_by_its_code(monkeypatch):
    monkeypatch.setattr(verdict_answers, "LONGEST_SUMMARY", 250)
    told = summarise_verdict(judge_list("1 ST21-001\n4 OP01-060"))
    assert length(told) <= 250
    assert "1. block.rotated\n" in told


@pytest.mark.parametrize(("longest", "has_cause"), [(250, False), (1500, True)])
def test_a_cause_too_long_for_half_of_the_room_is_left_out_and_the_result_is_not(monkeypatch, longest, has_cause):
    monkeypatch.setattr(verdict_answers, "LONGEST_SUMMARY", longest)
    verdict = judge_list("1 ST21-001\n40 No Such Card")
    (cause,) = group_findings(verdict).diagnoses
    told = summarise_verdict(verdict)
    assert (told.startswith(f"{headline(verdict)}\n"), cause.message in told) == (True, has_cause)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=300), max_size=40))
def test_whatever_the_list_it_is_short_enough(lines):
    verdict = judge_list("1 ST21-001\n" + "\n".join(f"4 {line}" for line in lines))
    assert length(summarise_verdict(verdict)) <= LONGEST_SUMMARY


def test_a_plain_text_a_swap_and_a_batch_may_wish_it_too(client, zoro):
    plain = client.post("/v1/validate?summary=true", data="1 ST21-001", content_type="text/plain")
    swap = client.post("/v1/swaps/validate", json={"game": "optcg", "before": zoro, "after": zoro, "summary": True})
    line = b'{"game": "optcg", "decklist": "1 ST21-001", "summary": true}\n'
    batch = client.post("/v1/validate/batch", data=line, content_type="application/x-ndjson")
    assert all("summary" in answer for answer in (plain.json, swap.json, batch.get_json(force=True)))
