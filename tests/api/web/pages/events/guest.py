"""Somebody at the pages of an event, whose browser runs no script: opens pages, fills in forms and sends them."""

from __future__ import annotations

import io
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from tests.api.events.conftest import EVENT

__all__ = ["EVENT"]


class Guest:
    """A browser with cookies of its own; `answer` is what it got last, `page` that as elements."""

    def __init__(self, app, base="http://localhost"):
        self.client, self.base = app.test_client(), base
        self.answer = self.page = None

    @property
    def text(self):
        return self.answer.text

    @property
    def path(self):
        return self.answer.request.path

    def opens(self, path, status=200, **how):
        return self._got(self.client.get(path, base_url=self.base, **how), status)

    def sends(self, action, status=None, **typed):
        """Send the form of the page whose action ends so, with what is typed in place of what stands in it."""
        forms = self.page.css("main form[method=post]")
        form = next(one for one in forms if urlsplit(one.attributes["action"]).path.endswith(action))
        return self.posts(form.attributes["action"], status, **(fields(form) | typed))

    def posts(self, path, status=None, **typed):
        answer = self.client.post(path, base_url=self.base, data={k: v for k, v in typed.items() if v is not None})
        if answer.status_code == 303 and status is None:
            return self.opens(answer.headers["Location"])
        return self._got(answer, status or 200)

    def _got(self, answer, status):
        assert answer.status_code == status, (answer.status_code, answer.text)
        self.answer, self.page = answer, LexborHTMLParser(answer.text)
        return self

    def value(self, id):
        """Return what stands in a field."""
        field = self.page.css_first(f"#{id}")
        return field.text() if field.tag == "textarea" else field.attributes.get("value")

    def faults(self):
        """Return the fields that are marked as wrong."""
        return [one.attributes["name"] for one in self.page.css("[aria-invalid]")]

    def says(self, selector="main"):
        """Return the words of a part of the page."""
        return " ".join(" ".join(one.text() for one in self.page.css(selector)).split())

    def cookies(self):
        """Return the attributes of the cookies that the last answer set, by name."""
        found = {}
        for line in self.answer.headers.getlist("Set-Cookie"):
            first, *rest = line.split("; ")
            found[first.partition("=")[0]] = rest
        return found


def fields(form):
    """Return the fields of a form as a browser sends them where nothing is typed."""
    found = {}
    for one in form.css("input[name], textarea[name], select[name]"):
        name, given = one.attributes["name"], one.attributes
        if one.tag == "textarea":
            found[name] = one.text().removeprefix("\n").replace("\n", "\r\n")
        elif one.tag == "select":
            chosen = one.css_first("option[selected]") or one.css_first("option")
            found[name] = chosen.attributes.get("value") or ""
        elif given.get("type") == "checkbox":
            found |= {name: given["value"]} if "checked" in given else {}
        elif given.get("type") != "file":
            found[name] = given.get("value") or ""
    return found


def begun(app, **said):
    """Begin an event on its page; return its organiser there, its id, and the keys by role."""
    guest = Guest(app).opens("/events").sends("/events", 201, **(EVENT | said))
    links = {role: guest.value(f"{role}-link").partition("#key=") for role in ("organiser", "judge")}
    id = guest.value("join-link").rpartition("/")[2]
    return guest, id, {role: key for role, (_, _, key) in links.items()}


def registered(app, id, player="Last, First", **said):
    """Register a player on the event's page; return the player there, the path of the receipt, and the key."""
    guest = Guest(app).opens(f"/events/{id}").sends(f"/events/{id}", player=player, **said)
    address, _, key = guest.value("own-link").partition("#key=")
    return guest, urlsplit(address).path, key


def entering(app, id, key):
    """Return a guest who has come in with a key, as by a link without a script."""
    return Guest(app).opens(f"/events/{id}").sends("/key", key=key)


def imported(guest, event, text, **said):
    """Import a table at the page of an event at `event`, by way of the preview."""
    table = (io.BytesIO(text.encode()), "players.csv")
    guest.opens(f"{event}/import").sends("/import", file=table, **said)
    return guest.sends("/import", plan=guest.page.css_first("button[name=plan]").attributes["value"])
