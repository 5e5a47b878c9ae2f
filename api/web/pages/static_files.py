"""Static files: the stylesheet, the scripts and the icon of the pages, each kept by browsers until it changes."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from api.web.responses import kept_as

blueprint = Blueprint("static_files", __name__, url_prefix="/static")

_MEDIA_TYPES = {  # of the files that are served, by how their names end
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
}
# Of a stylesheet; ours quotes nothing that looks so.
_COMMENT = re.compile(rb"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)")  # one that is not closed takes all that follows
_SPARED = re.compile(rb"(?:(?<!\s)\s++)?([{};,>])\s*+")


class StaticFile(NamedTuple):
    """A file as it is served, also squeezed; `digest` is the name of its content."""

    content: bytes
    media_type: str
    digest: str
    squeezed: bytes


@blueprint.get("/<path:name>")
def static_file(name: str) -> Response:
    """Get a file that pages are made of."""
    file = files().get(name)
    if file is None:
        raise NotFound("The pages have no such file.")
    return kept_as(file.content, file.media_type, file.digest, file.squeezed)


def address(name: str) -> str:
    """Return the path of a file, which is another whenever the file changes; a KeyError if there is none."""
    return f"{blueprint.url_prefix}/{name}?v={files()[name].digest}"


@cache
def files() -> Mapping[str, StaticFile]:
    """Return every file that is served, by its path."""
    return dict(_found(resources.files(__package__).joinpath("static"), ""))


def _found(folder: Traversable, under: str) -> Iterator[tuple[str, StaticFile]]:
    for one in folder.iterdir():
        name = f"{under}{one.name}"
        if one.is_dir():
            yield from _found(one, f"{name}/")
        elif media_type := _MEDIA_TYPES.get(name.rpartition(".")[2]):
            content = _slim(one.read_bytes()) if name.endswith(".css") else one.read_bytes()
            digest = hashlib.sha256(content).hexdigest()[:16]
            yield name, StaticFile(content, media_type, digest, gzip.compress(content, mtime=0))


def _slim(sheet: bytes) -> bytes:
    """Return a stylesheet without what only people read."""
    return _SPARED.sub(rb"\1", _COMMENT.sub(b"", sheet))
