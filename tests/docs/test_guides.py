"""The how-to guides: every shell block runs as a reader would run it, with the examples that ship."""

from __future__ import annotations

import re

import pytest

from tests.docs.guides import ROOT, Reader, pages, parse_shell, read_blocks, run_page

GUIDES, TUTORIALS = pages("how-to"), pages("tutorials")
PAGES = GUIDES + TUTORIALS
LANGUAGES = {"sh", "text", "python", "js", "html", "json", "yaml", "csv", "ini", "toml", "haproxy"}

pytestmark = pytest.mark.slow


@pytest.fixture
def reader(tmp_path):
    reader = Reader(tmp_path)
    yield reader
    reader.end()


def test_there_are_tutorials_and_guides():
    assert len(TUTORIALS) >= 3
    assert len(GUIDES) >= 10


@pytest.mark.parametrize("page", GUIDES)
def test_every_block_of_a_guide_works(page, tmp_path):
    run_page(page, tmp_path)


@pytest.mark.parametrize("page", PAGES)
def test_every_fence_is_read_by_the_runner(page):
    text = (ROOT / "docs" / page).read_text("utf-8")
    blocks = read_blocks(ROOT / "docs" / page)
    assert len(re.findall(r"^\s*```", text, re.MULTILINE)) == 2 * len(blocks)
    assert {block.language for block in blocks} <= LANGUAGES


@pytest.mark.parametrize("page", PAGES)
def test_a_block_that_is_not_run_has_a_reason_and_can_be_parsed(page):
    for block in read_blocks(ROOT / "docs" / page):
        if "not run" in block.marks:
            assert len(block.marks["not run"].split()) >= 3, page
            assert not parse_shell(block.text), block.text


def test_the_runner_notices_a_wrong_command_and_a_wrong_output(reader, tmp_path):
    (page := tmp_path / "page.md").write_text(
        "```sh\nA=4\n```\n```sh\necho $A; deckproof check none.txt\n```\n```sh\necho $A\n```\n"
        "<!-- output -->\n```text\n5\n```\n"
        "<!-- exit: 1 -->\n```sh\ndeckproof check examples/optcg-five-copies.txt\n```\n"
    )
    first, wrong, right, other, exits = read_blocks(page)
    reader.do(first)
    with pytest.raises(AssertionError, match="ended with 2"):
        reader.do(wrong)
    reader.do(right)
    with pytest.raises(AssertionError, match="printed"):
        reader.do(other)
    reader.do(exits)
