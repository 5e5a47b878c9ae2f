"""Clients for programs of others, generated from the OpenAPI document: `python -m tests.clients FOLDER` makes both.

An installable project in `python/` with the typed package `deckproof_client`, by openapi-python-client, and the types
`deckproof.d.ts` for TypeScript, by openapi-typescript, which needs node.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests import openapi

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
_WHOLE = ("oneOf", "anyOf", "allOf")
_CONFIG = {
    "project_name_override": "deckproof-client",
    "package_name_override": "deckproof_client",
    "post_hooks": [],
}


def plain(part: Any) -> Any:
    """Return a part of the document without what is said of entries that go together, which types have no words for."""
    if isinstance(part, list):
        return [plain(one) for one in part]
    if not isinstance(part, dict):
        return part
    beside = _WHOLE if "properties" in part else ()
    return {key: plain(value) for key, value in part.items() if key not in beside}


def python(folder: Path) -> Path:
    """Generate the project of the Python package into a folder, and return the folder of the project."""
    written, config = folder / "openapi-python.json", folder / "generator.json"
    written.write_text(json.dumps(_without_plain_text(plain(openapi.document()))), "utf-8")
    config.write_text(json.dumps(_CONFIG), "utf-8")
    project = folder / "python"
    generator = Path(sys.executable).with_name("openapi-python-client")
    options = ["--meta", "pdm", "--overwrite", "--config", config, "--output-path", project]
    subprocess.run([generator, "generate", "--path", written, *options], check=True, capture_output=True)
    return project


def _without_plain_text(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document without plain texts beside JSON, and their terms: one body has one type in Python."""
    for path in document["paths"].values():
        for operation in (one for method, one in path.items() if method != "parameters"):
            body = operation.get("requestBody", {}).get("content", {})
            if "application/json" in body and body.pop("text/plain", None):
                parameters = operation["parameters"]
                operation["parameters"] = [one for one in parameters if "$ref" in one or one["in"] != "query"]
    return document


def typescript(folder: Path) -> Path:
    """Generate the types for TypeScript into a folder, with what the example needs, and return their path."""
    for file in (EXAMPLES / "typescript").iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    types = folder.resolve() / "deckproof.d.ts"
    (folder / "openapi.json").write_text(json.dumps(openapi.document()), "utf-8")
    run_npm(folder, "ci", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=1", "--fetch-timeout=20000")
    run_installed(folder, "openapi-typescript", "openapi.json", "-o", str(types))
    return types


class UnreachableError(RuntimeError):
    """Packages cannot be fetched from here."""


_UNREACHABLE = re.compile(r"code (?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|E403)\b")


def run_npm(folder: Path, *arguments: str) -> str:
    """Run npm in a folder, and return its output. Raises RuntimeError with the reason if it fails."""
    return _ran(folder, "npm", *arguments)


def run_installed(folder: Path, command: str, *arguments: str) -> str:
    """Run a command that npm has installed in a folder, and return its output. `npm exec` takes a second more."""
    return _ran(folder, str(folder.resolve() / "node_modules/.bin" / command), *arguments)


def _ran(folder: Path, *command: str) -> str:
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    if _UNREACHABLE.search(ran.stderr):
        raise UnreachableError(ran.stderr)
    if ran.returncode:
        raise RuntimeError(f"{' '.join(command)}: {ran.stdout}{ran.stderr}")
    return ran.stdout


def main() -> None:
    """Generate both into the folder that is named."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    print(python(folder))
    print(typescript(folder))


if __name__ == "__main__":
    main()
