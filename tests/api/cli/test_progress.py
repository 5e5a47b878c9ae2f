"""Progress bars of commands."""

from __future__ import annotations

import io

import pytest

from api.cli.progress import line_bar, page_bar, part_bars

REMOVED = "\x1b[2K"  # the end of a bar that is erased


@pytest.fixture
def screen(monkeypatch, capsys):
    """A function that returns what a terminal gets."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    return lambda: capsys.readouterr().err


@pytest.mark.parametrize(
    ("reports", "share"),
    [([(0, 0)], "50%"), ([(0, 0), (1, 1)], "100%"), ([(256, 512)], "25%"), ([(511, 512)], ""), ([(7, 7)], "50%")],
)
def test_each_part_has_an_equal_share_and_one_without_work_is_done(screen, reports, share):
    with part_bars(2) as parts:
        for (done, total), report in zip(reports, parts, strict=False):
            report(done, total)
    shown = screen()
    assert (share in shown, "%" in shown, shown.endswith(REMOVED)) == (True, bool(share), True)


def test_pages_are_counted_with_their_label(screen):
    with page_bar() as draw:
        draw(1, 3, "[OP-01]")
    shown = screen()
    assert ("1/3" in shown, "[OP-01]" in shown, shown.endswith(REMOVED)) == (True, True, True)


@pytest.mark.parametrize("size", [8, None])
def test_decks_are_counted(screen, size):
    lines = io.BytesIO(b"a\nb\nc\nd\n")
    with line_bar(lines, size) as advance:
        lines.read(4)
        advance(1)
        advance(1_200)
    shown = screen()
    assert ("1,201 decks" in shown, shown.endswith(REMOVED)) == (True, True)
