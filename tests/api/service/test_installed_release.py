"""The installed release: its version, its database schema, and its commit if the installer knew one."""

import shutil
import subprocess
from importlib import metadata

import pytest
from click.testing import CliRunner

from api.cli import cli
from api.service.installed_release import find_commit, installed_release
from carddb.migrations import HEAD


def test_the_command_shows_the_version_and_the_schema():
    ran = CliRunner().invoke(cli, ["--version"])
    assert ran.exit_code == 0
    assert {metadata.version("deckproof"), HEAD} <= set(ran.output.replace(",", "").split())
    assert installed_release().commit in ran.output


def test_the_commit_of_a_repository_is_that_of_the_installer():
    origin = {
        "url": "https://example.com/deckproof.git",
        "vcs_info": {"vcs": "git", "commit_id": "0123456789abcdef" * 2},
    }
    assert find_commit(origin) == "0123456789ab"


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_the_commit_of_a_checkout_is_that_of_git(tmp_path):
    def git(*call):
        name = ("-c", "user.name=Test", "-c", "user.email=test@example.com")
        return subprocess.run(["git", *name, *call], cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    git("init", "-q")
    (tmp_path / "file").write_text("first")
    git("add", "file")
    git("commit", "-qm", "first", "--no-gpg-sign", "--no-verify")
    git("tag", "v1")
    origin = {"url": tmp_path.as_uri(), "dir_info": {"editable": True}}
    commit = git("rev-parse", "HEAD")[:12]
    assert find_commit(origin) == commit
    (tmp_path / "file").write_text("second")
    assert find_commit(origin) == f"{commit}-dirty"
    assert find_commit({"url": tmp_path.as_uri(), "dir_info": {}}) == ""


@pytest.mark.parametrize("origin", [{}, {"url": "file:///nowhere", "dir_info": {"editable": True}}])
def test_a_commit_that_is_not_known_is_empty(origin):
    assert find_commit(origin) == ""
