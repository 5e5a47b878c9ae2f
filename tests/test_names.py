"""Names and docstrings follow those rules of CONTRIBUTING's style that a program can check: 3 to 6 and 9.

`names_allowed.txt` lists the names that are still to be changed. It only shrinks: an unneeded entry fails.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("validator", "carddb", "api", "deckproof", "tests")
ALLOWED = Path(__file__).with_name("names_allowed.txt")
# Names that a library, or the one interface of several modules, requires.
INTERFACES = {"main", "command", "read", "write", "run", "check", "parse"}
# Functions with other decorators belong to a framework: views, commands, fixtures.
PLAIN_DECORATORS = {
    "cache",
    "lru_cache",
    "contextmanager",
    "limited_concurrency",
    "dataclass",
    "classmethod",
    "property",
}
PARTICIPLES = (
    "begun|bound|brought|built|chosen|come|done|drawn|fallen|felt|found|given|gone|grown|had|heard|held|hidden|kept"
    "|known|laid|led|left|lost|made|meant|met|said|seen|sent|shown|spent|spoken|stood|taken|thought|told|torn"
    "|understood|unheard|unread|unsaid|untold|written"
)
PREPOSITIONS = (
    "about|across|against|ahead|along|among|apart|around|as|aside|at|behind|below|beside|besides|between|beyond|by|for"
    "|from|in|into|near|of|off|on|onto|out|over|than|through|to|toward|under|up|upon|via|with|within|without"
)
PRONOUNS = (
    "all|another|any|both|each|either|every|few|fewest|it|its|less|many|much|neither|none|one|ones|others|ours|same"
    "|several|some|such|that|their|them|there|these|they|this|those|what|when|where|which|whom?|whose|why"
)
ADVERBS = "again|alone|also|always|anew|far|here|now|once|only|rather|so|then|too|twice|yet|because|if|may|has|is"
# Names of functions that are no parameters: pairs of bounds and sides, and participles that are also adjectives.
NAME = re.compile(rf"{PARTICIPLES}|{PREPOSITIONS}|{PRONOUNS}|{ADVERBS}|after|before|since|until|most|[a-z]+(?:ed|ing)")
NOUN = re.compile(r"seed|feed|need|speed|bed|embed|(?:read|head|set|rul|list|str|print|spell|word|encod|find|mean)ing")
PARAMETER = re.compile(rf"{PARTICIPLES}|{PREPOSITIONS}|{PRONOUNS}|{ADVERBS}|say|tell|asked|wanted|wished|named|listed")
PHRASES = re.compile(
    r"^(?:Return|Yield|Tell|Say|Give|Show|Count|Find|Check|Look) (?:what|how|whether|whom?|whose|where|when|which)\b"
    r"|\b(?:alone|anew|so many|so much|as it stands|as they stand|at hand|whoever|whatever|whichever|whomever)\b"
    r"|(?:\b(?:None|none|True|False|[Ee]mpty)|\"\"|'') where\b|;",
    re.MULTILINE,
)
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def decorators(node: Definition) -> set[str]:
    """Return the last words of the names of a definition's decorators."""
    return {ast.unparse(decorator).split("(")[0].split(".")[-1] for decorator in node.decorator_list}


def is_bad_name(node: Definition) -> bool:
    """Return True if the whole name of a function is neither verb nor noun.

    Gerunds are blocks: `with reading():`. Python itself requires names such as `__missing__`.
    """
    word = node.name.strip("_")
    is_block = word.endswith("ing") and "contextmanager" in decorators(node)
    is_of_python = node.name.startswith("__")
    return bool(NAME.fullmatch(word)) and not NOUN.fullmatch(word) and not is_block and not is_of_python


def find_faults(path: str, tree: ast.Module) -> Iterator[str]:
    """Yield the names, the parameters and the phrases of a module that break a rule, after the module's path."""
    nodes = [tree, *(node for node in ast.walk(tree) if isinstance(node, Definition))]
    for node in nodes:
        name = "module" if isinstance(node, ast.Module) else node.name
        if not isinstance(node, ast.Module) and decorators(node) - PLAIN_DECORATORS:
            continue
        text = re.sub(r"`[^`]*`|\"[^\"\n]{2,}\"", "", ast.get_docstring(node) or "")
        yield from (f"{path}: phrase {name}: {match[0]}" for match in PHRASES.finditer(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if is_bad_name(node):
                yield f"{path}: name {name}"
            arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            names = (argument.arg for argument in arguments if PARAMETER.fullmatch(argument.arg))
            yield from (f"{path}: parameter {name}({argument})" for argument in names)


def find_frequent_names(trees: dict[str, ast.Module]) -> Iterator[str]:
    """Yield the public functions and classes of the packages that have one name in three files or more."""
    paths = defaultdict(set)
    for path, tree in trees.items():
        for node in tree.body:
            is_own = isinstance(node, Definition) and not decorators(node) - PLAIN_DECORATORS
            if is_own and not node.name.startswith("_") and not path.startswith("tests/"):
                paths[node.name].add(path)
    frequent = {name for name, files in paths.items() if len(files) > 2} - INTERFACES
    yield from (f"{path}: frequent {name}" for name in sorted(frequent) for path in sorted(paths[name]))


@pytest.mark.slow
def test_names_and_docstrings_follow_the_style():
    files = [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]
    files = [file for file in files if "migrations" not in file.parts]
    trees = {str(file.relative_to(ROOT)): ast.parse(file.read_text("utf-8")) for file in files}
    assert len(trees) > 300
    faults = {
        *find_frequent_names(trees),
        *(fault for path, tree in trees.items() for fault in find_faults(path, tree)),
    }
    allowed = set(ALLOWED.read_text("utf-8").splitlines())
    assert sorted(faults - allowed) == []
    assert sorted(allowed - faults) == [], "These entries are no longer needed. Delete them."
