"""Each package has its public exceptions in one module, which opens with their tree."""

import builtins
import re
from importlib import import_module
from pkgutil import walk_packages

import pytest

ERRORS = {"validator": "validator.errors", "carddb": "carddb.errors", "api": "api.service.errors"}
OF_A_FACE = {"CommandError", "CutBody", "LocalUsageError"}  # click's and Flask's own
_NAME = re.compile(r"^(?P<before>[ │├└─]*)(?P<name>[A-Z]\w+)(?= {2,}|$)")


def public(package):
    """The public exceptions of a package's modules."""
    root = import_module(package)
    names = [one.name for one in walk_packages(root.__path__, f"{package}.") if ".migrations." not in one.name]
    values = [value for name in names for value in vars(import_module(name)).values()]
    found = {one for one in values if isinstance(one, type) and issubclass(one, Exception)}
    return {one for one in found if one.__module__.startswith(f"{package}.") and not one.__name__.startswith("_")}


def tree(text):
    """The classes of a tree of names, and which each hangs from."""
    above = {}
    for line in text.splitlines():
        if found := _NAME.match(line):
            depth = len(found["before"]) // 4
            above[depth] = found["name"]
            yield found["name"], above.get(depth - 1)


@pytest.mark.slow
@pytest.mark.parametrize("package", ERRORS)
def test_the_tree_has_every_exception_under_its_base(package):
    here = {one for one in public(package) if one.__name__ not in OF_A_FACE}
    assert {one.__module__ for one in here} == {ERRORS[package]}
    drawn = dict(tree(import_module(ERRORS[package]).__doc__))
    assert {(one.__name__, one.__base__.__name__) for one in here} <= drawn.items()
    assert {name for name, base in drawn.items() if not hasattr(builtins, name)} == {one.__name__ for one in here}
