"""Mutation testing: make one small mistake in the code at a time, and count the mistakes that the tests notice.

`python -m tests.mutation --sample 100 --seed 1 --area validator/rules` prints the rate of each area and the diff of
each mistake that no test noticed. cosmic-ray makes the mistakes. Its own runner takes one test command for all of
them, starts Python again for each and knows neither samples nor coverage, so this one runs the tests: in copies of the
working folder, in a forked process that has the libraries loaded already, first the nearest of the tests that ran
the changed line. mutmut changes the bodies of functions only, and half of the rules are tables of their modules.

The tests that run each line are measured once and kept in build/mutation. Later runs measure changed test files only.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import hashlib
import importlib
import json
import multiprocessing
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import parso
import pytest
from cosmic_ray import plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.exceptions import CosmicRayTestingException
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.exception_replacer import ExceptionReplacer
from cosmic_ray.operators.operator import Operator
from coverage import CoverageData

ROOT = Path(__file__).parents[1]
PACKAGES = ("validator", "carddb", "api")
PRELOADED = (
    *(
        "PIL.Image",
        "babel",
        "cryptography.x509",
        "flask",
        "flask_wtf",
        "hypothesis",
        "limits",
        "marshmallow",
        "msgspec",
    ),
    *(
        "openpyxl",
        "prometheus_client",
        "pypdf",
        "rapidfuzz",
        "requests",
        "rich.console",
        "selectolax",
        "sqlalchemy.orm",
    ),
    *("typst", "webargs.flaskparser", "xdist.scheduler"),
)
NEAREST = 6  # test files that run before the others
HANG = 20  # seconds of one test after which a mistake counts as noticed: it made an endless loop

# Removed decorators are left out: most are caches, and nothing shows that a cache is missing.
_OPERATORS = re.compile(
    r"core/(AddNot|Replace(True|False|And|Or|Break|Continue)With\w+|ExceptionReplacer|NumberReplacer|ZeroIterationForLoop"
    r"|ReplaceUnaryOperator_(Delete_Not|USub_UAdd)|ReplaceComparisonOperator_(Eq_NotEq|NotEq_Eq|Is_IsNot|IsNot_Is|Lt_LtE|LtE_Lt|Gt_GtE|GtE_Gt)"
    r"|ReplaceBinaryOperator_(Add_Sub|Sub_Add|Mul_Add|Div_Mul|FloorDiv_Mul|Mod_Mul|BitOr_BitAnd|BitAnd_BitOr))"
)


class Membership(Operator):
    """Turns `in` into `not in` and back, for which cosmic-ray has no operator."""

    def mutation_positions(self, node):
        for word in self._words(node):
            yield word.start_pos, word.end_pos

    def mutate(self, node, index):
        word = list(self._words(node))[index]
        other = " in" if word.get_code().split() == ["not", "in"] else " not in"
        node.children[node.children.index(word)] = parso.parse(other)
        return node

    @classmethod
    def examples(cls):
        return ()

    @staticmethod
    def _words(node):
        if node.type == "comparison":
            yield from (word for word in node.children[1::2] if word.get_code().split() in (["in"], ["not", "in"]))


class Exceptions(ExceptionReplacer):
    """Replaces one exception of a clause, also one with a dotted name, on which cosmic-ray's operator fails."""

    def mutate(self, node, index):
        name = self._name_nodes(node)[index]
        siblings = name.parent.children
        siblings[siblings.index(name)] = parso.parse(
            f"{name.get_first_leaf().prefix}{CosmicRayTestingException.__name__}"
        )
        return node

    @staticmethod
    def _name_nodes(node):
        caught = node.children[1]
        if caught.type != "atom":
            return (caught,)
        inner = caught.children[1]
        return inner.children[::2] if inner.type == "testlist_comp" else (inner,)


OPERATORS = {name: plugins.get_operator(name) for name in plugins.operator_names() if _OPERATORS.fullmatch(name)}
OPERATORS |= {"own/Membership": Membership, "core/ExceptionReplacer": Exceptions}


