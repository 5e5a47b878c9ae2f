"""The pages of events: what `/v1/events…` does, done by people in a browser, each with a key in a cookie."""

from __future__ import annotations

from api.web.pages.events import (
    event_pages,
    expected_pages,
    judge_table,
    organiser_pages,
    registration_pages,
    roster_pages,
    shown_list_pages,
)

PAGE = event_pages.PAGE
MODULES = (
    event_pages,
    registration_pages,
    roster_pages,
    expected_pages,
    shown_list_pages,
    organiser_pages,
    judge_table,
)  # with the views of the one blueprint
