"""Queries: what a path does not take is refused by name, with what may have been meant."""

from __future__ import annotations

import pytest


def refused(answer):
    assert (answer.status_code, answer.content_type) == (422, "application/problem+json")
    return {one["pointer"]: one["detail"] for one in answer.json["errors"]}


@pytest.mark.parametrize(
    ("path", "pointer", "near"),
    [
        ("/v1/cards?gmae=optcg", "/gmae", "game"),
        ("/v1/cards?game=optcg&Color=Red", "/Color", "color"),
        ("/v1/limits/optcg?regoin=en", "/regoin", "region"),
        ("/v1/limits/optcg?xyzzy=1", "/xyzzy", "on, region"),
        ("/v1/rulesets?on=2026-01-01", "/on", "no parameters"),
        ("/v1/cards/optcg/OP01-016?game=dbs", "/game", "no parameters"),
    ],
)
def test_an_unknown_parameter_is_named_with_what_is_near(client, path, pointer, near):
    found = refused(client.get(path))
    assert list(found) == [pointer]
    assert near in found[pointer]


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("/v1/validate?formt=extra", "format"),
        ("/v1/validate/batch?game=optcg", "there are lang"),
        ("/v1/sheets?pager=a4", "paper"),
        ("/v1/timeline?on=2026-01-01", "there are lang"),
        ("/v1/workbooks?gane=optcg", "game"),
    ],
)
def test_so_it_is_where_something_is_sent(client, path, near):
    (detail,) = refused(client.post(path, json={"decklist": "4 OP01-016"})).values()
    assert near in detail


def test_all_unknown_parameters_are_named_at_once(client):
    assert set(refused(client.get("/v1/cards?game=optcg&a=1&b=2"))) == {"/a", "/b"}


def test_probes_may_add_what_they_like(client):
    assert client.get("/healthz?probe=1").status_code == 200
    assert client.options("/v1/cards?game=optcg&probe=1").status_code == 200
