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

from api.web.responses import cacheable_response
from validator.language import phrase

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
_IMPORT = re.compile(rb'(?<=[ (])"\./([a-z_]+\.js)"')  # in a script: another script of this folder
_IMPORT_ADDRESS = re.compile(rb'(?<=[ (])"\./([a-z_]+\.js)\?v=[0-9a-f]{16}"')  # as it is served


class StaticFile(NamedTuple):
    """A file of the pages as it is served. `squeezed` is its content compressed by gzip.

    `digest` (16 hex digits of SHA-256) is the version of the content.
    """

    content: bytes
    media_type: str
    digest: str
    squeezed: bytes


@blueprint.get("/<path:name>")
def static_file(name: str) -> Response:
    """Return a static file of the pages, which browsers may cache for ever if the address has its version.

    Raises NotFound for any other name.
    """
    file = files().get(name)
    if file is None:
        raise NotFound(phrase("The pages have no such file."))
    return cacheable_response(file.content, file.media_type, file.digest, file.squeezed)


def address(name: str) -> str:
    """Return the path of a static file with its version: `/static/style.css?v=0123456789abcdef`.

    Raises KeyError if there is no such file.
    """
    return f"{blueprint.url_prefix}/{name}?v={files()[name].digest}"


@cache
def files() -> Mapping[str, StaticFile]:
    """Return all static files by their path in the folder `static`. The result is cached."""
    contents = dict(_read_folder(resources.files(__package__).joinpath("static"), ""))
    return {name: _served_file(name, contents) for name in contents}


def imported_scripts(name: str) -> list[str]:
    """Return the names of all scripts that a script imports directly or through others, each once, without itself.

    The names have no version. Raises KeyError if there is no such script.
    """
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        imported = [each.decode() for each in _IMPORT_ADDRESS.findall(files()[waiting.pop()].content)]
        waiting += [each for each in imported if each not in found]
        found |= dict.fromkeys(imported)
    return list(found)


def _read_folder(folder: Traversable, parent: str) -> Iterator[tuple[str, bytes]]:
    """Yield `(path, content)` of each file in a folder and its subfolders that has a known media type.

    `parent` is put before each name, "" at the top.
    """
    for entry in folder.iterdir():
        name = f"{parent}{entry.name}"
        if entry.is_dir():
            yield from _read_folder(entry, f"{name}/")
        elif name.rpartition(".")[2] in _MEDIA_TYPES:
            yield name, entry.read_bytes()


def _served_file(name: str, contents: Mapping[str, bytes]) -> StaticFile:
    """Return a file as it is served, with media type, digest and a compressed copy. `contents` has all raw files."""
    content = _served_content(name, contents)
    media_type = _MEDIA_TYPES[name.rpartition(".")[2]]
    return StaticFile(content, media_type, _digest(content), gzip.compress(content, mtime=0))


def _served_content(name: str, contents: Mapping[str, bytes]) -> bytes:
    """Return the content of a file as it is served. `contents` are the raw files by path.

    A stylesheet loses comments and needless spaces. In a script (not in a subfolder) each import gets the version of
    the imported script. Other files are unchanged.
    """
    content = contents[name]
    if name.endswith(".css"):
        return _SPARED.sub(rb"\1", _COMMENT.sub(b"", content))
    if not name.endswith(".js") or "/" in name:
        return content

    def add_version(match: re.Match[bytes]) -> bytes:
        """Return the matched import of a script with the version of that script in its address."""
        # A browser that keeps an older version of a script never gets it for a new one.
        digest = _digest(_served_content(match[1].decode(), contents))
        return b'"./%s?v=%s"' % (match[1], digest.encode())

    return _IMPORT.sub(add_version, content)


def _digest(content: bytes) -> str:
    """Return the first 16 hex digits of the SHA-256 of a content."""
    return hashlib.sha256(content).hexdigest()[:16]
