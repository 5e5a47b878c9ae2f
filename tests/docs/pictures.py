"""The picture in README.md: `python -m tests.docs.pictures` takes it from a running server with Chromium.

It shows no picture and no text of a card.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from urllib.parse import urlencode

from tests.api.processes import Running
from tests.browser.chromium import start_browser

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs/images/verdict.png"
DECK = ROOT / "examples/optcg-five-copies.txt"
_SIZE = {"width": 1000, "height": 660}


def take_verdict(url: str, picture: Path) -> None:
    """Write a picture of the page with the verdict on the example deck."""
    query = urlencode({"game": "optcg", "on": "2026-11-21", "decklist": DECK.read_text("utf-8")})
    with start_browser() as browser:
        page = browser.new_page(viewport=_SIZE, locale="en", color_scheme="light")
        page.set_default_timeout(120_000)  # milliseconds, on a machine that is busy
        page.goto(f"{url}/?{query}")
        page.get_by_role("heading", name="Not legal").scroll_into_view_if_needed()
        top = page.get_by_role("heading", name="Not legal").bounding_box()["y"] + page.evaluate("scrollY")
        clip = {"x": 0, "y": max(0, top - 40), **_SIZE}
        page.screenshot(path=picture, full_page=True, clip=clip)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        server = Running(Path(folder))
        with server.ended():
            take_verdict(server.url, PICTURE)


if __name__ == "__main__":
    main()
