"""The pages of events: what `/v1/events…` does, done by people in a browser, each with a key in a cookie."""

from __future__ import annotations

from api.web.pages.events import (
    event_pages,
    impact_pages,
    import_pages,
    judge_table,
    organiser_pages,
    published_pages,
    registration_pages,
    roster_pages,
)

PAGE = event_pages.PAGE
MODULES = (
    event_pages,
    registration_pages,
    roster_pages,
    import_pages,
    published_pages,
    impact_pages,
    organiser_pages,
    judge_table,
)  # with the views of the one blueprint
