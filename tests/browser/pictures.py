"""Pictures of pages in every setting, to look at: `python -m tests.browser.pictures FOLDER PATH…`.

A path is one of a server of its own, or the whole address of a page that is served already.
"""

from __future__ import annotations

import re
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

from tests.api.processes import Running
from tests.browser.chromium import start_browser
from tests.browser.visitor import SETTINGS, Visitor

_LONGEST = 80  # characters of an address that name its file


def take(folder: Path, addresses: list[str]) -> None:
    """Write a picture of each page in each setting into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with start_browser() as browser:
        for setting in SETTINGS:
            for address in addresses:
                host = "{0.scheme}://{0.netloc}".format(urlsplit(address))
                visitor = Visitor(browser, host, setting)
                visitor.opens(address)
                name = re.sub(r"\W+", "-", f"{address.removeprefix(host)[:_LONGEST]}-{setting}").strip("-")
                visitor.page.screenshot(path=folder / f"{name}.png", full_page=True)
                print(f"{name}.png", *visitor.cut(), *visitor.faults, sep="\n    ")
                visitor.context.close()


def main(folder: str, *paths: str) -> None:
    with ExitStack() as stack:
        served = ""
        if any(path.startswith("/") for path in paths):
            running = Running(Path(stack.enter_context(tempfile.TemporaryDirectory())))
            stack.enter_context(running.ended())
            served = running.url
        take(Path(folder), [f"{served}{path}" if path.startswith("/") else path for path in paths])


if __name__ == "__main__":
    main(*sys.argv[1:])
