"""The navigation of an event: groups of pages, as far as the visitor may open them. Called by `event_pages`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from api.events import rights
from api.events.base_desk import EventAccess
from api.events.rights import Permission
from validator.language import phrase


class EventPage(NamedTuple):
    """A page of an event: its path after that of the event, its title, and the permission that its visitor needs.

    The link of a group leads to its first page that has the navigation.
    """

    path: str
    title: str
    permission: Permission
    has_navigation: bool = True


# To add a page, add a line to its group.
_STAFF_GROUPS: Sequence[tuple[str, Sequence[EventPage]]] = (
    (phrase("Overview"), (EventPage("", phrase("Overview"), Permission.SHOW_EVENT),)),
    (
        phrase("Players"),
        (
            EventPage("/roster", phrase("Roster"), Permission.SHOW_ROSTER),
            EventPage("/missing", phrase("Missing"), Permission.LIST_MISSING),
            EventPage("/expected", phrase("Expected"), Permission.LIST_EXPECTED),
            EventPage("/import", phrase("Import"), Permission.IMPORT_PLAYERS),
            EventPage("/duplicates", phrase("Duplicates"), Permission.LIST_DUPLICATES),
        ),
    ),
    (
        phrase("Judging"),
        (
            EventPage("/table", phrase("Judge's table"), Permission.READ_CHECKS, has_navigation=False),
            EventPage("/impact", phrase("Impact"), Permission.SHOW_IMPACT),
        ),
    ),
    (
        phrase("Output"),
        (
            EventPage("/files", phrase("Files"), Permission.EXPORT_EVENT),
            EventPage("/stream", phrase("Stream"), Permission.STREAM_LISTS),
            EventPage("/commitments", phrase("Commitments"), Permission.READ_COMMITMENTS),
        ),
    ),
    (
        phrase("Settings"),
        (
            EventPage("/settings", phrase("Event"), Permission.CHANGE_EVENT),
            EventPage("/keys", phrase("Keys"), Permission.LIST_KEYS),
            EventPage("/audit", phrase("Audit"), Permission.READ_AUDIT),
        ),
    ),
)


class PageLink(NamedTuple):
    """A link of the navigation: `current` is the value of aria-current, "" for another page."""

    path: str
    title: str
    current: str


class Navigation(NamedTuple):
    """The links of an event's navigation: `groups` for staff, else empty; `pages` of the current group or visitor."""

    groups: list[PageLink]
    pages: list[PageLink]


def build_navigation(at: EventAccess, now: datetime, path: str) -> Navigation:
    """Return the navigation that a visitor sees on the page with a path."""
    start = f"/events/{at.event.id}"
    rest = path.removeprefix(start)
    if not at.caller.is_staff:
        open_pages = [EventPage("", phrase("Event"), Permission.SHOW_EVENT), *_open_pages(at, now)]
        return Navigation([], _link_pages(start, open_pages, rest))
    groups: list[PageLink] = []
    shown: list[EventPage] = []
    for title, pages in _STAFF_GROUPS:
        allowed = [page for page in pages if rights.may(page.permission, at.caller)]
        if not allowed:
            continue
        is_here = any(_is_current(page, rest) for page in allowed)
        current = "" if not is_here else "page" if len(allowed) == 1 else "true"
        first = next(page for page in allowed if page.has_navigation)
        groups.append(PageLink(start + first.path, title, current))
        shown = allowed if is_here and len(allowed) > 1 else shown
    return Navigation(groups, _link_pages(start, shown, rest))


def _open_pages(at: EventAccess, now: datetime) -> Iterator[EventPage]:
    """Yield the pages that players and strangers may open now."""
    if rights.sees_roster(at.caller, at.event.visibility.roster):
        yield EventPage("/roster", phrase("Roster"), Permission.SHOW_ROSTER)
    if rights.sees_any_list(at.caller, at.stage(now)):
        yield EventPage("/registrations", phrase("Lists"), Permission.LIST_REGISTRATIONS)


def _link_pages(start: str, pages: Sequence[EventPage], rest: str) -> list[PageLink]:
    return [PageLink(start + page.path, page.title, "page" if _is_current(page, rest) else "") for page in pages]


def _is_current(page: EventPage, rest: str) -> bool:
    return rest == page.path or (bool(page.path) and rest.startswith(f"{page.path}/"))
