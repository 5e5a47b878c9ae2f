"""Every view of events names the permission that its caller needs."""

from __future__ import annotations

import pytest
from flask import Flask

from api.events.rights import Permission
from api.service.errors import NoAccess
from api.web.event_permissions import require
from api.web.pages.events import PAGE
from api.web.v1 import checks, events, registrations

BLUEPRINTS = {"v1": (events, registrations, checks), "pages": (PAGE,)}
# Views that anyone may open, or that check a key by themselves.
UNRESTRICTED = {
    "v1": {"events.create", "events.join"},
    "pages": {
        "event_pages.events",
        "event_pages.begin",
        "event_pages.verification",
        "event_pages.verify",
        "event_pages.enter",
        "event_pages.leave",
        "event_pages.table_worker",
    },
}


def views(kind):
    app = Flask(__name__)
    for module in BLUEPRINTS[kind]:
        app.register_blueprint(module.blueprint)
    return {endpoint: view for endpoint, view in app.view_functions.items() if endpoint != "static"}


@pytest.mark.parametrize(("kind", "least"), [("v1", 45), ("pages", 45)])
def test_every_view_names_a_permission(kind, least):
    found = views(kind)
    assert len(found) >= least
    undecorated = {endpoint for endpoint, view in found.items() if not hasattr(view, "permission")}
    assert undecorated == set()
    open_views = {endpoint for endpoint, view in found.items() if not isinstance(view.permission, Permission)}
    assert open_views == UNRESTRICTED[kind]


def test_a_view_runs_only_with_its_permission():
    asked, ran = [], []

    def refuse_all(*question):
        asked.append(question)
        raise NoAccess

    def view(access, data, rid):
        ran.append(access)

    with pytest.raises(NoAccess):
        require(Permission.READ_AUDIT, refuse_all)(view)({}, id="e1", rid="r1")
    assert require(Permission.READ_AUDIT, refuse_all, lambda: "refused")(view)({}, id="e1", rid="r1") == "refused"
    assert asked == [(Permission.READ_AUDIT, "e1", "r1")] * 2
    assert ran == []


def test_a_view_gets_its_access_in_place_of_the_id():
    view = require(Permission.READ_AUDIT, lambda *question: question)(lambda *given, **named: (given, named))
    assert view("data", id="e1", rid="r1") == (((Permission.READ_AUDIT, "e1", "r1"), "data"), {"rid": "r1"})
    assert view.permission is Permission.READ_AUDIT
