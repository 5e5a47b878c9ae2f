"""The public interface, version 1: one blueprint a noun."""

from __future__ import annotations

from api.web.v1 import cards
from api.web.v1 import decklists
from api.web.v1 import jobs
from api.web.v1 import limits
from api.web.v1 import rulesets
from api.web.v1 import sheets
from api.web.v1 import swaps
from api.web.v1 import validation
from api.web.v1 import workbooks

BLUEPRINTS = (
    validation.blueprint,
    swaps.blueprint,
    decklists.blueprint,
    rulesets.blueprint,
    limits.blueprint,
    cards.blueprint,
    sheets.blueprint,
    workbooks.blueprint,
    jobs.blueprint,
)
