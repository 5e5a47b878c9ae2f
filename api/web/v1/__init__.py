"""The public interface, version 1: one blueprint a noun."""

from __future__ import annotations

from api.web.v1 import (
    cards,
    changes,
    checks,
    data,
    decklists,
    events,
    jobs,
    limits,
    odds,
    registrations,
    repairs,
    rulesets,
    sheets,
    swaps,
    timelines,
    validation,
    workbooks,
)

# What keeps nothing of whom it answers: pages of other sites may ask it (DECKPROOF_ORIGINS).
STATELESS = (
    validation.blueprint,
    repairs.blueprint,
    swaps.blueprint,
    timelines.blueprint,
    odds.blueprint,
    decklists.blueprint,
    rulesets.blueprint,
    limits.blueprint,
    cards.blueprint,
    data.blueprint,
    changes.blueprint,
    changes.feed_blueprint,
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
