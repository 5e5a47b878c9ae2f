"""The pages of events: what `/v1/events…` does, done by people in a browser, each with a key in a cookie."""

from __future__ import annotations

# Importing a module adds its views to the one blueprint.
from api.web.pages.events import event_pages as event_pages
from api.web.pages.events import impact_pages as impact_pages
from api.web.pages.events import import_pages as import_pages
from api.web.pages.events import judge_table as judge_table
from api.web.pages.events import organiser_pages as organiser_pages
from api.web.pages.events import published_pages as published_pages
from api.web.pages.events import registration_pages as registration_pages
from api.web.pages.events import roster_pages as roster_pages

PAGE = event_pages.PAGE