class Mutant(NamedTuple):
    """A mistake in one module, whose path is relative to the project."""

    path: str
    line: int
    operator: str
    occurrence: int

    @property
    def area(self) -> str:
        return "/".join(Path(self.path).parent.parts[:2])

    def code(self, source: str) -> str:
        return mutate_code(source, OPERATORS[self.operator](), self.occurrence)

    def diff(self, source: str) -> str:
        lines = difflib.unified_diff(source.splitlines(), self.code(source).splitlines(), lineterm="", n=0)
        return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


class Result(NamedTuple):
    """A mutant with the test that failed, or with the number of tests that passed, in `by`."""

    mutant: Mutant
    is_noticed: bool
    by: str


def find_mutants(path: str, source: str) -> list[list[Mutant]]:
    """Return the mutants of each place of a module, but for places of which nothing can be seen from outside."""
    tree, places = list(ast_nodes(get_ast(source))), defaultdict(list)
    lines = [line.encode() for line in source.split("\n")]

    def place(line: int, byte: int) -> tuple[int, int]:
        return line, len(lines[line - 1][:byte].decode())  # ast counts bytes, parso counts characters

    unseen = [
        (place(found.lineno, found.col_offset), place(found.end_lineno, found.end_col_offset))
        for node in ast.walk(ast.parse(source))
        for found in _find_unseen(node)
    ]
    for name, operator in OPERATORS.items():
        positions = (start for node in tree for start, _ in operator().mutation_positions(node))
        for occurrence, start in enumerate(positions):
            if not any(begin <= start < end for begin, end in unseen):
                places[start].append(Mutant(path, start[0], name, occurrence))
    return [places[start] for start in sorted(places)]


def _find_unseen(node: ast.AST) -> Iterator[ast.AST]:
    """Yield annotations, what only checkers of types read, and guards that only hold against programmers."""
    yield from filter(None, (getattr(node, "annotation", None), getattr(node, "returns", None)))
    if isinstance(node, ast.keyword) and node.arg in {"strict", "frozen", "slots", "repr"}:
        yield node
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        yield node


def draw_mutants(root: Path, areas: Collection[str], size: int, seed: int) -> list[Mutant]:
    """Return one mutant for each of `size` random places, fewer if there are fewer. Migrations are left out."""
    chance = random.Random(seed)
    found = {
        path for area in areas for path in ((root / area).rglob("*.py") if (root / area).is_dir() else [root / area])
    }
    paths = sorted(path for path in found if "migrations" not in path.parts)
    sizes = [path.stat().st_size for path in paths]
    left: dict[Path, list[list[Mutant]]] = {}
    drawn: list[Mutant] = []
    for _ in range(20 * size):
        path = chance.choices(paths, sizes)[0]
        if path not in left:
            left[path] = find_mutants(path.relative_to(root).as_posix(), path.read_text())
            chance.shuffle(left[path])
        if left[path] and len(drawn) < size:
            drawn.append(chance.choice(left[path].pop()))
    return drawn


def copy_project(root: Path, folder: Path) -> Path:
    """Copy the files that git tracks or would add, and link the shared data beside them. Return the folder."""
    copy = folder / "project"
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root, capture_output=True, text=True)
    paths = listed.stdout.splitlines() or [str(path.relative_to(root)) for path in root.rglob("*")]
    for path in paths:
        if (root / path).is_file():
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / path, copy / path)
    if (shared := root.parent / "shared").exists():
        (folder / "shared").symlink_to(shared.resolve())
    return copy


