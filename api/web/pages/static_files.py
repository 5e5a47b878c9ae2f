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
    """A file as it is served, also compressed. `digest` is the version of its content."""

    content: bytes
    media_type: str
    digest: str
    squeezed: bytes


@blueprint.get("/<path:name>")
def static_file(name: str) -> Response:
    """Return a file of the pages."""
    file = files().get(name)
    if file is None:
        raise NotFound(phrase("The pages have no such file."))
    return cacheable_response(file.content, file.media_type, file.digest, file.squeezed)


def address(name: str) -> str:
    """Return the path of a file with its version. Raises KeyError if there is no such file."""
    return f"{blueprint.url_prefix}/{name}?v={files()[name].digest}"


@cache
def files() -> Mapping[str, StaticFile]:
    """Return every file that is served, by its path."""
    contents = dict(_read_folder(resources.files(__package__).joinpath("static"), ""))
    return {name: _served_file(name, contents) for name in contents}


def imported_scripts(name: str) -> list[str]:
    """Return the paths of all scripts that a script imports, and that these import, each once."""
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        imported = [each.decode() for each in _IMPORT_ADDRESS.findall(files()[waiting.pop()].content)]
        waiting += [each for each in imported if each not in found]
        found |= dict.fromkeys(imported)
    return list(found)


def _read_folder(folder: Traversable, parent: str) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the content of each servable file in a folder and its subfolders."""
    for entry in folder.iterdir():
        name = f"{parent}{entry.name}"
        if entry.is_dir():
            yield from _read_folder(entry, f"{name}/")
        elif name.rpartition(".")[2] in _MEDIA_TYPES:
            yield name, entry.read_bytes()


def _served_file(name: str, contents: Mapping[str, bytes]) -> StaticFile:
    """Return a static file with its media type, its digest and a compressed copy."""
    content = _served_content(name, contents)
    media_type = _MEDIA_TYPES[name.rpartition(".")[2]]
    return StaticFile(content, media_type, _digest(content), gzip.compress(content, mtime=0))


def _served_content(name: str, contents: Mapping[str, bytes]) -> bytes:
    """Return a stylesheet without comments and needless spaces, and a script whose imports have versions."""
    content = contents[name]
    if name.endswith(".css"):
        return _SPARED.sub(rb"\1", _COMMENT.sub(b"", content))
    if not name.endswith(".js") or "/" in name:
        return content

    def add_version(match: re.Match[bytes]) -> bytes:
        """Return an import of a script with the digest of that script in its address."""
        # A browser that keeps an older version of a script never gets it for a new one.
        digest = _digest(_served_content(match[1].decode(), contents))
        return b'"./%s?v=%s"' % (match[1], digest.encode())

    return _IMPORT.sub(add_version, content)


def _digest(content: bytes) -> str:
    """Return the short digest of a content, used as its version."""
    return hashlib.sha256(content).hexdigest()[:16]
