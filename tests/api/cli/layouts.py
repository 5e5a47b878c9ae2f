"""Recorded layouts of commands on a terminal: the indent, the style and the numbers of each line, without its words.

`python -m tests.api.cli.layouts` writes `layouts.txt`. Its diff shows each changed layout.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from api.cli import cli

ROOT = Path(__file__).parents[3]
RECORD = Path(__file__).with_suffix(".txt")
DAY = "--on 2026-11-01"
COMMANDS = (
    f"check examples/optcg-red-zoro.txt {DAY} --explain",
    f"check examples/optcg-five-copies.txt examples/optcg-banned-pair.txt {DAY}",
    f"check examples/optcg-rotated-zoro.txt {DAY} --policy release_delay_days=7",
    f"check examples/dbs-too-many-wishes.txt {DAY} --policy side_max=0",
    f"check examples/gundam-three-colours.txt {DAY}",
    f"check examples/bos-short.txt {DAY} --format standard",
    f"check --game dbs examples/optcg-red-zoro.txt {DAY}",
    f"check --team examples/optcg-red-zoro.txt examples/optcg-five-copies.txt --team-copies 8 {DAY}",
    f"repair examples/optcg-five-copies.txt {DAY}",
    f"repair examples/optcg-banned-pair.txt {DAY}",
    f"repair examples/gundam-three-colours.txt {DAY}",
    f"repair examples/bos-short.txt {DAY}",
    f"repair examples/optcg-five-copies.txt {DAY} --pin OP01-016",
    f"repair examples/optcg-red-zoro.txt {DAY}",
    f"when examples/optcg-red-zoro.txt {DAY} --from 2026-01-01",
    f"when examples/optcg-banned-pair.txt {DAY} --from 2026-10-01",
    f"odds examples/optcg-red-zoro.txt {DAY} --want OP01-016/OP11-016 --want ST21-015 --turn 3 --look 5 --targets 8",
    f"odds examples/gundam-white-base.txt {DAY} --look 3 --targets 4",
    f"swap examples/optcg-red-zoro.txt examples/optcg-five-copies.txt {DAY}",
    "compare examples/optcg-red-zoro.txt examples/optcg-rotated-zoro.txt",
    "cards show OP01-016",
    "cards stats --game optcg",
    f"limits optcg {DAY}",
    f"limits gundam {DAY}",
    "limits diff optcg-shipped optcg-shipped",
    "limits diff dbs-shipped dbs-shipped",
    "rules",
    "rules optcg-1.2.1",
    "rules bos-1.3",
)


def read_record() -> dict[str, list[str]]:
    """Return the recorded lines of each command."""
    blocks = RECORD.read_text("utf-8").removesuffix("\n").removeprefix("$ ").split("\n$ ")
    return {lines[0]: lines[1:] for lines in (block.split("\n") for block in blocks)}


class _Terminal(StringIO):
    """Standard output that says that it is a terminal."""

    def isatty(self) -> bool:
        """Return True, for colours and wrapped lines."""
        return True


@contextmanager
def empty_terminal() -> Iterator[None]:
    """Provide a folder without data beside the examples, and a terminal of 100 columns with eight colours."""
    own = {"TERM": "xterm", "COLUMNS": "100", "COLORTERM": "", "DECKPROOF_LANG": "en"}
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        for name, value in {**own, "DECKPROOF_DATA_DIR": folder}.items():
            patch.setenv(name, value)
        for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
            patch.delenv(name, raising=False)
        yield


def describe_layout(command: str) -> list[str]:
    """Return the exit code of a command, and the layout of each line of its output. Runs in this process."""
    screen = _Terminal()
    with redirect_stdout(screen), pytest.raises(SystemExit) as ended:
        cli.main(command.split(), "deckproof")
    return [f"exits with {ended.value.code}", *map(_remove_words, screen.getvalue().splitlines())]


def _remove_words(line: str) -> str:
    """Return a line with its indent, its styles and its numbers. Each run of other words is one "…".

    Hashes and numbers over 999, which are those of the whole card data, are left out too.
    """
    line = re.sub(r"\x1b\[([\d;]*)m", r"<\1>", line)
    line = re.sub(r"\b(?:[\da-f]{32}|\d+,\d{3})\b|(?<![\w<;.])[^\W\d]+(?:[^\s<>\d]*[^\W\d])?(?![\w>-])", "…", line)
    return re.sub(r"\s+(?=(?:<0>)?$)", "", re.sub(r"…(?:[ ,;:.]+…)+", "…", line))


if __name__ == "__main__":
    with empty_terminal():
        lines = [line for command in COMMANDS for line in (f"$ {command}", *describe_layout(command))]
    RECORD.write_text("\n".join(lines) + "\n", "utf-8")
