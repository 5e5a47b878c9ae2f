"""Pages: what `/v1` answers to programs, answered to people in a browser, by the same service."""

from __future__ import annotations

from flask import Flask

from api.web.pages import (
    check_page,
    events,
    hall_page,
    reference_pages,
    rendering,
    sheet_page,
    static_files,
    swap_page,
    workbook_pages,
)
from api.web.pages.rendering import Page

# In the order in which the navigation leads to them.
PAGES: tuple[Page, ...] = (
    check_page.PAGE,
    reference_pages.CARDS,
    reference_pages.LIMITS,
    reference_pages.RULES,
    swap_page.PAGE,
    workbook_pages.PAGE,
    sheet_page.PAGE,
    events.PAGE,
)


def publish(app: Flask) -> None:
    """Register all pages with an application, and set its navigation. The pages are not in the OpenAPI document."""
    rendering.set_navigation(app, PAGES)
    for blueprint in (*(page.blueprint for page in PAGES), static_files.blueprint, hall_page.blueprint):
        app.register_blueprint(blueprint)
