"""The least that anybody's own server does: Flask views that parse the JSON and say nothing of it."""

from __future__ import annotations

import json

from flask import Flask, request

app = Flask("bare")


@app.post("/v1/validate")
def parsed() -> dict[str, bool]:
    """Parse one JSON."""
    request.get_json()
    return {"legal": True}


@app.post("/v1/validate/batch")
def parsed_lines() -> str:
    """Parse a JSON a line."""
    return "".join(f'{{"legal":{str(bool(json.loads(line))).lower()}}}\n' for line in request.get_data().splitlines())