class _Record:
    """A plugin of pytest that runs the chosen tests and test files only and keeps the failures."""

    def __init__(self, chosen_tests: Collection[str] | None = None) -> None:
        self.chosen, self.failed, self.passed, self.began = chosen_tests, [], 0, multiprocessing.Value("d", 0.0)

    def pytest_collection_modifyitems(self, items):
        if self.chosen is not None:
            items[:] = [item for item in items if {item.nodeid, item.nodeid.partition("::")[0]} & set(self.chosen)]

    def pytest_runtest_logstart(self):
        self.began.value = time.process_time()

    def pytest_runtest_logreport(self, report):
        self.passed += report.when == "call" and report.passed
        if report.failed:
            self.failed.append(report.nodeid)


def _run_pytest(
    copy: Path, roots: Collection[str], args: list[str], seconds: int | None, record: _Record, results: Connection
) -> None:
    """Run pytest in the copy, in a process of its own, and send the exit code, the failures and how many passed."""
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    if seconds:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    os.chdir(copy)
    os.environ["PYTHONPATH"] = str(copy)
    for name in [name for name in sys.modules if name.partition(".")[0] in {"tests", *roots}]:
        del sys.modules[name]
    sys.path[:] = [str(copy), *(path for path in sys.path if path and Path(path).resolve() != ROOT)]
    code = pytest.main(
        [f"--rootdir={copy}", "-o", "addopts=", "--strict-markers", "-p", "no:cacheprovider", *args], [record]
    )
    results.send((int(code), record.failed, record.passed))


def _start_pytest(copy: Path, roots: Collection[str], args: list[str], seconds: int | None, record: _Record):
    """Return the exit code, the failures and the number of passed tests. The exit code is None after a timeout."""
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    child = fork.Process(target=_run_pytest, args=(copy, roots, args, seconds, record, sender))
    child.start()
    sender.close()
    received = None
    if receiver.poll(
        None if seconds is None else 15 * seconds
    ):  # CPU seconds are bounded; a sleeping process takes none
        with suppress(EOFError):
            received = receiver.recv()
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.join()
    return received or (None, [], 0)


