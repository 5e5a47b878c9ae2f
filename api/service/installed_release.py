"""The installed release of deckproof. Called by the command and by `/readyz`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from functools import cache
from importlib.metadata import distribution
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

from carddb.migrations import HEAD

_SECONDS = 5  # for git to answer
_DIGITS = 12  # of a commit


class InstalledRelease(NamedTuple):
    """A release: its version, the newest revision of its database schema, and 12 or more digits of its commit.

    `commit` ends in "-dirty" if files of the checkout were changed since. It is "" if it is not known, as for a release
    from a package index.
    """

    version: str
    schema: str
    commit: str

    @property
    def text(self) -> str:
        """The release in one line: `1.2.0, database schema 0012, commit 0123456789ab`.

        Without a commit, that part is missing.
        """
        commit = f", commit {self.commit}" if self.commit else ""
        return f"{self.version}, database schema {self.schema}{commit}"


@cache
def installed_release() -> InstalledRelease:
    """Return the installed release of deckproof, with the newest schema revision of this code. The result is cached."""
    installed = distribution("deckproof")
    origin = json.loads(installed.read_text("direct_url.json") or "{}")
    return InstalledRelease(installed.version, HEAD, find_commit(origin))


def find_commit(origin: Mapping[str, Any]) -> str:
    """Return the first 12 digits of the commit of an installation, "" if it is not known.

    `origin` is the content of the installer's direct_url.json, empty if there is none. For an editable install `git
    describe` is run in its folder, and "-dirty" is added if files were changed. Return "" if git fails or takes over 5
    seconds.
    """
    if commit := origin.get("vcs_info", {}).get("commit_id"):
        return str(commit)[:_DIGITS]
    if not origin.get("dir_info", {}).get("editable"):
        return ""
    folder = Path(url2pathname(urlsplit(origin["url"]).path))
    describe = ("git", "-C", str(folder), "describe", "--always", "--dirty", f"--abbrev={_DIGITS}", "--exclude=*")
    try:
        output = subprocess.run(describe, capture_output=True, text=True, timeout=_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return output.stdout.strip()
