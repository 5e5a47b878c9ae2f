"""The code blocks of the tutorials and how-to guides, and the shell that runs them as a reader would.

HTML comments above a fence tell how its block is tested; no reader sees them:

- `<!-- file: NAME -->`: the block is the content of this file.
- `<!-- output -->`: the last shell block prints exactly this; `…` stands for any text.
- `<!-- exit: N -->`: the shell block ends with N. Without it, every command of the block must succeed.
- `<!-- server -->`: the shell block runs until the page is done; the next block begins when port 8000 answers.
- `<!-- needs: PROGRAM -->`: the block runs only if this program is installed; else it is only parsed.
- `<!-- not run: REASON -->`: the shell block cannot run in a test and is only parsed.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PORT = "8000"  # in the guides; a test takes a free one
_FENCE = re.compile(r"((?:^<!-- [^\n]* -->\n)*)^```([a-z]*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_MARK = re.compile(r"<!-- ([a-z ]+?)(?:: (.*?))? -->")
_PATIENCE = 120  # seconds for a block, and for a server to start


class Block(NamedTuple):
    """A fenced block of a page: its language, its text, and the marks above it by name."""

    language: str
    text: str
    marks: dict[str, str]

    @property
    def is_shell(self) -> bool:
        """True if the block has commands."""
        return self.language == "sh"


def read_blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page."""
    found = _FENCE.findall(page.read_text("utf-8"))
    return [Block(language, text, dict(_MARK.findall(marks))) for marks, language, text in found]


def parse_shell(text: str) -> str:
    """Return the error message of bash about a text of commands, "" if bash can parse the text."""
    return subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True).stderr


def pages(folder: str) -> list[str]:
    """Return the pages in a folder of docs/, by name."""
    return sorted(page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs" / folder).glob("*.md"))


def run_page(page: str, folder: Path) -> None:
    """Do everything that a page shows, in a folder."""
    blocks = read_blocks(ROOT / "docs" / page)
    assert blocks, f"{page} shows nothing to do"
    reader = Reader(folder)
    try:
        for block in blocks:
            reader.do(block)
    finally:
        reader.end()


class Reader:
    """A reader of a page, in a folder with examples/, docs/ and deploy/, who runs its blocks one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        (folder / ".curlrc").write_text("fail\nshow-error\n")  # an error status ends a command
        for name in ("examples", "docs", "deploy"):
            shutil.copytree(ROOT / name, self.folder / name)
        self.port = str(_free_port())
        self.output = ""
        self._servers: list[subprocess.Popen[bytes]] = []
        self._state = folder / "variables"  # of the shell, from block to block
        self._state.touch()
        self._log = folder / "server.log"
        kept = {name: value for name, value in os.environ.items() if not name.startswith("DECKPROOF_")}
        self._environment = kept | {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(folder),
            "DECKPROOF_DATA_DIR": str(folder / "data"),
            "DECKPROOF_WORKERS": "1",  # a server starts sooner
            "DECKPROOF_WORKER": "off",
        }

    def do(self, block: Block) -> None:
        """Run a block, write its file, or compare it with the output of the block before."""
        text = block.text.replace(PORT, self.port)
        if "file" in block.marks:
            (self.folder / block.marks["file"]).write_text(text, "utf-8")
        elif "output" in block.marks:
            wanted = "(.*)".join(re.escape(part) for part in text.strip().split("…"))
            assert re.fullmatch(wanted, self.output.strip(), re.DOTALL), f"printed:\n{self.output}\nshown:\n{text}"
        elif block.is_shell:
            assert not parse_shell(text), text
            if self._can_run(block):
                self._serve(text) if "server" in block.marks else self._run(text, int(block.marks.get("exit", 0)))

    def _can_run(self, block: Block) -> bool:
        needs = block.marks.get("needs")
        return "not run" not in block.marks and (not needs or shutil.which(needs) is not None)

    def _run(self, text: str, wanted: int) -> None:
        keep = f"trap 'status=$?; declare -p > {self._state}.new 2>&1; exit $status' EXIT"
        script = f". {self._state} 2> /dev/null\n{keep}\nset -eo pipefail\n{text}"
        run = {"cwd": self.folder, "env": self._environment, "timeout": _PATIENCE, "stdin": subprocess.DEVNULL}
        ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True, **run)
        assert ran.returncode == wanted, f"{text}\nended with {ran.returncode}:\n{ran.stdout}{ran.stderr}"
        self._state.with_name("variables.new").replace(self._state)
        self.output = ran.stdout

    def _serve(self, text: str) -> None:
        with self._log.open("ab") as log:
            command = ["bash", "-c", f". {self._state} 2> /dev/null\n{text}"]
            served = {"cwd": self.folder, "env": self._environment, "stdout": log, "stderr": log}
            self._servers.append(subprocess.Popen(command, start_new_session=True, **served))
        until = time.monotonic() + _PATIENCE
        while not _answers(f"http://127.0.0.1:{self.port}/"):
            assert self._servers[-1].poll() is None, self._log.read_text("utf-8")
            assert time.monotonic() < until, self._log.read_text("utf-8")
            time.sleep(0.1)

    def end(self) -> None:
        """End the servers that the page started."""
        for server in self._servers:
            os.killpg(server.pid, signal.SIGTERM)
            try:
                server.wait(timeout=30)
            except subprocess.TimeoutExpired:
                os.killpg(server.pid, signal.SIGKILL)


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