class CoveringTests:
    """The tests that run each line, as coverage.py measured them, kept in a folder."""

    def __init__(self, root: Path, folder: Path, slow: bool) -> None:
        self.root, self.folder = root, folder
        self.marks = [] if slow else ["-m", "not slow"]
        self._index = folder / ("slow.json" if slow else "quick.json")
        self._known = json.loads(self._index.read_text()) if self._index.exists() else {}

    def measure(self, copy: Path, tests: Collection[str], roots: Collection[str], jobs: int) -> None:
        """Run the new or changed test files under coverage, and store their lines.

        If the code has changed, run all test files.
        """
        code = _digest(path for one in (*roots, "tests") for path in (self.root / one).rglob("*") if not _is_test(path))
        if self._known.get("code") != code:
            shutil.rmtree(self.folder, ignore_errors=True)
            self._known = {"code": code, "files": {}, "failed": []}
        found = sorted(
            {path for one in tests for path in (self.root / one, *(self.root / one).rglob("*")) if _is_test(path)}
        )
        digests = {path.relative_to(self.root).as_posix(): _digest([path]) for path in found}
        stale = [path for path, digest in digests.items() if self._known["files"].get(path, [""])[0] != digest]
        if not stale:
            return
        print(f"Measuring the tests of {len(stale)} files …", flush=True)
        self.folder.mkdir(parents=True, exist_ok=True)
        data = self.folder / f"{len(list(self.folder.iterdir()))}-{os.getpid()}.coverage"
        (copy / "mutation.coveragerc").write_text(f"[run]\nrelative_files = true\ndata_file = {data}\n")
        cov = [
            "--cov-config=mutation.coveragerc",
            "--cov-context=test",
            "--cov-report=",
            *(f"--cov={one}" for one in roots),
        ]
        _, failed, _ = _start_pytest(
            copy, roots, [*self.marks, f"-n{jobs}", "--dist=loadfile", *cov, *stale], None, _Record()
        )
        self._known["files"] |= {path: [digests[path], data.name] for path in stale}
        self._known["failed"] = sorted({*self._known["failed"], *failed})
        self._index.write_text(json.dumps(self._known))

    def failing_tests(self) -> set[str]:
        """Return the tests that fail on unchanged code. Their failures prove nothing."""
        return set(self._known["failed"])

    def find(self, path: str, line: int) -> dict[str, set[str]]:
        """Return the tests that run a line, by test file, the nearest file first.

        A line that runs at import belongs to no test, or to the one that imports its module first. Return the tests of
        its module, else those of its importers.
        """
        lines = self._lines(path)
        tests = lines.get(line, set()) if _is_in_function((self.root / path).read_text(), line) else set()
        tests = tests or set().union(*lines.values())
        if not tests:
            word = re.compile(rf"import\b.*\b{Path(path).stem}\b|\b{Path(path).stem} import")
            for other in (self.root / path.partition("/")[0]).rglob("*.py"):
                if word.search(other.read_text()):
                    tests |= set().union(*self._lines(other.relative_to(self.root).as_posix()).values())
        by_file: dict[str, set[str]] = defaultdict(set)
        for test in tests - self.failing_tests():
            by_file[test.partition("::")[0]].add(test)
        words = set(re.split(r"\W|_", path.removesuffix(".py")))

        def distance(file: str) -> tuple[int, int]:
            return -len(words & set(re.split(r"\W|_", file.removesuffix(".py")))), -len(by_file[file])

        return {file: by_file[file] for file in sorted(by_file, key=distance)}

    def _lines(self, path: str) -> dict[int, set[str]]:
        """Return the tests that run each line, and the test files of which a fixture runs the line.

        Coverage knows only the first test of those that share a fixture. The others do not run the line themselves.
        """
        lines: dict[int, set[str]] = defaultdict(set)
        failed = {test.partition("::")[0] for test in self.failing_tests()}
        for name in {name for _, name in self._known["files"].values()}:
            data = CoverageData(str(self.folder / name))
            data.read()
            for line, contexts in data.contexts_by_lineno(path).items():
                for test, _, phase in (context.rpartition("|") for context in contexts if context):
                    file = test.partition("::")[0]
                    if self._known["files"].get(file, "  ")[1] == name:
                        lines[line].add(file if phase == "setup" and file not in failed else test)
        return lines


