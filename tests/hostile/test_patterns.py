"""No pattern backtracks over a text more than a fixed number of times, and only one module normalises texts."""

from __future__ import annotations

import importlib
import pkgutil
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import api
import carddb
import validator
from tests.cost import seconds
from tests.hostile import attacks

pytestmark = pytest.mark.slow

ROOT = Path(validator.__file__).parents[1]
LENGTH = 2_000
MOST = 0.005  # seconds; what goes over it again from every place takes ten times as long
UNITS = 120
_USED = "search|match|fullmatch|finditer|findall|sub|split"


class Use(NamedTuple):
    """A pattern, what it is called, and the ways in which its module uses it."""

    name: str
    pattern: re.Pattern
    methods: frozenset[str]


def uses(package) -> list[Use]:
    """The patterns of a package, each once for the same ways."""
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if ".migrations" not in found.name and not found.name.endswith("__main__")
    ]
    every = (use for module in modules for use in _of_module(module))
    return list({(use.pattern.pattern, use.pattern.flags, use.methods): use for use in every}.values())


def _of_module(module) -> Iterator[Use]:
    source = Path(module.__file__).read_text(encoding="utf-8")
    for name, value in vars(module).items():
        methods = frozenset(re.findall(rf"\b{name}(?:\[\w+\])?\.({_USED})\b", source)) or frozenset(("search",))
        for pattern in _patterns(value):
            yield Use(f"{module.__name__}.{name}", pattern, methods)


def _patterns(value) -> list[re.Pattern]:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, tuple | list) else (value,)
    return [one for one in inside if isinstance(one, re.Pattern)]


def _read(use, method, text):
    if isinstance(use.pattern.pattern, bytes):
        text = text.encode("utf-8", "replace")
    if method in ("sub",):
        return use.pattern.sub(text[:0], text)
    found = getattr(use.pattern, method)(text)
    return list(found) if method == "finditer" else found


def _own_pieces(pattern) -> list[str]:
    """Return the words and marks that a pattern itself is made of."""
    written = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    return sorted(set(re.findall(r"[A-Za-z]{2,}|[^\\\w]|[0-9]", written)))


@pytest.mark.parametrize(("package", "at_least"), [(validator, 60), (carddb, 25), (api, 15)])
def test_a_pattern_takes_time_that_grows_with_the_text(package, at_least):
    found = uses(package)
    assert len(found) >= at_least
    for use in found:
        _assert_quick(use)


def _assert_quick(use):
    chance = random.Random(attacks.SEED)
    own = _own_pieces(use.pattern)
    pieces = [*own, *attacks.PIECES]
    pairs = ["".join(chance.choices(own, k=2)) + chance.choice(pieces) for _ in range(UNITS // 3)]
    for unit in [*own, *chance.sample(attacks.PIECES, UNITS // 3), *pairs]:
        text = f"{chance.choice(('', '4 ', 'a '))}{attacks.repeat_unit(unit, LENGTH)}{chance.choice(('!', '', ' a'))}"
        for method in use.methods:
            took = seconds(lambda text=text, method=method: _read(use, method, text), MOST)
            assert took <= MOST, f"{use.name}.{method} takes {took:.3f} s for {unit!r} again and again"


def test_texts_are_normalised_in_one_place():
    sources = [path for package in ("validator", "carddb", "api") for path in (ROOT / package).rglob("*.py")]
    normalising = [path for path in sources if re.search(r"\bnormalize\b", path.read_text(encoding="utf-8"))]
    assert [path.relative_to(ROOT).as_posix() for path in normalising] == ["validator/texts.py"]
