"""The OpenAPI document as a file: `python -m tests.openapi FILE` writes it, for releases and for generated clients."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from api.service.settings import Settings
from api.web.app import create_app


def document() -> dict[str, Any]:
    """Return the document that a server serves at /openapi.json."""
    with TemporaryDirectory() as folder:
        served: dict[str, Any] = create_app(Settings(data_dir=Path(folder))).test_client().get("/openapi.json").json
    return served


def main() -> None:
    """Write the document into the named file. Its folder is created if necessary."""
    file = Path(sys.argv[1])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(document(), ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
