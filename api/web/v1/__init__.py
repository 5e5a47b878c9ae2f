"""The public interface, version 1."""

from __future__ import annotations

from api.web.v1 import cards, checks, decklists, decks, events, jobs, reference, registrations, sheets, workbooks

# Blueprints that store nothing about clients. Pages of other sites may call them (DECKPROOF_ORIGINS).
STATELESS = (
    decks.validation,
    decks.repairs,
    decks.swaps,
    decks.timelines,
    decks.odds,
    decklists.blueprint,
    reference.rulesets_blueprint,
    reference.limits_blueprint,
    cards.blueprint,
    reference.data_blueprint,
    reference.changes_blueprint,
    reference.changes_feed_blueprint,
    sheets.blueprint,
)
BLUEPRINTS = (
    *STATELESS,
    workbooks.blueprint,
    jobs.blueprint,
    events.blueprint,
    registrations.blueprint,
    checks.blueprint,
)
