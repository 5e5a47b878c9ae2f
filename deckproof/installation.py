"""The check that the installed packages are deckproof's. Called when `deckproof` is imported, and by its command.

PyPI has other distributions with packages named `validator` and `api`. pip overwrites files of one distribution with
those of another without a word.
"""

from __future__ import annotations

import sys
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("validator", "carddb", "api")
_MARK = 'DISTRIBUTION = "deckproof"'  # a line in the __init__.py of each package


def check_packages() -> None:
    """Raise ImportError if the packages `validator`, `carddb` and `api` are not all deckproof's.

    Nothing is raised in a process of the `deckproof` command, which prints the problem itself.
    """
    problem = find_problem()
    if problem and not _is_command():
        raise ImportError(problem)


def find_problem() -> str:
    """Return the message about the first of PACKAGES that is missing or not deckproof's, "" if all are.

    The `__init__.py` of a package of deckproof has the line `DISTRIBUTION = "deckproof"`. No package is imported.
    """
    for package in PACKAGES:
        spec = find_spec(package)
        file = Path(spec.origin) if spec and spec.origin else None
        if file is None or not file.is_file() or _MARK not in file.read_text("utf-8", "replace").splitlines():
            return _describe_problem(package, file)
    return ""


def _describe_problem(package: str, file: Path | None) -> str:
    """Return the message about a package that is not deckproof's: the reason, and what to do.

    The reasons in order: other distributions with this package are installed, Python finds another `file`, or the
    package is missing (`file` is None).
    """
    others = sorted({name for name in packages_distributions().get(package, ()) if name.lower() != "deckproof"})
    if others:
        return (
            f"The package {package!r} is not deckproof's: the distribution {', '.join(others)} has overwritten it. "
            f"Run: pip uninstall {' '.join(others)} && pip install --force-reinstall deckproof"
        )
    if file:
        return f"The package {package!r} is not deckproof's: Python found {file} first. Rename it, or run elsewhere."
    return f"The package {package!r} is missing. Run: pip install --force-reinstall deckproof"


def _is_command() -> bool:
    """Return True if this process was started as `deckproof` or as `python -m deckproof`."""
    return Path(sys.argv[0]).stem == "deckproof" or sys.orig_argv[1:3] == ["-m", "deckproof"]
