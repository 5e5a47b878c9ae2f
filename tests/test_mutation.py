"""The mutation task, on one file of a small project: it finds the mistake that no test notices, and only that one."""

import re
import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("cosmic_ray", reason="needs the extra mutation")

from tests.mutation import ROOT, find_mutants

MODULE = """
    def price(copies: int | None, is_member):
        if copies > 10 and is_member:
            return copies * 2
        return copies * 3
"""
TESTS = """
    from shop.prices import price

    def test_members_pay_less():
        assert (price(11, True), price(11, False), price(9, True)) == (22, 33, 27)

    def test_fails_without_any_mistake():
        assert price(1, False) == 4
"""

SETTINGS = """
    [tool.pytest.ini_options]
    markers = ["slow: as in any project that this task is for"]
"""
FILES = {"shop/__init__.py": "", "shop/prices.py": MODULE, "tests/test_prices.py": TESTS, "pyproject.toml": SETTINGS}


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "shop-project"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(textwrap.dedent(text).lstrip())
    return root


def test_mistakes_are_made_in_everything_but_annotations():
    places = find_mutants("shop/prices.py", textwrap.dedent(MODULE).lstrip())
    assert sorted(one.line for place in places for one in place) == [2] * 5 + [3] * 3 + [4] * 3
    source = "def allowed(number, banned):\n    return number not in banned\n"
    ((mutant,),) = find_mutants("rules.py", source)
    assert mutant.code(source) == source.replace(" not in ", " in ")


def test_guards_against_programmers_are_found_behind_wide_characters():
    source = 'NUMERALS = dict(zip("一二三四五六七八九", DIGITS, strict=True))\n'
    assert find_mutants("texts.py", source) == []


def test_each_exception_of_a_clause_is_replaced_alone():
    source = "try:\n    run()\nexcept {}:\n    pass\n"
    for clause, replaced in (
        ("ValueError", ["{}"]),
        ("zlib.error", ["{}"]),
        ("(zlib.error, ValueError) as wrong", ["({}, ValueError) as wrong", "(zlib.error, {}) as wrong"]),
    ):
        text = source.format(clause)
        found = [mutant.code(text) for place in find_mutants("files.py", text) for mutant in place]
        assert found == [source.format(other.format("CosmicRayTestingException")) for other in replaced]


@pytest.mark.slow
def test_a_mistake_at_an_edge_that_no_test_touches_survives(project):
    before = (project / "shop/prices.py").read_text()
    words = ("--root", project, "--area", "shop", "--sample", "20", "--jobs", "1", "--verbose")
    run = subprocess.run([sys.executable, "-m", "tests.mutation", *words], cwd=ROOT, capture_output=True, text=True)
    decided = re.findall(r"^(noticed|survived) shop/prices.py:(\d) \((.*)\)$", run.stdout, re.MULTILINE)
    assert len(decided) == 8, run.stderr
    assert {line for word, line, _ in decided if word == "survived"} <= {"2"}
    assert {by for word, _, by in decided if word == "noticed"} == {"tests/test_prices.py::test_members_pay_less"}
    assert re.search(r"^all +[67] of +8 noticed", run.stdout, re.MULTILINE)
    assert (project / "shop/prices.py").read_text() == before


SHARED = """
    import pytest
    from shop.prices import price

    @pytest.fixture(scope="module")
    def prices():
        return price(11, True), price(11, False), price(10, True)

    def test_that_looks_at_nothing(prices):
        assert len(prices) == 3

    def test_that_looks_at_what_the_fixture_made(prices):
        assert prices == (22, 33, 30)
"""


@pytest.mark.slow
def test_each_test_of_a_shared_fixture_may_notice_a_mistake(project):
    (project / "tests/test_prices.py").write_text(textwrap.dedent(SHARED).lstrip())
    words = ("--root", project, "--area", "shop", "--sample", "20", "--jobs", "1", "--verbose")
    run = subprocess.run([sys.executable, "-m", "tests.mutation", *words], cwd=ROOT, capture_output=True, text=True)
    decided = re.findall(r"^(noticed|survived) shop/prices.py:(\d) \((.*)\)$", run.stdout, re.MULTILINE)
    assert ("noticed", "3", "tests/test_prices.py::test_that_looks_at_what_the_fixture_made") in decided, run.stderr


BROKEN = """
    import os

    def pytest_collection_modifyitems():
        if "PYTEST_XDIST_WORKER" not in os.environ:  # where the tests are measured, they run in workers
            raise OSError("the disk is full")
"""


@pytest.mark.slow
def test_tests_that_do_not_run_at_all_notice_nothing(project):
    (project / "tests/conftest.py").write_text(textwrap.dedent(BROKEN).lstrip())
    words = ("--root", project, "--area", "shop", "--sample", "2", "--jobs", "1")
    run = subprocess.run([sys.executable, "-m", "tests.mutation", *words], cwd=ROOT, capture_output=True, text=True)
    assert (run.returncode, "noticed" in run.stdout) == (1, False)
    assert "the tests of shop/prices.py do not run" in run.stderr
