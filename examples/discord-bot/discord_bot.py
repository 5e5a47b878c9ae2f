"""A Discord bot that checks decks: `/check` asks for a list, and answers with a verdict's summary.

It uses `POST /v1/validate` of a deckproof server. README.md has the set-up.
"""

from __future__ import annotations

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

PING, COMMAND, FILLED_IN = 1, 2, 5  # types of interactions
PONG, MESSAGE, FORM = 1, 4, 9  # types of responses
ROW, TEXT, PARAGRAPH = 1, 4, 2  # parts of a form
LARGEST = 100_000  # bytes; Discord's own are far smaller
SECONDS = 2.5  # Discord waits for three


def answer(interaction: dict[str, Any], deckproof: str) -> dict[str, Any]:
    """Return the response to an interaction."""
    if interaction["type"] == PING:
        return {"type": PONG}
    if interaction["type"] == COMMAND:
        return {"type": FORM, "data": form()}
    rows = interaction["data"]["components"]
    (decklist,) = (part["value"] for row in rows for part in row["components"])
    text = verdict(decklist, deckproof).replace("```", "'''")
    # In a code block card names are no markup, and `parse: []` lets a list mention nobody.
    return {"type": MESSAGE, "data": {"content": f"```\n{text}\n```", "allowed_mentions": {"parse": []}}}


def form() -> dict[str, Any]:
    """Return a form that asks for a deck list."""
    field = {"type": TEXT, "custom_id": "decklist", "label": "Deck list", "style": PARAGRAPH, "required": True}
    return {"custom_id": "check", "title": "Check a deck", "components": [{"type": ROW, "components": [field]}]}


def verdict(decklist: str, deckproof: str) -> str:
    """Return the summary of a verdict, or the reason why there is none, in at most 1,900 characters."""
    body = json.dumps({"decklist": decklist, "summary": True}).encode()
    request = Request(f"{deckproof}/v1/validate", body, {"Content-Type": "application/json"})
    try:
        with urlopen(request, timeout=SECONDS) as response:
            summary: str = json.load(response)["summary"]
            return summary
    except HTTPError as error:
        return str(json.load(error)["detail"])[:1900]
    except (URLError, TimeoutError):
        return "deckproof does not answer; try again in a moment."


class Endpoint(BaseHTTPRequestHandler):
    """Answers the interactions that Discord sends, and refuses those that are not signed by Discord."""

    key: Ed25519PublicKey
    deckproof: str

    def do_POST(self) -> None:
        """Answer an interaction."""
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), LARGEST))
        try:
            signature = bytes.fromhex(self.headers.get("X-Signature-Ed25519", ""))
            self.key.verify(signature, self.headers.get("X-Signature-Timestamp", "").encode() + body)
        except (InvalidSignature, ValueError):
            self.send_error(401)
            return
        content = json.dumps(answer(json.loads(body), self.deckproof)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def main() -> None:
    """Serve the endpoint."""
    Endpoint.key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(os.environ["DISCORD_PUBLIC_KEY"]))
    Endpoint.deckproof = os.environ.get("DECKPROOF_URL", "http://localhost:8000")
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8080), Endpoint)
    print(f"Listening on {server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