def _is_in_function(source: str, line: int) -> bool:
    """Return True if a line is in the body of a function."""
    functions = (
        node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return any(function.body[0].lineno <= line <= (function.end_lineno or 0) for function in functions)


def _is_test(path: Path) -> bool:
    return path.name.startswith("test_") and path.suffix == ".py"


def _digest(paths: Collection[Path] | Iterator[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(set(paths)):
        if path.is_file() and path.suffix != ".pyc" and path != Path(__file__):
            digest.update(str(path).encode() + path.read_bytes())
    return digest.hexdigest()


@contextmanager
def _write_mutant(path: Path, code: str) -> Iterator[None]:
    """Write the code to the file while the block runs. Python must not load the compiled file of the other code."""
    original = path.read_text()
    try:
        path.write_text(code)
        _forget_compiled(path)
        yield
    finally:
        path.write_text(original)
        _forget_compiled(path)


def _forget_compiled(path: Path) -> None:
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()


_PASSED = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
_copy: Path  # of this worker
_folder: TemporaryDirectory[str]


def _prepare_worker(root: Path) -> None:
    global _copy, _folder
    _folder = TemporaryDirectory(prefix="mutation-")
    _copy = copy_project(root, Path(_folder.name))
    for name in PRELOADED:
        with suppress(ImportError):
            importlib.import_module(name)


def try_mutant(
    mutant: Mutant, tests: dict[str, set[str]], marks: list[str], roots: Collection[str], seconds: int
) -> Result:
    """Return the result for a mutant. The nearest test files run first, and the first failure ends the run.

    Raises RuntimeError if the tests cannot run without the mistake either, because nothing is noticed then.
    """
    path, files, passed = _copy / mutant.path, list(tests), 0
    for stage in (files[:NEAREST], files[NEAREST:]):
        if not stage:
            continue
        chosen, args = set().union(*(tests[file] for file in stage)), ["-x", "-n0", *marks, *stage]
        record = _Record(chosen)
        with _write_mutant(path, mutant.code(path.read_text())):
            code, failed, count = _start_pytest(_copy, roots, args, seconds, record)
        passed += count
        if code is None:
            hangs = record.began.value < seconds - HANG
            return Result(mutant, hangs, "an endless test" if hangs else f"out of time, {passed} tests passed")
        if code not in _PASSED:
            # Without a failed test, the mistake broke an import, or the tests do not run on this machine at all.
            if not failed and _start_pytest(_copy, roots, args, seconds, _Record(chosen))[0] not in _PASSED:
                raise RuntimeError(f"the tests of {mutant.path} do not run: {' '.join(stage)}")
            return Result(mutant, True, failed[0] if failed else "an error")
    return Result(mutant, False, f"{passed} tests passed")


def measure(root: Path, areas: Collection[str], options: argparse.Namespace) -> list[Result]:
    """Return the results of a sample of mutants. Prints each survivor as soon as it is known."""
    roots = sorted({area.partition("/")[0] for area in areas} if root != ROOT else PACKAGES)
    covering = CoveringTests(root, root / "build" / "mutation", options.slow)
    with TemporaryDirectory(prefix="mutation-") as folder:
        covering.measure(copy_project(root, Path(folder)), options.tests, roots, options.jobs)
    mutants = draw_mutants(root, areas, options.sample, options.seed)
    results = []
    with ProcessPoolExecutor(
        options.jobs, multiprocessing.get_context("spawn"), initializer=_prepare_worker, initargs=(root,)
    ) as pool:
        attempt = partial(try_mutant, marks=covering.marks, roots=roots, seconds=options.seconds)
        tried = [pool.submit(attempt, mutant, covering.find(mutant.path, mutant.line)) for mutant in mutants]
        for future in as_completed(tried):
            result = future.result()
            results.append(result)
            if not result.is_noticed or options.verbose:
                word = "noticed" if result.is_noticed else "survived"
                print(f"{word} {result.mutant.path}:{result.mutant.line} ({result.by})")
                print(result.mutant.diff((root / result.mutant.path).read_text()), flush=True)
    return results


def print_rates(results: list[Result]) -> None:
    """Print the rate of noticed mistakes for each area and for all."""
    drawn, noticed = Counter(), Counter()
    for result in results:
        for area in (result.mutant.area, "all"):
            drawn[area] += 1
            noticed[area] += result.is_noticed
    for area in sorted(drawn, key=lambda area: (area == "all", area)):
        print(f"{area:28} {noticed[area]:4} of {drawn[area]:4} noticed, {100 * noticed[area] // drawn[area]} %")


def read_options(args: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--sample", type=int, default=100, help="how many mistakes to make")
    parser.add_argument("--seed", type=int, default=1, help="another seed draws other mistakes")
    parser.add_argument("--area", action="append", help="folder or module to make them in, may be repeated")
    parser.add_argument(
        "--tests", action="append", help="folder or file of tests to run, may be repeated; all of them by default"
    )
    parser.add_argument("--root", type=Path, default=ROOT, help="the project, if it is another one")
    parser.add_argument("--slow", action="store_true", help="run the slow tests, too")
    parser.add_argument("--seconds", type=int, default=60, help="processor time for the tests of one mistake")
    parser.add_argument("--jobs", type=int, default=2, help="mistakes tried at a time")
    parser.add_argument(
        "--verbose", action="store_true", help="print the noticed mistakes, too, and the test that noticed"
    )
    options = parser.parse_args(args)
    options.tests = options.tests or ["tests"]
    return options


if __name__ == "__main__":
    chosen = read_options()
    print_rates(measure(chosen.root, chosen.area or PACKAGES, chosen))
