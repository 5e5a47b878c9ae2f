"""A visitor: somebody with a browser at the pages, and everything that goes wrong meanwhile."""

from __future__ import annotations

from pathlib import Path

from axe_playwright_python.sync_playwright import Axe

PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True}
DESK = {"viewport": {"width": 1280, "height": 800}}
SETTINGS = {
    "phone": PHONE,
    "desk": DESK,
    "phone, dark": {**PHONE, "color_scheme": "dark"},
    "desk, dark": {**DESK, "color_scheme": "dark"},
    "forced colours": {**DESK, "forced_colors": "active"},
    "no script": {**PHONE, "java_script_enabled": False},
}
ROOMS = ("phone", "desk, dark", "no script")  # in which things stand elsewhere or go another way; colours move nothing
_ASKED = ("phone", "desk, dark")  # of axe, which takes its time, and says of the others the same
_ON_PURPOSE = (
    "the server responded with a status of 4",
    "The specified value",  # of a day or a number, which the field does not take
)
_WAIT = 30_000  # milliseconds, on a machine that is busy
_TABS = 200  # more stops than any page has
_THIN = 2  # pixels, which an outline has at least
NORMAL, DOUBLE = 16, 32  # pixels of text
_AXE = Axe()
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

_CUT = Path(__file__).with_name("cut.js").read_text("utf-8")
_SMALL = Path(__file__).with_name("small.js").read_text("utf-8")
_FOCUSED = Path(__file__).with_name("focused.js").read_text("utf-8")


class Visitor:
    """A visitor in one setting: a page of a browser, and `faults`, the errors in the console, policy or requests."""

    def __init__(self, browser, host, setting="desk", **more):
        self.host = host
        self.setting = setting
        self.context = browser.new_context(base_url=host, accept_downloads=True, **{**SETTINGS[setting], **more})
        self.context.set_default_timeout(_WAIT)
        self.page = self.context.new_page()
        self.faults = []
        self.requests = []
        self._text = NORMAL
        self.context.on("request", self._note_request)
        self.page.on("console", self._note_message)
        self.page.on("pageerror", lambda error: self.faults.append(f"uncaught: {error}"))
        self.page.on("dialog", self._note_dialog)

    def _note_request(self, request):
        """Note a request. One to another host is a fault."""
        self.requests.append(request)
        if not request.url.startswith((f"{self.host}/", "data:", "blob:")):
            self.faults.append(f"request to {request.url}")

    def _note_message(self, message):
        """Note errors and warnings of the console as faults, without those that tests cause on purpose."""
        if message.type in ("error", "warning") and not any(one in message.text for one in _ON_PURPOSE):
            self.faults.append(f"console: {message.text}")

    def _note_dialog(self, dialog):
        """Close a dialog and note it as a fault, because no page opens any."""
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def opens(self, path, text=NORMAL):
        """Open a path with this text size in pixels, and return the response. Faults and requests are cleared."""
        self.faults.clear()
        self.requests.clear()
        if text != self._text:
            session = self.context.new_cdp_session(self.page)
            session.send("Page.setFontSizes", {"fontSizes": {"standard": text, "fixed": text}})
            self._text = text
        return self.page.goto(path)

    def cut(self):
        """Return the words that are cut or out of the page, and text that is not as large as it was set."""
        size = self.page.evaluate("() => parseFloat(getComputedStyle(document.documentElement).fontSize)")
        small = [f"text has {size} pixels"] if size < self._text else []
        return small + self.page.evaluate(_CUT)

    def unhidden(self):
        """Return a sentence for each element that has the attribute `hidden` and is visible."""
        return [f"“{one}” is not hidden" for one in self.page.locator("[hidden]:visible").all_inner_texts()]

    def violations(self):
        """Return the violations of WCAG that axe finds, each as rule and element.

        Empty in the settings without this check.
        """
        if self.setting not in _ASKED:
            return []
        options = {"resultTypes": ["violations"], "runOnly": {"type": "tag", "values": _TAGS}}
        found = _AXE.run(self.page, options=options).response["violations"]
        return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]

    def shows(self, locator):
        """Return True if an element is completely in sight without scrolling."""
        box, size = locator.bounding_box(), self.page.viewport_size
        return box["y"] >= 0 and box["y"] + box["height"] <= size["height"]

    def small(self):
        """Return the buttons, fields and links of lists that are lower than a thumb needs."""
        return self.page.evaluate(_SMALL)

    def tabs(self):
        """Press Tab until the focus returns, and return the names of the elements that had it.

        Asserts that each of them was visible and had an outline.
        """
        names, been = [], set()
        while (stop := self._tab()) and stop["at"] not in been:
            assert stop["outline"] >= _THIN, f"nobody sees that the focus is on “{stop['name']}”"
            assert stop["seen"], f"“{stop['name']}” has the focus out of sight"
            names.append(stop["name"])
            been.add(stop["at"])
        return names

    def tabs_to(self, name):
        """Press Tab until the element with a name has the focus."""
        for _ in range(_TABS):
            if (stop := self._tab()) and stop["name"].startswith(name):
                return
        raise AssertionError(f"the tabulator does not come to “{name}”")

    def _tab(self):
        """Press Tab, and return the element that has the focus. None at the end of the page."""
        self.page.keyboard.press("Tab")
        return self.page.evaluate(_FOCUSED)

    def assert_fit(self):
        """Assert that the page is fit for everybody: nothing cut or unhidden, no violation of WCAG, no fault so far."""
        assert not (wrong := [*self.cut(), *self.unhidden(), *self.violations(), *self.faults]), wrong

    def assert_no_faults(self):
        """Assert that nothing went wrong since the page was opened, and that only events are kept of the visit."""
        kept = [cookie for cookie in self.context.cookies() if not cookie["path"].startswith("/events")]
        assert not (wrong := [*self.faults, *kept]), wrong
