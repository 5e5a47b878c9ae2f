"""Static files: served as they are but for what only people read, kept by browsers until they change.

What is vendored is as it came.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import tomllib
from importlib import resources

import pytest

from api.web.pages import static_files

FOLDER = resources.files("api.web.pages").joinpath("static")
VENDORED = tomllib.loads(FOLDER.joinpath("vendor/vendored.toml").read_text("utf-8"))["file"]


def ruled(sheet):
    """Return what a stylesheet rules, without comments and spaces."""
    return re.sub(rb"/\*.*?\*/|\s", b"", sheet, flags=re.DOTALL)


def test_every_file_is_served_and_kept_for_ever_under_its_own_name(client):
    assert {"style.css", "page.js", "deck.js", "icon.svg", "vendor/htmx.min.js"} <= set(static_files.files())
    for name, file in static_files.files().items():
        answer = client.get(static_files.address(name))
        kept = FOLDER.joinpath(name).read_bytes()
        assert answer.status_code == 200
        shown = re.sub(rb'\?v=[0-9a-f]{16}(?=")', b"", answer.data)
        assert ruled(answer.data) == ruled(kept) if name.endswith(".css") else shown == kept
        assert "immutable" in answer.headers["Cache-Control"]
        assert "immutable" not in client.get(f"/static/{name}").headers["Cache-Control"]
        again = client.get(f"/static/{name}", headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")
        squeezed = client.get(f"/static/{name}", headers={"Accept-Encoding": "gzip"})
        assert gzip.decompress(squeezed.data) == answer.data
        assert squeezed.headers["Content-Encoding"] == "gzip"
        assert squeezed.headers["ETag"] != answer.headers["ETag"]
        assert "Accept-Encoding" in squeezed.headers["Vary"]
        assert hashlib.sha256(file.content).hexdigest().startswith(file.digest)


@pytest.mark.parametrize(
    "name", ["nothing.css", "vendor", "vendor/vendored.toml", "../rendering.py", "..%2Frendering.py"]
)
def test_nothing_else_is_served(client, name):
    assert client.get(f"/static/{name}").status_code == 404


@pytest.mark.parametrize("file", VENDORED, ids=lambda file: file["name"])
def test_what_is_vendored_is_as_it_came_and_has_its_licence(file):
    assert hashlib.sha256(FOLDER.joinpath("vendor", file["path"]).read_bytes()).hexdigest() == file["sha256"]
    assert FOLDER.joinpath("vendor", file["licence_text"]).read_text("utf-8").strip()
    assert {"name", "version", "package", "from", "licence"} <= file.keys()


def test_all_that_is_vendored_is_in_the_manifest():
    told = {name for file in VENDORED for name in (file["path"], file["licence_text"])} | {"vendored.toml"}
    assert {file.name for file in FOLDER.joinpath("vendor").iterdir()} == told


def test_a_script_imports_the_version_of_each_script_that_is_served_now(client):
    names = static_files.imported_scripts("table.js")
    assert {"outbox.js", "table_page.js"} < set(names)
    for name in ("table.js", "events.js", *names):
        imports = re.findall(r'"\./([^"]+)"', client.get(static_files.address(name)).text)
        for imported in imports:
            assert static_files.address(imported.partition("?")[0]) == f"/static/{imported}"
            answer = client.get(f"/static/{imported}")
            assert (answer.status_code, "immutable" in answer.headers["Cache-Control"]) == (200, True)
