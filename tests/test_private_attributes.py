"""Private attributes: our code uses nothing of a library that the library does not document.

Found are attributes and imports whose names begin with an underscore, names given to `getattr` and its like, new
values for attributes of library modules, and methods that replace private methods of a library's classes.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from enum import Enum
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PACKAGES = ("validator", "carddb", "api")
FOLDERS = (*PACKAGES, "examples", "docs", "tests")
# Documented despite the name: those of named tuples, of os, of type checkers, and what a field of marshmallow defines.
DOCUMENTED = {"_asdict", "_replace", "_make", "_fields", "_exit", "_typeshed", "_serialize", "_deserialize"}
SETTABLE = {
    "sys.dont_write_bytecode =",
    "sys.stdin =",
    "sys.stdout =",
}  # variables of libraries that are documented to be set
BY_NAME = {"getattr", "setattr", "hasattr", "delattr", "attrgetter"}
# What is still used, by file. A new entry needs a reason, and one that is no longer used has to go.
LISTED = {
    # openpyxl writes rows through its own cells only; these write ours 3 times as fast, in one file for all sheets.
    "api/workbooks/reporting/openpyxl_rows.py": {
        "openpyxl.worksheet._write_only.WriteOnlyWorksheet",
        "openpyxl.worksheet._writer.ALL_TEMP_FILES",
        "_add_sheet",
        "_writer",
    },
}
# Private methods that are replaced: openpyxl reads pictures with Pillow (24 MB), but a PNG can be written as it is.
REPLACED = {"api.sheets.sheet_xlsx._PngImage._data"}


def parse_nodes(source: str) -> list[ast.AST]:
    """Return all nodes of a source. To walk through a tree takes longer than to parse it."""
    return list(ast.walk(ast.parse(source)))


@cache
def sources() -> dict[str, list[ast.AST]]:
    """Return the nodes of every Python file of the project by its path."""
    files = (file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*.py")))
    return {str(file.relative_to(ROOT)): parse_nodes(file.read_text("utf-8")) for file in files}


@cache
def own_names() -> frozenset[str]:
    """Every name that the project defines: functions, classes, variables, attributes of self, modules."""
    names = {Path(path).stem for path in sources()}
    for node in chain.from_iterable(sources().values()):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case ast.Attribute(attr=name, value=ast.Name(id="self" | "cls"), ctx=ast.Store()):
                names.add(name)
    return frozenset(names)


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name not in DOCUMENTED


def is_own(module: str) -> bool:
    return module.partition(".")[0] in FOLDERS


def find_private_names(nodes: list[ast.AST]) -> Iterator[str]:
    """Yield the names in a file that are private to a library."""
    imports = library_imports(nodes)
    for node in nodes:
        yield from (module for module in imported_by(node) if any(map(is_private, module.split("."))))
        match node:
            case ast.Attribute(attr=name) if is_private(name) and name not in own_names():
                yield name
            case ast.Attribute(ctx=ast.Store() | ast.Del()) if is_module_or_class(root_of(node), imports):
                yield from {f"{ast.unparse(node)} ="} - SETTABLE
            case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[changed, *_]) if is_module_or_class(
                root_of(changed), imports
            ):
                yield ast.unparse(node)
            case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called), args=args) if called in BY_NAME:
                texts = (argument.value for argument in args if isinstance(argument, ast.Constant))
                yield from (text for text in texts if is_private(str(text)) and text not in own_names())


def imported_by(node: ast.AST) -> Iterator[str]:
    """Yield the full names that an import takes from libraries."""
    match node:
        case ast.Import(names=imported):
            yield from (one.name for one in imported if not is_own(one.name))
        case ast.ImportFrom(module=str(module), level=0, names=imported) if not is_own(module):
            yield from (f"{module}.{one.name}" for one in imported)


def root_of(node: ast.expr) -> str | None:
    """Return the name that a chain of attributes begins with, None if it begins with anything else."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def library_imports(nodes: list[ast.AST]) -> dict[str, set[tuple[str, str]]]:
    """Return the imports of a file from libraries by name there: module and attribute, which is "" for the module."""
    found: dict[str, set[tuple[str, str]]] = {}
    for node in nodes:
        match node:
            case ast.Import(names=imported):
                imports = ((one.asname or one.name.partition(".")[0], one.name, "") for one in imported)
            case ast.ImportFrom(module=str(module), level=0, names=imported):
                imports = ((one.asname or one.name, module, one.name) for one in imported)
            case _:
                continue
        for own_name, module, name in imports:
            if not is_own(module):
                found.setdefault(own_name, set()).add((module, name))
    return found


def is_module_or_class(name: str | None, imports: dict[str, set[tuple[str, str]]]) -> bool:
    """Return True if a name of a file is a module or class of a library. Only then the library is imported."""
    return any(not attribute or is_class_or_module(module, attribute) for module, attribute in imports.get(name, ()))


@cache
def is_class_or_module(module: str, name: str) -> bool:
    try:
        return inspect.isclass(value := getattr(importlib.import_module(module), name)) or inspect.ismodule(value)
    except (ImportError, AttributeError):  # not installed here, or a module that is imported by its full name
        return name[:1].isupper()


def own_modules() -> Iterator[str]:
    for package in PACKAGES:
        for module in pkgutil.walk_packages([str(ROOT / package)], f"{package}."):
            if not module.name.endswith((".__main__", ".migrations.env")):  # these run when they are imported
                yield module.name


def own_classes() -> Iterator[type]:
    for name in own_modules():
        module = importlib.import_module(name)
        yield from (value for value in vars(module).values() if isinstance(value, type) and value.__module__ == name)


def test_no_private_attribute_of_a_library_is_used_but_the_listed():
    found = {path: set(find_private_names(nodes)) for path, nodes in sources().items()}
    assert {path: names for path, names in found.items() if names} == LISTED


def test_no_private_method_of_a_library_is_replaced():
    replaced = {
        f"{one.__module__}.{one.__qualname__}.{name}"
        for one in own_classes()
        if not issubclass(one, Enum)  # the metaclass writes `_new_member_` and its like into each
        for name, value in vars(one).items()
        if inspect.isroutine(value) and is_private(name) and is_of_library(one, name)
    }
    assert replaced == REPLACED


def is_of_library(tested_class: type, name: str) -> bool:
    """Return True if a class inherits a name from a class of a library."""
    return any(name in vars(base) for base in tested_class.__mro__[1:] if not is_own(base.__module__))


@pytest.mark.parametrize(
    "source",
    [
        "view._a_private_thing",
        "view._a_private_thing = 1",
        "import gunicorn.util\ngunicorn.util.write_error = print",
        "from gunicorn import util as u\nu.write_error = print",
        "import gunicorn\nsetattr(gunicorn.util, 'write_error', print)",
        "import gunicorn\ndel gunicorn.util.write_error",
        "getattr(view, '_a_private_thing')",
        "import _winapi",
        "from openpyxl.worksheet._writer import ALL_TEMP_FILES",
        "from concurrent.futures import _base",
    ],
)
def test_each_kind_of_use_is_found(source):
    assert len(list(find_private_names(parse_nodes(source)))) >= 1


@pytest.mark.parametrize(
    "source",
    [
        "point._replace(x=1)",
        "import os\nos.environ['A'] = 'b'\nos._exit(0)",
        "class A:\n    def __init__(self):\n        self.name = self.__class__.__name__",
        "from api.web import app\napp.thing = 1",
    ],
)
def test_what_is_documented_or_our_own_is_not_found(source):
    assert list(find_private_names(parse_nodes(source))) == []
