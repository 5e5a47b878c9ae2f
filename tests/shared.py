"""The real card data, pages and decks that lie beside the project, where they are at hand."""

from pathlib import Path

import pytest

_SHARED = Path(__file__).resolve().parents[2] / "shared"


def shared(path: str) -> Path:
    """Return a file or folder of the shared data, or skip the test that asks where there is no such data."""
    if not _SHARED.exists():
        pytest.skip(f"needs the shared data, and there is no {_SHARED}")
    found = _SHARED / path
    assert found.exists(), f"the shared data has no {path}"
    return found
