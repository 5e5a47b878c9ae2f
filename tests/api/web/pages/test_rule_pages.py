"""The rules' pages: every statement with its place, and in what two editions differ."""

from __future__ import annotations

import pytest

from tests.api.web.pages.look_ups import Reader
from validator.rulesets import find_ruleset, rulesets
from validator.rulesets.ruleset import amendments, statements


@pytest.fixture
def read(client):
    return lambda address, **headers: Reader(client, address, **headers)


def test_every_edition_is_led_to(read):
    page = read("/rules")
    assert sorted(path for path, _ in page.addresses("main a")) == sorted(f"/rules/{id}" for id in rulesets())


@pytest.mark.parametrize("id", list(rulesets()))
def test_every_statement_stands_with_its_place(read, id):
    page, ruleset = read(f"/rules/{id}"), find_ruleset(id)
    assert page.status == 200
    assert page.text("h1") == ruleset.title
    shown = page.texts(".statements li")
    wanted = [f"{one.says} {one.cite.document}, {one.cite.section}" for one in statements(ruleset).values()]
    assert shown == [" ".join(one.split()) for one in wanted]
    notices = page.texts(".notice")
    assert not ruleset.note or any(ruleset.note in notice for notice in notices)


@pytest.mark.parametrize(
    ("id", "days"),
    [
        ("optcg-1.2.0", ["2026-01-16", "2026-08-27"]),
        ("optcg-1.2.1", ["2026-08-28"]),
        ("dbs-zenkai", ["2020-07-17", "2025-01-08"]),
    ],
)
def test_the_days_in_force_end_before_the_next_edition(read, id, days):
    said = read(f"/rules/{id}").text("h1 + p")
    assert [word for word in said.replace(".", "").split() if word[:2] == "20"] == days


def test_an_edition_that_was_replaced_leads_to_the_other(read):
    old = next(one for one in rulesets().values() if one.superseded_by)
    assert (f"/rules/{old.superseded_by}", {}) in read(f"/rules/{old.id}").addresses("h1 + p a")


@pytest.mark.parametrize(
    ("id", "against"), [("dbs-zenkai", "dbs-1.0781"), ("dbs-4.00", "dbs-zenkai"), ("dbs-1.061", "dbs-launch")]
)
def test_two_editions_are_compared(read, id, against):
    page = read(f"/rules/{id}?against={against}")
    told = page.texts("[aria-labelledby=compared] li")
    found = amendments(find_ruleset(against), find_ruleset(id))
    assert len(told) == len(found)
    for one in found:
        assert any((one.after or one.before).says in text for text in told)
    assert page.tree.css("option[selected]")[-1].attributes["value"] == against


def test_editions_that_say_the_same_are_said_to(read):
    page = read("/rules/optcg-1.2.1?against=optcg-1.1.9")
    assert (page.texts("[aria-labelledby=compared] li"), len(page.texts("[aria-labelledby=compared] p"))) == ([], 1)


@pytest.mark.parametrize("against", ["chess", "optcg-1.1.9", "%3Cscript%3E", "x" * 500])
def test_an_edition_that_cannot_be_compared_is_told_beside_the_field(read, against):
    page = read(f"/rules/dbs-4.00?against={against}")
    assert (page.status, len(page.tree.css("#against-fault"))) == (422, 1)
    assert page.tree.css("main script") == []


def test_an_edition_that_there_is_not_is_a_page_that_says_so(read):
    page = read("/rules/chess-1")
    assert page.status == 404
    assert "optcg-1.2.1" in page.text("main")


def test_a_script_gets_the_result_alone(read):
    page = read("/rules/dbs-zenkai?against=dbs-1.0781", **{"HX-Request": "true"})
    assert page.tree.css("form, header, h1") == []
    assert page.tree.css(".statements")
